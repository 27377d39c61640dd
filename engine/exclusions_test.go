package engine

import "testing"

// TestExcludedOfNoText: what has no text at all lacks every word.
func TestExcludedOfNoText(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("numbers", `{"id":"1","n":1}`, `{"id":"2","n":2}`))
	for query, want := range map[string]string{"-shoes": "1 2", "-shoes -hat": "1 2", "-shoes hat": "", "shoes": "", "": "1 2"} {
		if got := sortWords(idsOf(find(t, e, &Request{Query: query}))); got != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}
