package search

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Page is the set of documents of one page: bit i of word i/64 stands for
// place i.
type Page = collect.Page

// Slot is the part of a segment that lies in one page. Two slots of different
// segments may share a page; no document belongs to both.
type Slot struct {
	Page        uint16
	First, Last uint16      // the lowest and highest place that the slot covers
	Dead        *Page       // documents of the page that are deleted, and numbers between First and Last that no document has; nil = none
	Norms       score.Norms // Norms[f][place-NormBase] is the norm of text field f
	NormBase    uint16
}

// windows returns the first window that the slot reaches into and the one behind
// the last. Lists of the segment have nothing in others.
func (s *Slot) windows() (first, end int) {
	return int(s.First) >> windowShift, int(s.Last)>>windowShift + 1
}

// Segment is what a query needs to know of one segment of the index.
type Segment struct {
	Slots  []Slot // by ascending page, one for each page that the segment has documents in
	Table  *score.Table
	Bounds *[256]uint16 // byte bound -> upper bound of impacts under Table; see score.Bounds
	Exact  bool         // impacts are what they were when the lists were built
	// Scoring names Table together with what is dead: segments of one number and
	// one list have the same impacts and living documents. 0: they have no name.
	Scoring uint64
}

// slot returns the slot of a page, nil if there is none.
func (s *Segment) slot(page uint16) *Slot {
	i, ok := slices.BinarySearchFunc(s.Slots, page, func(s Slot, page uint16) int { return int(s.Page) - int(page) })
	if !ok {
		return nil
	}
	return &s.Slots[i]
}

// allLive tells whether no document of the segment is dead.
func (s *Segment) allLive() bool {
	for i := range s.Slots {
		if s.Slots[i].Dead != nil {
			return false
		}
	}
	return true
}

// Leaf is one term, a phrase, or lists that were made for this query, and says how
// their postings take part in scores.
type Leaf struct {
	Weight   uint32 // 0: matches but does not score
	Constant bool   // every posting has impact MaxImpact, as it also has in lists without frequencies
	// Covers is 1 + another leaf, each document of which this one has, too; 0: none is
	// known to be. This one is Constant.
	Covers int

	Lists []*posting.List // by segment; nil where it does not have the term
	// Leaders has, by segment, where the strongest postings of a list are kept while
	// it is, nil for nowhere. It may itself be nil.
	Leaders []*Leaders
	// Living is where it is kept which documents of Lists live; nil: nowhere.
	Living *Living
	// Phrases are, by segment, what a phrase is in place of lists; nil for other leaves.
	Phrases []*Phrase
}

// list returns what a segment has of a leaf that is no phrase, nil if it has nothing.
func (q *Query) list(leaf, seg int) *posting.List {
	if l := &q.Leaves[leaf]; l.Phrases == nil {
		return l.Lists[seg]
	}
	return nil
}

// phrase returns what a leaf is in a segment if it is a phrase, else nil.
func (q *Query) phrase(leaf, seg int) *Phrase {
	if l := &q.Leaves[leaf]; l.Phrases != nil {
		return l.Phrases[seg]
	}
	return nil
}

// holds tells whether any document of a segment may hold a leaf.
func (q *Query) holds(leaf, seg int) bool {
	return q.list(leaf, seg) != nil || q.phrase(leaf, seg) != nil
}

// Set is a set of documents that was made outside of the postings: a filter.
type Set struct {
	// Words returns the set's documents in the page of a slot, nil if there
	// are none. Documents that do not belong to the slot are disregarded. It
	// may be called more than once for a slot, and what it returns must not
	// change before the search has ended.
	Words func(seg, slot int) *Page
}

// Op is the kind of an Expr.
type Op uint8

// The kinds of expressions.
const (
	OpLeaf    Op = iota // documents in the list of Leaf
	OpSet               // documents in the set Set
	OpAll               // every document
	OpAnd               // documents that match all Kids; every document if there are none
	OpOr                // documents that match one of Kids
	OpNot               // documents that do not match Kids[0]
	OpAtLeast           // documents that match at least Min of Kids
)

// Expr is a condition on documents. Deleted documents match nothing, whatever
// the condition. An Expr is read only, so one may stand in several places.
type Expr struct {
	Op   Op
	Leaf int     // index in Query.Leaves
	Set  int     // index in Query.Sets
	Kids []*Expr // operands
	Min  int     // of OpAtLeast; every document if it is 0 or less
}

// Query is a condition and a way to score, bound to the segments of one
// snapshot. It is read only while it runs and may run several times at once.
//
// The score of a document is the sum of Weight times impact over all leaves
// whose list holds the document, wherever in Match they stand and even if they
// do not stand there. The caller keeps the sum of Weight*MaxImpact over all
// leaves below 1<<62.
type Query struct {
	Leaves   []Leaf
	Sets     []Set
	Match    *Expr
	Segments []Segment
	Pool     *Pool // memory that queries use one after another; nil: each call has its own
}

// Hit is a document and its score.
type Hit = collect.Hit

// Order decides between hits of equal score: whether a stands before b. It is
// a strict total order on documents.
type Order = collect.Order

// Key is a part of what Order goes by.
type Key = collect.Key

// Keys tells the keys of hits.
type Keys = collect.Keys

// Aside calls find, which asks Order and Keys about hits that the answer does not
// need, and returns whether they could tell. If not, the answer is none the worse.
type Aside func(find func()) (told bool)

// Cursor is a place in the order of hits.
type Cursor struct {
	Score uint64
	// After tells whether a hit whose score is Score stands behind the
	// cursor. nil: none does.
	After func(h Hit) bool
}

// TopOptions says which hits Top returns.
type TopOptions struct {
	K        int     // how many at most
	Order    Order   // nil: by segment, then by document number
	Keys     Keys    // what can be told of Order at less cost; nil: nothing
	Aside    Aside   // nil: Order and Keys can always tell
	After    *Cursor // only hits behind it; nil: from the first one on
	MinScore uint64  // only hits with at least this score
	Count    bool    // whether the total is wanted
}

// Part is what one leaf gives to the score of a document.
type Part struct {
	Leaf   int
	Vector score.Vector // the frequencies of the term; nil if the impact is constant
	Impact uint16
	Score  uint64 // Weight * Impact
}

// PhraseOptions says when words form a phrase. See NewPhrase.
type PhraseOptions struct {
	Offsets []int  // by word: its position in the phrase; nil: 0, 1, 2 and so on
	Slop    int    // by how much the words may be out of place
	Fields  []bool // by ordinal: the text fields that may hold the phrase; those beyond the end do not; nil: any
}
