package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestStrongestIsExact holds the answers that come from champions alone to those
// of scoring everything: in one segment and several, with dead documents, and with
// impacts that are what they were or are not.
func TestStrongestIsExact(t *testing.T) {
	scattered := func(a, b posting.DocID) bool { return a*2654435761 < b*2654435761 }
	covered := 0                  // answers with a word's beginning
	answered := map[[2]bool]int{} // by whether there is an order, and impacts are what they were
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 23))
		options := corpusOptions{
			ranges: [][2]posting.DocID{{60_000, 72_000}, {72_001, 76_000}}, fields: 1 + int(seed%2), fresh: seed%3 == 0,
			share: []float64{0.0004, 0.003, 0.02, 0.1, 0.6}, dead: float64(seed%4) * 0.1,
		}
		var order Order
		if seed%4 < 2 {
			options.before = func(a, b posting.DocID) (bool, error) { return scattered(a, b), nil }
			order = func(a, b Hit) bool { return scattered(a.Doc, b.Doc) }
		}
		if seed%6 < 2 {
			options.ranges = options.ranges[:1]
		}
		c := newCorpus(t, r, options)
		for round := range 60 {
			term := r.IntN(c.terms)
			leaves, terms, match := []Leaf{{Weight: uint32(1 + r.IntN(5))}}, []int{term}, &Expr{Op: OpLeaf}
			begun := false // what the word begins is looked for, too
			switch r.IntN(4) {
			case 0:
				match = &Expr{Op: OpOr, Kids: []*Expr{match}}
			case 1: // there are matches without a score
				leaves, terms = append(leaves, Leaf{}), append(terms, r.IntN(c.terms))
				match = &Expr{Op: OpOr, Kids: []*Expr{match, {Op: OpLeaf, Leaf: 1}}}
			case 2:
				leaves, terms = append(leaves, Leaf{Weight: uint32(1 + r.IntN(5)), Constant: true, Covers: 1}), append(terms, term)
				match = &Expr{Op: OpOr, Kids: []*Expr{match, {Op: OpLeaf, Leaf: 1}}}
				begun = true
			}
			q := c.query(leaves, terms, match)
			if begun {
				cover(q, c.lists, term, r.IntN(c.terms))
			}
			if options.fields > 1 && !begun && r.IntN(2) == 0 { // a list that is made for the query
				for i := range q.Segments {
					lists := q.Leaves[0].Lists
					if lists[i], _ = Restrict(&q.Segments[i], lists[i], []bool{true}); lists[i] == nil {
						match = nil
					}
				}
				if match == nil {
					continue
				}
				for i, seg := range q.Segments {
					list := q.Leaves[0].Lists[i]
					all := list.AppendChampions(nil, list.Champions())
					if len(all) == 0 {
						continue
					}
					_, _, least := list.Ranking()
					last := all[len(all)-1].Doc
					if got, most := Score(q, i, last), uint64(leaves[0].Weight)*uint64(seg.Bounds[least>>8]); got > most {
						t.Fatalf("seed %d, round %d: the last champion's score is %d, and of the others %d is known", seed, round, got, most)
					}
				}
			}
			o := TopOptions{K: []int{1, 2, 5, 11, 20, 60, 101, 128, 300}[r.IntN(9)], Order: order}
			want, _, err := TopExhaustive(context.Background(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := Top(context.Background(), q, o); err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: term %d, %d hits, error %v (-want +got):\n%s", seed, round, term, o.K, err, cmp.Diff(want, got))
			}
			run := new(run)
			if err := run.begin(q); err != nil {
				t.Fatal(err)
			}
			run.relate()
			leaf, _ := run.onlyScorer()
			if leaf < 0 {
				continue
			}
			hits, floor := run.strongest(leaf, &o)
			if floor > 0 {
				floor += run.extra(leaf)
			}
			if begun && hits != nil {
				covered++
			}
			if len(want) == o.K && floor > want[o.K-1].Score {
				t.Fatalf("seed %d, round %d: term %d, %d hits: floor %d above the score %d of the last one", seed, round, term, o.K, floor, want[o.K-1].Score)
			}
			if hits != nil && c.lists[0][term].Champions() > 0 {
				answered[[2]bool{order != nil, c.segments[0].Exact}]++
			}
		}
	}
	if len(answered) != 4 {
		t.Errorf("champions gave answers, by order and exactness: %v", answered)
	}
	if covered == 0 {
		t.Error("no answer for a word and what begins with it came from champions")
	}
	t.Log(answered, covered)
}

// cover makes leaf 1 of a query the documents of some terms, one of which is leaf 0.
func cover(q *Query, lists [][]*posting.List, terms ...int) {
	q.Leaves[1].Lists = make([]*posting.List, len(q.Segments))
	q.Leaves[1].Leaders, q.Leaves[1].Living = nil, nil
	for i := range q.Segments {
		var all []*posting.List
		for _, term := range terms {
			all = append(all, lists[i][term])
		}
		q.Leaves[1].Lists[i] = Expand(all)
	}
}

// TestCoveredUnions holds unions with leaves that cover others to scoring everything, and
// counts that end early to whole ones.
func TestCoveredUnions(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 29))
		c := newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{60_000, 72_000}, {72_001, 76_000}}, fields: 1, fresh: seed%2 == 0,
			share: []float64{0.0004, 0.003, 0.02, 0.1, 0.6}, dead: float64(seed%3) * 0.1,
		})
		for round := range 60 {
			terms := []int{r.IntN(c.terms), 0}
			leaves := []Leaf{{Weight: uint32(1 + r.IntN(5))}, {Weight: uint32(r.IntN(3)), Constant: true, Covers: 1}}
			word := &Expr{Op: OpOr, Kids: []*Expr{{Op: OpLeaf}, {Op: OpLeaf, Leaf: 1}}}
			all := []*Expr{word}
			for range r.IntN(4) {
				all = append(all, &Expr{Op: OpLeaf, Leaf: len(leaves)})
				leaves, terms = append(leaves, Leaf{Weight: uint32(1 + r.IntN(5))}), append(terms, r.IntN(c.terms))
			}
			match := &Expr{Op: []Op{OpAnd, OpOr}[r.IntN(2)], Kids: all}
			if r.IntN(2) == 0 { // as one union
				match = &Expr{Op: OpOr, Kids: append(slices.Clone(all[1:]), word.Kids...)}
			}
			q := c.query(leaves, terms, match)
			cover(q, c.lists, terms[0], r.IntN(c.terms))
			o := TopOptions{K: []int{1, 5, 20, 101}[r.IntN(4)], Count: true}
			want, total, err := TopExhaustive(context.Background(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			if got, n, err := Top(context.Background(), q, o); err != nil || n != total || !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: %d of %d counted, error %v (-want +got):\n%s", seed, round, n, total, err, cmp.Diff(want, got))
			}
			for _, most := range []int64{1, 10, total, total + 1} {
				n, err := CountTo(context.Background(), q, most)
				if err != nil || n > total || n != total && n < most {
					t.Fatalf("seed %d, round %d: %d of %d counted for %d, error %v", seed, round, n, total, most, err)
				}
			}
		}
	}
}
