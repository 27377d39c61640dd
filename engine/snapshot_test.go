package engine

import (
	"context"
	"errors"
	"testing"
)

func TestSnapshotNeverChanges(t *testing.T) {
	ctx := context.Background()
	e, err := Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	apply := func(add func(b *Batch)) {
		t.Helper()
		var b Batch
		add(&b)
		if _, err := e.Apply(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	apply(func(b *Batch) { b.Put("i", []byte(`{"id":"1","t":"old words"}`)) })
	s, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	apply(func(b *Batch) {
		b.Put("i", []byte(`{"id":"1","t":"new words"}`))
		b.Put("i", []byte(`{"id":"2","t":"new words"}`))
	})
	if err := e.Merge(ctx, "i"); err != nil {
		t.Fatal(err)
	}
	if err := e.DeleteIndex(ctx, "i"); err != nil {
		t.Fatal(err)
	}
	if s.Version() != 1 {
		t.Errorf("version %d, want 1", s.Version())
	}
	res, err := s.Search(ctx, &Request{Query: "words"})
	if err != nil || res.Total != 1 || string(res.Hits[0].Record) != `{"id":"1","t":"old words"}` {
		t.Errorf("search in the snapshot: %+v, %v", res, err)
	}
	rec, err := s.Record("i", "1")
	if err != nil || string(rec.JSON) != `{"id":"1","t":"old words"}` {
		t.Errorf("record in the snapshot: %s, %v", rec.JSON, err)
	}
	if _, err := s.Record("i", "2"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a record written later: %v, want ErrNotFound", err)
	}
	n := 0
	for rec, err := range s.Records(ctx, "i", RecordsOptions{}) {
		if err != nil || rec.ID != "1" {
			t.Errorf("records in the snapshot: %+v, %v", rec, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d records in the snapshot, want 1", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second Close: %v, want ErrClosed", err)
	}
	if _, err := s.Search(ctx, &Request{}); !errors.Is(err, ErrClosed) {
		t.Errorf("search after Close: %v, want ErrClosed", err)
	}
}

// TestClosedSnapshot: iterations that begin after Close of a snapshot are refused,
// also if they were made before; those that have begun go on.
func TestClosedSnapshot(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	apply(t, e, puts("i", `{"id":"1"}`, `{"id":"2"}`, `{"id":"3"}`))
	for _, write := range []bool{false, true} {
		s, err := e.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		before := s.Records(ctx, "i", RecordsOptions{})
		seen := 0
		for _, err := range s.Records(ctx, "i", RecordsOptions{}) {
			if seen++; err != nil {
				t.Errorf("record %d: %v", seen, err)
			}
			if seen == 1 {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if write {
					apply(t, e, puts("i", `{"id":"4"}`))
				}
			}
		}
		if seen != 3 {
			t.Errorf("%d records, want 3", seen)
		}
		n := 0
		for r, err := range before {
			if n++; !errors.Is(err, ErrClosed) {
				t.Errorf("written %v: after Close: %q, %v", write, r.ID, err)
			}
		}
		if n != 1 {
			t.Errorf("written %v: %d results, want one error", write, n)
		}
	}
}
