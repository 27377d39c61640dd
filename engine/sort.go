package engine

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/storage"
)

// scoreKey is the name of the score among sort keys.
const scoreKey = "_score"

// sortKey is a sort key bound to an index.
type sortKey struct {
	field   int // -1: the score
	desc    bool
	columns []uint16 // of the field
}

func (s *searcher) sortKeys(run *searchRun) ([]sortKey, error) {
	var p problems
	out := make([]sortKey, len(s.req.Sort))
	for i, k := range s.req.Sort {
		out[i] = sortKey{field: -1, desc: k.Desc}
		if k.Field == scoreKey {
			continue
		}
		at := fmt.Sprintf("/sort/%d", i)
		n, ok := run.iv.schema.byName[k.Field]
		if !ok {
			p.addf(CodeInvalidSort, at, "there is no field %q", k.Field)
			continue
		}
		f := &run.iv.schema.Fields[n]
		if !f.Sort {
			p.addf(CodeNotSortable, at, "the field %q cannot be sorted by; set sort in the schema", k.Field)
		}
		out[i].field, out[i].columns = n, run.iv.schema.columnsOf(n)
	}
	return out, p.orNil()
}

// sortValue is the value that a document sorts by: of several the least when
// ascending, the greatest when descending.
func sortValue(c *page.Chunk, k sortKey, place int, score uint64) (SortValue, error) {
	if k.field < 0 {
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
				if s.req.After != nil && !best.after(&f, s.req.After) {
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

// newest collects hits without query and sort keys: those written last first.
// The order is by version, then by index, then by document number: within a
// batch, patched records come before put ones, and later ones before earlier.
func (s *searcher) newest(res *Result) ([]found, error) {
	var all []found
	var late error
	for _, run := range s.runs {
		pages, total, err := s.lastPages(run)
		if late = err; err != nil {
			break
		}
		res.Total += total
		taken := 0
		for i := len(pages) - 1; i >= 0 && taken <= s.want; i-- {
			p := pages[i]
			for w := len(p.words) - 1; w >= 0 && taken <= s.want; w-- {
				for v := p.words[w]; v != 0 && taken <= s.want; {
					b := bits.Len64(v) - 1
					v &^= 1 << b
					f := run.found(search.Hit{Segment: p.seg, Doc: p.high | uint32(w<<6|b)})
					ok, err := s.version(&f)
					if err != nil {
						return nil, err
					}
					if ok {
						all = append(all, f)
						taken++
					}
				}
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return newer(all[i].position(), all[j].position()) })
	return all, late
}

// wordPage is the matches of one slot.
type wordPage struct {
	seg   int
	high  uint32
	words search.Page
	count int
}

// lastPages returns the last matches of an index, as many pages as it takes,
// and the number of all.
func (s *searcher) lastPages(run *searchRun) (pages []*wordPage, total int64, err error) {
	kept := 0
	err = s.matches(run, func(seg, slot int, words *search.Page) error {
		p := &wordPage{seg: seg, high: uint32(run.segs[seg].Slots[slot].Page) << 16, words: *words}
		p.count = collect.Count(words)
		total += int64(p.count)
		pages, kept = append(pages, p), kept+p.count
		for s.req.After == nil && len(pages) > 1 && kept-pages[0].count > s.want {
			kept -= pages[0].count
			pages = pages[1:]
		}
		return nil
	})
	return pages, total, err
}

// version looks up the version of a hit's record, and tells whether the hit
// comes after the request's cursor.
func (s *searcher) version(f *found) (bool, error) {
	after := s.req.After
	if after != nil && len(after.Sort) == 1 && f.run.name == after.Index {
		if int64(f.hit.Doc) >= after.Sort[0].Int {
			return false, nil
		}
	}
	id, err := f.ref.chunk.ID(f.place)
	if err != nil {
		return false, err
	}
	entry, err := s.v.kv.Get(storage.IDKey(f.run.iv.ix.number, string(id)))
	if err != nil {
		return false, translate(err)
	}
	_, version, err := decodeIDEntry(entry)
	if err != nil {
		return false, err
	}
	f.keys = []SortValue{{Int: int64(f.hit.Doc), Float: float64(version)}}
	return after == nil || len(after.Sort) != 1 || newer(*after, f.position()), nil
}

func (f *found) position() Position { return Position{Sort: f.keys, Index: f.run.name} }

// newer is the order of newest: whether a comes before b.
func newer(a, b Position) bool {
	x, y := a.Sort[0], b.Sort[0]
	switch {
	case x.Float != y.Float:
		return x.Float > y.Float
	case a.Index != b.Index:
		return a.Index < b.Index
	}
	return x.Int > y.Int
}
