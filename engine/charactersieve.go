package engine

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// characterSieve finds characters of three and four bytes in text, as all Chinese ones
// are. Nearly all characters of a text are none of those looked for, or ones that were
// seen already: a bit tells so of those of three bytes, which are nearly all there are.
type characterSieve struct {
	chars []askedCharacter
	all   uint64     // which of chars are looked for, as bits
	seen  uint64     // which of them were seen
	maybe [64]uint64 // bits by the last two bytes of those that were not, and have three
	four  uint64     // which of chars have four bytes
}

// add has chars[i] looked for.
func (s *characterSieve) add(i int) {
	switch c := s.chars[i].is; utf8.RuneLen(c) {
	case 3:
		s.maybe[c>>6&63] |= 1 << (c & 63)
	case 4:
		s.four |= 1 << i
	default:
		return
	}
	s.all |= 1 << i
}

// scan looks through UTF-8, and no further than it has to.
func (s *characterSieve) scan(text []byte) {
	for i := 0; i+2 < len(text); {
		switch c := text[i]; {
		case c>>4 == 0xE:
			y, z := text[i+1]&63, text[i+2]&63
			if i += 3; s.maybe[y]>>z&1 == 0 {
				continue
			}
			s.check(rune(c&0xF)<<12|rune(y)<<6|rune(z), s.all&^s.four)
		case c < utf8.RuneSelf:
			i++
			continue
		case c < 0xE0:
			i += 2
			continue
		default:
			r, n := utf8.DecodeRune(text[i:])
			i += n
			if s.four == 0 {
				continue
			}
			s.check(r, s.four)
		}
		if s.seen == s.all {
			return
		}
	}
}

// check notes a character that may be one of some of those looked for.
func (s *characterSieve) check(is rune, of uint64) {
	others := false
	for of &^= s.seen; of != 0; of &= of - 1 {
		i := bits.TrailingZeros64(of)
		if c := s.chars[i].is; c == is {
			s.seen |= 1 << i
		} else if (c^is)&0xFFF == 0 {
			others = true // which the same bit tells of
		}
	}
	if !others && is < 1<<16 {
		s.maybe[is>>6&63] &^= 1 << (is & 63)
	}
}

// maxScannedDepth is how deep values are nested that textScanner goes into.
const maxScannedDepth = 64

// textScanner looks for characters in texts of records, as the walker finds them,
// without decoding the records. It takes it for granted that they are valid, and
// leaves those to the walker for which that is not enough: where names have escapes or
// wanted texts escaped characters, and deep down.
type textScanner struct {
	wanted func(path []byte) bool
	sieve  characterSieve
	rest   []byte // what has not been read
	path   []byte
}

// look looks through a record.
func (t *textScanner) look(record []byte) {
	whole := t.sieve
	if t.record(record) {
		return
	}
	t.sieve = whole
	var w walker
	// The record was valid when it was stored.
	_ = w.walk(record, Limits{}.orDefaults().forStored(), func(path []byte, _ pointer, v scalar) error {
		if v.kind == scalarString && t.wanted(path) {
			t.sieve.scan(v.str)
		}
		return nil
	})
}

// record looks through a record. It returns false if it gave up, with some of what is
// there seen.
func (t *textScanner) record(record []byte) bool {
	t.rest, t.path = record, t.path[:0]
	return t.next() == '{' && t.object(1) || t.done()
}

// done tells whether there is nothing more to be seen.
func (t *textScanner) done() bool { return t.sieve.seen == t.sieve.all }

// next passes over white space and returns the byte behind it, 0 at the end.
func (t *textScanner) next() byte {
	for i, c := range t.rest {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			t.rest = t.rest[i:]
			return c
		}
	}
	t.rest = nil
	return 0
}

// value reads the value that comes next; false: there is nothing more to read, or it
// gave up.
func (t *textScanner) value(depth int) bool {
	switch t.next() {
	case '"':
		return t.text()
	case '{':
		return depth < maxScannedDepth && t.object(depth+1)
	case '[':
		return depth < maxScannedDepth && t.array(depth+1)
	case 0:
		return false
	}
	for i, c := range t.rest { // a number or a word
		if c == ',' || c == '}' || c == ']' || c <= ' ' {
			t.rest = t.rest[i:]
			return i > 0
		}
	}
	return false
}

// object reads an object, whose brace is next.
func (t *textScanner) object(depth int) bool {
	t.rest = t.rest[1:]
	n := len(t.path)
	for c := t.next(); c != '}'; c = t.next() {
		if c == ',' {
			t.rest = t.rest[1:]
			c = t.next()
		}
		if c != '"' {
			return false
		}
		end := bytes.IndexByte(t.rest[1:], '"')
		if end < 0 || bytes.IndexByte(t.rest[1:1+end], '\\') >= 0 {
			return false
		}
		if depth > 1 {
			t.path = append(t.path, '.')
		}
		t.path = append(t.path, t.rest[1:1+end]...)
		t.rest = t.rest[end+2:]
		if t.next() != ':' {
			return false
		}
		t.rest = t.rest[1:]
		if !t.value(depth) {
			return false
		}
		t.path = t.path[:n]
	}
	t.rest = t.rest[1:]
	return true
}

// array reads an array, whose bracket is next.
func (t *textScanner) array(depth int) bool {
	t.rest = t.rest[1:]
	for c := t.next(); c != ']'; c = t.next() {
		if c == ',' {
			t.rest = t.rest[1:]
		}
		if !t.value(depth) {
			return false
		}
	}
	t.rest = t.rest[1:]
	return true
}

// text reads a string, whose quote is next.
func (t *textScanner) text() bool {
	wanted := t.wanted(t.path)
	t.rest = t.rest[1:]
	for {
		end := bytes.IndexByte(t.rest, '"')
		if end < 0 {
			return false
		}
		piece := t.rest[:end]
		t.rest = t.rest[end+1:]
		open := false // the quote is escaped
		if at := bytes.IndexByte(piece, '\\'); at >= 0 {
			for at < len(piece) {
				if piece[at] == '\\' {
					if open = at+1 == len(piece); !open && piece[at+1] == 'u' && wanted {
						return false
					}
					at++
				}
				at++
			}
		}
		if wanted {
			if t.sieve.scan(piece); t.done() {
				return false
			}
		}
		if !open {
			return true
		}
	}
}
