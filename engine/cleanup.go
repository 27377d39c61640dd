package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// A page of which most documents are deleted still takes the space of all of
// them. It is emptied by writing its live records again, through the ordinary
// path of a batch, which gives them new numbers; once it is flushed that no
// document of the page lives, and no segment has any of them, the page is
// dropped: its chunk, its stored blocks and its tombstones.

// emptyShare is the share of deleted documents from which a page is emptied.
// At a half, every record is written again at most once for each that died.
const emptyShare = 0.5

// moveRecords is how many records are written again at once. Writers wait
// meanwhile.
const moveRecords = 500

// cleanRound empties and drops pages where it is due, in all indexes.
func (e *Engine) cleanRound(ctx context.Context) error {
	due := func(iv *indexView) bool { return len(iv.sparsePages()) > 0 }
	for _, ix := range e.indexesWhere(due) {
		v, iv, err := e.acquireIndex(ix)
		if err != nil || iv == nil {
			return err
		}
		pages, name := iv.sparsePages(), v.nameOf(ix)
		e.release(v)
		emptied := pages[:0]
		for _, p := range pages {
			// A record that was put under a schema which it does not fit any more
			// keeps its page: no other page has to wait for it.
			var unfit *InvalidError
			switch err := e.emptyPage(ctx, ix, p); {
			case errors.As(err, &unfit):
				e.background(fmt.Errorf("index %q: page %d keeps its deleted records: one that is not deleted does not fit the schema: %w", name, p, err))
			case err != nil:
				return err
			default:
				emptied = append(emptied, p)
			}
		}
		if len(emptied) == 0 {
			continue
		}
		if err := e.flushIndex(ctx, ix); err != nil {
			return err
		}
		for _, p := range emptied {
			if err := e.dropPage(ctx, ix, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// misfit is a record that keeps its page from being emptied, as it does not fit
// the schema.
type misfit struct {
	schema *compiled
	doc    posting.DocID
}

// sparsePages returns the pages that are due to be emptied: those that are
// full and on disk and mostly dead, and have no misfit that is known.
func (v *indexView) sparsePages() []uint16 {
	var out []uint16
	for _, c := range v.chunks {
		p := uint16(c.base() >> 16)
		d := v.dead[p]
		if c.id != 0 && c.chunk.Len() == page.Size && d != nil && float64(d.Count()) >= emptyShare*page.Size {
			if m, ok := v.ix.misfits.Load(p); ok && m.(misfit).schema == v.schema && !v.isDead(m.(misfit).doc) {
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

// emptyPage writes the live records of a page again.
func (e *Engine) emptyPage(ctx context.Context, ix *index, p uint16) error {
	for from := 0; from < page.Size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if from, err = e.moveSome(ctx, ix, p, from); err != nil {
			return err
		}
	}
	return nil
}

// moveSome writes live records of a page again, those from the place from on,
// and returns the place to go on from. It holds Engine.mu, so that nobody
// writes the records meanwhile.
func (e *Engine) moveSome(ctx context.Context, ix *index, p uint16, from int) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last != nil {
		e.last.wait()
	}
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return page.Size, err
	}
	defer e.release(v)
	var b Batch
	var docs []posting.DocID // by operation
	name := v.nameOf(ix)
	for ; from < page.Size && len(b.Ops) < moveRecords; from++ {
		doc := uint32(p)<<16 | uint32(from)
		if iv.isDead(doc) {
			continue
		}
		id, record, err := e.storedRecord(v.kv, ix.number, doc)
		if err != nil {
			return 0, err
		}
		entry, err := v.kv.Get(storage.IDKey(ix.number, id))
		if err != nil {
			return 0, err
		}
		_, version, err := decodeIDEntry(entry)
		if err != nil {
			return 0, err
		}
		docs = append(docs, doc)
		b.Ops = append(b.Ops, Op{Kind: OpPut, Index: name, ID: id, Record: record, version: version})
	}
	if len(b.Ops) == 0 {
		return from, nil
	}
	w := &batchWork{e: e, ctx: ctx, batch: &b, locked: true, internal: true}
	_, err = w.run()
	var unfit *InvalidError
	if errors.As(err, &unfit) {
		ix.misfits.Store(p, misfit{iv.schema, docs[max(0, unfit.Problems[0].Position)]})
	}
	return from, err
}

// dropPage drops a page whose documents are all dead.
func (e *Engine) dropPage(ctx context.Context, ix *index, p uint16) error {
	// The segments that have documents of the page are written without them.
	holds := func(iv *indexView) (from, to int) {
		for i, s := range iv.disk() {
			if slices.Contains(s.meta.Pages, p) {
				return i, i + 1
			}
		}
		return 0, 0
	}
	for {
		v, iv, err := e.acquireIndex(ix)
		if err != nil || iv == nil {
			return err
		}
		d := iv.dead[p]
		all := d != nil && d.Count() == page.Size
		from, to := holds(iv)
		e.release(v)
		if !all {
			return nil // a record came to life between emptying and flushing
		}
		if from == to {
			break
		}
		if err := e.mergeIndex(ctx, ix, holds); err != nil {
			return err
		}
	}
	ix.diskMu.Lock()
	defer ix.diskMu.Unlock()
	// What a crash left goes first: afterwards the chunk of the page would be taken
	// for that, though a snapshot may see it.
	if err := e.dropOrphanParts(ix); err != nil {
		return err
	}
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	first := uint32(p) << 16
	// The log must not delete documents of the page any more: recovery would
	// look for them.
	if ix.disk.NextDoc < first+page.Size || !e.flushedDead(ix, p) {
		return nil
	}
	ref := iv.chunkOf(first)
	if ref == nil {
		return nil
	}
	next := ix.disk
	next.Chunks = slices.DeleteFunc(slices.Clone(next.Chunks), func(c chunkDesc) bool { return c.ID == ref.id })
	b := e.store.NewBatch()
	b.Set(storage.ManifestKey(ix.number), seal(next.encode()))
	b.Delete(storage.TombstoneKey(ix.number, p))
	b.DeleteRange(blocksOfPage(ix.number, p))
	for f := range iv.schema.vectorFields() {
		b.DeleteRange(runsOfPage(ix.number, f, p))
	}
	// The new view gets a snapshot without the blocks, for which everything
	// that is in the store has to be published.
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last != nil {
		e.last.wait()
	}
	if err := e.store.Commit(b); err != nil {
		return err
	}
	ix.disk = next
	kv := &sharedSnapshot{Snapshot: e.store.NewSnapshot()}
	kv.refs.Store(1)
	lo, hi := storage.SegmentRange(ix.number, ref.id)
	err = e.publish(kv, []keyRange{{lo: lo, hi: hi}}, func(v *view) error {
		name := v.nameOf(ix)
		if name == "" {
			return nil
		}
		now := v.indexes[name].clone()
		now.chunks = slices.DeleteFunc(slices.Clone(now.chunks), func(c *chunkRef) bool { return c == ref })
		now.dead = mapsWithout(now.dead, p)
		now.deadGen++
		v.indexes[name] = now
		return nil
	})
	if err != nil {
		kv.release()
	}
	return err
}

// blocksOfPage is the range of the stored blocks of a page.
func blocksOfPage(ix uint32, p uint16) (lo, hi []byte) {
	lo, _ = storage.BlockRange(ix, uint32(p)<<16, ^uint32(0))
	hi = storage.BlockKey(ix, uint32(p)<<16|0xffff)
	return lo, append(hi, 0)
}

// flushedDead tells whether the tombstones on disk say that the whole page is
// dead.
func (e *Engine) flushedDead(ix *index, p uint16) bool {
	b, err := e.store.Get(storage.TombstoneKey(ix.number, p))
	if err != nil {
		return false
	}
	d, err := page.DecodeDead(b)
	return err == nil && d.Count() == page.Size
}

func mapsWithout(m map[uint16]*page.Dead, p uint16) map[uint16]*page.Dead {
	out := make(map[uint16]*page.Dead, len(m))
	for k, d := range m {
		if k != p {
			out[k] = d
		}
	}
	return out
}
