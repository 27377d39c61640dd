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

// Words that only share a stem do not stand for what the others stand for.
func TestWordsOfOneStemApart(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("pages",
		`{"id":"1","title":"The clients of a shop"}`, `{"id":"2","title":"A litre of milk"}`, `{"id":"3","title":"Help for all"}`,
		`{"id":"4","title":"A guide to towns"}`, `{"id":"5","title":"Personalised gifts"}`, `{"id":"6","title":"HIV and other viruses"}`))
	for _, c := range []struct{ query, hits string }{
		{"customer", "1"},
		{"custom", "5"},
		{"literal", ""},
		{"liter", "2"},
		{"AIDS", ""},
		{"aid", "3"},
		{"uuid", ""},
		{"guides", "4"},
	} {
		if res := find(t, e, &Request{Query: c.query}); idsOf(res) != c.hits {
			t.Errorf("%q: hits %q, want %q", c.query, idsOf(res), c.hits)
		}
	}
}
