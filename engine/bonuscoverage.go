package engine

import (
	"strings"

	"github.com/quarry-search/quarry/engine/internal/score"
)

const (
	// coverageShare is what both words of a query of two add where a record
	// holds them, as a share of their weight.
	coverageShare = 0.2
	// coverageWords is how many content words a query has whose coverage counts.
	// Of two words each names a part of what is wanted, as kind and maker do, and
	// a record without one of them is something else, however often it says the
	// other. A long question says much that its answer does not.
	coverageWords = 2
)

// covered is a word that coverage counts.
type covered struct {
	word    int         // of bonuses.words
	instead []askedLeaf // what stands for it: compounds and synonyms
}

// cover finds the words that coverage counts, if there are as many of them as
// there have to be.
func (b *bonuses) cover() {
	if shareOf(b.tuning.Coverage) == 0 {
		return
	}
	var both []covered
	for i := range b.words {
		if !b.words[i].filler {
			both = append(both, covered{word: i})
		}
	}
	leaves := b.run.res.leaves
	term := func(i int) string { return leaves[b.words[both[i].word].leaves[0].leaf].term }
	if len(both) != coverageWords || term(0) == term(1) {
		return
	}
	b.both = both
	typed := func(i int) string { return leaves[b.words[both[i].word].leaves[0].leaf].from }
	all := typed(0) + " " + typed(1)
	for i := range leaves {
		l := &leaves[i]
		if l.silent || l.flat || l.like == "" {
			continue
		}
		for j := range both {
			if strings.EqualFold(l.from, typed(j)) || strings.EqualFold(l.from, all) {
				both[j].instead = append(both[j].instead, askedLeaf{leaf: i})
			}
		}
	}
}

// coverage returns the bonus of record i for the words that it holds: a share of
// what they weigh, times their share of what both weigh. So both are worth far
// more than the weightier one, and that more than the other.
func (b *bonuses) coverage(i int) (p bonusPart, ok bool) {
	var got, all uint64
	for j := range b.both {
		c := &b.both[j]
		w := &b.words[c.word]
		if all += w.weight; b.holds(i, w) != 0 || b.holdsInstead(i, c) {
			got += w.weight
		}
	}
	if got == 0 {
		return p, false
	}
	share := got * shareOf(b.tuning.Coverage) / shareUnit
	return bonusPart{stage: StageCoverage, field: -1, score: share * (got * shareUnit / all * score.MaxImpact / shareUnit)}, true
}

// holdsInstead tells whether record i holds something that stands for a word.
func (b *bonuses) holdsInstead(i int, c *covered) bool {
	for j := range c.instead {
		if len(b.vector(i, &c.instead[j])) > 0 {
			return true
		}
	}
	return false
}
