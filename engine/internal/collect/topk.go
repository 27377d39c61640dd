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
// a strict total order on documents, and may be costly: it is asked about hits
// of equal score only, and where there are keys, if they are equal or the hits
// are of one page.
type Order func(a, b Hit) bool

// Key is what is at hand of a hit's place in an Order: of two hits, the one with
// the lower key, by its first number and then by its second, stands before the
// other in that Order too. Equal keys say nothing.
type Key [2]uint64

// Keys sets keys, of which there are as many as hits, to the keys of these. It
// keeps neither.
type Keys func(hits []Hit, keys []Key)

// below tells whether k is lower than l.
func (k Key) below(l Key) bool { return k[0] < l[0] || k[0] == l[0] && k[1] < l[1] }

// TopK keeps the k best hits: by descending score, then by an Order. Reset
// makes it ready.
//
// What a hit's place in the Order is may have to be read from memory that no cache
// holds, and of the hits that are offered few are kept in the end. So only scores
// are compared at first: those of the k best are in a heap, and every hit that may
// be among the k best by its score is set aside. Which of those with the score of
// the last one are is looked at once there are too many, and in the end, when the
// keys of many hits are read one after another, for which a processor need not
// wait each time.
type TopK struct {
	k      int
	order  Order
	key    Keys
	scores Scores      // of the k best so far
	found  []candidate // all hits that may be among the k best
	last   candidate   // a hit that k hits stand before or are, once that is known
	full   bool        // it is
	tied   []candidate // memory of shrink
	asked  []Hit       // memory of keysOf
	told   []Key       // the same
	places []place     // memory of Hits
	keyed  []keyed     // memory of arrange
	sorted []candidate // the same
}

// keyed is where a candidate with a key is.
type keyed struct {
	key Key
	at  int
}

// place is where a candidate of a score is.
type place struct {
	score uint64
	at    int
}

// candidate is a hit with its key, once that is known.
type candidate struct {
	Hit
	key   Key
	keyed bool
}

// spare is how many hits beyond twice k are set aside.
const spare = 64

// Reset empties t and makes it keep k hits. A nil order stands for segment and
// document number, and for the promise that hits are added in this order,
// which lets Threshold shut out hits that would tie with the last one. key may
// be nil.
func (t *TopK) Reset(k int, order Order, key Keys) {
	t.k, t.order, t.key = max(k, 0), order, key
	t.found, t.full = t.found[:0], false
	t.scores.Reset(t.k)
}

// Threshold returns the lowest score that may still get a hit in: a lower one
// never does.
func (t *TopK) Threshold() uint64 {
	switch {
	case t.k == 0:
		return ^uint64(0)
	case t.scores.Len() < t.k:
		return 0
	case t.order == nil:
		return t.scores.heap[0] + 1
	}
	return t.scores.heap[0]
}

// Len returns the number of hits kept.
func (t *TopK) Len() int { return t.scores.Len() }

// Add offers a hit.
func (t *TopK) Add(h Hit) {
	if h.Score < t.Threshold() {
		return
	}
	c := candidate{Hit: h}
	switch {
	case t.scores.Len() < t.k, h.Score > t.scores.heap[0]:
		t.scores.Add(h.Score)
	case t.full && h.Score == t.last.Score && t.nearby(h) && !t.order(h, t.last.Hit):
		return
	}
	if t.found = append(t.found, c); len(t.found) >= 2*t.k+spare {
		t.shrink()
	}
}

// shrink leaves the k best hits in found, those with the score of the last one
// behind the others.
func (t *TopK) shrink() {
	if len(t.found) <= t.k {
		return
	}
	bar := t.scores.heap[0]
	above := 0
	// What is moved to the front stays in order: nil orders rely on it.
	tied := t.tied[:0]
	for _, c := range t.found {
		switch {
		case c.Score > bar:
			t.found[above] = c
			above++
		case c.Score == bar:
			tied = append(tied, c)
		}
	}
	t.tied = tied
	tied = t.ahead(tied)
	t.arrange(tied)
	t.found = append(t.found[:above], tied[:t.k-above]...)
	t.last, t.full = t.found[t.k-1], true
}

// nearby tells whether the Order had better be asked about a hit and the last one at
// once: there is no key, or both are of one page, in which an order of documents may
// be one of hits.
func (t *TopK) nearby(h Hit) bool {
	return t.key == nil || h.Doc/posting.PageSize == t.last.Doc/posting.PageSize
}

// ahead leaves out of hits of equal score those that stand behind the last one that was
// kept so far, if that has the same score. Their keys are read one after another, where
// reading each of them as it is added takes several times as long.
func (t *TopK) ahead(hits []candidate) []candidate {
	if !t.full || t.key == nil || t.last.Score != hits[0].Score {
		return hits
	}
	t.keysOf(hits)
	if !t.last.keyed { // no other had its score when it was kept
		last := [1]candidate{t.last}
		t.keysOf(last[:])
		t.last = last[0]
	}
	left := hits[:0]
	for _, c := range hits {
		if !t.last.key.below(c.key) {
			left = append(left, c)
		}
	}
	return left
}

// arrange sorts hits of equal score.
func (t *TopK) arrange(hits []candidate) {
	if t.order == nil || len(hits) < 2 {
		return // they are in order
	}
	if t.key == nil {
		slices.SortFunc(hits, func(a, b candidate) int { return t.compare(a.Hit, b.Hit) })
		return
	}
	t.keysOf(hits)
	// Candidates are large, so their keys are sorted by themselves.
	t.keyed = t.keyed[:0]
	for i := range hits {
		t.keyed = append(t.keyed, keyed{hits[i].key, i})
	}
	slices.SortFunc(t.keyed, func(a, b keyed) int {
		switch {
		case a.key.below(b.key):
			return -1
		case b.key.below(a.key):
			return 1
		}
		return t.compare(hits[a.at].Hit, hits[b.at].Hit)
	})
	t.sorted = append(t.sorted[:0], hits...)
	for i, k := range t.keyed {
		hits[i] = t.sorted[k.at]
	}
}

// compare is the order of different hits of equal score.
func (t *TopK) compare(a, b Hit) int {
	if t.order(a, b) {
		return -1
	}
	return 1
}

// keysOf asks for the keys of hits that are not known, all at once.
func (t *TopK) keysOf(hits []candidate) {
	t.asked = t.asked[:0]
	for i := range hits {
		if !hits[i].keyed {
			t.asked = append(t.asked, hits[i].Hit)
		}
	}
	if len(t.asked) == 0 {
		return
	}
	t.told = slices.Grow(t.told[:0], len(t.asked))[:len(t.asked)]
	t.key(t.asked, t.told)
	next := 0
	for i := range hits {
		if !hits[i].keyed {
			hits[i].key, hits[i].keyed = t.told[next], true
			next++
		}
	}
}

// Hits returns the hits kept, best first, and empties t. They are the
// caller's.
func (t *TopK) Hits() []Hit {
	t.shrink()
	// Candidates are large, so their scores are sorted by themselves. Hits of one score
	// are in the order in which they were added, in which a nil order wants them.
	t.places = t.places[:0]
	for i := range t.found {
		t.places = append(t.places, place{t.found[i].Score, i})
	}
	slices.SortFunc(t.places, func(a, b place) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return a.at - b.at
	})
	out := make([]Hit, len(t.places))
	tied := t.tied[:0]
	for from := 0; from < len(out); {
		to := t.level(from)
		for i, p := range t.places[from:to] {
			out[from+i] = t.found[p.at].Hit
			if to-from > 1 {
				tied = append(tied, t.found[p.at])
			}
		}
		from = to
	}
	t.tied = tied
	if t.order != nil && len(tied) > 0 {
		if t.key != nil {
			t.keysOf(tied) // of all at once, though only those of one score are compared
		}
		for from := 0; from < len(out); {
			to := t.level(from)
			if n := to - from; n > 1 {
				t.arrange(tied[:n])
				for i := range n {
					out[from+i] = tied[i].Hit
				}
				tied = tied[n:]
			}
			from = to
		}
	}
	t.Reset(0, nil, nil)
	return out
}

// level returns the end of the places of the score of place from.
func (t *TopK) level(from int) int {
	to := from + 1
	for to < len(t.places) && t.places[to].score == t.places[from].score {
		to++
	}
	return to
}
