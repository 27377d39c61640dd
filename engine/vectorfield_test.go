package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/vector"
)

// vectorSchema is an index of records that bring vectors of three dimensions.
func vectorSchema(metric Metric) Schema {
	return Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true},
		{Name: "shelf", Type: Keyword, Filter: true, Facet: true},
		{Name: "v", Type: Vector, Dimensions: 3, Metric: metric},
	}}
}

func TestVectorsOfRecordsAreChecked(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", vectorSchema(Cosine))
	for _, c := range []struct{ record, code, pointer, says string }{
		{`{"id":"1","v":[1,2]}`, CodeInvalidFieldType, "/operations/0/record/v", "the vector has 2 numbers; \"v\" takes 3"},
		{`{"id":"1","v":[1,2,3,4]}`, CodeInvalidFieldType, "/operations/0/record/v", "has 4 numbers"},
		{`{"id":"1","v":[1,"2",3]}`, CodeInvalidFieldType, "/operations/0/record/v/1", "a string"},
		{`{"id":"1","v":[1,null,3]}`, CodeInvalidFieldType, "/operations/0/record/v/2", "one list"},
		{`{"id":"1","v":[1,2,1e39]}`, CodeInvalidFieldType, "/operations/0/record/v/2", "3.4e38"},
		{`{"id":"1","v":[0,0,0]}`, CodeInvalidFieldType, "/operations/0/record/v", "no direction"},
		{`{"id":"1","v":[[1,2,3]]}`, CodeInvalidFieldType, "/operations/0/record/v/0/0", "one list"},
		{`{"id":"1","v":[[1],[2],[3]]}`, CodeInvalidFieldType, "/operations/0/record/v/0/0", "one list"},
		{`{"id":"1","v":5}`, CodeInvalidFieldType, "/operations/0/record/v", "one list"},
		{`{"id":"1","v":"5"}`, CodeInvalidFieldType, "/operations/0/record/v", "a string"},
		{`{"id":"1","v":[NaN,1,2]}`, CodeMalformedJSON, "/operations/0/record", "malformed"},
	} {
		_, err := e.Apply(context.Background(), puts("a", c.record))
		if inv := wantProblem(t, err, c.code, strings.TrimPrefix(c.pointer, "/operations/0")); inv != nil && !strings.Contains(inv.Problems[0].Detail, c.says) {
			t.Errorf("%s: %q does not say %q", c.record, inv.Problems[0].Detail, c.says)
		}
	}
	// Without a vector, or with null for it, a record is as good as any.
	apply(t, e, puts("a", `{"id":"1","v":null}`, `{"id":"2"}`, `{"id":"3","v":[]}`, `{"id":"4","v":[0,0,-1e-3]}`))
	if got := idsOf(find(t, e, &Request{Vector: []float32{0, 0, -1}})); got != "4" {
		t.Errorf("found %q", got)
	}
}

func TestVectorFieldsOfSchemasAreChecked(t *testing.T) {
	e := newEngine(t, &Options{Embedders: map[string]Embedder{"letters": letters{}}})
	text := Field{Name: "t", Type: Text, Search: true}
	for _, c := range []struct {
		fields        []Field
		code, pointer string
	}{
		{[]Field{{Name: "v", Type: Vector}}, CodeInvalidRequest, "/fields/0/dimensions"},
		{[]Field{{Name: "v", Type: Vector, Dimensions: 4097}}, CodeInvalidRequest, "/fields/0/dimensions"},
		{[]Field{{Name: "v", Type: Vector, Dimensions: 3, Metric: 7}}, CodeInvalidRequest, "/fields/0/metric"},
		{[]Field{{Name: "v", Type: Vector, Dimensions: 3, Filter: true}}, CodeInvalidRequest, "/fields/0/filter"},
		{[]Field{{Name: "v", Type: Vector, Dimensions: 3, Search: true}}, CodeInvalidRequest, "/fields/0/search"},
		{[]Field{{Name: "t", Type: Text, Dimensions: 3}}, CodeInvalidRequest, "/fields/0/dimensions"},
		{[]Field{text, {Name: "v", Type: Vector, Dimensions: 3, From: []string{"t"}}}, CodeInvalidRequest, "/fields/1/embedder"},
		{[]Field{text, {Name: "v", Type: Vector, Embedder: "letters", From: []string{"x"}}}, CodeUnknownField, "/fields/1/from/0"},
		{[]Field{text, {Name: "v", Type: Vector, Dimensions: 3, Embedder: "none"}}, CodeInvalidRequest, "/fields/1/embedder"},
		{[]Field{text, {Name: "v", Type: Vector, Dimensions: 3, Embedder: "letters"}}, CodeInvalidRequest, "/fields/1/dimensions"},
		{slices.Repeat([]Field{{Name: "v", Type: Vector, Dimensions: 3}}, 9), CodeLimitExceeded, "/fields"},
	} {
		_, err := e.CreateIndex(context.Background(), "a", Schema{Fields: c.fields})
		wantProblem(t, err, c.code, c.pointer)
	}
	create(t, e, "a", Schema{Fields: []Field{text, {Name: "v", Type: Vector, Embedder: "letters", From: []string{"t"}}}})
	info, err := e.Index("a")
	if err != nil || info.Schema.Fields[1].Dimensions != 26 {
		t.Errorf("dimensions %d, %v", info.Schema.Fields[1].Dimensions, err)
	}
	_, err = e.Apply(context.Background(), puts("a", `{"id":"1","v":[1,2,3]}`))
	wantProblem(t, err, CodeInvalidFieldType, "/record/v")
}

// randomVectors returns records with vectors, and the vectors by id.
func randomVectors(r *rand.Rand, n, dims int) (records []string, rows map[string][]float32) {
	rows = map[string][]float32{}
	for i := range n {
		id := fmt.Sprintf("r%04d", i)
		rec := map[string]any{"id": id, "title": fmt.Sprintf("word%d common", i%7), "shelf": fmt.Sprintf("s%d", i%5)}
		if i%11 != 0 {
			row := make([]float32, dims)
			for j := range row {
				row[j] = float32(r.NormFloat64())
			}
			rows[id], rec["v"] = row, row
		}
		b, _ := json.Marshal(rec)
		records = append(records, string(b))
	}
	return records, rows
}

// byBruteForce returns the ids of the k rows nearest to a query, of those that
// keep keeps.
func byBruteForce(rows map[string][]float32, query []float32, metric Metric, k int, keep func(id string) bool) string {
	quantize := func(row []float32) vector.Vector { return vector.AppendRow(nil, row, metric == Cosine) }
	type scored struct {
		id  string
		sim float64
	}
	var all []scored
	for id, row := range rows {
		if keep(id) {
			all = append(all, scored{id, quantize(row).Product(quantize(query))})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		if a.sim != b.sim {
			if a.sim > b.sim {
				return -1
			}
			return 1
		}
		return strings.Compare(a.id, b.id)
	})
	var ids []string
	for _, s := range all[:min(k, len(all))] {
		ids = append(ids, s.id)
	}
	return strings.Join(ids, " ")
}

func TestNearestIsWhatBruteForceFinds(t *testing.T) {
	const seed, dims = 11, 17
	for _, metric := range []Metric{Cosine, Dot} {
		r := rand.New(rand.NewPCG(seed, uint64(metric)))
		d := newDisk(t, Options{})
		schema := vectorSchema(metric)
		schema.Fields[2].Dimensions = dims
		create(t, d.e, "a", schema)
		records, rows := randomVectors(r, 1500, dims)
		for part := range slices.Chunk(records, 97) {
			apply(t, d.e, puts("a", part...))
		}
		// Some die, some are written again with other vectors, one by one.
		var b Batch
		for i := 0; i < 1500; i += 13 {
			id := fmt.Sprintf("r%04d", i)
			if delete(rows, id); i%2 == 0 {
				b.Delete("a", id)
			} else {
				row := make([]float32, dims)
				for j := range row {
					row[j] = float32(r.NormFloat64())
				}
				rows[id] = row
				text, _ := json.Marshal(row)
				b.Put("a", fmt.Appendf(nil, `{"id":%q,"shelf":"s%d","v":%s}`, id, i%5, text))
			}
		}
		apply(t, d.e, &b)
		queries := make([][]float32, 5)
		for i := range queries {
			queries[i] = make([]float32, dims)
			for j := range queries[i] {
				queries[i][j] = float32(r.NormFloat64())
			}
		}
		d.states("a", func(t *testing.T, e *Engine) {
			for i, q := range queries {
				for _, c := range []struct {
					filter string
					keep   func(id string) bool
				}{
					{"", func(string) bool { return true }},
					{`shelf = "s2"`, func(id string) bool { var n int; fmt.Sscanf(id, "r%d", &n); return n%5 == 2 }},
				} {
					for _, k := range []int{1, 10, 1000} {
						req := Request{Vector: q, Filter: c.filter, Limit: 1000, Semantic: SemanticRequest{Nearest: k}, Facets: []FacetRequest{{Field: "shelf"}}}
						res := find(t, e, &req)
						want := byBruteForce(rows, q, metric, k, c.keep)
						if got := idsOf(res); got != want {
							t.Fatalf("seed %d, %s, query %d, k %d, filter %q:\n got %s\nwant %s", seed, metric, i, k, c.filter, got, want)
						}
						n := int64(len(strings.Fields(want)))
						if res.Total != n || !res.TotalExact {
							t.Errorf("total %d, want %d", res.Total, n)
						}
						counted := int64(0)
						for _, v := range res.Facets["shelf"].Values {
							counted += v.Count
						}
						if counted != n {
							t.Errorf("facets count %d of %d records", counted, n)
						}
					}
				}
			}
		})
		wantPages(t, d.e, Request{Vector: queries[0], Semantic: SemanticRequest{Nearest: 250}})
	}
}

// wantPages fails the test unless the pages of a request by cursor, and by
// offset, are the hits of one large page.
func wantPages(t *testing.T, e *Engine, r Request) {
	t.Helper()
	r.Limit = 1000
	r.Explain = true
	r.Match = MatchAny // with MatchAuto it depends on the limit what matches
	whole := find(t, e, &r)
	for _, size := range []int{1, 7, 40} {
		var got []string
		page := r
		page.Limit = size
		for {
			res := find(t, e, &page)
			if res.Total != whole.Total {
				t.Errorf("total %d on a page, %d in all", res.Total, whole.Total)
			}
			got = append(got, lines(res.Hits)...)
			if page.After = res.Next; res.Next == nil {
				break
			}
			if len(got) > len(whole.Hits) {
				break
			}
		}
		if want := lines(whole.Hits); !slices.Equal(got, want) {
			t.Errorf("pages of %d:\n got %s\nwant %s", size, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	for i, h := range whole.Hits {
		sum := 0.0
		for _, p := range h.Explain.Parts {
			sum += p.Score
		}
		if sum != h.Score || h.Explain.Score != h.Score {
			t.Errorf("hit %d: the parts sum up to %v, the score is %v", i, sum, h.Score)
		}
		if i > 0 && h.Score > whole.Hits[i-1].Score {
			t.Errorf("hit %d scores more than the one before", i)
		}
	}
}

func TestVectorsOfRequestsAreChecked(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", vectorSchema(Cosine))
	create(t, e, "b", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	v := []float32{1, 2, 3}
	for _, c := range []struct {
		r             Request
		code, pointer string
	}{
		{Request{Vector: v[:2]}, CodeInvalidRequest, "/vector"},
		{Request{Vector: []float32{0, 0, 0}}, CodeInvalidRequest, "/vector"},
		{Request{Vector: v, Sort: []SortKey{{Field: "_score"}}}, CodeInvalidRequest, "/vector"},
		{Request{Vector: v, Ranking: RankingBM25}, CodeInvalidRequest, "/vector"},
		{Request{Vector: v, MinScore: 1}, CodeInvalidRequest, "/vector"},
		{Request{Vector: v, Indexes: []string{"b"}}, CodeUnknownField, "/vector"},
		{Request{Vector: v, Semantic: SemanticRequest{Field: "title"}}, CodeInvalidRequest, "/semantic/field"},
		{Request{Vector: v, Semantic: SemanticRequest{Field: "none"}}, CodeUnknownField, "/semantic/field"},
		{Request{Query: "x", Semantic: SemanticRequest{Field: "v"}}, CodeInvalidRequest, "/semantic/field"},
		{Request{Vector: v, Semantic: SemanticRequest{Hybrid: 1.1}}, CodeInvalidRequest, "/semantic/hybrid"},
		{Request{Vector: v, Semantic: SemanticRequest{Nearest: 1001}}, CodeLimitExceeded, "/semantic/nearest"},
	} {
		_, err := e.Search(context.Background(), &c.r)
		wantProblem(t, err, c.code, c.pointer)
	}
}

// letters is an embedder whose vectors count letters.
type letters struct{}

func (letters) Dimensions() int { return 26 }

func (letters) Embed(_ context.Context, _ TextKind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if strings.Contains(t, "refuse") {
			return nil, fmt.Errorf("text %d: %w", i, ErrTextRefused)
		}
		if strings.Contains(t, "fail") {
			return nil, errors.New("the embedder is down")
		}
		out[i] = make([]float32, 26)
		for _, r := range strings.ToLower(t) {
			if r >= 'a' && r <= 'z' {
				out[i][r-'a']++
			}
		}
	}
	return out, nil
}

// TestVectorFieldsAreBackedUpAndRepaired: copies need no embedder to be made,
// and have the vectors that records brought.
func TestVectorFieldsAreBackedUpAndRepaired(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	e, err := Open(dir+"/data", lettersOptions())
	if err != nil {
		t.Fatal(err)
	}
	fillLetters(t, e, "made", subjectRecords(rand.New(rand.NewPCG(1, 0)), 0, 50))
	create(t, e, "given", vectorSchema(Dot))
	apply(t, e, puts("given", `{"id":"1","v":[1,2,3]}`, `{"id":"2","v":[3,2,1.5]}`))
	want := lines(find(t, e, &Request{Indexes: []string{"made"}, Query: "car"}).Hits)
	if _, err := e.Backup(ctx, dir+"/backup"); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"backup", "data"} {
		copied := dir + "/copy of " + from
		var err error
		if from == "backup" {
			_, err = RestoreBackup(ctx, dir+"/"+from, copied)
		} else {
			_, err = Repair(ctx, dir+"/"+from, copied, nil)
		}
		if err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		e, err := Open(copied, lettersOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := e.EmbedRecords(ctx, "made"); err != nil {
			t.Fatal(err)
		}
		if got := lines(find(t, e, &Request{Indexes: []string{"made"}, Query: "car"}).Hits); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
		if got := idsOf(find(t, e, &Request{Indexes: []string{"given"}, Vector: []float32{0, 0, 1}})); got != "1 2" {
			t.Errorf("%s: found %q", from, got)
		}
		checkAndClose(t, e)
	}
}
