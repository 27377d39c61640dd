package bench

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
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
			drive(b, "https://"+ln.Addr().String()+"/v1/search", key, load.queries, load.clients)
		})
	}
	// What a server that does nothing reaches on this machine.
	echo := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
	echo.TLS = certificates.Config()
	echo.StartTLS()
	defer echo.Close()
	b.Run("echo/clients=8", func(b *testing.B) { drive(b, echo.URL, key, words, 8) })
}

// drive sends b.N searches with queries in turn, from clients at a time.
func drive(b *testing.B, url, key string, queries []string, clients int) {
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
		MaxIdleConnsPerHost: clients,
	}
	defer transport.CloseIdleConnections()
	var next atomic.Int64
	var mu sync.Mutex
	var times sample
	begin := time.Now()
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			var mine sample
			for {
				n := next.Add(1)
				if n > int64(b.N) {
					break
				}
				body, _ := json.Marshal(map[string]any{"q": queries[n%int64(len(queries))], "limit": 10})
				req, _ := http.NewRequest("POST", url, bytes.NewReader(body))
				req.Header.Set("Authorization", "Bearer "+key)
				start := time.Now()
				res, err := transport.RoundTrip(req)
				if err != nil {
					b.Error(err)
					break
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
				mine = append(mine, time.Since(start))
				if res.StatusCode != 200 {
					b.Error(res.Status)
					break
				}
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
