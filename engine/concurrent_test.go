package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestEverythingAtOnce runs writers, searchers, flushes, merges, rebuilds and
// deletions of indexes side by side. What is written is seen by its writer,
// versions never go back, and the two records that are always written together
// are always seen together.
func TestEverythingAtOnce(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{FlushRecords: 100, FlushBytes: 1 << 15})
	e := d.e
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	create(t, e, "pairs", Schema{Fields: []Field{{Name: "pair", Type: Keyword, Filter: true}, {Name: "n", Type: Int, Filter: true, Sort: true}, {Name: "t", Type: Text, Search: true}}})
	var writers, others sync.WaitGroup
	var done atomic.Bool

	// Each writer has pairs of records of its own, the halves of which always
	// have the same n; half a pair at a time is nobody's to see.
	const pairs = 8
	for w := range 3 {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 5))
			for round := range rounds {
				p := fmt.Sprintf("w%dp%d", w, r.IntN(pairs))
				n := w*1_000_000 + round + 1
				var b Batch
				gone := r.IntN(4) == 0
				switch {
				case gone:
					b.Delete("pairs", p+"a")
					b.Delete("pairs", p+"b")
				default:
					for _, half := range []string{"a", "b"} {
						b.Put("pairs", fmt.Appendf(nil, `{"id":"%s%s","pair":%q,"n":%d,"t":"half %s"}`, p, half, p, n, half))
					}
				}
				res, err := e.Apply(ctx, &b)
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				found := find(t, e, &Request{Indexes: []string{"pairs"}, Filter: fmt.Sprintf("pair = %q", p)})
				want := int64(2)
				if gone {
					want = 0
				}
				if found.Total != want || found.Version < res.Version {
					t.Errorf("writer %d: version %d: %d records of %s, want %d; the search saw version %d", w, res.Version, found.Total, p, want, found.Version)
				}
				for _, h := range found.Hits {
					if !strings.Contains(string(h.Record), fmt.Sprintf(`"n":%d,`, n)) {
						t.Errorf("writer %d does not see its own write of n = %d: %s", w, n, h.Record)
					}
				}
			}
		})
	}
	for i := range 2 {
		others.Go(func() { // searchers
			last := uint64(0)
			for !done.Load() {
				res := find(t, e, &Request{Indexes: []string{"pairs"}, Query: "half", Limit: 1000})
				if res.Version < last {
					t.Errorf("the version went back from %d to %d", last, res.Version)
				}
				last = res.Version
				seen := map[string][]string{}
				for _, h := range res.Hits {
					n := string(h.Record)[strings.Index(string(h.Record), `"n":`):]
					n, _, _ = strings.Cut(n, ",")
					seen[h.ID[:len(h.ID)-1]] = append(seen[h.ID[:len(h.ID)-1]], n)
				}
				for p, halves := range seen {
					if len(halves) != 2 || halves[0] != halves[1] {
						t.Errorf("searcher %d, version %d: pair %s is %v", i, res.Version, p, halves)
					}
				}
				if int64(len(res.Hits)) != res.Total {
					t.Errorf("%d hits of %d", len(res.Hits), res.Total)
				}
			}
		})
	}
	others.Go(func() { // maintenance
		for i := 0; !done.Load(); i++ {
			var err error
			switch i % 3 {
			case 0:
				err = e.Flush(ctx)
			case 1:
				err = e.Merge(ctx, "pairs")
			case 2:
				err = e.Check(ctx)
			}
			if err != nil {
				t.Errorf("maintenance %d: %v", i%3, err)
			}
		}
	})
	others.Go(func() { // schemas
		for i := 0; !done.Load(); i++ {
			info, err := e.Index("pairs")
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				info.Schema.Fields[2].Weight = float64(1 + i%5)
			} else {
				info.Schema.Fields[1].Facet = i%4 == 1
			}
			if _, err := e.UpdateIndex(ctx, "pairs", info.Schema); err != nil {
				t.Errorf("UpdateIndex: %v", err)
				return
			}
		}
	})
	others.Go(func() { // indexes that come and go
		for i := 0; !done.Load(); i++ {
			if _, err := e.Apply(ctx, puts("fleeting", fmt.Sprintf(`{"id":"%d","f%d":%d}`, i, i%7, i))); err != nil {
				t.Errorf("fleeting: %v", err)
			}
			if i%3 == 0 {
				if err := e.DeleteIndex(ctx, "fleeting"); err != nil {
					t.Errorf("DeleteIndex: %v", err)
				}
			}
			find(t, e, &Request{Query: "half"})
			for _, info := range e.Indexes() {
				if info.Name != "pairs" && info.Name != "fleeting" {
					t.Errorf("index %q shows", info.Name)
				}
			}
			e.Stats()
		}
	})
	writers.Wait()
	done.Store(true)
	others.Wait()
	if err := e.Check(ctx); err != nil {
		t.Error(err)
	}
	before := find(t, e, &Request{Indexes: []string{"pairs"}, Sort: []SortKey{{Field: "n"}}, Limit: 1000})
	d.crash()
	after := find(t, d.e, &Request{Indexes: []string{"pairs"}, Sort: []SortKey{{Field: "n"}}, Limit: 1000})
	if idsOf(before) != idsOf(after) || before.Version != after.Version {
		t.Errorf("after a crash: version %d %s, before %d %s", after.Version, idsOf(after), before.Version, idsOf(before))
	}
}

// TestSchemaGrowsFromSeveralSides: batches that bring new fields at the same
// time all get them, each once and of one type.
func TestSchemaGrowsFromSeveralSides(t *testing.T) {
	d := newDisk(t, Options{})
	const writers, rounds = 4, 20
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for r := range rounds {
				b := puts("i", fmt.Sprintf(`{"id":"w%dr%d","f%d":%d,"own%d_%d":"word","text%d":"several words"}`, w, r, r, w, w, r, r%3))
				if r%5 == w {
					b.Put("i", fmt.Appendf(nil, `{"id":"x%dr%d","f%d":%d.5}`, w, r, r, w)) // widens f
				}
				if _, err := d.e.Apply(context.Background(), b); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	d.states("i", func(t *testing.T, e *Engine) {
		info, err := e.Index("i")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, f := range info.Schema.Fields {
			if seen[f.Name] {
				t.Errorf("field %s is there twice", f.Name)
			}
			seen[f.Name] = true
		}
		if want := rounds + writers*rounds + 3; len(seen) != want {
			t.Errorf("%d fields, want %d", len(seen), want)
		}
		for r := range rounds {
			want := []string{fmt.Sprintf("w2r%d", r)}
			if r%5 == 2 {
				want = append(want, fmt.Sprintf("x2r%d", r))
			}
			if got := filtered(t, e, "i", fmt.Sprintf("f%d >= 2 AND f%d < 3", r, r)); got != strings.Join(want, " ") {
				t.Errorf("f%d: %q, want %v", r, got, want)
			}
		}
		if n := find(t, e, &Request{Query: "several"}).Total; n != writers*rounds {
			t.Errorf("%d records with several words, want %d", n, writers*rounds)
		}
	})
}

// TestWritersOfOneRecord: compare-and-set lets one of several writers win.
func TestWritersOfOneRecord(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	apply(t, e, puts("i", `{"id":"counter","n":0}`))
	const writers, rounds = 4, 25
	var all sync.WaitGroup
	var conflicts atomic.Int64
	for range writers {
		all.Go(func() {
			for range rounds {
				for {
					rec, err := e.Record(ctx, "i", "counter")
					if err != nil {
						t.Error(err)
						return
					}
					var n int
					if _, err := fmt.Sscanf(string(rec.JSON), `{"id":"counter","n":%d}`, &n); err != nil {
						t.Error(err)
						return
					}
					_, err = e.Apply(ctx, &Batch{Ops: []Op{{
						Kind: OpPut, Index: "i", Record: fmt.Appendf(nil, `{"id":"counter","n":%d}`, n+1), IfVersion: &rec.Version,
					}}})
					if err == nil {
						break
					}
					if !errors.Is(err, ErrVersion) {
						t.Error(err)
						return
					}
					conflicts.Add(1)
				}
			}
		})
	}
	all.Wait()
	if rec, err := e.Record(ctx, "i", "counter"); err != nil || string(rec.JSON) != fmt.Sprintf(`{"id":"counter","n":%d}`, writers*rounds) {
		t.Errorf("%s, %v, want n = %d (%d conflicts)", rec.JSON, err, writers*rounds, conflicts.Load())
	}
}

// TestMinVersion: a search waits for a version that is on its way.
func TestMinVersion(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	versions := make(chan uint64)
	var searcher sync.WaitGroup
	searcher.Go(func() {
		for v := range versions {
			res, err := e.Search(ctx, &Request{MinVersion: v + 1})
			if err != nil || res.Version < v+1 {
				t.Errorf("asked for version %d, got %d (%v)", v+1, res.Version, err)
			}
		}
	})
	for range 50 {
		versions <- e.Version()
		apply(t, e, puts("i", `{"id":"1"}`))
	}
	close(versions)
	searcher.Wait()
}

// TestUpdatesSideBySide: of several updates of one index each takes its turn.
func TestUpdatesSideBySide(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "n", Type: Int}}})
	apply(t, e, puts("i", `{"id":"1","n":1}`))
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for round := range 10 {
				s := Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true, Sort: (w+round)%2 == 0}}}
				if _, err := e.UpdateIndex(context.Background(), "i", s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := filtered(t, e, "i", "n = 1"); got != "1" || len(e.Stats().Indexes) != 1 {
		t.Errorf("hits %q in %d indexes", got, len(e.Stats().Indexes))
	}
}

// TestRebuildOfAnotherIndexOfTheSameName: an index that is deleted and made
// again while it is being rebuilt has nothing of the old one.
func TestRebuildOfAnotherIndexOfTheSameName(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	schema := func(i int) Schema {
		return Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true, Sort: i%2 == 0}}}
	}
	for round := range 10 {
		var b Batch
		for i := range 6000 {
			b.Put("i", fmt.Appendf(nil, `{"id":"old%d","n":1}`, i))
		}
		create(t, e, "i", schema(0))
		apply(t, e, &b)
		var rebuild sync.WaitGroup
		rebuild.Go(func() {
			if _, err := e.UpdateIndex(ctx, "i", schema(1)); err != nil && !errors.Is(err, ErrNotFound) {
				t.Error(err)
			}
		})
		for range rand.IntN(2000) {
			runtime.Gosched()
		}
		if err := e.DeleteIndex(ctx, "i"); err != nil {
			t.Fatal(err)
		}
		create(t, e, "i", schema(0))
		apply(t, e, puts("i", `{"id":"new","n":2}`))
		if _, err := e.UpdateIndex(ctx, "i", schema(1)); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		rebuild.Wait()
		if got := filtered(t, e, "i", ""); got != "new" {
			t.Fatalf("round %d: records %.100q", round, got)
		}
		if n := len(e.Stats().Indexes); n != 1 {
			t.Errorf("round %d: %d indexes", round, n)
		}
		if err := e.DeleteIndex(ctx, "i"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseLeavesNothingRunning compares the goroutines before and after.
func TestCloseLeavesNothingRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		dir := t.TempDir()
		e, err := Open(dir, &Options{FlushRecords: 10})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			apply(t, e, puts("i", fmt.Sprintf(`{"id":"%d","t":"some words"}`, i)))
			find(t, e, &Request{Query: "words", Facets: []FacetRequest{{Field: "t"}}})
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Goroutines that were told to end may need a moment.
	for start := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Since(start) > 20*time.Second {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}
