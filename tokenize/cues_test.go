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
		cues := Exclusions(code)
		if len(cues) == 0 {
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
	if got := Exclusions("zz"); got != nil {
		t.Errorf("an unknown language has %v", got)
	}
}
