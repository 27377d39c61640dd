package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestLateFields: an index whose fields came one after another, in records of several segments,
// answers as one does that got all its records at once, under the schema that came of it.
func TestLateFields(t *testing.T) {
	const seed = 31
	ctx := context.Background()
	for round := range 12 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		late, once := newEngine(t, &Options{NoMerge: true}), newEngine(t, nil)
		create(t, late, "i", Schema{Language: "en", Dynamic: true})
		fields := []string{"body", "title", "name", "tags", "n", "about"}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		phrase := func(n int) string { return phraseOf(r, nameWords, 1+r.IntN(n)) }
		all := &Batch{}
		for i := range 60 {
			record := map[string]any{"id": fmt.Sprintf("%02d", i)}
			for _, f := range fields[:min(len(fields), 1+i/8)] {
				switch {
				case r.IntN(4) == 0:
				case f == "n":
					record[f] = r.IntN(9)
				case f == "tags":
					record[f] = []string{phrase(2), phrase(1)}
				case f == "body", f == "about":
					record[f] = strings.Join([]string{phrase(20), "which is", phrase(9)}, " ")
				default:
					record[f] = phrase(3)
				}
			}
			text, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			apply(t, late, puts("i", string(text)))
			all.Put("i", text)
			if r.IntN(15) == 0 {
				if err := late.Flush(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		info, err := late.Index("i")
		if err != nil {
			t.Fatal(err)
		}
		create(t, once, "i", info.Schema)
		apply(t, once, all)
		for range 60 {
			words := strings.Fields(phrase(4))
			if last := words[len(words)-1]; r.IntN(2) == 0 {
				words[len(words)-1] = last[:1+r.IntN(len(last))]
			}
			req := Request{
				Query: strings.Join(words, " "), Limit: 100, Explain: r.IntN(2) == 0, Match: Match(r.IntN(2)), Prefix: Prefix(r.IntN(2)),
				Highlight: &HighlightRequest{}, Facets: []FacetRequest{{Field: "n"}}[:r.IntN(2)],
			}
			if !slices.ContainsFunc(info.Schema.Fields, func(f Field) bool { return f.Name == "n" }) {
				req.Facets = nil
			}
			got, want := mustSearch(t, late, req), mustSearch(t, once, req)
			if a, b := hitsTold(got), hitsTold(want); a != b {
				t.Fatalf("round %d, fields %v, %+v:\n%s\nand at once\n%s", round, fields, req, a, b)
			}
		}
	}
}

// hitsTold is what a result says of its hits.
func hitsTold(res *Result) string {
	var out strings.Builder
	fmt.Fprintln(&out, res.Total)
	for _, f := range res.Facets {
		fmt.Fprintln(&out, f.Values)
	}
	for _, h := range res.Hits {
		fmt.Fprintln(&out, h.ID, h.Score, h.Highlight)
	}
	return out.String()
}
