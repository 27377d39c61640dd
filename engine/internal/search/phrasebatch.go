package search

import (
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// phraseBatch is candidates of a page that is being settled: what has to be found out
// about them is found out for all of them in one list after the other. A processor then
// has the lists' codes and positions at hand, and its guesses come true, where one
// candidate after the other has it wait for each of four places of memory.
type phraseBatch struct {
	places [batchSize]uint16
	n      int
	ranks  [batchLists][batchSize]int32 // by Phrase.lists
	spans  []posting.Span               // by candidate and list
}

const (
	batchSize = 64
	// batchLists bounds the memory of a batch. Phrases of more words are looked at one
	// candidate after the other, by other means.
	batchLists = 8
)

// isPlain tells whether the places of a phrase are found by spans of positions: without slop,
// and if no word occurs twice.
func (p *Phrase) isPlain() bool {
	return p.slop == 0 && len(p.words) > 1 && len(p.words) == len(p.lists) && len(p.lists) <= batchLists
}

// settleBatch finds out which candidates of the batch hold the phrase of v, and adds them to
// page, which they are of.
func (r *run) settleBatch(v *view, page *phrasePage) {
	p := v.phrase
	b, m, lists := &p.batch, &p.matcher, len(p.lists)
	b.spans = slices.Grow(b.spans[:0], batchSize*lists)[:batchSize*lists]
	b.rank(p.lists, p.order)
	located := true
	for i := 0; i < len(p.words) && located; i++ {
		list := p.words[i].list
		located = m.readers[list].Locate(b.ranks[list][:b.n], b.spans[list:], lists)
		if located && 0 < i && i < len(p.words)-1 {
			b.keep(lists, func(k int) bool {
				stands, known := m.stands(b.spans[k*lists:][:lists], p.words[i-1:i+1], p.book)
				return stands || !known
			})
		}
	}
	for k, place := range b.places[:b.n] {
		stands, known := false, false
		if located {
			stands, known = m.stands(b.spans[k*lists:][:lists], p.words, p.book)
		}
		if stands || !known && p.matchOf(k) {
			r.settled(v, page, int(place))
		}
	}
	b.n = 0
}

// matchOf is matchAny for candidate k of the batch.
func (p *phraseView) matchOf(k int) bool {
	for i := range p.lists {
		p.matcher.postings[i].rank = int(p.batch.ranks[i][k])
	}
	p.place, p.read = -1, 0
	return p.matchAny()
}

// rank finds the postings that lists have for the candidates, and lets go of those that
// one of them lacks. order is that of lists by how few documents they have.
func (b *phraseBatch) rank(lists []view, order []int) {
	for _, i := range order {
		v, ranks, lacks := &lists[i], &b.ranks[i], false
		if c := v.c; c.Words != nil {
			for k, place := range b.places[:b.n] {
				at := place >> wordShift
				x, bit := c.Words[at], uint64(1)<<(place&63)
				ranks[k] = int32(c.First + int(c.Ranks[at]) + bits.OnesCount64(x&(bit-1)))
				if x&bit == 0 {
					ranks[k], lacks = -1, true
				}
			}
		} else {
			for k, place := range b.places[:b.n] {
				rank, ok := v.findPosting(int(place))
				if ranks[k] = int32(rank); !ok {
					ranks[k], lacks = -1, true
				}
			}
		}
		if lacks {
			b.keep(len(lists), func(k int) bool { return ranks[k] >= 0 })
		}
	}
}

// keep lets go of the candidates of which ok is not true.
func (b *phraseBatch) keep(lists int, ok func(k int) bool) {
	n := 0
	for k := range b.n {
		if !ok(k) {
			continue
		}
		if n < k {
			b.places[n] = b.places[k]
			for i := range lists {
				b.ranks[i][n] = b.ranks[i][k]
			}
			copy(b.spans[n*lists:][:lists], b.spans[k*lists:])
		}
		n++
	}
	b.n = n
}

// locate is what settleBatch does, for the candidate of the matcher's postings.
func (m *phraseMatcher) locate(book *score.Codebook) (stands, known bool) {
	words, lists := m.phrase.words, len(m.phrase.lists)
	m.spans = slices.Grow(m.spans[:0], lists)[:lists]
	for i, w := range words {
		rank := [1]int32{int32(m.postings[w.list].rank)}
		if !m.readers[w.list].Locate(rank[:], m.spans[w.list:], lists) {
			return false, false
		}
		if i > 0 {
			from := i - 1
			if i == len(words)-1 {
				from = 0
			}
			if stands, known = m.stands(m.spans, words[from:i+1], book); known && !stands {
				break
			}
		}
	}
	return stands, known
}

// stands tells whether some words stand together where their positions are in spans, by list,
// and leaves their frequencies in freqs. known is false if that has to be found out
// otherwise: the frequencies of a word have no code.
func (m *phraseMatcher) stands(spans []posting.Span, words []phraseWord, book *score.Codebook) (stands, known bool) {
	m.freqs, m.parts = m.freqs[:0], m.parts[:0]
	var field uint16
	for i := range words {
		span := &spans[words[i].list]
		one := book.One(span.Code)
		switch {
		case one.TF == 0:
			return m.standsInSome(spans, words, book)
		case i == 0:
			field = one.Field
		case one.Field != field:
			return false, true
		}
		m.parts = append(m.parts, phrasePart{&words[i], span, one.TF})
	}
	if !m.phrase.holds(field) {
		return false, true
	}
	n := m.countParts()
	if n > 0 {
		m.freqs = append(m.freqs, score.Freq{Field: field, TF: n})
	}
	return n > 0, true
}

// standsInSome is stands where a word may be in several fields.
func (m *phraseMatcher) standsInSome(spans []posting.Span, words []phraseWord, book *score.Codebook) (stands, known bool) {
	for i := range words {
		if int(spans[words[i].list].Code) >= book.Len() {
			return false, false
		}
	}
	for _, f := range book.Vector(spans[words[0].list].Code) {
		if m.phrase.holds(f.Field) && m.enterParts(spans, words, book, f.Field) {
			if n := m.countParts(); n > 0 {
				m.freqs = append(m.freqs, score.Freq{Field: f.Field, TF: n})
			}
		}
	}
	return len(m.freqs) > 0, true
}

// phrasePart is the positions of a word in one field of a candidate.
type phrasePart struct {
	word *phraseWord
	span *posting.Span
	n    uint32
}

// enterParts sets parts to those of words in a field, false if a word is not there.
func (m *phraseMatcher) enterParts(spans []posting.Span, words []phraseWord, book *score.Codebook, field uint16) bool {
	m.parts = m.parts[:0]
	for i := range words {
		span, before := &spans[words[i].list], uint32(0)
		for _, f := range book.Vector(span.Code) {
			if f.Field == field {
				m.inField[i] = span.After(before)
				m.parts = append(m.parts, phrasePart{&words[i], &m.inField[i], f.TF})
				break
			}
			before += f.TF
		}
	}
	return len(m.parts) == len(words)
}

// countParts returns in how many places the words of parts stand together.
func (m *phraseMatcher) countParts() uint32 {
	if n, ok := m.countFew(); ok {
		return n
	}
	if n, ok := m.countMarks(); ok {
		return n
	}
	m.words = slices.Grow(m.words[:0], len(m.parts))[:len(m.parts)]
	for i := range m.parts {
		part := &m.parts[i]
		m.words[i].left = m.readers[part.word.list].ReadSpan(part.span, part.n)
	}
	if len(m.words) == 2 {
		return countBeside(m.words[0].left, m.words[1].left, uint32(m.parts[1].word.offset-m.parts[0].word.offset))
	}
	return m.countTogether()
}

// countFew is countParts for words that occur so seldom that a processor's word holds their
// positions, as most do. ok is false if one does not.
func (m *phraseMatcher) countFew() (n uint32, ok bool) {
	least := &m.parts[0]
	for i := range m.parts {
		part := &m.parts[i]
		if !part.span.Whole(part.n) {
			return 0, false
		}
		if part.n < least.n {
			least = part
		}
		m.decoded += int(part.n)
	}
	before := -1
next:
	for i := range least.n {
		at := int(least.span.At(i))
		if at == before {
			continue
		}
		before = at
		for j := range m.parts {
			part := &m.parts[j]
			if part != least && !part.span.Has(part.n, uint64(at+part.word.offset-least.word.offset)) {
				continue next
			}
		}
		n++
	}
	return n, true
}

// countMarks is countParts for texts so short that a set of positions fits a few words:
// all words stand where the sets have a bit in common once each has been moved by the
// word's offset. That takes no branch that depends on positions. ok is false if a
// position is too high.
func (m *phraseMatcher) countMarks() (n uint32, ok bool) {
	var all posting.Marks
	var first, least *phrasePart
	for i := range m.parts {
		if part := &m.parts[i]; least == nil || part.n < least.n {
			least = part
		}
	}
	for i := range m.parts {
		part := &m.parts[i]
		if part == least {
			continue // which is looked up, since that takes longer
		}
		m.decoded += int(part.n)
		reader := &m.readers[part.word.list]
		if first == nil {
			if first = part; !reader.Mark(part.span, part.n, &all) {
				return 0, false
			}
			continue
		}
		var set posting.Marks
		if !reader.Mark(part.span, part.n, &set) {
			return 0, false
		}
		left, shift := uint64(0), part.word.offset-first.word.offset
		for k := range all {
			all[k] &= marksFrom(&set, k<<6+shift)
			left |= all[k]
		}
		if left == 0 {
			return 0, true
		}
	}
	m.decoded += int(least.n)
	shift := least.word.offset - first.word.offset // perhaps below 0, which comes to the same
	return m.readers[least.word.list].Strike(least.span, least.n, &all, uint64(shift)), true
}

// marksFrom returns 64 bits of a set from bit at on, with zeros behind the last.
func marksFrom(set *posting.Marks, at int) uint64 {
	k := at >> 6
	if k >= len(set) {
		return 0
	}
	x := set[k] >> (at & 63)
	if k+1 < len(set) {
		x |= set[k+1] << 1 << (63 - at&63)
	}
	return x
}
