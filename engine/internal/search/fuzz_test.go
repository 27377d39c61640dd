package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// queryBytes makes a query out of bytes. It never runs out of them: behind the
// end there are zeros.
type queryBytes []byte

func (b *queryBytes) next(n int) int {
	if len(*b) == 0 {
		return 0
	}
	x := int((*b)[0]) % n
	*b = (*b)[1:]
	return x
}

func (b *queryBytes) expr(leaves, sets, depth int) *Expr {
	e := &Expr{Op: Op(b.next(7))}
	if depth == 0 && e.Op >= OpAnd {
		e.Op = OpLeaf
	}
	switch e.Op {
	case OpLeaf:
		e.Leaf = b.next(leaves)
	case OpSet:
		e.Set = b.next(sets)
	case OpNot:
		e.Kids = []*Expr{b.expr(leaves, sets, depth-1)}
	case OpAnd, OpOr, OpAtLeast:
		n := b.next(5)
		e.Min = b.next(5) - 1
		for range n {
			e.Kids = append(e.Kids, b.expr(leaves, sets, depth-1))
		}
	}
	return e
}

// FuzzTop checks that pruning changes nothing, whatever the query.
func FuzzTop(f *testing.F) {
	r := rand.New(rand.NewPCG(31, 1))
	c := newCorpus(f, r, corpusOptions{
		ranges: [][2]posting.DocID{{59_000, 65_700}, {65_701, 66_300}, {131_000, 131_200}},
		fields: 2, share: []float64{0.7, 0.65, 0.1, 0.02, 0.003, 0.3, 0.9}, holes: 0.05, dead: 0.1, sets: 2,
		values:  map[int]bool{5: true},
		phrases: []testPhrase{{terms: []int{0, 1}}, {terms: []int{6, 0, 1}}, {terms: []int{0, 2}, o: PhraseOptions{Slop: 3}}, {terms: []int{6, 6}}},
	})
	f.Add([]byte{2, 0, 9, 1, 7, 4, 2, 0, 0, 0, 0, 1, 10, 1, 0, 0})
	f.Add([]byte{3, 0, 9, 1, 7, 2, 200, 3, 3, 0, 0, 0, 0, 1, 1, 0, 2, 1})
	f.Add([]byte{5, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 4, 3, 0, 0, 0, 1, 0, 2, 0, 3, 20, 0, 1, 3})
	f.Add([]byte{1, 6, 0, 5, 2, 0, 0, 1, 0, 0})
	f.Add([]byte{2, 7, 9, 8, 7, 10, 2, 4, 3, 0, 0, 0, 0, 1, 0, 2, 10, 1, 0, 0})
	f.Add([]byte{2, 7, 9, 1, 7, 9, 20, 3, 3, 0, 0, 0, 0, 1, 5, 0, 2, 10})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200 {
			return
		}
		b := queryBytes(data)
		var leaves []Leaf
		var terms []int
		for range 1 + b.next(9) {
			terms = append(terms, b.next(c.terms+len(c.phrases)))
			w := b.next(256)
			leaves = append(leaves, Leaf{Weight: uint32(w * w), Constant: w%16 == 1})
		}
		q := c.query(leaves, terms, b.expr(len(leaves), len(c.sets), 3))
		o := TopOptions{K: 1 + b.next(40), Count: true}
		if b.next(2) == 1 {
			o.Order = backwards
		}
		o.MinScore = uint64(b.next(4)) << 22
		if n := b.next(8); n > 0 {
			o.After = &Cursor{Score: uint64(n) << 21, After: func(h Hit) bool { return h.Doc%2 == 0 }}
		}
		want, wantTotal, err := TopExhaustive(context.Background(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		got, total, err := Top(context.Background(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || total != wantTotal {
			t.Fatalf("leaves %v of terms %v, %v, %+v:\ngot  %d %v\nwant %d %v", leaves, terms, q.Match, o, total, got, wantTotal, want)
		}
		if o.MinScore == 0 {
			if n, err := Count(context.Background(), q); err != nil || n != wantTotal {
				t.Fatalf("%v: Count is %d, want %d, error %v", q.Match, n, wantTotal, err)
			}
		}
	})
}
