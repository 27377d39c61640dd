package engine

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"time"

	"github.com/quarry-search/quarry/storage"
)

// mergeRound merges segments on disk where it is due, in all indexes.
func (e *Engine) mergeRound(ctx context.Context) error {
	var errs []error
	for _, ix := range e.indexesWhere(e.mergeDue) {
		err := e.mergeIndex(ctx, ix, (*indexView).planDisk)
		errs = append(errs, err)
		if err == nil {
			e.kick() // there may be more to do
		}
	}
	return errors.Join(errs...)
}

// mergeDue tells whether mergeRound is to merge segments of an index.
func (e *Engine) mergeDue(iv *indexView) bool {
	from, to := iv.planDisk()
	return from < to && !e.opts.NoMerge
}

func (v *indexView) planDisk() (from, to int) {
	disk := v.disk()
	dead := make([]float64, len(disk))
	for i, s := range disk {
		dead[i] = v.deadShare(s)
	}
	return planDisk(sizes(disk), dead, v.ix.awaited.Load())
}

// deadShare is the share of a segment's documents that are deleted but not yet
// purged from it.
func (v *indexView) deadShare(s *segmentRef) float64 {
	if len(v.dead) == 0 || s.meta.Docs == 0 {
		return 0
	}
	live := 0
	for _, p := range s.meta.Pages {
		lo, hi := max(uint32(p)<<16, s.meta.MinDoc)&0xffff, min(uint32(p)<<16|0xffff, s.meta.MaxDoc)&0xffff
		n := int(hi-lo) + 1
		if words := v.deadWords(p); words != nil {
			n -= countRange(words, int(lo), int(hi))
		}
		live += n
	}
	return max(0, 1-float64(live)/float64(s.meta.Docs))
}

// countRange counts the bits from lo to hi, both included.
func countRange(words *[1024]uint64, lo, hi int) int {
	n := 0
	for w := lo >> 6; w <= hi>>6; w++ {
		v := words[w]
		if w == lo>>6 {
			v &= ^uint64(0) << (lo & 63)
		}
		if w == hi>>6 {
			v &= ^uint64(0) >> (63 - hi&63)
		}
		n += bits.OnesCount64(v)
	}
	return n
}

// mergeIndex merges the segments on disk that plan names. The merge itself
// runs beside writes, flushes and queries; only its end takes diskMu.
func (e *Engine) mergeIndex(ctx context.Context, ix *index, plan func(*indexView) (from, to int)) error {
	tell := func() {} // when no lock is held any more
	defer func() { tell() }()
	ix.mergeMu.Lock()
	defer ix.mergeMu.Unlock()
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	from, to := plan(iv)
	if from >= to {
		return nil
	}
	start := time.Now()
	run := slices.Clone(iv.disk()[from:to])
	id, err := e.newPart(ix)
	if err != nil {
		return err
	}
	w := tableSet{e: e, ix: ix.number, pack: true}
	defer w.abort()
	left := false
	defer func() {
		if left {
			e.discard(ix, id, id+1)
		}
	}()
	size, err := e.mergeInto(ctx, iv, run, &w, id)
	if err != nil {
		return err
	}
	left = true
	if err := w.ingest(ctx); err != nil {
		return err
	}
	var fresh []*segmentRef
	if size.Docs > 0 {
		ref, err := e.openSegment(ix.number, segmentDesc{ID: id, Bytes: totalBytes(size), Parts: w.parts})
		if err != nil {
			return err
		}
		fresh = append(fresh, ref)
	}

	ix.diskMu.Lock()
	defer ix.diskMu.Unlock()
	next := ix.disk
	next.Segments = replaceDescs(ix.disk.Segments, run, fresh)
	b := e.store.NewBatch()
	b.Set(storage.ManifestKey(ix.number), seal(next.encode()))
	if len(fresh) == 0 {
		lo, hi := storage.SegmentRange(ix.number, id)
		b.DeleteRange(lo, hi)
	}
	if err := e.store.Commit(b); err != nil {
		return err
	}
	ix.disk, left = next, false
	if err := e.replaceParts(ix, run, fresh, nil, nil); err != nil {
		return err
	}
	if f := e.opts.Events.Merged; f != nil {
		tell = func() { f(v.nameOf(ix), len(run), time.Since(start)) }
	}
	return nil
}

// newPart gives out a number for a segment or chunk. It is on disk with the
// next manifest; until then parts under it are orphans.
func (e *Engine) newPart(ix *index) (uint32, error) {
	ix.diskMu.Lock()
	defer ix.diskMu.Unlock()
	if err := e.dropOrphanParts(ix); err != nil {
		return 0, err
	}
	id := ix.disk.NextPart
	ix.disk.NextPart++
	return id, nil
}

// replaceDescs puts fresh in the place of run, which are neighbours.
func replaceDescs(all []segmentDesc, run, fresh []*segmentRef) []segmentDesc {
	var out []segmentDesc
	for _, d := range all {
		i := slices.IndexFunc(run, func(s *segmentRef) bool { return s.id == d.ID })
		if i < 0 {
			out = append(out, d)
		} else if i == 0 {
			out = append(out, describeSegments(fresh)...)
		}
	}
	return out
}
