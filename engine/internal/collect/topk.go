package collect

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Hit is a document and its score.
type Hit struct {
	Segment int // index among the segments of the search
	Doc     posting.DocID
	Score   uint64
}

// Order decides between hits of equal score: whether a stands before b. It is
// a strict total order on documents and may be costly.
type Order func(a, b Hit) bool

// ByNumber is the order by segment and document number.
func ByNumber(a, b Hit) bool {
	if a.Segment != b.Segment {
		return a.Segment < b.Segment
	}
	return a.Doc < b.Doc
}

// TopK keeps the k best hits: by descending score, then by an Order. Reset
// makes it ready.
//
// It is a binary heap with the worst hit at the root. An Order is asked only
// about hits of equal score.
type TopK struct {
	k     int
	order Order
	heap  []Hit
}

// Reset empties t and makes it keep k hits. A nil order stands for ByNumber
// and for the promise that hits are added in that order, which lets Threshold
// shut out hits that would tie with the last one.
func (t *TopK) Reset(k int, order Order) {
	t.k, t.order, t.heap = max(k, 0), order, t.heap[:0]
}

// Threshold returns the lowest score that a hit needs to be kept, as far as
// scores can tell: a lower one is never kept.
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
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
		return
	}
	if t.k > 0 && t.worse(t.heap[0], h) {
		t.heap[0] = h
		t.down(0)
	}
}

// Hits returns a copy of the hits kept, best first, and empties t.
func (t *TopK) Hits() []Hit {
	out := slices.Clone(t.heap)
	t.heap = t.heap[:0]
	slices.SortFunc(out, func(a, b Hit) int {
		switch {
		case a == b:
			return 0
		case t.worse(a, b):
			return 1
		}
		return -1
	})
	return out
}

// worse tells whether a stands behind b.
func (t *TopK) worse(a, b Hit) bool {
	if a.Score != b.Score {
		return a.Score < b.Score
	}
	if t.order == nil {
		return ByNumber(b, a)
	}
	return t.order(b, a)
}

func (t *TopK) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !t.worse(t.heap[i], t.heap[parent]) {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *TopK) down(i int) {
	for {
		kid := 2*i + 1
		if kid >= len(t.heap) {
			return
		}
		if kid+1 < len(t.heap) && t.worse(t.heap[kid+1], t.heap[kid]) {
			kid++
		}
		if !t.worse(t.heap[kid], t.heap[i]) {
			return
		}
		t.heap[i], t.heap[kid] = t.heap[kid], t.heap[i]
		i = kid
	}
}
