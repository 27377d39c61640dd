package page

import (
	"math/big"
	"math/bits"
	"slices"
)

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
