package query

import (
	"slices"
	"testing"
)

func TestWalkVisitsInOrder(t *testing.T) {
	n := Bool{
		Must:    []Node{And{[]Node{Exists{"a"}, Not{Or{[]Node{Exists{"b"}}}}}}},
		Should:  []Node{Boost{Text{Text: "c"}, 2}},
		MustNot: []Node{Exists{"d"}},
	}
	var all, top []string
	Walk(n, func(n Node) bool { all = append(all, dump(n)); return true })
	Walk(n, func(n Node) bool { top = append(top, dump(n)); return len(top) == 1 })
	wantTop := []string{dump(n), "(and (exists a) (not (or (exists b))))", "(boost 2 c)", "(exists d)"}
	wantAll := []string{wantTop[0], wantTop[1], "(exists a)", "(not (or (exists b)))", "(or (exists b))",
		"(exists b)", "(boost 2 c)", "c", "(exists d)"}
	if !slices.Equal(all, wantAll) {
		t.Errorf("all nodes: got %q, want %q", all, wantAll)
	}
	if !slices.Equal(top, wantTop) {
		t.Errorf("without the nodes below: got %q, want %q", top, wantTop)
	}
	Walk(nil, func(Node) bool { t.Error("called for nil"); return true })
}

func TestFields(t *testing.T) {
	for _, c := range []struct {
		text  string
		parse func(string, Limits) (Node, error)
		want  []string
	}{
		{`b=1 AND a IN [1] AND (NOT c 1..2 OR b=2) AND EXISTS d AND EMPTY e AND f STARTS WITH "x" AND geo(g,0,0,1)`,
			ParseFilter, []string{"a", "b", "c", "d", "e", "f", "g"}},
		{"x +b:y a:[1 TO 2]^2", ParseQuery, []string{"a", "b"}},
		{"x", ParseQuery, nil},
	} {
		n, err := c.parse(c.text, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Fields(n); !slices.Equal(got, c.want) {
			t.Errorf("Fields(%s) = %q, want %q", c.text, got, c.want)
		}
	}
}

// Equal agrees with the dump of the trees, which has no offsets.
func TestEqual(t *testing.T) {
	equal := 0
	for seed := range uint64(20000) {
		g := newGenerator(seed)
		var a, b Node
		if seed%2 == 0 {
			a, b = g.smallFilter(3), g.smallFilter(3)
		} else {
			a, b = g.smallQuery(2), g.smallQuery(2)
		}
		want := dump(a) == dump(b)
		if got := Equal(a, b); got != want {
			t.Fatalf("seed %d: Equal(%s, %s) = %v", seed, dump(a), dump(b), got)
		}
		if !Equal(a, a) || !Equal(b, b) {
			t.Fatalf("seed %d: %s or %s does not equal itself", seed, dump(a), dump(b))
		}
		equal += b2i(want)
	}
	if equal == 0 {
		t.Error("no two trees were equal")
	}
	if !Equal(Text{Text: "a", Start: 1, End: 2}, Text{Text: "a"}) {
		t.Error("the offsets of Text count")
	}
	if !Equal(And{}, And{[]Node{}}) {
		t.Error("a nil slice does not equal an empty one")
	}
}
