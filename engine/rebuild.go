package engine

import (
	"context"
	"strings"

	"github.com/quarry-search/quarry/storage"
)

// UpdateIndex gives an index another schema. A change of weights, of Dynamic
// or of Hidden takes effect at once. Any other change rebuilds the index from
// its stored records before it returns: searches and writes go on meanwhile
// with the old schema, and both change over in one step. A record that does
// not fit the new schema fails the update, and nothing has changed then.
func (e *Engine) UpdateIndex(ctx context.Context, name string, s Schema) (IndexInfo, error) {
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
	if !sameLayout(&ix.schema.Schema, &s) {
		e.mu.Unlock()
		if err := e.rebuild(ctx, name, ix, s); err != nil {
			return IndexInfo{}, err
		}
		return e.Index(name)
	}
	c := e.newCommit()
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

// sameLayout tells whether what is stored under schema a serves schema b, too.
func sameLayout(a, b *Schema) bool {
	if a.primaryKey() != b.primaryKey() || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		f, g := &a.Fields[i], &b.Fields[i]
		if f.Name != g.Name || f.Type != g.Type || f.Search != g.Search || f.Analyzer != g.Analyzer ||
			f.Filter != g.Filter || f.Facet != g.Facet || f.Sort != g.Sort ||
			f.Type == Text && a.languageOf(f) != b.languageOf(g) {
			return false
		}
	}
	return true
}

// rebuildMark ends the name of an index that is being built to take the place
// of another. No index of a user can be called so.
const rebuildMark = "\x00rebuild"

// rebuildBatch is how many records, and rebuildBytes how many bytes, one batch
// of a rebuild holds.
const (
	rebuildBatch = 5000
	rebuildBytes = 4 << 20
)

// rebuild copies an index into one with another schema, and then changes over.
func (e *Engine) rebuild(ctx context.Context, name string, ix *index, s Schema) error {
	ix.rebuildMu.Lock()
	defer ix.rebuildMu.Unlock()
	hidden := name + rebuildMark
	e.mu.Lock()
	if e.writers[hidden] != nil { // a rebuild that failed
		c := e.newCommit()
		c.drop(e.writers[hidden])
		if err := e.finish(c); err != nil {
			return err
		}
		e.mu.Lock()
	}
	c := e.newCommit()
	if _, err := c.createAs(hidden, s, ix.created); err != nil {
		e.mu.Unlock()
		return err
	}
	if err := e.finish(c); err != nil {
		return err
	}
	r := rebuilder{e: e, ctx: ctx, name: name, hidden: hidden, ix: ix}
	err := r.run()
	if err != nil {
		e.mu.Lock()
		if e.writers[hidden] == nil {
			e.mu.Unlock()
			return err
		}
		c := e.newCommit()
		c.drop(e.writers[hidden])
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
	ix           *index
	done         uint64 // version up to which everything is copied
}

func (r *rebuilder) run() error {
	// The first round copies everything, the second what has changed during
	// the first. The last one runs with writers locked out.
	for range 2 {
		if err := r.round(false); err != nil {
			return err
		}
	}
	e := r.e
	e.mu.Lock()
	if e.last != nil {
		e.last.wait()
	}
	if e.writers[r.name] != r.ix {
		e.mu.Unlock()
		return noIndex(r.name)
	}
	if err := r.round(true); err != nil {
		e.mu.Unlock()
		return err
	}
	if e.last != nil {
		e.last.wait()
	}
	c := e.newCommit()
	c.replace(e.writers[r.hidden], r.ix)
	return e.finish(c)
}

// round copies what was written after r.done, and deletes what has gone since.
func (r *rebuilder) round(locked bool) error {
	v, err := r.e.acquire()
	if err != nil {
		return err
	}
	defer r.e.release(v)
	from, to := v.indexes[r.name], v.indexes[r.hidden]
	if from == nil || from.ix != r.ix || to == nil {
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
	var b Batch
	size := 0
	var failed error
	err = r.e.records(r.ctx, v, from, r.name, "", func(rec Record, _ error) bool {
		if rec.Version <= r.done {
			return true
		}
		b.Ops = append(b.Ops, Op{Kind: OpPut, Index: r.hidden, ID: rec.ID, Record: rec.JSON, version: rec.Version})
		if size += len(rec.JSON); len(b.Ops) >= rebuildBatch || size >= rebuildBytes {
			failed = r.apply(&b, locked)
			b.Ops, size = b.Ops[:0], 0
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err == nil && len(b.Ops) > 0 {
		err = r.apply(&b, locked)
	}
	if err == nil {
		r.done = from.version
	}
	return err
}

// deletions deletes from the copy what the index does not hold any more.
func (r *rebuilder) deletions(v *view, from, to *indexView, locked bool) error {
	lo, hi := storage.IDRange(to.ix.number)
	it, err := v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var b Batch
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
			b.Delete(r.hidden, id)
		}
	}
	if err := it.Err(); err != nil || len(b.Ops) == 0 {
		return err
	}
	return r.apply(&b, locked)
}

func (r *rebuilder) apply(b *Batch, locked bool) error {
	w := &batchWork{e: r.e, ctx: r.ctx, batch: b, locked: locked, internal: true}
	_, err := w.run()
	return err
}

// isHidden tells whether an index is one that is being built.
func isHidden(name string) bool { return strings.HasSuffix(name, rebuildMark) }
