package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// lockedBuffer is a log that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// running is a service that listens.
type running struct {
	*service
	addr string
	pool *x509.CertPool
	stop context.CancelFunc
	done chan error // what Serve returned
}

// serve starts a service over TLS on a free port.
func serve(t *testing.T, configure ...func(*Config)) *running {
	t.Helper()
	dir := t.TempDir()
	certs, err := LocalCertificates(dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{pool: caOf(t, dir), done: make(chan error, 1)}
	r.service = newService(t, append(configure, func(c *Config) { c.TLS = certs.Config() })...)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.addr = ln.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- r.server.Serve(ctx, ln) }()
	t.Cleanup(cancel)
	return r
}

// client returns a client that trusts the service.
func (r *running) client(change func(*tls.Config)) *http.Client {
	c := &tls.Config{RootCAs: r.pool}
	if change != nil {
		change(c)
	}
	tr := &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: true}
	r.t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func (r *running) request(method, path, body string) *http.Request {
	req, err := http.NewRequest(method, "https://"+r.addr+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	if body != "" {
		req.Header.Set("Content-Type", mediaJSON)
	}
	return req
}

// dial opens a TLS connection for HTTP/1.1.
func (r *running) dial() net.Conn {
	c, err := tls.Dial("tcp", r.addr, &tls.Config{RootCAs: r.pool, ServerName: "127.0.0.1"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

func (r *running) wait() error {
	r.t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(20 * time.Second):
		r.t.Fatal("Serve did not return")
		return nil
	}
}

func TestServeOverTLS(t *testing.T) {
	r := serve(t)
	for _, proto := range []string{"HTTP/2.0", "HTTP/1.1"} {
		c := r.client(nil)
		if proto == "HTTP/1.1" {
			c.Transport.(*http.Transport).ForceAttemptHTTP2 = false
		}
		res, err := c.Do(r.request("POST", "/v1/search", `{"q":"a"}`))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 200 || res.Proto != proto || res.TLS.Version != tls.VersionTLS13 {
			t.Errorf("%d over %s, TLS %x", res.StatusCode, res.Proto, res.TLS.Version)
		}
	}
	for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11, tls.VersionTLS12} {
		_, err := r.client(func(c *tls.Config) { c.MinVersion, c.MaxVersion = version, version }).Get("https://" + r.addr + "/healthz")
		if err == nil || !strings.Contains(err.Error(), "protocol version") {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
	res, err := http.Get("http://" + r.addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != 400 {
		t.Errorf("plain HTTP: %d, want 400", res.StatusCode)
	}
	r.stop()
	if err := r.wait(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", r.addr); err == nil {
		t.Error("the port is still open")
	}
}

func TestServePlain(t *testing.T) {
	s := newService(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.server.Serve(ctx, ln) }()
	res, err := http.Get("http://" + ln.Addr().String() + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != 200 {
		t.Errorf("status %d", res.StatusCode)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestServeReportsAFailedListener(t *testing.T) {
	s := newService(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := s.server.Serve(context.Background(), ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestStopWaitsForRequests(t *testing.T) {
	r := serve(t)
	inside, finish := make(chan bool), make(chan bool)
	r.engine.(*memEngine).before = blockOnce("Apply", inside, finish)
	status := make(chan int, 1)
	go func() {
		res, err := r.client(nil).Do(r.request("POST", "/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`))
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		res.Body.Close()
		status <- res.StatusCode
	}()
	<-inside
	r.stop()
	select {
	case err := <-r.done:
		t.Fatalf("Serve returned with a request under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(finish)
	if got := <-status; got != 201 {
		t.Errorf("the request under way: %d", got)
	}
	if err := r.wait(); err != nil {
		t.Error(err)
	}
	r.want(200, "GET", "/v1/record/a", "")
}

func TestStopDoesNotWaitForEver(t *testing.T) {
	r := serve(t, func(c *Config) { c.Limits.StopTimeout = 50 * time.Millisecond })
	inside := make(chan bool)
	r.engine.(*memEngine).before = func(ctx context.Context, method string) error {
		if method != "Search" {
			return nil
		}
		close(inside)
		<-ctx.Done() // until the connections are closed
		return ctx.Err()
	}
	failed := make(chan error, 1)
	go func() {
		res, err := r.client(nil).Do(r.request("POST", "/v1/search", `{}`))
		if err == nil && res.StatusCode != 503 {
			err = fmt.Errorf("status %d", res.StatusCode)
		} else {
			err = nil
		}
		failed <- err
	}()
	<-inside
	r.stop()
	if err := r.wait(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

func TestConnectionsAreCapped(t *testing.T) {
	const most = 4
	r := serve(t, func(c *Config) { c.Limits.Connections = most })
	request := func(c net.Conn) (int, error) {
		fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return 0, err
		}
		io.Copy(io.Discard, res.Body)
		return res.StatusCode, nil
	}
	// Connections that have done their work make room for others.
	for i := range 3 * most {
		c := r.dial()
		c.SetDeadline(time.Now().Add(10 * time.Second))
		if status, err := request(c); status != 200 {
			t.Fatalf("connection %d: %d, %v", i, status, err)
		}
	}
}

func TestBodiesInFlightAreBounded(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.InFlightBytes = 1000 })
	inside, finish := make(chan bool), make(chan bool)
	s.engine.(*memEngine).before = blockOnce("Apply", inside, finish)
	body := func(n int) string {
		return `{"index":"shop","records":[{"t":"` + strings.Repeat("x", n) + `"}]}`
	}
	done := make(chan answer)
	go func() { done <- s.do("POST", "/v1/batch", body(700)) }()
	<-inside
	a := s.want(503, "POST", "/v1/batch", body(300))
	if a.problem(t).Code != codeOverloaded || a.header.Get("Retry-After") == "" {
		t.Errorf("%v: %s", a.header, a.body)
	}
	s.want(201, "POST", "/v1/batch", body(30))
	close(finish)
	if a := <-done; a.status != 201 {
		t.Errorf("the first: %d", a.status)
	}
	s.want(201, "POST", "/v1/batch", body(800))
	if used := s.server.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are still counted", used)
	}
}

func TestErrorsOfTheEngine(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{fmt.Errorf("segment 3: norms: %w", engine.ErrCorrupt), 500, codeCorruption},
		{fmt.Errorf("commit: %w", engine.ErrStorageFull), 507, codeStorageFull},
		{engine.ErrClosed, 503, codeShuttingDown},
		{context.DeadlineExceeded, 503, codeOverloaded},
		{errors.New("read segment 3: input/output error"), 500, codeInternal},
	} {
		s := newService(t)
		s.engine.(*memEngine).before = func(context.Context, string) error { return c.err }
		for _, r := range [][3]string{{"POST", "/v1/batch", someRecords}, {"POST", "/v1/search", "{}"}, {"PUT", "/v1/record/a?index=shop", "{}"}} {
			code := c.code
			if r[1] == "/v1/search" && code == codeStorageFull {
				continue // a search does not write
			}
			if r[1] == "/v1/search" && code == codeOverloaded {
				code = codeSearchTimeout
			}
			a := s.want(c.status, r[0], r[1], r[2])
			if p := a.problem(t); p.Code != code || strings.Contains(a.body, "segment 3") {
				t.Errorf("%v: %s: %s", c.err, r[1], a.body)
			}
			if (c.status == 503 || c.status == 507) != (a.header.Get("Retry-After") != "") {
				t.Errorf("%v: Retry-After %q", c.err, a.header.Get("Retry-After"))
			}
		}
	}
}

func TestSearchHasATimeout(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.SearchTimeout = 10 * time.Millisecond })
	s.engine.(*memEngine).before = func(ctx context.Context, _ string) error {
		<-ctx.Done()
		return ctx.Err()
	}
	if p := s.want(503, "POST", "/v1/search", "{}").problem(t); p.Code != codeSearchTimeout {
		t.Errorf("%+v", p)
	}
}

// A write that the client does not wait for is carried out all the same.
func TestWritesOutliveTheirClients(t *testing.T) {
	s := newService(t)
	s.check = false
	ctx, cancel := context.WithCancel(context.Background())
	s.engine.(*memEngine).before = func(applied context.Context, _ string) error {
		cancel()
		return applied.Err()
	}
	r := httptest.NewRequest("POST", "/v1/batch", strings.NewReader(someRecords)).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+s.key)
	if a := s.send(r); a.status != 201 {
		t.Errorf("%d: %s", a.status, a.body)
	}
}

func TestExportThatFailsInTheMiddleIsBrokenOff(t *testing.T) {
	r := serve(t)
	r.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"t":"`+strings.Repeat("x", 100<<10)+`"},{"t":"y"},{"t":"z"}]}`)
	r.engine.(*memEngine).before = failAfter("Records", 2, engine.ErrCorrupt)
	res, err := r.client(nil).Do(r.request("GET", "/v1/records?index=shop", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("a whole answer of %d bytes", len(got))
	}
}

func TestPrivacy(t *testing.T) {
	const canary, client = "c4n4ry9f27b1d6e8", "127.7.7.7"
	var log lockedBuffer
	r := serve(t, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
	})
	e := r.engine.(*memEngine)
	c := r.client(nil)
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(client)}}
	c.Transport.(*http.Transport).DialContext = from.DialContext
	send := func(method, path, body string, headers ...string) int {
		req := r.request(method, path, body)
		for _, h := range headers {
			name, v, _ := strings.Cut(h, ": ")
			req.Header.Set(name, v)
		}
		res, err := c.Do(req)
		if err != nil {
			return 0
		}
		defer res.Body.Close()
		io.Copy(io.Discard, res.Body)
		return res.StatusCode
	}
	q := `{"q":"` + canary + `","filter":"` + canary + ` = 1","sort":"` + canary + `"}`
	everywhere := func() {
		for _, path := range []string{"/v1/search", "/v1/" + canary, "/v1/search?q=" + canary, "/v1/batch?index=" + canary} {
			for _, m := range []string{"POST", "GET", canary} {
				send(m, path, q, "X-Forwarded-For: "+client, "Idempotency-Key: "+canary)
			}
		}
		send("POST", "/v1/search", `{"`+canary+`":1}`)
		send("POST", "/v1/search", `{"q":"`+canary)
		send("POST", "/v1/search", q, "Authorization: Bearer "+canary)
		send("POST", "/v1/batch", `{"index":"shop","records":[{"id":"`+canary+`"}]}`)
		send("PUT", "/v1/record/"+canary+"?index=shop", `{"`+canary+`":1}`)
		send("GET", "/v1/records?index=shop", "")
	}
	everywhere()
	for _, err := range []error{fmt.Errorf("%s: %w", canary, engine.ErrCorrupt), fmt.Errorf("%s: %w", canary, context.DeadlineExceeded), errors.New(canary)} {
		e.before = func(context.Context, string) error { return err }
		everywhere()
	}
	e.before = func(context.Context, string) error { panic(canary) }
	if status := send("POST", "/v1/search", q); status != 500 {
		t.Errorf("a panic: status %d", status)
	}
	everywhere()
	e.before = nil

	// What net/http has to say about connections names their addresses.
	dial := func(send string) {
		conn, err := from.Dial("tcp", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, send)
		conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		io.Copy(io.Discard, conn)
	}
	dial("GET /" + canary + " HTTP/1.1\r\nHost: x\r\n\r\n")
	dial("\x16\x03\x01\x00\x05nonsense")
	r.stop()
	if err := r.wait(); err != nil {
		t.Fatal(err)
	}
	text := log.String()
	for _, secret := range []string{canary, strings.ToUpper(canary), client, "127.0.0.1", r.addr, r.key} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("the log has %q: …%.200s", secret, text[max(0, at-100):])
		}
	}
	for _, event := range []string{"code=corruption", "code=internal", "msg=panic", "request_id=req_", `route="POST /v1/search"`, `event="tls handshake"`} {
		if !strings.Contains(text, event) {
			t.Errorf("the log lacks %s", event)
		}
	}
	for name, v := range e.dump(t) {
		if strings.HasPrefix(name, "row ") && strings.Contains(name, canary) || strings.Contains(v, client) {
			t.Errorf("%s = %q", name, v)
		}
	}
}

func TestLogIsQuietAboutClients(t *testing.T) {
	var log lockedBuffer
	s := withRecords(t)
	s.server.log = slog.New(slog.NewTextHandler(&log, nil))
	s.want(200, "POST", "/v1/search", `{"q":"red"}`)
	s.want(404, "GET", "/v1/nothing", "")
	s.want(400, "POST", "/v1/search", "{")
	s.want(401, "GET", "/v1/indexes", "", "Authorization: -")
	if got := log.String(); got != "" {
		t.Errorf("logged: %s", got)
	}
}

// What net/http cannot read as a request, or answers by itself, never gets as far
// as a problem: there is no place in an http.Server to say how it is answered. The
// description says so.
func TestRequestThatIsNone(t *testing.T) {
	r := serve(t)
	description := document()["info"].(object)["description"].(string)
	const plain = "text/plain; charset=utf-8"
	for _, c := range []struct {
		request string
		status  int
		media   string
	}{
		{"GET\r\n\r\n", 400, plain},
		{"GET /v1/record/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, plain},
		{"GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, plain},
		{"GET /healthz HTTP/1.1\r\n\r\n", 400, plain},
		{"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, plain},
		{"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, plain},
		{"POST /v1/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, plain},
		{"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n", 417, ""},
		{"GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n", 505, plain},
	} {
		conn := r.dial()
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, c.request)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%.40q: %v", c.request, err)
			continue
		}
		if res.StatusCode != c.status || res.Header.Get("Content-Type") != c.media || !res.Close || res.Header.Get("Request-Id") != "" {
			t.Errorf("%.40q: %d %v", c.request, res.StatusCode, res.Header)
		}
		if text := strconv.Itoa(c.status); !strings.Contains(description, text) {
			t.Errorf("the description does not tell of %s: %s", text, description)
		}
	}
	// HTTP in the clear.
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 400 || res.ProtoMinor != 0 {
		t.Errorf("without TLS: %v, %v", res, err)
	}
}

func TestNewNeedsAnEngine(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("New without an engine")
	}
	s := newService(t, func(c *Config) { c.RootKey = KeyHash{} })
	s.want(401, "GET", "/v1/indexes", "")
	broken := newMemEngine(t)
	broken.before = failAfter("PutRows", 0, engine.ErrStorageFull)
	if _, err := New(Config{Engine: broken}); !errors.Is(err, engine.ErrStorageFull) {
		t.Errorf("got %v", err)
	}
	broken.before = failAfter("PutRows", 0, engine.ErrReadOnly)
	if _, err := New(Config{Engine: broken}); err != nil {
		t.Errorf("read-only: %v", err)
	}
}

// TestRefusedBodiesGetTheirAnswer: a client that sends all of a large body before
// it reads is told what was wrong, wherever that was found.
func TestRefusedBodiesGetTheirAnswer(t *testing.T) {
	r := serve(t)
	large := strings.Repeat(" ", 20<<20)
	chunked := "Transfer-Encoding: chunked"
	for _, c := range []struct {
		path, key, media, framing string
		status                    int
	}{
		{"/v1/batch", "nobody's", mediaJSON, "", 401},
		{"/v1/search", r.key, mediaJSON, "", 413},
		{"/v1/search", r.key, mediaJSON, chunked, 413},
		{"/v1/batch", r.key, "text/html", "", 415},
		{"/v1/nothing", r.key, mediaJSON, "", 404},
		{"/v1/batch?index=a", r.key, mediaNDJSON, "", 413}, // one long line
		{"/v1/batch?index=A", r.key, mediaNDJSON, chunked, 422},
	} {
		conn := r.dial()
		framing, body := fmt.Sprintf("Content-Length: %d", len(large)), large
		if c.framing != "" {
			framing, body = c.framing, fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(large), large)
		}
		_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\n%s\r\n\r\n%s", c.path, c.key, c.media, framing, body)
		if err != nil {
			t.Errorf("%+v: %v", c.path, err)
			continue
		}
		a, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || a.StatusCode != c.status {
			t.Errorf("%s with %s: %v, %v", c.path, c.media, a, err)
		}
	}
}
