package query

import (
	"math"
	"math/rand/v2"
)

// generator makes random trees of the forms that the parsers make: without
// lists of one node, without the negation of All, and with at least one word in
// every Text.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 0))}
}

func pick[T any](g generator, of ...T) T { return of[g.IntN(len(of))] }

// filter returns a filter of at most depth levels.
func (g generator) filter(depth int) Node {
	if depth > 1 {
		switch g.IntN(4) {
		case 0:
			return And{g.nodes(2, 4, func() Node { return g.filter(depth - 1) })}
		case 1:
			return Or{g.nodes(2, 4, func() Node { return g.filter(depth - 1) })}
		case 2:
			if n := g.filter(depth - 1); n != Node(All{}) {
				return Not{n}
			}
		}
	}
	switch g.IntN(10) {
	case 0:
		return Exists{g.name()}
	case 1:
		return Empty{g.name()}
	case 2:
		return StartsWith{g.name(), g.text()}
	case 3:
		if g.IntN(2) == 0 {
			south := g.Float64()*180 - 90
			return GeoBox{g.name(), south, g.Float64()*360 - 180, south + g.Float64()*(90-south), g.Float64()*360 - 180}
		}
		return Geo{g.name(), g.Float64()*180 - 90, g.Float64()*360 - 180, g.Float64() * 1e6}
	case 4:
		in := In{Field: g.name()}
		for range g.IntN(4) {
			in.Values = append(in.Values, g.value())
		}
		return in
	case 5:
		return g.rangeNode()
	case 6:
		return pick[Node](g, All{}, None{})
	}
	return Compare{g.name(), pick(g, OpEqual, OpNotEqual, OpLess, OpLessEqual, OpGreater, OpGreaterEqual), g.value()}
}

// query returns a query of at most depth levels.
func (g generator) query(depth int) Node {
	if depth > 1 {
		switch g.IntN(3) {
		case 0:
			return Boost{g.query(depth - 1), pick(g, 0, 0.5, 2, 1e-9, 1e30)}
		case 1:
			child := func() Node { return g.query(depth - 1) }
			b := Bool{Must: g.nodes(0, 2, child), Should: g.nodes(0, 3, child), MustNot: g.nodes(0, 2, child)}
			b.MinShould = g.IntN(len(b.Should) + 1)
			if len(b.Must)+len(b.Should)+len(b.MustNot) > 1 {
				return b
			}
		}
	}
	switch g.IntN(8) {
	case 0:
		return g.rangeNode()
	case 1:
		return pick[Node](g, All{}, None{})
	}
	t := Text{Text: g.name(), Start: g.IntN(9), End: g.IntN(9)}
	if g.IntN(2) == 0 {
		t.Field = g.name()
	}
	switch g.IntN(3) {
	case 0:
		t.Quoted, t.Slop = true, g.IntN(3)
		t.Text = "w" + t.Text + pick(g, "", " ", ` "b" \`, " x y")
	case 1:
		t.Prefix = true
	}
	return t
}

// nodes returns from least to most nodes.
func (g generator) nodes(least, most int, node func() Node) []Node {
	var nodes []Node
	for range least + g.IntN(most-least+1) {
		nodes = append(nodes, node())
	}
	return nodes
}

func (g generator) rangeNode() Node {
	bound := func() Bound {
		if g.IntN(3) == 0 {
			return Bound{Open: true}
		}
		v := g.value()
		for v.Kind == KindBool {
			v = g.value()
		}
		return Bound{Value: v, Inclusive: g.IntN(2) == 0}
	}
	return Range{g.name(), bound(), bound()}
}

// name returns a field or a word; it is not blank.
func (g generator) name() string {
	return pick(g, "a", "price", "a.b", "größe", "in-stock", "日本", "o'neil", "10", "x_1", "-x", "+", "<b",
		"AND", "or", "Not", "IN", "exists", "EMPTY", "geo", "TO", "true", "null", "starts", "a..b", ".", "..",
		"a b", " ", "a:b", `a\`, "`", `"`, "a*", "*", "(x)", "[", "}", "^2", "a~1", "a,b", "x=y", "\xff", "\x00")
}

// text returns the value of a string, which may be empty.
func (g generator) text() string {
	return pick(g, "", "red shoes", `say "hi"`, `it's`, `back\slash`, "10", "2024-01-31", "true", "*", "\n", "é", "\xff", "]")
}

func (g generator) value() Value {
	switch g.IntN(5) {
	case 0:
		return Value{Kind: KindInt, Int: pick(g, 0, 1, -1, math.MaxInt64, math.MinInt64, g.Int64())}
	case 1:
		return Value{Kind: KindFloat, Float: pick(g, 0, 1, -2.5, 1e21, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64, g.NormFloat64())}
	case 2:
		return Value{Kind: KindBool, Bool: g.IntN(2) == 0}
	case 3:
		return Value{Kind: KindDate, Str: pick(g, "2024-02-29", "1999-12-31T23:59:59Z", "2024-01-31T10:00:00.123456789-07:30")}
	}
	return Value{Kind: KindString, Str: g.text()}
}
