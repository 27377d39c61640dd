package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage/storagetest"
	"github.com/quarry-search/quarry/tokenize"
)

// skeletons is an analyzer whose terms are the words without their vowels, so
// that "running" is found as "runnyng"; version is that of its rules.
func skeletons(t testing.TB, version string) *tokenize.Analyzer {
	t.Helper()
	return analyzerOf(t, tokenize.Options{Version: version, Language: "en", Filters: []tokenize.Filter{
		tokenize.Each(func(t *tokenize.Token) {
			t.Term = append([]byte("~"), strings.NewReplacer("a", "", "e", "", "i", "", "o", "", "u", "", "y", "").Replace(string(t.Word))...)
		}),
	}})
}

// grams is an analyzer of a version 1, whose terms are all runs of three
// letters of the words.
func grams(t testing.TB) *tokenize.Analyzer {
	return analyzerOf(t, tokenize.Options{Version: "1", Filters: []tokenize.Filter{
		func(tokens iter.Seq[tokenize.Token], _ bool) iter.Seq[tokenize.Token] {
			return func(yield func(tokenize.Token) bool) {
				at := 0
				for t := range tokens {
					word := []rune(string(t.Word))
					for i := range max(1, len(word)-2) {
						g := t
						g.Term = []byte("~" + string(word[i:min(i+3, len(word))]))
						g.Word, g.Position, at = g.Term, at, at+1
						if !yield(g) {
							return
						}
					}
				}
			}
		},
	}})
}

func analyzerOf(t testing.TB, o tokenize.Options) *tokenize.Analyzer {
	t.Helper()
	a, err := tokenize.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// withAnalyzer are options with one analyzer, called own.
func withAnalyzer(a *tokenize.Analyzer) *Options {
	return &Options{Analyzers: map[string]*tokenize.Analyzer{"own": a}}
}

func ownSchema() Schema {
	return Schema{Fields: []Field{{Name: "name", Type: Text, Search: true, Analyzer: "own"}, {Name: "n", Type: Int, Filter: true}}}
}

// TestOwnAnalyzerEqualsOracle is TestEngineEqualsOracle with rules for words
// that the engine does not have.
func TestOwnAnalyzerEqualsOracle(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playOracle(t, 100+seed, skeletons(t, "1"))
		})
	}
}

// syntaxOf lets a query name a field.
func syntaxOf(query string) Syntax {
	if strings.Contains(query, ":") {
		return SyntaxQuery
	}
	return SyntaxSimple
}

// TestOwnAnalyzer: what an analyzer makes of a text decides what finds it, what
// is shown of it, and what is offered and repaired.
func TestOwnAnalyzer(t *testing.T) {
	e := newEngine(t, withAnalyzer(skeletons(t, "1")))
	create(t, e, "i", ownSchema())
	apply(t, e, puts("i", `{"id":"1","name":"Running shoes"}`, `{"id":"2","name":"Rannyng shoes"}`, `{"id":"3","name":"A hat"}`))
	for query, want := range map[string]string{
		"runnyng shoes": "1 2",
		"rannyng shoes": "2 1", // what is spelt alike comes first
		"running shoes": "1 2",
		`"ronning"`:     "1 2",
		"name:hat":      "3",
		"runni":         "1", // a word that is not finished is one that is written so
	} {
		res := find(t, e, &Request{Query: query, Syntax: syntaxOf(query), Match: MatchAll, Typo: Typo{Off: true}})
		if got := idsOf(res); got != want {
			t.Errorf("%q finds %s, want %s", query, got, want)
		}
	}
	h := find(t, e, &Request{Query: "hot", Highlight: &HighlightRequest{Pre: "<", Post: ">"}}).Hits
	if len(h) != 1 || len(h[0].Highlight) != 1 || h[0].Highlight[0].Text != "A <hat>" {
		t.Errorf("hot: %+v", h)
	}
	for typed, want := range map[string]string{"r": "rannyng rannyng shoes", "sh": "shoes", "~": ""} {
		res, err := e.Suggest(context.Background(), &SuggestRequest{Query: typed})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range res.Suggestions {
			got = append(got, s.Text)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q is completed as %q, want %q", typed, s, want)
		}
	}
}

// TestGrams: a field of runs of letters finds the middle of a word, beside one
// of words, and leaves completions and denials alone.
func TestGrams(t *testing.T) {
	e := newEngine(t, withAnalyzer(grams(t)))
	create(t, e, "i", Schema{Fields: []Field{{Name: "part", Type: Text, Search: true, Analyzer: "own"}, {Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("i", `{"id":"1","part":"XRJ-4471-B","title":"drive belt"}`, `{"id":"2","part":"QRJ-4479-C","title":"drive belt cover"}`))
	for query, want := range map[string]int{"part:447": 2, "part:4471": 1, "part:71": 0, "belt": 2, "drive belt without cover": 2} {
		if got := find(t, e, &Request{Query: query, Syntax: syntaxOf(query), Match: MatchAll, Typo: Typo{Off: true}}).Total; got != int64(want) {
			t.Errorf("%q: %d records, want %d", query, got, want)
		}
	}
	if h := find(t, e, &Request{Query: "drive belt without cover"}).Hits; h[0].ID != "1" {
		t.Errorf("what is not wanted comes first: %+v", h)
	}
}

func TestNamesOfAnalyzers(t *testing.T) {
	a := skeletons(t, "1")
	for _, analyzers := range []map[string]*tokenize.Analyzer{{"code": a}, {"": a}, {"Own": a}, {"own": nil}} {
		if e, err := Open("", &Options{Analyzers: analyzers}); err == nil {
			t.Errorf("Open with %v: no error", analyzers)
			e.Close()
		}
	}
	e := newEngine(t, withAnalyzer(a))
	_, err := e.CreateIndex(context.Background(), "i", Schema{Fields: []Field{{Name: "name", Type: Text, Analyzer: "others"}}})
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "known are whitespace, code, own") {
		t.Errorf("an unknown analyzer: %v", err)
	}
}

// TestStoreNeedsItsAnalyzers: a directory is not opened without the analyzers of
// its indexes, and with others it is not searched or written to before a rebuild;
// going back is always possible.
func TestStoreNeedsItsAnalyzers(t *testing.T) {
	ctx := context.Background()
	query := &Request{Query: "runnyng", Typo: Typo{Off: true}}
	d := newDisk(t, *withAnalyzer(skeletons(t, "1")))
	e := d.e
	create(t, e, "i", ownSchema())
	create(t, e, "other", Schema{Dynamic: true})
	apply(t, e, puts("i", `{"id":"1","name":"running"}`))
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("i", `{"id":"2","name":"walking"}`))

	without := Options{fs: d.fs.(*storagetest.CrashFS).Clone(0, 1), MinFreeBytes: -1}
	if e, err := Open("data", &without); !errors.Is(err, ErrNoAnalyzer) || !strings.Contains(err.Error(), `index "i": field "name"`) {
		t.Errorf("without the analyzer: %v", err)
		if err == nil {
			e.Close()
		}
	}
	d.o = *withAnalyzer(grams(t)) // another version
	d.crash()
	e = d.e
	stale := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrOtherAnalyzer) || !strings.Contains(err.Error(), `index "i"`) {
			t.Errorf("%s: %v, want %v", what, err, ErrOtherAnalyzer)
		}
	}
	_, err := e.Search(ctx, query)
	stale("a search", err)
	_, err = e.Suggest(ctx, &SuggestRequest{Query: "r"})
	stale("completions", err)
	for _, op := range []Op{
		{Kind: OpPut, Record: []byte(`{"name":"x"}`)}, {Kind: OpPatch, ID: "1", Record: []byte(`{"n":1}`)},
		{Kind: OpDelete, ID: "1"}, {Kind: OpDeleteWhere, Filter: "n = 1"},
	} {
		op.Index = "i"
		_, err = e.Apply(ctx, &Batch{Ops: []Op{op}, Partial: true})
		stale("a write", err)
	}
	if info, err := e.Index("i"); err != nil || info.State != "stale" || info.Records != 2 {
		t.Errorf("%+v, %v", info, err)
	}
	if r, err := e.Record(ctx, "i", "2"); err != nil || string(r.JSON) != `{"id":"2","name":"walking"}` {
		t.Errorf("a record: %s, %v", r.JSON, err)
	}
	apply(t, e, puts("other", `{"id":"1","name":"running"}`))
	if got := find(t, e, &Request{Indexes: []string{"other"}, Query: "running"}).Total; got != 1 {
		t.Errorf("the other index: %d records", got)
	}
	if err := e.Check(ctx); err != nil {
		t.Error(err)
	}
	if err := errors.Join(e.Flush(ctx), e.Merge(ctx, "i")); err != nil {
		t.Error(err)
	}

	reopen := func(a *tokenize.Analyzer) {
		t.Helper()
		if err := e.Check(ctx); err != nil {
			t.Error(err)
		}
		d.o = *withAnalyzer(a)
		d.reopen()
		e = d.e
	}
	reopen(skeletons(t, "1")) // back again: nothing of the other rules is left
	query.Indexes = []string{"i"}
	if got := find(t, e, query).Total; got != 1 {
		t.Errorf("with the first analyzer again: %d records, want 1", got)
	}

	reopen(skeletons(t, "2"))
	_, err = e.Search(ctx, query)
	stale("a search", err)
	info, err := e.Index("i")
	if err != nil {
		t.Fatal(err)
	}
	// A note that another process carries out under a third version.
	if info, err = e.StartUpdate(ctx, "i", info.Schema); err != nil || info.State != "rebuilding" {
		t.Fatalf("%+v, %v", info, err)
	}
	reopen(grams(t))
	if info, err = e.Rebuild(ctx, "i", nil); err != nil || info.State != "ready" {
		t.Fatalf("%+v, %v", info, err)
	}
	if got := find(t, e, &Request{Indexes: []string{"i"}, Query: "nni", Typo: Typo{Off: true}}).Total; got != 1 {
		t.Errorf("after the rebuild: %d records, want 1", got)
	}
	reopen(skeletons(t, "2")) // UpdateIndex with the schema as it is
	if info, err = e.Index("i"); err != nil || info.State != "stale" {
		t.Fatalf("%+v, %v", info, err)
	}
	if info, err = e.UpdateIndex(ctx, "i", info.Schema); err != nil || info.State != "ready" {
		t.Fatalf("%+v, %v", info, err)
	}
	if got := find(t, e, query).Total; got != 1 {
		t.Errorf("after the update: %d records, want 1", got)
	}
}

// TestOtherRulesOfALanguage: an index whose words an older program has made by other rules
// of its language is neither searched nor written to before it is rebuilt; one of a language
// whose rules are the same goes on.
func TestOtherRulesOfALanguage(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	for _, language := range []string{"en", "tr"} {
		create(t, d.e, language, Schema{Language: language, Dynamic: true, Fields: []Field{{Name: "name", Type: Text, Search: true}}})
		// An older program notes no rules.
		d.e.writers[language].schema.Fields[0].rules = ""
		apply(t, d.e, puts(language, `{"id":"1","name":"telefon","n":1}`))
	}
	d.reopen()
	query := &Request{Indexes: []string{"tr"}, Query: "telefonlar", Typo: Typo{Off: true}}
	if got := find(t, d.e, &Request{Indexes: []string{"en"}, Query: "telefon"}).Total; got != 1 {
		t.Errorf("English: %d records, want 1", got)
	}
	if _, err := d.e.Search(ctx, query); !errors.Is(err, ErrOtherAnalyzer) || !strings.Contains(err.Error(), `the language "tr"`) {
		t.Errorf("a search: %v, want %v", err, ErrOtherAnalyzer)
	}
	if _, err := d.e.Apply(ctx, puts("tr", `{"id":"2"}`)); !errors.Is(err, ErrOtherAnalyzer) {
		t.Errorf("a write: %v, want %v", err, ErrOtherAnalyzer)
	}
	info, err := d.e.Index("tr")
	if err != nil || info.State != "stale" {
		t.Fatalf("%+v, %v", info, err)
	}
	if info, err = d.e.UpdateIndex(ctx, "tr", info.Schema); err != nil || info.State != "ready" {
		t.Fatalf("%+v, %v", info, err)
	}
	apply(t, d.e, puts("tr", `{"id":"2","name":"masa","brand":"elbiseler"}`)) // a field of its own
	d.reopen()
	for text, want := range map[string]string{"telefonlar": "1", "masası": "2", "elbise": "2"} {
		query.Query = text
		if got := idsOf(find(t, d.e, query)); got != want {
			t.Errorf("%q after the rebuild: %s, want %s", text, got, want)
		}
	}
}

// TestRepairNeedsAnalyzers: a schema is not given up for one without them.
func TestRepairNeedsAnalyzers(t *testing.T) {
	dir := t.TempDir()
	e, err := Open(dir, withAnalyzer(skeletons(t, "1")))
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, "i", ownSchema())
	apply(t, e, puts("i", `{"id":"1","name":"running"}`))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Repair(context.Background(), dir, t.TempDir(), nil); !errors.Is(err, ErrNoAnalyzer) {
		t.Errorf("Repair: %v, want %v", err, ErrNoAnalyzer)
	}
}

// TestTypedIndexFollowsItsAnalyzer: Bind rebuilds what has another version, and
// changes nothing where there is nothing to change.
func TestTypedIndexFollowsItsAnalyzer(t *testing.T) {
	type thing struct {
		ID   string
		Name string `quarry:"analyzer=own"`
	}
	ctx := context.Background()
	dir := t.TempDir()
	var versions []uint64
	for _, version := range []string{"1", "1", "2"} {
		e, err := Open(dir, withAnalyzer(skeletons(t, version)))
		if err != nil {
			t.Fatal(err)
		}
		things, err := Bind[thing](ctx, e, "things", nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(versions) == 0 {
			if err := things.Put(ctx, thing{"1", "running"}); err != nil {
				t.Fatal(err)
			}
		}
		if got := find(t, e, &Request{Query: "runnyng", Typo: Typo{Off: true}}).Total; got != 1 {
			t.Errorf("version %s: %d records, want 1", version, got)
		}
		versions = append(versions, e.Version())
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if versions[1] != versions[0] || versions[2] == versions[1] {
		t.Errorf("the engine had the versions %v: the second Bind changes nothing, the third does", versions)
	}
}

// TestFaultyAnalyzer: what an analyzer must not give is an error for the record
// or the query, and not a panic or another result.
func TestFaultyAnalyzer(t *testing.T) {
	a := analyzerOf(t, tokenize.Options{Version: "1", Filters: []tokenize.Filter{tokenize.Each(func(t *tokenize.Token) {
		if string(t.Word) == "bad" {
			t.End = 1 << 20
		}
	})}})
	e := newEngine(t, withAnalyzer(a))
	create(t, e, "i", ownSchema())
	apply(t, e, puts("i", `{"id":"1","name":"good"}`))
	ctx := context.Background()
	if _, err := e.Apply(ctx, puts("i", `{"id":"2","name":["good","bad"]}`)); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), `"name"`) {
		t.Errorf("a record: %v", err)
	}
	for _, q := range []string{"bad", "good bad", `"good bad"`, "name:bad", "-bad good"} {
		if _, err := e.Search(ctx, &Request{Query: q}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", q, err)
		}
	}
	if got := find(t, e, &Request{Query: "good"}).Total; got != 1 {
		t.Errorf("good: %d records, want 1", got)
	}
}
