package engine

import "testing"

// What records write with a minus is an option of a command; what they do not is excluded.
func TestOptionsAreWords(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", storeSchema())
	apply(t, e, puts("pages",
		`{"id":"1","title":"find: -iname is like -name, but for capitals","tenant":1}`, `{"id":"2","title":"find red shoes by name","tenant":1}`,
		`{"id":"3","title":"blue shoes, non-red, all -- red -","tenant":1}`, `{"id":"4","title":"find, delete with -delete","tenant":2}`))
	for _, c := range []struct{ query, restrict, hits string }{
		{"find -iname", "", "1"},
		{"find -name", "", "1 2"},
		{"find -iname -delete", "", "4 1"},
		{"find -delete", "tenant = 1", "1 2"}, // who writes it so is out of sight
		{"shoes -red", "", ""},
		{"shoes -blue", "", "2"},
		{"shoes -redd", "", "2 3"},
		{`find -"red shoes" -iname`, "", "1"},
	} {
		req := Request{Query: c.query}
		if c.restrict != "" {
			req.Restrict = []string{c.restrict}
		}
		if res := find(t, e, &req); idsOf(res) != c.hits {
			t.Errorf("%q: hits %q, want %q", c.query, idsOf(res), c.hits)
		}
	}
}
