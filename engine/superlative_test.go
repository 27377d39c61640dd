package engine

import (
	"fmt"
	"testing"
)

// TestSuperlatives: "cheapest" sorts what holds all other words of the query, page by page,
// where the request has no order of its own.
func TestSuperlatives(t *testing.T) {
	schema := boutiqueSchema()
	schema.Fields[5].Sort = true
	e := boutique(t, schema)
	for _, tt := range []struct {
		r    Request
		hits string
		sort string
		told string
	}{
		{Request{Query: "cheapest running shoes"}, "1 2 3", "[{price false <nil>}]", "filter: EXISTS price (cheapest)"},
		{Request{Query: "running shoes cheapest"}, "1 2 3", "[{price false <nil>}]", "filter: EXISTS price (cheapest)"},
		{Request{Query: "the most expensive running shoes"}, "3 2 1", "[{price true <nil>}]", "filter: EXISTS price (most expensive)"},
		{Request{Query: "lowest price shoes"}, "5 1 2 3", "[{price false <nil>}]", "filter: EXISTS price (lowest price)"},
		{Request{Query: "newest nike shoes"}, "2 1", "[{released true <nil>}]", `filter: EXISTS released (newest); filter: brand = "Nike" (nike)`},
		{Request{Query: "newest shoes under $100"}, "2 5 1", "[{released true <nil>}]", "filter: EXISTS released (newest); filter: price < 100 (under $100)"},
		// rating cannot be sorted by.
		{Request{Query: "best rated lamp"}, "4", "[]", ""},
		// Nothing is a lamp and a shoe.
		{Request{Query: "cheapest shoes lamp"}, "4 1 2 3 5", "[]", ""},
		{Request{Query: "cheapest shoes", Sort: []SortKey{{Field: "price", Desc: true}}}, "3 2 1 5", "[]", ""},
		{Request{Query: "cheapest shoes", Intent: Intent{Mode: IntentOff}}, "1 2 3 5", "[]", ""},
		{Request{Query: "cheapest shoes", Intent: Intent{Ignore: []string{"EXISTS price"}}}, "1 2 3 5", "[]", "ignored: EXISTS price (cheapest)"},
		{Request{Query: "not cheapest shoes"}, "1 2 3 5", "[]", ""},
	} {
		res := find(t, e, &tt.r)
		if got := idsOf(res); got != tt.hits || fmt.Sprint(res.Query.SortFromIntent) != tt.sort || told(&res.Query) != tt.told {
			t.Errorf("%q: %s, by %v, %s; want %s, by %s, %s", tt.r.Query, got, res.Query.SortFromIntent, told(&res.Query), tt.hits, tt.sort, tt.told)
		}
	}
	page := Request{Query: "cheapest running shoes", Limit: 1}
	var all string
	for range 3 {
		res := find(t, e, &page)
		all += idsOf(res) + " "
		page.After = res.Next
	}
	if all != "1 2 3 " || page.After != nil {
		t.Errorf("pages of one are %s, then %v", all, page.After)
	}
	// An index without the field has nothing to give.
	create(t, e, "texts", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "minutes", Type: Int, Filter: true}}})
	apply(t, e, puts("texts", `{"id":"9","title":"Running in shoes","minutes":4}`))
	if res := find(t, e, &Request{Query: "cheapest running shoes"}); idsOf(res) != "1 2 3" {
		t.Errorf("over two indexes %s are found, by %v", idsOf(res), res.Query.SortFromIntent)
	}
	if err := e.DeleteIndex(t.Context(), "texts"); err != nil {
		t.Fatal(err)
	}
	// What is not wanted comes last, and not first as the cheapest.
	if res := find(t, e, &Request{Query: "cheapest running shoes not nike"}); idsOf(res) != "3 1 2" && idsOf(res)[:1] != "3" || res.Query.SortFromIntent != nil {
		t.Errorf("without nike %s are found, by %v", idsOf(res), res.Query.SortFromIntent)
	}
	// The next page is in the order of the first, whatever was written since.
	page = Request{Query: "cheapest running shoes", Limit: 1}
	page.After = find(t, e, &page).Next
	apply(t, e, &Batch{Ops: []Op{{Kind: OpDelete, Index: "shop", ID: "1"}, {Kind: OpDelete, Index: "shop", ID: "2"}, {Kind: OpDelete, Index: "shop", ID: "3"}}})
	if res := find(t, e, &page); len(res.Hits) > 0 {
		t.Errorf("%s is on the second page", idsOf(res))
	}
	// What is called so is found.
	apply(t, e, puts("shop", `{"id":"6","title":"The cheapest shoes","price":500}`))
	if res := find(t, e, &Request{Query: "cheapest shoes", Limit: 1}); idsOf(res) != "6" || res.Query.SortFromIntent != nil {
		t.Errorf("first is %s, by %v", idsOf(res), res.Query.SortFromIntent)
	}
}
