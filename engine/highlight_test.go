package engine

import (
	"context"
	"fmt"
	"html"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

func TestHighlightsShowWhatMatched(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true}, {Name: "tags", Type: Text, Search: true},
	}})
	long := strings.Repeat("filler goes on here ", 10)
	apply(t, e, puts("i",
		`{"id":"1","title":"Tom & Jerry's \"night train\" <b>","body":"a train by night, the night train, a night on the train","tags":["red","blue train","train red"]}`,
		`{"id":"2","title":"numbers","body":`+fmt.Sprintf("%q", "the the the the the "+long+"the old lighthouse keeper and the sea "+long)+`,"tags":[7,true]}`,
	))
	for _, c := range []struct {
		name string
		req  Request
		h    HighlightRequest
		want string
	}{
		{"escaped", Request{Query: "jerry"}, HighlightRequest{}, `title@0=Tom &amp; <mark>Jerry&#39;s</mark> &#34;night train&#34; &lt;b&gt;`},
		{"not escaped", Request{Query: "jerry"}, HighlightRequest{Escape: EscapeNone}, `title@0=Tom & <mark>Jerry's</mark> "night train" <b>`},
		{"phrases where they stand", Request{Query: `"night train"`}, HighlightRequest{Fields: []string{"body"}, Pre: "[", Post: "]"}, `body@0=a train by night, the [night] [train], a night on the train`},
		{"phrases with room", Request{Query: `"night train"~2`, Syntax: SyntaxQuery}, HighlightRequest{Fields: []string{"body"}, Pre: "[", Post: "]"}, `body@0=a train by [night], the [night] [train], a [night] on the [train]`},
		{"fields of the query", Request{Query: "title:train", Syntax: SyntaxQuery}, HighlightRequest{Pre: "[", Post: "]", Escape: EscapeNone}, `title@0=Tom & Jerry's "night [train]" <b>`},
		{"fields of the request", Request{Query: "train", Fields: []FieldWeight{{Field: "tags"}}}, HighlightRequest{Pre: "[", Post: "]"}, `tags@0=blue [train]#1+[train] red#2`},
		{"the text of a list that shows most", Request{Query: "red train"}, HighlightRequest{Fields: []string{"tags"}, Pre: "[", Post: "]"}, `tags@0=[train] [red]#2+[red]#0+blue [train]#1`},
		{"the densest place, not the fullest", Request{Query: "the lighthouse sea"}, HighlightRequest{Fields: []string{"body"}, Words: 6, Pre: "[", Post: "]"}, `body@224=old [lighthouse] keeper and the [sea]`},
		{"filler between words of the query", Request{Query: "the keeper and the sea"}, HighlightRequest{Fields: []string{"body"}, Words: 6, Pre: "[", Post: "]"}, `body@228=lighthouse [keeper] [and] [the] [sea] filler`},
		{"filler in a phrase", Request{Query: `"by night" train`}, HighlightRequest{Fields: []string{"body"}, Words: 6, Pre: "[", Post: "]"}, `body@2=[train] [by] [night], the night [train]`},
		{"a title of the query's words", Request{Query: "the numbers of"}, HighlightRequest{Fields: []string{"title"}, Pre: "[", Post: "]"}, `title@0=[numbers]`},
		{"nothing but filler", Request{Query: "and the"}, HighlightRequest{Fields: []string{"body"}, Words: 4, Pre: "[", Post: "]"}, `body@239=keeper [and] [the] sea`},
		{"values that are no strings", Request{Query: "7 true", Match: MatchAll, Prefix: PrefixOff}, HighlightRequest{Fields: []string{"tags"}, Pre: "[", Post: "]"}, `tags@0=[7]+[true]#1`},
	} {
		c.req.Highlight = &c.h
		res := find(t, e, &c.req)
		if len(res.Hits) == 0 {
			t.Errorf("%s: no hit", c.name)
			continue
		}
		var got []string
		for _, l := range res.Hits[0].Highlight {
			s := fmt.Sprintf("%s@%d=%s", l.Field, l.Start, l.Text)
			if l.Item > 0 {
				s += fmt.Sprint("#", l.Item)
			}
			for _, m := range l.More {
				s += fmt.Sprintf("+%s#%d", m.Text, m.Item)
				if m.Field != l.Field || m.More != nil {
					t.Errorf("%s: %+v", c.name, m)
				}
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, s, c.want)
		}
	}
}

// TestHighlightsOfLists: the text that shows most is what is shown, the others
// that match stand beside it, in their order.
func TestHighlightsOfLists(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "tags", Type: Text, Search: true}, {Name: "a.b", Type: Text, Search: true}}})
	var many, all []string
	for i := range 150 {
		many = append(many, fmt.Sprintf("red %d", i))
		if i == 120 {
			many[i] = "red hat"
		} else if len(all) < 100 {
			all = append(all, fmt.Sprint("[red] ", i))
		}
	}
	apply(t, e, puts("i",
		`{"id":"1","tags":["red","blue",null,"dark red hat &",7,["red"]],"a":[{"b":"x"},{"b":"red"},{"b":["y","hat"]}]}`,
		fmt.Sprintf(`{"id":"2","tags":["%s"]}`, strings.Join(many, `","`)),
		`{"id":"3","tags":"red"}`, `{"id":"4","tags":["blue","red"]}`,
	))
	marks := func(id string, words int) map[string]string {
		res := find(t, e, &Request{Query: "red hat", Match: MatchAny, Filter: fmt.Sprintf("id = %q", id), Highlight: &HighlightRequest{Pre: "[", Post: "]", Words: words}})
		out := map[string]string{}
		for _, h := range res.Hits[0].Highlight {
			s := fmt.Sprintf("%d:%s@%d", h.Item, h.Text, h.Start)
			for _, m := range h.More {
				s += fmt.Sprintf("|%d:%s@%d", m.Item, m.Text, m.Start)
			}
			out[h.Field] = s
		}
		return out
	}
	for _, c := range []struct {
		id    string
		words int
		field string
		want  string
	}{
		{"1", 0, "tags", "2:dark [red] [hat] &amp;@0|0:[red]@0|4:[red]@0"},
		{"1", 0, "a.b", "1:[red]@0|3:[hat]@0"},
		{"1", 2, "tags", "2:[red] [hat] &amp;@5|0:[red]@0|4:[red]@0"},
		{"3", 0, "tags", "0:[red]@0"},
		{"4", 0, "tags", "1:[red]@0"},
	} {
		if got := marks(c.id, c.words)[c.field]; got != c.want {
			t.Errorf("%s of %s, %d words: %s, want %s", c.field, c.id, c.words, got, c.want)
		}
	}
	res := find(t, e, &Request{Query: "red hat", Filter: `id = "2"`, Highlight: &HighlightRequest{Pre: "[", Post: "]"}})
	h := res.Hits[0].Highlight[0]
	var more []string
	for _, m := range h.More {
		more = append(more, m.Text)
	}
	if h.Item != 120 || h.Text != "[red] [hat]" || strings.Join(more, "|") != strings.Join(all, "|") {
		t.Errorf("item %d %q, and %d more: %q", h.Item, h.Text, len(more), more)
	}
}

// FuzzHighlight: what is left of a highlight without its marks, unescaped, is
// the text; a fragment is a part of it, and begins where it says; matches lie
// on the boundaries of characters.
func FuzzHighlight(f *testing.F) {
	f.Add("Tom & Jerry's <b>night train</b>", `night "jerry tom" tr`, 3, "en", false)
	f.Add("東京都に行きました。京都も", "京都 行", 2, "", false)
	f.Add("parseHTTPHeader and camelCase", "http case", 1, "", true)
	f.Add("Crème brûlée 😀 ﬁne l'été &amp;", "creme fine ete", 0, "fr", false)
	f.Fuzz(func(t *testing.T, text, q string, words int, language string, parts bool) {
		if !utf8.ValidString(text) || len(text) > 4000 || len(q) > 200 {
			return
		}
		a, err := tokenize.New(tokenize.Options{Language: language, Parts: parts})
		if err != nil {
			return
		}
		n, err := query.ParseSimple(q, query.Limits{})
		if err != nil {
			return
		}
		m := &marker{analyzer: a, single: map[string]int{}, phrases: map[string][]int{}}
		query.Walk(n, func(n query.Node) bool {
			if n, ok := n.(query.Text); ok {
				var p markedTerm
				for _, tok := range a.AnalyzeQuery(n.Text) {
					p.terms, p.offsets = append(p.terms, string(tok.Term)), append(p.offsets, tok.Position)
				}
				if p.prefix, p.weight = n.Prefix && len(p.terms) == 1, wordWorth; len(p.terms) > 0 {
					m.add(p)
				}
			}
			return true
		})
		words = max(0, words%50)
		const pre, post = "\ue000", "\ue001"
		if strings.ContainsAny(text, pre+post) {
			return
		}
		fr, _ := m.fragment(text, words, func() bool { return false })
		if fr.worth == 0 {
			return
		}
		for _, escape := range [...]Escape{EscapeHTML, EscapeNone} {
			h := fr.highlight(&HighlightRequest{Pre: pre, Post: post, Words: words, Escape: escape})
			bare := strings.NewReplacer(pre, "", post, "").Replace(h.Text)
			if escape == EscapeHTML {
				bare = html.UnescapeString(bare)
				if strings.ContainsAny(h.Text, `<>"'`) {
					t.Errorf("%q is not escaped", h.Text)
				}
			}
			runes := []rune(text)
			if h.Start > len(runes) || !strings.HasPrefix(string(runes[h.Start:]), bare) || words == 0 && bare != text {
				t.Errorf("%q without marks is %q, at %d of %q", h.Text, bare, h.Start, text)
			}
			if len(h.Matches) == 0 || strings.Count(h.Text, pre) != len(h.Matches) || strings.Count(h.Text, post) != len(h.Matches) {
				t.Errorf("%d matches in %q", len(h.Matches), h.Text)
			}
			end := 0
			for _, at := range h.Matches {
				if at[0] < end || at[1] <= 0 || at[0]+at[1] > utf8.RuneCountInString(bare) {
					t.Errorf("matches %v of %q", h.Matches, bare)
				}
				end = at[0] + at[1]
			}
		}
	})
}

// A fragment of a long text is from the first part with something to show, and of a text for which
// there is no time there is none.
func TestHighlightsOfLongTexts(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", titleAndBody("en"))
	// The first needle is in the second part, the last words in the third.
	text := strings.Repeat("straw ", enoughTokens+10) + "a needle here " + strings.Repeat("straw ", enoughTokens) + "needle needle needle"
	apply(t, e, puts("i", `{"id":"1","title":"a","body":"`+text+`"}`))
	for words, want := range map[int]string{5: "straw a <mark>needle</mark> here straw", 0: strings.ReplaceAll(text, "needle", "<mark>needle</mark>")} {
		res := find(t, e, &Request{Query: "needle", Highlight: &HighlightRequest{Words: words}})
		if h := res.Hits[0].Highlight; len(h) != 1 || h[0].Text != want || res.TimedOut {
			t.Errorf("%d words: %.200v, timed out: %t", words, h, res.TimedOut)
		}
	}
	res := find(t, e, &Request{Query: "straw", Highlight: &HighlightRequest{Words: 3}})
	if h := res.Hits[0].Highlight; len(h) != 1 || h[0].Text != "<mark>straw</mark> <mark>straw</mark> <mark>straw</mark>" {
		t.Errorf("%.200v", h)
	}
	a, err := tokenize.New(tokenize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &marker{analyzer: a, single: map[string]int{}, phrases: map[string][]int{}}
	m.add(markedTerm{terms: []string{"needle"}, weight: wordWorth})
	if f, ok := m.fragment(text, 0, func() bool { return true }); ok || f.worth > 0 {
		t.Errorf("late: %t, worth %d", ok, f.worth)
	}
	s := &searcher{e: e, ctx: context.Background(), req: &Request{Highlight: &HighlightRequest{}}}
	ctx, cancel := context.WithDeadline(s.ctx, time.Now().Add(time.Hour))
	defer cancel()
	for start, late := range map[time.Duration]bool{0: false, -2 * time.Hour: false, -4 * time.Hour: true} {
		s.ctx, s.start = ctx, time.Now().Add(start)
		if got := s.highlightsUntil()(); got != late {
			t.Errorf("an hour is left of %v: late: %t", time.Hour-start, got)
		}
	}
}
