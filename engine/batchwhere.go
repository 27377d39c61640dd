package engine

import (
	"errors"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Operations on whatever a filter matches: of what is published, and of what
// the batch itself has put so far. Engine.mu is held, so nothing changes
// between matching and writing.

// match is a record that a filter matches.
type match struct {
	id string
	pendingID
}

// matches returns what the filter of operation i matches: records of before
// the batch by document number, then those of the batch itself in their order.
// After a mistake, which is noted, ok is false.
func (w *batchWork) matches(part *indexCommit, i int, what string) (found []match, ok bool, err error) {
	op, p := &w.batch.Ops[i], w.analyses[part.name]
	if strings.TrimSpace(op.Filter) == "" { // which elsewhere stands for every record
		w.failf(i, CodeInvalidFilter, "/filter", "the filter of what to %s is missing", what)
		return nil, false, nil
	}
	node, err := w.e.parseFilter(op.Filter)
	var cond *condition
	if err == nil {
		cond, err = bindText(p.analysis.schema, node, nil, op.Filter)
	}
	if err != nil {
		var inv *InvalidError
		if !errors.As(err, &inv) {
			return nil, false, err
		}
		for _, q := range inv.Problems {
			q.Pointer = "/filter"
			w.fail(i, q)
		}
		return nil, false, nil
	}
	if !part.created {
		if w.e.last != nil {
			w.e.last.wait()
		}
		if err := w.e.storable(); err != nil { // what was waited for came to nothing
			return nil, false, err
		}
		if found, err = w.published(part, cond); err != nil {
			return nil, false, err
		}
	}
	before := len(found)
	for id, q := range part.pending {
		if q.local >= 0 && cond.matches(id, p.docs[q.local].columns) {
			found = append(found, match{id, q})
		}
	}
	slices.SortFunc(found[before:], func(a, b match) int { return a.local - b.local })
	return found, true, nil
}

// published returns the records of before the batch that a filter matches and
// that the batch has neither put nor deleted.
func (w *batchWork) published(part *indexCommit, cond *condition) ([]match, error) {
	v, err := w.e.acquire()
	if err != nil {
		return nil, err
	}
	defer w.e.release(v)
	iv := v.indexes[part.name]
	if iv == nil { // the batch that made the index failed half-way
		return nil, w.e.storable()
	}
	var found []match
	err = w.e.eachMatch(w.ctx, v, iv, cond, func(doc uint32, c *page.Chunk, place int) error {
		id, err := c.ID(place)
		if err != nil {
			return err
		}
		if _, touched := part.pending[string(id)]; !touched {
			found = append(found, match{string(id), pendingID{doc: doc, local: -1}})
		}
		return nil
	})
	return found, err
}

func (w *batchWork) deleteWhere(part *indexCommit, i int) error {
	found, _, err := w.matches(part, i, "delete")
	for _, m := range found {
		part.remove(m.id, m.pendingID)
	}
	w.result.Deleted += len(found)
	return err
}

// patchWhere patches all matches or, if any of them cannot be patched, none.
// What it writes counts towards the limits of a batch.
func (w *batchWork) patchWhere(c *commit, part *indexCommit, i int) error {
	if _, err := splitObject(w.batch.Ops[i].Record); err != nil {
		w.failPatch(i, err)
		return nil
	}
	found, ok, err := w.matches(part, i, "patch")
	if err != nil || !ok {
		return err
	}
	l := w.e.opts.Limits
	if len(found) > l.BatchOps {
		w.failf(i, CodeLimitExceeded, "/filter", "the filter matches %d records; a batch may write %d", len(found), l.BatchOps)
		return nil
	}
	fresh := make([]int, 0, len(found)) // local numbers
	before := w.bytes
	for _, m := range found {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		ok, err := w.patch(part, i, m.id, m.pendingID)
		if err != nil {
			return err
		}
		if !ok {
			w.orphans(part, fresh)
			w.docs[i], w.bytes = prepared{}, before
			return nil
		}
		fresh = append(fresh, w.docs[i].local)
	}
	for k, m := range found {
		part.put(m.id, m.pendingID, true, fresh[k], c.version)
	}
	w.docs[i] = prepared{} // the operation stands for no record of its own
	w.result.Patched += len(found)
	return nil
}

// orphans deletes documents that were analyzed for nothing.
func (w *batchWork) orphans(part *indexCommit, locals []int) {
	for _, local := range locals {
		part.killed = append(part.killed, part.base+posting.DocID(local))
	}
}
