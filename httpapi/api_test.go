package httpapi

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine"
)

const (
	someRecords = `{"index":"shop","records":[{"id":"a","title":"red shoe","price":1},{"id":"b","title":"blue shoe","price":2},{"id":"c/d e","title":"red hat"}]}`
	moreRecords = `{"index":"news","records":[{"id":"a","title":"red tape"},{"id":"n","title":"none"}]}`
)

func withRecords(t *testing.T) *service {
	s := newService(t)
	s.want(201, "POST", "/v1/batch", someRecords)
	s.want(201, "POST", "/v1/batch", moreRecords)
	return s
}

type searchBody struct {
	Hits []struct {
		ID, Index string
		Record    map[string]any
	}
	Total      int
	NextCursor *string `json:"next_cursor"`
	Limit      int
}

func (b *searchBody) ids() (ids []string) {
	for _, h := range b.Hits {
		ids = append(ids, h.Index+"/"+h.ID)
	}
	return ids
}

func TestSearchAnswer(t *testing.T) {
	s := withRecords(t)
	s.want(200, "PATCH", "/v1/record/a?index=shop", `{"stock":3}`)
	a := s.want(200, "POST", "/v1/search", `{"q":"red","index":"shop","limit":1,"highlight":true,"explain":true,"return":["title"],"facets":["title","stock",{"field":"price","ranges":[[null,50],[50,null]]}]}`)
	// What the ranking decides, and what differs from run to run.
	var got struct {
		Hits []struct {
			Score   float64
			Explain struct {
				Parts []struct{ IDF, Score float64 }
			}
		}
		NextCursor string  `json:"next_cursor"`
		TookMS     float64 `json:"took_ms"`
	}
	a.into(t, &got)
	if len(got.Hits) != 1 || len(got.Hits[0].Explain.Parts) != 3 || got.NextCursor == "" || got.TookMS <= 0 {
		t.Fatalf("got %s", a.body)
	}
	score, parts := got.Hits[0].Score, got.Hits[0].Explain.Parts
	if sum := parts[0].Score + parts[1].Score + parts[2].Score; sum != score || score <= 0 {
		t.Errorf("parts of %v, a score of %v", parts, score)
	}
	want := fmt.Sprintf(`{"hits":[{"id":"a","index":"shop","score":%[1]v,"record":{"title":"red shoe"},`+
		`"highlight":{"title":{"text":"<mark>red</mark> shoe","start":0,"item":0,"matches":[[0,3]]}},`+
		`"explain":{"score":%[1]v,"formula":"sum","parts":[`+
		`{"field":"title","term":"red","tf":1,"df":2,"idf":%[2]v,"norm":1,"weight":5,"score":%[3]v},`+
		`{"field":"","term":"red*","from":"red","tf":0,"df":2,"idf":%[4]v,"norm":1,"weight":1,"penalty":0.1,"score":%[5]v},`+
		`{"stage":"title","field":"title","term":"","tf":0,"norm":1,"weight":1,"score":%[8]v}]}}],`+
		`"total":2,"total_exact":true,"limit":1,"offset":0,"next_cursor":"%[6]s",`+
		`"facets":{"title":{"values":[{"value":"red hat","count":1},{"value":"red shoe","count":1}],"other":0,"missing":0,"exact":true},`+
		`"stock":{"values":[{"value":3,"count":1}],"other":0,"missing":1,"stats":{"min":3,"max":3,"avg":3,"sum":3,"count":1},"exact":true},`+
		`"price":{"ranges":[{"from":null,"to":50,"count":1},{"from":50,"to":null,"count":0}],"missing":1,"stats":{"min":1,"max":1,"avg":1,"sum":1,"count":1},"exact":true}},`+
		`"query":{"text":"red","filters_from_intent":[],"corrections":[],"did_you_mean":null,"semantic":null},"version":3,"took_ms":%[7]v}`+"\n",
		score, parts[0].IDF, parts[0].Score, parts[1].IDF, parts[1].Score, got.NextCursor, got.TookMS, parts[2].Score)
	if diff := cmp.Diff(want, a.body); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSearchWithoutQuery(t *testing.T) {
	s := withRecords(t)
	var all searchBody
	s.want(200, "POST", "/v1/search", `{}`).into(t, &all)
	if all.Total != 5 || all.Limit != 20 {
		t.Errorf("total %d, limit %d; want 5, 20", all.Total, all.Limit)
	}
	var none searchBody
	s.want(200, "POST", "/v1/search", `{"limit":0}`).into(t, &none)
	if none.Total != 5 || len(none.Hits) != 0 || none.Limit != 0 {
		t.Errorf("limit 0: %+v", none)
	}
}

func TestParametersReachTheEngine(t *testing.T) {
	s := newService(t)
	half := 0.5
	for _, c := range []struct {
		body string
		want engine.Request
	}{
		{`{}`, engine.Request{Limit: 20}},
		{`{"q":"a b","index":"shop","limit":7,"offset":3}`, engine.Request{Query: "a b", Indexes: []string{"shop"}, Limit: 7, Offset: 3}},
		{`{"index":["a","b_*","*"],"limit":0}`, engine.Request{Indexes: []string{"a", "b_*", "*"}, Limit: -1}},
		{`{"sort":["score:desc","price","name:desc","a:b:asc"]}`, engine.Request{Limit: 20, Sort: []engine.SortKey{{Field: "_score", Desc: true}, {Field: "price"}, {Field: "name", Desc: true}, {Field: "a:b"}}}},
		{`{"sort":"score"}`, engine.Request{Limit: 20, Sort: []engine.SortKey{{Field: "_score", Desc: true}}}},
		{`{"fields":["title^2.5","text","a^b^3"]}`, engine.Request{Limit: 20, Fields: []engine.FieldWeight{{Field: "title", Weight: 2.5}, {Field: "text"}, {Field: "a^b", Weight: 3}}}},
		{`{"filter":"price < 3"}`, engine.Request{Limit: 20, Filter: "price < 3"}},
		{`{"filter":["price < 3"]}`, engine.Request{Limit: 20, Filter: "price < 3"}},
		{`{"ranking":"bm25","syntax":"query","prefix":"off","match":"any"}`, engine.Request{Limit: 20, Ranking: engine.RankingBM25, Syntax: engine.SyntaxQuery, Prefix: engine.PrefixOff, Match: engine.MatchAny}},
		{`{"explain":true,"min_score":0.5,"min_version":9,"timeout_ms":50}`, engine.Request{Limit: 20, Explain: true, MinScore: 0.5, MinVersion: 9, Timeout: 50 * time.Millisecond}},
		{`{"return":[]}`, engine.Request{Limit: 20, NoRecord: true}},
		{`{"highlight":false}`, engine.Request{Limit: 20}},
		{`{"highlight":{"fields":"t","pre":"[","post":"]","words":9}}`, engine.Request{Limit: 20, Highlight: &engine.HighlightRequest{Fields: []string{"t"}, Pre: "[", Post: "]", Words: 9}}},
		{`{"facets":["a",{"field":"b","limit":5},{"field":"c","ranges":[[null,0.5],[0.5,null]]}]}`,
			engine.Request{Limit: 20, Facets: []engine.FacetRequest{{Field: "a"}, {Field: "b", Limit: 5}, {Field: "c", Ranges: []engine.FacetRange{{To: &half}, {From: &half}}}}}},
		{`{"typo":"auto","intent":"off","semantic":"auto","synonyms":true,"stop_words":true,"pin":[],"hide":[ ]}`, engine.Request{Limit: 20, Intent: engine.Intent{Mode: engine.IntentOff}}},
		{`{"semantic":"off"}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Off: true}}},
		{`{"semantic":false}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Off: true}}},
		{`{"semantic":{"weight":0}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Off: true}}},
		{`{"semantic":{"weight":0.25}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Weight: 0.25}}},
		{`{"semantic":{"weight":0.5,"hybrid":0}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Weight: 0.5, Hybrid: -1}}},
		{`{"semantic":{"hybrid":0,"weight":0.5}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Weight: 0.5, Hybrid: -1}}},
		{`{"semantic":{"weight":0,"hybrid":0.5}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Off: true, Hybrid: 0.5}}},
		{`{"semantic":{"hybrid":0.5,"weight":0}}`, engine.Request{Limit: 20, Semantic: engine.SemanticRequest{Off: true, Hybrid: 0.5}}},
		{`{"semantic":{}}`, engine.Request{Limit: 20}},
		{`{"typo":"off","synonyms":"off","stop_words":false,"language":"de"}`, engine.Request{Limit: 20, Typo: engine.Typo{Off: true}, NoSynonyms: true, NoStopWords: true, Language: "de"}},
		{`{"typo":{"min1":5,"min2":9,"off_fields":"sku"}}`, engine.Request{Limit: 20, Typo: engine.Typo{Min1: 5, Min2: 9, OffFields: []string{"sku"}}}},
		{`{"pin":["a",7,{"id":"b","index":"i","position":3}],"hide":["c",8]}`, engine.Request{Limit: 20, Pin: []engine.Pin{{ID: "a"}, {ID: "7"}, {ID: "b", Index: "i", Position: 3}}, Hide: []string{"c", "8"}}},
		{`{"similar":{"id":4,"index":"i"}}`, engine.Request{Limit: 20, Similar: &engine.Similar{ID: "4", Index: "i"}}},
		{`{"highlight":{"escape":"none"}}`, engine.Request{Limit: 20, Highlight: &engine.HighlightRequest{Pre: "<mark>", Post: "</mark>", Escape: engine.EscapeNone}}},
		{`{"highlight":{"pre":"[","escape":"html"}}`, engine.Request{Limit: 20, Highlight: &engine.HighlightRequest{Pre: "[", Post: "</mark>"}}},
		{`{"highlight":{"pre":"","post":"*"}}`, engine.Request{Limit: 20, Highlight: &engine.HighlightRequest{Post: "*"}}},
		{`{"limit":2e1}`, engine.Request{Limit: 20}},
	} {
		q, err := s.server.parseSearch(nil, value{raw: []byte(c.body)})
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
		} else if diff := cmp.Diff(c.want, q.Request); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.body, diff)
		}
	}
}

func TestFilterListIsOneFilter(t *testing.T) {
	s := newService(t)
	q, err := s.server.parseSearch(nil, value{raw: []byte(`{"filter":["price < 3 OR a = 1","b = 2"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(q.Filter, "AND") || !strings.Contains(q.Filter, "OR") {
		t.Errorf("filter %q", q.Filter)
	}
}

func TestPagesAreTheWholeResult(t *testing.T) {
	s := withRecords(t)
	var all searchBody
	s.want(200, "POST", "/v1/search", `{"q":"e"}`).into(t, &all)
	for limit := 1; limit < 6; limit++ {
		var got []string
		cursor := ""
		for page := 0; page < 10; page++ {
			body := fmt.Sprintf(`{"q":"e","limit":%d%s}`, limit, cursor)
			var b searchBody
			s.want(200, "POST", "/v1/search", body).into(t, &b)
			got = append(got, b.ids()...)
			if b.NextCursor == nil {
				break
			}
			cursor = fmt.Sprintf(`,"cursor":%q`, *b.NextCursor)
		}
		if !slices.Equal(got, all.ids()) {
			t.Errorf("pages of %d: %v, want %v", limit, got, all.ids())
		}
	}
}

func TestChangedCursorsAreRefused(t *testing.T) {
	s := withRecords(t)
	var b searchBody
	s.want(200, "POST", "/v1/search", `{"q":"red","limit":1}`).into(t, &b)
	cursor := *b.NextCursor
	if strings.Contains(cursor, "red") {
		t.Errorf("the cursor %s has the query", cursor)
	}
	refuse := func(body string) {
		t.Helper()
		if a := s.want(422, "POST", "/v1/search", body); a.problem(t).Code != engine.CodeInvalidCursor {
			t.Errorf("%s: code %s", body, a.problem(t).Code)
		}
	}
	for i := range cursor {
		changed := []byte(cursor)
		if changed[i] = 'A'; cursor[i] == 'A' {
			changed[i] = 'B'
		}
		refuse(fmt.Sprintf(`{"q":"red","limit":1,"cursor":%q}`, changed))
	}
	refuse(`{"q":"red","limit":1,"cursor":""}`)
	refuse(`{"q":"red","limit":1,"cursor":"` + cursor + cursor + `"}`)
	refuse(`{"q":"red","limit":1,"cursor":"` + cursor + `="}`)
	refuse(`{"q":"blue","limit":1,"cursor":"` + cursor + `"}`)
	refuse(`{"q":"red","limit":1,"sort":"price","cursor":"` + cursor + `"}`)
	refuse(`{"q":"red","limit":1,"index":"shop","cursor":"` + cursor + `"}`)
	s.want(200, "POST", "/v1/search", `{"q":"red","limit":3,"explain":true,"cursor":"`+cursor+`"}`)
	other := newService(t)
	other.want(422, "POST", "/v1/search", `{"q":"red","limit":1,"cursor":"`+cursor+`"}`)
	for _, kind := range []string{"/v1/indexes?cursor=", "/v1/records?index=shop&cursor="} {
		s.want(422, "GET", kind+cursor, "")
	}
}

func TestCursorsOutliveTheServer(t *testing.T) {
	s := withRecords(t)
	var b searchBody
	s.want(200, "POST", "/v1/search", `{"limit":1}`).into(t, &b)
	again := newService(t, func(c *Config) { c.Engine = s.engine })
	again.want(200, "POST", "/v1/search", `{"limit":1,"cursor":"`+*b.NextCursor+`"}`)
}

type indexBody struct {
	Name       string
	Visible    bool
	Records    int
	PrimaryKey string `json:"primary_key"`
	Language   string
	Dynamic    bool
	Fields     []map[string]any
}

func TestIndexesOneByOne(t *testing.T) {
	s := newService(t)
	s.want(404, "GET", "/v1/indexes/shop", "")
	s.want(404, "PATCH", "/v1/indexes/shop", `{}`)
	s.want(404, "DELETE", "/v1/indexes/shop", "")
	a := s.want(201, "PUT", "/v1/indexes/shop", `{"primary_key":"sku","language":"de","visible":false,"dynamic":false,
		"fields":[{"name":"title","type":"text","weight":3,"b":0.5},{"name":"note","type":"text","search":false,"language":"en","analyzer":"code"},{"name":"price","type":"float","filter":true,"facet":true,"sort":true}]}`)
	if got := a.header.Get("Location"); got != "/v1/indexes/shop" {
		t.Errorf("Location %q", got)
	}
	want := indexBody{Name: "shop", PrimaryKey: "sku", Language: "de", Fields: []map[string]any{
		{"name": "title", "type": "text", "search": true, "weight": 3.0, "b": 0.5},
		{"name": "note", "type": "text", "search": false, "language": "en", "analyzer": "code"},
		{"name": "price", "type": "float", "filter": true, "facet": true, "sort": true},
	}}
	same := func(a answer) {
		t.Helper()
		var got indexBody
		a.into(t, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	same(a)
	same(s.want(200, "GET", "/v1/indexes/shop", ""))

	want.Visible, want.Fields[2]["filter"] = true, nil
	delete(want.Fields[2], "filter")
	want.Fields = append(want.Fields, map[string]any{"name": "more", "type": "text", "search": true})
	same(s.want(200, "PATCH", "/v1/indexes/shop", `{"visible":true,"fields":[{"name":"price","filter":false},{"name":"more","type":"text"}]}`))

	want = indexBody{Name: "shop", Visible: true, PrimaryKey: "id", Language: "en", Dynamic: true, Fields: []map[string]any{}}
	same(s.want(200, "PUT", "/v1/indexes/shop", `{}`))
	s.want(204, "DELETE", "/v1/indexes/shop", "")
	s.want(404, "GET", "/v1/indexes/shop", "")
}

// What GET shows of a schema can be PUT, and changes nothing.
func TestFieldsCanBePutAsShown(t *testing.T) {
	s := newService(t)
	a := s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"a","type":"text","search":false},{"name":"b","type":"text","weight":2},{"name":"c","type":"date","sort":true},{"name":"d","type":"json"}]}`)
	from := strings.Index(a.body, `"fields":`)
	b := s.want(200, "PUT", "/v1/indexes/shop", "{"+strings.TrimSpace(a.body[from:]))
	count := regexp.MustCompile(`"version":\d+|"updated_at":"[^"]*"`) // of changes
	if before, after := count.ReplaceAllString(a.body, ""), count.ReplaceAllString(b.body, ""); before != after {
		t.Errorf("put as shown\n%s\n%s", a.body, b.body)
	}
}

func TestIndexesInPages(t *testing.T) {
	s := newService(t)
	var names []string
	for i := range 7 {
		names = append(names, fmt.Sprintf("i%d", i))
		s.want(201, "PUT", "/v1/indexes/"+names[i], `{}`)
	}
	var got []string
	cursor := ""
	for range 5 {
		var page struct {
			Indexes    []indexBody
			Total      int
			NextCursor *string `json:"next_cursor"`
		}
		s.want(200, "GET", "/v1/indexes?limit=3"+cursor, "").into(t, &page)
		if page.Total != 7 {
			t.Errorf("total %d", page.Total)
		}
		for _, x := range page.Indexes {
			got = append(got, x.Name)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *page.NextCursor
	}
	if !slices.Equal(got, names) {
		t.Errorf("got %v", got)
	}
}

func TestRecords(t *testing.T) {
	s := withRecords(t)
	path := "/v1/record/" + url.PathEscape("c/d e")
	a := s.want(200, "GET", path, "")
	if want := `{"id":"c/d e","index":"shop","version":1,"record":{"id":"c/d e","title":"red hat"}}` + "\n"; a.body != want {
		t.Errorf("got %s want %s", a.body, want)
	}
	s.want(200, "GET", "/v1/record/a?index=news", "")
	s.want(404, "GET", "/v1/record/n?index=shop", "")
	s.want(404, "GET", "/v1/record/a?index=nothing", "")
	s.want(422, "GET", "/v1/record/a?index=No", "")
	s.want(422, "GET", "/v1/record/a?idx=shop", "")

	s.want(422, "PUT", "/v1/record/z", `{"x":1}`) // into which index?
	a = s.want(201, "PUT", "/v1/record/z%2Fz?index=shop", `{"x":1}`)
	if got := a.header.Get("Location"); got != "/v1/record/z%2Fz?index=shop" {
		t.Errorf("Location %q", got)
	}
	s.want(200, "GET", a.header.Get("Location"), "")
	s.want(200, "PUT", "/v1/record/z%2Fz", `{"id":"z/z","x":2}`)
	s.want(201, "PUT", "/v1/record/12?index=shop", `{"id":12}`)
	s.want(422, "PUT", "/v1/record/z%2Fz", `{"id":"y","x":2}`)
	a = s.want(422, "PUT", "/v1/record/z%2Fz", `{"price":"much"}`)
	if p := a.problem(t); p.Code != engine.CodeInvalidFieldType || len(p.Errors) != 1 || p.Errors[0].Pointer != "/price" {
		t.Errorf("%+v", p)
	}
	s.want(200, "PATCH", "/v1/record/z%2Fz", `{"y":3}`)
	if got := s.want(200, "GET", "/v1/record/z%2Fz", "").body; !strings.Contains(got, `"record":{"id":"z/z","x":2,"y":3}`) {
		t.Errorf("patched: %s", got)
	}
	s.want(404, "PATCH", "/v1/record/nobody", `{"y":3}`)
	s.want(404, "PATCH", "/v1/record/nobody?index=shop", `{"y":3}`)
	if a := s.want(204, "DELETE", "/v1/record/z%2Fz", ""); a.body != "" || a.header.Get("Content-Type") != "" {
		t.Errorf("DELETE answered %q of type %q", a.body, a.header.Get("Content-Type"))
	}
	s.want(404, "DELETE", "/v1/record/z%2Fz", "")
}

func TestDeleteOfAnIDInSeveralIndexes(t *testing.T) {
	s := withRecords(t)
	for _, m := range []struct{ method, body string }{{"DELETE", ""}, {"GET", ""}, {"PUT", "{}"}, {"PATCH", "{}"}} {
		p := s.want(409, m.method, "/v1/record/a", m.body).problem(t)
		if p.Code != codeAmbiguousID || !slices.Equal(p.Indexes, []string{"news", "shop"}) {
			t.Errorf("%s: %+v", m.method, p)
		}
	}
	s.want(200, "GET", "/v1/record/a?index=shop", "")
	s.want(200, "GET", "/v1/record/a?index=news", "")

	s.want(200, "PATCH", "/v1/indexes/news", `{"visible":false}`)
	s.want(204, "DELETE", "/v1/record/a", "")
	s.want(404, "DELETE", "/v1/record/a", "")
	s.want(204, "DELETE", "/v1/record/a?index=news", "")
	s.want(404, "DELETE", "/v1/record/a?index=news", "")
	s.want(404, "DELETE", "/v1/record/a?index=nothing", "")
}

func TestRecordIDsInPaths(t *testing.T) {
	s := newService(t)
	long := strings.Repeat("x", 512)
	for _, id := range []string{"a b", "a/b", "/", "//", "ä", "日本", "%", "a%2Fb", "a+b", "?", "#", "...", ".a", "a..", "..%2F", long, "\u00a0", "a&b=c", "\U0001F600"} {
		s.want(201, "PUT", "/v1/record/"+url.PathEscape(id)+"?index=shop", `{"x":1}`)
		var got struct{ ID string }
		s.want(200, "GET", "/v1/record/"+url.PathEscape(id), "").into(t, &got)
		if got.ID != id {
			t.Errorf("%q came back as %q", id, got.ID)
		}
		s.want(204, "DELETE", "/v1/record/"+url.PathEscape(id), "")
	}
	for _, path := range []string{".", "..", "%2e", "%2E%2e", "%00", "a%0Ab", "%7F", "%C2%85", "%ff", "a%80", long + "x"} {
		for _, m := range []string{"GET", "PUT", "PATCH", "DELETE"} {
			body := ""
			if m[0] == 'P' {
				body = "{}"
			}
			s.want(422, m, "/v1/record/"+path+"?index=shop", body)
		}
	}
}

func TestExport(t *testing.T) {
	s := newService(t)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"b","t":"\n"},
		{"id" : "a",
		 "n" : 1},{"id":"c"}]}`)
	want := `{"id":"a","n":1}` + "\n" + `{"id":"b","t":"\n"}` + "\n" + `{"id":"c"}` + "\n"
	a := s.want(200, "GET", "/v1/records?index=shop", "")
	if a.body != want || a.header.Get("Content-Type") != mediaNDJSON {
		t.Errorf("got %q", a.body)
	}
	got, cursor := "", ""
	for range 5 {
		a := s.want(200, "GET", "/v1/records?index=shop&limit=2"+cursor, "")
		got += a.body
		if a.header.Get("Next-Cursor") == "" {
			break
		}
		cursor = "&cursor=" + a.header.Get("Next-Cursor")
	}
	if got != want {
		t.Errorf("in pages: %q", got)
	}
	s.want(404, "GET", "/v1/records?index=nothing", "")
	s.want(422, "GET", "/v1/records", "")
	s.want(422, "GET", "/v1/records?index=shop&filter=", "")
}

func TestLimitsAreShown(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.SearchTimeout = 3 * time.Second })
	var got map[string]int64
	s.want(200, "GET", "/v1/limits", "").into(t, &got)
	for name, want := range map[string]int64{"query_bytes": 4096, "query_terms": 64, "body_bytes": 32 << 20, "batch_operations": 100_000,
		"record_bytes": 1 << 20, "stream_bytes": 2 << 30, "hits": 1000, "window": 10_000, "search_timeout_ms": 3000, "connections": 1024} {
		if got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}

func TestReadiness(t *testing.T) {
	s := newService(t)
	s.want(200, "GET", "/readyz", "")
	s.engine.(*memEngine).sick = engine.ErrCorrupt
	s.want(503, "GET", "/readyz", "")
	s.want(200, "GET", "/healthz", "")
	s.engine.(*memEngine).sick = nil
	s.server.stopping.Store(true)
	s.want(503, "GET", "/readyz", "")
}
