package httpapi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// TestScopesOfRoutes: every route with a key that has one scope alone.
func TestScopesOfRoutes(t *testing.T) {
	s := withEngine(t, "")
	for _, name := range keyring.ScopeNames() {
		scope, _ := keyring.ParseScope(name)
		k := s.makeKey(`{"scopes":["` + name + `"],"rate":{"per_second":100000}}`)
		for _, r := range routeTable() {
			if r.scope == 0 {
				continue
			}
			a := s.as(k.Key).do(r.method, pathFor(r.pattern), "")
			has := r.scope&scope != 0
			if (a.status == 403) == has || a.status == 401 || a.status >= 500 {
				t.Errorf("%s %s with scope %s: status %d: %s", r.method, r.pattern, name, a.status, a.body)
			}
			if !has && (a.problem(t).Code != codeForbiddenScope || a.header.Get("RateLimit") == "") {
				t.Errorf("%s %s with scope %s: %v %s", r.method, r.pattern, name, a.header, a.body)
			}
		}
	}
}

// TestWritersSeeTheirOwnBatches: a key that may write and not read is told what
// became of its batches, in the queue and afterwards, and of nobody else's.
func TestWritersSeeTheirOwnBatches(t *testing.T) {
	s := withEngine(t, "")
	writer := s.as(s.makeKey(`{"scopes":["write"]}`).Key)
	other := s.as(s.makeKey(`{"scopes":["write"]}`).Key)
	reader := s.as(s.makeKey(`{"scopes":["read"]}`).Key)
	confined := s.as(s.makeKey(`{"scopes":["write"],"indexes":["news"]}`).Key)
	batches := map[string]string{}
	for name, send := range map[string]func() answer{
		"whole": func() answer { return writer.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`) },
		"queued": func() answer {
			return writer.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"b"}]}`, "Prefer: respond-async")
		},
		"chunks": func() answer {
			return writer.want(201, "POST", "/v1/batch?index=shop&atomic=false", `{"id":"c"}`, "Content-Type: "+mediaNDJSON)
		},
	} {
		var b struct{ ID string }
		send().into(t, &b)
		batches[name] = b.ID
		writer.want(200, "GET", "/v1/batch/"+b.ID, "") // wherever it is by now
	}
	for j := range batches {
		path := "/v1/batch/" + batches[j]
		for answerState([]byte(s.want(200, "GET", path, "").body)) != stateApplied {
			runtime.Gosched()
		}
		want := s.want(200, "GET", path, "").body
		writer.want(409, "DELETE", path, "") // too late, but its own
		for who, k := range map[string]*service{"the writer": writer, "a reader": reader} {
			if got := k.want(200, "GET", path, "").body; got != want {
				t.Errorf("%s, %s: %s, want %s", j, who, got, want)
			}
		}
		for _, k := range []*service{other, confined} {
			if p := k.want(404, "GET", path, "").problem(t); p.Code != codeBatchNotFound {
				t.Errorf("%s of another key: %+v", j, p)
			}
			k.want(404, "DELETE", path, "")
		}
	}
	var own struct{ ID string }
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"d"}]}`).into(t, &own)
	writer.want(404, "GET", "/v1/batch/"+own.ID, "")
	writer.want(403, "GET", "/v1/batch", "")
}

// TestBadKeysGetOneAnswer: no answer tells why a key is not valid, except that
// it has expired, to who has it.
func TestBadKeysGetOneAnswer(t *testing.T) {
	s, clock := withClock(t)
	all := s.makeKey(`{"scopes":["*"]}`)
	revoked := s.makeKey(`{"scopes":["*"]}`)
	rotated := s.makeKey(`{"scopes":["*"]}`)
	expired := s.makeKey(`{"scopes":["*"],"expires_at":"2026-11-21T14:05:00Z"}`)
	soon := keyring.Claims{Expires: testTime.Add(time.Hour).Unix()}
	late := keyring.Claims{Expires: testTime.Add(1000 * time.Hour).Unix()}
	mint := func(key string, c keyring.Claims) string {
		token, err := keyring.MintToken(key, c)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	s.want(204, "DELETE", "/v1/keys/"+revoked.ID, "")
	s.want(200, "POST", "/v1/keys/"+rotated.ID+"/rotate", `{"grace_seconds":0}`)
	clock.advance(time.Hour)
	token := mint(all.Key, late)
	payload, mac, _ := strings.Cut(token, ".")
	wider := base64.RawURLEncoding.EncodeToString([]byte(`{"k":"` + all.ID + `","e":99999999999}`))
	unknown := GenerateKey()
	bad := map[string]string{
		"empty":                         "",
		"a word":                        "secret",
		"unknown":                       unknown,
		"revoked":                       revoked.Key,
		"rotated":                       rotated.Key,
		"another's id":                  all.Key[:12] + unknown[12:],
		"in capitals":                   strings.ToUpper(all.Key),
		"cut":                           all.Key[:61],
		"longer":                        all.Key + "0",
		"two":                           all.Key + " " + all.Key,
		"quoted":                        `"` + all.Key + `"`,
		"only the id":                   all.ID,
		"the hash":                      fmt.Sprintf("%x", must(HashKey(all.Key)).Sum),
		"very long":                     strings.Repeat("q", 10_000),
		"token: prefix":                 "qt_",
		"token: no signature":           payload,
		"token: empty signature":        payload + ".",
		"token: half a signature":       payload + "." + mac[:20],
		"token: another's signature":    payload + "." + strings.SplitN(mint(unknown, late), ".", 2)[1],
		"token: of an unknown key":      mint(unknown, late),
		"token: of a revoked key":       mint(revoked.Key, late),
		"token: of a rotated key":       mint(rotated.Key, late),
		"token: other claims":           "qt_" + wider + "." + mac,
		"token: padded":                 token + "=",
		"token: very long":              "qt_" + strings.Repeat("A", 10_000) + "." + mac,
		"token: as a key":               "qk_" + token,
		"token: claims without a mac":   "qt_" + wider,
		"token: two points":             payload + ".." + mac,
		"token: after its key's format": token[:62],
	}
	routes := append(routeTable(), route{method: "GET", pattern: "/v1/nothing", scope: ScopeAll}, route{method: "PUT", pattern: "/v1/search", scope: ScopeAll})
	want := ""
	for name, bearer := range bad {
		for _, r := range routes {
			if r.scope == 0 {
				continue
			}
			a := s.as(bearer).do(r.method, pathFor(r.pattern)+"?key="+s.key, "")
			got := strings.Replace(a.body, a.header.Get("Request-Id"), "", 1)
			if want == "" {
				want = got
			}
			if a.status != 401 || got != want || a.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` || a.header.Get("RateLimit") != "" || a.problem(t).Code != codeInvalidKey {
				t.Errorf("%s: %s %s: %d %v %s", name, r.method, r.pattern, a.status, a.header, a.body)
			}
		}
	}
	for _, bearer := range []string{expired.Key, mint(expired.Key, late), mint(all.Key, soon)} {
		for _, r := range routes {
			if r.scope == 0 {
				continue
			}
			a := s.as(bearer).do(r.method, pathFor(r.pattern), "")
			if a.status != 401 || a.problem(t).Code != codeExpiredKey || a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("expired: %s %s: %d %s", r.method, r.pattern, a.status, a.body)
			}
		}
	}
	s.as(token).want(200, "POST", "/v1/search", "{}")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// foreign is a request that reaches for index "secret", and for "nonesuch" with
// that name in its place. code is the code of the answer; "" is any success,
// which then must not hold a word of what is secret.
type foreign struct{ query, body, media, code string }

const secretSchema = `{"fields":[{"name":"title","type":"text"},{"name":"hush","type":"keyword","filter":true,"facet":true}]}`

// foreignRequests are the requests of all routes by which a key might reach an
// index that is not its own, by method and pattern. nil: the route has to do
// with no index.
var foreignRequests = map[string][]foreign{
	"POST /v1/search": {
		{"", `{"index":"secret"}`, "", codeForbiddenIndex},
		{"", `{"index":["shop","secret"],"q":"x"}`, "", codeForbiddenIndex},
		{"", `{"index":["secret*"]}`, "", ""},
		{"", `{"similar":{"id":"x1","index":"secret"}}`, "", codeForbiddenIndex},
		{"", `{"q":"shoe","pin":[{"id":"x1","index":"secret"}]}`, "", codeForbiddenIndex},
		{"", `{"q":"shoe","pin":["x1"],"hide":["x2"]}`, "", ""},
		{"", `{"index":["*","shop"],"q":"xyzzy","explain":true}`, "", ""},
		{"", `{"q":"xyzzy","facets":["brand"],"highlight":true}`, "", ""},
		{"", `{"filter":"brand = \"xyzzy\""}`, "", ""},
		{"", `{}`, "", ""},
	},
	"POST /v1/multi-search": {
		{"", `{"searches":[{},{"index":"secret","q":"x"}]}`, "", codeForbiddenIndex},
		{"", `{"searches":[{"index":"secret","preset":"hush"}]}`, "", codeForbiddenIndex},
		{"", `{"searches":[{"q":"xyzzy"},{"index":"*","facets":["brand"]}]}`, "", ""},
	},
	"POST /v1/suggest": {
		{"", `{"q":"xyz","index":"secret"}`, "", codeForbiddenIndex},
		{"", `{"q":"xyz"}`, "", ""},
		{"", `{"q":"xyz","index":["*"]}`, "", ""},
	},
	"GET /v1/indexes":                   {{"", "", "", ""}, {"?limit=1", "", "", ""}},
	"GET /v1/indexes/{name}":            {{"", "", "", codeForbiddenIndex}},
	"PUT /v1/indexes/{name}":            {{"", secretSchema, "", codeForbiddenIndex}},
	"PATCH /v1/indexes/{name}":          {{"", `{"visible":false}`, "", codeForbiddenIndex}},
	"DELETE /v1/indexes/{name}":         {{"", "", "", codeForbiddenIndex}},
	"DELETE /v1/indexes/{name}/rebuild": {{"", "", "", codeForbiddenIndex}},
	"POST /v1/indexes/swap": {
		{"", `{"a":"shop","b":"secret"}`, "", codeForbiddenIndex}, {"", `{"a":"secret","b":"shop"}`, "", codeForbiddenIndex},
	},
	"GET /v1/usage":                                       nil,
	"GET /v1/webhooks":                                    {{"", "", "", ""}},
	"POST /v1/webhooks":                                   {{"", `{"url":"https://hook.example/","indexes":["shop","secret"]}`, "", codeForbiddenIndex}, {"", `{"url":"https://hook.example/","indexes":[]}`, "", codeForbiddenIndex}},
	"GET /v1/webhooks/{id}":                               {{"", "", "", codeWebhookNotFound}},
	"PATCH /v1/webhooks/{id}":                             {{"", `{"indexes":["shop"]}`, "", codeWebhookNotFound}},
	"DELETE /v1/webhooks/{id}":                            {{"", "", "", codeWebhookNotFound}},
	"POST /v1/webhooks/{id}/rotate":                       {{"", "", "", codeWebhookNotFound}},
	"POST /v1/webhooks/{id}/test":                         {{"", "", "", codeWebhookNotFound}},
	"GET /v1/webhooks/{id}/deliveries":                    {{"", "", "", codeWebhookNotFound}},
	"POST /v1/webhooks/{id}/deliveries/{delivery}/replay": {{"", "", "", codeWebhookNotFound}},
	"POST /v1/batch": {
		{"", `{"index":"secret","records":[{"id":"new"}]}`, "", codeForbiddenIndex},
		{"", `{"operations":[{"op":"put","index":"secret","record":{"id":"new"}}]}`, "", codeForbiddenIndex},
		{"", `{"index":"shop","atomic":false,"operations":[{"op":"put","record":{"id":"n"}},{"op":"delete_where","index":"secret","filter":"hush = \"xyzzy\""}]}`, "", codeForbiddenIndex},
		{"", `{"index":"shop","operations":[{"op":"put","record":{"id":"n"}},{"op":"delete","index":"secret","id":"x1"}]}`, "", codeForbiddenIndex},
		{"", `{"index":"shop","operations":[{"op":"patch","index":"secret","id":"x1","record":{"a":1}}]}`, "", codeForbiddenIndex},
		{"?index=secret", `{"id":"new"}`, mediaNDJSON, codeForbiddenIndex},
		{"?index=secret&atomic=false", `{"id":"new"}`, mediaNDJSON, codeForbiddenIndex},
		{"?index=secret&op=delete", `{"id":"x1"}`, mediaNDJSON, codeForbiddenIndex},
		{"?index=secret", "id\nnew\n", mediaCSV, codeForbiddenIndex},
	},
	"GET /v1/batch":          {{"", "", "", ""}},
	"DELETE /v1/batch/{id}":  {{"", "", "", codeBatchNotFound}},
	"GET /v1/batch/{id}":     {{"", "", "", codeBatchNotFound}},
	"GET /v1/record/{id}":    {{"", "", "", "record_not_found"}, {"?index=secret", "", "", codeForbiddenIndex}},
	"PUT /v1/record/{id}":    {{"", `{"a":1}`, "", "invalid_request"}, {"?index=secret", `{"a":1}`, "", codeForbiddenIndex}},
	"PATCH /v1/record/{id}":  {{"", `{"a":1}`, "", "record_not_found"}, {"?index=secret", `{"a":1}`, "", codeForbiddenIndex}},
	"DELETE /v1/record/{id}": {{"", "", "", "record_not_found"}, {"?index=secret", "", "", codeForbiddenIndex}},
	"GET /v1/records": {
		{"?index=secret", "", "", codeForbiddenIndex}, {"?index=secret&limit=1", "", "", codeForbiddenIndex},
		{"?index=secret&filter=EXISTS%20hush", "", "", codeForbiddenIndex},
	},
	"GET /v1/keys":              {{"", "", "", ""}},
	"POST /v1/keys":             {{"", `{"scopes":["read"],"indexes":["secret"]}`, "", codeForbiddenIndex}, {"", `{"scopes":["read"],"indexes":["*"]}`, "", codeForbiddenIndex}},
	"GET /v1/keys/{id}":         {{"", "", "", codeKeyNotFound}},
	"PATCH /v1/keys/{id}":       {{"", `{"name":"x"}`, "", codeKeyNotFound}},
	"DELETE /v1/keys/{id}":      {{"", "", "", codeKeyNotFound}},
	"POST /v1/keys/{id}/rotate": {{"", "", "", codeKeyNotFound}},
	"POST /v1/keys/{id}/token":  {{"", "", "", codeKeyNotFound}},
	"POST /v1/graphql": {
		{"", `{"query":"{ search(q: \"xyzzy\") { total hits { id record } } }"}`, "", ""},
		{"", `{"query":"{ search(index: \"secret\") { total hits { id record } } }"}`, "", "graphql"},
		{"", `{"query":"{ indexes { total nodes { name } } }"}`, "", ""},
		{"", `{"query":"{ index(name: \"secret\") { name records } }"}`, "", "graphql"},
		{"", `{"query":"{ record(id: \"x1\", index: \"secret\") { id record } }"}`, "", "graphql"},
		{"", `{"query":"mutation { batch(input: {index: \"secret\", records: [{id: \"new\"}]}) { id } }"}`, "", "graphql"},
		{"", `{"query":"mutation { deleteRecord(id: \"x1\", index: \"secret\") }"}`, "", "graphql"},
		{"", `{"query":"mutation { putIndex(name: \"secret\", schema: {}) { name } }"}`, "", "graphql"},
		{"", `{"query":"mutation { deleteIndex(name: \"secret\") }"}`, "", "graphql"},
	},
	"GET /v1/graphql/schema.graphql": nil,
	"GET /v1/snapshots":              nil, // refused as a whole: TestSnapshotRequests
	"POST /v1/snapshots":             nil,
	"GET /v1/snapshots/{id}":         nil,
	"DELETE /v1/snapshots/{id}":      nil,
	"GET /v1/limits":                 nil,
	"GET /v1/openapi.json":           nil,
	"GET /healthz":                   nil,
	"GET /readyz":                    nil,
}

// TestKeysReachNoForeignIndex goes through every route with a key that may do
// everything, in other indexes.
func TestKeysReachNoForeignIndex(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"title","type":"text"},{"name":"brand","type":"keyword","filter":true,"facet":true}]}`)
	s.want(201, "PUT", "/v1/indexes/secret", secretSchema)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"s1","title":"shoe","brand":"nike"}]}`)
	var batch struct{ ID string }
	s.want(201, "POST", "/v1/batch", `{"index":"secret","records":[{"id":"x1","title":"xyzzy","hush":"xyzzy"},{"id":"x2","title":"xyzzy"}]}`).into(t, &batch)
	theirs := s.makeKey(`{"name":"xyzzy","scopes":["read"],"indexes":["secret"]}`)
	var hook struct{ ID string }
	s.want(201, "POST", "/v1/webhooks", `{"url":"https://hook.example/","events":["batch.*"],"indexes":["secret"]}`).into(t, &hook)
	state := func() string {
		out := s.want(200, "GET", "/v1/records?index=secret", "").body
		for _, path := range []string{"/v1/indexes/secret", "/v1/keys/" + theirs.ID, "/v1/webhooks/" + hook.ID} {
			out += s.want(200, "GET", path, "").body
		}
		if a := s.do("GET", "/v1/indexes/nonesuch", ""); a.status != 404 {
			out += "an index was made"
		}
		return out
	}
	before := state()
	mine := s.as(s.makeKey(`{"scopes":["*"],"indexes":["shop","sh*"],"rate":{"per_second":100000}}`).Key)

	for _, r := range routeTable() {
		name := r.method + " " + r.pattern
		list, listed := foreignRequests[name]
		if !listed {
			t.Errorf("%s: nothing is known of what it has to do with indexes", name)
		}
		for _, c := range list {
			id := "x1"
			switch {
			case strings.HasPrefix(r.pattern, "/v1/batch"):
				id = batch.ID
			case strings.HasPrefix(r.pattern, "/v1/webhooks"):
				id = hook.ID
			case strings.HasPrefix(r.pattern, "/v1/keys"):
				id = theirs.ID
			}
			path := strings.NewReplacer("{name}", "secret", "{id}", id).Replace(r.pattern) + c.query
			send := func(path, body string) answer {
				var headers []string
				if c.media != "" {
					headers = append(headers, "Content-Type: "+c.media)
				}
				return mine.do(r.method, path, body, headers...)
			}
			a := send(path, c.body)
			if c.code == "" {
				if a.status >= 300 && c.body != `{"index":["secret*"]}` && !strings.Contains(c.body, "xyzzy") || strings.Contains(strings.ReplaceAll(a.body, `"text":"xyzzy"`, ""), "xyzzy") || strings.Contains(a.body, "secret") {
					t.Errorf("%s %s: %d %s", name, c.body, a.status, a.body)
				}
				continue
			}
			if c.code == "graphql" {
				if a.status != 200 || !strings.Contains(a.body, `"code":"`+codeForbiddenIndex+`"`) || strings.Contains(a.body, "xyzzy") {
					t.Errorf("%s: %d %s", c.body, a.status, a.body)
				}
				continue
			}
			if a.problem(t).Code != c.code {
				t.Errorf("%s %s: %d %s, want %s", path, c.body, a.status, a.body, c.code)
			}
			if c.code == codeForbiddenIndex { // the same whether there is such an index or not
				b := send(strings.ReplaceAll(path, "secret", "nonesuch"), strings.ReplaceAll(c.body, "secret", "nonesuch"))
				if strings.Replace(a.body, a.header.Get("Request-Id"), "", 1) != strings.Replace(b.body, b.header.Get("Request-Id"), "", 1) {
					t.Errorf("%s: %s\nof an index that is not there: %s", path, a.body, b.body)
				}
			}
		}
	}
	if after := state(); after != before {
		t.Errorf("%s\nbecame\n%s", before, after)
	}
	// All mistakes of a batch come at once.
	p := mine.want(422, "POST", "/v1/batch", `{"operations":[{"op":"put","index":"secret","record":{}},{"op":"pot","index":"shop"},{"op":"delete","index":"nonesuch","id":"1"}]}`).problem(t)
	var at []string
	for _, e := range p.Errors {
		at = append(at, e.Pointer+" "+e.Code)
	}
	if !slices.Equal(at, []string{"/operations/0/index forbidden_index", "/operations/1/op invalid_request", "/operations/2/index forbidden_index"}) {
		t.Errorf("%q", at)
	}
	// What is the key's own it may use, and make.
	var own struct{ ID string }
	mine.want(201, "POST", "/v1/batch", `{"index":"shed","records":[{"id":"1"}]}`).into(t, &own)
	mine.want(200, "GET", "/v1/batch/"+own.ID, "")
	if list := mine.want(200, "GET", "/v1/batch", ""); !strings.Contains(list.body, own.ID) || !strings.Contains(list.body, `"total":null`) {
		t.Errorf("the list of batches is %s", list.body)
	}
	mine.want(201, "POST", "/v1/batch", `{"index":"shed","records":[{"id":"2"}]}`, "Prefer: respond-async")
	mine.want(403, "POST", "/v1/batch", `{"index":"secret","records":[{"id":"2"}]}`, "Prefer: respond-async")
	mine.want(200, "GET", "/v1/record/1", "")
	mine.want(204, "DELETE", "/v1/record/1", "")
	mine.want(204, "DELETE", "/v1/indexes/shed", "")
}

// TestKeysWithNothingToSearch: an empty list of indexes must not stand for all.
func TestKeysWithNothingToSearch(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"secret","records":[{"id":"x1","title":"xyzzy"}]}`)
	s.want(201, "PUT", "/v1/indexes/hidden", `{"visible":false}`)
	s.want(201, "POST", "/v1/batch", `{"index":"hidden","records":[{"id":"h1","title":"xyzzy"}]}`)
	for _, indexes := range []string{`["gone"]`, `["gone*"]`, `["gone","also-gone"]`, `["hidden"]`} {
		k := s.as(s.makeKey(`{"scopes":["*"],"indexes":` + indexes + `}`).Key)
		for _, body := range []string{`{}`, `{"index":"*"}`, `{"index":["s*"]}`, `{"q":"xyzzy"}`, `{"q":"xyzzy","index":["*","s*"]}`} {
			var got searchBody
			if k.want(200, "POST", "/v1/search", body).into(t, &got); got.Total != 0 || len(got.Hits) != 0 {
				t.Errorf("indexes %s: %s finds %v", indexes, body, got.ids())
			}
		}
		for _, id := range []string{"x1", "h1"} {
			k.want(404, "DELETE", "/v1/record/"+id, "")
		}
		var list struct{ Total int }
		if k.want(200, "GET", "/v1/indexes", "").into(t, &list); list.Total > 1 {
			t.Errorf("indexes %s: %d are listed", indexes, list.Total)
		}
	}
	k := s.as(s.makeKey(`{"scopes":["*"],"indexes":["hidden"]}`).Key)
	var got searchBody
	if k.want(200, "POST", "/v1/search", `{"index":"hidden"}`).into(t, &got); got.Total != 1 {
		t.Errorf("by its name: %v", got.ids())
	}
}

// withoutCounts takes from the explanations of an answer what keys with filters
// do not learn.
func withoutCounts(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, part := v["norm"]; part {
			delete(v, "df")
			delete(v, "idf")
		}
		for _, member := range v {
			withoutCounts(member)
		}
	case []any:
		for _, e := range v {
			withoutCounts(e)
		}
	}
}

// TestFiltersOfKeys compares what a key with a filter finds with what the root
// key finds with the filter added to its own.
func TestFiltersOfKeys(t *testing.T) {
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 2))
	s := withEngine(t, "")
	word := func() string { return []string{"red", "blue", "shoe", "hat", "running", "book", "lamp"}[rnd.IntN(7)] }
	for _, index := range []string{"news_a", "news_b", "shop"} {
		s.want(201, "PUT", "/v1/indexes/"+index, `{"fields":[{"name":"title","type":"text"},{"name":"tenant","type":"int","filter":true,"facet":true,"sort":true},
			{"name":"brand","type":"keyword","filter":true,"facet":true},{"name":"price","type":"float","filter":true,"sort":true,"facet":true}]}`)
		var records []string
		for i := range 150 {
			brand := ""
			if rnd.IntN(5) > 0 {
				brand = fmt.Sprintf(`,"brand":"b%d"`, rnd.IntN(4))
			}
			records = append(records, fmt.Sprintf(`{"id":"r%d","title":"%s %s %s","tenant":%d,"price":%d%s}`, i, word(), word(), word(), rnd.IntN(3), rnd.IntN(50), brand))
		}
		s.want(201, "POST", "/v1/batch", `{"index":"`+index+`","records":[`+strings.Join(records, ",")+`]}`)
	}
	filters := []string{"tenant = 1", "tenant != 2", `tenant = 0 OR brand = "b1"`, "NOT EXISTS brand", "price 10..20", `brand IN ["b1","b2"] AND tenant = 1`}
	for range 60 {
		filter, more := filters[rnd.IntN(len(filters))], ""
		indexes := [][]string{{"shop"}, {"news_*"}, {"news_a", "shop"}, {"*"}}[rnd.IntN(4)]
		k := s.makeKey(fmt.Sprintf(`{"scopes":["search","read"],"indexes":%s,"filter":%s,"rate":{"per_second":100000}}`, asJSON(indexes), asJSON(filter)))
		bearer := k.Key
		imposed := []string{filter}
		if rnd.IntN(2) == 0 { // a token of the key adds one
			more = filters[rnd.IntN(len(filters))]
			imposed = append(imposed, more)
			var token struct{ Token string }
			s.want(201, "POST", "/v1/keys/"+k.ID+"/token", `{"filter":`+asJSON(more)+`}`).into(t, &token)
			bearer = token.Token
		}
		search := map[string]any{"limit": 1 + rnd.IntN(30), "facets": []string{"brand", "tenant", "price"}}
		if rnd.IntN(3) > 0 {
			search["q"] = word() + " " + word()
			search["match"] = []string{"auto", "any", "all"}[rnd.IntN(3)]
			search["explain"] = rnd.IntN(2) == 0
			search["highlight"] = map[string]any{}
		}
		if rnd.IntN(2) == 0 {
			search["sort"] = []string{"price:desc", "tenant"}
		}
		own := []string{}
		if rnd.IntN(2) == 0 {
			own = append(own, filters[rnd.IntN(len(filters))])
			search["filter"] = own
		}
		asKey := asJSON(search)
		search["filter"], search["index"] = append(own, imposed...), indexes
		asRoot := asJSON(search)
		for page := range 3 {
			got, next := looseSearch(t, s.as(bearer), asKey)
			want, rootNext := looseSearch(t, s, asRoot)
			withoutCounts(want)
			if !inSight(s, search["q"], indexes, imposed) {
				// To the key it is a word that nothing holds, and not so to root.
				delete(got, "hits")
				delete(want, "hits")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, page %d: %s with filters %q finds other than %s:\n%s", seed, page, asKey, imposed, asRoot, diff)
			}
			if (next == "") != (rootNext == "") {
				t.Fatalf("seed %d: cursors %q and %q", seed, next, rootNext)
			}
			if next == "" {
				break
			}
			s.want(422, "POST", "/v1/search", withCursor(asKey, next)) // it is bound to the rights
			asKey, asRoot = withCursor(asKey, next), withCursor(asRoot, rootNext)
		}
		// An export, and each of the records.
		index := []string{"shop", "news_a"}[rnd.IntN(2)]
		if !slices.Contains(indexes, index) && !slices.Contains(indexes, "*") {
			continue
		}
		lines := strings.SplitAfter(s.want(200, "GET", "/v1/records?index="+index, "").body, "\n")
		seen := s.as(bearer).want(200, "GET", "/v1/records?index="+index, "").body
		var hits searchBody
		s.want(200, "POST", "/v1/search", asJSON(map[string]any{"index": index, "filter": imposed, "limit": 1000})).into(t, &hits)
		if n := strings.Count(seen, "\n"); n != hits.Total {
			t.Fatalf("seed %d: %q: %d records are exported, %d found", seed, imposed, n, hits.Total)
		}
		for _, line := range lines[:len(lines)-1] {
			var record struct{ ID string }
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			status := 404
			if strings.Contains(seen, line) {
				status = 200
			}
			s.as(bearer).want(status, "GET", "/v1/record/"+record.ID+"?index="+index, "")
			if status == 404 && len(indexes) == 1 && indexes[0] == "shop" {
				s.as(bearer).want(404, "GET", "/v1/record/"+record.ID, "")
			}
		}
	}
}

// inSight tells whether filters let through a record with each word of a query
// in each of some indexes.
func inSight(s *service, q any, indexes, filters []string) bool {
	text, _ := q.(string)
	for _, word := range strings.Fields(text) {
		for _, index := range []string{"news_a", "news_b", "shop"} {
			if !slices.ContainsFunc(indexes, func(p string) bool {
				return p == index || strings.HasPrefix(index, strings.TrimSuffix(p, "*")) && strings.HasSuffix(p, "*")
			}) {
				continue
			}
			var hits searchBody
			s.want(200, "POST", "/v1/search", asJSON(map[string]any{"q": word, "index": index, "filter": filters, "typo": "off"})).into(s.t, &hits)
			if hits.Total == 0 {
				return false
			}
		}
	}
	return true
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func withCursor(body, cursor string) string {
	var m map[string]any
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		panic(err)
	}
	m["cursor"] = cursor
	return asJSON(m)
}

// looseSearch returns an answer without what differs between like ones.
func looseSearch(t *testing.T, s *service, body string) (answer map[string]any, cursor string) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.want(200, "POST", "/v1/search", body).body), &answer); err != nil {
		t.Fatal(err)
	}
	cursor, _ = answer["next_cursor"].(string)
	delete(answer, "next_cursor")
	delete(answer, "took_ms")
	return answer, cursor
}

// TestFiltersThatDoNotFitShowNothing: where the filter of a key cannot be
// applied, it does not count as passed.
func TestFiltersThatDoNotFitShowNothing(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"title","type":"text"}]}`)
	var batch struct{ ID string }
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"x1","title":"xyzzy"}]}`).into(t, &batch)
	k := s.as(s.makeKey(`{"scopes":["search","read"],"filter":"tenant = 7"}`).Key)
	for _, r := range []struct{ method, path, body string }{
		{"POST", "/v1/search", "{}"}, {"POST", "/v1/search", `{"index":"shop"}`}, {"GET", "/v1/record/x1", ""},
		{"GET", "/v1/record/x1?index=shop", ""}, {"GET", "/v1/records?index=shop", ""}, {"GET", "/v1/records?index=shop&limit=1", ""},
		{"GET", "/v1/batch/" + batch.ID, ""},
	} {
		a := k.do(r.method, r.path, r.body)
		if a.status < 400 || strings.Contains(a.body, "xyzzy") || strings.Contains(a.body, "tenant") {
			t.Errorf("%s %s: %d %s", r.method, r.path, a.status, a.body)
		}
	}
}

// TestTokensOverHTTP: tokens do what they say, and no more.
func TestTokensOverHTTP(t *testing.T) {
	s, clock := withClock(t)
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"tenant","type":"int","filter":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","tenant":1},{"id":"b","tenant":2}]}`)
	k := s.makeKey(`{"scopes":["*"],"indexes":["shop","news"]}`)
	var token struct {
		Token, Key               string
		Scopes, Indexes, Filters []string
		ExpiresAt                string `json:"expires_at"`
	}
	s.want(201, "POST", "/v1/keys/"+k.ID+"/token", `{"filter":"tenant = 2","indexes":["shop"],"scopes":["search"],"expires_at":"2026-11-21T13:10:00Z"}`).into(t, &token)
	if token.Key != k.ID || token.ExpiresAt != "2026-11-21T13:10:00Z" || !slices.Equal(token.Scopes, []string{"search"}) {
		t.Errorf("%+v", token)
	}
	u := s.as(token.Token)
	var got searchBody
	if u.want(200, "POST", "/v1/search", `{"filter":"tenant = 1 OR tenant = 2"}`).into(t, &got); !slices.Equal(got.ids(), []string{"shop/b"}) {
		t.Errorf("finds %v", got.ids())
	}
	u.want(403, "POST", "/v1/search", `{"index":"news"}`)
	for _, r := range routeTable() {
		if r.scope&ScopeSearch == 0 && r.scope != 0 {
			u.want(403, r.method, pathFor(r.pattern), "")
		}
	}
	for body, status := range map[string]int{`{"indexes":["other"]}`: 403, `{"indexes":["*"]}`: 201, `{"scopes":["search"]}`: 201, "": 201, "{}": 201} {
		s.want(status, "POST", "/v1/keys/"+k.ID+"/token", body)
	}
	limited := s.makeKey(`{"scopes":["search"],"expires_at":"2026-11-21T13:20:00Z"}`)
	s.want(403, "POST", "/v1/keys/"+limited.ID+"/token", `{"expires_at":"2026-11-21T13:21:00Z"}`)
	s.want(403, "POST", "/v1/keys/"+limited.ID+"/token", `{"scopes":["read"]}`)
	s.want(201, "POST", "/v1/keys/"+limited.ID+"/token", "").into(t, &token)
	if token.ExpiresAt != "2026-11-21T13:20:00Z" || !slices.Equal(token.Scopes, []string{"search"}) {
		t.Errorf("%+v", token)
	}
	writer := s.makeKey(`{"scopes":["write"]}`)
	s.want(403, "POST", "/v1/keys/"+writer.ID+"/token", "")
	clock.advance(5 * time.Minute)
	if p := u.want(401, "POST", "/v1/search", "{}").problem(t); p.Code != codeExpiredKey {
		t.Errorf("code %s", p.Code)
	}
}

// FuzzAuthorization: whatever the header is, the answer is 401 unless it is the
// key.
func FuzzAuthorization(f *testing.F) {
	for _, seed := range []string{"", "Bearer", "Bearer ", "Basic eA==", "Bearer qk_", "Bearer qt_.", "bearer\tqt_e30.e30", "Bearer  x y"} {
		f.Add(seed)
	}
	services := lend(f)
	f.Fuzz(func(t *testing.T, header string) {
		s := services.to(t)
		s.check = false
		r := httptest.NewRequest("GET", "/v1/limits", nil)
		r.Header["Authorization"] = []string{header}
		if a := s.send(r); a.status != 401 || strings.Contains(a.body, header) && len(header) > 8 && !strings.Contains("the API key is not valid", header) {
			t.Errorf("%q: %d %s", header, a.status, a.body)
		}
	})
}
