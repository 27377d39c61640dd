package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// A block cache gives back the very block that holds a document, or nothing,
// and keeps within its budget.
func TestBlockCache(t *testing.T) {
	decoder, err := page.NewBlockDecoder()
	if err != nil {
		t.Fatal(err)
	}
	const seed = 20
	r := rand.New(rand.NewPCG(seed, 0))
	type stored struct {
		index uint32
		first posting.DocID
		*page.Block
	}
	var blocks []stored
	for index := range uint32(3) {
		for first := posting.DocID(0); first < 3*page.Size; {
			w, err := page.NewBlockWriter()
			if err != nil {
				t.Fatal(err)
			}
			docs := min(1+r.Uint32N(2000), page.Size-first%page.Size)
			for i := range docs {
				w.Add(fmt.Appendf(nil, "%d", first+i), []byte(`{}`))
			}
			data, err := w.Encode(nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := decoder.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, stored{index, first, b})
			first += docs
		}
	}
	const budget = 1 << 20
	c := newBlockCache(budget)
	hits := 0
	for range 20_000 {
		want := blocks[r.IntN(len(blocks))]
		doc := want.first + r.Uint32N(uint32(want.Len()))
		got, first := c.find(want.index, doc)
		switch {
		case got == nil:
			c.add(want.index, want.first, want.Block)
		case got != want.Block || first != want.first:
			t.Fatalf("seed %d: document %d of index %d found in the block of %d", seed, doc, want.index, first)
		default:
			hits++
		}
		if c.bytes > budget {
			t.Fatalf("seed %d: %d bytes", seed, c.bytes)
		}
	}
	if hits == 0 || c.recent.Len() == len(blocks) {
		t.Fatalf("seed %d: %d hits, %d blocks of %d: the test tests nothing", seed, hits, c.recent.Len(), len(blocks))
	}
	var listed int
	for _, page := range c.pages {
		listed += len(page.firsts)
	}
	if listed != c.recent.Len() {
		t.Errorf("seed %d: %d blocks listed, %d kept", seed, listed, c.recent.Len())
	}
}
