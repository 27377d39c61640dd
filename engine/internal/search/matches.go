package search

import "context"

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
		if root := &r.nodes[r.root]; root.op != OpAnd && r.flatten(root) {
			first, end := r.slot.words()
			clear(r.page[:first])
			clear(r.page[end:])
			if r.unite(); r.page == (Page{}) {
				return nil
			}
			return f(r.segIndex, r.slotIndex, &r.page)
		}
		first, end := r.slot.windows()
		clear(r.page[:first*windowWords])
		clear(r.page[end*windowWords:])
		for w := first; w < end; w++ {
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
