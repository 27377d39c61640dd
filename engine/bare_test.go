package engine

import "testing"

// A word of which the stemmer leaves a letter is no other word that has this stem.
func TestStemsOfOneLetter(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("pages", `{"id":"1","title":"A day at a lake"}`, `{"id":"2","title":"Where the AED is"}`))
	for query, hits := range map[string]string{"AED": "2", "aed": "2", "an AED": "2", "where is the aed": "2", `"the aed"`: "2"} {
		res := find(t, e, &Request{Query: query, Highlight: &HighlightRequest{}})
		if idsOf(res) != hits || understood(res) != "" {
			t.Errorf("%q: hits %q, want %q", query, idsOf(res), hits)
		}
	}
	if res := find(t, e, &Request{Query: "AED", Highlight: &HighlightRequest{}}); res.Hits[0].Highlight[0].Text != "Where the <mark>AED</mark> is" {
		t.Errorf("highlight %+v", res.Hits[0].Highlight)
	}
}
