package page

import (
	"math/big"
	"math/bits"
	"slices"
)

// CountNumbers calls f with each distinct value of the documents of words in a
// column of numbers, dates or bools, in any order, and the number of documents
// that have it. A document counts once for each of its distinct values.
func (col *Column) CountNumbers(words *[Size / 64]uint64, base int, f func(v Value, docs int)) {
	if col.kind == KindKeyword || col.kind == KindGeo {
		return
	}
	var t tally
	t.reset(col.vals.max)
	if col.ends == nil {
		var buf [Size / 64]uint64
		if selected, some := col.selectValues(words, base, &buf); some {
			col.vals.eachSelected(selected, t.add)
		}
	} else {
		col.eachDistinct(words, base, t.add)
	}
	t.each(func(v uint64, n int) { f(col.keyValue(col.base+col.unit*v), n) })
}

// eachDistinct calls f with the distinct entries of vals of one document of
// words after the other, ascending.
func (col *Column) eachDistinct(words *[Size / 64]uint64, base int, f func(values []uint64)) {
	var values []uint64
	for w := range (col.n + 63) / 64 {
		for m := bitsAt(words[:], base+w*64) & col.presentWord(w); m != 0; m &= m - 1 {
			values = values[:0]
			for k, to := col.span(w*64 + bits.TrailingZeros64(m)); k < to; k++ {
				values = append(values, col.vals.at(k))
			}
			if len(values) > 1 {
				slices.Sort(values)
				values = slices.Compact(values)
			}
			f(values)
		}
	}
}

// tally counts how often numbers occur: in a slice if they are small, else in
// a map.
type tally struct {
	small []uint32
	large map[uint64]uint32
}

// smallTally bounds the numbers that tally counts in a slice.
const smallTally = 1 << 16

func (t *tally) reset(most uint64) {
	if most < smallTally {
		t.small = make([]uint32, most+1)
		return
	}
	t.large = make(map[uint64]uint32)
}

func (t *tally) add(values []uint64) {
	if t.large == nil {
		for _, v := range values {
			if v < uint64(len(t.small)) { // always, but for damaged bytes
				t.small[v]++
			}
		}
		return
	}
	for _, v := range values {
		t.large[v]++
	}
}

func (t *tally) each(f func(v uint64, n int)) {
	for v, n := range t.small {
		if n > 0 {
			f(uint64(v), int(n))
		}
	}
	for v, n := range t.large {
		f(v, int(n))
	}
}

// allOrds returns how many documents have each value of a keyword column.
func (col *Column) allOrds() []uint32 {
	col.once.Do(func() {
		counts := make([]uint32, col.dict.Len())
		col.vals.each(func(ords []uint64) bool {
			for _, ord := range ords {
				counts[ord]++
			}
			return true
		})
		col.all = counts
	})
	return col.all
}

// Sum returns the sum of the values of statistics, which may be of different
// kinds, without rounding.
func Sum(parts ...*Stats) *big.Rat {
	sum := new(big.Rat)
	for _, s := range parts {
		if s.Count > 0 {
			sum.Add(sum, s.exact())
		}
	}
	return sum
}

func (s *Stats) exact() *big.Rat {
	if s.Min.Kind == KindFloat {
		return s.floats.rat()
	}
	n := new(big.Int).SetInt64(int64(s.hi))
	n.Lsh(n, 64)
	return new(big.Rat).SetInt(n.Add(n, new(big.Int).SetUint64(s.lo)))
}

// CountLeast calls f with each value that is the least one of a document of
// words, and the number of documents of which it is. Bytes of keywords must
// not be changed.
func (col *Column) CountLeast(words *[Size / 64]uint64, base int, f func(v Value, docs int)) {
	var t tally
	t.reset(col.vals.max)
	if col.ends == nil {
		var buf [Size / 64]uint64
		if selected, some := col.selectValues(words, base, &buf); some {
			col.vals.eachSelected(selected, t.add)
		}
	} else {
		col.eachDistinct(words, base, func(values []uint64) { t.add(values[:1]) })
	}
	t.each(func(v uint64, n int) { f(col.entryValue(v), n) })
}

// LeastIn sets the bits of the documents whose least value in reports. in is
// called once for each value that the column may have as a least one.
func (col *Column) LeastIn(in func(v Value) bool, words *[Size / 64]uint64, base int) {
	var known verdicts
	known.reset(col.vals.max)
	for w := range (col.n + 63) / 64 {
		var out uint64
		for m := col.presentWord(w); m != 0; m &= m - 1 {
			from, to := col.span(w*64 + bits.TrailingZeros64(m))
			least := col.vals.at(from)
			for k := from + 1; k < to; k++ {
				least = min(least, col.vals.at(k))
			}
			if known.get(least, func() bool { return in(col.entryValue(least)) }) {
				out |= m & -m
			}
		}
		orBits(words, base+w*64, out)
	}
}

// verdicts remembers what was said about numbers.
type verdicts struct {
	small []int8 // 0: nothing yet, 1: yes, -1: no
	large map[uint64]bool
}

func (s *verdicts) reset(most uint64) {
	if most < smallTally {
		s.small = make([]int8, most+1)
		return
	}
	s.large = make(map[uint64]bool)
}

func (s *verdicts) get(v uint64, say func() bool) bool {
	if s.large != nil {
		yes, ok := s.large[v]
		if !ok {
			yes = say()
			s.large[v] = yes
		}
		return yes
	}
	if v >= uint64(len(s.small)) {
		return say() // damaged bytes
	}
	if s.small[v] == 0 {
		s.small[v] = -1
		if say() {
			s.small[v] = 1
		}
	}
	return s.small[v] > 0
}

// entryValue is the value of an entry of vals.
func (col *Column) entryValue(v uint64) Value {
	if col.kind == KindKeyword {
		return KeywordValue(col.dict.At(int(v)))
	}
	return col.keyValue(col.base + col.unit*v)
}
