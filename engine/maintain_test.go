package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
)

// TestFlushedTellsWhatWasFlushed: an event of a flush counts the records that
// were in memory only, and not those that had been on disk.
func TestFlushedTellsWhatWasFlushed(t *testing.T) {
	var told []int
	e := newEngine(t, &Options{Events: Events{Flushed: func(_ string, records int, _ time.Duration) { told = append(told, records) }}})
	e.maintain.stop()
	for _, n := range []int{100, 1} {
		b := &Batch{}
		for i := range n {
			b.Put("i", fmt.Appendf(nil, `{"id":"%d-%d"}`, n, i))
		}
		apply(t, e, b)
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(told) != "[100 1]" {
		t.Errorf("flushed %d records, want 100 and 1", told)
	}
}

// TestMergeLeavesOthersAlone: Merge of an index does not flush the others.
func TestMergeLeavesOthersAlone(t *testing.T) {
	var flushed []string
	e := newEngine(t, &Options{Events: Events{Flushed: func(index string, _ int, _ time.Duration) { flushed = append(flushed, index) }}})
	e.maintain.stop()
	apply(t, e, puts("a", `{"id":"1"}`))
	apply(t, e, puts("b", `{"id":"1"}`))
	if err := e.Merge(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(flushed) != "[a]" {
		t.Errorf("Merge of a flushed %s", flushed)
	}
	if err := e.Merge(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Merge of no index: %v", err)
	}
}

// TestDeletedCountsWhatIsThere: documents of pages that were dropped take no place.
func TestDeletedCountsWhatIsThere(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	e.maintain.stop()
	put := func(n int) {
		b := &Batch{}
		for i := range n {
			b.Put("i", fmt.Appendf(nil, `{"id":"%d"}`, i))
		}
		apply(t, e, b)
		if err := e.Flush(ctx); err != nil {
			t.Fatal(err)
		}
	}
	put(page.Size)
	put(100)
	deleted := func() (told, want int64) {
		s := e.Stats().Indexes[0]
		for _, c := range s.Chunks {
			want += int64(c.Docs)
		}
		return s.Deleted, want - s.Records
	}
	if told, want := deleted(); told != want || told != 100 {
		t.Errorf("%d records are deleted, want %d", told, want)
	}
	put(page.Size - 10)
	if err := e.cleanRound(ctx); err != nil {
		t.Fatal(err)
	}
	if got := len(e.Stats().Indexes[0].Chunks); got != 1 && e.writers["i"].nextDoc < 2*page.Size {
		t.Fatalf("%d chunks; a page should have been dropped", got)
	}
	if told, want := deleted(); told != want || want >= page.Size {
		t.Errorf("after a page was dropped %d records are deleted, want %d", told, want)
	}
}

// TestMisfitKeepsItsPageOnce: a record that does not fit its schema any more keeps
// the page that it is in. That is found once, and nothing is flushed for it, until the
// record is gone.
func TestMisfitKeepsItsPageOnce(t *testing.T) {
	ctx := context.Background()
	var told []error
	flushes := 0
	e := newEngine(t, &Options{Events: Events{
		Flushed:    func(string, int, time.Duration) { flushes++ },
		Background: func(err error) { told = append(told, err) },
	}})
	e.maintain.stop()
	fields := []Field{{Name: "t", Type: Keyword, Filter: true}}
	create(t, e, "i", Schema{Fields: fields})
	put := func(from, to int, members string) {
		b := &Batch{}
		for i := from; i < to; i++ {
			b.Put("i", fmt.Appendf(nil, `{"id":"%06d",%s}`, i, members))
		}
		apply(t, e, b)
	}
	put(0, page.Size, `"n":"no number, and not looked at"`)
	if _, err := e.UpdateIndex(ctx, "i", Schema{Dynamic: true, Fields: fields}); err != nil {
		t.Fatal(err)
	}
	put(1, page.Size-100, `"n":5`)
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	clean := func() {
		t.Helper()
		if err := e.cleanRound(ctx); err != nil {
			t.Fatal(err)
		}
	}
	flushes = 0
	for i := range 5 {
		put(200_000+i, 200_001+i, `"n":5`)
		clean()
	}
	var unfit *InvalidError
	if flushes != 0 || len(told) != 1 || !errors.As(told[0], &unfit) {
		t.Errorf("%d flushes, told of %v; want none, and one record that does not fit", flushes, told)
	}
	chunks := len(e.Stats().Indexes[0].Chunks)
	put(0, 1, `"n":5`)
	put(page.Size-100, page.Size, `"n":5`)
	clean()
	if got := e.Stats().Indexes[0].Chunks; got[0].Base == 0 {
		t.Errorf("of %d chunks there are %d, with a page of which no record is left", chunks, len(got))
	}
}
