package query

import "testing"

func TestNamesOfKindsAndOperators(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{KindNull.String(), "null"},
		{KindDate.String(), "date"},
		{ValueKind(9).String(), "ValueKind(9)"},
		{OpEqual.String(), "="},
		{OpGreaterEqual.String(), ">="},
		{Op(9).String(), "Op(9)"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
