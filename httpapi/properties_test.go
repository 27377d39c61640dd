package httpapi

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// How many requests TestProperties sends, and which. A million take minutes:
//
//	go test ./httpapi -run TestProperties -requests 1000000 -timeout 60m
var (
	propertyRequests = flag.Int("requests", 20_000, "requests that TestProperties generates")
	propertySeed     = flag.Uint64("seed", 0, "of the first block of TestProperties; 0: a new one")
)

// blockRequests is how many requests a service lives for: what it holds by then
// is the doing of those before.
const blockRequests = 500

// TestProperties sends requests that are generated from the OpenAPI document
// and holds every answer to it. A request that the document allows may be
// refused for what it asks, but not for its form; one that it does not allow is
// always refused; nothing is ever the service's fault.
func TestProperties(t *testing.T) {
	total := *propertyRequests
	if testing.Short() {
		total = min(total, 2000)
	}
	seed := *propertySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	var done, refused, spoilt atomic.Int64
	t.Run("blocks", func(t *testing.T) {
		for i := range (total + blockRequests - 1) / blockRequests {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				l := newPropertyLab(t, seed+uint64(i))
				for n := range blockRequests {
					l.send(n)
					if t.Failed() {
						return
					}
				}
				done.Add(l.done)
				refused.Add(l.refused)
				spoilt.Add(l.spoilt)
			})
		}
	})
	t.Logf("seed %d: %d requests carried out, %d refused, of those %d not valid", seed, done.Load(), refused.Load(), spoilt.Load())
	if sum := done.Load() + refused.Load(); !t.Failed() && done.Load() < sum/5 {
		t.Errorf("only %d of %d requests were carried out: the generator does not reach the service", done.Load(), sum)
	}
}

// propertyLab is a service and what generated requests have learnt of it.
type propertyLab struct {
	t                     *testing.T
	s                     *service
	g                     *generator
	ops                   []operation
	seed                  uint64
	done, refused, spoilt int64
}

func newPropertyLab(t *testing.T, seed uint64) *propertyLab {
	s := withEngine(t, "", func(c *Config) { c.NoPage = true })
	s.check = false
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"title","type":"text","weight":3},{"name":"price","type":"float","filter":true,"sort":true,"facet":true},
		{"name":"brand","type":"keyword","filter":true,"facet":true,"sort":true},{"name":"stock","type":"int","filter":true,"facet":true},{"name":"loc","type":"geo","filter":true,"sort":true},
		{"name":"day","type":"date","filter":true,"sort":true}],"presets":{"cheap":{"sort":"price:asc","limit":3}},"synonyms":[{"words":["shoe","sneaker"]}]}`)
	s.want(201, "PUT", "/v1/indexes/empty", `{"visible":false}`)
	l := &propertyLab{t: t, s: s, seed: seed, ops: documented()}
	l.g = &generator{rnd: rand.New(rand.NewPCG(seed, 11)), words: propertyWords(), paths: map[string][]any{}}
	list := []string{}
	for range 30 {
		list = append(list, asJSON(l.g.record()))
	}
	s.do("POST", "/v1/batch", `{"index":"shop","atomic":false,"records":[`+strings.Join(list, ",")+`]}`)
	for i := range 12 {
		l.g.paths["path:record:id"] = append(l.g.paths["path:record:id"], "r"+strconv.Itoa(i))
	}
	return l
}

// propertyWords are values that mean something to the index "shop".
func propertyWords() map[string][]any {
	list := func(texts ...string) (out []any) {
		for _, t := range texts {
			out = append(out, t)
		}
		return out
	}
	words := map[string][]any{
		"q":           list("red shoes", "runing", `"red hat"`, "-red", "shoe OR hat", "ha*", "title:red AND NOT hat", "北京", ""),
		"index":       list("shop", "shop", "shop", "sh*", "*", "news"),
		"path:name":   list("shop", "news", "towns", "empty", "swap"),
		"filter":      list("price < 50", `brand = "Nike"`, "price 10..40 AND stock > 1", "EXISTS brand", "NOT stock = 3", "geo(loc, 10, 20, 5000km)", "day > 2020-01-01", "brand STARTS WITH 'N'"),
		"sort":        list("price:asc", "score:desc", "brand", "geo(loc,1,2):asc", "stock"),
		"fields":      list("title", "title^2", "tags"),
		"return":      list("title", "id", "loc.lat", "titel"),
		"facets":      list("brand", "price", "stock"),
		"field":       list("brand", "price", "stock"),
		"distinct":    list("brand", "stock"),
		"preset":      list("cheap"),
		"language":    list("en", "de", "none"),
		"id":          list("r1", "r2", "r3", "new"),
		"op":          list("put", "patch", "delete", "put_new", "delete_where", "patch_where"),
		"a":           list("news", "towns"),
		"b":           list("empty", "towns"),
		"url":         list("https://hook.example/x", "https://hook.example:8443/y"),
		"events":      list("*", "batch.*", "index.rebuilt"),
		"scopes":      list("search", "read"),
		"indexes":     list("shop", "news*", "*"),
		"limit":       {float64(1), float64(3), float64(20), float64(0)},
		"offset":      {float64(0), float64(2)},
		"min_version": {float64(0), float64(1)},
		"name":        list("title", "price", "colour", "size", "Web shop"),
		"type":        list("text", "keyword", "float", "int"),
		"query": list(`{ search(q: "red") { total hits { id index score record } } }`, `{ indexes { total } }`, `{ index(name: "shop") { name records } }`, `query($q: String) { search(q: $q) { total } }`,
			`mutation { batch(input: {index: "shop", records: [{id: "g1", title: "from a graph"}]}) { id state } }`, `{ __schema { types { name } } }`, "red shoes"),
		"operationName": {nil},
		"lat":           {float64(52), float64(-33.5)},
		"lon":           {float64(13), float64(179.9)},
		"radius":        {"5km", float64(100000)},

		"header:Prefer":          list("wait=0", "return=minimal"),
		"header:Idempotency-Key": list("k1", "k2", `"k3"`),
		"header:If-Match":        list("*", `"1"`, `W/"2", "3"`),
		"header:If-None-Match":   list("*", `"1"`),
	}
	for _, name := range []string{"index", "filter", "limit", "op"} {
		words["query:"+name] = words[name]
	}
	words["query:atomic"] = list("true", "false")
	words["query:group"] = list("key", "day")
	return words
}

// send generates the n-th request, sends it and judges the answer.
func (l *propertyLab) send(n int) {
	op := l.ops[l.g.rnd.IntN(len(l.ops))]
	if l.g.rnd.IntN(3) == 0 {
		for op.pattern != "/v1/search" {
			op = l.ops[l.g.rnd.IntN(len(l.ops))]
		}
	}
	rare := op.name() == "DELETE /v1/indexes/{name}" || // or there is nothing left to search
		op.pattern == "/v1/openapi.json" // which is long and the same each time
	if rare && l.g.rnd.IntN(10) > 0 {
		return
	}
	r := l.g.make(op, l.g.rnd.IntN(2) == 0)
	req := r.request()
	req.Header.Set("Authorization", "Bearer "+l.s.key)
	a := l.s.send(req)
	holdToDocument(l.t, req, a, false)
	wrong := ""
	switch hurried := strings.Contains(r.body, `"min_version"`) && strings.Contains(a.body, codeSearchTimeout); {
	case a.status >= 500 && !hurried:
		wrong = "it is the service's fault"
	case a.status == 401 || a.status == 403 && op.pattern != "/v1/keys/{id}/token" || a.status == 405 || a.status == 429:
		wrong = "the root key may do everything"
	case r.valid && (a.status == 415 || a.status == 400 && op.pattern != "/v1/graphql" && r.media == mediaJSON):
		wrong = "the form is that of the document"
	case !r.valid && a.status < 400:
		wrong = "the document does not allow the request"
	}
	if l.t.Failed() || wrong != "" {
		l.t.Errorf("seed %d, request %d: %s:\n%s\n%d %.2000s", l.seed, n, wrong, r, a.status, a.body)
	}
	if a.status < 400 {
		l.done++
		l.learn(op, a)
	} else if l.refused++; !r.valid {
		l.spoilt++
	}
}

// learn keeps the ids and cursors of an answer for later requests.
func (l *propertyLab) learn(op operation, a answer) {
	keep := func(name string, v any) {
		if text, ok := v.(string); ok && text != "" {
			list := append(l.g.paths[name], text)
			l.g.paths[name] = list[max(0, len(list)-12):]
		}
	}
	if next := a.header.Get("Next-Cursor"); next != "" {
		keep("query:cursor", next)
	}
	var o object
	if json.Unmarshal([]byte(a.body), &o) != nil {
		return
	}
	if op.public() {
		return
	}
	kind := strings.Split(op.pattern, "/")[2:]
	switch {
	case kind[0] == "search":
		keep("cursor", o["next_cursor"])
	case len(kind) > 2 && (kind[2] == "test" || kind[2] == "deliveries"):
		keep("path:webhooks:delivery", o["id"])
	case kind[0] == "keys" || kind[0] == "webhooks" || kind[0] == "batch":
		keep("path:"+kind[0]+":id", o["id"])
	}
	if kind[0] != "search" {
		keep("query:cursor", o["next_cursor"])
	}
}

// A request that is generated comes as it was meant to.
func TestGeneratedPathsAreWhole(t *testing.T) {
	g := &generator{rnd: rand.New(rand.NewPCG(1, 2))}
	for _, op := range documented() {
		for range 50 {
			r := g.make(op, true)
			u, err := url.Parse(r.path)
			if err != nil || strings.ContainsAny(u.EscapedPath(), "{}") {
				t.Fatalf("%s: %q, %v", op.name(), r.path, err)
			}
		}
	}
}
