package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Count returns the number of documents that match. It scores nothing, and
// where a cardinality says how many there are it reads no documents either.
func Count(ctx context.Context, q *Query) (int64, error) {
	return CountTo(ctx, q, math.MaxInt64)
}

// CountTo is Count that may end once it has come to most: a result below most is the number
// of documents that match, another one says that there are as many as that or more.
func CountTo(ctx context.Context, q *Query, most int64) (int64, error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return 0, err
	}
	return r.count(ctx, most)
}

// errCounted ends a count that has come to as many documents as are wanted.
var errCounted = errors.New("counted")

// count is CountTo.
func (r *run) count(ctx context.Context, most int64) (total int64, err error) {
	if r.isPlain() {
		return r.countPlain(ctx, most)
	}
	err = r.slots(ctx, func() error {
		if total += int64(r.countSlot()); total >= most {
			return errCounted
		}
		return nil
	})
	if err == errCounted {
		err = nil
	}
	return total, err
}

// isPlain tells whether the condition is a list, or a union or intersection of lists.
func (r *run) isPlain() bool {
	root := &r.nodes[r.root]
	if root.op == OpLeaf {
		return r.q.Leaves[root.arg].Phrases == nil
	}
	for _, k := range r.kids[root.from:root.to] {
		if kid := &r.nodes[k]; kid.op != OpLeaf || r.q.Leaves[kid.arg].Phrases != nil {
			return false
		}
	}
	return (root.op == OpOr || root.op == OpAnd) && root.from < root.to
}

// countPlain is count for such a condition, without what it takes to get ready for others:
// where segments are small, that would be a third of the time.
func (r *run) countPlain(ctx context.Context, most int64) (total int64, err error) {
	root, self := &r.nodes[r.root], [1]int32{r.root}
	kids := r.kids[root.from:root.to]
	if root.op == OpLeaf {
		kids = self[:]
	}
	if r.isScattered() {
		if total, known, err := r.countLiving(ctx, root.op, kids, most); known {
			return total, err
		}
	}
	for i := range r.q.Segments {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("search: %w", err)
		}
		r.segIndex, r.seg = i, &r.q.Segments[i]
		for _, k := range kids {
			v := &r.leaves[r.nodes[k].arg]
			v.list, v.phrase, v.next, v.c = r.q.list(v.leaf, i), nil, 0, nil
		}
		for slot := range r.seg.Slots {
			r.slot = &r.seg.Slots[slot]
			if r.flattenPlain(root.op, kids) {
				if total += int64(r.countFlat(root.op)); total >= most {
					return total, nil
				}
			}
		}
	}
	return total, nil
}

// flattenPlain sets r.flat to the containers of some leaves in the slot at hand. It
// returns false if no document matches.
func (r *run) flattenPlain(op Op, kids []int32) bool {
	r.flat = r.flat[:0]
	for _, k := range kids {
		v := &r.leaves[r.nodes[k].arg]
		v.bind(r.slot.Page)
		if v.c == nil {
			if op == OpAnd {
				return false
			}
			continue
		}
		r.flatAdd(v.c)
	}
	return len(r.flat) > 0
}

// flatAdd adds a container to r.flat.
func (r *run) flatAdd(c *posting.Container) {
	r.flat = append(r.flat, c)
	for i := len(r.flat) - 1; i > 0 && r.flat[i].Card < r.flat[i-1].Card; i-- {
		r.flat[i], r.flat[i-1] = r.flat[i-1], r.flat[i]
	}
}

// countSlot returns the number of documents of the slot that match.
func (r *run) countSlot() (n int) {
	root := &r.nodes[r.root]
	if r.flatten(root) {
		return r.countFlat(root.op)
	}
	if r.seekMatches() {
		return len(r.keepMatching(r.root, r.takeLead()))
	}
	for w, end := r.slot.windows(); w < end; w++ {
		if x := r.eval(r.root, w); x != nil {
			if x = r.alive(x, w); x != nil {
				n += x.count()
			}
		}
	}
	return n
}

// flatten sets r.flat to the containers of a node, those with the fewest documents
// first, and tells whether it is a list, or a union or intersection of lists.
func (r *run) flatten(n *node) bool {
	r.flat = r.flat[:0]
	if n.vague || n.op != OpLeaf && n.op != OpOr && n.op != OpAnd {
		return false
	}
	if n.op == OpLeaf {
		r.flat = append(r.flat, r.leaves[n.arg].c)
		return true
	}
	for _, k := range r.kids[n.from:n.to] {
		kid := &r.nodes[k]
		if kid.extent == none {
			continue // n is a union, since its own extent is not none
		}
		if kid.op != OpLeaf {
			return false
		}
		r.flatAdd(r.leaves[kid.arg].c)
	}
	return len(r.flat) > 0
}

// countFlat returns the number of living documents of the slot that one, or all, of the
// containers of r.flat hold.
func (r *run) countFlat(op Op) int {
	a := r.flat[0]
	switch {
	case len(r.flat) == 1:
		return r.countLive(a)
	case len(r.flat) == 2:
		b := r.flat[1]
		if a == b {
			return r.countLive(a)
		}
		both := r.countBoth()
		if op == OpAnd {
			return both
		}
		return r.countLive(a) + r.countLive(b) - both
	case op == OpAnd:
		return r.countAll()
	}
	return r.countUnion()
}

// countLive returns the number of living documents of a container.
func (r *run) countLive(c *posting.Container) int { return c.Card - r.countDead(c) }

// countAll returns the number of living documents that all containers of r.flat hold.
func (r *run) countAll() int {
	// Phrases are arrays, however many documents hold them.
	i := slices.IndexFunc(r.flat, func(c *posting.Container) bool { return c.Words == nil })
	if i < 0 {
		return r.countWords(OpAnd)
	}
	first := r.flat[i]
	copy(r.flat[1:i+1], r.flat[:i])
	r.flat[0] = first
	return r.countArrays()
}

// unite sets the words of the slot in r.page to the living documents that a container
// of r.flat holds.
func (r *run) unite() {
	first, end := r.slot.words()
	page := r.page[first:end]
	clear(page)
	for _, c := range r.flat {
		if c.Words == nil {
			r.markAll(c)
			continue
		}
		for i, x := range c.Words[first:end] {
			page[i] |= x
		}
	}
	if dead := r.slot.Dead; dead != nil {
		for i, x := range dead[first:end] {
			page[i] &^= x
		}
	}
}

// words returns the first word of the page that the slot reaches into and the one
// behind the last.
func (s *Slot) words() (first, end int) { return int(s.First) >> wordShift, int(s.Last)>>wordShift + 1 }

// countDead returns the number of documents of c that are dead.
func (r *run) countDead(c *posting.Container) (n int) {
	dead := r.slot.Dead
	if dead == nil {
		return 0
	}
	if c.Words != nil {
		for i, end := r.slot.words(); i < end; i++ {
			n += bits.OnesCount64(c.Words[i] & dead[i])
		}
		return n
	}
	return countIn(c.Array, dead)
}

// bit is 1 if a place is in p, else 0.
func bit(p *Page, place int) uint64 { return p[place>>6&(len(p)-1)] >> (place & 63) & 1 }

// countBoth returns the number of living documents that both containers hold, which are
// those of r.flat.
func (r *run) countBoth() (n int) {
	a, b, dead := r.flat[0], r.flat[1], r.slot.Dead
	if a.Words != nil {
		a, b = b, a
	}
	if a.Words != nil {
		return r.countWords(OpAnd)
	}
	if b.Words != nil {
		if dead != nil {
			return countBut(a.Array, b.Words, dead)
		}
		return countIn(a.Array, b.Words)
	}
	return r.countArrays()
}

// countScores returns the number of documents that match and reach least,
// which is positive.
func (r *run) countScores(ctx context.Context, least uint64) (int64, error) {
	r.top.Reset(0, nil, nil)
	r.counting, r.counted, r.need = true, 0, least
	err := r.slots(ctx, r.best)
	r.counting = false
	return r.counted, err
}

// count returns the number of documents of x.
func (x *window) count() (n int) {
	for _, word := range x {
		n += bits.OnesCount64(word)
	}
	return n
}
