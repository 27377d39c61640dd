package search

import (
	"context"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TopExhaustive is Top without any of its shortcuts: it scores each document
// that matches, with Score. It is what Top is tested against.
func TopExhaustive(ctx context.Context, q *Query, o TopOptions) (hits []Hit, total int64, err error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return nil, 0, err
	}
	r.top.Reset(o.K, o.Order, o.Keys)
	err = r.matches(ctx, func(seg, slot int, words *Page) error {
		page := posting.DocID(q.Segments[seg].Slots[slot].Page) << 16
		for place := range collect.Places(words) {
			h := Hit{Segment: seg, Doc: page | posting.DocID(place)}
			h.Score = Score(q, seg, h.Doc)
			if h.Score < o.MinScore {
				continue
			}
			total++
			if o.After == nil || o.After.allows(h) {
				r.top.Add(h)
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if !o.Count {
		total = 0
	}
	return r.top.Hits(), total, nil
}

// allows tells whether h stands behind the cursor.
func (c *Cursor) allows(h Hit) bool {
	return h.Score < c.Score || h.Score == c.Score && c.After != nil && c.After(h)
}
