package query

import "testing"

func TestString(t *testing.T) {
	ten, twenty := Value{Kind: KindInt, Int: 10}, Value{Kind: KindInt, Int: 20}
	a, b := Text{Text: "a"}, Text{Text: "b"}
	closed := Range{"p", Bound{Value: ten, Inclusive: true}, Bound{Value: twenty, Inclusive: true}}
	for _, c := range []struct {
		in   Node
		want string
	}{
		{All{}, "*"},
		{None{}, "NOT *"},
		// Filters.
		{Compare{"color", OpEqual, Value{Kind: KindString, Str: `r"d`}}, `color = "r\"d"`},
		{Compare{"price", OpLess, Value{Kind: KindFloat, Float: 50}}, "price < 50.0"},
		{Compare{"in", OpNotEqual, Value{Kind: KindBool, Bool: true}}, "`in` != true"},
		{In{"a b", []Value{ten, {Kind: KindDate, Str: "2024-01-31"}}}, "`a b` IN [10, 2024-01-31]"},
		{Geo{"loc", 52.5, -13.4, 5000}, "geo(loc, 52.5, -13.4, 5000)"},
		{StartsWith{"sku", "A"}, `sku STARTS WITH "A"`},
		{Or{[]Node{And{[]Node{Exists{"a"}, Empty{"b"}}}, Not{Or{[]Node{Exists{"c"}, Not{Exists{"d"}}}}}}},
			"EXISTS a AND EMPTY b OR NOT (EXISTS c OR NOT EXISTS d)"},
		{And{[]Node{Or{[]Node{Exists{"a"}, Exists{"b"}}}, And{[]Node{Exists{"c"}, Exists{"d"}}}}},
			"(EXISTS a OR EXISTS b) AND (EXISTS c AND EXISTS d)"},
		{Not{closed}, "NOT p 10..20"},
		{Not{Range{"p", Bound{Value: ten, Inclusive: true}, Bound{Open: true}}}, "NOT p 10.."},
		{Not{Range{"p", Bound{Value: ten}, Bound{Open: true}}}, "NOT p:{10 TO *]"},
		{closed, "p:[10 TO 20]"},
		// Queries.
		{Text{Text: "red", Field: "title", Prefix: true}, "title:red*"},
		{Text{Text: "red shoes", Quoted: true, Slop: 2}, `"red shoes"~2`},
		{Text{Text: "AND"}, `\AND`},
		{Text{Text: "-a(b"}, `\-a\(b`},
		{Bool{Must: []Node{a}, Should: []Node{b}, MustNot: []Node{All{}}}, "+a b -*"},
		{Bool{Should: []Node{a, b}, MinShould: 1}, "a OR b"},
		{Bool{Should: []Node{a, b}, MinShould: 2}, "(a b)~2"},
		{Bool{Must: []Node{Bool{Should: []Node{a, b}, MinShould: 2}, Bool{Should: []Node{a, b}, MinShould: 1}}}, "+(a b)~2 +(a OR b)"},
		{Boost{Boost{Bool{Must: []Node{a, b}}, 2}, 0.5}, "((+a +b)^2)^0.5"},
		{Boost{closed, 2}, "p:[10 TO 20]^2"},
		// Trees that no parser makes.
		{And{}, "*"},
		{Or{}, "NOT *"},
		{And{[]Node{Exists{"a"}}}, "EXISTS a"},
		{Bool{}, "*"},
		{Bool{Should: []Node{a}, MinShould: 1}, "a"},
		{Bool{Should: []Node{a}, MinShould: 2}, "(NOT *)"},
		{Compare{"a", OpEqual, Value{}}, "a = null"},
		{And{[]Node{a, Exists{"b"}}}, "((a) AND EXISTS b)"},
		{nil, "<nil>"},
	} {
		if got := String(c.in); got != c.want {
			t.Errorf("String(%s) = %s, want %s", dump(c.in), got, c.want)
		}
	}
	if got, want := FilterString(closed), "p 10..20"; got != want {
		t.Errorf("FilterString(%s) = %s, want %s", dump(closed), got, want)
	}
}

// String and the parsers are inverses on the trees that the parsers make.
func TestStringRoundTrip(t *testing.T) {
	for seed := range uint64(20000) {
		g := newGenerator(seed)
		f := g.filter(1 + g.IntN(4))
		checkRoundTrip(t, seed, f, String(f), ParseFilter)
		checkRoundTrip(t, seed, f, FilterString(f), ParseFilter)
		q := g.query(1 + g.IntN(4))
		checkRoundTrip(t, seed, q, String(q), ParseQuery)
		r := g.rangeNode()
		checkRoundTrip(t, seed, r, String(r), ParseFilter)
		checkRoundTrip(t, seed, r, String(r), ParseQuery)
		if t.Failed() {
			return
		}
	}
}

func checkRoundTrip(t *testing.T, seed uint64, n Node, text string, parse func(string, Limits) (Node, error)) {
	t.Helper()
	got, err := parse(text, large)
	if err != nil {
		t.Errorf("seed %d: %s\nhas the text %q\nwhich does not parse: %v", seed, dump(n), text, err)
		return
	}
	if !Equal(got, n) {
		t.Errorf("seed %d: %s\nhas the text %q\nwhich parses to %s", seed, dump(n), text, dump(got))
	}
}
