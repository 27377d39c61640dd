package engine

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// flushIndex writes the in-memory segments of a view to disk as one segment,
// and their chunks as chunks of whole pages. Batches that come meanwhile stay
// in memory and in the log.
//
// The tables with the new parts are ingested first. They belong to nothing
// until the commit of the manifest, which names them, takes the flushed
// batches out of the log, and brings tombstones up to the same version.
func (e *Engine) flushIndex(ctx context.Context, ix *index) error {
	tell := func() {} // when no lock is held any more
	defer func() { tell() }()
	ix.diskMu.Lock()
	defer ix.diskMu.Unlock()
	// The view is taken under diskMu, so that nobody replaces the segments in
	// memory between here and the publication.
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	if iv.version <= ix.disk.Flushed {
		return nil
	}
	if err := e.dropOrphanParts(ix); err != nil {
		return err
	}
	start := time.Now()
	next := ix.disk
	// Also what fails may have left parts behind: they are deleted, and their numbers
	// are not given out again.
	first, left := next.NextPart, false
	defer func() {
		ix.disk.NextPart = max(ix.disk.NextPart, next.NextPart)
		if left {
			e.discard(ix, first, next.NextPart)
		}
	}()
	// The segment will be merged before long, so it is not packed: inserts take 2 to 3 % less.
	w := tableSet{e: e, ix: ix.number}
	defer w.abort()

	mem := iv.memory()
	var fresh []*segmentRef
	var chunks []*chunkRef
	dropped := noPart
	replaced := map[*chunkRef]bool{}
	// Documents that all died in memory are in chunks and in no segment.
	var size segment.Meta
	id := noPart
	if chunks, err = e.flushChunks(iv, &next, &w, replaced); err != nil {
		return err
	}
	if len(mem) > 0 {
		id = next.NextPart
		next.NextPart++
		// With the chunks as they will be, which have the norms and ids of a page in one place.
		joined := iv.clone()
		joined.chunks = mergeChunkLists(iv.chunks, chunks, replaced)
		if size, err = e.mergeInto(ctx, joined, mem, &w, id); err != nil {
			return err
		}
	}
	left = true
	if err := w.ingest(ctx); err != nil {
		return err
	}
	if size.Docs == 0 {
		dropped = id
	} else {
		ref, err := e.openSegment(ix.number, segmentDesc{ID: id, Bytes: totalBytes(size), Parts: w.parts})
		if err != nil {
			return err
		}
		fresh = append(fresh, ref)
	}
	// From here on chunks are read from disk, as after Open: what searches do not
	// use of one takes no memory. Norms are what all of them use, and what a commit
	// may have relied on that is under way: see commit.readNorms.
	for i, d := range describeChunks(chunks) {
		if chunks[i], err = e.openChunk(ix.number, d); err != nil {
			return err
		}
		if err := chunks[i].readNorms(); err != nil {
			return err
		}
	}
	segs := append(slices.Clone(iv.disk()), fresh...)
	next.Flushed, next.NextDoc, next.Updated, next.Stats = iv.version, iv.nextDoc, iv.updated, iv.stats
	next.Segments = describeSegments(segs)
	next.Chunks = describeChunks(mergeChunkLists(iv.chunks, chunks, replaced))

	b := e.store.NewBatch()
	if err := putTombstones(b, ix.number, iv); err != nil {
		return err
	}
	lo, hi := storage.BatchLogRange(ix.number, 0, iv.version+1)
	b.DeleteRange(lo, hi)
	b.Set(storage.ManifestKey(ix.number), seal(next.encode()))
	if dropped != noPart { // every document in it was deleted
		lo, hi := storage.SegmentRange(ix.number, dropped)
		b.DeleteRange(lo, hi)
	}
	if err := e.store.Commit(b); err != nil {
		return err
	}
	ix.disk, left = next, false
	if err := e.replaceParts(ix, mem, fresh, replaced, chunks); err != nil {
		return err
	}
	ix.awaited.Store(false)
	if f := e.opts.Events.Flushed; f != nil {
		tell = func() { f(v.nameOf(ix), size.Docs, time.Since(start)) }
	}
	return nil
}

// discard deletes the parts with the numbers from lo to before hi, which no manifest
// names: those of a flush or merge that did not come to its end. Without that each
// try would leave some, until the engine is opened again.
func (e *Engine) discard(ix *index, lo, hi uint32) {
	var ranges []keyRange
	for id := lo; id < hi; id++ {
		from, to := storage.SegmentRange(ix.number, id)
		ranges = append(ranges, keyRange{lo: from, hi: to})
	}
	e.retire(ranges...)
	e.kick()
}

// noPart is the number of no segment and no chunk.
const noPart = ^uint32(0)

// acquireIndex returns the newest view and an index in it, nil if the index
// has been deleted; the view is then not held.
func (e *Engine) acquireIndex(ix *index) (*view, *indexView, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, nil, err
	}
	for _, iv := range v.indexes {
		if iv.ix == ix {
			return v, iv, nil
		}
	}
	e.release(v)
	return nil, nil, nil
}

func describeSegments(segs []*segmentRef) []segmentDesc {
	out := make([]segmentDesc, len(segs))
	for i, s := range segs {
		out[i] = segmentDesc{ID: s.id, Bytes: s.bytes, Parts: s.parts}
	}
	return out
}

func describeChunks(chunks []*chunkRef) []chunkDesc {
	out := make([]chunkDesc, len(chunks))
	for i, c := range chunks {
		out[i] = chunkDesc{ID: c.id, Base: c.base(), Len: c.chunk.Len(), Summary: c.summary, Parts: c.parts}
	}
	return out
}

// putTombstones writes the deleted documents of every page that has any.
func putTombstones(b *storage.Batch, ix uint32, iv *indexView) error {
	pages := make([]uint16, 0, len(iv.dead))
	for p := range iv.dead {
		pages = append(pages, p)
	}
	slices.Sort(pages)
	for _, p := range pages {
		data, err := iv.dead[p].Encode()
		if err != nil {
			return err
		}
		b.Set(storage.TombstoneKey(ix, p), data)
	}
	return nil
}

// mergeInto writes the merge of segments to w as the segment id.
func (e *Engine) mergeInto(ctx context.Context, iv *indexView, segs []*segmentRef, sink segment.Sink, id uint32) (segment.Meta, error) {
	readers := make([]*segment.Reader, len(segs))
	for i, s := range segs {
		readers[i] = s.reader
	}
	im, err := e.impactsFor(iv.schema, iv.stats.averages(), iv.chunks)
	if err != nil {
		return segment.Meta{}, err
	}
	if w, ok := sink.(*tableSet); ok {
		w.segment = id
		if err := byID(im, iv); err != nil {
			return segment.Meta{}, err
		}
	}
	return segment.Merge(ctx, readers, iv.deadWords, im, sink)
}

// deadWords returns the deleted documents of a page, nil for none.
func (v *indexView) deadWords(p uint16) *[1024]uint64 {
	if d := v.dead[p]; d != nil && d.Count() > 0 {
		return d.Words()
	}
	return nil
}

// flushChunks writes the chunks that are in memory, joined with the chunk on
// disk that their first page may have, so that a page has one chunk.
func (e *Engine) flushChunks(iv *indexView, next *manifest, w *tableSet, replaced map[*chunkRef]bool) ([]*chunkRef, error) {
	byPage := map[uint32][]*chunkRef{}
	var pages []uint32
	for i, c := range iv.chunks {
		if c.id != 0 && (i+1 == len(iv.chunks) || iv.chunks[i+1].id != 0 || iv.chunks[i+1].base()>>16 != c.base()>>16) {
			continue
		}
		p := c.base() >> 16
		if byPage[p] == nil {
			pages = append(pages, p)
		}
		byPage[p] = append(byPage[p], c)
		replaced[c] = true
	}
	var out []*chunkRef
	for _, p := range pages {
		list := make([]*page.Chunk, len(byPage[p]))
		for i, c := range byPage[p] {
			list[i] = c.chunk
		}
		c, err := page.Merge(list)
		if err != nil {
			return nil, err
		}
		ref := &chunkRef{id: next.NextPart, chunk: c}
		next.NextPart++
		if err := w.chunk(ref); err != nil {
			return nil, err
		}
		out = append(out, ref)
	}
	return out, nil
}

// mergeChunkLists puts fresh in the place of the chunks that they replace.
func mergeChunkLists(all, fresh []*chunkRef, replaced map[*chunkRef]bool) []*chunkRef {
	out := slices.Clone(fresh)
	for _, c := range all {
		if !replaced[c] {
			out = append(out, c)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].base() < out[j].base() })
	return out
}

// replaceParts publishes a view in which fresh parts stand for old ones, and
// retires the old ones that were on disk.
func (e *Engine) replaceParts(ix *index, oldSegs, freshSegs []*segmentRef, oldChunks map[*chunkRef]bool, freshChunks []*chunkRef) error {
	var retired []keyRange
	retire := func(id uint32) {
		if id != 0 {
			lo, hi := storage.SegmentRange(ix.number, id)
			retired = append(retired, keyRange{lo: lo, hi: hi})
		}
	}
	for _, s := range oldSegs {
		retire(s.id)
	}
	for c := range oldChunks {
		retire(c.id)
	}
	return e.publish(nil, retired, func(v *view) error {
		name := v.nameOf(ix)
		if name == "" {
			return nil // deleted meanwhile
		}
		now := v.indexes[name].clone()
		segs := slices.Clone(freshSegs)
		for _, s := range now.segs {
			if !slices.Contains(oldSegs, s) {
				segs = append(segs, s)
			}
		}
		sort.Slice(segs, func(i, j int) bool { return segs[i].meta.MinDoc < segs[j].meta.MinDoc })
		now.segs = segs
		now.chunks = mergeChunkLists(now.chunks, freshChunks, oldChunks)
		v.indexes[name] = now
		return nil
	})
}

// tableSet collects the parts of segments and chunks as tables that are
// ingested together. Within a kind the parts of a segment come in the order of
// their ordinals, so each kind has a table of its own.
type tableSet struct {
	e       *Engine
	ix      uint32
	segment uint32 // whose parts Put takes
	pack    bool   // what of these gets smaller by it: dictionaries, by a quarter
	open    map[segment.PartKind]*storage.TableWriter
	done    []storage.Table
	parts   tally // of the segment
}

// Put implements segment.Sink.
func (w *tableSet) Put(kind segment.PartKind, ordinal uint32, data []byte) error {
	t := w.open[kind]
	if t == nil {
		var err error
		if t, err = w.e.store.NewTable(w.pack); err != nil {
			return err
		}
		if w.open == nil {
			w.open = map[segment.PartKind]*storage.TableWriter{}
		}
		w.open[kind] = t
	}
	key := storage.SegmentKey(w.ix, w.segment, uint8(kind), ordinal)
	w.parts.add(key, data)
	return t.Set(key, data)
}

// chunk writes all parts of a chunk but its summary, which it notes. They are packed
// as they are.
func (w *tableSet) chunk(c *chunkRef) error {
	type kv struct{ key, value []byte }
	var parts []kv
	if err := c.chunk.Encode(func(p page.Part, data []byte) error {
		if p.Kind == page.PartSummary {
			c.summary = slices.Clone(data)
			return nil
		}
		kind, field := partKind(p)
		parts = append(parts, kv{storage.SegmentKey(w.ix, c.id, kind, field), data})
		return nil
	}); err != nil {
		return err
	}
	sort.Slice(parts, func(i, j int) bool { return string(parts[i].key) < string(parts[j].key) })
	t, err := w.e.store.NewTable(false)
	if err != nil {
		return err
	}
	for _, p := range parts {
		c.parts.add(p.key, p.value)
		if err := t.Set(p.key, p.value); err != nil {
			t.Abort()
			return fmt.Errorf("chunk %d: %w", c.id, err)
		}
	}
	table, err := t.Finish()
	if err != nil {
		return err
	}
	w.done = append(w.done, table)
	return nil
}

// ingest makes the parts a part of the store.
func (w *tableSet) ingest(ctx context.Context) error {
	for kind, t := range w.open {
		delete(w.open, kind)
		table, err := t.Finish()
		if err != nil {
			return err
		}
		w.done = append(w.done, table)
	}
	err := w.e.store.Ingest(ctx, w.done...)
	if err == nil {
		w.done = nil
	}
	return err
}

// abort drops tables that were begun and not ingested. What cannot be dropped the
// next Open drops.
func (w *tableSet) abort() {
	for _, t := range w.open {
		t.Abort()
	}
	_ = w.e.store.Discard(w.done...)
}

// mergeMemory merges in-memory segments, and their chunks, in memory.
func (e *Engine) mergeMemory(ctx context.Context, ix *index) error {
	ix.diskMu.Lock() // see flushIndex
	defer ix.diskMu.Unlock()
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	run := e.memoryMerge(iv)
	if len(run) == 0 {
		return nil
	}
	parts := &segment.Parts{}
	if _, err := e.mergeInto(ctx, iv, run, parts, 0); err != nil {
		return err
	}
	ref, err := e.memorySegment(parts)
	if err != nil {
		return err
	}
	fresh := []*segmentRef{ref}
	if ref.meta.Docs == 0 {
		fresh = nil
	}
	lo, hi := run[0].meta.MinDoc, run[len(run)-1].meta.MaxDoc
	old := map[*chunkRef]bool{}
	byPage := map[posting.DocID][]*page.Chunk{}
	for _, c := range iv.chunks {
		// A segment may begin behind its chunk, where documents were purged.
		if c.id == 0 && c.end() > lo && c.base() <= hi {
			old[c] = true
			byPage[c.base()>>16] = append(byPage[c.base()>>16], c.chunk)
		}
	}
	var chunks []*chunkRef
	for _, list := range byPage {
		c, err := page.Merge(list)
		if err != nil {
			return err
		}
		chunks = append(chunks, &chunkRef{chunk: c})
	}
	return e.replaceParts(ix, run, fresh, old, chunks)
}

func totalBytes(m segment.Meta) (n int64) {
	for _, b := range m.Bytes {
		n += b
	}
	return n
}
