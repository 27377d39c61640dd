package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// TestOrderByID: whatever order records came in, two documents are in the order of their
// ids, and of those of one id in that of their numbers.
func TestOrderByID(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	byNumber := 0
	for range 300 {
		var ids [][]byte
		iv := &indexView{}
		base := uint32(0)
		for range 1 + rnd.IntN(4) {
			n := 1 + rnd.IntN(20)
			from := rnd.IntN(3) * len(ids) // behind those before, among them, or again
			list := make([][]byte, n)
			for i := range list {
				list[i] = fmt.Appendf(nil, "%04d", from+i*(1+rnd.IntN(2)))
			}
			if rnd.IntN(3) > 0 {
				slices.SortFunc(list, bytes.Compare)
			}
			if rnd.IntN(4) == 0 {
				list[rnd.IntN(n)] = nil // a hole
			}
			b := page.NewBuilder(base, 1)
			for _, id := range list {
				b.Add(&page.Doc{ID: id, Absent: id == nil})
			}
			chunks, err := b.Chunks()
			if err != nil {
				t.Fatal(err)
			}
			iv.chunks = append(iv.chunks, &chunkRef{chunk: chunks[0]})
			ids = append(ids, list...)
			base += uint32(n)
		}
		im := &segment.Impacts{}
		if err := byID(im, iv); err != nil {
			t.Fatal(err)
		}
		before := im.Before
		if before == nil {
			byNumber++
			before = func(a, b posting.DocID) (bool, error) { return a < b, nil }
		}
		for a := range ids {
			for b := range ids {
				if a == b || ids[a] == nil || ids[b] == nil {
					continue
				}
				got, err := before(posting.DocID(a), posting.DocID(b))
				order := bytes.Compare(ids[a], ids[b])
				if want := order < 0 || order == 0 && a < b; err != nil || got != want {
					t.Fatalf("of %q document %d is before %d: %v, %v", ids, a, b, got, err)
				}
			}
		}
	}
	if byNumber == 0 || byNumber == 300 {
		t.Errorf("%d of 300 indexes are in the order of their ids", byNumber)
	}
}
