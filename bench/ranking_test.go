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

// asked asks an index with a request that lacks only the text.
type asked struct {
	e *engine.Engine
	r engine.Request
}

// Search implements eval.Searcher.
func (s asked) Search(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
	r := s.r
	r.Query, r.Limit, r.Prefix, r.NoRecord, r.NoTotal = query, k, engine.PrefixOff, true, true
	if r.Ranking == engine.RankingBM25 { // over the words alone, without signs
		r.Match = engine.MatchAny
		r.Query = strings.NewReplacer(`"`, " ", "+", " ", "-", " ", "*", " ", "|", " ").Replace(query)
	}
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

// inferred indexes a collection in memory with the schema that somebody gets
// who imports it.
func inferred(tb testing.TB, c *eval.Collection, language string) *engine.Engine {
	tb.Helper()
	return inferredWith(tb, c, language, func(*engine.Schema) {})
}

// inferredWith is inferred with a change of the schema; without a language, in that which the
// records tell.
func inferredWith(tb testing.TB, c *eval.Collection, language string, change func(*engine.Schema)) *engine.Engine {
	tb.Helper()
	ctx := context.Background()
	e, err := engine.Open("", &engine.Options{Limits: engine.Limits{QueryBytes: 1 << 16, QueryTerms: 4096, IndexFields: 20_000}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	var b engine.Batch
	made := false
	apply := func() {
		if !made {
			made = true
			var sample [][]byte
			for _, op := range b.Ops[:min(1000, len(b.Ops))] {
				sample = append(sample, op.Record)
			}
			schema, err := engine.Infer(sample, "_id")
			if err != nil {
				tb.Fatal(err)
			}
			if language != "" {
				schema.Language = language
			}
			change(&schema)
			if _, err := e.CreateIndex(ctx, "c", schema); err != nil {
				tb.Fatal(err)
			}
		}
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
	if err := e.Merge(ctx, "c"); err != nil {
		tb.Fatal(err)
	}
	if err := e.TrainVectors(ctx, "c"); err != nil {
		tb.Fatal(err)
	}
	return e
}

// ndcg evaluates a request on the first page of hits, ten, as people see it.
func ndcg(tb testing.TB, c *eval.Collection, e *engine.Engine, r engine.Request) *eval.Report {
	tb.Helper()
	return firstPages(tb, c, asked{e, r})
}

// firstPages evaluates a searcher on the first page of hits.
func firstPages(tb testing.TB, c *eval.Collection, s eval.Searcher) *eval.Report {
	tb.Helper()
	m, err := eval.ParseMeasure("nDCG@10")
	if err != nil {
		tb.Fatal(err)
	}
	run := eval.Run{}
	for _, q := range c.Queries {
		if c.Judgments.Relevant(q.ID) > 0 {
			if run[q.ID], err = s.Search(context.Background(), q.Text, 10); err != nil {
				tb.Fatal(err)
			}
		}
	}
	report, err := eval.EvaluateRun(c, run, &eval.EvaluateOptions{Depth: 10, Measures: []eval.Measure{m}})
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// gain is how much better a report is than another, in per cent, with the
// paired t statistic.
func gain(r, base *eval.Report) (percent, t float64) {
	var after, before []float64
	for i := range r.Queries {
		after, before = append(after, r.Queries[i].Values["nDCG@10"]), append(before, base.Queries[i].Values["nDCG@10"])
	}
	t, _ = eval.PairedT(after, before)
	return 100 * (r.Means["nDCG@10"]/base.Means["nDCG@10"] - 1), t
}

// TestRankingQuality prints nDCG@10 of the default ranking beside plain BM25
// for each judged collection, with misspelt queries where there are some. On
// none may it be more than 1 % below.
func TestRankingQuality(t *testing.T) {
	dirs := collections(t)
	fmt.Println("| collection | queries | BM25 | default | change | t |\n|---|--:|--:|--:|--:|--:|")
	for _, dir := range dirs {
		name := filepath.Base(dir)
		var e *engine.Engine
		for _, file := range [...]string{"queries.jsonl", "queries-typo.jsonl"} {
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
				continue
			}
			c, err := eval.Open(dir, &eval.OpenOptions{Queries: file})
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				e = inferred(t, c, languageOf(name))
			}
			base := ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25})
			now := ndcg(t, c, e, engine.Request{})
			percent, paired := gain(now, base)
			if percent < -1 {
				t.Errorf("%s, %s: the default ranking is %.2f %% below plain BM25", name, file, -percent)
			}
			fmt.Printf("| %s | %s | %.4f | %.4f | %+.2f %% | %+.1f |\n", name, strings.TrimSuffix(file, ".jsonl"),
				base.Means["nDCG@10"], now.Means["nDCG@10"], percent, paired)
		}
	}
}
