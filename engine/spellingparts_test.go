package engine

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestSlipsInParts: a misspelt word is read as the same in one index and in several that divide its
// records among them, and whatever was asked before.
func TestSlipsInParts(t *testing.T) {
	for _, c := range []struct {
		query string
		fix   string
		parts [][]string
	}{
		{"nondeterministic tests ", "non deterministic tests ", [][]string{{`{"id":"a","title":"non linear"}`}, {`{"id":"b","title":"deterministic builds"}`, `{"id":"c","title":"tests"}`}}},
		{"photorapy course ", "photography course ", [][]string{{`{"id":"a","title":"course in photography"}`}, {`{"id":"b","title":"course"}`}}},
		{"coat without hoood ", "coat without hood ", [][]string{{`{"id":"a","title":"coat with hood"}`}, {`{"id":"b","title":"coat"}`}}},
	} {
		t.Run(c.query, func(t *testing.T) {
			e := newEngine(t, nil)
			names := []string{"all"}
			for i := range c.parts {
				names = append(names, fmt.Sprint("part", i))
			}
			for _, name := range names {
				create(t, e, name, Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
			}
			apply(t, e, puts("all", slices.Concat(c.parts...)...))
			for i, records := range c.parts {
				apply(t, e, puts(names[1+i], records...))
			}
			find(t, e, &Request{Indexes: []string{"all"}, Query: "photograpy "}) // its stem is found, and one edit away
			one := find(t, e, &Request{Indexes: names[:1], Query: c.query})
			several := find(t, e, &Request{Indexes: names[1:], Query: c.query})
			if got, want := scoresOf(several), scoresOf(one); !maps.Equal(got, want) {
				t.Errorf("in several indexes\n%v\nin one\n%v", got, want)
			}
			if one.Query.Text != c.fix || several.Query.Text != c.fix {
				t.Errorf("read as %q in one index and %q in several, want %q", one.Query.Text, several.Query.Text, c.fix)
			}
		})
	}
}

// TestDeniedSlip: what a query says it does not want may be misspelt as well.
func TestDeniedSlip(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "coats", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "price", Type: Int, Filter: true}}})
	apply(t, e, puts("coats", `{"id":"with","title":"coat coat with hood","price":1}`, `{"id":"none","title":"warm coat in red, green or blue","price":1}`, `{"id":"less","title":"coat, hoodless","price":1}`))
	want := find(t, e, &Request{Query: "coat without hood "})
	got := find(t, e, &Request{Query: "coat without hodo "})
	if idsOf(got) != idsOf(want) || idsOf(want) == "with none less" || !slices.Equal(got.Query.Without, []string{"hodo"}) {
		t.Errorf("found %s, and %s for what is spelt right; %+v", idsOf(got), idsOf(want), got.Query)
	}
	if got := find(t, e, &Request{Query: "coat without hodo ", Typo: Typo{Off: true}}); got.Query.Text != "coat without hodo " || got.Query.DidYouMean != "coat without hood " {
		t.Errorf("without repairs: %+v", got.Query)
	}
}
