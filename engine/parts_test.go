package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestPartsAreMeasured: what takes room on disk is counted where it belongs.
// The ids here are random, so that pages have to be as large as they are.
func TestPartsAreMeasured(t *testing.T) {
	const records = 20_000
	d := newDisk(t, Options{})
	r := rand.New(rand.NewPCG(1, 2))
	var b Batch
	for range records {
		b.Put("i", fmt.Appendf(nil, `{"id":"%016x%016x","t":"red shoes"}`, r.Uint64(), r.Uint64()))
	}
	apply(t, d.e, &b)
	if err := d.e.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	bytes := map[string]int64{}
	for _, p := range d.e.Stats().Indexes[0].Parts {
		bytes[p.Name] = p.Bytes
	}
	const ids = records * 16 // 16 random bytes each, however they are written
	if bytes["pages"] < ids || bytes["pages"] > 4*ids {
		t.Errorf("pages take %d bytes, the ids in them alone are %d", bytes["pages"], ids)
	}
	if bytes["segments"] > bytes["pages"]/2 {
		t.Errorf("the inverted index of two words takes %d bytes, pages %d", bytes["segments"], bytes["pages"])
	}
}

// TestPartsOfASmallIndex: parts that lie in one block are together no larger than
// the index.
func TestPartsOfASmallIndex(t *testing.T) {
	d := newDisk(t, Options{})
	var b Batch
	b.Put("i", []byte(`{"id":"1","t":"red shoes"}`))
	b.Put("other", []byte(`{"id":"1","t":"red shoes"}`))
	apply(t, d.e, &b)
	d.reopen() // writes all of it to tables
	info, err := d.e.Index("i")
	if err != nil {
		t.Fatal(err)
	}
	var all int64
	for _, p := range d.e.Stats().Indexes[0].Parts {
		all += p.Bytes
	}
	if all == 0 || all > info.Bytes {
		t.Errorf("all parts take %d bytes, the index %d", all, info.Bytes)
	}
}

// What is on disk takes no memory before a search uses it, but for norms.
func TestFlushedChunksAreReadFromDisk(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	for round := range 3 {
		var b Batch
		for i := range 500 {
			b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":"some words and %d","n":%d}`, round*400+i, i%7, i))
		}
		apply(t, d.e, &b)
		if err := d.e.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		for _, c := range d.e.Stats().Indexes[0].Chunks {
			if norms := int64(2 * c.Docs); c.ID == 0 || c.Bytes > norms+64 {
				t.Errorf("round %d: after Flush a chunk holds %d bytes: %+v", round, c.Bytes, c)
			}
		}
	}
	if n := find(t, d.e, &Request{Query: "words", Filter: "n < 250"}).Total; n != 750 {
		t.Errorf("%d records", n)
	}
}
