package search_test

import (
	"context"
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// Two keyword values over ten documents: documents with either, those with
// both first, without a deleted one.
func ExampleTop() {
	red := posting.FromDocs([]posting.DocID{1, 3, 5, 7})
	shoe := posting.FromDocs([]posting.DocID{3, 4, 5, 6})
	dead := new(search.Page)
	dead[0] = 1 << 5
	q := &search.Query{
		Leaves: []search.Leaf{
			{Weight: 2, Lists: []*posting.List{red}},
			{Weight: 3, Lists: []*posting.List{shoe}},
		},
		Match: &search.Expr{Op: search.OpOr, Kids: []*search.Expr{
			{Op: search.OpLeaf, Leaf: 0}, {Op: search.OpLeaf, Leaf: 1},
		}},
		Segments: []search.Segment{{
			Slots: []search.Slot{{Page: 0, First: 0, Last: 9, Dead: dead}},
		}},
	}
	hits, total, err := search.Top(context.Background(), q, search.TopOptions{K: 3, Count: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range hits {
		fmt.Println(h.Doc, h.Score)
	}
	fmt.Println("of", total)
	// Output:
	// 3 327675
	// 4 196605
	// 6 196605
	// of 5
}
