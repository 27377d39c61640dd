package tokenize

import (
	"unicode"
	"unicode/utf8"
)

// partsState is the rest of a word whose parts are still to come.
type partsState struct {
	next, end int
}

// mayHaveParts rules out most words without looking at them.
func (w wordState) mayHaveParts() bool {
	return !w.symbol && (!w.ascii || w.seen&(asciiDigit|asciiUpper) != 0)
}

// startParts notes the word between start and end if it has more than one part.
func (s *Stream) startParts(start, end int) {
	if partEnd(s.text, start, end) < end {
		s.parts = partsState{next: start, end: end}
	}
}

// nextPart takes the next part. It returns false if folding leaves nothing of
// it.
func (s *Stream) nextPart() bool {
	start := s.parts.next
	end := partEnd(s.text, start, s.parts.end)
	s.parts.next = end
	// A part folds to no more than its word, so it needs no splitting.
	if s.analyze(s.text[start:end]); len(s.tok.Term) == 0 {
		return false
	}
	s.tok.Start, s.tok.End = start, end
	s.tok.Part = true
	return true
}

// shape is what parts are told by.
type shape uint8

const (
	shapeNone shape = iota // letters without case, marks, apostrophes
	shapeLower
	shapeUpper
	shapeDigit
)

func shapeOf(r rune) shape {
	switch {
	case r < utf8.RuneSelf && asciiClasses[r] == asciiDigit, r >= utf8.RuneSelf && unicode.IsDigit(r):
		return shapeDigit
	case unicode.IsUpper(r):
		return shapeUpper
	case unicode.IsLetter(r):
		return shapeLower
	}
	return shapeNone
}

// partEnd returns the end of the part of text[:end] that begins at start. A
// part ends between a letter and a digit, before an upper case letter that
// follows a lower case one, and before the last of several upper case letters
// if a lower case one follows: HTTPServer2 is HTTP, Server, 2.
func partEnd(text []byte, start, end int) int {
	prev := shapeNone
	prevAt := start // of the last rune that has a shape
	upper := 0      // upper case letters in a row up to prev
	for i := start; i < end; {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:end])
		}
		sh := shapeOf(r)
		if sh != shapeNone {
			switch {
			case prev == shapeNone:
			case (prev == shapeDigit) != (sh == shapeDigit):
				return i
			case prev == shapeLower && sh == shapeUpper:
				return i
			case sh == shapeLower && upper > 1:
				return prevAt
			}
			if sh == shapeUpper {
				upper++
			} else {
				upper = 0
			}
			prev, prevAt = sh, i
		}
		i += n
	}
	return end
}
