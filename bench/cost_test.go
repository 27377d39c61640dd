package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// costPasses is how often BenchmarkRankingCost asks each query by each ranking.
const costPasses = 10

// BenchmarkRankingCost measures what the default ranking takes over plain BM25: for the first
// page of each query the least time of some passes, in which the rankings take turns, and
// the mean of the queries. Ratios hold from machine to machine, times do not. It asks the
// collections that BenchmarkRanking does, and all texts of those that are for time alone,
// whose queries it asks without signs, but for beginnings of words and misspelt ones; by one
// thread.
func BenchmarkRankingCost(b *testing.B) {
	dirs := append([]string{kitchen}, filepath.SplitList(os.Getenv("QUARRY_JUDGED"))...)
	if os.Getenv("QUARRY_COLLECTIONS") != "" {
		dirs = append(dirs, collections(b)...)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	report := func(b *testing.B, e *engine.Engine, queries []string) {
		for b.Loop() {
			took := leastTimes(b, e, queries)
			b.ReportMetric(took[0], "bm25-us")
			for i, r := range rankings[1:] {
				b.ReportMetric(took[i+1], r.name+"-us")
				b.ReportMetric(took[i+1]/took[0], r.name+"/bm25")
			}
			b.ReportMetric(0, "ns/op")
		}
	}
	for _, dir := range dirs {
		name := filepath.Base(dir)
		b.Run(name, func(b *testing.B) {
			c, err := eval.Open(dir, nil)
			if err != nil {
				b.Fatal(err)
			}
			var queries []string
			for _, q := range c.Queries {
				queries = append(queries, q.Text)
			}
			report(b, inferred(b, c, languageOf(name)), queries)
		})
	}
	signs := strings.NewReplacer("+", "", `"`, "")
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			e, _ := openNew(b, oneText)
			defer e.Close()
			put(b, e, plainRecords(b, name), 10_000, 2)
			if err := e.Merge(context.Background(), "c"); err != nil {
				b.Fatal(err)
			}
			if err := e.TrainVectors(context.Background(), "c"); err != nil {
				b.Fatal(err)
			}
			var queries []string
			_, byType := speedQueries(b, name)
			for _, list := range byType {
				for _, q := range list {
					if !strings.ContainsAny(q, "*~") {
						queries = append(queries, signs.Replace(q))
					}
				}
			}
			report(b, e, queries)
		})
	}
}

// oneText is a schema on which both rankings weigh the same field.
var oneText = engine.Schema{Language: "en", Fields: []engine.Field{{Name: "text", Type: engine.Text, Search: true}}}

// leastTimes returns by ranking the mean, in us, of the least times of the queries.
func leastTimes(tb testing.TB, e *engine.Engine, queries []string) []float64 {
	took := make([]float64, len(rankings))
	least := make([][]time.Duration, len(rankings))
	for i := range least {
		least[i] = make([]time.Duration, len(queries))
	}
	for pass := range costPasses {
		for i, ranking := range rankings {
			s := asked{e, ranking.r}
			for j, q := range queries {
				start := time.Now()
				if _, err := s.Search(context.Background(), q, 10); err != nil {
					tb.Fatal(err)
				}
				if d := time.Since(start); pass == 0 || d < least[i][j] {
					least[i][j] = d
				}
			}
		}
	}
	for i := range least {
		took[i] = mean(least[i])
	}
	return took
}
