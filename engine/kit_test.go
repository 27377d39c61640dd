package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// termsAlone leaves out of the ranking what is not a score of a single term.
var termsAlone = Tuning{Negation: -1, Compound: -1, Title: -1, Proximity: -1, Passage: -1, Coverage: -1, Character: -1, Answer: -1, Family: -1, Thesaurus: -1}

// newEngine returns an engine in memory, which is checked and closed at the
// end of the test.
func newEngine(t *testing.T, o *Options) *Engine {
	t.Helper()
	e, err := Open("", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkAndClose(t, e) })
	return e
}

func checkAndClose(t *testing.T, e *Engine) {
	t.Helper()
	if err := e.Check(context.Background()); err != nil {
		t.Errorf("Check: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// disk is a data directory that outlives its engines.
type disk struct {
	t  *testing.T
	fs storage.FS
	o  Options
	e  *Engine
}

// newDisk returns a directory with an open engine.
func newDisk(t *testing.T, o Options) *disk {
	t.Helper()
	d := &disk{t: t, fs: storagetest.NewCrashFS(), o: o}
	d.open()
	t.Cleanup(func() { checkAndClose(t, d.e) })
	return d
}

func (d *disk) open() {
	d.t.Helper()
	o := d.o
	o.fs, o.MinFreeBytes = d.fs, -1
	e, err := Open("data", &o)
	if err != nil {
		d.t.Fatalf("Open: %v", err)
	}
	d.e = e
}

// reopen closes the engine and opens it again.
func (d *disk) reopen() {
	d.t.Helper()
	if err := d.e.Close(); err != nil {
		d.t.Fatalf("Close: %v", err)
	}
	d.open()
}

// crash leaves the engine alone and opens what is synced at this moment.
func (d *disk) crash() {
	d.t.Helper()
	clone := d.fs.(*storagetest.CrashFS).Clone(0, 1)
	if err := d.e.Close(); err != nil {
		d.t.Fatalf("Close: %v", err)
	}
	d.fs = clone
	d.open()
}

// states runs f on the directory's engine as it is, after Flush, after Merge,
// after a clean close, and after a crash: the answers must be the same.
func (d *disk) states(index string, f func(t *testing.T, e *Engine)) {
	d.t.Helper()
	ctx := context.Background()
	for _, s := range []struct {
		name string
		step func() error
	}{
		{"as written", func() error { return nil }},
		{"crashed", func() error { d.crash(); return nil }},
		{"flushed", func() error { return d.e.Flush(ctx) }},
		{"crashed again", func() error { d.crash(); return nil }},
		{"merged", func() error { return d.e.Merge(ctx, index) }},
		{"reopened", func() error { d.reopen(); return nil }},
	} {
		if err := s.step(); err != nil {
			d.t.Fatalf("%s: %v", s.name, err)
		}
		if err := d.e.Check(ctx); err != nil {
			d.t.Errorf("%s: Check: %v", s.name, err)
		}
		if !d.t.Run(s.name, func(t *testing.T) { f(t, d.e) }) {
			return
		}
	}
}

// puts is a batch of puts into one index.
func puts(index string, records ...string) *Batch {
	b := &Batch{}
	for _, r := range records {
		b.Put(index, []byte(r))
	}
	return b
}

func apply(t *testing.T, e *Engine, b *Batch) *BatchResult {
	t.Helper()
	res, err := e.Apply(context.Background(), b)
	if err != nil {
		t.Fatalf("Apply: %v", err)
	}
	return res
}

func create(t *testing.T, e *Engine, name string, s Schema) {
	t.Helper()
	if _, err := e.CreateIndex(context.Background(), name, s); err != nil {
		t.Fatalf("CreateIndex(%s): %v", name, err)
	}
}

func find(t *testing.T, e *Engine, r *Request) *Result {
	t.Helper()
	res, err := e.Search(context.Background(), r)
	if err != nil {
		t.Fatalf("Search(%+v): %v", *r, err)
	}
	return res
}

// idsOf returns the ids of hits in their order, separated by spaces.
func idsOf(res *Result) string {
	var ids []string
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
	}
	return strings.Join(ids, " ")
}

// sortWords sorts words that are separated by spaces.
func sortWords(s string) string {
	w := strings.Fields(s)
	slices.Sort(w)
	return strings.Join(w, " ")
}

// filtered returns the ids that a filter matches, sorted.
func filtered(t *testing.T, e *Engine, index, filter string) string {
	t.Helper()
	return sortWords(idsOf(find(t, e, &Request{Indexes: []string{index}, Filter: filter, Limit: 1000})))
}

// wantProblem fails the test unless err is an *InvalidError whose first
// problem has this code and pointer.
func wantProblem(t *testing.T, err error, code, pointer string) *InvalidError {
	t.Helper()
	var inv *InvalidError
	if !errors.As(err, &inv) {
		t.Errorf("error %v (%T), want an *InvalidError with %s at %q", err, err, code, pointer)
		return nil
	}
	if p := inv.Problems[0]; p.Code != code || p.Pointer != pointer {
		t.Errorf("problem %s at %q (%s), want %s at %q", p.Code, p.Pointer, p.Detail, code, pointer)
	}
	if !errors.Is(err, ErrInvalid) {
		t.Errorf("%v is not ErrInvalid", err)
	}
	return inv
}
