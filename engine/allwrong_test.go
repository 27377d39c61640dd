package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestAllMistakesAreTold: an error of a search lists the mistakes of all parts of the
// request, and Mistakes lists them without a search.
func TestAllMistakesAreTold(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "k", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "n", Type: Int, Filter: true}, {Name: "v", Type: Vector, Dimensions: 3},
	}})
	apply(t, e, puts("k", `{"id":"1","title":"red","n":1}`))
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "red"}, ""},
		{Request{Fields: []FieldWeight{{Field: "titel"}, {Field: "title"}, {Field: "n"}, {Field: "title", Weight: -1}}}, "/fields/0 /fields/2 /fields/3"},
		{Request{Filter: "m = 1 AND n = 1 AND o = 1", Sort: []SortKey{{Field: "a"}, {Field: "b"}}}, "/filter /filter /sort/0 /sort/1"},
		{Request{Query: `"`, Syntax: SyntaxQuery, Filter: "n <", Sort: []SortKey{{Field: "a"}}}, "/q /filter /sort/0"},
		{Request{Language: "xx", Typo: Typo{OffFields: []string{"x"}}, Filter: "m = 1"}, "/filter /language /typo/off_fields/0"},
		{Request{Geo: &GeoRequest{Field: "loc", From: &Point{}, Radius: 1}, Sort: []SortKey{{Field: "loc", From: &Point{}}}}, "/geo/field /sort/0"},
		{Request{Vector: []float32{1, 2}, Filter: "m = 1"}, "/filter /vector"},
		{Request{Vector: []float32{1, 2, 3}, Filter: "m = 1"}, "/filter"},
		{Request{Similar: &Similar{ID: "none"}, Filter: "m = 1"}, "/filter /similar/id"},
		{Request{Offset: -1, MinScore: -1, Filter: "m = 1", Distinct: "x", Facets: []FacetRequest{{Field: "x"}}, Highlight: &HighlightRequest{Fields: []string{"x", "n"}}, Members: []string{"titel"}},
			"/offset /filter /facets/0 /distinct /highlight/fields/0 /highlight/fields/1"},
	} {
		c.r.Indexes = []string{"k"}
		_, searched := e.Search(ctx, &c.r)
		for what, err := range map[string]error{"Search": searched, "Mistakes": e.Mistakes(ctx, &c.r)} {
			var got []string
			var inv *InvalidError
			if errors.As(err, &inv) {
				for _, p := range inv.Problems {
					got = append(got, p.Pointer)
				}
			} else if err != nil {
				t.Errorf("%s of %+v: %v", what, c.r, err)
			}
			want := strings.Fields(c.want)
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s of %+v: %q, want %q", what, c.r, got, want)
			}
		}
	}
	if err := e.Mistakes(ctx, nil); err != nil {
		t.Error(err)
	}
	if err := e.Mistakes(ctx, &Request{Indexes: []string{"none"}, Filter: "m = 1"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("of an index that is not there: %v", err)
	}
}

// Of thousands of names that are no fields the first are told with what may be
// meant, and the others counted.
func TestManyUnknownFieldsAreCounted(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "k", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	names := make([]string, 20_000)
	weights := make([]FieldWeight, len(names))
	for i := range names {
		names[i] = strings.Repeat("x", 1+i%50)
		weights[i].Field = names[i]
	}
	for _, r := range []Request{{Fields: weights}, {Highlight: &HighlightRequest{Fields: names}}, {Typo: Typo{OffFields: names}}} {
		var inv *InvalidError
		if err := e.Mistakes(context.Background(), &r); !errors.As(err, &inv) || inv.Total != len(names) || len(inv.Problems) != maxProblems {
			t.Errorf("%d problems, %d of them told", inv.Total, len(inv.Problems))
		}
	}
}
