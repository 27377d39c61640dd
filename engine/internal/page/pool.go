package page

import (
	"container/list"
	"sync"
)

// Pool bounds what the chunks opened with it keep of the parts that they have
// read. What was not asked for since the hand passed it last is forgotten, in the
// order in which it was read: the clock of Corbató, "A Paging Experiment with the
// Multics System" (1968), by which asking for a part that is there costs no lock.
//
// Norms count, but are never forgotten: every search needs them, and a commit that
// is in the log relies on those that it has read.
//
// All methods may be called at once. A slot is locked before the pool; so the pool,
// when it forgets a part, only tries to lock the slot.
type Pool struct {
	changed func(bytes int64)
	short   func() bool

	mu    sync.Mutex
	limit int64
	bytes int64
	clock list.List // of *resident; the hand is at its front
}

// PoolOptions says how a pool goes with what else takes memory.
type PoolOptions struct {
	// Changed is told by how much what the pool holds has grown or shrunk, and may
	// call Shrink; nil: nobody is.
	Changed func(bytes int64)
	// Short tells whether there is next to no memory left, so that a part that can be
	// kept in less had better be, as when the pool is half full; nil: there is always some.
	Short func() bool
}

// NewPool returns a pool of up to limit bytes.
func NewPool(limit int64, o PoolOptions) *Pool {
	return &Pool{limit: limit, changed: o.Changed, short: o.Short}
}

// crowded tells whether a part that can be kept in less memory had better be.
func (p *Pool) crowded() bool {
	if p == nil {
		return false
	}
	return p.short != nil && p.short() || p.Bytes() > p.limit/2
}

// resident is a part that a chunk keeps.
type resident struct {
	chunk *Chunk
	slot  evictable
	size  int64
	place *list.Element // in the clock; nil: it is never forgotten
}

// evictable is a slot of any type.
type evictable interface {
	// asked tells whether the part was asked for since the last call.
	asked() bool
	// evict forgets the part, false if the slot is in use.
	evict() bool
}

// Bytes returns what the chunks hold.
func (p *Pool) Bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}

// Shrink forgets parts of that many bytes or more, as far as there are so many.
func (p *Pool) Shrink(bytes int64) {
	p.locked(func() { p.evict(p.bytes - bytes) })
}

// locked calls f with the pool locked, and changed after it.
func (p *Pool) locked(f func()) {
	p.mu.Lock()
	before := p.bytes
	f()
	grown := p.bytes - before
	p.mu.Unlock()
	if grown != 0 && p.changed != nil {
		p.changed(grown)
	}
}

// admit counts a part that was read, whose slot is locked; keep says that it must
// never be forgotten. Without a pool, chunks count only for themselves.
func (p *Pool) admit(r *resident, keep bool) {
	if p == nil {
		r.chunk.loaded.Add(r.size)
		return
	}
	p.locked(func() {
		if !keep {
			r.place = p.clock.PushBack(r)
		}
		p.count(r.chunk, r.size)
		p.evict(p.limit)
	})
}

// forget takes a part out whose slot is locked.
func (p *Pool) forget(r *resident) {
	if p == nil {
		r.chunk.loaded.Add(-r.size)
		return
	}
	p.locked(func() {
		if r.place != nil {
			p.clock.Remove(r.place)
		}
		p.count(r.chunk, -r.size)
	})
}

// evict forgets parts until the pool holds no more than limit bytes. The hand goes
// round twice at most: the first time it may meet only parts that were asked for.
// mu is held.
func (p *Pool) evict(limit int64) {
	for n := 2 * p.clock.Len(); n > 0 && p.bytes > limit; n-- {
		hand := p.clock.Front()
		if hand == nil {
			return
		}
		r := hand.Value.(*resident)
		if r.slot.asked() || !r.slot.evict() {
			p.clock.MoveToBack(hand)
			continue
		}
		p.clock.Remove(hand)
		p.count(r.chunk, -r.size)
	}
}

// count adds to what the pool and a chunk hold. mu is held.
func (p *Pool) count(c *Chunk, bytes int64) {
	p.bytes += bytes
	c.loaded.Add(bytes)
}
