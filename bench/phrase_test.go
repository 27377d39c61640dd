package bench

import (
	"context"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// BenchmarkPhrase measures queries with phrases as bench/peers asks them: ten
// hits without their records, the number of matches, or both; phrases alone,
// beside a required or an optional word, and excluded.
func BenchmarkPhrase(b *testing.B) {
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			e := speedIndex(b, name, speedRecords)
			_, queries := speedQueries(b, name)
			first := func(q string) string { return strings.Fields(strings.Trim(q, `"`))[0] }
			for _, shape := range []struct {
				name, typ string
				of        func(q, next string) string
			}{
				{"two", "phrase2", func(q, _ string) string { return q }},
				{"three", "phrase3", func(q, _ string) string { return q }},
				{"must", "phrase2", func(q, next string) string { return "+" + q + " +" + first(next) }},
				{"or", "phrase2", func(q, next string) string { return q + " " + first(next) }},
				{"not", "phrase2", func(q, next string) string { return "+" + first(q) + " -" + q }},
			} {
				var list []string
				for i, q := range queries[shape.typ] {
					list = append(list, shape.of(q, queries[shape.typ][(i+1)%len(queries[shape.typ])]))
				}
				for _, mode := range []struct {
					name string
					r    engine.Request
				}{
					{"top10", engine.Request{Limit: 10, NoTotal: true}},
					{"top10,total", engine.Request{Limit: 10}},
					{"count", engine.Request{Limit: -1}},
				} {
					b.Run(shape.name+"/"+mode.name, func(b *testing.B) {
						b.ReportAllocs()
						r := mode.r
						r.Ranking, r.Prefix, r.Match, r.NoRecord = engine.RankingBM25, engine.PrefixOff, engine.MatchAny, true
						for n := 0; b.Loop(); n++ {
							r.Query = list[n%len(list)]
							if _, err := e.Search(context.Background(), &r); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		})
	}
}
