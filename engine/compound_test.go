package engine

import "testing"

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
