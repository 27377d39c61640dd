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
// of equal score only.
type Order func(a, b Hit) bool

// TopK keeps the k best hits: by descending score, then by an Order. Reset
// makes it ready.
type TopK struct {
	best  Best[Hit]
	order Order
}

// Reset empties t and makes it keep k hits. A nil order stands for segment and
// document number, and for the promise that hits are added in this order,
// which lets Threshold shut out hits that would tie with the last one.
func (t *TopK) Reset(k int, order Order) {
	t.order = order
	if order == nil {
		t.best.Reset(k, beforeByNumber)
		return
	}
	t.best.Reset(k, func(a, b Hit) bool {
		return a.Score > b.Score || a.Score == b.Score && order(a, b)
	})
}

func beforeByNumber(a, b Hit) bool {
	switch {
	case a.Score != b.Score:
		return a.Score > b.Score
	case a.Segment != b.Segment:
		return a.Segment < b.Segment
	}
	return a.Doc < b.Doc
}

// Threshold returns the lowest score that may still get a hit in: a lower one
// never does.
func (t *TopK) Threshold() uint64 {
	if t.best.k == 0 {
		return ^uint64(0)
	}
	last, full := t.best.Worst()
	if full && t.order == nil {
		return last.Score + 1
	}
	return last.Score // 0 unless full
}

// Len returns the number of hits kept.
func (t *TopK) Len() int { return t.best.Len() }

// Add offers a hit.
func (t *TopK) Add(h Hit) { t.best.Add(h) }

// Hits returns the hits kept, best first, and empties t. They are the
// caller's.
func (t *TopK) Hits() []Hit { return t.best.Items() }
