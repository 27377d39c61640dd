package engine

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// A write goes through five steps:
//
//  1. prepare: the batch's records are parsed, checked and inverted, without
//     any lock, so that batches are analyzed side by side;
//  2. resolve: under Engine.mu, ids are looked up, document numbers given out
//     and the changes put into one batch of the store;
//  3. apply: still under Engine.mu the store takes the batch into its log and
//     memory, which fixes the order of batches;
//  4. build: without the lock, while the log is being synced, the inverted
//     records become an in-memory segment and chunks of pages;
//  5. publish: in the order of versions, a view that holds them replaces the
//     newest one.
//
// Apply returns after the fifth step: what it wrote is durable and is seen by
// every search that begins later.

// commit is one version on its way through the steps 2 to 5.
type commit struct {
	e       *Engine
	version uint64
	now     time.Time
	kv      *storage.Batch
	parts   []*indexCommit
	byName  map[string]*indexCommit
	dropped []*index
	renamed *indexCommit // an index that takes the place of dropped[0]
	mine    *ticket
	rows    []Row
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
	killed   []posting.DocID // documents that are deleted, new ones included
	pending  map[string]pendingID
}

// pendingID is what the batch has made of an id so far.
type pendingID struct {
	doc     posting.DocID
	local   int // the new document, or -1 if the record is deleted
	version uint64
}

// newCommit begins a commit. Engine.mu is held, until finish or abandon.
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
	if n := len(c.e.writers) + len(c.created()); n >= c.e.opts.Limits.Indexes {
		return nil, invalid(CodeLimitExceeded, "/index", "there may be %d indexes", c.e.opts.Limits.Indexes)
	}
	return c.createAs(name, s, c.now)
}

// createAs adds a new index whose name may be any.
func (c *commit) createAs(name string, s Schema, created time.Time) (*index, error) {
	schema, err := compile(&s, nil)
	if err != nil {
		return nil, err
	}
	ix := &index{number: c.e.nextIndex + uint32(len(c.created())), name: name, schema: schema, created: created}
	ix.filter, ix.disk = page.NewIDFilter(), newManifest()
	c.on(ix).created = true
	return ix, nil
}

// replace makes ix take the place of old, which is dropped.
func (c *commit) replace(ix, old *index) {
	c.renamed = c.on(ix)
	c.drop(old)
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

// find looks an id up, as the batch has left it so far.
func (p *indexCommit) find(e *Engine, id string, key []byte) (pendingID, bool, error) {
	if q, ok := p.pending[id]; ok {
		return q, q.local >= 0, nil
	}
	if p.created {
		return pendingID{}, false, nil
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
	var key []byte
	for id, q := range p.pending {
		key = storage.AppendIDKey(key[:0], ix.number, id)
		if q.local < 0 {
			c.kv.Delete(key)
		} else {
			c.kv.Set(key, appendIDEntry(nil, q.doc, q.version))
		}
	}
	if p.created {
		c.kv.Set(storage.CatalogKey(p.name), catalogEntry{Number: ix.number, Created: ix.created}.encode())
	}
	if p.created || p.schema != ix.schema {
		c.kv.Set(storage.SchemaKey(ix.number), encodeSchema(&p.schema.Schema))
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
	c.kv.Set(storage.BatchLogKey(ix.number, c.version), log.encode())
	return encodeBlocks(c.kv, ix.number, p.base, p.docs)
}

// encodeBlocks writes the records of new documents. No block reaches over the
// end of a page, so that the blocks of a page can be deleted with it.
func encodeBlocks(kv *storage.Batch, ix uint32, base posting.DocID, docs []*document) error {
	w, err := page.NewBlockWriter()
	if err != nil {
		return err
	}
	var data []byte
	first := base
	flush := func(next posting.DocID) error {
		if w.Len() == 0 {
			return nil
		}
		data, err = w.Encode(data[:0])
		if err != nil {
			return err
		}
		kv.Set(storage.BlockKey(ix, first), data)
		first = next
		return nil
	}
	for i, d := range docs {
		w.Add([]byte(d.id), d.json)
		if w.Full() || uint16(base+uint32(i)) == page.Size-1 {
			if err := flush(base + uint32(i) + 1); err != nil {
				return err
			}
		}
	}
	return flush(base + uint32(len(docs)))
}

// finish takes a resolved commit through the steps 3 to 5. Engine.mu is held
// and given back.
func (e *Engine) finish(c *commit) error {
	publish, err := func() (func() error, error) {
		defer e.mu.Unlock() // also when the failing store ends the goroutine
		return e.apply(c)
	}()
	if err != nil {
		return err
	}
	return publish()
}

// apply hands a commit to the store, which fixes its place among all commits.
// publish must be called then, and needs no lock.
func (e *Engine) apply(c *commit) (publish func() error, err error) {
	if err := c.fill(); err != nil {
		return nil, err
	}
	if c.shrinks() {
		c.kv.Shrinks()
	}
	wait, err := e.store.Apply(c.kv)
	if err != nil {
		return nil, err
	}
	kv := &sharedSnapshot{Snapshot: e.store.NewSnapshot()}
	kv.refs.Store(1)
	e.version = c.version
	for _, p := range c.parts {
		p.ix.schema, p.ix.nextDoc = p.schema, p.base+uint32(len(p.docs))
		if p.created {
			e.writers[p.name] = p.ix
			e.nextIndex = max(e.nextIndex, p.ix.number+1)
		}
	}
	for _, ix := range c.dropped {
		delete(e.writers, ix.name)
	}
	if p := c.renamed; p != nil {
		delete(e.writers, p.name)
		p.ix.name = c.dropped[0].name
		e.writers[p.ix.name] = p.ix
	}
	c.mine = newTicket(e.last)
	e.last = c.mine
	return func() error { return e.publishCommit(c, kv, wait) }, nil
}

// shrinks tells whether a commit writes no records and makes no index, so that
// it goes through on a disk that is too full for others.
func (c *commit) shrinks() bool {
	for _, p := range c.parts {
		if p.created || len(p.docs) > 0 {
			return false
		}
	}
	return len(c.parts)+len(c.dropped) > 0
}

// publishCommit carries out the steps 4 and 5 of a commit.
func (e *Engine) publishCommit(c *commit, kv *sharedSnapshot, wait func() error) error {
	defer c.mine.done()
	segs, chunks, err := c.build()
	if werr := wait(); werr != nil {
		err = werr
	}
	c.mine.turn()
	if err == nil {
		err = e.storable()
	}
	if err == nil {
		err = c.publish(kv, segs, chunks)
	}
	if err != nil {
		// The batch is in the log but not in the view: from here on nothing
		// later may be published. Opening again recovers the batch.
		kv.release()
		e.broken.CompareAndSwap(nil, &err)
		return err
	}
	e.kick()
	return nil
}

// fill puts everything that the commit changes into the store's batch.
func (c *commit) fill() error {
	for _, p := range c.parts {
		if err := c.encode(p); err != nil {
			return err
		}
	}
	for _, ix := range c.dropped {
		c.kv.Delete(storage.CatalogKey(ix.name))
	}
	if p := c.renamed; p != nil {
		c.kv.Delete(storage.CatalogKey(p.name))
		c.kv.Set(storage.CatalogKey(c.dropped[0].name), catalogEntry{Number: p.ix.number, Created: p.ix.created}.encode())
	}
	putRows(c.kv, c.rows)
	c.kv.Set(storage.MetaKey(), encodeMeta(meta{Version: c.version}))
	return nil
}

// build makes the segments and chunks of the commit, one list of each a part.
func (c *commit) build() ([]*segmentRef, [][]*chunkRef, error) {
	segs := make([]*segmentRef, len(c.parts))
	chunks := make([][]*chunkRef, len(c.parts))
	for i, p := range c.parts {
		if len(p.docs) == 0 {
			continue
		}
		var err error
		if segs[i], chunks[i], err = c.e.buildSegment(p.schema, p.base, p.docs, p.analysis.writer); err != nil {
			return nil, nil, err
		}
	}
	return segs, chunks, nil
}

// buildSegment makes an in-memory segment and its chunks.
func (e *Engine) buildSegment(schema *compiled, base posting.DocID, docs []*document, w *segment.Writer) (*segmentRef, []*chunkRef, error) {
	pages := page.NewBuilder(base, len(schema.text))
	for _, d := range docs {
		version := page.ColumnValues{Field: versionField, Kind: page.KindInt, Values: []page.Value{page.IntValue(int64(d.version))}}
		pages.Add(&page.Doc{ID: []byte(d.id), Lengths: d.lengths, Columns: append(d.columns, version)})
	}
	list, err := pages.Chunks()
	if err != nil {
		return nil, nil, err
	}
	chunks := make([]*chunkRef, len(list))
	var st stats
	for i, c := range list {
		chunks[i] = &chunkRef{chunk: c}
		n, all, err := norms(c, len(schema.text))
		if err != nil {
			return nil, nil, err
		}
		for j := range c.Len() {
			st.add(n, all, j, 1)
		}
	}
	im, err := e.impactsFor(schema, st.averages(), chunks)
	if err != nil {
		return nil, nil, err
	}
	parts, err := w.Build(base, im)
	if err != nil {
		return nil, nil, err
	}
	s, err := e.memorySegment(parts)
	return s, chunks, err
}

func (e *Engine) memorySegment(parts *segment.Parts) (*segmentRef, error) {
	r, err := segment.Open(parts, e.books.book)
	if err != nil {
		return nil, err
	}
	return &segmentRef{uid: e.uids.Add(1), reader: r, meta: r.Meta(), bytes: int64(parts.Size())}, nil
}

// impactsFor tells the segment package how strong postings are, for bounds.
func (e *Engine) impactsFor(schema *compiled, avg []float64, chunks []*chunkRef) (*segment.Impacts, error) {
	return impactsUnder(schema.params(avg), schema.book, chunks)
}

// impactsUnder is impactsFor under given parameters.
func impactsUnder(p score.Params, book *score.Codebook, chunks []*chunkRef) (*segment.Impacts, error) {
	runs := make([]posting.NormRun, len(chunks))
	for i, c := range chunks {
		n, _, err := norms(c.chunk, book.Fields())
		if err != nil {
			return nil, err
		}
		runs[i] = posting.NormRun{First: c.base(), Last: c.end() - 1, Norms: n}
	}
	return &segment.Impacts{
		Params: p,
		Table:  score.NewTable(book, p),
		Norms: func(doc posting.DocID) (posting.NormRun, error) {
			i := sort.Search(len(runs), func(i int) bool { return runs[i].Last >= doc })
			if i == len(runs) || runs[i].First > doc {
				return posting.NormRun{}, corruptf("document %d is in no chunk", doc)
			}
			return runs[i], nil
		},
	}, nil
}

// publish makes the commit visible.
func (c *commit) publish(kv *sharedSnapshot, segs []*segmentRef, chunks [][]*chunkRef) error {
	var retired []keyRange
	for _, ix := range c.dropped {
		lo, hi := storage.IndexRange(ix.number)
		retired = append(retired, keyRange{lo: lo, hi: hi})
	}
	return c.e.publish(kv, retired, func(v *view) error {
		var dropped string
		v.version = c.version
		for name, iv := range v.indexes {
			if slices.Contains(c.dropped, iv.ix) {
				delete(v.indexes, name)
				dropped = name
			}
		}
		for i, p := range c.parts {
			var iv *indexView
			if p.created {
				iv = &indexView{ix: p.ix, created: p.ix.created}
			} else {
				iv = v.indexes[p.name].clone()
			}
			iv.version, iv.updated, iv.schema = c.version, c.now, p.schema
			iv.nextDoc = p.base + uint32(len(p.docs))
			if segs[i] != nil {
				iv.segs = append(iv.segs[:len(iv.segs):len(iv.segs)], segs[i])
				iv.chunks = append(iv.chunks[:len(iv.chunks):len(iv.chunks)], chunks[i]...)
			}
			if err := iv.count(chunks[i], p.killed); err != nil {
				return err
			}
			if p == c.renamed {
				delete(v.indexes, p.name)
				v.indexes[dropped] = iv
				continue
			}
			v.indexes[p.name] = iv
		}
		return nil
	})
}

// count brings statistics and deleted documents up to date: the documents of
// chunks have come, those in killed have gone.
func (v *indexView) count(chunks []*chunkRef, killed []posting.DocID) error {
	v.stats = v.stats.clone()
	for _, c := range chunks {
		n, all, err := norms(c.chunk, len(v.schema.text))
		if err != nil {
			return err
		}
		for i := range c.chunk.Len() {
			v.stats.add(n, all, i, 1)
		}
	}
	if len(killed) == 0 {
		return nil
	}
	byPage := map[uint16][]uint16{}
	for _, doc := range killed {
		c := v.chunkOf(doc)
		if c == nil || v.isDead(doc) {
			return corruptf("document %d of index %d is deleted but was not there", doc, v.ix.number)
		}
		n, all, err := norms(c.chunk, len(v.schema.text))
		if err != nil {
			return err
		}
		v.stats.add(n, all, int(doc-c.base()), -1)
		byPage[uint16(doc>>16)] = append(byPage[uint16(doc>>16)], uint16(doc))
	}
	dead := make(map[uint16]*page.Dead, len(v.dead)+len(byPage))
	for p, d := range v.dead {
		dead[p] = d
	}
	for p, places := range byPage {
		d := dead[p]
		if d == nil {
			d = &page.Dead{}
		}
		dead[p] = d.With(places)
	}
	v.dead = dead
	v.deadGen++
	return nil
}

// ticket keeps publications in the order of versions.
type ticket struct {
	before *ticket
	ready  chan struct{}
}

func newTicket(before *ticket) *ticket { return &ticket{before: before, ready: make(chan struct{})} }

// turn waits until the ticket before is done.
func (t *ticket) turn() {
	if t.before != nil {
		<-t.before.ready
		t.before = nil
	}
}

func (t *ticket) done() {
	t.turn()
	close(t.ready)
}

// Apply carries out a batch. When it returns without an error the whole batch
// is durable and seen by every search that begins later; with an error nothing
// has changed. Mistakes in the batch are reported all at once, as an
// *InvalidError. ctx is honoured until the batch is handed to storage.
func (e *Engine) Apply(ctx context.Context, b *Batch) (*BatchResult, error) {
	if e.opts.ReadOnly {
		return nil, ErrReadOnly
	}
	w := &batchWork{e: e, ctx: ctx, batch: b}
	return w.run()
}

// wait returns when the ticket's batch, and so all before it, is published.
func (t *ticket) wait() { <-t.ready }
