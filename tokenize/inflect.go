package tokenize

import (
	"strings"
	"unicode/utf8"
)

// The Snowball algorithms look at one form of a word at a time, and often take the
// base form for an inflected one: of Turkish telefon they leave telefo, of telefonlar
// telefon. What is in this file and its neighbours brings regular forms together again
// that people type for one another: the plural, the cases, the article behind the word
// and the feminine. There are three means, and a language has the least of them that
// does:
//
//   - stemming again until nothing changes (steady),
//   - spelling the plural as the singular before the algorithm sees it (before),
//   - spelling stems that alternate in one way after it (after).
//
// A rule needs two things: that it holds for most words which end so, and that words of
// other meaning seldom become equal by it. It need not give a word: a stem is compared
// with stems only.

// stemRounds is how often a word is stemmed at most. Words of the languages at hand come
// to rest after three or four rounds, all others by the bound.
const stemRounds = 8

// steady applies stem until nothing changes, so that the stem of a stem is the stem. What
// is no root is not taken for a stem.
func steady(root func(string) bool, stem func(string) string) func(string) string {
	return func(word string) string {
		for range stemRounds {
			next := stem(word)
			if next == word || !root(next) {
				break
			}
			word = next
		}
		return word
	}
}

// anyRoot takes all that is not empty for a root.
func anyRoot(word string) bool { return word != "" }

// closedRoot takes words of three letters for roots, and of two if they are a vowel and a
// consonant, as Turkish ev and Hungarian ág are. Others of two letters, which stemming
// leaves of words like çanta, are none, but for su.
func closedRoot(word string) bool {
	first, n := utf8.DecodeRuneInString(word)
	switch utf8.RuneCountInString(word) {
	case 0, 1:
		return false
	case 2:
		return syllables(string(first)) == 1 && syllables(word[n:]) == 0 || word == "su"
	}
	return true
}

// before stems what change makes of the word.
func before(change, stem func(string) string) func(string) string {
	return func(word string) string { return stem(change(word)) }
}

// after returns what change makes of the stem.
func after(stem, change func(string) string) func(string) string {
	return func(word string) string { return change(stem(word)) }
}

// first returns the stem that one of two gives, which does not know all words, or else that of the other.
func first(known func(string) (string, bool), stem func(string) string) func(string) string {
	return func(word string) string {
		if own, ok := known(word); ok {
			return own
		}
		return stem(word)
	}
}

// ending is the end of a word and what stands in its place. It applies if at least min
// bytes stand before it.
type ending struct {
	from, to string
	min      int
}

// replaceEnding returns the word with the first of the endings replaced that applies.
func replaceEnding(word string, endings []ending) string {
	for _, e := range endings {
		if rest, ok := strings.CutSuffix(word, e.from); ok && len(rest) >= e.min {
			return rest + e.to
		}
	}
	return word
}

// endsInConsonant reports whether the last letter of word is a consonant of the Latin
// alphabet.
func endsInConsonant(word string) bool {
	return word != "" && strings.IndexByte("bcdfghjklmnpqrstvwxz", word[len(word)-1]) >= 0
}

// endsInLetter tells whether the last letter of a word is one of some.
func endsInLetter(word, letters string) bool {
	r, n := utf8.DecodeLastRuneInString(word)
	return n > 0 && strings.ContainsRune(letters, r)
}

// syllables counts the groups of vowels of a word in Latin letters.
func syllables(word string) int {
	n, in := 0, false
	for _, r := range word {
		vowel := strings.ContainsRune("aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüıāēīōū", r)
		if vowel && !in {
			n++
		}
		in = vowel
	}
	return n
}
