package engine

import "github.com/quarry-search/quarry/storage"

// dropOrphanIndexes deletes what a deleted index, or a crash, left behind,
// together with the catalogue entries of hidden indexes.
func (e *Engine) dropOrphanIndexes(known map[uint32]bool, hidden []string, m *meta) error {
	if e.opts.ReadOnly {
		return nil
	}
	b := e.store.NewBatch()
	w := e.newEntries(b)
	for _, name := range hidden {
		if err := w.catalog(name, nil); err != nil {
			return err
		}
	}
	if len(hidden) > 0 || m.Format < FormatVersion {
		// In the newest format from now on: flushes and merges write values of it, too.
		w.close(m.Version)
	}
	lo, _ := storage.IndexRange(0)
	_, hi := storage.IndexRange(^uint32(0))
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; {
		n, err := storage.ParseIndex(it.Key())
		if err != nil {
			return err
		}
		e.nextIndex = max(e.nextIndex, n+1)
		from, to := storage.IndexRange(n)
		if !known[n] {
			b.DeleteRange(from, to)
		}
		ok = it.SeekGE(to)
	}
	if err := e.commitOrphans(it, b); err != nil {
		return err
	}
	e.ledger = w.ledger
	return nil
}

// dropOrphanParts deletes segments and chunks that the manifest does not name,
// until that has been done once for an index: their numbers will be given
// out again. diskMu is held.
func (e *Engine) dropOrphanParts(ix *index) error {
	if ix.tidy {
		return nil
	}
	named := map[uint32]bool{}
	for _, s := range ix.disk.Segments {
		named[s.ID] = true
	}
	for _, c := range ix.disk.Chunks {
		named[c.ID] = true
	}
	lo, hi := storage.SegmentsRange(ix.number)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	b := e.store.NewBatch()
	next := ix.disk.NextPart
	for ok := it.First(); ok; {
		_, id, _, _, err := storage.ParseSegmentKey(it.Key())
		if err != nil {
			return err
		}
		from, to := storage.SegmentRange(ix.number, id)
		if !named[id] {
			b.DeleteRange(from, to)
			next = max(next, id+1)
		}
		ok = it.SeekGE(to)
	}
	if err := e.commitOrphans(it, b); err != nil {
		return err // and no number of theirs is given out: the next call tries again
	}
	ix.disk.NextPart, ix.tidy = next, true
	return nil
}

func (e *Engine) commitOrphans(it *storage.Iterator, b *storage.Batch) error {
	if err := it.Err(); err != nil {
		return err
	}
	if b.Empty() {
		return nil
	}
	return e.store.Commit(b)
}
