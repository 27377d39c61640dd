package httpapi

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// memEngine is an engine in memory that can be made to fail.
type memEngine struct {
	*engine.Engine
	sick error
	// before, when not nil, is called before some methods with their names, by
	// Apply also as "commit" when everything is prepared and as "committed"
	// when it is done, and by Records for each record; its error is the
	// method's.
	before func(ctx context.Context, method string) error
}

var testLimits = func() engine.Limits {
	e, err := engine.Open("", nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	return e.Limits()
}()

func newMemEngine(t testing.TB) *memEngine {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return &memEngine{Engine: e}
}

func (e *memEngine) enter(ctx context.Context, method string) error {
	if e.before == nil {
		return nil
	}
	return e.before(ctx, method)
}

func (e *memEngine) Backup(ctx context.Context, dir string) (engine.BackupInfo, error) {
	if err := e.enter(ctx, "Backup"); err != nil {
		return engine.BackupInfo{}, err
	}
	return e.Engine.Backup(ctx, dir)
}

func (e *memEngine) Healthy() error { return e.sick }

// refused is what Finish panics with to make a commit fail.
type refused struct{ error }

func (e *memEngine) Apply(ctx context.Context, b *engine.Batch) (res *engine.BatchResult, err error) {
	if err := e.enter(ctx, "Apply"); err != nil {
		return nil, err
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case refused:
			res, err = nil, v.error
		default:
			panic(v)
		}
	}()
	finish := b.Finish
	wrapped := *b
	wrapped.Finish = func(res *engine.BatchResult) (rows []engine.Row) {
		if finish != nil {
			rows = finish(res)
		}
		if err := e.enter(ctx, "commit"); err != nil {
			panic(refused{err})
		}
		return rows
	}
	if res, err = e.Engine.Apply(ctx, &wrapped); err == nil {
		err = e.enter(ctx, "committed")
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

func (e *memEngine) Search(ctx context.Context, r *engine.Request) (*engine.Result, error) {
	if err := e.enter(ctx, "Search"); err != nil {
		return nil, err
	}
	return e.Engine.Search(ctx, r)
}

func (e *memEngine) CreateIndex(ctx context.Context, name string, s engine.Schema, rows ...engine.Row) (engine.IndexInfo, error) {
	if err := e.enter(ctx, "CreateIndex"); err != nil {
		return engine.IndexInfo{}, err
	}
	return e.Engine.CreateIndex(ctx, name, s, rows...)
}

func (e *memEngine) Records(ctx context.Context, index string, o engine.RecordsOptions) iter.Seq2[engine.Record, error] {
	return func(yield func(engine.Record, error) bool) {
		for rec, err := range e.Engine.Records(ctx, index, o) {
			if failed := e.enter(ctx, "Records"); failed != nil {
				yield(engine.Record{}, failed)
				return
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

func (e *memEngine) PutRows(ctx context.Context, rows []engine.Row) error {
	if err := e.enter(ctx, "PutRows"); err != nil {
		return err
	}
	return e.Engine.PutRows(ctx, rows)
}

// dump returns all rows and records as text, to look for what must not be
// there.
func (e *memEngine) dump(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for row, err := range e.Rows("") {
		if err != nil {
			t.Fatal(err)
		}
		all["row "+row.Key] = string(row.Value)
	}
	for _, info := range e.Indexes() {
		for rec, err := range e.Engine.Records(t.Context(), info.Name, engine.RecordsOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("record %s/%s", rec.Index, rec.ID)] = string(rec.JSON)
		}
	}
	return all
}
