package tokenize

import (
	"os"
	"strings"
	"testing"
)

// lexiconOf reads a list of lemmas, each with its forms on a line.
func lexiconOf(t *testing.T, name string) (lemmas [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/forms/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		lemmas = append(lemmas, strings.Fields(line))
	}
	return lemmas
}

// TestForms: most forms of a word share its stem, and words have stems of their own. The lists that are
// held out were written before the rules, and no rule was made for them.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		language, list string
		share          float64 // of the forms, at least
		collisions     int     // pairs of lemmas with one stem, at most
	}{
		{"uk", "uk", .95, 0}, {"uk", "uk-held", .9, 0}, {"cs", "cs", .95, 0}, {"cs", "cs-held", .9, 0},
	} {
		a := mustNew(t, Options{Language: c.language})
		stem := func(word string) string { return string(a.Analyze(word)[0].Term) }
		forms, same, collisions := 0, 0, 0
		of := map[string]string{}
		for _, lemma := range lexiconOf(t, c.list) {
			want := stem(lemma[0])
			if other := of[want]; other != "" {
				collisions++
				t.Logf("%s: %s and %s are %s", c.list, other, lemma[0], want)
			}
			of[want] = lemma[0]
			for _, form := range lemma[1:] {
				if forms++; stem(form) == want {
					same++
				} else {
					t.Logf("%s: %s is %s, but %s %s", c.list, form, stem(form), lemma[0], want)
				}
			}
		}
		share := float64(same) / float64(forms)
		t.Logf("%s: %.3f of %d forms, %d collisions", c.list, share, forms, collisions)
		if share < c.share || collisions > c.collisions {
			t.Errorf("%s: %.3f of %d forms have the stem of their lemma, %d lemmas that of another", c.list, share, forms, collisions)
		}
	}
}
