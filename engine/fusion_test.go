package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

var lettersSchema = Schema{Fields: []Field{
	{Name: "title", Type: Text, Search: true, Weight: 3},
	{Name: "text", Type: Text, Search: true},
	{Name: "shelf", Type: Keyword, Facet: true, Sort: true},
	{Name: "v", Type: Vector, Embedder: "letters", From: []string{"title", "text"}},
}}

func lettersOptions() *Options {
	return &Options{Embedders: map[string]Embedder{"letters": letters{}}}
}

// fillLetters makes an index of records about a few subjects, embedded.
func fillLetters(t *testing.T, e *Engine, index string, records []string) {
	t.Helper()
	create(t, e, index, lettersSchema)
	for part := range slices.Chunk(records, 100) {
		apply(t, e, puts(index, part...))
	}
	if err := e.EmbedRecords(context.Background(), index); err != nil {
		t.Fatal(err)
	}
}

// TestFusionIsWhatItsFormulaSays computes the ranking from one by words alone
// and one by nearness alone.
func TestFusionIsWhatItsFormulaSays(t *testing.T) {
	const seed = 21
	r := rand.New(rand.NewPCG(seed, 0))
	e := newEngine(t, lettersOptions())
	fillLetters(t, e, "a", subjectRecords(r, 0, 400))
	for _, q := range []string{"car engine", "bread", "violin concert hall", "engin", "nothingofthekind"} {
		for _, hybrid := range []float64{0.2, 0.5, 0.9} {
			for _, nearest := range []int{5, 60} {
				words := find(t, e, &Request{Query: q, Limit: 1000, Match: MatchAny, Explain: true, Semantic: SemanticRequest{Off: true}})
				text := words.Query.Text
				row, _ := letters{}.Embed(context.Background(), QueryText, []string{text})
				near := find(t, e, &Request{Vector: row[0], Limit: 1000, Explain: true, Semantic: SemanticRequest{Nearest: 1000}})
				sims := map[string]float64{}
				for _, h := range near.Hits {
					sims[h.ID] = *h.Explain.Parts[0].Similarity
				}
				score := map[string]float64{}
				window := map[string]bool{}
				n := len(words.Hits)
				for n > rerankDepth && (n > rerankDepth || words.Hits[n-1].Score == words.Hits[rerankDepth].Score) {
					n--
				}
				for n > 0 && n < len(words.Hits) && words.Hits[n-1].Score == words.Hits[n].Score {
					n--
				}
				if n == 0 {
					n = min(rerankDepth, len(words.Hits))
				}
				for i, h := range words.Hits {
					score[h.ID] = h.Score
					if i < n {
						window[h.ID] = true
					}
				}
				for _, h := range near.Hits[:nearest] {
					score[h.ID] += 0
					window[h.ID] = true
				}
				least, most := math.Inf(1), math.Inf(-1)
				for id := range window {
					least, most = min(least, sims[id]), max(most, sims[id])
				}
				unit := 0.0 // the best score by words, without what a record gets for its name
				for _, h := range words.Hits {
					score := h.Score
					for _, p := range h.Explain.Parts {
						if p.Stage == StageName {
							score -= p.Score
						}
					}
					unit = max(unit, score)
				}
				if unit == 0 {
					unit = 1
				}
				for id := range window {
					score[id] += (sims[id] - least) / (most - least) * unit * hybrid / (1 - hybrid)
				}
				req := Request{Query: q, Limit: 1000, Match: MatchAny, Semantic: SemanticRequest{Hybrid: hybrid, Nearest: nearest}}
				res := find(t, e, &req)
				if int(res.Total) != len(score) || len(res.Hits) != len(score) {
					t.Fatalf("seed %d, %q: total %d and %d hits, want %d", seed, q, res.Total, len(res.Hits), len(score))
				}
				for i, h := range res.Hits {
					if math.Abs(h.Score-score[h.ID]) > 1e-4*(1+h.Score) {
						t.Fatalf("seed %d, %q, hybrid %v, nearest %d: hit %d, %s, scores %v, want %v", seed, q, hybrid, nearest, i, h.ID, h.Score, score[h.ID])
					}
				}
				if s := res.Query.Semantic; s == nil || s.Field != "v" || s.Hybrid != hybrid || s.Nearest != nearest {
					t.Errorf("semantic %+v", s)
				}
				req.Facets = []FacetRequest{{Field: "shelf"}}
				wantPages(t, e, req)
			}
		}
	}
}

func TestFusionGroupsFiltersAndFacets(t *testing.T) {
	const seed = 22
	r := rand.New(rand.NewPCG(seed, 0))
	e := newEngine(t, lettersOptions())
	fillLetters(t, e, "a", subjectRecords(r, 0, 300))
	for _, base := range []Request{
		{Query: "car engine"}, {Query: "bread", Filter: `shelf != "s1"`},
		{Query: "violin", Semantic: SemanticRequest{Hybrid: 1}},
		{Query: "violin bow", Match: MatchAll}, {Query: "violin", Semantic: SemanticRequest{Nearest: -1}},
		{Vector: make([]float32, 26)},
	} {
		if base.Vector != nil {
			base.Vector[0] = 1
		}
		base.Limit = 1000
		if base.Match == MatchAuto {
			base.Match = MatchAny // what matches does not depend on the limit
		}
		all := find(t, e, &base)
		best := map[string]string{}
		var order []string
		counts := map[string]int64{}
		for _, h := range all.Hits {
			shelf := shelfOf(t, h)
			if counts[shelf]++; best[shelf] == "" {
				best[shelf] = h.ID
				order = append(order, h.ID)
			}
			if base.Filter != "" && shelf == "s1" {
				t.Errorf("%q: %s is on a shelf that is filtered out", base.Query, h.ID)
			}
		}
		if int64(len(all.Hits)) != all.Total {
			t.Errorf("%q: %d hits of %d", base.Query, len(all.Hits), all.Total)
		}
		req := base
		req.Facets = []FacetRequest{{Field: "shelf", Limit: 20}}
		for _, v := range find(t, e, &req).Facets["shelf"].Values {
			if counts[v.Value.(string)] != v.Count {
				t.Errorf("%q: facet %v counts %d, the hits are %d", base.Query, v.Value, v.Count, counts[v.Value.(string)])
			}
		}
		req = base
		req.Distinct, req.Limit = "shelf", 3
		var got []string
		for {
			res := find(t, e, &req)
			if int(res.Total) != len(order) {
				t.Errorf("%q: %d distinct, want %d", base.Query, res.Total, len(order))
			}
			for _, h := range res.Hits {
				got = append(got, h.ID)
			}
			if req.After = res.Next; res.Next == nil || len(got) > len(order) {
				break
			}
		}
		if !slices.Equal(got, order) {
			t.Errorf("seed %d, %q: distinct gives %v, want %v", seed, base.Query, got, order)
		}
		req = base
		req.Group, req.Limit = &GroupRequest{Field: "shelf", Limit: 4}, 20
		for _, h := range find(t, e, &req).Hits {
			var want []string
			for _, o := range all.Hits {
				if shelfOf(t, o) == shelfOf(t, h) && len(want) < 4 {
					want = append(want, o.ID)
				}
			}
			var in []string
			for _, o := range h.Group.Hits {
				in = append(in, o.ID)
			}
			if !slices.Equal(in, want) || h.Group.Total != counts[shelfOf(t, h)] {
				t.Errorf("seed %d, %q: group of %s is %v of %d, want %v of %d", seed, base.Query, h.ID, in, h.Group.Total, want, counts[shelfOf(t, h)])
			}
		}
	}
}

func shelfOf(t *testing.T, h Hit) string {
	t.Helper()
	_, rest, ok := strings.Cut(string(h.Record), `"shelf":"`)
	if !ok {
		t.Fatalf("%s has no shelf", h.Record)
	}
	return rest[:strings.IndexByte(rest, '"')]
}

// TestFusionOfSeveralIndexesIsThatOfOne: records have the same scores in one
// index and in two.
func TestFusionOfSeveralIndexesIsThatOfOne(t *testing.T) {
	const seed = 23
	r := rand.New(rand.NewPCG(seed, 0))
	records := subjectRecords(r, 0, 300)
	e := newEngine(t, lettersOptions())
	fillLetters(t, e, "one", records)
	fillLetters(t, e, "parta", records[:170])
	fillLetters(t, e, "partb", records[170:])
	for _, req := range []Request{{Query: "car road"}, {Query: "oven yeast crust", Semantic: SemanticRequest{Nearest: 20}}, {Query: "music", Semantic: SemanticRequest{Hybrid: 1}}} {
		req.Limit = 1000
		req.Indexes = []string{"one"}
		one := scoresOf(find(t, e, &req))
		req.Indexes = []string{"part*"}
		two := scoresOf(find(t, e, &req))
		if len(one) != len(two) {
			t.Fatalf("seed %d, %q: %d hits in one index, %d in two", seed, req.Query, len(one), len(two))
		}
		for id, s := range one {
			if two[id] != s {
				t.Errorf("seed %d, %q: %s scores %v in one index, %v in two", seed, req.Query, id, s, two[id])
			}
		}
		wantPages(t, e, req)
	}
}

func scoresOf(res *Result) map[string]float64 {
	out := map[string]float64{}
	for _, h := range res.Hits {
		out[h.ID] = h.Score
	}
	return out
}

// TestEmbeddedVectorsLastAndFollowTheRecords: after a crash, a flush, a merge or
// a reopening the ranking is the same, and nothing is embedded twice.
func TestEmbeddedVectorsLastAndFollowTheRecords(t *testing.T) {
	const seed = 24
	r := rand.New(rand.NewPCG(seed, 0))
	count := &counting{letters: letters{}}
	d := newDisk(t, Options{Embedders: map[string]Embedder{"letters": count}})
	fillLetters(t, d.e, "a", subjectRecords(r, 0, 700))
	apply(t, d.e, puts("a", `{"id":"r0003","title":"quartz","text":"zzz zzz"}`))
	var b Batch
	b.Delete("a", "r0004")
	apply(t, d.e, &b)
	if err := d.e.EmbedRecords(context.Background(), "a"); err != nil {
		t.Fatal(err)
	}
	req := Request{Query: "zzzz zz", Limit: 40}
	want := lines(find(t, d.e, &req).Hits)
	if !strings.HasPrefix(want[0], "a/r0003 ") {
		t.Errorf("the first hit is %s", want[0])
	}
	texts := count.texts()
	d.states("a", func(t *testing.T, e *Engine) {
		if err := e.EmbedRecords(context.Background(), "a"); err != nil {
			t.Fatal(err)
		}
		if got := lines(find(t, e, &req).Hits); !slices.Equal(got, want) {
			t.Errorf("seed %d: got %v, want %v", seed, got, want)
		}
	})
	if n := count.texts(); n != texts {
		t.Errorf("%d texts of records were embedded again", n-texts)
	}
	// A rebuild gives records new numbers, so they are embedded again.
	s := lettersSchema.clone()
	s.Fields[1].Analyzer = "whitespace"
	if _, err := d.e.UpdateIndex(context.Background(), "a", *s); err != nil {
		t.Fatal(err)
	}
	if err := d.e.EmbedRecords(context.Background(), "a"); err != nil {
		t.Fatal(err)
	}
	if got := find(t, d.e, &req).Hits[0].ID; got != "r0003" {
		t.Errorf("after a rebuild the first hit is %s", got)
	}
}

// counting counts the texts of records that it embeds.
type counting struct {
	letters
	mu sync.Mutex
	n  int
}

func (c *counting) Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error) {
	c.mu.Lock()
	if kind == RecordText {
		c.n += len(texts)
	}
	c.mu.Unlock()
	return c.letters.Embed(ctx, kind, texts)
}

func (c *counting) texts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// begun is a counting that tells when it is asked for vectors of records.
type begun struct {
	counting
	once sync.Once
	told chan struct{}
}

func (b *begun) Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error) {
	if kind == RecordText {
		b.once.Do(func() { close(b.told) })
	}
	return b.counting.Embed(ctx, kind, texts)
}

// TestTheBackgroundEmbeds: nobody has to ask for it.
func TestTheBackgroundEmbeds(t *testing.T) {
	embedder := &begun{told: make(chan struct{})}
	e := newEngine(t, &Options{Embedders: map[string]Embedder{"letters": embedder}})
	create(t, e, "a", lettersSchema)
	apply(t, e, puts("a", `{"id":"1","title":"aaa"}`, `{"id":"2","title":"zzz"}`))
	<-embedder.told
	if err := e.EmbedRecords(context.Background(), "a"); err != nil { // waits for the end of what has begun
		t.Fatal(err)
	}
	if n := embedder.texts(); n != 2 {
		t.Errorf("%d texts were embedded, want 2 by the background and none after it", n)
	}
	if got := idsOf(find(t, e, &Request{Query: "z", Prefix: PrefixOff})); got != "2 1" {
		t.Errorf("found %q", got)
	}
}

// TestAnEmbedderThatIsDownCostsNothingElse: writes go on, words find, the
// failure is told, and the rest is made up for later.
func TestAnEmbedderThatIsDownCostsNothingElse(t *testing.T) {
	var mu sync.Mutex
	var told []string
	o := lettersOptions()
	tell := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err.Error())
	}
	down := 0
	o.Events.Background = tell
	o.Events.EmbedderDown = func(name string, err error) {
		tell(err)
		if down++; name != "letters" {
			t.Errorf("the embedder is called %q", name)
		}
	}
	e := newEngine(t, o)
	create(t, e, "a", lettersSchema)
	apply(t, e, puts("a", `{"id":"1","title":"it must fail"}`, `{"id":"2","title":"good words"}`))
	if err := e.EmbedRecords(context.Background(), "a"); err == nil {
		t.Error("a failing embedder is no error")
	}
	res := find(t, e, &Request{Query: "good fail"})
	if res.Query.Semantic == nil || !res.Query.Semantic.Failed {
		t.Errorf("semantic %+v, want failed", res.Query.Semantic)
	}
	if got := sortWords(idsOf(res)); got != "1 2" {
		t.Errorf("found %q", got)
	}
	// A record without vector is ranked by its words.
	if got := idsOf(find(t, e, &Request{Query: "must"})); got != "1" {
		t.Errorf("found %q", got)
	}
	apply(t, e, puts("a", `{"id":"1","title":"refuse this one"}`))
	if err := e.EmbedRecords(context.Background(), "a"); err != nil {
		t.Errorf("a refused text stops all: %v", err)
	}
	if got := idsOf(find(t, e, &Request{Query: "goods"})); got != "2" {
		t.Errorf("found %q", got)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, s := range told {
		if strings.Contains(s, "good") {
			t.Errorf("an error repeats a text: %s", s)
		}
	}
	if down == 0 {
		t.Error("nothing was told")
	}
}

// TestFusionOpensMatchesByMeaningOnly: words of no record find the records whose
// vectors are near, and the switch turns that off.
func TestFusionFindsWithoutWords(t *testing.T) {
	e := newEngine(t, lettersOptions())
	fillLetters(t, e, "a", []string{`{"id":"1","title":"listen"}`, `{"id":"2","title":"cup"}`})
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "silent", Typo: Typo{Off: true}, Semantic: SemanticRequest{Nearest: 1}}, "1"},
		{Request{Query: "silent", Typo: Typo{Off: true}, Semantic: SemanticRequest{Off: true}}, ""},
		{Request{Query: "silent", Typo: Typo{Off: true}, Ranking: RankingBM25}, ""},
		{Request{Query: "silent", Typo: Typo{Off: true}, Match: MatchAll}, ""},
		{Request{Query: "silent", Typo: Typo{Off: true}, Sort: []SortKey{{Field: "shelf"}}}, ""},
		{Request{Query: "silent", Typo: Typo{Off: true}, Semantic: SemanticRequest{Nearest: -1}}, ""},
		{Request{Query: "!!", Semantic: SemanticRequest{Off: true}}, ""},
	} {
		if got := idsOf(find(t, e, &c.r)); got != c.want {
			t.Errorf("%+v: found %q, want %q", c.r, got, c.want)
		}
	}
	info, _ := e.Index("a")
	if got := fmt.Sprint(info.Embedded); got != "[{v 0}]" {
		t.Errorf("embedded %s", got)
	}
}

func TestNamesOfEmbedders(t *testing.T) {
	for _, embedders := range []map[string]Embedder{{"": letters{}}, {"Own": letters{}}, {"two words": letters{}}, {"own": nil}} {
		if e, err := Open("", &Options{Embedders: embedders}); err == nil {
			t.Errorf("Open with %v: no error", embedders)
			e.Close()
		}
	}
}
