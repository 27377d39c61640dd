package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine"
)

// graphAnswer is the answer to a GraphQL operation that was run.
type graphAnswer struct {
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct {
			Code, Pointer string
			Status        int
			Errors        []graphFault
			Indexes       []string
		}
	}
}

type graphFault struct{ Pointer, Code string }

// graph sends a GraphQL request; variables is a JSON object or "".
func (s *service) graph(query, variables string) answer {
	s.t.Helper()
	body := map[string]any{"query": query}
	text, _ := json.Marshal(body)
	if variables != "" {
		text = append(text[:len(text)-1], `,"variables":`+variables+"}"...)
	}
	return s.do("POST", "/v1/graphql", string(text))
}

// run sends a GraphQL request that can be run.
func (s *service) run(query, variables string) graphAnswer {
	s.t.Helper()
	a := s.graph(query, variables)
	if a.status != 200 {
		s.t.Fatalf("%s: status %d: %s", query, a.status, a.body)
	}
	var got graphAnswer
	a.into(s.t, &got)
	return got
}

// memberAt leads through objects by names and through lists by numbers.
func memberAt(v any, steps ...any) any {
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

func TestGraphQLSearch(t *testing.T) {
	s := withRecords(t)
	s.want(200, "PATCH", "/v1/record/a?index=shop", `{"big":9007199254740993,"note":"<b> & \u2028"}`)
	a := s.graph(`query ($q: String, $first: Int = 1) {
		found: search(q: $q, index: "shop", limit: $first, explain: true, highlight: {fields: "title", pre: "<i>", post: "</i>"},
			facets: [{field: "price", ranges: [[null, 50], [50, null]]}, {field: "title", limit: 1}, {field: "big"}]) {
			hits { id index score record highlight { field text matches } explain title: record(fields: ["title"]) }
			total totalExact nextCursor version
			query { text filtersFromIntent corrections { from to } didYouMean }
			facets { field values { value count } ranges { from to count } other missing stats { min max avg sum count } exact }
		}
	}`, `{"q":"red"}`)
	if a.status != 200 || a.header.Get("Content-Type") != mediaJSON {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var rest struct {
		Hits []struct {
			Score   float64
			Explain jsontext.Value
		}
		NextCursor string `json:"next_cursor"`
	}
	s.want(200, "POST", "/v1/search", `{"q":"red","index":"shop","limit":1,"explain":true}`).into(t, &rest)
	want := fmt.Sprintf(`{"data":{"found":{"hits":[{"id":"a","index":"shop","score":%v,`+
		`"record":{"id":"a","title":"red shoe","price":1,"big":9007199254740993,"note":"<b> & \u2028"},`+
		`"highlight":[{"field":"title","text":"<i>red</i> shoe","matches":[[0,3]]}],`+
		`"explain":%s,"title":{"title":"red shoe"}}],`+
		`"total":2,"totalExact":true,"nextCursor":"%s","version":"3",`+
		`"query":{"text":"red","filtersFromIntent":[],"corrections":[],"didYouMean":null},"facets":[`+
		`{"field":"price","values":null,"ranges":[{"from":null,"to":50,"count":1},{"from":50,"to":null,"count":0}],"other":null,"missing":1,"stats":{"min":1,"max":1,"avg":1,"sum":1,"count":1},"exact":true},`+
		`{"field":"title","values":[{"value":"red hat","count":1}],"ranges":null,"other":1,"missing":0,"stats":null,"exact":true},`+
		`{"field":"big","values":[{"value":9007199254740993,"count":1}],"ranges":null,"other":0,"missing":1,"stats":{"min":9007199254740993,"max":9007199254740993,"avg":9007199254740993,"sum":9007199254740993,"count":1},"exact":true}]}}}`+"\n",
		rest.Hits[0].Score, rest.Hits[0].Explain, rest.NextCursor)
	if diff := cmp.Diff(strings.ReplaceAll(want, "\\u2028", "\u2028"), a.body); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	next := s.run(`query ($c: String) { search(q: "red", index: ["shop"], limit: 1, cursor: $c) { hits { id } nextCursor } }`, `{"c":"`+rest.NextCursor+`"}`)
	if id := memberAt(next.Data, "search", "hits", 0, "id"); id != "c/d e" || next.Errors != nil {
		t.Errorf("second page: %+v", next)
	}
}

func TestGraphQLReads(t *testing.T) {
	s := newService(t)
	at := "2026-11-21T13:05:00Z"
	s.server.now = func() time.Time { return time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC) }
	s.want(201, "PUT", "/v1/indexes/shop", `{"language":"de","fields":[{"name":"title","type":"text","weight":2.5},{"name":"price","type":"int","sort":true}]}`)
	s.want(201, "PUT", "/v1/indexes/news", `{"visible":false}`)
	var b batchBody
	s.want(201, "POST", "/v1/batch", `{"atomic":false,"index":"shop","records":[{"id":"a","title":"x","price":1},{"id":"b","price":"y"}]}`).into(t, &b)
	a := s.graph(`query ($b: ID!) {
		indexes(first: 1) { total nextCursor nodes { name } }
		index(name: "shop") { name visible records version primaryKey language dynamic state
			fields { name type search filter facet sort weight b language analyzer } }
		record(id: "a") { id index version record }
		again: record(id: "a", index: "shop") { record(fields: "price") }
		batch(id: $b) { id state atomic version counts { put patched deleted failed } ids indexesCreated errors { position code pointer detail } createdAt appliedAt }
	}`, `{"b":"`+b.ID+`"}`)
	var got graphAnswer
	a.into(t, &got)
	want := map[string]any{
		"index": map[string]any{"name": "shop", "visible": true, "records": 1.0, "version": "3", "primaryKey": "id", "language": "de", "dynamic": true, "state": "ready",
			"fields": []any{
				map[string]any{"name": "title", "type": "text", "search": true, "filter": false, "facet": false, "sort": false, "weight": 2.5, "b": nil, "language": nil, "analyzer": nil},
				map[string]any{"name": "price", "type": "int", "search": false, "filter": false, "facet": false, "sort": true, "weight": nil, "b": nil, "language": nil, "analyzer": nil},
			}},
		"record": map[string]any{"id": "a", "index": "shop", "version": "3", "record": map[string]any{"id": "a", "title": "x", "price": 1.0}},
		"again":  map[string]any{"record": map[string]any{"price": 1.0}},
		"batch": map[string]any{"id": b.ID, "state": "applied", "atomic": false, "version": "3", "counts": map[string]any{"put": 1.0, "patched": 0.0, "deleted": 0.0, "failed": 1.0},
			"ids": []any{"a", nil}, "indexesCreated": []any{}, "createdAt": at, "appliedAt": at,
			"errors": []any{map[string]any{"position": 1.0, "code": "invalid_field_type", "pointer": "/records/1/price", "detail": b.Errors[0].Detail}}},
		"indexes": map[string]any{"total": 2.0, "nextCursor": memberAt(got.Data, "indexes", "nextCursor"), "nodes": []any{map[string]any{"name": "news"}}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" || got.Errors != nil {
		t.Errorf("errors %+v, -want +got\n%s", got.Errors, diff)
	}
	rest := s.run(`query ($c: String) { indexes(after: $c) { nodes { name } nextCursor } }`, `{"c":"`+memberAt(got.Data, "indexes", "nextCursor").(string)+`"}`)
	if diff := cmp.Diff(map[string]any{"nodes": []any{map[string]any{"name": "shop"}}, "nextCursor": nil}, rest.Data["indexes"]); diff != "" {
		t.Errorf("second page: %s", diff)
	}
}

func TestGraphQLMutations(t *testing.T) {
	s := newService(t)
	got := s.run(`mutation ($r: JSON!, $ops: [OperationInput!]) {
		putIndex(name: "shop", schema: {language: "de", fields: [{name: "price", type: "int", sort: true}, {name: "title", type: "text"}]}) { name language fields { name } }
		one: batch(input: {index: "shop", records: [$r, {id: 7, title: "literal", tags: ["x", null], float: 2.0, on: true}]}) { state ids version counts { put } }
		two: batch(input: {index: "shop", operations: $ops, atomic: false}) { ids counts { put patched deleted failed } errors { position code pointer } indexesCreated }
		deleteRecord(id: 7)
	}`, `{"r":{"id":"r","price":9007199254740993,"x":1.10},"ops":[
		{"op":"patch","id":"r","record":{"title":"new","gone":null},"ifVersion":"2"},
		{"op":"put","index":"news","record":{"id":"n"}},
		{"op":"put_new","record":{"id":"r"},"filter":null},
		{"op":"delete","id":"none"},
		{"op":"delete_where","filter":"price > 10000000000000000"}]}`)
	want := map[string]any{
		"putIndex": map[string]any{"name": "shop", "language": "de", "fields": []any{map[string]any{"name": "price"}, map[string]any{"name": "title"}}},
		"one":      map[string]any{"state": "applied", "ids": []any{"r", "7"}, "version": "2", "counts": map[string]any{"put": 2.0}},
		"two": map[string]any{"ids": memberAt(got.Data, "two", "ids"), "counts": map[string]any{"put": 1.0, "patched": 1.0, "deleted": 0.0, "failed": 2.0},
			"errors":         []any{map[string]any{"position": 2.0, "code": "record_exists", "pointer": "/operations/2"}, map[string]any{"position": 4.0, "code": "not_filterable", "pointer": "/operations/4/filter"}},
			"indexesCreated": []any{"news"}},
		"deleteRecord": true,
	}
	if diff := cmp.Diff(want, got.Data); diff != "" || got.Errors != nil {
		t.Errorf("errors %+v, -want +got\n%s", got.Errors, diff)
	}
	if rec := s.want(200, "GET", "/v1/record/r", "").body; !strings.Contains(rec, `"price":9007199254740993`) || !strings.Contains(rec, `"x":1.10`) || !strings.Contains(rec, `"title":"new"`) {
		t.Errorf("the record is %s", rec)
	}
	s.want(404, "GET", "/v1/record/7", "")
	got = s.run(`mutation { deleteIndex(name: "shop") }`, "")
	if got.Data["deleteIndex"] != true {
		t.Errorf("%+v", got)
	}
	s.want(404, "GET", "/v1/indexes/shop", "")
}

func TestGraphQLIdempotencyKey(t *testing.T) {
	s := newService(t)
	const write = `mutation ($k: String, $t: String!) { batch(input: {index: "shop", records: [{title: $t}]}, idempotencyKey: $k) { id ids } }`
	first := s.run(write, `{"k":"k-1","t":"x"}`)
	if again := s.run(write, `{"t":"x","k":"k-1"}`); !cmp.Equal(first, again) {
		t.Errorf("first %+v, again %+v", first, again)
	}
	for _, c := range []struct {
		variables, code string
		status          int
	}{{`{"k":"k-1","t":"y"}`, codeIdemReused, 422}, {`{"k":"a b","t":"x"}`, codeMalformedHeader, 400}, {`{"k":"","t":"x"}`, codeMalformedHeader, 400}} {
		got := s.run(write, c.variables)
		if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != c.code || got.Errors[0].Extensions.Status != c.status || got.Data != nil {
			t.Errorf("%s: %+v", c.variables, got)
		}
	}
	var n searchBody
	s.want(200, "POST", "/v1/search", `{}`).into(t, &n)
	if n.Total != 1 {
		t.Errorf("%d records, want 1", n.Total)
	}
}

// Errors of fields are those of the routes, and leave other fields alone.
func TestGraphQLFieldErrors(t *testing.T) {
	s := withRecords(t)
	for _, c := range []struct{ query, code, pointer string }{
		{`{ search(filter: "price <") { total } }`, engine.CodeInvalidFilter, "/filter"},
		{`{ search(index: ["shop", "none"]) { total } }`, engine.CodeIndexNotFound, "/index/1"},
		{`{ search(index: "none") { total } }`, engine.CodeIndexNotFound, "/index"},
		{`{ search(limit: -1) { total } }`, engine.CodeInvalidRequest, "/limit"},
		{`{ search(limit: 1000, offset: 9001) { total } }`, engine.CodeLimitExceeded, "/offset"},
		{`{ search(cursor: "x") { total } }`, engine.CodeInvalidCursor, "/cursor"},
		{`{ search(q: {a: 1}) { total } }`, engine.CodeInvalidRequest, "/q"},
		{`{ search(sort: ["price", "none"]) { total } }`, engine.CodeInvalidSort, "/sort/1"},
		{`{ search(facets: {field: "none"}) { total } }`, engine.CodeUnknownField, "/facets/0"},
		{`{ search(facets: [{field: "price", ranges: [[1]]}]) { total } }`, engine.CodeInvalidRequest, "/facets/0/ranges/0"},
		{`{ search(highlight: {words: -1}) { total } }`, engine.CodeInvalidRequest, "/highlight/words"},
		{`{ indexes(first: 0) { total } }`, engine.CodeInvalidRequest, "/first"},
		{`{ indexes(after: "x") { total } }`, engine.CodeInvalidCursor, "/after"},
		{`{ index(name: "none") { name } }`, engine.CodeIndexNotFound, ""},
		{`{ record(id: "none") { id } }`, engine.CodeRecordNotFound, ""},
		{`{ record(id: "") { id } }`, engine.CodeInvalidRequest, "/id"},
		{`{ record(id: "a", index: "A") { id } }`, engine.CodeInvalidRequest, "/index"},
		{`{ record(id: "a") { id } }`, codeAmbiguousID, ""},
		{`{ batch(id: "none") { id } }`, codeBatchNotFound, ""},
		{`mutation { deleteRecord(id: "none", index: "shop") }`, engine.CodeRecordNotFound, ""},
		{`mutation { deleteRecord(id: "a") }`, codeAmbiguousID, ""},
		{`mutation { deleteIndex(name: "none") }`, engine.CodeIndexNotFound, ""},
		{`mutation { putIndex(name: "A", schema: {}) { name } }`, engine.CodeInvalidRequest, "/name"},
		{`mutation { putIndex(name: "x", schema: {primaryKey: {}, fields: {name: "a", type: "text", weight: -1}}) { name } }`, engine.CodeInvalidRequest, "/schema/fields/0/weight"},
		{`mutation { putIndex(name: "x", schema: {primaryKey: {}}) { name } }`, engine.CodeInvalidRequest, "/schema/primaryKey"},
		{`mutation { batch(input: {}) { id } }`, engine.CodeInvalidRequest, "/input"},
		{`mutation { batch(input: {index: "shop", operations: {op: delete}}) { id } }`, engine.CodeInvalidRequest, "/input/operations/0"},
		{`mutation { batch(input: {index: "shop", operations: [{op: put, record: {price: "x"}}]}) { id } }`, engine.CodeInvalidFieldType, "/input/operations/0/record/price"},
		{`mutation { batch(input: {index: "shop", operations: [{op: delete, id: "a", ifVersion: "x"}]}) { id } }`, engine.CodeInvalidRequest, "/input/operations/0/ifVersion"},
		{`mutation { batch(input: {index: "shop", operations: [{op: delete, id: "a", ifVersion: "99"}]}) { id } }`, engine.CodeVersionMismatch, "/input/operations/0/ifVersion"},
		{`mutation { batch(input: {index: "shop", records: [{id: "x"}, 5]}) { id } }`, engine.CodeInvalidRequest, "/input/records/1"},
	} {
		got := s.run(c.query, "")
		if len(got.Errors) != 1 {
			t.Errorf("%s: %+v", c.query, got)
			continue
		}
		e := got.Errors[0]
		if e.Extensions.Code != c.code || e.Extensions.Status != codes[c.code].status || e.Extensions.Pointer != c.pointer || e.Message == "" || len(e.Path) != 1 {
			t.Errorf("%s: %+v, want %s at %q", c.query, e, c.code, c.pointer)
		}
	}
	got := s.run(`{ none: index(name: "none") { name } shop: index(name: "shop") { name } held: record(id: "a") { id } }`, "")
	if memberAt(got.Data, "shop", "name") != "shop" || got.Data["none"] != nil || got.Data["held"] != nil || len(got.Errors) != 2 {
		t.Errorf("partial data: %+v", got)
	}
	got = s.run(`mutation { one: batch(input: {index: "shop", records: [{id: "kept"}]}) { id } two: deleteIndex(name: "none") three: deleteRecord(id: "c/d e") }`, "")
	if got.Data != nil || len(got.Errors) != 1 || got.Errors[0].Path[0] != "two" {
		t.Errorf("a mutation that fails in the middle: %+v", got)
	}
	s.want(200, "GET", "/v1/record/kept", "")
	s.want(404, "GET", "/v1/record/c%2Fd%20e?index=shop", "")
}

func TestGraphQLScopes(t *testing.T) {
	s := withRecords(t)
	fields := []struct {
		scope Scope
		query string
	}{
		{ScopeSearch, `{ search { total } }`},
		{ScopeRead, `{ indexes { total } }`},
		{ScopeRead, `{ index(name: "shop") { name } }`},
		{ScopeRead, `{ record(id: "n") { id } }`},
		{ScopeRead | ScopeWrite, `{ batch(id: "x") { id } }`},
		{ScopeWrite, `mutation { batch(input: {index: "shop", records: []}) { id } }`},
		{ScopeWrite, `mutation { deleteRecord(id: "none") }`},
		{ScopeAdmin, `mutation { putIndex(name: "new", schema: {}) { name } }`},
		{ScopeAdmin, `mutation { deleteIndex(name: "new") }`},
	}
	for _, scope := range []Scope{ScopeSearch, ScopeRead, ScopeWrite, ScopeAdmin, ScopeKeys, ScopeWebhooks, ScopeUsage} {
		s := s.as(s.makeKey(`{"scopes":["` + scope.String() + `"]}`).Key)
		for _, f := range fields {
			got := s.run(f.query, "")
			forbidden := len(got.Errors) == 1 && got.Errors[0].Extensions.Code == codeForbiddenScope && got.Errors[0].Extensions.Status == 403
			if forbidden == (scope&f.scope != 0) {
				t.Errorf("scope %s, %s: %+v", scope, f.query, got)
			}
		}
		if got := s.run(`{ __type(name: "Hit") { name } }`, ""); memberAt(got.Data, "__type", "name") != "Hit" {
			t.Errorf("scope %s, introspection: %+v", scope, got)
		}
	}
}

// What cannot be run is answered with 400 and changes nothing.
func TestGraphQLRequestsThatCannotBeRun(t *testing.T) {
	s := withRecords(t)
	const sound = `"query":"{ search { total } }"`
	for name, body := range map[string]string{
		"a list":                   `[{` + sound + `}]`,
		"null":                     `null`,
		"a string":                 `"{ search { total } }"`,
		"no query":                 `{}`,
		"query is null":            `{"query":null}`,
		"query is a number":        `{"query":1}`,
		"unknown member":           `{` + sound + `,"querry":1}`,
		"variables are a list":     `{` + sound + `,"variables":[]}`,
		"extensions are a string":  `{` + sound + `,"extensions":""}`,
		"operationName":            `{` + sound + `,"operationName":"x"}`,
		"operationName's type":     `{` + sound + `,"operationName":1}`,
		"two operations":           `{"query":"query a { search { total } } query b { search { total } }"}`,
		"no operation":             `{"query":"fragment f on Query { search { total } }"}`,
		"empty":                    `{"query":""}`,
		"comment":                  `{"query":"# nothing"}`,
		"syntax":                   `{"query":"{ search("}`,
		"subscription":             `{"query":"subscription { search { total } }"}`,
		"schema":                   `{"query":"type Query { a: Int }"}`,
		"unknown field":            `{"query":"{ serch { total } }"}`,
		"unknown argument":         `{"query":"{ search(query: \"x\") { total } }"}`,
		"no selection":             `{"query":"{ search }"}`,
		"selection of a scalar":    `{"query":"{ search { total { x } } }"}`,
		"wrong literal":            `{"query":"{ search(limit: \"5\") { total } }"}`,
		"null for a must":          `{"query":"{ index(name: null) { name } }"}`,
		"argument missing":         `{"query":"{ index { name } }"}`,
		"variable undefined":       `{"query":"{ search(q: $q) { total } }"}`,
		"variable unused":          `{"query":"query ($q: String) { search { total } }"}`,
		"variable missing":         `{"query":"query ($n: String!) { index(name: $n) { name } }"}`,
		"variable null":            `{"query":"query ($n: String!) { index(name: $n) { name } }","variables":{"n":null}}`,
		"variable of another type": `{"query":"query ($q: String) { search(q: $q) { total } }","variables":{"q":65}}`,
		"variable of no type":      `{"query":"query ($q: Text) { search(q: $q) { total } }","variables":{"q":"x"}}`,
		"variable in a place":      `{"query":"query ($q: Int) { search(q: $q) { total } }","variables":{"q":1}}`,
		"variable's member":        `{"query":"query ($h: HighlightInput) { search(highlight: $h) { total } }","variables":{"h":{"wrds":1}}}`,
		"enum in a variable":       `{"query":"mutation ($o: OperationInput!) { batch(input: {operations: [$o]}) { id } }","variables":{"o":{"op":"upsert"}}}`,
		"too large an integer":     `{"query":"query ($l: Int) { search(limit: $l) { total } }","variables":{"l":2147483648}}`,
		"fragment cycle":           `{"query":"{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }"}`,
		"fragment undefined":       `{"query":"{ ...a }"}`,
		"fragment unused":          `{"query":"{ search { total } } fragment a on Query { search { total } }"}`,
		"fields that conflict":     `{"query":"{ a: search(q: \"x\") { total } a: search(q: \"y\") { total } }"}`,
		"directive":                `{"query":"{ search @no { total } }"}`,
		"directive's list":         `{"query":"mutation { deleteIndex(name: \"shop\") @skip(if: [true]) }"}`,
		"a huge literal":           `{"query":"mutation { batch(input: {records: [{a: 99999999999999999999}]}) { id } }"}`,
	} {
		a := s.do("POST", "/v1/graphql", body)
		var got struct {
			Code   string
			Errors []struct {
				Message, Pointer string
				Extensions       struct {
					Code   string
					Status int
				}
			}
		}
		a.into(t, &got)
		if a.status != 400 || got.Code != codeInvalidGraphQL || len(got.Errors) == 0 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
			continue
		}
		if e := got.Errors[0]; e.Message == "" || e.Extensions.Code != got.Code || e.Extensions.Status != 400 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	s.want(200, "GET", "/v1/indexes/shop", "")
	for name, body := range malformedBodies {
		if a := s.do("POST", "/v1/graphql", body); a.status != 400 || a.problem(t).Code != engine.CodeMalformedJSON {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	s.want(405, "GET", "/v1/graphql", "")
	s.want(422, "POST", "/v1/graphql?query=x", `{`+sound+`}`)
	s.want(401, "POST", "/v1/graphql", `{`+sound+`}`, "Authorization: -")
	s.want(415, "POST", "/v1/graphql", `{`+sound+`}`, "Content-Type: application/graphql")
	s.want(413, "POST", "/v1/graphql", `{"query":"`+strings.Repeat(" ", 1<<20)+`"}`)
	s.want(406, "POST", "/v1/graphql", `{`+sound+`}`, "Accept: text/html")
	if a := s.want(200, "POST", "/v1/graphql", `{`+sound+`}`, "Accept: application/graphql-response+json"); a.header.Get("Content-Type") != mediaGraphQL {
		t.Errorf("%v", a.header)
	}
}

// What cannot be run is told without the values of arguments.
func TestGraphQLMessages(t *testing.T) {
	s := withRecords(t)
	for query, want := range map[string]string{
		`{ search(limit: "s3cret") { total } }`:                               "Int cannot represent non-integer value",
		`{ search(q: 5) { total } }`:                                          "String cannot represent a non string value",
		`{ search(explain: "s3cret") { total } }`:                             "Boolean cannot represent a non boolean value",
		`{ search(highlight: "s3cret") { total } }`:                           `Expected value of type "HighlightInput"`,
		`{ search(highlight: {pre: ["s3cret"], words: "s3cret"}) { total } }`: "Int cannot represent non-integer value",
		`mutation { batch(input: {operations: [{op: "s3cret"}]}) { id } }`:    `Enum "OperationKind" cannot represent non-enum value`,
		`query ($n: Int = "s3cret") { search(limit: $n) { total } }`:          "Int cannot represent non-integer value",
		`{ srch { total } }`:                                                  `Cannot query field "srch" on type "Query". Did you mean "search"?`,
		`{ search(lmit: 5) { total } }`:                                       `Unknown argument "lmit" on field "Query.search". Did you mean "limit"?`,
		`{ index { name } }`:                                                  `Field "index" argument "name" of type "String!" is required, but it was not provided.`,
	} {
		a := s.graph(query, "")
		if p := a.problem(t); a.status != 400 || p.Errors[0].Detail != want || strings.Contains(a.body, "s3cret") {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	a := s.graph(`query ($o: [OperationInput!]!) { search(q: "x") { total } }`, `{"o":[{"op":"put"},{"op":"s3cret","recrd":{}},{}]}`)
	if p := a.problem(t); len(p.Errors) != 3 || p.Errors[0].Pointer != "/variables/o/1/op" || p.Errors[1].Pointer != "/variables/o/1/recrd" ||
		p.Errors[2].Pointer != "/variables/o/2/op" || strings.Contains(a.body, "s3cret") {
		t.Errorf("%s", a.body)
	}
}

// graphBombs are small requests for much work.
var graphBombs = map[string]string{
	"16 KiB":        "{ search { total } } #" + strings.Repeat("x", 16<<10),
	"tokens":        "{ search { " + strings.Repeat("total ", 2000) + "} }",
	"10,000 tokens": strings.Repeat("{a", 5_000),
	"open braces":   strings.Repeat("{a", 900),
	"open brackets": "{ search(q: " + strings.Repeat("[", 1900),
	"deep types":    "query ($a: " + strings.Repeat("[", 1900),
	"aliases":       "{" + manyTimes(21, func(i int) string { return fmt.Sprintf("a%d: __typename ", i) }) + "}",
	"aliases below": "{ search {" + manyTimes(21, func(i int) string { return fmt.Sprintf("a%d: total ", i) }) + "} }",
	"aliases by fragments": "{ search { ...f } indexes { nodes { ...g } } } fragment f on SearchResult { a: total b: total hits { ...h } } fragment h on Hit {" +
		manyTimes(19, func(i int) string { return fmt.Sprintf("a%d: record ", i) }) + "} fragment g on Index { x: name }",
	"root fields":      "{" + strings.Repeat("__typename ", 11) + "}",
	"cost":             "{ a: search(limit: 1000) { total } b: search(limit: 1) { total } }",
	"cost by defaults": "{" + manyTimes(10, func(i int) string { return fmt.Sprintf("a%d: indexes { total } ", i) }) + " search { total } }",
	"cost in default":  "query ($l: Int = 1001) { search(limit: $l) { total } }",
	"cost in fragment": "{ ...f } fragment f on Query { ...g ...h } fragment g on Query { a: search(limit: 600) { total } } fragment h on Query { b: search(limit: 600) { total } }",
	"depth":            "{ indexes { nodes " + strings.Repeat("{ nodes ", 11) + strings.Repeat("} ", 13),
	"depth by fragments": "{ ...f0 }" + manyTimes(14, func(i int) string {
		return fmt.Sprintf("fragment f%d on Query { indexes { ...f%d } } ", i, i+1)
	}) + "fragment f14 on Query { __typename }",
	"fragments that double": "{ ...f0 }" + manyTimes(40, func(i int) string {
		return fmt.Sprintf("fragment f%d on Query { ...f%d ...f%d } ", i, i+1, i+1)
	}) + "fragment f40 on Query { __typename }",
	"selections that double": "{ search { ...f0 } }" + manyTimes(40, func(i int) string {
		return fmt.Sprintf("fragment f%d on SearchResult { ...f%d ...f%d } ", i, i+1, i+1)
	}) + "fragment f40 on SearchResult { total }",
	"introspection":          "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
	"introspection of depth": "{ __schema { types { fields { type " + strings.Repeat("{ ofType ", 20) + "{ name }" + strings.Repeat("}", 20) + " } } } }",
}

func manyTimes(n int, f func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func TestGraphQLBombs(t *testing.T) {
	s := withRecords(t)
	searches := 0
	s.engine.(*memEngine).before = func(_ context.Context, method string) error {
		searches++
		return nil
	}
	for name, query := range graphBombs {
		begin := time.Now()
		a := s.graph(query, "")
		took := time.Since(begin)
		if a.status != 400 || a.problem(t).Code != codeGraphQLLimit {
			t.Errorf("%s: %d %.300s", name, a.status, a.body)
		}
		if took > 2*time.Second { // the promise is 50 ms, on a machine that does nothing else
			t.Errorf("%s: %v", name, took)
		}
	}
	a := s.do("POST", "/v1/graphql", `{"query":"query ($l: Int) { search(limit: $l) { total } }","variables":{"l":1001}}`)
	if a.status != 400 || a.problem(t).Code != codeGraphQLLimit {
		t.Errorf("cost in a variable: %d %s", a.status, a.body)
	}
	if searches > 0 {
		t.Errorf("%d calls of the engine", searches)
	}
}

// The query that tools send to learn the schema: what getIntrospectionQuery of graphql-js 16
// makes with all of its options (descriptions, specifiedByUrl, directiveIsRepeatable,
// schemaDescription, inputValueDeprecation, oneOf).
const introspectionQuery = `
    query IntrospectionQuery {
      __schema {
        description
        queryType { name kind }
        mutationType { name kind }
        subscriptionType { name kind }
        types {
          ...FullType
        }
        directives {
          name
          description
          isRepeatable
          locations
          args(includeDeprecated: true) {
            ...InputValue
          }
        }
      }
    }

    fragment FullType on __Type {
      kind
      name
      description
      specifiedByURL
      isOneOf
      fields(includeDeprecated: true) {
        name
        description
        args(includeDeprecated: true) {
          ...InputValue
        }
        type {
          ...TypeRef
        }
        isDeprecated
        deprecationReason
      }
      inputFields(includeDeprecated: true) {
        ...InputValue
      }
      interfaces {
        ...TypeRef
      }
      enumValues(includeDeprecated: true) {
        name
        description
        isDeprecated
        deprecationReason
      }
      possibleTypes {
        ...TypeRef
      }
    }

    fragment InputValue on __InputValue {
      name
      description
      type { ...TypeRef }
      defaultValue
      isDeprecated
      deprecationReason
    }

    fragment TypeRef on __Type {
      kind
      name
      ofType {
        kind
        name
        ofType {
          kind
          name
          ofType {
            kind
            name
            ofType {
              kind
              name
              ofType {
                kind
                name
                ofType {
                  kind
                  name
                  ofType {
                    kind
                    name
                    ofType {
                      kind
                      name
                      ofType {
                        kind
                        name
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
`

func TestGraphQLIntrospection(t *testing.T) {
	s := newService(t)
	got := s.run(introspectionQuery, "")
	names := map[string]bool{}
	types, _ := memberAt(got.Data, "__schema", "types").([]any)
	for _, typ := range types {
		names[memberAt(typ, "name").(string)] = true
	}
	for _, want := range []string{"Query", "Mutation", "SearchResult", "Hit", "JSON", "DateTime", "Facet", "FacetInput", "HighlightInput", "QueryInfo",
		"Index", "IndexConnection", "IndexInput", "Record", "Batch", "BatchInput", "UsageRow", "Highlight"} {
		if !names[want] {
			t.Errorf("type %s is missing", want)
		}
	}
	if memberAt(got.Data, "__schema", "subscriptionType") != nil || got.Errors != nil {
		t.Errorf("%+v", got)
	}
	if about, _ := memberAt(got.Data, "__schema", "description").(string); !strings.HasPrefix(about, "Search and write records") {
		t.Errorf("the schema says of itself %q", about)
	}
	directives, _ := memberAt(got.Data, "__schema", "directives").([]any)
	for _, d := range directives {
		if memberAt(d, "isRepeatable") != false {
			t.Errorf("%v", d)
		}
	}
	for _, typ := range types {
		var want any // it is of input objects alone
		if memberAt(typ, "kind") == "INPUT_OBJECT" {
			want = false
		}
		if one, there := typ.(map[string]any)["isOneOf"]; !there || one != want {
			t.Errorf("%v: isOneOf is %v, want %v", memberAt(typ, "name"), one, want)
		}
	}
	if strings.Contains(graphSDL, "@oneOf") || strings.Contains(graphSDL, "isOneOf") || strings.Contains(graphSDL, "isRepeatable") {
		t.Error("metaFields says that there are no such fields and inputs")
	}
	a := s.want(200, "GET", "/v1/graphql/schema.graphql", "")
	if a.header.Get("Content-Type") != "text/plain" || !strings.Contains(a.body, "type SearchResult {") {
		t.Errorf("%v %s", a.header, a.body)
	}
	s.want(401, "GET", "/v1/graphql/schema.graphql", "", "Authorization: -")
}

// TestGraphQLMetaFields: the fields of introspection that the executor lacks are as others are: under
// other names, in fragments, left out, beside other root fields, and refused where they are no fields.
func TestGraphQLMetaFields(t *testing.T) {
	s := withRecords(t)
	const about = "Search and write records of Quarry. Each root field is a route of the REST interface, with its scopes, limits and errors."
	got := s.run(`query ($no: Boolean = false) {
		__schema { d: description ... { description } ...s directives @include(if: $no) { isRepeatable } }
		input: __type(name: "BatchInput") { meta0description: isOneOf description kind }
		hit: __type(name: "Hit") { isOneOf one: isOneOf @skip(if: true) fields { name type { isOneOf } } }
		__type(name: "__Schema") { fields { name description type { name } } }
		none: __type(name: "None") { isOneOf }
		search(limit: 2) { hits { id record } total }
	}
	fragment s on __Schema { again: description queryType { name description isOneOf } }`, "")
	if len(got.Errors) > 0 {
		t.Fatalf("%+v", got.Errors)
	}
	if want := map[string]any{"d": about, "description": about, "again": about, "queryType": map[string]any{"name": "Query", "description": nil, "isOneOf": nil}}; !cmp.Equal(got.Data["__schema"], any(want)) {
		t.Error(cmp.Diff(want, got.Data["__schema"]))
	}
	input, _ := got.Data["input"].(map[string]any)
	if one, there := input["meta0description"]; !there || one != false || input["kind"] != "INPUT_OBJECT" || len(input) != 3 {
		t.Errorf("%v", input)
	}
	hit, _ := got.Data["hit"].(map[string]any)
	if one, there := hit["isOneOf"]; !there || one != nil || len(hit) != 2 || memberAt(hit, "fields", 0, "name") != "id" {
		t.Errorf("%v", hit)
	}
	if alone := s.run(`{ search(limit: 2) { hits { id record } total } }`, ""); got.Data["none"] != nil || !cmp.Equal(got.Data["search"], alone.Data["search"]) {
		t.Errorf("%+v, without introspection %+v", got.Data, alone.Data)
	}
	fields, _ := memberAt(got.Data, "__type", "fields").([]any)
	if last := fields[len(fields)-1]; memberAt(last, "name") != "description" || memberAt(last, "type", "name") != "String" {
		t.Errorf("%v", last)
	}
	if a := s.graph(`{ __type(name: "__DirectiveLocation") { enumValues { name } } }`, ""); !strings.Contains(a.body, "VARIABLE_DEFINITION") {
		t.Error(a.body)
	}
	for _, query := range []string{
		`{ __schema { description { x } } }`, `{ __schema { description(x: 1) } }`, `{ __schema { isOneOf } }`, `{ isOneOf }`, `{ description }`,
		`{ __schema { a: description a: queryType { name } } }`, `{ __type(name: "Hit") { isOneOf @no } }`, `{ search { isRepeatable total } }`,
		`{ __type(name: "Hit") { fields { isOneOf } } }`,
	} {
		if a := s.graph(query, ""); a.status != 400 || a.problem(t).Code != codeInvalidGraphQL || strings.Contains(a.body, "meta") {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
}

func TestGraphQLDirectivesFragmentsAndOperations(t *testing.T) {
	s := withRecords(t)
	const query = `
		query list($brief: Boolean!, $n: Int = 2) {
			search(sort: "score", limit: $n) { ...page hits @skip(if: $brief) { ...hit ... on Hit { score @include(if: $brief) } } }
			__typename
		}
		query one($id: ID!, $needed: String!) { record(id: $id, index: $needed) { ...stored } }
		fragment page on SearchResult { total }
		fragment hit on Hit { id index }
		fragment stored on Record { record }
		mutation none { deleteIndex(name: "shop") @include(if: false) __typename }`
	send := func(operation, variables string) graphAnswer {
		t.Helper()
		text, _ := json.Marshal(query)
		var got graphAnswer
		s.want(200, "POST", "/v1/graphql", fmt.Sprintf(`{"query":%s,"operationName":%q,"variables":%s,"extensions":{"persistedQuery":null}}`, text, operation, variables)).into(t, &got)
		return got
	}
	want := map[string]any{"__typename": "Query", "search": map[string]any{"total": 5.0}}
	if got := send("list", `{"brief":true,"more":1}`); !cmp.Equal(got.Data, want) {
		t.Errorf("%+v", got)
	}
	got := send("list", `{"brief":false,"n":null}`)
	if hits, _ := memberAt(got.Data, "search", "hits").([]any); len(hits) != 5 || memberAt(hits[0], "score") != nil || memberAt(hits[0], "id") == nil {
		t.Errorf("%+v", got)
	}
	got = send("one", `{"id":"a","needed":"news"}`)
	if memberAt(got.Data, "record", "record", "title") != "red tape" {
		t.Errorf("%+v", got)
	}
	if got = send("none", `{}`); !cmp.Equal(got.Data, map[string]any{"__typename": "Mutation"}) {
		t.Errorf("%+v", got)
	}
	s.want(200, "GET", "/v1/indexes/shop", "")
}

// Strings arrive as they were meant, however they are written.
func TestGraphQLStrings(t *testing.T) {
	s := newService(t)
	for literal, want := range map[string]string{
		`"a\/b \u00e9 \ud83d\ude00 \u{1F600} \t\b"`:        "a/b \u00e9 \U0001F600 \U0001F600 \t\b",
		`"\u0000\u007f\u2028'\\"`:                          "\x00\x7f\u2028'\\",
		`"e\u0301 \u00e9"`:                                 "e\u0301 \u00e9",
		"\"\"\"\n    one\n      two \\\"\"\" \n\n  \"\"\"": "one\n  two \"\"\" ",
		`""`: "", `""""""`: "",
	} {
		got := s.run(`mutation { batch(input: {index: "shop", operations: {op: put, id: "x", record: {t: `+literal+`}}}) { id } }`, "")
		var rec struct{ Record struct{ T string } }
		s.want(200, "GET", "/v1/record/x", "").into(t, &rec)
		if rec.Record.T != want {
			t.Errorf("%s is stored as %q, want %q: %+v", literal, rec.Record.T, want, got.Errors)
		}
	}
	id := "a\U000e0001\u200b/\u00e9"
	quoted, _ := json.Marshal(id)
	got := s.run(`mutation ($r: JSON!, $id: ID!) { batch(input: {index: "shop", records: [$r]}) { ids } deleteRecord(id: $id) }`, `{"r":{"id":`+string(quoted)+`},"id":`+string(quoted)+`}`)
	if memberAt(got.Data, "batch", "ids", 0) != id || got.Errors != nil {
		t.Errorf("%+v", got)
	}
}

// A panic is answered and logged like one of any route: without its value.
func TestGraphQLPanic(t *testing.T) {
	var log lockedBuffer
	s := withRecords(t)
	s.server.log = slog.New(slog.NewTextHandler(&log, nil))
	s.engine.(*memEngine).before = func(context.Context, string) error { panic("s3cret") }
	got := s.run(`{ search(q: "s3cret") { total } index(name: "shop") { name } }`, "")
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != codeInternal || got.Errors[0].Extensions.Status != 500 {
		t.Errorf("%+v", got)
	}
	s.engine.(*memEngine).before = func(context.Context, string) error { return fmt.Errorf("s3cret: %w", engine.ErrCorrupt) }
	got = s.run(`{ search(q: "s3cret") { total } }`, "")
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != codeCorruption {
		t.Errorf("%+v", got)
	}
	text := log.String()
	if strings.Contains(text, "s3cret") || !strings.Contains(text, "msg=panic") || !strings.Contains(text, "code=corruption") || !strings.Contains(text, `route="POST /v1/search"`) {
		t.Errorf("the log: %s", text)
	}
}

// Bodies of inner requests are given back to the budget.
func TestGraphQLBudget(t *testing.T) {
	s := withRecords(t)
	for range 3 {
		s.run(`{ search(q: "red") { total } }`, "")
		s.run(`mutation { batch(input: {index: "shop", records: [{id: "a"}]}) { id } }`, "")
	}
	if used := s.server.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are taken", used)
	}
}

// Usage counts the searches of a GraphQL request one by one, and those that
// fail not at all, as over REST.
func TestGraphQLUsage(t *testing.T) {
	s := newService(t, func(c *Config) {
		c.Now = func() time.Time { return time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC) }
	})
	s.want(201, "POST", "/v1/batch", someRecords)
	s.want(200, "POST", "/v1/search", `{}`)
	s.run(`{ a: search { total } b: search(q: "red") { total } bad: indexes(first: 0) { total } }`, "")
	s.run(`{ c: search(filter: "price <") { total } }`, "")
	s.run(`mutation { batch(input: {index: "shop", records: [{id: "x"}]}) { id } deleteRecord(id: "x") }`, "")
	s.graph(`{ search(limit: 1001) { total } }`, "")
	got := s.run(`{ usage(from: "2026-11-21", to: "2026-11-22T00:00:00Z") { day key searches writes recordsMax bytesMax seq chain } }`, "")
	want := map[string]any{"day": "2026-11-21", "searches": "3", "writes": "5", "seq": nil, "chain": nil}
	row, _ := memberAt(got.Data, "usage", 0).(map[string]any)
	for name, v := range want {
		if row[name] != v {
			t.Errorf("%s is %v, want %v", name, row[name], v)
		}
	}
	if row["key"] == "" || got.Errors != nil {
		t.Errorf("%+v", got)
	}
	got = s.run(`{ usage(from: "yesterday", to: "2026-11-22") { day } }`, "")
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Pointer != "/from" || got.Errors[0].Extensions.Code != engine.CodeInvalidRequest {
		t.Errorf("%+v", got)
	}
}

func TestGraphQLSwapAndPatchWhere(t *testing.T) {
	s := withRecords(t)
	got := s.run(`mutation { swapIndexes(a: "shop", b: "news")
		batch(input: {index: "news", operations: {op: patch_where, filter: "price > 1", record: {title: "dear"}}}) { counts { patched } } }`, "")
	if got.Data["swapIndexes"] != true || memberAt(got.Data, "batch", "counts", "patched") != 1.0 || got.Errors != nil {
		t.Errorf("%+v", got)
	}
	s.want(200, "GET", "/v1/record/b?index=news", "")
	got = s.run(`mutation { swapIndexes(a: "shop", b: "none") }`, "")
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != engine.CodeIndexNotFound {
		t.Errorf("%+v", got)
	}
}

// The rights of a key hold over GraphQL as over REST: its indexes, its filter,
// and its quota search by search.
func TestGraphQLRightsOfAKey(t *testing.T) {
	s := withRecords(t)
	var made struct{ Key string }
	s.want(201, "POST", "/v1/keys", `{"name":"web shop","scopes":["search","read"],"indexes":["shop"],"filter":"price > 1","quota":{"searches_per_month":2}}`).into(t, &made)
	s.key = made.Key
	got := s.run(`{ indexes { nodes { name } total } a: search { total hits { id } } }`, "")
	want := map[string]any{
		"indexes": map[string]any{"nodes": []any{map[string]any{"name": "shop"}}, "total": 1.0},
		"a":       map[string]any{"total": 1.0, "hits": []any{map[string]any{"id": "b"}}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" || got.Errors != nil {
		t.Errorf("errors %+v, -want +got\n%s", got.Errors, diff)
	}
	for query, code := range map[string]string{
		`{ search(index: "news") { total } }`:                       codeForbiddenIndex,
		`{ index(name: "news") { name } }`:                          codeForbiddenIndex,
		`{ record(id: "n", index: "news") { id } }`:                 codeForbiddenIndex,
		`{ record(id: "a", index: "shop") { id } }`:                 engine.CodeRecordNotFound,
		`mutation { deleteRecord(id: "b") }`:                        codeForbiddenScope,
		`{ a: search { total } b: search { total } c: __typename }`: codeQuotaExhausted,
	} {
		got := s.run(query, "")
		if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != code || got.Errors[0].Extensions.Status != codes[code].status {
			t.Errorf("%s: %+v, want %s", query, got, code)
		}
	}
}
