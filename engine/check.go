package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// Check reads everything that is stored and verifies it: the checksums of all
// bytes, every segment (order, sums, bounds, positions, that no part of one
// stands in the place of another), and that the id map,
// stored records, pages, deleted documents and statistics agree with each
// other. It works on one view, beside searches and writes, and returns all
// that it finds, joined; problems are marked ErrCorrupt.
func (e *Engine) Check(ctx context.Context) (err error) {
	defer e.tell(&err)
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer e.release(v)
	errs := []error{e.store.Check(ctx), e.checkLedger(v)}
	for _, name := range v.names() {
		c := checker{e: e, ctx: ctx, v: v, iv: v.indexes[name]}
		if err := c.run(); err != nil {
			errs = append(errs, fmt.Errorf("index %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// checker verifies one index of a view.
type checker struct {
	e   *Engine
	ctx context.Context
	v   *view
	iv  *indexView
}

func (c *checker) run() error {
	var errs []error
	for _, f := range [...]func() error{
		c.segments, c.chunks, c.stored, c.ids, c.stats, c.vectors, c.fieldVectors, c.tombstones, c.log, c.parts, c.idFilter,
	} {
		if err := markDamage(f()); err != nil {
			errs = append(errs, err)
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// segments verifies each segment by itself, and that their documents do not
// overlap, are all in chunks, and hold every live document.
func (c *checker) segments() error {
	iv := c.iv
	live := int64(0)
	next := int64(0)
	for _, s := range iv.segs {
		im, err := impactsUnder(s.meta.Params, c.e.books.book(s.meta.TextFields), iv.chunks)
		if err != nil {
			return err
		}
		if s.id != 0 { // it is on disk
			if err := byID(im, iv); err != nil {
				return err
			}
		}
		if err := s.reader.Check(c.ctx, im); err != nil {
			return fmt.Errorf("segment %d: %w", s.id, err)
		}
		if int64(s.meta.MinDoc) < next {
			return corruptf("segment %d begins at document %d, within the one before", s.id, s.meta.MinDoc)
		}
		next = int64(s.meta.MaxDoc) + 1
		it := s.reader.Docs().Iterator()
		for it.HasNext() {
			doc := it.Next()
			if iv.chunkOf(doc) == nil {
				return corruptf("document %d of segment %d is in no chunk", doc, s.id)
			}
			if !iv.isDead(doc) {
				live++
			}
		}
	}
	if live != iv.stats.Docs {
		return corruptf("the segments hold %d live documents, the statistics say %d", live, iv.stats.Docs)
	}
	return nil
}

// chunks verifies that the chunks cover the document numbers without gaps but
// for whole pages that were dropped.
func (c *checker) chunks() error {
	next := uint32(0)
	for _, ref := range c.iv.chunks {
		if next = skipDropped(next, ref.base()); ref.base() != next {
			return corruptf("chunk %d begins at document %d instead of %d", ref.id, ref.base(), next)
		}
		if ref.base()>>16 != (ref.end()-1)>>16 {
			return corruptf("chunk %d reaches over the end of a page", ref.id)
		}
		next = ref.end()
		for _, info := range ref.chunk.Columns() {
			if _, err := ref.chunk.Column(info.Field); err != nil {
				return fmt.Errorf("chunk %d: column of field %d: %w", ref.id, info.Field, err)
			}
		}
	}
	if skipDropped(next, c.iv.nextDoc) != c.iv.nextDoc {
		return corruptf("the chunks end at document %d, the numbers at %d", next, c.iv.nextDoc)
	}
	return nil
}

// skipDropped moves from the end of a page to the beginning of a later one.
func skipDropped(next, to uint32) uint32 {
	if next < to && next&0xffff == 0 && to&0xffff == 0 {
		return to
	}
	return next
}

// stored verifies that the blocks hold every document, each under the id that
// its chunk has.
func (c *checker) stored() error {
	lo, hi := storage.BlockRange(c.iv.ix.number, 0, ^uint32(0))
	it, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	next := uint32(0)
	for ok := it.First(); ok; ok = it.Next() {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		_, first, err := storage.ParseBlockKey(it.Key())
		if err != nil {
			return err
		}
		if next = skipDropped(next, first); first != next {
			return corruptf("stored block %d: expected document %d", first, next)
		}
		b, err := c.e.blocks.Decode(it.Value())
		if err != nil {
			return fmt.Errorf("stored block %d: %w", first, err)
		}
		for i := range b.Len() {
			doc := first + uint32(i)
			ref := c.iv.chunkOf(doc)
			if ref == nil {
				return corruptf("stored document %d is in no chunk", doc)
			}
			id, err := ref.chunk.ID(int(doc - ref.base()))
			if err != nil {
				return err
			}
			if string(id) != string(b.ID(i)) {
				return corruptf("document %d is stored under another id than its chunk has", doc)
			}
		}
		next = first + uint32(b.Len())
	}
	if skipDropped(next, c.iv.nextDoc) != c.iv.nextDoc {
		return corruptf("the stored records end at document %d, the numbers at %d", next, c.iv.nextDoc)
	}
	return it.Err()
}

// ids verifies that the id map and the live documents are the same.
func (c *checker) ids() error {
	lo, hi := storage.IDRange(c.iv.ix.number)
	it, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	n := int64(0)
	for ok := it.First(); ok; ok = it.Next() {
		_, id, err := storage.ParseIDKey(it.Key())
		if err != nil {
			return err
		}
		doc, version, err := decodeIDEntry(it.Value())
		if err != nil {
			return err
		}
		if version > c.iv.version {
			return corruptf("an id has version %d, the index %d", version, c.iv.version)
		}
		ref := c.iv.chunkOf(doc)
		if ref == nil || c.iv.isDead(doc) {
			return corruptf("an id leads to document %d, which is deleted or not there", doc)
		}
		got, err := ref.chunk.ID(int(doc - ref.base()))
		if err != nil {
			return err
		}
		if string(got) != id {
			return corruptf("an id leads to document %d, which has another id", doc)
		}
		if err := c.version(ref, doc, version); err != nil {
			return err
		}
		n++
	}
	if n != c.iv.stats.Docs {
		return corruptf("there are %d ids, the statistics say %d records", n, c.iv.stats.Docs)
	}
	return it.Err()
}

// stats verifies the statistics against the norms of all live documents.
func (c *checker) stats() error {
	var want stats
	for _, ref := range c.iv.chunks {
		n, all, err := norms(ref.chunk, len(c.iv.schema.text))
		if err != nil {
			return err
		}
		for i := range ref.chunk.Len() {
			if !c.iv.isDead(posting.DocID(ref.base() + uint32(i))) {
				want.add(n, all, i, 1)
			}
		}
	}
	got := c.iv.stats
	if got.Docs != want.Docs || got.All != want.All {
		return corruptf("the statistics are %+v, the documents give %+v", got, want)
	}
	for f := range max(len(got.Fields), len(want.Fields)) {
		if fieldAt(got.Fields, f) != fieldAt(want.Fields, f) {
			return corruptf("the statistics of text field %d are %+v, the documents give %+v", f, fieldAt(got.Fields, f), fieldAt(want.Fields, f))
		}
	}
	return nil
}

func fieldAt(s []fieldStat, i int) fieldStat {
	if i < len(s) {
		return s[i]
	}
	return fieldStat{}
}

// Stats is figures for operators.
type Stats struct {
	Version uint64
	Indexes []IndexStats // by name
	Storage storage.Metrics
	Cache   CacheStats
}

// CacheStats describes what is kept for the next search.
type CacheStats struct {
	Lists  int   // posting lists
	Bytes  int64 // of posting lists
	Values int64 // bytes of record ids, lengths of texts and values of fields
	All    int64 // bytes of all caches, without those of Stats.Storage
}

// IndexStats describes what an index is made of.
type IndexStats struct {
	Name     string
	Records  int64 // live records
	Deleted  int64 // documents that are deleted but still take place in pages
	NextDoc  uint32
	Segments []SegmentStats // by document
	Chunks   []ChunkStats   // by document
	Parts    []PartStats
}

// SegmentStats describes a segment.
type SegmentStats struct {
	ID             uint32 // 0: in memory only
	MinDoc, MaxDoc uint32
	Docs           int
	Terms          int // of all spaces
	LongTerms      int // with a posting list of their own
	Postings       int64
	// Bytes by part: the meta part, dictionary blocks with the postings of
	// rare terms, posting lists, positions.
	MetaBytes, BlockBytes, ListBytes, PositionBytes int64
}

// ChunkStats describes a chunk of a page.
type ChunkStats struct {
	ID    uint32 // 0: in memory only
	Base  uint32
	Docs  int
	Bytes int64 // held in memory
}

// Stats returns figures of the newest view.
func (e *Engine) Stats() Stats {
	v, err := e.acquire()
	if err != nil {
		return Stats{}
	}
	defer e.release(v)
	out := Stats{Version: v.version, Storage: e.store.Metrics(), Cache: e.cacheStats()}
	for _, name := range v.names() {
		out.Indexes = append(out.Indexes, e.indexStats(name, v.indexes[name]))
	}
	return out
}

func (e *Engine) indexStats(name string, iv *indexView) IndexStats {
	s := IndexStats{Name: name, Records: iv.stats.Docs, NextDoc: iv.nextDoc, Deleted: -iv.stats.Docs}
	for _, g := range iv.segs {
		m := g.meta
		s.Segments = append(s.Segments, SegmentStats{
			ID: g.id, MinDoc: m.MinDoc, MaxDoc: m.MaxDoc, Docs: m.Docs, Terms: m.Terms, LongTerms: m.LongTerms, Postings: m.Postings,
			MetaBytes: m.Bytes[0], BlockBytes: m.Bytes[1], ListBytes: m.Bytes[2], PositionBytes: m.Bytes[3],
		})
	}
	for _, c := range iv.chunks {
		s.Deleted += int64(c.chunk.Len())
		s.Chunks = append(s.Chunks, ChunkStats{ID: c.id, Base: c.base(), Docs: c.chunk.Len(), Bytes: c.chunk.Bytes()})
	}
	s.Parts = e.parts(iv)
	return s
}

// vectors verifies that what the head promises is there and can be read, and
// is of documents that there are.
func (c *checker) vectors() error {
	v, err := c.e.vectorsOf(c.iv.ix)
	if err != nil || v == nil {
		return err
	}
	// The vectors may be newer than the view, never beyond what was written.
	c.e.mu.Lock()
	next := c.iv.ix.nextDoc
	c.e.mu.Unlock()
	if v.head.NextDoc > next {
		return corruptf("there are vectors of documents up to %d, the numbers end at %d", v.head.NextDoc, next)
	}
	return nil
}
