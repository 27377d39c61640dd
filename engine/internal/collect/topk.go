package collect

import "github.com/quarry-search/quarry/engine/internal/posting"

// Hit is a document and its score.
type Hit struct {
	Segment int // index among the segments of the search
	Doc     posting.DocID
	Score   uint64
}

// Order decides between hits of equal score: whether a stands before b. It is
// a strict total order on documents, and may be costly: it is asked about hits
// of equal score only, and where there are keys, if they are equal or the hits
// are of one page.
type Order func(a, b Hit) bool

// Key is what is at hand of a hit's place in an Order: of two hits, the one with
// the lower key, by its first number and then by its second, stands before the
// other in that Order too. Equal keys say nothing.
type Key [2]uint64

// below tells whether k is lower than l.
func (k Key) below(l Key) bool { return k[0] < l[0] || k[0] == l[0] && k[1] < l[1] }

// TopK keeps the k best hits: by descending score, then by an Order. Reset
// makes it ready.
//
// Where scores are few and texts short, thousands of hits have the score of the
// last one. So keys are kept with the hits: each is worked out once, when it is
// needed for the first time. Hits of one page are left to the Order: it can know
// how the documents of a page follow each other without reading what it goes by.
type TopK struct {
	k     int
	order Order
	key   func(h Hit) Key
	heap  []candidate // binary, the worst hit at the root
}

// candidate is a hit with its key, once that is known.
type candidate struct {
	Hit
	key   Key
	keyed bool
}

// Reset empties t and makes it keep k hits. A nil order stands for segment and
// document number, and for the promise that hits are added in this order,
// which lets Threshold shut out hits that would tie with the last one. key may
// be nil.
func (t *TopK) Reset(k int, order Order, key func(h Hit) Key) {
	t.k, t.order, t.key, t.heap = max(k, 0), order, key, t.heap[:0]
}

// before tells whether a stands before b.
func (t *TopK) before(a, b *candidate) bool {
	switch {
	case a.Score != b.Score:
		return a.Score > b.Score
	case t.order != nil:
		if t.key != nil && a.Doc/posting.PageSize != b.Doc/posting.PageSize {
			if ka, kb := t.keyOf(a), t.keyOf(b); ka != kb {
				return ka.below(kb)
			}
		}
		return t.order(a.Hit, b.Hit)
	case a.Segment != b.Segment:
		return a.Segment < b.Segment
	}
	return a.Doc < b.Doc
}

func (t *TopK) keyOf(c *candidate) Key {
	if !c.keyed {
		c.key, c.keyed = t.key(c.Hit), true
	}
	return c.key
}

// Threshold returns the lowest score that may still get a hit in: a lower one
// never does.
func (t *TopK) Threshold() uint64 {
	switch {
	case t.k == 0:
		return ^uint64(0)
	case len(t.heap) < t.k:
		return 0
	case t.order == nil:
		return t.heap[0].Score + 1
	}
	return t.heap[0].Score
}

// Len returns the number of hits kept.
func (t *TopK) Len() int { return len(t.heap) }

// Add offers a hit.
func (t *TopK) Add(h Hit) {
	c := candidate{Hit: h}
	if len(t.heap) < t.k {
		t.heap = append(t.heap, c)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !t.before(&t.heap[parent], &t.heap[i]) {
				return
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
		return
	}
	if t.k == 0 || !t.before(&c, &t.heap[0]) {
		return
	}
	t.heap[0] = c
	t.sink()
}

// sink moves the root to its place.
func (t *TopK) sink() {
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= len(t.heap) {
			return
		}
		if kid+1 < len(t.heap) && t.before(&t.heap[kid], &t.heap[kid+1]) {
			kid++
		}
		if !t.before(&t.heap[i], &t.heap[kid]) {
			return
		}
		t.heap[i], t.heap[kid] = t.heap[kid], t.heap[i]
		i = kid
	}
}

// Hits returns the hits kept, best first, and empties t. They are the
// caller's.
func (t *TopK) Hits() []Hit {
	out := make([]Hit, len(t.heap))
	for n := len(t.heap) - 1; n >= 0; n-- {
		out[n] = t.heap[0].Hit
		t.heap[0] = t.heap[n]
		t.heap = t.heap[:n]
		t.sink()
	}
	return out
}
