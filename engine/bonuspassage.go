package engine

import "github.com/quarry-search/quarry/engine/internal/score"

const (
	// passageShare is what a passage adds that holds all words of the query, as a
	// share of their weight.
	passageShare = 0.1
	// passagePairs is how many times as much that is for pairs of characters,
	// which get nothing for standing side by side; see bonuses.pair.
	passagePairs = 5
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
	share  uint64
	length uint64 // in words or characters
	runs   []spotRun
	order  spotOrder
}

// passageWord is a word by the terms that it is read as.
type passageWord struct {
	from, to int // passages.terms
	weight   uint64
}

// passages finds the words that passages are to hold.
func (b *bonuses) passages() {
	p := &b.within
	*p = passages{words: p.words[:0], terms: p.terms[:0], runs: p.runs, order: p.order, share: shareOf(b.tuning.Passage), length: passageLength}
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
		p.words = append(p.words, passageWord{from, len(p.terms), w.weight})
		if p.all += w.weight; w.pair {
			pairs++
		}
	}
	if len(p.words) < passageWords || p.all == 0 {
		return
	}
	if 2*pairs >= len(p.words) {
		p.share, p.length = p.share*passagePairs, passageCharacters
	}
	p.wanted = true
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
	if err := b.spots(i); err != nil {
		return err
	}
	best, field := q.best()
	part := best * shareUnit / q.all
	part = part * part / shareUnit * part / shareUnit
	p := bonusPart{stage: StagePassage, field: field, score: q.all * q.share / shareUnit * (part * score.MaxImpact / shareUnit)}
	if p.score > 0 {
		b.add(p)
	}
	return nil
}

// spots finds where the words stand in record i.
func (b *bonuses) spots(i int) error {
	q := &b.within
	q.runs = q.runs[:0]
	for n := range q.words {
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
				if in := part(places, from, int(v.TF)); len(in) > 0 && b.run.params.Fields[v.Field].Weight > 0 {
					q.runs = append(q.runs, spotRun{v.Field, uint8(n), in})
				}
				from += int(v.TF)
			}
		}
	}
	return nil
}
