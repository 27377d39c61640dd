package tokenize

import (
	"fmt"
	"slices"
	"testing"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"red shoes":                           "red shoes",
		"crème brûlée":                        "crème brûlée",
		"cre\u0300me bru\u0302le\u0301e":      "crème brûlée",
		"nach\u00adhaltig":                    "nachhaltig",
		"\ufeffshoes\u200e \u2067red\u2069":   "shoes red",
		"می\u200cخواهم":                       "میخواهم",
		"ｉＰｈｏｎｅ １５　ケース":                       "iPhone 15　ケース",
		"－ｒｅｄ ＂ｓｈｏｅ＂":                         "－red ＂shoe＂",
		"I can´t, can`t, canʼt, can‛t, can’t": "I can't, can't, can't, can't, can’t",
		"`ls` ´x´ a ` b 5´6":                  "`ls` ´x´ a ` b 5´6",
		"ภา\u200bษา":                          "ภา\u200bษา",
		"👩\u200d💻 ❤\ufe0f":                    "👩\u200d💻 ❤\ufe0f",
		"in\u2011app – wi\u2010fi":            "in-app – wi-fi",
		"a\xffb":                              "a\xffb",
		"fire\ufeffwood":                      "fire\ufeffwood",
		"e\u200c\u0301":                       "é",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestPlainTerms: terms are the same of plain text, whatever character is in a word, between two,
// before them and behind.
func TestPlainTerms(t *testing.T) {
	var analyzers []*Analyzer
	for _, o := range []Options{{}, {Language: "en"}, {Language: "fr"}, {Language: "tr", Parts: true}} {
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		analyzers = append(analyzers, a)
	}
	terms := func(text string) (terms []string) {
		for _, a := range analyzers {
			for _, token := range a.Analyze(text) {
				terms = append(terms, string(token.Term))
			}
		}
		return terms
	}
	for r := rune(0x80); r < 0x30000; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		for _, form := range []string{"fire%cwood", "l%cété", "Été%cHall", "12%c34", "fire %c wood", "%cfire", "fire%c"} {
			text := fmt.Sprintf(form, r)
			plain := Plain(text)
			if plain == text {
				continue
			}
			if got, want := terms(plain), terms(text); !slices.Equal(got, want) {
				t.Errorf("%+q is %+q: %q, want %q", text, plain, got, want)
			}
		}
	}
}
