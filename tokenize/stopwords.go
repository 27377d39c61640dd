package tokenize

import (
	"embed"
	"strings"
	"sync"
)

// stopFiles holds a list per language: lower case, one word a line, sorted.
//
//go:embed data/stop-*.txt
var stopFiles embed.FS

// StopWords returns the stop words of a language, by its code, as they are
// written and sorted by bytes: articles, prepositions, pronouns, auxiliaries,
// conjunctions and question words, and for English what people wrap a request
// in ("show", "find", "please"). Those of Chinese and Japanese are phrases; the
// pairs of characters that they consist of are stop words, whatever the
// language. Those of Thai are such pairs. It returns nil for a language without a list. The caller owns the
// slice.
func StopWords(language string) []string {
	b, err := stopFiles.ReadFile("data/stop-" + language + ".txt")
	if err != nil {
		return nil
	}
	return strings.Fields(string(b))
}

// commonFiles holds a list per language, as stopFiles does.
//
//go:embed data/common-*.txt
var commonFiles embed.FS

// CommonWords returns everyday words of a language, by its code: those that
// turn up in what people say about anything ("really", "know", "ideas"), beside
// the stop words. Who writes one means it, even where no document has it, so
// that it is no misspelling of a word that one has. It returns nil for a
// language without a list. The caller owns the slice.
func CommonWords(language string) []string {
	b, err := commonFiles.ReadFile("data/common-" + language + ".txt")
	if err != nil {
		return nil
	}
	return strings.Fields(string(b))
}

// writtenEnglish holds English words as they are written, sorted, one a line: see
// data/written-en.copyright.
//
//go:embed data/written-en.txt
var writtenEnglish string

// namesEnglish holds what writtenEnglish lacks, by topic: names of goods, shops, programs, games,
// places, peoples, medicines, dishes, plants and animals, words that are younger than it, and short
// forms. They were written for Quarry by hand, from what anybody knows: nothing of them comes from the
// texts of an index, from a query log or from another list. Lines are words with spaces between
// them; # begins a comment. First names and family names are not in it, since their spellings vary, nor
// is a name that is a frequent slip for another word, such as perl.
//
//go:embed data/names-en.txt
var namesEnglish string

// listedNames returns the set of the words of namesEnglish.
var listedNames = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool, len(namesEnglish)/8)
	for line := range strings.Lines(namesEnglish) {
		if line[0] != '#' {
			for name := range strings.FieldsSeq(line) {
				names[name] = true
			}
		}
	}
	return names
})

// Written tells whether a folded word of four letters or more is in a list of the common words of
// a language as they are written, in all their forms, or of well-known names: those are no
// misspellings, while one that is rare, such as "shoos", may well be one. There are lists for
// English alone.
func Written(language string, word []byte) bool {
	if language != "en" || len(word) == 0 {
		return false
	}
	return isWrittenEnglish(word) || listedNames()[string(word)]
}

// isWrittenEnglish looks for a word in writtenEnglish.
func isWrittenEnglish(word []byte) bool {
	from, to := 0, len(writtenEnglish) // lines, the word's among them if it is there
	for from < to {
		middle := (from + to) / 2
		begin := strings.LastIndexByte(writtenEnglish[:middle], '\n') + 1
		end := begin + strings.IndexByte(writtenEnglish[begin:], '\n')
		switch line := writtenEnglish[begin:end]; {
		case line == string(word):
			return true
		case line < string(word):
			from = end + 1
		default:
			to = begin
		}
	}
	return false
}

// stopSet returns the stop words of a language as they are written and in folded form, apostrophes
// kept and also left out, so that "don't", "dont" and "où", "ou" are all found;
// nil if there are none.
func stopSet(language string) map[string]bool {
	words := StopWords(language)
	if words == nil {
		return nil
	}
	set := make(map[string]bool, len(words))
	l, _ := languageOf(language)
	for _, w := range words {
		if set[w] = true; l == nil || !l.accentsTell {
			set[string(Fold(nil, []byte(w)))] = true
		}
	}
	return set
}

// plainPairs and simplePairs are the stopPairs of all languages and of Chinese.
var (
	plainPairs  = sync.OnceValue(func() map[string]bool { return stopPairs(nil) })
	simplePairs = sync.OnceValue(func() map[string]bool { return stopPairs(simplified()) })
)

// stopPairs returns the pairs of characters that the stop words of Chinese and
// Japanese consist of, folded. They hold whatever the language is said to be,
// as pairs themselves do: a script without spaces is known by its characters. Those that
// are written otherwise by of are filler so, too.
func stopPairs(of map[rune]rune) map[string]bool {
	set := map[string]bool{}
	for _, language := range [...]string{"ja", "zh"} {
		for _, w := range StopWords(language) {
			runes := []rune(string(Fold(nil, []byte(w))))
			for i := range len(runes) - 1 {
				pair := []byte(string(runes[i : i+2]))
				set[string(pair)] = true
				simplify(pair, of)
				set[string(pair)] = true
			}
		}
	}
	for _, w := range StopWords("th") { // whose characters are several letters: pairs as they are
		set[string(Fold(nil, []byte(w)))] = true
	}
	return set
}
