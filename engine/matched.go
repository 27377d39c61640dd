package engine

import (
	"sync"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// wordPage is the matches of one slot.
type wordPage struct {
	seg, slot int
	ref       *chunkRef
	count     int
	words     search.Page
}

func (p *wordPage) base() int { return int(uint16(p.ref.base())) }

// matchedPages are all matches of a query.
type matchedPages struct {
	q     *search.Query
	pages []*wordPage
	err   error
}

// matched returns the matches of an index, those below the request's MinScore
// left out. With an error, which may be that time is over, they are those
// found before. What the first query of an index matches is kept until the end
// of the search.
func (s *searcher) matched(run *searchRun) ([]*wordPage, error) {
	if m := run.matched; m != nil && m.q == run.q {
		return m.pages, m.err
	}
	m := &matchedPages{q: run.q}
	m.pages, m.err = s.matchedBy(run, run.q)
	if run.matched == nil {
		run.matched = m
	}
	return m.pages, m.err
}

// matchedBy is matched for any query of the index.
func (s *searcher) matchedBy(run *searchRun, q *search.Query) (pages []*wordPage, err error) {
	err = s.matchesOf(run, q, func(seg, slot int, words *search.Page) error {
		sl := &run.segs[seg].Slots[slot]
		p := s.e.pages.take()
		p.seg, p.slot, p.ref = seg, slot, run.iv.chunkOf(uint32(sl.Page)<<16|uint32(sl.First))
		p.words, p.count = *words, collect.Count(words)
		pages = append(pages, p)
		s.pages = append(s.pages, p)
		return nil
	})
	return pages, err
}

// pagePool keeps the memory of wordPages for later searches. It is safe for
// concurrent use.
type pagePool struct{ free sync.Pool }

func (p *pagePool) take() *wordPage {
	if w, ok := p.free.Get().(*wordPage); ok {
		return w
	}
	return new(wordPage)
}

// give takes back pages that nobody uses any more.
func (p *pagePool) give(pages []*wordPage) {
	for _, w := range pages {
		w.ref = nil
		p.free.Put(w)
	}
}
