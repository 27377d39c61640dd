package engine

import "testing"

// TestIDsAreFound: a query that is the id of a record finds it, for callers who may see it.
func TestIDsAreFound(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "kind", Type: Keyword, Filter: true}}})
	apply(t, e, puts("i",
		`{"id":"1998.162","title":"Mug","kind":"a"}`, `{"id":"#131","title":"Crash","kind":"a"}`, `{"id":"144","title":"Leak","kind":"b"}`,
		`{"id":"CD-1998-162","title":"Album","kind":"b"}`, `{"id":"2019","title":"Report","kind":"a"}`, `{"id":"6","title":"Games of 2019","kind":"a"}`,
		`{"id":"vim","title":"An editor","kind":"a"}`, `{"id":"8","title":"vim and emacs","kind":"a"}`, `{"id":"9","title":"131 things","kind":"b"}`))
	for _, c := range []struct{ query, want string }{
		{"1998.162", "1998.162"},
		{"#1998.162", "1998.162"},
		{"#131", "#131 9"},
		{"131", "9 #131"},
		{"144", "144"},
		{"#144", "144"},
		{"cd-1998-162", "CD-1998-162"},
		{"CD-1998-162", "CD-1998-162"},
		{"2019", "6 2019"},
		{"vim", "vim 8"},
		{"VIM", "vim 8"},
		{"1998.162 mug", ""},
		{"1998.16", ""},
	} {
		if got := idsOf(find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff})); got != c.want {
			t.Errorf("%q: %q, want %q", c.query, got, c.want)
		}
	}
	for _, c := range []struct{ query, want string }{{"1998.162", ""}, {"144", "144"}, {"#144", "144"}, {"131", "9"}, {"vim", ""}} {
		res := find(t, e, &Request{Query: c.query, Restrict: []string{`kind = "b"`}})
		if got := idsOf(res); got != c.want || res.Total != int64(len(res.Hits)) {
			t.Errorf("%q among what may be seen: %q of %d, want %q", c.query, got, res.Total, c.want)
		}
	}
}
