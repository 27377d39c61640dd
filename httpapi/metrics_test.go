package httpapi

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// scrape reads the figures by name with labels.
func scrape(t *testing.T, s *Server) (figures map[string]float64, text string) {
	t.Helper()
	w := httptest.NewRecorder()
	s.Metrics().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	figures = map[string]float64{}
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(strings.TrimSpace(line[i+1:]), 64)
		if err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		figures[line[:i]] = v
	}
	return figures, w.Body.String()
}

func TestMetricsCountRequests(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	for range 3 {
		s.want(200, "POST", "/v1/search", `{"q":"red"}`)
	}
	s.want(422, "POST", "/v1/search", `{"limt":1}`)
	s.do("GET", "/v1/nothing", "")
	s.do("HEAD", "/v1/indexes", "")
	got, _ := scrape(t, s.server)
	for name, want := range map[string]float64{
		`quarry_http_requests_total{route="POST /v1/search",status="2xx"}`:     3,
		`quarry_http_requests_total{route="POST /v1/search",status="4xx"}`:     1,
		`quarry_http_requests_total{route="POST /v1/search",status="5xx"}`:     0,
		`quarry_http_requests_total{route="GET /v1/indexes",status="2xx"}`:     1,
		`quarry_http_requests_total{route="none",status="4xx"}`:                1,
		`quarry_http_request_seconds_count{route="POST /v1/search"}`:           4,
		`quarry_http_request_seconds_bucket{route="POST /v1/batch",le="+Inf"}`: 1,
		`quarry_http_requests_in_flight`:                                       0,
		`quarry_request_body_bytes`:                                            0,
		`quarry_healthy`:                                                       1,
		`quarry_version`:                                                       2,
		`quarry_indexes`:                                                       1,
		`quarry_records`:                                                       4,
		`quarry_storage_compactions_total`:                                     0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (there: %t), want %v", name, v, ok, want)
		}
	}
	for _, name := range []string{"quarry_index_bytes", "quarry_storage_memtable_bytes", "go_goroutines"} {
		if got[name] == 0 {
			t.Errorf("%s is 0", name)
		}
	}
}

// Whatever clients send, there are no more series, and nothing of it is in
// them.
func TestMetricsAreBounded(t *testing.T) {
	s := withEngine(t, "")
	before, _ := scrape(t, s.server)
	s.want(201, "POST", "/v1/batch", strings.ReplaceAll(products, "products", "canaryindex"))
	for _, path := range []string{"/v1/canarypath", "/canarypath", "/v1/indexes/canaryname", "/v1/record/canaryid", "/v1/search?canary=1"} {
		for _, m := range []string{"GET", "POST", "CANARY", "DELETE", "OPTIONS"} {
			s.do(m, path, `{"q":"canaryquery"}`)
		}
	}
	after, text := scrape(t, s.server)
	ours := func(figures map[string]float64) (n int) {
		for name := range figures {
			if strings.HasPrefix(name, "quarry_") {
				n++
			}
		}
		return n
	}
	if ours(before) != ours(after) {
		t.Errorf("%d series, %d before", ours(after), ours(before))
	}
	if strings.Contains(strings.ToLower(text), "canary") {
		t.Errorf("what a client has sent is in the figures:\n%s", text)
	}
}

// operators starts ServeAdmin for a server.
func operators(t *testing.T, s *Server, o AdminOptions) (addr string, end func() error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.ServeAdmin(ctx, ln, o) }()
	t.Cleanup(cancel)
	return ln.Addr().String(), func() error { cancel(); return <-done }
}

func TestServeAdmin(t *testing.T) {
	r := serve(t)
	debug := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "inside") })
	for _, c := range []struct {
		name    string
		o       AdminOptions
		path    string
		key     bool
		status  int
		content string
	}{
		{"figures", AdminOptions{}, "/metrics", false, 200, "quarry_http_requests_total"},
		{"figures with a key", AdminOptions{RequireKey: true}, "/metrics", true, 200, "quarry_http_requests_total"},
		{"figures without the key", AdminOptions{RequireKey: true}, "/metrics", false, 401, "missing_api_key"},
		{"health", AdminOptions{RequireKey: true}, "/healthz", false, 200, `"ok"`},
		{"readiness", AdminOptions{RequireKey: true}, "/readyz", false, 200, `"ready"`},
		{"debug is off", AdminOptions{}, "/debug/pprof/", false, 404, "route_not_found"},
		{"debug", AdminOptions{Debug: debug}, "/debug/pprof/", false, 200, "inside"},
		{"debug without the key", AdminOptions{Debug: debug, RequireKey: true}, "/debug/pprof/", false, 401, "missing_api_key"},
		{"the service itself", AdminOptions{}, "/v1/indexes", true, 404, "route_not_found"},
		{"nothing", AdminOptions{}, "/", false, 404, "route_not_found"},
		{"a path to clean", AdminOptions{}, "//healthz", false, 404, "route_not_found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			addr, end := operators(t, r.server, c.o)
			req := r.request("GET", c.path, "")
			req.URL.Host = addr
			if !c.key {
				req.Header.Del("Authorization")
			}
			client := r.client(nil)
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != c.status || !strings.Contains(string(body), c.content) || res.TLS.Version != tls.VersionTLS13 {
				t.Errorf("%d %.200s, want %d with %s", res.StatusCode, body, c.status, c.content)
			}
			if id := res.Header.Get("Request-Id"); len(id) != 30 {
				t.Errorf("Request-Id %q", id)
			}
			client.CloseIdleConnections()
			if err := end(); err != nil {
				t.Errorf("end: %v", err)
			}
		})
	}
	// The end of a listener for operators is not that of the service.
	r.want(200, "GET", "/readyz", "")
}

// Every answer names its request, whatever the method and the protocol.
func TestEveryAnswerHasARequestID(t *testing.T) {
	r := serve(t)
	seen := map[string]bool{}
	for _, proto := range []string{"HTTP/2.0", "HTTP/1.1"} {
		c := r.client(nil)
		c.Transport.(*http.Transport).ForceAttemptHTTP2 = proto == "HTTP/2.0"
		for _, path := range []string{"/v1/indexes", "/v1/search", "/v1/nothing", "/healthz", "/readyz", "/", "/v1/usage", "/v1/record/x?index=nothing"} {
			for _, m := range []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "BREW"} {
				for _, key := range []bool{true, false} {
					req := r.request(m, path, "")
					if !key {
						req.Header.Del("Authorization")
					}
					res, err := c.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					body, _ := io.ReadAll(res.Body)
					res.Body.Close()
					id := res.Header.Get("Request-Id")
					if len(id) != 30 || seen[id] || res.Proto != proto {
						t.Errorf("%s %s over %s: Request-Id %q, used before: %t", m, path, res.Proto, id, seen[id])
					}
					seen[id] = true
					if m == "HEAD" && len(body) > 0 {
						t.Errorf("HEAD %s has a body", path)
					}
				}
			}
		}
	}
	conn := r.dial()
	io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	answer, _ := io.ReadAll(conn)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 404") || !strings.Contains(string(answer), "\r\nRequest-Id: req_") {
		t.Errorf("OPTIONS *: %s", answer)
	}
}
