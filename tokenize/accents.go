package tokenize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// People leave out accents where they type, above all in queries, and a stemmer sees another
// word then: of Spanish sarten it takes the end of a verb, of renovación the end of a noun,
// and nothing of renovacion. Which words are meant is not told by the word, but by those
// that an index has: this file gives the terms that the word would have with its accents.

// maxAccented bounds the letters of a word that is tried with accents, and maxSpellings how many
// ways to write it are tried; maxSyllables is that of Vietnamese, whose words are syllables of
// one tone: duoi may be any of 191 others.
const (
	maxAccented  = 24
	maxSpellings = 96
	maxSyllables = 200
)

// Accented tells whether words of the analyzer's language have other terms without their
// accents than with them: it stems them, and looks at accents while it does.
func (a *Analyzer) Accented() bool { return a.stem != nil && a.lang.accents != nil && !a.Custom() }

// AccentsTell tells whether terms of the analyzer's language keep their accents: in Vietnamese
// rùa is a turtle and rửa to wash. The forms of words ([Token.Word]) have none there either.
func (a *Analyzer) AccentsTell() bool { return a.Accented() && a.lang.accentsTell }

// Spellings calls yield with the terms that a word, which is written without accents, would
// have with some: those of sartén for sarten. Each comes once, and that of the word itself does not.
// They belong to the callee.
func (a *Analyzer) Spellings(word string, yield func(term string)) {
	if !a.Accented() || len(word) > maxAccented {
		return
	}
	s := a.TakeStream()
	defer s.GiveBack()
	_, term, _ := s.analyzeWord([]byte(word))
	seen := []string{string(term)}
	tried, most := 0, maxSpellings
	if a.lang.accentsTell {
		most = maxSyllables
	}
	try := func(spelling []byte) {
		if tried++; tried > most {
			return
		}
		if _, term, _ := s.analyzeWord(spelling); len(term) > 0 && !slices.Contains(seen, string(term)) {
			seen = append(seen, string(term))
			yield(string(term))
		}
	}
	if a.lang.manyAccents {
		a.lang.spellAll([]byte(word), 0, try)
	} else {
		a.lang.spellOne([]byte(word), try)
	}
}

// variants returns the letters with accents that a letter is typed for.
func (l *language) variants(c byte) []rune {
	for _, row := range l.accents {
		if row[0] == c {
			return []rune(row[1:])
		}
	}
	return nil
}

// spellOne tries a word with one accent after another, those at its end first, which is where
// stemmers look, and with two side by side, as the Portuguese -ção has.
func (l *language) spellOne(word []byte, try func([]byte)) {
	with := func(i int, r rune, rest []byte) []byte {
		return append(utf8.AppendRune(slices.Clone(word[:i]), r), rest...)
	}
	for i := len(word) - 1; i >= 0; i-- {
		for _, r := range l.variants(word[i]) {
			try(with(i, r, word[i+1:]))
			if i+1 == len(word) {
				continue
			}
			for _, next := range l.variants(word[i+1]) {
				try(with(i, r, append(utf8.AppendRune(nil, next), word[i+2:]...)))
			}
		}
	}
}

// spellAll tries all accents of a word from a letter on together with each other, where words
// have several as a rule.
func (l *language) spellAll(word []byte, from int, try func([]byte)) {
	for i := len(word) - 1; i >= from; i-- {
		variants := []rune(nil)
		if word[i] < utf8.RuneSelf {
			variants = l.variants(word[i])
		}
		for _, r := range variants {
			spelt := append(utf8.AppendRune(slices.Clone(word[:i]), r), word[i+1:]...)
			if l.accentsTell && tones(spelt) > 1 {
				continue
			}
			try(spelt)
			l.spellAll(spelt, i+utf8.RuneLen(r), try)
		}
	}
}

// tones counts the letters of a Vietnamese word that have a tone.
func tones(word []byte) (n int) {
	for _, r := range string(word) {
		if r >= utf8.RuneSelf && !strings.ContainsRune("ăâđêôơư", r) {
			n++
		}
	}
	return n
}
