package engine

import (
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/tokenize"
)

// listedWords is what is known of the words of a language, whatever an index holds: those of
// package thesaurus and of the lists of package tokenize. It does not change.
type listedWords struct {
	table *thesaurus.Vocabulary
	words map[string]string // of the lists, by what they are without accents; "" if they have none
	terms map[string]bool   // of these words

	families bool // see tokenize.Analyzer.Families
}

// listed returns that of a language. It takes 7 to 45 ms to make, so it is kept.
func (e *Engine) listed(language string) *listedWords {
	if v, ok := e.spoken.Load(language); ok {
		return v.(*listedWords)
	}
	v, _ := e.spoken.LoadOrStore(language, newListedWords(language))
	return v.(*listedWords)
}

func newListedWords(language string) *listedWords {
	fold := func(word string) string { return string(tokenize.Fold(nil, []byte(word))) }
	v := &listedWords{table: thesaurus.Of(language).Vocabulary(fold), words: map[string]string{}, terms: map[string]bool{}}
	a, err := tokenize.New(tokenize.Options{Language: language})
	if err != nil {
		return v // of no language there are no words
	}
	v.families = a.Families()
	for _, word := range tokenize.ListedWords(language) {
		for _, t := range a.AnalyzeQuery(word) {
			v.terms[string(t.Term)] = true
		}
		if folded := fold(word); folded == word {
			v.words[folded] = "" // whoever writes it may well mean it, whatever there is with accents
		} else if _, plain := v.words[folded]; !plain {
			v.words[folded] = word
		}
	}
	return v
}

// leastListed is the letters of a term from which on words that have it are forms of one word,
// and shortEnd those of an end that they have where the term is one letter shorter: mesas.
const (
	leastListed = 4
	shortEnd    = 2
)

// has tells whether a folded word, or another one with its term, is known. In languages of
// many forms, and compounds, only the word itself tells: what is near another form there is
// often a form of it, as stemmers leave them apart (xquad-ru .9685 to .9673).
func (v *listedWords) has(word, term string) bool {
	if _, ok := v.words[word]; ok {
		return true
	}
	if v.families {
		return word == term && v.table.Has(term)
	}
	n := utf8.RuneCountInString(term)
	if n == leastListed-1 {
		return v.terms[term] && utf8.RuneCountInString(word)-n <= shortEnd
	}
	return n >= leastListed && (v.terms[term] || v.table.Has(term))
}

// accented returns the words that one is without its accents.
func (v *listedWords) accented(word string) []string {
	if w := v.words[word]; w != "" {
		return []string{w}
	}
	return v.table.Accented(word)
}
