package engine

import (
	"fmt"
	"testing"
)

// TestIntentWithinRights: what a query says of numbers and dates is understood for whoever may see only
// some records as if there were no others.
func TestIntentWithinRights(t *testing.T) {
	schema := Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "make", Type: Keyword, Facet: true},
		{Name: "price", Type: Int, Filter: true, Facet: true}, {Name: "held", Type: Date, Filter: true}, {Name: "year", Type: Int, Filter: true}, {Name: "ours", Type: Bool, Filter: true}}}
	e := newEngine(t, nil)
	create(t, e, "all", schema)
	create(t, e, "seen", schema)
	add := func(id int, record string, ours bool) {
		record = fmt.Sprintf(`{"id":"%d","ours":%v,%s}`, id, ours, record)
		apply(t, e, puts("all", record))
		if ours {
			apply(t, e, puts("seen", record))
		}
	}
	for i := range 12 {
		add(i, fmt.Sprintf(`"title":"Car %d","make":%q,"price":%d,"held":"2025-%02d-05","year":%d`, i, []string{"BMW", "Audi"}[i%2], 3000+4000*i, 5+i%3, 2001+i), true)
		add(100+i, fmt.Sprintf(`"title":"Yacht %d","make":"Other","price":%d,"held":"1931-%02d-05","year":%d`, i, 3_000_000*i, 1+i, 1900+i), false)
	}
	e.Flush(t.Context())
	var b Batch
	b.Delete("all", "3")
	b.Delete("seen", "3")
	apply(t, e, &b)
	for _, q := range []string{"bmw under 10k", "bmw in june", "audi 15k to 25k", "car under 20000", "car before 2005", "bmw 2003", "cars from 2003 to 2006", "audi 2004 to 2008", "car over 9", "bmw in january",
		"car between 9000 and 19000", "cheapest bmw", "car 1905"} {
		want := find(t, e, &Request{Indexes: []string{"seen"}, Query: q, Limit: 50})
		for range 2 { // also from what is remembered
			got := find(t, e, &Request{Indexes: []string{"all"}, Query: q, Limit: 50, Restrict: []string{"ours = true"}})
			if fmt.Sprint(got.Query.Intent, got.Total) != fmt.Sprint(want.Query.Intent, want.Total) {
				t.Errorf("%q: restricted %v, %d; where there are no others %v, %d", q, got.Query.Intent, got.Total, want.Query.Intent, want.Total)
			}
		}
		all := find(t, e, &Request{Indexes: []string{"seen"}, Query: q, Limit: 50, Restrict: []string{`id != "x"`}})
		if fmt.Sprint(all.Query.Intent, all.Total) != fmt.Sprint(want.Query.Intent, want.Total) {
			t.Errorf("%q: to whom all is shown %v, %d, unrestricted %v, %d", q, all.Query.Intent, all.Total, want.Query.Intent, want.Total)
		}
		none := find(t, e, &Request{Indexes: []string{"all"}, Query: q, Limit: 50, Restrict: []string{`id = "x"`}})
		if len(none.Hits) > 0 {
			t.Errorf("%q: %v", q, idsOf(none))
		}
	}
}
