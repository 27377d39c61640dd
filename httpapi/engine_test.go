package httpapi

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// The tests of this file run over the real engine.

func withEngine(t *testing.T, dir string, configure ...func(*Config)) *service {
	t.Helper()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() }) // after the server
	return newService(t, append(configure, func(c *Config) { c.Engine = e })...)
}

const products = `{"index":"products","records":[
	{"id":"sku-1","title":"Red running shoes","price":39.9,"brand":"Nike","stock":3},
	{"id":"sku-2","title":"Blue running shoes","price":49.9,"brand":"Asics","stock":0},
	{"id":"sku-3","title":"Red hat","price":9.5,"brand":"Nike","stock":12},
	{"id":"sku-4","title":"Running for beginners: a book","price":15,"brand":"Print","stock":1}]}`

const productSchema = `{"fields":[{"name":"title","type":"text","weight":3},{"name":"price","type":"float","filter":true,"sort":true,"facet":true},
	{"name":"brand","type":"keyword","filter":true,"facet":true},{"name":"stock","type":"int","filter":true}]}`

func TestEngineSearch(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"q":"red shoes","match":"all"}`, []string{"products/sku-1"}},
		{`{"q":"running","sort":"price:desc"}`, []string{"products/sku-2", "products/sku-1", "products/sku-4"}},
		{`{"filter":"brand = \"Nike\" AND price < 20"}`, []string{"products/sku-3"}},
		{`{"filter":["brand = \"Nike\"","stock > 3 OR price > 40"]}`, []string{"products/sku-3"}},
		{`{"q":"title:hat","syntax":"query"}`, []string{"products/sku-3"}},
		{`{"q":"nothingofthekind"}`, nil},
		{`{"q":"run","prefix":"last","sort":["price"]}`, []string{"products/sku-4", "products/sku-1", "products/sku-2"}},
	} {
		var got searchBody
		s.want(200, "POST", "/v1/search", c.body).into(t, &got)
		if !slices.Equal(got.ids(), c.want) || got.Total != len(c.want) {
			t.Errorf("%s: %v of %d, want %v", c.body, got.ids(), got.Total, c.want)
		}
	}
	a := s.want(200, "POST", "/v1/search", `{"q":"red shoes","index":"products","explain":true,"highlight":{"fields":["title"]},"facets":["brand",{"field":"price","ranges":[[null,20],[20,null]]}],"return":["title","price"]}`)
	for _, part := range []string{`<mark>Red</mark>`, `"formula":"sum"`, `"facets":{"brand":{"values":[{"value":"Nike"`, `"ranges":[{"from":null,"to":20,`, `"record":{"title":"Red running shoes","price":39.9}`} {
		if !strings.Contains(a.body, part) {
			t.Errorf("%s is not in %s", part, a.body)
		}
	}
}

func TestEngineMistakesHavePlaces(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	for _, c := range []struct{ method, path, body, code, pointer string }{
		{"POST", "/v1/search", `{"filter":"price <"}`, engine.CodeInvalidFilter, "/filter"},
		{"POST", "/v1/search", `{"filter":"title = \"x\""}`, engine.CodeNotFilterable, "/filter"},
		{"POST", "/v1/search", `{"filter":"nothing = 1"}`, engine.CodeUnknownField, "/filter"},
		{"POST", "/v1/search", `{"sort":"stock"}`, engine.CodeNotSortable, "/sort"},
		{"POST", "/v1/search", `{"sort":["price","nothing"]}`, engine.CodeInvalidSort, "/sort/1"},
		{"POST", "/v1/search", `{"q":"x","fields":"nothing"}`, engine.CodeUnknownField, "/fields"},
		{"POST", "/v1/search", `{"facets":"title"}`, engine.CodeNotFilterable, "/facets"},
		{"POST", "/v1/search", `{"return":["brand","brands"]}`, engine.CodeUnknownField, "/return/1"},
		{"POST", "/v1/search", `{"return":"brnad"}`, engine.CodeUnknownField, "/return"},
		{"POST", "/v1/search", `{"facets":["brand","nothing"]}`, engine.CodeUnknownField, "/facets/1"},
		{"POST", "/v1/search", `{"q":"(a","syntax":"query"}`, engine.CodeInvalidQuery, "/q"},
		{"POST", "/v1/search", `{"q":"` + strings.Repeat("a b ", 33) + `"}`, engine.CodeLimitExceeded, "/q"},
		{"POST", "/v1/search", `{"index":["products","news"]}`, engine.CodeIndexNotFound, "/index/1"},
		{"POST", "/v1/batch", `{"index":"products","records":[{},{"price":"much"}]}`, engine.CodeInvalidFieldType, "/records/1/price"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"put","record":{"stock":1.5}}]}`, engine.CodeInvalidFieldType, "/operations/0/record/stock"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"put","id":"a","record":{"id":"b"}}]}`, engine.CodeInvalidRequest, "/operations/0/record/id"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"put_new","record":{"id":"sku-1"}}]}`, engine.CodeRecordExists, "/operations/0"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"patch","id":"sku-9","record":{}}]}`, engine.CodeRecordNotFound, "/operations/0/id"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete","id":"sku-1","if_version":99}]}`, engine.CodeVersionMismatch, "/operations/0/if_version"},
		{"POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete_where","filter":"title = \"x\""}]}`, engine.CodeNotFilterable, "/operations/0/filter"},
		{"POST", "/v1/batch", `{"index":"nothing","operations":[{"op":"delete_where","filter":"a = 1"}]}`, engine.CodeIndexNotFound, "/operations/0/index"},
		{"PUT", "/v1/record/sku-1", `{"price":[true]}`, engine.CodeInvalidFieldType, "/price"},
		{"PUT", "/v1/record/sku-1", `{"id":"sku-2"}`, engine.CodeInvalidRequest, "/id"},
		{"PUT", "/v1/indexes/products", `{"language":"xx"}`, engine.CodeInvalidRequest, "/language"},
		{"PUT", "/v1/indexes/news", `{"fields":[{"name":"a","type":"int","search":true}]}`, engine.CodeInvalidRequest, "/fields/0/search"},
	} {
		a := s.do(c.method, c.path, c.body)
		if a.status != codes[c.code].status {
			t.Errorf("%s: %d %s", c.body, a.status, a.body)
			continue
		}
		p := a.problem(t)
		if p.Code != c.code || len(p.Errors) == 0 || !strings.HasPrefix(p.Errors[0].Pointer, c.pointer) || len(p.Errors[0].Pointer) > len(c.pointer)+2 {
			t.Errorf("%s: %s", c.body, a.body)
		}
	}
	var all searchBody
	s.want(200, "POST", "/v1/search", `{}`).into(t, &all)
	if all.Total != 4 {
		t.Errorf("%d records after nothing but mistakes", all.Total)
	}
}

func TestEnginePages(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	var lines []string
	for i := range 57 {
		lines = append(lines, fmt.Sprintf(`{"id":"%03d","title":"red shoe %s","price":%d}`, i, strings.Repeat("x ", i%5), i%7))
	}
	s.want(201, "POST", "/v1/batch?index=products", ndjson(lines...), "Content-Type: application/x-ndjson")
	for _, rest := range []string{`"q":"red shoe"`, `"q":"shoe","sort":["price:desc"]`, `"sort":["price","score"]`, `"filter":"price > 2"`, `"q":"red","match":"any"`} {
		var all searchBody
		s.want(200, "POST", "/v1/search", `{"limit":100,`+rest+`}`).into(t, &all)
		var got []string
		cursor := ""
		for range 60 {
			var page searchBody
			s.want(200, "POST", "/v1/search", `{"limit":4,`+rest+cursor+`}`).into(t, &page)
			got = append(got, page.ids()...)
			if page.NextCursor == nil {
				break
			}
			cursor = fmt.Sprintf(`,"cursor":%q`, *page.NextCursor)
		}
		if !slices.Equal(got, all.ids()) {
			t.Errorf("%s: pages of 4 are\n%v\nall at once\n%v", rest, got, all.ids())
		}
	}
}

func TestEngineRecords(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", products)
	s.want(201, "POST", "/v1/batch", `{"index":"copy","records":[{"id":"sku-1"}]}`)
	p := s.want(409, "DELETE", "/v1/record/sku-1", "").problem(t)
	if !slices.Equal(p.Indexes, []string{"copy", "products"}) {
		t.Errorf("%+v", p)
	}
	s.want(200, "PATCH", "/v1/indexes/copy", `{"visible":false}`)
	s.want(204, "DELETE", "/v1/record/sku-1", "")
	s.want(404, "DELETE", "/v1/record/sku-1", "")
	s.want(200, "GET", "/v1/record/sku-1?index=copy", "")
	s.want(204, "DELETE", "/v1/record/sku-1?index=copy", "")

	s.want(201, "PUT", "/v1/record/a%2Fb?index=products", `{"title":"slash"}`)
	s.want(200, "PUT", "/v1/record/a%2Fb", `{"title":"slashed","price":1}`)
	s.want(200, "PATCH", "/v1/record/a%2Fb", `{"price":null,"brand":"B"}`)
	if got := s.want(200, "GET", "/v1/record/a%2Fb", "").body; !strings.Contains(got, `"brand":"B"`) || strings.Contains(got, "price") {
		t.Errorf("patched: %s", got)
	}
	s.want(404, "PATCH", "/v1/record/nobody?index=products", `{}`)
	s.want(404, "GET", "/v1/record/nobody?index=nothing", "")
	s.want(404, "DELETE", "/v1/record/nobody?index=nothing", "")
	got := s.want(200, "GET", "/v1/records?index=products", "").body
	if lines := strings.Count(got, "\n"); lines != 4 {
		t.Errorf("%d lines: %s", lines, got)
	}
	s.want(204, "DELETE", "/v1/indexes/products", "")
	s.want(404, "GET", "/v1/records?index=products", "")
}

func TestEngineBadLineInTheMiddle(t *testing.T) {
	for _, c := range badLines {
		t.Run(c.name, func(t *testing.T) {
			s := withEngine(t, "")
			s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"price","type":"float"}]}`)
			body := ndjson(`{"id":"a"}`, "", c.line, `{"id":"b"}`)
			a := s.want(statusOfLine(c.code), "POST", "/v1/batch?index=shop", body, "Content-Type: application/x-ndjson")
			if p := a.problem(t); !strings.HasPrefix(p.Errors[0].Detail, "line 3: ") {
				t.Errorf("%+v", p)
			}
			if got := s.want(200, "GET", "/v1/records?index=shop", "").body; got != "" {
				t.Errorf("kept %s", got)
			}
			var got batchBody
			s.want(201, "POST", "/v1/batch?index=shop&atomic=false", body, "Content-Type: application/x-ndjson").into(t, &got)
			if got.Counts.Put != 2 || got.Counts.Failed != 1 || !strings.HasPrefix(got.Errors[0].Detail, "line 3: ") {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestEngineCSV(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch?index=towns", "id,name,people,capital\n1,Bern,134794,true\n02,Thun,43734,false\n3,\"Biel, Bienne\",55206,\n", "Content-Type: text/csv")
	var got indexBody
	s.want(200, "GET", "/v1/indexes/towns", "").into(t, &got)
	types := map[any]any{}
	for _, f := range got.Fields {
		types[f["name"]] = f["type"]
	}
	if types["name"] != "text" && types["name"] != "keyword" || types["people"] != "int" || types["capital"] != "bool" {
		t.Errorf("types %v", types)
	}
	s.want(200, "GET", "/v1/record/02", "")
}

func TestEngineKeepsTheAnswersOverARestart(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, func(c *Config) { c.Engine = e })
	first := s.want(201, "POST", "/v1/batch", products, "Idempotency-Key: k-1")
	var page searchBody
	s.want(200, "POST", "/v1/search", `{"limit":1}`).into(t, &page)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	a := s.do("POST", "/v1/search", `{}`)
	if a.status != 503 || a.problem(t).Code != codeShuttingDown {
		t.Errorf("over a closed engine: %d %s", a.status, a.body)
	}
	again := withEngine(t, dir)
	again.key, again.server.keys = s.key, s.server.keys
	if a := again.want(201, "POST", "/v1/batch", products, "Idempotency-Key: k-1"); a.body != first.body || a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("replayed: %s", a.body)
	}
	if a := again.want(200, "GET", first.header.Get("Location"), ""); a.body != first.body {
		t.Errorf("remembered: %s", a.body)
	}
	again.want(200, "POST", "/v1/search", `{"limit":1,"cursor":"`+*page.NextCursor+`"}`)
}

func TestReadOnlyEngine(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, func(c *Config) { c.Engine = e })
	first := s.want(201, "POST", "/v1/batch", products, "Idempotency-Key: k")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = engine.Open(dir, &engine.Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	again := newService(t, func(c *Config) { c.Engine = e })
	again.key, again.server.keys = s.key, s.server.keys
	for _, c := range []struct{ method, path, body, media string }{
		{"POST", "/v1/batch", products, mediaJSON},
		{"POST", "/v1/batch?index=products", "{}\n", mediaNDJSON},
		{"POST", "/v1/batch?index=products&atomic=false", "{}\n", mediaNDJSON},
		{"PUT", "/v1/record/sku-1?index=products", "{}", mediaJSON},
		{"PATCH", "/v1/record/sku-1", "{}", mediaJSON},
		{"DELETE", "/v1/record/sku-1", "", mediaJSON},
		{"PUT", "/v1/indexes/news", "{}", mediaJSON},
		{"PATCH", "/v1/indexes/products", `{"visible":false}`, mediaJSON},
		{"DELETE", "/v1/indexes/products", "", mediaJSON},
	} {
		a := again.do(c.method, c.path, c.body, "Content-Type: "+c.media)
		if a.status != 507 || a.problem(t).Code != codeStorageFull || !strings.Contains(a.problem(t).Detail, "read-only") {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.body)
		}
	}
	again.want(200, "POST", "/v1/search", `{"q":"red"}`)
	again.want(200, "GET", first.header.Get("Location"), "")
	if a := again.want(201, "POST", "/v1/batch", products, "Idempotency-Key: k"); a.body != first.body {
		t.Errorf("replayed: %s", a.body)
	}
}

// Sizes of real collections pass through the streamed import, and every record
// comes out again.
func TestEngineImportsACollection(t *testing.T) {
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		t.Skip("QUARRY_COLLECTIONS names no folder of collections")
	}
	lines := collectionLines(t, filepath.Join(root, "cranfield", "corpus.jsonl.gz"))
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/cranfield", `{"primary_key":"_id","fields":[{"name":"title","type":"text"},{"name":"text","type":"text"}]}`)
	s.server.limits.ChunkBytes = 256 << 10
	var got batchBody
	s.want(201, "POST", "/v1/batch?index=cranfield&atomic=false", ndjson(lines...), "Content-Type: application/x-ndjson").into(t, &got)
	if got.Counts.Put != len(lines) || got.Counts.Failed != 0 {
		t.Errorf("%+v", got.Counts)
	}
	if out := s.want(200, "GET", "/v1/records?index=cranfield", "").body; strings.Count(out, "\n") != len(lines) {
		t.Errorf("%d lines come out, %d went in", strings.Count(out, "\n"), len(lines))
	}
}

func collectionLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// The id of records is filtered by wherever filters are taken.
func TestFiltersByIDOverHTTP(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", products)
	hits := func(body string, want ...string) {
		t.Helper()
		var got searchBody
		s.want(200, "POST", "/v1/search", body).into(t, &got)
		var ids []string
		for _, h := range got.Hits {
			ids = append(ids, h.ID)
		}
		if slices.Sort(ids); !slices.Equal(ids, want) || got.Total != len(want) {
			t.Errorf("%s: %v", body, ids)
		}
	}
	hits(`{"filter":"id IN [\"sku-1\",\"sku-3\",\"sku-9\"]","facets":["brand"]}`, "sku-1", "sku-3")
	hits(`{"q":"running","filter":["id != \"sku-1\"","price > 20"]}`, "sku-2")
	if a := s.want(200, "GET", `/v1/records?index=products&filter=`+url.QueryEscape(`id = "sku-4"`), ""); strings.Count(a.body, "\n") != 1 || !strings.Contains(a.body, "sku-4") {
		t.Errorf("exported %s", a.body)
	}
	p := s.want(422, "POST", "/v1/search", `{"filter":"price > 1 AND id > \"x\""}`).problem(t)
	if len(p.Errors) != 1 || p.Errors[0].Code != engine.CodeInvalidFilter || p.Errors[0].Pointer != "/filter" || p.Errors[0].Column != 15 {
		t.Errorf("%+v", p)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete_where","filter":"id = \"sku-1\" OR id = \"sku-2\""},{"op":"patch_where","filter":"id != \"sku-3\"","record":{"stock":100}}]}`)
	hits(`{}`, "sku-3", "sku-4")
	hits(`{"filter":"stock = 100"}`, "sku-4")
	var made struct{ Key string }
	s.want(201, "POST", "/v1/keys", `{"name":"k","scopes":["search","read"],"filter":"id != \"sku-3\""}`).into(t, &made)
	s.key = made.Key
	hits(`{"filter":"id IN [\"sku-3\",\"sku-4\"]"}`, "sku-4")
	s.want(404, "GET", "/v1/record/sku-3?index=products", "")
	s.want(200, "GET", "/v1/record/sku-4?index=products", "")
}

// Of a list the text that shows most has the place that one text has, and the
// others that match stand beside it.
func TestHighlightsOfListsOverHTTP(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"id":"1","title":"a red hat","tags":["red","blue","red hat"]}]}`)
	a := s.want(200, "POST", "/v1/search", `{"q":"red hat","highlight":true}`)
	if want := `"highlight":{"title":{"text":"a <mark>red</mark> <mark>hat</mark>","start":0,"item":0,"matches":[[2,3],[6,3]]},` +
		`"tags":{"text":"<mark>red</mark> <mark>hat</mark>","start":0,"item":2,"matches":[[0,3],[4,3]],"more":[{"text":"<mark>red</mark>","start":0,"item":0,"matches":[[0,3]]}]}}`; !strings.Contains(a.body, want) {
		t.Errorf("got  %s\nwant %s", a.body, want)
	}
	a = s.graph(`{ search(q: "red hat", highlight: {pre: "[", post: "]"}) { hits { highlight { field text item more { field text item matches more { field } } } } } }`, "")
	if want := `"highlight":[{"field":"title","text":"a [red] [hat]","item":0,"more":[]},` +
		`{"field":"tags","text":"[red] [hat]","item":2,"more":[{"field":"tags","text":"[red]","item":0,"matches":[[0,3]],"more":[]}]}]`; !strings.Contains(a.body, want) {
		t.Errorf("got  %s\nwant %s", a.body, want)
	}
}
