package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestPrimeIsReached: at least k documents that match have the score that a search for
// the best k begins with, over one segment and several, with dead documents, and with
// impacts that are no longer those at the time of the build.
func TestPrimeIsReached(t *testing.T) {
	raised := 0
	primed := map[bool]int{} // searches with a score to begin with, by whether there are several segments
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 43))
		options := corpusOptions{
			ranges: [][2]posting.DocID{{60_000, 72_000}, {72_001, 76_000}, {140_000, 143_000}}, fields: 1 + int(seed%2), fresh: seed%3 == 0,
			share: []float64{0.003, 0.02, 0.1, 0.6}, dead: float64(seed%4) * 0.3,
		}
		if seed%5 < 2 {
			options.ranges = options.ranges[:1]
		}
		c := newCorpus(t, r, options)
		for range 40 {
			var leaves []Leaf
			var terms []int
			match := &Expr{Op: OpOr}
			for i := range 1 + r.IntN(4) {
				leaves, terms = append(leaves, Leaf{Weight: 1 + r.Uint32N(1000)}), append(terms, r.IntN(c.terms))
				if i == 0 || r.IntN(3) > 0 { // else it scores, but does not match
					match.Kids = append(match.Kids, &Expr{Op: OpLeaf, Leaf: i})
				}
			}
			q := c.query(leaves, terms, match)
			run := new(run)
			if err := run.begin(q); err != nil {
				t.Fatal(err)
			}
			run.relate()
			k := []int{1, 7, 10, 90, 128, 200}[r.IntN(6)]
			if r.IntN(2) == 0 { // what is found is kept
				for i := range q.Segments {
					q.Segments[i].Scoring = 1 + seed
					for j := range leaves {
						q.Leaves[j].Leaders = append(q.Leaves[j].Leaders, new(Leaders))
					}
				}
			}
			score := run.prime(k)
			for range worthLeading {
				again := run.prime(k)
				if again < score {
					t.Fatalf("seed %d: the best %d begin with a score of %d, and later with %d", seed, k, score, again)
				}
				if again > score {
					raised++
				}
				score = again
			}
			if score == 0 {
				continue
			}
			primed[len(q.Segments) > 1]++
			hits, _, err := TopExhaustive(context.Background(), q, TopOptions{K: k})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) < k || hits[k-1].Score < score {
				t.Fatalf("seed %d: the best %d begin with a score of %d, which is not that of as many: %d hits", seed, k, score, len(hits))
			}
		}
	}
	if primed[false] < 100 || primed[true] < 100 || raised < 50 {
		t.Errorf("this tests too little: %v, %d raised", primed, raised)
	}
}
