package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Pages by offset are of one set of records, the same as by cursor, although
// few records hold every word and many some.
func TestPagesAreOfOneSet(t *testing.T) {
	s := withEngine(t, "")
	var records []string
	for i := range 10 {
		records = append(records, fmt.Sprintf(`{"id":"b%02d","t":"red shoe","n":%d,"c":"both"}`, i, 100+i))
	}
	for i := range 20 {
		records = append(records, fmt.Sprintf(`{"id":"o%02d","t":"red hat","n":%d,"c":"one"}`, i, i))
	}
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"n","type":"int","sort":true},{"name":"c","type":"keyword","facet":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[`+strings.Join(records, ",")+`]}`)
	for _, sort := range []string{``, `,"sort":"n:asc"`} {
		var byOffset, byCursor []string
		for offset := 0; offset < 16; offset += 4 {
			var got searchBody
			s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"q":"red shoe","limit":4,"offset":%d,"facets":"c"%s}`, offset, sort)).into(t, &got)
			byOffset = append(byOffset, got.ids()...)
			if got.Total != 10 {
				t.Errorf("offset %d%s: total %d", offset, sort, got.Total)
			}
		}
		cursor := ""
		for {
			var got struct {
				searchBody
				NextCursor *string `json:"next_cursor"`
			}
			s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"q":"red shoe","limit":4%s%s}`, sort, cursor)).into(t, &got)
			byCursor = append(byCursor, got.ids()...)
			if got.NextCursor == nil {
				break
			}
			cursor = `,"cursor":"` + *got.NextCursor + `"`
		}
		if len(byOffset) != 10 || !slices.Equal(byOffset, byCursor) {
			t.Errorf("by offset %v, by cursor %v", byOffset, byCursor)
		}
	}
}

// Figures of integers are exact, beyond 64 bits if need be, and there without
// any match, too.
func TestFacetFiguresAreExact(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"b","type":"int","filter":true,"facet":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"b":9007199254740993},{"b":2},{"b":[9223372036854775807,9223372036854775807]}]}`)
	for filter, want := range map[string]string{
		"b = 9007199254740993 OR b = 2": `{"min":2,"max":9007199254740993,"avg":4503599627370498,"sum":9007199254740995,"count":2}`,
		"b = 9007199254740993":          `{"min":9007199254740993,"max":9007199254740993,"avg":9007199254740993,"sum":9007199254740993,"count":1}`,
		"b = 9223372036854775807":       `{"min":9223372036854775807,"max":9223372036854775807,"avg":9223372036854775807,"sum":18446744073709551614,"count":2}`,
		"b < 0":                         `{"min":null,"max":null,"avg":null,"sum":0,"count":0}`,
	} {
		a := s.want(200, "POST", "/v1/search", `{"filter":"`+filter+`","limit":0,"facets":[{"field":"b","stats":true}]}`)
		if !strings.Contains(a.body, `"stats":`+want) {
			t.Errorf("%s: %s", filter, a.body)
		}
		g := s.want(200, "POST", "/v1/graphql", `{"query":"{ search(filter: \"`+filter+`\", facets: [{field: \"b\"}]) { facets { stats { min max avg sum count } } } }"}`)
		if !strings.Contains(g.body, want) {
			t.Errorf("GraphQL, %s: %s", filter, g.body)
		}
	}
}

// A key with a filter learns neither how many records there are beside its own
// nor how many of them hold a word.
func TestFilteredKeysDoNotCountTheRest(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"tenant","type":"int","filter":true}]}`)
	s.want(201, "PUT", "/v1/indexes/other", `{"fields":[{"name":"t","type":"text"}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"other","records":[{"t":"merger"},{"t":"x"}]}`)
	records := []string{`{"t":"merger","tenant":7}`, `{"t":"lunch","tenant":7}`}
	for range 50 {
		records = append(records, `{"t":"merger","tenant":8}`)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[`+strings.Join(records, ",")+`]}`)
	k := s.as(s.makeKey(`{"scopes":["search","read"],"filter":"tenant = 7"}`).Key)
	type index struct {
		Name           string
		Records, Bytes int
	}
	var list struct{ Indexes []index }
	k.want(200, "GET", "/v1/indexes", "").into(t, &list)
	var one index
	k.want(200, "GET", "/v1/indexes/k", "").into(t, &one)
	if want := []index{{"k", 2, 0}, {"other", 0, 0}}; !slices.Equal(list.Indexes, want) || one != want[0] {
		t.Errorf("%v, %v", list, one)
	}
	a := k.want(200, "POST", "/v1/search", `{"q":"merger","index":"k","explain":true}`)
	if strings.Contains(a.body, `"df"`) || strings.Contains(a.body, `"idf"`) || !strings.Contains(a.body, `"norm"`) {
		t.Error(a.body)
	}
}

// A key with a filter is not told the ids of other records by what an index
// says of itself: its rules, and a rebuild that some of its records do not fit.
func TestFilteredKeysReadNoForeignIDs(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"tenant","type":"int","filter":true}],
		"rules":[{"id":"r","when":{"query":"x"},"pin":[{"id":"hushed","position":1}],"hide":["hushed2"]}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"id":"seen","t":"x","tenant":7},{"id":"hushed","t":"x","tenant":8},{"id":"hushed2","t":"y","tenant":8}]}`)
	s.want(422, "PATCH", "/v1/indexes/k", `{"fields":[{"name":"t","type":"date"}]}`)
	if body := s.want(200, "GET", "/v1/indexes/k", "").body; strings.Count(body, "hushed") < 4 {
		t.Fatalf("the root key is not told either: %s", body)
	}
	k := s.as(s.makeKey(`{"scopes":["search","read"],"filter":"tenant = 7"}`).Key)
	for _, a := range []answer{
		k.want(200, "GET", "/v1/indexes/k", ""),
		k.want(200, "GET", "/v1/indexes", ""),
		k.want(200, "POST", "/v1/graphql", `{"query":"{ index(name: \"k\") { records rebuild { state done total error } } }"}`),
		k.want(200, "POST", "/v1/search", `{"q":"x","index":"k"}`),
	} {
		if strings.Contains(a.body, "hushed") || !strings.Contains(a.body, `"records":1`) && !strings.Contains(a.body, `"id":"seen"`) {
			t.Errorf("%s", a.body)
		}
	}
}

// A key that is confined to indexes is told nothing of the others by events and
// figures that are about the service as a whole.
func TestConfinedKeysReadNothingOfTheWhole(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	confined := s.as(s.makeKey(`{"scopes":["*"],"indexes":["mine*"]}`).Key)
	ofRoot := s.hook(r.url, `,"indexes":["mine"]`)
	hook := confined.hook(r.url, "")

	// A webhook that is told of more is not there for the key.
	confined.want(404, "GET", "/v1/webhooks/"+ofRoot.ID, "")
	confined.want(404, "PATCH", "/v1/webhooks/"+ofRoot.ID, `{"url":"`+r.url+`"}`)

	s.makeKey(`{"scopes":["search"]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"secret","records":[{"id":"a"}]}`)
	s.want(201, "POST", "/v1/batch", `{"operations":[{"op":"put","index":"mine","record":{"id":"a"}},{"op":"put","index":"secret","record":{"id":"b"}}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"mine","records":[{"id":"c"}]}`)
	told := map[string][]string{}
	for range 6 {
		got := <-r.got
		to := ofRoot.ID
		if verifyPublic(hook.PublicKey, got) {
			to = hook.ID
			if strings.Contains(string(got.body), "secret") {
				t.Errorf("%s", got.body)
			}
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(string(got.body), `{"type":"`), `"`)
		told[to] = append(told[to], kind)
	}
	if want := []string{"index.created", "batch.applied"}; !slices.Equal(slices.Sorted(slices.Values(told[hook.ID])), slices.Sorted(slices.Values(want))) {
		t.Errorf("the confined webhook was told of %q", told[hook.ID])
	}

	// Whoever may use all indexes may have it told of more.
	s.want(204, "DELETE", "/v1/webhooks/"+ofRoot.ID, "")
	s.want(200, "PATCH", "/v1/webhooks/"+hook.ID, `{"indexes":["mine"]}`)
	s.makeKey(`{"scopes":["search"]}`)
	if m := r.next(hook); m.Type != "key.created" {
		t.Errorf("%+v", m)
	}

	for path, want := range map[string]int{"/v1/usage": 403, "/v1/usage?group=day": 403} {
		if a := confined.want(want, "GET", path, ""); a.problem(t).Code != codeForbiddenIndex {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	if a := confined.want(200, "POST", "/v1/graphql", `{"query":"{ usage(from: \"2026-01-01\", to: \"2027-01-01\") { key searches } }"}`); !strings.Contains(a.body, codeForbiddenIndex) {
		t.Errorf("%s", a.body)
	}
}

// An index that a batch makes by writing to it is told of as any other.
func TestIndexesMadeByBatchesAreToldOf(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	hook := s.hook(r.url, `,"events":["index.created"]`)
	s.want(201, "POST", "/v1/batch", `{"operations":[{"op":"put","index":"a","record":{"id":"1"}},{"op":"put","index":"b","record":{"id":"1"}}]}`)
	s.want(201, "POST", "/v1/batch?index=c&atomic=false", "{}\n", "Content-Type: "+mediaNDJSON)
	s.want(201, "POST", "/v1/batch", `{"index":"d","records":[{"id":"1"}]}`, "Prefer: respond-async")
	s.want(201, "PUT", "/v1/record/x?index=e", `{}`)
	var names []string
	for range 5 {
		m := r.next(hook)
		if m.Type != "index.created" || len(m.Data.Indexes) != 1 {
			t.Fatalf("%+v", m)
		}
		names = append(names, m.Data.Indexes[0])
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"a", "b", "c", "d", "e"}) {
		t.Error(names)
	}
	var usage struct{ Rows []struct{ Writes int } }
	s.want(200, "GET", "/v1/usage?group=day", "").into(t, &usage)
	if len(usage.Rows) != 1 || usage.Rows[0].Writes != 5 {
		t.Errorf("%+v", usage)
	}
}

// NDJSON may begin with a byte order mark, as CSV may.
func TestNDJSONWithByteOrderMark(t *testing.T) {
	s := newService(t)
	for _, atomic := range []string{"true", "false"} {
		s.want(201, "POST", "/v1/batch?index=shop&atomic="+atomic, "\ufeff{\"id\":\"a\"}\r\n{\"id\":\"b\"}\r\n", "Content-Type: "+mediaNDJSON)
		if got := s.want(200, "GET", "/v1/records?index=shop", "").body; got != "{\"id\":\"a\"}\n{\"id\":\"b\"}\n" {
			t.Errorf("atomic=%s: %q", atomic, got)
		}
	}
}

// What is wrong is said so that it can be mended.
func TestMessagesSayWhatToDo(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"d","type":"date"}]}`)
	for _, d := range []string{`"2026-02-30"`, `"soon"`, `1e18`, `1000000000000000000`} {
		if p := s.want(422, "POST", "/v1/batch", `{"index":"k","records":[{"d":`+d+`}]}`).problem(t); !strings.Contains(p.Detail, "seconds since 1970") {
			t.Errorf("%s: %s", d, p.Detail)
		}
	}
	if p := s.want(422, "POST", "/v1/batch", `{"index":"k","records":[{"d":true}]}`).problem(t); !strings.Contains(p.Detail, "not a boolean") {
		t.Error(p.Detail)
	}
	if p := s.want(400, "POST", "/v1/graphql", `{"query":"subscription { search { total } }"}`).problem(t); !strings.Contains(p.Detail, "webhooks") {
		t.Error(p.Detail)
	}
	k := s.as(s.makeKey(`{"scopes":["keys","search"]}`).Key)
	if p := k.want(403, "POST", "/v1/keys", `{"scopes":["*"]}`).problem(t); !strings.HasSuffix(p.Detail, ": *") {
		t.Error(p.Detail)
	}
}
