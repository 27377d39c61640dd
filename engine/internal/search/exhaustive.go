package search

import (
	"context"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// TopExhaustive is Top without any of its shortcuts: it scores each document
// that matches, with ScoreDoc. It is what Top is tested against.
func TopExhaustive(ctx context.Context, q *Query, o TopOptions) (hits []Hit, total int64, err error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return nil, 0, err
	}
	r.top.Reset(o.K, o.Order)
	err = r.matches(ctx, func(seg, slot int, words *Page) error {
		page := posting.DocID(q.Segments[seg].Slots[slot].Page) << 16
		for i, x := range words {
			for ; x != 0; x &= x - 1 {
				doc := page | posting.DocID(i<<6|bits.TrailingZeros64(x))
				sum, _ := ScoreDoc(q, seg, doc)
				if sum < o.MinScore {
					continue
				}
				total++
				h := Hit{Segment: seg, Doc: doc, Score: sum}
				if o.After == nil || o.After.allows(h) {
					r.top.Add(h)
				}
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

// ScoreDoc returns the score of a document of a segment, which is the sum of
// its parts, and a part for each leaf whose list holds the document. It does
// not ask whether the document matches.
func ScoreDoc(q *Query, seg int, doc posting.DocID) (total uint64, parts []Part) {
	s := &q.Segments[seg]
	for leaf, list := range s.Lists {
		if list == nil {
			continue
		}
		rank, ok := list.Find(doc)
		if !ok {
			continue
		}
		p := Part{Leaf: leaf, Impact: score.MaxImpact}
		if list.HasFreqs && !q.Leaves[leaf].Constant {
			p.Vector = list.Vector(rank, s.Table.Book())
			p.Impact = 0
			if slot := s.slot(uint16(doc >> 16)); slot != nil {
				p.Impact = s.Table.ImpactOf(p.Vector, slot.Norms, int(uint16(doc)-slot.NormBase))
			}
		}
		p.Score = uint64(q.Leaves[leaf].Weight) * uint64(p.Impact)
		total += p.Score
		parts = append(parts, p)
	}
	return total, parts
}
