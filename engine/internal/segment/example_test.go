package segment_test

import (
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// The record of the package comment: written, opened, asked.
func Example() {
	params := score.Params{K1: score.DefaultK1, Fields: []score.Field{{Weight: 1, B: score.DefaultB, AvgLen: 2}}}
	impacts := &segment.Impacts{
		Params: params,
		Table:  score.NewTable(score.NewCodebook(1), params),
		Norms: func(doc posting.DocID) (posting.NormRun, error) {
			return posting.NormRun{First: doc, Last: doc, Norms: score.Norms{{score.EncodeNorm(2)}}}, nil
		},
	}
	w := segment.NewWriter(1)
	w.Text(0, []byte("red"), 0, 0)
	w.Text(0, []byte("car"), 0, 1)
	parts, err := w.Build(5, impacts)
	if err != nil {
		fmt.Println(err)
		return
	}
	block, _ := parts.Part(segment.PartBlock, 0)
	fmt.Println(block[4:])

	r, err := segment.Open(parts, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := r.List(segment.Key(nil, segment.SpaceText, []byte("car")), segment.ListOptions{Positions: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for rank, doc := range list.All {
		v := list.Vector(rank, impacts.Table.Book())
		fmt.Println("document", doc, "positions", list.Positions(rank, v, nil))
	}
	// Output:
	// [0 5 0 0 99 97 114 2 4 0 116 0 1 2 3 114 101 100 2 4 0 116 0 0 0 0 2 0]
	// document 5 positions [1]
}
