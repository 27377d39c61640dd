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
