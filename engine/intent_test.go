package engine

import (
	"fmt"
	"strings"
	"testing"
)

// boutiqueSchema is that of the shops of these tests: brand and color are no text.
func boutiqueSchema() Schema {
	return Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "brand", Type: Keyword, Facet: true},
		{Name: "color", Type: Keyword, Facet: true},
		{Name: "price", Type: Float, Filter: true, Sort: true},
		{Name: "rating", Type: Float, Filter: true},
		{Name: "released", Type: Date, Filter: true},
		{Name: "tenant", Type: Int, Filter: true},
	}}
}

var boutiqueRecords = []string{
	`{"id":"1","title":"Running shoes","brand":"Nike","color":"Red","price":39.9,"rating":4.5,"released":"2019-05-01","tenant":1}`,
	`{"id":"2","title":"Running shoes","brand":"Nike","color":"Blue","price":89,"rating":4,"released":"2021-02-03","tenant":1}`,
	`{"id":"3","title":"Running shoes","brand":"Asics","color":"Red","price":120,"rating":3,"released":"1994-07-01","tenant":2}`,
	`{"id":"4","title":"Red lamp","brand":"Osram","color":"White","price":15,"rating":5,"released":"1985-01-01","tenant":2}`,
	`{"id":"5","title":"Shoe laces","brand":"Secretbrand","color":"Black","price":3,"rating":2,"released":"2020-01-01","tenant":3}`,
}

func boutique(t *testing.T, schema Schema) *Engine {
	t.Helper()
	e := newEngine(t, nil)
	create(t, e, "shop", schema)
	apply(t, e, puts("shop", boutiqueRecords...))
	return e
}

// told writes what became of a query.
func told(q *QueryInfo) string {
	var out []string
	for _, u := range q.Intent {
		out = append(out, fmt.Sprintf("%s: %s (%s)", u.Use, u.Filter, u.Words))
	}
	return strings.Join(out, "; ")
}

func TestIntent(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	for _, tt := range []struct {
		name       string
		r          Request
		text, hits string
		want       string
	}{
		{"a price restricts", Request{Query: "running shoes under $50"}, "running shoes", "1 5", `filter: price < 50 (under $50)`},
		{"values raise, and are found where no text holds them", Request{Query: "nike red shoes", Limit: 1}, "nike red shoes", "1",
			`boost: brand = "Nike" (nike); boost: color = "Red" (red)`},
		{"values stand for their words", Request{Query: "nike shoes", Match: MatchAll}, "nike shoes", "1 2", `boost: brand = "Nike" (nike)`},
		{"nothing but a filter", Request{Query: "at least 4 stars"}, "", "1 2 4", `filter: rating >= 4 (at least 4 stars)`},
		{"dates", Request{Query: "shoes before 2000"}, "shoes", "3", `filter: released < 2000-01-01 (before 2000)`},
		{"no record is left", Request{Query: "shoes under $1"}, "shoes under $1", "1 2 3 5", `relaxed: price < 1 (under $1)`},
		{"off", Request{Query: "nike shoes under $50", Intent: Intent{Mode: IntentOff}}, "nike shoes under $50", "1 2 3 5", ``},
		{"only explained", Request{Query: "nike shoes under $50", Intent: Intent{Mode: IntentExplain}}, "nike shoes under $50", "1 2 3 5",
			`explained: brand = "Nike" (nike); explained: price < 50 (under $50)`},
		{"one is ignored", Request{Query: "nike shoes under $50", Match: MatchAny, Intent: Intent{Ignore: []string{"price < 50"}}}, "nike shoes under $50", "1 2 3 5",
			`boost: brand = "Nike" (nike); ignored: price < 50 (under $50)`},
		{"quotes mean words", Request{Query: `"under $50" shoes`}, `"under $50" shoes`, "1 2 3 5", ``},
		{"signs mean words", Request{Query: `+shoes -red`}, `+shoes -red`, "1 2 3 5", ``},
		{"plain BM25 understands nothing", Request{Query: "nike shoes", Ranking: RankingBM25}, "nike shoes", "1 2 3 5", ``},
		{"a misspelt word is a value once it is repaired", Request{Query: "redd lamp", Limit: 1}, "red lamp", "4", `boost: color = "Red" (red)`},
		{"a value is not misspelt", Request{Query: "osram"}, "osram", "4", `boost: brand = "Osram" (osram)`},
	} {
		res := find(t, e, &tt.r)
		if got := told(&res.Query); got != tt.want {
			t.Errorf("%s: %q is understood as\n     %s\nwant %s", tt.name, tt.r.Query, got, tt.want)
		}
		if got := idsOf(res); got != tt.hits {
			t.Errorf("%s: %q finds %s, want %s", tt.name, tt.r.Query, got, tt.hits)
		}
		if res.Query.Text != tt.text {
			t.Errorf("%s: %q searches for %q, want %q", tt.name, tt.r.Query, res.Query.Text, tt.text)
		}
	}
}
