package engine

import (
	"errors"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/storage"
)

// loadIDFilter makes the id filter of an index ready for its first write:
// from disk after a clean Close, else from the id map. Engine.mu is held.
func (e *Engine) loadIDFilter(ix *index) error {
	ix.diskMu.Lock()
	saved, parts := ix.disk.Filter, ix.disk.FilterParts
	// Documents that were replayed from the log are not in the saved filter.
	clean := saved != 0 && saved == ix.disk.Flushed && ix.nextDoc == ix.disk.NextDoc
	ix.diskMu.Unlock()
	if clean {
		list := make([][]byte, parts)
		for i := range list {
			b, err := e.store.Get(storage.IDFilterKey(ix.number, uint16(i)))
			if err != nil {
				return err
			}
			list[i] = b
		}
		f, err := page.UnmarshalParts(list)
		if err == nil {
			ix.filter = f
			return nil
		}
		if !errors.Is(err, page.ErrCorrupt) {
			return err
		}
	}
	return e.scanIDs(ix)
}

// scanIDs makes the filter from the id map.
func (e *Engine) scanIDs(ix *index) error {
	lo, hi := storage.IDRange(ix.number)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	f := page.NewIDFilter()
	for ok := it.First(); ok; ok = it.Next() {
		_, id, err := storage.ParseIDKey(it.Key())
		if err != nil {
			return err
		}
		f.Add([]byte(id))
	}
	if err := it.Err(); err != nil {
		return err
	}
	ix.filter = f
	return nil
}

// saveIDFilters writes the id filters of indexes that were written to. Only
// Close calls it, after the last flush.
func (e *Engine) saveIDFilters() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, ix := range e.writers {
		if ix.filter == nil || ix.disk.Filter == ix.disk.Flushed {
			continue
		}
		b := e.store.NewBatch()
		lo, hi := storage.IDFilterRange(ix.number)
		b.DeleteRange(lo, hi)
		parts := 0
		if err := ix.filter.MarshalParts(func(i int, data []byte) error {
			b.Set(storage.IDFilterKey(ix.number, uint16(i)), data)
			parts = i + 1
			return nil
		}); err != nil {
			return err
		}
		ix.disk.Filter, ix.disk.FilterParts = ix.disk.Flushed, parts
		b.Set(storage.ManifestKey(ix.number), seal(ix.disk.encode()))
		if err := e.store.Commit(b); err != nil {
			return err
		}
	}
	return nil
}
