package search

import (
	"encoding/binary"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/score"
)

const (
	// gatherLeaves is from how many leaves on documents are scored list by list. With
	// a few, bounds tell so much that adding up all of their postings takes longer:
	// on chorus-electronics by a sixth.
	gatherLeaves = 6
	// gatherLimit bounds the postings of a window that are worth adding up, times the
	// square of the number of leaves: what it takes instead, to find the documents
	// that come to the score to reach and to ask each leaf about them, grows with the
	// leaves, and so does the share of documents of which bounds tell nothing. Twice
	// as much makes cosqa-dev slower by a tenth, a half as much vaswani-npl.
	gatherLimit = 64
	// gatherNeed: where the score to reach is more than 1/gatherNeed of what all leaves
	// give, bounds do tell which documents come to it. Queries of five words take half
	// the time by them on speed-packages and speed-mix-en, and two thirds where the share is
	// .3; where it is .2, vaswani-npl takes a tenth longer.
	gatherNeed = 4
	// gatherShare is how the leaves are divided: the weaker ones give a score no
	// more than this share of what all give, 1/gatherShare. They are filler words
	// and the like, of which there are many postings. From 10 to 30 it makes no
	// difference.
	gatherShare = 16
	// settleLimit is how many documents may hold the rarest words of phrases for these
	// to be looked for in all of them beforehand. One at a time, a long query is scored at
	// a third of the speed.
	settleLimit = 512
	// pileShare is how many postings of a leaf are added up in the time that it
	// takes to look one document up in it.
	pileShare = 3
)

// gathers tells whether the documents at hand, which hold some of r.scorers, are
// scored list by list.
func (r *run) gathers() bool { return !r.single && r.worthGathering() }

// worthSettling tells whether documents would be scored list by list if it were known
// which of them hold the phrases, and that is soon found out.
func (r *run) worthSettling() bool {
	candidates := 0
	for i := range r.scorers {
		if s := &r.scorers[i]; s.vague() {
			candidates += s.c.Card
		}
	}
	return candidates <= settleLimit && r.worthGathering()
}

// worthGathering is gathers where no phrase is in the way.
func (r *run) worthGathering() bool {
	if len(r.scorers) < gatherLeaves || r.after != nil || r.counting || r.need > r.rest(0)/gatherNeed {
		return false
	}
	first, end := r.slot.windows()
	leaves := len(r.scorers)
	n, limit := 0, gatherLimit*leaves*leaves*(end-first)
	for i := range r.scorers {
		if n += r.scorers[i].c.Card; n > limit {
			return false
		}
	}
	return true
}

// gather offers the documents of a window to r.top that may be among the best. The
// stronger leaves are added up list by list, whatever documents hold them: that takes
// a few nanoseconds a posting, as nothing is looked for. Then it is known what score
// the best documents come to at least, and which ones may come to it with the other
// leaves.
//
// This is term-at-a-time evaluation as in Turtle and Flood, "Query Evaluation:
// Strategies and Optimizations" (1995), with the essential leaves chosen beforehand.
func (r *run) gather(w int) {
	found := r.eval(r.root, w)
	if found == nil {
		return
	}
	if found = r.alive(found, w); found == nil {
		return
	}
	strong := 0
	for strong < len(r.scorers) && r.rest(strong) > r.rest(0)/gatherShare {
		strong++
	}
	r.gathered = [1 << windowShift]uint64{}
	for i := range r.scorers[:strong] {
		r.pile(&r.scorers[i], w)
	}
	weak := r.scorers[strong:]
	if len(weak) > 0 {
		if reached := r.reached(found); reached > r.need {
			r.floor, r.need = reached, reached
		}
	}
	r.complete(found, w, weak)
}

// reached returns a score that as many documents of a window as hits are wanted have
// come to, 0 if that would not be above r.need.
func (r *run) reached(found *window) uint64 {
	r.highest.Reset(r.k)
	least, full := r.need, false
	for i, x := range found {
		for ; x != 0; x &= x - 1 {
			if sum := r.gathered[i<<wordShift|bits.TrailingZeros64(x)]; sum > least {
				r.highest.Add(sum)
				if lowest, all := r.highest.Lowest(); all {
					least, full = lowest, true
				}
			}
		}
	}
	if !full {
		return 0
	}
	return least
}

// complete adds what scorers give to the documents of a window, as long as these may
// come to r.need, and offers those that do.
func (r *run) complete(found *window, w int, scorers []scorer) {
	rest := uint64(0)
	if len(scorers) > 0 {
		rest = scorers[0].rest
	}
	left := r.hopeful(found, rest)
	for i := range scorers {
		s := &scorers[i]
		left = r.keep(left, s.rest)
		if s.c.Card < pileShare*len(left) {
			r.pile(s, w)
			continue
		}
		for _, at := range left {
			place := w<<windowShift | int(at)
			if rank, ok := s.findPosting(place); ok {
				r.gathered[at] += s.weight * r.impact(s.view, rank, place)
			}
		}
	}
	for _, at := range left {
		r.rate(w<<windowShift|int(at), r.gathered[at])
	}
}

// hopeful sets r.left to the places of a window where there are documents that come
// to r.need if they are given rest.
func (r *run) hopeful(found *window, rest uint64) []uint16 {
	least, n := r.need-min(r.need, rest), 0
	for i, x := range found {
		for ; x != 0; x &= x - 1 {
			at := i<<wordShift | bits.TrailingZeros64(x)
			r.left[n&(1<<windowShift-1)] = uint16(at)
			if r.gathered[at] >= least {
				n++
			}
		}
	}
	return r.left[:n]
}

// keep is hopeful for places of r.left.
func (r *run) keep(left []uint16, rest uint64) []uint16 {
	least, n := r.need-min(r.need, rest), 0
	for _, at := range left {
		left[n] = at
		if r.gathered[at&(1<<windowShift-1)] >= least {
			n++
		}
	}
	return left[:n]
}

// pile adds what a scorer gives to the documents of a window, to all that hold it, to
// r.gathered.
func (r *run) pile(s *scorer, w int) {
	v := s.view
	places, rank := r.placesOf(v, w)
	if v.constant {
		for _, at := range places {
			r.gathered[at&(1<<windowShift-1)] += v.weight * score.MaxImpact
		}
		return
	}
	if v.phrase != nil {
		for i, at := range places {
			r.gathered[at&(1<<windowShift-1)] += v.weight * r.impact(v, rank+i, w<<windowShift|int(at))
		}
		return
	}
	table, norms, base := r.seg.Table, r.slot.Norms, w<<windowShift-int(r.slot.NormBase)
	for len(places) > 0 {
		codes := v.codes.Block(rank, &r.codes)
		n := min(len(codes), len(places))
		if n == 0 {
			return // the list is corrupt
		}
		for i, code := range codes[:n] {
			at := int(places[i])
			impact, ok := table.Quick(code, norms, base+at)
			if !ok {
				impact = r.slowImpact(v, code, rank+i, base+at)
			}
			part := v.weight * uint64(impact)
			if invariants {
				r.checkPart(s, w<<windowShift|at, part)
			}
			r.gathered[at&(1<<windowShift-1)] += part
		}
		rank, places = rank+n, places[n:]
	}
}

// placesOf returns the places of a leaf in a window, and the rank of the first. Between
// two calls of bind, windows are asked for in ascending order.
func (r *run) placesOf(v *view, w int) (places []uint16, rank int) {
	c, places := v.c, r.places[:0]
	if c.Words != nil {
		for i, x := range windowOf(c.Words, w) {
			for ; x != 0; x &= x - 1 {
				places = append(places, uint16(i<<wordShift|bits.TrailingZeros64(x)))
			}
		}
		return places, c.First + int(c.Ranks[w*windowWords])
	}
	v.start = seek(c.Array, v.start, w<<windowShift)
	end := (w + 1) << windowShift
	for a := c.Array[2*v.start:]; len(a) >= 2; a = a[2:] {
		place := int(binary.LittleEndian.Uint16(a))
		if place >= end {
			break
		}
		places = append(places, uint16(place&(1<<windowShift-1)))
	}
	return places, c.First + v.start
}
