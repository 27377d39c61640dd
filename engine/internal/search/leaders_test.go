package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestLeadersAreExact asks for the same words again and again, as many searches
// do, in one segment and several, with dead documents, with and without an order,
// under scorings that come and go. What is answered from leaders is what scoring
// everything gives.
func TestLeadersAreExact(t *testing.T) {
	led := map[[2]bool]int{} // answers, by whether there is an order and several segments
	both := map[int]int{}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 29))
		options := corpusOptions{
			ranges: [][2]posting.DocID{{60_000, 72_000}, {72_001, 76_000}}, fields: 1 + int(seed%2), fresh: seed%3 == 0,
			share: []float64{0.0004, 0.003, 0.02, 0.1, 0.6}, dead: float64(seed%4) * 0.1,
		}
		var order Order
		if seed%2 == 0 {
			order = backwards
		}
		if seed%5 < 2 {
			options.ranges = options.ranges[:1]
		}
		c := newCorpus(t, r, options)
		kept := make([][]*Leaders, len(c.segments))
		for i := range kept {
			for range c.terms {
				kept[i] = append(kept[i], new(Leaders))
			}
		}
		scoring, weights := uint64(1), []uint32{1, 3, 70_000}
		keptBegun := map[[3]int]*Leaders{}
		for round := range 600 {
			if r.IntN(60) == 0 { // others have the same list under another scoring
				scoring++
				c.change(r)
			}
			term := r.IntN(c.terms)
			leaves, match := []Leaf{{Weight: weights[r.IntN(3)]}}, &Expr{Op: OpLeaf}
			terms := []int{term}
			if r.IntN(4) == 0 { // there are matches without a score
				leaves, terms = append(leaves, Leaf{}), append(terms, r.IntN(c.terms))
				match = &Expr{Op: OpOr, Kids: []*Expr{match, {Op: OpLeaf, Leaf: 1}}}
			}
			begun := r.IntN(3) // 1: what begins with the word is looked for, too, 2: nothing else is
			if begun > 0 {
				leaves, terms = []Leaf{leaves[0], {Weight: weights[r.IntN(3)], Constant: true, Covers: 1}}, []int{term, term}
				match = &Expr{Op: OpOr, Kids: []*Expr{{Op: OpLeaf}, {Op: OpLeaf, Leaf: 1}}}
			}
			q := c.query(leaves, terms, match)
			if begun > 0 {
				other := r.IntN(2)
				cover(q, c.lists, term, other)
				if q.Leaves[0].Lists = slices.Clone(q.Leaves[0].Lists); begun == 2 {
					clear(q.Leaves[0].Lists) // it is not there
				}
				for i := range q.Segments {
					at := [3]int{i, term, other}
					if keptBegun[at] == nil {
						keptBegun[at] = new(Leaders)
					}
					q.Leaves[1].Leaders = append(q.Leaves[1].Leaders, keptBegun[at])
				}
				terms = terms[:1]
			}
			for i := range q.Segments {
				q.Segments[i].Scoring = scoring
				for j, term := range terms {
					q.Leaves[j].Leaders = append(q.Leaves[j].Leaders, kept[i][term])
				}
			}
			o := TopOptions{K: []int{1, 2, 11, 20, 101, 128, 129, 300}[r.IntN(8)], Order: order}
			if order != nil && r.IntN(2) == 0 {
				o.Keys = backwardsKeys
			}
			want, _, err := TopExhaustive(context.Background(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			run := new(run)
			if err := run.begin(q); err != nil {
				t.Fatal(err)
			}
			run.relate()
			if begun > 0 {
				if run.ledByBoth(0, 1, &o) != nil {
					both[begun]++
				}
			} else if run.led(0, &o) != nil {
				led[[2]bool{order != nil, len(q.Segments) > 1}]++
			}
			if got, _, err := Top(context.Background(), q, o); err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: term %d, %d hits, error %v (-want +got):\n%s", seed, round, term, o.K, err, cmp.Diff(want, got))
			}
		}
	}
	if len(led) != 4 {
		t.Errorf("answers from leaders, by order and several segments: %v", led)
	}
	if len(both) != 2 {
		t.Errorf("answers from leaders of a word and what begins with it, or of the latter alone: %v", both)
	}
	t.Log(led, both)
}

// TestLeadersTakeFewSearches counts the searches after which leaders are known,
// and those that a new scoring takes.
func TestLeadersTakeFewSearches(t *testing.T) {
	c := newCorpus(t, rand.New(rand.NewPCG(1, 31)), corpusOptions{ranges: [][2]posting.DocID{{0, 3_000}}, fields: 1, share: []float64{0.5}})
	at := new(Leaders)
	for scoring := uint64(1); scoring < 3; scoring++ {
		for n := 1; at.under(scoring, false) == nil; n++ {
			q := c.query([]Leaf{{Weight: 1}}, []int{0}, &Expr{Op: OpLeaf})
			q.Segments[0].Scoring, q.Leaves[0].Leaders = scoring, []*Leaders{at}
			if _, _, err := Top(context.Background(), q, TopOptions{K: 10}); err != nil {
				t.Fatal(err)
			}
			if known := at.under(scoring, false) != nil; known != (n == worthLeading) || n > worthLeading {
				t.Fatalf("after %d searches under scoring %d leaders are known: %v", n, scoring, known)
			}
		}
	}
}

// TestLeadersThatCannotBeOrdered: leaders whose order could not be told are not
// kept, the search that looked for them is none the worse, and one after it finds
// them.
func TestLeadersThatCannotBeOrdered(t *testing.T) {
	c := newCorpus(t, rand.New(rand.NewPCG(1, 32)), corpusOptions{ranges: [][2]posting.DocID{{0, 3_000}}, fields: 1, share: []float64{0.5}})
	at := new(Leaders)
	aside, broken, asked, told := false, true, 0, true
	o := TopOptions{K: 10, Order: func(a, b Hit) bool {
		if aside {
			asked++
			told = told && !broken
		}
		return backwards(a, b)
	}}
	o.Aside = func(find func()) bool {
		aside, told = true, true
		find()
		aside = false
		return told
	}
	for n := 1; n <= worthLeading+2; n++ {
		broken = n <= worthLeading+1
		q := c.query([]Leaf{{Weight: 1}}, []int{0}, &Expr{Op: OpLeaf})
		want, _, err := TopExhaustive(context.Background(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		q.Segments[0].Scoring, q.Leaves[0].Leaders = 1, []*Leaders{at}
		if got, _, err := Top(context.Background(), q, o); err != nil || !slices.Equal(got, want) {
			t.Errorf("search %d, error %v (-want +got):\n%s", n, err, cmp.Diff(want, got))
		}
		if known := at.under(1, true) != nil; known == broken {
			t.Errorf("after search %d leaders are known: %v", n, known)
		}
	}
	if asked == 0 {
		t.Error("the order was not asked for: this tests nothing")
	}
}
