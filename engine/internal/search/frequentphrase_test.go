package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// A settled phrase is an array however many documents hold it, so the container with the
// fewest documents may be a bitmap while another is not.
func TestCountWithFrequentPhrase(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	c := newCorpus(t, r, corpusOptions{
		ranges: [][2]posting.DocID{{0, 40_000}}, fields: 1, share: []float64{0.9, 0.9, 0.3, 0.5}, short: true,
		phrases: []testPhrase{{[]int{0, 1}, PhraseOptions{Slop: 6}}},
	})
	terms := []int{c.terms, 2, 3}
	match := &Expr{Op: OpAnd, Kids: []*Expr{{Op: OpLeaf}, {Op: OpLeaf, Leaf: 1}, {Op: OpLeaf, Leaf: 2}}}
	q := c.query([]Leaf{{Weight: 1}, {Weight: 1}, {Weight: 1}}, terms, match)
	_, want := c.top(q, terms, TopOptions{})
	got, err := Count(context.Background(), q)
	if err != nil || got != want {
		t.Errorf("got %d, %v; want %d", got, err, want)
	}
}
