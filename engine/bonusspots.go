package engine

import (
	"cmp"
	"math/bits"
	"slices"
)

// spotRun is where a word stands in a field of a record, in one way of reading it.
type spotRun struct {
	field  uint16
	word   uint8    // of passages.words
	places []uint32 // ascending, one at least
}

// best returns what the words weigh that the best passage holds, of all that the runs
// tell of, and the first field that has one as good; 0 and -1 without runs.
//
// What all words of a field weigh bounds what a passage of it can, so that most fields
// need not be gone through: titles and the like are no longer than a passage.
func (p *passages) best() (best uint64, field int) {
	byField := func(a, b spotRun) int { return cmp.Compare(a.field, b.field) }
	if !slices.IsSortedFunc(p.runs, byField) {
		slices.SortFunc(p.runs, byField)
	}
	field = -1
	for from, to := 0, 0; from < len(p.runs); from = to {
		words, first, last := uint64(0), ^uint32(0), uint32(0)
		for to = from; to < len(p.runs) && p.runs[to].field == p.runs[from].field; to++ {
			r := &p.runs[to]
			words |= 1 << r.word
			first, last = min(first, r.places[0]), max(last, r.places[len(r.places)-1])
		}
		most := uint64(0)
		for ; words != 0; words &= words - 1 {
			most += p.words[bits.TrailingZeros64(words)].weight
		}
		if most <= best {
			continue
		}
		if uint64(last-first) >= p.length {
			most = p.bestIn(p.runs[from:to], most)
		}
		if most > best {
			best, field = most, int(p.runs[from].field)
		}
	}
	return best, field
}

// bestIn is best for the runs of a field, whose words weigh most.
func (p *passages) bestIn(runs []spotRun, most uint64) (best uint64) {
	var times [maxPassageWords]uint8 // by word: how often it is in the passage, which is short
	sum, from := uint64(0), 0
	spots := p.order.of(runs)
	for _, s := range spots {
		for w := s.words; w != 0; w &= w - 1 {
			n := bits.TrailingZeros64(w)
			if times[n]++; times[n] == 1 {
				sum += p.words[n].weight
			}
		}
		for ; uint64(s.place-spots[from].place) >= p.length; from++ {
			for w := spots[from].words; w != 0; w &= w - 1 {
				n := bits.TrailingZeros64(w)
				if times[n]--; times[n] == 0 {
					sum -= p.words[n].weight
				}
			}
		}
		if best = max(best, sum); best == most {
			break
		}
	}
	return best
}

// wordSpot is a place with the words that stand there, as bits.
type wordSpot struct {
	place uint32
	words uint64
}

// spotBlock is how many places are put in order at once.
const spotBlock = 1024

// spotOrder puts the places of several words in order. To merge them takes comparisons
// that no processor foresees, to mark them in a row of bits takes none.
type spotOrder struct {
	spots  []wordSpot
	marked *spotMarks // nil until it is needed; of no words between calls
}

type spotMarks struct {
	words [spotBlock]uint64
	any   [spotBlock / 64]uint64 // which of them are not 0
}

// of returns the places of some runs of a field in ascending order. They are valid
// until the next call. It takes the places from the runs.
func (o *spotOrder) of(runs []spotRun) []wordSpot {
	if o.marked == nil {
		o.marked = new(spotMarks)
	}
	m := o.marked
	o.spots = o.spots[:0]
	for {
		base, more := ^uint32(0), false
		for i := range runs {
			if p := runs[i].places; len(p) > 0 {
				base, more = min(base, p[0]), true
			}
		}
		if !more {
			return o.spots
		}
		for i := range runs {
			r := &runs[i]
			n := 0
			for _, place := range r.places {
				at := place - base
				if at >= spotBlock {
					break
				}
				m.words[at] |= 1 << r.word
				m.any[at>>6] |= 1 << (at & 63)
				n++
			}
			r.places = r.places[n:]
		}
		for i, x := range m.any {
			for ; x != 0; x &= x - 1 {
				at := i<<6 | bits.TrailingZeros64(x)
				o.spots = append(o.spots, wordSpot{base + uint32(at), m.words[at]})
				m.words[at] = 0
			}
			m.any[i] = 0
		}
	}
}
