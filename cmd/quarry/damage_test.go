package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var damages = flag.Int("damages", 12, "how many damaged directories TestDamagedFiles starts a server on")

// logTail is the end of the log that half of its damages hit: the end is what is
// hardest to tell from a write that a crash interrupted.
const logTail = 32 << 10

// TestDamagedFiles damages one file of a data directory that a killed server has
// left, each in turn, and starts a server on it. It ends with a line that names
// what is damaged, or what it answers with 200 is what it answered before.
func TestDamagedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	d := newDamageLab(t)
	seed := *killSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	outcomes := map[string]int{}
	for n := range *damages {
		file := d.files[n%len(d.files)]
		kind := damageKinds[(n/len(d.files)+n)%len(damageKinds)]
		name := fmt.Sprintf("seed %d, %d: %s in %s", seed, n, kind, file)
		if err := os.RemoveAll("quarry-data"); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS("quarry-data", os.DirFS("good")); err != nil {
			t.Fatal(err)
		}
		d.damage(rnd, kind, file)
		outcomes[d.try(name, file)]++
	}
	t.Logf("%d damages of %d files: %v", *damages, len(d.files), outcomes)
}

var damageKinds = []string{"a flipped bit", "512 zeros", "a truncation"}

// damageLab is a directory called good, and what a server on it answers.
type damageLab struct {
	t      *testing.T
	files  []string // below the directory
	before map[string]string
	tail   int // records of the index tail
}

// questions are asked with the root key; each answer has to be what it was.
var questions = []string{
	`POST /v1/search {"q":"word1 word2","index":["one","two"],"limit":100}`,
	`POST /v1/search {"index":["one","two"],"facets":["kind"],"sort":"n:desc","limit":100}`,
	`POST /v1/search {"filter":"n > 50","index":["one","two"],"limit":1000}`,
	`POST /v1/search {"q":"wrod3","index":"one"}`,
	`GET /v1/record/r7?index=one`,
	`GET /v1/records?index=two&limit=1000`,
	`GET /v1/keys`,
	`GET /v1/webhooks`,
}

func newDamageLab(t *testing.T) *damageLab {
	d := &damageLab{t: t, before: map[string]string{}}
	rnd := rand.New(rand.NewPCG(7, 7))
	schema := `{"fields":[{"name":"kind","type":"keyword","filter":true,"facet":true},{"name":"n","type":"int","filter":true,"sort":true},{"name":"text","type":"text"}]}`
	fill := func(s *damagedServer, indexes ...string) {
		for _, index := range indexes {
			s.must("PUT", "/v1/indexes/"+index, schema)
			for n := range 10 {
				var list []killRecord
				for i := range 30 {
					list = append(list, killRecord{ID: fmt.Sprintf("r%d", 30*n+i), Kind: fmt.Sprintf("k%d", i%5), N: 30*n + i, Text: killText(rnd, 30)})
				}
				s.must("POST", "/v1/batch?index="+index, lines(list), "Content-Type: "+mediaNDJSON)
			}
		}
		s.must("POST", "/v1/keys", `{"name":"some key","scopes":["search"]}`)
		s.must("POST", "/v1/webhooks", `{"url":"https://shop.example/","events":["batch.failed"]}`)
	}
	s := startDamaged(t)
	fill(s, "one")
	s.process.Process.Signal(os.Interrupt) // what is in memory is written to tables
	s.process.Wait()
	s = startDamaged(t)
	fill(s, "two")
	s.must("PUT", "/v1/indexes/tail", schema)
	for n := range 100 {
		s.must("POST", "/v1/batch", fmt.Sprintf(`{"index":"tail","records":[{"id":"%d","n":%d,"text":"%x"}]}`, n, n, randomHex(400)))
	}
	s.process.kill()
	if err := os.Rename("quarry-data", "good"); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS("quarry-data", os.DirFS("good")); err != nil {
		t.Fatal(err)
	}
	s = startDamaged(t)
	for _, q := range questions {
		status, answer := s.ask(q)
		if status != 200 {
			t.Fatalf("%s: %d %s", q, status, answer)
		}
		d.before[q] = answer
	}
	if d.tail = s.tail(); d.tail != 100 {
		t.Fatalf("%d records in tail", d.tail)
	}
	s.process.kill()
	err := filepath.WalkDir("good", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() > 0 {
			d.files = append(d.files, strings.TrimPrefix(name, "good/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"QUARRY", "root.key", "tls/key.pem", ".sst", ".log", "MANIFEST", "OPTIONS"} {
		if !slices.ContainsFunc(d.files, func(f string) bool { return strings.Contains(f, want) }) {
			t.Fatalf("no %s among %v", want, d.files)
		}
	}
	return d
}

// damage damages a file of quarry-data.
func (d *damageLab) damage(rnd *rand.Rand, kind, file string) {
	d.t.Helper()
	path := filepath.Join("quarry-data", file)
	data, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	at := rnd.IntN(len(data))
	if strings.HasSuffix(file, ".log") && rnd.IntN(2) == 0 {
		at = max(0, len(data)-2*logTail) + rnd.IntN(min(len(data), 2*logTail))
	}
	switch kind {
	case "a flipped bit":
		data[at] ^= 1 << rnd.IntN(8)
	case "512 zeros":
		clear(data[at:min(at+512, len(data))])
	default:
		data = data[:at]
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// try starts a server on the damaged directory and tells how that ended.
func (d *damageLab) try(name, file string) string {
	t := d.t
	// A server may write a table anew; what it has not read of it is gone then.
	if strings.HasSuffix(file, ".sst") {
		check := launch(t, nil, "check")
		said, _ := io.ReadAll(check.out)
		check.Wait()
		if check.ProcessState.ExitCode() != exitFailed || strings.Contains(check.log.String(), "goroutine ") {
			t.Errorf("%s: check finds nothing: %s%s", name, said, check.log.String())
		}
	}
	p := launch(t, nil, "serve", "--listen", "127.0.0.1:0")
	defer p.kill()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.Wait()
		log := strings.TrimSpace(p.log.String())
		last := log[strings.LastIndexByte(log, '\n')+1:]
		switch {
		case p.ProcessState.ExitCode() != exitFailed || !strings.HasPrefix(last, "quarry: ") || strings.Contains(log, "goroutine "):
			t.Errorf("%s: ends with %v\n%s", name, p.ProcessState, log)
		case !strings.Contains(log, filepath.Base(file)):
			t.Errorf("%s: the reason does not name the file: %s", name, log)
		}
		return "refused"
	}
	p.ready = line
	s := &damagedServer{t: t, process: p}
	if !s.connect() {
		t.Errorf("%s: serves, and nobody can connect", name)
		return "wrong"
	}
	outcome := "harmless"
	for _, q := range questions {
		status, answer := s.ask(q)
		switch {
		case status == 200 && answer == d.before[q]:
		case status == 500 && strings.Contains(answer, `"corruption"`):
			outcome = "reported in answers"
			if !strings.Contains(p.log.String(), filepath.Base(file)) {
				t.Errorf("%s: the log does not name the file:\n%s", name, p.log.String())
			}
		default:
			t.Errorf("%s: %s: %d %.1000s\nwant %.1000s", name, q, status, answer, d.before[q])
			outcome = "wrong"
		}
	}
	switch n := s.tail(); {
	case n == d.tail:
	case n < 0: // said so
		outcome = "reported in answers"
	default:
		t.Errorf("%s: %d of %d records without a word", name, n, d.tail)
		outcome = "wrong"
	}
	if log := p.log.String(); strings.Contains(log, "goroutine ") {
		t.Errorf("%s:\n%s", name, log)
	}
	return outcome
}

// damagedServer is a server on quarry-data.
type damagedServer struct {
	t       *testing.T
	process *process
	http    *http.Client
	key     string
}

func startDamaged(t *testing.T) *damagedServer {
	t.Helper()
	s := &damagedServer{t: t, process: spawn(t, nil, "serve", "--listen", "127.0.0.1:0")}
	if !s.connect() {
		t.Fatal("no connection")
	}
	return s
}

// connect reads key and CA as a client on the same machine does.
func (s *damagedServer) connect() bool {
	key, err := os.ReadFile("quarry-data/root.key")
	if err != nil {
		s.t.Fatal(err)
	}
	s.key = strings.TrimSpace(string(key))
	s.http = trusting(s.t, s.process.value("ca"))
	s.http.Timeout = time.Minute
	s.http.Transport.(*http.Transport).DisableKeepAlives = false
	s.t.Cleanup(s.http.CloseIdleConnections)
	status, _ := s.call("GET", "/v1/limits", "")
	return status == 200
}

func (s *damagedServer) call(method, path, body string, headers ...string) (int, string) {
	l := killLab{t: s.t, server: s.process, http: s.http}
	status, answer, err := l.call(s.key, method, path, body, headers...)
	if err != nil {
		return 0, err.Error()
	}
	return status, string(answer)
}

func (s *damagedServer) must(method, path, body string, headers ...string) {
	s.t.Helper()
	if status, answer := s.call(method, path, body, headers...); status != 201 {
		s.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
}

// ask asks one of the questions and returns the answer without what differs
// each time.
func (s *damagedServer) ask(question string) (int, string) {
	parts := strings.SplitN(question, " ", 3)
	status, answer := s.call(parts[0], parts[1], strings.Join(parts[2:], ""))
	var v map[string]any
	if status != 200 || json.Unmarshal([]byte(answer), &v) != nil {
		return status, answer
	}
	for _, changing := range []string{"took_ms", "version"} {
		delete(v, changing)
	}
	if keys, ok := v["keys"].([]any); ok {
		for _, k := range keys {
			delete(k.(map[string]any), "last_day")
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return status, string(text)
}

// tail returns how many records the index tail has, which must be those that
// were written first. -1 says that the server reports damage.
func (s *damagedServer) tail() int {
	status, answer := s.call("POST", "/v1/search", `{"index":"tail","limit":1000,"sort":"n:asc"}`)
	var f killFound
	if err := json.Unmarshal([]byte(answer), &f); status == 500 && strings.Contains(answer, `"corruption"`) {
		return -1
	} else if status == 404 {
		return 0
	} else if status != 200 || err != nil {
		s.t.Errorf("tail: %d %s", status, answer)
		return -1
	}
	for i, h := range f.Hits {
		if h.Record.N != i {
			s.t.Errorf("record %d of tail is %d", i, h.Record.N)
		}
	}
	return f.Total
}
