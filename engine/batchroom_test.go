package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// ofBytes is a batch with so many bytes of records.
func ofBytes(n int) *Batch { return &Batch{Ops: []Op{{Record: make([]byte, n)}}} }

// waits returns once so many batches wait for room.
func (r *batchRoom) waits(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		r.mu.Lock()
		waiting := len(r.waiting)
		r.mu.Unlock()
		if waiting == n {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d batches wait, want %d", waiting, n)
		}
	}
}

func TestBatchRoom(t *testing.T) {
	r := newBatchRoom(128 << 20) // 16 MiB
	must := func(bytes int) func() {
		t.Helper()
		giveBack, err := r.take(t.Context(), ofBytes(bytes))
		if err != nil {
			t.Fatal(err)
		}
		return giveBack
	}
	first, second := must(10<<20), must(6<<20)
	must(smallBatch)() // it does not wait
	var mu sync.Mutex
	var order []int
	var done sync.WaitGroup
	for i, bytes := range []int{60 << 20, 2 << 20, 2 << 20} { // the first needs all the room
		done.Go(func() {
			giveBack, err := r.take(context.Background(), ofBytes(bytes))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
			giveBack()
		})
		r.waits(t, i+1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done.Go(func() {
		if _, err := r.take(ctx, ofBytes(2<<20)); !errors.Is(err, context.Canceled) {
			t.Errorf("one that has ended: %v", err)
		}
	})
	r.waits(t, 4)
	cancel()
	r.waits(t, 3)
	first()
	r.waits(t, 3)
	second()
	done.Wait()
	if r.used != 0 || len(r.waiting) != 0 || len(order) != 3 || order[0] != 0 {
		t.Errorf("%d bytes are used, %d wait, in the order %v", r.used, len(r.waiting), order)
	}
}

// One that ends and gets room at the same moment gives it back.
func TestBatchRoomIsNotLost(t *testing.T) {
	r := newBatchRoom(0)
	for range 300 {
		giveBack, err := r.take(t.Context(), ofBytes(r.most))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() {
			if giveBack, err := r.take(ctx, ofBytes(r.most)); err == nil {
				giveBack()
			}
		})
		done.Go(giveBack)
		cancel()
		done.Wait()
	}
	if r.used != 0 || len(r.waiting) != 0 {
		t.Errorf("%d bytes are used, %d wait", r.used, len(r.waiting))
	}
}

// Batches that have to wait for each other are all stored.
func TestLargeBatchesAtATime(t *testing.T) {
	e, err := Open("", &Options{Memory: leastMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var done sync.WaitGroup
	for i := range 4 {
		done.Go(func() {
			b := &Batch{}
			for j := range 9 {
				b.Ops = append(b.Ops, Op{Index: "a", Record: fmt.Appendf(nil, `{"id":"%d-%d","t":%q}`, i, j, strings.Repeat("word ", 150_000))})
			}
			if _, err := e.Apply(t.Context(), b); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if info, err := e.Index("a"); err != nil || info.Records != 36 || e.room.used != 0 {
		t.Errorf("%d records, %v; %d bytes are used", info.Records, err, e.room.used)
	}
}
