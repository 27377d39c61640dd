package tokenize

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// stemEnglish is Porter2 (https://snowballstem.org/algorithms/english/stemmer.html).
// Two of five words of a vocabulary end in a way that none of its steps begins with;
// they are their own stems and need not be taken apart to see it.
func stemEnglish(word string) string {
	if endsAsStem(word) {
		return word
	}
	return english.Stem(word, true)
}

// endsAsStem tells of a word of the letters a to z whether no suffix that Porter2
// removes or replaces ends as it does, nor a word that it has a stem of its own for.
// Steps only ever look at the end of what is left, so a word that none of them begins
// with is left alone by all.
func endsAsStem(word string) bool {
	if len(word) < 2 {
		return false
	}
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	switch before := word[len(word)-2]; word[len(word)-1] {
	case 'e', 'i', 's', 'y':
		return false
	case 'c': // ic
		return before != 'i'
	case 'd': // ed, eed, ied
		return before != 'e'
	case 'g': // ing
		return before != 'n'
	case 'l': // al, ful, a double l
		return !strings.ContainsRune("aul", rune(before))
	case 'm': // ism
		return before != 's'
	case 'n': // ion
		return before != 'o'
	case 'r': // er, ator
		return before != 'e' && before != 'o'
	case 't': // ant, ent
		return before != 'n'
	}
	return true
}
