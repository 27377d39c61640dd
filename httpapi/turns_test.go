package httpapi

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns: a burst is answered however long it waits within the limit; of a
// load that is more than can be carried out, what is taken has hardly waited.
func TestTurns(t *testing.T) {
	const work = 10 * time.Millisecond // of one search; 3 at a time, for 2 processors, are 300 a second
	limits := Limits{Searches: 10, SearchTimeout: 2 * time.Second}
	// search asks for a place, and tells whether it got one and how long it waited.
	search := func(t *turns) (bool, time.Duration) {
		begin := time.Now()
		turn, err := t.take(context.Background())
		waited := time.Since(begin)
		if err != nil {
			return false, waited
		}
		time.Sleep(work)
		turn.giveBack()
		return true, waited
	}
	t.Run("burst", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns(&limits, 2)
			for range 3 {
				var all sync.WaitGroup
				for range 160 { // more than may wait while the queue stands
					all.Go(func() {
						if ok, waited := search(turns); !ok {
							t.Errorf("refused after %v", waited)
						}
					})
				}
				all.Wait()
				time.Sleep(time.Minute)
			}
		})
	})
	t.Run("long searches", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns(&limits, 2)
			var held []*turn
			for range 10 {
				turn, err := turns.take(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				held = append(held, turn)
				time.Sleep(quickTime) // the first ones take the slow places, and the last ones stay
			}
			synctest.Wait()
			if len(turns.quick) != 3 || len(turns.slow) != 7 {
				t.Fatalf("%d quick and %d slow places are taken", len(turns.quick), len(turns.slow))
			}
			time.Sleep(time.Minute) // nobody has waited
			if ok, waited := search(turns); ok || waited != time.Second {
				t.Errorf("%v after %v, want refused after a second", ok, waited)
			}
			brief, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			var p *problem
			if _, err := turns.take(brief); !errors.As(err, &p) || p.code != codeOverloaded {
				t.Errorf("one whose time passes while it waits: %v, want %s", err, codeOverloaded)
			}
			cancel()
			gone, leave := context.WithCancel(t.Context())
			leave()
			if _, err := turns.take(gone); !errors.Is(err, context.Canceled) {
				t.Errorf("one whose client has gone: %v", err)
			}
			held[0].giveBack() // a slow place: one of the others moves there
			if ok, waited := search(turns); !ok || waited > quickTime {
				t.Errorf("%v after %v when there is room again", ok, waited)
			}
			for _, turn := range held[1:] {
				turn.giveBack()
			}
			time.Sleep(time.Minute)
			if len(turns.quick) != 0 || len(turns.slow) != 0 {
				t.Errorf("%d quick and %d slow places are taken when all is over", len(turns.quick), len(turns.slow))
			}
		})
	})
	t.Run("overload", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns(&limits, 2)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			begin := time.Now()
			var taken, refused int
			var mu sync.Mutex
			var all sync.WaitGroup
			for range 400 {
				all.Go(func() {
					for ctx.Err() == nil {
						ok, waited := search(turns)
						mu.Lock()
						if ok {
							taken++
						} else {
							refused++
						}
						mu.Unlock()
						if longest := queued * work; time.Since(begin) > 2*time.Second && waited > longest {
							t.Errorf("waited %v, want %v at most", waited, longest)
						}
						if !ok {
							time.Sleep(time.Second)
						}
					}
				})
			}
			all.Wait()
			if taken < 2850 || refused == 0 {
				t.Errorf("%d taken and %d refused of 3,000 that can be carried out", taken, refused)
			}
			time.Sleep(time.Minute)
			for range 160 { // a burst may wait again
				all.Go(func() {
					if ok, waited := search(turns); !ok {
						t.Errorf("refused afterwards, after %v", waited)
					}
				})
			}
			all.Wait()
		})
	})
}
