package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// commit is one version on its way through the steps 2 to 5.
type commit struct {
	e       *Engine
	version uint64
	now     time.Time
	kv      *storage.Batch
	entries *entries // made by fill
	parts   []*indexCommit
	byName  map[string]*indexCommit
	dropped []*index
	renamed *indexCommit   // an index that takes the place of dropped[0]
	swapped []*indexCommit // none, or two indexes that exchange their names
	updates map[*index]*update
	mine    *ticket
	rows    []Row
	thin    bool // see Batch.Shrinks
}

// indexCommit is what a commit does to one index.
type indexCommit struct {
	ix       *index
	name     string
	created  bool
	schema   *compiled
	analysis *analysis
	base     posting.DocID   // number of the first new document
	docs     []*document     // new documents, by local number
	blocks   []storedBlock   // the records of the first of docs
	killed   []posting.DocID // documents that are deleted, new ones included
	pending  map[string]pendingID
}

// pendingID is what the batch has made of an id so far.
type pendingID struct {
	doc     posting.DocID
	local   int // the new document, or -1 if the record is deleted
	version uint64
}

// newCommit begins a commit. Engine.mu is held, until the commit is
// finished or forgotten: nobody else knows of it before.
func (e *Engine) newCommit() *commit {
	return &commit{e: e, version: e.version + 1, now: e.now(), kv: e.store.NewBatch(), byName: map[string]*indexCommit{}}
}

// on returns the commit's part for an index.
func (c *commit) on(ix *index) *indexCommit {
	p := c.byName[ix.name]
	if p == nil {
		p = &indexCommit{ix: ix, name: ix.name, schema: ix.schema, base: ix.nextDoc, pending: map[string]pendingID{}}
		c.byName[ix.name] = p
		c.parts = append(c.parts, p)
	}
	return p
}

// create adds a new index. It is known to nobody before finish.
func (c *commit) create(name string, s Schema) (*index, error) {
	if !ValidIndexName(name) {
		return nil, invalid(CodeInvalidRequest, "/index", "an index name has 1 to 64 of the characters a-z, 0-9, _ and -, and begins with a letter or digit")
	}
	if n := len(c.e.writers) + c.creations(); n >= c.e.opts.Limits.Indexes {
		var p problems
		p.add(c.e.opts.Limits.tooManyIndexes())
		return nil, p.orNil()
	}
	return c.createAs(name, s, c.now)
}

// createAs adds a new index whose name may be any.
func (c *commit) createAs(name string, s Schema, created time.Time) (*index, error) {
	c.e.useAnalyzers(&s)
	schema, err := compile(&s, nil, c.e.opts.Analyzers)
	if err != nil {
		return nil, err
	}
	ix := &index{number: c.e.nextIndex + uint32(c.creations()), name: name, schema: schema, created: created}
	ix.filter, ix.disk = page.NewIDFilter(), newManifest()
	c.on(ix).created = true
	return ix, nil
}

// replace makes ix take the place of old, which is dropped.
func (c *commit) replace(ix, old *index) {
	c.renamed = c.on(ix)
	c.drop(old)
}

// swap makes two indexes exchange their names.
func (c *commit) swap(a, b *index) {
	c.swapped = []*indexCommit{c.on(a), c.on(b)}
}

// note sets the update of an index; nil for none.
func (c *commit) note(ix *index, u *update) {
	if c.updates == nil {
		c.updates = map[*index]*update{}
	}
	c.updates[ix] = u
}

// entry is the catalogue entry of an index after the commit.
func (c *commit) entry(ix *index) []byte {
	u, noted := c.updates[ix]
	if !noted {
		u = ix.update.Load()
	}
	e := catalogEntry{Number: ix.number, Created: ix.created}
	if u != nil {
		e.Update, e.Failed = encodeSchema(&u.schema), u.err
	}
	return e.encode()
}

// creations counts the new indexes. It is asked for with every operation on an
// index that is not there, so it makes no list.
func (c *commit) creations() (n int) {
	for _, p := range c.parts {
		if p.created {
			n++
		}
	}
	return n
}

func (c *commit) created() []string {
	var names []string
	for _, p := range c.parts {
		if p.created {
			names = append(names, p.name)
		}
	}
	return names
}

func (c *commit) drop(ix *index) { c.dropped = append(c.dropped, ix) }

// find looks an id up, as the batch has left it so far; was is what the store
// had of it, if that is known.
func (p *indexCommit) find(e *Engine, id string, was storedID, key []byte) (pendingID, bool, error) {
	if q, ok := p.pending[id]; ok {
		return q, q.local >= 0, nil
	}
	if p.created {
		return pendingID{}, false, nil
	}
	if was.known {
		return pendingID{doc: was.doc, local: -1, version: was.version}, was.exists, nil
	}
	doc, version, ok, err := e.lookup(p.ix, id, key)
	return pendingID{doc: doc, local: -1, version: version}, ok, err
}

// put makes local document number local the record with this id.
func (p *indexCommit) put(id string, old pendingID, exists bool, local int, version uint64) {
	if exists {
		p.killed = append(p.killed, old.doc)
	}
	p.pending[id] = pendingID{doc: p.base + uint32(local), local: local, version: version}
}

// remove deletes the record with this id, which exists.
func (p *indexCommit) remove(id string, old pendingID) {
	p.killed = append(p.killed, old.doc)
	p.pending[id] = pendingID{local: -1}
}

// encode puts the part's changes into the store's batch.
func (c *commit) encode(p *indexCommit) error {
	ix := p.ix
	if uint64(p.base)+uint64(len(p.docs)) > 1<<32-1 {
		return fmt.Errorf("index %q has used up its document numbers; rebuild it: %w", ix.name, ErrTooLarge)
	}
	var key, value []byte
	// In this order the store's memtable finds each place beside the one before.
	for _, id := range slices.Sorted(maps.Keys(p.pending)) {
		q := p.pending[id]
		key = storage.AppendIDKey(key[:0], ix.number, id)
		if q.local < 0 {
			c.kv.Delete(key)
		} else {
			value = appendIDEntry(value[:0], q.doc, q.version)
			c.kv.Set(key, value)
		}
	}
	if p.created {
		if err := c.entries.catalog(p.name, c.entry(ix)); err != nil {
			return err
		}
	}
	if p.created || p.schema != ix.schema {
		c.kv.Set(storage.SchemaKey(ix.number), seal(encodeSchema(&p.schema.Schema)))
	}
	log := logEntry{Base: p.base, Docs: uint32(len(p.docs)), Fields: uint32(len(p.schema.Fields)), Killed: p.killed, Time: c.now}
	for i, d := range p.docs {
		if d.version == 0 {
			d.version = c.version
		}
		if d.version != c.version && log.Versions == nil {
			log.Versions = slices.Repeat([]uint64{c.version}, len(p.docs))
		}
		if log.Versions != nil {
			log.Versions[i] = d.version
		}
	}
	c.kv.Set(storage.BatchLogKey(ix.number, c.version), seal(log.encode()))
	encodeRuns(c.kv, ix.number, p.schema, p.base, p.docs)
	return c.e.putBlocks(c.kv, ix.number, p.base, p.docs, p.blocks)
}

// fill puts everything that the commit changes into the store's batch.
// Engine.mu is held.
func (c *commit) fill() error {
	c.entries = c.e.newEntries(c.kv)
	for _, p := range c.parts {
		if err := c.encode(p); err != nil {
			return err
		}
	}
	if err := c.fillCatalog(); err != nil {
		return err
	}
	if err := c.entries.rows(c.rows); err != nil {
		return err
	}
	c.entries.close(c.version)
	return nil
}

// fillCatalog writes the catalogue entries of indexes that are there already.
func (c *commit) fillCatalog() error {
	type entry struct {
		name  string
		value []byte // nil: deleted
	}
	var list []entry
	for _, ix := range c.dropped {
		list = append(list, entry{ix.name, nil})
	}
	if p := c.renamed; p != nil {
		list = append(list, entry{p.name, nil}, entry{c.dropped[0].name, c.entry(p.ix)})
	} else {
		for ix := range c.updates {
			list = append(list, entry{ix.name, c.entry(ix)})
		}
	}
	if len(c.swapped) > 0 {
		a, b := c.swapped[0], c.swapped[1]
		list = append(list, entry{a.name, c.entry(b.ix)}, entry{b.name, c.entry(a.ix)})
	}
	for _, e := range list {
		if err := c.entries.catalog(e.name, e.value); err != nil {
			return err
		}
	}
	return nil
}

// shrinks tells whether a commit writes no records and makes no index, so that
// it goes through on a disk that is too full for others.
func (c *commit) shrinks() bool {
	for _, p := range c.parts {
		if p.created || len(p.docs) > 0 {
			return false
		}
	}
	return c.thin || len(c.parts)+len(c.dropped)+len(c.updates) > 0
}
