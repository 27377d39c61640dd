package engine

import (
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// view is what all readers of the engine see at one version. It never
// changes. A reader holds it between acquire and release; when nobody holds
// it any more, what only it could see may be deleted.
type view struct {
	version uint64
	number  uint64 // counts published views; several may have one version
	indexes map[string]*indexView
	kv      *sharedSnapshot
	refs    atomic.Int64 // 1 for being the newest, 1 for each reader
}

// names returns the names of all indexes, sorted.
func (v *view) names() []string { return slices.Sorted(maps.Keys(v.indexes)) }

// nameOf returns the name of an index in the view.
func (v *view) nameOf(ix *index) string {
	for name, iv := range v.indexes {
		if iv.ix == ix {
			return name
		}
	}
	return ""
}

// sharedSnapshot is a snapshot of the store that several views share.
type sharedSnapshot struct {
	*storage.Snapshot
	refs atomic.Int64
}

func (s *sharedSnapshot) release() {
	if s.refs.Add(-1) == 0 {
		s.Snapshot.Close()
	}
}

// indexView is one index in a view.
type indexView struct {
	ix      *index
	version uint64 // of the last batch that changed it
	schema  *compiled
	created time.Time
	updated time.Time
	segs    []*segmentRef // ascending, disjoint ranges of documents
	chunks  []*chunkRef   // ascending, disjoint ranges of documents
	dead    map[uint16]*page.Dead
	deadGen uint64 // changes with dead
	stats   stats
	nextDoc posting.DocID

	ready    lazy[[]search.Segment]      // without what scores: see segments
	uid      lazy[uint64]                // see wordFacts
	params   lazy[rankingParams]         // see searcher.paramsOf
	sized    atomic.Pointer[sizing]      // what size has found last
	mu       sync.Mutex                  // guards scorings
	scorings map[string][]search.Segment // see scored
}

// segmentRef is a segment and where it lives.
type segmentRef struct {
	id     uint32 // on disk; 0: in memory only
	uid    uint64 // unique in the process, for caches
	reader *segment.Reader
	meta   segment.Meta
	bytes  int64
	parts  tally // see segmentDesc
}

// chunkRef is a chunk and where it lives.
type chunkRef struct {
	id      uint32 // on disk; 0: in memory only
	chunk   *page.Chunk
	summary []byte        // of a chunk on disk: the part that the manifest keeps
	parts   tally         // of a chunk on disk: see segmentDesc
	norm    atomic.Uint32 // 1 + the largest of all text fields together, once it is known
	lengths atomic.Bool   // the norms of all text fields are in memory, where they stay
}

// readNorms brings the norms of all text fields into memory.
func (c *chunkRef) readNorms() error {
	if c.lengths.Load() {
		return nil
	}
	if _, _, err := norms(c.chunk, c.chunk.TextFields()); err != nil {
		return err
	}
	c.lengths.Store(true)
	return nil
}

// longest returns the largest norm of a text of the chunks: that of all fields
// together is none below that of one of them.
func longest(chunks []*chunkRef) (byte, error) {
	var most byte
	for _, c := range chunks {
		known := c.norm.Load()
		if known == 0 {
			all, err := c.chunk.Norms(page.AllFields)
			if err != nil {
				return 0, err
			}
			for _, n := range all {
				known = max(known, uint32(n))
			}
			known++
			c.norm.Store(known)
		}
		most = max(most, byte(known-1))
	}
	return most, nil
}

func (c *chunkRef) base() uint32 { return c.chunk.Base() }
func (c *chunkRef) end() uint32  { return c.chunk.Base() + uint32(c.chunk.Len()) }

func (v *indexView) clone() *indexView {
	return &indexView{
		ix: v.ix, version: v.version, schema: v.schema, created: v.created, updated: v.updated,
		segs: v.segs, chunks: v.chunks, dead: v.dead, deadGen: v.deadGen, stats: v.stats, nextDoc: v.nextDoc,
	}
}

// size is about how many bytes the index takes: on disk, as the store
// estimates it, and in segments in memory. The store is asked at most once a
// second and view, so that listing many indexes is cheap while nothing is
// written to them.
func (v *indexView) size(store *storage.Store) int64 {
	if s := v.sized.Load(); s != nil && time.Since(s.at) < time.Second {
		return s.bytes
	}
	disk, err := store.DiskBytes(storage.IndexRange(v.ix.number))
	if err != nil {
		return 0
	}
	n := int64(disk)
	for _, s := range v.segs {
		if s.id == 0 {
			n += s.bytes
		}
	}
	v.sized.Store(&sizing{n, time.Now()})
	return n
}

// sizing is the size of an index at a time.
type sizing struct {
	bytes int64
	at    time.Time
}

// chunkOf returns the chunk that describes a document, or nil.
func (v *indexView) chunkOf(doc posting.DocID) *chunkRef {
	i := sort.Search(len(v.chunks), func(i int) bool { return v.chunks[i].end() > doc })
	if i == len(v.chunks) || v.chunks[i].base() > doc {
		return nil
	}
	return v.chunks[i]
}

// isDead tells whether a document is deleted.
func (v *indexView) isDead(doc posting.DocID) bool {
	d := v.dead[uint16(doc>>16)]
	return d != nil && d.Contains(uint16(doc))
}

// segments returns the segments as queries need them, without lists.
func (v *indexView) segments() ([]search.Segment, error) {
	return v.ready.get(v.prepare)
}

func (v *indexView) prepare() ([]search.Segment, error) {
	out := make([]search.Segment, len(v.segs))
	for i, s := range v.segs {
		for _, p := range s.meta.Pages {
			lo, hi := max(uint32(p)<<16, s.meta.MinDoc), min(uint32(p)<<16|0xffff, s.meta.MaxDoc)
			c := v.chunkOf(lo)
			if c == nil || c.end() <= hi {
				return nil, corruptf("index %d: documents %d to %d are in segment %d but in no page", v.ix.number, lo, hi, s.id)
			}
			n, _, err := norms(c.chunk, s.meta.TextFields)
			if err != nil {
				return nil, err
			}
			slot := search.Slot{Page: p, First: uint16(lo), Last: uint16(hi), Norms: n, NormBase: uint16(c.base())}
			if d := v.dead[p]; d != nil && d.Count() > 0 {
				slot.Dead = d.Words()
			}
			out[i].Slots = append(out[i].Slots, slot)
		}
	}
	return out, nil
}

// enter begins a call that Close has to wait for, until leave. It fails only
// after Close.
func (e *Engine) enter() error {
	e.calls.Add(1) // first: a Close that does not count it has taken the view away before
	if e.view.Load() == nil {
		e.leave()
		return ErrClosed
	}
	return nil
}

func (e *Engine) leave() {
	if e.calls.Add(-1) == 0 && e.view.Load() == nil {
		select {
		case e.idle <- struct{}{}:
		default: // Close has not yet looked at the one before
		}
	}
}

// acquire returns the newest view, held: a call that Close waits for has begun,
// until release. It fails only after Close.
func (e *Engine) acquire() (*view, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	for {
		v := e.view.Load()
		if v == nil {
			e.leave()
			return nil, ErrClosed
		}
		for n := v.refs.Load(); n > 0; n = v.refs.Load() {
			if v.refs.CompareAndSwap(n, n+1) {
				return v, nil
			}
		}
	}
}

// release gives back a view that acquire has returned.
func (e *Engine) release(v *view) {
	e.drop(v)
	e.leave()
}

// drop takes one from the holders of a view.
func (e *Engine) drop(v *view) {
	if v.refs.Add(-1) > 0 {
		return
	}
	v.kv.release()
	e.forget(v)
	e.pubMu.Lock()
	delete(e.live, v.number)
	waiting := len(e.retired) > 0
	e.pubMu.Unlock()
	if waiting {
		e.kick()
	}
}

// publish makes a new view out of the newest one. change may alter the copy's
// version and indexes; kv, when not nil, is the snapshot of the store that
// belongs to it. retired are key ranges that the new view does not read.
// If change fails nothing is published.
func (e *Engine) publish(kv *sharedSnapshot, retired []keyRange, change func(v *view) error) error {
	e.pubMu.Lock()
	old := e.view.Load()
	if old == nil {
		e.pubMu.Unlock()
		return ErrClosed
	}
	v := &view{version: old.version, number: old.number + 1, kv: kv}
	v.indexes = make(map[string]*indexView, len(old.indexes)+1)
	for name, iv := range old.indexes {
		v.indexes[name] = iv
	}
	if err := change(v); err != nil {
		e.pubMu.Unlock()
		return err
	}
	if kv == nil {
		v.kv = old.kv
		v.kv.refs.Add(1)
	}
	v.refs.Store(1)
	e.live[v.number] = struct{}{}
	for _, r := range retired {
		r.after = v.number
		e.retired = append(e.retired, r)
	}
	e.view.Store(v)
	close(e.changed)
	e.changed = make(chan struct{})
	e.pubMu.Unlock()
	e.drop(old)
	return nil
}

// keyRange is a range of keys that no view with a number of at least after
// reads.
type keyRange struct {
	lo, hi []byte
	after  uint64
}

// reap deletes the key ranges that no live view reads any more. Those that it
// cannot delete, as on a full disk, wait for the next call. What it does not get to
// is an orphan that the next Open deletes.
func (e *Engine) reap() error {
	e.pubMu.Lock()
	oldest := ^uint64(0)
	for n := range e.live {
		oldest = min(oldest, n)
	}
	var gone, kept []keyRange
	for _, r := range e.retired {
		if r.after <= oldest {
			gone = append(gone, r)
		} else {
			kept = append(kept, r)
		}
	}
	e.retired = kept
	e.pubMu.Unlock()
	if len(gone) == 0 {
		return nil
	}
	b := e.store.NewBatch()
	for _, r := range gone {
		b.DeleteRange(r.lo, r.hi)
	}
	err := e.store.Commit(b)
	if err != nil {
		e.retire(gone...)
	}
	return err
}

// retire has key ranges deleted by reap.
func (e *Engine) retire(ranges ...keyRange) {
	e.pubMu.Lock()
	e.retired = append(e.retired, ranges...)
	e.pubMu.Unlock()
}
