// Package symbol packs short strings, each of them alone, by a table that all of them
// share: the static symbol tables of P. Boncz, T. Neumann and V. Leis, "FSST: Fast
// Random Access String Compression" (2020). A symbol is one to eight bytes that the
// strings have again and again, and its code is one byte; what no symbol stands for is
// written as it is, each byte after an escape. Unpacking a string takes a step for each
// of its codes, and nothing of its neighbours.
//
// A table is written as the number of symbols, at most 255, the length of each, and then
// their bytes. With the symbols "doc-" and "1", "doc-21" is
//
//	00 ff 32 01
//
// the codes 0, escape, the byte "2", and 1.
package symbol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrCorrupt marks errors about bytes that this package cannot have written. Test for
// it with errors.Is.
var ErrCorrupt = errors.New("corrupt symbols")

const (
	maxSymbols = 255
	maxLen     = 8   // bytes of a symbol
	escape     = 255 // the code before a byte that stands for itself
)

// HeadLen is how many bytes of a string Table.Head looks at.
const HeadLen = 16

// Table is symbols, by code. It is immutable, and safe for concurrent use. The zero
// Table has no symbols: all it packs gets twice as long.
type Table struct {
	n int
	// Of all codes, so that no code has to be compared with n: what is no symbol has
	// no bytes.
	symbols [256]uint64 // from the low byte up, zeros behind
	lens    [256]uint8
}

// add adds a symbol of n bytes.
func (t *Table) add(s uint64, n uint8) {
	t.symbols[t.n], t.lens[t.n] = s, n
	t.n++
}

// Append appends the table.
func (t *Table) Append(dst []byte) []byte {
	dst = append(append(dst, byte(t.n)), t.lens[:t.n]...)
	for i := range t.n {
		dst = binary.LittleEndian.AppendUint64(dst, t.symbols[i])
		dst = dst[:len(dst)-maxLen+int(t.lens[i])]
	}
	return dst
}

// Open reads what Append wrote, which is all of data. It keeps nothing of data. The
// error is marked ErrCorrupt.
func Open(data []byte) (*Table, error) {
	if len(data) == 0 || len(data) <= int(data[0]) {
		return nil, fmt.Errorf("%w: %d bytes of a table", ErrCorrupt, len(data))
	}
	n := int(data[0])
	lens, rest := data[1:1+n], data[1+n:]
	t := new(Table)
	for i, n := range lens {
		if n == 0 || n > maxLen || int(n) > len(rest) {
			return nil, fmt.Errorf("%w: symbol %d has %d bytes of %d", ErrCorrupt, i, n, len(rest))
		}
		t.add(head(rest[:n]), n)
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes after a table", ErrCorrupt, len(rest))
	}
	return t, nil
}

// head is the first eight bytes of s, as if zeros stood behind it.
func head(s []byte) uint64 {
	if len(s) >= maxLen {
		return binary.LittleEndian.Uint64(s)
	}
	var b [maxLen]byte
	copy(b[:], s)
	return binary.LittleEndian.Uint64(b[:])
}

// Valid tells whether codes stand for a string.
func (t *Table) Valid(codes []byte) bool {
	for i := 0; i < len(codes); i++ {
		if t.lens[codes[i]] == 0 {
			if codes[i] != escape || i+1 == len(codes) {
				return false
			}
			i++
		}
	}
	return true
}

// Size is the length of the string that valid codes stand for.
func (t *Table) Size(codes []byte) (n int) {
	for i := 0; i < len(codes); i++ {
		if c := codes[i]; c == escape {
			n++
			i++
		} else {
			n += int(t.lens[c])
		}
	}
	return n
}

// AppendString appends the string that valid codes stand for. Of others it makes
// something else, but does not panic.
func (t *Table) AppendString(dst, codes []byte) []byte {
	dst = slices.Grow(dst, maxLen*len(codes))
	room, at := dst[:cap(dst)], len(dst)
	for i := 0; i < len(codes); i++ {
		c := codes[i]
		if c == escape && i+1 < len(codes) {
			i++
			room[at] = codes[i]
			at++
			continue
		}
		binary.LittleEndian.PutUint64(room[at:], t.symbols[c])
		at += int(t.lens[c])
	}
	return room[:at]
}

// Head puts the first HeadLen bytes of the string that valid codes stand for into dst
// from at on, which is the end of what is there; behind them dst may get anything. It
// returns the new end, which may be above HeadLen.
func (t *Table) Head(dst *[HeadLen + maxLen]byte, at int, codes []byte) int {
	for i := 0; i < len(codes) && at < HeadLen; i++ {
		c := codes[i]
		if c == escape && i+1 < len(codes) {
			i++
			dst[at] = codes[i]
			at++
			continue
		}
		binary.LittleEndian.PutUint64(dst[at:at+maxLen], t.symbols[c])
		at += int(t.lens[c])
	}
	return at
}
