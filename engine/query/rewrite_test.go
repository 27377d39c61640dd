package query

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

func TestSimplify(t *testing.T) {
	one := []Value{{Kind: KindInt, Int: 1}}
	a, b, c := Node(Exists{"a"}), Node(Exists{"b"}), Node(Exists{"c"})
	x, y, z := Node(Text{Text: "x"}), Node(Text{Text: "y"}), Node(Text{Text: "z"})
	list := func(n ...Node) []Node { return n }
	for _, c := range []struct {
		in   Node
		want string
	}{
		{And{list(a, And{list(b, And{list(c)})})}, "EXISTS a AND EXISTS b AND EXISTS c"},
		{Or{list(Or{list(a, b)}, c)}, "EXISTS a OR EXISTS b OR EXISTS c"},
		{And{list(Or{list(a)}, All{})}, "EXISTS a"},
		{And{list(a, Or{})}, "NOT *"},
		{Or{list(a, And{})}, "*"},
		{And{}, "*"},
		{Or{}, "NOT *"},
		{Not{Not{Not{Compare{"a", OpLess, one[0]}}}}, "NOT a < 1"},
		{Not{a}, "EMPTY a"},
		{Not{Empty{"a"}}, "EXISTS a"},
		{Not{None{}}, "*"},
		{In{"a", one}, "a = 1"},
		{In{"a", nil}, "NOT *"},
		{Not{In{"a", nil}}, "*"},
		{Boost{x, 1}, "x"},
		{Boost{None{}, 2}, "NOT *"},
		{Bool{Must: list(x, Bool{Must: list(y), MustNot: list(z)})}, "+x +y -z"},
		{Bool{Must: list(Bool{Must: list(x)})}, "x"},
		{Bool{Should: list(x, Bool{Should: list(y, z), MinShould: 1}), MinShould: 1}, "x OR y OR z"},
		{Bool{Should: list(x, Bool{Should: list(y, z), MinShould: 1})}, "x (y OR z)"},
		{Bool{Should: list(x, Bool{Should: list(y, z), MinShould: 1}), MinShould: 2}, "(x (y OR z))~2"},
		{Bool{Should: list(x, None{}), MinShould: 1}, "x"},
		{Bool{Should: list(x, None{}), MinShould: 2}, "NOT *"},
		{Bool{Should: list(x, None{})}, "x (NOT *)"},
		{Bool{Must: list(x, None{})}, "NOT *"},
		{Bool{MustNot: list(x, All{})}, "NOT *"},
		{Bool{Must: list(x), MustNot: list(None{})}, "x"},
		{Bool{Must: list(Bool{})}, "*"},
	} {
		if got := String(Simplify(c.in)); got != c.want {
			t.Errorf("Simplify(%s) = %s, want %s", dump(c.in), got, c.want)
		}
	}
}

// A simplified tree matches the same records with the same scores, is simple
// already, not larger, and leaves the tree that it was made from alone.
func TestSimplifyKeepsTheMeaning(t *testing.T) {
	for seed := range uint64(3000) {
		g := newGenerator(seed)
		for _, n := range []Node{g.smallFilter(1 + g.IntN(5)), g.smallQuery(1 + g.IntN(5))} {
			before := dump(n)
			simple := Simplify(n)
			if dump(n) != before {
				t.Fatalf("seed %d: Simplify changed %s to %s", seed, before, dump(n))
			}
			if twice := Simplify(simple); !Equal(twice, simple) {
				t.Fatalf("seed %d: Simplify(%s) = %s, and again %s", seed, before, dump(simple), dump(twice))
			}
			if size(simple) > size(n) {
				t.Fatalf("seed %d: Simplify(%s) = %s, which is larger", seed, before, dump(simple))
			}
			for record := range 8 {
				for _, matchAll := range []bool{false, true} {
					want, got := score(n, record, matchAll), score(simple, record, matchAll)
					if got != want {
						t.Fatalf("seed %d: record %03b scores %d with %s, but %d with %s",
							seed, record, want, before, got, dump(simple))
					}
				}
			}
		}
	}
}

// smallFilter and smallQuery return trees over the three names a, b and c, also
// such that no parser makes.
func (g generator) smallFilter(depth int) Node {
	child := func() Node { return g.smallFilter(depth - 1) }
	if depth > 1 {
		switch g.IntN(3) {
		case 0:
			return And{g.nodes(0, 3, child)}
		case 1:
			return Or{g.nodes(0, 3, child)}
		case 2:
			return Not{child()}
		}
	}
	name := pick(g, "a", "b", "c")
	return pick[Node](g, All{}, None{}, Exists{name}, Empty{name}, Exists{name}, Empty{name},
		In{Field: name}, In{name, []Value{{Kind: KindInt, Int: 1}}})
}

func (g generator) smallQuery(depth int) Node {
	child := func() Node { return g.smallQuery(depth - 1) }
	if depth > 1 {
		if g.IntN(5) == 0 {
			return Boost{child(), pick(g, 1.0, 2)}
		}
		return Bool{Must: g.nodes(0, 2, child), Should: g.nodes(0, 3, child), MustNot: g.nodes(0, 2, child), MinShould: g.IntN(3)}
	}
	return pick[Node](g, All{}, None{}, Text{Text: "a"}, Text{Text: "b"}, Text{Text: "c"})
}

// score is what the documentation of the nodes promises, word for word: the
// score of a record, or -1 if it does not match. The bits of record say which
// of a, b and c the record has; matchAll is the choice of the request.
func score(n Node, record int, matchAll bool) int {
	has := func(name string) bool { return record&(1<<strings.Index("abc", name)) != 0 }
	given := func(matches bool) int { return cmp.Compare(b2i(matches), 1) } // 0 or -1
	matches := func(n Node) bool { return score(n, record, matchAll) >= 0 }
	switch n := n.(type) {
	case All:
		return 0
	case None:
		return -1
	case Exists:
		return given(has(n.Field))
	case Empty:
		return given(!has(n.Field))
	case In:
		return given(len(n.Values) > 0 && has(n.Field))
	case Compare:
		return given(has(n.Field))
	case And:
		return given(!slices.ContainsFunc(n.Nodes, func(n Node) bool { return !matches(n) }))
	case Or:
		return given(slices.ContainsFunc(n.Nodes, matches))
	case Not:
		return given(!matches(n.Node))
	case Text:
		if !has(n.Text) {
			return -1
		}
		return 1 + int(n.Text[0]-'a')*10
	case Boost:
		if s := score(n.Node, record, matchAll); s > 0 {
			return s * int(n.Factor)
		} else {
			return s
		}
	case Bool:
		return scoreBool(n, matchAll, func(n Node) int { return score(n, record, matchAll) })
	}
	panic("not a node of the test: " + dump(n))
}

func scoreBool(n Bool, matchAll bool, score func(Node) int) int {
	sum, optional := 0, 0
	for _, must := range n.Must {
		s := score(must)
		if s < 0 {
			return -1
		}
		sum += s
	}
	for _, not := range n.MustNot {
		if score(not) >= 0 {
			return -1
		}
	}
	for _, should := range n.Should {
		if s := score(should); s >= 0 {
			sum += s
			optional++
		}
	}
	least := n.MinShould
	if least == 0 && len(n.Should) > 0 {
		switch {
		case matchAll:
			least = len(n.Should)
		case len(n.Must) == 0:
			least = 1
		}
	}
	if optional < least {
		return -1
	}
	return sum
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func size(n Node) int {
	nodes := 0
	Walk(n, func(Node) bool { nodes++; return true })
	return nodes
}

func TestRewriteReplacesFromTheLeaves(t *testing.T) {
	n, err := ParseQuery("a +b:c -(d OR e)^2", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	before := dump(n)
	got := Rewrite(n, func(n Node) Node {
		if text, ok := n.(Text); ok && text.Field == "" {
			text.Field = "title"
			return text
		}
		return n
	})
	if want := "+b:c title:a -(title:d OR title:e)^2"; String(got) != want {
		t.Errorf("got %s, want %s", String(got), want)
	}
	if dump(n) != before {
		t.Errorf("Rewrite changed %s to %s", before, dump(n))
	}
}
