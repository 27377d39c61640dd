package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// asked is a query and what comes of it: what was understood, with the use of each part, the order of hits if
// the query says one, and the first hits of so many.
type asked struct {
	q, understood, hits string
	total               int64
}

// ask checks queries of an index.
func ask(t *testing.T, e *Engine, index string, queries []asked) {
	t.Helper()
	for _, a := range queries {
		res := find(t, e, &Request{Indexes: []string{index}, Query: a.q})
		var parts []string
		for _, p := range res.Query.Intent {
			parts = append(parts, fmt.Sprintf("%v: %s", p.Use, p.Filter))
		}
		for _, k := range res.Query.SortFromIntent {
			parts = append(parts, fmt.Sprintf("by %s %v", k.Field, k.Desc))
		}
		got := strings.Join(parts, "; ")
		hits := strings.Fields(a.hits)
		if got != a.understood || res.Total != a.total || !slices.Equal(firstIDs(res, len(hits)), hits) {
			t.Errorf("%s: %q:\n got %s; %d: %v\nwant %s; %d: %v", index, a.q, got, res.Total, firstIDs(res, 3), a.understood, a.total, hits)
		}
	}
}

// firstIDs returns the ids of the first hits.
func firstIDs(res *Result, n int) []string {
	out := []string{}
	for _, h := range res.Hits[:min(n, len(res.Hits))] {
		out = append(out, h.ID)
	}
	return out
}

// TestNounsForRecords: records are called what records with such fields are, without ever saying so.
func TestNounsForRecords(t *testing.T) {
	e := newEngine(t, nil)
	field := func(name string, typ Type) Field {
		return Field{Name: name, Type: typ, Filter: typ != Text, Facet: typ != Text, Sort: typ != Text, Search: typ == Text}
	}
	create(t, e, "openings", Schema{Language: "en", Fields: []Field{
		field("title", Text), field("city", Keyword), field("salary", Int), field("experience_years", Int), field("is_remote", Bool), field("posted_at", Date), field("closing_date", Date),
	}})
	var records []string
	for i := range 20 {
		records = append(records, fmt.Sprintf(`{"id":"%02d","title":%q,"city":%q,"salary":%d,"experience_years":%d,"is_remote":%v,"posted_at":"2026-%02d-10","closing_date":"2026-12-%02d"}`,
			i, []string{"Nurse", "Chef"}[i%2], []string{"London", "Leeds"}[i/10], 40000+2000*i, i%4, i%5 == 0, 1+i%6, 1+i))
	}
	apply(t, e, puts("openings", records...))
	ask(t, e, "openings", []asked{
		{"jobs", "", "00 01", 20},
		{"all vacancies", "", "00", 20},
		{"unicorn jobs", "", "", 0},
		{"jobs over 70000", "filter: salary > 70000", "16", 4},
		{"highest paid jobs", "filter: EXISTS salary; by salary true", "19 18", 20},
		{"positions not in london", `filter: NOT city = "London"`, "10", 10},
		{"nurse not located in london", `boost: NOT city = "London"`, "10", 10},
		{"jobs without experience", "filter: NOT experience_years > 0", "00 04", 5},
		{"remote nurse", "boost: is_remote = true", "00 10", 10},
		{"newest nurse", "filter: EXISTS posted_at; by posted_at true", "04", 10},
		{"jobs closing before 5 december", "filter: closing_date < 2026-12-05", "00", 4},
		{"posted in march", "filter: posted_at >= 2026-03-01 AND posted_at < 2026-04-01", "02", 3},
	})
	// Where records say it, it is a word like others.
	apply(t, e, puts("openings", `{"id":"x","title":"Teacher of vacancies","city":"York","salary":10000,"experience_years":0,"is_remote":false,"posted_at":"2026-01-10","closing_date":"2026-12-30"}`))
	ask(t, e, "openings", []asked{{"vacancies", "", "x", 1}})
}

// TestDeniedOfItsKind: in an index of dresses, of which dress is a category, a dress that is not black is none.
func TestDeniedOfItsKind(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "dresses", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "category", Type: Keyword, Facet: true, Filter: true}, {Name: "color", Type: Keyword, Facet: true, Filter: true},
	}})
	apply(t, e, puts("dresses", `{"id":"1","title":"Dress Luna","category":"Dresses","color":"black"}`, `{"id":"2","title":"Dress Sol","category":"Dresses","color":"red"}`,
		`{"id":"3","title":"Dress Mar","category":"Dresses","color":"black"}`))
	ask(t, e, "dresses", []asked{{"dress not black", `boost: category = "Dresses"; boost: NOT color = "black"`, "2", 3}})
}

// TestAllThatIsDenied: who wants no tomato wants none in any form that values have it in.
func TestAllThatIsDenied(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "recipes", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "ingredients", Type: Keyword, Facet: true, Filter: true},
	}})
	apply(t, e, puts("recipes", `{"id":"1","title":"Tomato soup","ingredients":["tomatoes","onion"]}`, `{"id":"2","title":"Red soup","ingredients":["tomato paste","beet"]}`,
		`{"id":"3","title":"Pea soup","ingredients":["peas"]}`, `{"id":"4","title":"Other soup","ingredients":["tomato","leek"]}`))
	ask(t, e, "recipes", []asked{{"soup without tomato", `boost: NOT ingredients IN ["tomato", "tomato paste", "tomatoes"]`, "3", 4}})
}

// TestSuperlativeOfAll: a word that all records hold is no reason to look for it in titles, and a filter that no
// record of what is asked for satisfies is none.
func TestSuperlativeOfAll(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "hikes", Schema{Language: "en", Fields: []Field{
		{Name: "name", Type: Text, Search: true}, {Name: "text", Type: Text, Search: true}, {Name: "distance_km", Type: Float, Filter: true, Sort: true},
		{Name: "elevation_gain", Type: Int, Filter: true, Sort: true}, {Name: "kind", Type: Keyword, Facet: true, Filter: true},
	}})
	var records []string
	for i := range 12 {
		records = append(records, fmt.Sprintf(`{"id":"%02d","name":%q,"text":"A trail for all.","distance_km":%d,"elevation_gain":%d,"kind":%q}`,
			i, []string{"Mist Trail", "Half Dome"}[i%2], 3+i, 100+50*i, []string{"Loop", "Summit"}[i%2]))
	}
	apply(t, e, puts("hikes", records...))
	ask(t, e, "hikes", []asked{
		{"longest trail", "filter: EXISTS distance_km; by distance_km true", "11 10", 12},
		{"over 500m elevation", "filter: elevation_gain > 500", "09", 3},
		{"elevation gain under 200 m", "filter: elevation_gain < 200", "00 01", 2},
		{"summit under 4 km", `boost: kind = "Summit"; relaxed: distance_km < 4`, "01", 6},
	})
}

// TestRangesOfPrices: signs that are no words are values that a query can name.
func TestRangesOfPrices(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "restaurants", Schema{Language: "en", Fields: []Field{
		{Name: "name", Type: Text, Search: true}, {Name: "price_range", Type: Keyword, Facet: true, Filter: true}, {Name: "weight_g", Type: Int, Filter: true},
	}})
	apply(t, e, puts("restaurants", `{"id":"1","name":"Trattoria 5G","price_range":"$$","weight_g":170}`, `{"id":"2","name":"Trattoria Roma","price_range":"$$$","weight_g":200}`,
		`{"id":"3","name":"Pho","price_range":"$$","weight_g":220}`))
	ask(t, e, "restaurants", []asked{
		{"$$$", `filter: price_range = "$$$"`, "2", 1},
		{"$$ trattoria", `filter: price_range = "$$"`, "1", 1},
		{"5g trattoria", "", "1", 2}, // nothing weighs 5 g
	})
}

// TestAdjectives: languages that records have as codes, and countries, are called by adjectives.
func TestAdjectives(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "podcasts", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "language", Type: Keyword, Facet: true, Filter: true}, {Name: "country", Type: Keyword, Facet: true, Filter: true},
	}})
	apply(t, e, puts("podcasts", `{"id":"1","title":"History hour","language":"de-AT","country":"Switzerland"}`, `{"id":"2","title":"History today","language":"fr","country":"CH"}`,
		`{"id":"3","title":"History of wine","language":"it","country":"Italy"}`, `{"id":"4","title":"History","language":"en","country":"GB"}`))
	ask(t, e, "podcasts", []asked{
		{"german history", `boost: language = "de-AT"`, "1", 4},
		{"history in french", `boost: language = "fr"`, "2", 4},
		{"british history", `boost: country = "GB"`, "4", 4},
		{"history from holland", ``, "", 4},
		{"not english", `filter: NOT (country = "GB" OR language = "en")`, "1 2 3", 3},
	})
	create(t, e, "buecher", Schema{Language: "de", Fields: []Field{{Name: "titel", Type: Text, Search: true}, {Name: "sprache", Type: Keyword, Facet: true, Filter: true}}})
	apply(t, e, puts("buecher", `{"id":"1","titel":"Krimi","sprache":"en"}`, `{"id":"2","titel":"Krimi","sprache":"fr"}`))
	ask(t, e, "buecher", []asked{{"französischer Krimi", `boost: sprache = "fr"`, "2", 2}, {"Krimi auf Englisch", `boost: sprache = "en"`, "1", 2}})
}

// TestMembers: what belongs to a class is not wanted where the class is not.
func TestMembers(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "recipes", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "ingredients", Type: Keyword, Facet: true, Filter: true},
	}})
	apply(t, e, puts("recipes", `{"id":"1","title":"Cake A","ingredients":["almonds","flour"]}`, `{"id":"2","title":"Cake B","ingredients":["ground hazelnuts","sugar"]}`,
		`{"id":"3","title":"Cake C","ingredients":["flour","coconut"]}`, `{"id":"4","title":"Cake D","ingredients":["milk"]}`))
	ask(t, e, "recipes", []asked{
		{"cake without nuts", `boost: NOT ingredients IN ["almonds", "ground hazelnuts"]`, "3 4", 4},
		{"recipes without dairy", `filter: NOT ingredients = "milk"`, "1 2 3", 3},
		{"cake with nuts", "", "", 4},
	})
}
