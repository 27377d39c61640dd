package page

import (
	"bytes"
	"sort"
)

// Dict is the sorted list of the distinct values of a keyword column. An
// ordinal is a place in it; ordinals mean nothing in another column. It is
// immutable and safe for concurrent use.
type Dict struct{ values byteStrings }

// Len returns the number of values.
func (d *Dict) Len() int { return d.values.len() }

// At returns the value of an ordinal below Len. It must not be changed.
func (d *Dict) At(ord int) []byte { return d.values.at(ord) }

// Find returns the ordinal of a value, in O(log Len) comparisons.
func (d *Dict) Find(value []byte) (ord int, ok bool) {
	ord, ok = d.lower(value)
	if !ok {
		return 0, false
	}
	return ord, true
}

// Prefix returns the ordinals [lo, hi) of the values that begin with prefix.
func (d *Dict) Prefix(prefix []byte) (lo, hi int) {
	lo, _ = d.lower(prefix)
	hi = lo + sort.Search(d.Len()-lo, func(i int) bool { return !bytes.HasPrefix(d.At(lo+i), prefix) })
	return lo, hi
}

// lower returns the ordinal of the first value that is not below value, and
// whether it is equal.
func (d *Dict) lower(value []byte) (ord int, equal bool) {
	return sort.Find(d.Len(), func(i int) int { return bytes.Compare(value, d.At(i)) })
}

// ordered reports whether every value is above the one before it.
func (d *Dict) ordered() bool {
	for i := 1; i < d.Len(); i++ {
		if bytes.Compare(d.At(i-1), d.At(i)) >= 0 {
			return false
		}
	}
	return true
}

// OrdSet is a set of ordinals of one column, for Column.OrdsIn. It is not safe
// for concurrent use while it is being filled.
type OrdSet struct {
	words    []uint64
	min, max int // of the ordinals, when count > 0
	count    int
}

// NewOrdSet returns an empty set for ordinals below n, the Len of a Dict.
func NewOrdSet(n int) *OrdSet { return &OrdSet{words: make([]uint64, (n+63)/64)} }

// Add adds an ordinal.
func (s *OrdSet) Add(ord int) {
	if s.Contains(ord) {
		return
	}
	s.words[ord>>6] |= 1 << (ord & 63)
	if s.count == 0 {
		s.min, s.max = ord, ord
	}
	s.min, s.max = min(s.min, ord), max(s.max, ord)
	s.count++
}

// AddRange adds the ordinals [lo, hi).
func (s *OrdSet) AddRange(lo, hi int) {
	for ord := lo; ord < hi; ord++ {
		s.Add(ord)
	}
}

// Contains reports whether an ordinal is in the set.
func (s *OrdSet) Contains(ord int) bool {
	return ord>>6 < len(s.words) && s.words[ord>>6]>>(ord&63)&1 != 0
}

// Len returns the number of ordinals in the set.
func (s *OrdSet) Len() int { return s.count }
