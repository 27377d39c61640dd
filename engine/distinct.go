package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// defaultGroup is the number of hits of a group of a request that names none.
const defaultGroup = 3

// firstStretch is the least number of matches that are looked at first: where
// values are many, most are the best of theirs.
const firstStretch = 64

// collapser keeps the best hit of each value of a field. A record with several
// values stands for the least of them, one without for itself.
type collapser struct {
	s     *searcher
	field string
	jointType
	columns map[*searchRun][]uint16 // of the field, where the index has it
	counts  map[valueKey]int64      // matches by value, pinned records left out
	counter page.Counter
	pins    map[valueKey]int64 // pinned records by value
}

// valueKey names a value: equal numbers have the same key in columns of
// integers and of floats.
type valueKey struct {
	number
	word string
}

func keyOf(v page.Value) valueKey {
	switch v.Kind {
	case page.KindKeyword:
		return valueKey{number{kind: v.Kind}, string(v.Str)}
	case page.KindFloat:
		if i := truncated(v.Float); compareIntFloat(i, v.Float) == 0 {
			return valueKey{number: number{kind: page.KindInt, i: i}}
		}
	}
	return valueKey{number: number{v.Kind, v.Int, v.Float}}
}

// collapser returns what Distinct or Group of the request ask for, nil if they
// ask for nothing.
func (s *searcher) collapser() (*collapser, error) {
	at, field := "/distinct", s.req.Distinct
	var p problems
	if g := s.req.Group; g != nil {
		if field != "" && field != g.Field {
			p.addf(CodeInvalidRequest, "/distinct", "distinct and group are of the same field, or there is one of them")
		}
		at, field = "/group/field", g.Field
		if g.Limit < 0 {
			p.addf(CodeInvalidRequest, "/group/limit", "must not be negative")
		} else if l := s.e.opts.Limits; g.Limit > l.Hits || s.limit()*g.Limit > l.Window {
			p.addf(CodeLimitExceeded, "/group/limit", "a group has up to %d hits, and all groups of a page together up to %d", l.Hits, l.Window)
		}
		if field == "" {
			p.addf(CodeInvalidRequest, at, "a group needs a field")
			return nil, p.orNil()
		}
	}
	if field == "" {
		return nil, nil
	}
	c := &collapser{s: s, field: field, columns: map[*searchRun][]uint16{}, counts: map[valueKey]int64{}, pins: map[valueKey]int64{}}
	found := false
	for _, run := range s.runs {
		n, ok := run.iv.schema.byName[field]
		if !ok {
			continue
		}
		f := &run.iv.schema.Fields[n]
		if f.Type == Geo || !f.exact() {
			p.addf(CodeNotFilterable, at, "%sthe field %q has no values to tell records apart by; set filter, facet or sort in the schema (places have none)", s.of(run.name), field)
			return nil, p.orNil()
		}
		c.join(f.Type, !found)
		found = true
		c.columns[run] = run.iv.schema.columnsOf(n)
	}
	if !found && len(s.runs) > 0 {
		p.addf(CodeUnknownField, at, "%s", s.noField(field))
	}
	return c, p.orNil()
}

// columnsIn returns the columns of the field that a chunk has.
func (c *collapser) columnsIn(run *searchRun, chunk *page.Chunk) (cols []*page.Column, err error) {
	for _, number := range c.columns[run] {
		col, err := chunk.Column(number)
		if err != nil {
			return nil, err
		}
		if col != nil {
			cols = append(cols, col)
		}
	}
	return cols, nil
}

// leastOf returns the value that a document stands for.
func leastOf(cols []*page.Column, place int) (least page.Value, ok bool) {
	for _, col := range cols {
		if v, has := col.Extreme(place, false); has && (!ok || compareValues(v, least) < 0) {
			least, ok = v, true
		}
	}
	return least, ok
}

// collect returns the k best hits behind the request's cursor that are the best
// of their values, and the number of all such hits.
func (c *collapser) collect(k int) (out []found, total int64, err error) {
	s := c.s
	if total, err = c.count(); err != nil {
		return nil, total, err
	}
	defer c.restore(c.queries())
	seen, err := c.pinned()
	if err != nil {
		return nil, 0, err
	}
	for key := range seen {
		if c.counts[key] > 0 {
			total--
		}
	}
	keep := func(v page.Value) bool { return !seen[keyOf(v)] }
	if len(seen) > 0 {
		if s.req.Group != nil {
			// The groups of the pinned records come from the same windows: these
			// are opened before the values of the pinned records are taken out.
			if _, _, err := s.best(stretch{k: max(firstStretch, 4*k)}); err != nil {
				return nil, 0, err
			}
		}
		c.narrow(keep, nil)
	}
	order, after := sortedHits{keys: s.order()}, s.after()
	// The matches come in ever larger windows, each behind the one before it
	// and without the values that were seen.
	w := stretch{k: max(firstStretch, 4*k)}
	kept := int64(0)
	for len(out) < k && kept < total {
		hits, _, err := s.best(w)
		if err != nil {
			return out, total, err
		}
		for i := range hits {
			f := &hits[i]
			cols, err := c.columnsIn(f.run, f.ref.chunk)
			if err != nil {
				return nil, 0, err
			}
			if v, ok := leastOf(cols, f.place); ok {
				key := keyOf(v)
				if seen[key] {
					continue
				}
				seen[key] = true
			}
			kept++
			if after == nil || s.isAfter(&order, f, after) {
				out = append(out, *f)
			}
		}
		if order.err != nil {
			return nil, 0, order.err
		}
		if len(hits) < w.k {
			break
		}
		last, err := s.position(&hits[len(hits)-1])
		if err != nil {
			return nil, 0, err
		}
		w = stretch{k: 4 * w.k, after: &last}
		c.narrow(keep, nil)
	}
	return out[:min(k, len(out))], total, nil
}

// pinned returns the values that pinned records stand for: no other record does.
func (c *collapser) pinned() (map[valueKey]bool, error) {
	seen := map[valueKey]bool{}
	for i := range c.s.pins {
		f := &c.s.pins[i].found
		cols, err := c.columnsIn(f.run, f.ref.chunk)
		if err != nil {
			return nil, err
		}
		if v, ok := leastOf(cols, f.place); ok {
			seen[keyOf(v)] = true
			c.pins[keyOf(v)]++
		}
	}
	return seen, nil
}

// order are the sort keys that hits carry values of.
func (s *searcher) order() []SortKey {
	if len(s.req.Sort) == 0 && s.tree == nil && s.fusion == nil {
		return []SortKey{{Desc: true}} // see newest
	}
	return s.req.Sort
}

// count counts the matches by value, and returns how many values and matches
// without a value there are.
func (c *collapser) count() (total int64, err error) {
	for _, run := range c.s.runs {
		pages, late := c.s.matched(run)
		for _, p := range pages {
			single, err := c.countPage(run, p)
			if err != nil {
				return 0, err
			}
			total += single
		}
		if late != nil {
			return total + int64(len(c.counts)), late
		}
	}
	return total + int64(len(c.counts)), nil
}

// countPage counts the matches of a page by value, and returns the number of
// those without.
func (c *collapser) countPage(run *searchRun, p *wordPage) (single int64, err error) {
	cols, err := c.columnsIn(run, p.ref.chunk)
	if err != nil {
		return 0, err
	}
	var has search.Page
	for _, col := range cols {
		col.Present(&has, p.base())
	}
	single = int64(p.count - collect.CountAnd(&p.words, &has))
	if len(cols) == 1 {
		cols[0].CountLeast(&p.words, p.base(), &c.counter, func(v page.Value, docs int) { c.counts[keyOf(v)] += int64(docs) })
		return single, nil
	}
	return single, eachBit(&p.words, func(place int) error {
		if has[place>>6]>>(place&63)&1 != 0 {
			if v, ok := leastOf(cols, place-p.base()); ok {
				c.counts[keyOf(v)]++
			}
		}
		return nil
	})
}

// queries returns the queries of all indexes, for restore.
func (c *collapser) queries() (all []*search.Query) {
	for _, run := range c.s.runs {
		all = append(all, run.q)
	}
	return all
}

func (c *collapser) restore(queries []*search.Query) {
	for i, run := range c.s.runs {
		run.q = queries[i]
	}
	c.s.within = nil
}

// narrow restricts the queries further to the documents that stand for a value
// that keep keeps. Those without a value stay unless only, which is then the
// one value that keep keeps, is given.
func (c *collapser) narrow(keep func(v page.Value) bool, only *page.Value) {
	c.s.within = func(f *found) bool {
		cols, err := c.columnsIn(f.run, f.ref.chunk)
		if err != nil && f.run.res.err == nil {
			f.run.res.err = err
		}
		v, ok := leastOf(cols, f.place)
		return ok && keep(v) || !ok && only == nil
	}
	for _, run := range c.s.runs {
		set := &valueSet{c: c, run: run, keep: keep, only: only}
		q := *run.q
		q.Sets = append(slices.Clone(q.Sets), search.Set{Words: set.words})
		q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{q.Match, {Op: search.OpSet, Set: len(q.Sets) - 1}}}
		run.q = &q
	}
}

// valueSet is the documents that stand for certain values.
type valueSet struct {
	c    *collapser
	run  *searchRun
	keep func(v page.Value) bool
	only *page.Value
	memo map[[2]int]*search.Page
}

func (v *valueSet) words(seg, slot int) *search.Page {
	key := [2]int{seg, slot}
	if w, ok := v.memo[key]; ok {
		return w
	}
	w, err := v.eval(seg, slot)
	if err != nil && v.run.res.err == nil {
		v.run.res.err = err
	}
	if v.memo == nil {
		v.memo = map[[2]int]*search.Page{}
	}
	v.memo[key] = w
	return w
}

func (v *valueSet) eval(seg, slot int) (*search.Page, error) {
	sl := &v.run.segs[seg].Slots[slot]
	ref := v.run.iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
	base := int(uint16(ref.base()))
	cols, err := v.c.columnsIn(v.run, ref.chunk)
	if err != nil {
		return nil, err
	}
	var has, out search.Page
	for _, col := range cols {
		col.Present(&has, base)
	}
	switch {
	case len(cols) == 1 && v.only != nil && !cols[0].MultiValued():
		cols[0].Range(page.At(*v.only), page.At(*v.only), &out, base)
	case len(cols) == 1:
		cols[0].LeastIn(v.keep, &out, base)
	default:
		err = eachBit(&has, func(place int) error {
			if least, ok := leastOf(cols, place-base); ok && v.keep(least) {
				out[place>>6] |= 1 << (place & 63)
			}
			return nil
		})
	}
	if v.only == nil {
		for i := range out {
			out[i] |= ^has[i]
		}
	}
	return &out, err
}

// groups adds to hits, which were made of found, the groups that they are the
// best of.
func (c *collapser) groups(best []found, hits []Hit) error {
	limit := c.s.req.Group.Limit
	if limit == 0 {
		limit = defaultGroup
	}
	c.s.withPinned()
	all := c.queries()
	defer c.restore(all)
	for i := range hits {
		c.restore(all)
		cols, err := c.columnsIn(best[i].run, best[i].ref.chunk)
		if err != nil {
			return err
		}
		v, ok := leastOf(cols, best[i].place)
		if !ok {
			hits[i].Group = &Group{Total: 1, Hits: []Hit{hits[i]}}
			continue
		}
		key := keyOf(v)
		g := &Group{Value: c.plain(v), Total: c.counts[key] + c.pins[key]}
		group := best[i : i+1 : i+1]
		if limit > 1 && g.Total > 1 {
			c.narrow(func(v page.Value) bool { return keyOf(v) == key }, &v)
			others, _, err := c.s.best(stretch{k: limit})
			if err != nil {
				return err
			}
			group = append(group, slices.DeleteFunc(others, func(f found) bool {
				return f.run == best[i].run && f.hit.Doc == best[i].hit.Doc
			})...)
		}
		if g.Hits, err = c.s.read(group[:min(limit, len(group))]); err != nil {
			return err
		}
		hits[i].Group = g
	}
	for _, run := range c.s.runs {
		err := run.res.err
		if err != nil {
			return err
		}
	}
	return nil
}

// plain is a value as results show it.
func (c *collapser) plain(v page.Value) any {
	if v.Kind == page.KindKeyword {
		return string(v.Str)
	}
	return numberOf(v, c.typ).plain()
}
