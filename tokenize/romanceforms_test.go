package tokenize

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// formsIn reads a list of words: one a line, with its forms behind it.
func formsIn(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/forms/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// TestRomanceForms: how many forms of words have the term of the word, and how many pairs of words have a
// term in common. The lists that are held out were written before the rules were tried on them.
func TestRomanceForms(t *testing.T) {
	for _, c := range []struct {
		language, list string
		forms          float64 // at least, of those beside the word itself
		pairs          int     // at most
	}{
		{"ca", "ca", .96, 2}, {"ca", "ca-held", .83, 0}, {"ro", "ro", .98, 0}, {"ro", "ro-held", .93, 0},
	} {
		a := mustNew(t, Options{Language: c.language})
		words := map[string][]string{} // by term
		forms, same := 0, 0
		rows := formsIn(t, c.list)
		for _, row := range rows {
			for i, form := range row {
				term := terms(a.Analyze(strings.ToUpper(form)))
				term = strings.Trim(term, "[]")
				if !slices.Contains(words[term], row[0]) {
					words[term] = append(words[term], row[0])
				}
				if i == 0 {
					continue
				}
				forms++
				if want := strings.Trim(terms(a.Analyze(row[0])), "[]"); term == want {
					same++
				} else {
					t.Logf("%s: %s is %s, but %s is %s", c.list, form, term, row[0], want)
				}
			}
		}
		pairs := 0
		for term, of := range words {
			if len(of) > 1 {
				pairs += len(of) * (len(of) - 1) / 2
				t.Logf("%s: %s is a term of %s", c.list, term, of)
			}
		}
		got := float64(same) / float64(forms)
		t.Logf("%s: %d words; %d of %d forms, %.3f, have the term of the word; %d pairs of words share one", c.list, len(rows), same, forms, got, pairs)
		if got < c.forms || pairs > c.pairs {
			t.Errorf("%s: %.3f of the forms, want %.3f; %d pairs, want %d", c.list, got, c.forms, pairs, c.pairs)
		}
	}
}

// TestRomanceFormsWithoutAccents: words that are typed without accents have the term of those with them, or may
// have it.
func TestRomanceFormsWithoutAccents(t *testing.T) {
	for _, language := range []string{"ca", "ro"} {
		a := mustNew(t, Options{Language: language})
		for _, row := range slices.Concat(formsIn(t, language), formsIn(t, language+"-held")) {
			for _, form := range row {
				plain, want := string(Fold(nil, []byte(form))), string(a.Analyze(form)[0].Term)
				found := string(a.Analyze(plain)[0].Term) == want
				a.Spellings(plain, func(term string) { found = found || term == want })
				if !found {
					t.Errorf("%s: %s is not %s, that of %s", language, plain, want, form)
				}
			}
		}
	}
}

// FuzzRomanceStems: the stemmers for Catalan and Romanian take any word, and leave something of it, in
// UTF-8, the same each time.
func FuzzRomanceStems(f *testing.F) {
	for _, word := range []string{"pugons", "boques", "aigües", "construïda", "brazilor", "cățeii", "măseaua", "ţările", "ș", "ă", "ul", "ei", "s", "es", "ç", "", "у\xd1\x83"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		word = word[:min(len(word), defaultMaxTokenBytes)]
		for name, stem := range map[string]func(string) string{"Catalan": catalanStem, "Romanian": romanianStem} {
			got := stem(word)
			if again := stem(word); got != again {
				t.Errorf("%s, %q: %q and then %q", name, word, got, again)
			}
			if utf8.ValidString(word) && !utf8.ValidString(got) {
				t.Errorf("%s, %q: the stem %q is no UTF-8", name, word, got)
			}
			if word != "" && got == "" {
				t.Errorf("%s, %q: nothing is left", name, word)
			}
		}
	})
}
