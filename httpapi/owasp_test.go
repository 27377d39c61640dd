package httpapi

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The OWASP API Security Top 10 of 2023, a test for each.

// 1: an object of somebody else is as little there as one that nobody has.
func TestOWASP1ObjectLevelAuthorization(t *testing.T) {
	s := withEngine(t, "")
	var batch, hook struct{ ID string }
	s.want(201, "POST", "/v1/batch", `{"index":"theirs","records":[{"id":"r1","title":"xyzzy"}]}`).into(t, &batch)
	s.want(201, "POST", "/v1/webhooks", `{"url":"https://hook.example/","indexes":["theirs"]}`).into(t, &hook)
	theirs := s.makeKey(`{"scopes":["read"],"indexes":["theirs"]}`)
	mine := s.as(s.makeKey(`{"scopes":["*"],"indexes":["mine"],"rate":{"per_second":100000}}`).Key)
	objects := map[string][2]string{ // id of an object that is there, and of one that is not
		"record": {"r1", "r2"}, "batch": {batch.ID, batch.ID[:len(batch.ID)-1] + "Z"}, "webhooks": {hook.ID, hook.ID[:len(hook.ID)-1] + "Z"},
		"keys": {theirs.ID, theirs.ID[:len(theirs.ID)-1] + "0"}, "indexes": {"theirs", "nobodys"},
	}
	same := func(a answer) string { return strings.Replace(a.body, a.header.Get("Request-Id"), "", 1) }
	for _, op := range documented() {
		parts := strings.Split(op.pattern, "/")
		ids, ok := objects[parts[min(2, len(parts)-1)]]
		if !ok || !strings.Contains(op.pattern, "{") {
			continue
		}
		var got [2]answer
		for i, id := range ids {
			path := strings.NewReplacer("{id}", id, "{name}", id, "{delivery}", "m1").Replace(op.pattern)
			body := ""
			if op.method == "PUT" || op.method == "PATCH" {
				body = `{}`
			}
			got[i] = mine.do(op.method, path, body)
		}
		if got[0].status < 400 || same(got[0]) != same(got[1]) {
			t.Errorf("%s: %d %s\nof one that is not there: %d %s", op.name(), got[0].status, got[0].body, got[1].status, got[1].body)
		}
	}
	s.want(200, "GET", "/v1/record/r1?index=theirs", "")
}

// 2: a key that is revoked lets nobody in who begins after the answer.
func TestOWASP2Authentication(t *testing.T) {
	s := withEngine(t, "")
	for range 5 {
		k := s.makeKey(`{"scopes":["search"],"rate":{"per_second":1000000,"burst":1000000}}`)
		var revoked atomic.Bool
		var clients sync.WaitGroup
		var began sync.WaitGroup
		began.Add(8)
		for range 8 {
			clients.Go(func() {
				user := *s.as(k.Key)
				user.check = false
				for n := 0; ; n++ {
					late := revoked.Load()
					a := user.do("POST", "/v1/search", `{}`)
					if n == 0 {
						began.Done()
					}
					if late && a.status != 401 || a.status != 200 && a.status != 401 {
						t.Errorf("revoked before: %v, status %d", late, a.status)
					}
					if late {
						return
					}
				}
			})
		}
		began.Wait()
		s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
		revoked.Store(true)
		clients.Wait()
	}
}

// 3: nobody sets what is not theirs to set, and no answer shows more than the
// document says, which holds for all answers of these tests; above all no key.
func TestOWASP3PropertyLevelAuthorization(t *testing.T) {
	s := withEngine(t, "")
	for _, more := range []string{`"id":"key_00000000"`, `"root":true`, `"state":"active"`, `"hint":"x"`, `"key":"qk_x"`, `"hash":"x"`, `"created_at":"2020-01-01T00:00:00Z"`, `"last_day":"2020-01-01"`} {
		s.want(422, "POST", "/v1/keys", `{"scopes":["search"],`+more+`}`)
	}
	k := s.makeKey(`{"scopes":["keys"]}`)
	for _, more := range []string{`"root":true`, `"state":"active"`, `"id":"x"`, `"grace_until":"2030-01-01T00:00:00Z"`} {
		s.want(422, "PATCH", "/v1/keys/"+k.ID, `{`+more+`}`)
	}
	var hook struct{ ID, Secret string }
	s.want(201, "POST", "/v1/webhooks", `{"url":"https://hook.example/"}`).into(t, &hook)
	for _, more := range []string{`"secret":"whsec_x"`, `"id":"x"`, `"backlog":0`, `"public_key":"x"`} {
		s.want(422, "PATCH", "/v1/webhooks/"+hook.ID, `{`+more+`}`)
	}
	for _, more := range []string{`"version":1`, `"records":7`, `"state":"ready"`, `"name":"other"`, `"bytes":1`} {
		s.want(422, "PUT", "/v1/indexes/shop", `{`+more+`}`)
	}
	hash, err := HashKey(k.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/keys", "/v1/keys/" + k.ID, "/v1/webhooks", "/v1/webhooks/" + hook.ID, "/v1/usage", "/v1/limits", "/v1/batch", "/v1/indexes"} {
		a := s.want(200, "GET", path, "")
		for what, secret := range map[string]string{"the root key": s.key, "a key": k.Key[13:], "a webhook's secret": hook.Secret, "a hash": fmt.Sprintf("%x", hash.Sum)} {
			if strings.Contains(a.body, secret) {
				t.Errorf("%s shows %s", path, what)
			}
		}
	}
}

// 4: what a request may take up is bounded, and the refusal names the bound.
func TestOWASP4ResourceConsumption(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"n","type":"int","filter":true,"facet":true}]}`)
	facets := ""
	for i := range 33 {
		facets += fmt.Sprintf(`,"f%d"`, i)
	}
	for _, c := range []struct {
		status                  int
		method, path, body, say string
	}{
		{422, "POST", "/v1/search", `{"limit":1001}`, "1000"},
		{422, "POST", "/v1/search", `{"offset":9990,"limit":11}`, "10000"},
		{422, "POST", "/v1/search", filled(4200, `{"q":"`, "x", "", `"}`), "4096"},
		{422, "POST", "/v1/search", filled(300, `{"q":"`, "w#", " ", `"}`), "64"},
		{422, "POST", "/v1/search", filled(20_000, `{"filter":"`, "n = #", " OR ", `"}`), "1000"},
		{422, "POST", "/v1/search", filled(100, `{"filter":"`, "(", "", `n=1"}`), "64"},
		{422, "POST", "/v1/search", `{"facets":[` + facets[1:] + `]}`, "32"},
		{422, "POST", "/v1/search", `{"facets":[{"field":"n","limit":1001}]}`, "1000"},
		{422, "POST", "/v1/search", filled(400, `{"sort":[`, `"s#"`, ",", `]}`), "16"},
		{413, "POST", "/v1/search", filled(1<<20, `{"q":"`, "x", "", `"}`), "1048576"},
		{413, "PUT", "/v1/record/a?index=shop", filled(1<<20+10, `{"t":"`, "x", "", `"}`), "1048576"},
		{413, "POST", "/v1/batch", filled(33<<20, `{"index":"shop","records":[{"t":"`, strings.Repeat("x", 1000), "", `"}]}`), "33554432"},
		{413, "POST", "/v1/batch", filled(310_000, `{"index":"shop","records":[`, "{}", ",", `]}`), "100000"},
		{422, "POST", "/v1/multi-search", filled(200, `{"searches":[`, "{}", ",", `]}`), "50"},
		{400, "POST", "/v1/search", filled(100, `{"q":`, "[", "", ``), "32"},
		{422, "PUT", "/v1/indexes/wide", filled(40_000, `{"fields":[`, `{"name":"f#","type":"int"}`, ",", `]}`), "1000"},
		{400, "POST", "/v1/graphql", filled(17<<10, `{"query":"{`, "a ", "", `}"}`), "16384"},
		{422, "GET", "/v1/records?index=shop&limit=10001", "", "10000"},
	} {
		if a := s.want(c.status, c.method, c.path, c.body); !strings.Contains(strings.NewReplacer(",", "", " KiB", "384").Replace(a.body), c.say) {
			t.Errorf("%s %.60s: the answer does not name the limit of %s: %.400s", c.path, c.body, c.say, a.body)
		}
	}
	k := s.as(s.makeKey(`{"scopes":["search"],"rate":{"per_second":1,"burst":3}}`).Key)
	for i := range 10 {
		a := k.do("POST", "/v1/search", `{}`)
		if ok := i < 3; ok != (a.status == 200) || !ok && (a.status != 429 || a.header.Get("Retry-After") == "") {
			t.Errorf("request %d: %d %v", i, a.status, a.header)
		}
	}
}

// 5: no header and no path makes of a request what the key may not do.
func TestOWASP5FunctionLevelAuthorization(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{}`)
	k := s.as(s.makeKey(`{"scopes":["search"],"rate":{"per_second":100000}}`).Key)
	for _, h := range []string{"X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE", "X-Original-URL: /v1/keys", "X-Rewrite-URL: /v1/keys", "X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1", "Host: localhost", "X-Api-Key: " + s.key, "Cookie: key=" + s.key} {
		k.want(403, "GET", "/v1/keys", "", h)
		k.want(403, "DELETE", "/v1/indexes/shop", "", h)
		k.want(200, "POST", "/v1/search", `{}`, h)
		k.want(403, "GET", "/v1/indexes?_method=DELETE", "", h)
	}
	for _, path := range []string{"/V1/keys", "/v1/keys/", "//v1/keys", "/v1/./keys", "/v1/search/../keys", "/v1/keys;x=1", "/v1/%6beys/", "/v1/search%2f..%2fkeys", "/v1/keys%00", "/v1/keys%20"} {
		if a := k.do("GET", path, ""); a.status != 404 && a.status != 403 && a.status != 405 && a.status != 401 {
			t.Errorf("GET %s: %d %s", path, a.status, a.body)
		}
	}
	s.want(200, "GET", "/v1/indexes/shop", "")
}

// 6: who may make keys makes none that may do more, in no number of steps.
func TestOWASP6BusinessFlows(t *testing.T) {
	s := withEngine(t, "")
	mint := s.makeKey(`{"scopes":["keys","search"],"indexes":["shop","news_*"],"rate":{"per_second":100000}}`)
	k := s.as(mint.Key)
	for _, body := range []string{`{"scopes":["*"]}`, `{"scopes":["keys","admin"]}`, `{"scopes":["search"],"indexes":["*"]}`, `{"scopes":["search"],"indexes":["s*"]}`, `{"scopes":["search"],"indexes":["shop","secret"]}`, `{"scopes":["search"],"indexes":["news*"]}`} {
		k.want(403, "POST", "/v1/keys", body)
	}
	var child keyBody
	k.want(201, "POST", "/v1/keys", `{"scopes":["keys"],"indexes":["shop"]}`).into(t, &child)
	for _, body := range []string{`{"scopes":["keys","search","admin"]}`, `{"indexes":["secret"]}`, `{"indexes":["*"]}`} {
		k.want(403, "PATCH", "/v1/keys/"+child.ID, body)
	}
	grand := s.as(child.Key)
	grand.want(403, "POST", "/v1/keys", `{"scopes":["search"]}`)
	grand.want(403, "POST", "/v1/keys", `{"scopes":["keys"],"indexes":["news_a"]}`)
	for _, id := range []string{mint.ID, "key_" + s.key[3:11]} { // that of its maker, and the root key
		if a := grand.do("PATCH", "/v1/keys/"+id, `{"indexes":["shop"]}`); a.status < 400 {
			t.Errorf("a key changes %s: %s", id, a.body)
		}
		if a := grand.do("POST", "/v1/keys/"+id+"/rotate", `{}`); a.status < 400 {
			t.Errorf("a key rotates %s: %s", id, a.body)
		}
	}
	var token struct{ Token string }
	k.want(201, "POST", "/v1/keys/"+mint.ID+"/token", `{"indexes":["shop"]}`).into(t, &token)
	s.as(token.Token).want(403, "POST", "/v1/keys/"+mint.ID+"/token", `{}`)
	s.as(token.Token).want(403, "POST", "/v1/keys", `{"scopes":["search"]}`)
}

// 7: webhooks lead to public addresses alone.
func TestOWASP7RequestForgery(t *testing.T) {
	s := withEngine(t, "")
	for _, url := range []string{
		"http://hook.example/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://0.0.0.0/", "https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/",
		"https://192.168.1.1/", "https://172.16.0.1/", "https://100.64.0.1/", "https://[fd00::1]/", "https://[fe80::1]/", "https://[64:ff9b::7f00:1]/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
		"https://127.1/", "https://user:secret@hook.example/", "https://hook.example:22/", "https://hook.example:6379/", "file:///etc/passwd", "gopher://hook.example/", "ftp://hook.example/", "//hook.example/", "hook.example", "",
		"https:///x", "https://hook.example/\r\nX: y", "https://[::1%25lo]/", "https://127.0.0.1.:443/", "https://ⓛocalhost/",
	} {
		if a := s.do("POST", "/v1/webhooks", `{"url":`+asJSON(url)+`}`); a.status != 422 {
			t.Errorf("%q: %d %s", url, a.status, a.body)
		}
	}
}

// 8: answers say nothing of the machine and give browsers nothing to work with.
func TestOWASP8Misconfiguration(t *testing.T) {
	s := withEngine(t, "")
	s.check = false // the page is not in the document
	for _, r := range [][2]string{{"OPTIONS", "/v1/search"}, {"GET", "/v1/indexes"}, {"POST", "/v1/search"}, {"GET", "/"}, {"GET", "/healthz"}, {"TRACE", "/v1/search"}, {"GET", "/nothing"}} {
		a := s.do(r[0], r[1], "", "Origin: https://evil.example", "Access-Control-Request-Method: POST")
		for name, v := range a.header {
			if strings.HasPrefix(name, "Access-Control") || name == "Server" || name == "X-Powered-By" || name == "Set-Cookie" {
				t.Errorf("%s %s: %s: %q", r[0], r[1], name, v)
			}
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %v", r[0], r[1], a.header)
		}
		for _, word := range []string{"goroutine", ".go:", "/home/", "pebble", "panic"} {
			if a.status >= 400 && strings.Contains(a.body, word) {
				t.Errorf("%s %s: %s", r[0], r[1], a.body)
			}
		}
		if a.status == 200 && r[0] == "TRACE" {
			t.Error("TRACE is answered")
		}
	}
}

// 9: there is what the document lists and nothing else.
func TestOWASP9Inventory(t *testing.T) {
	TestDocumentListsTheRoutes(t)
	s := withEngine(t, "")
	for _, path := range []string{"/v0/search", "/v2/search", "/api/search", "/search", "/beta/search", "/v1beta/search", "/v1.1/search", "/internal", "/test", "/admin/keys", "/debug/pprof/heap"} {
		s.check = false
		if a := s.do("POST", path, "{}"); a.status != 404 && a.status != 405 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// 10: whatever a receiver of webhooks answers, it is not believed, followed,
// kept or shown.
func TestOWASP10UnsafeConsumption(t *testing.T) {
	const said = "xyzzy-said-by-the-receiver"
	var elsewhere atomic.Int64
	trap := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(trap.Close)
	answers := []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", trap.URL)
			w.WriteHeader(307)
		},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Said", strings.Repeat(said, 100))
			w.WriteHeader(500)
			fmt.Fprint(w, strings.Repeat(said, 10_000))
		},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999")
			fmt.Fprint(w, said)
		},
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for i, handle := range answers {
		done := make(chan bool, 100)
		sink := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() { done <- true }()
			handle(w, r)
		}))
		r := &receiver{t: t, url: sink.URL, roots: x509.NewCertPool()}
		r.roots.AddCert(sink.Certificate())
		s := withWebhooks(t, "", r)
		hook := s.hook(r.url, `,"events":["batch.applied"]`)
		s.deliver()
		s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`)
		<-done
		sink.Close() // after the answer was read
		list := s.want(200, "GET", "/v1/webhooks/"+hook.ID+"/deliveries", "").body
		if strings.Contains(list, said) || elsewhere.Load() > 0 {
			t.Errorf("answer %d: %d requests elsewhere, deliveries %s", i, elsewhere.Load(), list)
		}
		s.want(200, "POST", "/v1/search", `{}`)
	}
}
