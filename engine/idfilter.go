package engine

import (
	"errors"
	"maps"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// savedFilter says which id filter an index had on disk when the engine was
// opened.
type savedFilter struct {
	parts   int           // 0: none that is as new as the segments
	nextDoc posting.DocID // the ids of the documents below are in it
}

// savedFilter is that of a manifest as it was read.
func (m *manifest) savedFilter() savedFilter {
	if m.Filter == 0 || m.Filter != m.Flushed {
		return savedFilter{}
	}
	return savedFilter{m.FilterParts, m.NextDoc}
}

// loadIDFilter makes the id filter of an index ready for its first write:
// from disk after a clean Close, else from the id map. Engine.mu is held, so this
// must not wait for index.diskMu, whose holders wait for Engine.mu.
func (e *Engine) loadIDFilter(ix *index) error {
	// Documents that were replayed from the log are not in the saved filter.
	if ix.saved.parts > 0 && ix.nextDoc == ix.saved.nextDoc {
		list := make([][]byte, ix.saved.parts)
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
	writers := slices.Collect(maps.Values(e.writers))
	e.mu.Unlock()
	for _, ix := range writers {
		if err := e.saveIDFilter(ix); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) saveIDFilter(ix *index) error {
	ix.diskMu.Lock() // a flush or merge that the caller has begun may be under way
	defer ix.diskMu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.writers[ix.name] != ix || ix.filter == nil || ix.disk.Filter == ix.disk.Flushed {
		return nil
	}
	b := e.store.NewBatch()
	lo, hi := storage.IDFilterRange(ix.number)
	b.DeleteRange(lo, hi)
	next := ix.disk
	if err := ix.filter.MarshalParts(func(i int, data []byte) error {
		b.Set(storage.IDFilterKey(ix.number, uint16(i)), data)
		next.FilterParts = i + 1
		return nil
	}); err != nil {
		return err
	}
	next.Filter = next.Flushed
	b.Set(storage.ManifestKey(ix.number), seal(next.encode()))
	if err := e.store.Commit(b); err != nil {
		return err
	}
	ix.disk = next
	return nil
}
