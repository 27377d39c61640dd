package engine

import (
	"errors"
	"slices"
	"strconv"

	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
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
	condNear   // some point lies in area
)

type predicate struct {
	field  int
	typ    Type // of the field
	values []page.Value
	lo, hi page.Bound
	prefix []byte
	area   *geo.Area

	twoColumns bool   // the field may have values in a second column
	name       string // of the predicate in filterCache; "" if it is not kept there
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
	if err := b.problems.orNil(); err != nil {
		return nil, err
	}
	return cond.prepare(c), nil
}

// prepare makes a condition ready to be evaluated: what posting lists answer
// stands before what columns have to, and what matches everything or nothing
// is taken out.
func (c *condition) prepare(s *compiled) *condition {
	switch c.op {
	case condAll, condNone:
		return c
	case condNot:
		c.kids[0] = c.kids[0].prepare(s)
		return c
	case condAnd, condOr:
		var kids []*condition
		for _, k := range c.kids {
			switch k = k.prepare(s); {
			case k.op == condAll && c.op == condOr, k.op == condNone && c.op == condAnd:
				return k
			case k.op != condAll && k.op != condNone:
				kids = append(kids, k)
			}
		}
		c.kids = kids
		slices.SortStableFunc(c.kids, func(a, b *condition) int { return a.cost() - b.cost() })
		return c
	}
	c.twoColumns = s.Fields[c.field].widened
	return c.named()
}

// cost orders the members of a condition.
func (c *condition) cost() int {
	switch {
	case len(c.kids) > 0:
		return 3
	case c.op == condNear:
		return 2
	case c.byWord():
		return 0
	}
	return 1
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
	case query.Geo:
		name = n.Field
	case query.GeoBox:
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
		if len(n.Prefix) > orderedValue {
			b.tooLong(n.Field)
			return nil
		}
		return &condition{op: condPrefix, predicate: predicate{field: f, typ: b.schema.Fields[f].Type, prefix: []byte(n.Prefix)}}
	case query.Geo:
		return b.near(n.Field, geo.Circle(geo.Point{Lat: n.Lat, Lon: n.Lon}, n.RadiusMeters))
	case query.GeoBox:
		return b.near(n.Field, geo.NewBox(n.South, n.West, n.North, n.East))
	}
	b.problems.addf(CodeInvalidFilter, "", "words to search for cannot stand in a filter")
	return nil
}

func (b *binder) near(field string, area geo.Area) *condition {
	f, ok := b.field(field)
	if !ok {
		return nil
	}
	if t := b.schema.Fields[f].Type; t != Geo {
		b.problems.addf(CodeInvalidFilter, "", "geo is for fields of places; %q is %s", field, article(t))
		return nil
	}
	return &condition{op: condNear, predicate: predicate{field: f, typ: Geo, area: &area}}
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
		detail := ""
		if b.problems.err.Total < maxProblems { // the others are only counted
			detail = noField(name, b.schema)
		}
		b.problems.addf(CodeUnknownField, "", "%s", detail)
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
	value := b.value
	if n.Op != query.OpEqual && n.Op != query.OpNotEqual {
		value = b.ordered
	}
	v, ok := value(f, n.Value)
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
	v, ok := b.ordered(f, q.Value)
	if !ok {
		return page.Bound{}
	}
	return page.Bound{Value: v, Exclusive: !q.Inclusive}
}

// ordered is value for comparisons by order.
func (b *binder) ordered(f int, v query.Value) (page.Value, bool) {
	if t := b.schema.Fields[f].Type; (t == Text || t == Keyword) && len(v.Str) > orderedValue {
		b.tooLong(b.schema.Fields[f].Name)
		return page.Value{}, false
	}
	return b.value(f, v)
}

func (b *binder) tooLong(field string) {
	b.problems.addf(CodeLimitExceeded, "", "the order and the beginning of texts are compared in their first %d bytes; the text for %q is longer", orderedValue, field)
}

// value makes a column value of a constant, by the type of the field.
func (b *binder) value(f int, v query.Value) (page.Value, bool) {
	field := &b.schema.Fields[f]
	switch field.Type {
	case Geo:
		b.problems.addf(CodeInvalidFilter, "", "places such as those of %q have no order and are not compared; use geo(%s, lat, lon, radius)", field.Name, field.Name)
		return page.Value{}, false
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
	case Int, Float, Date:
		if pv, ok := numberValue(v, field.Type); ok {
			return pv, true
		}
	case Bool:
		if v.Kind == query.KindBool {
			return page.BoolValue(v.Bool), true
		}
	}
	if field.Type == Date && v.Kind != query.KindFloat && v.Kind != query.KindBool { // of a kind that dates are written in
		b.problems.addf(CodeInvalidFilter, "", `the field %q is compared with dates such as "2026-11-21" and "2026-11-21T13:05:00Z", or seconds since 1970; this is none of them`, field.Name)
		return page.Value{}, false
	}
	b.problems.addf(CodeInvalidFilter, "", "the field %q is %s and cannot be compared with %s", field.Name, article(field.Type), articled(v.Kind.String()))
	return page.Value{}, false
}

// numberValue makes a column value of a constant for a field of numbers or
// dates.
func numberValue(v query.Value, t Type) (page.Value, bool) {
	switch {
	case t == Date && (v.Kind == query.KindDate || v.Kind == query.KindString):
		at, ok := parseDate(v.Str)
		return page.DateValue(at), ok
	case t == Date:
		return page.DateValue(v.Int * 1e6), v.Kind == query.KindInt && v.Int > -1<<43 && v.Int < 1<<43
	case v.Kind == query.KindInt:
		return page.IntValue(v.Int), true
	}
	return page.FloatValue(v.Float), v.Kind == query.KindFloat
}
