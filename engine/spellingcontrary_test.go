package engine

import (
	"fmt"
	"slices"
	"testing"
)

// TestContrariesAreNoSlips: a word is not read as one that says the contrary, which is near it in letters.
func TestContrariesAreNoSlips(t *testing.T) {
	for _, tt := range []struct{ language, has, typed string }{
		{"tr", "eşyalı daire", "eşyasız daire"},
		{"tr", "balkonsuz daire", "balkonlu daire"},
		{"en", "furnished flat", "unfurnished flat"},
	} {
		e := newEngine(t, nil)
		create(t, e, "flats", Schema{Language: tt.language, Fields: []Field{{Name: "title", Type: Text, Search: true}}})
		var b Batch
		for i := range 20 {
			b.Put("flats", fmt.Appendf(nil, `{"id":"%d","title":"%s"}`, i, tt.has))
		}
		apply(t, e, &b)
		if got := find(t, e, &Request{Query: tt.typed}); len(got.Query.Corrections) > 0 {
			t.Errorf("%q is read as %v", tt.typed, got.Query.Corrections)
		}
	}
}

// TestDeniedListsOfLanguages: of a list that begins with a word of no field, and goes on with "and", all is denied.
func TestDeniedListsOfLanguages(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "phones", Schema{Language: "ru", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "vendor", Type: Text, Search: true, Facet: true, Filter: true}}})
	apply(t, e, puts("phones", `{"id":"1","title":"смартфон красный","vendor":"Xiaomi"}`, `{"id":"2","title":"смартфон в чехле","vendor":"Apple"}`,
		`{"id":"3","title":"смартфон простой","vendor":"Apple"}`, `{"id":"4","title":"смартфон синий","vendor":"Xiaomi"}`))
	got := find(t, e, &Request{Query: "смартфон без чехла и xiaomi"})
	if !slices.Equal(got.Query.Without, []string{"чехла", "xiaomi"}) || got.Hits[0].ID != "3" {
		t.Errorf("found %s; %+v", idsOf(got), got.Query)
	}
}
