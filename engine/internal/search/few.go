package search

import (
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// takeLead empties r.lead, of which no more than probeLimit documents were made, and
// returns those that are alive.
//
// What is then asked about them is asked of one list after another, about all of them,
// and what is to be kept is moved to the front without a branch. A document at a time,
// the processor guesses wrong at every other one whether a list holds it, and each list
// has to be found its place in again: in small segments, where most slots have few
// documents that come into question, that was a third of the time of a union.
func (r *run) takeLead() []uint16 {
	n := 0
	for place := range r.lead.drain {
		r.left[n&(len(r.left)-1)] = uint16(place)
		n++
	}
	places := r.left[:n]
	if r.whole {
		return places
	}
	first, last, n := uint(r.slot.First), uint(r.slot.Last), 0
	for _, place := range places {
		places[n] = place
		if uint(place) >= first && uint(place) <= last {
			n++
		}
	}
	if places = places[:n]; r.slot.Dead != nil {
		places = places[:keepFree(places, r.slot.Dead)]
	}
	return places
}

// keepFree moves those places to the front that are not in words, and returns how many.
func keepFree(places []uint16, words *posting.Words) (n int) {
	for _, place := range places {
		places[n] = place
		n += int(^words[place>>6] >> (place & 63) & 1)
	}
	return n
}

// keepMatching moves those places, which ascend, to the front that satisfy node i, and
// returns them.
func (r *run) keepMatching(i int32, places []uint16) []uint16 {
	n := &r.nodes[i]
	switch {
	case n.extent == all:
		return places
	case n.extent == none:
		return nil
	case n.vague:
	case n.op == OpLeaf:
		if c := r.leaves[n.arg].c; c.Words != nil {
			return places[:keepHeld(places, c.Words)]
		} else {
			return places[:keepSought(places, c.Array)]
		}
	case n.op == OpSet:
		return places[:keepHeld(places, n.set)]
	case n.op == OpAnd:
		for _, k := range r.kids[n.from:n.to] {
			if places = r.keepMatching(k, places); len(places) == 0 {
				return nil
			}
		}
		return places
	case n.op == OpOr && r.isUnion(n):
		return r.keepUnion(n, places)
	}
	for l := range r.leaves { // what was asked before went through the places, too
		r.leaves[l].pos = 0
	}
	kept := places[:0]
	for _, place := range places {
		if r.test(i, int(place)) {
			kept = append(kept, place)
		}
	}
	return kept
}

// isUnion tells whether a node is a union of lists.
func (r *run) isUnion(n *node) bool {
	for _, k := range r.kids[n.from:n.to] {
		if kid := &r.nodes[k]; kid.op != OpLeaf || kid.vague {
			return false
		}
	}
	return true
}

// keepUnion is keepMatching for a union of lists.
func (r *run) keepUnion(n *node, places []uint16) []uint16 {
	held := r.held[:len(places)]
	clear(held)
	for _, k := range r.kids[n.from:n.to] {
		c := r.leaves[r.nodes[k].arg].c
		switch {
		case c == nil:
		case c.Words != nil:
			for j, place := range places {
				held[j] |= byte(c.Words[place>>6] >> (place & 63) & 1)
			}
		default:
			a, at := c.Array, 0
			for j, place := range places {
				if at = seek(a, at, int(place)); 2*at >= len(a) {
					break
				}
				if element(a, at) == int(place) {
					held[j] = 1
				}
			}
		}
	}
	kept := 0
	for j, place := range places {
		places[kept] = place
		kept += int(held[j])
	}
	return places[:kept]
}

// bestOfFew offers the documents of r.lead to r.top. No leaf is vague.
func (r *run) bestOfFew() {
	places := r.takeLead()
	if !r.implied || r.need == 0 {
		places = r.keepMatching(r.root, places)
	}
	sums := r.gathered[:len(places)]
	clear(sums)
	for i := range r.scorers {
		if len(places) == 0 {
			return
		}
		s := &r.scorers[i]
		if c := s.c; c.Words != nil {
			r.addHeld(s, places, sums)
		} else {
			r.addSought(s, places, sums)
		}
		least, n := r.need-min(r.need, s.rest-s.bound), 0
		for j, place := range places {
			places[n], sums[n] = place, sums[j]
			if sums[j] >= least {
				n++
			}
		}
		places, sums = places[:n], sums[:n]
	}
	for j, place := range places {
		r.rate(int(place), sums[j])
	}
}

// addHeld adds what a scorer with a bitmap gives to places to their sums.
func (r *run) addHeld(s *scorer, places []uint16, sums []uint64) {
	c := s.c
	for j, place := range places {
		if c.Words[place>>6]>>(place&63)&1 != 0 {
			sums[j] += r.part(s, c.Rank(place), int(place))
		}
	}
}

// addSought is addHeld for an array.
func (r *run) addSought(s *scorer, places []uint16, sums []uint64) {
	a, at := s.c.Array, 0
	for j, place := range places {
		if at = seek(a, at, int(place)); 2*at >= len(a) {
			return
		}
		if element(a, at) == int(place) {
			sums[j] += r.part(s, s.c.First+at, int(place))
		}
	}
}

// part returns what a scorer that is not vague gives to the score of a document that it
// holds.
func (r *run) part(s *scorer, rank, place int) (part uint64) {
	v := s.view
	if v.constant {
		return v.weight * score.MaxImpact
	}
	part = v.weight * r.impact(v, rank, place)
	if invariants {
		r.checkPart(s, place, part)
	}
	return part
}
