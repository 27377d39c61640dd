package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/page"
)

// TestDeadPagesAreDropped replaces most of a page's records and sees the page
// go, with every record still there, also after reopening.
func TestDeadPagesAreDropped(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	e, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, "i", Schema{Dynamic: true, Fields: []Field{{Name: "v", Type: Vector, Dimensions: 2}}})
	put := func(from, to, step, text int) {
		t.Helper()
		for i := from; i < to; {
			var b Batch
			for ; i < to && len(b.Ops) < 20_000; i += step {
				b.Put("i", fmt.Appendf(nil, `{"id":"%06d","n":%d,"t":"w%d","v":[%d,1]}`, i, i, text, i))
			}
			if _, err := e.Apply(ctx, &b); err != nil {
				t.Fatal(err)
			}
		}
	}
	const records = page.Size + 1000
	put(0, records, 1, 1)
	put(0, records, 3, 2)
	put(1, records, 3, 2)
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if err := e.cleanRound(ctx); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		if err := e.Check(ctx); err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Stats().Indexes[0].Chunks {
			if c.Base == 0 {
				t.Errorf("the first page is still there: %+v", c)
			}
		}
		for q, want := range map[string]int64{"": records, "w1": records / 3, "w2": records - records/3} {
			res, err := e.Search(ctx, &Request{Query: q, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			if res.Total != want {
				t.Errorf("%q: total %d, want %d", q, res.Total, want)
			}
		}
		if got := find(t, e, &Request{Vector: []float32{1, 0}, Semantic: SemanticRequest{Nearest: 1000}}).Total; got != 1000 {
			t.Errorf("%d records are nearest", got)
		}
		rec, err := e.Record(ctx, "i", "000002")
		if err != nil || rec.Version > 4 {
			t.Errorf("a record that was moved: %+v, %v; it keeps its version", rec, err)
		}
	}
	check()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	check()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// A record that does not fit the schema any more keeps its page, and no other.
func TestMisfitsKeepTheirPage(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Keyword, Filter: true}}})
	put := func(from, to int, record string) {
		t.Helper()
		var b Batch
		for i := from; i < to; i++ {
			b.Put("i", fmt.Appendf(nil, `{"id":"%06d",%s}`, i, record))
		}
		apply(t, e, &b)
	}
	put(0, page.Size, `"n":"not a number, and not looked at"`)
	put(page.Size, 2*page.Size, `"t":"x"`)
	if _, err := e.UpdateIndex(ctx, "i", Schema{Dynamic: true, Fields: []Field{{Name: "t", Type: Keyword, Filter: true}}}); err != nil {
		t.Fatal(err)
	}
	const most = emptyShare*page.Size + 2
	put(1, most, `"n":5`)
	put(page.Size+1, page.Size+most, `"n":5`)
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if err := e.cleanRound(ctx); err != nil {
		t.Fatal(err)
	}
	var bases []int
	for _, c := range e.Stats().Indexes[0].Chunks {
		bases = append(bases, int(c.Base))
	}
	if !slices.Contains(bases, 0) || slices.Contains(bases, page.Size) {
		t.Errorf("pages begin at %v", bases)
	}
	if rec, err := e.Record(ctx, "i", "000000"); err != nil || rec.Version != 2 {
		t.Errorf("%+v, %v", rec, err)
	}
}

// TestDroppedPageIsReadByOlderSnapshots: a page that is dropped before anything else
// was written since Open, when nobody has looked yet for what a crash left, stays for
// those who see it.
func TestDroppedPageIsReadByOlderSnapshots(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	open := func() *Engine {
		t.Helper()
		e, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		e.maintain.stop() // nobody else drops the page
		return e
	}
	e := open()
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	var b, gone Batch
	for i := range page.Size + 10 {
		id := fmt.Sprintf("%06d", i)
		b.Put("i", fmt.Appendf(nil, `{"id":%q,"t":"word"}`, id))
		if i < page.Size {
			gone.Delete("i", id)
		}
	}
	apply(t, e, &b)
	apply(t, e, &gone)
	if err := errors.Join(e.Flush(ctx), e.Merge(ctx, "i"), e.Close()); err != nil {
		t.Fatal(err)
	}
	e = open()
	s, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cleanRound(ctx); err != nil {
		t.Fatal(err)
	}
	if c := e.Stats().Indexes[0].Chunks; len(c) != 1 || c[0].Base == 0 {
		t.Fatalf("the page was not dropped: %+v", c)
	}
	apply(t, e, puts("i", `{"id":"x","t":"word"}`))
	if err := errors.Join(e.Flush(ctx), e.reap()); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.v.indexes["i"].chunks {
		if _, _, err := norms(c.chunk, 1); err != nil {
			t.Errorf("a chunk that the snapshot sees: %v", err)
		}
	}
	res, err := s.Search(ctx, &Request{Query: "word"})
	if err != nil || res.Total != 10 {
		t.Errorf("the snapshot: %v, %+v", err, res)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkAndClose(t, e)
}
