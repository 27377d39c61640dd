package engine

import (
	"bytes"
	"context"
	"slices"
	"sync/atomic"
)

// An index whose schema changes in a way that what is stored does not serve is
// rebuilt: see rebuild.go. There are two ways to ask for it. UpdateIndex does
// it all before it returns, and leaves nothing behind if the process ends
// meanwhile. StartUpdate notes the schema in the catalogue and returns; Rebuild
// does what is noted, in this process or in a later one.

// update is a schema that an index is to get by a rebuild or, with err, that
// its records did not fit. It is not changed once it is stored in an index.
type update struct {
	schema Schema
	number uint64        // version of the commit that asked for this layout; 0 if another process did
	err    *InvalidError // why it came to nothing
}

// due tells whether there is anything to be rebuilt.
func (u *update) due() bool { return u != nil && u.err == nil }

// progress counts the records of a rebuild.
type progress struct{ done, total atomic.Int64 }

// rebuildInfo is the part of IndexInfo about a rebuild.
func (ix *index) rebuildInfo() *RebuildInfo {
	u, p := ix.update.Load(), ix.progress.Load()
	if u == nil && p == nil {
		return nil
	}
	info := &RebuildInfo{}
	if u != nil {
		info.Schema = *u.schema.clone()
		if u.err != nil {
			info.Err = &InvalidError{Problems: slices.Clone(u.err.Problems), Total: u.err.Total}
		}
	}
	if p != nil {
		info.Done, info.Total = p.done.Load(), p.total.Load()
		info.Total = max(info.Total, info.Done)
	}
	return info
}

// loadUpdate takes over what the catalogue says about an update.
func (ix *index) loadUpdate(entry catalogEntry) error {
	if entry.Update == nil {
		return nil
	}
	s, err := decodeSchema(entry.Update)
	if err != nil {
		return err
	}
	if f := entry.Failed; f != nil && len(f.Problems) == 0 {
		return corruptf("catalogue: a rebuild failed without a reason")
	}
	ix.update.Store(&update{schema: *s, err: entry.Failed})
	return nil
}

// UpdateIndex gives an index another schema. A change of the primary key, of the
// number or order of fields, or of the type, uses, language, analyzer or vectors of
// one rebuilds the index from its stored records before it returns; any other takes
// effect at once. While an index is rebuilt searches and writes go on
// meanwhile with the old schema, and both change over in one step. A record
// that does not fit the new schema fails the update, and nothing has changed
// then. The rows are written in the commit that brings the new schema into
// force. What StartUpdate has noted before is given up.
func (e *Engine) UpdateIndex(ctx context.Context, name string, s Schema, rows ...Row) (info IndexInfo, err error) {
	defer e.tell(&err)
	for {
		ix, now, err := e.updateLocked(ctx, name, &s, rows)
		if err != nil {
			return IndexInfo{}, err
		}
		if !now {
			if err := e.rebuild(ctx, ix, s, nil, func(string, error) []Row { return rows }); err == errReplaced {
				continue
			} else if err != nil {
				return IndexInfo{}, err
			}
		}
		return e.Index(name)
	}
}

// updateLocked begins UpdateIndex: it brings s into force if that is possible
// at once, and gives up what is noted.
func (e *Engine) updateLocked(ctx context.Context, name string, s *Schema, rows []Row) (ix *index, now bool, err error) {
	if ix, err = e.lockForUpdate(ctx, name, s); err != nil {
		return nil, false, err
	}
	now = sameLayout(&ix.schema.Schema, s)
	if !now && ix.update.Load() == nil {
		e.mu.Unlock()
		return ix, false, nil
	}
	c := e.newCommit()
	c.note(ix, nil)
	if now {
		c.rows = rows
		if err := c.setSchema(ix, s); err != nil {
			e.mu.Unlock()
			return nil, false, err
		}
	}
	return ix, now, e.finish(c)
}

// lockForUpdate checks a schema, completes it with what is known of the fields
// that the index has, and locks Engine.mu unless there is an error.
func (e *Engine) lockForUpdate(ctx context.Context, name string, s *Schema) (*index, error) {
	if e.opts.ReadOnly {
		return nil, ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.useEmbedders(s)
	if err := s.validate(e.opts.Limits, e.analyzerNames()); err != nil {
		return nil, err
	}
	e.useAnalyzers(s)
	if err := e.mu.LockWithin(ctx); err != nil {
		return nil, err
	}
	ix := e.writers[name]
	err := e.storable()
	if err == nil && ix == nil {
		err = noIndex(name)
	}
	if err == nil {
		err = e.checkEmbedders(s, &ix.schema.Schema)
	}
	if err != nil {
		e.mu.Unlock()
		return nil, err
	}
	*s = s.inheriting(&ix.schema.Schema)
	return ix, nil
}

// setSchema gives an index a schema of the same layout.
func (c *commit) setSchema(ix *index, s *Schema) (err error) {
	c.on(ix).schema, err = compile(s, ix.schema, c.e.opts.Analyzers)
	return err
}

// StartUpdate is UpdateIndex without the wait: a schema that needs a rebuild
// is noted durably, with the rows in the same commit, and comes into force when
// Rebuild has done its work. Until then IndexInfo.State is "rebuilding". What
// needs no rebuild takes effect at once in either case. A schema that was
// noted before is given up for the new one, also when a Rebuild is at it.
func (e *Engine) StartUpdate(ctx context.Context, name string, s Schema, rows ...Row) (info IndexInfo, err error) {
	defer e.tell(&err)
	ix, err := e.lockForUpdate(ctx, name, &s)
	if err != nil {
		return IndexInfo{}, err
	}
	c := e.newCommit()
	c.rows = rows
	at := &s
	switch u := ix.update.Load(); {
	case sameLayout(&ix.schema.Schema, &s):
		c.note(ix, nil)
	case u.due() && sameLayout(&u.schema, &s):
		c.note(ix, &update{schema: s, number: u.number}) // a rebuild under way goes on
		at = s.laidOutAs(&ix.schema.Schema)
	default:
		c.note(ix, &update{schema: s, number: c.version})
		at = s.laidOutAs(&ix.schema.Schema)
	}
	if !bytes.Equal(encodeSchema(at), encodeSchema(&ix.schema.Schema)) || at == &s {
		if err := c.setSchema(ix, at); err != nil {
			e.mu.Unlock()
			return IndexInfo{}, err
		}
	}
	if err := e.finish(c); err != nil {
		return IndexInfo{}, err
	}
	return e.Index(name)
}

// CancelUpdate gives up what StartUpdate has noted for an index and Rebuild has
// not brought into force, and forgets why the last one failed. The index keeps
// its schema. It tells whether there was anything to give up; only then are
// the rows written.
func (e *Engine) CancelUpdate(ctx context.Context, name string, rows ...Row) (cancelled bool, err error) {
	defer e.tell(&err)
	if e.opts.ReadOnly {
		return false, ErrReadOnly
	}
	if err := e.mu.LockWithin(ctx); err != nil {
		return false, err
	}
	ix := e.writers[name]
	err = e.storable()
	if err == nil && ix == nil {
		err = noIndex(name)
	}
	if err != nil || ix.update.Load() == nil {
		e.mu.Unlock()
		return false, err
	}
	c := e.newCommit()
	c.rows = rows
	c.note(ix, nil)
	if err := e.finish(c); err != nil {
		return false, err
	}
	return true, nil
}

// Rebuild carries out what StartUpdate has noted for an index, and returns when
// the newest schema is in force, at once if there is nothing to be done. When
// records do not fit, the error is an *InvalidError, which IndexInfo.Rebuild
// keeps. After any other error, that of ctx among them, the schema is still
// noted and Rebuild may be called again, which begins from the start.
//
// finish, when not nil, returns rows for the commit that ends a rebuild. index
// is what the index is called by then; err is nil when the schema comes into
// force, and says which records do not fit when it is given up. finish runs
// while batches wait and must not call the engine.
func (e *Engine) Rebuild(ctx context.Context, name string, finish func(index string, err error) []Row) (info IndexInfo, err error) {
	defer e.tell(&err)
	if finish == nil {
		finish = func(string, error) []Row { return nil }
	}
	if e.opts.ReadOnly {
		return IndexInfo{}, ErrReadOnly
	}
	for {
		if err := e.mu.LockWithin(ctx); err != nil {
			return IndexInfo{}, err
		}
		ix, err := e.writers[name], e.storable()
		e.mu.Unlock()
		switch {
		case err != nil:
			return IndexInfo{}, err
		case ix == nil:
			return IndexInfo{}, noIndex(name)
		}
		u := ix.update.Load()
		if !u.due() {
			return e.Index(name)
		}
		err = e.rebuild(ctx, ix, u.schema, u, finish)
		switch inv, invalid := err.(*InvalidError); {
		case err == errReplaced:
			continue
		case err == nil:
			return e.Index(name)
		case invalid:
			noted, nerr := e.noteFailure(ix, u, inv, finish)
			if nerr != nil {
				return IndexInfo{}, nerr
			}
			if !noted {
				continue // another schema came meanwhile
			}
		}
		return IndexInfo{}, err
	}
}

// noteFailure gives an update up for a reason, unless another one has taken
// its place.
func (e *Engine) noteFailure(ix *index, u *update, reason *InvalidError, finish func(string, error) []Row) (noted bool, err error) {
	e.mu.Lock()
	now := ix.update.Load()
	if err := e.storable(); err != nil || e.writers[ix.name] != ix || !now.due() || now.number != u.number {
		e.mu.Unlock()
		return false, err
	}
	c := e.newCommit()
	c.rows = finish(ix.name, reason)
	c.note(ix, &update{schema: now.schema, number: now.number, err: reason})
	return true, e.finish(c)
}

// laidOutAs returns the schema with all that needs a rebuild as in base: what
// of s takes effect at once.
func (s *Schema) laidOutAs(base *Schema) *Schema {
	c := s.clone()
	c.PrimaryKey, c.Language, c.Fields = base.PrimaryKey, base.Language, slices.Clone(base.Fields)
	for i := range c.Fields {
		f := &c.Fields[i]
		if j := s.Field(f.Name); j >= 0 && s.Fields[j].Type == Text && f.Type == Text {
			f.Weight, f.B = s.Fields[j].Weight, s.Fields[j].B
		}
	}
	return c
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
		if f.Name != g.Name || f.Type != g.Type || f.Search != g.Search || f.Analyzer != g.Analyzer || f.rules != g.rules ||
			f.Filter != g.Filter || f.Facet != g.Facet || f.Sort != g.Sort || f.widened != g.widened ||
			f.Dimensions != g.Dimensions || f.Metric != g.Metric || f.Embedder != g.Embedder || !slices.Equal(f.From, g.From) ||
			f.Type == Text && a.languageOf(f) != b.languageOf(g) {
			return false
		}
	}
	return true
}
