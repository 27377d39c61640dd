package search

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Counts of lists, unions and intersections are those of the records, with what is kept
// of how many live and without, over one segment and several: the first search and those
// that find what it left.
func TestPlainCounts(t *testing.T) {
	const seed = 51
	kept := 0
	for name, c := range testCorpora(t, seed) {
		r := rand.New(rand.NewPCG(seed, 3))
		live := make([]Live, c.terms)
		for round := range 150 {
			var leaves []Leaf
			var terms []int
			match := &Expr{Op: []Op{OpOr, OpAnd}[r.IntN(2)]}
			for i := range 1 + r.IntN(5) {
				leaves, terms = append(leaves, Leaf{Weight: 1}), append(terms, r.IntN(c.terms))
				match.Kids = append(match.Kids, &Expr{Op: OpLeaf, Leaf: i})
			}
			if len(terms) == 1 && r.IntN(2) == 0 {
				match = match.Kids[0]
			}
			q := c.query(leaves, terms, match)
			want := int64(0)
			for i := range c.records {
				if rec := &c.records[i]; !rec.dead && rec.matches(match, terms) {
					want++
				}
			}
			for range 2 {
				if n, err := Count(context.Background(), q); err != nil || n != want {
					t.Fatalf("%s, seed %d, round %d: terms %v, %v: %d, want %d, error %v", name, seed, round, terms, match, n, want, err)
				}
				for i, term := range terms {
					if q.Leaves[i].Live = &live[term]; live[term].cards.Load() != nil {
						kept++
					}
				}
			}
		}
	}
	if kept < 500 {
		t.Errorf("this tests too little: what was kept was found %d times", kept)
	}
}
