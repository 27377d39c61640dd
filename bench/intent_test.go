package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

// intentCase is a query of testdata/intent.jsonl: what has to be understood,
// and what all of the first hits have to satisfy.
type intentCase struct {
	Collection string
	Q          string
	Understood []struct{ Filter, Used string }
	First      string
	Hits       int // that First is about; 0 means firstHits
}

// firstHits is how many hits intentCase.First is about.
const firstHits = 3

func (c *intentCase) hits() int { return cmp.Or(c.Hits, firstHits) }

// intentSchemas are how the collections are indexed: with fields that the
// queries speak of.
func intentSchemas() map[string]engine.Schema {
	text := []engine.Field{
		{Name: "title", Type: engine.Text, Search: true, Weight: 3},
		{Name: "text", Type: engine.Text, Search: true},
	}
	facet := func(name string, t engine.Type) engine.Field { return engine.Field{Name: name, Type: t, Facet: true} }
	return map[string]engine.Schema{
		"movies-wikipedia": {PrimaryKey: "_id", Fields: slices.Concat(text, []engine.Field{
			facet("year", engine.Int), facet("genres", engine.Keyword), facet("cast", engine.Keyword),
		})},
		"chorus-electronics": {PrimaryKey: "_id", Fields: slices.Concat(text, []engine.Field{
			facet("supplier", engine.Keyword), facet("price", engine.Int), facet("date_released", engine.Date),
			facet("attrs.t_product_type", engine.Keyword), facet("attrs.t_product_colour", engine.Keyword),
			facet("attrs.n_display_diagonal", engine.Float), facet("attrs.n_internal_memory", engine.Float),
			facet("attrs.n_cable_length", engine.Float), facet("attrs.n_weight", engine.Float),
			facet("attrs.b_bluetooth", engine.Bool), facet("attrs.b_touchscreen", engine.Bool),
		}), Intent: engine.IntentSettings{
			Units: map[string][]string{
				"price": {"cent"}, "attrs.n_display_diagonal": {"inch"}, "attrs.n_internal_memory": {"gb"},
				"attrs.n_cable_length": {"m"}, "attrs.n_weight": {"g"},
			},
			Words: []engine.IntentWords{{Words: []string{"cheap"}, Filter: "price < 2000"}},
		}},
	}
}

// intentCases reads testdata/intent.jsonl.
func intentCases(t *testing.T) (list []intentCase) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "intent.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var c intentCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", s.Text(), err)
		}
		list = append(list, c)
	}
	return list
}

// TestIntentCases checks the form of the judged queries, with and without the
// collections.
func TestIntentCases(t *testing.T) {
	cases := intentCases(t)
	if len(cases) < 150 {
		t.Errorf("there are %d queries", len(cases))
	}
	schemas := intentSchemas()
	seen := map[string]bool{}
	for _, c := range cases {
		if _, ok := schemas[c.Collection]; !ok || seen[c.Collection+c.Q] {
			t.Errorf("%q of %s is twice there, or of no collection", c.Q, c.Collection)
		}
		seen[c.Collection+c.Q] = true
		for _, u := range c.Understood {
			if n, err := query.ParseFilter(u.Filter, query.Limits{}); err != nil || query.FilterString(n) != u.Filter || u.Used != "filter" && u.Used != "boost" {
				t.Errorf("%q: %s %s is no filter in canonical form: %v", c.Q, u.Used, u.Filter, err)
			}
		}
	}
}

// The floors of TestIntentJudged: what is reached today, rounded down.
const (
	leastPrecision = 0.98
	leastRecall    = 0.98
	leastFirst     = 0.93
)

// TestIntentJudged measures what is understood of the judged queries, and
// whether it brings the right records first.
func TestIntentJudged(t *testing.T) {
	root := wanted(t)
	engines := map[string]*engine.Engine{}
	for name, schema := range intentSchemas() {
		f, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
		if err != nil {
			t.Skipf("the judged queries were not run: %v", err)
		}
		engines[name] = indexed(t, f, schema)
		f.Close()
	}
	var right, wrong, missed, good, first, plain int
	for _, c := range intentCases(t) {
		e := engines[c.Collection]
		var want, got []string
		for _, u := range c.Understood {
			want = append(want, u.Used+" "+u.Filter)
		}
		res, err := e.Search(context.Background(), &engine.Request{Query: c.Q, Limit: c.hits()})
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range res.Query.Intent {
			got = append(got, u.Use.String()+" "+u.Filter)
		}
		for _, g := range got {
			if slices.Contains(want, g) {
				right++
			} else {
				wrong++
			}
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				missed++
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Logf("%q is understood as %s, not as %s", c.Q, strings.Join(got, "; "), strings.Join(want, "; "))
		}
		if c.First == "" {
			continue
		}
		first++
		if satisfied(t, e, res, c.First) {
			good++
		} else {
			t.Logf("%q: the first hits do not satisfy %s: %v", c.Q, c.First, hitIDs(res))
		}
		off, err := e.Search(context.Background(), &engine.Request{Query: c.Q, Limit: c.hits(), Intent: engine.Intent{Mode: engine.IntentOff}})
		if err != nil {
			t.Fatal(err)
		}
		if satisfied(t, e, off, c.First) {
			plain++
		}
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("precision %.3f, recall %.3f of %d filters; the first %d hits are right for %d of %d queries, %d of them without intent",
		precision, recall, right+missed, firstHits, good, first, plain)
	if precision < leastPrecision || recall < leastRecall || float64(good) < leastFirst*float64(first) {
		t.Error("less than it was")
	}
}

// Intent must not make the ranking of judged queries worse where the index has
// facets that they speak of.
func TestIntentRanking(t *testing.T) {
	root := wanted(t)
	const name = "chorus-electronics"
	c, err := eval.Open(filepath.Join(root, name), nil)
	if err != nil {
		t.Skipf("the ranking was not measured: %v", err)
	}
	f, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := indexed(t, f, intentSchemas()[name])
	var ndcg [2]float64
	for i, mode := range []engine.IntentMode{engine.IntentOn, engine.IntentOff} {
		report, err := eval.Evaluate(context.Background(), c, asked{e, engine.Request{Intent: engine.Intent{Mode: mode}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ndcg[i] = report.Means["nDCG@10"]
	}
	t.Logf("%s: nDCG@10 %.4f with intent, %.4f without", name, ndcg[0], ndcg[1])
	if ndcg[0] < ndcg[1]*(1-worseBy) {
		t.Errorf("intent makes nDCG@10 worse: %.4f, without it %.4f", ndcg[0], ndcg[1])
	}
}

// worseBy is by how much intent may worsen nDCG@10: judges of these queries
// looked at what searches without it had found.
const worseBy = 0.005

// indexed returns an index of a compressed file with a record a line.
func indexed(t *testing.T, r io.Reader, schema engine.Schema) *engine.Engine {
	t.Helper()
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if _, err := e.CreateIndex(ctx, "c", schema); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	var b engine.Batch
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for more := true; more; {
		if more = lines.Scan(); more {
			b.Put("c", bytes.Clone(lines.Bytes()))
		}
		if len(b.Ops) == 5000 || !more {
			if _, err := e.Apply(ctx, &b); err != nil {
				t.Fatal(err)
			}
			b.Ops = b.Ops[:0]
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return e
}

// satisfied tells whether there are hits and all of them satisfy a filter.
func satisfied(t *testing.T, e *engine.Engine, res *engine.Result, filter string) bool {
	t.Helper()
	for _, h := range res.Hits {
		// Only the record itself can be both pinned and all that is there.
		one, err := e.Search(context.Background(), &engine.Request{Filter: filter, Pin: []engine.Pin{{ID: h.ID, Position: 1}}, Limit: 1, NoTotal: true})
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		if len(one.Hits) == 0 || !one.Hits[0].Pinned {
			return false
		}
	}
	return len(res.Hits) > 0
}

func hitIDs(res *engine.Result) (ids []string) {
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}
