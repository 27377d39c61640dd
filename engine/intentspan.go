package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// Span implements intent.Vocabulary: by what the columns of all chunks say of themselves, or,
// where records were deleted, by the values of those that are left. Whoever may not see all records is told of
// those that they may see.
func (v *facetWords) Span(field string) (least, greatest float64, known bool) {
	least, greatest = math.Inf(1), math.Inf(-1)
	for i := range v.runs {
		iv := v.runs[i].iv
		n := iv.schema.Field(field)
		if n < 0 {
			continue
		}
		if len(v.s.req.Restrict) > 0 {
			lo, hi, err := v.seenSpan(v.runs[i].searchRun, uint16(n))
			if err != nil {
				return 0, 0, false // the search meets it itself
			}
			least, greatest = min(least, lo), max(greatest, hi)
			continue
		}
		for _, ref := range iv.chunks {
			for _, number := range [...]uint16{uint16(n), uint16(n) | floatColumns} {
				info, ok := ref.chunk.ColumnInfo(number)
				if !ok || info.Values == 0 {
					continue
				}
				lo, hi := amount(info.Min), amount(info.Max)
				if dead := iv.deadWords(uint16(ref.base() >> 16)); dead != nil {
					some := false
					if lo, hi, some = v.living(iv, ref, number, dead); !some {
						continue
					}
				}
				least, greatest = min(least, lo), max(greatest, hi)
			}
		}
	}
	return least, greatest, least <= greatest
}

// living returns the least and greatest value that the records of a chunk have which are not
// deleted, and whether there is any. They are remembered by view.
func (v *facetWords) living(iv *indexView, ref *chunkRef, number uint16, dead *search.Page) (least, greatest float64, some bool) {
	facts := v.s.e.facts
	key := facts.key(iv, factSpan, fmt.Sprint(number, " ", ref.base()))
	if f := facts.find(&key); f != nil {
		return f.span[0], f.span[1], f.n > 0
	}
	col, err := ref.chunk.Column(number)
	if err != nil || col == nil {
		return least, greatest, false // the search meets the error itself, if it needs the column
	}
	live := new(search.Page)
	for i := range live {
		live[i] = ^dead[i]
	}
	stats := col.Stats(live, int(uint16(ref.base())))
	f := &wordFact{key: key, n: int64(stats.Count)}
	if f.n > 0 {
		f.span = [2]float64{amount(stats.Min), amount(stats.Max)}
	}
	facts.add(f)
	return f.span[0], f.span[1], f.n > 0
}

// seenSpan returns the least and greatest value of a field that the records have which the caller may
// see: infinite ones, the least above the greatest, if there is none. They are remembered by view.
func (v *facetWords) seenSpan(run *searchRun, field uint16) (least, greatest float64, err error) {
	facts := v.s.e.facts
	key := facts.key(run.iv, factSpan, fmt.Sprintf("%d %q", field, v.s.req.Restrict))
	if f := facts.find(&key); f != nil {
		return f.span[0], f.span[1], nil
	}
	least, greatest = math.Inf(1), math.Inf(-1)
	seen, err := run.res.sight()
	if err != nil {
		return 0, 0, err
	}
	for seg := range run.iv.segs {
		for slot := range run.segs[seg].Slots {
			sl := &run.segs[seg].Slots[slot]
			ref := run.iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
			if ref == nil {
				continue
			}
			words, err := seen.page(seg, slot)
			if err != nil {
				return 0, 0, err
			}
			for _, number := range [...]uint16{field, field | floatColumns} {
				col, err := ref.chunk.Column(number)
				if err != nil {
					return 0, 0, err
				}
				if col == nil {
					continue
				}
				if stats := col.Stats(words, int(uint16(ref.base()))); stats.Count > 0 {
					least, greatest = min(least, amount(stats.Min)), max(greatest, amount(stats.Max))
				}
			}
		}
	}
	facts.add(&wordFact{key: key, span: [2]float64{least, greatest}})
	return least, greatest, nil
}

// amount is a value as a number; of a date, its year.
func amount(v page.Value) float64 {
	switch v.Kind {
	case page.KindFloat:
		return v.Float
	case page.KindDate:
		return float64(time.UnixMicro(v.Int).UTC().Year())
	}
	return float64(v.Int)
}
