package engine

import (
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
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
	form     atomic.Pointer[listGroup] // of a stem: the lists of the form of it that was asked for last
	single   atomic.Uint64             // of a word: the number of the view in which it is not two; see resolver.parts
	called   atomic.Pointer[calledAlone]
	general  atomic.Uint64 // twice the number of a view, and 1 if the word is general there; see resolver.isGeneral
	number   atomic.Uint64 // of a model, and below the one of the term in it, from 1; 0: it has none; see vectors.number
}

// calledAlone is what package thesaurus says of a term, in the language that an index has in
// a view, whatever follows the term.
type calledAlone struct {
	view uint64
	row  thesaurus.Row
}

// newListRow makes a row of n segments. One that has a single segment, as an index has after
// a while, is in one piece: searches ask for rows all over the memory.
func newListRow(n int) *listRow {
	if n == 1 {
		whole := new(struct {
			listRow
			segment [1]uint64
			list    [1]*posting.List
			leader  [1]*search.Leaders
			alive   search.Living
		})
		r := &whole.listRow
		r.segments, r.lists, r.leaders, r.living = whole.segment[:], whole.list[:], whole.leader[:], &whole.alive
		return r
	}
	return &listRow{
		segments: make([]uint64, n), lists: make([]*posting.List, n), leaders: make([]*search.Leaders, n),
		living: &search.Living{},
	}
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

// formOf returns the row of a form of the stem, and its key; nil if another form, or none,
// was asked for last.
func (r *listRow) formOf(iv *indexView, word []byte) (row *listRow, key string) {
	g := r.form.Load()
	if g == nil || g.gone.Load() || g.key.key[segment.SpaceBytes:] != string(word) {
		return nil, ""
	}
	if !g.used.Load() {
		g.used.Store(true)
	}
	return g.rowOf(iv), g.key.key
}

// keepForm remembers the lists of a form of the stem, if they are in the cache.
func (r *listRow) keepForm(form *termLists, row *listRow) {
	for _, g := range [...]*listGroup{form.small, form.large} {
		if g != nil && g.row.Load() == row {
			r.form.Store(g)
		}
	}
}

// row returns what the segments of a view have of a term.
func (t *termLists) row(iv *indexView) (*listRow, error) {
	if r := t.kept(iv); r != nil {
		return r, nil
	}
	r := newListRow(len(iv.segs))
	r.deadGen = iv.deadGen
	for i, s := range iv.segs {
		en, err := t.of(iv, s)
		if err != nil {
			return nil, err
		}
		r.segments[i], r.lists[i], r.leaders[i] = s.uid, en.list, &en.leaders
		r.df += int64(en.liveDF(iv))
	}
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
