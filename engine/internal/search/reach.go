package search

import (
	"math/bits"
	"slices"
)

// maxSplit is the number of leaves up to which reach splits cases. The number
// of cases may double with each leaf, so above it sums are counted instead.
const maxSplit = 6

// reach finds the documents of a window whose scoring leaves may together come
// to a score: those for which the sum of the upper bounds of the leaves that
// hold them is high enough. All documents of a window share the bounds, so it
// is a question about sets, answered 64 documents at a time.
type reach struct {
	bound []uint64                // by leaf, descending
	rest  []uint64                // rest[i] = bound[i] + bound[i+1] + ...
	views []*view                 // by leaf
	w     int                     // the window
	frame [maxSplit][2]window     // by depth of split
	words []*window               // by leaf, as sum counts
	terms [][scaleBits + 1]uint64 // by leaf: the bits of the bound as sum counts, each 64 times
	found window                  // by sum
}

// scaleBits is the number of bits of sums of bounds, as sum counts. Fewer let
// too many documents through when a query has a dozen leaves.
const scaleBits = 6

// reset empties the list of leaves, and makes w the window.
func (t *reach) reset(w int) {
	t.bound, t.views, t.w = t.bound[:0], t.views[:0], w
}

// add adds a leaf. Leaves are added by descending bound.
func (t *reach) add(bound uint64, v *view) {
	t.bound, t.views = append(t.bound, bound), append(t.views, v)
}

// load returns the documents of leaf i, nil if it has none in the window. Leaves are
// asked when their documents matter: the strongest of them have the fewest, and
// where these have none, the others often need not be read.
func (t *reach) load(i int) *window { return t.views[i].load(t.w) }

// find returns the documents that may come to need, which is positive; nil if
// there are none. It may return documents that cannot, but leaves none out.
func (t *reach) find(need uint64) *window {
	if t.total() < need {
		return nil
	}
	if len(t.bound) > maxSplit {
		t.dropEmpty()
		if t.total() < need {
			return nil
		}
		if len(t.bound) > maxSplit {
			return t.sum(need)
		}
	}
	return t.split(0, need, 0)
}

// total sums up the bounds, from each leaf on and of all.
func (t *reach) total() uint64 {
	t.rest = append(append(t.rest[:0], t.bound...), 0)
	for i := range slices.Backward(t.bound) {
		t.rest[i] += t.rest[i+1]
	}
	return t.rest[0]
}

// dropEmpty leaves out the leaves without documents in the window. What two words of a
// query are when written as one is a leaf besides them, and most windows have none of it.
func (t *reach) dropEmpty() {
	n := 0
	for i, v := range t.views {
		if v.load(t.w) != nil {
			t.bound[n], t.views[n] = t.bound[i], v
			n++
		}
	}
	t.bound, t.views = t.bound[:n], t.views[:n]
}

// split returns the documents that may come to need by the leaves from i on,
// nil if there are none. rest[i] is at least need, which is positive. The
// result is that of a load or a set of t.frame[depth].
func (t *reach) split(i int, need uint64, depth int) *window {
	// The leaves that suffice alone come first.
	var alone *window
	for ; i < len(t.bound) && t.bound[i] >= need; i++ {
		alone = or(&t.frame[depth][0], alone, t.load(i))
	}
	if t.rest[i] < need {
		return alone
	}
	// With leaf i, the others have to come to less. They may also come to
	// need without it.
	with := t.load(i)
	if with != nil {
		with = and(&t.frame[depth][1], with, t.split(i+1, need-t.bound[i], depth+1))
	}
	if t.rest[i+1] >= need {
		with = or(&t.frame[depth][1], with, t.split(i+1, need, depth+1))
	}
	return or(&t.frame[depth][0], alone, with)
}

// sum finds the documents by adding up the bounds of their leaves, in units of
// 1/64 of need and rounded up. The sums of 64 documents are added up at once,
// bit by bit.
func (t *reach) sum(need uint64) *window {
	shift := max(0, bits.Len64(need)-32)
	unit := need >> shift
	t.terms, t.words = t.terms[:0], t.words[:0]
	for i, b := range t.bound {
		t.words = append(t.words, t.load(i))
		n := uint64(1 << scaleBits)
		if b < need {
			n = min(n, ((b>>shift+1)<<scaleBits+unit-1)/unit)
		}
		var term [scaleBits + 1]uint64
		for i := range term {
			term[i] = -(n >> i & 1)
		}
		t.terms = append(t.terms, term)
	}
	for i := range t.found {
		var s0, s1, s2, s3, s4, s5, reached uint64
		for j := range t.terms {
			x, n := t.words[j][i], &t.terms[j]
			if x == 0 {
				continue
			}
			carry := x & n[0] & s0
			s0 ^= x & n[0]
			s1, carry = add(s1, x&n[1], carry)
			s2, carry = add(s2, x&n[2], carry)
			s3, carry = add(s3, x&n[3], carry)
			s4, carry = add(s4, x&n[4], carry)
			s5, carry = add(s5, x&n[5], carry)
			reached |= carry | x&n[6]
		}
		t.found[i] = reached
	}
	return &t.found
}

// add adds three bits in each of 64 places.
func add(a, b, c uint64) (sum, carry uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

// or returns the union of two sets, which may be nil for empty: one of them,
// or dst, which may be one of them.
func or(dst, a, b *window) *window {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
	return dst
}

// and returns the intersection of two sets in dst, nil if it is empty.
func and(dst, a, b *window) *window {
	if a == nil || b == nil {
		return nil
	}
	any := uint64(0)
	for i := range dst {
		x := a[i] & b[i]
		dst[i] = x
		any |= x
	}
	if any == 0 {
		return nil
	}
	return dst
}
