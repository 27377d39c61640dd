package engine

import (
	"context"
	"iter"
	"slices"

	"github.com/quarry-search/quarry/storage"
)

// Row returns a row of the application's own, written with a batch or with
// PutRows. ErrNotFound if there is none.
func (e *Engine) Row(key string) ([]byte, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	v, err := e.store.Get(storage.RowKey([]byte(key)))
	if err != nil {
		return nil, e.told(translate(err))
	}
	return v, nil
}

// Rows yields the rows whose keys begin with prefix, by key, as of now.
func (e *Engine) Rows(prefix string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := e.enter(); err != nil {
			yield(Row{}, err)
			return
		}
		defer e.leave()
		lo, hi := storage.RowRange([]byte(prefix))
		it, err := e.store.Iter(lo, hi)
		if err != nil {
			yield(Row{}, e.told(translate(err)))
			return
		}
		defer it.Close()
		for ok := it.First(); ok; ok = it.Next() {
			key, err := storage.ParseRowKey(it.Key())
			if !yield(Row{Key: string(key), Value: append([]byte{}, it.Value()...)}, e.told(err)) || err != nil {
				return
			}
		}
		if err := it.Err(); err != nil {
			yield(Row{}, e.told(translate(err)))
		}
	}
}

// PutRows writes rows of the application's own; it returns when they are
// durable. A nil Value deletes.
func (e *Engine) PutRows(ctx context.Context, rows []Row) (err error) {
	defer e.tell(&err)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.storable(); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	wait, err := e.applyRows(ctx, rows)
	if err != nil {
		return translate(err)
	}
	return translate(wait())
}

// applyRows hands rows to the store; wait returns when they are durable.
func (e *Engine) applyRows(ctx context.Context, rows []Row) (wait func() error, err error) {
	if err := e.mu.LockWithin(ctx); err != nil {
		return nil, err
	}
	defer e.mu.Unlock()
	b := e.store.NewBatch()
	w := e.newEntries(b)
	if err := w.rows(rows); err != nil {
		return nil, err
	}
	w.close(e.version)
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.Value != nil }) {
		b.Shrinks()
	}
	if wait, err = e.store.Apply(b); err == nil {
		e.ledger = w.ledger
	}
	return wait, err
}
