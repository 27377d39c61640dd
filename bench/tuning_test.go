package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

type tuned struct {
	e *engine.Engine
	r engine.Request
}

func (s tuned) Search(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
	r := s.r
	r.Query, r.Limit, r.Prefix, r.NoRecord, r.NoTotal = query, k, engine.PrefixOff, true, true
	if r.Ranking == engine.RankingBM25 {
		r.Match = engine.MatchAny
		r.Query = strings.Map(func(r rune) rune {
			if strings.ContainsRune(`"+-*|`, r) {
				return ' '
			}
			return r
		}, query)
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

func inferred(tb testing.TB, c *eval.Collection, language string) *engine.Engine {
	ctx := context.Background()
	e, err := engine.Open("", &engine.Options{Limits: engine.Limits{QueryBytes: 1 << 16, QueryTerms: 4096, IndexFields: 20000}})
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
			schema.Language = language
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
	return e
}

func TestTune(t *testing.T) {
	only := os.Getenv("ONLY")
	var configs []struct {
		Name string
		engine.Tuning
		BM25 bool
		Any  bool
		Env  map[string]string
	}
	if err := json.Unmarshal([]byte(os.Getenv("CONFIGS")), &configs); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	ndcg, _ := eval.ParseMeasure("nDCG@10")
	opt := &eval.EvaluateOptions{Depth: 10, Measures: []eval.Measure{ndcg}}
	sums := map[string]float64{}
	ens := map[string]float64{}
	for _, dir := range collections(t) {
		name := filepath.Base(dir)
		if only != "" && !strings.Contains(only, name) {
			continue
		}
		files := []string{""}
		if _, err := os.Stat(filepath.Join(dir, "queries-typo.jsonl")); err == nil {
			if os.Getenv("TYPO") != "" {
				files = append(files, "queries-typo.jsonl")
			}
		}
		var e *engine.Engine
		for _, f := range files {
			c, err := eval.Open(dir, &eval.OpenOptions{Queries: f})
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				e = inferred(t, c, languageOf(name))
			}
			var base *eval.Report
			label := name
			if f != "" {
				label += " typo"
			}
			line := fmt.Sprintf("%-24s", label)
			var clean *eval.Report
			for i, cf := range configs {
				r := engine.Request{Tuning: cf.Tuning}
				if cf.Any {
					r.Match = engine.MatchAny
				}
				if cf.BM25 {
					r.Ranking = engine.RankingBM25
				}
				for k, v := range cf.Env {
					os.Setenv(k, v)
				}
				rn := eval.Run{}
				start := time.Now()
				for _, q := range c.Queries {
					if c.Judgments.Relevant(q.ID) == 0 {
						continue
					}
					if rn[q.ID], err = (tuned{e, r}).Search(ctx, q.Text, 10); err != nil {
						t.Fatal(err)
					}
				}
				took := time.Since(start)
				for k := range cf.Env {
					os.Unsetenv(k)
				}
				rep, err := eval.EvaluateRun(c, rn, opt)
				if err != nil {
					t.Fatal(err)
				}
				m := rep.Means["nDCG@10"]
				if i == 0 {
					base = rep
					line += fmt.Sprintf(" %.4f %d      ", m, took.Microseconds()/int64(len(rep.Queries)))
					continue
				}
				var x, y []float64
				for i := range rep.Queries {
					x = append(x, rep.Queries[i].Values["nDCG@10"])
					y = append(y, base.Queries[i].Values["nDCG@10"])
				}
				tt, _ := eval.PairedT(x, y)
				line += fmt.Sprintf(" | %.4f %+5.2f%% t%+4.1f %5v", m, 100*(m/base.Means["nDCG@10"]-1), tt, took.Microseconds()/int64(len(rep.Queries)))
				if f == "" {
					sums[cf.Name] += 100 * (m/base.Means["nDCG@10"] - 1)
					if !strings.Contains(name, "xquad-") && name != "jaquad-dev" || name == "xquad-en" {
						ens[cf.Name] += 100 * (m/base.Means["nDCG@10"] - 1)
					}
				}
			}
			_ = clean
			_ = math.Abs
			fmt.Println(line)
		}
		e.Close()
	}
	for _, cf := range configs {
		fmt.Printf("%s: sum %.2f en/7 %.2f\n", cf.Name, sums[cf.Name], ens[cf.Name]/7)
	}
}
