package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// subjectRecords returns records that are each about one of a few subjects.
func subjectRecords(r *rand.Rand, from, n int) []string {
	subjects := [][]string{
		strings.Fields("car engine wheel road driver garage fuel tyre brake mirror"),
		strings.Fields("bread oven flour dough baker yeast crust loaf butter kitchen"),
		strings.Fields("violin bow string orchestra concert tune score music hall stage"),
	}
	shared := strings.Fields("good part time place work report")
	out := make([]string, n)
	for i := range out {
		s := subjects[r.IntN(len(subjects))]
		words := make([]string, 8+r.IntN(12))
		for j := range words {
			words[j] = s[r.IntN(len(s))]
			if r.IntN(3) == 0 {
				words[j] = shared[r.IntN(len(shared))]
			}
		}
		out[i] = fmt.Sprintf(`{"id":"r%04d","title":%q,"text":%q,"shelf":"s%d"}`, from+i, words[0], strings.Join(words, " "), r.IntN(9))
	}
	return out
}

var subjectSchema = Schema{Semantic: SemanticOn, Fields: []Field{
	{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "text", Type: Text, Search: true}, {Name: "shelf", Type: Keyword, Facet: true, Sort: true},
}}

// fillSubjects writes records to an index in batches of some size and learns.
func fillSubjects(t *testing.T, e *Engine, index string, batch int, records []string) {
	t.Helper()
	ctx := context.Background()
	if _, err := e.CreateIndex(ctx, index, subjectSchema); err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(records, batch) {
		if _, err := e.Apply(ctx, puts(index, part...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.TrainVectors(ctx, index); err != nil {
		t.Fatal(err)
	}
}

// noLearning keeps the background from learning during a test.
var noLearning = Options{learnQuiet: 24 * time.Hour}

func mustSearch(t *testing.T, e *Engine, r Request) *Result {
	t.Helper()
	res, err := e.Search(context.Background(), &r)
	if err != nil {
		t.Fatalf("search %+v: %v", r, err)
	}
	return res
}

// lines are what identifies hits and their places.
func lines(hits []Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = fmt.Sprintf("%s/%s %.9f", h.Index, h.ID, h.Score)
	}
	return out
}

func TestMeaningChangesTheOrderAndNothingElse(t *testing.T) {
	const seed = 1
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 400, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 400))
	r := Request{Query: "good report fuel", Match: MatchAny, Limit: 400, Facets: []FacetRequest{{Field: "shelf"}}, Explain: true}
	with := mustSearch(t, e, r)
	r.Semantic.Off = true
	without := mustSearch(t, e, r)
	if with.Query.Semantic == nil || with.Query.Semantic.Weight != meaningWeight*3/meaningWords || without.Query.Semantic != nil {
		t.Fatalf("told %v with and %v without", with.Query.Semantic, without.Query.Semantic)
	}
	if with.Total != without.Total || !cmp.Equal(with.Facets, without.Facets) {
		t.Errorf("seed %d: totals %d and %d, facets\n%v\n%v", seed, with.Total, without.Total, with.Facets, without.Facets)
	}
	byWords := map[string]float64{}
	for _, h := range without.Hits {
		byWords[h.ID] = h.Score
	}
	changed := false
	for i, h := range with.Hits {
		changed = changed || h.ID != without.Hits[i].ID
		sum, meaning := 0.0, 0.0
		for _, p := range h.Explain.Parts {
			sum += p.Score
			if p.Stage == StageMeaning {
				meaning += p.Score
			}
		}
		if sum != h.Score || h.Explain.Score != h.Score {
			t.Errorf("seed %d: %s: parts add up to %v, the explanation says %v, the score is %v", seed, h.ID, sum, h.Explain.Score, h.Score)
		}
		if most := meaningWeight * without.Hits[0].Score; h.Score-meaning != byWords[h.ID] || meaning > most {
			t.Errorf("seed %d: %s: %v of %v is for meaning, at most %v; the words alone give %v", seed, h.ID, meaning, h.Score, most, byWords[h.ID])
		}
		if i > 0 && h.Score > with.Hits[i-1].Score {
			t.Errorf("seed %d: hit %d scores more than the one before", seed, i)
		}
	}
	if !changed {
		t.Errorf("seed %d: the order is that by words alone", seed)
	}
}

func TestMeaningIsLeftOut(t *testing.T) {
	const seed = 2
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 100, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 100))
	for name, r := range map[string]Request{
		"off":            {Query: "fuel road", Semantic: SemanticRequest{Off: true}},
		"bm25":           {Query: "fuel road", Ranking: RankingBM25},
		"sorted":         {Query: "fuel road", Sort: []SortKey{{Field: "shelf"}}},
		"no query":       {},
		"some fields":    {Query: "fuel road", Fields: []FieldWeight{{Field: "title"}}},
		"unknown words":  {Query: "zeppelin"},
		"phrases":        {Query: `"fuel road"`},
		"no hits wanted": {Query: "fuel road", Limit: -1},
	} {
		if res := mustSearch(t, e, r); res.Query.Semantic != nil && name != "no hits wanted" {
			t.Errorf("%s: ranked by meaning with the weight %v", name, res.Query.Semantic.Weight)
		}
	}
	for _, w := range []float64{-1, maxMeaningWeight + 1} {
		_, err := e.Search(context.Background(), &Request{Query: "fuel", Semantic: SemanticRequest{Weight: w}})
		var inv *InvalidError
		if !errors.As(err, &inv) || inv.Problems[0].Pointer != "/semantic/weight" {
			t.Errorf("weight %v: %v, want a problem at /semantic/weight", w, err)
		}
	}
}

// TestPagesFitTogether compares pages of all kinds with one request for all,
// with more matches than the window has.
func TestPagesFitTogether(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 500, subjectRecords(r, 0, 900))
	fillSubjects(t, e, "b", 700, subjectRecords(r, 0, 700))
	if _, err := e.CreateIndex(context.Background(), "c", Schema{Semantic: SemanticOff, Fields: subjectSchema.Fields}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Apply(context.Background(), puts("c", subjectRecords(r, 0, 60)...)); err != nil {
		t.Fatal(err)
	}
	for _, q := range []Request{
		{Query: "good part report", Match: MatchAny},
		{Query: "fuel time place", Match: MatchAny, Filter: `shelf != "s1"`},
		{Query: "violin good work", Match: MatchAny, Indexes: []string{"a"}},
		{Query: "dough work", Match: MatchAny, MinScore: 1, Hide: []string{"r0003"}, Pin: []Pin{{ID: "r0001", Position: 2}}},
	} {
		// Beyond Limits.Hits the whole comes in two parts itself.
		all := q
		all.Limit = 1000
		first := mustSearch(t, e, all)
		whole := first.Hits
		if first.Next != nil {
			all.After = first.Next
			whole = append(whole, mustSearch(t, e, all).Hits...)
		}
		if int64(len(whole)) != first.Total {
			t.Fatalf("seed %d: %q: %d hits of %d", seed, q.Query, len(whole), first.Total)
		}
		want := lines(whole)
		for i := 1; i < len(whole); i++ {
			if whole[i].Score > whole[i-1].Score && !whole[i].Pinned && !whole[i-1].Pinned {
				t.Errorf("seed %d: %q: hit %d scores more than the one before", seed, q.Query, i)
			}
		}
		for _, limit := range []int{1, 7, 150} {
			page := q
			page.Limit = limit
			var got []string
			for n := 0; ; n++ {
				res := mustSearch(t, e, page)
				if res.Total != first.Total {
					t.Fatalf("seed %d: %q: page %d of %d has the total %d, want %d", seed, q.Query, n, limit, res.Total, first.Total)
				}
				got = append(got, lines(res.Hits)...)
				if res.Next == nil || limit < 100 && n > 20 {
					break
				}
				page.After = res.Next
			}
			if limit < 100 {
				got = got[:min(len(got), limit*20)]
			}
			if diff := cmp.Diff(want[:len(got)], got); diff != "" || limit >= 100 && len(got) != len(want) {
				t.Errorf("seed %d: %q in pages of %d: -want +got\n%s", seed, q.Query, limit, diff)
			}
			page = q
			page.Limit, page.Offset = limit, 95
			if diff := cmp.Diff(want[95:min(95+limit, len(want))], lines(mustSearch(t, e, page).Hits)); diff != "" {
				t.Errorf("seed %d: %q from 95, %d hits: -want +got\n%s", seed, q.Query, limit, diff)
			}
		}
	}
}

// TestGroupsAreThoseOfTheWholeRanking compares with the ranking taken apart by
// hand.
func TestGroupsAreThoseOfTheWholeRanking(t *testing.T) {
	const seed = 4
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 300, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 1300))
	for _, q := range []string{"good part report", "flour place butter"} {
		r := Request{Query: q, Match: MatchAny, Limit: 1000}
		whole := mustSearch(t, e, r)
		byShelf := map[any][]string{}
		var want []string
		for i, h := range whole.Hits {
			shelf := string(h.Record[strings.Index(string(h.Record), `"shelf"`):])
			if len(byShelf[shelf]) == 0 {
				want = append(want, lines(whole.Hits[i:i+1])...)
			}
			byShelf[shelf] = append(byShelf[shelf], lines(whole.Hits[i:i+1])...)
		}
		r.Limit = 5
		const perGroup = 40 // more than a group has among the best
		r.Group = &GroupRequest{Field: "shelf", Limit: perGroup}
		res := mustSearch(t, e, r)
		if diff := cmp.Diff(want[:5], lines(res.Hits)); diff != "" {
			t.Errorf("seed %d: %q by shelf: -want +got\n%s", seed, q, diff)
		}
		for _, h := range res.Hits {
			shelf := string(h.Record[strings.Index(string(h.Record), `"shelf"`):])
			if diff := cmp.Diff(byShelf[shelf][:perGroup], lines(h.Group.Hits)); diff != "" {
				t.Errorf("seed %d: %q, group of %v: -want +got\n%s", seed, q, h.Group.Value, diff)
			}
		}
		r.After = res.Next
		if diff := cmp.Diff(want[5:], lines(mustSearch(t, e, r).Hits)); diff != "" {
			t.Errorf("seed %d: %q by shelf, second page: -want +got\n%s", seed, q, diff)
		}
	}
}

// TestLearningDependsOnTheRecordsAlone: other batches, another order, records
// that have gone meanwhile and earlier trainings make no difference.
func TestLearningDependsOnTheRecordsAlone(t *testing.T) {
	for _, words := range []int{0, 1500} { // all records, and a third of them
		t.Run(fmt.Sprintf("%d words", words), func(t *testing.T) {
			o := noLearning
			o.Vectors.Sample = words
			testLearningDependsOnTheRecordsAlone(t, &o)
		})
	}
}

func testLearningDependsOnTheRecordsAlone(t *testing.T, o *Options) {
	const seed = 5
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 0))
	records := subjectRecords(r, 0, 300)
	request := Request{Query: "good music oven", Match: MatchAny, Limit: 50}
	one := newEngine(t, o)
	fillSubjects(t, one, "a", 300, records)
	want := lines(mustSearch(t, one, request).Hits)

	r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	other := newEngine(t, o)
	fillSubjects(t, other, "a", 60, append(subjectRecords(r, 1000, 50), records[:200]...))
	b := puts("a", records[150:]...) // some of them for the second time
	for i := range 50 {
		b.Delete("a", fmt.Sprintf("r%d", 1000+i))
	}
	if _, err := other.Apply(ctx, b); err != nil {
		t.Fatal(err)
	}
	if err := other.TrainVectors(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, lines(mustSearch(t, other, request).Hits)); diff != "" {
		t.Errorf("seed %d: -want +got\n%s", seed, diff)
	}
}

func TestVectorsSurvive(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	d := newDisk(t, noLearning)
	fillSubjects(t, d.e, "a", 90, subjectRecords(r, 0, 600))
	q := Request{Query: "good string crust", Match: MatchAny, Limit: 30}
	want := lines(mustSearch(t, d.e, q).Hits)
	d.states("a", func(t *testing.T, e *Engine) {
		res := mustSearch(t, e, q)
		if diff := cmp.Diff(want, lines(res.Hits)); diff != "" || res.Query.Semantic == nil {
			t.Errorf("seed %d: -want +got\n%s", seed, diff)
		}
	})
	info, err := d.e.Index("a")
	if err != nil || info.LearntFrom != 600 {
		t.Errorf("learnt from %d records, error %v, want 600", info.LearntFrom, err)
	}
}

func TestVectorsGoWithTheSwitch(t *testing.T) {
	const seed = 7
	ctx := context.Background()
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 100, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 100))
	s := subjectSchema
	s.Semantic = SemanticOff
	if _, err := e.UpdateIndex(ctx, "a", s); err != nil {
		t.Fatal(err)
	}
	if res := mustSearch(t, e, Request{Query: "fuel road"}); res.Query.Semantic != nil {
		t.Error("ranked by meaning though the index is switched off")
	}
	if err := e.TrainVectors(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if info, _ := e.Index("a"); info.LearntFrom != 0 || info.Schema.Semantic != SemanticOff {
		t.Errorf("switched off, it is %v and has learnt from %d records", info.Schema.Semantic, info.LearntFrom)
	}
	s.Semantic = SemanticOn + 1
	if _, err := e.UpdateIndex(ctx, "a", s); !errors.Is(err, ErrInvalid) {
		t.Errorf("an unknown choice: %v", err)
	}
	if err := e.TrainVectors(ctx, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown index: %v", err)
	}
}

func TestLearningStaysWithinItsMemory(t *testing.T) {
	const seed = 8
	o := noLearning
	o.Vectors.Memory = 64 << 10 // of which an index may have half
	e := newEngine(t, &o)
	fillSubjects(t, e, "large", 400, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 400))
	fillSubjects(t, e, "small", 100, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 100))
	for name, want := range map[string]int64{"large": 0, "small": 100} {
		if info, err := e.Index(name); err != nil || info.LearntFrom != want {
			t.Errorf("%s: learnt from %d records, error %v, want %d", name, info.LearntFrom, err, want)
		}
	}
}

// TestTheBackgroundLearns: after the first training new records get vectors,
// and many of them another training.
func TestTheBackgroundLearns(t *testing.T) {
	const seed = 9
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 0))
	learnt := make(chan int, 16)
	e := newEngine(t, &Options{
		learnQuiet: time.Millisecond,
		Vectors:    VectorOptions{Records: 100, Words: 5},
		Events: Events{
			Learnt:     func(_ string, records int, _ time.Duration) { learnt <- records },
			Background: func(err error) { t.Error(err) },
		},
	})
	s := subjectSchema
	s.Semantic = SemanticAuto
	if _, err := e.CreateIndex(ctx, "a", s); err != nil {
		t.Fatal(err)
	}
	write := func(from, n int) {
		t.Helper()
		if _, err := e.Apply(ctx, puts("a", subjectRecords(r, from, n)...)); err != nil {
			t.Fatal(err)
		}
	}
	write(0, 99) // one too few
	for _, c := range []struct {
		from, n, learnt int
		model           int64
	}{{99, 1, 100, 100}, {100, 20, 20, 100}, {120, 29, 29, 100}, {149, 1, 150, 150}} {
		write(c.from, c.n)
		if got := <-learnt; got != c.learnt {
			t.Fatalf("seed %d: after %d records %d were learnt, want %d", seed, c.from+c.n, got, c.learnt)
		}
		if info, err := e.Index("a"); err != nil || info.LearntFrom != c.model {
			t.Errorf("seed %d: after %d records the model is of %d, error %v, want %d", seed, c.from+c.n, info.LearntFrom, err, c.model)
		}
	}
	if err := e.DeleteIndex(ctx, "a"); err != nil {
		t.Fatal(err)
	}
}

func TestTrainingEndsWithItsContext(t *testing.T) {
	const seed = 10
	e := newEngine(t, &noLearning)
	fillSubjects(t, e, "a", 100, subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 100))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.TrainVectors(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
	if info, err := e.Index("a"); err != nil || info.LearntFrom != 100 {
		t.Errorf("afterwards the model is of %d records, error %v, want 100", info.LearntFrom, err)
	}
}

// TestDistinctBesideRecordsWithoutAValue has records of which each stands for
// itself, within the window and behind it.
func TestDistinctBesideRecordsWithoutAValue(t *testing.T) {
	const seed = 9
	e := newEngine(t, &noLearning)
	records := subjectRecords(rand.New(rand.NewPCG(seed, 0)), 0, 400)
	without := regexp.MustCompile(`,"shelf":"s[0-5]"`)
	for i := range records {
		records[i] = without.ReplaceAllString(records[i], "")
	}
	fillSubjects(t, e, "a", 400, records)
	for _, q := range []string{"good report fuel", "engine bread", "music place butter"} {
		r := Request{Query: q, Match: MatchAny, Limit: 400, Facets: []FacetRequest{{Field: "shelf"}}}
		var want []string
		seen := map[string]bool{}
		for _, h := range mustSearch(t, e, r).Hits {
			var record struct{ Shelf string }
			if err := json.Unmarshal(h.Record, &record); err != nil {
				t.Fatal(err)
			}
			if record.Shelf == "" || !seen[record.Shelf] {
				want = append(want, h.ID)
			}
			seen[record.Shelf] = true
		}
		r.Distinct = "shelf"
		for _, limit := range []int{400, 40, 7} {
			r.Limit, r.After = limit, nil
			var got []string
			for {
				res := mustSearch(t, e, r)
				for _, h := range res.Hits {
					got = append(got, h.ID)
				}
				if r.After = res.Next; r.After == nil {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d: %q by pages of %d: -want +got\n%s", seed, q, limit, diff)
			}
		}
	}
}

// Words that weigh nothing give scores of 0, which there is no share of.
func TestMeaningOfWordsThatWeighNothing(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Semantic: SemanticOn, Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "k", Type: Keyword, Filter: true}}})
	apply(t, e, puts("i", `{"t":"red shoe","k":"a"}`, `{"t":"red hat","k":"a"}`, `{"t":"blue hat","k":"b"}`))
	if err := e.TrainVectors(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"red^0", "red^0.0000000000001", "k:a", "red^0.0000000000001 OR hat^0"} {
		for _, h := range find(t, e, &Request{Query: q, Syntax: SyntaxQuery}).Hits {
			if h.Score != 0 {
				t.Errorf("%s: score %v", q, h.Score)
			}
		}
	}
}
