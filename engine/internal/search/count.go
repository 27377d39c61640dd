package search

import (
	"context"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Count returns the number of documents that match. It scores nothing, and
// where a cardinality says how many there are it reads no documents either.
func Count(ctx context.Context, q *Query) (int64, error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return 0, err
	}
	return r.count(ctx)
}

func (r *run) count(ctx context.Context) (total int64, err error) {
	err = r.slots(ctx, func() error {
		total += int64(r.countSlot())
		return nil
	})
	return total, err
}

// countSlot returns the number of documents of the slot that match.
func (r *run) countSlot() (n int) {
	root := &r.nodes[r.root]
	if n, ok := r.countCards(root); ok {
		return n
	}
	if r.seekMatches() {
		for place := range r.lead.drain {
			if r.isAlive(place) && r.test(r.root, place) {
				n++
			}
		}
		return n
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

// countCards counts without evaluating the condition, if it is simple enough:
// one list, or one or both of two.
func (r *run) countCards(n *node) (int, bool) {
	if n.vague {
		return 0, false
	}
	if n.op == OpLeaf {
		c := r.leaves[n.arg].c
		return c.Card - r.countDead(c), true
	}
	if n.op != OpOr && n.op != OpAnd {
		return 0, false
	}
	var leaves [2]*posting.Container
	found := 0
	for _, k := range r.kids[n.from:n.to] {
		kid := &r.nodes[k]
		if kid.extent == none {
			continue // n is a union, since its own extent is not none
		}
		if kid.op != OpLeaf || found == len(leaves) {
			return 0, false
		}
		leaves[found] = r.leaves[kid.arg].c
		found++
	}
	a, b := leaves[0], leaves[1]
	switch {
	case found == 1:
		return a.Card - r.countDead(a), true
	case found == 0:
		return 0, false
	case a == b:
		return a.Card - r.countDead(a), true
	}
	both := r.countBoth(a, b)
	if n.op == OpAnd {
		return both, true
	}
	return a.Card - r.countDead(a) + b.Card - r.countDead(b) - both, true
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
	for a := c.Array; len(a) >= 2; a = a[2:] {
		n += int(bit(dead, element(a, 0)))
	}
	return n
}

// bit is 1 if a place is in p, else 0.
func bit(p *Page, place int) uint64 { return p[place>>6&(len(p)-1)] >> (place & 63) & 1 }

// countBoth returns the number of living documents that both containers hold.
func (r *run) countBoth(a, b *posting.Container) (n int) {
	dead := r.slot.Dead
	if a.Words != nil {
		a, b = b, a
	}
	if a.Words != nil {
		for i, end := r.slot.words(); i < end; i++ {
			x := a.Words[i] & b.Words[i]
			if dead != nil {
				x &^= dead[i]
			}
			n += bits.OnesCount64(x)
		}
		return n
	}
	if b.Words != nil {
		for x := a.Array; len(x) >= 2; x = x[2:] {
			in := bit(b.Words, element(x, 0))
			if dead != nil {
				in &^= bit(dead, element(x, 0))
			}
			n += int(in)
		}
		return n
	}
	if a.Card > b.Card {
		a, b = b, a
	}
	at := 0
	for i := range a.Card {
		place := element(a.Array, i)
		at = seek(b.Array, at, place)
		if at == b.Card {
			break
		}
		if element(b.Array, at) == place && (dead == nil || bit(dead, place) == 0) {
			n++
		}
	}
	return n
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
