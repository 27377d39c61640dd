package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestPagesOfEverySize compares Count, Matches and Top with the oracle over pages and
// segments of awkward sizes, with phrases, orders with keys, and cursors.
func TestPagesOfEverySize(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 99))
		sizes := []uint32{1, 511, 512, 513, 4095, 4096, 4097, 9000, 20000}
		at := []uint32{0, 60_000, 64_000, 65_535, 61_439}[r.IntN(5)]
		var ranges [][2]posting.DocID
		for range 1 + r.IntN(3) {
			size := sizes[r.IntN(len(sizes))]
			ranges = append(ranges, [2]posting.DocID{at, at + size - 1})
			at += size + []uint32{0, 0, 1, 70_000}[r.IntN(4)]
		}
		o := corpusOptions{
			ranges: ranges, fields: 1 + r.IntN(2), share: []float64{1, 0.95, 0.9, 0.5, 0.3, 0.06, 0.01}, short: true, fresh: r.IntN(2) == 0,
			dead: []float64{0, 0, 0.1, 0.9}[r.IntN(4)], holes: []float64{0, 0.2}[r.IntN(2)], sets: 2,
			phrases: []testPhrase{{[]int{0, 1}, PhraseOptions{Slop: 6}}, {[]int{1, 2}, PhraseOptions{}}, {[]int{3, 0}, PhraseOptions{Slop: 2}}},
		}
		c := newCorpus(t, r, o)
		mul := uint32(2*r.IntN(1000)+1) * 2654435761
		hash := func(d posting.DocID) uint32 { return (d + 1) * mul }
		order := func(a, b Hit) bool { return hash(a.Doc) < hash(b.Doc) }
		shift := r.IntN(28)
		keys := func(hits []Hit, keys []Key) {
			for i := range hits {
				keys[i] = Key{uint64(hash(hits[i].Doc) >> shift), 0}
			}
		}
		pool := new(Pool)
		kept := make([][]*Leaders, len(c.segments))
		for i := range kept {
			for range c.terms + 3 {
				kept[i] = append(kept[i], new(Leaders))
			}
		}
		for round := range 60 {
			var leaves []Leaf
			var terms []int
			for range 1 + r.IntN(5) {
				leaves, terms = append(leaves, Leaf{Weight: []uint32{0, 1, 1, 5, 70000}[r.IntN(5)], Constant: r.IntN(8) == 0}), append(terms, r.IntN(c.terms+3))
			}
			var match *Expr
			switch r.IntN(4) {
			case 0:
				match = randomExpr(r, len(leaves), 2, 2)
			case 1:
				match = usualExpr(r, len(leaves), 2)
			default:
				match = &Expr{Op: []Op{OpAnd, OpOr}[r.IntN(2)]}
				for i := range leaves {
					match.Kids = append(match.Kids, &Expr{Op: OpLeaf, Leaf: i})
				}
			}
			q := c.query(leaves, terms, match)
			q.Pool = pool
			for i := range q.Segments {
				q.Segments[i].Scoring = 1
				for j, term := range terms {
					if term < c.terms {
						q.Leaves[j].Leaders = append(q.Leaves[j].Leaders, kept[i][term])
					}
				}
			}
			var opt TopOptions
			opt.K = []int{1, 2, 10, 100, 101, 1000, 5000}[r.IntN(7)]
			if r.IntN(3) > 0 {
				opt.Order = order
				if r.IntN(4) > 0 {
					opt.Keys = keys
				}
			}
			opt.Count = r.IntN(2) == 0
			all, total := c.top(q, terms, opt)
			if len(all) > 0 && r.IntN(3) == 0 {
				h := all[r.IntN(len(all))]
				opt.After = &Cursor{Score: h.Score, After: func(x Hit) bool {
					if opt.Order != nil {
						return order(h, x)
					}
					return x.Doc > h.Doc
				}}
			}
			if len(all) > 0 && r.IntN(6) == 0 {
				opt.MinScore = all[r.IntN(len(all))].Score
			}
			want, wantTotal := c.top(q, terms, opt)
			want = want[:min(opt.K, len(want))]
			name := fmt.Sprintf("seed %d round %d ranges %v terms %v leaves %v match %s opt %+v", seed, round, ranges, terms, leaves, show(match), opt)
			for again := range 5 {
				got, gotTotal, err := Top(ctx, q, opt)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, want) || opt.Count && gotTotal != wantTotal {
					at := 0
					for at < len(got) && at < len(want) && got[at] == want[at] {
						at++
					}
					t.Errorf("%s again %d: Top differs at %d of %d/%d; total %d want %d", name, again, at, len(got), len(want), gotTotal, wantTotal)
					break
				}
			}
			n, err := Count(ctx, q)
			if err != nil || n != total {
				t.Errorf("%s: Count %d, want %d", name, n, total)
			}
			m := int64(0)
			Matches(ctx, q, func(seg, slot int, words *Page) error {
				for place := range collect.Places(words) {
					d := posting.DocID(q.Segments[seg].Slots[slot].Page)<<16 | posting.DocID(place)
					i, ok := c.byDoc[d]
					if !ok || c.records[i].segment != seg || c.records[i].dead || !c.records[i].matches(match, terms) {
						t.Errorf("%s: Matches has %d", name, d)
					}
					m++
				}
				return nil
			})
			if m != total {
				t.Errorf("%s: Matches %d, want %d", name, m, total)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func show(e *Expr) string {
	if e.Op == OpLeaf {
		return fmt.Sprint("L", e.Leaf)
	}
	if e.Op == OpSet {
		return fmt.Sprint("S", e.Set)
	}
	s := fmt.Sprint([]string{"leaf", "set", "all", "and", "or", "not", "atleast"}[e.Op], e.Min, "(")
	for _, k := range e.Kids {
		s += show(k) + " "
	}
	return s + ")"
}
