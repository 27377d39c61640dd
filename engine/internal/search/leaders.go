package search

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// maxLeaders is how many postings Leaders know at most.
const maxLeaders = 128

// worthLeading is the number of searches for a list under one scoring from which
// on its leaders are looked for, which takes about as long as a few of them.
const worthLeading = 4

// Leaders are the strongest living postings of a list under one scoring, in the
// order of hits: what champions are to the time at which a list was built. The
// searches that use a list find them and leave them here. The zero value knows
// none. Leaders are safe for concurrent use and must not be copied.
type Leaders struct {
	known atomic.Pointer[leaders]
	uses  atomic.Uint64 // number of a scoring << 8 | how many searches asked for leaders under it
}

// leaders do not change.
type leaders struct {
	scoring uint64
	ordered bool // by an Order, not by document
	all     bool // there are no others
	docs    []posting.DocID
	impacts []uint16
}

// LeadersSize is an upper bound of the memory, in bytes, that Leaders of a list
// of df documents take up.
func LeadersSize(df int) int { return 128 + 6*min(df, maxLeaders) }

// under returns the leaders under a scoring, nil if they are not known.
func (l *Leaders) under(scoring uint64, ordered bool) *leaders {
	if k := l.known.Load(); k != nil && k.scoring == scoring && k.ordered == ordered {
		return k
	}
	return nil
}

// wanted notes a search, and tells whether it is time to find the leaders. That
// searches at the same time count as one does no harm.
func (l *Leaders) wanted(scoring uint64) bool {
	n := uint64(1)
	if u := l.uses.Load(); u>>8 == scoring {
		n = min(u&0xff+1, 0xff)
	}
	l.uses.Store(scoring<<8 | n)
	return n >= worthLeading
}

// leadersOf returns where the leaders of a leaf are kept, nil for nowhere.
func (s *Segment) leadersOf(leaf int) *Leaders {
	if s.Leaders == nil || s.Scoring == 0 || s.Lists[leaf] == nil {
		return nil
	}
	return s.Leaders[leaf]
}

// led returns the hits of a query for a single word from its leaders, nil if they
// are not known or do not suffice.
func (r *run) led(leaf int, o *TopOptions) []Hit {
	if o.K > maxLeaders {
		return nil
	}
	parts := 0
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		if !seg.holds(leaf) {
			continue
		}
		at := seg.leadersOf(leaf)
		if at == nil {
			return nil
		}
		if k := at.under(seg.Scoring, o.Order != nil); k == nil || !k.all && len(k.docs) < o.K {
			return nil
		}
		parts++
	}
	if parts == 0 {
		return nil
	}
	// The best hits of all segments are among the best of each.
	order := o.Order
	if order == nil { // hits of a segment are not added by document, as TopK takes for granted without an order
		order = byDoc
	}
	var hits []Hit
	if parts > 1 {
		r.top.Reset(o.K, order, o.Keys)
	}
	weight := uint64(r.q.Leaves[leaf].Weight)
	whole := true
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		if !seg.holds(leaf) {
			continue
		}
		k := seg.leadersOf(leaf).under(seg.Scoring, o.Order != nil)
		if k == nil {
			return nil // somebody has replaced them
		}
		n := min(o.K, len(k.docs))
		whole = whole && k.all
		if parts == 1 {
			hits = make([]Hit, n)
		}
		for j := range n {
			h := Hit{Segment: i, Doc: k.docs[j], Score: weight * uint64(k.impacts[j])}
			if parts == 1 {
				hits[j] = h
			} else {
				r.top.Add(h)
			}
		}
	}
	if parts > 1 {
		hits = r.top.Hits()
	}
	if len(hits) == o.K && o.K > 0 && hits[o.K-1].Score > 0 || whole && r.alone(leaf) {
		return hits
	}
	return nil
}

// findLeaders finds the leaders of a leaf's lists that are worth it by now. hits
// are correct without them, so errors, which are those of ctx, say nothing.
func (r *run) findLeaders(ctx context.Context, leaf int, o *TopOptions) {
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		at := seg.leadersOf(leaf)
		if at == nil || at.under(seg.Scoring, o.Order != nil) != nil || !at.wanted(seg.Scoring) {
			continue
		}
		list := seg.Lists[leaf]
		alone := *seg
		alone.Lists, alone.Leaders, alone.Phrases = []*posting.List{list}, nil, nil
		q := &Query{Leaves: []Leaf{{Weight: 1}}, Match: &Expr{Op: OpLeaf}, Segments: []Segment{alone}, Pool: r.q.Pool}
		in := TopOptions{K: maxLeaders + 1}
		if o.Order != nil {
			in.Order = func(a, b Hit) bool {
				a.Segment, b.Segment = i, i
				return o.Order(a, b)
			}
		}
		if o.Keys != nil {
			in.Keys = func(hits []Hit, keys []Key) {
				hits = slices.Clone(hits)
				for j := range hits {
					hits[j].Segment = i
				}
				o.Keys(hits, keys)
			}
		}
		hits, _, err := Top(ctx, q, in)
		if err != nil {
			return
		}
		k := &leaders{scoring: seg.Scoring, ordered: o.Order != nil, all: len(hits) <= maxLeaders}
		hits = hits[:min(len(hits), maxLeaders)]
		k.docs, k.impacts = make([]posting.DocID, len(hits)), make([]uint16, len(hits))
		for j, h := range hits {
			k.docs[j], k.impacts[j] = h.Doc, uint16(h.Score)
		}
		at.known.Store(k)
	}
}
