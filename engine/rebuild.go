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

// UpdateIndex gives an index another schema. A change of weights, of Dynamic
// or of Hidden takes effect at once. Any other change rebuilds the index from
// its stored records before it returns: searches and writes go on meanwhile
// with the old schema, and both change over in one step. A record that does
// not fit the new schema fails the update, and nothing has changed then. The
// rows are written in the commit that brings the new schema into force.
func (e *Engine) UpdateIndex(ctx context.Context, name string, s Schema, rows ...Row) (IndexInfo, error) {
	if err := s.validate(e.opts.Limits); err != nil {
		return IndexInfo{}, err
	}
	e.mu.Lock()
	ix := e.writers[name]
	if err := e.storable(); err != nil || ix == nil {
		e.mu.Unlock()
		if err == nil {
			err = noIndex(name)
		}
		return IndexInfo{}, err
	}
	s = s.inheriting(&ix.schema.Schema)
	if !sameLayout(&ix.schema.Schema, &s) {
		e.mu.Unlock()
		err := e.rebuild(ctx, name, ix, s, rows)
		if err == errReplaced {
			return e.UpdateIndex(ctx, name, s, rows...)
		}
		if err != nil {
			return IndexInfo{}, err
		}
		return e.Index(name)
	}
	c := e.newCommit()
	c.rows = rows
	part := c.on(ix)
	var err error
	if part.schema, err = compile(&s, ix.schema); err != nil {
		e.mu.Unlock()
		return IndexInfo{}, err
	}
	if err := e.finish(c); err != nil {
		return IndexInfo{}, err
	}
	return e.Index(name)
}

// inheriting returns the schema with what is known of the fields of old that
// it keeps as they are.
func (s Schema) inheriting(old *Schema) Schema {
	c := *s.clone()
	for i := range c.Fields {
		f := &c.Fields[i]
		if j := old.Field(f.Name); j >= 0 && old.Fields[j].Type == f.Type {
			f.inferred, f.widened = old.Fields[j].inferred, old.Fields[j].widened
		}
	}
	return c
}

// sameLayout tells whether what is stored under schema a serves schema b, too.
func sameLayout(a, b *Schema) bool {
	if a.primaryKey() != b.primaryKey() || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		f, g := &a.Fields[i], &b.Fields[i]
		if f.Name != g.Name || f.Type != g.Type || f.Search != g.Search || f.Analyzer != g.Analyzer ||
			f.Filter != g.Filter || f.Facet != g.Facet || f.Sort != g.Sort || f.widened != g.widened ||
			f.Type == Text && a.languageOf(f) != b.languageOf(g) {
			return false
		}
	}
	return true
}

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

// errReplaced says that another update has replaced or deleted the index while
// this one waited for its turn.
var errReplaced = errors.New("the index has been replaced")

// rebuild copies an index into one with another schema, and then changes over.
func (e *Engine) rebuild(ctx context.Context, name string, ix *index, s Schema, rows []Row) error {
	ix.rebuildMu.Lock()
	defer ix.rebuildMu.Unlock()
	e.mu.Lock()
	if e.writers[name] != ix {
		e.mu.Unlock()
		return errReplaced
	}
	hidden := fmt.Sprint(name, rebuildMark, e.nextIndex)
	c := e.newCommit()
	copied, err := c.createAs(hidden, s, ix.created)
	if err != nil {
		e.mu.Unlock()
		return err
	}
	if err := e.finish(c); err != nil {
		return err
	}
	r := rebuilder{e: e, ctx: ctx, name: name, hidden: hidden, ix: ix, to: copied, rows: rows}
	if err = r.run(); err != nil {
		e.mu.Lock()
		if e.writers[hidden] != copied {
			e.mu.Unlock()
			return err
		}
		c := e.newCommit()
		c.drop(copied)
		if derr := e.finish(c); derr != nil {
			return derr
		}
	}
	return err
}

// rebuilder copies the records of one index.
type rebuilder struct {
	e            *Engine
	ctx          context.Context
	name, hidden string
	ix, to       *index
	rows         []Row         // for the commit that changes over
	done         uint64        // version up to which everything is copied
	next         posting.DocID // first document that is not
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
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last != nil {
		e.last.wait()
	}
	if e.writers[r.name] != r.ix || e.writers[r.hidden] != r.to {
		return nil, noIndex(r.name)
	}
	if err := r.round(true); err != nil {
		return nil, err
	}
	if e.last != nil {
		e.last.wait()
	}
	c := e.newCommit()
	c.rows = r.rows
	c.replace(r.to, r.ix)
	return e.apply(c)
}

// round copies what was written after r.done, and deletes what has gone since.
func (r *rebuilder) round(locked bool) error {
	v, err := r.e.acquire()
	if err != nil {
		return err
	}
	defer r.e.release(v)
	from, to := v.indexes[r.name], v.indexes[r.hidden]
	if from == nil || from.ix != r.ix || to == nil || to.ix != r.to {
		return noIndex(r.name)
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
	w := &batchWork{e: b.e, ctx: b.ctx, batch: &b.batch, locked: b.locked, internal: true, only: b.to}
	_, err := w.run()
	b.batch.Ops, b.size = b.batch.Ops[:0], 0
	return err
}

// isHidden tells whether an index is one that is being built.
func isHidden(name string) bool { return strings.Contains(name, rebuildMark) }
