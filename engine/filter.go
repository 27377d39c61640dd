package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/query"
)

// condition is a filter bound to a schema: a tree of and, or, not over
// predicates on one field each.
type condition struct {
	op   conditionOp
	kids []*condition
	ids  []string
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
	condID     // the id is one of ids
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
	return bindText(c, n, known, "")
}

// bindText is bindFilter of a node that was parsed from text: problems have the
// columns of their conditions in it.
func bindText(c *compiled, n query.Node, known func(field string) bool, text string) (*condition, error) {
	b := binder{schema: c, known: known}
	cond := b.bind(n)
	if b.problems.err.Total > 0 {
		var columns []int
		if text != "" {
			columns = query.ConditionColumns(text, query.Limits{MaxOperators: math.MaxInt, MaxDepth: math.MaxInt})
		}
		for i := range b.problems.err.Problems {
			p := &b.problems.err.Problems[i]
			if p.Column <= len(columns) {
				p.Column = columns[p.Column-1]
			} else {
				p.Column = 0
			}
		}
		return nil, b.problems.orNil()
	}
	return cond.prepare(c), nil
}

// prepare makes a condition ready to be evaluated: what posting lists answer
// stands before what columns have to, and what matches everything or nothing
// is taken out.
func (c *condition) prepare(s *compiled) *condition {
	switch c.op {
	case condAll, condNone, condID:
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
	case c.byWord(), c.op == condID:
		return 0
	}
	return 1
}

type binder struct {
	schema   *compiled
	known    func(field string) bool
	leaves   int      // conditions that have been come to
	problems problems // with the number of the condition, from 1, as Column
}

// fail notes a problem of the condition at hand.
func (b *binder) fail(code, format string, args ...any) {
	b.problems.add(Problem{Code: code, Position: -1, Column: b.leaves, Detail: fmt.Sprintf(format, args...)})
}

// absent tells whether n is about a field that only other schemas have.
func (b *binder) absent(n query.Node) bool {
	name := fieldOf(n)
	_, ok := b.schema.byName[name]
	return name != "" && !ok && !b.isID(name) && b.known != nil && b.known(name)
}

// fieldOf returns the field that a condition is about, "" for what is none or,
// as Empty, is bound as another one.
func fieldOf(n query.Node) string {
	switch n := n.(type) {
	case query.Compare:
		return n.Field
	case query.In:
		return n.Field
	case query.Range:
		return n.Field
	case query.Exists:
		return n.Field
	case query.StartsWith:
		return n.Field
	case query.Geo:
		return n.Field
	case query.GeoBox:
		return n.Field
	}
	return ""
}

func (b *binder) bind(n query.Node) *condition {
	switch n.(type) {
	case query.And, query.Or, query.Not, query.All, query.None, query.Empty: // which is bound as Exists
	default:
		b.leaves++
	}
	if b.absent(n) {
		if c, ok := n.(query.Compare); ok && c.Op == query.OpNotEqual {
			return &condition{op: condAll}
		}
		return &condition{op: condNone}
	}
	if c, ok := b.id(n); ok {
		return c
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
			if pv, ok := b.value(f, v); ok && !b.noInt(f, v) {
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
		c.lo, _ = b.bound(f, n.Low, false)
		c.hi, _ = b.bound(f, n.High, true)
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
			b.fail(CodeInvalidFilter, "STARTS WITH is for keyword and text fields; %q is %s", n.Field, article(t))
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
	b.fail(CodeInvalidFilter, "words to search for cannot stand in a filter")
	return nil
}

func (b *binder) near(field string, area geo.Area) *condition {
	f, ok := b.field(field)
	if !ok {
		return nil
	}
	if t := b.schema.Fields[f].Type; t != Geo {
		b.fail(CodeInvalidFilter, "geo is for fields of places; %q is %s", field, article(t))
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
		b.fail(CodeUnknownField, "%s", detail)
		return 0, false
	}
	if f := &b.schema.Fields[i]; !f.Filter && !f.Facet {
		b.fail(CodeNotFilterable, "the field %q cannot be filtered; set filter in the schema", name)
		return 0, false
	}
	return i, true
}

func (b *binder) compare(n query.Compare) *condition {
	f, ok := b.field(n.Field)
	if !ok {
		return nil
	}
	at := predicate{field: f, typ: b.schema.Fields[f].Type}
	if n.Op == query.OpEqual || n.Op == query.OpNotEqual {
		v, ok := b.value(f, n.Value)
		if !ok {
			return nil
		}
		c := &condition{op: condEqual, predicate: at}
		if c.values = []page.Value{v}; b.noInt(f, n.Value) {
			c = &condition{op: condNone}
		}
		if n.Op == query.OpNotEqual {
			return &condition{op: condNot, kids: []*condition{c}}
		}
		return c
	}
	c := &condition{op: condRange, predicate: at}
	bound := query.Bound{Value: n.Value, Inclusive: n.Op == query.OpLessEqual || n.Op == query.OpGreaterEqual}
	ok = false
	if n.Op == query.OpLess || n.Op == query.OpLessEqual {
		c.hi, ok = b.bound(f, bound, true)
	} else {
		c.lo, ok = b.bound(f, bound, false)
	}
	if !ok {
		return nil
	}
	return c
}

// bound is the lower or the upper bound of a range of the values of a field.
func (b *binder) bound(f int, q query.Bound, upper bool) (page.Bound, bool) {
	if q.Open {
		return page.Bound{}, true
	}
	v, ok := b.ordered(f, q.Value)
	if !ok {
		return page.Bound{}, false
	}
	if b.noInt(f, q.Value) {
		return besideInts(q.Value, upper), true
	}
	return page.Bound{Value: v, Exclusive: !q.Inclusive}, true
}

// ordered is value for comparisons by order.
func (b *binder) ordered(f int, v query.Value) (page.Value, bool) {
	if t := b.schema.Fields[f].Type; t == Text || t == Keyword {
		switch {
		case len(v.Str) > orderedValue:
			b.tooLong(b.schema.Fields[f].Name)
			return page.Value{}, false
		case v.Kind == query.KindInt || v.Kind == query.KindFloat || v.Kind == query.KindBool:
			b.fail(CodeInvalidFilter, "the field %q is %s, whose values have the order of texts, in which 10 comes before 9; to compare with that order put the value in quotes", b.schema.Fields[f].Name, article(t))
			return page.Value{}, false
		}
	}
	return b.value(f, v)
}

func (b *binder) tooLong(field string) {
	b.fail(CodeLimitExceeded, "the order and the beginning of texts are compared in their first %d bytes; the text for %q is longer", orderedValue, field)
}
