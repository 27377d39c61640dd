package httpapi

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// pathsFor fills in the parameters of a pattern.
func pathFor(pattern string) string {
	return strings.NewReplacer("{name}", "shop", "{id}", "x1", "{delivery}", "m1").Replace(pattern)
}

func TestEveryMethodOfEveryPath(t *testing.T) {
	s := newService(t)
	allowed := map[string][]string{}
	for _, r := range routeTable() {
		allowed[r.pattern] = append(allowed[r.pattern], r.method)
		if r.pattern == "/v1/indexes/{name}" { // which an index may be called, too
			allowed["/v1/indexes/swap"] = append(allowed["/v1/indexes/swap"], r.method)
		}
	}
	for pattern, methods := range allowed {
		if slices.Contains(methods, "GET") {
			methods = append(methods, "HEAD")
		}
		slices.Sort(methods)
		for _, m := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"} {
			a := s.do(m, pathFor(pattern), "")
			if slices.Contains(methods, m) {
				if a.status == 405 {
					t.Errorf("%s %s: 405", m, pattern)
				}
				continue
			}
			if a.status != 405 || a.problem(t).Code != codeMethod {
				t.Errorf("%s %s: %d %s, want 405 %s", m, pattern, a.status, a.body, codeMethod)
			}
			if got, want := a.header.Get("Allow"), strings.Join(methods, ", "); got != want {
				t.Errorf("%s %s: Allow: %q, want %q", m, pattern, got, want)
			}
		}
	}
	if a := s.do("GET", "/v1/search?q=x", ""); a.status != 405 || a.header.Get("Allow") != "POST" {
		t.Errorf("GET /v1/search: %d, Allow %q", a.status, a.header.Get("Allow"))
	}
}

func TestPathsWithoutRoutes(t *testing.T) {
	s := newService(t)
	for _, path := range []string{
		"/v1", "/v1/", "/v1/searches", "/v1/search/", "/v2/search", "//v1/search", "/v1//search", "/v1/./search",
		"/v1/indexes/../search", "/v1/indexes/", "/v1/indexes/a/b", "/v1/record", "/v1/record/", "/v1/record/a/b",
		"/v1/record/a/", "/v1/record//", "/v1/batch/", "/V1/search", "/metrics", "/debug/pprof/", "/v1/keys/", "/v1/keys/key_00000000/x", "/favicon.ico", "/healthz/",
	} {
		for _, m := range []string{"GET", "POST", "DELETE"} {
			a := s.do(m, path, "")
			if a.status != 404 || a.problem(t).Code != codeRouteNotFound {
				t.Errorf("%s %s: %d %s, want 404 %s", m, path, a.status, a.body, codeRouteNotFound)
			}
		}
	}
}

func TestKeysAreAskedForFirst(t *testing.T) {
	s := newService(t)
	other := GenerateKey()
	wrong := []byte(s.key)
	wrong[20] ^= 1
	for _, h := range []struct{ name, header, code string }{
		{"none", "-", codeMissingKey},
		{"empty", "", codeInvalidKey},
		{"scheme alone", "Bearer", codeInvalidKey},
		{"empty token", "Bearer ", codeInvalidKey},
		{"no scheme", s.key, codeInvalidKey},
		{"Basic", "Basic " + s.key, codeInvalidKey},
		{"Token", "Token " + s.key, codeInvalidKey},
		{"unknown", "Bearer " + other, codeInvalidKey},
		{"one byte changed", "Bearer " + string(wrong), codeInvalidKey},
		{"cut", "Bearer " + s.key[:len(s.key)-1], codeInvalidKey},
		{"longer", "Bearer " + s.key + "0", codeInvalidKey},
		{"two words", "Bearer " + s.key + " x", codeInvalidKey},
		{"quoted", `Bearer "` + s.key + `"`, codeInvalidKey},
		{"its id with another secret", "Bearer " + s.key[:12] + other[12:], codeInvalidKey},
		{"very long", "Bearer " + strings.Repeat("x", 10_000), codeInvalidKey},
	} {
		for _, r := range append(routeTable(), route{method: "GET", pattern: "/v1/nothing"}, route{method: "PUT", pattern: "/v1/search"}, route{method: "GET", pattern: "/v1/record/.."}) {
			if r.pattern == "/healthz" || r.pattern == "/readyz" {
				continue
			}
			a := s.do(r.method, pathFor(r.pattern)+"?api_key="+s.key+"&key="+s.key, "", "Authorization: "+h.header)
			if a.status != 401 || a.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
				t.Errorf("%s: %s %s: %d, WWW-Authenticate %q", h.name, r.method, r.pattern, a.status, a.header.Get("WWW-Authenticate"))
			} else if r.method != "HEAD" && a.problem(t).Code != h.code {
				t.Errorf("%s: %s %s: code %s, want %s", h.name, r.method, r.pattern, a.problem(t).Code, h.code)
			}
		}
	}
	r := httptest.NewRequest("GET", "/v1/indexes", nil)
	r.Header["Authorization"] = []string{"Bearer " + s.key, "Bearer " + s.key}
	if a := s.send(r); a.status != 401 {
		t.Errorf("two Authorization headers: %d, want 401", a.status)
	}
	for _, header := range []string{"Bearer " + s.key, "bearer " + s.key, "BEARER  " + s.key} {
		s.want(200, "GET", "/v1/indexes", "", "Authorization: "+header)
	}
	s.want(200, "GET", "/healthz", "", "Authorization: -")
	s.want(200, "GET", "/readyz", "", "Authorization: -")
}

func TestUnknownAndMalformedKeysGetTheSameAnswer(t *testing.T) {
	s := newService(t)
	body := func(key string) string {
		a := s.want(401, "GET", "/v1/indexes", "", "Authorization: Bearer "+key)
		return strings.Replace(a.body, a.header.Get("Request-Id"), "", 1)
	}
	if a, b := body("nonsense"), body(GenerateKey()); a != b {
		t.Errorf("malformed: %s\nunknown:   %s", a, b)
	}
}

func TestAnswersInTheFormThatIsAccepted(t *testing.T) {
	s := newService(t)
	for _, c := range []struct {
		accept string
		status int
	}{
		{"*/*", 200}, {"application/json", 200}, {"application/*", 200}, {"application/json;q=0.1", 200},
		{"text/html, */*;q=0.1", 200}, {"application/json; charset=utf-8", 200}, {"garbage;;;=", 200}, {"", 200},
		{"text/html", 406}, {"application/json;q=0", 406}, {"application/json;q=0, */*", 406}, {"application/xml, text/*", 406},
		{"*/*;q=0", 406}, {"*/*;q=0, application/json", 200},
	} {
		if a := s.do("GET", "/v1/indexes", "", "Accept: "+c.accept); a.status != c.status {
			t.Errorf("Accept: %s: %d, want %d", c.accept, a.status, c.status)
		}
	}
	s.want(406, "GET", "/v1/records?index=shop", "", "Accept: application/json")
	s.want(404, "GET", "/v1/records?index=shop", "", "Accept: application/x-ndjson")
	s.want(404, "DELETE", "/v1/record/x", "", "Accept: text/html")
}

func TestMediaTypesOfBodies(t *testing.T) {
	s := newService(t)
	for _, c := range []struct {
		path, media string
		status      int
	}{
		{"/v1/search", "application/json", 200}, {"/v1/search", "-", 200}, {"/v1/search", "Application/JSON; charset=UTF-8", 200},
		{"/v1/search", "application/json; charset=latin1", 415}, {"/v1/search", "text/plain", 415},
		{"/v1/search", "application/x-www-form-urlencoded", 415}, {"/v1/search", "application/x-ndjson", 415},
		{"/v1/search", "application/json; charset", 400}, {"/v1/search", "json", 415}, {"/v1/search", "/", 400},
		{"/v1/batch", "text/xml", 415}, {"/v1/batch", "multipart/form-data; boundary=x", 415},
	} {
		if a := s.do("POST", c.path, "{}", "Content-Type: "+c.media); a.status != c.status {
			t.Errorf("%s, Content-Type: %s: %d, want %d: %s", c.path, c.media, a.status, c.status, a.body)
		}
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := newService(t)
	for _, path := range []string{"/v1/indexes", "/v1/nothing", "/healthz", "/nothing"} {
		a := s.do("GET", path, "")
		if a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", path, a.header)
		}
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control") {
				t.Errorf("%s: header %s", path, name)
			}
		}
	}
}
