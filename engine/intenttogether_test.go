package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestIntentTogether: where a query says nothing but what fields hold, records that satisfy
// all of it come before those that only have its words often; where a word of it is about
// something else, or it says one thing only, words decide as before.
func TestIntentTogether(t *testing.T) {
	e := newEngine(t, nil)
	schema := boutiqueSchema()
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.Name == "title" {
			f.Weight = 1 // a text like others: a title says more
		}
	}
	create(t, e, "shop", schema)
	var records []string
	add := func(title, brand, color string, price int) {
		records = append(records, fmt.Sprintf(`{"id":"%03d","title":%q,"brand":%q,"color":%q,"price":%d}`, len(records), title, brand, color, price))
	}
	for i := range 240 {
		add(fmt.Sprint("Shoe ", i, " red or not"), []string{"Nike", "Asics", "Puma"}[i%3], []string{"Red", "Blue", "Green", "White", "Grey", "Pink", "Brown", "Black"}[i/3%8], 30)
	}
	for range 60 {
		add("Red laces for Nike", "Osram", "Clear", 10) // 240 and on
	}
	apply(t, e, puts("shop", records...))
	satisfies := func(record string) bool {
		return strings.Contains(record, `"Nike"`) && strings.Contains(record, `"Red"`)
	}
	for _, tt := range []struct {
		q     string
		first bool // all hits up to the fifth are red shoes of Nike
	}{
		{"nike red", true},
		{"red nike", true},
		{"the red nike", true},
		{"red nike laces", false},
		{"nike red zebra shoe", false},
		{`"nike" red`, false},
	} {
		res := find(t, e, &Request{Query: tt.q, Limit: 5, Explain: true})
		got := len(res.Hits) == 5
		for _, h := range res.Hits {
			got = got && satisfies(string(h.Record))
		}
		if got != tt.first {
			t.Errorf("%q: %s come first; red shoes of Nike: %v, want %v", tt.q, idsOf(res), got, tt.first)
		}
		told := 0
		for _, p := range res.Hits[0].Explain.Parts {
			if strings.Contains(p.Term, " AND ") {
				told++
			}
		}
		if want := map[bool]int{true: 1}[tt.first]; told != want {
			t.Errorf("%q: %d parts of the score are for all together, want %d: %+v", tt.q, told, want, res.Hits[0].Explain)
		}
	}
	// A filter is one of the things said, and need not be repeated.
	res := find(t, e, &Request{Query: "nike under $50", Limit: 1, Explain: true})
	terms := ""
	for _, p := range res.Hits[0].Explain.Parts {
		terms += p.Term + "; "
	}
	if !strings.Contains(string(res.Hits[0].Record), `"brand":"Nike"`) {
		t.Errorf("the first hit is %s: %s", res.Hits[0].Record, terms)
	}
	// What no record satisfies together raises none.
	if got := find(t, e, &Request{Query: "osram red", Limit: 3}); !strings.HasPrefix(idsOf(got), "24") {
		t.Errorf("osram red: %s", idsOf(got))
	}
}

// TestIntentNames: a query that says one thing with the title of a record, and others with
// what that record has, is its name, and no raise puts others before it. Records that the
// caller may not see name nothing.
func TestIntentNames(t *testing.T) {
	e := newEngine(t, nil)
	schema := boutiqueSchema()
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.Type == Date {
			*f = Field{Name: "year", Type: Int, Filter: true}
		}
	}
	create(t, e, "shop", schema)
	apply(t, e, puts("shop",
		`{"id":"1","title":"Nike","brand":"Secretbrand","color":"Red","year":2013,"tenant":1}`,
		`{"id":"2","title":"The Osram","brand":"Asics","color":"White","year":2012,"tenant":2}`,
		`{"id":"3","title":"Asics laces","brand":"Osram","color":"Blue","year":2012,"tenant":2}`,
		`{"id":"4","title":"Shoe","brand":"Nike","color":"Red","year":2013,"tenant":2}`,
		`{"id":"6","title":"Shoe","brand":"Nike","color":"Blue","year":2012,"tenant":2}`,
		`{"id":"5","title":"Shoe","brand":"Asics","color":"Blue","year":2012,"tenant":2}`,
	))
	for _, tt := range []struct {
		q, restrict string
		name        bool
	}{
		{"nike red", "", true},
		{"red nike", "", true},
		{"the nike red", "", true},
		{"nike red", "tenant = 2", false},
		{"nike 2013", "", true},
		{"nike 2012", "", false},
		{"nike 2010s", "", false},
		{"nike blue", "", false},
		{"the osram white", "", true},
		{"osram white", "", true},
		{"asics blue", "", false}, // the title has a word more
	} {
		r := Request{Query: tt.q, Explain: true}
		if tt.restrict != "" {
			r.Restrict = []string{tt.restrict}
		}
		res := find(t, e, &r)
		if len(res.Query.Intent) != 2 {
			t.Errorf("%q among %q is understood as %s", tt.q, tt.restrict, told(&res.Query))
		}
		raised := false
		for _, h := range res.Hits {
			for _, p := range h.Explain.Parts {
				raised = raised || strings.Contains(p.Term, " AND ")
			}
		}
		if raised && tt.name {
			t.Errorf("%q among %q names a record, but others are raised", tt.q, tt.restrict)
		}
		if both := find(t, e, &Request{Query: "*", Restrict: append(res.Query.FiltersFromIntent, r.Restrict...)}); raised != (!tt.name && both.Total > 0) {
			t.Errorf("%q among %q: %d records satisfy all, raised: %v", tt.q, tt.restrict, both.Total, raised)
		}
	}
}
