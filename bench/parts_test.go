package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// TestParts: every query of the collections of testdata/judged finds the same records with the same
// scores in one index and in three that hold a third of the records each, and when it is asked again
// after others. Vectors are of each index, and left out.
func TestParts(t *testing.T) {
	for name, c := range judged(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var records [][]byte
			for d, err := range c.Documents() {
				if err != nil {
					t.Fatal(err)
				}
				records = append(records, slices.Clone(d.Record))
			}
			schema, err := engine.Infer(records[:min(1000, len(records))], "_id")
			if err != nil {
				t.Fatal(err)
			}
			queries := make([]string, len(c.Queries))
			for i, q := range c.Queries {
				queries[i] = q.Text
			}
			partsOf(t, records, schema, queries)
		})
	}
}

func partsOf(t *testing.T, records [][]byte, schema engine.Schema, texts []string) {
	ctx := context.Background()
	e, err := engine.Open("", &engine.Options{Limits: engine.Limits{QueryBytes: 1 << 16, QueryTerms: 4096, IndexFields: 20_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	parts := []string{"a", "b", "c"}
	for _, name := range append([]string{"all"}, parts...) {
		if _, err := e.CreateIndex(ctx, name, schema); err != nil {
			t.Fatal(err)
		}
	}
	var b engine.Batch
	for n, record := range records {
		b.Put("all", record)
		b.Put(parts[n*n%7%3], record) // not by turns: neighbours are alike
		if len(b.Ops) >= 10_000 || n == len(records)-1 {
			if _, err := e.Apply(ctx, &b); err != nil {
				t.Fatal(err)
			}
			b = engine.Batch{}
		}
	}
	ask := func(query string, names ...string) string {
		res, err := e.Search(ctx, &engine.Request{Indexes: names, Query: query, Limit: 1000, Semantic: engine.SemanticRequest{Off: true}, NoRecord: true})
		if err != nil {
			t.Fatal(err)
		}
		return toldOf(res)
	}
	var queries, told []string
	differ := 0
	for _, text := range texts {
		for _, query := range variants(text) {
			one, three := ask(query, "all"), ask(query, parts...)
			if queries, told = append(queries, query), append(told, one); one != three {
				if differ++; differ <= 3 {
					t.Logf("%q in three indexes:\n%sin one:\n%s", query, three, one)
				}
			}
		}
	}
	// Of records that tie, others come into the reach of the second stage where their indexes
	// are others.
	if 200*differ > len(queries) {
		t.Errorf("%d of %d queries differ", differ, len(queries))
	}
	for i, query := range slices.Backward(queries) {
		if again := ask(query, "all"); again != told[i] {
			t.Errorf("%q, asked again:\n%sbefore:\n%s", query, again, told[i])
		}
	}
}

// toldOf is what a result says: which records were found, with which scores.
func toldOf(res *engine.Result) string {
	byText := func(a, b engine.Correction) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(res.Query.Compounds, byText) // as the indexes have them
	slices.SortFunc(res.Query.Thesaurus, byText)
	var lines []string
	for _, h := range res.Hits {
		if int64(len(res.Hits)) == res.Total || h.Score > res.Hits[len(res.Hits)-1].Score { // or others tie with it
			lines = append(lines, fmt.Sprintf("  %s %.9g\n", h.ID, h.Score))
		}
	}
	slices.Sort(lines)
	return fmt.Sprintf("%+v %d\n%s", res.Query, res.Total, strings.Join(lines[:min(len(lines), 12)], ""))
}

// variants are a query, and the same with a slip, with words joined and split, and while it is being typed.
func variants(query string) []string {
	words := strings.Fields(query)
	out := []string{query, query + " "}
	long := 0
	for i, w := range words {
		if len(w) > len(words[long]) {
			long = i
		}
	}
	with := func(i int, w string) string {
		changed := slices.Clone(words)
		changed[i] = w
		return strings.Join(changed, " ") + " "
	}
	if letters := []rune(words[long]); len(letters) > 5 {
		half := len(letters) / 2
		out = append(out, with(long, string(letters[:half])+string(letters[half+1:])), with(long, string(letters[:half])+" "+string(letters[half:])))
	}
	if len(words) > 1 {
		out = append(out, words[0]+strings.Join(words[1:], " ")+" ", strings.Join(words[:len(words)/2], " ")+" ")
	}
	letters := []rune(query)
	return append(out, string(letters[:len(letters)*2/3]))
}
