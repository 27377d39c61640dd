package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// vocabulary is what records are made of: words of syllables, so that there are
// many which begin alike and many a letter apart.
var vocabulary = func() []string {
	syllables := strings.Fields("ba ce di fo gu la me ni po ru sa te vi wo shu tra ble kno sti mar")
	var words []string
	for _, a := range syllables {
		for _, b := range syllables {
			for _, c := range syllables {
				words = append(words, a+b+c, a+b+c+"n")
			}
		}
	}
	rand.New(rand.NewPCG(2, 2)).Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}()

// speaker picks words as often as texts and queries have them: by Zipf's law.
type speaker struct {
	*rand.Rand
	zipf *rand.Zipf
}

func newSpeaker(seed, stream uint64) speaker {
	rnd := rand.New(rand.NewPCG(seed, stream))
	return speaker{rnd, rand.NewZipf(rnd, 1.05, 8, uint64(len(vocabulary)-1))}
}

func (s speaker) word() string { return vocabulary[s.zipf.Uint64()] }

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
	speaker := newSpeaker(1, 1)
	for from := 0; from < records; from += 5000 {
		var list []any
		for i := from; i < min(from+5000, records); i++ {
			list = append(list, record(speaker, base(i), "base"))
		}
		res, err := s.send(ctx, "POST", "/v1/batch", map[string]any{"index": "soak", "records": list}, nil)
		if err != nil || res.StatusCode != 201 {
			return fmt.Errorf("records: %v, %w", res, err)
		}
	}
	return nil
}

// base is the id of a record that is there before the load.
func base(i int) string { return fmt.Sprintf("base-%d", i) }

func record(s speaker, id, mark string) map[string]any {
	title := make([]string, 3+s.IntN(8))
	for i := range title {
		title[i] = s.word()
	}
	return map[string]any{"id": id, "title": strings.Join(title, " "), "mark": mark, "price": float64(s.IntN(10_000)) / 100}
}

// mixed is the load of every day: clients that search, clients that write and
// one that deletes, until the time is over.
func (s *server) mixed(ctx context.Context, r *report, length time.Duration, records, searchers, writers int) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var clients sync.WaitGroup
	t := &r.mixed
	for i := range searchers {
		clients.Go(func() {
			speaker := newSpeaker(r.seed, uint64(i))
			for ctx.Err() == nil {
				begin := time.Now()
				kind := s.search(ctx, r, speaker)
				t.search.add(time.Since(begin))
				r.kinds[kind].add(time.Since(begin))
			}
		})
	}
	for i := range writers {
		clients.Go(func() {
			w := writer{s: s, r: r, speaker: newSpeaker(r.seed, uint64(1000+i)), name: fmt.Sprintf("w%d", i), held: map[string]string{}}
			for ctx.Err() == nil {
				begin := time.Now()
				written := w.write(ctx)
				if written > 0 {
					t.batch.add(time.Since(begin))
				}
				w.check(ctx)
				rest(ctx, begin, time.Duration(written)*time.Second/perSecond)
			}
		})
	}
	clients.Go(func() {
		for i := 0; i < records && ctx.Err() == nil; i++ {
			begin := time.Now()
			s.delete(ctx, r, base(i))
			rest(ctx, begin, time.Second/perSecond)
		}
	})
	clients.Go(func() {
		for ctx.Err() == nil {
			begin := time.Now()
			if f, err := s.figures(ctx); err == nil {
				r.resident = append(r.resident, float64(f.resident))
			}
			rest(ctx, begin, time.Second)
		}
	})
	clients.Wait()
}

// perSecond is how many records a client writes or deletes in a second.
const perSecond = 100

// rest waits until so long after begin.
func rest(ctx context.Context, begin time.Time, length time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(begin.Add(length))):
	}
}

// delete deletes a record and looks for it.
func (s *server) delete(ctx context.Context, r *report, id string) {
	ctx = context.WithoutCancel(ctx)
	res, err := s.send(ctx, "DELETE", "/v1/record/"+id+"?index=soak", nil, nil)
	if err != nil || res.StatusCode != http.StatusNoContent {
		r.fault("a delete: %v, %v", status(res), err)
		return
	}
	r.deletes.Add(1)
	if res, err = s.send(ctx, "GET", "/v1/record/"+id+"?index=soak", nil, nil); err != nil || res.StatusCode != http.StatusNotFound {
		r.fault("a record that was deleted: %v, %v", status(res), err)
	}
}

// The kinds of searches of the mixed load.
const (
	ofWord = iota
	filtered
	ofPrefix
	misspelt
	sorted
	kinds
)

// search asks for something and checks that the hits are it. It returns the kind
// of the search.
func (s *server) search(ctx context.Context, r *report, speaker speaker) (kind int) {
	w := speaker.word()
	body := map[string]any{"q": w, "index": "soak", "limit": 10, "typo": "off", "prefix": "off", "synonyms": "off"}
	least := 0.0
	switch n := speaker.IntN(20); {
	case n < 4:
		kind = filtered
		least = float64(speaker.IntN(90))
		body["filter"] = fmt.Sprintf("price >= %g", least)
	case n == 4:
		kind = ofPrefix
		body["q"], body["prefix"] = w[:4], "last"
	case n == 5:
		kind = misspelt
		body["q"], body["typo"] = w[:len(w)-1]+"q", "auto"
	case n == 6:
		kind = sorted
		body["facets"], body["sort"] = []string{"price"}, "price:asc"
	}
	var f found
	res, err := s.send(ctx, "POST", "/v1/search", body, &f)
	if ctx.Err() != nil {
		return kind
	}
	r.searches.Add(1)
	if err != nil || res.StatusCode != http.StatusOK {
		r.fault("a search: %v, %v", status(res), err)
		return kind
	}
	for _, h := range f.Hits {
		if h.Record.Price < least {
			r.fault("a hit of price %g for at least %g", h.Record.Price, least)
		}
		if kind == ofWord && !strings.Contains(h.Record.Title, w[:min(3, len(w))]) {
			r.fault("a hit without the word")
		}
	}
	return kind
}

func status(res *http.Response) any {
	if res == nil {
		return "no answer"
	}
	return res.StatusCode
}

// writer is a client with records of its own.
type writer struct {
	s *server
	r *report
	speaker
	name string
	n    int
	held map[string]string // mark by id, as acknowledged
}

// write changes some records in one batch and returns how many. Once it is
// acknowledged held says what there is.
func (w *writer) write(ctx context.Context) int {
	w.n++
	mark := fmt.Sprintf("%s-%d", w.name, w.n)
	next := map[string]string{}
	var ops []any
	for range 1 + w.IntN(100) {
		id := fmt.Sprintf("%s-%d", w.name, w.IntN(3000))
		if w.IntN(4) == 0 {
			ops = append(ops, map[string]any{"op": "delete", "id": id})
			next[id] = ""
			continue
		}
		ops = append(ops, map[string]any{"op": "put", "record": record(w.speaker, id, mark)})
		next[id] = mark
	}
	res, err := w.s.send(context.WithoutCancel(ctx), "POST", "/v1/batch", map[string]any{"index": "soak", "operations": ops}, nil)
	if err != nil || res.StatusCode != http.StatusCreated {
		w.r.fault("a batch: %v, %v", status(res), err)
		return 0
	}
	w.r.batches.Add(1)
	for id, mark := range next {
		if w.held[id] = mark; mark == "" {
			delete(w.held, id)
		}
	}
	return len(ops)
}

// check asks for the records with the mark of one batch, the newest or an older
// one, and compares them with what was acknowledged.
func (w *writer) check(ctx context.Context) {
	batch := w.n
	if w.IntN(2) == 0 {
		batch = max(1, w.n-w.IntN(50))
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

// overload has more clients search at once than the server can answer. Those that
// are told to come again do so when they are told.
func (s *server) overload(ctx context.Context, r *report, length time.Duration, clients int) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var crowd sync.WaitGroup
	t := &r.crowd
	for i := range clients {
		crowd.Go(func() {
			speaker := newSpeaker(r.seed, uint64(10_000+i))
			for ctx.Err() == nil {
				begin := time.Now()
				res, err := s.send(ctx, "POST", "/v1/search", map[string]any{"q": speaker.word() + " " + speaker.word()}, nil)
				switch {
				case ctx.Err() != nil:
				case err != nil:
					r.fault("overload: %v", err)
				case res.StatusCode == http.StatusOK:
					t.search.add(time.Since(begin))
				case res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable:
					r.refused.Add(1)
					seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
					if err != nil {
						r.fault("overload: status %d, come again: %v", res.StatusCode, err)
					}
					rest(ctx, time.Now(), time.Duration(seconds)*time.Second)
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
