package engine

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// TestOrphansAreFoundByTheNextTry: a flush that cannot read what a crash has left
// behind fails, and the next one removes it, so that no number is given out twice.
func TestOrphansAreFoundByTheNextTry(t *testing.T) {
	ctx := context.Background()
	var fail atomic.Bool
	hooked := storagetest.NewFaultFS(storagetest.NewCrashFS(), func(op storagetest.Op, path string) error {
		if fail.Load() && op == storagetest.Read && strings.HasSuffix(path, ".sst") {
			return errInjected
		}
		return nil
	})
	open := func() *Engine {
		e, err := Open("data", &Options{fs: hooked, MinFreeBytes: -1, NoMerge: true})
		if err != nil {
			t.Fatal(err)
		}
		e.maintain.stop() // nobody else flushes
		return e
	}
	e := open()
	apply(t, e, puts("i", `{"id":"1","t":"red"}`))
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	number := e.writers["i"].number
	b := e.store.NewBatch()
	for id := uint32(40); id < 80; id++ {
		b.Set(storage.SegmentKey(number, id, 2, 9), bytes.Repeat([]byte{byte(id)}, 150_000))
	}
	if err := errors.Join(e.store.Commit(b), e.store.Flush(), e.Close()); err != nil {
		t.Fatal(err)
	}
	e = open()
	defer checkAndClose(t, e)
	apply(t, e, puts("i", `{"id":"2","t":"blue"}`))
	ix := e.writers["i"]
	before := ix.disk.NextPart
	fail.Store(true)
	err := e.Flush(ctx)
	fail.Store(false)
	if err == nil {
		t.Fatal("a flush did not read what is left behind")
	}
	if ix.tidy || ix.disk.NextPart != before {
		t.Errorf("after a failure: tidy %v, next part %d, want %d", ix.tidy, ix.disk.NextPart, before)
	}
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if ix.disk.NextPart < 80 {
		t.Errorf("part %d is the next one; 79 has been given out", ix.disk.NextPart)
	}
	for id := uint32(40); id < 80; id++ {
		if has, err := e.store.Get(storage.SegmentKey(number, id, 2, 9)); err == nil {
			t.Errorf("part %d is left: %d bytes", id, len(has))
		}
	}
}
