package engine

import (
	"fmt"
	"strings"
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

// TestSuperlativeThings: what a superlative sorts is the things that are asked for, and not what
// speaks of them.
func TestSuperlativeThings(t *testing.T) {
	e := newEngine(t, nil)
	fields := func(title, text, kind, price string) []Field {
		return []Field{
			{Name: title, Type: Text, Search: true, Weight: 5}, {Name: text, Type: Text, Search: true},
			{Name: kind, Type: Text, Search: true, Facet: true, Filter: true}, {Name: price, Type: Float, Filter: true, Sort: true},
			{Name: "rating", Type: Float, Filter: true, Sort: true},
		}
	}
	create(t, e, "de", Schema{Language: "de", Fields: fields("titel", "text", "kategorie", "preis")})
	create(t, e, "en", Schema{Language: "en", Fields: fields("title", "text", "category", "price")})
	apply(t, e, puts("de",
		`{"id":"1","titel":"Staubsaugerbeutel, zehn Stück","text":"Für Ihren Staubsauger","kategorie":"Zubehör","preis":9,"rating":5}`,
		`{"id":"2","titel":"Handstaubsauger","text":"Klein","kategorie":"Haushalt","preis":49,"rating":3}`,
		`{"id":"3","titel":"Staubsauger","text":"Mit Beutel","kategorie":"Haushalt","preis":99,"rating":4}`,
	))
	apply(t, e, puts("en",
		`{"id":"1","title":"Camomile infusion","text":"Caffeine free","category":"Tea & Coffee","price":2}`,
		`{"id":"2","title":"Ground coffee","text":"Dark roast","category":"Tea & Coffee","price":4}`,
		`{"id":"3","title":"Coffee beans","text":"Light roast","category":"Tea & Coffee","price":9}`,
		`{"id":"4","title":"Bag for a vacuum","text":"Ten","category":"Accessories","price":5}`,
		`{"id":"5","title":"Vacuum Mini","text":"Small","category":"Cleaning","price":50}`,
		`{"id":"6","title":"Robot vacuum","text":"Round","category":"Cleaning","price":300}`,
		`{"id":"7","title":"Quiet vacuum","text":"Large","category":"Cleaning","price":90}`,
		`{"id":"8","title":"Organ concert","text":"Bach","category":"Concerts > Classical","price":30}`,
		`{"id":"9","title":"Mahler","text":"Fifth","category":"Concerts > Classical","price":20}`,
		`{"id":"10","title":"Messiah","text":"Handel","category":"Concerts > Classical","price":25}`,
		`{"id":"11","title":"Star Voyage","text":"Film","category":"Concerts > Film","price":40}`,
		`{"id":"12","title":"Lola","text":"Tour","category":"Concerts > Pop","price":60}`,
		`{"id":"13","title":"Vivaldi","text":"Seasons","category":"Concerts > Classical","price":22}`,
	))
	for _, tt := range []struct{ index, query, hits string }{
		{"de", "günstigster staubsauger", "2 3"},
		{"de", "bester staubsauger", "3 2"},
		{"de", "staubsauger mit bester bewertung", "3 2"},
		{"de", "billigster rasenmäher", ""}, // nothing is one, and the price says nothing else
		{"en", "cheapest coffee", "2 3"},
		{"en", "cheapest vacuum", "5 7 6"},
		{"en", "cheapest concert", "9 13 10 8 11 12"}, // their category says that they are
		{"en", "cheapest bag", "4"},
	} {
		res := find(t, e, &Request{Indexes: []string{tt.index}, Query: tt.query})
		if got := idsOf(res); got != tt.hits {
			t.Errorf("%q finds %q, want %q", tt.query, got, tt.hits)
		}
		page := Request{Indexes: []string{tt.index}, Query: tt.query, Limit: 1}
		var all []string
		for range 8 {
			res := find(t, e, &page)
			if len(res.Hits) > 0 {
				all = append(all, idsOf(res))
			}
			if page.After = res.Next; page.After == nil {
				break
			}
		}
		if got := strings.Join(all, " "); got != tt.hits {
			t.Errorf("%q finds %q page by page, want %q", tt.query, got, tt.hits)
		}
	}
}

// TestFillersBeforeFilters: a filler that leads to what has become a filter is no word to look for.
func TestFillersBeforeFilters(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	for _, q := range []string{"shoes of under $100", "shoes under $100"} {
		for _, h := range find(t, e, &Request{Query: q, Explain: true}).Hits {
			for _, p := range h.Explain.Parts {
				if p.Term == "of" {
					t.Errorf("%q looks for %q", q, p.Term)
				}
			}
		}
	}
	apply(t, e, puts("shop", `{"id":"9","title":"Shoes of gold","price":50}`))
	if res := find(t, e, &Request{Query: "shoes of under $100", Explain: true}); len(res.Hits) == 0 || strings.Contains(fmt.Sprint(res.Hits[0].Explain.Parts), "of") {
		t.Errorf("what leads to a filter counts: %v", res.Hits)
	}
}

// Fillers between the superlative and a value that the query names are not looked for, and a field is
// spoken of by what it counts, too.
func TestSuperlativeOfAValue(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "cities", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "country", Type: Text, Filter: true, Facet: true}, {Name: "population", Type: Int, Filter: true, Sort: true},
	}})
	apply(t, e, puts("cities",
		`{"id":"1","title":"Abuja","country":"Nigeria","population":1235880}`, `{"id":"2","title":"Lagos","country":"Nigeria","population":9000000}`,
		`{"id":"3","title":"Accra","country":"Ghana","population":1963264}`, `{"id":"4","title":"Benin City","country":"Nigeria","population":1125058}`,
		`{"id":"5","title":"Tema","country":"Ghana","population":155782}`, `{"id":"6","title":"Sector 1","country":"Romania","population":225453}`,
	))
	for _, tt := range []struct{ query, hits string }{
		{"largest city in nigeria", "2 1 4"},
		{"what is the largest city of nigeria", "2 1 4"},
		{"most populous cities in ghana", "3 5"},
		{"smallest city in ghana", "5 3"},
		{"cities over 1 million", "1 2 3 4"},
		{"nigeria over 1.2 million inhabitants", "1 2"},
		{"ghana under 500 thousand people", "5"},
		{"over 20 million inhabitants", ""},
	} {
		if got := idsOf(find(t, e, &Request{Query: tt.query})); got != tt.hits {
			t.Errorf("%q finds %q, want %q", tt.query, got, tt.hits)
		}
	}
}

// Another word for what the index is called by says nothing of which records are wanted.
func TestAnotherNameOfTheIndex(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "films", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "plot", Type: Text, Search: true}, {Name: "runtime", Type: Int, Filter: true, Sort: true},
		{Name: "revenue", Type: Int, Filter: true, Sort: true}, {Name: "release_date", Type: Date, Filter: true, Sort: true},
	}})
	apply(t, e, puts("films",
		`{"id":"1","title":"The Last King","plot":"war","runtime":85,"revenue":600000000,"release_date":"1999-04-01"}`,
		`{"id":"2","title":"Red River","plot":"chess","runtime":190,"revenue":20000000,"release_date":"2011-04-01"}`,
		`{"id":"3","title":"Lost Code","plot":"chess","runtime":120,"revenue":1700000000,"release_date":"1975-04-01"}`,
	))
	for _, tt := range []struct{ query, hits string }{
		{"movies under 90 minutes", "1"},
		{"movies longer than 3 hours", "2"},
		{"longest movie about chess", "2 3"},
		{"movies made before 1980", "3"},
		{"movies that made over 500 million", "1 3"},
		{"movies that made over 1 billion", "3"},
		{"highest grossing movie", "3 1 2"},
		{"code movie", "3"},
	} {
		if got := idsOf(find(t, e, &Request{Query: tt.query})); got != tt.hits {
			t.Errorf("%q finds %q, want %q", tt.query, got, tt.hits)
		}
	}
	apply(t, e, puts("films", `{"id":"4","title":"Scary Movie","plot":"fun","runtime":88,"revenue":1,"release_date":"2000-07-07"}`))
	for query, hits := range map[string]string{"movies under 90 minutes": "4 1", "scary movie": "4"} {
		if got := idsOf(find(t, e, &Request{Query: query})); got != hits {
			t.Errorf("with a record that has the word %q finds %q, want %q", query, got, hits)
		}
	}
}
