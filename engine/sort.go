package engine

import (
	"bytes"
	"fmt"
	"math"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// scoreKey is the name of the score among sort keys.
const scoreKey = "_score"

// sortKey is a sort key bound to an index.
type sortKey struct {
	score   bool // the score in place of a field
	desc    bool
	columns []uint16 // of the field
}

func (s *searcher) sortKeys(run *searchRun) ([]sortKey, error) {
	var p problems
	out := make([]sortKey, len(s.req.Sort))
	for i, k := range s.req.Sort {
		out[i] = sortKey{score: k.Field == scoreKey, desc: k.Desc}
		if k.Field == scoreKey {
			continue
		}
		at := fmt.Sprintf("/sort/%d", i)
		n, ok := run.iv.schema.byName[k.Field]
		if !ok && s.known(k.Field) {
			continue // its records come last
		}
		if !ok {
			p.addf(CodeInvalidSort, at, "there is no field %q", k.Field)
			continue
		}
		f := &run.iv.schema.Fields[n]
		if !f.Sort {
			p.addf(CodeNotSortable, at, "the field %q cannot be sorted by; set sort in the schema", k.Field)
		}
		out[i].columns = run.iv.schema.columnsOf(n)
	}
	return out, p.orNil()
}

// sortValue is the value that a document sorts by: of several the least when
// ascending, the greatest when descending.
func sortValue(c *page.Chunk, k sortKey, place int, score uint64) (SortValue, error) {
	if k.score {
		return SortValue{Int: int64(min(score, math.MaxInt64))}, nil
	}
	var best page.Value
	found := false
	better := func(v page.Value) {
		if c := compareValues(v, best); !found || (c < 0) != k.desc && c != 0 {
			best, found = v, true
		}
	}
	for _, number := range k.columns {
		col, err := c.Column(number)
		switch {
		case err != nil:
			return SortValue{}, err
		case col == nil || !col.Has(place):
		case !col.MultiValued():
			v, _ := col.First(place)
			better(v)
		default:
			for _, v := range col.Values(nil, place) {
				better(v)
			}
		}
	}
	if !found {
		return SortValue{Missing: true}, nil
	}
	return toSortValue(best), nil
}

func toSortValue(v page.Value) SortValue {
	switch v.Kind {
	case page.KindKeyword:
		return SortValue{Str: string(v.Str)}
	case page.KindFloat:
		return SortValue{Float: v.Float, Int: truncated(v.Float)}
	}
	// Int and float columns of one field compare by Float, then by Int, which
	// is exact where the floats are equal.
	return SortValue{Int: v.Int, Float: float64(v.Int)}
}

// truncated is the integer part of f, or the nearest 64-bit integer to it.
func truncated(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < -1<<63:
		return math.MinInt64
	}
	return int64(f)
}

// compareSort orders two values of a key: -1 if a comes first.
func compareSort(a, b SortValue, desc bool) int {
	switch {
	case a.Missing && b.Missing:
		return 0
	case a.Missing:
		return 1
	case b.Missing:
		return -1
	}
	c := cmpOrdered(a.Float, b.Float)
	if c == 0 {
		c = cmpOrdered(a.Int, b.Int)
	}
	if c == 0 {
		c = bytes.Compare([]byte(a.Str), []byte(b.Str))
	}
	if desc {
		return -c
	}
	return c
}

// sortedHits keeps the best hits found so far.
type sortedHits struct {
	keys []SortKey
	best collect.Best[found]
	err  error
}

// compare is the total order of hits: the keys, then index, then id.
func (h *sortedHits) compare(a, b *found) int {
	for i, k := range h.keys {
		if c := compareSort(a.keys[i], b.keys[i], k.Desc); c != 0 {
			return c
		}
	}
	if a.run != b.run {
		if a.run.name < b.run.name {
			return -1
		}
		return 1
	}
	c, err := a.ref.chunk.CompareID(a.place, b.ref.chunk, b.place)
	if err != nil && h.err == nil {
		h.err = err
	}
	return c
}

// after tells whether a hit comes after a position.
func (h *sortedHits) after(f *found, p *Position) bool {
	for i, k := range h.keys {
		if i >= len(p.Sort) {
			break
		}
		if c := compareSort(f.keys[i], p.Sort[i], k.Desc); c != 0 {
			return c > 0
		}
	}
	if f.run.name != p.Index {
		return f.run.name > p.Index
	}
	id, err := f.ref.chunk.ID(f.place)
	if err != nil && h.err == nil {
		h.err = err
	}
	return string(id) > p.ID
}

// sorted collects hits by sort keys.
func (s *searcher) sorted(res *Result) ([]found, error) {
	best := &sortedHits{keys: s.req.Sort}
	best.best.Reset(s.want+1, func(a, b found) bool { return best.compare(&a, &b) < 0 })
	var late error
	for _, run := range s.runs {
		keys, err := s.sortKeys(run)
		if err != nil {
			return nil, err
		}
		scored := s.tree != nil
		err = s.matches(run, func(seg, slot int, words *search.Page) error {
			high := uint32(run.segs[seg].Slots[slot].Page) << 16
			ref := run.iv.chunkOf(high | uint32(run.segs[seg].Slots[slot].First))
			return eachBit(words, func(place int) error {
				res.Total++
				f := found{run: run, ref: ref, place: int(high|uint32(place)) - int(ref.base())}
				f.hit = search.Hit{Segment: seg, Doc: high | uint32(place)}
				if scored && s.needsScore() {
					f.hit.Score = search.Score(run.q, seg, f.hit.Doc)
				}
				f.keys = make([]SortValue, len(keys))
				for i, k := range keys {
					v, err := sortValue(ref.chunk, k, f.place, f.hit.Score)
					if err != nil {
						return err
					}
					f.keys[i] = v
					if worst, full := best.best.Worst(); i == 0 && full && compareSort(v, worst.keys[0], k.desc) > 0 {
						return nil
					}
				}
				if after := s.after(); after != nil && !best.after(&f, after) {
					return nil
				}
				best.best.Add(f)
				return best.err
			})
		})
		if late = err; err != nil {
			break
		}
	}
	hits := best.best.Items()
	if s.tree != nil {
		for i := range hits {
			f := &hits[i]
			f.hit.Score = search.Score(f.run.q, f.hit.Segment, f.hit.Doc)
		}
	}
	if best.err != nil {
		return nil, best.err
	}
	return hits, late
}

// needsScore tells whether the score is among the sort keys.
func (s *searcher) needsScore() bool {
	for _, k := range s.req.Sort {
		if k.Field == scoreKey {
			return true
		}
	}
	return false
}

// newest collects hits without query and sort keys: those whose records were
// written last come first, those of one batch by id.
func (s *searcher) newest(res *Result) ([]found, error) {
	best := &sortedHits{keys: []SortKey{{Desc: true}}}
	best.best.Reset(s.want+1, func(a, b found) bool { return best.compare(&a, &b) < 0 })
	var late error
	for _, run := range s.runs {
		// Later pages hold later versions but for records that were moved, so
		// going backwards most pages need not be looked at.
		var pages []*wordPage
		late = s.matches(run, func(seg, slot int, words *search.Page) error {
			sl := &run.segs[seg].Slots[slot]
			high := uint32(sl.Page) << 16
			res.Total += int64(collect.Count(words))
			pages = append(pages, &wordPage{seg, high, run.iv.chunkOf(high | uint32(sl.First)), *words})
			return nil
		})
		for i := len(pages) - 1; i >= 0 && best.err == nil; i-- {
			if err := s.newestOf(run, pages[i], best); err != nil {
				return nil, err
			}
		}
		if late != nil {
			break
		}
	}
	if best.err != nil {
		return nil, best.err
	}
	return best.best.Items(), late
}

// wordPage is the matches of one slot.
type wordPage struct {
	seg   int
	high  uint32
	ref   *chunkRef
	words search.Page
}

// newestOf offers the matches of one slot.
func (s *searcher) newestOf(run *searchRun, p *wordPage, best *sortedHits) error {
	col, err := p.ref.chunk.Column(versionField)
	if err != nil || col == nil {
		return err
	}
	if worst, full := best.best.Worst(); full && col.Max().Int < worst.keys[0].Int {
		return nil
	}
	return eachBit(&p.words, func(place int) error {
		f := found{run: run, ref: p.ref, place: int(p.high|uint32(place)) - int(p.ref.base())}
		f.hit = search.Hit{Segment: p.seg, Doc: p.high | uint32(place)}
		version, _ := col.FirstInt(f.place)
		if worst, full := best.best.Worst(); full && version < worst.keys[0].Int {
			return nil
		}
		f.keys = []SortValue{{Int: version, Float: float64(version)}}
		if after := s.after(); after == nil || best.after(&f, after) {
			best.best.Add(f)
		}
		return best.err
	})
}
