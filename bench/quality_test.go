package bench

import (
	"context"
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
	root := wanted(tb)
	list, err := filepath.Glob(filepath.Join(root, "*", "qrels.tsv"))
	if err != nil || len(list) == 0 {
		tb.Skipf("no judged collections in QUARRY_COLLECTIONS: %v", err)
	}
	for i := range list {
		list[i] = filepath.Dir(list[i])
	}
	return list
}

// languageOf is the language of a collection by its name, which is what is inferred from its texts, too.
func languageOf(name string) string {
	if name == "jaquad-dev" {
		return "ja"
	}
	if language, ok := strings.CutPrefix(name, "xquad-"); ok {
		return language
	}
	return "en"
}

// rankings are what is measured side by side.
var rankings = []struct {
	name string
	r    engine.Request
}{
	{"bm25", engine.Request{Ranking: engine.RankingBM25}},
	{"default", engine.Request{}},
	{"words", engine.Request{Semantic: engine.SemanticRequest{Off: true}}}, // the default without meaning
}

// BenchmarkRanking measures a query for the first page, with nDCG@10 beside
// the time, on the collection of the project, on those in QUARRY_COLLECTIONS
// and on those that QUARRY_JUDGED lists: directories in the layout of BEIR or
// of TREC, separated as in PATH.
func BenchmarkRanking(b *testing.B) {
	dirs := append([]string{kitchen}, filepath.SplitList(os.Getenv("QUARRY_JUDGED"))...)
	if os.Getenv("QUARRY_COLLECTIONS") != "" {
		dirs = append(dirs, collections(b)...)
	}
	for _, dir := range dirs {
		name := filepath.Base(dir)
		b.Run(name, func(b *testing.B) {
			c, err := eval.Open(dir, nil)
			if err != nil {
				b.Fatal(err)
			}
			e := inferred(b, c, languageOf(name))
			for _, ranking := range rankings {
				b.Run(ranking.name, func(b *testing.B) {
					b.ReportAllocs()
					quality := ndcg(b, c, e, ranking.r).Means["nDCG@10"]
					s := asked{e, ranking.r}
					n := 0
					for b.Loop() {
						if _, err := s.Search(context.Background(), c.Queries[n%len(c.Queries)].Text, 10); err != nil {
							b.Fatal(err)
						}
						n++
					}
					b.ReportMetric(quality, "nDCG@10")
				})
			}
		})
	}
}

// TestKitchenQuality prints nDCG@10 on the collection of the project by the
// kind of its queries. The default ranking has to be better than plain BM25 at
// what it is for, and may lose little on plain keywords.
func TestKitchenQuality(t *testing.T) {
	c, err := eval.Open(kitchen, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := inferred(t, c, "en")
	var kinds []string
	values := map[string][][]float64{} // by kind, for each ranking
	for i, ranking := range rankings {
		for _, q := range ndcg(t, c, e, ranking.r).Queries {
			kind, _, _ := strings.Cut(q.ID, "-")
			if values[kind] == nil {
				kinds, values[kind] = append(kinds, kind), make([][]float64, len(rankings))
			}
			values[kind][i] = append(values[kind][i], q.Values["nDCG@10"])
		}
	}
	mean := func(list []float64) float64 {
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		return sum / float64(len(list))
	}
	for _, kind := range kinds {
		v := values[kind]
		bm25, byDefault, words := mean(v[0]), mean(v[1]), mean(v[2])
		t.Logf("%-9s %2d queries: bm25 %.4f, default %.4f, words %.4f", kind, len(v[0]), bm25, byDefault, words)
		if kind == "plain" {
			bm25 *= 0.97
		}
		if byDefault < bm25 {
			t.Errorf("%s queries: the default ranking is below plain BM25", kind)
		}
	}
}
