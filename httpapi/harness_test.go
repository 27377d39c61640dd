package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// service is a Server over some engine with a key, for tests without
// connections.
type service struct {
	t      *testing.T
	server *Server
	engine Engine
	key    string
	check  bool // every answer against the OpenAPI document
}

func newService(t *testing.T, configure ...func(*Config)) *service {
	t.Helper()
	s := startService(t, newMemEngine(t), configure...)
	t.Cleanup(s.server.Close)
	return s
}

// startService is newService of an engine, to be closed by its caller.
func startService(t *testing.T, e *memEngine, configure ...func(*Config)) *service {
	t.Helper()
	key := GenerateKey()
	hash, err := HashKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Engine: e, RootKey: hash}
	for _, f := range configure {
		f(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &service{t: t, server: s, engine: c.Engine, key: key, check: true}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request. Headers are "Name: value"; a value "-" takes one away
// that is set otherwise.
func (s *service) do(method, path, body string, headers ...string) answer {
	s.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, in)
	r.Header.Set("Authorization", "Bearer "+s.key)
	if body != "" {
		r.Header.Set("Content-Type", mediaJSON)
	}
	for _, h := range headers {
		name, v, _ := strings.Cut(h, ": ")
		if r.Header.Del(name); v != "-" {
			r.Header.Add(name, v)
		}
	}
	return s.send(r)
}

func (s *service) send(r *http.Request) answer {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, r)
	a := answer{w.Code, w.Header(), w.Body.String()}
	if s.check {
		checkAnswer(s.t, r, a)
	}
	return a
}

// want sends a request and fails the test if the status differs.
func (s *service) want(status int, method, path, body string, headers ...string) answer {
	s.t.Helper()
	a := s.do(method, path, body, headers...)
	if a.status != status {
		s.t.Fatalf("%s %s %.200s: status %d, want %d: %s", method, path, body, a.status, status, a.body)
	}
	return a
}

// problemBody is what tests look at in a problem.
type problemBody struct {
	Type, Title, Code, Detail string
	Status                    int
	RequestID                 string `json:"request_id"`
	Indexes                   []string
	Errors                    []problemFault
}

type problemFault struct {
	Pointer, Parameter, Code, Detail string
	Column, Position                 int
}

func (a answer) problem(t *testing.T) problemBody {
	t.Helper()
	var p problemBody
	if err := json.Unmarshal([]byte(a.body), &p, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("the body is no problem: %v: %q", err, a.body)
	}
	return p
}

// into decodes a JSON answer.
func (a answer) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), v, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("%v: %q", err, a.body)
	}
}
