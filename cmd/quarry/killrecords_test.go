package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"
)

// killWriter changes records of its own in two indexes.
type killWriter struct {
	l    *killLab
	name string
	key  killKey
	rnd  *rand.Rand
	n    int            // number of the newest change
	held map[string]int // number of the change that put it, by index/id
	open *killChange    // without an answer

	writes            int          // that were committed, as usage counts them
	sent, acked, seen atomic.Int64 // numbers of changes of the head: sent, acknowledged, found
}

// killChange is a request that changes records.
type killChange struct {
	n                  int
	method, path, body string
	headers            []string
	effect             []killEffect
	head               bool // puts the head of both indexes
}

// killEffect is of one operation: a put, or the deletion of a record or of those
// of an index that are older than a change.
type killEffect struct {
	at          string // index/id
	put         bool
	index       string // of deletions by filter
	olderThan   int
	deleteWhere bool
}

type killRecord struct {
	ID     string `json:"id"`
	Writer string `json:"writer"`
	Kind   string `json:"kind"`
	N      int    `json:"n"`
	Text   string `json:"text"`
}

// applied returns what is held after a change, and its number of writes.
func (c *killChange) applied(held map[string]int) (after map[string]int, writes int) {
	after = maps.Clone(held)
	drop := func(at string) {
		if _, ok := after[at]; ok {
			delete(after, at)
			writes++
		}
	}
	for _, e := range c.effect {
		switch {
		case e.put:
			after[e.at] = c.n
			writes++
		case e.deleteWhere:
			for at, n := range maps.Clone(after) {
				if strings.HasPrefix(at, e.index+"/") && n < e.olderThan {
					drop(at)
				}
			}
		default:
			drop(e.at)
		}
	}
	return after, writes
}

// change makes up the next change.
func (w *killWriter) change() *killChange {
	w.n++
	c := &killChange{n: w.n}
	id := func() string { return fmt.Sprintf("%s-%d", w.name, w.rnd.IntN(150)) }
	record := func(id, kind string) killRecord {
		return killRecord{ID: id, Writer: w.name, Kind: kind, N: w.n, Text: killText(w.rnd, 5)}
	}
	switch kind := w.rnd.IntN(10); {
	case kind < 2: // one record
		id := id()
		c.method, c.path = "DELETE", "/v1/record/"+id+"?index=one"
		c.effect = []killEffect{{at: "one/" + id}}
		return c
	case kind == 2: // lines
		var list []killRecord
		for i := range 1 + w.rnd.IntN(30) {
			r := record(fmt.Sprintf("%s-%d", w.name, i), "body")
			list = append(list, r)
			c.effect = append(c.effect, killEffect{at: "two/" + r.ID, put: true})
		}
		c.path, c.body = "/v1/batch?index=two", lines(list)
		c.headers = []string{"Content-Type: " + mediaNDJSON}
	default:
		var ops []any
		if kind == 3 {
			e := killEffect{deleteWhere: true, index: "one", olderThan: w.n - 1 - w.rnd.IntN(10)}
			c.effect = append(c.effect, e)
			ops = append(ops, map[string]any{"op": "delete_where", "index": e.index, "filter": fmt.Sprintf("writer = '%s' AND n < %d", w.name, e.olderThan)})
		}
		put := func(index, id, kind string) {
			c.effect = append(c.effect, killEffect{at: index + "/" + id, put: true})
			ops = append(ops, map[string]any{"op": "put", "index": index, "record": record(id, kind)})
		}
		used := map[string]bool{}
		for range 1 + w.rnd.IntN(20) {
			id := id()
			if used[id] {
				continue
			}
			used[id] = true
			for _, index := range []string{"one", "two"} {
				if w.rnd.IntN(4) == 0 {
					c.effect = append(c.effect, killEffect{at: index + "/" + id})
					ops = append(ops, map[string]any{"op": "delete", "index": index, "id": id})
				} else {
					put(index, id, "body")
				}
			}
		}
		put("one", w.name+"-head", "head")
		put("two", w.name+"-head", "head")
		c.head = true
		body, err := json.Marshal(map[string]any{"operations": ops})
		if err != nil {
			panic(err)
		}
		c.path, c.body = "/v1/batch", string(body)
	}
	c.method = "POST"
	c.headers = append(c.headers, fmt.Sprintf("Idempotency-Key: %s-%d", w.name, w.n))
	return c
}

type killAnswer struct {
	ID      string
	Version uint64
	Counts  struct{ Put, Deleted int }
}

func (w *killWriter) step() bool {
	c := w.change()
	if c.head {
		w.sent.Store(int64(c.n))
	}
	w.open = c
	status, answer, err := w.l.call(w.key.Key, c.method, c.path, c.body, c.headers...)
	if err != nil {
		return false
	}
	w.open = nil
	w.take(c, status, answer, false)
	return true
}

// take notes an answer to a change, which a second request for it may have got.
func (w *killWriter) take(c *killChange, status int, answer []byte, done bool) {
	after, writes := c.applied(w.held)
	want := 201
	if c.method == "DELETE" {
		if want = 204; writes == 0 {
			want = 404
		}
	}
	if status != want {
		w.l.fault("%s of change %d: %d %.300s, want %d", w.name, c.n, status, answer, want)
		return
	}
	if want == 201 {
		var a killAnswer
		if err := json.Unmarshal(answer, &a); err != nil {
			w.l.fault("%s: %v", w.name, err)
			return
		}
		if !done && a.Counts.Put+a.Counts.Deleted != writes {
			w.l.fault("%s: change %d counts %+v, want %d writes", w.name, c.n, a.Counts, writes)
		}
		w.l.hooks.acknowledged(a.ID)
		for {
			if old := w.l.version.Load(); a.Version <= old || w.l.version.CompareAndSwap(old, a.Version) {
				break
			}
		}
	}
	if !done {
		w.held, w.writes = after, w.writes+writes
	}
	if c.head {
		w.acked.Store(int64(c.n))
	}
	w.l.ack()
}

func (w *killWriter) settle() {
	there := w.stored()
	if c := w.open; c != nil {
		w.open = nil
		after, writes := c.applied(w.held)
		applied := maps.Equal(there, after)
		if applied && !maps.Equal(there, w.held) {
			w.held, w.writes = after, w.writes+writes
			w.l.hooks.unanswered++
		}
		w.l.decided(applied)
		// The same request once more changes nothing if it was applied, and is
		// applied otherwise.
		if c.method == "POST" && w.rnd.IntN(2) == 0 {
			if status, answer, err := w.l.call(w.key.Key, c.method, c.path, c.body, c.headers...); err != nil {
				w.l.fault("%s: change %d again: %v", w.name, c.n, err)
			} else {
				if applied {
					w.l.hooks.unanswered--
				}
				w.take(c, status, answer, applied)
			}
			there = w.stored()
		}
	}
	for at, n := range w.held {
		if there[at] != n {
			w.l.fault("%s: %s was put by change %d, and is of %d", w.name, at, n, there[at])
		}
	}
	for at, n := range there {
		if _, ok := w.held[at]; !ok {
			w.l.fault("%s: %s of change %d is there, and was deleted or never put", w.name, at, n)
		}
	}
	if head := w.held["one/"+w.name+"-head"]; int64(head) < w.seen.Load() {
		w.l.fault("%s: the head is of change %d, a search has seen %d", w.name, head, w.seen.Load())
	}
}

type killFound struct {
	Version uint64
	Total   int
	Hits    []struct {
		ID, Index string
		Record    killRecord
	}
}

// stored returns the records of the writer that there are.
func (w *killWriter) stored() map[string]int {
	var f killFound
	w.l.must(200, "POST", "/v1/search", `{"index":["one","two"],"filter":"writer = '`+w.name+`'","limit":1000}`, &f)
	there := map[string]int{}
	for _, h := range f.Hits {
		there[h.Index+"/"+h.ID] = h.Record.N
	}
	if f.Total != len(there) {
		w.l.fault("%s: a total of %d with %d hits", w.name, f.Total, len(there))
	}
	return there
}

// killReader looks for the heads of a writer's batches: those of both indexes
// are of one batch, no older than what was acknowledged or seen before.
type killReader struct {
	l    *killLab
	of   *killWriter
	key  killKey
	at   []time.Time // of answers since the last start
	sure int         // searches that must be in the usage
	sent int
}

func (r *killReader) step() bool {
	least, version := max(r.of.acked.Load(), r.of.seen.Load()), r.l.version.Load()
	r.sent++
	status, answer, err := r.l.call(r.key.Key, "POST", "/v1/search", `{"index":["one","two"],"filter":"kind = 'head' AND writer = '`+r.of.name+`'"}`)
	if err != nil {
		return false
	}
	if status == 503 && strings.Contains(string(answer), `"search_timeout"`) {
		return true // a machine that does much else; nothing was said about records
	}
	var f killFound
	if err := json.Unmarshal(answer, &f); status != 200 || err != nil {
		r.l.fault("search: %d %.300s (error %v)", status, answer, err)
		return true
	}
	r.at = append(r.at, time.Now())
	r.l.searches.Add(1)
	switch {
	case f.Version < version:
		r.l.fault("version %d is read after %d was acknowledged", f.Version, version)
	case len(f.Hits) == 0 && least == 0:
	case len(f.Hits) != 2 || f.Hits[0].Record.N != f.Hits[1].Record.N:
		r.l.fault("half of a batch: %.500s", answer)
	case int64(f.Hits[0].Record.N) < least || int64(f.Hits[0].Record.N) > r.of.sent.Load():
		r.l.fault("change %d is read, %d was acknowledged or seen before, %d sent", f.Hits[0].Record.N, least, r.of.sent.Load())
	default:
		r.of.seen.Store(max(r.of.seen.Load(), int64(f.Hits[0].Record.N)))
	}
	return true
}

// cut notes which searches have to be in the usage after a kill.
func (r *killReader) cut(killed time.Time) {
	for _, at := range r.at {
		if killed.Sub(at) > usageLate {
			r.sure++
		}
	}
	r.at = nil
}

func (r *killReader) settle() { r.at = nil }

// checkUsage compares the usage with what all writers and readers did.
func (r *killReader) checkUsage() {
	var writes, sure, sent int
	for _, r := range r.l.readers {
		writes, sure, sent = writes+r.of.writes, sure+r.sure, sent+r.sent
	}
	var u struct {
		Rows []struct {
			Key              string
			Searches, Writes int
		}
	}
	r.l.must(200, "GET", "/v1/usage", "", &u)
	var gotWrites, gotSearches int
	for _, row := range u.Rows {
		switch row.Key {
		case r.of.key.ID:
			gotWrites += row.Writes
		case r.key.ID:
			gotSearches += row.Searches
		}
	}
	if gotWrites != writes {
		r.l.fault("the usage has %d writes, there were %d", gotWrites, writes)
	}
	if gotSearches < sure || gotSearches > sent {
		r.l.fault("the usage has %d searches of %d, and of %d that were two seconds old", gotSearches, sent, sure)
	}
}

// killText returns words.
func killText(rnd *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "word%d ", int(4000*rnd.Float64()*rnd.Float64()))
	}
	return b.String()
}
