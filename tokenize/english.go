package tokenize

import "github.com/kljensen/snowball/english"

// stemEnglish is Porter2 (https://snowballstem.org/algorithms/english/stemmer.html),
// as the package english has it, which takes what porter2 does not.
func stemEnglish(word string) string {
	if stem, ok := porter2(word); ok {
		return stem
	}
	return english.Stem(word, true)
}
