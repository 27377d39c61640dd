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
	for _, l := range q.Leaves {
		if sum += uint64(l.Weight) * score.MaxImpact; sum >= 1<<62 {
			return fmt.Errorf("%w: weights are too large", ErrMalformed)
		}
	}
	for i := range q.Segments {
		s := &q.Segments[i]
		if len(s.Lists) != len(q.Leaves) {
			return fmt.Errorf("%w: segment %d has %d lists for %d leaves", ErrMalformed, i, len(s.Lists), len(q.Leaves))
		}
		if s.Phrases != nil && len(s.Phrases) != len(q.Leaves) {
			return fmt.Errorf("%w: segment %d has %d phrases for %d leaves", ErrMalformed, i, len(s.Phrases), len(q.Leaves))
		}
	}
	r.leaves = slices.Grow(r.leaves[:0], len(q.Leaves))[:len(q.Leaves)]
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
		if r.seg.Phrases != nil && r.seg.Phrases[l] != nil {
			r.leaves[l].enterPhrase(r.seg.Phrases[l], r.seg.Table.Book(), r.q.Leaves[l])
		} else {
			r.leaves[l].enter(r.seg.Lists[l], r.q.Leaves[l])
		}
	}
	r.rows = nil
	if r.seg.Table != nil {
		r.rows = r.seg.Table.Rows()
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
	r.slot, r.norms = s, nil
	if r.rows != nil && len(s.Norms) > 0 {
		r.norms = s.Norms[0]
	}
	r.whole = s.Dead == nil && s.First == 0 && s.Last == posting.PageSize-1
}

// survey works out extent and lead of a node from those of its operands.
func (r *run) survey(n *node, slot int) {
	kids := r.kids[n.from:n.to]
	n.extent, n.lead, n.vague = some, unbounded, false
	for _, k := range kids {
		n.vague = n.vague || r.nodes[k].vague
	}
	switch n.op {
	case OpLeaf:
		if c := r.leaves[n.arg].c; c != nil {
			n.lead, n.vague = c.Card, r.leaves[n.arg].vague()
		} else {
			n.extent = none
		}
	case OpSet:
		if n.set = r.q.Sets[n.arg].Words(r.segIndex, slot); n.set == nil {
			n.extent = none
		}
	case OpAll:
		n.extent = all
	case OpNot:
		n.extent = all - r.nodes[kids[0]].extent
	case OpAnd:
		n.extent = all
		for _, k := range kids {
			n.extent = min(n.extent, r.nodes[k].extent)
			n.lead = min(n.lead, r.nodes[k].lead)
		}
	case OpOr:
		n.extent, n.lead = none, 0
		for _, k := range kids {
			n.extent = max(n.extent, r.nodes[k].extent)
			n.lead = min(n.lead+r.nodes[k].lead, unbounded)
		}
	case OpAtLeast:
		n.need = n.min
		open := 0
		for _, k := range kids {
			switch r.nodes[k].extent {
			case all:
				n.need--
			case some:
				open++
			}
		}
		switch {
		case n.need <= 0:
			n.extent = all
		case open < n.need:
			n.extent = none
		default:
			// A document that n.need of the operands hold is in one of those
			// that are left when any n.need-1 are taken away.
			slices.SortFunc(kids, func(a, b int32) int { return r.nodes[a].lead - r.nodes[b].lead })
			n.lead = 0
			for _, k := range r.leading(n) {
				n.lead = min(n.lead+r.nodes[k].lead, unbounded)
			}
		}
	}
	if n.extent == none {
		n.lead = 0
	}
	if n.extent != some {
		n.vague = false
	}
}

// leading returns the operands of an OpAtLeast with extent some one of which
// each matching document satisfies.
func (r *run) leading(n *node) []int32 {
	kids := r.kids[n.from:n.to]
	first, last := len(kids), 0
	left := n.need - 1
	for i, k := range slices.Backward(kids) {
		if r.nodes[k].extent != some {
			continue
		}
		if left > 0 {
			left--
			continue
		}
		if last == 0 {
			last = i + 1
		}
		first = i
	}
	return kids[first:last]
}

// eval returns the documents of window w that satisfy node i, nil for none.
// The result is valid until the next call for the same node and must not be
// changed. It may hold documents that are dead or outside of the slot. While
// r.loose is set, it may hold documents that do not satisfy a vague node.
func (r *run) eval(i int32, w int) *window {
	n := &r.nodes[i]
	switch n.extent {
	case none:
		return nil
	case all:
		return &r.ones
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		x := r.leaves[n.arg].load(w)
		if x == nil || !n.vague || r.loose {
			return x
		}
		return r.confirmed(n, []int32{i}, x, w)
	case OpSet:
		return (*window)(n.set[w*windowWords:])
	case OpNot:
		if n.vague && r.loose {
			return &r.ones
		}
		a := r.eval(kids[0], w)
		if a == nil {
			return &r.ones
		}
		for j, x := range a {
			n.words[j] = ^x
		}
		return &n.words
	case OpAnd:
		return r.evalAnd(n, kids, w)
	case OpOr:
		return r.evalOr(n, kids, w)
	}
	return r.evalAtLeast(n, kids, w)
}

// evalAnd begins with the operand that has the fewest documents, in the hope
// that there are none.
func (r *run) evalAnd(n *node, kids []int32, w int) *window {
	first := kids[0]
	for _, k := range kids {
		if r.nodes[k].lead < r.nodes[first].lead {
			first = k
		}
	}
	acc := r.rough(first, w)
	if acc == nil {
		return nil
	}
	for _, k := range kids {
		kid := &r.nodes[k]
		if k == first || kid.extent == all {
			continue
		}
		any := uint64(0)
		if kid.op == OpNot {
			if r.deferred(k) {
				continue
			}
			b := r.eval(r.kids[kid.from], w)
			if b == nil {
				continue
			}
			for j := range n.words {
				x := acc[j] &^ b[j]
				n.words[j] = x
				any |= x
			}
		} else {
			b := r.rough(k, w)
			if b == nil {
				return nil
			}
			for j := range n.words {
				x := acc[j] & b[j]
				n.words[j] = x
				any |= x
			}
		}
		if any == 0 {
			return nil
		}
		acc = &n.words
	}
	if n.vague && !r.loose {
		return r.confirmed(n, kids, acc, w)
	}
	return acc
}

func (r *run) evalOr(n *node, kids []int32, w int) *window {
	var acc *window
	for _, k := range kids {
		b := r.eval(k, w)
		switch {
		case b == nil:
		case acc == nil:
			acc = b
		default:
			for j := range n.words {
				n.words[j] = acc[j] | b[j]
			}
			acc = &n.words
		}
	}
	return acc
}

func (r *run) evalAtLeast(n *node, kids []int32, w int) *window {
	count := counters(r.planes[n.planes : n.planes+n.width])
	clear(count)
	for _, k := range kids {
		if r.nodes[k].extent != some {
			continue
		}
		if b := r.eval(k, w); b != nil {
			count.add(b)
		}
	}
	if !count.atLeast(uint(n.need), &n.words) {
		return nil
	}
	return &n.words
}

// test tells whether place satisfies node i. Between two calls of bind, places
// are asked for in ascending order.
func (r *run) test(i int32, place int) bool {
	n := &r.nodes[i]
	if n.extent != some {
		return n.extent == all
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		return r.leaves[n.arg].holds(place)
	case OpSet:
		return n.set[place>>6]>>(place&63)&1 != 0
	case OpNot:
		return !r.test(kids[0], place)
	case OpAnd:
		for _, k := range kids {
			if !r.test(k, place) {
				return false
			}
		}
		return true
	case OpOr:
		for _, k := range kids {
			if r.test(k, place) {
				return true
			}
		}
		return false
	}
	left := n.need
	for _, k := range kids {
		if r.nodes[k].extent == some && r.test(k, place) {
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// seekMatches fills r.lead with a few documents, dead ones included, among
// which all that match are. It returns false if there are too many.
func (r *run) seekMatches() bool {
	root := &r.nodes[r.root]
	if root.lead > probeLimit {
		return false
	}
	r.markLead(r.root)
	if root.op == OpAnd {
		// All of these documents satisfy what they were taken from.
		if lead := &r.nodes[r.leadingOf(root)]; lead.op == OpLeaf && !lead.vague {
			lead.extent = all
		}
	}
	return true
}

// leadingOf returns the operand of an OpAnd that has the fewest documents.
func (r *run) leadingOf(n *node) int32 {
	return slices.MinFunc(r.kids[n.from:n.to], func(a, b int32) int { return r.nodes[a].lead - r.nodes[b].lead })
}

// markLead adds to r.lead the documents among which all that satisfy node i
// are. The node has a lead below unbounded.
func (r *run) markLead(i int32) {
	n := &r.nodes[i]
	if n.extent == none {
		return
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		r.lead.add(r.leaves[n.arg].c)
	case OpAnd:
		r.markLead(r.leadingOf(n))
	case OpOr:
		for _, k := range kids {
			r.markLead(k)
		}
	case OpAtLeast:
		for _, k := range r.leading(n) {
			r.markLead(k)
		}
	}
}

// alive takes the documents that are dead, or outside of the slot, out of x,
// which is of window w. The result is x or r.mask.
func (r *run) alive(x *window, w int) *window {
	if r.whole {
		return x
	}
	first, last := int(r.slot.First)-w<<windowShift, int(r.slot.Last)-w<<windowShift
	if last < 0 || first >= 1<<windowShift {
		return nil
	}
	out := &r.mask
	if r.slot.Dead != nil {
		dead := (*window)(r.slot.Dead[w*windowWords:])
		for i := range out {
			out[i] = x[i] &^ dead[i]
		}
	} else {
		*out = *x
	}
	if first > 0 {
		clear(out[:first>>6])
		out[first>>6] &= ^uint64(0) << (first & 63)
	}
	if last < 1<<windowShift-1 {
		clear(out[last>>6+1:])
		out[last>>6] &= ^uint64(0) >> (63 - last&63)
	}
	return out
}

// isAlive is alive for one place.
func (r *run) isAlive(place int) bool {
	s := r.slot
	return r.whole || place >= int(s.First) && place <= int(s.Last) && (s.Dead == nil || s.Dead[place>>6]>>(place&63)&1 == 0)
}
