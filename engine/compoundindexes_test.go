package engine

import (
	"maps"
	"testing"
)

// TestJoinedInParts: what words are joined to weighs the same in one index and divided among
// several, of which some lack one of the words, and parts are those that all records tell of.
func TestJoinedInParts(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b    []string
		queries []string
	}{
		{"one lacks a word", []string{`{"id":"h","title":"headphones"}`, `{"id":"l","title":"head"}`}, []string{`{"id":"p","title":"phones"}`, `{"id":"c","title":"charger"}`}, []string{"head phones "}},
		{"one has what is joined", []string{`{"id":"h","title":"headphones"}`}, []string{`{"id":"p","title":"phones"}`, `{"id":"l","title":"head lamp"}`}, []string{"head phones "}},
		{"a filler word", []string{`{"id":"o","title":"outage"}`}, []string{`{"id":"p","title":"age"}`}, []string{"out age "}},
		{"its parts", []string{`{"id":"h","title":"foot wear"}`, `{"id":"i","title":"foot"}`, `{"id":"j","title":"wear"}`}, []string{`{"id":"p","title":"footwear"}`, `{"id":"l","title":"footwear"}`}, []string{"footwear "}},
		{"its parts, beside a compound that it is the head of", []string{`{"id":"h","title":"foot wear"}`, `{"id":"i","title":"foot"}`}, []string{`{"id":"p","title":"footwear"}`, `{"id":"k","title":"kidsfootwear"}`}, []string{"footwear "}},
		{"its parts, or a word and a letter", []string{`{"id":"h","title":"join list of strings"}`}, []string{`{"id":"p","title":"joinlis t"}`, `{"id":"t","title":"t"}`}, []string{"joinlist strings "}},
		{"a code", []string{`{"id":"h","title":"mx5 mouse"}`}, []string{`{"id":"p","title":"mx mouse"}`, `{"id":"l","title":"5 mice"}`}, []string{"mx 5 ", "mx5 "}},
		{"a size", []string{`{"id":"h","title":"screw m8x40"}`}, []string{`{"id":"p","title":"screw m8"}`, `{"id":"l","title":"40 screws"}`}, []string{"m8 40 "}},
		{"what has the stem of one of its words", []string{`{"id":"h","title":"doctor"}`, `{"id":"r","title":"doctor in red"}`}, []string{`{"id":"p","title":"doctor"}`}, []string{"doctor red "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEngine(t, nil)
			for _, name := range []string{"all", "a", "b"} {
				create(t, e, name, Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}, NoThesaurus: true})
			}
			apply(t, e, puts("all", append(c.a, c.b...)...))
			apply(t, e, puts("a", c.a...))
			apply(t, e, puts("b", c.b...))
			for _, q := range c.queries {
				one, two := Request{Query: q, Limit: 100, Match: MatchAny}, Request{Query: q, Limit: 100, Match: MatchAny}
				one.Indexes, two.Indexes = []string{"all"}, []string{"a", "b"}
				x, y := find(t, e, &one), find(t, e, &two)
				if got, want := scoresOf(y), scoresOf(x); !maps.Equal(got, want) {
					t.Errorf("%q: in two indexes\n%v\nin one\n%v", q, got, want)
				}
			}
		})
	}
}

// TestJoinedToOneOfThem: what is joined is no word of its own if it has the term of one of the words.
func TestJoinedToOneOfThem(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "things", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("things", `{"id":"d","title":"doctor"}`, `{"id":"r","title":"red lamp"}`, `{"id":"n","title":"nurse"}`))
	if res := find(t, e, &Request{Query: "doctor red "}); len(res.Query.Compounds) > 0 {
		t.Errorf("looked for %v", res.Query.Compounds)
	}
}
