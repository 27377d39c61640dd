package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// rebuildMark follows the name of an index in the name of one that is being
// built to take its place; a number comes after it, as there may be several.
// No index of a user can be called so.
const rebuildMark = "\x00rebuild"

// rebuildOps is how many records, and rebuildBytes how many bytes, one batch
// of a rebuild holds.
const (
	rebuildOps   = 5000
	rebuildBytes = 4 << 20
)

// errReplaced says that the index has another schema or is gone, or that
// another one is noted for it than this rebuild is for.
var errReplaced = errors.New("the index has been replaced")

// rebuild copies an index into one with another schema, and then changes over.
// u is the note that asks for it; nil without one. finish returns the rows for
// the commit that changes over.
func (e *Engine) rebuild(ctx context.Context, ix *index, s Schema, u *update, finish func(index string, err error) []Row) error {
	ix.rebuildMu.Lock()
	defer ix.rebuildMu.Unlock()
	if err := e.mu.LockWithin(ctx); err != nil {
		return err
	}
	if err := e.storable(); err != nil || e.writers[ix.name] != ix || u != nil && !ix.wants(u) {
		e.mu.Unlock()
		if err != nil {
			return err
		}
		return errReplaced
	}
	s = s.inheriting(&ix.schema.Schema)
	hidden := fmt.Sprint(ix.name, rebuildMark, e.nextIndex)
	c := e.newCommit()
	copied, err := c.createAs(hidden, s, ix.created)
	if err != nil {
		e.mu.Unlock()
		return err
	}
	left := ix.copyLeft.Load()
	if left != nil {
		c.drop(left)
	}
	if err := e.finish(c); err != nil {
		return err
	}
	ix.copyLeft.CompareAndSwap(left, nil)
	r := rebuilder{e: e, ctx: ctx, hidden: hidden, ix: ix, to: copied, update: u, finish: finish}
	ix.progress.Store(&r.progress)
	defer ix.progress.Store(nil)
	if err := r.run(); err != nil {
		e.mu.Lock()
		if e.writers[hidden] != copied {
			e.mu.Unlock()
			return err
		}
		c := e.newCommit()
		c.drop(copied)
		if derr := e.finish(c); derr != nil {
			ix.copyLeft.Store(copied)
			return errors.Join(err, fmt.Errorf("dropping the copy: %w", derr))
		}
		return err
	}
	return nil
}

// wants tells whether the layout of u is still the one to come.
func (ix *index) wants(u *update) bool {
	now := ix.update.Load()
	return now.due() && now.number == u.number
}

// rebuilder copies the records of one index, whatever it is called meanwhile.
type rebuilder struct {
	e        *Engine
	ctx      context.Context
	hidden   string // name of the copy
	ix, to   *index
	update   *update                   // nil without a note
	finish   func(string, error) []Row // rows for the commit that changes over
	done     uint64                    // version up to which everything is copied
	next     posting.DocID             // first document that is not
	progress progress
}

func (r *rebuilder) run() error {
	// The first round copies everything, the second what has changed during
	// the first. The last one runs with writers locked out.
	for range 2 {
		if err := r.round(false); err != nil {
			return err
		}
	}
	publish, err := r.changeOver()
	if err != nil {
		return err
	}
	return publish()
}

// changeOver is the last round, and the commit that puts the copy in the place
// of the index.
func (r *rebuilder) changeOver() (publish func() error, err error) {
	e := r.e
	if err := e.mu.LockWithin(r.ctx); err != nil {
		return nil, err
	}
	defer e.mu.Unlock()
	if e.last != nil {
		e.last.wait()
	}
	if e.writers[r.ix.name] != r.ix || e.writers[r.hidden] != r.to {
		return nil, errReplaced
	}
	if err := r.round(true); err != nil {
		return nil, err
	}
	if e.last != nil {
		e.last.wait()
	}
	if r.update != nil && !r.ix.wants(r.update) {
		return nil, errReplaced
	}
	c := e.newCommit()
	c.replace(r.to, r.ix)
	u := r.ix.update.Load()
	if r.update == nil {
		c.note(r.to, u) // it came after this one
	} else {
		// What takes effect at once may have changed since the copy was begun.
		// For the index as a whole that has been done to the old schema, too.
		now := u.schema.laidOutAs(&r.to.schema.Schema)
		now.Hidden = r.ix.schema.Hidden
		if err := c.setSchema(r.to, now); err != nil {
			return nil, err
		}
	}
	c.rows = r.finish(r.ix.name, nil)
	return e.apply(c)
}

// round copies what was written after r.done, and deletes what has gone since.
func (r *rebuilder) round(locked bool) error {
	v, err := r.e.acquire()
	if err != nil {
		return err
	}
	defer r.e.release(v)
	from, to := v.indexes[v.nameOf(r.ix)], v.indexes[r.hidden]
	if from == nil || to == nil || to.ix != r.to {
		return errReplaced
	}
	if r.done == 0 {
		r.progress.total.Store(from.stats.Docs)
	}
	if from.version <= r.done {
		return nil
	}
	if r.done > 0 {
		if err := r.deletions(v, from, to, locked); err != nil {
			return err
		}
	}
	if err := r.copy(v, from, locked); err != nil {
		return err
	}
	r.done, r.next = from.version, from.nextDoc
	return nil
}

// copy copies the documents from r.next on, in their order, which is that of
// writing.
func (r *rebuilder) copy(v *view, from *indexView, locked bool) error {
	lo, hi := storage.BlockRange(r.ix.number, r.next, from.nextDoc)
	it, err := v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	b := rebuildBatch{rebuilder: r, locked: locked}
	for ok := it.First(); ok; ok = it.Next() {
		_, first, err := storage.ParseBlockKey(it.Key())
		if err != nil {
			return err
		}
		block, err := r.e.blocks.Decode(it.Value())
		if err != nil {
			return corruptf("stored block %d of index %d: %w", first, r.ix.number, err)
		}
		for i := range block.Len() {
			if from.isDead(first + uint32(i)) {
				continue
			}
			id := string(block.ID(i))
			entry, err := v.kv.Get(storage.IDKey(r.ix.number, id))
			if err != nil {
				return err
			}
			_, version, err := decodeIDEntry(entry)
			if err != nil {
				return err
			}
			op := Op{Kind: OpPut, Index: r.hidden, ID: id, Record: bytes.Clone(block.Record(i)), version: version}
			if err := b.add(op); err != nil {
				return err
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	return b.apply()
}

// deletions deletes from the copy what the index does not hold any more.
func (r *rebuilder) deletions(v *view, from, to *indexView, locked bool) error {
	lo, hi := storage.IDRange(to.ix.number)
	it, err := v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	b := rebuildBatch{rebuilder: r, locked: locked}
	for ok := it.First(); ok; ok = it.Next() {
		_, id, err := storage.ParseIDKey(it.Key())
		if err != nil {
			return err
		}
		has, err := v.kv.Has(storage.IDKey(from.ix.number, id))
		if err != nil {
			return err
		}
		if !has {
			if err := b.add(Op{Kind: OpDelete, Index: r.hidden, ID: id}); err != nil {
				return err
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	return b.apply()
}

// rebuildBatch is the changes of the copy that are to be applied next.
type rebuildBatch struct {
	*rebuilder
	locked bool
	batch  Batch
	size   int // bytes of records
}

func (b *rebuildBatch) add(op Op) error {
	b.batch.Ops = append(b.batch.Ops, op)
	if b.size += len(op.Record); len(b.batch.Ops) >= rebuildOps || b.size >= rebuildBytes {
		return b.apply()
	}
	return nil
}

func (b *rebuildBatch) apply() error {
	if len(b.batch.Ops) == 0 {
		return nil
	}
	if b.update != nil && !b.ix.wants(b.update) {
		return errReplaced
	}
	w := &batchWork{e: b.e, ctx: b.ctx, batch: &b.batch, locked: b.locked, internal: true, only: b.to}
	res, err := w.run()
	if inv, ok := err.(*InvalidError); ok {
		err = b.name(inv)
	}
	if err == nil {
		b.progress.done.Add(int64(res.Put))
	}
	b.batch.Ops, b.size = b.batch.Ops[:0], 0
	return err
}

// name returns the problems of the batch with the ids of the records that have
// them in the place of positions in the batch, which mean nothing to others.
func (b *rebuildBatch) name(inv *InvalidError) error {
	named := &InvalidError{Total: inv.Total}
	for _, p := range inv.Problems {
		if p.Position >= 0 {
			p.Detail = fmt.Sprintf("record %q: %s", b.batch.Ops[p.Position].ID, p.Detail)
			p.Position = -1
		}
		named.Problems = append(named.Problems, p)
	}
	return named
}

// isHidden tells whether an index is one that is being built.
func isHidden(name string) bool { return strings.Contains(name, rebuildMark) }
