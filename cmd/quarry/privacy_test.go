package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/quarry-search/quarry/storage"
)

// TestPrivacy: what people search for, and from where, is in no file, log,
// figure, profile or row of usage of a server, whatever they send and however it
// ends.
func TestPrivacy(t *testing.T) {
	p := newPrivacyLab(t)
	p.fill()
	for _, from := range []string{"127.7.7.7", "127.9.9.9"} {
		for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
			p.askEverywhere(from, protocol)
		}
		p.breakRules(from)
	}
	p.collect()
	p.stop()

	needles := p.needles()
	for name, data := range p.seen {
		for what, needle := range needles {
			if at := found(data, needle); at != "" {
				t.Errorf("%s holds %s: …%s", name, what, at)
			}
		}
	}
	// The search itself works: what was stored is found, in files and rows.
	for what, part := range map[string]string{"store": p.stored, "standard error": "msg=ready", "metrics": `route="POST /v1/search"`, "usage": `"searches":`, "webhooks": "batch.applied"} {
		if !slices.ContainsFunc(p.names(), func(name string) bool {
			return strings.HasPrefix(name, what) && found(p.seen[name], []byte(part)) != ""
		}) {
			t.Errorf("%q is not found in %s, where it must be", part, what)
		}
	}
	if len(p.seen) < 25 {
		t.Errorf("only %d places were searched: %q", len(p.seen), p.names())
	}
}

// privacyLab is a server in a process of its own, and all that it leaves.
type privacyLab struct {
	t       *testing.T
	server  *process
	canary  string            // what is searched for
	stored  string            // a word of a record
	hooked  *lockedBuffer     // what webhooks have brought, headers included
	arrived chan struct{}     // closed when the first of them has come
	seen    map[string][]byte // by a name for people
	answers map[string]int    // by status
}

func newPrivacyLab(t *testing.T) *privacyLab {
	t.Helper()
	t.Chdir(t.TempDir())
	temporary, err := filepath.Abs("tmp")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	p := &privacyLab{t: t, canary: randomHex(24), stored: randomHex(24), seen: map[string][]byte{}, answers: map[string]int{}, hooked: &lockedBuffer{}, arrived: make(chan struct{})}
	p.server = spawn(t, []string{"TMPDIR=" + temporary}, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--debug", "--webhook-allow", "127.0.0.1")
	p.seen["standard output"] = []byte(p.server.ready)
	return p
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// client sends from an address.
func (p *privacyLab) client(from, protocol string) *http.Client {
	c := trusting(p.t, p.server.value("ca"))
	tr := c.Transport.(*http.Transport)
	tr.DisableKeepAlives = false
	tr.ForceAttemptHTTP2 = protocol == "HTTP/2.0"
	tr.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext
	p.t.Cleanup(tr.CloseIdleConnections)
	return c
}

// send sends a request and drops the answer, which may quote it.
func (p *privacyLab) send(c *http.Client, method, path, body string, headers ...string) int {
	p.t.Helper()
	req, err := http.NewRequest(method, p.server.url()+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.server.key)
	if body != "" {
		req.Header.Set("Content-Type", mediaJSON)
	}
	for _, h := range headers {
		name, v, _ := strings.Cut(h, ": ")
		req.Header.Set(name, v)
	}
	res, err := c.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	p.answers[method+" "+strings.SplitN(path, "?", 2)[0]] = res.StatusCode
	return res.StatusCode
}

// fill stores a record that is found, for searches to work on.
func (p *privacyLab) fill() {
	c := p.client("127.0.0.1", "HTTP/1.1")
	var first sync.Once
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Write(p.hooked)
		first.Do(func() { close(p.arrived) })
	}))
	p.t.Cleanup(receiver.Close)
	if status := p.send(c, "POST", "/v1/webhooks", `{"url":"`+receiver.URL+`/","events":["*"]}`); status != 201 {
		p.t.Fatalf("webhook: %d", status)
	}
	var records []string
	for i := range 200 {
		records = append(records, fmt.Sprintf(`{"id":"r%d","title":"a word and %s","price":%d,"brand":"b%d"}`, i, p.stored, i, i%7))
	}
	if status := p.send(c, "POST", "/v1/batch", `{"index":"shop","records":[`+strings.Join(records, ",")+`]}`); status != 201 {
		p.t.Fatalf("batch: %d", status)
	}
}

// askEverywhere puts the canary wherever a query may stand, and into other
// places where clients put them by mistake.
func (p *privacyLab) askEverywhere(from, protocol string) {
	c := p.client(from, protocol)
	forwarded := "X-Forwarded-For: " + from
	q := p.canary
	for _, q := range []string{q, strings.ToUpper(q), q + "ing", "red " + q, `\"` + q + ` shoes\"`, base64.StdEncoding.EncodeToString([]byte(q)), url.QueryEscape(q + " é"), "title:" + q} {
		for _, body := range []string{
			`{"q":"%s"}`,
			`{"q":"a %s","index":"shop","explain":true,"highlight":true,"facets":["brand"],"limit":3}`,
			`{"q":"%s","prefix":"all","match":"any","syntax":"query","limit":1}`,
			`{"filter":"title = '%s'"}`,
			`{"q":"a","filter":"brand != '%s'","sort":["price:asc"],"limit":5}`,
			`{"q":"%s","intent":"on","typo":"auto","timeout_ms":1}`,
			`{"q":"%s","ranking":"bm25"}`,
			`{"q":"a","index":"%s"}`,
			`{"q":"a","sort":"%s"}`,
			`{"q":"a","fields":["%s^2"],"return":["%s"],"facets":["%s"]}`,
			`{"%s":1}`,
			`{"q":"%s"`,
			`{"q":"%s","q":"%s"}`,
			`"%s"`,
		} {
			p.send(c, "POST", "/v1/search", strings.ReplaceAll(body, "%s", q), forwarded)
		}
		p.send(c, "POST", "/v1/multi-search", `{"searches":[{"q":"`+q+`"},{"q":"`+q+`","limt":1}]}`)
		p.send(c, "POST", "/v1/suggest", `{"q":"`+q+`"}`)
		p.send(c, "POST", "/v1/graphql", `{"query":"query($q: String){ search(q: $q) { total hits { id } } }","variables":{"q":"`+q+`"}}`)
		p.send(c, "POST", "/v1/graphql", `{"query":"{ search(q: \"x `+strings.Trim(q, `\"`)+`\") { total nothing } }"}`)
		p.send(c, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"delete_where","filter":"title = '`+q+`'"}]}`)
		p.send(c, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"delete_where","filter":"brand = '`+q+`' AND"}]}`)
	}
	for _, path := range []string{"/v1/search?q=" + q, "/v1/" + q, "/" + q, "/v1/indexes/" + q, "/v1/record/" + q, "/v1/record/r1?index=" + q, "/v1/records?index=shop&filter=" + q, "/v1/batch/" + q, "/v1/indexes?cursor=" + q, "/v1/usage?from=" + q, "/v1/usage?group=" + q} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "BREW"} {
			p.send(c, method, path, "", forwarded, "Forwarded: for="+from, "X-Real-IP: "+from)
		}
	}
	for _, header := range []string{"Authorization: Bearer " + q, "User-Agent: " + q, "Referer: https://shop.example/?q=" + q, "Cookie: q=" + q, "Accept: text/" + q, "Content-Type: text/" + q, "Content-Encoding: " + q, "Idempotency-Key: " + q, "Prefer: " + q, "Traceparent: " + q} {
		p.send(c, "POST", "/v1/search", `{"q":"`+q+`"}`, header)
		p.send(c, "POST", "/v1/batch", `{"index":"shop","operations":[]}`, header)
	}
	for route, status := range p.answers {
		if status >= 500 {
			p.t.Errorf("%s: %d", route, status)
		}
	}
	if got := p.send(c, "POST", "/v1/search", `{"q":"`+q+`"}`); got != 200 {
		p.t.Fatalf("search: %d\n%s", got, p.server.log.String())
	}
}

// breakRules sends what net/http complains of, with the address of the client.
func (p *privacyLab) breakRules(from string) {
	addr := strings.TrimPrefix(p.server.url(), "https://")
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	hold := func(conn net.Conn, text string) {
		defer conn.Close()
		io.WriteString(conn, text)
		conn.(interface{ CloseWrite() error }).CloseWrite()
		conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		io.Copy(io.Discard, conn)
	}
	for _, text := range []string{"GET /" + p.canary + " HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x00\x05" + p.canary, p.canary} {
		conn, err := d.Dial("tcp", addr)
		if err != nil {
			p.t.Fatal(err)
		}
		hold(conn, text+strings.Repeat("x", 10))
	}
	trust := trusting(p.t, p.server.value("ca")).Transport.(*http.Transport).TLSClientConfig
	for _, text := range []string{
		p.canary + "\r\n\r\n",
		"GET /v1/search?q=" + p.canary + "%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: " + p.canary + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n" + p.canary + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat(p.canary, 1000) + "\r\n\r\n",
		"POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + p.server.key + "\r\nContent-Length: 100\r\nConnection: close\r\n\r\n" + `{"q":"` + p.canary,
	} {
		conn, err := tls.DialWithDialer(d, "tcp", addr, trust)
		if err != nil {
			p.t.Fatal(err)
		}
		if strings.HasPrefix(text, "POST /v1/search HTTP/1.1\r\nHost: x\r\nAuth") {
			io.WriteString(conn, text) // and gone before the body ends
			conn.Close()
			continue
		}
		hold(conn, text)
	}
}

// collect keeps what the server tells of itself, profiles during searches among
// it.
func (p *privacyLab) collect() {
	c := p.client("127.7.7.7", "HTTP/2.0")
	ctx, cancel := context.WithCancel(p.t.Context())
	var busy sync.WaitGroup
	defer busy.Wait()
	defer cancel()
	searching := p.client("127.9.9.9", "HTTP/2.0")
	busy.Go(func() {
		for ctx.Err() == nil {
			p.send(searching, "POST", "/v1/search", `{"q":"`+p.canary+` word"}`)
		}
	})
	keep := func(name, base, path string) {
		req, err := http.NewRequest("GET", base+path, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+p.server.key)
		res, err := c.Do(req)
		if err != nil {
			p.t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 {
			p.t.Errorf("%s: %d %.200s (error %v)", path, res.StatusCode, body, err)
		}
		p.seen[name] = body
	}
	admin := p.server.value("admin")
	keep("metrics", admin, "/metrics")
	keep("usage", p.server.url(), "/v1/usage")
	for _, name := range []string{"heap", "allocs", "goroutine", "block", "mutex", "threadcreate"} {
		for _, debug := range []string{"0", "1", "2"} {
			keep("profile "+name+" "+debug, admin, "/debug/pprof/"+name+"?debug="+debug)
		}
	}
	<-p.arrived
	keep("profile cpu", admin, "/debug/pprof/profile?seconds=1")
	keep("profile trace", admin, "/debug/pprof/trace?seconds=0.2")
	keep("profile cmdline", admin, "/debug/pprof/cmdline")
}

// stop ends the server as an operator does, and keeps all that it leaves: its
// files, byte by byte, and the pairs of its store, as they were before the
// store compressed them.
func (p *privacyLab) stop() {
	if err := p.server.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	if err := p.server.Wait(); err != nil {
		p.t.Fatalf("end: %v\n%s", err, p.server.log.String())
	}
	p.seen["standard error"] = []byte(p.server.log.String())
	p.seen["webhooks"] = []byte(p.hooked.String())
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		p.seen["file "+name] = append([]byte(name+"\n"), data...)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	s, err := storage.Open("quarry-data", &storage.Options{ReadOnly: true})
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	it, err := s.Iter(nil, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer it.Close()
	var all []byte
	for ok := it.First(); ok; ok = it.Next() {
		all = append(append(append(all, it.Key()...), '\n'), it.Value()...)
		all = append(all, '\n')
	}
	if err := it.Err(); err != nil {
		p.t.Fatal(err)
	}
	p.seen["store"] = all
}

func (p *privacyLab) names() []string {
	var names []string
	for name := range p.seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// needles are what must not be found: the canary as it was sent and as programs
// may have kept it, and the addresses.
func (p *privacyLab) needles() map[string][]byte {
	n := map[string][]byte{
		"the query":                []byte(p.canary),
		"the middle of the query":  []byte(p.canary[12:36]),
		"the query in capitals":    []byte(strings.ToUpper(p.canary)),
		"the query in hexadecimal": []byte(hex.EncodeToString([]byte(p.canary))),
		"the query as bytes":       p.bytes(),
		"a query in UTF-16":        []byte(strings.Join(strings.Split(p.canary[:16], ""), "\x00")),
	}
	for shift := range 3 { // base64 has three forms, by what stands before
		text := base64.StdEncoding.EncodeToString([]byte("xxx"[:shift] + p.canary))
		n[fmt.Sprintf("the query in base64, shifted by %d", shift)] = []byte(text[4 : len(text)-4])
	}
	for _, ip := range []string{"127.7.7.7", "127.9.9.9"} {
		n["the address "+ip] = []byte(ip)
		n["the address "+ip+" in hexadecimal"] = []byte(hex.EncodeToString(net.ParseIP(ip).To4()))
		n["the address "+ip+" as bytes"] = net.ParseIP(ip)
	}
	return n
}

func (p *privacyLab) bytes() []byte {
	b, err := hex.DecodeString(p.canary)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// found returns the surroundings of a needle, "" if it is not there. It looks
// into what is compressed, too.
func found(data, needle []byte) string {
	if at := bytes.Index(data, needle); at >= 0 {
		return fmt.Sprintf("%q", data[max(0, at-60):min(len(data), at+len(needle)+60)])
	}
	for _, packed := range []struct {
		magic string
		open  func(io.Reader) (io.Reader, error)
	}{
		{"\x1f\x8b\x08", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, error) {
			return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		}},
	} {
		for rest := data; ; {
			at := bytes.Index(rest, []byte(packed.magic))
			if at < 0 {
				break
			}
			r, err := packed.open(bytes.NewReader(rest[at:]))
			if err == nil {
				plain, _ := io.ReadAll(io.LimitReader(r, 64<<20)) // until something else follows
				if where := bytes.Index(plain, needle); where >= 0 {
					return fmt.Sprintf("%q", plain[max(0, where-60):min(len(plain), where+len(needle)+60)])
				}
				if d, ok := r.(*zstd.Decoder); ok {
					d.Close()
				}
			}
			rest = rest[at+1:]
		}
	}
	return ""
}
