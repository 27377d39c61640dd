package httpapi

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quarry-search/quarry/engine"
)

const gzipped = "Content-Encoding: gzip"

// pack returns each text as a member of a gzip stream.
func pack(texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
	}
	return b.String()
}

// TestPackedBodies: whatever takes a body takes it packed, and does the same.
func TestPackedBodies(t *testing.T) {
	ndjson, csv := "Content-Type: application/x-ndjson", "Content-Type: text/csv"
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/keys", `{"name":"k","scopes":["search"]}`)
	for _, c := range []struct{ method, path, body, media string }{
		{"PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"n","type":"int","filter":true}]}`, ""},
		{"PATCH", "/v1/indexes/k", `{"stop_words":["the"]}`, ""},
		{"POST", "/v1/batch", `{"index":"k","records":[{"id":"1","t":"red shoes"}]}`, ""},
		{"POST", "/v1/batch?index=k", "{\"id\":\"2\"}\n{\"id\":\"3\"}\n", ndjson},
		{"POST", "/v1/batch?index=k&atomic=false", "\ufeff{\"id\":\"4\"}\n\n{\"id\":\"5\"}", ndjson},
		{"POST", "/v1/batch?index=k", "id,t\n6,hat\n", csv},
		{"POST", "/v1/batch?index=k&atomic=false", "id;t\n7;hat\n", csv},
		{"PUT", "/v1/record/1?index=k", `{"t":"blue shoes"}`, ""},
		{"PATCH", "/v1/record/1?index=k", `{"n":1}`, ""},
		{"POST", "/v1/search", `{"q":"shoes"}`, ""},
		{"POST", "/v1/multi-search", `{"searches":[{"q":"shoes"}]}`, ""},
		{"POST", "/v1/suggest", `{"q":"sho"}`, ""},
		{"POST", "/v1/graphql", `{"query":"{ search(q: \"shoes\") { total } }"}`, ""},
		{"POST", "/v1/keys", `{"name":"x","scopes":["search"]}`, ""},
		{"POST", "/v1/webhooks", `{"url":"https://example.com/","events":["*"]}`, ""},
		{"POST", "/v1/search", `{"q":"shoes","limt":1}`, ""},
		{"POST", "/v1/search", `{"q"`, ""},
		{"POST", "/v1/search", ``, ""},
		{"POST", "/v1/batch?index=k&x=1", "{}", ndjson},
	} {
		headers := []string{"Content-Type: application/json"}
		if c.media != "" {
			headers = []string{c.media}
		}
		plain := s.do(c.method, c.path, c.body, headers...)
		a := s.do(c.method, c.path, pack(c.body), append(headers, gzipped)...)
		if same := plain.status == a.status || plain.status == 201 && a.status == 200; !same { // 200: it was there
			t.Errorf("%s %s: %d when packed, %d otherwise: %s", c.method, c.path, a.status, plain.status, a.body)
		}
		if a.status == 200 && strings.HasSuffix(c.path, "search") && !strings.Contains(a.body, `"id":"1"`) {
			t.Errorf("%s: %s", c.path, a.body)
		}
	}
	for _, header := range []string{"gzip", "GZIP", "x-gzip", " gzip ", "identity, gzip", "gzip,"} {
		if a := s.want(200, "POST", "/v1/search", pack(`{"q":"shoes"}`), "Content-Encoding: "+header); !strings.Contains(a.body, `"total":1,`) {
			t.Errorf("%q: %s", header, a.body)
		}
	}
	s.want(200, "POST", "/v1/search", `{}`, "Content-Encoding: identity")
	if used := s.server.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are held after all", used)
	}
}

func TestOtherContentEncodings(t *testing.T) {
	s := newService(t)
	for _, headers := range [][]string{{"br"}, {"deflate"}, {"zstd"}, {"compress"}, {"gzip, gzip"}, {"gzip", "gzip"}, {"br, gzip"}, {"identity", "br"}, {"*"}, {"gzip;q=1"}} {
		for _, path := range []string{"/v1/search", "/v1/batch", "/v1/batch?index=k&atomic=false"} {
			r := httptest.NewRequest("POST", path, strings.NewReader("{}"))
			r.Header["Authorization"] = []string{"Bearer " + s.key}
			r.Header["Content-Encoding"] = headers
			a := s.send(r)
			if a.status != 415 || a.header.Get("Accept-Encoding") != "gzip, identity" || !strings.Contains(a.problem(t).Detail, "gzip") {
				t.Errorf("%s %q: %d, Accept-Encoding %q: %s", path, headers, a.status, a.header.Get("Accept-Encoding"), a.body)
			}
		}
	}
	// What is wrong with the media type is another thing.
	if a := s.want(415, "POST", "/v1/search", pack("{}"), gzipped, "Content-Type: text/plain"); a.header.Get("Accept-Encoding") != "" {
		t.Errorf("%v", a.header)
	}
	s.want(200, "GET", "/v1/indexes", "", "Content-Encoding: br") // there is no body
}

func TestDamagedGzip(t *testing.T) {
	s := newService(t)
	const body = `{"index":"k","records":[{"id":"1","t":"red shoes, red hats and blue shoes"}]}`
	whole := pack(body)
	bad := map[string]string{
		"not packed":         body,
		"one byte":           "{",
		"a zip":              "PK\x03\x04" + whole,
		"a byte of checksum": whole[:len(whole)-8] + string(whole[len(whole)-8]^1) + whole[len(whole)-7:],
		"another length":     whole[:len(whole)-4] + "\xff\xff\xff\x7f",
		"another method":     whole[:2] + "\x07" + whole[3:],
		"bytes after it":     whole + "x",
		"zeros after it":     whole + strings.Repeat("\x00", 512),
		"half a member more": whole + whole[:len(whole)/2],
		"a comment for ever": "\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff" + strings.Repeat("x", 10_000),
	}
	for n := 1; n < len(whole); n++ {
		bad[fmt.Sprint("the first ", n)] = whole[:n]
	}
	for name, text := range bad {
		for _, path := range []string{"/v1/batch", "/v1/search", "/v1/batch?index=k", "/v1/batch?index=k&atomic=false"} {
			media := mediaJSON
			if strings.Contains(path, "?") {
				media = mediaNDJSON
			}
			a := s.want(400, "POST", path, text, gzipped, "Content-Type: "+media)
			if p := a.problem(t); p.Code != codeMalformedEncoding || strings.Contains(p.Detail, "shoes") {
				t.Errorf("%s: %s: %+v", name, path, p)
			}
		}
	}
	s.want(404, "GET", "/v1/indexes/k", "")
	// Nothing at all is an empty body, however it is said to be packed.
	for _, text := range []string{"", pack("")} {
		if p := s.want(400, "POST", "/v1/search", text, gzipped, "Content-Type: application/json").problem(t); p.Code != engine.CodeMalformedJSON {
			t.Errorf("%q: %+v", text, p)
		}
		s.want(201, "POST", "/v1/batch?index=k", text, gzipped, "Content-Type: application/x-ndjson")
	}
}

func TestMembersOfGzipAreOneBody(t *testing.T) {
	s := newService(t)
	lines := "Content-Type: application/x-ndjson"
	s.want(200, "POST", "/v1/search", pack("", `{"q"`, "", `:"x"}`, ""), gzipped)
	for i, query := range []string{"", "&atomic=false"} {
		var got batchBody
		s.want(201, "POST", fmt.Sprintf("/v1/batch?index=k%d%s", i, query), pack("{\"id\":\"1\"}\n{\"id", "", "\":\"2\"}", "\n{\"id\":\"3\"}\n"), gzipped, lines).into(t, &got)
		if got.Counts.Put != 3 {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

// TestPackedBodiesThatAreTooLarge: limits are those of what is unpacked, and
// what would be larger takes no memory.
func TestPackedBodiesThatAreTooLarge(t *testing.T) {
	s := newService(t, func(c *Config) {
		c.Limits = Limits{SearchBytes: 1000, BodyBytes: 2000, SchemaBytes: 3000, StreamBytes: 4000, InFlightBytes: 128 << 10, ChunkBytes: 2000}
	})
	s.server.engineMax.RecordBytes = 1000
	pad := func(n int) string { return "{" + strings.Repeat(" ", n-2) + "}" }
	empty := strings.Repeat(pack(""), 5000)
	for _, c := range []struct {
		method, path, media string
		limit               int
		code                string
	}{
		{"POST", "/v1/search", mediaJSON, 1000, codeBodyTooLarge},
		{"POST", "/v1/batch", mediaJSON, 2000, codeBodyTooLarge},
		{"POST", "/v1/batch?index=k", mediaNDJSON, 2000, codeBodyTooLarge},
		{"POST", "/v1/batch?index=k", mediaCSV, 2000, codeBodyTooLarge},
		{"PUT", "/v1/indexes/shop", mediaJSON, 3000, codeBodyTooLarge},
		{"PUT", "/v1/record/a?index=shop", mediaJSON, 1000 + 64<<10, engine.CodeRecordTooLarge},
		{"POST", "/v1/batch?index=k&atomic=false", mediaNDJSON, 4000, codeBodyTooLarge},
	} {
		for _, known := range []bool{true, false} {
			send := func(body string) answer {
				r := httptest.NewRequest(c.method, c.path, strings.NewReader(body))
				r.Header = http.Header{"Authorization": {"Bearer " + s.key}, "Content-Type": {c.media}, "Content-Encoding": {"gzip"}}
				if !known {
					r.ContentLength = -1
				}
				return s.send(r)
			}
			if a := send(pack(pad(c.limit))); strings.Contains(a.body, c.code) && c.media == mediaJSON || strings.Contains(a.body, codeBodyTooLarge) {
				t.Errorf("%s %s: too large at the limit: %s", c.method, c.path, a.body)
			}
			for name, body := range map[string]string{
				"one more": pack(pad(c.limit + 1)), "in members": pack(pad(c.limit), " "),
				"a bomb": pack(strings.Repeat(" ", 20<<20)), "empty members": strings.Repeat(empty, 1+c.limit/len(empty)),
			} {
				a := send(body)
				if p := a.problem(t); a.status != 413 || p.Code != c.code {
					t.Errorf("%s %s, %s: %d %+v", c.method, c.path, name, a.status, p)
				}
			}
		}
	}
	if used := s.server.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are held after all", used)
	}
	// What does not get smaller fits, too.
	noise := make([]byte, 700)
	for i := range noise {
		noise[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[rand.IntN(36)]
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
	fmt.Fprintf(z, `{"q":"%s"%s}`, noise, strings.Repeat(" ", 1000-700-8))
	z.Close()
	if b.Len() <= 1000 {
		t.Fatalf("%d bytes", b.Len())
	}
	s.want(200, "POST", "/v1/search", b.String(), gzipped)
}

// A request is the same one however it was packed.
func TestIdempotencyOfPackedBodies(t *testing.T) {
	s := newService(t)
	const body = `{"index":"shop","records":[{"title":"x"}]}`
	for i, prefer := range []string{"-", "respond-async"} {
		key := fmt.Sprintf("Idempotency-Key: k-%d", i)
		first := s.want(201, "POST", "/v1/batch", body, key, "Prefer: "+prefer)
		for _, text := range []string{pack(body), pack(body[:9], body[9:])} {
			if again := s.want(201, "POST", "/v1/batch", text, key, gzipped, "Prefer: "+prefer); again.body != first.body {
				t.Errorf("%s: %s, after %s", prefer, again.body, first.body)
			}
		}
		if p := s.want(422, "POST", "/v1/batch", pack(body+" "), key, gzipped, "Prefer: "+prefer).problem(t); p.Code != codeIdemReused {
			t.Errorf("%+v", p)
		}
		// Nothing of a damaged one is kept.
		if p := s.want(400, "POST", "/v1/batch", pack(body)[:30], key, gzipped).problem(t); p.Code != codeMalformedEncoding {
			t.Errorf("%+v", p)
		}
	}
}

// TestPackedStream: chunks are applied while a packed body comes in, and stay
// when it breaks off.
func TestPackedStream(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.ChunkBytes = 100 })
	server := httptest.NewServer(s.server.Handler())
	defer server.Close()
	line := `{"t":"` + strings.Repeat("x", 100) + "\"}\n"
	for _, complete := range []bool{true, false} {
		index := fmt.Sprint("complete-", complete)
		body, in := io.Pipe()
		r, _ := http.NewRequest("POST", server.URL+"/v1/batch?atomic=false&index="+index, body)
		r.Header = http.Header{"Authorization": {"Bearer " + s.key}, "Content-Type": {mediaNDJSON}, "Content-Encoding": {"gzip"}}
		there := make(chan bool)
		go func() {
			z := gzip.NewWriter(in)
			io.WriteString(z, line+line+line)
			z.Flush()
			there <- s.seesIndex(index)
			if complete {
				io.WriteString(z, line)
				z.Close()
			}
			in.Close()
		}()
		answered := make(chan *http.Response)
		go func() {
			res, err := server.Client().Do(r)
			if err != nil {
				t.Error(err)
			}
			answered <- res
		}()
		if !<-there {
			t.Fatal("nothing was applied while the body came in")
		}
		res := <-answered
		if res == nil {
			return
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if want := map[bool]string{true: `"put":4,`, false: `"put":3,`}[complete]; !strings.Contains(string(text), want) {
			t.Errorf("%s: %s", index, text)
		}
		if !complete && (res.StatusCode != 400 || !strings.Contains(string(text), codeMalformedEncoding)) {
			t.Errorf("%d %s", res.StatusCode, text)
		}
	}
}

// seesIndex waits for an index, for a few seconds.
func (s *service) seesIndex(name string) bool {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := s.engine.Index(name); err == nil {
			return true
		}
	}
	return false
}

// A body that is packed while it is made comes as fast as what is in it.
func TestPaceOfPackedBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		noise := rand.NewChaCha8([32]byte{7})
		go func() {
			z := gzip.NewWriter(out)
			for range 4 * 600 {
				time.Sleep(time.Second / 4)
				io.CopyN(z, noise, 2<<10) // which does not pack
				io.WriteString(z, strings.Repeat("x", 62<<10))
				z.Flush()
			}
			z.Close()
			out.Close()
		}()
		w := &deadlines{ResponseWriter: httptest.NewRecorder()}
		x := &exchange{w: w, r: &http.Request{Body: in, ContentLength: -1}, packed: true, pace: pace{30 * time.Second, 256 << 10}}
		content, _, err := x.content(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		for p := make([]byte, 64<<10); ; {
			_, err := content.Read(p)
			if time.Now().After(w.read) {
				t.Fatal("it was too slow")
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A body of many bytes that is packed into next to none is refused: it would keep the service busy for
// hours. One that is packed well, or has few bytes, is not.
func TestPackedBombs(t *testing.T) {
	for _, c := range []struct {
		unpacked, each int
		fits           bool
	}{
		{freeUnpacked, 0, true}, {freeUnpacked + 64<<10, 0, false}, {100 << 20, 0, false}, {24 << 20, 1 << 10, true},
	} {
		var body bytes.Buffer
		z, noise := gzip.NewWriter(&body), rand.NewChaCha8([32]byte{8})
		for range c.unpacked / (64 << 10) {
			io.CopyN(z, noise, int64(c.each))
			z.Write(bytes.Repeat([]byte("\n"), 64<<10-c.each))
		}
		z.Close()
		x := &exchange{w: httptest.NewRecorder(), r: &http.Request{Body: io.NopCloser(&body), ContentLength: -1}, packed: true, pace: pace{time.Minute, 256 << 10}}
		content, _, err := x.content(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, content)
		var p *problem
		if c.fits && (err != nil || n != int64(c.unpacked)) || !c.fits && (!errors.As(err, &p) || p.code != codeBodyTooLarge || n > freeUnpacked+1<<20) {
			t.Errorf("%+v: %d bytes, %v", c, n, err)
		}
	}
}
