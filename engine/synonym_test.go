package engine

import (
	"context"
	"strings"
	"testing"
)

func TestSynonyms(t *testing.T) {
	d := newDisk(t, Options{})
	ctx := context.Background()
	s := Schema{NoThesaurus: true, Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "code", Type: Text, Search: true}}}
	create(t, d.e, "i", s)
	apply(t, d.e, puts("i",
		`{"id":"1","title":"a tv for the kitchen"}`, `{"id":"2","title":"televisions are back"}`, `{"id":"3","title":"new mobile phone"}`,
		`{"id":"4","title":"smartphones"}`, `{"id":"5","title":"an old phone"}`, `{"id":"6","title":"trainers in red"}`,
		`{"id":"7","title":"phone that is mobile"}`, `{"id":"8","title":"running shoes for the kitchen"}`))
	s.Synonyms = []Synonym{
		{Words: []string{"tv", "television", "goggle box"}},
		{From: "phone", To: []string{"smartphone", "mobile phone"}},
		{From: "running shoes", To: []string{"trainers"}},
		{From: "big apple", To: []string{"kitchen"}},
	}
	if _, err := d.e.UpdateIndex(ctx, "i", s); err != nil {
		t.Fatal(err)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			req  Request
			want string
		}{
			{Request{Query: "tv"}, "1 2"},
			{Request{Query: "television"}, "1 2"},
			{Request{Query: "goggle boxes"}, "1 2"},
			{Request{Query: "goggle"}, ""},
			{Request{Query: "tv", NoSynonyms: true}, "1"},
			{Request{Query: "tv", Ranking: RankingBM25}, "1"},
			{Request{Query: `"tv"`}, "1"},
			{Request{Query: "phone", Prefix: PrefixOff}, "3 4 5 7"},
			{Request{Query: "smartphone"}, "4"},
			{Request{Query: "red running shoes", Match: MatchAll}, "6"},
			{Request{Query: "running shoes"}, "6 8"},
			{Request{Query: "kitchen tv", Match: MatchAll}, "1"},
			{Request{Query: "+tv"}, "1 2"},
			{Request{Query: "kitchen -tv"}, "8"},
			{Request{Query: "televison"}, "1 2"}, // first repaired
			{Request{Query: "title:tv AND back", Syntax: SyntaxQuery}, "2"},
			{Request{Query: "code:tv", Syntax: SyntaxQuery}, ""},
			{Request{Query: "tv", Fields: []FieldWeight{{Field: "code"}}}, ""},
			{Request{Query: "big apple"}, "1 8"},
			{Request{Query: "big-apple"}, "1 8"},
		} {
			if got := sortWords(idsOf(find(t, e, &c.req))); got != c.want {
				t.Errorf("%+v: %q, want %q", c.req, got, c.want)
			}
		}
		res := find(t, e, &Request{Query: "tv", Explain: true, Highlight: &HighlightRequest{}})
		if idsOf(res) != "1 2" {
			t.Errorf("%q: the word itself does not come first", idsOf(res))
		}
		h := res.Hits[1]
		sum := 0.0
		for _, p := range h.Explain.Parts {
			sum += p.Score
			if p.From != "tv" || p.Penalty >= 1 || p.Term != "televis" && p.Term != "television" {
				t.Errorf("part %+v", p)
			}
		}
		if sum != h.Score {
			t.Errorf("the parts add up to %v, the score is %v", sum, h.Score)
		}
		if len(h.Highlight) != 1 || h.Highlight[0].Text != "<mark>televisions</mark> are back" {
			t.Errorf("highlight %+v", h.Highlight)
		}
	})
}

// TestRareSynonymsDoNotRise: a synonym in one record weighs no more than the
// word of the query in many.
func TestRareSynonymsDoNotRise(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}, Synonyms: []Synonym{{Words: []string{"tv", "goggle"}}}})
	apply(t, e, puts("i", `{"id":"1","t":"goggle red"}`, `{"id":"2","t":"tv blue"}`, `{"id":"3","t":"tv green"}`, `{"id":"4","t":"tv black"}`, `{"id":"5","t":"white"}`))
	if got := idsOf(find(t, e, &Request{Query: "tv"})); got != "2 3 4 1" {
		t.Errorf("hits %q", got)
	}
}

func TestStopWords(t *testing.T) {
	e := newEngine(t, nil)
	s := Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}}
	create(t, e, "i", s)
	apply(t, e, puts("i", `{"id":"1","t":"acme red shoes"}`, `{"id":"2","t":"red shoes"}`, `{"id":"3","t":"und the shoes"}`))
	got := func(r Request) string { r.Match = MatchAuto; r.Limit = 2; return idsOf(find(t, e, &r)) }
	if ids := got(Request{Query: "acme red shoes"}); ids != "1 2" {
		t.Errorf("before: %q", ids)
	}
	total := func(r Request) int64 { r.Limit = 1; return find(t, e, &r).Total }
	if n := total(Request{Query: "acme red shoes"}); n != 1 {
		t.Errorf("acme is a content word, and %d records match", n)
	}
	s.StopWords = []string{"Acmé"}
	if _, err := e.UpdateIndex(context.Background(), "i", s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		req  Request
		want int64
	}{
		{Request{Query: "acme red shoes"}, 2},
		{Request{Query: "acme red shoes", NoStopWords: true}, 1},
		{Request{Query: "und shoes"}, 1},
		{Request{Query: "und shoes", Language: "de"}, 3},
		{Request{Query: "the shoes"}, 3},
		{Request{Query: "the shoes", NoStopWords: true}, 1},
		{Request{Query: "the shoes", Language: "de"}, 1},
		{Request{Query: "the acme shoes", Language: "none"}, 1},
	} {
		if got := total(c.req); got != c.want {
			t.Errorf("%+v: %d records, want %d", c.req, got, c.want)
		}
	}
	_, err := e.Search(context.Background(), &Request{Query: "x", Language: "xx"})
	wantProblem(t, err, CodeInvalidRequest, "/language")
}

func TestWordSettingsAreValidated(t *testing.T) {
	e := newEngine(t, nil)
	long := strings.Repeat("x", maxSettingBytes+1)
	for _, c := range []struct {
		s    Schema
		code string
		at   string
	}{
		{Schema{Synonyms: []Synonym{{}}}, CodeInvalidRequest, "/synonyms/0"},
		{Schema{Synonyms: []Synonym{{Words: []string{"a"}}}}, CodeInvalidRequest, "/synonyms/0/words"},
		{Schema{Synonyms: []Synonym{{Words: []string{"a", " "}}}}, CodeInvalidRequest, "/synonyms/0/words/1"},
		{Schema{Synonyms: []Synonym{{From: "a"}}}, CodeInvalidRequest, "/synonyms/0"},
		{Schema{Synonyms: []Synonym{{From: "a", To: []string{long}}}}, CodeInvalidRequest, "/synonyms/0/to/0"},
		{Schema{Synonyms: []Synonym{{From: "a", To: make([]string, maxAlternatives+1)}}}, CodeLimitExceeded, "/synonyms/0/to"},
		{Schema{Synonyms: make([]Synonym, maxSynonyms+1)}, CodeLimitExceeded, "/synonyms"},
		{Schema{StopWords: []string{"a", "b c"}}, CodeInvalidRequest, "/stop_words/1"},
		{Schema{Rules: []Rule{{ID: "r", Hide: []string{"1"}}, {ID: "r", Hide: []string{"1"}}}}, CodeInvalidRequest, "/rules/1/id"},
		{Schema{Rules: []Rule{{ID: "r", Query: "x"}}}, CodeInvalidRequest, "/rules/0"},
		{Schema{Rules: []Rule{{ID: "r", Contains: true, Hide: []string{"1"}}}}, CodeInvalidRequest, "/rules/0/when/query"},
		{Schema{Rules: []Rule{{ID: "r", Pin: []Pin{{ID: "1", Index: "x"}}}}}, CodeInvalidRequest, "/rules/0/pin/0/index"},
		{Schema{Rules: []Rule{{ID: "r", Pin: []Pin{{ID: "1", Position: 2}, {ID: "2", Position: 2}}}}}, CodeInvalidRequest, "/rules/0/pin/1/position"},
	} {
		_, err := e.CreateIndex(context.Background(), "i", c.s)
		wantProblem(t, err, c.code, c.at)
	}
}
