package engine

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the tests got into testdata")

// TestRankingGolden compares hits, scores and explanations of some queries
// over a fixed collection with those in testdata. A change there is a change
// of the ranking and wants a reason.
func TestRankingGolden(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true},
		{Name: "year", Type: Int, Filter: true, Facet: true, Sort: true},
	}})
	records, err := os.ReadFile(filepath.Join("testdata", "films.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(records) {
		apply(t, e, puts("i", string(line)))
	}
	if err := e.Merge(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	requests := []Request{
		{Query: "the sea"},
		{Query: "old man and the sea"},
		{Query: "running"},
		{Query: `"night train"`},
		{Query: "nig"},
		{Query: "+train -night"},
		{Query: "sea train", Match: MatchAny, Ranking: RankingBM25},
		{Query: "sea", Fields: []FieldWeight{{Field: "body"}}, Filter: "year >= 1990"},
		{Query: "sea night", Match: MatchAny, Sort: []SortKey{{Field: "year", Desc: true}}, Facets: []FacetRequest{{Field: "year", Limit: 3}}},
		{Query: "title:(sea OR train^2) AND year:[1960 TO *]", Syntax: SyntaxQuery},
		{Query: "海"},
	}
	var got strings.Builder
	for _, r := range requests {
		r.Explain, r.Limit, r.Highlight = true, 4, &HighlightRequest{Pre: "[", Post: "]", Words: 8}
		fmt.Fprintf(&got, "q=%q", r.Query)
		if r.Filter != "" {
			fmt.Fprintf(&got, " filter=%q", r.Filter)
		}
		for _, k := range r.Sort {
			fmt.Fprintf(&got, " sort=%s desc=%t", k.Field, k.Desc)
		}
		res := find(t, e, &r)
		fmt.Fprintf(&got, " total=%d\n", res.Total)
		for _, h := range res.Hits {
			fmt.Fprintf(&got, "  %s score=%.6f\n", h.ID, h.Score)
			for _, p := range h.Explain.Parts {
				fmt.Fprintf(&got, "    %.6f %s:%s", p.Score, p.Field, p.Term)
				if p.From != "" {
					fmt.Fprintf(&got, " from=%s", p.From)
				}
				fmt.Fprintf(&got, " tf=%d df=%d idf=%.4f norm=%.4f weight=%g penalty=%g\n", p.TF, p.DF, p.IDF, p.Norm, p.Weight, p.Penalty)
			}
			for _, l := range h.Highlight {
				fmt.Fprintf(&got, "    %s: %s\n", l.Field, l.Text)
			}
		}
		for name, f := range res.Facets {
			fmt.Fprintf(&got, "  facet %s: %v other=%d missing=%d\n", name, f.Values, f.Other, f.Missing)
		}
	}
	path := filepath.Join("testdata", "ranking.txt")
	if *rewrite {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n"); got.String() != string(want) {
		for i := range g {
			if i >= len(w) || g[i] != w[i] {
				t.Fatalf("line %d of %s\n got %s\nwant %s", i+1, path, g[i], append(w, "nothing")[min(i, len(w))])
			}
		}
		t.Fatalf("%s has %d lines, got %d", path, len(w), len(g))
	}
}
