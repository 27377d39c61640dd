package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/tokenize"
)

// TestListedPhrasesFollowTheRecords: what stands for words of a query, as two words or
// one, or by the thesaurus, finds and scores records whose neighbours come and go as it
// does in an engine that has never held any others.
func TestListedPhrasesFollowTheRecords(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("data base database time stamp timestamp head phones headphones heart attack infarction myocardial lamp the of")
	queries := strings.Fields("database timestamp headphones infarction")
	queries = append(queries, "data base", "time stamp lamp", "myocardial infarction ", "database timestamp headphones", "infarction the database")
	text := func() string {
		var out []string
		for range 1 + r.IntN(9) {
			if out = append(out, words[r.IntN(len(words))]); r.IntN(4) == 0 {
				out = append(out, []string{"data base", "heart attack", "time stamp", "head phones"}[r.IntN(4)])
			}
		}
		return strings.Join(out, " ")
	}
	schema := Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 2}, {Name: "body", Type: Text, Search: true}}}
	e := newEngine(t, nil)
	create(t, e, "i", schema)
	live := map[string]string{}
	phrases := 0
	for step := range 25 {
		b := &Batch{}
		for range 1 + r.IntN(30) {
			id := fmt.Sprintf("r%d", r.IntN(60))
			if r.IntN(3) == 0 {
				b.Delete("i", id)
				delete(live, id)
				continue
			}
			live[id] = fmt.Sprintf(`{"id":%q,"title":%q,"body":%q}`, id, text(), text())
			b.Put("i", []byte(live[id]))
		}
		apply(t, e, b)
		switch r.IntN(4) {
		case 0:
			if err := e.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := e.Merge(t.Context(), "i"); err != nil {
				t.Fatal(err)
			}
		}
		fresh := newEngine(t, nil)
		create(t, fresh, "i", schema)
		for _, record := range live {
			apply(t, fresh, puts("i", record))
		}
		for range 2 { // the second time, all that can be remembered is
			for _, q := range queries {
				for _, match := range []Match{MatchAuto, MatchAny} {
					req := &Request{Query: q, Match: match, Limit: 100, Prefix: PrefixOff, Explain: true, Semantic: SemanticRequest{Off: true}}
					got, want := find(t, e, req), find(t, fresh, req)
					if !maps.Equal(scoresOf(got), scoresOf(want)) || got.Total != want.Total {
						t.Fatalf("step %d: %q: %d records\n%v\nwant %d\n%v", step, q, got.Total, scoresOf(got), want.Total, scoresOf(want))
					}
					for _, h := range got.Hits {
						sum := 0.0
						for _, p := range h.Explain.Parts {
							if sum += p.Score; strings.Contains(p.Term, `"`) {
								phrases++
							}
						}
						if sum != h.Score {
							t.Fatalf("step %d: %q: %s has %v, by its parts %v", step, q, h.ID, h.Score, sum)
						}
					}
				}
			}
		}
	}
	if phrases == 0 {
		t.Error("no phrase stood for a word")
	}
}

// TestPhraseKeysDiffer: terms of analyzers of the application may have any bytes.
func TestPhraseKeysDiffer(t *testing.T) {
	keys := map[string][]string{}
	for _, terms := range [][]string{{"a b", "c"}, {"a", "b c"}, {"a", "b", "c"}, {"a:\x01b", "c"}, {"a", "b:\x01c"}, {"a\x00b", "c"}} {
		for _, fields := range []string{"", `="a",`} {
			key := phraseKey(fields, terms)
			if other, ok := keys[key]; ok {
				t.Errorf("%q in %q has the key of %q", terms, fields, other)
			}
			keys[key] = terms
		}
	}
}

// TestPhrasesOutOfSight: a caller that may not see all records is told of a phrase that stands
// for a word if some record within reach holds it, whether it is kept as a list or not.
func TestPhrasesOutOfSight(t *testing.T) {
	e := newEngine(t, &Options{NoMerge: true})
	create(t, e, "i", Schema{Fields: []Field{{Name: "name", Type: Text, Search: true}, {Name: "tag", Type: Keyword, Filter: true}}})
	for part := range 2 {
		b := &Batch{}
		for i := range maxListedPhrase/2 + 400 {
			name := []string{"base of data", "the data base"}[min(i%10, 1)^1]
			b.Put("i", fmt.Appendf(nil, `{"id":"%d-%d","name":%q,"tag":%q}`, part, i, name, []string{"a", "b"}[min(i%10, 1)]))
		}
		apply(t, e, b)
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, segments := range []string{"two segments", "one segment"} {
		for _, c := range []struct {
			tag  string
			want string // to b it is what its parts are
		}{{"a", "[{database data base}]"}, {"b", "[{database *base} {database data}]"}} {
			res := find(t, e, &Request{Query: "database", Restrict: []string{`tag = "` + c.tag + `"`}, Prefix: PrefixOff, Semantic: SemanticRequest{Off: true}})
			if got := fmt.Sprint(res.Query.Compounds); got != c.want || res.Total == 0 {
				t.Errorf("%s, %s: %d records, told of %s, want %s", segments, c.tag, res.Total, got, c.want)
			}
		}
		if err := e.Merge(t.Context(), "i"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPhrasesOfTermsWithSpaces: an analyzer of the application may make terms of which two
// phrases look alike.
func TestPhrasesOfTermsWithSpaces(t *testing.T) {
	a := analyzerOf(t, tokenize.Options{Version: "1", Language: "en", Filters: []tokenize.Filter{
		tokenize.Each(func(t *tokenize.Token) {
			switch string(t.Word) {
			case "nyk":
				t.Term = []byte("new york")
			case "ycy":
				t.Term = []byte("york citi") // "citi" is the stem of "city"
			}
		}),
	}})
	e := newEngine(t, withAnalyzer(a))
	create(t, e, "i", Schema{Fields: []Field{{Name: "name", Type: Text, Search: true, Analyzer: "own"}}})
	apply(t, e, puts("i", `{"id":"a","name":"nyk city"}`, `{"id":"b","name":"new ycy"}`))
	for _, c := range []struct{ q, want string }{{"nykcity", "a"}, {"newycy", "b"}, {"nykcity", "a"}} {
		if got := idsOf(find(t, e, &Request{Query: c.q, Prefix: PrefixOff})); got != c.want {
			t.Errorf("%q: %q, want %q", c.q, got, c.want)
		}
	}
}

// TestLongPhrasesAreListedLater: a phrase of frequent words becomes a list when it is searched
// for again, and the answers are the same.
func TestLongPhrasesAreListedLater(t *testing.T) {
	e := newEngine(t, &Options{NoMerge: true})
	create(t, e, "i", Schema{Fields: []Field{{Name: "name", Type: Text, Search: true}}})
	b := &Batch{}
	for i := range 2 * soonListedPhrase {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","name":%q}`, i, []string{"the data base", "base of data", "database"}[i%7%3]))
	}
	apply(t, e, b)
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := e.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer e.release(v)
	iv := v.indexes["i"]
	lists := func() int {
		l := e.lists.of(iv.ix.number, listPhrase, []byte(phraseKey(iv.schema.maskKey(nil), []string{"data", "base"})))
		n := 0
		for _, s := range iv.segs {
			if l.askSmall().find(s.uid) != nil || l.askLarge().find(s.uid) != nil {
				n++
			}
		}
		return n
	}
	ask := func() []string {
		return listed(find(t, e, &Request{Query: "database", Prefix: PrefixOff, Limit: 100}).Hits)
	}
	first := ask()
	if n := lists(); n != 0 {
		t.Errorf("a list was made at once")
	}
	for range 2 {
		if again := ask(); !slices.Equal(again, first) {
			t.Errorf("%q, before there was a list %q", again, first)
		}
	}
	if n := lists(); n != 1 {
		t.Errorf("no list was made: %d", n)
	}
}

// TestPhrasesInOneFieldOfSeveralIndexes: what is remembered of a phrase in one field is not
// taken for what is true of another.
func TestPhrasesInOneFieldOfSeveralIndexes(t *testing.T) {
	answer := func(titleFirst bool) int64 {
		e := newEngine(t, nil)
		for _, name := range []string{"i", "j"} {
			create(t, e, name, Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true}}})
			apply(t, e, puts(name, `{"id":"x","title":"qwerzuiop","body":"qwerzuiop lamp"}`))
		}
		b := &Batch{}
		for i := range maxListedPhrase + 100 {
			b.Put("i", fmt.Appendf(nil, `{"id":"%d","title":"zuiop of qwer","body":"a qwer zuiop"}`, i))
		}
		apply(t, e, b)
		if err := e.Merge(t.Context(), "i"); err != nil {
			t.Fatal(err)
		}
		in := func(field string) int64 {
			return find(t, e, &Request{Query: "qwerzuiop", Typo: Typo{Off: true}, Fields: []FieldWeight{{Field: field}}, Prefix: PrefixOff, Semantic: SemanticRequest{Off: true}}).Total
		}
		if titleFirst {
			in("title")
		}
		return in("body")
	}
	if alone, later := answer(false), answer(true); alone != later || alone < maxListedPhrase {
		t.Errorf("%d matches, and %d after a search in another field", alone, later)
	}
}
