package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// facetCount counts one facet over all indexes of a search.
type facetCount struct {
	req FacetRequest
	jointType
	numbers [page.KindDate + 1]map[int64]int64 // by kind; of floats, their bits
	words   map[string]*int64                  // keywords
	ranges  []int64
	stats   [2]page.Stats // of floats, and of other numbers
	matches int64
	present int64 // matches that have the field
	counter *page.Counter
}

// facetCounts returns what the facets of the request will be counted in.
func (s *searcher) facetCounts() ([]*facetCount, error) {
	counts := make([]*facetCount, len(s.req.Facets))
	var p problems
	counter := &page.Counter{}
	for i, f := range s.req.Facets {
		counts[i] = &facetCount{req: f, words: map[string]*int64{}, ranges: make([]int64, len(f.Ranges)), counter: counter}
		s.checkFacet(counts[i], fmt.Sprintf("/facets/%d", i), &p)
	}
	return counts, p.orNil()
}

// facets counts the facets of the request over all matches.
func (s *searcher) facets() (map[string]Facet, error) {
	counts, err := s.facetCounts()
	if err != nil {
		return nil, err
	}
	var late error
	for _, run := range s.runs {
		if late = s.countFacets(run, counts); late != nil {
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

// countFacets counts the matches of one index: those of the request, and for
// disjunctive facets those of the request without some of its filter.
func (s *searcher) countFacets(run *searchRun, counts []*facetCount) error {
	var plain []*facetCount
	for _, c := range counts {
		if q := s.without(run, c.req); q != nil {
			if len(run.pinned) > 0 {
				q = run.plusPinned(q)
			}
			pages, err := s.matchedBy(run, q)
			if err := addPages(run, pages, c); err != nil {
				return err
			}
			if err != nil {
				return err
			}
			continue
		}
		plain = append(plain, c)
	}
	if len(plain) == 0 {
		return nil
	}
	pages, late := s.matched(run)
	if err := addPages(run, pages, plain...); err != nil {
		return err
	}
	return late
}

func addPages(run *searchRun, pages []*wordPage, counts ...*facetCount) error {
	for _, p := range pages {
		for _, c := range counts {
			if err := c.add(run, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// without returns the query of a disjunctive facet: that of the request without
// the members of its filter that concern the facet's field alone. It is nil if
// there are none.
func (s *searcher) without(run *searchRun, f FacetRequest) *search.Query {
	if !f.Disjunctive || run.own == nil {
		return nil
	}
	members := conjuncts(nil, run.own.node)
	kept := slices.DeleteFunc(slices.Clone(members), func(n query.Node) bool {
		fields := query.Fields(n)
		return len(fields) == 1 && fields[0] == f.Field
	})
	if len(kept) == len(members) {
		return nil
	}
	cond, err := bindFilter(run.iv.schema, query.And{Nodes: kept}, s.filterable)
	if err != nil {
		return nil // it is part of a filter that could be bound
	}
	set := &filterSet{run: run, cond: cond}
	run.res.used = append(run.res.used, set)
	must := slices.Clone(run.res.must)
	must[run.own.place] = &search.Expr{Op: search.OpSet, Set: len(run.q.Sets)}
	q := *run.q
	q.Sets = append(slices.Clone(run.q.Sets), search.Set{Words: set.some})
	q.Match = run.conditionOf(must, s.least)
	return &q
}

// ownFilter is Request.Filter in an index.
type ownFilter struct {
	node  query.Node
	place int // in resolver.must
}

// conjuncts appends what n joins by AND to dst.
func conjuncts(dst []query.Node, n query.Node) []query.Node {
	if and, ok := n.(query.And); ok {
		for _, k := range and.Nodes {
			dst = conjuncts(dst, k)
		}
		return dst
	}
	return append(dst, n)
}

// checkFacet tests a facet against the schemas.
func (s *searcher) checkFacet(c *facetCount, at string, p *problems) {
	l := s.e.opts.Limits
	if c.req.Limit == 0 {
		c.req.Limit = 10
	}
	if c.req.Limit < 0 {
		p.addf(CodeInvalidRequest, at+"/limit", "must not be negative")
	}
	if c.req.Limit > l.FacetValues {
		p.addf(CodeLimitExceeded, at+"/limit", "a facet may list %d values", l.FacetValues)
	}
	if c.req.Sort > FacetByValue {
		p.addf(CodeInvalidRequest, at+"/sort", "there is no such choice")
	}
	found := false
	for _, run := range s.runs {
		i, ok := run.iv.schema.byName[c.req.Field]
		if !ok {
			continue
		}
		f := &run.iv.schema.Fields[i]
		c.join(f.Type, !found)
		found = true
		number := f.Type == Int || f.Type == Float || f.Type == Date
		switch {
		case !f.Facet && !(f.Filter && (len(c.req.Ranges) > 0 || c.req.Stats)):
			p.addf(CodeNotFilterable, at, "%sthe field %q is no facet; set facet in the schema", s.of(run.name), c.req.Field)
			return
		case len(c.req.Ranges) > 0 && !number:
			p.addf(CodeInvalidRequest, at+"/ranges", "%sranges are for fields of numbers and dates; %q is %s", s.of(run.name), c.req.Field, article(f.Type))
			return
		case c.req.Stats && !number:
			p.addf(CodeInvalidRequest, at+"/stats", "%sstatistics are for fields of numbers and dates; %q is %s", s.of(run.name), c.req.Field, article(f.Type))
			return
		}
		for j, r := range c.req.Ranges {
			if _, _, ok := rangeBounds(r, f.Type); !ok {
				p.addf(CodeInvalidRequest, fmt.Sprintf("%s/ranges/%d", at, j), "the ends of a range of %q are values of its type, %s", c.req.Field, f.Type)
			}
		}
	}
	if !found && len(s.runs) > 0 {
		p.addf(CodeUnknownField, at, "%s", s.noField(c.req.Field))
	}
}

// jointType is the type of a field in several indexes together.
type jointType struct {
	typ   Type // Float if it is Float in one of them and Int in others
	mixed bool // they have no statistics in common
}

// join takes account of the field's type in one more index.
func (j *jointType) join(t Type, first bool) {
	number := func(t Type) bool { return t == Int || t == Float }
	switch {
	case first:
		j.typ = t
	case t == j.typ:
	case number(t) && number(j.typ):
		j.typ = Float
	default:
		j.mixed = true
	}
}

// add counts the matches of one slot.
func (c *facetCount) add(run *searchRun, p *wordPage) error {
	words, ref, base := &p.words, p.ref, p.base()
	c.matches += int64(p.count)
	f, ok := run.iv.schema.byName[c.req.Field]
	if !ok {
		return nil
	}
	var cols []*page.Column
	for _, number := range run.iv.schema.columnsOf(f) {
		col, err := ref.chunk.Column(number)
		if err != nil {
			return err
		}
		if col != nil {
			cols = append(cols, col)
		}
	}
	c.present += presentIn(cols, p)
	if len(cols) == 0 {
		return nil
	}
	if col := cols[0]; col.Kind() == page.KindKeyword {
		c.addWords(col, words, base)
		return nil
	}
	if len(cols) == 1 && len(c.req.Ranges) == 0 && !c.req.Stats {
		c.addNumbers(cols[0], words, base)
		return nil
	}
	for _, col := range cols {
		if sum := c.sumOf(col); sum != nil {
			st := col.Stats(words, base)
			sum.Merge(&st)
		}
	}
	switch {
	case len(c.req.Ranges) > 0:
		c.addRanges(run.iv.schema.Fields[f].Type, cols, words, base)
	case c.req.Stats:
	default:
		return c.addJoined(cols, words, base)
	}
	return nil
}

// presentIn returns how many matches have a value in one of the columns.
func presentIn(cols []*page.Column, p *wordPage) int64 {
	if len(cols) == 0 {
		return 0
	}
	var has search.Page
	for _, col := range cols {
		if col.Docs() == col.Len() {
			return int64(p.count)
		}
		col.Present(&has, p.base())
	}
	return int64(collect.CountAnd(&p.words, &has))
}

// sumOf is the statistics that a column of numbers belongs to, nil for none.
func (c *facetCount) sumOf(col *page.Column) *page.Stats {
	switch {
	case c.mixed || col.Kind() == page.KindBool:
		return nil
	case col.Kind() == page.KindFloat:
		return &c.stats[0]
	}
	return &c.stats[1]
}

// addWords counts the values of a column of keywords.
func (c *facetCount) addWords(col *page.Column, words *search.Page, base int) {
	col.CountOrds(words, base, c.counter, func(ord, docs int) {
		word := col.Dict().At(ord)
		n, ok := c.words[string(word)]
		if !ok {
			n = new(int64)
			c.words[string(word)] = n
		}
		*n += int64(docs)
	})
}

// addNumbers counts the values of a column of numbers, dates or bools.
func (c *facetCount) addNumbers(col *page.Column, words *search.Page, base int) {
	col.CountNumbers(words, base, c.counter, c.sumOf(col), func(v page.Value, docs int) {
		c.count(numberOf(v, c.typ), int64(docs))
	})
}

// addJoined counts the values of a field that has them in two columns.
func (c *facetCount) addJoined(cols []*page.Column, words *search.Page, base int) error {
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
				c.count(numberOf(v, c.typ), 1)
			}
		}
		return nil
	})
}

// count counts documents with a number.
func (c *facetCount) count(v number, docs int64) {
	m := c.numbers[v.kind]
	if m == nil {
		m = map[int64]int64{}
		c.numbers[v.kind] = m
	}
	key := v.i
	if v.kind == page.KindFloat {
		key = int64(math.Float64bits(v.f))
	}
	m[key] += docs
}

// addRanges counts the documents that have a value in each range.
func (c *facetCount) addRanges(t Type, cols []*page.Column, words *search.Page, base int) {
	for i, r := range c.req.Ranges {
		lo, hi, _ := rangeBounds(r, t)
		var in search.Page
		for _, col := range cols {
			col.Range(lo, hi, &in, base)
		}
		c.ranges[i] += int64(collect.CountAnd(words, &in))
	}
}

// rangeBounds are the ends of a range of values of a type; ok is false if they
// are none.
func rangeBounds(r FacetRange, t Type) (lo, hi page.Bound, ok bool) {
	lo, ok = rangeBound(r.From, r.FromValue, t)
	if !ok {
		return lo, hi, false
	}
	hi, ok = rangeBound(r.To, r.ToValue, t)
	hi.Exclusive = true
	return lo, hi, ok
}

func rangeBound(plain *float64, exact query.Value, t Type) (page.Bound, bool) {
	switch {
	case exact.Kind != query.KindNull:
		v, ok := numberValue(exact, t)
		return page.At(v), ok
	case plain == nil:
		return page.Bound{}, true
	case t == Date:
		return page.At(page.FloatValue(math.Round(*plain * 1e6))), true
	}
	return page.At(page.FloatValue(*plain)), true
}
