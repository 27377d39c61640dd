package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var (
	kills         = flag.Int("kills", 5, "how often TestKill kills the server under load")
	recoveryKills = flag.Int("recovery-kills", 2, "how often TestKill kills it while it starts again")
	importRecords = flag.Int("import-records", 5000, "records that an import has brought when TestKill kills the server in the middle of it")
	killSeed      = flag.Uint64("kill-seed", 0, "of what TestKill does (default: by the clock)")
)

// TestKill kills the server again and again while clients change all that it
// keeps, and compares what is there after each start with what was
// acknowledged: records of two indexes, keys, usage, messages of webhooks, and
// the answers kept for idempotency keys. A request without an answer is there as
// a whole or not at all, and stays so.
func TestKill(t *testing.T) {
	t.Chdir(t.TempDir())
	l := newKillLab(t)
	l.run(*kills, *recoveryKills)
	t.Logf("%d kills, %d of them in the middle of an import, and %d kills during the start", *kills, len(l.importing), l.startKills)
}

// run kills the server a number of times under load, every fifth time in the
// middle of an import, and a number of times while it starts again.
func (l *killLab) run(kills, startKills int) {
	for n := range kills {
		importing := n%5 == 4
		l.load(importing)
		l.killStart((n+1)*startKills/kills - n*startKills/kills)
		l.start(importing)
		l.verify()
		if n%20 == 19 {
			l.t.Logf("%d kills: %d changes acknowledged, %d wrong", n+1, l.changes.Load(), l.wrong.Load())
		}
	}
	l.hooks.drain()
	l.stop()
	l.t.Logf("acknowledged: %d changes of records, %d of keys, %d records imported; seen by %d searches, %d messages of %d acknowledged batches",
		l.changes.Load(), l.keys.changes, l.bulk.imported, l.searches.Load(), len(l.hooks.arrived), len(l.hooks.acked))
	l.t.Logf("without an answer: %d were there, %d were not; wrong: %d", l.there, l.absent, l.wrong.Load())
	l.t.Logf("start to ready: %s; after an import: %s", quantiles(l.starts), quantiles(l.importing))
}

// killLab is a server that is killed, and its clients.
type killLab struct {
	t       testing.TB
	seed    uint64
	rnd     *rand.Rand
	server  *process
	http    *http.Client
	clients []killClient
	readers []*killReader
	keys    *killKeys
	bulk    *killBulk
	hooks   *killHooks

	kill    func()       // ends the server; after it the disk has what had to be on it
	left    atomic.Int64 // acknowledgements until the kill
	due     chan struct{}
	version atomic.Uint64 // newest that was acknowledged

	changes, searches, wrong atomic.Int64
	there, absent            int
	starts, importing        []time.Duration
	startKills               int
}

// killClient is a client that knows what the server has acknowledged to it.
type killClient interface {
	// step sends one request; false says that no answer came.
	step() bool
	// settle finds out, after a start, what became of the request without an
	// answer, and compares everything else with what was acknowledged.
	settle()
}

func newKillLab(t testing.TB) *killLab {
	l := &killLab{t: t, seed: *killSeed}
	l.kill = func() { l.server.kill() }
	if l.seed == 0 {
		l.seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", l.seed)
	l.rnd = rand.New(rand.NewPCG(l.seed, 0))
	l.hooks = newKillHooks(l)
	l.start(false)
	schema := `{"fields":[{"name":"writer","type":"keyword","filter":true},{"name":"kind","type":"keyword","filter":true},{"name":"n","type":"int","filter":true},{"name":"text","type":"text"}]}`
	for _, name := range []string{"one", "two"} {
		l.must(201, "PUT", "/v1/indexes/"+name, schema, nil)
	}
	l.must(201, "POST", "/v1/webhooks", `{"url":"`+l.hooks.server.URL+`/","events":["batch.applied"]}`, nil)
	writing, searching := l.newKey("writing"), l.newKey("searching")
	l.keys = &killKeys{l: l, rnd: rand.New(rand.NewPCG(l.seed, 1)), live: map[string]string{}}
	l.bulk = &killBulk{l: l, rnd: rand.New(rand.NewPCG(l.seed, 2)), held: map[string]int{}}
	l.clients = append(l.clients, l.keys)
	for i := range 3 {
		w := &killWriter{l: l, name: fmt.Sprintf("w%d", i), key: writing, rnd: rand.New(rand.NewPCG(l.seed, uint64(10+i))), held: map[string]int{}}
		r := &killReader{l: l, of: w, key: searching}
		l.clients = append(l.clients, w, r)
		l.readers = append(l.readers, r)
	}
	return l
}

// start starts the server and notes how long that took.
func (l *killLab) start(importing bool) {
	l.t.Helper()
	begin := time.Now()
	l.server = spawn(l.t, nil, "serve", "--listen", "127.0.0.1:0", "--webhook-allow", "127.0.0.1")
	took := time.Since(begin)
	if importing {
		l.importing = append(l.importing, took)
	} else {
		l.starts = append(l.starts, took)
	}
	l.http = trusting(l.t, l.server.value("ca"))
	l.http.Timeout = time.Minute
	tr := l.http.Transport.(*http.Transport)
	tr.DisableKeepAlives, tr.MaxIdleConnsPerHost = false, 32
}

// load lets all clients work until the server has acknowledged a number of
// changes, or enough of an import, and kills it.
func (l *killLab) load(importing bool) {
	clients := l.clients
	l.due = make(chan struct{})
	if importing {
		l.left.Store(1 << 60)
		clients = append(slices.Clone(clients), l.bulk)
		l.bulk.begin(l.due)
	} else {
		l.left.Store(1 + l.rnd.Int64N(150))
	}
	var working sync.WaitGroup
	var over atomic.Bool
	for _, c := range clients {
		working.Go(func() {
			for !over.Load() && c.step() {
			}
		})
	}
	<-l.due
	killed := time.Now()
	l.kill()
	over.Store(true)
	working.Wait()
	for _, r := range l.readers {
		r.cut(killed)
	}
	l.http.CloseIdleConnections()
}

// killStart kills the server while it starts, n times.
func (l *killLab) killStart(n int) {
	usual := l.starts[len(l.starts)-1]
	for range n {
		p := launch(l.t, nil, "serve", "--listen", "127.0.0.1:0", "--webhook-allow", "127.0.0.1")
		<-time.After(time.Duration(l.rnd.Int64N(int64(usual * 3 / 2))))
		p.kill()
		l.startKills++
		if strings.Contains(p.log.String(), "panic") {
			l.fault("a start that was killed: %s", p.log.String())
		}
	}
}

// verify compares what there is with what was acknowledged.
func (l *killLab) verify() {
	for _, c := range l.clients {
		c.settle()
	}
	l.bulk.settle()
	for _, r := range l.readers[:1] {
		r.checkUsage()
	}
}

// stop ends the server as an operator does and has its directory checked.
func (l *killLab) stop() {
	l.http.CloseIdleConnections()
	if err := l.server.Process.Signal(syscall.SIGTERM); err != nil {
		l.t.Fatal(err)
	}
	if err := l.server.Wait(); err != nil {
		l.fault("the end: %v\n%s", err, l.server.log.String())
	}
	if out := l.done("check"); !strings.Contains(out, "all is well") {
		l.fault("check: %s", out)
	}
}

// ack notes that a change was acknowledged.
func (l *killLab) ack() {
	l.changes.Add(1)
	if l.left.Add(-1) == 0 {
		close(l.due)
	}
}

// fault reports something wrong, the first ones in full.
func (l *killLab) fault(format string, args ...any) {
	l.t.Helper()
	if l.wrong.Add(1) <= 10 {
		l.t.Errorf("seed %d: "+format, append([]any{l.seed}, args...)...)
	} else {
		l.t.Fail()
	}
}

// call sends a request. An error says that there was no whole answer.
func (l *killLab) call(key, method, path, body string, headers ...string) (status int, answer []byte, err error) {
	req, err := http.NewRequest(method, l.server.url()+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		req.Header.Set("Content-Type", mediaJSON)
	}
	for _, h := range headers {
		name, v, _ := strings.Cut(h, ": ")
		req.Header.Set(name, v)
	}
	res, err := l.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// must sends a request with the root key to a server that is not killed.
func (l *killLab) must(want int, method, path, body string, to any, headers ...string) {
	l.t.Helper()
	status, answer, err := l.call(l.server.key, method, path, body, headers...)
	if err == nil && status == want && to != nil {
		err = json.Unmarshal(answer, to)
	}
	if err != nil || status != want {
		l.t.Fatalf("seed %d: %s %s: %d %.500s (error %v)\n%s", l.seed, method, path, status, answer, err, l.server.log.String())
	}
}

// killKey is an API key.
type killKey struct{ ID, Key string }

func (l *killLab) newKey(name string) killKey {
	l.t.Helper()
	var k killKey
	l.must(201, "POST", "/v1/keys", `{"name":"`+name+`","scopes":["*"],"rate":{"per_second":100000,"burst":100000}}`, &k)
	return k
}

// decided counts what became of a request without an answer.
func (l *killLab) decided(there bool) {
	if there {
		l.there++
	} else {
		l.absent++
	}
}

func quantiles(d []time.Duration) string {
	if len(d) == 0 {
		return "none"
	}
	s := slices.Sorted(slices.Values(d))
	return fmt.Sprintf("p50 %v, max %v of %d", s[len(s)/2].Round(time.Millisecond), s[len(s)-1].Round(time.Millisecond), len(s))
}

// lines joins values as NDJSON.
func lines[T any](list []T) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, v := range list {
		e.Encode(v)
	}
	return b.String()
}
