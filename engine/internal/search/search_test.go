package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// backwards is an order that differs from that of numbers.
func backwards(a, b Hit) bool {
	x, y := a.Doc*0x9e3779b1, b.Doc*0x9e3779b1
	return x > y || x == y && a.Doc > b.Doc
}

// backwardsKeys is so much of backwards that documents fall into sixteen groups.
func backwardsKeys(hits []Hit, keys []Key) {
	for i, h := range hits {
		x := ^(h.Doc * 0x9e3779b1)
		keys[i] = Key{uint64(x >> 30), uint64(x >> 28 & 3)}
	}
}

// testCorpora are corpora of different shapes, made from a seed.
func testCorpora(t testing.TB, seed uint64) map[string]*corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	share := []float64{0.6, 0.45, 0.3, 0.1, 0.04, 0.01, 0.003, 0.0005, 0.2, 0.25, 0.15, 0.35}
	values := map[int]bool{8: true}
	phrases := []testPhrase{
		{terms: []int{0, 1}}, {terms: []int{2, 0}}, {terms: []int{1, 3}}, {terms: []int{0, 1, 2}}, {terms: []int{0, 0}},
		{terms: []int{0, 4}, o: PhraseOptions{Slop: 2}}, {terms: []int{3, 0, 1}, o: PhraseOptions{Offsets: []int{0, 2, 1}}},
		{terms: []int{1, 1, 0}, o: PhraseOptions{Slop: 1, Fields: []bool{true}}}, {terms: []int{5, 0}, o: PhraseOptions{Fields: []bool{false, true}}},
	}
	return map[string]*corpus{
		"one page": newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{0, 12_000}}, fields: 1, share: share, sets: 3, values: values, phrases: phrases,
		}),
		"border pages, holes and deletes": newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{63_000, 65_540}, {65_541, 65_600}, {65_601, 72_000}, {131_060, 131_071}, {131_072, 138_000}, {196_607, 196_608}},
			fields: 2, share: share, holes: 0.1, dead: 0.2, sets: 3, values: values, phrases: phrases,
		}),
		"three fields, sparse": newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{4_000, 4_200}, {70_000, 72_500}}, fields: 3,
			share: []float64{0.1, 0.05, 0.02, 0.3, 0.01, 0.2, 0.002, 0.004}, dead: 0.05, sets: 2, phrases: phrases,
		}),
		"full pages": newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{0, 65_535}, {65_536, 65_536}}, fields: 1,
			share: []float64{0.07, 0.0625, 0.055, 0.004, 0.5, 0.02}, dead: 0.01, sets: 1, phrases: phrases,
		}),
	}
}

func TestTopIsExact(t *testing.T) {
	const seed = 11
	for name, c := range testCorpora(t, seed) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 2))
			pool := new(Pool)
			for round := range 60 {
				q, terms := randomQuery(r, c)
				q.Pool = pool
				if r.IntN(4) == 0 { // few scores
					for i := range q.Leaves {
						q.Leaves[i].Weight, q.Leaves[i].Constant = 1000, r.IntN(2) == 0
					}
				}
				o := TopOptions{K: []int{0, 1, 2, 10, 10, 33, 100, 128, 1000, 5000, 100_000}[r.IntN(11)], Count: r.IntN(2) == 0}
				if r.IntN(2) == 0 {
					o.Order = backwards
					if r.IntN(2) == 0 {
						o.Keys = backwardsKeys
					}
				}
				all, _ := c.top(q, terms, o)
				if len(all) > 0 && r.IntN(3) == 0 {
					last := all[r.IntN(len(all))]
					before := o.Order
					if before == nil {
						before = func(a, b Hit) bool { return a.Doc < b.Doc }
					}
					o.After = &Cursor{Score: last.Score, After: func(h Hit) bool { return before(last, h) }}
					if r.IntN(4) == 0 {
						o.After.After = nil
					}
				}
				if len(all) > 0 && r.IntN(3) == 0 {
					o.MinScore = all[r.IntN(len(all))].Score + uint64(r.IntN(2))
				}
				at := fmt.Sprintf("seed %d, round %d: leaves %v of terms %v, %v, %+v", seed, round, q.Leaves, terms, q.Match, o)
				want, wantTotal := c.top(q, terms, o)
				want = want[:min(o.K, len(want))]
				if !o.Count {
					wantTotal = 0
				}
				got, total, err := Top(context.Background(), q, o)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				if !slices.Equal(got, want) || total != wantTotal {
					t.Fatalf("%s:\ngot %d, want %d; hits (-want +got):\n%s", at, total, wantTotal, cmp.Diff(want, got))
				}
				got, total, err = TopExhaustive(context.Background(), q, o)
				if err != nil || !slices.Equal(got, want) || total != wantTotal {
					t.Fatalf("%s: exhaustive:\ngot %d, want %d, error %v; hits (-want +got):\n%s", at, total, wantTotal, err, cmp.Diff(want, got))
				}
				// Now all phrases are settled that are asked for by the condition.
				got, total, err = Top(context.Background(), q, o)
				if err != nil || !slices.Equal(got, want) || total != wantTotal {
					t.Fatalf("%s: once more:\ngot %d, want %d, error %v; hits (-want +got):\n%s", at, total, wantTotal, err, cmp.Diff(want, got))
				}
			}
		})
	}
}

// TestRareTermsArePruned is TestTopIsExact for lists that are short enough for
// their documents to be tried one by one, and long enough to have several bounds.
func TestRareTermsArePruned(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 17))
		c := newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{50_000, 66_500}, {66_501, 78_000}}, fields: 1, fresh: seed%2 == 0,
			share: []float64{0.0004, 0.003, 0.006, 0.1, 0.002}, dead: 0.05, values: map[int]bool{4: true},
		})
		for round := range 100 {
			e := &Expr{Op: []Op{OpOr, OpOr, OpAtLeast}[r.IntN(3)], Min: 1}
			var leaves []Leaf
			var terms []int
			for i := range 1 + r.IntN(3) {
				leaves = append(leaves, Leaf{Weight: uint32(1 + r.IntN(3)), Constant: r.IntN(16) == 0})
				terms = append(terms, r.IntN(c.terms))
				e.Kids = append(e.Kids, &Expr{Op: OpLeaf, Leaf: i})
			}
			q := c.query(leaves, terms, e)
			o := TopOptions{K: 1 + r.IntN(30), Order: backwards}
			want, _, err := TopExhaustive(context.Background(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := Top(context.Background(), q, o); err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: leaves %v of terms %v, %v, %d hits, error %v (-want +got):\n%s", seed, round, leaves, terms, e, o.K, err, cmp.Diff(want, got))
			}
		}
	}
}

// randomQuery makes up a query over c, and returns the terms of its leaves.
func randomQuery(r *rand.Rand, c *corpus) (*Query, []int) {
	n := 1 + r.IntN(5)
	if r.IntN(6) == 0 {
		n += 6
	}
	var leaves []Leaf
	var terms []int
	for range n {
		leaf := Leaf{Weight: uint32(1 + r.IntN(1000)), Constant: r.IntN(8) == 0}
		switch r.IntN(8) {
		case 0:
			leaf.Weight = 0
		case 1:
			leaf.Weight = 1 << 31
		}
		leaves, terms = append(leaves, leaf), append(terms, r.IntN(c.terms+len(c.phrases)))
	}
	var match *Expr
	if r.IntN(3) == 0 {
		match = randomExpr(r, n, len(c.sets), 3)
	} else {
		match = usualExpr(r, n, len(c.sets))
	}
	return c.query(leaves, terms, match), terms
}

func TestCountAndMatchesAgree(t *testing.T) {
	const seed = 12
	for name, c := range testCorpora(t, seed) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 2))
			pool := new(Pool)
			for round := range 60 {
				q, terms := randomQuery(r, c)
				q.Pool = pool
				at := fmt.Sprintf("seed %d, round %d: terms %v, %v", seed, round, terms, q.Match)
				var want []posting.DocID
				for i := range c.records {
					rec := &c.records[i]
					if rec.dead || !rec.matches(q.Match, terms) {
						continue
					}
					want = append(want, rec.doc)
				}
				var got []posting.DocID
				err := Matches(context.Background(), q, func(seg, slot int, words *Page) error {
					for i := range posting.PageSize {
						if words[i>>6]>>(i&63)&1 != 0 {
							got = append(got, posting.DocID(q.Segments[seg].Slots[slot].Page)<<16|posting.DocID(i))
						}
					}
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s: Matches gives %d documents, want %d, error %v", at, len(got), len(want), err)
				}
				if n, err := Count(context.Background(), q); err != nil || n != int64(len(want)) {
					t.Fatalf("%s: Count is %d, want %d, error %v", at, n, len(want), err)
				}
			}
		})
	}
}

// String prints an expression in prefix form.
func (e *Expr) String() string {
	var kids []string
	for _, k := range e.Kids {
		kids = append(kids, k.String())
	}
	list := strings.Join(kids, " ")
	switch e.Op {
	case OpLeaf:
		return fmt.Sprintf("leaf%d", e.Leaf)
	case OpSet:
		return fmt.Sprintf("set%d", e.Set)
	case OpAll:
		return "all"
	case OpAnd:
		return "(and " + list + ")"
	case OpOr:
		return "(or " + list + ")"
	case OpNot:
		return "(not " + list + ")"
	}
	return fmt.Sprintf("(atleast %d %s)", e.Min, list)
}

func TestScoreDocPartsAddUp(t *testing.T) {
	const seed = 13
	r := rand.New(rand.NewPCG(seed, 1))
	c := testCorpora(t, seed)["border pages, holes and deletes"]
	for range 200 {
		q, terms := randomQuery(r, c)
		rec := &c.records[r.IntN(len(c.records))]
		total, parts := ScoreDoc(q, rec.segment, rec.doc)
		sum, last := uint64(0), -1
		for _, p := range parts {
			if p.Leaf <= last {
				t.Fatalf("parts %+v are not in the order of leaves", parts)
			}
			last = p.Leaf
			if v := rec.terms[terms[p.Leaf]]; p.Vector != nil && !slices.Equal(p.Vector, v) {
				t.Fatalf("part %+v of document %d: want the vector %v", p, rec.doc, v)
			}
			sum += p.Score
		}
		if want := rec.score(q, terms); total != want || sum != want {
			t.Fatalf("document %d scores %d, parts %d, want %d", rec.doc, total, sum, want)
		}
	}
}

func TestMalformedQueriesAreErrors(t *testing.T) {
	leaf := &Expr{Op: OpLeaf}
	for name, q := range map[string]*Query{
		"no condition":          {Leaves: []Leaf{{}}},
		"leaf out of range":     {Leaves: []Leaf{{}}, Match: &Expr{Op: OpLeaf, Leaf: 1}},
		"negative leaf":         {Leaves: []Leaf{{}}, Match: &Expr{Op: OpLeaf, Leaf: -1}},
		"set out of range":      {Match: &Expr{Op: OpSet}},
		"empty negation":        {Leaves: []Leaf{{}}, Match: &Expr{Op: OpNot}},
		"double negation":       {Leaves: []Leaf{{}}, Match: &Expr{Op: OpNot, Kids: []*Expr{leaf, leaf}}},
		"missing operand":       {Leaves: []Leaf{{}}, Match: &Expr{Op: OpAnd, Kids: []*Expr{nil}}},
		"unknown operation":     {Match: &Expr{Op: 99}},
		"missing lists":         {Leaves: []Leaf{{}}, Match: leaf, Segments: []Segment{{}}},
		"missing phrases":       {Leaves: []Leaf{{Phrases: []*Phrase{}}}, Match: leaf, Segments: []Segment{{}}},
		"missing leaders":       {Leaves: []Leaf{{Lists: []*posting.List{nil}, Leaders: []*Leaders{}}}, Match: leaf, Segments: []Segment{{}}},
		"weights that overflow": {Leaves: slices.Repeat([]Leaf{{Weight: 1<<32 - 1}}, 1<<15), Match: leaf},
	} {
		if _, _, err := Top(context.Background(), q, TopOptions{K: 1}); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: Top: error %v, want ErrMalformed", name, err)
		}
		if _, err := Count(context.Background(), q); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: Count: error %v, want ErrMalformed", name, err)
		}
	}
}

func TestCancelledSearchesEnd(t *testing.T) {
	c := testCorpora(t, 14)["three fields, sparse"]
	q := c.query([]Leaf{{Weight: 1}}, []int{0}, &Expr{Op: OpLeaf})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Top(ctx, q, TopOptions{K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("Top: error %v, want context.Canceled", err)
	}
	if _, err := Count(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("Count: error %v, want context.Canceled", err)
	}
	stop := errors.New("stop")
	if err := Matches(context.Background(), q, func(int, int, *Page) error { return stop }); err != stop {
		t.Errorf("Matches: error %v, want that of the callback", err)
	}
}

func TestContainersAtTheirLimits(t *testing.T) {
	for _, card := range []int{1, 2, 4095, 4096, 4097, 65_535, 65_536} {
		for _, last := range []posting.DocID{65_534, 65_535, 65_536, 65_537} {
			if int(last)+1 < card {
				continue
			}
			docs := make([]posting.DocID, 0, card)
			for i := range card { // the last places of the page, the last document included
				docs = append(docs, last-posting.DocID(card-1-i))
			}
			list := posting.FromDocs(docs)
			seg := Segment{Slots: []Slot{{Last: uint16(min(last, 65_535))}}}
			if last > 65_535 {
				seg.Slots = append(seg.Slots, Slot{Page: 1, Last: uint16(last)})
			}
			for op, want := range map[Op]int{OpLeaf: card, OpNot: int(last) + 1 - card, OpAll: int(last) + 1} {
				e := &Expr{Op: op}
				if op == OpNot {
					e.Kids = []*Expr{{Op: OpLeaf}}
				}
				q := &Query{Leaves: []Leaf{{Weight: 3, Lists: []*posting.List{list}}}, Match: e, Segments: []Segment{seg}}
				hits, total, err := Top(context.Background(), q, TopOptions{K: posting.PageSize * 2, Count: true})
				if err != nil || total != int64(want) || len(hits) != want {
					t.Fatalf("%d documents to %d, operation %d: %d hits, total %d, error %v, want %d", card, last, op, len(hits), total, err, want)
				}
				for i, h := range hits {
					if op == OpLeaf && (h.Doc != docs[i] || h.Score != 3*score.MaxImpact) {
						t.Fatalf("%d documents to %d: hit %d is %+v, want document %d", card, last, i, h, docs[i])
					}
				}
			}
		}
	}
}

func TestQueriesShareAPool(t *testing.T) {
	const seed = 15
	c := testCorpora(t, seed)["three fields, sparse"]
	pool := new(Pool)
	for worker := range uint64(4) {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, worker))
			for round := range 40 {
				q, terms := randomQuery(r, c)
				q.Pool = pool
				want, _ := c.top(q, terms, TopOptions{})
				got, total, err := Top(context.Background(), q, TopOptions{K: 20, Count: true})
				if err != nil || total != int64(len(want)) || !slices.Equal(got, want[:min(20, len(want))]) {
					t.Fatalf("seed %d, worker %d, round %d: %v: %v, total %d, error %v, want total %d", seed, worker, round, q.Match, got, total, err, len(want))
				}
			}
		})
	}
}

func TestTopAllocatesLittle(t *testing.T) {
	c := testCorpora(t, 16)["three fields, sparse"]
	q := c.query([]Leaf{{Weight: 3}, {Weight: 5}, {Weight: 8}}, []int{0, 1, 3}, &Expr{Op: OpOr, Kids: []*Expr{
		{Op: OpLeaf, Leaf: 0}, {Op: OpAnd, Kids: []*Expr{{Op: OpLeaf, Leaf: 1}, {Op: OpLeaf, Leaf: 2}}},
	}})
	q.Pool = new(Pool)
	// The hits and their comparison; and all of the memory when the pool has lost
	// it, which under the race detector it does every fourth time: so the least of
	// several runs counts.
	least := math.Inf(1)
	for range 50 {
		least = min(least, testing.AllocsPerRun(1, func() {
			if _, _, err := Top(context.Background(), q, TopOptions{K: 10, Count: true, Order: backwards}); err != nil {
				t.Fatal(err)
			}
		}))
	}
	if least > 2 {
		t.Errorf("a search allocates %.0f times, want 2", least)
	}
}
