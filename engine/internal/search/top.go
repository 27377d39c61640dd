package search

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// probeLimit is the number of documents of a slot up to which they are tried
// one by one, at tens of nanoseconds each, instead of going through the sixteen
// windows of the slot, which takes some microseconds. With 512, unions on
// speed-packages take half as long again as with 128, and with 32 to 128 the same.
const probeLimit = 128

// scoreLimit is the same where they are tried because no others come to the score to
// reach. Fewer than probeLimit, as windows in which nothing does are soon passed over.
const scoreLimit = 48

// fewInWindow is the number of candidates of a window, all of them in one
// array, up to which the other lists are asked about each: intersecting their
// words takes as long as a dozen documents.
const fewInWindow = 12

// wordShift is log2 of the places of a word, and of the smallest blocks that
// lists have bounds for.
const wordShift = 6

// Top returns the best hits of q, best first, and the number of all hits if
// the options ask for it: of all documents that match and reach MinScore,
// whether they stand behind the cursor or not.
//
// It scores no document that cannot be among the hits, as far as the bounds
// of the postings tell. The result is that of TopExhaustive. The error is that
// of ctx, or marked ErrMalformed.
func Top(ctx context.Context, q *Query, o TopOptions) (hits []Hit, total int64, err error) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		return nil, 0, err
	}
	r.ranked = o.K > 0
	if o.Count && o.MinScore == 0 {
		// What this finds out about phrases is of use below.
		if total, err = r.count(ctx, math.MaxInt64); err != nil {
			return nil, 0, err
		}
	}
	r.relate()
	r.loose = true
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("search: %w", err)
	}
	if o.K > 0 {
		if hits, err = r.hits(ctx, &o); err != nil {
			return nil, 0, err
		}
	}
	if o.Count && o.MinScore > 0 {
		total, err = r.countScores(ctx, o.MinScore)
	}
	return hits, total, err
}

// hits is Top without the total.
func (r *run) hits(ctx context.Context, o *TopOptions) ([]Hit, error) {
	r.after, r.floor, r.need = o.After, o.MinScore, o.MinScore
	if o.After == nil {
		floor := uint64(0)
		if leaf, cover := r.onlyScorer(); leaf >= 0 && o.MinScore == 0 {
			extra := r.extra(leaf)
			hits := r.led(leaf, o)
			if hits != nil {
				return raise(hits, extra), nil
			}
			defer r.findLeaders(ctx, leaf, o)
			if cover >= 0 {
				if hits = r.ledByBoth(leaf, cover, o); hits != nil {
					return hits, nil
				}
				defer r.findLeaders(ctx, cover, o)
			}
			if !r.q.Leaves[leaf].Constant {
				if hits, floor = r.strongest(leaf, o); hits != nil {
					return raise(hits, extra), nil
				}
			}
			if floor > 0 {
				floor += extra
			}
		}
		if floor == 0 {
			floor = r.prime(o.K)
		}
		r.need = max(r.need, floor)
		r.floor = r.need
	}
	r.k = o.K
	r.top.Reset(o.K, o.Order, o.Keys)
	if err := r.slots(ctx, r.best); err != nil {
		return nil, err
	}
	return r.top.Hits(), nil
}

// slots binds r to one slot after another, and visits those in which documents
// may match.
func (r *run) slots(ctx context.Context, visit func() error) error {
	for i := range r.q.Segments {
		r.enter(i)
		for slot := range r.seg.Slots {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("search: %w", err)
			}
			r.bind(slot)
			if r.nodes[r.root].extent == none {
				continue
			}
			if err := visit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// scorer is a scoring leaf that some document at hand may hold.
type scorer struct {
	*view
	bound uint64 // of its part of a score, in the slot or window, or the word that tighten was called for
	rest  uint64 // bound + those of all scorers behind it
}

// relate works out how scoring leaves and the condition imply each other.
func (r *run) relate() {
	r.implied = true
	root := &r.nodes[r.root]
	for i := range r.leaves {
		v := &r.leaves[i]
		v.scores, v.required = r.q.Leaves[i].Weight > 0, false
		if v.scores && !r.isAlternative(root, i) {
			r.implied = false
		}
	}
	r.require(root)
}

// isAlternative tells whether every document of a leaf satisfies the node
// because it is the leaf or one of its alternatives, as "commandline" is one of both
// words of "command line".
func (r *run) isAlternative(n *node, leaf int) bool {
	is := func(k int32) bool { return r.isAlternative(&r.nodes[k], leaf) }
	switch kids := r.kids[n.from:n.to]; n.op {
	case OpLeaf:
		return n.arg == leaf
	case OpOr:
		return slices.ContainsFunc(kids, is)
	case OpAnd:
		return len(kids) > 0 && !slices.ContainsFunc(kids, func(k int32) bool { return !is(k) })
	}
	return false
}

// require marks the leaves that hold every document that satisfies n.
func (r *run) require(n *node) {
	switch n.op {
	case OpLeaf:
		r.leaves[n.arg].required = true
	case OpAnd:
		for _, k := range r.kids[n.from:n.to] {
			r.require(&r.nodes[k])
		}
	}
}

// best offers the documents of a slot to r.top.
func (r *run) best() error {
	r.addScorers()
	if r.rest(0) < r.need {
		return nil
	}
	if r.single && r.worthSettling() {
		r.settlePhrases(r.slotIndex)
		r.addScorers()
	}
	if !r.gathers() && r.seekLead() {
		if r.single {
			r.bestOfLead()
		} else {
			r.bestOfFew()
		}
		return nil
	}
	first, end := r.slot.windows()
	r.upper = [windows]uint64{}
	for i := range r.scorers {
		v := r.scorers[i].view
		v.measure(r.seg.Bounds, first, end)
		for w := first; w < end; w++ {
			r.upper[w] += v.upper[w]
		}
	}
	for w := first; w < end; w++ {
		if r.upper[w] >= r.need {
			r.window(w)
		}
	}
	return nil
}

// addScorers fills r.scorers with those of the slot.
func (r *run) addScorers() {
	r.scorers = r.scorers[:0]
	r.single = r.nodes[r.root].vague
	for i := range r.leaves {
		v := &r.leaves[i]
		if v.scores && v.c != nil {
			r.single = r.single || v.vague()
			r.addScorer(v, v.limit(r.seg.Bounds))
		}
	}
	r.closeScorers()
}

// bestOfLead offers the documents of r.lead to r.top.
func (r *run) bestOfLead() {
	gate := r.gate()
	word := -1
	for place := range r.lead.drain {
		if gate != nil && !gate.seek(place) {
			continue
		}
		if place>>wordShift != word {
			word = place >> wordShift
			r.tighten(place)
		}
		if r.rest(0) >= r.need && r.isAlive(place) && (r.implied && r.need > 0 || r.nodes[r.root].vague || r.test(r.root, place)) {
			r.offer(place>>wordShift, 1<<(place&63))
		}
	}
}

// gate returns a vague phrase that every document that matches holds, nil if
// there is none.
func (r *run) gate() *phraseView {
	for i := range r.leaves {
		if v := &r.leaves[i]; v.required && v.c != nil && v.vague() {
			return v.phrase
		}
	}
	return nil
}

// addScorer inserts a scorer by descending bound.
func (r *run) addScorer(v *view, bound uint64) {
	r.scorers = append(r.scorers, scorer{})
	i := len(r.scorers) - 1
	for ; i > 0 && r.scorers[i-1].bound < bound; i-- {
		r.scorers[i] = r.scorers[i-1]
	}
	r.scorers[i] = scorer{view: v, bound: bound}
}

// closeScorers sums up the bounds.
func (r *run) closeScorers() {
	rest := uint64(0)
	for i := len(r.scorers) - 1; i >= 0; i-- {
		rest += r.scorers[i].bound
		r.scorers[i].rest = rest
	}
}

// rest returns what the scorers from i on may add to a score.
func (r *run) rest(i int) uint64 {
	if i < len(r.scorers) {
		return r.scorers[i].rest
	}
	return 0
}

// seekLead fills r.lead with a few documents of the slot, dead ones included,
// among which all are that may be hits. It returns false if there are too many.
func (r *run) seekLead() bool {
	// Documents that none of scorers[:first] hold do not come to r.need, unless it
	// is 0: then any document may be a hit.
	first, few := 0, 0
	for ; r.rest(first) >= r.need && first < len(r.scorers); first++ {
		few += r.scorers[first].c.Card
	}
	if r.need > 0 && few <= scoreLimit {
		for i := range r.scorers[:first] {
			s := &r.scorers[i]
			if others := r.rest(0) - s.bound; s.phrase == nil && others < r.need {
				r.lead.addAbove(s.c, s.least(r.need-others, r.seg.Bounds))
			} else {
				r.lead.add(s.c)
			}
		}
		return true
	}
	return r.seekMatches()
}

// window offers the documents of a window to r.top.
func (r *run) window(w int) {
	r.scorers = r.scorers[:0]
	for i := range r.leaves {
		v := &r.leaves[i]
		if v.scores && v.c != nil {
			r.addScorer(v, v.upper[w])
		}
	}
	r.closeScorers()
	if r.gathers() {
		r.gather(w)
		return
	}
	found := r.candidates(w)
	if found == nil {
		return
	}
	if found = r.alive(found, w); found == nil {
		return
	}
	r.scorers = slices.DeleteFunc(r.scorers, func(s scorer) bool { return s.load(w) == nil })
	for i, x := range found {
		if x == 0 {
			continue
		}
		at := w*windowWords + i
		r.tighten(at << wordShift)
		if invariants {
			r.checkBounds(w)
		}
		if r.need > 0 {
			x = r.within(x, i, 0, r.need)
		}
		if !r.single {
			if x != 0 {
				r.offer(at, x)
			}
			continue
		}
		for ; x != 0 && r.rest(0) >= r.need; x &= x - 1 {
			r.offer(at, x&-x)
		}
	}
}

// candidates returns the documents of a window that match, as far as they may
// come to r.need; nil if there are none.
func (r *run) candidates(w int) *window {
	if r.need == 0 {
		return r.eval(r.root, w)
	}
	if !r.implied {
		need := r.need
		r.reach.reset(w)
		for i := range r.scorers {
			if s := &r.scorers[i]; s.required {
				need -= min(need, s.bound)
			} else {
				r.reach.add(s.bound, s.view)
			}
		}
		if need == 0 {
			return r.eval(r.root, w)
		}
		found := r.reach.find(need)
		if found == nil {
			return nil
		}
		return and(&r.mask, found, r.eval(r.root, w))
	}
	if lead := &r.scorers[0]; r.rest(1) < r.need {
		if lead.load(w) == nil {
			return nil
		}
		lead.refine(w, r.need-r.rest(1), r.seg.Bounds)
		if len(r.scorers) == 1 || lead.few(w) {
			return lead.words
		}
	}
	r.reach.reset(w)
	for i := range r.scorers {
		r.reach.add(r.scorers[i].bound, r.scorers[i].view)
	}
	return r.reach.find(r.need)
}
