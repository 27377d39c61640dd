package search

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// ErrMalformed marks queries that cannot be run: an index out of range, or an
// expression with the wrong number of operands.
var ErrMalformed = errors.New("malformed query")

// node is an Expr ready to be evaluated. Nodes lie in a slice behind their
// operands.
type node struct {
	op       Op
	arg      int   // leaf or set
	min      int   // of OpAtLeast
	from, to int32 // operands: run.kids[from:to]
	planes   int32 // of OpAtLeast: its counters are run.planes[planes:planes+width]
	width    int32

	// In the slot at hand.
	extent extent
	need   int // of OpAtLeast: how many of the operands with extent some have to match
	// lead is an upper bound of how many documents have to be tried to find
	// all that match; unbounded if they cannot be told from the lists.
	lead  int
	set   *Page
	vague bool // it depends on a vague phrase
	words window
}

// extent says what is known of a condition without looking at documents.
type extent uint8

const (
	none extent = iota
	some
	all
)

// unbounded is the lead of a condition that may hold for any document.
const unbounded = posting.PageSize

// begin makes r ready to run q.
func (r *run) begin(q *Query) error {
	r.q, r.nodes, r.kids = q, r.nodes[:0], r.kids[:0]
	r.after, r.floor, r.need, r.counting, r.loose, r.ranked = nil, 0, 0, false, false, false
	var sum uint64
	for i := range q.Leaves {
		l := &q.Leaves[i]
		if sum += uint64(l.Weight) * score.MaxImpact; sum >= 1<<62 {
			return fmt.Errorf("%w: weights are too large", ErrMalformed)
		}
		switch n := len(q.Segments); {
		case l.Phrases != nil:
			if len(l.Phrases) != n {
				return fmt.Errorf("%w: leaf %d has %d phrases for %d segments", ErrMalformed, i, len(l.Phrases), n)
			}
		case len(l.Lists) != n:
			return fmt.Errorf("%w: leaf %d has %d lists for %d segments", ErrMalformed, i, len(l.Lists), n)
		case l.Leaders != nil && len(l.Leaders) != n:
			return fmt.Errorf("%w: leaf %d has leaders of %d segments of %d", ErrMalformed, i, len(l.Leaders), n)
		}
	}
	r.leaves = slices.Grow(r.leaves[:0], len(q.Leaves))[:len(q.Leaves)]
	for i := range r.leaves {
		r.leaves[i].leaf = i
	}
	r.planes = r.planes[:0]
	root, err := r.compile(q.Match)
	r.root = root
	return err
}

// compile appends the nodes of e and returns the index of e's own.
func (r *run) compile(e *Expr) (int32, error) {
	if e == nil {
		return 0, fmt.Errorf("%w: an expression is missing", ErrMalformed)
	}
	if (e.Op == OpAnd || e.Op == OpOr) && len(e.Kids) == 1 {
		return r.compile(e.Kids[0])
	}
	n := node{op: e.Op, min: e.Min}
	switch e.Op {
	case OpLeaf:
		n.arg = e.Leaf
		if n.arg < 0 || n.arg >= len(r.q.Leaves) {
			return 0, fmt.Errorf("%w: there is no leaf %d", ErrMalformed, n.arg)
		}
	case OpSet:
		n.arg = e.Set
		if n.arg < 0 || n.arg >= len(r.q.Sets) {
			return 0, fmt.Errorf("%w: there is no set %d", ErrMalformed, n.arg)
		}
	case OpAll:
	case OpNot:
		if len(e.Kids) != 1 {
			return 0, fmt.Errorf("%w: negation of %d expressions", ErrMalformed, len(e.Kids))
		}
		fallthrough
	case OpAnd, OpOr, OpAtLeast:
		n.from = int32(len(r.kids))
		r.kids = append(r.kids, make([]int32, len(e.Kids))...)
		n.to = int32(len(r.kids))
		for i, kid := range e.Kids {
			k, err := r.compile(kid)
			if err != nil {
				return 0, err
			}
			r.kids[int(n.from)+i] = k
		}
		if e.Op == OpAtLeast {
			n.planes, n.width = int32(len(r.planes)), int32(bits.Len(uint(len(e.Kids))))
			r.planes = append(r.planes, make([]window, n.width)...)
		}
	default:
		return 0, fmt.Errorf("%w: unknown operation %d", ErrMalformed, e.Op)
	}
	r.nodes = append(r.nodes, n)
	return int32(len(r.nodes) - 1), nil
}

// enter moves r on to a segment.
func (r *run) enter(i int) {
	r.segIndex, r.seg = i, &r.q.Segments[i]
	for l := range r.leaves {
		if p := r.q.phrase(l, i); p != nil {
			r.leaves[l].enterPhrase(p, r.seg.Table.Book(), &r.q.Leaves[l])
		} else {
			r.leaves[l].enter(r.q.list(l, i), &r.q.Leaves[l])
		}
	}
}

// bind moves r on to a slot of the segment, and works out the extents.
func (r *run) bind(slot int) {
	s := &r.seg.Slots[slot]
	r.slotIndex = slot
	r.point(s)
	for l := range r.leaves {
		r.leaves[l].bind(s.Page)
	}
	for i := range r.nodes {
		r.survey(&r.nodes[i], slot)
	}
	if r.nodes[r.root].vague && !r.loose {
		r.settlePhrases(slot)
	}
}

// point makes s the slot that documents and norms are of.
func (r *run) point(s *Slot) {
	r.slot = s
	r.whole = s.Dead == nil && s.First == 0 && s.Last == posting.PageSize-1
}
