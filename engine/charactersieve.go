package engine

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// characterBlock is how many characters of three bytes and more the blocks have that a
// text is seen in, two at a time: some sentences. Of the characters of a query a long
// text has many by chance, but not near by.
const characterBlock = 100

// characterSieve finds characters of three and four bytes in text, as all Chinese ones
// are. Nearly all characters of a text are none of those looked for, or ones that the
// block had already: a bit tells so of those of three bytes, which are nearly all there are.
//
// Texts shorter than a block are titles, names and the like. What they say holds for
// all of the record, so that it is seen together with each of the other texts.
type characterSieve struct {
	chars []askedCharacter
	all   uint64      // which of chars are looked for, as bits
	seen  uint64      // which of them the block has so far
	maybe [64]uint64  // bits by the last two bytes of those that it has not, and have three
	four  uint64      // which of chars have four bytes
	whole *[64]uint64 // maybe at the beginning of a block

	block  int      // characterBlock
	left   int      // characters of the block
	before uint64   // what the block before had, of the same text
	turned bool     // the text has a block before
	short  uint64   // what short texts had
	long   []uint64 // what two blocks had, each
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

// scan looks through UTF-8, a part of a text.
func (s *characterSieve) scan(text []byte) {
	for i := 0; i+2 < len(text); {
		switch c := text[i]; {
		case c>>4 == 0xE:
			y, z := text[i+1]&63, text[i+2]&63
			if i += 3; s.maybe[y]>>z&1 != 0 {
				s.check(rune(c&0xF)<<12|rune(y)<<6|rune(z), s.all&^s.four)
			}
		case c < utf8.RuneSelf:
			i++
			continue
		case c < 0xE0:
			i += 2
			continue
		default:
			r, n := utf8.DecodeRune(text[i:])
			if i += n; s.four != 0 {
				s.check(r, s.four)
			}
		}
		if s.left--; s.left == 0 {
			s.turn()
		}
	}
}

// turn ends a block.
func (s *characterSieve) turn() {
	s.note(s.before | s.seen)
	s.before, s.turned = s.seen, true
	s.begin()
}

// end ends a text.
func (s *characterSieve) end() {
	if s.turned {
		s.note(s.before | s.seen)
	} else {
		s.short |= s.seen
	}
	s.before, s.turned = 0, false
	s.begin()
}

// begin begins a block.
func (s *characterSieve) begin() {
	if s.left = s.block; s.seen != 0 {
		s.seen, s.maybe = 0, *s.whole
	}
}

// note keeps what two blocks had, unless others had all of it.
func (s *characterSieve) note(had uint64) {
	if n := len(s.long); had != 0 && (n == 0 || had&^s.long[n-1] != 0) {
		s.long = append(s.long, had)
	}
}

// best returns which characters two blocks have together with the short texts, those
// of which they weigh most.
func (s *characterSieve) best() uint64 {
	best, most := s.short, s.weigh(s.short)
	for _, had := range s.long {
		if had |= s.short; had != best {
			if sum := s.weigh(had); sum > most {
				best, most = had, sum
			}
		}
	}
	return best
}

func (s *characterSieve) weigh(had uint64) (sum uint64) {
	for ; had != 0; had &= had - 1 {
		sum += s.chars[bits.TrailingZeros64(had)].weight
	}
	return sum
}

// done tells whether there is nothing more to be seen.
func (s *characterSieve) done() bool {
	n := len(s.long)
	return s.all == s.short || n > 0 && s.long[n-1] == s.all
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
	wanted  func(path []byte) bool
	whole   *characterSieve // sieve, before it saw anything
	sieve   characterSieve
	counted countedThings
	kin     []askedFamily
	kinIn   func(path []byte) bool // in which of the wanted texts; nil: in all of them
	lacks   uint64                 // which of kin were not seen yet, as bits
	rest    []byte                 // what has not been read
	path    []byte
}

// start makes t ready for a record.
func (t *textScanner) start() {
	t.counted.found = false
	if t.whole.all == 0 {
		return
	}
	long := t.sieve.long[:0]
	t.sieve = *t.whole
	t.sieve.whole, t.sieve.long = &t.whole.maybe, long
}

// look looks through a record, for these of t.kin, too.
func (t *textScanner) look(record []byte, lacks uint64) {
	t.start()
	t.lacks = lacks
	if t.record(record) {
		return
	}
	t.start()
	t.lacks = lacks
	var w walker
	// The record was valid when it was stored.
	_ = w.walk(record, Limits{}.orDefaults().forStored(), func(path []byte, _ pointer, v scalar) error {
		if v.kind == scalarString && t.wanted(path) {
			t.scan(v.str, t.hasKin(path))
			t.sieve.end()
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
func (t *textScanner) done() bool {
	return t.lacks == 0 && t.sieve.done() && (t.counted.found || len(t.counted.units) == 0)
}

// hasKin tells whether families are looked for in a wanted text.
func (t *textScanner) hasKin(path []byte) bool {
	return t.lacks != 0 && (t.kinIn == nil || t.kinIn(path))
}

// scan looks through a part of a text, for families, too, or not.
func (t *textScanner) scan(text []byte, kin bool) {
	if t.sieve.all != 0 {
		t.sieve.scan(text)
	}
	if kin {
		for of := t.lacks; of != 0; of &= of - 1 {
			if i := bits.TrailingZeros64(of); t.kin[i].in(text) {
				t.lacks &^= 1 << i
			}
		}
	}
	if !t.counted.found {
		t.counted.scan(text)
	}
}

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
	kin := wanted && t.hasKin(t.path)
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
			t.scan(piece, kin)
		}
		if !open {
			if !wanted {
				return true
			}
			t.sieve.end()
			return !t.done()
		}
	}
}
