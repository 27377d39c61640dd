package bench

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// BenchmarkTypo measures queries of one misspelt word over all of
// speed-packages, 1.1 million records with 600,000 words, as the service runs
// them, and reports percentiles. The first query is measured apart: it finds
// the words of the index in memory, or has to read them.
func BenchmarkTypo(b *testing.B) {
	e := speedIndex(b, "speed-packages", 1<<30)
	_, queries := speedQueries(b, "speed-packages")
	var words []string
	for _, q := range queries["fuzzy1"] {
		words = append(words, strings.TrimSuffix(q, "~1"))
	}
	if len(words) == 0 {
		b.Skip("there are no misspelt queries")
	}
	ask := func(q string) time.Duration {
		start := time.Now()
		if _, err := e.Search(context.Background(), &engine.Request{Query: q, Prefix: engine.PrefixOff}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	first := ask(words[0])
	var times []time.Duration
	n := 0
	for b.Loop() {
		times = append(times, ask(words[n%len(words)]))
		n++
	}
	slices.Sort(times)
	micros := func(d time.Duration) float64 { return float64(d.Microseconds()) }
	b.ReportMetric(micros(first), "first-µs")
	b.ReportMetric(micros(times[len(times)/2]), "p50-µs")
	b.ReportMetric(micros(times[len(times)*99/100]), "p99-µs")
}
