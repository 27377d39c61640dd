package engine

import (
	"context"
	"fmt"
	"testing"
)

// A pinned record stands for its value: no other hit does, its group has it in
// front, and all totals count it once.
func TestPinnedRecordsStandForTheirValue(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "brand", Type: Keyword, Filter: true, Facet: true}, {Name: "price", Type: Int, Filter: true, Sort: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","brand":"a","price":1}`, `{"id":"2","brand":"a","price":2}`, `{"id":"3","brand":"b","price":3}`,
		`{"id":"4","brand":"b","price":4}`, `{"id":"5","brand":"c","price":5}`, `{"id":"6","price":6}`,
	))
	req := &Request{
		Sort: []SortKey{{Field: "price"}}, Pin: []Pin{{ID: "4"}}, Group: &GroupRequest{Field: "brand"},
		Filter: `price < 10 AND brand IN ["a","b"]`, Facets: []FacetRequest{{Field: "brand", Disjunctive: true}},
	}
	res := find(t, e, req)
	if got := idsOf(res); got != "4 1" || res.Total != 2 {
		t.Errorf("hits %s of %d, want 4 1 of 2", got, res.Total)
	}
	for i, want := range []string{"4 3", "1 2"} {
		g := res.Hits[i].Group
		if got := idsOf(&Result{Hits: g.Hits}); got != want || g.Total != 2 {
			t.Errorf("group of %v: %s of %d, want %s of 2", g.Value, got, g.Total, want)
		}
	}
	if v := res.Facets["brand"].Values; len(v) != 3 || v[0].Count != 2 || v[1].Count != 2 || v[2].Count != 1 {
		t.Errorf("disjunctive facet: %v", v)
	}
	req.Limit, req.Facets = 1, nil
	var pages string
	for range 5 {
		res := find(t, e, req)
		pages += idsOf(res) + " "
		if req.After = res.Next; res.Next == nil {
			break
		}
	}
	if pages != "4 1 " {
		t.Errorf("page by page: %s", pages)
	}
}

// A group has the same records, in the same order, whether its best one is pinned or found.
func TestGroupOfAPinnedRecord(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Semantic: SemanticOn, Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "brand", Type: Keyword, Filter: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","title":"red shoe","brand":"a"}`, `{"id":"2","title":"red shoe with laces","brand":"a"}`, `{"id":"3","title":"shoe of red","brand":"a"}`,
		`{"id":"4","title":"red hat","brand":"b"}`, `{"id":"5","title":"red shoe and a red hat","brand":"b"}`, `{"id":"6","title":"red","brand":"c"}`,
	))
	if err := e.TrainVectors(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	req := &Request{Query: "red shoe", Match: MatchAny, Group: &GroupRequest{Field: "brand", Limit: 5}}
	plain := find(t, e, req)
	groups := map[string]string{}
	for _, h := range plain.Hits {
		groups[fmt.Sprint(h.Group.Value)] = idsOf(&Result{Hits: h.Group.Hits})
	}
	for _, h := range plain.Hits {
		req.Pin = []Pin{{ID: h.ID}}
		res := find(t, e, req)
		if len(res.Hits) != len(plain.Hits) || !res.Hits[0].Pinned {
			t.Fatalf("pin %s: %s", h.ID, idsOf(res))
		}
		for _, p := range res.Hits {
			if got, want := idsOf(&Result{Hits: p.Group.Hits}), groups[fmt.Sprint(p.Group.Value)]; got != want {
				t.Errorf("pin %s: group %v: %s, want %s", h.ID, p.Group.Value, got, want)
			}
		}
	}
}
