package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestSeparateWordsAreRemembered: that no record has two words side by side is found
// out once in a view, and not kept beyond it.
func TestSeparateWordsAreRemembered(t *testing.T) {
	e := titled(t, "en", "text: a notebook", "text: a note about it", "text: the book", "text: another note", "text: a good book")
	joined := func() map[string]bool {
		out := map[string]bool{}
		for _, h := range find(t, e, &Request{Query: "the notebook ", Match: MatchAny, Explain: true}).Hits {
			for _, p := range h.Explain.Parts {
				out[h.ID] = out[h.ID] || p.Term == `"note book"`
			}
		}
		return out
	}
	first := joined()
	known := func() (n int) {
		for i := range e.facts.places {
			if f := e.facts.places[i].Load(); f != nil && f.key.kind == factSeparate && f.key.word == "note book" {
				n++
			}
		}
		return n
	}
	if first["6"] || known() != 1 {
		t.Fatalf("no record says \"note book\", but it was found: %v; remembered %d times", first, known())
	}
	if again := joined(); len(again) != len(first) || again["1"] != first["1"] {
		t.Errorf("the answer is %v, and %v once it is known that the words are separate", first, again)
	}
	apply(t, e, puts("i", `{"id":"6","text":"a note book"}`))
	if got := joined(); !got["6"] {
		t.Errorf("a record with \"note book\" is not found by it: %v", got)
	}
}

// TestSeparateWordsCountInOtherIndexes: where one of several indexes has two words side
// by side, their weight is that of one index with all the records.
func TestSeparateWordsCountInOtherIndexes(t *testing.T) {
	apart := []string{`{"id":"1","text":"a note about it"}`, `{"id":"2","text":"the book"}`, `{"id":"3","text":"another note"}`, `{"id":"4","text":"a good book"}`}
	beside := []string{`{"id":"5","text":"a note book"}`, `{"id":"6","text":"a notebook"}`, `{"id":"7","text":"a red hat"}`}
	e := newEngine(t, nil)
	apply(t, e, puts("a", apart...))
	apply(t, e, puts("b", beside...))
	apply(t, e, puts("all", append(apart, beside...)...))
	answer := func(indexes ...string) (out string) {
		for _, h := range find(t, e, &Request{Indexes: indexes, Query: "the notebook ", Match: MatchAny}).Hits {
			out += fmt.Sprint(h.ID, ":", h.Score, " ")
		}
		return out
	}
	want := answer("all")
	if !strings.Contains(want, "5:") {
		t.Fatalf("the words side by side are not found: %s", want)
	}
	for range 2 { // the first one finds out that a has them apart
		if got := answer("a", "b"); got != want {
			t.Errorf("in two indexes %s, in one %s", got, want)
		}
		answer("a")
	}
}

// Two words that records have as one, and never side by side, are that one.
func TestWordsThatAreOnlyOne(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "text", Type: Text, Search: true}}})
	apply(t, e, puts("pages",
		`{"id":"1","title":"Burns and scalds","text":"Cool a burn."}`, `{"id":"2","title":"Heart attack","text":"The heart."}`,
		`{"id":"3","title":"Heartburn and reflux","text":"Acid in the gullet."}`, `{"id":"4","title":"A note book","text":"Of paper."}`, `{"id":"5","title":"Notebook","text":"Fast."}`))
	for q, want := range map[string]string{"heart burn": "3", "note book": "4", "notebook": "5", "heart attack": "2"} {
		if got := idsOf(find(t, e, &Request{Query: q, Limit: 1})); got != want {
			t.Errorf("%q: %s is first, want %s", q, got, want)
		}
	}
}
