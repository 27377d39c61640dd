package tokenize

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// polishWords reads a file of words with their forms.
func polishWords(t testing.TB, name string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/polish/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if words := strings.Fields(line); len(words) > 0 {
			rows = append(rows, words)
		}
	}
	return rows
}

// TestPolishLexicon: most forms of words have the stem of their base form, and few words have the
// stem of another. The rules were written with known.txt at hand, but not with heldout.txt.
func TestPolishLexicon(t *testing.T) {
	a := mustNew(t, Options{Language: "pl"})
	byStem := map[string][]string{}
	for _, c := range []struct {
		file        string
		bar, folded float64
	}{{"known", 90, 80}, {"heldout", 80, 80}} {
		forms, shared, folded, bare := 0, 0, 0, 0
		for _, words := range polishWords(t, c.file) {
			stem := polishStem(words[0])
			byStem[stem] = append(byStem[stem], words[0])
			var missed []string
			for _, w := range words[1:] {
				forms++
				if polishStem(w) == stem {
					shared++
				} else {
					missed = append(missed, w+"="+polishStem(w))
				}
				if plain := foldPolish(w); plain != w {
					bare++
					found := polishStem(plain) == polishStem(w)
					a.Spellings(plain, func(term string) { found = found || term == polishStem(w) })
					if found {
						folded++
					} else {
						t.Logf("%s is not found as %s", w, plain)
					}
				}
			}
			if len(missed) > 0 {
				t.Logf("%s=%s: %s", words[0], stem, strings.Join(missed, " "))
			}
		}
		part, without := 100*float64(shared)/float64(forms), 100*float64(folded)/float64(bare)
		t.Logf("%s: %d of %d forms have the stem of their word, %.1f of 100; %d of %d keep it without diacritics, %.1f of 100",
			c.file, shared, forms, part, folded, bare, without)
		if part < c.bar || without < c.folded {
			t.Errorf("%s: less than %.0f, or than %.0f", c.file, c.bar, c.folded)
		}
	}
	for stem, words := range byStem {
		if slices.Sort(words); len(words) > 1 {
			t.Logf("%s is the stem of %s", stem, words)
		}
	}
}

func FuzzPolishStem(f *testing.F) {
	for _, word := range []string{"książkami", "ięcie", "owi", "źdź", "iii", "ćmi", "a\xffb", ""} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		stem := polishStem(word)
		if stem == "" && word != "" || utf8.ValidString(word) && !utf8.ValidString(stem) || polishStem(word) != stem {
			t.Errorf("%q: %q", word, stem)
		}
	})
}
