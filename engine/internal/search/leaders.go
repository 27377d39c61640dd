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
	known  atomic.Pointer[leaders]
	joint  atomic.Pointer[jointLeaders] // in place of known, at the first segment that has the term
	primed atomic.Pointer[primed]       // see primeLeaf; at the first segment that has the term
	uses   atomic.Uint64                // number of a scoring << 8 | how many searches asked for leaders under it
}

// leaders do not change.
type leaders struct {
	scoring uint64
	ordered bool // by an Order, not by document
	all     bool // there are no others
	docs    []posting.DocID
	impacts []uint16
}

// jointLeaders are the strongest living postings that several segments have of a
// term. They do not change.
type jointLeaders struct {
	leaders
	segments []uint16 // of docs, by their index in the query
}

// LeadersSize is an upper bound of the memory, in bytes, that Leaders of a list
// of df documents take up; joint leaders take no more than those of two lists.
func LeadersSize(df int) int { return 192 + 6*min(df, maxLeaders) }

// under returns the leaders under a scoring, nil if they are not known.
func (l *Leaders) under(scoring uint64, ordered bool) *leaders {
	if k := l.known.Load(); k != nil && k.scoring == scoring && k.ordered == ordered {
		return k
	}
	return nil
}

// jointly returns the leaders of all segments under a scoring, nil if they are not
// known. A scoring names the segments, too: their lists of the term are the same.
func (l *Leaders) jointly(scoring uint64, ordered bool) *jointLeaders {
	if l == nil {
		return nil
	}
	if k := l.joint.Load(); k != nil && k.scoring == scoring && k.ordered == ordered {
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

// leaders returns where the leaders of a leaf in a segment are kept, nil for nowhere.
func (q *Query) leaders(leaf, seg int) *Leaders {
	if l := &q.Leaves[leaf]; l.Leaders != nil && q.Segments[seg].Scoring != 0 && q.list(leaf, seg) != nil {
		return l.Leaders[seg]
	}
	return nil
}

// ledPart is what the leaders of a segment's list are.
type ledPart struct {
	segment int
	at      *Leaders
	*leaders
}

// home returns where the joint leaders of a leaf are kept, and the scoring that they
// are of; nil if fewer than two segments have the leaf, or they cannot have any.
func (r *run) home(leaf int) (home *Leaders, scoring uint64) {
	if at, scoring, several := r.together(leaf); several {
		return at, scoring
	}
	return nil, 0
}

// together returns where it is kept what is known of a leaf in all segments together,
// which is with the list of the first that has it, and the scoring that it is of; nil for
// nowhere. It also tells whether several segments have the leaf.
func (r *run) together(leaf int) (at *Leaders, scoring uint64, several bool) {
	for i := range r.q.Segments {
		if !r.q.holds(leaf, i) {
			continue
		}
		own := r.q.leaders(leaf, i)
		switch {
		case own == nil || at != nil && r.q.Segments[i].Scoring != scoring:
			return nil, 0, false
		case at == nil:
			at, scoring = own, r.q.Segments[i].Scoring
		default:
			several = true
		}
	}
	return at, scoring, several
}

// led returns the hits of a query for a single word from its leaders, nil if they
// are not known or do not suffice.
func (r *run) led(leaf int, o *TopOptions) []Hit {
	hits, whole, known := r.ledHits(leaf, o)
	if known && (len(hits) == o.K && hits[o.K-1].Score > 0 || whole && r.alone(leaf)) {
		return hits
	}
	return nil
}

// ledByBoth is led for a word of which so few documents are known to be all that others
// follow, of a leaf that covers it.
func (r *run) ledByBoth(leaf, cover int, o *TopOptions) []Hit {
	first, whole, known := r.ledHits(leaf, o)
	if !known || !whole && len(first) < o.K || len(first) > 0 && first[len(first)-1].Score == 0 {
		return nil
	}
	hits, whole, known := r.ledHits(cover, o)
	if !known {
		return nil
	}
	raise(first, r.extra(leaf))
	for _, h := range hits {
		if len(first) == o.K {
			break
		}
		if !slices.ContainsFunc(first, func(f Hit) bool { return f.Segment == h.Segment && f.Doc == h.Doc }) {
			first = append(first, h)
		}
	}
	if len(first) == o.K && first[o.K-1].Score > 0 || whole && r.alone(leaf, cover) {
		return first
	}
	return nil
}

// ledHits returns the best hits of a leaf from its leaders, up to K, whether it is known
// that it has no others, but for what K leaves out, and whether they are known at all.
func (r *run) ledHits(leaf int, o *TopOptions) (hits []Hit, whole, known bool) {
	weight := uint64(r.q.Leaves[leaf].Weight)
	home, scoring := r.home(leaf)
	if k := home.jointly(scoring, o.Order != nil); k != nil {
		if !k.all && len(k.docs) < o.K {
			return nil, false, false
		}
		hits := make([]Hit, min(o.K, len(k.docs)))
		for i := range hits {
			hits[i] = Hit{Segment: int(k.segments[i]), Doc: k.docs[i], Score: weight * uint64(k.impacts[i])}
		}
		return hits, k.all, true
	}
	r.parts = r.parts[:0]
	whole = true
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		if !r.q.holds(leaf, i) {
			continue
		}
		at := r.q.leaders(leaf, i)
		if at == nil {
			return nil, false, false
		}
		k := at.under(seg.Scoring, o.Order != nil)
		if k == nil || !k.all && len(k.docs) < o.K {
			return nil, false, false
		}
		whole = whole && k.all
		r.parts = append(r.parts, ledPart{i, at, k})
	}
	hits = r.mergeLeaders(weight, o)
	if home != nil {
		r.joinLeaders(home, scoring, whole, o)
	}
	return hits, whole, true
}

// joinLeaders keeps the best of r.parts, which are the leaders of all segments, in
// place of these.
func (r *run) joinLeaders(home *Leaders, scoring uint64, whole bool, o *TopOptions) {
	in := *o
	in.K = maxLeaders
	var hits []Hit
	if !aside(o, func() { hits = r.mergeLeaders(1, &in) }) {
		return
	}
	k := &jointLeaders{leaders: leaders{scoring: scoring, ordered: o.Order != nil}}
	known := 0
	for _, p := range r.parts {
		known += len(p.docs)
	}
	k.all = whole && known <= maxLeaders
	for _, h := range hits {
		k.docs, k.impacts = append(k.docs, h.Doc), append(k.impacts, uint16(h.Score))
		k.segments = append(k.segments, uint16(h.Segment))
	}
	home.joint.Store(k)
	for _, p := range r.parts {
		p.at.known.Store(nil)
	}
}

// aside calls find as Aside says.
func aside(o *TopOptions, find func()) (told bool) {
	if o.Aside != nil {
		return o.Aside(find)
	}
	find()
	return true
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
	if home, scoring := r.home(leaf); home.jointly(scoring, o.Order != nil) != nil {
		return
	}
	for i := range r.q.Segments {
		seg := &r.q.Segments[i]
		at := r.q.leaders(leaf, i)
		if at == nil || at.under(seg.Scoring, o.Order != nil) != nil || !at.wanted(seg.Scoring) {
			continue
		}
		only := Leaf{Weight: 1, Constant: r.q.Leaves[leaf].Constant, Lists: r.q.Leaves[leaf].Lists[i : i+1]}
		q := &Query{Leaves: []Leaf{only}, Match: &Expr{Op: OpLeaf}, Segments: r.q.Segments[i : i+1], Pool: r.q.Pool}
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
		if told := aside(o, func() { hits, _, err = Top(ctx, q, in) }); err != nil || !told {
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
