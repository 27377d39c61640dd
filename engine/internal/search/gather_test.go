package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestGatheredScoresAreExact is TestTopIsExact for queries of many leaves in small
// segments, which are scored list by list.
func TestGatheredScoresAreExact(t *testing.T) {
	phrases := []testPhrase{{terms: []int{0, 1}}, {terms: []int{9, 11}}, {terms: []int{11, 0}, o: PhraseOptions{Slop: 2}}}
	shares := []float64{0.3, 0.2, 0.12, 0.1, 0.08, 0.05, 0.04, 0.03, 0.02, 0.9, 0.01, 0.7, 0.002, 0.15}
	for name, o := range map[string]corpusOptions{
		"one window":     {ranges: [][2]posting.DocID{{0, 1_500}}, fields: 2, share: shares, sets: 1, phrases: phrases},
		"several":        {ranges: [][2]posting.DocID{{3_000, 14_000}}, fields: 3, share: shares, dead: 0.1, holes: 0.1, sets: 1, values: map[int]bool{3: true}, phrases: phrases},
		"several pages":  {ranges: [][2]posting.DocID{{60_000, 68_000}, {68_001, 68_090}, {131_000, 133_000}}, fields: 1, share: shares, fresh: true, dead: 0.02, sets: 1, phrases: phrases},
		"bitmap windows": {ranges: [][2]posting.DocID{{0, 12_287}}, fields: 1, share: append([]float64{0.5, 0.45}, shares...), sets: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const seed = 23
			r := rand.New(rand.NewPCG(seed, 5))
			c := newCorpus(t, r, o)
			pool, gathered := new(Pool), 0
			for round := range 150 {
				q := manyLeaves(r, c)
				q.Pool = pool
				gathered += gatheredSlots(t, q)
				o := TopOptions{K: []int{1, 11, 31, 100, 5_000}[r.IntN(5)], Count: r.IntN(3) == 0}
				if r.IntN(4) != 0 {
					o.Order = backwards
				}
				if r.IntN(4) != 0 {
					if _, err := Count(context.Background(), q); err != nil { // settles phrases
						t.Fatal(err)
					}
				}
				want, wantTotal, err := TopExhaustive(context.Background(), q, o)
				if err != nil {
					t.Fatal(err)
				}
				if r.IntN(3) == 0 && len(want) > 0 {
					o.MinScore = want[r.IntN(len(want))].Score
					if want, wantTotal, err = TopExhaustive(context.Background(), q, o); err != nil {
						t.Fatal(err)
					}
				}
				got, total, err := Top(context.Background(), q, o)
				if err != nil || !slices.Equal(got, want) || total != wantTotal {
					t.Fatalf("seed %d, round %d: %v, %v, %+v: %d matches, want %d, error %v (-want +got):\n%s",
						seed, round, q.Leaves, q.Match, o, total, wantTotal, err, cmp.Diff(want, got))
				}
			}
			if gathered < 50 {
				t.Errorf("%d slots were scored list by list, want 50 or more", gathered)
			}
		})
	}
}

// manyLeaves makes up a query as those of the whole ranking are: words that have to
// match, and others that only score.
func manyLeaves(r *rand.Rand, c *corpus) *Query {
	var leaves []Leaf
	var terms []int
	match := &Expr{Op: []Op{OpOr, OpOr, OpAtLeast}[r.IntN(3)], Min: 2}
	for i := range gatherLeaves + r.IntN(12) {
		weight := uint32(1 + r.IntN(1000))
		if r.IntN(3) == 0 {
			weight /= 50
		}
		leaves, terms = append(leaves, Leaf{Weight: weight, Constant: r.IntN(16) == 0}), append(terms, r.IntN(c.terms))
		if r.IntN(2) == 0 || i < 2 {
			match.Kids = append(match.Kids, &Expr{Op: OpLeaf, Leaf: i})
		}
	}
	if n := len(c.phrases); n > 0 && r.IntN(2) == 0 { // one that has been counted, as compounds are, is settled
		leaves, terms = append(leaves, Leaf{Weight: uint32(1 + r.IntN(1000))}), append(terms, c.terms+r.IntN(n))
		match.Kids = append(match.Kids, &Expr{Op: OpLeaf, Leaf: len(leaves) - 1})
	}
	if r.IntN(4) == 0 {
		match = &Expr{Op: OpAnd, Kids: []*Expr{match, {Op: OpSet}}}
	}
	return c.query(leaves, terms, match)
}

// gatheredSlots returns how many slots of a query are scored list by list.
func gatheredSlots(t *testing.T, q *Query) (n int) {
	r := q.Pool.take()
	defer q.Pool.give(r)
	if err := r.begin(q); err != nil {
		t.Fatal(err)
	}
	r.relate()
	if err := r.slots(context.Background(), func() error {
		r.scorers = r.scorers[:0]
		for i := range r.leaves {
			if v := &r.leaves[i]; v.scores && v.c != nil {
				r.addScorer(v, v.limit(r.seg.Bounds))
			}
		}
		if r.gathers() {
			n++
		}
		return nil
	}); err != nil {
		t.Fatal(fmt.Errorf("slots: %w", err))
	}
	return n
}
