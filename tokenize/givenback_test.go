package tokenize

import (
	"sync"
	"testing"
)

// TestGivenBack: a Stream that was given back knows words of others, and yields what a
// new one does; many may take and give back at a time.
func TestGivenBack(t *testing.T) {
	a, err := New(Options{Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"The runners' shoes", "running Shoes, café", "", "don't shoe the horse"}
	tokens := func(s *Stream, text string) (out []Token) {
		s.Reset([]byte(text))
		for tok, ok := s.Next(); ok; tok, ok = s.Next() {
			c := *tok
			c.Word, c.Term = append([]byte(nil), c.Word...), append([]byte(nil), c.Term...)
			out = append(out, c)
		}
		return out
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 200 {
				text := texts[i%len(texts)]
				s := a.TakeStream()
				if _, ok := s.Next(); ok {
					t.Error("it still has a text")
				}
				got, want := tokens(s, text), tokens(a.NewStream(), text)
				s.GiveBack()
				if len(got) != len(want) {
					t.Errorf("%q has %d tokens, want %d", text, len(got), len(want))
					continue
				}
				for k := range got {
					if string(got[k].Term) != string(want[k].Term) || string(got[k].Word) != string(want[k].Word) || got[k].Position != want[k].Position {
						t.Errorf("token %d of %q is %+v, want %+v", k, text, got[k], want[k])
					}
				}
			}
		})
	}
	all.Wait()
}
