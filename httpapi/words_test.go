package httpapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// withStock is a service over the real engine with some products.
func withStock(t *testing.T) *service {
	t.Helper()
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	return s
}

func TestSearchRepairsWords(t *testing.T) {
	s := withStock(t)
	var got struct {
		Hits []struct {
			ID        string
			Highlight map[string]struct {
				Text  string
				Start *int
			}
			Explain struct {
				Parts []struct {
					From, Term string
					Edits      int
					Penalty    float64
				}
			}
		}
		Query struct {
			Text        string
			Corrections []engine.Correction
			DidYouMean  *string `json:"did_you_mean"`
		}
	}
	s.want(200, "POST", "/v1/search", `{"q":"runing shoes","explain":true,"highlight":{"words":2},"limit":1}`).into(t, &got)
	if q := got.Query; q.Text != "running shoes" || len(q.Corrections) != 1 || q.Corrections[0] != (engine.Correction{From: "runing", To: "running"}) || q.DidYouMean != nil {
		t.Errorf("query %+v", q)
	}
	if p := got.Hits[0].Explain.Parts[0]; p.From != "runing" || p.Term != "run" || p.Edits != 1 || p.Penalty != 0.8 {
		t.Errorf("part %+v", p)
	}
	if h := got.Hits[0].Highlight["title"]; h.Text != "<mark>running</mark> <mark>shoes</mark>" || h.Start == nil || *h.Start == 0 {
		t.Errorf("highlight %+v", h)
	}
	got.Query.DidYouMean = nil
	s.want(200, "POST", "/v1/search", `{"q":"runing","typo":"off"}`).into(t, &got)
	if d := got.Query.DidYouMean; d == nil || *d != "running" {
		t.Errorf("did_you_mean %v", d)
	}
	s.want(200, "POST", "/v1/search", `{"q":"hot","typo":{"min1":3,"off_fields":["title"]}}`)
}

func TestSearchWordParameters(t *testing.T) {
	s := withStock(t)
	s.want(200, "PATCH", "/v1/indexes/products", `{"synonyms":[{"words":["hat","beanie"]},{"from":"trainers","to":"running shoes"}],"stop_words":["beginners"],
		"rules":[{"id":"r","when":{"query":"blue"},"pin":["sku-3",{"id":"sku-1","position":3}],"hide":["sku-4"]}]}`)
	for _, c := range []struct {
		body string
		want string
	}{
		{`{"q":"beanie"}`, "sku-3"},
		{`{"q":"beanie","synonyms":false,"typo":"off"}`, ""},
		{`{"q":"beanie","synonyms":"off","typo":"off"}`, ""},
		{`{"q":"trainers","synonyms":"on","sort":"price"}`, "sku-1 sku-2"},
		{`{"q":"blue"}`, "sku-3 sku-2 sku-1"},
		{`{"q":"red shoes","match":"all","pin":["sku-4"],"hide":["sku-2"]}`, "sku-4 sku-1"},
		{`{"q":"red shoes","match":"all","pin":[{"id":"sku-4","position":2,"index":"products"}]}`, "sku-1 sku-4"},
		{`{"q":"the hat","language":"de","match":"all"}`, ""},
		{`{"q":"the hat","stop_words":"off","match":"all"}`, ""},
		{`{"similar":{"id":"sku-1"},"limit":1}`, "sku-2"},
		{`{"similar":{"id":"sku-1","index":"products"},"filter":"brand = \"Nike\""}`, "sku-3"},
	} {
		var got searchBody
		s.want(200, "POST", "/v1/search", c.body).into(t, &got)
		if ids := strings.ReplaceAll(strings.Join(got.ids(), " "), "products/", ""); ids != c.want {
			t.Errorf("%s: %q, want %q", c.body, ids, c.want)
		}
	}
	for body, pointers := range map[string][]string{
		`{"typo":"on","synonyms":"auto","stop_words":1,"pin":{},"hide":"x","similar":{}}`:  {"/typo", "/synonyms", "/stop_words", "/pin", "/hide", "/similar"},
		`{"typo":{"min1":0,"mni2":3},"pin":[true,{"position":1},{"id":"a","position":0}]}`: {"/typo/min1", "/typo/mni2", "/pin/0", "/pin/1", "/pin/2/position"},
		`{"pin":["a","a"],"typo":{"min1":2},"hide":[1,2]}`:                                 {"/typo/min1", "/pin/1"},
		`{"language":"xx"}`:                            {"/language"},
		`{"similar":{"id":"nope"},"index":"products"}`: {"/similar/id"},
		`{"similar":{"id":"sku-1"},"q":"x"}`:           {"/similar"},
	} {
		a := s.do("POST", "/v1/search", body)
		var got []string
		for _, e := range a.problem(t).Errors {
			got = append(got, e.Pointer)
		}
		if !slices.Equal(got, pointers) {
			t.Errorf("%s: %d %v, want %v", body, a.status, got, pointers)
		}
	}
}

func TestPinsOverPages(t *testing.T) {
	s := withStock(t)
	const all = "sku-4 sku-1 sku-3 sku-2"
	for _, limit := range []string{"1", "2", "3"} {
		cursor, ids := "", []string(nil)
		for range 10 {
			var got searchBody
			body := `{"q":"red","match":"all","pin":[{"id":"sku-4","position":1},{"id":"sku-2","position":9},{"id":"sku-3","position":3}],"limit":` + limit
			if cursor != "" {
				body += `,"cursor":"` + cursor + `"`
			}
			s.want(200, "POST", "/v1/search", body+"}").into(t, &got)
			ids = append(ids, got.ids()...)
			if got.Total != 4 {
				t.Errorf("total %d", got.Total)
			}
			if got.NextCursor == nil {
				break
			}
			cursor = *got.NextCursor
		}
		if got := strings.ReplaceAll(strings.Join(ids, " "), "products/", ""); got != all {
			t.Errorf("limit %s: %q, want %q", limit, got, all)
		}
	}
}

func TestIndexWordSettings(t *testing.T) {
	s := withEngine(t, "")
	const words = `"synonyms":[{"words":["tv","television"]},{"from":"phone","to":["smartphone","mobile phone"]}],"stop_words":["acme"],"rules":[{"id":"r1","when":{"query":"red shoes","match":"contains"},"pin":["a",{"id":"b","position":4}],"hide":["7"]}]`
	a := s.want(201, "PUT", "/v1/indexes/i", `{`+words+`}`)
	const shown = `"synonyms":[{"words":["tv","television"]},{"from":"phone","to":["smartphone","mobile phone"]}],"stop_words":["acme"],"rules":[{"id":"r1","when":{"query":"red shoes","match":"contains"},"pin":[{"id":"a"},{"id":"b","position":4}],"hide":["7"]}]`
	if !strings.Contains(a.body, shown) {
		t.Errorf("PUT answers %s", a.body)
	}
	s.want(200, "PATCH", "/v1/indexes/i", `{"dynamic":false}`)
	if a = s.want(200, "GET", "/v1/indexes/i", ""); !strings.Contains(a.body, shown) {
		t.Errorf("a PATCH of something else changed %s", a.body)
	}
	a = s.want(200, "PATCH", "/v1/indexes/i", `{"synonyms":[],"rules":[]}`)
	if !strings.Contains(a.body, `"synonyms":[],"stop_words":["acme"],"rules":[]`) {
		t.Errorf("PATCH answers %s", a.body)
	}
	a = s.do("PATCH", "/v1/indexes/i", `{"synonyms":[{"words":["x"]},{"form":"x"}],"stop_words":"a b","rules":[{"id":"x"},{"id":"y","when":{"match":"some"},"pin":[{"index":"i"}]}]}`)
	var got []string
	for _, e := range a.problem(t).Errors {
		got = append(got, e.Pointer)
	}
	if want := []string{"/synonyms/1/form", "/rules/0", "/rules/1/when/match", "/rules/1/pin/0/index"}; a.status != 422 || !slices.Equal(got, want) {
		t.Errorf("%d %v, want %v", a.status, got, want)
	}
}

func TestSuggest(t *testing.T) {
	s := withStock(t)
	type body struct {
		Suggestions []engine.Suggestion
		Version     int
	}
	for _, c := range []struct{ body, want string }{
		{`{"q":"red ru"}`, "Red running shoes 1, red running 1"},
		{`{"q":"sh","index":"products","limit":1}`, "Red running shoes 1"},
		{`{"q":"sh","filter":["stock = 0","price > 1"]}`, "Blue running shoes 1, shoes 1"},
		{`{"q":""}`, ""},
		{`{}`, ""},
	} {
		var got body
		s.want(200, "POST", "/v1/suggest", c.body).into(t, &got)
		var texts []string
		for _, g := range got.Suggestions {
			texts = append(texts, g.Text+" "+string(rune('0'+g.Count)))
		}
		if text := strings.Join(texts, ", "); text != c.want || got.Version == 0 || got.Suggestions == nil {
			t.Errorf("%s: %q, want %q", c.body, text, c.want)
		}
	}
	for text, pointers := range map[string][]string{
		`{"q":1,"limit":0,"filter":"a =","lmit":1}`: {"/q", "/limit", "/lmit", "/filter"},
		`{"limit":101}`:          {"/limit"},
		`{"index":["no","no*"]}`: {"/index/0"},
		`{"filter":"nope = 1"}`:  {"/filter"},
		`{"index":"A","q":"x"}`:  {"/index"},
	} {
		var got []string
		for _, e := range s.do("POST", "/v1/suggest", text).problem(t).Errors {
			got = append(got, e.Pointer)
		}
		if !slices.Equal(got, pointers) {
			t.Errorf("%s: %v, want %v", text, got, pointers)
		}
	}
}
