package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// killKeys makes, rotates and revokes keys.
type killKeys struct {
	l       *killLab
	rnd     *rand.Rand
	n       int
	live    map[string]string // secret by id
	dead    []string          // secrets that must never work again
	absent  []string          // names of keys that were never made
	open    func()            // settles the request without an answer
	changes int
}

// ids are of the live keys, in an order that only the seed decides.
func (k *killKeys) ids() []string { return slices.Sorted(maps.Keys(k.live)) }

func (k *killKeys) step() bool {
	switch ids := k.ids(); {
	case len(ids) < 2 || len(ids) < 8 && k.rnd.IntN(2) == 0:
		k.n++
		return k.create(fmt.Sprintf("key %d", k.n))
	case k.rnd.IntN(2) == 0:
		return k.rotate(ids[k.rnd.IntN(len(ids))])
	default:
		return k.revoke(ids[k.rnd.IntN(len(ids))])
	}
}

func (k *killKeys) create(name string) bool {
	k.open = func() {
		for id, other := range k.names() {
			if other == name { // there, and nobody knows its secret
				k.l.decided(true)
				k.l.must(204, "DELETE", "/v1/keys/"+id, "", nil)
				return
			}
		}
		k.l.decided(false)
		k.absent = append(k.absent, name)
	}
	status, answer, err := k.l.call(k.l.server.key, "POST", "/v1/keys", `{"name":"`+name+`","scopes":["read"],"rate":{"per_second":100000,"burst":100000}}`)
	return k.took(status, 201, answer, err, func(made killKey) { k.live[made.ID] = made.Key })
}

func (k *killKeys) rotate(id string) bool {
	old := k.live[id]
	k.open = func() {
		if k.works(old) {
			k.l.decided(false)
			return
		}
		k.l.decided(true)
		delete(k.live, id)
		k.dead = append(k.dead, old)
		k.l.must(204, "DELETE", "/v1/keys/"+id, "", nil)
	}
	status, answer, err := k.l.call(k.l.server.key, "POST", "/v1/keys/"+id+"/rotate", `{"grace_seconds":0}`)
	return k.took(status, 200, answer, err, func(made killKey) {
		k.live[id] = made.Key
		k.dead = append(k.dead, old)
	})
}

func (k *killKeys) revoke(id string) bool {
	old := k.live[id]
	k.open = func() {
		there := !k.works(old)
		k.l.decided(there)
		if there {
			delete(k.live, id)
			k.dead = append(k.dead, old)
		}
	}
	status, answer, err := k.l.call(k.l.server.key, "DELETE", "/v1/keys/"+id, "")
	return k.took(status, 204, answer, err, func(killKey) {
		delete(k.live, id)
		k.dead = append(k.dead, old)
	})
}

// took notes an answer.
func (k *killKeys) took(status, want int, answer []byte, err error, note func(killKey)) bool {
	if err != nil {
		return false
	}
	k.open = nil
	var made killKey
	if want != 204 {
		err = json.Unmarshal(answer, &made)
	}
	if status != want || err != nil {
		k.l.fault("keys: %d %s (error %v), want %d", status, answer, err, want)
		return true
	}
	note(made)
	k.changes++
	k.l.ack()
	return true
}

// works tells whether a key is accepted.
func (k *killKeys) works(secret string) bool {
	status, answer, err := k.l.call(secret, "GET", "/v1/indexes", "")
	if err != nil || status != 200 && status != 401 {
		k.l.fault("a key: %d %s (error %v)", status, answer, err)
	}
	return status == 200
}

// names returns the names of the keys that there are, by id.
func (k *killKeys) names() map[string]string {
	var list struct {
		Keys []struct{ ID, Name, State string }
	}
	k.l.must(200, "GET", "/v1/keys?limit=1000", "", &list)
	names := map[string]string{}
	for _, key := range list.Keys {
		if key.State == "active" {
			names[key.ID] = key.Name
		}
	}
	return names
}

func (k *killKeys) settle() {
	if k.open != nil {
		k.open()
		k.open = nil
	}
	for id, secret := range k.live {
		if !k.works(secret) {
			k.l.fault("the key %s, which was acknowledged, is not accepted", id)
		}
	}
	for _, secret := range k.dead[max(0, len(k.dead)-40):] {
		if k.works(secret) {
			k.l.fault("a key that was revoked or replaced is accepted")
		}
	}
	for id, name := range k.names() {
		if slices.Contains(k.absent, name) {
			k.l.fault("the key %s, %q, was not there before", id, name)
		}
	}
}

// killHooks receives the messages of a webhook.
type killHooks struct {
	l          *killLab
	server     *httptest.Server
	unanswered int // batches that were applied without an answer

	mu      sync.Mutex
	acked   map[string]bool   // batches
	arrived map[string]string // message by batch
	news    chan struct{}
}

func newKillHooks(l *killLab) *killHooks {
	h := &killHooks{l: l, acked: map[string]bool{}, arrived: map[string]string{}, news: make(chan struct{}, 1)}
	h.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct {
			Type string
			Data struct{ Batch string }
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the server was killed while it sent
		}
		if err := json.Unmarshal(body, &m); err != nil || m.Type != "batch.applied" {
			l.fault("message %q: %v", body, err)
			return
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		id := r.Header.Get("Webhook-Id")
		if old := h.arrived[m.Data.Batch]; old != "" && old != id {
			l.fault("batch %s is told of in messages %s and %s", m.Data.Batch, old, id)
		}
		h.arrived[m.Data.Batch] = id
		select {
		case h.news <- struct{}{}:
		default:
		}
	}))
	l.t.Cleanup(h.server.Close)
	return h
}

func (h *killHooks) acknowledged(batch string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.acked[batch] = true
}

// missing counts the batches that no message has come of.
func (h *killHooks) missing() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for batch := range h.acked {
		if h.arrived[batch] == "" {
			n++
		}
	}
	return n
}

// drain waits until all messages have come, and compares them with the batches
// that there are.
func (h *killHooks) drain() {
	deadline := time.After(time.Minute)
	for n := h.missing(); n > 0; n = h.missing() {
		select {
		case <-h.news:
		case <-deadline:
			h.l.fault("no message came of %d batches of %d", n, len(h.acked))
			return
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var others int
	for batch := range h.arrived {
		if !h.acked[batch] {
			others++
			h.l.must(200, "GET", "/v1/batch/"+batch, "", nil)
		}
	}
	if others > h.unanswered {
		h.l.fault("messages came of %d batches without an answer, of which %d were applied", others, h.unanswered)
	}
}

// killBulk imports many records.
type killBulk struct {
	l        *killLab
	rnd      *rand.Rand
	n        int            // number of the newest batch
	held     map[string]int // records by batch
	open     string         // batch without an answer
	left     int            // records until the kill
	due      chan struct{}
	imported int
	made     bool // the index is there
}

const bulkBatch = 1000

// begin begins an import; due is closed when enough of it is acknowledged.
func (b *killBulk) begin(due chan struct{}) {
	if b.made {
		b.l.must(204, "DELETE", "/v1/indexes/bulk", "", nil)
	}
	clear(b.held)
	b.l.must(201, "PUT", "/v1/indexes/bulk", `{"fields":[{"name":"batch","type":"keyword","filter":true,"facet":true},{"name":"text","type":"text"}]}`, nil)
	b.made, b.left, b.due = true, *importRecords, due
}

func (b *killBulk) step() bool {
	b.n++
	name := fmt.Sprintf("b%d", b.n)
	list := make([]map[string]any, bulkBatch)
	for i := range list {
		list[i] = map[string]any{"id": fmt.Sprintf("%s-%d", name, i), "batch": name, "text": killText(b.rnd, 40)}
	}
	b.open = name
	status, answer, err := b.l.call(b.l.server.key, "POST", "/v1/batch?index=bulk", lines(list), "Content-Type: "+mediaNDJSON)
	if err != nil {
		return false
	}
	b.open = ""
	var a killAnswer
	if err := json.Unmarshal(answer, &a); status != 201 || err != nil {
		b.l.fault("import: %d %.300s (error %v)", status, answer, err)
		return true
	}
	b.l.hooks.acknowledged(a.ID)
	b.held[name] = bulkBatch
	b.imported += bulkBatch
	if b.left -= bulkBatch; b.left <= 0 && b.left > -bulkBatch {
		close(b.due)
	}
	return true
}

func (b *killBulk) settle() {
	if !b.made {
		return
	}
	var found struct {
		Total  int
		Facets map[string]struct {
			Values []struct {
				Value string
				Count int
			}
		}
	}
	b.l.must(200, "POST", "/v1/search", `{"index":"bulk","limit":0,"facets":[{"field":"batch","limit":1000}]}`, &found)
	there, total := map[string]int{}, 0
	for _, v := range found.Facets["batch"].Values {
		there[v.Value] = v.Count
	}
	if b.open != "" {
		if there[b.open] > 0 {
			b.held[b.open] = bulkBatch
			b.l.hooks.unanswered++
		}
		b.l.decided(there[b.open] > 0)
		b.open = ""
	}
	for _, n := range b.held {
		total += n
	}
	if !maps.Equal(there, b.held) || found.Total != total {
		b.l.fault("the import has %v, a total of %d; want %v", there, found.Total, b.held)
	}
}
