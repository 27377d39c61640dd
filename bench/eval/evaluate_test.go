package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// answers is a searcher that knows the answers by query text.
type answers map[string][]ScoredID

func (a answers) Search(_ context.Context, query string, k int) ([]ScoredID, error) {
	found, ok := a[query]
	if !ok {
		return nil, errors.New("unknown query")
	}
	return found[:min(k, len(found))], nil
}

// small has two queries that count, one without a relevant document and one
// without judgments.
func small() *Collection {
	return &Collection{
		Name:    "small",
		Queries: []Query{{"1", "one"}, {"2", "two"}, {"3", "three"}, {"4", "four"}},
		Judgments: Judgments{
			"1": {"a": 1, "b": 1},
			"2": {"c": 2},
			"3": {"a": 0},
			"9": {"a": 1},
		},
	}
}

func TestEvaluate(t *testing.T) {
	s := answers{"one": {{"a", 3}, {"x", 2}, {"b", 2}}, "two": {{"x", 1}, {"c", 1}}}
	r, err := Evaluate(t.Context(), small(), s, &EvaluateOptions{Measures: []Measure{{MAP, 0}, {MRR, 0}, {Recall, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	// MAP: query 1 (1/1 + 2/3)/2 = 5/6, query 2 1/2; equal scores keep the order given.
	want := map[string]float64{"MAP": (5.0/6 + 0.5) / 2, "MRR": 0.75, "Recall@2": 0.75}
	for m, v := range want {
		if !near(r.Means[m], v) {
			t.Errorf("%s = %v, want %v", m, r.Means[m], v)
		}
	}
	if len(r.Queries) != 2 || r.Unjudged != 2 || r.Queries[0].Relevant != 2 || r.Queries[0].Found != 3 || !near(r.Queries[0].Values["MAP"], 5.0/6) {
		t.Errorf("queries: %+v, unjudged %d", r.Queries, r.Unjudged)
	}
	if r.Latency == nil || r.Latency.Depth != 10 || r.Latency.P50 > r.Latency.P99 {
		t.Errorf("latency: %+v", r.Latency)
	}
	if diff := cmp.Diff(Run{"1": s["one"], "2": s["two"]}, r.Run); diff != "" {
		t.Error(diff)
	}
}

func TestEvaluateRunCutsAtDepthAndCountsAbsentQueriesAsZero(t *testing.T) {
	run := Run{"1": {{"x", 3}, {"a", 2}, {"b", 1}}, "7": {{"a", 1}}}
	r, err := EvaluateRun(small(), run, &EvaluateOptions{Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Means["MAP"]; !near(got, 0.25/2) { // query 1: (1/2)/2, query 2: 0
		t.Errorf("MAP %v, want .125", got)
	}
	if r.Latency != nil || len(r.Run) != 2 || len(r.Run["1"]) != 2 || r.Run["2"] != nil {
		t.Errorf("latency %v, run %v", r.Latency, r.Run)
	}
}

func TestEvaluateErrors(t *testing.T) {
	ok := answers{"one": nil, "two": nil}
	if _, err := Evaluate(t.Context(), small(), answers{"one": {{"a", 1}, {"a", 1}}, "two": nil}, nil); err == nil || !strings.Contains(err.Error(), "query 1: document a is in the ranking twice") {
		t.Errorf("document found twice: %v", err)
	}
	if _, err := Evaluate(t.Context(), small(), answers{}, nil); err == nil || !strings.Contains(err.Error(), "query 1: unknown query") {
		t.Errorf("searcher's error: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Evaluate(ctx, small(), ok, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	empty := small()
	empty.Judgments = nil
	if _, err := Evaluate(t.Context(), empty, ok, nil); err == nil || !strings.Contains(err.Error(), "no query has a relevant document") {
		t.Errorf("without judgments: %v", err)
	}
	if r, err := Evaluate(t.Context(), small(), ok, nil); err != nil || r.Means["nDCG@10"] != 0 {
		t.Errorf("nothing found: %v, %v", r, err)
	}
}

func reports(t *testing.T) (base, now *Report) {
	t.Helper()
	o := &EvaluateOptions{Measures: []Measure{{MRR, 0}, {Precision, 1}}}
	base, err := EvaluateRun(small(), Run{"1": {{"x", 2}, {"a", 1}}, "2": {{"c", 1}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if now, err = EvaluateRun(small(), Run{"1": {{"a", 2}}, "2": {{"c", 1}}}, o); err != nil {
		t.Fatal(err)
	}
	return base, now
}

func TestCompare(t *testing.T) {
	base, now := reports(t)
	c, err := now.Compare(base)
	if err != nil {
		t.Fatal(err)
	}
	// Differences .5 and 0: mean .25, variance .125, t = .25/sqrt(.125/2) = 1 with
	// one degree of freedom, p = 1/2. Of the two exchanges both are as extreme.
	want := &Comparison{Collection: "small", Measures: []Difference{
		{Measure: "MRR", Base: 0.75, Value: 1, T: 1, P: 0.5, PRandomized: 1, Wins: 1, Ties: 1,
			QueryChanges: []Change{{Query{"1", "one"}, 0.5, 1}}},
		{Measure: "P@1", Base: 0.5, Value: 1, T: 1, P: 0.5, PRandomized: 1, Wins: 1, Ties: 1,
			QueryChanges: []Change{{Query{"1", "one"}, 0, 1}}},
	}}
	if diff := cmp.Diff(want, c, cmp.Comparer(near)); diff != "" {
		t.Error(diff)
	}
	back, err := base.Compare(now)
	if err != nil {
		t.Fatal(err)
	}
	if d := back.Measures[0]; d.Losses != 1 || d.Wins != 0 || !near(d.T, -1) {
		t.Errorf("the other way round: %+v", d)
	}
}

func TestCompareNeedsTheSameQueries(t *testing.T) {
	base, now := reports(t)
	fewer := *base
	fewer.Queries = base.Queries[:1]
	other := *base
	other.Queries = []QueryResult{base.Queries[0], {Query: Query{ID: "8"}}}
	none := *base
	none.Measures = []string{"F1"}
	for want, r := range map[string]*Report{"2 queries with 1": &fewer, "query 2 is in one report only": &other, "no measure in common": &none} {
		if _, err := now.Compare(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWriteTable(t *testing.T) {
	base, now := reports(t)
	base.Latency = &Latency{Depth: 10, P50: 1234567 * time.Nanosecond, P99: 42 * time.Microsecond}
	var b bytes.Buffer
	if err := WriteTable(&b, base, now); err != nil {
		t.Fatal(err)
	}
	want := `
  queries     MRR     P@1     p50   p99  collection
        2  0.7500  0.5000  1.23ms  42µs  small
        2  1.0000  1.0000                small
           0.8750  0.7500                mean
`
	if diff := cmp.Diff(want[1:], b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestComparisonText(t *testing.T) {
	base, now := reports(t)
	c, err := now.Compare(base)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `
    base     now    change     t       p  p randomized  wins  ties  losses  measure
  0.7500  1.0000   +33.33%  1.00  0.5000        1.0000     1     1       0  MRR
  0.5000  1.0000  +100.00%  1.00  0.5000        1.0000     1     1       0  P@1

MRR by query
  0.5000  1.0000  +0.5000  1  one
`
	if diff := cmp.Diff(want[1:], b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSON(t *testing.T) {
	base, now := reports(t)
	base.Latency = &Latency{Depth: 10, P50: 1500 * time.Nanosecond, P99: time.Millisecond}
	got, err := json.Marshal(base)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"collection":"small","depth":1000,"measures":["MRR","P@1"],"means":{"MRR":0.75,"P@1":0.5},"queries":[` +
		`{"id":"1","text":"one","relevant":2,"found":2,"values":{"MRR":0.5,"P@1":0}},` +
		`{"id":"2","text":"two","relevant":1,"found":1,"values":{"MRR":1,"P@1":1}}],"unjudged":2,` +
		`"latency":{"depth":10,"p50_us":1.5,"p99_us":1000}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The same gain in every query makes t infinite, which JSON cannot say.
	for i := range now.Queries {
		for m := range now.Queries[i].Values {
			base.Queries[i].Values[m], now.Queries[i].Values[m] = 0, 1
		}
	}
	c, err := now.Compare(base)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = json.Marshal(c); err != nil || !bytes.Contains(got, []byte(`"p":0,`)) || !bytes.Contains(got, []byte(`"t":null`)) {
		t.Errorf("%s, %v", got, err)
	}
}
