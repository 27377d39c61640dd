package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
)

// Whatever caches are asked for, they keep to what there is for all of them, and one
// that takes no more than it is sure of loses nothing to the others.
func TestCachesShareMemory(t *testing.T) {
	const limit, values = 1 << 20, 2000
	seed := rand.Uint64()
	m := &cacheMemory{limit: limit}
	caches := make([]*lru[int, int], 4)
	for i := range caches {
		caches[i] = newLRU[int, int](limit)
		caches[i].join(m, limit/8)
	}
	small := newLRU[int, int](limit)
	small.join(m, limit/8)
	for i := range 100 {
		small.add(i, i, 100)
	}
	var wait sync.WaitGroup
	for g := range uint64(4) {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for range 20_000 {
				key := r.IntN(values)
				size := 500 + key
				if v, err := caches[r.IntN(len(caches))].load(key, func() (int, int, error) { return key, size, nil }); v != key || err != nil {
					t.Errorf("seed %d: %d (%v), want %d", seed, v, err, key)
				}
				if held := m.bytes.Load(); held > limit+4*(values+500+entryOverhead) {
					t.Errorf("seed %d: %d bytes are kept", seed, held)
					return
				}
			}
		})
	}
	wait.Wait()
	held := int64(0)
	for i, c := range append(caches, small) {
		_, bytes := c.size()
		if held += bytes; bytes != m.shares[i].bytes.Load() {
			t.Errorf("seed %d: cache %d has %d bytes, %d are counted", seed, i, bytes, m.shares[i].bytes.Load())
		}
	}
	if held != m.bytes.Load() || held > limit || held < limit/2 {
		t.Errorf("seed %d: %d bytes are kept, %d counted, %d allowed", seed, held, m.bytes.Load(), limit)
	}
	if n, _ := small.size(); n != 100 {
		t.Errorf("seed %d: %d of 100 values are left of a cache that took less than it is sure of", seed, n)
	}
}

// An engine with little memory for its caches keeps to it, however many fields are
// filtered, sorted and counted, answers as one with much, and gives up what the parts
// had that are merged.
func TestEngineKeepsToItsMemory(t *testing.T) {
	ctx := context.Background()
	const limit, records, fields = 250_000, 10_000, 12
	small := newDisk(t, Options{FlushRecords: 2000, caches: limit, cachedDocs: 1}).e
	large := newDisk(t, Options{FlushRecords: 2000, cachedDocs: 1}).e
	var schema Schema
	for f := range fields {
		schema.Fields = append(schema.Fields, Field{Name: fmt.Sprint("f", f), Type: Int, Filter: true, Sort: true, Facet: true})
	}
	create(t, small, "i", schema)
	create(t, large, "i", schema)
	r := rand.New(rand.NewPCG(1, 1))
	for n := 0; n < records; n += 1000 {
		b := &Batch{}
		for i := range 1000 {
			record := fmt.Appendf(nil, `{"id":"%d"`, n+i)
			for f := range fields {
				record = fmt.Appendf(record, `,"f%d":%d`, f, r.IntN(1<<30))
			}
			b.Put("i", append(record, '}'))
		}
		apply(t, small, b)
		apply(t, large, b)
	}
	search := func() {
		for f := range 2 * fields {
			name := fmt.Sprint("f", f%fields)
			req := &Request{
				Filter: name + " > 500000000", Sort: []SortKey{{Field: name}}, Facets: []FacetRequest{{Field: name, Limit: 3, Stats: true}},
			}
			got, want := find(t, small, req), find(t, large, req)
			if got.Total != want.Total || idsOf(got) != idsOf(want) || !reflect.DeepEqual(got.Facets, want.Facets) {
				t.Fatalf("%s: %d records, first %s; with more memory %d, first %s", name, got.Total, idsOf(got), want.Total, idsOf(want))
			}
			if all := small.Stats().Cache.All; all > limit {
				t.Fatalf("%d bytes are kept, the limit is %d", all, limit)
			}
		}
	}
	flush := func() {
		for _, e := range []*Engine{small, large} {
			if err := e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	flush()
	search()
	if kept := large.Stats().Cache.Values; kept < 3*limit {
		t.Fatalf("with much memory %d bytes of values are kept: the test tests nothing", kept)
	}
	apply(t, small, puts("i", `{"id":"0","f0":1}`))
	apply(t, large, puts("i", `{"id":"0","f0":1}`))
	flush() // makes one chunk of two
	search()
	for _, e := range []*Engine{small, large} {
		s := e.Stats()
		held := int64(0)
		for _, c := range s.Indexes[0].Chunks {
			held += c.Bytes
		}
		if held != s.Cache.Values {
			t.Errorf("chunks in use have %d bytes, %d are counted", held, s.Cache.Values)
		}
	}
}
