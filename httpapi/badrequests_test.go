package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

func nested(depth int) string {
	return `{"a":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "}"
}

// Bodies that are not JSON as this interface understands it, for any route.
var malformedBodies = map[string]string{
	"empty":                   "",
	"white space":             " \n",
	"cut":                     `{"q":"a"`,
	"cut in a string":         `{"q":"a`,
	"cut in a name":           `{"q`,
	"only a brace":            `{`,
	"closing brace":           `}`,
	"no quotes":               `{q:1}`,
	"single quotes":           `{'q':1}`,
	"trailing comma":          `{"q":"a",}`,
	"missing comma":           `{"q":"a" "limit":1}`,
	"missing colon":           `{"q" "a"}`,
	"comment":                 `{"q":"a"/**/}`,
	"line comment":            "{\"q\":\"a\"}//",
	"trailing brace":          `{"q":"a"}}`,
	"second value":            `{"q":"a"}{"q":"b"}`,
	"trailing bytes":          `{"q":"a"} x`,
	"trailing null":           "{}\x00",
	"two byte order marks":    "\ufeff\ufeff{}",
	"name twice":              `{"q":"a","q":"b"}`,
	"name twice escaped":      `{"q":"a","\u0071":"b"}`,
	"name twice below":        `{"x":{"a":1,"a":2}}`,
	"name twice in a list":    `{"x":[{"a":1,"a":2}]}`,
	"bad UTF-8 in a value":    "{\"q\":\"\xff\"}",
	"bad UTF-8 in a name":     "{\"\xc3\x28\":1}",
	"overlong UTF-8":          "{\"q\":\"\xc0\xaf\"}",
	"surrogate in UTF-8":      "{\"q\":\"\xed\xa0\x80\"}",
	"lone surrogate escape":   `{"q":"\ud800"}`,
	"swapped surrogates":      `{"q":"\udc00\ud800"}`,
	"bad escape":              `{"q":"\x"}`,
	"short escape":            `{"q":"\u12"}`,
	"raw newline in a string": "{\"q\":\"a\nb\"}",
	"raw tab in a string":     "{\"q\":\"a\tb\"}",
	"raw null in a string":    "{\"q\":\"a\x00b\"}",
	"leading zero":            `{"limit":01}`,
	"plus sign":               `{"limit":+1}`,
	"bare point":              `{"limit":.5}`,
	"point at the end":        `{"limit":1.}`,
	"hexadecimal":             `{"limit":0x10}`,
	"NaN":                     `{"limit":NaN}`,
	"Infinity":                `{"limit":-Infinity}`,
	"True":                    `{"explain":True}`,
	"undefined":               `{"q":undefined}`,
	"brackets crossed":        `{"x":[1}]`,
	"depth 33":                nested(33),
	"depth 100000":            nested(100_000),
	"open depth 100000":       strings.Repeat(`{"a":`, 100_000),
	"UTF-16":                  "\xff\xfe{\x00}\x00",
	"gzip":                    "\x1f\x8b\x08\x00\x00",
	"form":                    "q=shoes&limit=3",
	"NDJSON":                  "{\"id\":1}\n{\"id\":2}\n",
}

var jsonRoutes = [][2]string{
	{"POST", "/v1/search"}, {"POST", "/v1/batch"}, {"PUT", "/v1/indexes/shop"}, {"PATCH", "/v1/indexes/shop"},
	{"PUT", "/v1/record/a?index=shop"}, {"PATCH", "/v1/record/a?index=shop"},
}

func TestMalformedBodies(t *testing.T) {
	s := withRecords(t)
	for name, body := range malformedBodies {
		for _, r := range jsonRoutes {
			start := time.Now()
			a := s.do(r[0], r[1], body)
			if a.status != 400 || a.problem(t).Code != engine.CodeMalformedJSON {
				t.Errorf("%s: %s %s: %d %s", name, r[0], r[1], a.status, a.body)
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("%s: %s %s took %v", name, r[0], r[1], took)
			}
		}
	}
	// At the limits these are well-formed.
	for _, body := range []string{nested(32), `{"q":"\ud83d\ude00"}`, " \t\r\n{}\n "} {
		for _, r := range jsonRoutes {
			if a := s.do(r[0], r[1], body); a.status == 400 {
				t.Errorf("%s: %s %s: %s", body, r[0], r[1], a.body)
			}
		}
	}
}

func TestBodiesThatAreNoObjects(t *testing.T) {
	s := withRecords(t)
	for _, body := range []string{"null", "true", "false", "0", "-1.5e3", `""`, `"q"`, "[]", `[{"q":"a"}]`} {
		for _, r := range jsonRoutes {
			if a := s.do(r[0], r[1], body); a.status != 422 {
				t.Errorf("%s: %s %s: %d %s", body, r[0], r[1], a.status, a.body)
			}
		}
	}
}

// badRequest is a well-formed body with one thing wrong.
type badRequest struct{ body, code, pointer string }

func testBadRequests(t *testing.T, method, path string, cases []badRequest) {
	t.Helper()
	s := withRecords(t)
	for _, c := range cases {
		a := s.do(method, path, c.body)
		if a.status != codes[c.code].status {
			t.Errorf("%s: status %d, want %s: %s", c.body, a.status, c.code, a.body)
			continue
		}
		p := a.problem(t)
		if p.Code != c.code {
			t.Errorf("%s: code %s, want %s", c.body, p.Code, c.code)
		}
		if len(p.Errors) != 1 || p.Errors[0].Pointer != c.pointer || p.Errors[0].Code != c.code {
			t.Errorf("%s: errors %+v, want one at %q", c.body, p.Errors, c.pointer)
		}
	}
}

func TestBadSearches(t *testing.T) {
	const invalid, unknown, limit, sort = engine.CodeInvalidRequest, engine.CodeUnknownField, engine.CodeLimitExceeded, engine.CodeInvalidSort
	cases := []badRequest{
		{`{"limt":1}`, unknown, "/limt"},
		{`{"Q":"a"}`, unknown, "/Q"},
		{`{"":1}`, unknown, "/"},
		{`{"a/b~c":1}`, unknown, "/a~1b~0c"},
		{`{"query":"a"}`, unknown, "/query"},
		{`{"highlight":{"field":["a"]}}`, unknown, "/highlight/field"},
		{`{"facets":[{"field":"price","size":3}]}`, unknown, "/facets/0/size"},
		{`{"q":"` + strings.Repeat("x", 4097) + `"}`, limit, "/q"},
		{`{"limit":1001}`, limit, "/limit"},
		{`{"limit":1e300}`, invalid, "/limit"},
		{`{"limit":99999999999999999999}`, limit, "/limit"},
		{`{"limit":-1}`, invalid, "/limit"},
		{`{"limit":1.5}`, invalid, "/limit"},
		{`{"offset":-1}`, invalid, "/offset"},
		{`{"offset":10001}`, limit, "/offset"},
		{`{"offset":9990,"limit":11}`, limit, "/offset"},
		{`{"offset":1,"cursor":"x"}`, invalid, "/offset"},
		{`{"cursor":"x"}`, engine.CodeInvalidCursor, "/cursor"},
		{`{"index":[]}`, invalid, "/index"},
		{`{"index":"Shop"}`, invalid, "/index"},
		{`{"index":["shop","a/b"]}`, invalid, "/index/1"},
		{`{"index":"a*b"}`, invalid, "/index"},
		{`{"index":["shop",3]}`, invalid, "/index/1"},
		{`{"index":"nothing"}`, engine.CodeIndexNotFound, "/index"},
		{`{"index":["shop","nothing"]}`, engine.CodeIndexNotFound, "/index/1"},
		{`{"filter":"price <"}`, engine.CodeInvalidFilter, "/filter"},
		{`{"filter":["price < 3","price <"]}`, engine.CodeInvalidFilter, "/filter/1"},
		{`{"filter":[1]}`, invalid, "/filter/0"},
		{`{"sort":"price:up"}`, sort, "/sort"},
		{`{"sort":[":asc"]}`, sort, "/sort/0"},
		{`{"sort":[""]}`, sort, "/sort/0"},
		{`{"sort":["price","title","price:desc"]}`, sort, "/sort/2"},
		{`{"sort":["price",{"b":"asc"}]}`, invalid, "/sort/1"},
		{`{"fields":[]}`, invalid, "/fields"},
		{`{"fields":"title^"}`, invalid, "/fields"},
		{`{"fields":["title^0"]}`, invalid, "/fields/0"},
		{`{"fields":["title^-1"]}`, invalid, "/fields/0"},
		{`{"fields":["title^NaN"]}`, invalid, "/fields/0"},
		{`{"fields":["title^1001"]}`, invalid, "/fields/0"},
		{`{"fields":[""]}`, invalid, "/fields/0"},
		{`{"facets":[{"limit":3}]}`, invalid, "/facets/0"},
		{`{"facets":["price","price"]}`, invalid, "/facets/1"},
		{`{"facets":[""]}`, invalid, "/facets/0"},
		{`{"facets":[7]}`, invalid, "/facets/0"},
		{`{"facets":[{"field":"price","limit":0}]}`, invalid, "/facets/0/limit"},
		{`{"facets":[{"field":"price","limit":1001}]}`, limit, "/facets/0/limit"},
		{`{"facets":[{"field":"price","ranges":[]}]}`, invalid, "/facets/0/ranges"},
		{`{"facets":[{"field":"price","ranges":[[1]]}]}`, invalid, "/facets/0/ranges/0"},
		{`{"facets":[{"field":"price","ranges":[[1,2,3]]}]}`, invalid, "/facets/0/ranges/0"},
		{`{"facets":[{"field":"price","ranges":[[2,1]]}]}`, invalid, "/facets/0/ranges/0"},
		{`{"facets":[{"field":"price","ranges":[[{},2]]}]}`, invalid, "/facets/0/ranges/0/0"},
		{`{"facets":[{"field":"price","ranges":{"from":1}}]}`, invalid, "/facets/0/ranges"},
		{`{"highlight":{"fields":[1]}}`, invalid, "/highlight/fields/0"},
		{`{"highlight":{"words":1001}}`, limit, "/highlight/words"},
		{`{"highlight":{"pre":"` + strings.Repeat("<", 257) + `"}}`, limit, "/highlight/pre"},
		{`{"ranking":"bm26"}`, invalid, "/ranking"},
		{`{"syntax":"lucene"}`, invalid, "/syntax"},
		{`{"prefix":"first"}`, invalid, "/prefix"},
		{`{"match":"most"}`, invalid, "/match"},
		{`{"min_score":-1}`, invalid, "/min_score"},
		{`{"min_score":1e999}`, invalid, "/min_score"},
		{`{"min_version":-1}`, invalid, "/min_version"},
		{`{"timeout_ms":0}`, invalid, "/timeout_ms"},
		{`{"timeout_ms":2001}`, limit, "/timeout_ms"},
		{`{"typo":{"min1":2}}`, invalid, "/typo/min1"},
		{`{"typo":"on"}`, invalid, "/typo"},
		{`{"intent":"explain"}`, invalid, "/intent"},
		{`{"semantic":{"weight":10.5}}`, invalid, "/semantic/weight"},
		{`{"semantic":{"weight":-1}}`, invalid, "/semantic/weight"},
		{`{"semantic":{"wait":1}}`, "unknown_field", "/semantic/wait"},
		{`{"semantic":"on"}`, invalid, "/semantic"},
		{`{"intent":{"mode":"some"}}`, invalid, "/intent/mode"},
		{`{"intent":{"ignore":["price <"]}}`, engine.CodeInvalidFilter, "/intent/ignore/0"},
		{`{"synonyms":"auto"}`, invalid, "/synonyms"},
		{`{"stop_words":"on"}`, invalid, "/stop_words"},
		{`{"language":"xx"}`, invalid, "/language"},
		{`{"pin":["a",""]}`, invalid, "/pin/1"},
		{`{"hide":["a","a/\u0001"]}`, invalid, "/hide/1"},
		{`{"distinct":""}`, invalid, "/distinct"},
		{`{"group":{"limit":3}}`, invalid, "/group"},
		{`{"group":{"field":"brand","limit":0}}`, invalid, "/group/limit"},
		{`{"group":{"field":"brand","limit":1001}}`, limit, "/group/limit"},
		{`{"geo":{"lat":1}}`, invalid, "/geo"},
		{`{"geo":{"field":"at"}}`, invalid, "/geo"},
		{`{"geo":{"field":"at","lat":1}}`, invalid, "/geo"},
		{`{"geo":{"field":"at","lat":91,"lon":0}}`, invalid, "/geo/lat"},
		{`{"geo":{"field":"at","lat":0,"lon":-181}}`, invalid, "/geo/lon"},
		{`{"geo":{"field":"at","lat":0,"lon":0,"radius":"5 leagues"}}`, invalid, "/geo/radius"},
		{`{"geo":{"field":"at","lat":0,"lon":0,"radius":-1}}`, invalid, "/geo/radius"},
		{`{"geo":{"field":"at","lat":0,"lon":0,"radius":true}}`, invalid, "/geo/radius"},
		{`{"geo":{"field":"at","box":[0,0,1],"radius":1}}`, invalid, "/geo/box"},
		{`{"geo":{"field":"at","box":[0,0,1,1],"radius":1}}`, invalid, "/geo/radius"},
		{`{"geo":{"field":"at","box":[1,0,0,1]}}`, invalid, "/geo/box"},
		{`{"geo":{"field":"at","box":[0,0,0,"1"]}}`, invalid, "/geo/box/3"},
		{`{"sort":"geo(at,1)"}`, sort, "/sort"},
		{`{"sort":["geo(at,91,0):asc"]}`, sort, "/sort/0"},
		{`{"facets":[{"field":"price","disjunctive":1}]}`, invalid, "/facets/0/disjunctive"},
		{`{"facets":[{"field":"price","query":1}]}`, invalid, "/facets/0/query"},
		{`{"facets":[{"field":"price","sort":"size"}]}`, invalid, "/facets/0/sort"},
		{`{"facets":[{"field":"price","stats":"yes"}]}`, invalid, "/facets/0/stats"},
		{`{"facets":[{"field":"price","ranges":[[true,1]]}]}`, invalid, "/facets/0/ranges/0/0"},
		{`{"preset":"x"}`, invalid, "/preset"},
	}
	// Every member with values of the wrong types. null is no value.
	right := map[string]string{
		"q": `"`, "index": `"[`, "filter": `"[`, "sort": `"[`, "fields": `"[`, "limit": "0", "offset": "0", "cursor": `"`, "return": `"[`,
		"facets": `"[`, "highlight": "{tf", "ranking": `"`, "syntax": `"`, "prefix": `"`, "match": `"`, "explain": "tf", "min_score": "0",
		"min_version": "0", "timeout_ms": "0", "typo": `"{`, "intent": `"{`, "semantic": `"f{`, "synonyms": `"tf`, "stop_words": `"tf`, "compounds": `"tf`, "negation": `"tf`, "titles": `"tf`, "proximity": `"tf`, "passages": `"tf`, "coverage": `"tf`, "characters": `"tf`, "answers": `"tf`, "families": `"tf`, "thesaurus": `"tf`, "pin": "[", "hide": "[",
		"distinct": `"`, "group": "{", "geo": "{",
	}
	for _, m := range searchMembers {
		for _, v := range []string{"true", "false", "7", `"x"`, "[]", "{}"} {
			kind := v[0]
			if kind == '7' {
				kind = '0'
			}
			if strings.IndexByte(right[m.name], kind) < 0 {
				cases = append(cases, badRequest{fmt.Sprintf("{%q:%s}", m.name, v), invalid, "/" + m.name})
			}
		}
	}
	testBadRequests(t, "POST", "/v1/search", cases)
}

func TestBadBatches(t *testing.T) {
	const invalid, unknown = engine.CodeInvalidRequest, engine.CodeUnknownField
	one := func(op string) string { return `{"index":"shop","operations":[` + op + `]}` }
	testBadRequests(t, "POST", "/v1/batch", []badRequest{
		{`{}`, invalid, ""},
		{`{"index":"shop"}`, invalid, ""},
		{`{"records":[{}]}`, invalid, ""},
		{`{"index":"shop","records":[{}],"operations":[]}`, invalid, "/records"},
		{`{"index":"shop","record":[{}],"records":[]}`, unknown, "/record"},
		{`{"index":"Shop","records":[{}]}`, invalid, "/index"},
		{`{"index":null,"records":[{}]}`, invalid, "/index"},
		{`{"index":["shop"],"records":[{}]}`, invalid, "/index"},
		{`{"index":"shop","atomic":"no","records":[{}]}`, invalid, "/atomic"},
		{`{"index":"shop","atomic":null,"records":[{}]}`, invalid, "/atomic"},
		{`{"index":"shop","records":{}}`, invalid, "/records"},
		{`{"index":"shop","records":null}`, invalid, "/records"},
		{`{"index":"shop","records":[{},[]]}`, invalid, "/records/1"},
		{`{"index":"shop","records":[null]}`, invalid, "/records/0"},
		{`{"index":"shop","records":["a"]}`, invalid, "/records/0"},
		{`{"index":"shop","operations":"put"}`, invalid, "/operations"},
		{one(`null`), invalid, "/operations/0"},
		{one(`[]`), invalid, "/operations/0"},
		{one(`{}`), invalid, "/operations/0"},
		{one(`{"record":{}}`), invalid, "/operations/0"},
		{one(`{"op":"upsert","record":{}}`), invalid, "/operations/0/op"},
		{one(`{"op":null,"record":{}}`), invalid, "/operations/0/op"},
		{one(`{"op":1,"record":{}}`), invalid, "/operations/0/op"},
		{one(`{"op":"put"}`), invalid, "/operations/0"},
		{one(`{"op":"put","record":null}`), invalid, "/operations/0/record"},
		{one(`{"op":"put","record":"x"}`), invalid, "/operations/0/record"},
		{one(`{"op":"put","record":{},"doc":{}}`), unknown, "/operations/0/doc"},
		{one(`{"op":"put","record":{},"a/b":{}}`), unknown, "/operations/0/a~1b"},
		{one(`{"op":"put","record":{},"filter":"a = 1"}`), invalid, "/operations/0/filter"},
		{one(`{"op":"put","record":{},"index":"A"}`), invalid, "/operations/0/index"},
		{one(`{"op":"put","record":{},"id":""}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":"."}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":"a\nb"}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":1.5}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":1e3}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":null}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":true}`), invalid, "/operations/0/id"},
		{one(`{"op":"put","record":{},"id":"` + strings.Repeat("x", 513) + `"}`), invalid, "/operations/0/id"},
		{one(`{"op":"put_new","record":{},"if_version":1}`), invalid, "/operations/0/if_version"},
		{one(`{"op":"put","record":{},"if_version":-1}`), invalid, "/operations/0/if_version"},
		{one(`{"op":"put","record":{},"if_version":"1"}`), invalid, "/operations/0/if_version"},
		{one(`{"op":"patch","record":{}}`), invalid, "/operations/0"},
		{one(`{"op":"patch","id":"a"}`), invalid, "/operations/0"},
		{one(`{"op":"delete"}`), invalid, "/operations/0"},
		{one(`{"op":"delete","id":"a","record":{}}`), invalid, "/operations/0/record"},
		{one(`{"op":"delete_where"}`), invalid, "/operations/0"},
		{one(`{"op":"delete_where","filter":""}`), engine.CodeInvalidFilter, "/operations/0/filter"},
		{one(`{"op":"delete_where","filter":7}`), invalid, "/operations/0/filter"},
		{one(`{"op":"delete_where","filter":"a = 1","id":"x"}`), invalid, "/operations/0/id"},
		{`{"operations":[{"op":"delete","id":"a"}]}`, invalid, "/operations/0"},
		{`{"operations":[{"op":"patch","id":"a","record":{},"index":"nothing"}]}`, engine.CodeIndexNotFound, "/operations/0/index"},
	})
}

func TestBadSchemas(t *testing.T) {
	const invalid, unknown = engine.CodeInvalidRequest, engine.CodeUnknownField
	one := func(f string) string { return `{"fields":[` + f + `]}` }
	testBadRequests(t, "PUT", "/v1/indexes/shop2", []badRequest{
		{`{"field":[]}`, unknown, "/field"},
		{`{"name":"shop2"}`, unknown, "/name"},
		{`{"primary_key":1}`, invalid, "/primary_key"},
		{`{"language":null}`, invalid, "/language"},
		{`{"visible":"yes"}`, invalid, "/visible"},
		{`{"dynamic":1}`, invalid, "/dynamic"},
		{`{"fields":{}}`, invalid, "/fields"},
		{`{"fields":null}`, invalid, "/fields"},
		{one(`"title"`), invalid, "/fields/0"},
		{one(`{}`), invalid, "/fields/0"},
		{one(`{"name":"a"}`), invalid, "/fields/0"},
		{one(`{"type":"text"}`), invalid, "/fields/0"},
		{one(`{"name":1,"type":"text"}`), invalid, "/fields/0/name"},
		{one(`{"name":"a","type":"string"}`), invalid, "/fields/0/type"},
		{one(`{"name":"a","type":"vector(3)"}`), invalid, "/fields/0/type"},
		{one(`{"name":"a","type":null}`), invalid, "/fields/0/type"},
		{one(`{"name":"a","type":"text","searchable":true}`), unknown, "/fields/0/searchable"},
		{one(`{"name":"a","type":"text","search":1}`), invalid, "/fields/0/search"},
		{one(`{"name":"a","type":"text","filter":"x"}`), invalid, "/fields/0/filter"},
		{one(`{"name":"a","type":"text","weight":-1}`), invalid, "/fields/0/weight"},
		{one(`{"name":"a","type":"text","weight":1001}`), invalid, "/fields/0/weight"},
		{one(`{"name":"a","type":"text","weight":"3"}`), invalid, "/fields/0/weight"},
		{one(`{"name":"a","type":"text","b":1.1}`), invalid, "/fields/0/b"},
		{one(`{"name":"a","type":"text","language":1}`), invalid, "/fields/0/language"},
		{one(`{"name":"a","type":"text"},{"name":"a","type":"int"}`), invalid, "/fields/1/name"},
	})
	s := newService(t)
	for _, name := range []string{"Shop", "-a", "_a", "a.b", "a%20b", "%C3%A4", strings.Repeat("a", 65), "%2e%2e", "a%2Fb"} {
		s.want(422, "PUT", "/v1/indexes/"+name, "{}")
		s.want(404, "GET", "/v1/indexes/"+name, "")
		s.want(404, "DELETE", "/v1/indexes/"+name, "")
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	s := newService(t)
	p := s.want(422, "POST", "/v1/search", `{"q":7,"limt":1,"filter":"price <","syntax":"query","sort":["a:up"]}`).problem(t)
	var got []string
	for _, e := range p.Errors {
		got = append(got, e.Pointer+" "+e.Code)
	}
	want := []string{"/q invalid_request", "/limt unknown_field", "/sort/0 invalid_sort", "/filter invalid_filter"}
	if !slices.Equal(got, want) || p.Code != engine.CodeInvalidRequest || p.Detail != "4 problems in the request" {
		t.Errorf("%s: %s: %q, want %q", p.Code, p.Detail, got, want)
	}
	if p.Errors[3].Column == 0 || p.Errors[1].Detail != `unknown field "limt"; did you mean "limit"?` {
		t.Errorf("%+v", p.Errors)
	}
	p = s.want(422, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"delete_where","filter":"price <"},{"op":"put"},{"op":"patch_where","filter":"brand = \"x\" AND (","record":{}},{"op":"delete_where","filter":"a = 1"},{"op":"delete_where","filter":7}]}`).problem(t)
	got = got[:0]
	for _, e := range p.Errors {
		got = append(got, fmt.Sprint(e.Pointer, " ", e.Code, " ", e.Column))
	}
	want = []string{"/operations/1 invalid_request 0", "/operations/4/filter invalid_request 0", "/operations/0/filter invalid_filter 8", "/operations/2/filter invalid_filter 18"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	many := `{"index":"shop","records":[` + strings.TrimSuffix(strings.Repeat("1,", 150), ",") + `]}`
	if p := s.want(422, "POST", "/v1/batch", many).problem(t); len(p.Errors) != 100 || p.Detail != "150 problems in the request" {
		t.Errorf("%d errors: %s", len(p.Errors), p.Detail)
	}
}

func TestBadParameters(t *testing.T) {
	s := withRecords(t)
	for _, c := range []struct{ method, path, parameter, code string }{
		{"GET", "/v1/indexes?limit=0", "limit", engine.CodeInvalidRequest},
		{"GET", "/v1/indexes?limit=x", "limit", engine.CodeInvalidRequest},
		{"GET", "/v1/indexes?limit=", "limit", engine.CodeInvalidRequest},
		{"GET", "/v1/indexes?limit=1001", "limit", engine.CodeLimitExceeded},
		{"GET", "/v1/indexes?limit=1&limit=2", "limit", engine.CodeInvalidRequest},
		{"GET", "/v1/indexes?limt=1", "limt", engine.CodeUnknownField},
		{"GET", "/v1/indexes?cursor=", "cursor", engine.CodeInvalidCursor},
		{"GET", "/v1/indexes?cursor=x", "cursor", engine.CodeInvalidCursor},
		{"GET", "/v1/records?index=shop&limit=10001", "limit", engine.CodeLimitExceeded},
		{"GET", "/v1/limits?x=1", "x", engine.CodeUnknownField},
		{"GET", "/v1/openapi.json?x=1", "x", engine.CodeUnknownField},
		{"GET", "/v1/batch/x?y=1", "y", engine.CodeUnknownField},
		{"POST", "/v1/search?q=red", "q", engine.CodeUnknownField},
		{"POST", "/v1/batch?atomic=false", "atomic", engine.CodeInvalidRequest},
		{"DELETE", "/v1/record/a?indx=shop", "indx", engine.CodeUnknownField},
		{"DELETE", "/v1/record/a?index=", "index", engine.CodeInvalidRequest},
	} {
		p := s.want(422, c.method, c.path, "").problem(t)
		if p.Code != c.code || len(p.Errors) != 1 || p.Errors[0].Parameter != c.parameter {
			t.Errorf("%s: %+v", c.path, p)
		}
	}
	for _, path := range []string{"/v1/indexes?%zz", "/v1/indexes?a;b"} {
		s.want(422, "GET", path, "")
	}
	s.want(200, "GET", "/v1/records?index=shop", "") // nothing was deleted above
}

func TestBodiesThatAreTooLarge(t *testing.T) {
	s := newService(t, func(c *Config) {
		c.Limits = Limits{SearchBytes: 100, BodyBytes: 200, SchemaBytes: 300}
	})
	s.server.engineMax.RecordBytes = 1000
	pad := func(n int) string { return "{" + strings.Repeat(" ", n-2) + "}" }
	for _, c := range []struct {
		method, path string
		limit        int
		code         string
	}{
		{"POST", "/v1/search", 100, codeBodyTooLarge}, {"POST", "/v1/batch", 200, codeBodyTooLarge}, {"PUT", "/v1/indexes/shop", 300, codeBodyTooLarge},
		{"PUT", "/v1/record/a?index=shop", 1000 + 64<<10, engine.CodeRecordTooLarge},
	} {
		if a := s.do(c.method, c.path, pad(c.limit)); a.status == 413 {
			t.Errorf("%s %s: 413 at the limit", c.method, c.path)
		}
		if p := s.want(413, c.method, c.path, pad(c.limit+1)).problem(t); p.Code != c.code {
			t.Errorf("%s %s: %+v", c.method, c.path, p)
		}
	}
	s.want(413, "POST", "/v1/batch?index=shop", strings.Repeat("{}\n", 100), "Content-Type: application/x-ndjson")
}
