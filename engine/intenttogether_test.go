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
