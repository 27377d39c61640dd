package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

func withProducts(t *testing.T) *service {
	t.Helper()
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	return s
}

type multiBody struct {
	Results []searchBody
	Version int
	Took    float64 `json:"took_ms"`
}

func TestMultiSearch(t *testing.T) {
	s := withProducts(t)
	var got multiBody
	s.want(200, "POST", "/v1/multi-search", `{"searches":[{"q":"red hat","match":"all"},{"filter":"price > 30","sort":"price"},{"limit":0,"facets":"brand"},{"q":"hat","min_version":2}]}`).into(t, &got)
	if len(got.Results) != 4 || got.Version == 0 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []string{"[products/sku-3]", "[products/sku-1 products/sku-2]", "[]", "[products/sku-3]"} {
		if ids := fmt.Sprint(got.Results[i].ids()); ids != want {
			t.Errorf("search %d: %s, want %s", i, ids, want)
		}
	}
	if got.Results[2].Total != 4 {
		t.Errorf("total %d", got.Results[2].Total)
	}
	// A page of one is one of the search alone.
	var first multiBody
	s.want(200, "POST", "/v1/multi-search", `{"searches":[{"sort":"price","limit":1}]}`).into(t, &first)
	var alone searchBody
	s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"sort":"price","limit":1,"cursor":%q}`, *first.Results[0].NextCursor)).into(t, &alone)
	if fmt.Sprint(alone.ids()) != "[products/sku-4]" {
		t.Errorf("second page: %v", alone.ids())
	}
}

func TestMistakesOfMultiSearch(t *testing.T) {
	s := withProducts(t)
	p := s.want(422, "POST", "/v1/multi-search", `{"searches":[{"limt":1},{"q":"ok"},{"limit":-1,"filter":"price <"},{"sort":"nothing"},{"index":"none"},7]}`).problem(t)
	var got []string
	for _, e := range p.Errors {
		got = append(got, e.Pointer)
	}
	const want = "/searches/0/limt /searches/2/limit /searches/2/filter /searches/5 /searches/3/sort /searches/4/index"
	if strings.Join(got, " ") != want || p.Code != engine.CodeInvalidRequest {
		t.Errorf("%s: %q, want %q", p.Code, got, want)
	}
	if p := s.want(422, "POST", "/v1/multi-search", `{"searches":[{"index":"none"}]}`).problem(t); p.Errors[0].Code != engine.CodeIndexNotFound || p.Errors[0].Pointer != "/searches/0/index" {
		t.Errorf("unknown index: %+v", p)
	}
	testBadRequestsOf(t, s, "POST", "/v1/multi-search", []badSwap{
		{`{}`, 422, engine.CodeInvalidRequest, ""},
		{`{"searches":[]}`, 422, engine.CodeInvalidRequest, "/searches"},
		{`{"searches":{}}`, 422, engine.CodeInvalidRequest, "/searches"},
		{`{"search":[{}]}`, 422, engine.CodeUnknownField, "/search"},
		{`{"searches":[` + strings.Repeat("{},", 50) + `{}]}`, 422, engine.CodeLimitExceeded, "/searches"},
		{`[]`, 422, engine.CodeInvalidRequest, ""},
	})
}

func TestPresets(t *testing.T) {
	s := withProducts(t)
	s.want(201, "PUT", "/v1/indexes/other", `{"presets":{"shop":{"limit":1}}}`)
	a := s.want(200, "PATCH", "/v1/indexes/products", `{"presets":{"shop":{"filter":"price > 30","sort":"price","limit":1},"all":{}}}`)
	if !strings.Contains(a.body, `"presets":{"shop":{"filter":"price > 30"`) || !strings.Contains(a.body, `"state":"ready"`) {
		t.Errorf("answer: %s", a.body)
	}
	search := func(body string) string {
		t.Helper()
		var got searchBody
		s.want(200, "POST", "/v1/search", body).into(t, &got)
		return fmt.Sprint(got.ids())
	}
	for body, want := range map[string]string{
		`{"index":"products","preset":"shop"}`:                                     "[products/sku-1]",
		`{"index":"products","preset":"shop","limit":5}`:                           "[products/sku-1 products/sku-2]",
		`{"index":["prod*"],"preset":"shop","limit":5,"filter":"price < 12"}`:      "[products/sku-3]",
		`{"index":"products","pr\u0065set":"shop","sort":"price:desc","offset":1}`: "[products/sku-1]",
		`{"index":"products","preset":"all","q":"hat"}`:                            "[products/sku-3]",
	} {
		if got := search(body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	testBadRequestsOf(t, s, "POST", "/v1/search", []badSwap{
		{`{"index":"products","preset":"none"}`, 422, engine.CodeInvalidRequest, "/preset"},
		{`{"preset":"shop"}`, 422, engine.CodeInvalidRequest, "/preset"}, // two different ones
		{`{"preset":"all"}`, 422, engine.CodeInvalidRequest, "/preset"},  // other has none
		{`{"index":"products","preset":"shop","vecior":null}`, 422, engine.CodeUnknownField, "/vecior"},
		{`{"index":"products","preset":7}`, 422, engine.CodeInvalidRequest, "/preset"},
		{`{"index":"products","preset":""}`, 422, engine.CodeInvalidRequest, "/preset"},
	})
	testBadRequestsOf(t, s, "PATCH", "/v1/indexes/products", []badSwap{
		{`{"presets":[]}`, 422, engine.CodeInvalidRequest, "/presets"},
		{`{"presets":{"a":7}}`, 422, engine.CodeInvalidRequest, "/presets/a"},
		{`{"presets":{"a b":{}}}`, 422, engine.CodeInvalidRequest, "/presets/a b"},
		{`{"presets":{"a":{"limit":-1}}}`, 422, engine.CodeInvalidRequest, "/presets/a/limit"},
		{`{"presets":{"a":{"filter":"x <","q":7}}}`, 422, engine.CodeInvalidRequest, "/presets/a/q"},
		{`{"presets":{"a":{"limt":1}}}`, 422, engine.CodeUnknownField, "/presets/a/limt"},
		{`{"presets":{"a":{"filter":"price <"}}}`, 422, engine.CodeInvalidFilter, "/presets/a/filter"},
		{`{"presets":{"a":{"filter":["price > 1","price <"]}}}`, 422, engine.CodeInvalidFilter, "/presets/a/filter/1"},
		{`{"presets":{"a":{"syntax":"query","q":"(hat"}}}`, 422, engine.CodeInvalidQuery, "/presets/a/q"},
		{`{"presets":{"a":{"pin":["x"` + strings.Repeat(`,"x"`, maxPins) + `]}}}`, 422, engine.CodeLimitExceeded, "/presets/a/pin"},
		{`{"presets":{"a":{"hide":["x"` + strings.Repeat(`,"x"`, maxHidden) + `]}}}`, 422, engine.CodeLimitExceeded, "/presets/a/hide"},
		{`{"presets":{"a":{"index":"products"}}}`, 422, engine.CodeInvalidRequest, "/presets/a/index"},
	})
	// What the body does not name stays; null takes all of them away.
	if a := s.want(200, "PATCH", "/v1/indexes/products", `{"visible":false}`); !strings.Contains(a.body, `"presets"`) {
		t.Errorf("presets are lost: %s", a.body)
	}
	if a := s.want(200, "PATCH", "/v1/indexes/products", `{"presets":null}`); strings.Contains(a.body, `"presets"`) {
		t.Errorf("presets are still there: %s", a.body)
	}
	var got multiBody
	s.want(200, "POST", "/v1/multi-search", `{"searches":[{"index":"other","preset":"shop"}]}`).into(t, &got)
}
