package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// collections returns the directories of QUARRY_COLLECTIONS that are judged.
func collections(tb testing.TB) []string {
	tb.Helper()
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		tb.Skip("QUARRY_COLLECTIONS is not set: no judged collections to measure on")
	}
	list, err := filepath.Glob(filepath.Join(root, "*", "qrels.tsv"))
	if err != nil || len(list) == 0 {
		tb.Skipf("no judged collections in QUARRY_COLLECTIONS: %v", err)
	}
	for i := range list {
		list[i] = filepath.Dir(list[i])
	}
	return list
}

// searcher asks an index as a user of a collection would.
type searcher struct {
	e       *engine.Engine
	ranking engine.Ranking
}

func (s searcher) Search(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
	r := engine.Request{Query: query, Limit: k, Ranking: s.ranking, Prefix: engine.PrefixOff, NoRecord: true}
	res, err := s.e.Search(ctx, &r)
	if err != nil {
		return nil, err
	}
	out := make([]eval.ScoredID, len(res.Hits))
	for i, h := range res.Hits {
		out[i] = eval.ScoredID{ID: h.ID, Score: h.Score}
	}
	return out, nil
}

// fill indexes a collection in memory.
func fill(tb testing.TB, c *eval.Collection, language string) *engine.Engine {
	tb.Helper()
	ctx := context.Background()
	e, err := engine.Open("", &engine.Options{Limits: engine.Limits{QueryBytes: 1 << 16, QueryTerms: 1000}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	schema := engine.Schema{PrimaryKey: "_id", Language: language, Fields: []engine.Field{
		{Name: "title", Type: engine.Text, Search: true, Weight: 3},
		{Name: "text", Type: engine.Text, Search: true},
	}}
	if _, err := e.CreateIndex(ctx, "c", schema); err != nil {
		tb.Fatal(err)
	}
	var b engine.Batch
	apply := func() {
		if _, err := e.Apply(ctx, &b); err != nil {
			tb.Fatal(err)
		}
		b.Ops = b.Ops[:0]
	}
	for d, err := range c.Documents() {
		if err != nil {
			tb.Fatal(err)
		}
		b.Put("c", append([]byte(nil), d.Record...))
		if len(b.Ops) == 5000 {
			apply()
		}
	}
	apply()
	if err := e.TrainVectors(ctx, "c"); err != nil {
		tb.Fatal(err)
	}
	return e
}

// languageOf guesses the language of a collection by its name.
func languageOf(name string) string {
	switch name {
	case "jaquad-dev", "xquad-zh":
		return "none"
	default:
		if language, ok := strings.CutPrefix(name, "xquad-"); ok {
			return language
		}
	}
	return "en"
}

// BenchmarkRanking measures a query of each judged collection under both
// rankings, with nDCG@10 beside the time.
func BenchmarkRanking(b *testing.B) {
	for _, dir := range collections(b) {
		name := filepath.Base(dir)
		c, err := eval.Open(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		e := fill(b, c, languageOf(name))
		for ranking, label := range []string{"default", "bm25"} {
			b.Run(fmt.Sprintf("%s/%s", name, label), func(b *testing.B) {
				s := searcher{e, engine.Ranking(ranking)}
				report, err := eval.Evaluate(context.Background(), c, s, nil)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for b.Loop() {
					q := c.Queries[n%len(c.Queries)]
					if _, err := s.Search(context.Background(), q.Text, 10); err != nil {
						b.Fatal(err)
					}
					n++
				}
				b.ReportMetric(report.Means["nDCG@10"], "nDCG@10")
			})
		}
	}
}
