package engine

import "testing"

// Words that no record holds and that may be right, though another is near them, are not read as that
// one: names of commands, short words, what could only be a slip of the first letter. Where next to
// nothing is found it is offered, but no filler word is.
func TestDoubtfulRepairsAreOnlyOffered(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("pages",
		`{"id":"1","title":"Search lines with grep"}`, `{"id":"2","title":"Trace a database"}`, `{"id":"3","title":"Both of them, none per name"}`,
		`{"id":"4","title":"American chickenpox manager"}`, `{"id":"5","title":"Phone with a newencoder, javascript"}`, `{"id":"6","title":"Must you review what you come to"}`))
	for _, c := range []struct{ query, understood, hits string }{
		{"dgrep", "? grep", ""},
		{"zgrep lines", "? grep lines", "1"},
		{"wtrace", "? trace", ""},
		{"bdatabase", "bdatabase>database", "2"},
		{"dtabase", "dtabase>database", "2"},
		{"rgep lines", "rgep>grep", "1"},
		{"batbase", "", ""}, // two letters of a short word, the first among them
		{"boath", "", ""},   // a filler word
		{"perl", "", ""},    // a short one
		{"perr", "", ""},
		{"amex", "", ""},
		{"managa", "managa>manager", "4"},
		{"amerixan", "amerixan>american", "4"},
		{"chickn", "chickn>chickenpox", "4"},
		{"chixken", "chixken>chickenpox", "4"},
		{"fone", "fone>phone", "5"},
		{"json.NewDecoder(r.Body).Decode(&v)", "", ""},
		{"JavaScirpt", "JavaScirpt>javascript", "5"}, // a product has one capital inside, too
		{"javascirpt", "javascirpt>javascript", "5"},
		{"user_nmae", "", ""},
		{"rust", "", ""},
		{"cone review", "", "6"}, // a word of everyday language for a listed one
	} {
		res := find(t, e, &Request{Query: c.query})
		if understood(res) != c.understood || idsOf(res) != c.hits {
			t.Errorf("%q: %q with %q, want %q with %q", c.query, understood(res), idsOf(res), c.understood, c.hits)
		}
	}
}

// Misspelt words that have the stem of a word of the thesaurus by chance are misspelt all the same.
func TestStemsOfOtherWordsAreNoWords(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("pages", `{"id":"1","title":"Government loans"}`, `{"id":"2","title":"Stunning views"}`))
	for _, c := range []struct{ query, understood, hits string }{
		{"goverment", "goverment>government", "1"},
		{"goverment loans", "goverment>government", "1"},
		{"stunting", "", ""},
	} {
		res := find(t, e, &Request{Query: c.query})
		if understood(res) != c.understood || idsOf(res) != c.hits {
			t.Errorf("%q: %q with %q, want %q with %q", c.query, understood(res), idsOf(res), c.understood, c.hits)
		}
	}
}
