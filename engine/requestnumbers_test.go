package engine

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine/query"
)

// TestNumbersOfRequests: what is no number, or none that means anything, is refused
// and not counted with.
func TestNumbersOfRequests(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "n", Type: Float, Facet: true, Filter: true}}})
	apply(t, e, puts("a", `{"t":"red","n":1}`))
	nan, inf, less := math.NaN(), math.Inf(1), math.Inf(-1)
	facet := func(r FacetRange) Request {
		return Request{Facets: []FacetRequest{{Field: "n"}, {Field: "t", Ranges: []FacetRange{{}, r}}}}
	}
	type wrong struct {
		r       Request
		pointer string
	}
	tests := []wrong{
		{Request{MinScore: nan}, "/min_score"}, {Request{MinScore: inf}, "/min_score"}, {Request{MinScore: less}, "/min_score"},
		{Request{Timeout: -time.Nanosecond}, "/timeout_ms"},
		{facet(FacetRange{From: &nan}), "/facets/1/ranges/1/from"}, {facet(FacetRange{To: &inf}), "/facets/1/ranges/1/to"},
		{facet(FacetRange{FromValue: query.Value{Kind: query.KindFloat, Float: less}}), "/facets/1/ranges/1/from"},
		{facet(FacetRange{ToValue: query.Value{Kind: query.KindFloat, Float: nan}}), "/facets/1/ranges/1/to"},
	}
	if n := reflect.TypeFor[Tuning]().NumField(); n != len(new(Tuning).members()) {
		t.Errorf("Tuning has %d members, members %d", n, len(new(Tuning).members()))
	}
	for _, x := range []float64{nan, inf, less, 1e300} {
		for _, m := range new(Tuning).members() {
			r := Request{}
			for _, n := range r.Tuning.members() {
				if n.name == m.name {
					*n.at = x
				}
			}
			tests = append(tests, wrong{r, "/" + m.name})
		}
	}
	for _, c := range tests {
		c.r.Query = "red"
		_, err := e.Search(t.Context(), &c.r)
		wantProblem(t, err, CodeInvalidRequest, c.pointer)
	}
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{MinScore: -1, Tuning: Tuning{Title: -1e300, Filler: maxTuning}}, "1"},
		{Request{MinScore: math.MaxFloat64}, ""},
	} {
		c.r.Query = "red"
		if got := find(t, e, &c.r); len(got.Hits) != len(c.want) {
			t.Errorf("%+v: %d hits, want %d", c.r, len(got.Hits), len(c.want))
		}
	}
}
