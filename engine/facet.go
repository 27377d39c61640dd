package engine

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// facetCount counts one facet over all indexes of a search.
type facetCount struct {
	req     FacetRequest
	typ     Type
	numbers map[number]int64
	words   map[string]int64 // keywords
	ranges  []int64
	stats   [2]page.Stats // of floats, and of other numbers
	matches int64
	present int64 // matches that have the field
}

// facets counts the facets of the request over all matches.
func (s *searcher) facets() (map[string]Facet, error) {
	counts := make([]*facetCount, len(s.req.Facets))
	var p problems
	for i, f := range s.req.Facets {
		counts[i] = &facetCount{req: f, numbers: map[number]int64{}, words: map[string]int64{}, ranges: make([]int64, len(f.Ranges))}
		s.checkFacet(counts[i], fmt.Sprintf("/facets/%d", i), &p)
	}
	if err := p.orNil(); err != nil {
		return nil, err
	}
	var late error
	for _, run := range s.runs {
		late = s.matches(run, func(seg, slot int, words *search.Page) error {
			for _, c := range counts {
				if err := c.add(run, seg, slot, words); err != nil {
					return err
				}
			}
			return nil
		})
		if late != nil {
			break
		}
	}
	out := make(map[string]Facet, len(counts))
	for _, c := range counts {
		f := c.result()
		f.Exact = late == nil
		out[c.req.Field] = f
	}
	return out, late
}

// checkFacet tests a facet against the schemas.
func (s *searcher) checkFacet(c *facetCount, at string, p *problems) {
	l := s.e.opts.Limits
	if c.req.Limit == 0 {
		c.req.Limit = 10
	}
	if c.req.Limit < 0 || c.req.Limit > l.FacetValues {
		p.addf(CodeLimitExceeded, at+"/limit", "a facet may list %d values", l.FacetValues)
	}
	found := false
	for _, run := range s.runs {
		i, ok := run.iv.schema.byName[c.req.Field]
		if !ok {
			continue
		}
		f := &run.iv.schema.Fields[i]
		if found = true; c.typ != Float || f.Type != Int {
			c.typ = f.Type
		}
		if !f.Facet && !(f.Filter && len(c.req.Ranges) > 0) {
			p.addf(CodeNotFilterable, at, "the field %q is no facet; set facet in the schema", c.req.Field)
			return
		}
		if len(c.req.Ranges) > 0 && f.Type != Int && f.Type != Float && f.Type != Date {
			p.addf(CodeInvalidRequest, at+"/ranges", "ranges are for fields of numbers and dates; %q is %s", c.req.Field, article(f.Type))
			return
		}
	}
	if !found && len(s.runs) > 0 {
		p.addf(CodeUnknownField, at, "there is no field %q", c.req.Field)
	}
}

// add counts the matches of one slot.
func (c *facetCount) add(run *searchRun, seg, slot int, words *search.Page) error {
	n := int64(collect.Count(words))
	c.matches += n
	f, ok := run.iv.schema.byName[c.req.Field]
	if !ok {
		return nil
	}
	sl := &run.segs[seg].Slots[slot]
	ref := run.iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
	base := int(uint16(ref.base()))
	var cols []*page.Column
	var has search.Page
	for _, number := range run.iv.schema.columnsOf(f) {
		col, err := ref.chunk.Column(number)
		if err != nil {
			return err
		}
		if col != nil {
			cols = append(cols, col)
			col.Present(&has, base)
		}
	}
	c.present += int64(collect.CountAnd(words, &has))
	if len(cols) == 0 {
		return nil
	}
	if col := cols[0]; col.Kind() == page.KindKeyword {
		counts := make([]int, col.Dict().Len())
		col.CountOrds(words, base, counts)
		for ord, n := range counts {
			if n > 0 {
				c.words[string(col.Dict().At(ord))] += int64(n)
			}
		}
		return nil
	}
	for _, col := range cols {
		if st := col.Stats(words, base); col.Kind() == page.KindFloat {
			c.stats[0].Merge(&st)
		} else if col.Kind() != page.KindBool {
			c.stats[1].Merge(&st)
		}
	}
	if len(c.req.Ranges) > 0 {
		c.countRanges(cols, words, base)
		return nil
	}
	var values []page.Value
	return eachBit(words, func(place int) error {
		values = values[:0]
		for _, col := range cols {
			if i := place - base; i >= 0 && i < col.Len() && col.Has(i) {
				values = col.Values(values, i)
			}
		}
		if len(values) > 1 {
			slices.SortFunc(values, compareValues)
		}
		for j, v := range values {
			if j == 0 || compareValues(v, values[j-1]) != 0 {
				c.numbers[c.number(v)]++
			}
		}
		return nil
	})
}

func (c *facetCount) countRanges(cols []*page.Column, words *search.Page, base int) {
	for i, r := range c.req.Ranges {
		var in search.Page
		for _, col := range cols {
			col.Range(facetBound(r.From, c.typ, false), facetBound(r.To, c.typ, true), &in, base)
		}
		c.ranges[i] += int64(collect.CountAnd(words, &in))
	}
}

// facetBound is an end of a range; dates are given in seconds.
func facetBound(v *float64, t Type, exclusive bool) page.Bound {
	if v == nil {
		return page.Bound{}
	}
	f := *v
	if t == Date {
		f *= 1e6
	}
	return page.Bound{Value: page.FloatValue(f), Exclusive: exclusive}
}

func (c *facetCount) result() Facet {
	out := Facet{Missing: c.matches - c.present, Exact: true}
	for i, r := range c.req.Ranges {
		out.Ranges = append(out.Ranges, RangeCount{r, c.ranges[i]})
	}
	if c.stats[0].Count+c.stats[1].Count > 0 {
		out.Stats = c.sums()
	}
	if len(c.req.Ranges) > 0 {
		return out
	}
	for w, n := range c.words {
		out.Values = append(out.Values, FacetValue{w, n})
	}
	for v, n := range c.numbers {
		out.Values = append(out.Values, FacetValue{v.plain(), n})
	}
	sort.Slice(out.Values, func(i, j int) bool {
		if out.Values[i].Count != out.Values[j].Count {
			return out.Values[i].Count > out.Values[j].Count
		}
		return lessValue(out.Values[i].Value, out.Values[j].Value)
	})
	if len(out.Values) > c.req.Limit {
		for _, v := range out.Values[c.req.Limit:] {
			out.Other += v.Count
		}
		out.Values = out.Values[:c.req.Limit]
	}
	return out
}

func (c *facetCount) sums() *FacetStats {
	unit := 1.0
	if c.typ == Date {
		unit = 1e-6
	}
	s := &FacetStats{Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range c.stats {
		if st := &c.stats[i]; st.Count > 0 {
			s.Min, s.Max = min(s.Min, numberOf(st.Min)*unit), max(s.Max, numberOf(st.Max)*unit)
			s.Sum += st.Sum() * unit
			s.Count += int64(st.Count)
		}
	}
	s.Avg = s.Sum / float64(s.Count)
	if c.typ == Int {
		s.Ints = &[2]int64{c.stats[1].Min.Int, c.stats[1].Max.Int}
	}
	return s
}

func numberOf(v page.Value) float64 {
	if v.Kind == page.KindFloat {
		return v.Float
	}
	return float64(v.Int)
}

// number is a value of a number, bool or date field.
type number struct {
	kind page.Kind
	i    int64
	f    float64
}

// number returns the key of a value. In a float field an integer is the float
// that it equals, if there is one.
func (c *facetCount) number(v page.Value) number {
	if f := float64(v.Int); c.typ == Float && v.Kind == page.KindInt && compareIntFloat(v.Int, f) == 0 {
		return number{kind: page.KindFloat, f: f}
	}
	return number{v.Kind, v.Int, v.Float}
}

// plain is the value as results show it: dates in RFC 3339.
func (v number) plain() any {
	switch v.kind {
	case page.KindFloat:
		return v.f
	case page.KindBool:
		return v.i != 0
	case page.KindDate:
		return formatDate(v.i)
	}
	return v.i
}

func lessValue(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a < b
	case int64:
		switch b := b.(type) {
		case int64:
			return a < b
		case float64:
			return compareIntFloat(a, b) < 0
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return compareIntFloat(b, a) > 0
		case float64:
			return a < b
		}
	case bool:
		b, ok := b.(bool)
		return ok && !a && b
	}
	return false
}
