package engine

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// listCache keeps posting lists that were read from segments, and those that
// were made of them for the beginnings of words. Lists own their
// bytes, so they outlive the segment that they came from. It also knows terms
// that a segment does not have. It is divided, so that searches seldom wait
// for each other; of the divisions together, what is least recently used goes
// first. Large lists, which are those of the most frequent words
// with their positions, have a division of their own, which is only asked about
// what the others lack: up to half of the budget, they are not pushed out by
// small ones, which have all that is left.
type listCache struct {
	budget    int64
	shared    sharedBudget
	divisions [16]*lru[listKey, *listEntry]
	large     *lru[listKey, *listEntry]
}

type listKey struct {
	segment uint64 // segmentRef.uid
	key     string // space and term
	pos     bool   // with positions
	prefix  bool   // key is the beginning of words, see searchRun.expansion
}

type listEntry struct {
	list    *posting.List // nil: the segment has no such term
	dead    atomic.Pointer[deadCount]
	leaders search.Leaders // of list
}

// deadCount is how many documents of a list are deleted in one generation of
// deleted documents.
type deadCount struct {
	gen uint64
	n   int
}

func newListCache(budget int64) *listCache {
	c := &listCache{budget: budget}
	c.large = newSharingLRU[listKey, *listEntry](budget/2, &c.shared)
	for i := range c.divisions {
		c.divisions[i] = newSharingLRU[listKey, *listEntry](budget, &c.shared)
	}
	return c
}

// join makes the cache one of those that share m, sure of so many bytes.
func (c *listCache) join(m *cacheMemory, sure int64) {
	share := m.join(sure, c.shrink)
	for _, d := range append(c.divisions[:], c.large) {
		d.memory = share
	}
}

// load returns the entry of a list, which read reads if it is not here.
func (c *listCache) load(k listKey, read func() (*posting.List, int, error)) (*listEntry, error) {
	h := uint64(14695981039346656037) ^ k.segment
	for i := range len(k.key) {
		h = (h ^ uint64(k.key[i])) * 1099511628211 // FNV-1a
	}
	d := c.divisions[bits.RotateLeft64(h, 17)&15]
	if en, ok := d.find(k); ok {
		return en, nil
	}
	if en, ok := c.large.find(k); ok {
		return en, nil
	}
	l, size, err := read()
	if err != nil {
		return nil, err
	}
	if l != nil {
		size += search.LeadersSize(l.DF)
	}
	if size += len(k.key); int64(size) > c.budget/128 {
		d = c.large
	}
	en := d.add(k, &listEntry{list: l}, size)
	c.trim()
	return en, nil
}

// crowded tells whether lists had better take little room: soon others will have to go
// for them.
func (c *listCache) crowded() bool {
	return c.shared.bytes.Load() > c.budget/2 || c.large.memory.crowded()
}

// trim forgets small lists, the least recently used first, until all keep to the
// budget. Large ones do on their own.
func (c *listCache) trim() {
	for c.shared.bytes.Load() > c.budget && dropOldestOf(c.divisions[:]) {
	}
}

// shrink forgets lists, small and large, of so many bytes or more.
func (c *listCache) shrink(bytes int64) {
	all := append(c.divisions[:], c.large)
	for to := c.shared.bytes.Load() - bytes; c.shared.bytes.Load() > to && dropOldestOf(all); {
	}
}

// dropOldestOf forgets what is least recently used in all of the divisions, false
// if there is nothing.
func dropOldestOf(divisions []*lru[listKey, *listEntry]) bool {
	victim := divisions[0]
	for _, d := range divisions[1:] {
		if d.oldest.Load() < victim.oldest.Load() {
			victim = d
		}
	}
	if victim.oldest.Load() == math.MaxInt64 {
		return false
	}
	victim.dropOldest()
	return true
}

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

// size returns the number of lists and their bytes.
func (c *listCache) size() (lists int, bytes int64) {
	for _, d := range append(c.divisions[:], c.large) {
		n, size := d.size()
		lists += n
		bytes += size
	}
	return lists, bytes
}
