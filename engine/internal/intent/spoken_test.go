package intent

import "testing"

// TestKindsNamed: what a number measures is said in words that are not the field's.
func TestKindsNamed(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{
		{Name: "stars", Type: Number}, {Name: "guest_rating", Type: Number}, {Name: "price_per_night", Type: Number},
	}, nil)
	v := vocabularyOf(c)
	v.spans["stars"], v.spans["guest_rating"], v.spans["price_per_night"] = [2]float64{2, 5}, [2]float64{5, 9.9}, [2]float64{50, 400}
	for q, want := range map[string]string{
		"hotels with rating above 8": "!guest_rating > 8 (rating above 8)",
		"rating over 4 stars":        "!stars > 4 (rating over 4 stars)",
		"price under 100":            "!price_per_night < 100 (price under 100)",
		"best rated hotel":           "!EXISTS guest_rating (best rated)",
		"rated over 9":               "!guest_rating > 9 (rated over 9)",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestSteps: all that is to be done takes as long as its steps, and each of these no longer than it.
func TestSteps(t *testing.T) {
	c := NewCues("en", "de")
	v := vocabularyOf(c)
	fields := []Field{{Name: "prep_time", Type: Number}, {Name: "cook_time", Type: Number}}
	for q, want := range map[string]string{
		"dinner under 30 minutes":    "!prep_time < 30 AND cook_time < 30 (under 30 minutes)",
		"at most half an hour":       "!prep_time <= 30 AND cook_time <= 30 (at most half an hour)",
		"dinner over 30 minutes":     "",
		"cook time under 20 minutes": "!cook_time < 20 (cook time under 20 minutes)",
		"30 minutes":                 "",
	} {
		if got := understood(t, NewDomain(c, fields, nil), v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
	fields = append(fields, Field{Name: "total_time", Type: Number})
	for q, want := range map[string]string{
		"dinner under 30 minutes": "!total_time < 30 (under 30 minutes)",
		"quickest dinner":         "!EXISTS total_time (quickest)",
	} {
		if got := understood(t, NewDomain(c, fields, nil), v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestNone: that there is none of what a field counts is said in many ways, and how many there are also in words.
func TestNone(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{
		{Name: "stops", Type: Number}, {Name: "experience_years", Type: Number}, {Name: "bedrooms", Type: Number},
		{Name: "sugar_g", Type: Number}, {Name: "population", Type: Number},
	}, nil)
	v := vocabularyOf(c)
	for f, s := range map[string][2]float64{"stops": {0, 2}, "experience_years": {0, 8}, "bedrooms": {1, 6}, "sugar_g": {0, 60}, "population": {1000, 9e6}} {
		v.spans[f] = s
	}
	for q, want := range map[string]string{
		"nonstop flight":               "~stops = 0 (nonstop)",
		"non-stop flight":              "~stops = 0 (non-stop)",
		"flight with one stop":         "~stops = 1 (one stop)",
		"more than one stop":           "!stops > 1 (more than one stop)",
		"no experience":                "~NOT experience_years > 0 (no experience)",
		"jobs without experience":      "~NOT experience_years > 0 (without experience)",
		"sugar free soda":              "~NOT sugar_g > 0 (sugar free)",
		"no bedrooms":                  "", // there are none without
		"two bedrooms":                 "~bedrooms = 2 (two bedrooms)",
		"nine bedrooms":                "",
		"two million people":           "~population = 2000000 (two million people)",
		"over half a million in ruins": "",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestThisYear: what is compared with a day or a month is so in the only year that records are of.
func TestThisYear(t *testing.T) {
	c := NewCues("en", "de")
	d := NewDomain(c, []Field{{Name: "date", Type: Date}, {Name: "price", Type: Number}}, nil)
	v := vocabularyOf(c)
	v.spans["date"] = [2]float64{2026, 2026}
	for q, want := range map[string]string{
		"jazz before 10 june":        "!date < 2026-06-10 (before 10 june)",
		"konzerte bis 10. juni":      "!date < 2026-06-11 (bis 10. juni)",
		"after dec 20":               "!date >= 2026-12-21 (after dec 20)",
		"since june":                 "!date >= 2026-06-01 (since june)",
		"jazz 10 - 20 june":          "!date >= 2026-06-10 AND date < 2026-06-21 (10 - 20 june)",
		"june 10-20":                 "!date >= 2026-06-10 AND date < 2026-06-21 (june 10-20)",
		"from 10 to 20 june":         "!date >= 2026-06-10 AND date < 2026-06-21 (from 10 to 20 june)",
		"from 28 june to 2 july":     "!date >= 2026-06-28 AND date < 2026-07-03 (from 28 june to 2 july)",
		"10 - 40 june":               "",
		"jazz in june":               "!date >= 2026-06-01 AND date < 2026-07-01 (in june)",
		"before 10 june under 20":    "!date < 2026-06-10 (before 10 june); !price < 20 (under 20)",
		"between 31 may and 31 june": "",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestFlagsOtherwise: yes-or-no fields are called by other words than their names, and by those of the contrary.
func TestFlagsOtherwise(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{
		{Name: "pets_allowed", Type: Bool}, {Name: "remote", Type: Bool}, {Name: "is_free", Type: Bool}, {Name: "nfc", Type: Bool}, {Name: "has_pool", Type: Bool},
		{Name: "is_kid_friendly", Type: Bool},
	}, nil)
	for q, want := range map[string]string{
		"dog friendly hotel":     "~pets_allowed = true (dog friendly)",
		"hotel for dogs":         "",
		"no dogs":                "~NOT pets_allowed = true (no dogs)",
		"on-site job":            "~NOT remote = true (on-site)",
		"not on-site":            "",
		"in person class":        "~NOT remote = true (in person)",
		"free concert":           "~is_free = true (free)",
		"gluten free bread":      "",
		"phone with nfc":         "~nfc = true (nfc)",
		"phone without nfc":      "~NOT nfc = true (without nfc)",
		"nfc":                    "", // three letters may be anything
		"with a swimming pool":   "~has_pool = true (swimming pool)",
		"kid friendly":           "~is_kid_friendly = true (kid friendly)",
		"hotel that allows kids": "~is_kid_friendly = true (kids)",
	} {
		if got := understood(t, d, nil, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestTwoTimes: of several times of a record, words beside tell which is meant, or else it is that of its making.
func TestTwoTimes(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{{Name: "created_at", Type: Date}, {Name: "updated_at", Type: Date}, {Name: "due_date", Type: Date}}, nil)
	v := vocabularyOf(c)
	for _, f := range []string{"created_at", "updated_at", "due_date"} {
		v.spans[f] = [2]float64{2025, 2025}
	}
	for q, want := range map[string]string{
		"oldest ticket":                "!EXISTS created_at (oldest)",
		"created after september 2025": "!created_at >= 2025-10-01 (created after september 2025)",
		"updated since may":            "!updated_at >= 2025-05-01 (updated since may)",
		"due before 10 december":       "!due_date < 2025-12-10 (due before 10 december)",
		"due in december":              "!due_date >= 2025-12-01 AND due_date < 2026-01-01 (due in december)",
		"after 1 june":                 "!created_at >= 2025-06-02 (after 1 june)",
		"tickets from october":         "!created_at >= 2025-10-01 AND created_at < 2025-11-01 (from october)",
		"INV-2025-1187":                "",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestYearsByValue: numbers are years where all of them look so.
func TestYearsByValue(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{{Name: "first_published", Type: Number}, {Name: "first_registration", Type: Number}, {Name: "price", Type: Number}}, nil)
	v := vocabularyOf(c)
	v.spans["first_published"], v.spans["first_registration"], v.spans["price"] = [2]float64{1813, 2019}, [2]float64{0, 2}, [2]float64{5, 40}
	for q, want := range map[string]string{
		"novels before 1900":        "!first_published < 1900 (before 1900)",
		"first published in 1967":   "~first_published = 1967 (first published in 1967)",
		"newest novel":              "!EXISTS first_published (newest)",
		"novels from the 1950s":     "!first_published 1950..1959 (from the 1950s)",
		"first published over 1900": "!first_published > 1900 (first published over 1900)",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestPlainFields: fields that do not tell what they are counted in are named by what is measured.
func TestPlainFields(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{
		{Name: "width", Type: Number}, {Name: "height", Type: Number}, {Name: "weight", Type: Number}, {Name: "max_load_kg", Type: Number}, {Name: "price", Type: Number},
		{Name: "pressure_bar", Type: Number}, {Name: "protein_100g", Type: Number}, {Name: "downloads", Type: Number},
	}, nil)
	v := vocabularyOf(c)
	for f, s := range map[string][2]float64{"width": {40, 300}, "height": {40, 220}, "weight": {1, 90}, "max_load_kg": {80, 150}, "price": {20, 900}, "pressure_bar": {8, 160}, "protein_100g": {0, 30}, "downloads": {10, 5e6}} {
		v.spans[f] = s
	}
	for q, want := range map[string]string{
		"sofa under 200 wide":         "!width < 200 (under 200 wide)",
		"200 cm high":                 "~height = 200 (200 cm high)",
		"widest sofa":                 "!EXISTS width (widest)",
		"lightest chair":              "!EXISTS weight (lightest)",
		"at least 130 bar":            "!pressure_bar >= 130 (at least 130 bar)",
		"over 144 fps":                "",
		"more than 20 g protein":      "!protein_100g > 20 (more than 20 g protein)",
		"under 5 g protein per 100 g": "!protein_100g < 5 (under 5 g protein per 100 g)",
		"highest protein":             "!EXISTS protein_100g (highest protein)",
		"1m downloads":                "~downloads = 1000000 (1m downloads)",
		"over 1m downloads":           "!downloads > 1000000 (over 1m downloads)",
		"iphone 15 plus":              "~price >= 15 (15 plus)",
		"drill at least 30 under 100": "!price >= 30 (at least 30); !price < 100 (under 100)",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestHarmlessNegations: phrases with a negation that denies nothing, and what only stands in one thing with what is denied.
func TestHarmlessNegations(t *testing.T) {
	c := NewCues("en", "es")
	d := NewDomain(c, []Field{{Name: "brand", Type: Category}, {Name: "ingredients", Type: Category}, {Name: "price", Type: Number}, {Name: "diet", Type: Category}}, nil)
	v := vocabularyOf(c, "brand: Samsung*9, Windows*4", "ingredients: milk*9, butter*5, almonds*4, eggs*6, garlic*3", "diet: vegan*3, open*4")
	v.spans["price"] = [2]float64{2, 300}
	for q, want := range map[string]string{
		"not only samsung":           `~brand = "Samsung" (samsung)`,
		"why not windows":            `~brand = "Windows" (windows)`,
		"not without garlic":         `~ingredients = "garlic" (garlic)`,
		"por lo menos windows":       `~brand = "Windows" (windows)`,
		"without coconut milk":       "",
		"without almond butter":      `~NOT ingredients = "almonds" (without almond)`,
		"pasta without garlic vegan": `~NOT ingredients = "garlic" (without garlic); ~diet = "vegan" (vegan)`,
		"not open":                   `~NOT diet = "open" (not open)`,
		"eggs free range":            `~ingredients = "eggs" (eggs)`,
		"cream for women over 50":    "",
		"jacket for women under 100": "!price < 100 (under 100)",
		"shirts for men under 30":    "!price < 30 (under 30)",
		"gifts for men over 100":     "!price > 100 (over 100)",
		"books for kids under 6":     "",
		"toys for kids under 20":     "!price < 20 (under 20)",
		"cream over 50":              "!price > 50 (over 50)",
		"windows 11 or newer":        `~brand = "Windows" (windows)`,
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestLives: of times, those of people's lives are meant only where they are said; of prices, those that one pays.
func TestLives(t *testing.T) {
	c := NewCues("en")
	d := NewDomain(c, []Field{
		{Name: "born", Type: Date}, {Name: "died", Type: Date}, {Name: "year", Type: Number}, {Name: "Variant Price", Type: Number}, {Name: "Variant Compare At Price", Type: Number},
		{Name: "min_salary", Type: Number}, {Name: "tempo", Type: Number}, {Name: "duration_ms", Type: Number}, {Name: "age", Type: Number},
	}, nil)
	v := vocabularyOf(c)
	v.spans["born"], v.spans["died"], v.spans["year"], v.spans["Variant Price"], v.spans["age"] = [2]float64{1840, 1990}, [2]float64{1900, 2022}, [2]float64{1901, 2023}, [2]float64{5, 100}, [2]float64{16, 45}
	for q, want := range map[string]string{
		"literature prize after 1950": "!year > 1950 (after 1950)",
		"born before 1900":            "!born < 1900-01-01 (born before 1900)",
		"died in 1955":                "~died >= 1955-01-01 AND died < 1956-01-01 (died in 1955)",
		"prize in 2018":               "~year = 2018 (in 2018)",
		"cheapest hoodie":             "!EXISTS `Variant Price` (cheapest)",
		"hoodie under $60":            "!`Variant Price` < 60 (under $60)",
		"fastest tempo":               "!EXISTS tempo (fastest tempo)",
		"players younger than 20":     "!age < 20 (younger than 20)",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}
