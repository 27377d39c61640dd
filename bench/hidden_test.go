package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// TestHidden: what a request that is restricted to half of the records of a collection of
// testdata/judged finds, and how its query is read, does not depend on what the other half says.
// Scores may, as how many records hold a word counts whoever may see them.
func TestHidden(t *testing.T) {
	for name, c := range judged(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hiddenOf(t, c)
		})
	}
}

func hiddenOf(t *testing.T, c *eval.Collection) {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var sample [][]byte
	var b engine.Batch
	for d, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		sample = append(sample, slices.Clone(d.Record))
		record := map[string]any{}
		if err := json.Unmarshal(d.Record, &record); err != nil {
			t.Fatal(err)
		}
		owner := len(sample) % 2
		put := func(index string) {
			record["owner"] = owner
			data, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			b.Put(index, data)
		}
		put("plain1")
		if owner == 0 {
			for field, value := range record {
				if text, ok := value.(string); ok && field != "_id" {
					record[field] = strings.Map(nextLetter, text)
				}
			}
		}
		put("plain2")
	}
	schema, err := engine.Infer(sample[:min(1000, len(sample))], "_id")
	if err != nil {
		t.Fatal(err)
	}
	schema.Fields = append(schema.Fields, engine.Field{Name: "owner", Type: engine.Int, Filter: true})
	for _, name := range []string{"plain1", "plain2"} {
		if _, err := e.CreateIndex(ctx, name, schema); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Apply(ctx, &b); err != nil {
		t.Fatal(err)
	}
	ask := func(query, index string) string {
		res, err := e.Search(ctx, &engine.Request{Indexes: []string{index}, Query: query, Limit: 1000, Restrict: []string{"owner = 1"},
			Semantic: engine.SemanticRequest{Off: true}, NoRecord: true})
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(res.Hits))
		for i := range res.Hits {
			ids[i] = res.Hits[i].ID
		}
		slices.Sort(ids)
		return fmt.Sprintf("%+v %d %v", res.Query, res.Total, ids)
	}
	for _, q := range c.Queries {
		for _, query := range variants(q.Text) {
			if got, want := ask(query, "plain2"), ask(query, "plain1"); got != want {
				t.Errorf("%q beside garbled records:\n%s\nbeside true ones:\n%s", query, got, want)
			}
		}
	}
}

// nextLetter is the letter behind one in its script, so that what had words has none.
func nextLetter(r rune) rune {
	switch {
	case r == 'z' || r == 'Z':
		return r - 25
	case unicode.IsLetter(r) && unicode.IsLetter(r+1):
		return r + 1
	}
	return r
}
