package engine

import (
	"container/list"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// listCache keeps posting lists that were read from segments, up to a number
// of bytes, the least recently used going first. Lists own their bytes, so
// they outlive the segment that they came from. It also knows terms that a
// segment does not have.
type listCache struct {
	shards [16]listShard
}

type listShard struct {
	mu     sync.Mutex
	budget int64
	bytes  int64
	byKey  map[listKey]*list.Element
	recent list.List // of *listEntry, the most recent in front
}

type listKey struct {
	segment uint64 // segmentRef.uid
	key     string // space and term
	pos     bool   // with positions
}

type listEntry struct {
	key  listKey
	list *posting.List // nil: the segment has no such term
	size int64
	dead atomic.Pointer[deadCount]
}

// deadCount is how many documents of a list are deleted in one generation of
// deleted documents.
type deadCount struct {
	gen uint64
	n   int
}

func newListCache(budget int64) *listCache {
	c := &listCache{}
	for i := range c.shards {
		s := &c.shards[i]
		s.budget = budget / int64(len(c.shards))
		s.byKey = map[listKey]*list.Element{}
	}
	return c
}

func (c *listCache) shard(k listKey) *listShard {
	h := uint64(14695981039346656037) ^ k.segment
	for i := range len(k.key) {
		h = (h ^ uint64(k.key[i])) * 1099511628211
	}
	return &c.shards[bits.RotateLeft64(h, 17)&15]
}

// load returns the entry of a list, which read reads if it is not here.
func (c *listCache) load(k listKey, read func() (*posting.List, int, error)) (*listEntry, error) {
	s := c.shard(k)
	s.mu.Lock()
	if el, ok := s.byKey[k]; ok {
		s.recent.MoveToFront(el)
		s.mu.Unlock()
		return el.Value.(*listEntry), nil
	}
	s.mu.Unlock()
	l, size, err := read()
	if err != nil {
		return nil, err
	}
	entry := &listEntry{key: k, list: l, size: int64(size + len(k.key) + entryOverhead)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if el, ok := s.byKey[k]; ok {
		return el.Value.(*listEntry), nil
	}
	if entry.size > s.budget/2 {
		return entry, nil // it would push everything else out
	}
	s.byKey[k] = s.recent.PushFront(entry)
	for s.bytes += entry.size; s.bytes > s.budget; {
		el := s.recent.Back()
		old := s.recent.Remove(el).(*listEntry)
		delete(s.byKey, old.key)
		s.bytes -= old.size
	}
	return entry, nil
}

// entryOverhead is about what an entry without postings takes in memory.
const entryOverhead = 256

// liveDF is the number of live documents of the entry's list in a view.
func (en *listEntry) liveDF(iv *indexView) int {
	if en.list == nil {
		return 0
	}
	if len(iv.dead) == 0 {
		return en.list.DF
	}
	if d := en.dead.Load(); d != nil && d.gen == iv.deadGen {
		return en.list.DF - d.n
	}
	n := 0
	for i := range en.list.Containers {
		c := &en.list.Containers[i]
		if words := iv.deadWords(c.Page); words != nil {
			n += c.AndCount(words)
		}
	}
	en.dead.Store(&deadCount{iv.deadGen, n})
	return en.list.DF - n
}

func (c *listCache) stats() (out CacheStats) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		out.Lists += len(s.byKey)
		out.Bytes += s.bytes
		s.mu.Unlock()
	}
	return out
}
