package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkNearest asks for the ten records nearest to a vector of 384 dimensions,
// among all of 50,000 and among a tenth of them, with all vectors in memory.
func BenchmarkNearest(b *testing.B) {
	const records, dims = 50_000, 384
	e, err := Open("", &Options{Memory: 512 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	ctx := context.Background()
	if _, err := e.CreateIndex(ctx, "i", Schema{Fields: []Field{
		{Name: "v", Type: Vector, Dimensions: dims}, {Name: "shelf", Type: Int, Filter: true},
	}}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for from := 0; from < records; from += 5_000 {
		var batch Batch
		for i := from; i < from+5_000; i++ {
			var row strings.Builder
			for j := range dims {
				if j > 0 {
					row.WriteByte(',')
				}
				fmt.Fprintf(&row, "%d", r.IntN(200)-100)
			}
			batch.Put("i", fmt.Appendf(nil, `{"id":"r%d","shelf":%d,"v":[%s]}`, i, i%10, row.String()))
		}
		if _, err := e.Apply(ctx, &batch); err != nil {
			b.Fatal(err)
		}
	}
	query := make([]float32, dims)
	for i := range query {
		query[i] = float32(r.NormFloat64())
	}
	for _, filter := range []string{"", "shelf = 3"} {
		b.Run(fmt.Sprintf("filter=%q", filter), func(b *testing.B) {
			b.ReportAllocs()
			compared := records
			if filter != "" {
				compared /= 10
			}
			req := &Request{Vector: query, Semantic: SemanticRequest{Hybrid: 1, Nearest: 10}, Filter: filter, Limit: 10, NoRecord: true}
			for b.Loop() {
				res, err := e.Search(ctx, req)
				if err != nil || len(res.Hits) != 10 {
					b.Fatal(len(res.Hits), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(compared), "ns/record")
		})
	}
}
