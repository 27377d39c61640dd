package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
)

// calledWords are words of the query that are called otherwise, too.
type calledWords struct {
	*related
	from, to int // of bonuses.words
}

// calledPhrase is what words of the query are called, too, that a record lacks.
type calledPhrase struct {
	terms    string
	from, to int        // of bonuses.words: those that it stands for
	fields   []bool     // the text fields that it is looked for in; nil: all
	share    uint64     // of their weight
	weight   uint64     // by its rarity
	rows     []*listRow // of its terms
	ranks    [][]int    // of its terms in the records at hand, see bonuses.rank
	placed   []int      // of bonuses.terms; for phrases
}

// calledElse finds the words of the query that are called otherwise, too, but for those that
// weigh less than two fifths of the weightiest: what stands for them decides nothing. Without
// them, judged collections have the same nDCG@10.
func (b *bonuses) calledElse() {
	b.elsewhere = b.elsewhere[:0]
	if len(b.run.res.related) == 0 {
		return
	}
	least := weightiest(b.words) / 5 * 2
	for i := range b.run.res.related {
		of := &b.run.res.related[i]
		if of.sought {
			continue
		}
		from := slices.IndexFunc(b.words, func(w bonusWord) bool { return w.at == of.start })
		to := from + 1
		for from >= 0 && to < len(b.words) && b.words[to].end <= of.end { // pairs of characters overlap
			to++
		}
		if from >= 0 && b.words[to-1].end == of.end && weightiest(b.words[from:to]) >= least {
			b.elsewhere = append(b.elsewhere, calledWords{of, from, to})
		}
	}
	// By word, of which fields of each analyzer may know something.
	slices.SortStableFunc(b.elsewhere, func(a, b calledWords) int { return cmp.Compare(a.from, b.from) })
}

// weightiest is the weight of the weightiest of some words.
func weightiest(words []bonusWord) (weight uint64) {
	for i := range words {
		weight = max(weight, words[i].weight)
	}
	return weight
}

// lookElsewhere looks in the records at hand, where one of these lacks words, for what
// these are called, too.
func (b *bonuses) lookElsewhere() error {
	b.called = b.called[:0]
	res := b.run.res
	for n := range b.elsewhere {
		w := &b.elsewhere[n]
		if b.allHave(w.from, w.to) {
			continue
		}
		for _, o := range res.others(w.related) {
			b.seekOther(w, o)
		}
	}
	return res.err
}

// seekOther looks for one of the things that words are called.
func (b *bonuses) seekOther(w *calledWords, o thesaurus.Other) {
	if len(b.called) == cap(b.called) {
		b.called = append(b.called, calledPhrase{})
	} else {
		b.called = b.called[:len(b.called)+1] // with the memory of one before it
	}
	res, c := b.run.res, &b.called[len(b.called)-1]
	c.terms, c.from, c.to, c.share = o.Terms, w.from, w.to, shareOf(thesaurusShare(o.Relation, w.words)*b.tuning.Thesaurus)
	c.fields = w.fields
	c.rows, c.ranks, c.placed = c.rows[:0], c.ranks[:0], c.placed[:0]
	idf := 0.0
	for term := range strings.SplitSeq(o.Terms, " ") {
		row := res.rowOf(b.run, term)
		if row == nil {
			return
		}
		df := row.df
		if res.joint {
			df = res.holders(term)
		}
		idf += score.IDF(res.docs, uint64(df))
		ranks := b.rank(func(seg int) *posting.List { return row.lists[seg] })
		if !slices.ContainsFunc(ranks, func(rank int) bool { return rank >= 0 }) {
			b.called = b.called[:len(b.called)-1] // no record at hand holds it
			return
		}
		c.rows, c.ranks = append(c.rows, row), append(c.ranks, ranks)
	}
	l := &res.leaves[b.leaves[b.words[c.from].from].leaf]
	c.weight = uint64(math.Round(idf * (score.DefaultK1 + 1) * l.boost * l.factor * weightUnit))
}

// allHave tells whether all records at hand have some words.
func (b *bonuses) allHave(from, to int) bool {
	n := len(b.hits)
	for w := from; w < to; w++ {
		if !b.words[w].filler && slices.Contains(b.fields[w*n:][:n], 0) {
			return false
		}
	}
	return true
}

// thesaurus adds the bonuses of record i for what stands for words that it lacks: of all
// that stands for them what is worth most, as if the record held it in their place.
func (b *bonuses) thesaurus(i int) error {
	best := bonusPart{stage: StageThesaurus, field: -1}
	for n := range b.called {
		c := &b.called[n]
		if impact, err := b.impactOf(c, i); err != nil {
			return err
		} else if impact > 0 {
			got := min(b.missing(c, i), c.weight) * c.share / shareUnit * impact
			if got > best.score {
				best.score, best.term = got, c.terms
			}
		}
		if n == len(b.called)-1 || b.called[n+1].from != c.from {
			if best.score > 0 {
				b.add(best)
			}
			best.score = 0
		}
	}
	return nil
}

// missing is what those words weigh that a phrase stands for and record i lacks.
func (b *bonuses) missing(c *calledPhrase, i int) (weight uint64) {
	for w := c.from; w < c.to; w++ {
		if b.fields[w*len(b.hits)+i] == 0 && !b.words[w].filler {
			weight += b.words[w].weight
		}
	}
	return weight
}

// impactOf is what a phrase gives record i: the least of what its terms do, if they stand
// side by side.
func (b *bonuses) impactOf(c *calledPhrase, i int) (uint64, error) {
	for _, ranks := range c.ranks {
		if ranks[i] < 0 {
			return 0, nil
		}
	}
	h := b.hits[i].hit
	table := b.run.q.Segments[h.Segment].Table
	norms, place := b.run.normsOf(h)
	least := uint64(score.MaxImpact)
	for t, row := range c.rows {
		vector := row.lists[h.Segment].VectorIn(&b.own, c.ranks[t][i], table.Book())
		if c.fields != nil {
			b.own = slices.DeleteFunc(append(b.own[:0], vector...), func(f score.Freq) bool { return !c.fields[f.Field] })
			vector = b.own
		}
		least = min(least, uint64(table.ImpactOf(vector, norms, place)))
	}
	if together, err := b.together(c, i); err != nil || !together {
		return 0, err
	}
	return least, nil
}

// together tells whether the terms of a phrase, all of which record i has, stand side by
// side there, two by two.
func (b *bonuses) together(c *calledPhrase, i int) (bool, error) {
	if len(c.rows) > 1 && len(c.placed) == 0 {
		for term := range strings.SplitSeq(c.terms, " ") {
			c.placed = append(c.placed, b.term(term, -1))
		}
	}
	for t := 1; t < len(c.rows); t++ {
		if near, _, err := b.near(i, c.placed[t-1], c.placed[t], 1, c.fields); err != nil || near < score.MaxImpact {
			return false, err
		}
	}
	return true, nil
}
