package engine

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestVectorsOfUpdatedRecords: what the vectors of an index take goes by its
// records, however often they have been written, and what they say does not
// depend on that.
func TestVectorsOfUpdatedRecords(t *testing.T) {
	ctx := t.Context()
	words := strings.Fields("red blue green shoes boots hat running walking park street house garden tree water fire stone")
	schema := Schema{Semantic: SemanticOn, Language: "en", Fields: []Field{{Name: "t", Type: Text, Search: true}}}
	d := newDisk(t, Options{Vectors: VectorOptions{Memory: 1 << 20}})
	d.e.maintain.stop()
	put := func(e *Engine, round int, records int) {
		b := &Batch{}
		for i := range records {
			var w []string
			for j := range 12 {
				w = append(w, words[(i*7+j*j+round)%len(words)])
			}
			b.Put("i", fmt.Appendf(nil, `{"id":"r%d","t":"%s"}`, i, strings.Join(w, " ")))
		}
		apply(t, e, b)
	}
	const records, rounds = 200, 40
	create(t, d.e, "i", schema)
	for round := range rounds {
		put(d.e, round, records)
	}
	once := newEngine(t, &Options{Vectors: VectorOptions{Memory: 1 << 20}})
	once.maintain.stop()
	create(t, once, "i", schema)
	put(once, rounds-1, records)
	answer := func(e *Engine) []Hit {
		var hits []Hit
		for _, q := range []string{"red boots", "garden", "walking in water"} {
			hits = append(hits, find(t, e, &Request{Query: q, Match: MatchAny, Limit: 50}).Hits...)
		}
		return hits
	}
	same := func(what string) {
		t.Helper()
		info, err := d.e.Index("i")
		if err != nil || info.LearntFrom != records {
			t.Errorf("%s: learnt from %d records, want %d (%v)", what, info.LearntFrom, records, err)
		}
		if got, want := answer(d.e), answer(once); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other answers than of records that were written once:\n got %v\nwant %v", what, got, want)
		}
	}
	for _, e := range []*Engine{d.e, once} {
		if err := e.TrainVectors(ctx, "i"); err != nil {
			t.Fatal(err)
		}
	}
	same("trained")
	d.reopen()
	d.e.maintain.stop()
	same("reopened")
	v, err := d.e.vectorsOf(d.e.writers["i"])
	if err != nil || v == nil {
		t.Fatal(v, err)
	}
	held := 0
	for _, b := range v.blocks {
		if b != nil {
			held++
		}
	}
	if held > 2 {
		t.Errorf("%d of %d blocks are held for %d records that were written one after the other", held, len(v.blocks), records)
	}
	// What comes later is folded in, into a block that is there and into others.
	for range 3 {
		put(d.e, rounds-1, records)
		if err := d.e.learn(ctx, d.e.writers["i"]); err != nil {
			t.Fatal(err)
		}
	}
	same("folded in")
}
