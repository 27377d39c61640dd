package storage_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// table writes a table with the given keys, whose values are value.
func table(t testing.TB, s *storage.Store, value string, keys ...string) storage.Table {
	t.Helper()
	w, err := s.NewTable(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if err := w.Set([]byte(key), []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	tab, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestIngestReplacesAndSurvivesReopening(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	set(t, s, "a", "batch", "b", "batch")
	one, two := table(t, s, "table", "b", "c"), table(t, s, "table", "d")
	if one.SizeBytes() == 0 {
		t.Error("a table has no size")
	}
	wantContents(t, s, map[string]string{"a": "batch", "b": "batch"})
	if err := s.Ingest(t.Context(), one, storage.Table{}, two); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "batch", "b": "table", "c": "table", "d": "table"}
	wantContents(t, s, want)
	set(t, s, "b", "later")
	want["b"] = "later"
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantContents(t, open(t, dir, nil), want)
	wantTables(t, dir, 0)
}

func wantTables(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "tables"))
	if err != nil || len(entries) != want {
		t.Errorf("tables being built: %v, %v, want %d", entries, err, want)
	}
}

func TestIngestOfTablesThatOverlapChangesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	one, two := table(t, s, "1", "a", "c"), table(t, s, "2", "b")
	if err := s.Ingest(t.Context(), one, two); err == nil {
		t.Error("tables that overlap were ingested")
	}
	wantContents(t, s, map[string]string{})
	if err := s.Discard(two, storage.Table{}); err != nil {
		t.Error(err)
	}
	if err := s.Ingest(t.Context(), one); err != nil {
		t.Error(err)
	}
	wantContents(t, s, map[string]string{"a": "1", "c": "1"})
	wantTables(t, dir, 0)
}

func TestIngestWithoutTablesOrTime(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	if err := s.Ingest(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tab := table(t, s, "v", "k")
	cancel()
	wantErr(t, "cancelled", s.Ingest(ctx, tab), context.Canceled)
	wantContents(t, s, map[string]string{})
}

func TestTableWriterRefusesDisorder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	for _, key := range []string{"a", "b"} {
		w := must(s.NewTable(true))
		if err := w.Set([]byte("b"), nil); err != nil {
			t.Fatal(err)
		}
		if err := w.Set([]byte(key), nil); err == nil {
			t.Errorf("key %s was accepted after b", key)
		}
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
		wantErr(t, "Set after Abort", w.Set([]byte("c"), nil), storage.ErrClosed)
		wantErr(t, "second Abort", w.Abort(), storage.ErrClosed)
		_, err := w.Finish()
		wantErr(t, "Finish after Abort", err, storage.ErrClosed)
	}
	wantTables(t, dir, 0)
}

func TestEmptyTable(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	tab := table(t, s, "")
	if tab != (storage.Table{}) {
		t.Errorf("Finish of nothing = %+v", tab)
	}
	if err := s.Ingest(t.Context(), tab); err != nil {
		t.Error(err)
	}
	wantTables(t, dir, 0)
}

func TestOpenRemovesTablesThatWereNotIngested(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	table(t, s, "v", "k")
	wantTables(t, dir, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantContents(t, open(t, dir, nil), map[string]string{})
	wantTables(t, dir, 0)
}
