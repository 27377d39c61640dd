package tokenize

import (
	"strings"
	"testing"
)

// TestWordsApart: all forms of everyday words that are kept apart from others have one term, also in capitals, and
// no other word of the list has it: neither those that the algorithms would make of them.
func TestWordsApart(t *testing.T) {
	for language, least := range map[string]struct{ words, forms int }{
		"da": {197, 494}, "no": {168, 376}, "sv": {267, 677}, "fi": {106, 1103}, "hu": {145, 470}, "ar": {224, 1056},
	} {
		a := mustNew(t, Options{Language: language})
		term := func(word string) string {
			tokens := a.Analyze(word)
			if len(tokens) != 1 {
				t.Fatalf("%s: %q is %s", language, word, terms(tokens))
			}
			return string(tokens[0].Term)
		}
		of := map[string]string{}
		words, forms := 0, 0
		for _, row := range formsIn(t, language+"-apart") {
			words++
			want := term(row[0])
			for _, form := range row[1:] {
				forms++
				if got := term(strings.ToUpper(form)); got != want {
					t.Errorf("%s: %s is %s, but %s is %s", language, form, got, row[0], want)
				}
			}
			if other, ok := of[want]; ok {
				t.Errorf("%s: %s and %s are %s", language, other, row[0], want)
			}
			of[want] = row[0]
		}
		t.Logf("%s: %d words, %d forms beside them", language, words, forms)
		if words < least.words || forms < least.forms {
			t.Errorf("%s: %d words and %d forms, want %v", language, words, forms, least)
		}
	}
}

// TestApartRows: endings belong behind the last whole form, and compounds and cases only behind those that say so.
func TestApartRows(t *testing.T) {
	a := readApart("+one -s two -x, three: four -s -t,", "s")
	for word, want := range map[string]string{
		"one": "one", "ones": "one", "two": "one", "twox": "one", "twos": "one", "twoxs": "one", "three": "three", "four": "three",
		"fours": "three", "fourt": "three", "threes": "", "overtwo": "overone", "ontwo": "", "overfour": "", "": "",
	} {
		if got, ok := a.stemOf(word); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", word, got, ok, want)
		}
	}
	b := readApart("+talo talo- taloi~, oma oma-").inCases("n ssa")
	for word, want := range map[string]string{
		"talo": "talo", "talon": "talo", "talossa": "talo", "taloissa": "talo", "taloin": "", "puutalossa": "puutalo", "puutaloissa": "puutalo",
		"uutalon": "", "omassa": "oma", "puuomassa": "", "ssa": "", "n": "",
	} {
		if got, ok := b.stemOf(word); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", word, got, ok, want)
		}
	}
}
