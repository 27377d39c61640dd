package search

import (
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// phraseView is the view of a leaf that is a phrase. The documents that hold
// all of its words are its candidates, which are found like those of any
// conjunction; whether a candidate holds the phrase is found out from its
// positions when it has to be known. A page in which all of this is known is
// settled, and is then a list like others: view.c are its documents.
type phraseView struct {
	*Phrase
	book    *score.Codebook
	lists   []view // of the words, each list once, with the weight of the leaf
	order   []int  // indexes in lists, the fewest documents in the page first
	page    *phrasePage
	matcher phraseMatcher
	place   int // the document that matcher is about, -1 for none
	state   candidacy
	read    int // how many of order have been read, see readWord

	plain   bool    // see Phrase.isPlain
	others  []*Page // see settle
	batch   phraseBatch
	places  []byte // of a phrasePage while it is made
	impacts []uint16
}

// candidacy is what is known of the document at phraseView.place.
type candidacy uint8

const (
	refused   candidacy = iota // does not hold the phrase
	candidate                  // holds all words
	confirmed                  // holds the phrase: the matcher has its frequencies
)

// phrasePage is the documents of a page that hold a phrase.
type phrasePage struct {
	container posting.Container // an array, however many there are
	impacts   []uint16          // by rank; nil: not known, as strongest is not
	strongest [windows]uint16   // by window
}

// enterPhrase points v at the phrase of the segment that comes next, whose
// codes are of book.
func (v *view) enterPhrase(phrase *Phrase, book *score.Codebook, leaf *Leaf) {
	v.enter(nil, leaf)
	if v.spare == nil {
		v.spare = new(phraseView)
	}
	v.phrase = v.spare
	p := v.phrase
	p.Phrase, p.book, p.plain = phrase, book, phrase.isPlain()
	n := len(phrase.lists)
	p.lists = slices.Grow(p.lists[:0], n)[:n]
	m := &p.matcher
	m.phrase = phrase
	m.postings = slices.Grow(m.postings[:0], n)[:n]
	m.readers = slices.Grow(m.readers[:0], n)[:n]
	p.order = p.order[:0]
	for i, list := range phrase.lists {
		p.lists[i].enter(list, leaf)
		m.readers[i].Reset(list)
		p.order = append(p.order, i)
	}
}

// bind moves p on to a page. It returns the phrase's documents if the page is
// settled, else those of its rarest word, nil if there are no candidates.
func (p *phraseView) bind(page uint16) *posting.Container {
	p.page, p.place = nil, -1
	for i := range p.lists {
		if p.lists[i].bind(page); p.lists[i].c == nil {
			return nil
		}
	}
	if p.page = p.pages[p.lists[0].next].Load(); p.page != nil {
		if p.page.container.Card == 0 {
			return nil
		}
		return &p.page.container
	}
	slices.SortFunc(p.order, func(a, b int) int { return p.lists[a].c.Card - p.lists[b].c.Card })
	return p.lists[p.order[0]].c
}

// bound returns an upper bound of weight*impact, given those of the words by
// list. Without slop a phrase occurs no more often than any of its words. With
// slop it does not occur more often than all of them together: each position
// begins one way at most. Impacts are concave, so the impact of a sum is not
// above the sum of impacts, which have been rounded down.
func (p *phraseView) bound(weight uint64, of func(i int) uint64) uint64 {
	if p.slop == 0 {
		least := of(0)
		for i := 1; i < len(p.lists); i++ {
			least = min(least, of(i))
		}
		return least
	}
	sum := uint64(0)
	for i := range p.words {
		sum += of(p.words[i].list) + weight
	}
	return min(sum, weight*score.MaxImpact)
}

// limit is view.limit of v, which is the phrase's.
func (p *phraseView) limit(v *view, bounds *[256]uint16) uint64 {
	for i := range p.lists {
		p.lists[i].limit(bounds)
	}
	most := p.bound(v.weight, func(i int) uint64 { return p.lists[i].max })
	if p.page != nil && p.page.impacts != nil {
		most = min(most, v.weight*uint64(slices.Max(p.page.strongest[:])))
	}
	return most
}

// measure is view.measure of v, which is the phrase's.
func (p *phraseView) measure(v *view, bounds *[256]uint16, first, end int) {
	for i := range p.lists {
		p.lists[i].measure(bounds, first, end)
	}
	for w := first; w < end; w++ {
		v.upper[w] = p.bound(v.weight, func(i int) uint64 { return p.lists[i].upper[w] })
		if p.page != nil && p.page.impacts != nil {
			v.upper[w] = min(v.upper[w], v.weight*uint64(p.page.strongest[w]))
		}
	}
}

// near is view.near.
func (p *phraseView) near(place int, bounds *[256]uint16) uint64 {
	if p.slop > 0 {
		return p.bound(p.lists[0].weight, func(i int) uint64 { return p.lists[i].near(place, bounds) })
	}
	least := ^uint64(0)
	for i := range p.lists {
		least = min(least, p.lists[i].near(place, bounds))
	}
	return least
}

// fill sets words to the candidates of window w and tells whether there are
// any.
func (p *phraseView) fill(w int, words *window) bool {
	first := p.lists[p.order[0]].load(w)
	if first == nil {
		return false
	}
	*words = *first
	for _, i := range p.order[1:] {
		if !p.lists[i].keep(w, words) {
			return false
		}
	}
	return true
}

// release lets go of what belongs to the query.
func (p *phraseView) release() {
	p.Phrase, p.book, p.page = nil, nil, nil
	for i := range p.lists {
		p.lists[i].list, p.lists[i].c, p.lists[i].words = nil, nil, nil
		p.lists[i].codes = posting.CodeReader{}
		p.matcher.readers[i].Reset(nil)
		p.matcher.postings[i] = phrasePosting{}
	}
	p.matcher.phrase = nil
	clear(p.matcher.words)
	clear(p.matcher.parts[:cap(p.matcher.parts)])
	clear(p.others[:cap(p.others)])
}

// keep takes out of words, which are of window w, the documents that are not
// in the list, and tells whether any are left.
func (v *view) keep(w int, words *window) bool {
	any := uint64(0)
	if v.c.Words != nil {
		for i, x := range windowOf(v.c.Words, w) {
			words[i] &= x
			any |= words[i]
		}
		return any != 0
	}
	a, base := v.c.Array, w<<windowShift
	v.start = seek(a, v.start, base)
	at := v.start
	for i, x := range words {
		for left := x; left != 0; left &= left - 1 {
			place := base + i<<6 + bits.TrailingZeros64(left)
			at = seek(a, at, place)
			if at*2 >= len(a) || element(a, at) != place {
				x &^= left & -left
			}
		}
		words[i] = x
		any |= x
	}
	return any != 0
}

// rewind lets the places of the window that was loaded last be asked for once
// more.
func (p *phraseView) rewind() {
	p.place = -1
	for i := range p.lists {
		p.lists[i].pos = p.lists[i].start
	}
}

// seek moves the matcher to a place and tells whether it is a candidate.
func (p *phraseView) seek(place int) bool {
	if p.place == place {
		return p.state != refused
	}
	p.place, p.state, p.read = place, refused, 0
	at, before := place>>wordShift&(len(Page{})-1), uint64(1)<<(place&63)-1
	for _, i := range p.order {
		if c := p.lists[i].c; c.Words != nil { // findPosting, without a call
			x := c.Words[at]
			if x&(before+1) == 0 {
				return false
			}
			p.matcher.postings[i].rank = c.First + int(c.Ranks[at]) + bits.OnesCount64(x&before)
			continue
		}
		rank, ok := p.lists[i].findPosting(place)
		if !ok {
			return false
		}
		p.matcher.postings[i].rank = rank
	}
	p.state = candidate
	return true
}

// readWord reads how often the next of the words occurs in the candidate.
func (p *phraseView) readWord() *phrasePosting {
	i := p.order[p.read]
	p.read++
	m := &p.matcher.postings[i]
	m.read, m.code = false, p.lists[i].codes.At(m.rank)
	if m.one[0] = p.book.One(m.code); m.one[0].TF == 0 {
		if m.vector = p.lists[i].list.VectorIn(&m.own, m.rank, p.book); len(m.vector) == 1 {
			m.one[0] = m.vector[0] // which occurs more often than codes tell
		}
	}
	return m
}

// confirm tells whether a place holds the phrase. It leaves the frequencies in
// the matcher.
func (p *phraseView) confirm(place int) bool {
	if !p.seek(place) {
		return false
	}
	if p.state == candidate {
		if p.state = refused; p.match() {
			p.state = confirmed
		}
	}
	return p.state == confirmed
}

// match tells whether the candidate holds the phrase.
func (p *phraseView) match() bool {
	if p.plain {
		if stands, known := p.matcher.locate(p.book); known {
			return stands
		}
	}
	return p.matchAny()
}

// matchAny is match for phrases of every kind.
func (p *phraseView) matchAny() bool {
	for p.read < len(p.order) {
		p.readWord()
	}
	p.matcher.match()
	return len(p.matcher.freqs) > 0
}

// mayReach tells whether weight*impact of the phrase at a place may be at least
// need, which is positive. Unlike confirm it reads no positions.
func (r *run) mayReach(p *phraseView, place int, need uint64) bool {
	if !p.seek(place) {
		return false
	}
	weight := p.lists[0].weight
	for p.read < len(p.order) {
		if m := p.readWord(); p.slop == 0 && weight*r.impactOf(&p.lists[0], m.code, m.freqs(), place) < need {
			return false
		}
	}
	return p.slop == 0 || need <= p.bound(weight, func(i int) uint64 {
		m := &p.matcher.postings[i]
		return weight * r.impactOf(&p.lists[i], m.code, m.freqs(), place)
	})
}

// places yields the places of the documents of x, which is window w.
func (x *window) places(w int) func(yield func(place int) bool) {
	return func(yield func(place int) bool) {
		for i, word := range x {
			for ; word != 0; word &= word - 1 {
				if !yield(w<<windowShift + i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// deferred tells whether node k, an operand of an OpAnd, is better asked about
// the documents that satisfy the other operands: it is a vague phrase, or not
// one.
func (r *run) deferred(k int32) bool {
	n := &r.nodes[k]
	return n.vague && (n.op == OpLeaf || n.op == OpNot && (r.loose || r.nodes[r.kids[n.from]].op == OpLeaf))
}

// rough is eval for an operand of an OpAnd. Of those that are deferred it
// returns the candidates.
func (r *run) rough(k int32, w int) *window {
	if !r.deferred(k) {
		return r.eval(k, w)
	}
	if n := &r.nodes[k]; n.op == OpLeaf {
		return r.leaves[n.arg].load(w)
	}
	return &r.ones
}

// confirmed returns those documents of x, which is of window w, that satisfy
// the deferred ones of some nodes, and are alive; nil if there are none. It
// keeps them in n.
func (r *run) confirmed(n *node, nodes []int32, x *window, w int) *window {
	for _, k := range nodes {
		if r.deferred(k) {
			leaf := &r.nodes[k]
			if leaf.op == OpNot {
				leaf = &r.nodes[r.kids[leaf.from]]
			}
			r.leaves[leaf.arg].phrase.rewind()
		}
	}
	var out window
	any := false
next:
	for place := range x.places(w) {
		if !r.isAlive(place) {
			continue
		}
		for _, k := range nodes {
			if r.deferred(k) && !r.test(k, place) {
				continue next
			}
		}
		out[place>>6&(windowWords-1)] |= 1 << (place & 63)
		any = true
	}
	if !any {
		return nil
	}
	n.words = out
	return &n.words
}
