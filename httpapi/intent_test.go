package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// withShoes is a service over the real engine with the shoes of three tenants.
func withShoes(t *testing.T) *service {
	t.Helper()
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shoes", `{"fields":[{"name":"title","type":"text"},{"name":"brand","type":"keyword","facet":true},
		{"name":"price","type":"float","filter":true},{"name":"tenant","type":"int","filter":true}]}`)
	var records []string
	for i := range 30 {
		records = append(records, fmt.Sprintf(`{"id":"%02d","title":"Running shoe %d","brand":"%s","price":%d,"tenant":%d}`, i, i, []string{"Nike", "Asics", "Hushhush"}[i%3], 10*i, i%3))
	}
	s.want(201, "POST", "/v1/batch", `{"index":"shoes","records":[`+strings.Join(records, ",")+`]}`)
	return s
}

type intentAnswer struct {
	Hits       []struct{ Record struct{ Tenant int } }
	Total      int
	NextCursor *string `json:"next_cursor"`
	Query      struct {
		FiltersFromIntent []string `json:"filters_from_intent"`
		Intent            []struct{ Filter, Words, Used string }
	}
}

func (a *intentAnswer) told() string {
	var out []string
	for _, u := range a.Query.Intent {
		out = append(out, u.Used+": "+u.Filter+" ("+u.Words+")")
	}
	return strings.Join(out, "; ")
}

func TestSearchUnderstandsFilters(t *testing.T) {
	s := withShoes(t)
	for _, c := range []struct{ body, told, filters string }{
		{`{"q":"nike shoes under $100"}`, `boost: brand = "Nike" (nike); filter: price < 100 (under $100)`, `[brand = "Nike" price < 100]`},
		{`{"q":"nike shoes under $100","intent":"off"}`, "", `[]`},
		{`{"q":"nike under $100","intent":"only_explain"}`, `explained: brand = "Nike" (nike); explained: price < 100 (under $100)`, `[brand = "Nike" price < 100]`},
		{`{"q":"nike under $100","intent":{"ignore":"price<100"}}`, `boost: brand = "Nike" (nike); ignored: price < 100 (under $100)`, `[brand = "Nike"]`},
		{`{"q":"shoes under $0"}`, `relaxed: price < 0 (under $0)`, `[price < 0]`},
	} {
		var got intentAnswer
		s.want(200, "POST", "/v1/search", c.body).into(t, &got)
		if filters := fmt.Sprint(got.Query.FiltersFromIntent); got.told() != c.told || filters != c.filters {
			t.Errorf("%s is understood as %s, filters %s; want %s, %s", c.body, got.told(), filters, c.told, c.filters)
		}
	}
	// A cursor belongs to the search with its intent.
	var got intentAnswer
	s.want(200, "POST", "/v1/search", `{"q":"shoes under $100","limit":4}`).into(t, &got)
	for status, intent := range map[int]string{200: `"on"`, 422: `{"ignore":"price < 100"}`} {
		s.want(status, "POST", "/v1/search", `{"q":"shoes under $100","limit":4,"intent":`+intent+`,"cursor":"`+*got.NextCursor+`"}`)
	}
	a := s.graph(`{ search(q: "shoes under $100", limit: 1) { query { intent { filter words used } } } }`, "")
	if !strings.Contains(a.body, `"intent":[{"filter":"price \u003c 100","words":"under $100","used":"filter"}]`) &&
		!strings.Contains(a.body, `"intent":[{"filter":"price < 100","words":"under $100","used":"filter"}]`) {
		t.Errorf("GraphQL answers %s", a.body)
	}
}

// A key with filters learns nothing of the values of records that it cannot
// see.
func TestIntentOfConfinedKeys(t *testing.T) {
	s := withShoes(t)
	confined := s.as(s.makeKey(`{"scopes":["search"],"filter":"tenant = 0"}`).Key)
	for q, want := range map[string]string{
		"nike shoes":               `boost: brand = "Nike" (nike)`,
		"hushhush shoes":           "",
		"shoes under $5":           `filter: price < 5 (under $5)`,
		"shoes between $5 and $25": `relaxed: price 5..25 (between $5 and $25)`, // 10 and 20 are of others
	} {
		var got intentAnswer
		confined.want(200, "POST", "/v1/search", `{"q":"`+q+`","limit":30}`).into(t, &got)
		if got.told() != want {
			t.Errorf("%q is understood as %s, want %s", q, got.told(), want)
		}
		for _, h := range got.Hits {
			if h.Record.Tenant != 0 {
				t.Errorf("%q finds a record of tenant %d", q, h.Record.Tenant)
			}
		}
	}
}

func TestIndexIntentSettings(t *testing.T) {
	s := withShoes(t)
	const given = `{"intent":{"skip":"tenant","units":{"price":"cent"},"words":[{"words":"cheap","filter":"price < 20"},{"words":["fine"],"filter":"price > 200","boost":true}]}}`
	const shown = `"intent":{"off":false,"skip":["tenant"],"units":{"price":["cent"]},"words":[{"words":["cheap"],"filter":"price < 20"},{"words":["fine"],"filter":"price > 200","boost":true}]}`
	for _, body := range []string{given, `{"dynamic":false}`} {
		if a := s.want(200, "PATCH", "/v1/indexes/shoes", body); !strings.Contains(a.body, shown) || !strings.Contains(a.body, `"state":"ready"`) {
			t.Errorf("PATCH %s answers %s", body, a.body)
		}
	}
	var got intentAnswer
	s.want(200, "POST", "/v1/search", `{"q":"cheap shoes under $1"}`).into(t, &got)
	if want := `filter: price < 20 (cheap); filter: price < 100 (under $1)`; got.told() != want {
		t.Errorf("understood as %s, want %s", got.told(), want)
	}
	a := s.do("PATCH", "/v1/indexes/shoes", `{"intent":{"skip":["colour"],"units":{"price":"parsec","title":"kg"},"words":[{"words":[],"filter":"prize < 3"},{"words":"x","filter":"price <"}]}}`)
	var at []string
	for _, e := range a.problem(t).Errors {
		at = append(at, e.Pointer)
	}
	if want := []string{"/intent/skip/0", "/intent/units/price/0", "/intent/units/title", "/intent/words/0/words", "/intent/words/0/filter", "/intent/words/1/filter"}; !slices.Equal(at, want) {
		t.Errorf("wrong at %v, want %v", at, want)
	}
	if a := s.want(200, "PATCH", "/v1/indexes/shoes", `{"intent":null}`); strings.Contains(a.body, `"intent"`) {
		t.Errorf("taken back, the answer is %s", a.body)
	}
}

// A superlative sorts, and the answer says so, over GraphQL, too.
func TestSuperlativesAreTold(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shoes", `{"fields":[{"name":"title","type":"text","search":true},{"name":"price","type":"float","filter":true,"sort":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"shoes","records":[{"id":"1","title":"Red boot","price":30},{"id":"2","title":"Red boot","price":20},{"id":"3","title":"Red lace","price":1}]}`)
	for body, want := range map[string]string{
		`{"q":"cheapest red boot"}`:                          `[price:asc] 2`,
		`{"q":"most expensive red boot"}`:                    `[price:desc] 1`,
		`{"q":"cheapest red boot","sort":["price:desc"]}`:    `[] 1`,
		`{"q":"red boot"}`:                                   `[] 1`,
		`{"q":"cheapest red boot","intent":"off","limit":1}`: `[] 1`,
	} {
		var got struct {
			Hits  []struct{ ID string }
			Query struct {
				Sort []string `json:"sort_from_intent"`
			}
		}
		s.want(200, "POST", "/v1/search", body).into(t, &got)
		if got := fmt.Sprint(got.Query.Sort) + " " + got.Hits[0].ID; got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	if a := s.graph(`{ search(q: "cheapest red boot") { query { sortFromIntent } } }`, ""); !strings.Contains(a.body, `"sortFromIntent":["price:asc"]`) {
		t.Errorf("GraphQL answers %s", a.body)
	}
}
