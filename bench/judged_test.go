package bench

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/tokenize"
)

// TestJudgedQuality prints nDCG@10 on the collections of testdata/judged, each indexed as somebody
// gets it who imports it and says nothing of its language. The default ranking has to be better
// than plain BM25 on each: they were made by people who knew nothing of either.
func TestJudgedQuality(t *testing.T) {
	var table strings.Builder
	fmt.Fprintln(&table, "| collection | queries | BM25 | default | change | t |\n|---|--:|--:|--:|--:|--:|")
	for name, c := range judged(t) {
		language := "en"
		if _, l, ok := strings.Cut(name, "-"); ok {
			language = l // of passages and shops
		}
		e := inferredWith(t, c, "", func(s *engine.Schema) {
			if got := s.Language; got != language && !(got == "" && language == "en") && !(got == "none" && !slices.Contains(tokenize.Languages(), language)) {
				t.Errorf("%s is taken for %q", name, got)
			}
		})
		base := ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25})
		now := ndcg(t, c, e, engine.Request{})
		percent, paired := gain(now, base)
		if percent < 0 {
			t.Errorf("%s: the default ranking is %.2f %% below plain BM25", name, -percent)
		}
		fmt.Fprintf(&table, "| %s | %d | %.4f | %.4f | %+.1f %% | %+.1f |\n", name, len(c.Queries), base.Means["nDCG@10"], now.Means["nDCG@10"], percent, paired)
	}
	fmt.Fprint(os.Stdout, table.String())
}

// judged yields the collections of testdata/judged by their names.
func judged(t *testing.T) iter.Seq2[string, *eval.Collection] {
	files, err := filepath.Glob("testdata/judged/*/queries.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no collections", err)
	}
	return func(yield func(string, *eval.Collection) bool) {
		for _, file := range files {
			dir := filepath.Dir(file)
			c, err := eval.Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(filepath.Base(dir), c) {
				return
			}
		}
	}
}
