package engine

import "testing"

// TestSpeechless: where no record holds a content word, those are found that hold all filler
// words, but for phrases around what is asked for; and words that the caller may not see are in none.
func TestSpeechless(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","title":"Address already in use","body":"Another program listens.","tenant":1}`,
		`{"id":"2","title":"What is a refund","body":"It is already in the account.","tenant":1}`,
		`{"id":"3","title":"Secret harbour","body":"It is hidden.","tenant":2}`,
	))
	for _, tt := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "socket already in use"}, "1"},
		{Request{Query: "socket already in"}, "1 2"},
		{Request{Query: "socket already"}, ""}, // one word says nothing
		{Request{Query: "what is a quokka"}, "2"},
		{Request{Query: "i am looking for a quokka"}, ""}, // a phrase around what is asked for
		{Request{Query: "refund already in use"}, "2"},
		{Request{Query: "+socket already in use"}, ""},
		{Request{Query: "socket already in use", Match: MatchAll}, ""},
		{Request{Query: "socket already in use", Restrict: []string{"tenant = 1"}}, "1"},
		{Request{Query: "harbour already in use", Restrict: []string{"tenant = 1"}}, "1"}, // as if no record had it
		{Request{Query: "refund already in use", Restrict: []string{"tenant = 1"}}, "2"},
	} {
		tt.r.Typo.Off = true
		got := ""
		for i, h := range find(t, e, &tt.r).Hits {
			if i > 0 {
				got += " "
			}
			got += h.ID
		}
		if got != tt.want {
			t.Errorf("%q %q finds %q, want %q", tt.r.Query, tt.r.Restrict, got, tt.want)
		}
	}
}
