package search

import (
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// countUnion returns the number of living documents of the slot that a container of
// r.flat holds.
func (r *run) countUnion() int {
	marked := false
	kept := r.flat[:0]
	for _, c := range r.flat {
		if c.Words != nil {
			kept = append(kept, c)
			continue
		}
		if !marked {
			first, end := r.slot.words()
			clear(r.page[first:end])
			marked = true
		}
		r.markAll(c)
	}
	if r.flat = kept; !marked {
		return r.countWords(OpOr)
	}
	r.marked.Words = &r.page
	r.flat = append(r.flat, &r.marked)
	return r.countWords(OpOr)
}

// markAll sets the words of r.page to what an array holds too.
func (r *run) markAll(c *posting.Container) {
	for a := c.Array; len(a) >= 2; a = a[2:] {
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
