package engine

import (
	"unicode"
	"unicode/utf8"
)

// Text without spaces is cut into pairs of characters, and a word is known by those of it. Where
// words begin and end is not known, but letters of a kind that stand side by side are mostly of one
// word: オレンジ is no レンジ, and スタイル has no タイ.

// writing is what letters of a script without spaces are, as far as they tell of words.
type writing uint8

const (
	ideograph writing = iota // or anything else: it may be a word of its own
	hiragana
	katakana
	hangul
)

func writingOf(r rune) writing {
	switch {
	case r >= 0x30A0 && r <= 0x30FF:
		return katakana
	case r >= 0x3040 && r <= 0x309F:
		return hiragana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	}
	return ideograph
}

// longKana is how many letters of a kind a word has at least that may stand inside a run of
// them: shorter ones are parts of many others.
const longKana = 4

// isWord tells whether the pairs from i to end, which are those of a word, are likely to be that
// word, and not parts of others; known is where the last word that was known ends in the query.
func isWord(items []item, i, end, known int) bool {
	if !items[i].pair || !items[end-1].pair {
		return true
	}
	first, _ := utf8.DecodeRuneInString(items[i].term)
	last, _ := utf8.DecodeLastRuneInString(items[end-1].term)
	of := writingOf(first)
	if of == ideograph || of != writingOf(last) {
		return true
	}
	begins := i == 0 || !items[i-1].pair || items[i-1].end <= items[i].start
	if !begins {
		before, _ := utf8.DecodeRuneInString(items[i-1].term)
		begins = writingOf(before) != of
	}
	ends := end == len(items) || !items[end].pair || items[end].start >= items[end-1].end
	if !ends {
		behind, _ := utf8.DecodeLastRuneInString(items[end].term)
		ends = writingOf(behind) != of
	}
	n := end - i + 1
	switch {
	case begins && ends:
		return true
	case of == hiragana: // particles are of the same letters
		return n > 2
	case of == katakana:
		return n >= longKana && (begins || ends)
	}
	return begins || ends || items[i].start == known // Korean has particles behind words, too
}

// wordsOf is how many words some items are: pairs that overlap are of one.
func wordsOf(span []item) int {
	n := 1
	for i := range span[1:] {
		if it := &span[i+1]; !it.pair || it.start >= span[i].end {
			n++
		}
	}
	return n
}
