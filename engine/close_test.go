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
