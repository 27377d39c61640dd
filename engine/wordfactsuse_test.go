package engine

import (
	"context"
	"fmt"
	"testing"
)

// Facts of words must not outlive a change of settings, nor cross rights.
func TestFactsKnowSettingsAndRights(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	s := Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "u", Type: Text, Search: true}, {Name: "o", Type: Keyword, Filter: true}}}
	create(t, e, "i", s)
	var b Batch
	for n := range 40 {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":"camera lens","o":"a"}`, n))
		b.Put("i", fmt.Appendf(nil, `{"id":"s%d","u":"camerb secret","o":"b"}`, n))
	}
	apply(t, e, &b)
	ask := func(r Request) string {
		r.Indexes = []string{"i"}
		res := find(t, e, &r)
		told := fmt.Sprint(res.Query.Corrections, res.Query.DidYouMean, res.Total)
		for _, h := range res.Hits {
			if h.Explain != nil {
				for _, p := range h.Explain.Parts {
					told += fmt.Sprint(" ", p.Term, p.DF)
				}
			}
		}
		return told
	}
	cold := func(r Request) string {
		f := e.facts
		e.facts = newWordFacts(1 << 16)
		e.facts.join(&cacheMemory{limit: 1 << 30}, 0)
		defer func() { e.facts = f }()
		return ask(r)
	}
	reqs := []Request{
		{Query: "camerx"}, {Query: "camerx", Restrict: []string{`o = "a"`}}, {Query: "camerx", Restrict: []string{`o = "b"`}},
		{Query: "camerx", Fields: []FieldWeight{{Field: "t"}}}, {Query: "camerx", Fields: []FieldWeight{{Field: "u"}}},
		{Query: "camerx", Typo: Typo{OffFields: []string{"u"}}}, {Query: "camerx", Typo: Typo{OffFields: []string{"t"}}}, {Query: "camerx", Typo: Typo{Off: true}},
		{Query: "u:camerx", Syntax: SyntaxQuery}, {Query: "t:camerx", Syntax: SyntaxQuery},
		{Query: "cameralens"}, {Query: "cameralens", Restrict: []string{`o = "b"`}}, {Query: "cam era"}, {Query: "camerb"}, {Query: "secrat camerb"},
		{Query: "secrat", Restrict: []string{`o = "a"`}}, {Query: "camerx", Typo: Typo{Min1: 3, Min2: 4}}, {Query: "camer"}, {Query: "came"},
		{Query: `"camera lens"`, Explain: true, Limit: 2}, {Query: `"camera lens"`, Explain: true, Limit: 2, Fields: []FieldWeight{{Field: "u"}}},
		{Query: `"camera lens" secret`, Explain: true, Limit: 2, Restrict: []string{`o = "b"`}}, {Query: `"lens camera"~3`, Syntax: SyntaxQuery, Explain: true, Limit: 2},
		{Query: `"lens camera"`, Syntax: SyntaxQuery, Explain: true, Limit: 2}, {Query: `t:"camera lens"`, Syntax: SyntaxQuery, Explain: true, Limit: 2},
	}
	check := func(state string) {
		for range 2 {
			for i, r := range reqs {
				for j, o := range reqs {
					ask(o)
					if got, want := ask(r), cold(r); got != want {
						t.Errorf("%s: request %d after %d: %s, want %s", state, i, j, got, want)
					}
				}
			}
		}
	}
	check("as written")
	s.Fields[0].Analyzer = ""
	s.Synonyms = []Synonym{{Words: []string{"camerx", "lens"}}}
	s.StopWords = []string{"lens"}
	if _, err := e.UpdateIndex(ctx, "i", s); err != nil {
		t.Fatal(err)
	}
	check("settings")
	b = Batch{}
	for n := range 40 {
		b.Delete("i", fmt.Sprint(n))
	}
	apply(t, e, &b)
	check("deleted")
}

// TestFactsAreOfAllThatIsAsked: what is remembered of one request is not taken for what another
// one asks that is nearly the same.
func TestFactsAreOfAllThatIsAsked(t *testing.T) {
	for _, c := range []struct {
		language string
		titles   []string
		requests []Request
	}{
		{"pt", []string{"Importações de carros", "Importar carros", "Taxas"}, []Request{{Query: "importacao taxa"}, {Query: "importacão taxa"}, {Query: "importação taxa"}}},
		{"pt", []string{"Importação", "Importações de carros"}, []Request{{Query: "importacao "}, {Query: "importacão "}, {Query: "importação "}}},
		{"en", []string{"Screw HX M8", "Screw HXM 8", "Nuts"}, []Request{{Query: "hx-m8"}, {Query: "hxm8"}, {Query: "hxm-8"}, {Query: "h-xm8"}}},
		{"en", []string{"Screw HXM 8", "Nuts"}, []Request{{Query: "hxm8"}, {Query: "hxm8", Restrict: []string{`id != "1"`}}}},
		{"en", []string{"How to drag n drop", "Drops"}, []Request{{Query: "dragndrop "}, {Query: "drag'n'drop "}}},
		{"en", []string{"When I phone home", "Roma"}, []Request{{Query: "iphone "}, {Query: "iphone ", NoStopWords: true}, {Query: "iphone ", Language: "none"}}},
	} {
		told := func(e *Engine, r Request) string {
			res := find(t, e, &r)
			out := fmt.Sprintf("%+v", res.Query)
			for _, h := range res.Hits {
				out += fmt.Sprintf(" %s %v", h.ID, h.Score)
			}
			return out
		}
		for i, first := range c.requests {
			for j, second := range c.requests {
				e, cold := titled(t, c.language, c.titles...), titled(t, c.language, c.titles...)
				told(e, first)
				if got, want := told(e, second), told(cold, second); got != want {
					t.Errorf("%q (%d) after %q (%d): %s, want %s", second.Query, j, first.Query, i, got, want)
				}
			}
		}
	}
}
