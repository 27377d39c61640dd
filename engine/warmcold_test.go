package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var warmWords = strings.Fields(`note book notebook camera phone graph photograph photo foto phantom fantom laptop laptops lap top
 red blue green the of and without not no cheap price under over battery batteries charge charger charging york new newyork
 running runner runs run happily happy happiness wireless wire less mouse keyboard board key screen monitor monitors stand
 sony samsung canon nikon apple apples banana orange juice water bottle bottles glass glasses sun sunglasses`)

// warmRand makes up queries, records and requests.
type warmRand struct{ *rand.Rand }

func (r warmRand) word() string {
	// zipf-like
	i := int(float64(len(warmWords)) * r.Float64() * r.Float64())
	return warmWords[i]
}

func (r warmRand) words(n int) string {
	var out []string
	for range 1 + r.IntN(n) {
		out = append(out, r.word())
	}
	return strings.Join(out, " ")
}

func (r warmRand) typo(w string) string {
	if len(w) < 4 {
		return w
	}
	b := []byte(w)
	i := 1 + r.IntN(len(b)-2)
	switch r.IntN(3) {
	case 0:
		b[i], b[i+1] = b[i+1], b[i]
	case 1:
		b = append(b[:i], b[i+1:]...)
	case 2:
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

func (r warmRand) query() string {
	var out []string
	for range 1 + r.IntN(5) {
		w := r.word()
		switch r.IntN(14) {
		case 0:
			w = `"` + r.word() + " " + r.word() + `"`
		case 1:
			w = "+" + w
		case 2:
			w = "-" + w
		case 3, 4:
			w = r.typo(w)
		case 5:
			w = "without " + w
		case 6:
			w = "under 50"
		case 7:
			w = w[:max(2, len(w)-2)] + "*"
		case 8:
			w = "wi-" + w
		case 9:
			w = `"` + r.words(3) + `"`
		case 10:
			w = r.word() + r.word()
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func (r warmRand) record(id string) []byte {
	m := map[string]any{"id": id, "title": r.words(4), "body": r.words(25), "brand": []string{"sony", "samsung", "canon", "apple"}[r.IntN(4)],
		"price": r.IntN(100), "stock": r.IntN(5), "new": r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		m["title"] = r.word()
	}
	b, _ := json.Marshal(m)
	return b
}

func (r warmRand) request() *Request {
	q := &Request{Query: r.query(), Indexes: [][]string{{"a"}, {"a"}, {"b"}, {"a", "b"}}[r.IntN(4)]}
	q.Limit = []int{0, 1, 5, 40, 1000, -1}[r.IntN(6)]
	q.Ranking = []Ranking{RankingDefault, RankingDefault, RankingDefault, RankingBM25}[r.IntN(4)]
	q.Match = Match(r.IntN(3))
	q.Prefix = Prefix(r.IntN(3))
	q.Explain = r.IntN(3) == 0
	if q.Limit >= 0 {
		q.Offset = []int{0, 0, 3, 30}[r.IntN(4)]
	}
	if r.IntN(4) == 0 {
		q.Filter = []string{"price < 50", `brand = "sony"`, "stock = 1 AND new = true"}[r.IntN(3)]
	}
	if r.IntN(4) == 0 {
		q.Restrict = []string{[]string{`brand = "canon"`, "price > 30", "stock = 99"}[r.IntN(3)]}
	}
	if r.IntN(4) == 0 {
		q.Facets = []FacetRequest{{Field: "brand"}, {Field: "price", Stats: true}}
	}
	if r.IntN(6) == 0 && q.Limit > 0 {
		q.Group = &GroupRequest{Field: "brand", Limit: 2}
		q.Offset = 0
	}
	if r.IntN(6) == 0 {
		q.Fields = []FieldWeight{{Field: []string{"title", "body"}[r.IntN(2)]}}
	}
	if r.IntN(8) == 0 {
		q.Sort = []SortKey{{Field: "price"}}
	}
	if r.IntN(8) == 0 {
		q.Highlight = &HighlightRequest{}
	}
	if r.IntN(10) == 0 {
		q.Typo = Typo{Off: r.IntN(2) == 0}
		if !q.Typo.Off {
			q.Typo.Min1, q.Typo.Min2 = 3, 5
		}
	}
	if r.IntN(12) == 0 {
		q.Typo.OffFields = []string{"title"}
	}
	if r.IntN(10) == 0 {
		q.Language = []string{"de", "none"}[r.IntN(2)]
	}
	if r.IntN(10) == 0 {
		q.NoSynonyms = true
	}
	if r.IntN(10) == 0 {
		q.Intent.Mode = IntentOff
	}
	if r.IntN(12) == 0 {
		q.MinScore = 0.5
	}
	if r.IntN(12) == 0 {
		q.Tuning = Tuning{Title: 3, Proximity: 2}
	}
	if r.IntN(15) == 0 { // something is wrong
		q.Filter = "nothing = 1"
	}
	return q
}

// answerOf is all of an answer but its time and version.
func answerOf(ctx context.Context, e *Engine, q *Request) string {
	c := *q
	res, err := e.Search(ctx, &c)
	if err != nil {
		return "error: " + err.Error()
	}
	res.Took, res.Version = 0, 0
	b, err := json.Marshal(res)
	if err != nil {
		return "marshal: " + err.Error()
	}
	return string(b)
}

// TestWarmEqualsCold asks many at once, beside writes to another index and beside searches
// that are cut short, of an engine that has been asked before. Each answer is that of an
// engine that was just opened, to the last byte, and some are compared with the search
// that scores everything.
func TestWarmEqualsCold(t *testing.T) {
	ctx := context.Background()
	for seed := uint64(1); seed < 2; seed++ {
		r := warmRand{rand.New(rand.NewPCG(seed, 3))}
		dir := t.TempDir()
		opts := &Options{FlushRecords: 100 + r.IntN(200), FlushBytes: 1 << 15, Memory: []int64{0, leastMemory, 64 << 20}[r.IntN(3)]}
		open := func() *Engine {
			e, err := Open(dir, opts)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		e := open()
		for _, name := range []string{"a", "b", "c"} {
			s := oracleSchema()
			s.Synonyms = append(s.Synonyms, warmSynonyms()...)
			if _, err := e.CreateIndex(ctx, name, s); err != nil {
				t.Fatal(err)
			}
		}
		write := func(name string, n int) {
			for range n / 50 {
				var b Batch
				for range 50 {
					id := fmt.Sprintf("r%d", r.IntN(900))
					if r.IntN(6) == 0 {
						b.Delete(name, id)
					} else {
						b.Put(name, r.record(id))
					}
				}
				if _, err := e.Apply(ctx, &b); err != nil {
					t.Fatal(err)
				}
			}
		}
		write("a", 1000)
		write("b", 300)
		var reqs []*Request
		for range 120 {
			reqs = append(reqs, r.request())
		}
		for phase := range 3 {
			for _, q := range reqs { // facts of the state before
				answerOf(ctx, e, q)
				if r.IntN(2) == 0 {
					answerOf(ctx, e, q)
				}
			}
			write("a", 200)
			if phase == 1 {
				if err := e.Merge(ctx, "a"); err != nil {
					t.Fatal(err)
				}
			}
			got := make([]atomic.Pointer[string], len(reqs))
			var stop atomic.Bool
			var searchers, others sync.WaitGroup
			for g := range 5 {
				searchers.Go(func() {
					r := warmRand{rand.New(rand.NewPCG(seed, 100+uint64(g)))}
					for range 2 {
						for _, i := range r.Perm(len(reqs)) {
							a := answerOf(ctx, e, reqs[i])
							if old := got[i].Load(); old == nil {
								got[i].Store(&a)
							} else if *old != a {
								t.Errorf("seed %d phase %d request %d: answers differ: %+v\n%s\n%s", seed, phase, i, *reqs[i], *old, a)
							}
							if r.IntN(6) == 0 { // cut short
								c, cancel := context.WithTimeout(ctx, time.Duration(r.IntN(400))*time.Microsecond)
								answerOf(c, e, reqs[r.IntN(len(reqs))])
								cancel()
								q := *reqs[r.IntN(len(reqs))]
								q.Timeout = time.Duration(1+r.IntN(600)) * time.Microsecond
								answerOf(ctx, e, &q)
							}
							if r.IntN(20) == 0 {
								e.Suggest(ctx, &SuggestRequest{Indexes: []string{"a"}, Query: r.query()})
							}
						}
					}
				})
			}
			others.Go(func() {
				r := warmRand{rand.New(rand.NewPCG(seed, 777))}
				for n := 0; !stop.Load() && n < 200; n++ {
					var b Batch
					for i := range 20 {
						b.Put("c", fmt.Appendf(nil, `{"id":"s%d","title":"secret %s","body":"secret %s %s"}`, r.IntN(300), r.words(2), r.words(9), strings.Repeat("notebook ", i)))
					}
					if _, err := e.Apply(ctx, &b); err != nil {
						t.Error(err)
					}
					q := r.request()
					q.Indexes = []string{"c"}
					if strings.HasPrefix(q.Filter, "nothing") {
						q.Filter = ""
					}
					answerOf(ctx, e, q)
				}
			})
			searchers.Wait()
			stop.Store(true)
			others.Wait()
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			for i, q := range reqs {
				cold := open()
				ex := *q
				want := answerOf(ctx, cold, q)
				cold.Close()
				if a := *got[i].Load(); a != want {
					t.Errorf("seed %d phase %d request %d: warm differs from cold: %+v\nwarm %.3000s\ncold %.3000s", seed, phase, i, *q, a, want)
				}
				if i%7 == phase { // and from the exhaustive search
					cold = open()
					ex.Exhaustive = true
					if x := answerOf(ctx, cold, &ex); x != want {
						t.Errorf("seed %d phase %d request %d: exhaustive differs: %+v\n%.2000s\n%.2000s", seed, phase, i, *q, want, x)
					}
					cold.Close()
				}
			}
			e = open()
			if t.Failed() {
				e.Close()
				return
			}
		}
		e.Close()
	}
}

func warmSynonyms() []Synonym {
	return []Synonym{{Words: []string{"photo", "picture graph"}}, {Words: []string{"laptop", "notebook"}}}
}
