package segment

import (
	"encoding/binary"
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Space divides the keys of a segment by what a term is. It comes first in
// every key, so that terms of one space stand together.
type Space = uint16

const (
	SpaceText   Space = 0 // terms of text fields: frequencies and positions
	SpaceWord   Space = 1 // words of text fields as they were written: frequencies, no positions
	SpaceValues Space = 2 // SpaceValues+n, the values of keyword field n: documents only
)

// MaxTerm is the length of the longest term, in bytes.
const MaxTerm = 32766

// SpaceBytes is how many bytes of a key name its space.
const SpaceBytes = 2

// Key appends the key of a term: the space as two bytes, big endian, then the
// term.
func Key(dst []byte, space Space, term []byte) []byte {
	return append(binary.BigEndian.AppendUint16(dst, space), term...)
}

// kindOf returns what the lists of a key's space hold.
func kindOf(key []byte) posting.Kind {
	switch binary.BigEndian.Uint16(key) {
	case SpaceText:
		return posting.KindPositions
	case SpaceWord:
		return posting.KindFreqs
	}
	return posting.KindDocs
}

// place says of which space a key is, for an error. The word itself is of a
// record, and errors end up in logs.
func place(key []byte) string {
	if len(key) < SpaceBytes {
		return fmt.Sprintf("a key of %d bytes, without a space", len(key))
	}
	return fmt.Sprintf("a term of space %d", binary.BigEndian.Uint16(key))
}
