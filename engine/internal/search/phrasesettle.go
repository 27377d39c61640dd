package search

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// settle finds out which documents of the slot hold the phrase of v.
func (r *run) settle(v *view) {
	p := v.phrase
	page := &phrasePage{container: posting.Container{Page: r.slot.Page, Shift: 16, Bounds: []byte(allBounds), Max: 255}}
	p.places, p.impacts = p.places[:0], p.impacts[:0]
	add := func(place int) {
		if !p.plain {
			if p.confirm(place) {
				r.settled(v, page, place)
			}
			return
		}
		p.batch.places[p.batch.n] = uint16(place)
		if p.batch.n++; p.batch.n == batchSize {
			r.settleBatch(v, page)
		}
	}
	if v.c.Words == nil {
		// Most documents lack another word, which its bitmap tells at once.
		p.others = p.others[:0]
		for _, i := range p.order {
			if c := p.lists[i].c; c.Words != nil {
				p.others = append(p.others, c.Words)
			}
		}
		rarest := &p.lists[p.order[0]]
	next:
		for i := range v.c.Card {
			place := element(v.c.Array, i)
			for _, words := range p.others {
				if words[place>>6&(len(words)-1)]>>(place&63)&1 == 0 {
					continue next
				}
			}
			if r.isAlive(place) {
				if !p.plain {
					rarest.pos = i
				}
				add(place)
			}
		}
	} else {
		for w, end := r.slot.windows(); w < end; w++ {
			x := v.load(w)
			if x == nil {
				continue
			}
			if x = r.alive(x, w); x == nil {
				continue
			}
			for i, word := range x {
				for ; word != 0; word &= word - 1 {
					add(w<<windowShift + i<<6 + bits.TrailingZeros64(word))
				}
			}
		}
	}
	if p.batch.n > 0 {
		r.settleBatch(v, page)
	}
	page.container.Array, page.container.Card = slices.Clone(p.places), len(p.places)/2
	if r.ranked {
		page.impacts = slices.Clone(p.impacts)
	}
	p.pages[p.lists[0].next].Store(page)
	v.bind(r.slot.Page)
}

// settled adds a document that holds the phrase of v, with the frequencies that the matcher
// has, to page.
func (r *run) settled(v *view, page *phrasePage, place int) {
	p := v.phrase
	p.places = binary.LittleEndian.AppendUint16(p.places, uint16(place))
	if r.ranked {
		impact := uint16(r.impactOf(v, score.Escape, p.matcher.freqs, place))
		p.impacts = append(p.impacts, impact)
		page.strongest[place>>windowShift] = max(page.strongest[place>>windowShift], impact)
	}
}

// allBounds is the bound of a list of which nothing is known.
const allBounds = "\xff"

// settlePhrases settles the vague phrases of a slot, but for those of which the
// condition asks about a few candidates only.
func (r *run) settlePhrases(slot int) {
	most := r.nodes[r.root].lead * settleFactor
	settled := false
	for i := range r.nodes {
		n := &r.nodes[i]
		if n.op == OpLeaf && n.vague && n.lead <= most {
			if v := &r.leaves[n.arg]; v.vague() {
				r.settle(v)
				settled = true
			}
		}
	}
	if !settled {
		return
	}
	for i := range r.nodes {
		if n := &r.nodes[i]; n.op != OpSet {
			r.survey(n, slot)
		}
	}
}

// settleFactor is how many times rarer than the rarest word of a phrase the
// documents are that a condition leaves to be looked at, if the phrase is to be
// looked at in these only: other queries over the same segment gain from pages
// that are settled.
const settleFactor = 4
