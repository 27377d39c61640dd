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
