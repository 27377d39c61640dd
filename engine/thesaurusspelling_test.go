package engine

import "testing"

// Words in -ise and -ize are one, and what is derived of them.
func TestOtherSpellingsInS(t *testing.T) {
	for word, want := range map[string]string{
		"internationalization": "internationalisation", "tokenise": "tokenize", "tokenizers": "tokenisers", "analyse": "analyze",
		"analyzing": "analysing", "customizable": "customisable", "size": "", "rising": "rizing", "basis": "", "sensation": "",
	} {
		if got := otherSpelling(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("pages", `{"id":"1","title":"Internationalisation of pages"}`, `{"id":"2","title":"An international flight"}`, `{"id":"3","title":"How to tokenize text"}`))
	for _, c := range []struct{ query, hits string }{
		{"internationalization", "1"},
		{"internationalization of pages", "1"},
		{"tokenising", "3"},
		{"tokenised text", "3"},
	} {
		if res := find(t, e, &Request{Query: c.query}); idsOf(res) != c.hits || understood(res) != "" {
			t.Errorf("%q: hits %q with %q, want %q", c.query, idsOf(res), understood(res), c.hits)
		}
	}
}
