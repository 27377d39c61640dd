package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// Two settings are compared on judgments of one's own: is the repair of
// misspelt words worth having? Each query is asked with both, and its two
// values make a pair; t and p say whether the differences could be chance.
func Example_twoSettings() {
	ctx := context.Background()
	e, err := engine.Open("", nil) // in memory
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()

	var documents []eval.Document
	var b engine.Batch
	for i, title := range []string{"red running shoes", "green hat", "hiking boots", "wool socks", "rain jacket", "cotton scarf", "leather belt", "silk blouse"} {
		id := fmt.Sprint(i)
		record, _ := json.Marshal(map[string]string{"id": id, "title": title})
		documents = append(documents, eval.Document{ID: id, Record: record})
		b.Put("shop", record)
	}
	if _, err := e.Apply(ctx, &b); err != nil {
		log.Fatal(err)
	}
	c, err := eval.New("shop", eval.DocumentsOf(documents...), []eval.Judgment{ // or eval.ReadJudgments("judgments.tsv")
		{Query: "runing shoes", Document: "0", Grade: 2}, {Query: "gren", Document: "1", Grade: 2},
		{Query: "hikign", Document: "2", Grade: 2}, {Query: "wool", Document: "3", Grade: 2},
		{Query: "jakcet", Document: "4", Grade: 2}, {Query: "coton", Document: "5", Grade: 2},
		{Query: "leathr", Document: "6", Grade: 2}, {Query: "silk", Document: "7", Grade: 2},
	})
	if err != nil {
		log.Fatal(err)
	}

	report := func(setting engine.Request) *eval.Report {
		r, err := eval.Evaluate(ctx, c, eval.SearchFunc(func(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
			request := setting
			request.Query, request.Limit, request.Prefix = query, k, engine.PrefixOff
			res, err := e.Search(ctx, &request)
			if err != nil {
				return nil, err
			}
			var found []eval.ScoredID
			for _, h := range res.Hits {
				found = append(found, eval.ScoredID{ID: h.ID, Score: h.Score})
			}
			return found, nil
		}), nil)
		if err != nil {
			log.Fatal(err)
		}
		return r
	}
	now, base := report(engine.Request{}), report(engine.Request{Typo: engine.Typo{Off: true}})
	difference, err := now.Compare(base)
	if err != nil {
		log.Fatal(err)
	}
	d := difference.Measures[0]
	fmt.Printf("%s %.2f, was %.2f: t %.2f, p %.3f, by randomization %.3f\n", d.Measure, d.Value, d.Base, d.T, d.P, d.PRandomized)
	fmt.Printf("%d queries better, %d the same, %d worse\n", d.Wins, d.Ties, d.Losses)
	for _, q := range d.QueryChanges[:2] {
		fmt.Printf("%q %.2f, was %.2f\n", q.Text, q.Value, q.Base)
	}
	// Output:
	// nDCG@10 1.00, was 0.38: t 3.42, p 0.011, by randomization 0.062
	// 5 queries better, 3 the same, 0 worse
	// "gren" 1.00, was 0.00
	// "hikign" 1.00, was 0.00
}
