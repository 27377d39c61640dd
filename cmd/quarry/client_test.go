package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// fake is a client of a handler.
func fake(h http.HandlerFunc) *client {
	return &client{base: "http://localhost", key: "k", http: &http.Client{Transport: handlerTransport{h}}}
}

func problem(w http.ResponseWriter, status int, rest string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"status":%d,"code":"some_code","detail":"some detail"%s}`, status, rest)
}

func TestAPIErrors(t *testing.T) {
	for _, tc := range []struct {
		status     int
		rest, want string
	}{
		{404, ``, "some detail"},
		{401, ``, "the server does not accept the API key; give it with --key or in QUARRY_API_KEY"},
		{403, ``, "the API key may not do this: some detail"},
		{500, `,"request_id":"req_1"`, "some detail: req_1"},
		{503, `,"request_id":"req_1"`, "some detail"},
		{422, `,"errors":[{"pointer":"/filter","detail":"expected a value","column":9},{"parameter":"limit","detail":"too large"}]`, "/filter: expected a value (column 9); limit: too large"},
	} {
		c := fake(func(w http.ResponseWriter, _ *http.Request) { problem(w, tc.status, tc.rest) })
		_, err := c.call(t.Context(), "GET", "/v1/indexes", "", nil, nil)
		if err == nil || err.Error() != tc.want || !isStatus(err, tc.status) {
			t.Errorf("status %d: error %v, want %q", tc.status, err, tc.want)
		}
	}
	c := fake(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502); fmt.Fprint(w, "<html>") })
	if _, err := c.call(t.Context(), "GET", "/v1/indexes", "", nil, nil); err == nil || err.Error() != "http://localhost answers 502 Bad Gateway: is this a Quarry server?" {
		t.Errorf("another server: %v", err)
	}
}

func TestPostTriesAgain(t *testing.T) {
	var asked int
	var keys []string
	i := importer{index: "x", c: fake(func(w http.ResponseWriter, r *http.Request) {
		asked++
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if asked == 1 {
			w.Header().Set("Retry-After", "0")
			problem(w, 503, "")
			return
		}
		w.WriteHeader(201)
		io.WriteString(w, `{"version":7}`)
	})}
	b := &batch{body: []byte("{}\n"), lines: []int{1}, anonymous: true, end: 1}
	if version, err := i.post(t.Context(), b, "run"); err != nil || version != 7 || asked != 2 || keys[0] != "run-1" || keys[1] != "run-1" {
		t.Errorf("asked %d times with the keys %q, error %v", asked, keys, err)
	}
}

// A batch that the server is at work on, for an import that was killed, is
// asked for until it is stored.
func TestPostWaitsForTheSameBatch(t *testing.T) {
	asked := 0
	i := importer{index: "x", c: fake(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked < 3 {
			problem(w, 409, `,"code":"`+codeUnderWay+`"`)
			return
		}
		w.WriteHeader(201)
		io.WriteString(w, `{"version":7}`)
	})}
	if version, err := i.post(t.Context(), &batch{lines: []int{1}, anonymous: true}, "run"); err != nil || version != 7 || asked != 3 {
		t.Errorf("asked %d times, error %v", asked, err)
	}
}

func TestPostStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	i := importer{index: "x", c: fake(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		problem(w, 429, "")
		cancel()
	})}
	begin := time.Now()
	if _, err := i.post(ctx, &batch{lines: []int{1}}, "run"); !errors.Is(err, context.Canceled) || time.Since(begin) > time.Minute {
		t.Errorf("error %v", err)
	}
}

func TestPlace(t *testing.T) {
	b := &batch{body: []byte("{}\n"), lines: []int{10, 12}}
	for _, tc := range []struct{ rest, want string }{
		{`,"errors":[{"position":1,"pointer":"/n","detail":"line 2: is a string"}]`, "f:12: /n: is a string"},
		{`,"errors":[{"position":0,"pointer":"","detail":"line 1: malformed"}]`, "f:10: malformed"},
		{`,"errors":[{"position":7,"detail":"out of reach"}]`, "f: lines 10 to 12: out of reach"},
		{``, "f: lines 10 to 12: some detail"},
	} {
		i := importer{name: "f", index: "x", c: fake(func(w http.ResponseWriter, _ *http.Request) { problem(w, 422, tc.rest) })}
		_, err := i.post(t.Context(), b, "run")
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v, want %q", tc.rest, err, tc.want)
		}
		var at *source.LineError
		if errors.As(err, &at) != (tc.rest != "" && tc.want[1] == ':' && tc.want[2] != ' ') {
			t.Errorf("%s: error of type %T", tc.rest, err)
		}
	}
}
