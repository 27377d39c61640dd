package tokenize

import (
	"os"
	"strings"
	"testing"
)

// lexicon reads a table of words, the forms of one a line, base form first.
func lexicon(t *testing.T, file string) (words [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			words = append(words, strings.Fields(line))
		}
	}
	return words
}

// TestLexicons: how many forms have the stem of their base form, and how many pairs of words have
// a stem in common, in tables that a stemmer was made with, and in others that were written before it was
// run on any word. The bars are what was reached.
func TestLexicons(t *testing.T) {
	for _, c := range []struct {
		language, file string
		forms          float64 // per hundred
		pairs          int
	}{
		{"el", "greek/known", 99.4, 1}, {"el", "greek/heldout", 99.3, 0}, {"hi", "hindi/known", 99.7, 0}, {"hi", "hindi/heldout", 99.2, 0},
	} {
		a := mustNew(t, Options{Language: c.language})
		words := lexicon(t, c.file)
		same, all, pairs := 0, 0, 0
		stems := make([]map[string]bool, len(words))
		for i, forms := range words {
			stems[i] = map[string]bool{}
			base := string(a.Analyze(forms[0])[0].Term)
			for _, form := range forms {
				stem := string(a.Analyze(form)[0].Term)
				stems[i][stem] = true
				if form != forms[0] {
					all++
					if stem == base {
						same++
					} else {
						t.Logf("%s is %s, but %s is %s", form, stem, forms[0], base)
					}
				}
			}
			for j, others := range stems[:i] {
				for stem := range stems[i] {
					if others[stem] {
						pairs++
						t.Logf("%s and %s are %s", forms[0], words[j][0], stem)
						break
					}
				}
			}
		}
		share := 100 * float64(same) / float64(all)
		t.Logf("%s: %d words, %d of %d forms (%.1f %%), %d pairs", c.file, len(words), same, all, share, pairs)
		if share < c.forms || pairs > c.pairs {
			t.Errorf("%s: %.1f %% of forms, %d pairs", c.file, share, pairs)
		}
	}
}
