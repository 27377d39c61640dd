package page

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/geo"
)

// Limits are the values that a walk in search of the best documents still
// looks at: those from Low to High. Documents from Untied on have to be better
// than the worse end of these, where the others may equal it.
type Limits struct {
	Low, High Bound
	Untied    int
}

// AllTie is the Untied of limits that hold for all documents alike.
const AllTie = Size

// Walk calls f with the documents of words whose sort value lies within limits:
// the least of a document's values, with greatest the greatest. They come by
// stripes of 1,024 documents, those with the best values first, ascending within
// one. f returns true when it has changed limits, which then hold for the
// documents that follow. Limits may only become narrower.
//
// It costs a few nanoseconds for each document of words, and none for stripes
// outside of the limits.
func (col *Column) Walk(words *[Size / 64]uint64, base int, greatest bool, limits *Limits, f func(i int) bool) {
	var from, to uint64
	ok, known, strict := false, false, false // of from and to
	narrow := func(doc int) {
		if untied := doc >= limits.Untied; !known || untied != strict {
			from, to, ok = col.entries(limits.Bounds(doc, greatest))
			known, strict = true, untied
		}
	}
	var order [Size / stripe]stripeOrder
	for _, s := range col.stripes(&order, greatest) {
		if narrow(s.word * 64); !ok || col.ends == nil && col.beyond(s.first, s.last, from, to) {
			continue
		}
		for w := s.word; w < min(s.word+stripe/64, (col.n+63)/64); w++ {
			present := col.presentWord(w)
			m := bitsAt(words[:], base+w*64) & present
			if m == 0 {
				continue
			}
			narrow(w * 64)
			for rank := col.rankOfWord(w); m != 0 && ok; m &= m - 1 {
				entry := uint64(0)
				if place := rank + bits.OnesCount64(present&(m&-m-1)); col.ends == nil {
					entry = col.vals.at(place)
				} else {
					entry = col.extreme(place, greatest)
				}
				if entry < from || entry > to {
					continue
				}
				if f(w*64 + bits.TrailingZeros64(m)) {
					known = false
					narrow(w * 64)
				}
			}
		}
	}
}

// Bounds returns the limits for document i.
func (l *Limits) Bounds(i int, greatest bool) (lo, hi Bound) {
	lo, hi = l.Low, l.High
	switch {
	case i < l.Untied:
	case greatest:
		lo.Exclusive = true
	default:
		hi.Exclusive = true
	}
	return lo, hi
}

// stripe is the number of documents that Walk looks at together.
const stripe = packBlock

// stripeOrder is a stripe with values: its first word, the places of its values
// in vals, and the best of the blocks that they are in.
type stripeOrder struct {
	word        int
	first, last int
	best        uint64
}

// stripes lists the stripes with values, the best first. Of columns with
// several values a document they stay in their order.
func (col *Column) stripes(all *[Size / stripe]stripeOrder, greatest bool) []stripeOrder {
	list, words := all[:0], (col.n+63)/64
	for w := 0; w < words; w += stripe / 64 {
		s := stripeOrder{word: w, first: col.rankOfWord(w), last: col.docs - 1}
		if next := w + stripe/64; next < words {
			s.last = col.rankOfWord(next) - 1
		}
		if s.last < s.first {
			continue
		}
		if col.ends == nil {
			s.best = col.vals.blocks[s.first>>packShift].best(greatest)
			if other := col.vals.blocks[s.last>>packShift].best(greatest); other < s.best {
				s.best = other
			}
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b stripeOrder) int { return cmp.Compare(a.best, b.best) })
	return list
}

// best is a number that is the lower the better the best value of the block is.
func (b *packBlockInfo) best(greatest bool) uint64 {
	if greatest {
		return ^b.max
	}
	return b.min
}

// WalkNear calls f with the documents of words, ascending, that have a point in
// the area, all of those that have a point where area is nil. f may change the
// area for the documents that follow.
func (col *Column) WalkNear(words *[Size / 64]uint64, base int, area **geo.Area, f func(i int)) {
	for w := range (col.n + 63) / 64 {
		for m := bitsAt(words[:], base+w*64) & col.presentWord(w); m != 0; m &= m - 1 {
			i := w*64 + bits.TrailingZeros64(m)
			in := *area == nil
			for k, to := col.span(i); k < to && !in; k++ {
				in = (*area).Contains(geo.Code(col.key(k)))
			}
			if in {
				f(i)
			}
		}
	}
}

// beyond tells whether the blocks with the values at the places first to last
// hold nothing between from and to.
func (col *Column) beyond(first, last int, from, to uint64) bool {
	for b := first >> packShift; b <= last>>packShift; b++ {
		if info := &col.vals.blocks[b]; info.max >= from && info.min <= to {
			return false
		}
	}
	return true
}

// extreme returns the least or the greatest entry of the document of a rank.
func (col *Column) extreme(rank int, greatest bool) uint64 {
	k, to := int(col.ends.at(rank)), int(col.ends.at(rank+1))
	best := col.vals.at(k)
	for k++; k < to; k++ {
		if v := col.vals.at(k); v > best == greatest {
			best = v
		}
	}
	return best
}

// entries returns the least and the greatest entry of vals that a value within
// the bounds may have, false when there is none.
func (col *Column) entries(lo, hi Bound) (first, last uint64, ok bool) {
	if col.kind == KindKeyword {
		from, to, ok := col.ordRange(lo, hi)
		return uint64(from), uint64(to - 1), ok
	}
	from, to, ok := col.numberRange(lo, hi)
	if !ok || to < from || to < col.base {
		return 0, 0, false
	}
	if from > col.base { // the quotient of from, rounded up
		first = (from-col.base-1)/col.unit + 1
	}
	last = (to - col.base) / col.unit
	return first, last, first <= last
}

// Extreme returns the sort value of document i: the least of its values, or the
// greatest; false when it has none.
func (col *Column) Extreme(i int, greatest bool) (Value, bool) {
	if !col.Has(i) {
		return Value{}, false
	}
	rank := i
	if col.present != nil {
		rank = col.present.rank(i)
	}
	if col.ends == nil {
		return col.entryValue(col.vals.at(rank)), true
	}
	return col.entryValue(col.extreme(rank, greatest)), true
}

// Keep takes away the bits of the documents that have no value from lo to hi.
// It is Range for few documents: it costs some nanoseconds for each bit.
func (col *Column) Keep(lo, hi Bound, words *[Size / 64]uint64, base int) {
	from, to, ok := col.entries(lo, hi)
	var kept [Size / 64]uint64
	for w := 0; ok && w < (col.n+63)/64; w++ {
		present := col.presentWord(w)
		m := bitsAt(words[:], base+w*64) & present
		if m == 0 {
			continue
		}
		var out uint64
		for rank := col.rankOfWord(w); m != 0; m &= m - 1 {
			first := rank + bits.OnesCount64(present&(m&-m-1))
			last := first + 1
			if col.ends != nil {
				first, last = int(col.ends.at(first)), int(col.ends.at(last))
			}
			for k := first; k < last; k++ {
				if v := col.vals.at(k); v >= from && v <= to {
					out |= m & -m
					break
				}
			}
		}
		orBits(&kept, base+w*64, out)
	}
	*words = kept
}
