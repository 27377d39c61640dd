package httpapi

import (
	"bytes"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
)

// Whatever the body, the answer is one that the document describes, and a
// refusal is the client's fault.
func FuzzBodies(f *testing.F) {
	for _, body := range malformedBodies {
		if len(body) < 1000 {
			f.Add(uint8(0), body)
		}
	}
	for i := range jsonRoutes {
		for _, body := range []string{
			`{"q":"red shoe","index":["shop","n*"],"filter":["price < 3","brand = \"x\""],"sort":["score:desc","price"],"fields":["title^3"],"limit":2,"offset":1,"return":["a.b"],
			  "facets":["brand",{"field":"price","ranges":[[null,50],[50,null]]}],"highlight":{"fields":["title"],"pre":"<","post":">","words":3},"explain":true,"timeout_ms":5}`,
			someRecords,
			`{"index":"shop","atomic":false,"operations":[{"op":"put","record":{"id":"a"},"if_version":3},{"op":"patch","id":7,"record":{"price":1}},{"op":"delete","id":"b"},{"op":"delete_where","filter":"a = 1"}]}`,
			`{"primary_key":"sku","visible":false,"fields":[{"name":"title","type":"text","weight":3,"b":0.5,"language":"de"},{"name":"n","type":"int","sort":true}]}`,
			`{"id":"a","price":3,"x":[1,2,{"y":null}]}`,
		} {
			f.Add(uint8(i), body)
		}
	}
	services := lend(f)
	f.Fuzz(func(t *testing.T, route uint8, body string) {
		s := services.to(t)
		r := jsonRoutes[int(route)%len(jsonRoutes)]
		if a := s.do(r[0], r[1], body); a.status >= 500 {
			t.Errorf("%s %s %q: %d %s", r[0], r[1], body, a.status, a.body)
		}
	})
}

func FuzzLines(f *testing.F) {
	for _, c := range badLines {
		if len(c.line) < 1000 {
			f.Add(true, uint8(0), ndjson(`{"id":"a"}`, c.line, `{"id":"b"}`))
		}
	}
	f.Add(false, uint8(0), "id,n\na,1\n\"b\"\"c\",\n")
	f.Add(false, uint8(2), "\ufeffid,title,price\na,\"x\ny\",1.5\r\nb,,\n")
	f.Add(true, uint8(3), "\"a\"\n12\n{\"id\":\"b\"}")
	services := lend(f)
	f.Fuzz(func(t *testing.T, isJSON bool, op uint8, body string) {
		s := services.to(t)
		s.server.limits.ChunkBytes = 50
		media := mediaCSV
		if isJSON {
			media = mediaNDJSON
		}
		path := "/v1/batch?index=shop&op=" + []string{"put", "put_new", "patch", "delete"}[op%4]
		for _, atomic := range []string{"&atomic=true", "&atomic=false"} {
			a := s.do("POST", path+atomic, body, "Content-Type: "+media)
			if a.status >= 500 || a.status == 400 && body != "" && a.problem(t).Code != engine.CodeMalformedJSON {
				t.Errorf("%s %q: %d %s", path+atomic, body, a.status, a.body)
			}
		}
	})
}

func FuzzRecordPath(f *testing.F) {
	for _, id := range []string{"a", "c/d e", ".", "..", "%", "%2e", "\x00", "ä\xff", "a/../b", strings.Repeat("é", 256), "?x=1", "a#b"} {
		f.Add(id)
	}
	services := lend(f)
	f.Fuzz(func(t *testing.T, id string) {
		s := services.to(t)
		escaped := url.PathEscape(id)
		if id == "." || id == ".." || id == "" {
			return // net/http's own parser of test requests takes these for something else
		}
		a := s.do("PUT", "/v1/record/"+escaped+"?index=shop", `{}`)
		if valid := checkRecordID(id) == ""; valid != (a.status == 200 || a.status == 201) || !valid && a.status != 422 {
			t.Fatalf("%q: %d %s", id, a.status, a.body)
		} else if !valid {
			return
		}
		var got struct{ ID string }
		s.want(200, "GET", "/v1/record/"+escaped+"?index=shop", "").into(t, &got)
		if got.ID != id {
			t.Errorf("%q came back as %q", id, got.ID)
		}
	})
}

func FuzzCursor(f *testing.F) {
	signer, err := openCursorSigner(newMemEngine(f))
	if err != nil {
		f.Fatal(err)
	}
	p := engine.Position{Score: 1 << 60, Index: "shop", ID: "a", Sort: []engine.SortValue{{Missing: true}, {Int: -3, Float: 1.5, Str: "x"}}}
	f.Add(signer.sign(cursorSearch, []byte("query"), appendPosition(nil, &p)))
	f.Add("")
	f.Add("c42_SxhO51EwqH11csox38g")
	f.Fuzz(func(t *testing.T, cursor string) {
		if _, err := signer.verify(cursor, cursorIndexes, nil); err == nil {
			t.Errorf("%q passes", cursor)
		}
		readPosition([]byte(cursor))
	})
}

func FuzzRecordsInOneLine(f *testing.F) {
	f.Add([]byte("{\n \"a\" : [1,\r\n2] }"))
	f.Add([]byte(`{"a\n":"\n"}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		if checkJSON(record) != nil {
			return
		}
		line := appendLine(nil, record)
		if bytes.IndexByte(line, '\n') != len(line)-1 || bytes.IndexByte(line, '\r') >= 0 && bytes.IndexByte(record, '\r') < 0 {
			t.Fatalf("%q became %q", record, line)
		}
		a, b := jsontext.Value(bytes.Clone(record)), jsontext.Value(bytes.TrimSpace(line))
		a.Canonicalize()
		b.Canonicalize()
		if !bytes.Equal(a, b) {
			t.Errorf("%q became %q", record, line)
		}
	})
}

func FuzzAccept(f *testing.F) {
	for _, h := range []string{"*/*", "text/html;q=0.5, application/json", "a/b;q=x", ",,,", "application/json;q=0"} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, header string) {
		accepts([]string{header}, mediaJSON)
	})
}

func TestPositionsComeBack(t *testing.T) {
	for _, p := range []engine.Position{
		{},
		{Score: 1<<62 - 1, Index: "shop", ID: "a\x00b"},
		{Score: 17, Complete: true, Index: "shop", ID: "a"},
		{Index: "x", ID: strings.Repeat("i", 512), Sort: []engine.SortValue{{Missing: true}, {Int: -1 << 63}, {Float: -0.5, Str: "ä"}}},
	} {
		b := appendPosition(nil, &p)
		got, err := readPosition(b)
		if err != nil || !reflect.DeepEqual(*got, p) {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
		for cut := range b {
			if _, err := readPosition(b[:cut]); err == nil {
				t.Errorf("%+v cut at %d is read", p, cut)
			}
		}
		if _, err := readPosition(append(b, 0)); err == nil {
			t.Errorf("%+v with a byte more is read", p)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"limit", "filter", "fields", "facets", "q", "sort", "offset"}
	for name, want := range map[string]string{
		"limt": "limit", "limti": "limit", "Limit": "limit", "filters": "filter", "field": "fields", "facet": "facets",
		"ofset": "offset", "x": "", "": "", "order": "", "qq": "", "sorts": "sort", "maximum": "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"ab", "ba", 1}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestProjection(t *testing.T) {
	const record = `{"id":"a","author":{"name":"N","born":{"year":1900,"place":"P"}},"tags":[{"k":1,"v":2},{"k":3},4],"author.name":"flat","n":null}`
	for _, c := range []struct{ paths, want string }{
		{"id", `{"id":"a"}`},
		{"n,nothing", `{"n":null}`},
		{"author", `{"author":{"name":"N","born":{"year":1900,"place":"P"}}}`},
		{"author.name", `{"author":{"name":"N"},"author.name":"flat"}`},
		{"author.born.year,id", `{"id":"a","author":{"born":{"year":1900}}}`},
		{"tags.k", `{"tags":[{"k":1},{"k":3}]}`},
		{"id.x", `{}`},
	} {
		var w jsonWriter
		w.project([]byte(record), strings.Split(c.paths, ","))
		if string(w.buf) != c.want {
			t.Errorf("%s: %s, want %s", c.paths, w.buf, c.want)
		}
	}
}

func TestTextsAreAlwaysUTF8(t *testing.T) {
	var w jsonWriter
	w.text("a\xff\"\n\u2028")
	if !utf8.Valid(w.buf) || !jsontext.Value(w.buf).IsValid() {
		t.Errorf("%q", w.buf)
	}
}
