package search

import (
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// unseen is what is known of the postings of a segment that were not scored.
type unseen struct {
	most uint64 // no score is above it
	last Hit    // of those with this score, this one stands before all, or is not one
	tied bool   // last is known
}

// strongest returns the best hits of a query for a single word, a leaf, where the champions
// of its lists are sure to be among them, and otherwise nil and a score that at
// least K documents reach, or 0. Champions are the strongest in the order of hits,
// as it was when the list was built. Where impacts are still what they were, no
// other posting comes before the last champion; where they have changed, it is
// known how strong the others can have become.
func (r *run) strongest(leaf int, o *TopOptions) (hits []Hit, floor uint64) {
	if hits := r.inOrder(leaf, o); hits != nil {
		return hits, 0
	}
	order := o.Order
	if order == nil { // of which TopK takes for granted that hits come in it
		order = byDoc
	}
	if !r.enough(leaf, o.K) || !r.tryStrongest(leaf, o, order) {
		return nil, 0
	}
	full := r.top.Len() == o.K
	hits = r.top.Hits()
	if full {
		floor = hits[o.K-1].Score
	}
	if r.noneUnseen(hits, full, order) && (full && floor > 0 || r.alone(leaf)) {
		return hits, floor
	}
	return nil, floor
}

// ofUse returns how many champions of a list are worth scoring: where they come in
// the order of hits, as many as hits are wanted, and some that may be dead.
func ofUse(seg *Segment, list *posting.List, k int) int {
	if seg.Exact {
		return min(list.Champions(), k+k/4+1)
	}
	return list.Champions()
}

// inOrder is strongest for a word that is in one segment only, and whose impacts
// are what they were: its champions are the hits.
func (r *run) inOrder(leaf int, o *TopOptions) []Hit {
	only := -1
	for i := range r.q.Segments {
		if r.q.holds(leaf, i) {
			if only >= 0 {
				return nil
			}
			only = i
		}
	}
	if only < 0 {
		return nil
	}
	seg := &r.q.Segments[only]
	list := r.q.list(leaf, only)
	if list == nil || !seg.Exact || !usable(list, o) || list.Champions() < min(o.K, list.DF) {
		return nil
	}
	r.enter(only)
	r.slot = nil
	for _, n := range [...]int{ofUse(seg, list, o.K), list.Champions()} {
		hits := make([]Hit, 0, min(o.K, list.DF))
		r.champions = list.AppendChampions(r.champions[:0], n)
		for _, c := range r.champions {
			if len(hits) == o.K {
				break
			}
			if h, alive := r.hitOf(&r.leaves[leaf], c.Rank, c.Doc); alive {
				hits = append(hits, h)
			}
		}
		if len(hits) == o.K && hits[o.K-1].Score > 0 || len(r.champions) == list.DF && r.alone(leaf) {
			return hits
		}
	}
	return nil
}

// usable tells whether the champions of a list come in the order of hits.
func usable(list *posting.List, o *TopOptions) bool {
	ranked, ordered, _ := list.Ranking()
	return ranked && ordered == (o.Order != nil)
}

// enough tells whether there are k postings, or all, among the champions, and not so
// many that scoring them takes longer than it spares.
func (r *run) enough(leaf, k int) bool {
	whole, some := true, 0
	for i := range r.q.Segments {
		seg, list := &r.q.Segments[i], r.q.list(leaf, i)
		switch {
		case list == nil:
		case list.Champions() == 0:
			some += list.DF
		default:
			kept := ofUse(seg, list, k)
			some += kept
			whole = whole && kept == list.DF
		}
	}
	return (whole || some >= k) && some <= max(posting.SmallMax, 16*k)
}

// alone tells whether nothing matches but what holds one of some leaves: else there may
// be documents without a score behind those.
func (r *run) alone(leaves ...int) bool {
	root := &r.nodes[r.root]
	for root.op == OpOr && root.to-root.from == 1 {
		root = &r.nodes[r.kids[root.from]]
	}
	if root.op == OpLeaf {
		return slices.Contains(leaves, root.arg)
	}
	for _, k := range r.kids[root.from:root.to] {
		if kid := &r.nodes[k]; kid.op != OpLeaf || !slices.Contains(leaves, kid.arg) {
			return false
		}
	}
	return root.op == OpOr
}

// byDoc is what no Order stands for.
func byDoc(a, b Hit) bool {
	return a.Segment < b.Segment || a.Segment == b.Segment && a.Doc < b.Doc
}

// onlyScorer returns the only leaf that scores if each of its documents matches,
// otherwise -1. A leaf that covers it does not count, and is returned beside it, else
// -1: all of its documents have extra from that one, and others of that one no more.
func (r *run) onlyScorer() (leaf, cover int) {
	leaf, cover = -1, -1
	for i := range r.leaves {
		switch l := &r.q.Leaves[i]; {
		case !r.leaves[i].scores:
		case l.Constant && cover < 0:
			cover = i
		case l.Constant || leaf >= 0:
			return -1, -1
		default:
			leaf = i
		}
	}
	switch {
	case !r.implied:
		return -1, -1
	case leaf < 0:
		return cover, -1
	case cover >= 0 && r.q.Leaves[cover].Covers != leaf+1:
		return -1, -1
	}
	return leaf, cover
}

// extra is what the leaves that cover another give to each of its documents.
func (r *run) extra(leaf int) (sum uint64) {
	for i := range r.leaves {
		if l := &r.q.Leaves[i]; r.leaves[i].scores && l.Constant && l.Covers == leaf+1 {
			sum += uint64(l.Weight) * score.MaxImpact
		}
	}
	return sum
}

// raise adds to the scores of hits.
func raise(hits []Hit, by uint64) []Hit {
	for i := range hits {
		hits[i].Score += by
	}
	return hits
}

// tryStrongest offers the champions of each list of a leaf to r.top, and all
// postings of short lists, and sets r.unseen. It returns false if a list has no
// champions of use.
func (r *run) tryStrongest(leaf int, o *TopOptions, order Order) bool {
	r.top.Reset(o.K, order, o.Keys)
	r.unseen = r.unseen[:0]
	for i := range r.q.Segments {
		seg, list := &r.q.Segments[i], r.q.list(leaf, i)
		switch {
		case r.q.phrase(leaf, i) != nil:
			return false
		case list == nil:
			continue
		case list.Champions() == 0 && list.DF > posting.SmallMax,
			list.Champions() > 0 && !usable(list, o):
			return false
		}
		r.enter(i)
		r.slot = nil
		v := &r.leaves[leaf]
		if list.Champions() == 0 {
			for rank, doc := range list.All {
				if h, alive := r.hitOf(v, rank, doc); alive {
					r.top.Add(h)
				}
			}
			continue
		}
		r.champions = list.AppendChampions(r.champions[:0], ofUse(seg, list, o.K))
		var last Hit
		for _, c := range r.champions {
			h, alive := r.hitOf(v, c.Rank, c.Doc)
			if alive {
				r.top.Add(h)
			}
			last = h
		}
		_, _, least := list.Ranking()
		switch {
		case len(r.champions) == list.DF:
		case seg.Exact:
			r.unseen = append(r.unseen, unseen{last.Score, last, true})
		default:
			r.unseen = append(r.unseen, unseen{most: v.weight * uint64(seg.Bounds[least>>8])})
		}
	}
	return true
}

// hitOf returns a document of v with its score, which is the largest where no slot
// has the document, and whether it is alive.
func (r *run) hitOf(v *view, rank int, doc posting.DocID) (h Hit, alive bool) {
	if page := uint16(doc >> 16); r.slot == nil || r.slot.Page != page {
		if r.slot = r.seg.slot(page); r.slot == nil {
			return Hit{Score: math.MaxUint64}, false
		}
		r.point(r.slot)
	}
	place := int(doc & (posting.PageSize - 1))
	if place < int(r.slot.First) || place > int(r.slot.Last) {
		return Hit{Score: math.MaxUint64}, false
	}
	h = Hit{Segment: r.segIndex, Doc: doc, Score: v.weight * r.impact(v, rank, place)}
	return h, r.isAlive(place)
}

// noneUnseen tells whether no posting that was not scored can be among hits, of
// which there are as many as are wanted if full.
func (r *run) noneUnseen(hits []Hit, full bool, order Order) bool {
	if len(r.unseen) == 0 {
		return true
	}
	if !full {
		return false
	}
	worst := hits[len(hits)-1]
	for _, u := range r.unseen {
		switch {
		case worst.Score > u.most:
		case worst.Score < u.most || !u.tied:
			return false
		case worst != u.last && !order(worst, u.last):
			return false
		}
	}
	return true
}
