package engine

import (
	"sync"

	"github.com/quarry-search/quarry/engine/internal/search"
)

// leafRoom is memory for what a query is resolved to, and for its hits. The zero value is empty.
type leafRoom struct {
	leaves []leaf
	asked  []askedWord
	words  []word // of resolver.top
	row    []word // of resolver.tokens
	groups []*search.Expr
	stops  []int
	pieces []piece // of resolver.compounds
	exprs  chunk[search.Expr]
	bound  chunk[search.Leaf]
	found  chunk[found] // of searcher.scored and ranked

	// Of resolver.thesaurus.
	items   []item
	terms   chunk[string]
	related []related
}

// chunk is memory that small slices are cut from.
type chunk[E any] struct {
	all  []E
	used int
}

// cut returns n elements, which are zero.
func (c *chunk[E]) cut(n int) []E {
	if len(c.all)-c.used < n { // the full one is left to what was cut from it
		c.all, c.used = make([]E, max(n, 2*len(c.all), 8)), 0
	}
	c.used += n
	return c.all[c.used-n : c.used : c.used]
}

// clear makes all of it memory again.
func (c *chunk[E]) clear() {
	clear(c.all[:c.used])
	c.used = 0
}

// roomPool keeps the memory of searches that have ended for those that come. It is safe
// for concurrent use.
type roomPool struct {
	free  sync.Pool
	texts sync.Pool // *queryTexts
}

func (p *roomPool) take() *leafRoom {
	if r, ok := p.free.Get().(*leafRoom); ok {
		return r
	}
	return new(leafRoom)
}

// maxIdleLeaves bounds the memory that is kept: a query of very many words does not hold
// it until the next garbage collection.
const maxIdleLeaves = 256

// maxIdleFound is the same for the hits of deep pages.
const maxIdleFound = 256

// leave gives back the memory of the leaves of some runs, which nobody uses any more.
func (p *roomPool) leave(runs []*searchRun) {
	for _, run := range runs {
		r, room := run.res, run.res.room
		if room == nil || cap(r.leaves) > maxIdleLeaves || len(room.exprs.all) > 16*maxIdleLeaves {
			continue
		}
		clear(r.leaves)
		clear(r.asked)
		clear(room.words[:cap(room.words)])
		clear(room.row[:cap(room.row)])
		clear(room.items[:cap(room.items)])
		clear(r.related)
		clear(r.groups)
		clear(room.pieces[:cap(room.pieces)])
		room.leaves, room.asked, room.related = r.leaves[:0], r.asked[:0], r.related[:0]
		room.groups, room.stops = r.groups[:0], r.stops[:0]
		room.terms.clear()
		room.exprs.clear()
		room.bound.clear()
		if room.found.clear(); len(room.found.all) > maxIdleFound {
			room.found = chunk[found]{}
		}
		r.leaves, r.asked, r.groups, r.stops, r.related, r.room = nil, nil, nil, nil, nil, nil
		p.free.Put(room)
	}
}
