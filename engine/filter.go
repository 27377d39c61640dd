package engine

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
)

// condition is a filter bound to a schema: a tree of and, or, not over
// predicates on one field each.
type condition struct {
	op   conditionOp
	kids []*condition
	predicate
}

type conditionOp uint8

const (
	condAll conditionOp = iota
	condNone
	condAnd
	condOr
	condNot
	condEqual  // some value is one of values
	condRange  // some value lies between lo and hi
	condPrefix // some value begins with prefix
	condExists // there is a value
)

type predicate struct {
	field  int
	typ    Type // of the field
	values []page.Value
	lo, hi page.Bound
	prefix []byte
}

// parseFilter reads a filter expression.
func (e *Engine) parseFilter(text string) (query.Node, error) {
	n, err := query.ParseFilter(text, query.Limits{MaxOperators: e.opts.Limits.FilterOps, MaxDepth: e.opts.Limits.FilterDepth})
	if err != nil {
		return nil, fromQueryError("/filter", err)
	}
	return n, nil
}

// fromQueryError makes an InvalidError of an error of package query.
func fromQueryError(pointer string, err error) error {
	var q *query.Error
	if !errors.As(err, &q) {
		return err
	}
	var p problems
	p.add(Problem{Code: q.Code, Position: -1, Pointer: pointer, Column: q.Column, Detail: q.Detail})
	return p.orNil()
}

// bindFilter binds a filter to a schema. A field that the schema lacks is an
// error unless known, if not nil, tells that another schema of the search has
// it: then no record has a value of it.
func bindFilter(c *compiled, n query.Node, known func(field string) bool) (*condition, error) {
	b := binder{schema: c, known: known}
	cond := b.bind(n)
	return cond, b.problems.orNil()
}

type binder struct {
	schema   *compiled
	known    func(field string) bool
	problems problems
}

// absent tells whether n is about a field that only other schemas have.
func (b *binder) absent(n query.Node) bool {
	var name string
	switch n := n.(type) {
	case query.Compare:
		name = n.Field
	case query.In:
		name = n.Field
	case query.Range:
		name = n.Field
	case query.Exists:
		name = n.Field
	case query.StartsWith:
		name = n.Field
	default:
		return false
	}
	_, ok := b.schema.byName[name]
	return !ok && b.known != nil && b.known(name)
}

func (b *binder) bind(n query.Node) *condition {
	if b.absent(n) {
		if c, ok := n.(query.Compare); ok && c.Op == query.OpNotEqual {
			return &condition{op: condAll}
		}
		return &condition{op: condNone}
	}
	switch n := n.(type) {
	case query.And:
		return b.list(condAnd, n.Nodes)
	case query.Or:
		return b.list(condOr, n.Nodes)
	case query.Not:
		return &condition{op: condNot, kids: []*condition{b.bind(n.Node)}}
	case query.All:
		return &condition{op: condAll}
	case query.None:
		return &condition{op: condNone}
	case query.Compare:
		return b.compare(n)
	case query.In:
		f, ok := b.field(n.Field)
		if !ok {
			return nil
		}
		c := &condition{op: condEqual, predicate: predicate{field: f, typ: b.schema.Fields[f].Type}}
		for _, v := range n.Values {
			if pv, ok := b.value(f, v); ok {
				c.values = append(c.values, pv)
			}
		}
		return c
	case query.Range:
		f, ok := b.field(n.Field)
		if !ok {
			return nil
		}
		c := &condition{op: condRange, predicate: predicate{field: f, typ: b.schema.Fields[f].Type}}
		c.lo, c.hi = b.bound(f, n.Low), b.bound(f, n.High)
		if n.Low.Open && n.High.Open {
			c.op = condExists
		}
		return c
	case query.Exists:
		f, ok := b.field(n.Field)
		if !ok {
			return nil
		}
		return &condition{op: condExists, predicate: predicate{field: f, typ: b.schema.Fields[f].Type}}
	case query.Empty:
		return &condition{op: condNot, kids: []*condition{b.bind(query.Exists(n))}}
	case query.StartsWith:
		f, ok := b.field(n.Field)
		if !ok {
			return nil
		}
		if t := b.schema.Fields[f].Type; t != Keyword && t != Text {
			b.problems.addf(CodeInvalidFilter, "", "STARTS WITH is for keyword and text fields; %q is %s", n.Field, article(t))
			return nil
		}
		return &condition{op: condPrefix, predicate: predicate{field: f, typ: b.schema.Fields[f].Type, prefix: []byte(n.Prefix)}}
	case query.Geo:
		b.problems.addf(CodeInvalidFilter, "", "this version has no geo fields")
		return nil
	}
	b.problems.addf(CodeInvalidFilter, "", "words to search for cannot stand in a filter")
	return nil
}

func (b *binder) list(op conditionOp, nodes []query.Node) *condition {
	c := &condition{op: op}
	for _, n := range nodes {
		c.kids = append(c.kids, b.bind(n))
	}
	return c
}

// field finds a field that may be filtered.
func (b *binder) field(name string) (int, bool) {
	i, ok := b.schema.byName[name]
	if !ok {
		b.problems.addf(CodeUnknownField, "", "there is no field %q", name)
		return 0, false
	}
	if f := &b.schema.Fields[i]; !f.Filter && !f.Facet {
		b.problems.addf(CodeNotFilterable, "", "the field %q cannot be filtered; set filter in the schema", name)
		return 0, false
	}
	return i, true
}

func (b *binder) compare(n query.Compare) *condition {
	f, ok := b.field(n.Field)
	if !ok {
		return nil
	}
	v, ok := b.value(f, n.Value)
	if !ok {
		return nil
	}
	c := &condition{op: condRange, predicate: predicate{field: f, typ: b.schema.Fields[f].Type}}
	switch n.Op {
	case query.OpEqual, query.OpNotEqual:
		c.op, c.values = condEqual, []page.Value{v}
		if n.Op == query.OpNotEqual {
			return &condition{op: condNot, kids: []*condition{c}}
		}
	case query.OpLess:
		c.hi = page.Beyond(v)
	case query.OpLessEqual:
		c.hi = page.At(v)
	case query.OpGreater:
		c.lo = page.Beyond(v)
	case query.OpGreaterEqual:
		c.lo = page.At(v)
	}
	return c
}

func (b *binder) bound(f int, q query.Bound) page.Bound {
	if q.Open {
		return page.Bound{}
	}
	v, ok := b.value(f, q.Value)
	if !ok {
		return page.Bound{}
	}
	return page.Bound{Value: v, Exclusive: !q.Inclusive}
}

// value makes a column value of a constant, by the type of the field.
func (b *binder) value(f int, v query.Value) (page.Value, bool) {
	field := &b.schema.Fields[f]
	switch field.Type {
	case Text, Keyword:
		switch v.Kind {
		case query.KindString, query.KindDate:
			return page.KeywordValue(exactValue([]byte(v.Str))), true
		case query.KindInt:
			return page.KeywordValue(strconv.AppendInt(nil, v.Int, 10)), true
		case query.KindFloat:
			return page.KeywordValue(strconv.AppendFloat(nil, v.Float, 'g', -1, 64)), true
		case query.KindBool:
			return page.KeywordValue(strconv.AppendBool(nil, v.Bool)), true
		}
	case Int, Float:
		switch v.Kind {
		case query.KindInt:
			return page.IntValue(v.Int), true
		case query.KindFloat:
			return page.FloatValue(v.Float), true
		}
	case Bool:
		if v.Kind == query.KindBool {
			return page.BoolValue(v.Bool), true
		}
	case Date:
		switch v.Kind {
		case query.KindDate, query.KindString:
			if t, ok := parseDate(v.Str); ok {
				return page.DateValue(t), true
			}
		case query.KindInt:
			if v.Int > -1<<43 && v.Int < 1<<43 {
				return page.DateValue(v.Int * 1e6), true
			}
		}
	}
	b.problems.addf(CodeInvalidFilter, "", "the field %q is %s and cannot be compared with a %s", field.Name, article(field.Type), v.Kind)
	return page.Value{}, false
}

// filterSet evaluates a condition on the pages of a view's segments.
type filterSet struct {
	run  *searchRun
	cond *condition
	memo map[[2]int]*search.Page
	err  error
}

func (s *filterSet) words(seg, slot int) *search.Page {
	key := [2]int{seg, slot}
	if w, ok := s.memo[key]; ok {
		return w
	}
	w, err := s.eval(s.cond, seg, slot)
	if err != nil && s.err == nil {
		s.err = err
	}
	if s.memo == nil {
		s.memo = map[[2]int]*search.Page{}
	}
	s.memo[key] = w
	return w
}

// eval returns the documents of a slot's page that satisfy c; nil for none.
// The result belongs to the caller.
func (s *filterSet) eval(c *condition, seg, slot int) (*search.Page, error) {
	out := new(search.Page)
	switch c.op {
	case condAll:
		fillAll(out)
	case condNone:
	case condNot:
		w, err := s.eval(c.kids[0], seg, slot)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = ^w[i]
		}
	case condAnd:
		fillAll(out)
		for _, k := range c.kids {
			w, err := s.eval(k, seg, slot)
			if err != nil {
				return nil, err
			}
			for i := range out {
				out[i] &= w[i]
			}
		}
	case condOr:
		for _, k := range c.kids {
			w, err := s.eval(k, seg, slot)
			if err != nil {
				return nil, err
			}
			for i := range out {
				out[i] |= w[i]
			}
		}
	default:
		return out, s.predicate(c, seg, slot, out)
	}
	return out, nil
}

func fillAll(w *search.Page) {
	for i := range w {
		w[i] = ^uint64(0)
	}
}

// predicate sets the bits of the documents that satisfy a predicate.
func (s *filterSet) predicate(c *condition, seg, slot int, out *search.Page) error {
	iv := s.run.iv
	sl := &s.run.segs[seg].Slots[slot]
	if (c.typ == Text || c.typ == Keyword) && c.op == condEqual {
		for _, v := range c.values {
			list, err := s.run.list(iv.segs[seg], segment.SpaceValues+uint16(c.field), v.Str, false)
			if err != nil {
				return err
			}
			if list != nil {
				if cont := list.Container(sl.Page); cont != nil {
					cont.OrInto(out)
				}
			}
		}
		return nil
	}
	ref := iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
	if ref == nil {
		return corruptf("page %d has no chunk", sl.Page)
	}
	if err := c.scan(ref, uint16(c.field), out); err != nil || c.typ != Float {
		return err
	}
	return c.scan(ref, uint16(c.field)|floatColumns, out)
}

// scan sets the bits of the documents of a chunk that satisfy the predicate by
// their values in a column.
func (c *condition) scan(ref *chunkRef, number uint16, out *search.Page) error {
	if info, ok := ref.chunk.ColumnInfo(number); !ok || (c.op == condRange && !info.MayMatch(c.lo, c.hi)) {
		return nil
	}
	col, err := ref.chunk.Column(number)
	if err != nil || col == nil {
		return err
	}
	base := int(uint16(ref.base()))
	switch c.op {
	case condEqual:
		for _, v := range c.values {
			col.Range(page.At(v), page.At(v), out, base)
		}
	case condRange:
		col.Range(c.lo, c.hi, out, base)
	case condPrefix:
		lo, hi := col.Dict().Prefix(c.prefix)
		set := page.NewOrdSet(col.Dict().Len())
		set.AddRange(lo, hi)
		col.OrdsIn(set, out, base)
	case condExists:
		col.Present(out, base)
	}
	return nil
}

// matches evaluates the condition on a record that is not in an index yet.
func (c *condition) matches(columns []page.ColumnValues) bool {
	switch c.op {
	case condAll:
		return true
	case condNone:
		return false
	case condNot:
		return !c.kids[0].matches(columns)
	case condAnd:
		for _, k := range c.kids {
			if !k.matches(columns) {
				return false
			}
		}
		return true
	case condOr:
		for _, k := range c.kids {
			if k.matches(columns) {
				return true
			}
		}
		return false
	}
	for _, col := range columns {
		if int(col.Field&^floatColumns) != c.field {
			continue
		}
		for _, v := range col.Values {
			if c.predicate.holds(c.op, v) {
				return true
			}
		}
	}
	return false
}

// holds tells whether one value satisfies the predicate.
func (p *predicate) holds(op conditionOp, v page.Value) bool {
	switch op {
	case condExists:
		return true
	case condPrefix:
		return bytes.HasPrefix(v.Str, p.prefix)
	case condEqual:
		for _, w := range p.values {
			if compareValues(v, w) == 0 {
				return true
			}
		}
		return false
	}
	if p.lo.Value.Kind != 0 {
		if c := compareValues(v, p.lo.Value); c < 0 || c == 0 && p.lo.Exclusive {
			return false
		}
	}
	if p.hi.Value.Kind != 0 {
		if c := compareValues(v, p.hi.Value); c > 0 || c == 0 && p.hi.Exclusive {
			return false
		}
	}
	return true
}

// compareValues orders two values of comparable kinds exactly.
func compareValues(a, b page.Value) int {
	if a.Kind == page.KindKeyword || b.Kind == page.KindKeyword {
		return bytes.Compare(a.Str, b.Str)
	}
	af, bf := a.Kind == page.KindFloat, b.Kind == page.KindFloat
	switch {
	case !af && !bf:
		return cmpOrdered(a.Int, b.Int)
	case af && bf:
		return cmpOrdered(a.Float, b.Float)
	case af:
		return -compareIntFloat(b.Int, a.Float)
	}
	return compareIntFloat(a.Int, b.Float)
}

func cmpOrdered[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareIntFloat compares without rounding the integer.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -(1 << 63):
		return 1
	}
	if c := cmpOrdered(i, int64(math.Floor(f))); c != 0 || f == math.Floor(f) {
		return c
	}
	return -1
}

// eachMatch calls f for every live document of an index that a condition
// matches. The condition may be bound to a later schema than the index has.
func (e *Engine) eachMatch(ctx context.Context, iv *indexView, cond *condition, f func(doc uint32, c *page.Chunk, i int) error) error {
	segs, err := iv.segments()
	if err != nil {
		return err
	}
	run := &searchRun{e: e, iv: iv, segs: segs}
	set := &filterSet{run: run, cond: cond}
	q := &search.Query{
		Sets:     []search.Set{{Words: set.words}},
		Match:    &search.Expr{Op: search.OpSet},
		Segments: run.bind(nil),
	}
	err = search.Matches(ctx, q, func(seg, slot int, words *search.Page) error {
		p := uint32(segs[seg].Slots[slot].Page) << 16
		return eachBit(words, func(place int) error {
			doc := p | uint32(place)
			ref := iv.chunkOf(doc)
			return f(doc, ref.chunk, int(doc-ref.base()))
		})
	})
	return errors.Join(err, set.err)
}
