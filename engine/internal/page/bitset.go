package page

import (
	"encoding/binary"
	"math/bits"
)

// fillBits sets the first n bits.
func fillBits(words []uint64, n int) {
	for i := range n / 64 {
		words[i] = ^uint64(0)
	}
	if n%64 != 0 {
		words[n/64] |= lowBits(n % 64)
	}
}

// lowBits returns a word whose n lowest bits are set, n from 0 to 64.
func lowBits(n int) uint64 { return ^(^uint64(0) << n) }

// bitsAt returns the 64 bits of words from bit i on, zeros past the end.
func bitsAt(words []uint64, i int) uint64 {
	w, s := i>>6, i&63
	if w >= len(words) {
		return 0
	}
	v := words[w] >> s
	if s != 0 && w+1 < len(words) {
		v |= words[w+1] << (64 - s)
	}
	return v
}

// countBits returns the number of the n bits from bit i on that are set.
func countBits(words *[Size / 64]uint64, i, n int) (count int) {
	for at := 0; at < n; at += 64 {
		count += bits.OnesCount64(bitsAt(words[:], i+at) & lowBits(min(64, n-at)))
	}
	return count
}

// orBits ors v into the 64 bits of words from bit i on. Bits of v past the
// end of words must be zero.
func orBits(words *[Size / 64]uint64, i int, v uint64) {
	w, s := i>>6, i&63
	words[w] |= v << s
	if high := v >> (64 - s); high != 0 {
		words[w+1] |= high
	}
}

// presence says which documents of a column have a value. Immutable.
type presence struct {
	words []uint64
	ranks []uint16 // documents with a value before each word
	docs  int
}

// appendPresence appends one bit for each of n documents, in words of 64,
// those of the places set.
func appendPresence(dst []byte, n int, places []uint16) []byte {
	words := make([]uint64, (n+63)/64)
	for _, p := range places {
		words[p>>6] |= 1 << (p & 63)
	}
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// readPresence takes the bits of n documents off r.
func readPresence(r *reader, n int) (*presence, error) {
	nwords := (n + 63) / 64
	b := r.take(nwords * 8)
	if r.short {
		return nil, r.corrupt("presence of %d documents does not fit", n)
	}
	p := &presence{words: make([]uint64, nwords), ranks: make([]uint16, nwords)}
	for i := range p.words {
		w := binary.LittleEndian.Uint64(b[i*8:])
		p.words[i] = w
		p.ranks[i] = uint16(p.docs)
		p.docs += bits.OnesCount64(w)
	}
	if n%64 != 0 && p.words[nwords-1]&^lowBits(n%64) != 0 {
		return nil, r.corrupt("presence has bits past document %d", n)
	}
	return p, nil
}

func (p *presence) has(i int) bool { return p.words[i>>6]>>(i&63)&1 != 0 }

// rank returns the number of documents before i that have a value.
func (p *presence) rank(i int) int {
	return int(p.ranks[i>>6]) + bits.OnesCount64(p.words[i>>6]&lowBits(i&63))
}

func (p *presence) bytes() int { return len(p.words) * 10 }

// deposit moves the low bits of v, in order, to the places of the bits of
// mask (the PDEP of x86).
func deposit(v, mask uint64) uint64 {
	if mask == ^uint64(0) {
		return v
	}
	var out uint64
	for ; v != 0 && mask != 0; mask &= mask - 1 {
		out |= mask & -mask & -(v & 1)
		v >>= 1
	}
	return out
}
