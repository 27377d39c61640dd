package engine

import (
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// listRow is what the segments of a view have of a term, in their order: searches of one
// view need not look for each of them again. It does not change, but for what searches
// leave in it.
type listRow struct {
	segments []uint64 // segmentRef.uid
	deadGen  uint64
	lists    []*posting.List
	leaders  []*search.Leaders
	df       int64 // live documents
	living   *search.Living
	placed   atomic.Pointer[listGroup] // the lists with positions, as far as they were asked for
}

// is tells whether the row is that of a view.
func (r *listRow) is(iv *indexView) bool {
	if r.deadGen != iv.deadGen || len(r.segments) != len(iv.segs) {
		return false
	}
	for i, s := range iv.segs {
		if r.segments[i] != s.uid {
			return false
		}
	}
	return true
}

// row returns what the segments of a view have of a term.
func (t *termLists) row(iv *indexView) (*listRow, error) {
	if r := t.kept(iv); r != nil {
		return r, nil
	}
	n := len(iv.segs)
	r := &listRow{
		segments: make([]uint64, n), deadGen: iv.deadGen,
		lists: make([]*posting.List, n), leaders: make([]*search.Leaders, n),
	}
	for i, s := range iv.segs {
		en, err := t.of(iv, s)
		if err != nil {
			return nil, err
		}
		r.segments[i], r.lists[i], r.leaders[i] = s.uid, en.list, &en.leaders
		r.df += int64(en.liveDF(iv))
	}
	r.living = &search.Living{}
	switch {
	case t.askSmall().holds(r):
		t.seat(r, t.small, t.division)
	case t.askLarge().holds(r):
		t.seat(r, t.large, t.cache.large)
	}
	return r, nil
}

// seat makes r the row of a group of a division.
func (t *termLists) seat(r *listRow, g *listGroup, d *listDivision) {
	own := *t // which the row keeps, while t need not outlive the search
	r.living.Keep = func(bytes int) bool { return own.grow(d, bytes) }
	if old := g.row.Swap(r); old != nil && old.living.Bytes() > 0 {
		t.resize(d, 0)
	}
}

// kept returns the row of a view, nil if it is not there.
func (t *termLists) kept(iv *indexView) *listRow {
	if r := t.large.rowOf(iv); r != nil { // only if it is at hand
		return r
	}
	if r := t.askSmall().rowOf(iv); r != nil {
		return r
	}
	return t.askLarge().rowOf(iv)
}

// rowOf returns the row that a group has of a view, nil if it has none.
func (g *listGroup) rowOf(iv *indexView) *listRow {
	if g != nil {
		if r := g.row.Load(); r != nil && r.is(iv) {
			return r
		}
	}
	return nil
}

// holds tells whether all of a row is in a group, so that it is forgotten with it.
func (g *listGroup) holds(r *listRow) bool {
	for i, segment := range r.segments {
		if en := g.find(segment); en == nil || &en.leaders != r.leaders[i] {
			return false
		}
	}
	return g != nil
}
