package symbol

import (
	"cmp"
	"slices"
)

// Packer packs strings by a table. It is immutable, and safe for concurrent use.
type Packer struct {
	table *Table
	by    [256][]uint8 // codes of the symbols that begin with a byte, the longest first
}

// NewPacker returns a packer.
func NewPacker(t *Table) *Packer {
	p := &Packer{table: t}
	for code := range t.n {
		first := byte(t.symbols[code])
		p.by[first] = append(p.by[first], uint8(code))
	}
	for _, codes := range p.by {
		slices.SortFunc(codes, func(a, b uint8) int {
			return cmp.Or(cmp.Compare(t.lens[b], t.lens[a]), cmp.Compare(a, b))
		})
	}
	return p
}

// Append appends the codes of a string: at each place that of the longest symbol.
func (p *Packer) Append(dst, s []byte) []byte {
	for len(s) > 0 {
		code, n := p.longest(s)
		if n == 0 {
			dst, s = append(dst, escape, s[0]), s[1:]
			continue
		}
		dst, s = append(dst, code), s[n:]
	}
	return dst
}

// longest returns the longest symbol that s begins with, and its bytes, 0 if there is
// none.
func (p *Packer) longest(s []byte) (code uint8, n int) {
	h := head(s)
	for _, code := range p.by[s[0]] {
		n := p.table.lens[code]
		if int(n) <= len(s) && first(h, n) == p.table.symbols[code] {
			return code, int(n)
		}
	}
	return 0, 0
}

// first is the first n bytes of h.
func first(h uint64, n uint8) uint64 { return h << (64 - 8*n) >> (64 - 8*n) }
