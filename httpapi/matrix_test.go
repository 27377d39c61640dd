package httpapi

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// scopesOf returns the scopes of which the document says that a key needs one
// for an operation. anyKey: every key will do.
func scopesOf(t *testing.T, op operation) (scopes []string, anyKey bool) {
	list, ok := op.spec["security"].([]any)
	if !ok {
		t.Fatalf("%s: the document does not say who may do it: give it a member security, such as [{\"bearer\": [\"search\"]}]", op.name())
	}
	for _, alternative := range list {
		needed := alternative.(object)["bearer"].([]any)
		switch len(needed) {
		case 0:
			anyKey = true
		case 1:
			scopes = append(scopes, needed[0].(string))
		default:
			t.Fatalf("%s: the document asks for %v at once", op.name(), needed)
		}
	}
	return scopes, anyKey
}

// TestScopesAreThoseOfTheDocument: every route with a key for every set of
// scopes that has one, two, or all but one of them. A key is let in exactly
// where the document says so.
func TestScopesAreThoseOfTheDocument(t *testing.T) {
	s := withEngine(t, "")
	names := keyring.ScopeNames()
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "*" })
	for set := range 1 << len(names) {
		if n := bits.OnesCount(uint(set)); n != 1 && n != 2 && n != len(names)-1 || testing.Short() && n == 2 {
			continue
		}
		var held []string
		for i, name := range names {
			if set>>i&1 == 1 {
				held = append(held, name)
			}
		}
		k := s.as(s.makeKey(`{"scopes":` + asJSON(held) + `,"rate":{"per_second":1000000,"burst":1000000}}`).Key)
		for _, op := range documented() {
			if op.public() {
				continue
			}
			needed, anyKey := scopesOf(t, op)
			may := anyKey || slices.ContainsFunc(needed, func(n string) bool { return slices.Contains(held, n) })
			a := k.do(op.method, pathFor(op.pattern), "")
			if refused := a.status == 403 && a.problem(t).Code == codeForbiddenScope; refused == may || a.status == 401 || a.status >= 500 {
				t.Errorf("%s with %v: %d %s; the document asks for one of %v", op.name(), held, a.status, a.body, needed)
			}
		}
	}
}

// TestNoKeyNoAnswer: every route of the document, and what is beside them, with
// every kind of bad key. Only what the document leaves open answers.
func TestNoKeyNoAnswer(t *testing.T) {
	s, clock := withClock(t)
	revoked, rotated := s.makeKey(`{"scopes":["*"]}`), s.makeKey(`{"scopes":["*"]}`)
	ended := s.makeKey(`{"scopes":["*"],"expires_at":"2026-11-21T14:05:00Z"}`)
	s.want(204, "DELETE", "/v1/keys/"+revoked.ID, "")
	s.want(200, "POST", "/v1/keys/"+rotated.ID+"/rotate", `{"grace_seconds":0}`)
	clock.advance(time.Hour)
	token, err := keyring.MintToken(ended.Key, keyring.Claims{Expires: testTime.Add(1000 * time.Hour).Unix()})
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		"none":                "-",
		"empty":               "",
		"no scheme":           s.key,
		"another scheme":      "Basic " + s.key,
		"unknown":             "Bearer " + GenerateKey(),
		"one byte less":       "Bearer " + s.key[:len(s.key)-1],
		"revoked":             "Bearer " + revoked.Key,
		"rotated":             "Bearer " + rotated.Key,
		"ended":               "Bearer " + ended.Key,
		"token of one ended":  "Bearer " + token,
		"the id alone":        "Bearer " + revoked.ID,
		"SQL":                 "Bearer ' OR 1=1 --",
		"twice in one header": "Bearer " + s.key + ", Bearer " + s.key,
		"null bytes":          "Bearer \x00\x00",
	}
	ops := documented()
	for name, header := range bad {
		for _, op := range ops {
			a := s.do(op.method, pathFor(op.pattern)+"?api_key="+s.key, "", "Authorization: "+header, "X-Api-Key: "+s.key, "Cookie: key="+s.key)
			if op.public() != (a.status == 200) || !op.public() && (a.status != 401 || a.header.Get("WWW-Authenticate") == "") {
				t.Errorf("%s: %s: %d %s", name, op.name(), a.status, a.body)
			}
		}
	}
}

// TestEveryRouteIsDocumented: whatever method and path is not in the document
// is answered with 404 or 405, to a key that may do everything.
func TestEveryRouteIsDocumented(t *testing.T) {
	s := withEngine(t, "")
	known := map[string]bool{}
	paths := map[string]bool{}
	for _, op := range documented() {
		known[op.method+" "+pathFor(op.pattern)] = true
		paths[pathFor(op.pattern)] = true
	}
	for _, p := range []string{"/debug/pprof/", "/debug/vars", "/metrics", "/v1", "/v1/", "/v2/search", "/v0/search", "/v1/admin", "/v1/config", "/v1/keys/root", "/.env", "/.git/config", "/v1/search/x", "/v1/graphiql", "/v1/indexes/shop/records", "/api/v1/search", "/swagger.json", "/status"} {
		paths[p] = true
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "LINK", "get"} {
			as := method
			if method == "HEAD" {
				as = "GET"
			}
			index := path == "/v1/indexes/swap" && known[as+" /v1/indexes/shop"] || strings.HasPrefix(path, "/v1/keys/root") && known[as+" /v1/keys/x1"]
			if known[as+" "+path] || index {
				continue
			}
			if a := s.do(method, path, ""); a.status != 404 && a.status != 405 {
				t.Errorf("%s %s: %d %.200s", method, path, a.status, a.body)
			}
		}
	}
}
