package engine

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// recover brings the engine to the state after the last batch in the log.
func (e *Engine) recover() error {
	kv := &sharedSnapshot{Snapshot: e.store.NewSnapshot()}
	kv.refs.Store(1)
	v := &view{indexes: map[string]*indexView{}, kv: kv}
	v.refs.Store(1)
	if err := e.load(v); err != nil {
		kv.release()
		return err
	}
	e.version = v.version
	e.live[v.number] = struct{}{}
	e.view.Store(v)
	return nil
}

func (e *Engine) load(v *view) error {
	m, err := e.loadMeta()
	if err != nil || m == nil {
		return err
	}
	v.version = m.Version
	lo, hi := storage.CatalogRange()
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	known := map[uint32]bool{}
	var hidden []string // rebuilds that did not come to their end
	for ok := it.First(); ok; ok = it.Next() {
		name, err := storage.ParseCatalogKey(it.Key())
		if err != nil {
			return err
		}
		var entry catalogEntry
		if err := decodeSealed("catalogue", it.Value(), &entry); err != nil {
			return err
		}
		e.nextIndex = max(e.nextIndex, entry.Number+1)
		if isHidden(name) {
			hidden = append(hidden, name)
			continue
		}
		known[entry.Number] = true
		iv, err := e.loadIndex(name, entry)
		if err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
		if err := iv.ix.loadUpdate(entry); err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
		e.writers[name] = iv.ix
		v.indexes[name] = iv
	}
	if err := it.Err(); err != nil {
		return err
	}
	return e.dropOrphanIndexes(known, hidden, m.Version)
}

// loadMeta reads the engine's own row and verifies the ledger in it; nil for a
// new directory. What the ledger misses must be known before anything that
// seems to belong to no index is deleted.
func (e *Engine) loadMeta() (*meta, error) {
	now, err := ledgerOf(e.store)
	if err != nil {
		return nil, err
	}
	e.ledger = now
	b, err := e.store.Get(storage.MetaKey())
	if translate(err) == ErrNotFound {
		if now.Catalog.Count > 0 {
			return nil, corruptf("there are %d indexes, and the row of the engine is missing", now.Catalog.Count)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &meta{}
	if err := decodeSealed("the row of the engine", b, m); err != nil {
		return nil, err
	}
	switch {
	case m.Format > formatVersion:
		return nil, fmt.Errorf("%w: format %d, this release knows %d", ErrNewerFormat, m.Format, formatVersion)
	case m.Ledger == nil && m.Format >= 2:
		return nil, corruptf("the row of the engine has no ledger")
	case m.Ledger != nil && m.Ledger.Catalog != now.Catalog:
		return nil, corruptf("the catalogue has %d indexes, and not the %d that the ledger says, or others", now.Catalog.Count, m.Ledger.Catalog.Count)
	case m.Ledger != nil && m.Ledger.Rows != now.Rows:
		return nil, corruptf("there are %d rows of the application, and not the %d that the ledger says, or others", now.Rows.Count, m.Ledger.Rows.Count)
	}
	return m, nil
}

// loadIndex opens what is flushed of an index and replays the rest.
func (e *Engine) loadIndex(name string, entry catalogEntry) (*indexView, error) {
	b, err := e.store.Get(storage.SchemaKey(entry.Number))
	if translate(err) == ErrNotFound {
		return nil, corruptf("the schema is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if b, err = unseal("schema", b); err != nil {
		return nil, err
	}
	s, err := decodeSchema(b)
	if err != nil {
		return nil, err
	}
	schema, err := compile(s, nil)
	if err != nil {
		return nil, err
	}
	ix := &index{number: entry.Number, name: name, schema: schema, created: entry.Created}
	b, err = e.store.Get(storage.ManifestKey(entry.Number))
	switch {
	case translate(err) == ErrNotFound: // nothing was flushed yet
		ix.disk = newManifest()
		if err := e.needsLog(ix.number); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		if err := decodeSealed("manifest", b, &ix.disk); err != nil {
			return nil, err
		}
	}
	m := &ix.disk
	iv := &indexView{
		ix: ix, schema: schema, created: entry.Created, updated: m.Updated,
		version: m.Flushed, stats: m.Stats.clone(), nextDoc: m.NextDoc,
	}
	for _, d := range m.Segments {
		ref, err := e.openSegment(ix.number, d)
		if err != nil {
			return nil, err
		}
		iv.segs = append(iv.segs, ref)
	}
	for _, d := range m.Chunks {
		ref, err := e.openChunk(ix.number, d)
		if err != nil {
			return nil, err
		}
		iv.chunks = append(iv.chunks, ref)
	}
	if err := e.loadDead(iv); err != nil {
		return nil, err
	}
	if err := e.replay(iv); err != nil {
		return nil, fmt.Errorf("batch log: %w", err)
	}
	ix.nextDoc = iv.nextDoc
	return iv, nil
}

// needsLog returns an error if an index has nothing in its log: the commit that
// made it is there until the first flush, which writes the manifest.
func (e *Engine) needsLog(ix uint32) error {
	lo, hi := storage.BatchLogRange(ix, 0, ^uint64(0))
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	if it.First() {
		return nil
	}
	if err := it.Err(); err != nil {
		return err
	}
	return corruptf("the manifest is missing")
}

// segmentSource reads the parts of a segment from the store. They are written
// once, and deleted only when no view holds the segment.
type segmentSource struct {
	store *storage.Store
	ix    uint32
	id    uint32
	dict  *lru[dictBlock, []byte]
}

// dictBlock names a block of the dictionary of a segment on disk. Numbers of
// indexes and segments are not given out twice.
type dictBlock struct{ index, segment, ordinal uint32 }

func (s segmentSource) Part(kind segment.PartKind, ordinal uint32) ([]byte, error) {
	read := func() ([]byte, error) {
		b, err := s.store.Get(storage.SegmentKey(s.ix, s.id, uint8(kind), ordinal))
		if translate(err) == ErrNotFound {
			err = corruptf("it is not there")
		}
		return b, err
	}
	if kind != segment.PartBlock || s.dict == nil {
		return read()
	}
	return s.dict.load(dictBlock{s.ix, s.id, ordinal}, func() ([]byte, int, error) {
		b, err := read()
		return b, len(b), err
	})
}

func (e *Engine) openSegment(ix uint32, d segmentDesc) (*segmentRef, error) {
	r, err := segment.Open(segmentSource{e.store, ix, d.ID, e.dicts}, e.books.book)
	if err != nil {
		return nil, fmt.Errorf("segment %d: %w", d.ID, err)
	}
	return &segmentRef{id: d.ID, uid: e.uids.Add(1), reader: r, meta: r.Meta(), bytes: d.Bytes}, nil
}

// chunkSource reads the parts of a chunk from the store, but for the summary.
type chunkSource struct {
	segmentSource
	summary []byte
}

func (s chunkSource) Part(p page.Part) ([]byte, error) {
	if p.Kind == page.PartSummary {
		return s.summary, nil
	}
	kind, field := partKind(p)
	b, err := s.store.Get(storage.SegmentKey(s.ix, s.id, kind, field))
	if translate(err) == ErrNotFound {
		return nil, nil
	}
	return b, err
}

func (e *Engine) openChunk(ix uint32, d chunkDesc) (*chunkRef, error) {
	c, err := page.Open(d.Base, chunkSource{segmentSource{store: e.store, ix: ix, id: d.ID}, d.Summary})
	if err != nil {
		return nil, fmt.Errorf("chunk %d: %w", d.ID, err)
	}
	if c.Len() != d.Len {
		return nil, corruptf("chunk %d has %d documents, the manifest says %d", d.ID, c.Len(), d.Len)
	}
	return &chunkRef{id: d.ID, chunk: c, summary: d.Summary}, nil
}

func (e *Engine) loadDead(iv *indexView) error {
	lo, hi := storage.TombstoneRange(iv.ix.number)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	iv.dead = map[uint16]*page.Dead{}
	for ok := it.First(); ok; ok = it.Next() {
		_, p, err := storage.ParseTombstoneKey(it.Key())
		if err != nil {
			return err
		}
		if iv.dead[p], err = page.DecodeDead(it.Value()); err != nil {
			return fmt.Errorf("deleted documents of page %d: %w", p, err)
		}
	}
	return it.Err()
}

// replayDocs is the number of documents that are made into one segment when
// the log is replayed. Several segments are made at a time.
const replayDocs = 20_000

// replay applies the batches in the log that are not flushed.
func (e *Engine) replay(iv *indexView) error {
	ix := iv.ix
	lo, hi := storage.BatchLogRange(ix.number, ix.disk.Flushed+1, ^uint64(0))
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var killed []posting.DocID
	var parts []*replayPart
	for ok := it.First(); ok; ok = it.Next() {
		_, version, err := storage.ParseBatchLogKey(it.Key())
		if err != nil {
			return err
		}
		value, err := unseal("batch log", it.Value())
		if err != nil {
			return err
		}
		entry, err := decodeLogEntry(value)
		if err != nil {
			return err
		}
		if entry.Base != iv.nextDoc {
			return corruptf("batch %d begins at document %d, the one before ended at %d", version, entry.Base, iv.nextDoc)
		}
		if uint64(entry.Base)+uint64(entry.Docs) > 1<<32-1 {
			return corruptf("batch %d has %d documents from %d on", version, entry.Docs, entry.Base)
		}
		iv.nextDoc += entry.Docs
		iv.version, iv.updated = version, entry.Time
		killed = append(killed, entry.Killed...)
		if entry.Docs == 0 {
			continue
		}
		if n := len(parts); n == 0 || parts[n-1].to-parts[n-1].from >= replayDocs {
			parts = append(parts, &replayPart{from: entry.Base})
		}
		last := parts[len(parts)-1]
		last.to = iv.nextDoc
		last.batches = append(last.batches, replayed{entry, version, iv.nextDoc})
	}
	if err := it.Err(); err != nil {
		return err
	}
	if err := e.buildParts(iv, parts); err != nil {
		return err
	}
	for _, p := range parts {
		iv.segs = append(iv.segs, p.seg)
		iv.chunks = append(iv.chunks, p.chunks...)
		if err := iv.count(p.chunks, nil); err != nil {
			return err
		}
	}
	return iv.count(nil, killed)
}

// replayPart is batches of the log that become one segment.
type replayPart struct {
	from, to posting.DocID // documents [from, to)
	batches  []replayed

	seg    *segmentRef
	chunks []*chunkRef
}

// replayed is a batch of the log, with the number behind its last document.
type replayed struct {
	logEntry
	version uint64
	end     posting.DocID
}

// versionOf is the version of a document of the batch.
func (r *replayed) versionOf(doc posting.DocID) uint64 {
	if r.Versions != nil {
		return r.Versions[doc-r.Base]
	}
	return r.version
}

// buildParts makes the segments of all parts, as many at a time as there are
// processors, and returns the first error.
func (e *Engine) buildParts(iv *indexView, parts []*replayPart) error {
	var work sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, len(parts))
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		work.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				if errs[i] = e.buildPart(iv, parts[i]); errs[i] != nil {
					next.Store(int64(len(parts)))
				}
			}
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// buildPart inverts the stored records of a part again.
func (e *Engine) buildPart(iv *indexView, p *replayPart) error {
	a := newAnalysis(iv.schema, e.opts.Limits.forStored())
	a.fixed = true
	lo, hi := storage.BlockRange(iv.ix.number, p.from, p.to)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var docs []*document // not made at once: the numbers may be damaged
	batches := p.batches
	for ok := it.First(); ok; ok = it.Next() {
		_, first, err := storage.ParseBlockKey(it.Key())
		if err != nil {
			return err
		}
		if int(first-p.from) != len(docs) {
			return corruptf("stored block %d: expected document %d", first, int(p.from)+len(docs))
		}
		b, err := e.blocks.Decode(it.Value())
		if err != nil {
			return err
		}
		for i := range b.Len() {
			doc := first + uint32(i)
			for len(batches) > 1 && doc >= batches[0].end {
				batches = batches[1:]
			}
			a.known = int(batches[0].Fields)
			var problems problems
			d, ok := a.add(b.Record(i), string(b.ID(i)), &problems)
			if !ok {
				return corruptf("document %d: %w", doc, problems.orNil())
			}
			d.json, d.version = nil, batches[0].versionOf(doc)
			docs = append(docs, d)
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if p.from+uint32(len(docs)) != p.to {
		return corruptf("the log ends at document %d, the stored records at %d", p.to, int(p.from)+len(docs))
	}
	p.seg, p.chunks, err = e.buildSegment(a.schema, p.from, docs, a.writer)
	return err
}

// forStored are limits that every stored record passes, whatever limits it
// was written under.
func (l Limits) forStored() Limits {
	l.RecordBytes, l.RecordDepth, l.IndexFields, l.KeywordBytes = 1<<30, 1<<16, 1<<16-1, 1<<30
	return l
}

// dropOrphanIndexes deletes what a deleted index, or a crash, left behind,
// together with the catalogue entries of hidden indexes.
func (e *Engine) dropOrphanIndexes(known map[uint32]bool, hidden []string, version uint64) error {
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
	if len(hidden) > 0 {
		w.close(version)
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
// the first time that it is called for an index: their numbers will be given
// out again. diskMu is held.
func (e *Engine) dropOrphanParts(ix *index) error {
	if ix.tidy {
		return nil
	}
	ix.tidy = true
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
	for ok := it.First(); ok; {
		_, id, _, _, err := storage.ParseSegmentKey(it.Key())
		if err != nil {
			return err
		}
		from, to := storage.SegmentRange(ix.number, id)
		if !named[id] {
			b.DeleteRange(from, to)
			ix.disk.NextPart = max(ix.disk.NextPart, id+1)
		}
		ok = it.SeekGE(to)
	}
	return e.commitOrphans(it, b)
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
