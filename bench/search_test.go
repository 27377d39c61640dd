package bench

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// speedRecords is how many records of a speed corpus the benchmarks index.
const speedRecords = 300_000

// speedIndex indexes the first records of a speed corpus as they come.
func speedIndex(tb testing.TB, name string, records int) *engine.Engine {
	tb.Helper()
	f, err := os.Open(filepath.Join(wanted(tb), name, "corpus.jsonl.gz"))
	if err != nil {
		tb.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	ctx := context.Background()
	e, err := engine.Open(tb.TempDir(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	if _, err := e.CreateIndex(ctx, "c", engine.Schema{PrimaryKey: "_id", Dynamic: true}); err != nil {
		tb.Fatal(err)
	}
	var b engine.Batch
	apply := func() {
		if _, err := e.Apply(ctx, &b); err != nil {
			tb.Fatal(err)
		}
		b.Ops = b.Ops[:0]
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	for n := 0; n < records && lines.Scan(); n++ {
		b.Put("c", append([]byte(nil), lines.Bytes()...))
		if len(b.Ops) == 10_000 {
			apply()
		}
	}
	apply()
	if err := e.Merge(ctx, "c"); err != nil {
		tb.Fatal(err)
	}
	// Now, and not in the background while something is measured.
	if err := e.TrainVectors(ctx, "c"); err != nil {
		tb.Fatal(err)
	}
	return e
}

// speedQueries reads the queries that belong to a corpus, by type.
func speedQueries(tb testing.TB, name string) (types []string, queries map[string][]string) {
	tb.Helper()
	f, err := os.Open(filepath.Join(os.Getenv("QUARRY_COLLECTIONS"), name, "speed-queries.jsonl"))
	if err != nil {
		tb.Skip(err)
	}
	defer f.Close()
	queries = map[string][]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q struct{ Type, Query string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			tb.Fatal(err)
		}
		if queries[q.Type] == nil {
			types = append(types, q.Type)
		}
		queries[q.Type] = append(queries[q.Type], q.Query)
	}
	return types, queries
}

// BenchmarkSearch measures whole searches as the service runs them: 20 hits
// with their records, the exact total, the default ranking.
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			e := speedIndex(b, name, speedRecords)
			types, queries := speedQueries(b, name)
			for _, typ := range types {
				list := queries[typ]
				b.Run(typ, func(b *testing.B) {
					b.ReportAllocs()
					n, hits := 0, 0
					for b.Loop() {
						res, err := e.Search(context.Background(), &engine.Request{Query: list[n%len(list)]})
						if err != nil {
							b.Fatal(err)
						}
						hits += len(res.Hits)
						n++
					}
					b.ReportMetric(float64(hits)/float64(n), "hits/op")
				})
			}
		})
	}
}
