package httpapi

import (
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// first returns the first fault of a problem, which must be there.
func (a answer) first(t *testing.T) problemFault {
	t.Helper()
	p := a.problem(t)
	if len(p.Errors) == 0 {
		t.Fatalf("no errors in %s", a.body)
	}
	return p.Errors[0]
}

// A mistake of an index in a list of filters has the column in the one that
// holds it.
func TestFaultsInListsOfFiltersHaveTheirPlace(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"p","records":[{"price":1,"brand":"x"}]}`)
	a := s.want(422, "POST", "/v1/search", `{"index":"p","filter":["EXISTS price OR brand IN [null, \"x\"]","price = 1 OR price = \"a\"","nosuch = 1"]}`)
	p := a.problem(t)
	if len(p.Errors) != 2 || p.Errors[0].Pointer != "/filter/1" || p.Errors[0].Column != 14 || p.Errors[1].Pointer != "/filter/2" || p.Errors[1].Column != 1 {
		t.Error(a.body)
	}
	if f := s.want(422, "GET", "/v1/records?index=p&filter=price+%3D+1+AND+no+%3D+1", "").first(t); f.Column != 15 || f.Parameter != "filter" {
		t.Errorf("%+v", f)
	}
}

// A number that no float holds is a fault of its value.
func TestNumbersBeyondFloatsArePlaced(t *testing.T) {
	s := withEngine(t, "")
	if f := s.want(422, "PUT", "/v1/record/x?index=k", `{"f":1e400}`).first(t); f.Pointer != "/f" || f.Code != engine.CodeInvalidFieldType {
		t.Errorf("%+v", f)
	}
	if f := s.want(422, "POST", "/v1/batch", `{"index":"k","records":[{"id":"1"},{"id":"2","f":{"g":[1,-1e400]}}]}`).first(t); f.Pointer != "/records/1/f/g/1" {
		t.Errorf("%+v", f)
	}
}

func TestIndexesAreMadeOrChangedOnCondition(t *testing.T) {
	s := withEngine(t, "")
	const path = "/v1/indexes/k"
	s.want(412, "PUT", path, `{}`, "If-Match: *")
	s.want(201, "PUT", path, `{"fields":[{"name":"title","type":"text"}]}`, "If-None-Match: *")
	if p := s.want(409, "PUT", path, `{}`, "If-None-Match: *").problem(t); p.Code != codeIndexExists {
		t.Errorf("code %s", p.Code)
	}
	s.want(412, "PUT", path, `{}`, `If-Match: "1"`)
	s.want(409, "PUT", path, `{}`, "If-Match: *", "If-None-Match: *")
	if a := s.want(200, "GET", path, ""); !strings.Contains(a.body, `"title"`) {
		t.Errorf("changed: %s", a.body)
	}
	s.want(200, "PUT", path, `{"fields":[{"name":"other","type":"text"}]}`, "If-Match: *")
	s.want(200, "PUT", path, `{}`, `If-None-Match: "1"`)
	s.want(400, "PUT", path, `{}`, `If-None-Match: 1`)
}

// Spreadsheets part cells by semicolons where 3,5 is a number.
func TestCSVFindsItsSeparator(t *testing.T) {
	s := withEngine(t, "")
	for body, want := range map[string]string{
		"id;a\n1;2\n":               `{"id":"1","a":2}`,
		"\ufeffid;a;b\r\n1;2;3,5\n": `{"id":"1","a":2,"b":"3,5"}`,
		"id,a;b\n1,2\n":             `{"id":"1","a;b":2}`,
		"id;\"a, b\"\n1;2\n":        `{"id":"1","a, b":2}`,
		"id\ta\n1\t2\n":             `{"id":"1","a":2}`,
		"id;" + strings.Repeat("x", 5000) + "\n1;2\n": `{"id":"1","` + strings.Repeat("x", 5000) + `":2}`,
	} {
		for _, atomic := range []string{"true", "false"} {
			if strings.HasPrefix(body, "id;x") {
				s.want(422, "POST", "/v1/batch?index=k&atomic=true", body, "Content-Type: text/csv") // the name is too long, but is one
				continue
			}
			s.want(201, "POST", "/v1/batch?index=k&atomic="+atomic, body, "Content-Type: text/csv")
			var got struct{ Record map[string]any }
			if a := s.want(200, "GET", "/v1/record/1?index=k", ""); !strings.Contains(a.body, want) {
				t.Errorf("%q: %s %v", body, a.body, got)
			}
			s.want(204, "DELETE", "/v1/indexes/k", "")
		}
	}
}

// Bodies of lines have several media types, and every body may begin with a byte
// order mark.
func TestBodiesAsTheyAreSent(t *testing.T) {
	s := withEngine(t, "")
	for _, media := range []string{"application/x-ndjson", "application/ndjson", "application/jsonl; charset=utf-8"} {
		s.want(201, "POST", "/v1/batch?index=k", "\ufeff{\"id\":\"1\"}\n", "Content-Type: "+media)
		s.want(415, "POST", "/v1/search", "{}", "Content-Type: "+media)
	}
	s.want(200, "POST", "/v1/search", "\ufeff{}")
	s.want(201, "POST", "/v1/batch", "\ufeff{\"index\":\"k\",\"records\":[{}]}")
	s.want(200, "PUT", "/v1/record/1?index=k", "\ufeff{}")
}

// What stands alone in the exception of a client says what it is about, and
// every 422 has the list that clients read.
func TestDetailsHaveSubjects(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"id":"1","sku":"1"}]}`)
	long := strings.Repeat("x", 513)
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v1/webhooks", `{}`, `"url" is missing`},
		{"POST", "/v1/webhooks", `{"url":"https://example.com/","events":[]}`, `"events" names no event; "*" stands for all`},
		{"POST", "/v1/keys", `{"scopes":[]}`, `"scopes" names no scope`},
		{"POST", "/v1/keys", `{"scopes":["search"],"expires_at":"2020-01-01T00:00:00Z"}`, `"expires_at" has passed`},
		{"POST", "/v1/search", `{"q":1}`, `"q" must be a string`},
		{"POST", "/v1/search", `{"facets":[{"field":"sku","limit":"x"}]}`, `"facets/0/limit" must be a whole number`},
		{"POST", "/v1/search", `[]`, `the body must be an object`},
		{"POST", "/v1/batch", `[]`, `the body must be an object`},
		{"POST", "/v1/batch?index=k&atomic=false", `{"records":[{}]}`, `2 problems in the request`},
		{"POST", "/v1/batch?index=k", `{"records":[{}]}`, `"index" is a parameter for NDJSON and CSV only; with JSON it stands in the body`},
		{"GET", "/v1/records", ``, `"index" must be the name of the index to export`},
		{"GET", "/v1/indexes?limit=0", ``, `"limit" must be a whole number above 0`},
		{"GET", "/v1/record/" + long, ``, `a record id has at most 512 bytes`},
		{"GET", "/v1/record/%FF", ``, `a record id is valid UTF-8`},
		{"PUT", "/v1/record/new", `{}`, `no index holds this record yet; name the one to put it into with ?index=`},
		{"PUT", "/v1/indexes/BAD", `{}`, `the name of an index has 1 to 64 small letters, digits, _ and -, and begins with a letter or digit`},
		{"PATCH", "/v1/indexes/k", `{"primary_key":"sku"}`, `"sku" is a field of the index already, and the primary key is no field`},
	} {
		a := s.want(422, c.method, c.path, c.body)
		if p := a.problem(t); p.Detail != c.want || len(p.Errors) == 0 {
			t.Errorf("%s %s %s: %s", c.method, c.path, c.body, a.body)
		}
	}
	if f := s.want(422, "PATCH", "/v1/indexes/k", `{"primary_key":"sku"}`).first(t); f.Pointer != "/primary_key" {
		t.Errorf("%+v", f)
	}
	if p := s.want(422, "POST", "/v1/batch?index=k", "\n", "Content-Type: text/csv").problem(t); len(p.Errors) == 0 {
		t.Errorf("%+v", p)
	}
}

// What is called otherwise elsewhere, or misspelt, is told.
func TestNearNames(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"products","records":[{}]}`)
	for _, c := range []struct {
		path, body, want string
		status           int
	}{
		{"/v1/search", `{"Q":"x"}`, `did you mean "q"?`, 422},
		{"/v1/search", `{"query":"x"}`, `did you mean "q"?`, 422},
		{"/v1/search", `{"size":3}`, `did you mean "limit"?`, 422},
		{"/v1/search", `{"page":1}`, `did you mean "offset"?`, 422},
		{"/v1/search", `{"page":1}`, `unknown field "page"`, 422},
		{"/v1/suggest", `{"query":"x"}`, `did you mean "q"?`, 422},
		{"/v1/multi-search", `{"queries":[]}`, `did you mean "searches"?`, 422},
		{"/v1/batch", `{"index":"k","documents":[]}`, `did you mean "records"?`, 422},
		{"/v1/search", `{"index":"prodcts"}`, `did you mean "products"?`, 404},
		{"/v1/search", `{"index":["products","Products2"]}`, ``, 422},
		{"/v1/indexes", `{}`, `PUT /v1/indexes/NAME`, 405},
	} {
		a := s.want(c.status, "POST", c.path, c.body)
		p := a.problem(t)
		for _, f := range p.Errors {
			p.Detail += " " + f.Detail
		}
		if !strings.Contains(p.Detail, c.want) {
			t.Errorf("%s %s: %s", c.path, c.body, a.body)
		}
	}
	k := s.makeKey(`{"scopes":["search"],"indexes":["prod*"]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"secret1","records":[{}]}`)
	if a := s.want(404, "POST", "/v1/search", `{"index":"secret2"}`); !strings.Contains(a.body, "secret1") {
		t.Error(a.body)
	}
	if a := s.as(k.Key).do("POST", "/v1/search", `{"index":"prodsecret1"}`); strings.Contains(a.body, "secret1\"?") {
		t.Error(a.body)
	}
}

// A member of a search that is null is as one that is missing, so that what an
// answer has can be sent back.
func TestNullIsNotGiven(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"presets":{"one":{"limit":1,"filter":"n > 1"}},"fields":[{"name":"n","type":"int","filter":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"n":1},{"n":2},{"n":3}]}`)
	for _, m := range searchMembers {
		s.want(200, "POST", "/v1/search", `{"`+m.name+`":null}`)
	}
	for _, name := range []string{"q", "index", "filter", "limit"} {
		s.want(200, "POST", "/v1/suggest", `{"`+name+`":null}`)
	}
	var got searchBody
	s.want(200, "POST", "/v1/search", `{"index":"k","preset":"one","limit":null,"filter":null}`).into(t, &got)
	if got.Total != 2 || len(got.Hits) != 1 {
		t.Errorf("with a preset: %+v", got)
	}
	s.want(422, "POST", "/v1/search", `{"nosuch":null}`)
}

func TestTokensTellTheIndexesOfTheirKey(t *testing.T) {
	s := withEngine(t, "")
	k := s.makeKey(`{"scopes":["search"],"indexes":["products","ord*"]}`)
	if a := s.want(201, "POST", "/v1/keys/"+k.ID+"/token", `{}`); !strings.Contains(a.body, `"indexes":["products","ord*"]`) {
		t.Error(a.body)
	}
	if a := s.want(201, "POST", "/v1/keys/"+k.ID+"/token", `{"indexes":"ord1"}`); !strings.Contains(a.body, `"indexes":["ord1"]`) {
		t.Error(a.body)
	}
}

// A misspelt index is no success, whatever is asked of it.
func TestDeletesNeedAnIndex(t *testing.T) {
	s := withEngine(t, "")
	s.want(404, "POST", "/v1/batch", `{"index":"prodcuts","operations":[{"op":"delete","id":"sku-42"}]}`)
	s.want(404, "DELETE", "/v1/record/sku-42?index=prodcuts", "")
	s.want(404, "POST", "/v1/batch?index=prodcuts&op=delete", "1\n", "Content-Type: application/x-ndjson")
	s.want(201, "POST", "/v1/batch", `{"index":"products","records":[{"id":"1"}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete","id":"sku-42"}]}`)
}

func TestGraphQLSuggests(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"products","records":[{"id":"1","title":"red shoes"},{"id":"2","title":"red hat"}]}`)
	var rest struct{ Suggestions []map[string]any }
	s.want(200, "POST", "/v1/suggest", `{"q":"re","index":"products","limit":3}`).into(t, &rest)
	got := s.run(`{ suggest(q: "re", index: ["products"], limit: 3) { suggestions { text count title } version tookMs } }`, "")
	list, _ := memberAt(got.Data, "suggest", "suggestions").([]any)
	if len(got.Errors) > 0 || len(list) == 0 || len(list) != len(rest.Suggestions) {
		t.Fatalf("%+v, by REST %v", got, rest)
	}
	for i := range list {
		for _, name := range []string{"text", "count", "title"} {
			if memberAt(list[i], name) != rest.Suggestions[i][name] {
				t.Errorf("%v, by REST %v", list[i], rest.Suggestions[i])
			}
		}
	}
	bad := s.run(`{ suggest(limit: 101) { version } }`, "")
	if len(bad.Errors) != 1 || bad.Errors[0].Extensions.Code != engine.CodeLimitExceeded || bad.Errors[0].Extensions.Pointer != "/limit" {
		t.Errorf("%+v", bad)
	}
	if a := s.graph(`{ a: suggest(limit: 600) { version } b: suggest(limit: 600) { version } }`, ""); a.status != 400 {
		t.Errorf("two of 600: %d %s", a.status, a.body)
	}
}
