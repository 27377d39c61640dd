package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// TestRebuildThatMeetsAFullDisk: the copy of a rebuild that can neither go on nor be
// dropped, as nothing is free any more, goes with the next rebuild.
func TestRebuildThatMeetsAFullDisk(t *testing.T) {
	ctx := context.Background()
	const kept, usable = 64 << 20, 16 << 20 // bytes; the storage keeps some free
	fsys := storagetest.NewFullFS(kept + usable)
	var e *Engine
	var armed atomic.Bool
	var calls atomic.Int64
	e, err := Open("data", &Options{fs: fsys, Now: func() time.Time {
		// Each commit asks for the time: the first one makes the copy.
		if armed.Load() && calls.Add(1) == 2 {
			fsys.SetLimit(fsys.Used())
			// The storage believes for a while what it has seen of the disk, but looks
			// again before it refuses a write, and then each time until there is room.
			b := e.store.NewBatch()
			b.Set(storage.RowKey([]byte("large")), make([]byte, usable))
			if err := e.store.Commit(b); !errors.Is(err, storage.ErrFull) {
				t.Errorf("a write that is too large: %v", err)
			}
		}
		return time.Now()
	}})
	if err != nil {
		t.Fatal(err)
	}
	e.maintain.stop()
	b := &Batch{}
	for i := range 100 {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":"words"}`, i))
	}
	apply(t, e, b)
	info, err := e.Index("i")
	if err != nil {
		t.Fatal(err)
	}
	s := info.Schema
	s.Language = map[bool]string{true: "de", false: "en"}[s.Language != "de"]
	armed.Store(true)
	if _, err := e.UpdateIndex(ctx, "i", s); !errors.Is(err, ErrStorageFull) {
		t.Fatalf("on a full disk: %v", err)
	}
	armed.Store(false)
	fsys.SetLimit(kept + usable)
	if n := len(e.writers); n != 2 {
		t.Fatalf("%d indexes: the copy was dropped, and there is nothing to test", n)
	}
	if _, err := e.UpdateIndex(ctx, "i", s); err != nil {
		t.Fatal(err)
	}
	if n := len(e.writers); n != 1 {
		t.Errorf("%d indexes: the copy is left", n)
	}
	if info, err := e.Index("i"); err != nil || info.Records != 100 || info.Schema.Language != s.Language {
		t.Errorf("%+v, %v", info, err)
	}
	checkAndClose(t, e)
}
