package search

import (
	"encoding/binary"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// perMarked is how many words of some bitmaps are counted in the time that it takes to
// look one document up in them.
const perMarked = 3

// countUnion returns the number of living documents of the slot that a container of
// r.flat holds.
func (r *run) countUnion() int {
	kept, arrays, marks := r.flat[:0], r.arrays[:0], 0
	for _, c := range r.flat {
		if c.Words != nil {
			kept = append(kept, c)
		} else {
			arrays = append(arrays, c)
			marks += c.Card
		}
	}
	r.flat, r.arrays = kept, arrays
	if len(arrays) == 0 {
		return r.countWords(OpOr)
	}
	first, end := r.slot.words()
	clear(r.page[first:end])
	if len(kept) < 2 && marks <= (end-first)/perMarked {
		return r.countBeside()
	}
	for _, c := range arrays {
		r.markAll(c)
	}
	r.marked.Words = &r.page
	r.flat = append(r.flat, &r.marked)
	return r.countWords(OpOr)
}

// countBeside returns the number of living documents that the only container of r.flat
// holds, if there is one, and one of r.arrays. The words of the slot in r.page are zero.
func (r *run) countBeside() (n int) {
	var known [2]*Page // whose documents do not count
	with := known[:0]
	if len(r.flat) > 0 {
		n, with = r.countLive(r.flat[0]), append(with, r.flat[0].Words)
	}
	if r.slot.Dead != nil {
		with = append(with, r.slot.Dead)
	}
	for _, c := range r.arrays {
		for a := c.Array; len(a) >= 2; a = a[2:] {
			place := element(a, 0)
			at, mark := place>>6&(len(r.page)-1), uint64(1)<<(place&63)
			x := r.page[at]
			r.page[at] = x | mark
			for _, p := range with {
				x |= p[at]
			}
			n += int(^x >> (place & 63) & 1)
		}
	}
	return n
}

// markAll sets the words of r.page to what an array holds too.
func (r *run) markAll(c *posting.Container) {
	a := c.Array
	for ; len(a) >= 8; a = a[8:] {
		x := binary.LittleEndian.Uint64(a)
		r.page[x>>6&0x3ff] |= 1 << (x & 63)
		r.page[x>>22&0x3ff] |= 1 << (x >> 16 & 63)
		r.page[x>>38&0x3ff] |= 1 << (x >> 32 & 63)
		r.page[x>>54] |= 1 << (x >> 48 & 63)
	}
	for ; len(a) >= 2; a = a[2:] {
		place := element(a, 0)
		r.page[place>>6&(len(r.page)-1)] |= 1 << (place & 63)
	}
}

// countWords returns the number of living documents of the slot that one, or all, of the
// containers of r.flat hold, which are bitmaps. It takes four words of each at a time:
// in one step for each container and word, everything would wait for the words that it
// writes to be read again.
func (r *run) countWords(op Op) (n int) {
	first, others, dead := r.flat[0].Words, r.flat[1:], r.slot.Dead
	i, end := r.slot.words()
	for ; i+4 <= end; i += 4 {
		w := (*[4]uint64)(first[i:])
		a, b, c, d := w[0], w[1], w[2], w[3]
		if op == OpAnd {
			for _, o := range others {
				w := (*[4]uint64)(o.Words[i:])
				a, b, c, d = a&w[0], b&w[1], c&w[2], d&w[3]
			}
		} else {
			for _, o := range others {
				w := (*[4]uint64)(o.Words[i:])
				a, b, c, d = a|w[0], b|w[1], c|w[2], d|w[3]
			}
		}
		if dead != nil {
			w := (*[4]uint64)(dead[i:])
			a, b, c, d = a&^w[0], b&^w[1], c&^w[2], d&^w[3]
		}
		n += bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(d)
	}
	for ; i < end; i++ {
		x := first[i]
		for _, o := range others {
			if op == OpAnd {
				x &= o.Words[i]
			} else {
				x |= o.Words[i]
			}
		}
		if dead != nil {
			x &^= dead[i]
		}
		n += bits.OnesCount64(x)
	}
	return n
}
