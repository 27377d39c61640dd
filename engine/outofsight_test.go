package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Under an imposed filter, a word that only records beyond it hold and a word
// that nothing holds are the same: in hits, scores, totals, explanations and in
// what is told of the query.
func TestWordsOutOfSightAreUnknown(t *testing.T) {
	e := newEngine(t, nil)
	schema := Schema{Semantic: SemanticOn, Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "text", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true},
	}}
	ctx := context.Background()
	if _, err := e.CreateIndex(ctx, "k", schema); err != nil {
		t.Fatal(err)
	}
	var records []string
	for i, record := range subjectRecords(rand.New(rand.NewPCG(1, 1)), 0, 1500) {
		tenant := 1
		if i%3 == 0 {
			tenant = 2
			record = strings.Replace(record, `"text":"`, `"text":"zanzibarium kryptonian xylophonist `, 1)
			record = strings.Replace(record, `"title":"`, `"title":"zanzibarium `, 1)
		}
		records = append(records, strings.TrimSuffix(record, "}")+fmt.Sprintf(`,"tenant":%d}`, tenant))
	}
	if _, err := e.Apply(ctx, puts("k", records...)); err != nil {
		t.Fatal(err)
	}
	if err := e.TrainVectors(ctx, "k"); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"zanzibarium", "kryptonian", "xylophonist"}
	ask := func(q string, words []string, change func(*Request)) string {
		r := &Request{Restrict: []string{"tenant = 1"}, Explain: true, Limit: 40}
		change(r)
		for i, w := range words {
			q = strings.ReplaceAll(q, fmt.Sprint("$", i), w)
		}
		r.Query = q
		res := find(t, e, r)
		res.Took = 0
		text, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range words {
			text = []byte(strings.ReplaceAll(string(text), w, fmt.Sprint("$", i)))
		}
		return string(text)
	}
	for _, q := range []string{"$0", "violin $0", "$0 violin", "violin $0 $1", "violin bow $2", `violin "$0 $1"`, "violin -$0", "+violin $1", "title:$0 violin", "$0*", "violi $0"} {
		for name, change := range map[string]func(*Request){
			"default": func(*Request) {},
			"any":     func(r *Request) { r.Match = MatchAny },
			"all":     func(r *Request) { r.Match = MatchAll },
			"bm25":    func(r *Request) { r.Ranking = RankingBM25 },
			"query":   func(r *Request) { r.Syntax = SyntaxQuery },
			"prefix":  func(r *Request) { r.Prefix = PrefixAll },
			"sorted":  func(r *Request) { r.Typo.Off = true },
		} {
			if strings.ContainsAny(q, "*:+") && name != "query" {
				continue
			}
			got := ask(q, hidden, change)
			want := ask(q, []string{"wqqqvvvqqqw", "wqqvvvqqqw", "wqqvvvqqqvw"}, change)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%q, %s: hidden words differ from unknown ones (-unknown +hidden):\n%s", q, name, d)
			}
		}
	}
}

// What a query may have meant is made of words in sight, also when a facet has
// asked for the records without one of the filters.
func TestOtherReadingsAreOfWordsInSight(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "kind", Type: Keyword, Filter: true, Facet: true}, {Name: "tenant", Type: Int, Filter: true}}})
	records := []string{`{"t":"runing","kind":"a","tenant":1}`, `{"t":"violin","kind":"a","tenant":1}`}
	for range 2 * farMore {
		records = append(records, `{"t":"running","kind":"a","tenant":2}`)
	}
	apply(t, e, puts("i", records...))
	req := &Request{Query: "runing", Filter: `kind = "a"`, Facets: []FacetRequest{{Field: "kind", Disjunctive: true}}}
	if got := find(t, e, req).Query.DidYouMean; got != "running" {
		t.Errorf("of all records: %q", got)
	}
	req.Restrict = []string{"tenant = 1"}
	if res := find(t, e, req); res.Query.DidYouMean != "" || res.Total != 1 {
		t.Errorf("of one tenant: %q, %d found", res.Query.DidYouMean, res.Total)
	}
}
