package tokenize

import (
	"slices"
	"strings"
	"testing"
)

func TestListedWords(t *testing.T) {
	for _, language := range []string{"ca", "cs", "da", "de", "el", "es", "fi", "fr", "hi", "hu", "it", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk"} {
		var all []string
		others, stops := listedWords(language), StopWords(language)
		a := mustNew(t, Options{Language: language})
		for _, kind := range []string{"everyday", "frequent"} {
			b, err := everydayFiles.ReadFile("data/" + kind + "-" + language + ".txt")
			if err != nil && kind == "everyday" {
				t.Fatal(err)
			}
			list := strings.Fields(string(b))
			if err == nil && len(list) < 500 || !slices.IsSorted(list) {
				t.Errorf("%s: %d %s words, or not sorted", language, len(list), kind)
			}
			for _, w := range list {
				if got := a.Analyze(w); len(got) != 1 || string(got[0].Word) != string(Fold(nil, []byte(w))) || slices.Contains(stops, w) {
					t.Errorf("%s: %q gives %q", language, w, terms(got))
				}
			}
			all = append(all, list...)
		}
		if got := ListedWords(language); len(got) != len(all)+len(others) {
			t.Errorf("%s: %d words of %d and %d", language, len(got), len(all), len(others))
		}
		slices.Sort(all)
		if n := len(all); len(slices.Compact(all)) != n {
			t.Errorf("%s: words are there twice", language)
		}
	}
	if got := ListedWords("xx"); got != nil {
		t.Errorf("words of an unknown language: %q", got)
	}
}

func TestFormsThatStemmersDoNotKnow(t *testing.T) {
	for _, c := range []struct{ language, word, verb string }{
		{"es", "darme", "dar"}, {"es", "darselo", "dar"}, {"es", "verlas", "ver"}, {"es", "irnos", "ir"}, {"es", "dame", ""}, {"es", "carme", "car"},
		{"es", "mesa", ""}, {"es", "sala", ""}, {"it", "darmi", "dare"}, {"it", "farlo", "fare"}, {"it", "dirtelo", ""}, {"fr", "darme", ""}, {"es", "lo", ""}, {"es", "", ""},
	} {
		if got := mustNew(t, Options{Language: c.language}).WithoutPronoun(c.word); got != c.verb {
			t.Errorf("%s: %q is a form of %q, want %q", c.language, c.word, got, c.verb)
		}
	}
	for _, c := range []struct{ language, word, want string }{
		{"pt", "caixinha", "caixa"}, {"pt", "cafezinho", "cafe cafezo"}, {"es", "mesitas", "mesa"}, {"it", "tavolino", "tavolo"}, {"de", "tischchen", "tisch"},
		{"nl", "tafeltje", "tafel tafelt"}, {"fr", "fillette", ""}, {"es", "ito", ""},
	} {
		if got := strings.Join(mustNew(t, Options{Language: c.language}).NotSmall(c.word), " "); got != c.want {
			t.Errorf("%s: %q is a small %q, want %q", c.language, c.word, got, c.want)
		}
	}
}
