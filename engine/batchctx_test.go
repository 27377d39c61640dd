package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// looks is a context that ends when it has been looked at so often.
type looks struct {
	context.Context
	left int
}

func (c *looks) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestBatchEndsWithItsContext: whenever the context of a batch ends before the
// batch is in the log, nothing of it is written.
func TestBatchEndsWithItsContext(t *testing.T) {
	const records = 1000
	e := newEngine(t, nil)
	apply(t, e, puts("a", `{"id":"0","n":1}`))
	b := &Batch{}
	for i := range records {
		b.Put("a", fmt.Appendf(nil, `{"id":"%d","n":2,"t":"word%d"}`, i, i))
	}
	finished := false
	b.Finish = func(*BatchResult) []Row { finished = true; return nil }
	before := e.Version()
	n := 0
	for ; ; n++ {
		_, err := e.Apply(&looks{t.Context(), n}, b)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("a context that ends at look %d: %v", n, err)
		}
		info, _ := e.Index("a")
		if e.Version() != before || info.Records != 1 || len(info.Schema.Fields) != 1 || finished {
			t.Fatalf("a context that ends at look %d: version %d, %d records, fields %v, finished %t; want version %d and nothing else changed",
				n, e.Version(), info.Records, info.Schema.Fields, finished, before)
		}
	}
	if least := 2 * (records / 300); n < least {
		t.Errorf("the context of %d operations is looked at %d times, want %d at least", records, n, least)
	}
	if got := find(t, e, &Request{Filter: "n = 2", Limit: -1}).Total; got != records {
		t.Errorf("%d records were written in the end, want %d", got, records)
	}
}

// waits is a context that tells when somebody waits for its end.
type waits struct {
	context.Context
	once sync.Once
	told chan struct{}
}

func (c *waits) Done() <-chan struct{} {
	c.once.Do(func() { close(c.told) })
	return c.Context.Done()
}

// TestWaitForOtherWritesEndsWithTheContext: whoever waits for its turn to write
// goes away when its context ends.
func TestWaitForOtherWritesEndsWithTheContext(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", Schema{Fields: []Field{{Name: "n", Type: Int}}})
	create(t, e, "b", Schema{})
	before := e.Version()
	for name, write := range map[string]func(ctx context.Context) error{
		"Apply":        func(ctx context.Context) error { _, err := e.Apply(ctx, puts("a", `{"n":1}`)); return err },
		"PutRows":      func(ctx context.Context) error { return e.PutRows(ctx, []Row{{Key: "k", Value: []byte("v")}}) },
		"CreateIndex":  func(ctx context.Context) error { _, err := e.CreateIndex(ctx, "c", Schema{}); return err },
		"DeleteIndex":  func(ctx context.Context) error { return e.DeleteIndex(ctx, "a") },
		"SwapIndexes":  func(ctx context.Context) error { _, err := e.SwapIndexes(ctx, "a", "b"); return err },
		"UpdateIndex":  func(ctx context.Context) error { _, err := e.UpdateIndex(ctx, "a", Schema{}); return err },
		"StartUpdate":  func(ctx context.Context) error { _, err := e.StartUpdate(ctx, "a", Schema{}); return err },
		"CancelUpdate": func(ctx context.Context) error { _, err := e.CancelUpdate(ctx, "a"); return err },
		"Rebuild":      func(ctx context.Context) error { _, err := e.Rebuild(ctx, "a", nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			e.mu.Lock()
			defer e.mu.Unlock()
			ctx, cancel := context.WithCancel(t.Context())
			waiting := &waits{Context: ctx, told: make(chan struct{})}
			done := make(chan error, 1)
			go func() { done <- write(waiting) }()
			select {
			case <-waiting.told:
			case err := <-done:
				t.Fatalf("it did not wait: %v", err)
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want the context's", err)
			}
		})
	}
	if e.Version() != before {
		t.Errorf("version %d, want %d: something was written", e.Version(), before)
	}
	if _, err := e.Row("k"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Row: %v, want ErrNotFound", err)
	}
}
