package engine

import (
	"container/list"
	"sync"
	"sync/atomic"
)

// lru keeps values up to a number of bytes, the least recently used going
// first. It is safe for concurrent use.
type lru[K comparable, V any] struct {
	clock  *atomic.Int64 // counts the uses of several that share a budget; nil: it has its own
	mu     sync.Mutex
	budget int64
	bytes  int64
	byKey  map[K]*list.Element
	recent list.List // of *lruEntry[K, V], the most recent in front
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
	size  int64
	used  int64 // by clock
}

// entryOverhead is about what an entry takes beside its value.
const entryOverhead = 256

func newLRU[K comparable, V any](budget int64) *lru[K, V] {
	return &lru[K, V]{budget: budget, byKey: map[K]*list.Element{}}
}

// load returns the value of a key, which read makes, with its size in bytes, if
// it is not here. Two callers may make the same value at the same time; both
// get one of them.
func (c *lru[K, V]) load(key K, read func() (V, int, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	v, size, err := read()
	if err != nil {
		return v, err
	}
	return c.add(key, v, size), nil
}

// find returns the value of a key, and whether it is here.
func (c *lru[K, V]) find(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[key]
	if !ok {
		return v, false
	}
	c.recent.MoveToFront(el)
	entry := el.Value.(*lruEntry[K, V])
	entry.used = c.now()
	return entry.value, true
}

// add keeps a value of size bytes, unless there is one of the key, which it
// returns.
func (c *lru[K, V]) add(key K, v V, size int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		return el.Value.(*lruEntry[K, V]).value
	}
	entry := &lruEntry[K, V]{key, v, int64(size) + entryOverhead, c.now()}
	if entry.size > c.budget/2 {
		return v // it would push everything else out
	}
	c.byKey[key] = c.recent.PushFront(entry)
	for c.bytes += entry.size; c.bytes > c.budget; {
		c.drop(c.recent.Back())
	}
	return v
}

// now is the next number of clock.
func (c *lru[K, V]) now() int64 {
	if c.clock == nil {
		return 0
	}
	return c.clock.Add(1)
}

// oldest returns when the least recently used value was used, false if there is
// none, and the bytes of all values.
func (c *lru[K, V]) oldest() (used, bytes int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.recent.Back(); el != nil {
		return el.Value.(*lruEntry[K, V]).used, c.bytes, true
	}
	return 0, c.bytes, false
}

// dropOldest forgets the least recently used value.
func (c *lru[K, V]) dropOldest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.recent.Back(); el != nil {
		c.drop(el)
	}
}

// replace puts a value in the place of the one that the key has, if any.
func (c *lru[K, V]) replace(key K, v V, size int) {
	c.remove(key)
	_, _ = c.load(key, func() (V, int, error) { return v, size, nil })
}

// remove forgets a key.
func (c *lru[K, V]) remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		c.drop(el)
	}
}

// removeIf forgets the keys for which f returns true. It looks at all of them.
func (c *lru[K, V]) removeIf(f func(key K) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, el := range c.byKey {
		if f(key) {
			c.drop(el)
		}
	}
}

// drop forgets an element. mu is held.
func (c *lru[K, V]) drop(el *list.Element) {
	old := c.recent.Remove(el).(*lruEntry[K, V])
	delete(c.byKey, old.key)
	c.bytes -= old.size
}

// size returns the number of values and their bytes.
func (c *lru[K, V]) size() (values int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey), c.bytes
}
