package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// stageLate marks the part of a score that leaves which come late give. It is told as the
// terms that it is made of.
const stageLate = "late"

// Filler words beside others, and the very forms of words beside their stems, add so
// little to a score that they decide between records that are close to each other, and
// hardly ever which are among the best. But they are half of the leaves of a query, and
// filler words are the longest lists of an index. So they are no leaves for the kernel: they
// are added up for the records that it finds, as bonuses are. Where no bonuses are given,
// the kernel adds them.

// comesLate tells whether the search has leaves that come late, if there are any.
func (s *searcher) comesLate() bool { return s.mayRerank() && len(s.req.Sort) == 0 }

// findLate finds the leaves that come late.
func (b *bonuses) findLate() {
	b.late = b.late[:0]
	for i := range b.run.res.leaves {
		if l := &b.run.res.leaves[i]; l.late && l.weight > 0 {
			b.late = append(b.late, bonusLeaf{leaf: i})
		}
	}
}

// weighLate adds up what the leaves that come late give the records at hand.
func (b *bonuses) weighLate() {
	b.lateness = slices.Grow(b.lateness[:0], len(b.hits))[:len(b.hits)]
	clear(b.lateness)
	for n := range b.late {
		l := &b.late[n]
		weight := uint64(b.run.res.leaves[l.leaf].weight)
		ranks := b.lateRanks(l)
		segment := -1
		var list *posting.List
		var codes posting.CodeReader
		var table *score.Table
		for i, rank := range ranks {
			if rank < 0 {
				continue
			}
			h := b.hits[i].hit
			if h.Segment != segment {
				segment, list, table = h.Segment, b.run.q.Leaves[l.leaf].Lists[h.Segment], b.run.q.Segments[h.Segment].Table
				codes = list.Codes()
			}
			if !list.HasFreqs {
				b.lateness[i] += weight * score.MaxImpact
				continue
			}
			norms, place := b.run.normsOf(h)
			code := codes.At(rank)
			impact, ok := table.Quick(code, norms, place)
			if !ok {
				impact = table.ImpactOf(codes.Vector(&b.own, rank, table.Book()), norms, place)
			}
			b.lateness[i] += weight * uint64(impact)
		}
	}
}

// lateRanks returns the ranks of a leaf that comes late. Filler words are asked for by
// other bonuses, too.
func (b *bonuses) lateRanks(l *bonusLeaf) []int {
	for i := range b.leaves {
		if b.leaves[i].leaf == l.leaf {
			return b.ranksOf(&b.leaves[i])
		}
	}
	return b.rank(func(seg int) *posting.List { return b.run.q.Leaves[l.leaf].Lists[seg] })
}

// addLate adds what the leaves that come late give record i.
func (b *bonuses) addLate(i int) {
	if b.lateness[i] > 0 {
		b.add(bonusPart{stage: stageLate, field: -1, score: b.lateness[i]})
	}
}

// lateQuery is the query by which a record was scored that has some bonuses.
func (run *searchRun) lateQuery(bonus []bonusPart) *search.Query {
	if !slices.ContainsFunc(bonus, func(p bonusPart) bool { return p.stage == stageLate }) {
		return run.q
	}
	q := *run.q
	q.Leaves = slices.Clone(q.Leaves)
	for i := range q.Leaves {
		q.Leaves[i].Weight = run.res.leaves[i].weight
	}
	return &q
}
