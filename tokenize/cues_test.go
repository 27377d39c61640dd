package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// TestExclusions: every language that stems has cues, in the form of the words
// of queries.
func TestExclusions(t *testing.T) {
	for _, code := range Languages() {
		a, err := New(Options{Language: code})
		if err != nil {
			t.Fatal(err)
		}
		cues := slices.Concat(Exclusions(code), Lacks(code), Has(code))
		if len(Exclusions(code)) == 0 || len(Lacks(code)) == 0 {
			t.Errorf("%s has no cues", code)
		}
		for _, c := range cues {
			var words []string
			for _, tok := range a.AnalyzeQuery(strings.Join(c.Words, " ")) {
				words = append(words, string(tok.Word))
			}
			if !slices.Equal(words, c.Words) {
				t.Errorf("%s: the cue %q is read as %q", code, c.Words, words)
			}
		}
	}
	if got := slices.Concat(Exclusions("zz"), Lacks("zz")); got != nil {
		t.Errorf("an unknown language has %v", got)
	}
}
