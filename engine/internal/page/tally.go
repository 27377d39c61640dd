package page

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A Counter is the memory in which a column counts its values. Its zero value
// is ready; one used again for column after column allocates next to nothing.
// It is for one goroutine.
type Counter struct {
	dense  bool
	counts []uint32 // dense: how often each entry of vals was found
	list   []uint64 // else: what was found
}

const (
	// smallTally bounds the entries that are counted by place.
	smallTally = 1 << 16
	// smallAll bounds the entries of numbers of which Column.all is kept.
	smallAll = 1 << 12
	// sparse is how many places a document may cost: clearing and reading them
	// costs less than keeping what was found in order.
	sparse = 16
)

func (c *Counter) reset(most uint64, docs int) {
	c.list = c.list[:0]
	if c.dense = most < smallTally && most <= uint64(64+sparse*docs); !c.dense {
		return
	}
	n := int(most) + 1
	c.counts = slices.Grow(c.counts[:0], n)[:n]
	clear(c.counts)
}

func (c *Counter) add(values []uint64) {
	if !c.dense {
		c.list = append(c.list, values...)
		return
	}
	for _, v := range values {
		if v < uint64(len(c.counts)) { // always, but for damaged bytes
			c.counts[v]++
		}
	}
}

// each calls f with the entries found, ascending.
func (c *Counter) each(f func(v uint64, n int)) {
	if c.dense {
		for v, n := range c.counts {
			if n > 0 {
				f(uint64(v), int(n))
			}
		}
		return
	}
	slices.Sort(c.list)
	for i := 0; i < len(c.list); {
		j := i + 1
		for j < len(c.list) && c.list[j] == c.list[i] {
			j++
		}
		f(c.list[i], j-i)
		i = j
	}
}

// CountOrds calls f with each ordinal of a keyword column that documents of
// words have, ascending, and the number of these documents: one counts once for
// each of its distinct values.
func (col *Column) CountOrds(words *[Size / 64]uint64, base int, c *Counter, f func(ord, docs int)) {
	if col.kind != KindKeyword {
		return
	}
	col.tally(words, base, c)
	c.each(func(v uint64, n int) { f(int(v), n) })
}

// CountNumbers calls f with each distinct value of the documents of words in a
// column of numbers, dates or bools, ascending, and the number of documents
// that have it. A document counts once for each of its distinct values. To sum,
// unless it is nil, it adds what Stats would return.
func (col *Column) CountNumbers(words *[Size / 64]uint64, base int, c *Counter, sum *Stats, f func(v Value, docs int)) {
	if col.kind == KindKeyword || col.kind == KindGeo {
		return
	}
	if col.ends != nil {
		if sum != nil {
			s := col.Stats(words, base)
			sum.Merge(&s)
		}
		c.reset(col.vals.max, col.n)
		col.eachDistinct(words, base, c.add)
		c.each(func(v uint64, n int) { f(col.keyValue(col.base+col.unit*v), n) })
		return
	}
	col.tally(words, base, c)
	var s Stats
	c.each(func(entry uint64, n int) {
		v := col.keyValue(col.base + col.unit*entry)
		s.addTimes(v, n)
		f(v, n)
	})
	if sum != nil {
		sum.Merge(&s)
	}
}

// CountLeast calls f with each value that is the least one of a document of
// words, ascending, and the number of documents of which it is. Bytes of
// keywords must not be changed.
func (col *Column) CountLeast(words *[Size / 64]uint64, base int, c *Counter, f func(v Value, docs int)) {
	if col.ends == nil {
		col.tally(words, base, c)
	} else {
		c.reset(col.vals.max, col.n)
		col.eachDistinct(words, base, func(values []uint64) { c.add(values[:1]) })
	}
	c.each(func(v uint64, n int) { f(col.entryValue(v), n) })
}

// tally counts the entries of vals of the documents of words. Where these are
// more than half of the column's, the others are counted and taken off the
// counts of all.
func (col *Column) tally(words *[Size / 64]uint64, base int, c *Counter) {
	chosen := countBits(words, base, col.n)
	c.reset(col.vals.max, chosen)
	if !c.dense {
		col.listEntries(words, base, c)
		return
	}
	if all := col.allCounts(); all != nil && 2*chosen > col.n {
		copy(c.counts, all)
		if chosen < col.n {
			col.countEntries(words, base, ^uint64(0), c.counts)
		}
		return
	}
	col.countEntries(words, base, 0, c.counts)
}

// allCounts returns how often each entry occurs in the whole column, nil where
// that is not kept.
func (col *Column) allCounts() []uint32 {
	if !col.keepsAll() {
		return nil
	}
	col.once.Do(func() {
		counts := make([]uint32, col.vals.max+1)
		col.vals.each(func(values []uint64) bool {
			for _, v := range values {
				if v < uint64(len(counts)) { // always, but for damaged bytes
					counts[v]++
				}
			}
			return true
		})
		col.all = counts
	})
	return col.all
}

func (col *Column) keepsAll() bool { return col.kind == KindKeyword || col.vals.max < smallAll }

// countEntries counts the entries of the documents of words; with flip all ones
// it takes those of the other documents off.
func (col *Column) countEntries(words *[Size / 64]uint64, base int, flip uint64, counts []uint32) {
	step := uint32(1 | flip) // 1, or -1
	ends := cursor{p: col.ends, block: -1}
	for w := range (col.n + 63) / 64 {
		present := col.presentWord(w)
		m := (bitsAt(words[:], base+w*64) ^ flip) & present
		switch {
		case m == 0:
		case col.ends != nil:
			for rank := col.rankOfWord(w); m != 0; m &= m - 1 {
				k := rank + bits.OnesCount64(present&(m&-m-1))
				for from, to := ends.at(k), ends.at(k+1); from < to; from++ {
					if v := col.vals.at(from); v < uint64(len(counts)) {
						counts[v] += step
					}
				}
			}
		case col.present == nil:
			b := &col.vals.blocks[w*64>>packShift]
			col.vals.countWord(b, uint(w*64&(packBlock-1)), m, step, counts)
		default:
			for rank := col.rankOfWord(w); m != 0; m &= m - 1 {
				if v := col.vals.at(rank + bits.OnesCount64(present&(m&-m-1))); v < uint64(len(counts)) {
					counts[v] += step
				}
			}
		}
	}
}

// countWord adds step to the counts of the values of a block from place first
// on, those whose bits are set in m.
func (p *packed) countWord(b *packBlockInfo, first uint, m uint64, step uint32, counts []uint32) {
	if b.width == 0 {
		if b.min < uint64(len(counts)) {
			counts[b.min] += step * uint32(bits.OnesCount64(m))
		}
		return
	}
	data, at := p.data[b.off:], first*b.width
	for ; m != 0; m &= m - 1 {
		bit := at + uint(bits.TrailingZeros64(m))*b.width
		v := b.min + binary.LittleEndian.Uint64(data[bit>>3:])>>(bit&7)&b.mask
		if v < uint64(len(counts)) {
			counts[v] += step
		}
	}
}

// listEntries is countEntries for a counter that is not dense.
func (col *Column) listEntries(words *[Size / 64]uint64, base int, c *Counter) {
	for w := range (col.n + 63) / 64 {
		for m := bitsAt(words[:], base+w*64) & col.presentWord(w); m != 0; m &= m - 1 {
			for k, to := col.span(w*64 + bits.TrailingZeros64(m)); k < to; k++ {
				c.list = append(c.list, col.vals.at(k))
			}
		}
	}
}

// addTimes adds a value n times.
func (s *Stats) addTimes(v Value, n int) {
	if s.Count == 0 {
		s.Min, s.Max = v, v
	}
	s.Count += n
	if v.Kind == KindFloat {
		s.Min.Float, s.Max.Float = min(s.Min.Float, v.Float), max(s.Max.Float, v.Float)
		s.floats.addTimes(v.Float, n)
		return
	}
	s.Min.Int, s.Max.Int = min(s.Min.Int, v.Int), max(s.Max.Int, v.Int)
	hi, lo := bits.Mul64(uint64(v.Int), uint64(n))
	if v.Int < 0 {
		hi -= uint64(n) // the two's complement of v is v + 2^64
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

// addTimes adds v n times: its multiples by powers of two, which are exact.
func (s *exactSum) addTimes(v float64, n int) {
	for k := 0; n>>k != 0; k++ {
		if n>>k&1 == 0 {
			continue
		}
		if part := math.Ldexp(v, k); !math.IsInf(part, 0) {
			s.add(part)
			continue
		}
		for range 1 << k {
			s.add(v)
		}
	}
}
