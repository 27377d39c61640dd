package search

import (
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// pageBits is a small set of places, cheap to fill and to empty: a summary
// says which words are not zero. The zero value is empty.
type pageBits struct {
	words   Page
	summary [posting.PageSize / 64 / 64]uint64
}

// add adds the documents of c.
func (p *pageBits) add(c *posting.Container) {
	if c.Words != nil {
		for i, x := range c.Words {
			if x != 0 {
				p.words[i] |= x
				p.summary[i>>6] |= 1 << (i & 63)
			}
		}
		return
	}
	for a := c.Array; len(a) >= 2; a = a[2:] {
		place := uint(a[0]) | uint(a[1])<<8
		p.words[place>>6] |= 1 << (place & 63)
		p.summary[place>>12] |= 1 << (place >> 6 & 63)
	}
}

// addAbove adds the documents of c in blocks whose bound is least or more.
func (p *pageBits) addAbove(c *posting.Container, least int) {
	if c.Words != nil || len(c.Bounds) == 1 {
		if int(c.Max) >= least {
			p.add(c)
		}
		return
	}
	for a := c.Array; len(a) >= 2; a = a[2:] {
		place := uint(a[0]) | uint(a[1])<<8
		if int(c.Bounds[place>>c.Shift]) >= least {
			p.words[place>>6] |= 1 << (place & 63)
			p.summary[place>>12] |= 1 << (place >> 6 & 63)
		}
	}
}

// drain yields the places in ascending order and leaves the set empty.
func (p *pageBits) drain(yield func(place int) bool) {
	more := true
	for i, s := range p.summary {
		for ; s != 0; s &= s - 1 {
			at := i<<6 | bits.TrailingZeros64(s)
			for x := p.words[at]; x != 0 && more; x &= x - 1 {
				more = yield(at<<6 | bits.TrailingZeros64(x))
			}
			p.words[at] = 0
		}
		p.summary[i] = 0
	}
}
