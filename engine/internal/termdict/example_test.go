package termdict_test

import (
	"bytes"
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/termdict"
)

// The example of the package comment, byte for byte, except that list 7 is
// list 0 here.
func Example() {
	var blocks [][]byte
	b := termdict.NewBuilder(func(_ uint32, block []byte) error {
		blocks = append(blocks, bytes.Clone(block))
		return nil
	})
	_ = b.Add([]byte("car"), 1, []byte("x"))
	_, _ = b.AddLong([]byte("cart"), 200)
	_ = b.Add([]byte("cat"), 2, []byte("yz"))
	index, err := b.Finish(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(blocks[0])

	dict, err := termdict.Open(index, func(ordinal uint32) ([]byte, error) { return blocks[ordinal], nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	it := dict.Iter([]byte("cart"), nil)
	for it.Next() {
		fmt.Printf("%s: %d documents\n", it.Key(), it.Info().DF)
	}
	// Output:
	// [0 3 99 97 114 2 1 120 3 1 116 145 3 0 2 1 116 4 2 121 122 0 0 3 0]
	// cart: 200 documents
	// cat: 2 documents
}
