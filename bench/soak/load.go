package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// vocabulary is what records are made of; word i comes up 1/(i+1) as often as
// the first.
var vocabulary = strings.Fields("red running shoes light blue cotton shirt summer garden chair wooden table lamp kitchen knife steel bottle travel bag leather wallet winter jacket wool socks yoga mat music player wireless keyboard")

type found struct {
	Total int
	Hits  []struct {
		ID     string
		Record struct {
			Title string
			Price float64
		}
	}
}

// prepare makes the index and fills it.
func (s *server) prepare(ctx context.Context, records int) error {
	schema := map[string]any{"fields": []any{
		map[string]any{"name": "title", "type": "text"},
		map[string]any{"name": "mark", "type": "keyword", "filter": true},
		map[string]any{"name": "price", "type": "float", "filter": true, "sort": true, "facet": true},
	}}
	if res, err := s.send(ctx, "PUT", "/v1/indexes/soak", schema, nil); err != nil || res.StatusCode != 201 {
		return fmt.Errorf("index: %v, %w", res, err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	var list []any
	for i := range records {
		list = append(list, record(rnd, fmt.Sprintf("base-%d", i), "base"))
	}
	res, err := s.send(ctx, "POST", "/v1/batch", map[string]any{"index": "soak", "records": list}, nil)
	if err != nil || res.StatusCode != 201 {
		return fmt.Errorf("records: %v, %w", res, err)
	}
	return nil
}

func word(rnd *rand.Rand) string {
	return vocabulary[int(float64(len(vocabulary))*rnd.Float64()*rnd.Float64())]
}

func record(rnd *rand.Rand, id, mark string) map[string]any {
	title := []string{word(rnd), word(rnd), word(rnd), word(rnd)}
	return map[string]any{"id": id, "title": strings.Join(title, " "), "mark": mark, "price": float64(rnd.IntN(10_000)) / 100}
}

// mixed is the load of every day: clients that search and clients that write
// until the time is over.
func (s *server) mixed(ctx context.Context, r *report, length time.Duration, searchers, writers int) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var clients sync.WaitGroup
	t := &r.mixed
	for i := range searchers {
		clients.Go(func() {
			rnd := rand.New(rand.NewPCG(r.seed, uint64(i)))
			for ctx.Err() == nil {
				begin := time.Now()
				s.search(ctx, r, rnd)
				t.search.add(time.Since(begin))
			}
		})
	}
	for i := range writers {
		clients.Go(func() {
			w := writer{s: s, r: r, rnd: rand.New(rand.NewPCG(r.seed, uint64(1000+i))), name: fmt.Sprintf("w%d", i), held: map[string]string{}}
			for ctx.Err() == nil {
				begin := time.Now()
				if w.write(ctx) {
					t.batch.add(time.Since(begin))
				}
				w.check(ctx)
			}
		})
	}
	clients.Wait()
}

// search asks for something and checks that the hits are it.
func (s *server) search(ctx context.Context, r *report, rnd *rand.Rand) {
	w := word(rnd)
	body := map[string]any{"q": w, "index": "soak", "limit": 10, "typo": "off", "prefix": "off", "synonyms": "off"}
	least := 0.0
	exact := false
	switch n := rnd.IntN(10); {
	case n < 2:
		least = float64(rnd.IntN(90))
		body["filter"] = fmt.Sprintf("price >= %g", least)
	case n == 2:
		body["q"], body["prefix"] = w[:2], "last"
	case n == 3:
		body["q"], body["typo"] = w[:len(w)-1]+"q", "auto"
	case n == 4:
		body["facets"], body["sort"] = []string{"price"}, "price:asc"
	default:
		exact = true
	}
	var f found
	res, err := s.send(ctx, "POST", "/v1/search", body, &f)
	if ctx.Err() != nil {
		return
	}
	r.searches.Add(1)
	if err != nil || res.StatusCode != http.StatusOK {
		r.fault("a search: %v, %v", status(res), err)
		return
	}
	for _, h := range f.Hits {
		if h.Record.Price < least {
			r.fault("a hit of price %g for at least %g", h.Record.Price, least)
		}
		if exact && !strings.Contains(h.Record.Title, w[:min(3, len(w))]) {
			r.fault("a hit without the word")
		}
	}
}

func status(res *http.Response) any {
	if res == nil {
		return "no answer"
	}
	return res.StatusCode
}

// writer is a client with records of its own.
type writer struct {
	s    *server
	r    *report
	rnd  *rand.Rand
	name string
	n    int
	held map[string]string // mark by id, as acknowledged
}

// write changes some records in one batch. Once it is acknowledged held says
// what there is.
func (w *writer) write(ctx context.Context) bool {
	w.n++
	mark := fmt.Sprintf("%s-%d", w.name, w.n)
	next := map[string]string{}
	var ops []any
	for range 1 + w.rnd.IntN(100) {
		id := fmt.Sprintf("%s-%d", w.name, w.rnd.IntN(3000))
		if w.rnd.IntN(4) == 0 {
			ops = append(ops, map[string]any{"op": "delete", "id": id})
			next[id] = ""
			continue
		}
		ops = append(ops, map[string]any{"op": "put", "record": record(w.rnd, id, mark)})
		next[id] = mark
	}
	res, err := w.s.send(context.WithoutCancel(ctx), "POST", "/v1/batch", map[string]any{"index": "soak", "operations": ops}, nil)
	if err != nil || res.StatusCode != http.StatusCreated {
		w.r.fault("a batch: %v, %v", status(res), err)
		return false
	}
	w.r.batches.Add(1)
	for id, mark := range next {
		if w.held[id] = mark; mark == "" {
			delete(w.held, id)
		}
	}
	return true
}

// check asks for the records with the mark of one batch, the newest or an older
// one, and compares them with what was acknowledged.
func (w *writer) check(ctx context.Context) {
	batch := w.n
	if w.rnd.IntN(2) == 0 {
		batch = max(1, w.n-w.rnd.IntN(50))
	}
	mark := fmt.Sprintf("%s-%d", w.name, batch)
	var want, got []string
	for id, m := range w.held {
		if m == mark {
			want = append(want, id)
		}
	}
	var f found
	res, err := w.s.send(context.WithoutCancel(ctx), "POST", "/v1/search", map[string]any{"index": "soak", "filter": `mark = "` + mark + `"`, "limit": 200}, &f)
	if err != nil || res.StatusCode != http.StatusOK {
		w.r.fault("a check: %v, %v", status(res), err)
		return
	}
	for _, h := range f.Hits {
		got = append(got, h.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	w.r.checks.Add(1)
	if !slices.Equal(want, got) || f.Total != len(want) {
		w.r.fault("batch %s: %d records are found, %d were acknowledged and not replaced", mark, f.Total, len(want))
	}
}

// overload has more clients search at once than the server can answer.
func (s *server) overload(ctx context.Context, r *report, length time.Duration, clients int) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var crowd sync.WaitGroup
	t := &r.crowd
	for i := range clients {
		crowd.Go(func() {
			rnd := rand.New(rand.NewPCG(r.seed, uint64(10_000+i)))
			for ctx.Err() == nil {
				begin := time.Now()
				res, err := s.send(ctx, "POST", "/v1/search", map[string]any{"q": word(rnd) + " " + word(rnd)}, nil)
				switch {
				case ctx.Err() != nil:
				case err != nil:
					r.fault("overload: %v", err)
				case res.StatusCode == http.StatusOK:
					t.search.add(time.Since(begin))
				case (res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable) && res.Header.Get("Retry-After") != "":
					r.refused.Add(1)
				default:
					r.fault("overload: status %d", res.StatusCode)
				}
			}
		})
	}
	crowd.Wait()
}

// recovers tells whether a search is answered within 5 seconds of the overload.
func (s *server) recovers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for {
		res, err := s.send(ctx, "POST", "/v1/search", map[string]any{"q": "red"}, nil)
		if err != nil {
			return err
		}
		if res.StatusCode == http.StatusOK {
			return nil
		}
	}
}
