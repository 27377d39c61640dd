package engine

import (
	"sync"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/page"
)

// cacheMemory is what the caches may take together. Each has a limit of its own, and
// the limits are more than there is: what some do not need, others use. Where all
// together take too much, the one shrinks that is furthest above what it is sure of,
// of those that are dear only if no other is above it.
type cacheMemory struct {
	limit  int64
	bytes  atomic.Int64
	shares []*cacheShare
	mu     sync.Mutex // of whoever makes room
}

// cacheShare is the part of a cache in a cacheMemory. Nil is that of a cache which
// is on its own.
type cacheShare struct {
	all    *cacheMemory
	sure   int64
	dear   bool // what it holds is large, and takes long to make
	bytes  atomic.Int64
	shrink func(bytes int64) // forgets values of that many bytes, as far as it can
}

// join adds a cache that is sure of so many bytes. All join before the first is
// used.
func (m *cacheMemory) join(sure int64, shrink func(bytes int64)) *cacheShare {
	s := &cacheShare{all: m, sure: sure, shrink: shrink}
	m.shares = append(m.shares, s)
	return s
}

// count adds to what the cache takes. It may be called with its lock held.
func (s *cacheShare) count(bytes int64) {
	if s != nil {
		s.bytes.Add(bytes)
		s.all.bytes.Add(bytes)
	}
}

// crowded tells whether next to nothing of the memory is left.
func (s *cacheShare) crowded() bool {
	return s != nil && s.all.bytes.Load() > s.all.limit-s.all.limit/16
}

// settle makes room if all together take too much. It must not be called with the
// lock of a cache held.
func (s *cacheShare) settle() {
	if s == nil || s.all.bytes.Load() <= s.all.limit {
		return
	}
	m := s.all
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		over := m.bytes.Load() - m.limit
		victim, excess := m.furthest(false)
		if victim == nil {
			victim, excess = m.furthest(true)
		}
		if over <= 0 || victim == nil {
			return
		}
		before := victim.bytes.Load()
		if victim.shrink(min(over, excess)); victim.bytes.Load() >= before {
			return // it is in use; whoever counts next makes room
		}
	}
}

// furthest returns the cache, dear or not, that is furthest above what it is sure
// of, nil if none is.
func (m *cacheMemory) furthest(dear bool) (victim *cacheShare, excess int64) {
	for _, s := range m.shares {
		if above := s.bytes.Load() - s.sure; s.dear == dear && above > excess {
			victim, excess = s, above
		}
	}
	return victim, excess
}

// storeCache is what the store's own cache may take of the memory, always.
func (o *Options) storeCache() int64 {
	if o.caches != 0 {
		return o.caches
	}
	return o.Memory / 4
}

// makeCaches divides the memory.
func (e *Engine) makeCaches() {
	all, o := e.opts.Memory, &e.opts
	ours := all - o.storeCache()
	if o.caches != 0 {
		ours, all = o.caches, o.caches
	}
	// What VectorOptions ask for beyond their defaults is more memory.
	defaults := VectorOptions{}.withDefaults(o.Memory)
	m := &cacheMemory{limit: ours +
		max(0, o.Vectors.Memory-defaults.Memory) + max(0, o.Vectors.FieldMemory-defaults.FieldMemory)}

	// The words of a large segment, and the values of its facets, are read all at
	// once, for up to a second: better to have them, and little else, than to read
	// them for every search.
	e.words = newLRU[uint64, *fuzzy.Lexicon](ours * 3 / 4)
	e.words.largest = e.words.budget
	e.words.join(m, all/8).dear = true
	e.values = newLRU[lexiconKey, *valueLexicon](ours / 2)
	e.values.largest = e.values.budget
	e.values.join(m, all/32).dear = true
	e.vectors = newLRU[uint32, *vectors](o.Vectors.Memory)
	e.vectors.join(m, o.Vectors.Memory).dear = true
	e.fields = newLRU[fieldBlockKey, *fieldBlock](o.Vectors.FieldMemory)
	e.fields.join(m, o.Vectors.FieldMemory-min(o.Vectors.FieldMemory, defaults.FieldMemory)/2)

	e.lists = newListCache(all / 2)
	e.lists.join(m, all/16)
	e.recent = newBlockCache(all / 8)
	e.recent.join(m, all/32)
	e.filters = newFilterCache(all/16, o.cachedDocs)
	e.filters.join(m, all/64)
	e.dicts = newLRU[dictBlock, []byte](all / 16)
	e.dicts.join(m, all/64)
	e.domains = newLRU[string, *intent.Domain](all / 64)
	e.domains.join(m, all/128)
	e.facts = newWordFacts(all / 8)
	e.facts.join(m, all/128)

	var columns *cacheShare
	e.columns = page.NewPool(all/2, page.PoolOptions{
		Changed: func(bytes int64) {
			if columns.count(bytes); bytes > 0 {
				columns.settle()
			}
		},
		Short: func() bool { return columns.crowded() },
	})
	columns = m.join(all/16, e.columns.Shrink)
	e.caches = m
}

func (e *Engine) cacheStats() CacheStats {
	s := CacheStats{Values: e.columns.Bytes(), All: e.caches.bytes.Load()}
	s.Lists, s.Bytes = e.lists.size()
	return s
}

// forget gives up what is kept of the segments and chunks that were in a view which
// nobody holds any more, and are not in the newest one. A lexicon takes megabytes,
// and so do the values of a chunk: those of parts that were merged would push out
// nothing before the memory for them is full. Who loads one holds a view with its
// segment or chunk, so none outlives the last of these. Posting lists need no such
// care: what is read of a new segment puts out what is kept of those that it replaces.
func (e *Engine) forget(old *view) {
	newest := e.view.Load()
	if newest == nil {
		return // closed
	}
	segs, chunks := map[uint64]bool{}, map[*page.Chunk]bool{}
	for name, iv := range old.indexes {
		if newest.indexes[name] != iv {
			for _, s := range iv.segs {
				segs[s.uid] = true
			}
			for _, c := range iv.chunks {
				chunks[c.chunk] = true
			}
		}
	}
	for name, iv := range newest.indexes {
		if old.indexes[name] != iv {
			for _, s := range iv.segs {
				delete(segs, s.uid)
			}
			for _, c := range iv.chunks {
				delete(chunks, c.chunk)
			}
		}
	}
	if len(segs) > 0 {
		e.words.removeIf(func(uid uint64) bool { return segs[uid] })
		e.values.removeIf(func(k lexiconKey) bool { return segs[k.segment] })
	}
	for c := range chunks {
		c.Drop()
	}
}
