package engine

import (
	"context"
	"iter"
)

// Hits yields all hits of a request in their order, of one view: the pages that
// Search gives, one after another. Limit is the number of hits in a page, 0 for
// 20, and decides as in Search what MatchAuto matches; a page costs a search,
// so walk through many hits by large pages, and through whole indexes with
// Records. Facets and totals are left out, and Timeout is for each page.
//
// It ends with the first error: one of Search, or context.DeadlineExceeded when
// Timeout has passed.
func (e *Engine) Hits(ctx context.Context, r *Request) iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		if r != nil && r.MinVersion > 0 {
			if err := e.WaitVersion(ctx, r.MinVersion); err != nil {
				yield(Hit{}, err)
				return
			}
		}
		v, err := e.acquire()
		if err != nil {
			yield(Hit{}, err)
			return
		}
		defer e.release(v)
		s := &Snapshot{e: e, v: v}
		s.Hits(ctx, r)(yield)
	}
}

// Hits is as Engine.Hits.
func (s *Snapshot) Hits(ctx context.Context, r *Request) iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		var page Request
		if r != nil {
			page = *r
		}
		page.Facets, page.NoTotal = nil, true
		if page.Limit < 0 {
			return
		}
		for {
			res, err := s.Search(ctx, &page)
			if err == nil && res.TimedOut {
				err = context.DeadlineExceeded
			}
			if err != nil {
				yield(Hit{}, err)
				return
			}
			for _, h := range res.Hits {
				if !yield(h, nil) {
					return
				}
			}
			if res.Next == nil {
				return
			}
			page.After, page.Offset = res.Next, 0
		}
	}
}
