package httpapi

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// TestTurns: a burst is answered however long it waits within the limit; of a
// load that is more than can be carried out, what is taken has hardly waited.
func TestTurns(t *testing.T) {
	const work = 20 * time.Millisecond // of one search; 4 at a time are 200 a second
	limits := Limits{Searches: 4, SearchTimeout: 2 * time.Second}
	// search asks for a place, and tells whether it got one and how long it waited.
	search := func(t *turns) (bool, time.Duration) {
		begin := time.Now()
		err := t.take(context.Background())
		waited := time.Since(begin)
		if err != nil {
			return false, waited
		}
		time.Sleep(work)
		t.giveBack()
		return true, waited
	}
	t.Run("burst", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns(&limits)
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
			turns := newTurns(&limits)
			for range limits.Searches {
				turns.take(context.Background())
			}
			time.Sleep(time.Minute) // nobody has waited
			if ok, waited := search(turns); ok || waited != time.Second {
				t.Errorf("%v after %v, want refused after a second", ok, waited)
			}
		})
	})
	t.Run("overload", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns(&limits)
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
			if taken < 1900 || refused == 0 {
				t.Errorf("%d taken and %d refused of 2,000 that can be carried out", taken, refused)
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

// slowEmbedder answers when it is let.
type slowEmbedder struct {
	soundsLike
	asked, let chan bool
}

func (s *slowEmbedder) Embed(ctx context.Context, kind engine.TextKind, texts []string) ([][]float32, error) {
	if kind == engine.QueryText {
		s.asked <- true
		<-s.let
	}
	return s.soundsLike.Embed(ctx, kind, texts)
}

// TestElsewhere: searches that wait for an embedder on another machine hold up
// no others.
func TestElsewhere(t *testing.T) {
	slow := &slowEmbedder{asked: make(chan bool), let: make(chan bool)}
	e, err := engine.Open("", &engine.Options{Embedders: map[string]engine.Embedder{"sounds": Elsewhere(slow)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s := newService(t, func(c *Config) { c.Engine, c.Limits.Searches = e, 1 })
	s.want(201, "PUT", "/v1/indexes/sounds", `{"fields":[{"name":"title","type":"text"},{"name":"sound","type":"vector","embedder":"sounds"}]}`)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if a := s.do("POST", "/v1/search", `{"index":"sounds","q":"aha","semantic":{"hybrid":0.5}}`); a.status != 200 {
				t.Errorf("with an embedder: %d %s", a.status, a.body)
			}
		})
	}
	for range 3 {
		<-slow.asked
	}
	if a := s.do("POST", "/v1/search", `{"index":"sounds","q":"aha","semantic":"off"}`); a.status != 200 {
		t.Errorf("without one: %d %s", a.status, a.body)
	}
	close(slow.let)
	all.Wait()
	if n := len(s.server.turns.places); n != 0 {
		t.Errorf("%d places are taken when all is over", n)
	}
}
