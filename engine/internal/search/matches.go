package search

import (
	"context"
	"math/bits"
)

// Matches calls f with the documents that match, for each slot that has any,
// in order. f must neither keep nor change words. An error of f ends the call
// and is returned as it is.
func Matches(ctx context.Context, q *Query, f func(seg, slot int, words *Page) error) error {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return err
	}
	return r.matches(ctx, f)
}

// Histogram returns how many of the documents that match satisfy exactly 0, 1,
// and so on up to all of groups, which are conditions over the leaves and sets
// of q: result[n] is the number of those that satisfy n.
func Histogram(ctx context.Context, q *Query, groups []*Expr) ([]int64, error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return nil, err
	}
	roots := make([]int32, len(groups))
	for i, g := range groups {
		k, err := r.compile(g)
		if err != nil {
			return nil, err
		}
		roots[i] = k
	}
	counts := make(counters, bits.Len(uint(len(groups))))
	out := make([]int64, len(groups)+1)
	err := r.slots(ctx, func() error {
		for w := range windows {
			x := r.eval(r.root, w)
			if x == nil {
				continue
			}
			if x = r.alive(x, w); x == nil {
				continue
			}
			clear(counts)
			for _, k := range roots {
				if g := r.eval(k, w); g != nil {
					counts.add(g)
				}
			}
			for n := range out {
				for i, word := range x {
					if word != 0 {
						out[n] += int64(bits.OnesCount64(word & counts.exactly(uint(n), i)))
					}
				}
			}
		}
		return nil
	})
	return out, err
}

func (r *run) matches(ctx context.Context, f func(seg, slot int, words *Page) error) error {
	return r.slots(ctx, func() error {
		any := false
		if r.seekMatches() {
			r.page = Page{}
			for place := range r.lead.drain {
				if r.isAlive(place) && r.test(r.root, place) {
					r.page[place>>6] |= 1 << (place & 63)
					any = true
				}
			}
			if !any {
				return nil
			}
			return f(r.segIndex, r.slotIndex, &r.page)
		}
		for w := range windows {
			out := (*window)(r.page[w*windowWords:])
			x := r.eval(r.root, w)
			if x != nil {
				x = r.alive(x, w)
			}
			if x == nil {
				*out = window{}
				continue
			}
			*out = *x
			any = any || *out != window{}
		}
		if !any {
			return nil
		}
		return f(r.segIndex, r.slotIndex, &r.page)
	})
}
