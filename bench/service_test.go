package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
)

// service is a server over an engine, with its root key.
func service(tb testing.TB, e *engine.Engine, secure *tls.Config) (*httpapi.Server, string) {
	tb.Helper()
	key := httpapi.GenerateKey()
	hash, err := httpapi.HashKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := httpapi.New(httpapi.Config{Engine: e, RootKey: hash, TLS: secure})
	if err != nil {
		tb.Fatal(err)
	}
	return s, key
}

// sample is a set of times, of which it reports the quantiles.
type sample []time.Duration

func (s sample) report(b *testing.B) {
	slices.Sort(s)
	at := func(q float64) float64 {
		i := min(len(s)-1, int(math.Ceil(q*float64(len(s))))-1)
		return float64(s[max(i, 0)].Microseconds()) / 1000
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
}

// packageWords are words of queries over speed-packages, frequent and rare.
var packageWords = []string{
	"", "json", "http client", "react component", "test", "cli tool", "machine learning", "parser",
	"aws lambda", "typescript", "django", "color", "async", "image resize", "plugin webpack", "matrix",
}

// browseRequest makes a request as a page with facets sends it: words or none,
// a filter by facet and number range, three facets and an order.
func browseRequest(r *rand.Rand) *engine.Request {
	req := &engine.Request{
		Query:   packageWords[r.IntN(len(packageWords))],
		Indexes: []string{"c"},
		Facets:  []engine.FacetRequest{{Field: "registry"}, {Field: "year"}, {Field: "month"}},
	}
	var filters []string
	if r.IntN(2) == 0 {
		filters = append(filters, fmt.Sprintf("registry = %q", []string{"pypi", "npm"}[r.IntN(2)]))
	}
	from := 2010 + r.IntN(14)
	filters = append(filters, fmt.Sprintf("year %d..%d", from, from+r.IntN(6)))
	req.Filter = strings.Join(filters, " AND ")
	switch r.IntN(3) {
	case 0:
		req.Sort = []engine.SortKey{{Field: "year", Desc: true}, {Field: "_score", Desc: true}}
	case 1:
		req.Sort = []engine.SortKey{{Field: "downloads", Desc: true}}
	}
	return req
}

// BenchmarkBrowse measures filters with facets and sorting over the whole of
// speed-packages, each op a request.
func BenchmarkBrowse(b *testing.B) {
	e := speedIndex(b, "speed-packages", math.MaxInt)
	ctx := context.Background()
	for _, warm := range []bool{false, true} {
		b.Run(map[bool]string{false: "distinct", true: "repeated"}[warm], func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var times sample
			b.ReportAllocs()
			for b.Loop() {
				if warm && len(times)%100 == 0 {
					r = rand.New(rand.NewPCG(1, 2))
				}
				req := browseRequest(r)
				begin := time.Now()
				if _, err := e.Search(ctx, req); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(begin))
			}
			times.report(b)
		})
	}
}

// BenchmarkAsYouType types titles of films, letter by letter, at the handler
// of the service with highlights and two facets. Each op is a keystroke.
func BenchmarkAsYouType(b *testing.B) {
	e := speedIndex(b, "movies-wikipedia", math.MaxInt)
	s, key := service(b, e, nil)
	res, err := e.Search(context.Background(), &engine.Request{Limit: 1000})
	if err != nil {
		b.Fatal(err)
	}
	var titles []string
	for _, h := range res.Hits {
		var record struct{ Title string }
		if err := json.Unmarshal(h.Record, &record); err != nil {
			b.Fatal(err)
		}
		titles = append(titles, strings.ToLower(record.Title))
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(titles), func(i, j int) { titles[i], titles[j] = titles[j], titles[i] })
	for _, route := range []string{"search", "suggest"} {
		b.Run(route, func(b *testing.B) {
			var times sample
			title, typed := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				letters := []rune(titles[title%len(titles)])
				if typed++; typed > len(letters) {
					title, typed = title+1, 0
					continue
				}
				body := map[string]any{"q": string(letters[:typed]), "limit": 10}
				if route == "search" {
					body["highlight"], body["facets"] = true, []string{"genres", "year"}
				}
				text, _ := json.Marshal(body)
				req := httptest.NewRequest("POST", "/v1/"+route, bytes.NewReader(text))
				req.Header.Set("Authorization", "Bearer "+key)
				w := httptest.NewRecorder()
				begin := time.Now()
				s.Handler().ServeHTTP(w, req)
				times = append(times, time.Since(begin))
				if w.Code != 200 {
					b.Fatal(w.Body.String())
				}
			}
			times.report(b)
		})
	}
}

// BenchmarkHTTPS measures searches over TLS 1.3 on the loopback, the clients
// in the same process: the queries of the corpus without those that only some
// engines have, ten hits each.
func BenchmarkHTTPS(b *testing.B) {
	e := speedIndex(b, "movies-wikipedia", math.MaxInt)
	certificates, err := httpapi.LocalCertificates(b.TempDir(), []string{"127.0.0.1"}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	s, key := service(b, e, certificates.Config())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, ln) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			b.Error(err)
		}
	}()
	_, queries := speedQueries(b, "movies-wikipedia")
	var words, all []string
	for typ, list := range queries {
		if strings.Contains(typ, "fuzzy") || strings.Contains(typ, "typo") {
			continue
		}
		all = append(all, list...)
		if !strings.HasPrefix(typ, "phrase") {
			words = append(words, list...)
		}
	}
	slices.Sort(words)
	slices.Sort(all)
	for _, load := range []struct {
		name    string
		queries []string
		clients int
	}{{"words/clients=8", words, 8}, {"words/clients=32", words, 32}, {"words-and-phrases/clients=8", all, 8}} {
		b.Run(load.name, func(b *testing.B) {
			warm(b, ln.Addr().String(), key, load.queries)
			b.ResetTimer()
			drive(b, ln.Addr().String(), key, load.queries, load.clients)
		})
	}
	// What a server that does nothing reaches on this machine.
	echo := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
	echo.TLS = certificates.Config()
	echo.StartTLS()
	defer echo.Close()
	b.Run("echo/clients=8", func(b *testing.B) { drive(b, echo.Listener.Addr().String(), key, words, 8) })
}

// drive sends b.N searches with queries in turn, from clients at a time. A
// client is a connection and little else, so that what is measured is the
// server and TLS.
func drive(b *testing.B, address, key string, queries []string, clients int) {
	requests := make([][]byte, len(queries))
	for i, q := range queries {
		requests[i] = searchFor(address, key, q)
	}
	var next atomic.Int64
	var mu sync.Mutex
	var times sample
	begin := time.Now()
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			mine, err := ask(address, func() []byte {
				n := next.Add(1)
				if n > int64(b.N) {
					return nil
				}
				return requests[n%int64(len(requests))]
			})
			if err != nil {
				b.Error(err)
			}
			mu.Lock()
			times = append(times, mine...)
			mu.Unlock()
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "req/s")
	times.report(b)
}

// warm asks each query once, so that nothing is read from the store for the
// first time, nor in the background, while searches are timed.
func warm(b *testing.B, address, key string, queries []string) {
	next := 0
	if _, err := ask(address, func() []byte {
		if next == len(queries) {
			return nil
		}
		next++
		return searchFor(address, key, queries[next-1])
	}); err != nil {
		b.Fatal(err)
	}
}

// searchFor is a request for the first ten hits of a query.
func searchFor(address, key, q string) []byte {
	body, _ := json.Marshal(map[string]any{"q": q, "limit": 10})
	return fmt.Appendf(nil, "POST /v1/search HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		address, key, len(body), body)
}

// ask sends requests over one connection, each once the answer before is there,
// until next returns nil. All have to be answered with 200.
func ask(address string, next func() []byte) (times sample, err error) {
	conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	answers := bufio.NewReaderSize(conn, 16<<10)
	for request := next(); request != nil; request = next() {
		start := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := skipAnswer(answers); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
	}
	return times, nil
}

// skipAnswer reads an HTTP/1 answer, which has to be 200 with a length.
func skipAnswer(in *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("answered %s", line)
		}
		if len(line) == 0 {
			break
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(n)); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("an answer without a length")
	}
	_, err := in.Discard(length)
	return err
}
