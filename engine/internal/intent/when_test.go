package intent

import (
	"strings"
	"testing"
)

// TestYearless: months and days without a year are those of all years of the records, if these are few.
func TestYearless(t *testing.T) {
	c := NewCues("en", "de", "es")
	d := NewDomain(c, []Field{{Name: "date", Type: Date}, {Name: "price", Type: Number}}, nil)
	v := vocabularyOf(c)
	v.spans["date"] = [2]float64{2026, 2027}
	const june = "date >= 2026-06-01 AND date < 2026-07-01 OR date >= 2027-06-01 AND date < 2027-07-01"
	const fifth = "date >= 2026-12-05 AND date < 2026-12-06 OR date >= 2027-12-05 AND date < 2027-12-06"
	for q, want := range map[string]string{
		"concerts in june":                             "!" + june + " (in june)",
		"june concerts":                                "~" + june + " (june)",
		"konzerte im juni":                             "!" + june + " (im juni)",
		"events on 5 december":                         "!" + fifth + " (5 december)",
		"december 5th events":                          "!" + fifth + " (december 5th)",
		"5th of december":                              "!" + fifth + " (5th of december)",
		"5. dezember":                                  "!" + fifth + " (5. dezember)",
		"5 de diciembre":                               "!" + fifth + " (5 de diciembre)",
		"concerts in june under 20":                    "!" + june + " (in june); !price < 20 (under 20)",
		"concerts in june 2027":                        "!date >= 2027-06-01 AND date < 2027-07-01 (in june 2027)",
		"29 february":                                  "",
		"may contain nuts":                             "",
		"jazz before 10 june":                          "",
		"jazz until the 10 june":                       "",
		"jazz since june":                              "",
		"jazz in june or august":                       "",
		"jazz 10 - 20 june":                            "",
		"jazz 10 or 20 june":                           "",
		"from 10 june to 20 june":                      "",
		"konzerte bis 10. juni":                        "",
		"march 14th 2026":                              "~date >= 2026-03-14 AND date < 2026-03-15 (march 14th 2026)",
		"10th of june 2026":                            "~date >= 2026-06-10 AND date < 2026-06-11 (10th of june 2026)",
		"jazz in june and dinner":                      "!" + june + " (in june)",
		"jazz after the 5th of june":                   "",
		"between the 5th of june and the 10th of july": "",
		"before the end of july":                       "~date >= 2026-07-01 AND date < 2026-08-01 OR date >= 2027-07-01 AND date < 2027-08-01 (july)",
		"5 june 2 tickets":                             "!date >= 2026-06-05 AND date < 2026-06-06 OR date >= 2027-06-05 AND date < 2027-06-06 (5 june)",
		"may 2 people share":                           "",
		"ides of march":                                "~date >= 2026-03-01 AND date < 2026-04-01 OR date >= 2027-03-01 AND date < 2027-04-01 (march)",
		"les sept nains":                               "",
		"mar vista":                                    "",
		"31 june":                                      "",
		"june 31":                                      "",
		"concerts not in june":                         "",
		"concerts without june":                        "",
		"5 stars":                                      "",
		"31 flavours":                                  "",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
	v.spans["date"] = [2]float64{1990, 2027}
	if got := understood(t, d, v, "concerts in june"); got != "" {
		t.Errorf("of many years: %s", got)
	}
	if got := understood(t, d, nil, "concerts in june"); got != "" {
		t.Errorf("of unknown years: %s", got)
	}
}

// TestCenturies: centuries are the years that people count to them.
func TestCenturies(t *testing.T) {
	for q, want := range map[string]string{
		"18th century porcelain":             "~year 1700..1799 (18th century)",
		"from the 18th century":              "!year 1700..1799 (from the 18th century)",
		"porzellan 18. jahrhundert":          "~year 1700..1799 (18. jahrhundert)",
		"porcelaine du XVIIIe siècle":        "!year 1700..1799 (du XVIIIe siècle)",
		"porcelaine 18e siècle":              "~year 1700..1799 (18e siècle)",
		"porcelana siglo XVIII":              "~year 1700..1799 (siglo XVIII)",
		"before the 18th century":            "!year < 1700 (before the 18th century)",
		"after the 18th century":             "!year > 1799 (after the 18th century)",
		"early 20th century":                 "~year 1900..1999 (early 20th century)",
		"19th-century":                       "~year 1800..1899 (19th-century)",
		"sign from century 21":               "",
		"coin from the 5th century bc":       "",
		"17th and 18th century":              "",
		"in the 17th or in the 18th century": "",
		"in what century i live":             "",
		"century egg":                        "",
		"40th century":                       "",
		"siglo":                              "",
	} {
		d := NewDomain(NewCues("en", "de", "fr", "es"), []Field{{Name: "year", Type: Number}}, nil)
		if got := understood(t, d, nil, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestIntervals: numbers of people and ages are within what fields say of the least and the most.
func TestIntervals(t *testing.T) {
	c := NewCues("en", "de")
	d := NewDomain(c, []Field{
		{Name: "players_min", Type: Number}, {Name: "players_max", Type: Number}, {Name: "age_from", Type: Number}, {Name: "minutes", Type: Number},
	}, nil)
	for q, want := range map[string]string{
		"game for 8 people":      "!players_min <= 8 AND players_max >= 8 (8 people)",
		"two player game":        "~players_min <= 2 AND players_max >= 2 (two player)",
		"spiel für 3 spieler":    "!players_min <= 3 AND players_max >= 3 (3 spieler)",
		"puzzle for 3 year old":  "!age_from <= 3 (3 year old)",
		"puzzle for 3-year-olds": "!age_from <= 3 (3-year-olds)",
		"game ages 12+":          "!age_from >= 12 (ages 12+)",
		"game under 30 minutes":  "!minutes < 30 (under 30 minutes)",
		"players":                "",
	} {
		if got := understood(t, d, nil, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
	d = NewDomain(c, []Field{{Name: "capacity", Type: Number}, {Name: "capacity_max", Type: Number}, {Name: "age", Type: Number}}, nil)
	for q, want := range map[string]string{
		"room for 8 people":  "~capacity = 8 (8 people)",
		"whisky 12 year old": "~age = 12 (12 year old)",
	} {
		if got := understood(t, d, nil, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
}

// TestLimitsOfOtherThings: what is not of people or ages is read as it is named.
func TestLimitsOfOtherThings(t *testing.T) {
	c := NewCues("en")
	for _, tt := range []struct{ fields, q, want string }{
		{"salary_min salary_max", "nurse salary over 50000", "!salary_min > 50000 (salary over 50000)"},
		{"salary_min salary_max __", "highest paid", "!EXISTS salary_max (highest paid)"}, // a name without words is none
		{"prep_min prep_max", "under 30 minutes", "!prep_min < 30 (under 30 minutes)"},
		{"players_min price", "game players_min 3", "!players_min >= 3 (players_min 3)"},
		{"age salary", "developers over 30", "~salary > 30 (over 30)"},
	} {
		var fields []Field
		for name := range strings.FieldsSeq(tt.fields) {
			fields = append(fields, Field{Name: name, Type: Number})
		}
		if got := understood(t, NewDomain(c, fields, nil), nil, tt.q); got != tt.want {
			t.Errorf("%s: %q:\n got %s\nwant %s", tt.fields, tt.q, got, tt.want)
		}
	}
}

// TestNth: ordinals are values of fields that have few.
func TestNth(t *testing.T) {
	c := NewCues("en", "de")
	d := NewDomain(c, []Field{{Name: "year", Type: Number}}, nil)
	v := vocabularyOf(c)
	v.spans["year"] = [2]float64{1, 4}
	for q, want := range map[string]string{
		"third year history":   "~year = 3 (third year)",
		"2nd year":             "~year = 2 (2nd year)",
		"drittes year":         "~year = 3 (drittes year)",
		"sixth year":           "",
		"first aid":            "",
		"before third year":    "",
		"first or second year": "",
		"first to third year":  "",
		"not first year":       "",
	} {
		if got := understood(t, d, v, q); got != want {
			t.Errorf("%q:\n got %s\nwant %s", q, got, want)
		}
	}
	v.spans["year"] = [2]float64{1950, 2026}
	if got := understood(t, d, v, "first year"); got != "" {
		t.Errorf("of years: %s", got)
	}
}
