package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
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
// collections that BenchmarkRanking does, by one thread.
func BenchmarkRankingCost(b *testing.B) {
	dirs := append([]string{kitchen}, filepath.SplitList(os.Getenv("QUARRY_JUDGED"))...)
	if os.Getenv("QUARRY_COLLECTIONS") != "" {
		dirs = append(dirs, collections(b)...)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, dir := range dirs {
		name := filepath.Base(dir)
		b.Run(name, func(b *testing.B) {
			c, err := eval.Open(dir, nil)
			if err != nil {
				b.Fatal(err)
			}
			e := inferred(b, c, languageOf(name))
			for b.Loop() {
				took := leastTimes(b, e, c)
				b.ReportMetric(took[0], "bm25-us")
				for i, r := range rankings[1:] {
					b.ReportMetric(took[i+1], r.name+"-us")
					b.ReportMetric(took[i+1]/took[0], r.name+"/bm25")
				}
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// leastTimes returns by ranking the mean, in us, of the least times of the queries.
func leastTimes(tb testing.TB, e *engine.Engine, c *eval.Collection) []float64 {
	took := make([]float64, len(rankings))
	least := make([][]time.Duration, len(rankings))
	for i := range least {
		least[i] = make([]time.Duration, len(c.Queries))
	}
	for pass := range costPasses {
		for i, ranking := range rankings {
			s := asked{e, ranking.r}
			for j, q := range c.Queries {
				start := time.Now()
				if _, err := s.Search(context.Background(), q.Text, 10); err != nil {
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
