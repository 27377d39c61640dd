package posting

import (
	"encoding/binary"
	"math/bits"
)

// OrInto sets the bits of the container's places.
func (c *Container) OrInto(words *Words) {
	if c.Words != nil {
		for i := range words {
			words[i] |= c.Words[i]
		}
		return
	}
	for i := 0; i+1 < len(c.Array); i += 2 {
		p := binary.LittleEndian.Uint16(c.Array[i:])
		words[p>>6] |= 1 << (p & 63)
	}
}

// AndCount returns how many of the container's places are set in words.
func (c *Container) AndCount(words *Words) int {
	n := 0
	if c.Words != nil {
		for i, w := range words {
			n += bits.OnesCount64(w & c.Words[i])
		}
		return n
	}
	for i := 0; i+1 < len(c.Array); i += 2 {
		p := binary.LittleEndian.Uint16(c.Array[i:])
		n += int(words[p>>6] >> (p & 63) & 1)
	}
	return n
}

// Gather returns a container of the places that are set in words, which it does not keep:
// without ranks and bounds, for who counts documents. false: there are none.
func Gather(page uint16, words *Words) (c Container, any bool) {
	c.Page = page
	for _, w := range words {
		c.Card += bits.OnesCount64(w)
	}
	if c.Card > unpackedMax {
		own := *words
		c.Words = &own
		return c, true
	}
	c.Array = make([]byte, 0, 2*c.Card)
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			c.Array = binary.LittleEndian.AppendUint16(c.Array, uint16(i<<6|bits.TrailingZeros64(w)))
		}
	}
	return c, c.Card > 0
}

// Bytes returns about how much memory the list holds.
func (l *List) Bytes() int {
	c, p := &l.codes, &l.positions
	n := 200 + len(l.champions.data) + 120*len(l.Containers) + len(l.roaring) +
		len(c.super) + len(c.dir) + len(c.data) + len(c.escRanks) + len(c.escEnds) + len(c.vectors) +
		len(p.dir) + len(p.data) + 4*len(p.flat) + 4*len(p.start)
	for i := range l.Containers {
		c := &l.Containers[i]
		if l.roaring == nil {
			n += len(c.Array)
		}
		n += len(c.Bounds) + len(c.Coarse)
		if c.Words != nil {
			n += wordsSize + 2*len(c.Ranks)
		}
	}
	return n
}
