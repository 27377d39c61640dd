package engine

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// A write goes through five steps:
//
//  1. prepare: the batch's records are parsed, checked, inverted and compressed,
//     without any lock, so that batches are analyzed side by side;
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
	if err := c.readNorms(); err != nil {
		return nil, err
	}
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
	e.version, e.ledger = c.version, c.entries.ledger
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
	if len(c.swapped) > 0 {
		a, b := c.swapped[0].ix, c.swapped[1].ix
		a.name, b.name = b.name, a.name
		e.writers[a.name], e.writers[b.name] = a, b
	}
	for ix, u := range c.updates {
		ix.update.Store(u)
	}
	c.mine = newTicket(e.last)
	e.last = c.mine
	return func() error { return e.publishCommit(c, kv, wait) }, nil
}

// publishCommit carries out the steps 4 and 5 of a commit.
func (e *Engine) publishCommit(c *commit, kv *sharedSnapshot, wait func() error) (err error) {
	defer c.mine.done()
	published := false
	defer func() {
		if !published {
			// The batch is in the log but not in the view: from here on nothing
			// later may be published. Opening again recovers the batch. Without
			// an error, the failing store is ending this goroutine.
			if err == nil {
				err = storage.ErrFailed
			}
			why := err
			e.broken.CompareAndSwap(nil, &why)
			err = fmt.Errorf("%w: %w", ErrUnsettled, why)
			kv.release()
		}
	}()
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
		return err
	}
	published = true
	e.kick()
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

// buildSegment makes an in-memory segment and its chunks. It takes w, which
// nobody may use any more.
func (e *Engine) buildSegment(schema *compiled, base posting.DocID, docs []*document, w *segment.Writer) (*segmentRef, []*chunkRef, error) {
	pages := page.NewBuilder(base, len(schema.text))
	version := []page.Value{{}}
	var doc page.Doc // Add keeps nothing of it
	for _, d := range docs {
		version[0] = page.IntValue(int64(d.version))
		doc.ID, doc.Lengths = append(doc.ID[:0], d.id...), d.lengths
		doc.Columns = append(append(doc.Columns[:0], d.columns...), page.ColumnValues{Field: versionField, Kind: page.KindInt, Values: version})
		pages.Add(&doc)
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
	e.scratch.giveBack(w)
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
	most, err := longest(chunks)
	if err != nil {
		return nil, err
	}
	return &segment.Impacts{
		Params: p,
		Table:  score.NewTableUpTo(book, p, most),
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
		if len(c.swapped) > 0 {
			a, b := c.swapped[0].name, c.swapped[1].name // before the commit
			v.indexes[a], v.indexes[b] = v.indexes[b], v.indexes[a]
		}
		return nil
	})
}

// readNorms reads what count will need of the disk: once a commit is in the log,
// nothing that it does may fail. Norms that are in memory stay there, also when a
// flush puts another chunk in the place of one; the chunks of commits that are not
// published yet are in memory as a whole.
func (c *commit) readNorms() error {
	v, err := c.e.acquire()
	if err != nil {
		return err
	}
	defer c.e.release(v)
	for _, p := range c.parts {
		if len(p.killed) == 0 {
			continue
		}
		iv := v.indexes[p.name]
		if iv == nil || iv.ix != p.ix { // it is called otherwise there, or not there yet
			if iv = v.indexes[v.nameOf(p.ix)]; iv == nil {
				continue
			}
		}
		var at *chunkRef // of the document before
		for _, doc := range p.killed {
			if at != nil && at.base() <= doc && doc < at.end() {
				continue
			}
			if at = iv.chunkOf(doc); at != nil {
				if err := at.readNorms(); err != nil {
					return err
				}
			}
		}
	}
	return nil
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
	var c *chunkRef // of the document before
	var n score.Norms
	var all []byte
	for _, doc := range killed {
		if c == nil || doc < c.base() || doc >= c.end() {
			if c = v.chunkOf(doc); c != nil {
				var err error
				if n, all, err = norms(c.chunk, len(v.schema.text)); err != nil {
					return err
				}
			}
		}
		if c == nil || v.isDead(doc) {
			return corruptf("document %d of index %d is deleted but was not there", doc, v.ix.number)
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
// has changed, but for ErrUnsettled: see Engine. It costs a synced write, which batches of several goroutines
// share. ctx is honoured until the batch is handed to storage, also in the wait for
// other batches: it is looked at every few hundred operations. nil is a batch without
// operations.
//
// Errors: an *InvalidError for the mistakes in the batch, all at once, with the
// numbers of operations as Position and pointers from "/record" on;
// ErrRecordExists, ErrVersion, ErrTooLarge and ErrNotFound say what the first of
// them is. With Batch.Partial they are in BatchResult.Errors.
func (e *Engine) Apply(ctx context.Context, b *Batch) (res *BatchResult, err error) {
	defer e.tell(&err)
	if e.opts.ReadOnly {
		return nil, ErrReadOnly
	}
	if b == nil {
		b = &Batch{}
	}
	if err := e.storable(); err != nil {
		return nil, err
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	giveBack, err := e.room.take(ctx, b)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	w := &batchWork{e: e, ctx: ctx, batch: b}
	return w.run()
}

// wait returns when the ticket's batch, and so all before it, is published.
func (t *ticket) wait() { <-t.ready }
