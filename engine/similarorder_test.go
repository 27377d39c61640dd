package engine

import "testing"

// Of a word that a record has in several forms, the one in the field that comes first
// in the schema is looked for, whenever the request is made.
func TestSimilarIsTheSameEachTime(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", Schema{Language: "en", Fields: []Field{
		{Name: "x", Type: Text, Search: true}, {Name: "y", Type: Text, Search: true}, {Name: "z", Type: Text, Search: true},
	}})
	apply(t, e, puts("a",
		`{"id":"1","y":"running","x":"runs","z":"run"}`, `{"id":"2","x":"runs"}`, `{"id":"3","x":"running"}`, `{"id":"4","x":"run"}`))
	for range 50 {
		res := find(t, e, &Request{Similar: &Similar{Index: "a", ID: "1"}})
		if got := idsOf(res); got != "2 3 4" {
			t.Fatalf("hits %s, want those of \"runs\": 2 3 4", got)
		}
	}
}
