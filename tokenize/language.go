package tokenize

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

// language holds the rules of one language. The zero value has none.
type language struct {
	code       string
	stem       func(string) string // the Snowball algorithm; nil if there is none
	foldFirst  bool                // the stemmer gets the word without diacritics
	families   bool                // see Analyzer.Families
	links      []string            // see Analyzer.Links
	possessive bool                // a final 's is removed
	turkish    bool                // lower case of I is ı, of İ is i; what is behind an apostrophe is removed
	elided     []string            // what is removed before an apostrophe
}

// languages returns the rules of every language, sorted by code, with the
// empty code first. The stemmers are the Snowball algorithms
// (https://snowballstem.org/algorithms/), stop words included: whether a word
// is a stop word is said by Token.Stop, not by its term.
func languages() []language {
	return []language{
		{},
		{code: "ar", stem: generated(arabic.Stem), foldFirst: true},
		{code: "ca", elided: []string{"d", "l", "m", "n", "s", "t"}},
		{code: "da", stem: generated(danish.Stem), families: true, links: []string{"", "s", "e", "er", "n"}},
		{code: "de", stem: generated(german.Stem), families: true, links: []string{"", "s", "n", "en", "er", "es", "e"}},
		{code: "en", stem: stemEnglish, foldFirst: true, possessive: true},
		{code: "es", stem: written(spanish.Stem)},
		{code: "fi", stem: generated(finnish.Stem), families: true, links: []string{"", "n"}},
		{code: "fr", stem: written(french.Stem), elided: []string{
			"c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t",
		}},
		{code: "ga", stem: generated(irish.Stem), elided: []string{"b", "d", "m"}},
		{code: "hu", stem: written(hungarian.Stem), families: true, links: []string{""}},
		{code: "it", stem: generated(italian.Stem), elided: []string{
			"agl", "all", "c", "coll", "d", "dagl", "dall", "degl", "dell", "gl", "l", "m", "n", "negl",
			"nell", "pell", "quell", "quest", "s", "sugl", "sull", "t", "un", "v",
		}},
		{code: "ja"},
		{code: "km"},
		{code: "ko"},
		{code: "lo"},
		{code: "my"},
		{code: "nl", stem: generated(dutch.Stem), families: true, links: []string{"", "s", "e", "en", "er", "n"}},
		{code: "no", stem: written(norwegian.Stem), families: true, links: []string{"", "s", "e"}},
		{code: "pt", stem: generated(portuguese.Stem)},
		{code: "ro", stem: stemRomanian},
		{code: "ru", stem: written(russian.Stem), foldFirst: true, families: true},
		{code: "sv", stem: written(swedish.Stem), families: true, links: []string{"", "s", "e", "o", "u"}},
		{code: "ta", stem: generated(tamil.Stem)},
		{code: "th"},
		{code: "tr", stem: generated(turkish.Stem), turkish: true, families: true},
		{code: "zh"},
	}
}

// written adapts a stemmer of kljensen/snowball, asking it to stem stop words
// too.
func written(stem func(word string, stemStopWords bool) string) func(string) string {
	return func(word string) string { return stem(word, true) }
}

// generated adapts a stemmer of blevesearch/snowballstem.
func generated(stem func(*snowballstem.Env) bool) func(string) string {
	return func(word string) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	}
}

// stemRomanian writes ș and ț with a cedilla first. The algorithm was published
// when fonts had no letter with a comma below, which is correct today.
func stemRomanian(word string) string {
	b := []rune(word)
	for i, r := range b {
		switch r {
		case 'ș':
			b[i] = 'ş'
		case 'ț':
			b[i] = 'ţ'
		}
	}
	return generated(romanian.Stem)(string(b))
}

// languageOf returns the rules of a language, by its code.
func languageOf(code string) (*language, bool) {
	for _, l := range languages() {
		if l.code == code {
			return &l, true
		}
	}
	return nil, false
}

// knownLanguages returns the codes that Options.Language takes, sorted, without
// the empty one.
func knownLanguages() []string {
	var codes []string
	for _, l := range languages()[1:] {
		codes = append(codes, l.code)
	}
	return codes
}

// Languages returns the codes of the languages that stem, sorted. New also
// takes "ca", which has elision and stop words, and "ja", "km", "ko", "lo",
// "my", "th" and "zh", which need nothing beyond the rules of their scripts.
func Languages() []string {
	var codes []string
	for _, l := range languages() {
		if l.stem != nil {
			codes = append(codes, l.code)
		}
	}
	return codes
}

// elides reports whether prefix, what stands before an apostrophe, is an elided
// word of the language. All of them are ASCII.
func (l *language) elides(prefix []byte) bool {
	var b [8]byte
	if len(prefix) > len(b) {
		return false
	}
	lower := appendLower(b[:0], prefix)
	for _, e := range l.elided {
		if e == string(lower) {
			return true
		}
	}
	return false
}
