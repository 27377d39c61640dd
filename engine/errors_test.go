package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call is one method of an Engine, with arguments that would do.
type call struct {
	name   string
	writes bool
	index  bool // looks at index "i" alone
	do     func(ctx context.Context, e *Engine) error
}

func calls() []call {
	op := func(kind OpKind) func(context.Context, *Engine) error {
		return func(ctx context.Context, e *Engine) error {
			_, err := e.Apply(ctx, &Batch{Ops: []Op{{Kind: kind, Index: "i", ID: "1", Record: []byte(`{"t":"b"}`), Filter: "*"}}})
			return err
		}
	}
	return []call{
		{"Apply put", true, false, op(OpPut)},
		{"Apply put new", true, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpPutNew, Index: "i", Record: []byte(`{}`)}}})
			return err
		}},
		{"Apply delete", true, false, op(OpDelete)},
		{"Apply patch", true, true, op(OpPatch)},
		{"Apply patch where", true, true, op(OpPatchWhere)},
		{"CreateIndex", true, false, func(ctx context.Context, e *Engine) error {
			_, err := e.CreateIndex(ctx, "new", Schema{})
			return err
		}},
		{"DeleteIndex", true, true, func(ctx context.Context, e *Engine) error { return e.DeleteIndex(ctx, "i") }},
		{"UpdateIndex", true, true, func(ctx context.Context, e *Engine) error {
			_, err := e.UpdateIndex(ctx, "i", Schema{Dynamic: true})
			return err
		}},
		{"StartUpdate", true, true, func(ctx context.Context, e *Engine) error {
			_, err := e.StartUpdate(ctx, "i", Schema{Dynamic: true})
			return err
		}},
		{"CancelUpdate", true, true, func(ctx context.Context, e *Engine) error {
			_, err := e.CancelUpdate(ctx, "i")
			return err
		}},
		{"Rebuild", true, true, func(ctx context.Context, e *Engine) error {
			_, err := e.Rebuild(ctx, "i", nil)
			return err
		}},
		{"SwapIndexes", true, true, func(ctx context.Context, e *Engine) error {
			_, err := e.SwapIndexes(ctx, "i", "j")
			return err
		}},
		{"TrainVectors", true, true, func(ctx context.Context, e *Engine) error { return e.TrainVectors(ctx, "i") }},
		{"EmbedRecords", true, true, func(ctx context.Context, e *Engine) error { return e.EmbedRecords(ctx, "i") }},
		{"Merge", true, true, func(ctx context.Context, e *Engine) error { return e.Merge(ctx, "i") }},
		{"Flush", true, false, func(ctx context.Context, e *Engine) error { return e.Flush(ctx) }},
		{"PutRows", true, false, func(ctx context.Context, e *Engine) error {
			return e.PutRows(ctx, []Row{{"key", []byte("value")}})
		}},
		{"Bind", false, false, func(ctx context.Context, e *Engine) error {
			type record struct{ ID, T string }
			_, err := Bind[record](ctx, e, "j", nil)
			return err
		}},
		{"Search", false, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Search(ctx, nil)
			return err
		}},
		{"Search in an index", false, true, func(ctx context.Context, e *Engine) error {
			_, err := e.Search(ctx, &Request{Indexes: []string{"i"}, Query: "a"})
			return err
		}},
		{"Hits", false, false, func(ctx context.Context, e *Engine) error {
			for _, err := range e.Hits(ctx, nil) {
				return err
			}
			return nil
		}},
		{"Suggest", false, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Suggest(ctx, nil)
			return err
		}},
		{"Record", false, true, func(ctx context.Context, e *Engine) error {
			_, err := e.Record(ctx, "i", "1")
			return err
		}},
		{"Records", false, true, func(ctx context.Context, e *Engine) error {
			for _, err := range e.Records(ctx, "i", RecordsOptions{}) {
				return err
			}
			return nil
		}},
		{"Holders", false, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Holders(ctx, "1", nil)
			return err
		}},
		{"Index", false, true, func(ctx context.Context, e *Engine) error {
			_, err := e.Index("i")
			return err
		}},
		{"Snapshot", false, false, func(ctx context.Context, e *Engine) error {
			s, err := e.Snapshot()
			if err == nil {
				return s.Close()
			}
			return err
		}},
		{"Row", false, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Row("key")
			return err
		}},
		{"Rows", false, false, func(ctx context.Context, e *Engine) error {
			for _, err := range e.Rows("") {
				return err
			}
			return nil
		}},
		{"WaitVersion", false, false, func(ctx context.Context, e *Engine) error { return e.WaitVersion(ctx, 1) }},
		{"Check", false, false, func(ctx context.Context, e *Engine) error { return e.Check(ctx) }},
		{"Backup", false, false, func(ctx context.Context, e *Engine) error {
			_, err := e.Backup(ctx, "backup")
			return err
		}},
	}
}

// filled returns an engine on a directory with the indexes i and j, and a row.
func filled(t *testing.T) *disk {
	t.Helper()
	d := newDisk(t, Options{})
	b := puts("i", `{"id":"1","T":"a"}`, `{"id":"2","T":"a b"}`)
	b.Ops = append(b.Ops, puts("j", `{"ID":"1","T":"a"}`).Ops...)
	b.Rows = []Row{{"key", []byte("value")}}
	apply(t, d.e, b)
	return d
}

// Every call works, and after Close every call says that.
func TestEveryCallAfterClose(t *testing.T) {
	ctx := context.Background()
	for _, c := range calls() {
		t.Run(c.name, func(t *testing.T) {
			d := filled(t)
			if err := c.do(ctx, d.e); err != nil && c.name != "Bind" {
				t.Errorf("before Close: %v", err)
			}
			if err := d.e.Close(); err != nil {
				t.Fatal(err)
			}
			if err := c.do(ctx, d.e); !errors.Is(err, ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
			d.open()
		})
	}
}

// Whatever looks at an index that is not there says so.
func TestEveryCallWithoutIndex(t *testing.T) {
	e := newEngine(t, nil)
	for _, c := range calls() {
		if !c.index {
			continue
		}
		if err := c.do(context.Background(), e); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Whatever writes is refused by an engine that is read-only.
func TestEveryCallReadOnly(t *testing.T) {
	d := filled(t)
	if err := d.e.Close(); err != nil {
		t.Fatal(err)
	}
	o := Options{ReadOnly: true, fs: d.fs}
	e, err := Open("data", &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls() {
		err := c.do(context.Background(), e)
		if c.writes != errors.Is(err, ErrReadOnly) && c.name != "Backup" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	d.open()
}

// Whatever takes a context ends with its error.
func TestEveryCallWithContextThatHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := filled(t)
	for _, c := range calls() {
		switch c.name {
		case "Index", "Snapshot", "Row", "Rows", "WaitVersion":
			continue // take none, or need not wait
		}
		if err := c.do(ctx, d.e); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	e, err := Open(at("data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(at("data"), nil); !errors.Is(err, ErrLocked) {
		t.Errorf("a directory that is open: %v", err)
	}
	if _, err := e.Backup(ctx, at("backup")); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("foreign"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("foreign/file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir  string
		o    *Options
		want error
	}{
		{"backup", nil, ErrBackup}, {"foreign", nil, ErrForeign},
		{"nowhere", &Options{ReadOnly: true}, os.ErrNotExist},
	} {
		if _, err := Open(at(c.dir), c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.dir, err, c.want)
		}
	}
	if _, err := os.Stat(at("nowhere")); err == nil {
		t.Error("a read-only engine has made a directory")
	}
}

// An engine of which a snapshot is open cannot be closed, and can be afterwards:
// the directory is free then.
func TestCloseWithOpenSnapshot(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	e, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("i", `{"id":"1","t":"word"}`))
	s, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := e.Close(); !errors.Is(err, ErrBusy) {
			t.Errorf("Close with an open snapshot: %v", err)
		}
		if _, err := e.Search(ctx, nil); !errors.Is(err, ErrClosed) {
			t.Errorf("Search: %v", err)
		}
		if res, err := s.Search(ctx, &Request{Query: "word"}); err != nil || res.Total != 1 {
			t.Errorf("in the snapshot: %+v, %v", res, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := e.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("Close again: %v", err)
	}
	if e, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	checkAndClose(t, e)
}

// Close ends the waiting for a version that will not come.
func TestCloseEndsWaitVersion(t *testing.T) {
	e, err := Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	begun, ended := make(chan struct{}), make(chan error)
	go func() {
		close(begun)
		ended <- e.WaitVersion(context.Background(), 1)
	}()
	<-begun
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := e.Search(context.Background(), &Request{MinVersion: 1}); !errors.Is(err, ErrClosed) {
		t.Errorf("Search: %v", err)
	}
}

// Names of fields have letter case, and those of Go types begin with a capital:
// an error that is about nothing else says so.
func TestUnknownFieldNamesTheNearOne(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("i", `{"id":"1","Title":"red shoes","Price":1}`))
	for _, r := range []Request{
		{Filter: "price < 50"}, {Sort: []SortKey{{Field: "price"}}}, {Facets: []FacetRequest{{Field: "price"}}},
		{Distinct: "price"}, {Fields: []FieldWeight{{Field: "price"}}}, {Query: "price:1", Syntax: SyntaxQuery},
		{Highlight: &HighlightRequest{Fields: []string{"price"}}}, {Typo: Typo{OffFields: []string{"price"}}},
	} {
		if _, err := e.Search(context.Background(), &r); err == nil || !strings.HasSuffix(strings.TrimSuffix(err.Error(), " (column 1)"), `there is no field "price"; did you mean "Price"?`) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := e.Search(context.Background(), &Request{Filter: "cost < 50"}); err == nil || !strings.HasSuffix(err.Error(), `there is no field "cost" (column 1)`) {
		t.Error(err)
	}
}
