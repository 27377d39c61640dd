package engine

import (
	"fmt"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/storage"
)

// TestBlocksEndWithPages: records that were packed before their numbers were
// known, and those that came later, lie in blocks that hold each number once
// and none on both sides of the end of a page.
func TestBlocksEndWithPages(t *testing.T) {
	for _, base := range []uint32{0, 1, page.Size - 1, page.Size - 30, page.Size - 64, page.Size - 100, page.Size} {
		for _, packed := range []int{0, 1, 100, 150} {
			e := newEngine(t, nil)
			var docs []*document
			for i := range 150 {
				docs = append(docs, &document{id: fmt.Sprint("id", i), json: fmt.Appendf(nil, `{"id":"id%d"}`, i)})
			}
			blocks, err := e.packBlocks(docs[:packed], 0)
			if err != nil {
				t.Fatal(err)
			}
			b := e.store.NewBatch()
			if err := e.putBlocks(b, 7, base, docs, blocks); err != nil {
				t.Fatal(err)
			}
			if err := e.store.Commit(b); err != nil {
				t.Fatal(err)
			}
			it, err := e.store.Iter(storage.BlockRange(7, 0, ^uint32(0)))
			if err != nil {
				t.Fatal(err)
			}
			next := base
			for ok := it.First(); ok; ok = it.Next() {
				_, first, err := storage.ParseBlockKey(it.Key())
				if err != nil || first != next {
					t.Fatalf("base %d, %d packed: block at %d, want %d (%v)", base, packed, first, next, err)
				}
				block, err := e.blocks.Decode(it.Value())
				if err != nil {
					t.Fatal(err)
				}
				for i := range block.Len() {
					if d := docs[int(first-base)+i]; string(block.ID(i)) != d.id || string(block.Record(i)) != string(d.json) {
						t.Fatalf("base %d, %d packed: document %d is %s", base, packed, first+uint32(i), block.ID(i))
					}
				}
				next = first + uint32(block.Len())
				if first/page.Size != (next-1)/page.Size {
					t.Errorf("base %d, %d packed: block from %d to %d", base, packed, first, next-1)
				}
			}
			if err := it.Close(); err != nil {
				t.Fatal(err)
			}
			if next != base+150 {
				t.Errorf("base %d, %d packed: the blocks end at %d", base, packed, next)
			}
		}
	}
}
