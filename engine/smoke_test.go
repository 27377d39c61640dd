package engine

import (
	"context"
	"fmt"
	"testing"
)

func TestSmoke(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	e, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	b.Put("products", []byte(`{"id":"1","title":"Red running shoes","price":39.9,"brand":"Nike"}`))
	b.Put("products", []byte(`{"id":"2","title":"Blue running shirt","price":19,"brand":"Asics"}`))
	b.Put("products", []byte(`{"id":"3","title":"Red hat","price":9,"brand":"Nike"}`))
	res, err := e.Apply(ctx, &b)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%+v\n", res)
	show := func(r *Request) {
		out, err := e.Search(ctx, r)
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		fmt.Printf("q=%q f=%q total=%d", r.Query, r.Filter, out.Total)
		for _, h := range out.Hits {
			fmt.Printf(" [%s %.4f %s]", h.ID, h.Score, h.Record)
			for _, l := range h.Highlight {
				fmt.Printf(" %v", l)
			}
			if h.Explain != nil {
				sum := 0.0
				for _, p := range h.Explain.Parts {
					sum += p.Score
				}
				if sum != h.Score || h.Explain.Score != h.Score {
					t.Errorf("parts add up to %v, score %v", sum, h.Score)
				}
			}
		}
		fmt.Printf(" facets %+v\n", out.Facets)
	}
	for range 2 {
		show(&Request{Query: "running shoe", Explain: true, Highlight: &HighlightRequest{}})
		show(&Request{Query: "red", Filter: `brand = "Nike" AND price < 20`, Facets: []FacetRequest{{Field: "brand"}, {Field: "price"}}})
		show(&Request{Query: `"red running"`})
		show(&Request{})
		show(&Request{Sort: []SortKey{{Field: "price"}}})
		show(&Request{Query: `title:red AND NOT brand:Nike`, Syntax: SyntaxQuery})
		show(&Request{Query: `runn*`})
		show(&Request{Query: `sho`})
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if e, err = Open(dir, nil); err != nil {
			t.Fatal(err)
		}
		var b Batch
		b.Put("products", []byte(`{"id":"3","title":"Green hat","price":9,"brand":"Nike"}`))
		b.Delete("products", "2")
		b.Patch("products", "1", []byte(`{"price":5}`))
		if _, err := e.Apply(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	e.Close()
}
