package engine

import (
	"errors"
	"slices"
)

// resolve goes through the operations in order. Engine.mu is held.
func (w *batchWork) resolve() (*commit, error) {
	if err := w.e.storable(); err != nil {
		return nil, err
	}
	if w.only != nil && w.e.writers[w.only.name] != w.only {
		return nil, noIndex(w.only.name)
	}
	c := w.e.newCommit()
	c.rows, c.thin = w.batch.Rows, w.batch.Shrinks
	w.result.IDs = make([]string, len(w.batch.Ops))
	if err := w.findStored(); err != nil {
		return nil, err
	}
	key := make([]byte, 0, 64)
	for i := range w.batch.Ops {
		if err := w.ended(i); err != nil {
			return nil, err
		}
		op := &w.batch.Ops[i]
		if w.failed[i] {
			w.orphan(c, i)
			continue
		}
		part, err := w.part(c, i)
		if err != nil {
			return nil, err
		}
		if part == nil {
			continue
		}
		switch op.Kind {
		case OpDeleteWhere:
			err = w.deleteWhere(part, i)
		case OpPatchWhere:
			err = w.patchWhere(c, part, i)
		default:
			err = w.one(c, part, i, key)
		}
		if err != nil {
			return nil, err
		}
		if w.failed[i] {
			w.orphan(c, i)
		}
	}
	if w.problems.err.Total > 0 && !w.batch.Partial {
		return nil, w.problems.orNil()
	}
	w.result.Errors, w.result.Failed = w.problems.err.Problems, len(w.failed)
	c.parts = slices.DeleteFunc(c.parts, func(p *indexCommit) bool {
		return p.created && len(p.pending) == 0 // every operation on it failed
	})
	for _, p := range c.parts {
		q := w.analyses[p.name]
		p.docs, p.blocks, p.analysis, p.schema = q.docs, q.blocks, q.analysis, q.analysis.schema
		if p.ix.filter != nil {
			for _, d := range p.docs {
				p.ix.filter.Add([]byte(d.id))
			}
		}
	}
	w.result.IndexesCreated = c.created()
	return c, nil
}

// orphan deletes the document of a failed put, if it was analyzed before it
// failed: its number is given out.
func (w *batchWork) orphan(c *commit, i int) {
	if d := w.docs[i]; d.doc != nil && w.batch.Partial {
		if part, err := w.part(c, i); err == nil && part != nil {
			w.orphans(part, []int{d.local})
		}
	}
}

// part returns the commit's part for the index of operation i, which it makes
// if need be; nil if the operation fails for want of an index.
func (w *batchWork) part(c *commit, i int) (*indexCommit, error) {
	op := &w.batch.Ops[i]
	if p := c.byName[op.Index]; p != nil {
		return p, nil
	}
	if ix := w.e.writers[op.Index]; ix != nil {
		if ix.filter == nil {
			if err := w.e.loadIDFilter(ix); err != nil {
				return nil, err
			}
		}
		return c.on(ix), nil
	}
	made := w.analyses[op.Index] != nil && w.analyses[op.Index].analysis != nil // by another operation of the batch
	if w.e.opts.NoAutoCreate || !op.puts() && !(made && op.Kind == OpDelete) {
		w.fail(i, *noIndexFor(op.Index))
		return nil, nil
	}
	if op.Kind == OpDelete {
		if op.IfVersion != nil && *op.IfVersion != 0 {
			w.failf(i, CodeVersionMismatch, "/if_version", "the record has version 0")
		}
		w.result.IDs[i] = op.ID
		return nil, nil // nothing is there to be deleted
	}
	if _, err := c.create(op.Index, newIndexSchema(w.analyses[op.Index].analysis.schema.Language)); err != nil {
		var inv *InvalidError
		if errors.As(err, &inv) {
			w.fail(i, inv.Problems[0])
			return nil, nil
		}
		return nil, err
	}
	return c.byName[op.Index], nil
}

// one resolves an operation on one record.
func (w *batchWork) one(c *commit, part *indexCommit, i int, key []byte) error {
	op, d := &w.batch.Ops[i], w.docs[i]
	id := w.idOf(i)
	old, exists, err := part.find(w.e, id, w.stored[i], key)
	if err != nil {
		return err
	}
	if op.IfVersion != nil {
		version := uint64(0)
		if exists {
			version = old.version
		}
		if version != *op.IfVersion {
			w.failf(i, CodeVersionMismatch, "/if_version", "the record has version %d", version)
			return nil
		}
	}
	switch op.Kind {
	case OpPutNew:
		if exists {
			w.failf(i, CodeRecordExists, "", "there is a record with this id")
			return nil
		}
		fallthrough
	case OpPut:
		if d.doc == nil { // see vainGrowth
			if !w.analyze(i, w.analyses[part.name], op.Record, id) {
				return nil
			}
			d = w.docs[i]
		}
		version := c.version
		if op.version != 0 {
			version = op.version
			d.doc.version = version
		}
		part.put(id, old, exists, d.local, version)
		w.result.Put++
	case OpPatch:
		if !exists {
			w.failf(i, CodeRecordNotFound, "/id", "there is no record with this id")
			return nil
		}
		if ok, err := w.patch(part, i, op.ID, old); err != nil || !ok {
			return err
		}
		part.put(id, old, true, w.docs[i].local, c.version)
		w.result.Patched++
	case OpDelete:
		if exists {
			part.remove(id, old)
			w.result.Deleted++
		}
	}
	w.result.IDs[i] = id
	return nil
}

// patch makes the new record of a patch, that of the record id, and analyzes
// it.
func (w *batchWork) patch(part *indexCommit, i int, id string, old pendingID) (bool, error) {
	op, p := &w.batch.Ops[i], w.analyses[part.name]
	var current []byte
	if old.local >= 0 {
		current = p.docs[old.local].json
	} else {
		_, record, err := w.e.storedRecord(w.e.store, part.ix.number, old.doc)
		if err != nil {
			return false, err
		}
		current = record
	}
	merged, err := mergePatch(current, op.Record)
	if err != nil {
		w.failPatch(i, err)
		return false, nil
	}
	if limit := w.e.opts.Limits.BatchBytes; w.bytes+len(merged) > limit {
		pointer := "/record"
		if op.Kind == OpPatchWhere {
			pointer = "/filter"
		}
		w.failf(i, CodeLimitExceeded, pointer, "the records that the batch patches are too large together; it may write %d bytes", limit)
		return false, nil
	}
	w.bytes += len(merged)
	return w.analyze(i, p, merged, id), nil
}

// failPatch notes what is wrong with the form of a patch.
func (w *batchWork) failPatch(i int, err error) {
	code := CodeMalformedJSON
	if err == errNotObject {
		code = CodeInvalidRequest
	}
	w.failf(i, code, "/record", "%s", err)
}
