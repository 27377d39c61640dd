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
		e := inferred(b, c, languageOf(name))
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
