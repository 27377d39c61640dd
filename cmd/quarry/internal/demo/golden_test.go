package demo

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

var rewrite = flag.Bool("rewrite", false, "write what the tests got into testdata")

// goldenQueries are what people may ask the sample products: words, words
// misspelt, joined and split, questions, and what they do not want.
var goldenQueries = []string{
	"red running shoes", "shoes", "waterproof jacket", "jacket without hood", "kettle", "electric kettle",
	"head phones", "headphones", "wireless hedphones", "back pack", "backpack for hiking",
	"something to boil water with", "how do i keep coffee hot", "tent other than for one person",
	"blue t-shirt", "lamp", "desk lamp", "wool", "gift for a runner", "camping stove", "runing shoos",
	"mountain bike helmet", "water bottle", "steel bottle", "not a single such thing",
}

// TestRankingGolden compares the best hits of some queries over the sample
// products with those in testdata. A change there is a change of the ranking
// that wants to be looked at: is what comes first now what one wants?
func TestRankingGolden(t *testing.T) {
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	all, err := Indexes()
	if err != nil {
		t.Fatal(err)
	}
	for _, ix := range all {
		if _, err := e.CreateIndex(context.Background(), ix.Name, ix.Schema); err != nil {
			t.Fatal(err)
		}
		var b engine.Batch
		for _, r := range ix.Records {
			b.Put(ix.Name, r)
		}
		if _, err := e.Apply(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	for _, q := range goldenQueries {
		// Vectors are learnt in the background, at a time of their own.
		res, err := e.Search(context.Background(), &engine.Request{
			Indexes: []string{"products"}, Query: q, Limit: 5, Prefix: engine.PrefixOff, NoRecord: true,
			Semantic: engine.SemanticRequest{Off: true},
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s (%d)\n", q, res.Total)
		if res.Query.Text != q {
			fmt.Fprintf(&got, "  read as: %s\n", res.Query.Text)
		}
		for _, c := range res.Query.Compounds {
			fmt.Fprintf(&got, "  also: %s\n", c.To)
		}
		for _, w := range res.Query.Without {
			fmt.Fprintf(&got, "  without: %s\n", w)
		}
		for _, h := range res.Hits {
			fmt.Fprintf(&got, "  %.3f %s\n", h.Score, h.ID)
		}
	}
	path := filepath.Join("testdata", "ranking.txt")
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() == string(want) {
		return
	}
	g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d of %s: got %q, want %q (go test -rewrite writes it anew)", i+1, path, g[i], append(w, "nothing")[min(i, len(w))])
		}
	}
}
