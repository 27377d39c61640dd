package engine

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// sortedHits keeps the best hits found so far.
type sortedHits struct {
	keys  []SortKey
	after *Position // only hits behind it; nil: all
	best  collect.Best[found]
	at    []keyValue // of the document at hand
	err   error
}

func newSortedHits(keys []SortKey, w stretch) *sortedHits {
	h := &sortedHits{keys: keys, after: w.after, at: make([]keyValue, len(keys))}
	h.best.Reset(w.k, func(a, b found) bool { return h.compare(&a, &b) < 0 })
	return h
}

// compare is the total order of hits: the keys, then index, then id.
func (h *sortedHits) compare(a, b *found) int {
	for i, k := range h.keys {
		if c := compareSort(a.keys[i], b.keys[i], k.Desc); c != 0 {
			return c
		}
	}
	return h.compareRecords(a, b)
}

func (h *sortedHits) compareRecords(a, b *found) int {
	if a.run != b.run {
		return cmp.Compare(a.run.name, b.run.name)
	}
	c, err := a.ref.chunk.CompareID(a.place, b.ref.chunk, b.place)
	if err != nil && h.err == nil {
		h.err = err
	}
	return c
}

// behind tells whether a record comes after that of a position.
func (h *sortedHits) behind(f *found, p *Position) bool {
	if f.run.name != p.Index {
		return f.run.name > p.Index
	}
	id, err := f.ref.chunk.ID(f.place)
	if err != nil && h.err == nil {
		h.err = err
	}
	return string(id) > p.ID
}

// isAfter tells whether a hit with its keys comes after a position in the order
// of the request, which is by score where there are no keys.
func (h *sortedHits) isAfter(f *found, p *Position) bool {
	if len(h.keys) == 0 && f.hit.Score != p.Score {
		return f.hit.Score < p.Score
	}
	for i, k := range h.keys {
		if c := compareSort(f.keys[i], p.Sort[i], k.Desc); c != 0 {
			return c > 0
		}
	}
	return h.behind(f, p)
}

// sorted collects hits by sort keys.
func (s *searcher) sorted(w stretch) (hits []found, total int64, late error) {
	h := newSortedHits(s.req.Sort, w)
	for _, run := range s.runs {
		var n int64
		if n, late = s.collectSorted(run, run.keys, h); h.err != nil {
			return nil, 0, h.err
		}
		if total += n; late != nil {
			break
		}
	}
	if hits = h.best.Items(); h.err != nil { // met while these were put in order
		return nil, 0, h.err
	}
	if s.tree != nil {
		for i := range hits {
			f := &hits[i]
			f.hit.Score = search.Score(f.run.q, f.hit.Segment, f.hit.Doc)
		}
	}
	return hits, total, late
}

// newest collects hits without query and sort keys: those whose records were
// written last come first, those of one batch by id.
func (s *searcher) newest(w stretch) (hits []found, total int64, late error) {
	h := newSortedHits([]SortKey{{Desc: true}}, w)
	keys := []sortKey{{desc: true, columns: []uint16{versionField}}}
	for _, run := range s.runs {
		var n int64
		if n, late = s.collectSorted(run, keys, h); h.err != nil {
			return nil, 0, h.err
		}
		if total += n; late != nil {
			break
		}
	}
	if hits = h.best.Items(); h.err != nil {
		return nil, 0, h.err
	}
	return hits, total, late
}

// collectSorted offers the matches of one index and returns how many they are.
// Errors of columns go to h, others are returned.
func (s *searcher) collectSorted(run *searchRun, keys []sortKey, h *sortedHits) (total int64, late error) {
	pages, late := s.matched(run)
	for _, p := range pages {
		total += int64(p.count)
	}
	if h.best.Cap() == 0 {
		return total, late
	}
	for i, p := range keys[0].promising(pages) {
		if err := s.ctx.Err(); err != nil && i > 0 && late == nil {
			return total, fmt.Errorf("search: %w", err) // with the hits of some pages
		}
		o := offers{h: h, run: run, keys: keys, p: p}
		o.needScore = len(run.q.Leaves) > 0 && slices.ContainsFunc(keys, func(k sortKey) bool { return k.score })
		o.single = !o.needScore && !slices.ContainsFunc(keys[1:], func(k sortKey) bool { return !k.score })
		if err := o.page(); err != nil && h.err == nil {
			h.err = err
		}
		if h.err != nil {
			break
		}
	}
	return total, late
}

// promising returns the pages in an order in which good values of the first key
// come early, so that later pages need not be looked at.
func (k *sortKey) promising(pages []*wordPage) []*wordPage {
	if len(k.columns) != 1 || k.from != nil || len(pages) < 2 {
		return pages
	}
	type ranked struct {
		*wordPage
		best float64
	}
	list := make([]ranked, len(pages))
	for i, p := range pages {
		list[i] = ranked{p, math.Inf(1)}
		if info, ok := p.ref.chunk.ColumnInfo(k.columns[0]); ok && info.Kind != page.KindKeyword {
			v := keyOfValue(info.Min)
			if k.desc {
				v = keyOfValue(info.Max)
				v.f = -v.f
			}
			list[i].best = v.f
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.best, b.best) })
	out := make([]*wordPage, len(list))
	for i := range list {
		out[i] = list[i].wordPage
	}
	return out
}

// offers is the documents of one page on their way into sortedHits.
type offers struct {
	h         *sortedHits
	run       *searchRun
	keys      []sortKey
	p         *wordPage
	needScore bool
	single    bool // the first key alone tells the documents apart
}

// page offers the documents of a page, as few as the values of the first key
// allow.
func (o *offers) page() error {
	k := &o.keys[0]
	var col *page.Column
	for _, number := range k.columns {
		info, ok := o.p.ref.chunk.ColumnInfo(number)
		if !ok {
			continue
		}
		if len(k.columns) == 1 && k.from == nil && info.Docs == o.p.ref.chunk.Len() {
			if l, err := o.limits(info.Kind); err != nil || !info.MayMatch(l.Bounds(0, k.desc)) {
				return err
			}
		}
		c, err := o.p.ref.chunk.Column(number)
		if err != nil {
			return err
		}
		if col != nil {
			return eachBit(&o.p.words, o.each) // values in two columns
		}
		col = c
	}
	switch {
	case k.score && !o.needScore:
		return o.alike(&o.p.words)
	case k.score || k.from != nil && k.desc:
		return eachBit(&o.p.words, o.each)
	case col == nil:
		return o.missing(&o.p.words)
	case k.from != nil:
		return o.near(col)
	}
	limits, late := o.limits(col.Kind())
	if late != nil {
		return late
	}
	col.Walk(&o.p.words, o.base(), k.desc, &limits, func(i int) bool {
		taken, err := o.offer(i)
		if taken && err == nil {
			limits, err = o.limits(col.Kind())
		}
		if err != nil {
			late = err
		}
		return taken
	})
	if late != nil {
		return late
	}
	return o.rest(col)
}

// near offers the documents by distance: only those nearer than the worst hit
// so far are measured.
func (o *offers) near(col *page.Column) error {
	area := func() *geo.Area {
		worst, full := o.h.best.Worst()
		if !full || worst.keys[0].Missing {
			return nil
		}
		a := geo.Circle(*o.keys[0].from, worst.keys[0].Float)
		return &a
	}
	var late error
	now := area()
	col.WalkNear(&o.p.words, o.base(), &now, func(i int) {
		taken, err := o.offer(i)
		if err != nil {
			late = err
		}
		if taken {
			now = area()
		}
	})
	if late != nil {
		return late
	}
	return o.rest(col)
}

// rest offers the documents that have no value in the only column.
func (o *offers) rest(col *page.Column) error {
	if col.Docs() == col.Len() {
		return nil
	}
	var has, rest search.Page
	col.Present(&has, o.base())
	for i, w := range o.p.words {
		rest[i] = w &^ has[i]
	}
	return o.missing(&rest)
}

// missing offers documents without a value of the first key: they come last.
func (o *offers) missing(words *search.Page) error {
	if worst, full := o.h.best.Worst(); full && !worst.keys[0].Missing {
		return nil
	}
	return o.alike(words)
}

// alike offers documents with one value of the first key.
func (o *offers) alike(words *search.Page) error {
	until, err := o.untied()
	for w, m := range words {
		for ; m != 0 && err == nil; m &= m - 1 {
			i := w*64 + bits.TrailingZeros64(m) - o.base()
			if i >= until {
				return nil
			}
			var taken bool
			if taken, err = o.offer(i); taken && err == nil {
				until, err = o.untied()
			}
		}
	}
	return err
}

// untied returns the document from which on those lose that equal the worst
// hit in the first key: their ids are above its own.
func (o *offers) untied() (int, error) {
	worst, full := o.h.best.Worst()
	switch {
	case !full || !o.single:
		return page.AllTie, nil
	case worst.run.name < o.run.name:
		return 0, nil
	case worst.run.name > o.run.name:
		return page.AllTie, nil
	}
	id, err := worst.ref.chunk.ID(worst.place)
	if err != nil {
		return 0, err
	}
	n, ascend, err := o.p.ref.chunk.IDsUpTo(id)
	if err != nil || !ascend {
		return page.AllTie, err
	}
	return n, nil
}

func (o *offers) base() int { return int(uint16(o.p.ref.base())) }

// limits are the values of the first key between the cursor and the worst hit.
func (o *offers) limits(kind page.Kind) (l page.Limits, err error) {
	if a := o.h.after; a != nil && !a.Sort[0].Missing {
		l.Low = a.Sort[0].bound(kind)
	} else if a != nil {
		l.Low = page.At(page.FloatValue(math.NaN())) // past all values
	}
	if worst, full := o.h.best.Worst(); full {
		l.High = worst.keys[0].bound(kind)
	}
	if o.keys[0].desc {
		l.Low, l.High = l.High, l.Low
	}
	l.Untied, err = o.untied()
	return l, err
}

func (o *offers) each(place int) error {
	_, err := o.offer(place - o.base())
	return err
}

// offer offers document i of the chunk and tells whether it was taken.
func (o *offers) offer(i int) (taken bool, err error) {
	h := o.h
	f := found{run: o.run, ref: o.p.ref, place: i}
	f.hit = search.Hit{Segment: o.p.seg, Doc: o.p.ref.base() + uint32(i)}
	if o.needScore {
		f.hit.Score = search.Score(o.run.q, o.p.seg, f.hit.Doc)
	}
	worst, full := h.best.Worst()
	better, behind := !full, h.after == nil
	for n := range o.keys {
		k := &o.keys[n]
		v := &h.at[n]
		if k.score {
			*v = keyValue{i: int64(min(f.hit.Score, math.MaxInt64))}
		} else if *v, err = k.value(o.p.ref.chunk, i); err != nil {
			return false, err
		}
		if !better {
			c := compareKey(v, &worst.keys[n], k.desc)
			if c > 0 {
				return false, nil
			}
			better = c < 0
		}
		if !behind {
			c := compareKey(v, &h.after.Sort[n], k.desc)
			if c < 0 {
				return false, nil
			}
			behind = c > 0
		}
	}
	if !better && h.compareRecords(&f, &worst) > 0 || !behind && !h.behind(&f, h.after) {
		return false, h.err
	}
	f.keys = make([]SortValue, len(h.at))
	for n := range h.at {
		f.keys[n] = h.at[n].sortValue()
	}
	h.best.Add(f)
	return true, h.err
}
