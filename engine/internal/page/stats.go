package page

import (
	"math"
	"math/bits"
)

// Stats sums up the values of a number of documents in columns of one kind of
// number: int, bool, date or float. The zero Stats is that of no value. Stats
// of several columns are added with Merge, and the result does not depend on
// how documents lie in columns: the sums inside are exact.
type Stats struct {
	Count    int   // values, repeated ones included
	Min, Max Value // of Count > 0

	lo, hi uint64 // the sum of ints, a two's complement of 128 bits
	floats exactSum
}

// Stats returns the statistics of the values of the documents of words, those
// of no value for keywords and places.
func (col *Column) Stats(words *[Size / 64]uint64, base int) Stats {
	var s Stats
	if col.kind == KindKeyword || col.kind == KindGeo {
		return s
	}
	var buf [Size / 64]uint64
	selected, some := col.selectValues(words, base, &buf)
	if !some {
		return s
	}
	least, greatest := uint64(math.MaxUint64), uint64(0)
	col.vals.eachSelected(selected, func(values []uint64) {
		s.Count += len(values)
		lo, hi := minMax(values)
		least, greatest = min(least, lo), max(greatest, hi)
		for _, v := range values {
			if key := col.base + col.unit*v; col.kind == KindFloat {
				s.floats.add(col.float(key))
			} else {
				s.addInt(keyInt(key))
			}
		}
	})
	s.Min = col.keyValue(col.base + col.unit*least)
	s.Max = col.keyValue(col.base + col.unit*greatest)
	return s
}

func (s *Stats) addInt(v int64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, uint64(v), 0)
	s.hi, _ = bits.Add64(s.hi, uint64(v>>63), carry)
}

// Merge adds the statistics o, whose values are of the same kind.
func (s *Stats) Merge(o *Stats) {
	if o.Count == 0 {
		return
	}
	if s.Count == 0 {
		*s = *o
		return
	}
	s.Count += o.Count
	if o.Min.Int < s.Min.Int || o.Min.Float < s.Min.Float {
		s.Min = o.Min
	}
	if o.Max.Int > s.Max.Int || o.Max.Float > s.Max.Float {
		s.Max = o.Max
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
	s.floats.merge(o.floats)
}

// Sum returns the sum of the values, rounded once.
func (s *Stats) Sum() float64 {
	if s.Count == 0 || s.Min.Kind == KindFloat {
		return s.floats.float()
	}
	lo, hi, sign := s.lo, s.hi, 1.0
	if int64(hi) < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		sign = -1
	}
	var exact exactSum
	for i, quarter := range [...]uint64{lo & math.MaxUint32, lo >> 32, hi & math.MaxUint32, hi >> 32} {
		exact.add(math.Ldexp(float64(quarter), 32*i))
	}
	return sign * exact.float()
}

// SumInt returns the sum of ints, bools or dates exactly, false when it does
// not fit or the values are floats.
func (s *Stats) SumInt() (int64, bool) {
	if s.Count > 0 && s.Min.Kind == KindFloat {
		return 0, false
	}
	return int64(s.lo), s.hi == uint64(int64(s.lo)>>63)
}
