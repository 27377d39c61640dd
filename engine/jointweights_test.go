package engine

import (
	"fmt"
	"maps"
	"testing"
)

// TestWeightsInParts: what a filter that raises records weighs, and a word where something is imposed,
// is the same in one index and in two that divide its records among them.
func TestWeightsInParts(t *testing.T) {
	schema := Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "color", Type: Text, Search: true, Filter: true, Facet: true},
		{Name: "ok", Type: Bool, Filter: true}}}
	e := newEngine(t, nil)
	for _, name := range []string{"all", "part0", "part1"} {
		create(t, e, name, schema)
	}
	add := func(part int, id, title, color string, ok bool) {
		record := fmt.Sprintf(`{"id":%q,"title":%q,"color":%q,"ok":%v}`, id, title, color, ok)
		apply(t, e, puts("all", record))
		apply(t, e, puts(fmt.Sprint("part", part), record))
	}
	// "dark" is the rarer one in all, "blue" in the first part.
	for i := range 3 {
		add(0, fmt.Sprint("d", i), "sofa", "dark blue", true)
		add(0, fmt.Sprint("g", i), "lamp", "dark grey", true)
		add(1, fmt.Sprint("b", i), "lamp", "blue", true)
		add(1, fmt.Sprint("l", i), "sofa", "light blue", i > 2)
		add(1, fmt.Sprint("n", i), "desk", "green", true)
		add(1, fmt.Sprint("s", i), "lamp", "grey", true)
	}
	for _, r := range []Request{{Query: "sofa dark blue "}, {Query: "sofa ", Restrict: []string{"ok = true"}}, {Query: "sofa lamp ", Restrict: []string{"ok = true"}}} {
		r.Limit, r.Explain = 100, true
		r.Indexes = []string{"all"}
		one := find(t, e, &r)
		r.Indexes = []string{"part0", "part1"}
		several := find(t, e, &r)
		if got, want := scoresOf(several), scoresOf(one); !maps.Equal(got, want) || len(want) == 0 {
			t.Errorf("%q in several indexes\n%v\nin one\n%v", r.Query, got, want)
		}
		told := func(res *Result) map[string]int64 {
			df := map[string]int64{}
			for _, h := range res.Hits {
				for _, p := range h.Explain.Parts {
					if p.Stage == "" {
						df[p.Field+":"+p.Term] = p.DF
					}
				}
			}
			return df
		}
		if got, want := told(several), told(one); !maps.Equal(got, want) {
			t.Errorf("%q: records with the terms in several indexes\n%v\nin one\n%v", r.Query, got, want)
		}
	}
}

// TestNamedInAPart: whether a query that speaks of a year counts by its other words alone, as records
// hold what it names, is decided by all indexes.
func TestNamedInAPart(t *testing.T) {
	schema := Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "year", Type: Int, Filter: true, Facet: true}}}
	e := newEngine(t, nil)
	for _, name := range []string{"all", "part0", "part1"} {
		create(t, e, name, schema)
	}
	for i := range 12 {
		title := "A comedy of the 1970s"
		if i == 4 {
			title = "Thrillers seen by a lawyer"
		}
		record := fmt.Sprintf(`{"id":"%d","title":%q,"year":%d}`, i, title, 1970+i)
		apply(t, e, puts("all", record))
		apply(t, e, puts(fmt.Sprint("part", i%2), record))
	}
	for _, q := range []string{"thrillers of the 1970s ", "thrillers seen in the 1970s", "quokkas of the 1970s ", "lawyer 1971"} {
		r := Request{Query: q, Limit: 100, Match: MatchAny, Indexes: []string{"all"}}
		one := find(t, e, &r)
		r.Indexes = []string{"part0", "part1"}
		if several := find(t, e, &r); several.Total != one.Total || !maps.Equal(scoresOf(several), scoresOf(one)) {
			t.Errorf("%q in several indexes: %d\n%v\nin one: %d\n%v", q, several.Total, scoresOf(several), one.Total, scoresOf(one))
		}
	}
}
