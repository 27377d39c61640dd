package search

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Counts of lists, unions and intersections are those of the records, over one segment
// and several: where nothing is kept, while living documents are found, with them, and
// where there is no room for them.
func TestPlainCounts(t *testing.T) {
	const seed = 51
	joined, refused := 0, 0
	for name, c := range testCorpora(t, seed) {
		r := rand.New(rand.NewPCG(seed, 3))
		living := make([]Living, c.terms)
		for i := range living {
			living[i].Keep = func(bytes int) bool {
				if i%5 == 0 {
					refused++
				}
				return i%5 != 0
			}
		}
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
			for turn := range 3 {
				if n, err := Count(context.Background(), q); err != nil || n != want {
					t.Fatalf("%s, seed %d, round %d: terms %v, %v: %d, want %d, error %v", name, seed, round, terms, match, n, want, err)
				}
				if most := 1 + r.Int64N(want+2); turn == 2 {
					if got, err := CountTo(context.Background(), q, most); err != nil || min(got, most) != min(want, most) || got > want {
						t.Fatalf("%s, seed %d, round %d: terms %v, %v: %d to %d, want %d, error %v", name, seed, round, terms, match, got, most, want, err)
					}
				}
				for i, term := range terms {
					if q.Leaves[i].Living = &living[term]; living[term].known() != nil {
						joined++
					}
				}
			}
		}
		for i := range living {
			if bytes := living[i].Bytes(); i%5 == 0 && bytes > 0 {
				t.Errorf("%s: %d bytes are kept that there was no room for", name, bytes)
			}
		}
	}
	if joined < 500 || refused < 5 {
		t.Errorf("this tests too little: what was kept was found %d times, there was no room %d times", joined, refused)
	}
}
