package intent

import "testing"

// Fields whose name is, or ends in, what they are counted in; and a field of
// years, which is not counted in years.
func TestUnitsOfNames(t *testing.T) {
	d := NewDomain(NewCues("en"), []Field{
		{Name: "minutes", Type: Number}, {Name: "experience_years", Type: Number}, {Name: "year", Type: Number},
		{Name: "salary", Type: Number}, {Name: "min", Type: Number},
	}, nil)
	for _, tt := range []struct{ q, want string }{
		{"soup under 30 minutes", `!minutes < 30 (under 30 minutes)`},
		{"soup under half an hour", `!minutes < 30 (under half an hour)`},
		{"soup under 1 hour", `!minutes < 60 (under 1 hour)`},
		{"30 minutes soup", `~minutes = 30 (30 minutes)`},
		{"less than 2 years experience", `!experience_years < 2 (less than 2 years experience)`},
		{"5 years experience", `~experience_years = 5 (5 years experience)`},
		{"2012", `~year = 2012 (2012)`},
		{"year 812", `~year = 812 (year 812)`},
		{"salary over 60k", `!salary > 60000 (salary over 60k)`},
	} {
		if got := understood(t, d, nil, tt.q); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.q, got, tt.want)
		}
	}
	d = NewDomain(NewCues("en"), []Field{{Name: "year", Type: Number}}, nil)
	for _, q := range []string{"12 years a slave", "the 40 year old virgin", "7 year itch", "under 18 years"} {
		if got := understood(t, d, nil, q); got != "" {
			t.Errorf("%q: %s", q, got)
		}
	}
}

// TestWholeNumbers: numbers are read as far as they go, of two units and of two values, and what
// only begins with digits is none.
func TestWholeNumbers(t *testing.T) {
	d := NewDomain(NewCues("en"), []Field{
		{Name: "minutes", Type: Number}, {Name: "capacity", Type: Number}, {Name: "price", Type: Number}, {Name: "weight_kg", Type: Number}, {Name: "height_cm", Type: Number}, {Name: "year", Type: Number},
	}, nil)
	for _, tt := range []struct{ q, want string }{
		{"tent for 4 or 5 people", `~capacity 4..5 (4 or 5 people)`},
		{"tent for 4 or 6 people", `~capacity IN [4, 6] (4 or 6 people)`},
		{"tent 4/5 people", `~capacity 4..5 (4/5 people)`},
		{"tent for 4 to 5 people", `!capacity 4..5 (4 to 5 people)`},
		{"film 1 hour 30 minutes", `~minutes = 90 (1 hour 30 minutes)`},
		{"film over 1 hour and 30 minutes", `!minutes > 90 (over 1 hour and 30 minutes)`},
		{"film under 1h 30min", `!minutes < 90 (under 1h 30min)`},
		{"under 1/2 hour", `!minutes < 30 (under 1/2 hour)`},
		{"laptop .5kg", `~weight_kg = 0.5 (.5kg)`},
		{"laptop under .500 kg", `!weight_kg < 0.5 (under .500 kg)`},
		{"under $.99", `!price < 0.99 (under $.99)`},
		{"under $1e999", ``}, {"under 1/0", ``}, {"under 0x10", ``}, {"tent for -1 people", ``}, {"less than -3 hours", ``}, {"puzzle 1000pc", ``},
	} {
		if got := understood(t, d, nil, tt.q); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.q, got, tt.want)
		}
	}
}
