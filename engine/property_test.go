package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/tokenize"
)

// TestEngineEqualsOracle plays random operations on an engine and on an
// oracle that looks at every record, and compares the answers to random
// requests: hits, order, scores to the last bit, and totals. Flushes, merges
// and reopening must change nothing.
func TestEngineEqualsOracle(t *testing.T) {
	rounds := uint64(12)
	if testing.Short() {
		rounds = 3
	}
	for seed := range rounds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playOracle(t, seed, nil)
		})
	}
}

// playOracle does it; analyzer is that of both text fields, nil the one that
// they have by themselves.
func playOracle(t *testing.T, seed uint64, analyzer *tokenize.Analyzer) {
	r := random{rand.New(rand.NewPCG(seed, 77))}
	ctx := context.Background()
	dir := t.TempDir()
	opts := &Options{FlushRecords: 40 + r.IntN(200), FlushBytes: 1 << 14, Memory: 16 << 20}
	schema := oracleSchema()
	if analyzer != nil {
		opts.Analyzers = map[string]*tokenize.Analyzer{"own": analyzer}
		schema.Fields[0].Analyzer, schema.Fields[1].Analyzer = "own", "own"
	}
	e, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.Close() }()
	if _, err := e.CreateIndex(ctx, "i", schema); err != nil {
		t.Fatal(err)
	}
	o := &oracle{records: map[string]*oracleRecord{}, analyzer: analyzer}
	ids := 60 + r.IntN(300)
	for step := range 60 {
		switch r.IntN(12) {
		case 0:
			if err := e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := e.Merge(ctx, "i"); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if e, err = Open(dir, opts); err != nil {
				t.Fatal(err)
			}
		default:
			applyBoth(t, r, e, o, ids)
		}
		for range 8 {
			compareWithOracle(t, r, e, o, step)
		}
		if step%20 == 19 {
			if err := e.Check(ctx); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		}
	}
}

// applyBoth applies one random batch to both sides.
func applyBoth(t *testing.T, r random, e *Engine, o *oracle, ids int) {
	t.Helper()
	var b Batch
	o.batch++
	for range 1 + r.IntN(30) {
		id := fmt.Sprintf("r%d", r.IntN(ids))
		switch r.IntN(10) {
		case 0:
			b.Delete("i", id)
			delete(o.records, id)
		case 1:
			if old := o.records[id]; old != nil {
				m := map[string]any{}
				for k, v := range old.fields {
					m[k] = v
				}
				m["title"] = r.text(5)
				delete(m, "price")
				b.Patch("i", id, fmt.Appendf(nil, `{"title":%q,"price":null}`, m["title"]))
				o.put(id, m)
			}
		case 2:
			if r.IntN(5) == 0 {
				n := r.IntN(5)
				b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: "i", Filter: fmt.Sprintf("stock = %d", n)})
				for id, rec := range o.records {
					if rec.fields["stock"] == float64(n) {
						delete(o.records, id)
					}
				}
			}
		default:
			m := r.record()
			b.Put("i", r.json(id, m))
			o.put(id, m)
		}
	}
	if _, err := e.Apply(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
}

func compareWithOracle(t *testing.T, r random, e *Engine, o *oracle, step int) {
	t.Helper()
	q, filter := r.query()
	req := &Request{
		Tuning:  termsAlone,
		Typo:    Typo{Off: o.analyzer != nil}, // else no word of the vocabulary is a misspelt other one
		Indexes: []string{"i"}, Query: q.String(), Filter: filter, Match: q.match, Ranking: q.ranking, Prefix: PrefixOff,
		Limit: 1 + r.IntN(40), Offset: r.IntN(10), Explain: true,
	}
	ids, scores := o.search(q)
	got, err := e.Search(context.Background(), req)
	if err != nil {
		t.Fatalf("step %d: %q %q: %v", step, req.Query, filter, err)
	}
	if got.Total != int64(len(ids)) {
		t.Fatalf("step %d: %q filter %q match %d ranking %d: total %d, want %d", step, req.Query, filter, q.match, q.ranking, got.Total, len(ids))
	}
	from, to := min(req.Offset, len(ids)), min(req.Offset+req.Limit, len(ids))
	var gotIDs []string
	for i, h := range got.Hits {
		gotIDs = append(gotIDs, h.ID)
		if from+i >= to {
			break
		}
		if want := scores[from+i]; len(q.clauses) > 0 && h.Score != want {
			t.Fatalf("step %d: %q filter %q: hit %d is %s with %v, want %s with %v", step, req.Query, filter, i, h.ID, h.Score, ids[from+i], want)
		}
		sum := 0.0
		for _, p := range h.Explain.Parts {
			sum += p.Score
		}
		if sum != h.Explain.Score || h.Explain.Score != h.Score {
			t.Fatalf("step %d: %q: the parts of %s add up to %v, the score is %v", step, req.Query, h.ID, sum, h.Score)
		}
	}
	if !slices.Equal(gotIDs, ids[from:to]) {
		t.Fatalf("step %d: %q filter %q match %d: hits %v, want %v", step, req.Query, filter, q.match, gotIDs, ids[from:to])
	}
	pageThrough(t, e, req, ids)
}

// pageThrough follows the cursor over all hits.
func pageThrough(t *testing.T, e *Engine, first *Request, want []string) {
	t.Helper()
	req := *first
	req.Offset, req.Explain = 0, false
	var got []string
	for range 1000 {
		res, err := e.Search(context.Background(), &req)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			got = append(got, h.ID)
		}
		if req.After = res.Next; res.Next == nil {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q filter %q by pages of %d: %v, want %v", req.Query, req.Filter, req.Limit, got, want)
	}
}
