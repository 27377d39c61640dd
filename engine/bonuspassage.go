package engine

import (
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/score"
)

const (
	// passageShare is what a passage adds that holds all words of the query, as a
	// share of their weight.
	passageShare = 0.1
	// passagePairs is how many times as much that is for pairs of characters,
	// which get nothing for standing side by side; see bonuses.pair.
	passagePairs = 5
	// passageLeast is the share of the query, by weight, from which on a passage
	// adds something. What it would add below that, 5 % of what a whole one does,
	// changes little, and most records of a long query need not be looked into. On judged
	// collections 0 to 3/8 give the same nDCG@10 to within 0.002, a half loses more. Of
	// pairs, for which passages add much, any share counts: jaquad-dev and xquad-zh lose
	// 0.0008 otherwise.
	passageLeast = shareUnit * 3 / 8
	// passageLength is how many words a passage has, a sentence or two, and
	// passageCharacters how many characters it has in text without spaces.
	passageLength     = 30
	passageCharacters = 40
	// passageWords is from how many content words on passages count. Two that
	// stand together are a matter of proximity.
	passageWords = 3
	// maxPassageWords is how many words of a query are looked for in passages.
	maxPassageWords = 64
)

// passages are what passages of the records are to hold.
type passages struct {
	wanted bool
	words  []passageWord
	terms  []int  // of the words, of bonuses.terms
	all    uint64 // their weights
	fields uint64 // that count, as bits
	share  uint64
	least  uint64 // the share of the words from which on one adds something
	length uint64 // in words or characters
	runs   []spotRun
	order  spotOrder
}

// passageWord is a word by the terms that it is read as.
type passageWord struct {
	word     int // of bonuses.words
	from, to int // passages.terms
	weight   uint64
}

// passages finds the words that passages are to hold.
func (b *bonuses) passages() {
	p := &b.within
	*p = passages{words: p.words[:0], terms: p.terms[:0], runs: p.runs, order: p.order, share: shareOf(b.tuning.Passage), least: passageLeast, length: passageLength}
	if p.share == 0 {
		return
	}
	pairs := 0
	for i := range b.words {
		w := &b.words[i]
		if w.filler || len(p.words) == maxPassageWords {
			continue
		}
		from := len(p.terms)
		for l := w.from; l < w.to; l++ {
			p.terms = append(p.terms, b.termOf(l))
		}
		p.words = append(p.words, passageWord{i, from, len(p.terms), w.weight})
		if p.all += w.weight; w.pair {
			pairs++
		}
	}
	if len(p.words) < passageWords || p.all == 0 {
		return
	}
	if 2*pairs >= len(p.words) {
		p.share, p.least, p.length = p.share*passagePairs, 0, passageCharacters
	}
	for f := range b.run.params.Fields[:min(64, len(b.run.params.Fields))] {
		if b.run.params.Fields[f].Weight > 0 {
			p.fields |= 1 << f
		}
	}
	p.wanted = true
}

// enough tells whether words of a weight are as much of the query as a passage has to hold.
func (p *passages) enough(weight uint64) bool { return weight*shareUnit/p.all >= p.least }

// worthLooking returns the fields of record i that hold enough for a passage, as bits.
func (b *bonuses) worthLooking(i int) (fields uint64) {
	q := &b.within
	if !b.placed {
		return ^uint64(0)
	}
	any := uint64(0)
	for n := range q.words {
		any |= b.fields[q.words[n].word*len(b.hits)+i]
	}
	for any &= q.fields; any != 0; any &= any - 1 {
		weight, field := uint64(0), bits.TrailingZeros64(any)
		for n := range q.words {
			weight += q.words[n].weight * (b.fields[q.words[n].word*len(b.hits)+i] >> field & 1)
		}
		if q.enough(weight) {
			fields |= 1 << field
		}
	}
	return fields
}

// passage adds the bonus of record i for the passage that holds most of the
// query: all that its words weigh, times the cube of the share of that which
// stands in the passage. So a passage that says a half of it is worth little: as
// much is in many a long text by chance.
func (b *bonuses) passage(i int) error {
	q := &b.within
	if !q.wanted {
		return nil
	}
	fields := b.worthLooking(i)
	if fields == 0 {
		return nil
	}
	if err := b.spots(i, fields); err != nil {
		return err
	}
	best, field := q.best()
	if !q.enough(best) {
		return nil
	}
	part := best * shareUnit / q.all
	part = part * part / shareUnit * part / shareUnit
	p := bonusPart{stage: StagePassage, field: field, score: q.all * q.share / shareUnit * (part * score.MaxImpact / shareUnit)}
	if p.score > 0 {
		b.add(p)
	}
	return nil
}

// spots finds where the words stand in some fields of record i.
func (b *bonuses) spots(i int, fields uint64) error {
	q := &b.within
	q.runs = q.runs[:0]
	for n := range q.words {
		if b.placed && b.fields[q.words[n].word*len(b.hits)+i]&fields == 0 {
			continue
		}
		for _, term := range q.terms[q.words[n].from:q.words[n].to] {
			t := &b.terms[term]
			if ok, err := b.has(i, t); err != nil {
				return err
			} else if !ok {
				continue
			}
			b.look(i, t)
			places, err := b.read(i, t)
			if err != nil {
				return err
			}
			from := 0
			for _, v := range t.vector {
				if in := part(places, from, int(v.TF)); len(in) > 0 && (v.Field >= 64 || fields>>v.Field&1 != 0) && b.run.params.Fields[v.Field].Weight > 0 {
					q.runs = append(q.runs, spotRun{v.Field, uint8(n), in})
				}
				from += int(v.TF)
			}
		}
	}
	return nil
}
