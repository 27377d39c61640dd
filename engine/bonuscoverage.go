package engine

import (
	"strings"
	"unicode/utf8"

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
	word    int   // of bonuses.words
	instead []int // what stands for it, of bonuses.spare: compounds and synonyms
}

// cover finds the words that coverage counts, if there are as many of them as
// there have to be.
func (b *bonuses) cover() {
	b.both, b.spare = b.both[:0], b.spare[:0]
	if shareOf(b.tuning.Coverage) == 0 {
		return
	}
	both := b.both
	for i := range b.words {
		if !b.words[i].filler && len(both) <= coverageWords {
			both = append(both, covered{word: i})
		}
	}
	if b.both = both[:0]; len(both) != coverageWords {
		return
	}
	leaves := b.run.res.leaves
	first := func(i int) *leaf { return &leaves[b.leaves[b.words[both[i].word].from].leaf] }
	if first(0).term == first(1).term {
		return
	}
	b.both = both
	all := first(0).from + " " + first(1).from
	if x, y := &b.words[both[0].word], &b.words[both[1].word]; y.pair && y.at < x.end {
		_, n := utf8.DecodeRuneInString(first(1).from)
		all = first(0).from + first(1).from[n:] // as textOf has it
	}
	for i := range leaves {
		l := &leaves[i]
		if l.silent || l.flat || len(l.like) == 0 {
			continue
		}
		for j := range both {
			if strings.EqualFold(l.from, first(j).from) || strings.EqualFold(l.from, all) {
				both[j].instead = append(both[j].instead, len(b.spare))
				b.spare = append(b.spare, bonusLeaf{leaf: i})
			}
		}
	}
}

// coverage adds the bonus of record i for the words that it holds: a share of
// what they weigh, times their share of what both weigh. So both are worth far
// more than the weightier one, and that more than the other.
func (b *bonuses) coverage(i int) {
	var got, all uint64
	for j := range b.both {
		c := &b.both[j]
		w := &b.words[c.word]
		if all += w.weight; b.fields[c.word*len(b.hits)+i] != 0 || b.holdsInstead(i, c) {
			got += w.weight
		}
	}
	if got == 0 {
		return
	}
	share := got * shareOf(b.tuning.Coverage) / shareUnit
	b.add(bonusPart{stage: StageCoverage, field: -1, score: share * (got * shareUnit / all * score.MaxImpact / shareUnit)})
}

// holdsInstead tells whether record i holds something that stands for a word.
func (b *bonuses) holdsInstead(i int, c *covered) bool {
	for _, n := range c.instead {
		if b.holdsLeaf(i, &b.spare[n]) {
			return true
		}
	}
	return false
}

// holdsLeaf tells whether record i has a leaf with frequencies.
func (b *bonuses) holdsLeaf(i int, l *bonusLeaf) bool {
	q, h := b.run.q, b.hits[i].hit
	if b.run.res.leaves[l.leaf].phrase != nil {
		return len(q.Vector(l.leaf, h.Segment, h.Doc)) > 0
	}
	return !q.Leaves[l.leaf].Constant && b.ranksOf(l)[i] >= 0 && q.Leaves[l.leaf].Lists[h.Segment].HasFreqs
}
