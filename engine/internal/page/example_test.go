package page_test

import (
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/page"
)

// parts is a page.Source in memory.
type parts map[page.Part][]byte

func (p parts) Part(name page.Part) ([]byte, error) { return p[name], nil }

func Example() {
	const price, brand = 0, 1
	product := func(id string, cents int64, name string) *page.Doc {
		return &page.Doc{ID: []byte(id), Lengths: []uint32{4}, Columns: []page.ColumnValues{
			{Field: price, Kind: page.KindFloat, Values: []page.Value{page.FloatValue(float64(cents) / 100)}},
			{Field: brand, Kind: page.KindKeyword, Values: []page.Value{page.KeywordValue([]byte(name))}},
		}}
	}
	b := page.NewBuilder(0, 1)
	b.Add(product("a", 999, "Asics"))
	b.Add(product("b", 1250, "Nike"))
	b.Add(product("c", 2000, "Nike"))
	chunks, err := b.Chunks()
	if err != nil {
		panic(err)
	}
	stored := make(parts)
	err = chunks[0].Encode(func(name page.Part, data []byte) error {
		stored[name] = data
		return nil
	})
	if err != nil {
		panic(err)
	}

	decoder, err := page.NewBlockDecoder()
	if err != nil {
		panic(err)
	}
	chunk, err := page.Open(0, stored, decoder, nil)
	if err != nil {
		panic(err)
	}
	prices, err := chunk.Column(price)
	if err != nil {
		panic(err)
	}
	brands, err := chunk.Column(brand)
	if err != nil {
		panic(err)
	}
	var found [page.Size / 64]uint64
	prices.Range(page.At(page.IntValue(10)), page.Bound{}, &found, 0)
	var counter page.Counter
	brands.CountOrds(&found, 0, &counter, func(ord, docs int) {
		fmt.Printf("%s: %d\n", brands.Dict().At(ord), docs)
	})
	stats := prices.Stats(&found, 0)
	fmt.Println("sum:", stats.Sum())
	// Output:
	// Nike: 2
	// sum: 32.5
}
