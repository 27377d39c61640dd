package tokenize

import (
	"embed"
	"slices"
	"strings"
	"unicode/utf8"
)

// everydayFiles holds a list per language, as stopFiles does: things of the house, of kitchens,
// fields and towns, parts of the body, animals, days and months, and what people do all day. They
// are without apostrophes, as Token.Word is. The lists of frequent words, which some languages have beside
// them, hold words of speech, news and offices in all their forms.
//
//go:embed data/everyday-*.txt data/frequent-*.txt
var everydayFiles embed.FS

// ListedWords returns all words that there are lists of for a language, by its code, in lower
// case: what anybody knows who speaks it. It returns nil for a language without lists. The
// caller owns the slice.
func ListedWords(language string) []string {
	words := listedWords(language)
	for _, list := range [...]string{"everyday", "frequent"} {
		if b, err := everydayFiles.ReadFile("data/" + list + "-" + language + ".txt"); err == nil {
			words = append(words, strings.Fields(string(b))...)
		}
	}
	return words
}

// pronouns are what verbs of a language have at their end, in the same word, by the ends of
// the forms that do, and what these lack of the form that they have alone.
var pronouns = map[string]struct {
	verbs, pronouns []string
	lacks           string
}{
	"es": {[]string{"ar", "er", "ir"}, []string{"me", "te", "se", "le", "lo", "la", "nos", "os", "les", "los", "las"}, ""},
	"it": {[]string{"ar", "er", "ir"}, []string{"mi", "ti", "si", "ci", "vi", "lo", "la", "li", "le", "ne"}, "e"},
}

// WithoutPronoun returns the verb of which a folded word is the infinitive with a pronoun, or
// two, "" if it is none: dar for the Spanish darme and darselo. Stemmers know such
// forms of long verbs only, since most that is as short is something else.
func (a *Analyzer) WithoutPronoun(word string) string {
	if a.Stems() == "" {
		return ""
	}
	rules := pronouns[a.lang.code]
	for range 2 {
		found := false
		for _, p := range rules.pronouns {
			rest, ok := strings.CutSuffix(word, p)
			if !ok || len(rest) < 2 {
				continue
			}
			for _, end := range rules.verbs {
				if strings.HasSuffix(rest, end) {
					return rest + rules.lacks
				}
			}
			if !found {
				found, word = true, rest
			}
		}
		if !found {
			return ""
		}
	}
	return ""
}

// diminutives are ends of words for small things, and what stands in their place in the word
// for the thing.
var diminutives = map[string][]ending{
	"de": {{"chen", "", 3}, {"lein", "", 3}},
	"es": {{"itos", "o", 3}, {"itas", "a", 3}, {"ito", "o", 3}, {"ita", "a", 3}},
	"it": {{"ino", "o", 3}, {"ina", "a", 3}, {"ini", "i", 3}, {"ine", "e", 3}, {"etto", "o", 3}, {"etta", "a", 3}, {"etti", "i", 3}, {"ette", "e", 3}},
	"nl": {{"etjes", "", 3}, {"etje", "", 3}, {"tjes", "", 3}, {"tje", "", 3}, {"pjes", "", 3}, {"pje", "", 3}, {"jes", "", 3}, {"je", "", 3}},
	"pt": {{"zinhos", "", 3}, {"zinhas", "", 3}, {"zinho", "", 3}, {"zinha", "", 3}, {"inhos", "o", 3}, {"inhas", "a", 3}, {"inho", "o", 3}, {"inha", "a", 3}},
}

// NotSmall returns the words of which a folded word may be the diminutive: caixa for the
// Portuguese caixinha.
func (a *Analyzer) NotSmall(word string) (words []string) {
	if a.Stems() == "" {
		return nil
	}
	for _, e := range diminutives[a.lang.code] {
		if rest, ok := strings.CutSuffix(word, e.from); ok && utf8.RuneCountInString(rest) >= e.min && !slices.Contains(words, rest+e.to) {
			words = append(words, rest+e.to)
		}
	}
	return words
}
