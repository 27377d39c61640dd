package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// What Apply has acknowledged is there after Close, and what it has refused
// because of Close is not.
func TestCloseBesideWriters(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	for round := range 20 {
		var writers sync.WaitGroup
		start := make(chan struct{})
		const n = 4
		var acknowledged, refused [n][]string
		for w := range n {
			writers.Go(func() {
				for i := 0; ; i++ {
					if i == round {
						<-start
					}
					id := fmt.Sprintf("%d-%d-%d", round, w, i)
					_, err := d.e.Apply(ctx, puts("i", `{"id":"`+id+`"}`))
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Errorf("%s: %v", id, err)
						}
						refused[w] = append(refused[w], id)
						return
					}
					acknowledged[w] = append(acknowledged[w], id)
				}
			})
		}
		close(start)
		err := d.e.Close()
		writers.Wait()
		if err != nil {
			t.Fatal(err)
		}
		d.open()
		for w := range n {
			for _, id := range acknowledged[w] {
				if _, err := d.e.Record(ctx, "i", id); err != nil {
					t.Errorf("%s was acknowledged: %v", id, err)
				}
			}
			for _, id := range refused[w] {
				if _, err := d.e.Record(ctx, "i", id); !errors.Is(err, ErrNotFound) {
					t.Errorf("%s was refused: %v", id, err)
				}
			}
		}
	}
}

// The first write after Open does not wait for what is being written to disk:
// that waits for it.
func TestFirstWriteBesideAFlush(t *testing.T) {
	d := newDisk(t, Options{})
	apply(t, d.e, puts("i", `{"id":"1"}`))
	d.reopen()
	ix := d.e.writers["i"]
	ix.diskMu.Lock()
	defer ix.diskMu.Unlock()
	apply(t, d.e, puts("i", `{"id":"1","n":2}`))
	if n := find(t, d.e, &Request{Limit: -1}).Total; n != 1 {
		t.Errorf("%d records", n)
	}
}

// TestCloseWaits: Close waits for what is under way, and lets nothing begin.
func TestCloseWaits(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for name, walk := range map[string]func(e *Engine, each func(error) bool){
		"Records": func(e *Engine, each func(error) bool) {
			for _, err := range e.Records(ctx, "i", RecordsOptions{}) {
				if !each(err) {
					break
				}
			}
		},
		"Hits": func(e *Engine, each func(error) bool) {
			for _, err := range e.Hits(ctx, &Request{Limit: 1}) {
				if !each(err) {
					break
				}
			}
		},
		"Rows": func(e *Engine, each func(error) bool) {
			for _, err := range e.Rows("row") {
				if !each(err) {
					break
				}
			}
		},
	} {
		e, err := Open(dir, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b := puts("i", `{"id":"1","t":"word"}`, `{"id":"2","t":"word"}`, `{"id":"3","t":"word"}`)
		b.Rows = []Row{{Key: "row1", Value: []byte("a")}, {Key: "row2", Value: []byte("b")}, {Key: "row3", Value: []byte("c")}}
		apply(t, e, b)
		closed := make(chan error, 1)
		seen := 0
		walk(e, func(err error) bool {
			if seen++; err != nil {
				t.Errorf("%s: %d: %v", name, seen, err)
				return false
			}
			if seen > 1 {
				return true
			}
			go func() { closed <- e.Close() }()
			if err := e.WaitVersion(ctx, 1<<60); !errors.Is(err, ErrClosed) { // until calls are refused
				t.Errorf("%s: WaitVersion: %v", name, err)
			}
			if _, err := e.Search(ctx, nil); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: Search beside Close: %v", name, err)
			}
			if _, err := e.Apply(ctx, puts("i", `{"id":"4"}`)); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: Apply beside Close: %v", name, err)
			}
			if _, err := e.Row("row1"); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: Row beside Close: %v", name, err)
			}
			select {
			case err := <-closed:
				t.Errorf("%s: Close did not wait: %v", name, err)
			default:
			}
			return true
		})
		if seen != 3 {
			t.Errorf("%s: %d of 3 were walked", name, seen)
		}
		if err := <-closed; err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}

// TestCloseBesideSearches: an engine that is searched all the time is closed by
// one call.
func TestCloseBesideSearches(t *testing.T) {
	ctx := context.Background()
	for range 20 {
		e, err := Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		apply(t, e, puts("i", `{"id":"1","t":"red shoes"}`))
		var searchers sync.WaitGroup
		begun := make(chan struct{}, 2)
		for range 2 {
			searchers.Go(func() {
				for i := 0; ; i++ {
					if _, err := e.Search(ctx, &Request{Query: "red"}); err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Errorf("Search: %v", err)
						}
						return
					}
					if i == 0 {
						begun <- struct{}{}
					}
				}
			})
		}
		<-begun
		<-begun
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		searchers.Wait()
	}
}
