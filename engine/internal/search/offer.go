package search

import (
	"fmt"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// tighten replaces the bounds of the scorers by those for the word around a
// place.
func (r *run) tighten(place int) {
	rest := uint64(0)
	for i := len(r.scorers) - 1; i >= 0; i-- {
		s := &r.scorers[i]
		s.bound = s.near(place, r.seg.Bounds)
		rest += s.bound
		s.rest = rest
	}
}

// within returns those of the documents x, of word i of the window at hand, that
// may come to need, which is positive, by the scorers from first on, as far as
// their bounds tell.
func (r *run) within(x uint64, i, first int, need uint64) (found uint64) {
	for ; x != 0 && first < len(r.scorers); first++ {
		s := &r.scorers[first]
		if s.rest < need {
			break
		}
		// Who holds s leaves less for the others to do: it is settled with s.
		has := x & s.words[i]
		if s.bound >= need {
			found |= has
		} else if has != 0 {
			found |= r.within(has, i, first+1, need-s.bound)
		}
		x &^= has
	}
	return found
}

// offer scores the documents x of word at of the page, which match, and offers
// them to r.top. The strongest scorers come first, so that most documents are
// given up early, and each scorer adds to all of the documents that are left
// before the next does: so what it takes to find the postings of a word is done
// once, and the processor can work on several of them at a time.
//
// Where r.single is set, x is one document, which need not match if the condition
// is vague: phrases are asked for ascending places.
func (r *run) offer(at int, x uint64) {
	if len(r.scorers) == 0 {
		r.sums = [64]uint64{}
	}
	for i := range r.scorers {
		s := &r.scorers[i]
		if s.phrase != nil {
			x = r.addPhrase(s, at, x, i == 0)
		} else {
			x = r.addParts(s, at, x, i == 0)
		}
		if x == 0 {
			return
		}
	}
	for ; x != 0; x &= x - 1 {
		b := bits.TrailingZeros64(x)
		r.rate(at<<wordShift+b, r.sums[b])
	}
}

// rate offers a document with its score to r.top.
func (r *run) rate(place int, sum uint64) {
	if sum < r.need || r.nodes[r.root].vague && !r.test(r.root, place) {
		return
	}
	if r.counting {
		r.counted++
		return
	}
	h := Hit{Segment: r.segIndex, Doc: posting.DocID(r.slot.Page)<<16 | posting.DocID(place), Score: sum}
	if r.after != nil && !r.after.allows(h) {
		return
	}
	r.top.Add(h)
	r.need = max(r.floor, r.top.Threshold())
}

// addParts adds what s adds to the scores of the documents x of word at to
// r.sums, which begin with the first scorer. It returns those that may still come
// to r.need.
func (r *run) addParts(s *scorer, at int, x uint64, first bool) uint64 {
	v := s.view
	has, rank := v.word(at, x)
	table, norms, base := r.seg.Table, r.slot.Norms, at<<wordShift-int(r.slot.NormBase)
	if first {
		if x&(x-1) == 0 { // most often where documents are tried one by one
			r.sums[bits.TrailingZeros64(x)&63] = 0
		} else {
			r.sums = [64]uint64{}
		}
	}
	for y := x & has; y != 0; y &= y - 1 {
		b := bits.TrailingZeros64(y) & 63
		part := v.weight * score.MaxImpact
		if !v.constant {
			rank := rank + bits.OnesCount64(has&(y&-y-1))
			code := v.codes.At(rank)
			impact, ok := table.Quick(code, norms, base+b)
			if !ok {
				impact = r.slowImpact(v, code, rank, base+b)
			}
			part = v.weight * uint64(impact)
		}
		if invariants {
			r.checkPart(s, at<<wordShift+b, part)
		}
		r.sums[b] += part
	}
	// Those that do not hold s have less to hope for, too.
	if least := r.need - min(r.need, s.rest-s.bound); least > 0 {
		for y := x; y != 0; y &= y - 1 {
			b := bits.TrailingZeros64(y) & 63
			_, low := bits.Sub64(r.sums[b], least, 0)
			x &^= low << b
		}
	}
	return x
}

// slowImpact returns the impact of a posting for which Table.Quick does not know
// it, in document i of the norms of the slot.
func (r *run) slowImpact(v *view, code uint8, rank, i int) uint16 {
	if code == score.Escape {
		return r.seg.Table.ImpactOf(v.codes.Escaped(&r.vector, rank, r.seg.Table.Book()), r.slot.Norms, i)
	}
	return r.seg.Table.ImpactOf(r.seg.Table.Book().Vector(code), r.slot.Norms, i)
}

// addPhrase is addParts for a phrase. Where it is vague, x is one document, which
// is given up, if possible, before its positions are read.
func (r *run) addPhrase(s *scorer, at int, x uint64, first bool) uint64 {
	others := s.rest - s.bound
	for y := x; y != 0; y &= y - 1 {
		b := bits.TrailingZeros64(y)
		place := at<<wordShift + b
		if first {
			r.sums[b] = 0
		}
		if s.vague() {
			if most := r.sums[b] + others; most < r.need && !r.mayReach(s.phrase, place, r.need-most) {
				return 0
			}
		}
		if rank, ok := s.find(place); ok {
			part := s.weight * r.impact(s.view, rank, place)
			if invariants {
				r.checkPart(s, place, part)
			}
			r.sums[b] += part
		}
		if r.sums[b]+others < r.need {
			x &^= y & -y
		}
	}
	return x
}

// checkBounds panics if the bounds of a list are not the lower the fewer places
// they are of. w is the window of the word that tighten was called for. Bounds of
// phrases come from different sources and need not be in this order.
func (r *run) checkBounds(w int) {
	for i := range r.scorers {
		if s := &r.scorers[i]; s.phrase == nil && (s.bound > s.upper[w] || s.upper[w] > s.max) {
			panic(fmt.Sprintf("search: segment %d, page %d, window %d: the bounds of a word, the window and the page are %d, %d and %d",
				r.segIndex, r.slot.Page, w, s.bound, s.upper[w], s.max))
		}
	}
}

// checkPart panics if what s adds to the score of a document is above its bound.
func (r *run) checkPart(s *scorer, place int, part uint64) {
	if part > s.bound {
		panic(fmt.Sprintf("search: segment %d, document %d<<16|%d: %d is above the bound %d of its block",
			r.segIndex, r.slot.Page, place, part, s.bound))
	}
}
