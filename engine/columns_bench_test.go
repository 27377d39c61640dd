package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// columnCorpus is an index of n synthetic products, merged into one segment.
func columnCorpus(b *testing.B, n int) *Engine {
	b.Helper()
	e, err := Open("", &Options{FlushRecords: 1 << 30, FlushBytes: 1 << 40, Memory: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	ctx := context.Background()
	field := func(name string, t Type) Field {
		return Field{Name: name, Type: t, Filter: true, Facet: t != Geo, Sort: true}
	}
	if _, err := e.CreateIndex(ctx, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, field("brand", Keyword), field("category", Keyword), field("tags", Keyword),
		field("price", Float), field("stock", Int), field("sold", Int), field("new", Bool), field("since", Date), field("at", Geo),
	}}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < n; from += 10_000 {
		var batch Batch
		for i := from; i < min(n, from+10_000); i++ {
			batch.Put("i", fmt.Appendf(nil, `{"id":"p%07d","title":"%s %s","brand":"brand %d","category":"c%d","tags":["t%d","t%d"],"price":%d.%02d,"stock":%d,"sold":%d,"new":%v,"since":%d,"at":{"lat":%f,"lon":%f}}`,
				i, colBody[r.IntN(len(colBody))], colBody[r.IntN(len(colBody))], min(r.IntN(200), r.IntN(200)), r.IntN(12), r.IntN(40), r.IntN(40),
				r.IntN(500), r.IntN(100), r.IntN(100), r.IntN(1_000_000_000), r.IntN(3) == 0, 1_500_000_000+r.IntN(100_000_000), 47+r.Float64()*8, 6+r.Float64()*9))
		}
		if _, err := e.Apply(ctx, &batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Flush(ctx); err != nil {
		b.Fatal(err)
	}
	if err := e.Merge(ctx, "i"); err != nil {
		b.Fatal(err)
	}
	return e
}

// BenchmarkColumns searches 300,000 records by their columns. The names of the
// requests say what they filter by, and how many matches that leaves.
func BenchmarkColumns(b *testing.B) {
	e := columnCorpus(b, 300_000)
	facets := []FacetRequest{{Field: "brand"}, {Field: "category"}, {Field: "tags"}}
	price := []SortKey{{Field: "price"}}
	berlin := &Point{52.52, 13.405}
	for _, c := range []struct {
		name string
		req  Request
	}{
		{"facet and range, 3 facets, sort", Request{Filter: `category = "c3" AND price 50..250`, Facets: facets, Sort: price}},
		{"wide range, 3 facets, sort", Request{Filter: `price > 50 AND stock >= 10`, Facets: facets, Sort: []SortKey{{Field: "sold", Desc: true}}}},
		{"text, facet and range, 3 facets", Request{Query: "red", Filter: `category = "c3" AND price 50..250`, Facets: facets}},
		{"all, 3 facets", Request{Facets: facets}},
		{"all, sort", Request{Sort: []SortKey{{Field: "sold"}}}},
		{"all, sort by keyword", Request{Sort: []SortKey{{Field: "brand"}, {Field: "sold", Desc: true}}}},
		{"all", Request{}},
		{"facet of numbers", Request{Filter: `category = "c3"`, Facets: []FacetRequest{{Field: "stock"}, {Field: "price"}}}},
		{"disjunctive", Request{Filter: `category = "c3" AND brand = "brand 7" AND price < 250`, Facets: []FacetRequest{{Field: "brand", Disjunctive: true}, {Field: "category", Disjunctive: true}, {Field: "tags"}}}},
		{"near", Request{Filter: `geo(at, 52.52, 13.405, 20km)`, Sort: []SortKey{{Field: "at", From: berlin}}}},
		{"by distance", Request{Sort: []SortKey{{Field: "at", From: berlin}}}},
		{"distinct", Request{Distinct: "brand", Sort: price}},
		{"distinct by score", Request{Query: "red", Distinct: "brand"}},
		{"group", Request{Query: "red", Group: &GroupRequest{Field: "brand"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var total int64
			for b.Loop() {
				res, err := e.Search(context.Background(), &c.req)
				if err != nil {
					b.Fatal(err)
				}
				total = res.Total
			}
			b.ReportMetric(float64(total), "matches")
		})
	}
}
