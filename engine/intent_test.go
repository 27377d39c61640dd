package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"
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
		{"a misspelt word is a value once it is repaired", Request{Query: "redd laces", Limit: 1}, "red laces", "5", `boost: color = "Red" (red)`},
		{"a value behind what is not wanted stands for its word", Request{Query: "shoes without heels, nike", Match: MatchAll}, "shoes without heels, nike", "1 2",
			`boost: brand = "Nike" (nike)`},
		{"a value that is not wanted", Request{Query: "running shoes not nike"}, "running shoes not nike", "3 5 1 2", `boost: NOT brand = "Nike" (not nike)`},
		{"or two", Request{Query: "not red running shoes, not asics"}, "not red running shoes, not asics", "2 5 1 3",
			`boost: NOT color = "Red" (not red); boost: NOT brand = "Asics" (not asics)`},
		{"beside a filter", Request{Query: "shoes under $100 not nike"}, "shoes not nike", "5 1 2", `filter: price < 100 (under $100); boost: NOT brand = "Nike" (not nike)`},
		{"also behind other words for it", Request{Query: "running shoes without nike", Limit: 1}, "running shoes without nike", "3", `boost: NOT brand = "Nike" (without nike)`},
		{"a list of what is not wanted", Request{Query: "shoes without nike or asics", Limit: 1}, "shoes without nike or asics", "5", `boost: NOT brand = "Nike" (without nike); boost: NOT brand = "Asics" (or asics)`},
		{"with commas", Request{Query: "shoes not nike, asics", Limit: 1}, "shoes not nike, asics", "5", `boost: NOT brand = "Nike" (not nike); boost: NOT brand = "Asics" (asics)`},
		{"of which all is denied", Request{Query: "without red or white"}, "", "2 5", `filter: NOT color = "Red" (without red); filter: NOT color = "White" (or white)`},
		{"a value of another field ends it", Request{Query: "shoes not nike and red", Limit: 1}, "shoes not nike and red", "3", `boost: NOT brand = "Nike" (not nike); boost: color = "Red" (red)`},
		{"all but", Request{Query: "shoes all but nike", Limit: 1}, "shoes all but nike", "3", `boost: NOT brand = "Nike" (all but nike)`},
		{"a number that begins with a point", Request{Query: "shoes under $.99"}, "shoes under $.99", "1 2 3 5", `relaxed: price < 0.99 (under $.99)`},
		{"what no record holds is not found by its price", Request{Query: "unicorn under $50"}, "unicorn under $50", "", `relaxed: price < 50 (under $50)`},
		{"nor the cheapest of it", Request{Query: "cheapest unicorn"}, "cheapest unicorn", "", `relaxed: EXISTS price (cheapest)`},
		{"an order remains where a filter does not", Request{Query: "cheapest lamp under $10"}, "lamp under $10", "4", `filter: EXISTS price (cheapest); relaxed: price < 10 (under $10)`},
		{"a price that no such record has adds no others", Request{Query: "lamp over $100"}, "lamp over $100", "4", `relaxed: price > 100 (over $100)`},
		{"nothing else is wanted", Request{Query: "not nike"}, "", "3 4 5", `filter: NOT brand = "Nike" (not nike)`},
		{"nothing but a filter beside it", Request{Query: "not nike under $100"}, "", "4 5", `filter: NOT brand = "Nike" (not nike); filter: price < 100 (under $100)`},
		{"negation is off", Request{Query: "shoes not nike", Tuning: Tuning{Negation: -1}}, "shoes not nike", "1 2 3 5", ``},
		{"what is not wanted is ignored", Request{Query: "shoes not nike", Intent: Intent{Ignore: []string{`NOT brand = "Nike"`}}}, "shoes not nike", "1 2 3 5", `ignored: NOT brand = "Nike" (not nike)`},
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

// What a caller may not see takes no part in what is understood of its query.
func TestIntentSeesWhatTheCallerSees(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	for _, tt := range []struct{ q, restrict, want string }{
		{"secretbrand laces", "tenant = 3", `boost: brand = "Secretbrand" (secretbrand)`},
		{"secretbrand laces", "tenant = 1", ``},
		{"secretbrand laces", "", `boost: brand = "Secretbrand" (secretbrand)`},
		{"asics", "tenant = 1", ``},
		// What is left decides whether a filter is relaxed, too.
		{"lamp over $10", "tenant = 2", `filter: price > 10 (over $10)`},
		{"lamp over $100", "tenant = 1", `relaxed: price > 100 (over $100)`},
	} {
		r := Request{Query: tt.q}
		if tt.restrict != "" {
			r.Restrict = []string{tt.restrict}
		}
		res := find(t, e, &r)
		if got := told(&res.Query); got != tt.want {
			t.Errorf("%q among %q is understood as %s, want %s", tt.q, tt.restrict, got, tt.want)
		}
		for _, h := range res.Hits {
			if tt.restrict != "" && !strings.Contains(string(h.Record), strings.ReplaceAll(strings.ReplaceAll(tt.restrict, " = ", `":`), "tenant", `"tenant`)) {
				t.Errorf("%q among %q finds %s", tt.q, tt.restrict, h.Record)
			}
		}
	}
	// Deleted records are seen by nobody.
	var b Batch
	b.Delete("shop", "5")
	apply(t, e, &b)
	if got := told(&find(t, e, &Request{Query: "secretbrand laces"}).Query); got != "" {
		t.Errorf("the value of a deleted record is understood: %s", got)
	}
}

func TestIntentSettings(t *testing.T) {
	s := boutiqueSchema()
	s.Intent = IntentSettings{
		Skip:  []string{"color"},
		Units: map[string][]string{"price": {"cent"}},
		Words: []IntentWords{{Words: []string{"cheap", "low budget"}, Filter: "price<20"}, {Words: []string{"good"}, Filter: "rating >= 4", Boost: true}},
	}
	e := boutique(t, s)
	for q, want := range map[string]string{
		"red nike under $1":      `boost: brand = "Nike" (nike); filter: price < 100 (under $1)`,
		"cheap lamp":             `filter: price < 20 (cheap)`,
		"low budget, good shoes": `filter: price < 20 (low budget); boost: rating >= 4 (good)`,
	} {
		if got := told(&find(t, e, &Request{Query: q}).Query); got != want {
			t.Errorf("%q is understood as %s, want %s", q, got, want)
		}
	}
	s.Intent = IntentSettings{Off: true}
	if _, err := e.UpdateIndex(context.Background(), "shop", s); err != nil {
		t.Fatal(err)
	}
	if got := told(&find(t, e, &Request{Query: "red nike under $1"}).Query); got != "" {
		t.Errorf("switched off, the index understands %s", got)
	}
	s.Intent = IntentSettings{
		Skip:  []string{"colour"},
		Units: map[string][]string{"price": {"parsec"}, "brand": {"kg"}, "a/b": {}},
		Words: []IntentWords{{Words: []string{""}, Filter: "price <"}, {Filter: "brand > 3 AND size = 4"}, {Words: []string{"cheap"}}},
	}
	_, err := e.CreateIndex(context.Background(), "bad", s)
	for _, at := range []string{
		"/intent/skip/0", "/intent/units/a~1b", "/intent/units/brand", "/intent/units/price/0",
		"/intent/words/0/words/0", "/intent/words/0/filter", "/intent/words/1/words", "/intent/words/1/filter",
		"/intent/words/2/filter",
	} {
		found := false
		if inv, ok := err.(*InvalidError); ok {
			for _, p := range inv.Problems {
				found = found || p.Pointer == at
			}
		}
		if !found {
			t.Errorf("nothing is wrong at %s: %v", at, err)
		}
	}
}

// TestIntentSkipIsTakenBack: what was read of a segment while a field was
// skipped is not taken for all of it.
func TestIntentSkipIsTakenBack(t *testing.T) {
	s := boutiqueSchema()
	s.Intent.Skip = []string{"brand"}
	e := boutique(t, s)
	if got := told(&find(t, e, &Request{Query: "nike red shoes"}).Query); got != `boost: color = "Red" (red)` {
		t.Errorf("brand is skipped: understood %q", got)
	}
	s.Intent.Skip = nil
	if _, err := e.UpdateIndex(context.Background(), "shop", s); err != nil {
		t.Fatal(err)
	}
	if got, want := told(&find(t, e, &Request{Query: "nike red shoes"}).Query), `boost: brand = "Nike" (nike); boost: color = "Red" (red)`; got != want {
		t.Errorf("brand is not skipped: understood %q, want %q", got, want)
	}
}

func TestIntentSettingsSurvive(t *testing.T) {
	d := newDisk(t, Options{})
	s := boutiqueSchema()
	s.Intent = IntentSettings{Skip: []string{"color"}, Units: map[string][]string{"price": {"cent"}}, Words: []IntentWords{{Words: []string{"cheap"}, Filter: "price < 20", Boost: true}}}
	create(t, d.e, "shop", s)
	d.reopen()
	info, err := d.e.Index("shop")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(info.Schema.Intent, s.Intent) {
		t.Errorf("reopened, the settings are %+v, want %+v", info.Schema.Intent, s.Intent)
	}
}

// Over several indexes fields of one name are one field, and a filter leaves
// out the records of indexes without it.
func TestIntentOverIndexes(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	create(t, e, "nachrichten", Schema{Language: "de", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "brand", Type: Keyword, Facet: true}, {Name: "rating", Type: Keyword, Facet: true},
	}})
	apply(t, e, puts("nachrichten", `{"id":"n","title":"Schuhe shoes","brand":"Nike","rating":"4"}`))
	for q, want := range map[string]string{
		"nike shoes under $50": `boost: brand = "Nike" (nike); filter: price < 50 (under $50)`,
		"shoes unter 50 euro":  `filter: price < 50 (unter 50 euro)`,
		// In one of them the field holds words.
		"at least 4 stars": ``,
	} {
		res := find(t, e, &Request{Query: q})
		if got := told(&res.Query); got != want {
			t.Errorf("%q is understood as %s, want %s", q, got, want)
		}
		for _, h := range res.Hits {
			if h.Index == "nachrichten" && strings.Contains(want, "filter") {
				t.Errorf("%q finds a record without a price", q)
			}
		}
	}
}

// What is understood, and found, depends neither on the segments nor on the
// page asked for.
func TestIntentPages(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "shop", boutiqueSchema())
	var want []string
	for i := range 40 {
		apply(t, e, puts("shop", fmt.Sprintf(`{"id":"%02d","title":"Shoe %d","brand":"Nike","color":"Red","price":%d}`, i, i, i)))
	}
	all := find(t, e, &Request{Query: "nike shoe under $30", Limit: 100})
	for _, h := range all.Hits {
		want = append(want, h.ID)
	}
	if len(want) != 30 || all.Total != 30 {
		t.Fatalf("%d of %d records cost less than 30", len(want), all.Total)
	}
	for _, q := range []string{"nike shoe under $30", "under $30"} {
		var got []string
		r := Request{Query: q, Limit: 7, Explain: true}
		for {
			res := find(t, e, &r)
			for _, h := range res.Hits {
				got = append(got, h.ID)
				sum := 0.0
				for _, p := range h.Explain.Parts {
					sum += p.Score
				}
				if sum != h.Score {
					t.Errorf("%q: the parts of %s add up to %v, not %v", q, h.ID, sum, h.Score)
				}
			}
			if res.Next == nil {
				break
			}
			r.After = res.Next
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q page by page finds %v, want %v", q, got, want)
		}
	}
}

// So is a comparative that begins with what may end a name.
func TestComparativeInTitle(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "phones", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "memory_gb", Type: Int, Filter: true},
	}})
	apply(t, e, puts("phones",
		`{"id":"1","title":"Phone 13 Pro 128 GB","memory_gb":128}`,
		`{"id":"2","title":"Phone 13 Pro Max 256 GB","memory_gb":256}`,
		`{"id":"3","title":"Phone 14 512 GB","memory_gb":512}`,
	))
	for query, want := range map[string]string{
		"phone 13 pro max 256 gb": "",
		"phone max 512 gb":        "filter: memory_gb <= 512 (max 512 gb)",
		"phone under 256 gb":      "filter: memory_gb < 256 (under 256 gb)",
	} {
		if got := told(&find(t, e, &Request{Query: query}).Query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

// What is denied is never raised: any value is one, however few records have it, also one that
// the word is a part of, and what stands before "free" is denied if it is a burden or has a hyphen, unless
// both are a value or texts have them the other way round.
func TestDeniedValues(t *testing.T) {
	e := newEngine(t, nil)
	text := func(name string) Field { return Field{Name: name, Type: Text, Search: true, Facet: true} }
	create(t, e, "things", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, text("kind"), text("parts"), text("diet"), {Name: "tenant", Type: Int, Filter: true}}})
	apply(t, e, puts("things",
		`{"id":"1","title":"Jeans A","kind":"skinny","tenant":1}`,
		`{"id":"2","title":"Jeans B","kind":"straight","tenant":2}`,
		`{"id":"3","title":"Curry A","parts":["chicken breast","rice"],"tenant":1}`,
		`{"id":"4","title":"Curry B","parts":["egg","rice"],"diet":"gluten-free","tenant":2}`,
		`{"id":"5","title":"Curry C","parts":["gluten","wheat"],"tenant":2}`,
		`{"id":"6","title":"Bag A","kind":"down","tenant":2}`,
		`{"id":"7","title":"Bag B","kind":"wool","tenant":2}`,
		`{"id":"8","title":"Hotel A","parts":["parking"],"tenant":2}`,
		`{"id":"9","title":"Hotel B, free parking","tenant":2}`,
		`{"id":"10","title":"Shampoo A","parts":["animal products"],"tenant":2}`,
		`{"id":"11","title":"Shampoo B","tenant":2}`,
	))
	for _, tt := range []struct{ query, restrict, want, last string }{
		{"jeans not skinny", "", `boost: NOT kind = "skinny" (not skinny)`, "1"},
		{"jeans not skinny", "tenant = 2", ``, ""},
		{"curry not chicken", "", `boost: NOT parts = "chicken breast" (not chicken)`, "3"},
		{"egg free curry", "", `boost: NOT parts = "egg" (egg free)`, "4"},
		{"egg-free curry", "", `boost: NOT parts = "egg" (egg-free)`, "4"},
		{"curry free of egg", "", `boost: NOT parts = "egg" (free of egg)`, "4"},
		{"gluten free curry", "", ``, ""},
		{"bag not down", "", `boost: NOT kind = "down" (not down)`, "6"},
		{"hotel parking free", "", ``, ""},
		{"parking free hotel", "", ``, ""},
		{"skinny free delivery", "", ``, ""},
		{"jeans with no in-skinny pockets", "", ``, ""},
		{"animal products free shampoo", "", `boost: NOT parts = "animal products" (animal products free)`, "10"},
		{"skinny-free jeans", "", `boost: NOT kind = "skinny" (skinny-free)`, "1"},
	} {
		r := Request{Query: tt.query}
		if tt.restrict != "" {
			r.Restrict = []string{tt.restrict}
		}
		res := find(t, e, &r)
		if got := told(&res.Query); got != tt.want || tt.last != "" && !strings.HasSuffix(idsOf(res), tt.last) {
			t.Errorf("%q within %q: %s; hits %s, want %s, %s last", tt.query, tt.restrict, got, idsOf(res), tt.want, tt.last)
		}
	}
}

// A denial that a title consists of is a name, as far as the request may see
// the record.
func TestDenialInTitle(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "films", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "genre", Type: Keyword, Facet: true},
		{Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("films",
		`{"id":"1","title":"Not Another Teen Movie","genre":"Comedy","tenant":1}`,
		`{"id":"2","title":"Teen movie","genre":"Teen","tenant":2}`,
		`{"id":"3","title":"Another movie","genre":"War","tenant":2}`,
	))
	for _, tt := range []struct {
		query, restrict, hits, want string
	}{
		{"not another teen movie", "", "1 2 3", ""},
		{"not another teen movie", "tenant = 2", "3", `filter: NOT genre = "Teen" (not another teen)`},
		{"movie not teen", "", "1 3", `filter: NOT genre = "Teen" (not teen)`},
		{"war movie not teen", "", "1 3 2", `boost: genre = "War" (war); boost: NOT genre = "Teen" (not teen)`},
	} {
		r := Request{Query: tt.query}
		if tt.restrict != "" {
			r.Restrict = []string{tt.restrict}
		}
		res := find(t, e, &r)
		if got := told(&res.Query); got != tt.want || idsOf(res) != tt.hits {
			t.Errorf("%q within %q: %s; hits %s, want %s; hits %s", tt.query, tt.restrict, got, idsOf(res), tt.want, tt.hits)
		}
	}
}

// A price that the query speaks of and no record has raises records instead: the
// pages of such a search fit together.
func TestPagesOfRelaxedQueries(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	apply(t, e, puts("shop", `{"id":"6","title":"Lamp 1","price":7}`, `{"id":"7","title":"Laces, 1 pair under cover","price":8}`))
	for _, req := range []Request{
		{Query: "shoes under $1"},
		{Query: "under $1"},
		{Query: "shoes under $1", Sort: []SortKey{{Field: "price"}}},
	} {
		req.Limit = 10
		want := idsOf(find(t, e, &req))
		var got []string
		for req.Limit = 1; ; {
			res := find(t, e, &req)
			got = append(got, idsOf(res))
			if req.After = res.Next; res.Next == nil {
				break
			}
		}
		if got := strings.Join(got, " "); want == "" || got != want {
			t.Errorf("%q by %v: %s, want %s", req.Query, req.Sort, got, want)
		}
	}
}

// A word that leads to a time may be the end of a name.
func TestNamesThatEndInCues(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "films", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "year", Type: Int, Filter: true}}})
	apply(t, e, puts("films", `{"id":"1","title":"Shrek Forever After","year":2010}`, `{"id":"2","title":"Shrek the Halls","year":2012}`, `{"id":"3","title":"Shrek","year":2001}`))
	for q, want := range map[string]string{
		"shrek forever after 2010": "boost: year > 2010 (after 2010)",
		"shrek after 2010":         "filter: year > 2010 (after 2010)",
		"shrek since 2010":         "filter: year >= 2010 (since 2010)",
	} {
		if got := told(&find(t, e, &Request{Query: q}).Query); got != want {
			t.Errorf("%q is understood as %s, want %s", q, got, want)
		}
	}
	if got := idsOf(find(t, e, &Request{Query: "shrek forever after 2010", Limit: 1})); got != "1" {
		t.Errorf("%s is first", got)
	}
}

// A plain number that something is compared with is a price where records have such prices,
// though it could be other numbers; not where titles show that it is part of a name. Of records out of
// the caller's sight it does not tell.
func TestPlainPrices(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "shop", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "price", Type: Float, Filter: true},
		{Name: "reviews", Type: Int, Filter: true},
		{Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("shop",
		`{"id":"1","title":"Spirit level 60 cm","price":70,"reviews":300,"tenant":1}`,
		`{"id":"2","title":"Level with laser","price":25,"reviews":2,"tenant":1}`,
		`{"id":"3","title":"Shoes Air Max 90","price":120,"reviews":40,"tenant":1}`,
		`{"id":"4","title":"Shoes Air Max 1","price":60,"reviews":60,"tenant":1}`,
	))
	for _, tt := range []struct{ q, restrict, want, first string }{
		{"level under 60", "", "filter: price < 60 (under 60)", "2"},
		{"level under 60", "tenant = 1", "filter: price < 60 (under 60)", "2"},  // who sees all records is told as much
		{"level under 60", "price > 65", "relaxed: price < 60 (under 60)", "1"}, // as is who sees none so cheap
		{"shoes air max 90", "", "", "3"},
		{"air max 100", "", "boost: price <= 100 (max 100)", "4"},
		{"shoes max 100", "", "filter: price <= 100 (max 100)", "4"},
		{"level under 20", "", "relaxed: price < 20 (under 20)", "2"},
	} {
		r := Request{Query: tt.q, Limit: 1}
		if tt.restrict != "" {
			r.Restrict = []string{tt.restrict}
		}
		res := find(t, e, &r)
		if got := told(&res.Query); got != tt.want || idsOf(res) != tt.first {
			t.Errorf("%q within %q: %s; %s is first, want %s; %s", tt.q, tt.restrict, got, idsOf(res), tt.want, tt.first)
		}
	}
}

// Digits that say something about a field stand for no other words.
func TestAmountsHaveNoSynonyms(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "recipes", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "minutes", Type: Int, Filter: true},
	}})
	apply(t, e, puts("recipes", `{"id":"1","title":"Lassi","minutes":5}`, `{"id":"2","title":"Jam that fills five jars","minutes":60}`))
	for q, want := range map[string]string{"5 minutes": "1", "5 jars": "2"} {
		if got := idsOf(find(t, e, &Request{Query: q})); got != want {
			t.Errorf("%q finds %s, want %s", q, got, want)
		}
	}
}
