package engine

import (
	"container/list"
	"math"
	"sync"
	"sync/atomic"
)

// lru keeps values up to a number of bytes, the least recently used going
// first. It is safe for concurrent use.
type lru[K comparable, V any] struct {
	memory  *cacheShare   // with all caches of the engine; nil: on its own
	shared  *sharedBudget // with others; nil: there are none
	oldest  atomic.Int64  // use, by shared, of the least recently used value
	mu      sync.Mutex
	budget  int64
	largest int64 // value that is kept, with what an entry takes
	bytes   int64
	byKey   map[K]*list.Element
	recent  list.List // of *lruEntry[K, V], the most recent in front

	// For values that are also found past the cache; nil: there are none. spare tells
	// whether one has been since it was asked the last time, and forgot is told of those
	// that go. Both are called with the lock held.
	spare  func(v V) bool
	forgot func(v V)
}

// sharedBudget is what several lrus have in common that keep to one budget.
type sharedBudget struct {
	bytes atomic.Int64
	uses  atomic.Int64 // of their values, counted
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
	size  int64
	used  int64 // by shared
}

// entryOverhead is about what an entry takes beside its value.
const entryOverhead = 256

func newLRU[K comparable, V any](budget int64) *lru[K, V] {
	return newSharingLRU[K, V](budget, nil)
}

// newSharingLRU makes an lru that leaves it to its user to keep to the budget that
// it shares with others; budget is still its own.
func newSharingLRU[K comparable, V any](budget int64, shared *sharedBudget) *lru[K, V] {
	c := &lru[K, V]{budget: budget, largest: budget / 2, byKey: map[K]*list.Element{}, shared: shared}
	c.noteOldest()
	return c
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
	last := c.recent.Back() == el
	c.recent.MoveToFront(el)
	entry := el.Value.(*lruEntry[K, V])
	if entry.used = c.use(); last {
		c.noteOldest()
	}
	return entry.value, true
}

// add keeps a value of size bytes, unless there is one of the key, which it
// returns.
func (c *lru[K, V]) add(key K, v V, size int) V {
	defer c.memory.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		return el.Value.(*lruEntry[K, V]).value
	}
	c.insert(key, v, size)
	return v
}

// update replaces the value of a key by what f makes of it, and of whether there is
// one, and of its size in bytes. f is called with the lock held.
func (c *lru[K, V]) update(key K, f func(v V, ok bool) (V, int)) {
	defer c.memory.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[key]
	if !ok {
		var none V
		v, size := f(none, false)
		c.insert(key, v, size)
		return
	}
	entry := el.Value.(*lruEntry[K, V])
	v, size := f(entry.value, true)
	more := int64(size) + entryOverhead - entry.size
	entry.value, entry.size, entry.used = v, entry.size+more, c.use()
	c.recent.MoveToFront(el)
	for c.count(more); c.bytes > c.budget; {
		c.dropLast()
	}
	c.noteOldest()
}

// revise lets f change the value of a key, if there is one, which does not count as a
// use. f returns its size in bytes, and is called with the lock held.
func (c *lru[K, V]) revise(key K, f func(v V) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		entry := el.Value.(*lruEntry[K, V])
		size := int64(f(entry.value)) + entryOverhead
		c.count(size - entry.size)
		entry.size = size
	}
}

// insert keeps a value of a key that has none, if there is room. mu is held.
func (c *lru[K, V]) insert(key K, v V, size int) {
	entry := &lruEntry[K, V]{key, v, int64(size) + entryOverhead, c.use()}
	if entry.size > c.largest { // it would push too much out
		if c.forgot != nil {
			c.forgot(v)
		}
		return
	}
	c.byKey[key] = c.recent.PushFront(entry)
	for c.count(entry.size); c.bytes > c.budget; {
		c.dropLast()
	}
	c.noteOldest()
}

// count adds to the bytes. mu is held.
func (c *lru[K, V]) count(bytes int64) {
	c.bytes += bytes
	c.memory.count(bytes)
	if c.shared != nil {
		c.shared.bytes.Add(bytes)
	}
}

// use is the next number of a use.
func (c *lru[K, V]) use() int64 {
	if c.shared == nil {
		return 0
	}
	return c.shared.uses.Add(1)
}

// noteOldest brings oldest up to date: the largest number if there are no
// values. mu is held.
func (c *lru[K, V]) noteOldest() {
	if c.shared == nil {
		return
	}
	if el := c.recent.Back(); el != nil {
		c.oldest.Store(el.Value.(*lruEntry[K, V]).used)
	} else {
		c.oldest.Store(math.MaxInt64)
	}
}

// join makes the cache one of those that share m, sure of so many bytes.
func (c *lru[K, V]) join(m *cacheMemory, sure int64) *cacheShare {
	c.memory = m.join(sure, c.shrink)
	return c.memory
}

// shrink forgets the least recently used values, of so many bytes or more.
func (c *lru[K, V]) shrink(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for to := c.bytes - bytes; c.bytes > to && c.recent.Len() > 0; {
		c.dropLast()
	}
}

// dropOldest forgets the least recently used value, and tells whether it did: where all are
// to be spared, there may be others elsewhere that are not.
func (c *lru[K, V]) dropOldest() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.last()
	if last == nil {
		c.noteOldest()
		return false
	}
	c.drop(last)
	return true
}

// dropAny forgets the least recently used value, if there is one, in any case.
func (c *lru[K, V]) dropAny() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recent.Len() > 0 {
		c.dropLast()
	}
}

// dropLast forgets the least recently used value, of which there is one, in any case. mu is
// held.
func (c *lru[K, V]) dropLast() {
	c.last()
	c.drop(c.recent.Back()) // the one, or after a whole turn the one that it began with
}

// last returns the least recently used value, nil if there is none that is not to be spared.
// Those that are become the most recently used. mu is held.
func (c *lru[K, V]) last() *list.Element {
	for range c.recent.Len() {
		el := c.recent.Back()
		entry := el.Value.(*lruEntry[K, V])
		if c.spare == nil || !c.spare(entry.value) {
			return el
		}
		entry.used = c.use()
		c.recent.MoveToFront(el)
	}
	return nil
}

// replace puts a value in the place of the one that the key has, if any.
func (c *lru[K, V]) replace(key K, v V, size int) {
	defer c.memory.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		c.drop(el)
	}
	c.insert(key, v, size)
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
	c.count(-old.size)
	c.noteOldest()
	if c.forgot != nil {
		c.forgot(old.value)
	}
}

// each calls f with all values, with the lock held.
func (c *lru[K, V]) each(f func(v V)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, el := range c.byKey {
		f(el.Value.(*lruEntry[K, V]).value)
	}
}

// size returns the number of values and their bytes.
func (c *lru[K, V]) size() (values int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey), c.bytes
}
