package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// store is records for the tests of words.
var store = []string{
	`{"id":"1","title":"Red running shoes","brand":"acme","tenant":1}`,
	`{"id":"2","title":"Blue running shoes","brand":"acme","tenant":2}`,
	`{"id":"3","title":"Happy red hat","brand":"zeta","tenant":1}`,
	`{"id":"4","title":"Kubernetes for beginners","brand":"zeta","tenant":2}`,
	`{"id":"5","title":"Television stand XR500","brand":"acme","tenant":2}`,
	`{"id":"6","title":"Red scarf","brand":"zeta","tenant":1}`,
}

func storeSchema() Schema {
	return Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "brand", Type: Text, Search: true, Filter: true},
		{Name: "tenant", Type: Int, Filter: true},
	}}
}

func newStore(t *testing.T) *Engine {
	t.Helper()
	e := newEngine(t, nil)
	create(t, e, "store", storeSchema())
	apply(t, e, puts("store", store...))
	return e
}

// understood sums up how a query was read.
func understood(res *Result) string {
	var parts []string
	for _, c := range res.Query.Corrections {
		parts = append(parts, c.From+">"+c.To)
	}
	if res.Query.DidYouMean != "" {
		parts = append(parts, "? "+res.Query.DidYouMean)
	}
	return strings.Join(parts, ", ")
}

func TestMisspeltWordsAreRepaired(t *testing.T) {
	e := newStore(t)
	for _, c := range []struct {
		req        Request
		understood string
		hits       string
	}{
		{Request{Query: "runing shoes"}, "runing>running", "1 2"},
		{Request{Query: "RUNNIGN"}, "RUNNIGN>running", "1 2"},
		{Request{Query: "happpy hat"}, "happpy>happy", "3"},
		{Request{Query: "hapy"}, "hapy>happy", "3"},                      // the stem is happi
		{Request{Query: "telvison stand"}, "telvison>television", "5"},   // two edits
		{Request{Query: "kuberntes"}, "kuberntes>kubernetes", "4"},       //
		{Request{Query: "kubernti"}, "kubernti>kubernetes", "4"},         // the beginning of a word with an edit
		{Request{Query: "kubern"}, "", "4"},                              // the beginning of a word
		{Request{Query: "kubern hat"}, "", "3"},                          // not the last word, and too far
		{Request{Query: `"runing"`}, "", ""},                             // quoted
		{Request{Query: `"runing shoes"`}, "", ""},                       //
		{Request{Query: "XR501"}, "", ""},                                // with digits
		{Request{Query: "xrs500"}, "", ""},                               //
		{Request{Query: "rad"}, "", ""},                                  // too short
		{Request{Query: "rad", Typo: Typo{Min1: 3}}, "rad>red", "6 1 3"}, //
		{Request{Query: "runing", Typo: Typo{Off: true}}, "? running", ""},
		{Request{Query: "red runing", Typo: Typo{Off: true}, Match: MatchAny}, "? red running", "6 1 3"},
		{Request{Query: "runing", Ranking: RankingBM25}, "", ""},
		{Request{Query: "shoes -runing"}, "", "1 2"},
		{Request{Query: "+runing blue"}, "runing>running", "2 1"},
		{Request{Query: "title:runing", Syntax: SyntaxQuery}, "runing>running", "1 2"},
		{Request{Query: "brand:runing", Syntax: SyntaxQuery}, "", ""},
		{Request{Query: "(runing OR blu) AND shoes", Syntax: SyntaxQuery}, "runing>running", "1 2"},
		{Request{Query: "runing", Typo: Typo{OffFields: []string{"title"}}}, "", ""},
		{Request{Query: "acmee", Typo: Typo{OffFields: []string{"title"}}}, "acmee>acme", "1 2 5"},
		{Request{Query: "runing*"}, "", ""},
		{Request{Query: "kubernetes"}, "", "4"},
		{Request{Query: "scarfs red", Match: MatchAll}, "", "6"},
	} {
		res := find(t, e, &c.req)
		if got := understood(res); got != c.understood {
			t.Errorf("%q %+v: read as %q, want %q", c.req.Query, c.req.Typo, got, c.understood)
		}
		if got := idsOf(res); got != c.hits {
			t.Errorf("%q %+v: hits %q, want %q", c.req.Query, c.req.Typo, got, c.hits)
		}
	}
	if res := find(t, e, &Request{Query: `red  "hat" runing shoes`}); res.Query.Text != `red  "hat" running shoes` {
		t.Errorf("the text of the query is %q", res.Query.Text)
	}
}

// An everyday word that no record holds is one that the records lack, and no slip
// for another word, if the query says anything else.
func TestEverydayWordsAreMeantAsWritten(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "store", storeSchema())
	apply(t, e, puts("store",
		`{"id":"1","title":"Gold ring"}`, `{"id":"2","title":"Snow shovel"}`, `{"id":"3","title":"Pumpkin soup"}`, `{"id":"4","title":"Peas and ice"}`))
	for _, c := range []struct {
		req        Request
		understood string
		hits       string
	}{
		{Request{Query: "good ideas to know for pumpkin"}, "", "3"},
		{Request{Query: "a nice pumpkin soup"}, "", "3"},
		{Request{Query: "good ring"}, "", "1"},
		{Request{Query: "good"}, "", ""}, // nothing tells that it was not meant
		{Request{Query: "good", Language: "de"}, "good>gold", "1"},
		{Request{Query: "gohld ideas"}, "gohld>gold", "1"},
		{Request{Query: "know pumkpin"}, "pumkpin>pumpkin", "3"},
		{Request{Query: "good pumpkin", Language: "de"}, "good>gold", "3 1"}, // no word of that language
		{Request{Query: "soap shoves"}, "", ""},                              // in no list of what people say, but written
		{Request{Query: "soap pumpkin"}, "? soup pumpkin", "3"},              // that stands beside the other word
		{Request{Query: "soap shovel"}, "", "2"},                             // and that does not
		{Request{Query: "shovle"}, "shovle>shovel", "2"},
	} {
		res := find(t, e, &c.req)
		if got := understood(res); got != c.understood {
			t.Errorf("%q: read as %q, want %q", c.req.Query, got, c.understood)
		}
		if got := idsOf(res); got != c.hits {
			t.Errorf("%q: hits %q, want %q", c.req.Query, got, c.hits)
		}
	}
}

// A name that no record holds is what the records lack, too: no slip for a word that is near it. That
// one is offered where next to nothing is found and it stands beside the other words, unless everybody
// uses it all the time.
func TestNamesAreMeantAsWritten(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "store", storeSchema())
	apply(t, e, puts("store",
		`{"id":"1","title":"Idea for a shelf"}`, `{"id":"2","title":"A line of shoes, nice ones"}`, `{"id":"3","title":"User receipt"}`,
		`{"id":"4","title":"Song about a camera"}`, `{"id":"5","title":"Diet and veto, min house"}`))
	for _, c := range []struct {
		req        Request
		understood string
		hits       string
	}{
		{Request{Query: "ikea shelf"}, "", "1"},
		{Request{Query: "nike shoes"}, "", "2"},
		{Request{Query: "uber receipt"}, "", "3"},
		{Request{Query: "sony camera"}, "", "4"},
		{Request{Query: "keto diet"}, "? veto diet", "5"},
		{Request{Query: "mini house"}, "? min house", "5"},
		{Request{Query: "keto"}, "", ""},
		{Request{Query: "ikea shelf", Language: "de"}, "ikea>idea", "1"}, // there are names of English alone
		{Request{Query: "ikea shelf", NoSynonyms: true}, "", "1"},
		{Request{Query: "usre receipt"}, "usre>user", "3"}, // slips are slips all the same
		{Request{Query: "shlef"}, "shlef>shelf", "1"},
	} {
		res := find(t, e, &c.req)
		if got := understood(res); got != c.understood {
			t.Errorf("%q: read as %q, want %q", c.req.Query, got, c.understood)
		}
		if got := idsOf(res); got != c.hits {
			t.Errorf("%q: hits %q, want %q", c.req.Query, got, c.hits)
		}
	}
}

func TestRepairsAreExplained(t *testing.T) {
	e := newStore(t)
	exact, typo := find(t, e, &Request{Query: "running", Explain: true, Tuning: termsAlone}), find(t, e, &Request{Query: "runing", Explain: true, Highlight: &HighlightRequest{}, Tuning: termsAlone})
	h := typo.Hits[0]
	sum := 0.0
	for i, p := range h.Explain.Parts {
		sum += p.Score
		full := exact.Hits[0].Explain.Parts[i]
		if p.From != "runing" || p.Edits != 1 || p.Term != full.Term || math.Abs(p.Penalty-full.Penalty*typoPenalty) > 1e-12 || full.Edits != 0 {
			t.Errorf("part %+v, of the word as it should be %+v", p, full)
		}
	}
	if sum != h.Score {
		t.Errorf("the parts add up to %v, the score is %v", sum, h.Score)
	}
	if len(h.Highlight) != 1 || h.Highlight[0].Text != "Red <mark>running</mark> shoes" {
		t.Errorf("highlight %+v", h.Highlight)
	}
}

// TestRepairsKeepSecrets: words of records that the caller cannot see are no
// repairs, and do not keep other words from being repaired.
func TestRepairsKeepSecrets(t *testing.T) {
	e := newStore(t)
	for _, c := range []struct{ query, restrict, understood string }{
		{"kuberntes", "tenant = 1", ""},
		{"kuberntes", "tenant = 2", "kuberntes>kubernetes"},
		{"bluee", "tenant = 1", ""},
		{"bluee", "tenant = 2", "bluee>blue"},
		{"runing", "tenant = 1", "runing>running"},
	} {
		res := find(t, e, &Request{Query: c.query, Restrict: []string{c.restrict}})
		if got := understood(res); got != c.understood {
			t.Errorf("%q under %q: %q, want %q", c.query, c.restrict, got, c.understood)
		}
	}
	apply(t, e, puts("store", `{"id":"7","title":"runing man","tenant":3}`))
	for restrict, want := range map[string]string{"tenant = 3": "", "tenant = 1": "runing>running"} {
		if got := understood(find(t, e, &Request{Query: "runing", Restrict: []string{restrict}})); got != want {
			t.Errorf("under %q: %q, want %q", restrict, got, want)
		}
	}
}

func TestRepairsOverSeveralIndexes(t *testing.T) {
	e := newStore(t)
	create(t, e, "autos", Schema{Language: "de", Fields: []Field{{Name: "name", Type: Text, Search: true}, {Name: "code", Type: Text, Search: true, Analyzer: "whitespace"}}})
	apply(t, e, puts("autos", `{"id":"a","name":"Häuser und runing"}`, `{"id":"b","name":"Kubernetis","code":"XY-1"}`))
	for _, c := range []struct{ query, understood, hits string }{
		{"runing", "", "a"}, // one index holds it
		{"hauser", "", "a"},
		{"hausser", "hausser>häuser", "a"},
		{"televsion", "televsion>television", "5"},
		{"kubernetas", "kubernetas>kubernetes", "4"}, // equal but for the spelling
	} {
		res := find(t, e, &Request{Query: c.query})
		if understood(res) != c.understood || idsOf(res) != c.hits {
			t.Errorf("%q: %q with %q, want %q with %q", c.query, understood(res), idsOf(res), c.understood, c.hits)
		}
	}
}

// TestRepairsEqualOracle compares repairs with those that a look at all words
// of all records finds, while records come and go.
func TestRepairsEqualOracle(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5))
		d := newDisk(t, Options{FlushRecords: 50})
		create(t, d.e, "i", Schema{Language: "none", Fields: []Field{{Name: "t", Type: Text, Search: true}}})
		syllables := strings.Fields("an be con da el fo gra hi in jo ka lo")
		word := func() string {
			w := ""
			for range 2 + r.IntN(3) {
				w += syllables[r.IntN(len(syllables))]
			}
			return w
		}
		records := map[string][]string{}
		for range 6 {
			var b Batch
			for range 40 {
				id := fmt.Sprint(r.IntN(120))
				if r.IntN(4) == 0 {
					b.Delete("i", id)
					delete(records, id)
					continue
				}
				records[id] = []string{word(), word(), word()}
				b.Put("i", fmt.Appendf(nil, `{"id":%q,"t":%q}`, id, strings.Join(records[id], " ")))
			}
			apply(t, d.e, &b)
		}
		df := map[string]int64{}
		for _, words := range records {
			seen := map[string]bool{}
			for _, w := range words {
				if !seen[w] {
					seen[w] = true
					df[w]++
				}
			}
		}
		var queries []string
		for range 40 {
			w := []byte(word())
			if i := r.IntN(len(w)); i > 0 && r.IntN(2) == 0 {
				w[i], w[i-1] = w[i-1], w[i]
				if j := r.IntN(len(w)); j > 0 && r.IntN(2) == 0 {
					w[j], w[j-1] = w[j-1], w[j]
				}
			} else {
				w[i] = 'x'
			}
			queries = append(queries, string(w))
		}
		d.states("i", func(t *testing.T, e *Engine) {
			for _, q := range queries {
				want := oracleRepair(q, df)
				if got := understood(find(t, e, &Request{Query: q, Prefix: PrefixOff})); got != want {
					t.Fatalf("seed %d: %q: %q, want %q", seed, q, got, want)
				}
			}
		})
	}
}

func oracleRepair(q string, df map[string]int64) string {
	if df[q] > 0 {
		return ""
	}
	typo := Typo{}
	limit := typo.edits(utf8.RuneCountInString(q))
	doubted := false
	among := func(near func(w string, d int, moved bool) bool, all bool) string {
		best, least, edits := "", 0.0, 0
		for w, n := range df {
			d, moved := editDistance(q, w), sameLetters(q, w)
			if !near(w, d, moved) {
				continue
			}
			if !all && !moved && w[0] != q[0] && (len(q) < firstLetters || d > 1 && len(q) < farFirstLetters) {
				doubted = true
				continue
			}
			at := rank(&candidate{edits: d, moved: moved}, n, 0, false)
			if best == "" || at < least || at == least && (d < edits || d == edits && w < best) {
				best, least, edits = w, at, d
			}
		}
		return best
	}
	best := among(func(w string, d int, moved bool) bool { return d <= limit }, false)
	if best == "" && !doubted && limit == 1 && len(q) >= farLetters {
		best = among(func(w string, d int, moved bool) bool { return d <= 2 && moved && w[0] == q[0] }, false)
	}
	if best == "" {
		if best = among(func(w string, d int, moved bool) bool { return d <= min(limit, 1) }, true); best != "" {
			return "? " + best
		}
		return ""
	}
	return q + ">" + best
}

// editDistance is the optimal string alignment distance of two ASCII words.
func editDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestTypoIsValidated(t *testing.T) {
	e := newStore(t)
	for _, c := range []struct {
		typo    Typo
		code    string
		pointer string
	}{
		{Typo{Min1: 2}, CodeInvalidRequest, "/typo/min1"},
		{Typo{Min1: 65}, CodeInvalidRequest, "/typo/min1"},
		{Typo{Min1: 6, Min2: 5}, CodeInvalidRequest, "/typo/min2"},
		{Typo{OffFields: []string{"title", "nope"}}, CodeUnknownField, "/typo/off_fields/1"},
	} {
		_, err := e.Search(context.Background(), &Request{Query: "x", Typo: c.typo})
		wantProblem(t, err, c.code, c.pointer)
	}
}

// TestFarMoreFrequentReadings: a rare word is left as it is, but if it finds
// next to nothing a far more frequent one is offered.
func TestFarMoreFrequentReadings(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	var b Batch
	for i := range 2 * farMore {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":"a running shoe in red"}`, i))
	}
	b.Put("i", []byte(`{"id":"x","t":"runing with spoons"}`))
	b.Put("i", []byte(`{"id":"y","t":"spoon"}`))
	apply(t, e, &b)
	for _, c := range []struct {
		req  Request
		want string
		hits int64
	}{
		{Request{Query: "runing"}, "? running", 1},
		{Request{Query: "red -runing"}, "", 2 * farMore},
		{Request{Query: "spoons"}, "", 2},
		{Request{Query: "runing", Ranking: RankingBM25}, "", 1},
		{Request{Query: "running"}, "", 2 * farMore},
		{Request{Query: `"runing"`}, "", 1},
	} {
		res := find(t, e, &c.req)
		if understood(res) != c.want || res.Total != c.hits {
			t.Errorf("%q: %q with %d hits, want %q with %d", c.req.Query, understood(res), res.Total, c.want, c.hits)
		}
	}
}

// A word that is only repaired in fields that a clause does not look into is taken as it
// is written there, and what its beginning stands for in no field at all must not be
// taken for what it stands for in all of them.
func TestRepairedInOtherFieldsOnly(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "store", storeSchema())
	records := []string{`{"id":"1","title":"Happy hat","brand":"Acme"}`, `{"id":"2","title":"Red","brand":"Happy"}`, `{"id":"3","title":"Blue happyland","brand":"Other"}`}
	apply(t, e, puts("store", records...))
	// "happy" also stands for what begins with it: this is looked for in a field at a time.
	plain := Request{Query: "acme happy", Match: MatchAny}
	score := func() float64 { return find(t, e, &plain).Hits[0].Score }
	off := Request{Syntax: SyntaxQuery, Prefix: PrefixAll, Typo: Typo{OffFields: []string{"title"}}}
	for _, q := range []string{"title:happpy OR happpy", "brand:acme OR title:happpy OR happpy", "title:happpy"} {
		off.Query = q
		find(t, e, &off)
	}
	got := score()
	again := newEngine(t, nil)
	create(t, again, "store", storeSchema())
	apply(t, again, puts("store", records...))
	if e = again; got != score() {
		t.Errorf("the score is %v, and %v where nobody searched before", got, score())
	}
	off.Query = "title:happpy OR happpy"
	if res := find(t, e, &off); understood(res) != "happpy>happy" || idsOf(res) != "2" {
		t.Errorf("read as %q, hits %q", understood(res), idsOf(res))
	}
}
