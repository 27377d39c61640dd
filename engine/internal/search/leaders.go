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

// ledPart is what the leaders of a segment's list are.
type ledPart struct {
	segment int
	*leaders
}

// led returns the hits of a query for a single word from its leaders, nil if they
// are not known or do not suffice.
func (r *run) led(leaf int, o *TopOptions) []Hit {
	r.parts = r.parts[:0]
	whole := true
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		if !seg.holds(leaf) {
			continue
		}
		at := seg.leadersOf(leaf)
		if at == nil {
			return nil
		}
		k := at.under(seg.Scoring, o.Order != nil)
		if k == nil || !k.all && len(k.docs) < o.K {
			return nil
		}
		whole = whole && k.all
		r.parts = append(r.parts, ledPart{i, k})
	}
	weight := uint64(r.q.Leaves[leaf].Weight)
	hits := r.mergeLeaders(weight, o)
	if len(hits) == o.K && hits[o.K-1].Score > 0 || whole && r.alone(leaf) {
		return hits
	}
	return nil
}

// mergeLeaders returns the best hits of r.parts: they are among the best of each.
func (r *run) mergeLeaders(weight uint64, o *TopOptions) []Hit {
	hit := func(p *ledPart, i int) Hit {
		return Hit{Segment: p.segment, Doc: p.docs[i], Score: weight * uint64(p.impacts[i])}
	}
	switch len(r.parts) {
	case 0:
		return nil
	case 1:
		p := &r.parts[0]
		hits := make([]Hit, min(o.K, len(p.docs)))
		for i := range hits {
			hits[i] = hit(p, i)
		}
		return hits
	}
	order := o.Order
	if order == nil { // without one, TopK takes for granted that hits come by document
		order = byDoc
	}
	r.top.Reset(o.K, order, o.Keys)
	for i := range r.parts {
		p := &r.parts[i]
		for j := range min(o.K, len(p.docs)) {
			r.top.Add(hit(p, j))
		}
	}
	return r.top.Hits()
}

// findLeaders finds the leaders of a leaf's lists that are worth it by now. The hits
// are correct without them, so errors, which are those of ctx, say nothing; but
// what was ordered by ids that could not be read is not kept.
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
		var hits []Hit
		var err error
		find := func() { hits, _, err = Top(ctx, q, in) }
		told := true
		if o.Aside != nil {
			told = o.Aside(find)
		} else {
			find()
		}
		if err != nil || !told {
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
