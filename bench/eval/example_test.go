package eval_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/quarry-search/quarry/bench/eval"
)

// words finds documents by the number of query words they have.
type words map[string]string

func (w words) Search(_ context.Context, query string, k int) (found []eval.ScoredID, _ error) {
	for _, id := range []string{"d1", "d2", "d3"} {
		for _, word := range strings.Fields(query) {
			if strings.Contains(w[id], word) && len(found) < k {
				found = append(found, eval.ScoredID{ID: id, Score: 1})
				break
			}
		}
	}
	return found, nil
}

// A run that was written by one system is compared with another's.
func Example() {
	c := &eval.Collection{
		Name:      "shoes",
		Queries:   []eval.Query{{ID: "1", Text: "red shoes"}, {ID: "2", Text: "boots"}},
		Judgments: eval.Judgments{"1": {"d2": 1}, "2": {"d3": 1}},
	}
	opts := &eval.EvaluateOptions{Measures: []eval.Measure{{Kind: eval.MRR}, {Kind: eval.Precision, K: 1}}}
	now, err := eval.Evaluate(context.Background(), c, words{"d1": "red hat", "d2": "red shoes", "d3": "boots"}, opts)
	if err != nil {
		log.Fatal(err)
	}
	run, err := eval.ReadRun(strings.NewReader("1 Q0 d2 1 7.5 other\n2 Q0 d1 1 3.25 other\n"))
	if err != nil {
		log.Fatal(err)
	}
	base, err := eval.EvaluateRun(c, run, opts)
	if err != nil {
		log.Fatal(err)
	}
	if err := eval.WriteRun(os.Stdout, now.Run, "words"); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("MRR %.2f, was %.2f\n", now.Means["MRR"], base.Means["MRR"])
	// Output:
	// 1 Q0 d1 1 1 words
	// 1 Q0 d2 2 0.99999994 words
	// 2 Q0 d3 1 1 words
	// MRR 0.75, was 0.50
}
