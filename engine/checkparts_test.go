package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// TestCheckFindsPartsInThePlaceOfOthers: posting lists of equally many documents,
// and columns of the same kind, are each sound in the place of another.
func TestCheckFindsPartsInThePlaceOfOthers(t *testing.T) {
	disk := storagetest.NewCrashFS()
	e, err := Open("data", &Options{fs: disk, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, "a", Schema{Fields: []Field{
		{Name: "t", Type: Text, Search: true}, {Name: "k", Type: Keyword, Filter: true, Facet: true}, {Name: "l", Type: Keyword, Filter: true, Facet: true},
	}})
	b := &Batch{}
	for i := range 1600 {
		b.Put("a", fmt.Appendf(nil, `{"id":"%d","t":"word%d","k":"k%d","l":"l%d"}`, i, i%8, i%8, i/2%8))
	}
	apply(t, e, b)
	if err := errors.Join(e.Flush(t.Context()), e.Merge(t.Context(), "a"), e.Close()); err != nil {
		t.Fatal(err)
	}
	if err := verdictOn(t, disk, func(*storage.Batch) {}); err != nil {
		t.Fatal(err)
	}
	tried := map[string]int{}
	for kind, list := range entriesOf(t, disk.Clone(100, 0)) {
		if kind != "segment list" && kind != "segment positions" && !strings.HasPrefix(kind, "chunk part") {
			continue
		}
		for i, x := range list {
			j := slices.IndexFunc(list, func(y entry) bool { return len(y.value) == len(x.value) && !bytes.Equal(x.value, y.value) })
			if j < 0 || i > 12 {
				continue
			}
			tried[kind]++
			y := list[j]
			for what, change := range map[string]func(b *storage.Batch){
				"duplicate": func(b *storage.Batch) { b.Set(y.key, x.value) },
				"exchange":  func(b *storage.Batch) { b.Set(x.key, y.value); b.Set(y.key, x.value) },
			} {
				if err := verdictOn(t, disk, change); !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s of %s %x and %x: %v", what, kind, x.key, y.key, err)
				}
			}
		}
	}
	t.Logf("%v", tried)
	if tried["segment list"] < 8 || len(tried) < 2 {
		t.Errorf("tried %v", tried)
	}
}
