package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
)

// usedOn makes a data directory of a service that one key has searched once on
// each of some days; all but the last are closed.
func usedOn(t *testing.T, dir string, days ...string) {
	t.Helper()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	key := httpapi.GenerateKey()
	hash, err := httpapi.HashKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range days {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		s, err := httpapi.New(httpapi.Config{Engine: e, RootKey: hash, Now: func() time.Time { return at.Add(time.Hour) }})
		if err != nil {
			t.Fatal(err)
		}
		c := client{base: "http://localhost", key: key, http: &http.Client{Transport: handlerTransport{s.Handler()}}}
		if _, err := c.call(t.Context(), http.MethodPost, "/v1/search", mediaJSON, []byte(`{}`), nil); err != nil {
			t.Fatal(err)
		}
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if err := s.Serve(ended, ln); err != nil { // writes the usage down
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestUsage(t *testing.T) {
	c := newCLI(t)
	usedOn(t, "d", "2026-11-01", "2026-11-02", "2026-11-04", "2026-11-05")
	c.env["QUARRY_DATA"] = "d"
	out := c.must("usage")
	for _, line := range []string{
		`DAY +KEY +SEARCHES +WRITES +RECORDS +SIZE +CHAIN`,
		`2026-11-02 +key_[0-9A-Za-z]{8} +1 +0 +0 +\S+ \S+ +sha256:[0-9a-f]{12}`,
		`2026-11-05 +key_[0-9A-Za-z]{8} +1 +0 +0 +\S+ \S+ *`,
		`total +4 +0`,
		`head sha256:[0-9a-f]{64}`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("usage prints\n%s\nwithout a line %q", out, line)
		}
	}
	if out := c.must("usage", "--from", "2026-11-02", "--to", "2026-11-05", "--group", "key"); !regexp.MustCompile(`(?m)^all +key_\S+ +2 `).MatchString(out) || strings.Contains(out, "2026-11") {
		t.Errorf("by key:\n%s", out)
	}
	if code, _, stderr := c.run("usage", "--from", "last week"); code != exitUsage || !strings.Contains(stderr, "--from: must be a day") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func TestUsageVerify(t *testing.T) {
	c := newCLI(t)
	usedOn(t, "d", "2026-11-01", "2026-11-02", "2026-11-04", "2026-11-05")
	c.env["QUARRY_DATA"] = "d"
	if out := c.must("usage", "verify"); !strings.HasPrefix(out, "3 rows are intact; 1 of days that are not over\nhead sha256:") {
		t.Errorf("verify prints %q", out)
	}
	usedOn(t, "new", "2026-11-05")
	if out := c.must("usage", "verify", "--data", "new"); out != "0 rows are intact; 1 of days that are not over\n" {
		t.Errorf("verify without closed days prints %q", out)
	}
	answer := c.must("usage", "--json")
	head := regexp.MustCompile(`"head":"(sha256:[0-9a-f]+)"`).FindStringSubmatch(answer)[1]
	usedOn(t, "other", "2026-11-01")
	if out := c.must("usage", "verify", "--head", head); !strings.Contains(out, "3 rows are intact") {
		t.Errorf("verify --head prints %q", out)
	}
	if code, out, stderr := c.run("usage", "verify", "--head", strings.Replace(head, "sha256:", "sha256:0", 1)); code != exitFailed || !strings.Contains(out, "no row has the chain") {
		t.Errorf("with a head of another chain: exit code %d, %q, %q", code, out, stderr)
	}
	c.write("usage.json", answer)
	if out := c.must("usage", "verify", "usage.json"); !strings.Contains(out, "3 rows are intact") {
		t.Errorf("verify FILE prints %q", out)
	}
	c.stdin = strings.Replace(answer, `"searches":1,`, `"searches":0,`, 1)
	code, out, stderr := c.run("usage", "verify", "-")
	if code != exitFailed || !regexp.MustCompile(`(?m)^row 1 \(2026-11-01, key_\S+\) was changed`).MatchString(out) || stderr != "quarry: the usage was altered: 1 flaw in the chain\n" {
		t.Errorf("altered: exit code %d, %q, %q", code, out, stderr)
	}
	if code, out, _ := c.run("usage", "verify", "-", "--json"); code != exitFailed || !strings.HasPrefix(out, `{"flaws":["row 1 (2026-11-01`) {
		t.Errorf("altered, as JSON: exit code %d, %q", code, out)
	}
	c.stdin = c.must("usage", "--json", "--from", "2026-11-02")
	if out := c.must("usage", "verify", "-"); !strings.HasPrefix(out, "2 rows, a part of the chain, are intact;") {
		t.Errorf("a part: %q", out)
	}
}

// An altered row is found in the data directory as well.
func TestUsageVerifyFindsAlteredRows(t *testing.T) {
	c := newCLI(t)
	usedOn(t, "d", "2026-11-01", "2026-11-02", "2026-11-04")
	e, err := engine.Open("d", nil)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range e.Rows("http/usage/day/2026-11-02/") {
		if err != nil {
			t.Fatal(err)
		}
		row.Value = bytes.Replace(row.Value, []byte(`"searches":1`), []byte(`"searches":7`), 1)
		if err := e.PutRows(t.Context(), []engine.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, _ := c.run("usage", "verify", "--data", "d")
	if code != exitFailed || !strings.HasPrefix(out, "row 2 (2026-11-02, key_") || strings.Count(out, "\n") != 2 {
		t.Errorf("exit code %d, %q", code, out)
	}
}

// usageLate is how old a search has to be to be surely in the usage after a
// kill. A second is promised; a busy machine takes longer.
const usageLate = 5 * time.Second

// slow is how many times longer than promised something may take in a test
// before it fails: the race detector and a busy machine are no faults.
const slow = 10

// A server that is killed has counted every write that it has acknowledged, and
// lost the searches of its last second at most. Nothing is counted twice. The
// test allows four seconds more, as the machine may be busy.
func TestUsageAfterAKill(t *testing.T) {
	const life, late = usageLate + time.Second, usageLate
	c := newCLI(t)
	p := spawn(t, nil, serveArgs...)
	transport := trusting(t, p.value("ca"))
	transport.Transport.(*http.Transport).DisableKeepAlives = false
	defer transport.CloseIdleConnections()
	api := client{base: p.url(), key: p.key, http: transport}
	var searched []time.Time // when each answer came
	var sent, acknowledged int64
	begin := time.Now()
	var both sync.WaitGroup
	both.Go(func() {
		for {
			if _, err := api.call(t.Context(), http.MethodPost, "/v1/search", mediaJSON, []byte(`{}`), nil); err != nil {
				return
			}
			searched = append(searched, time.Now())
		}
	})
	both.Go(func() {
		for {
			sent += 3
			if _, err := api.call(t.Context(), http.MethodPost, "/v1/batch", mediaJSON, []byte(`{"index":"i","records":[{},{},{}]}`), nil); err != nil {
				return
			}
			acknowledged += 3
			if time.Since(begin) > life {
				p.Process.Kill()
			}
		}
	})
	both.Wait()
	p.Wait()
	killed := time.Now()
	var u usageAnswer
	if err := json.Unmarshal([]byte(c.must("usage", "--data", "quarry-data", "--group", "key", "--json")), &u); err != nil {
		t.Fatal(err)
	}
	if len(u.Rows) != 1 {
		t.Fatalf("rows %+v", u.Rows)
	}
	var least int64
	for _, at := range searched {
		if killed.Sub(at) > late {
			least++
		}
	}
	got := u.Rows[0]
	if got.Writes < acknowledged || got.Writes > sent {
		t.Errorf("%d writes counted, %d acknowledged, %d sent", got.Writes, acknowledged, sent)
	}
	if got.Searches < least || got.Searches > int64(len(searched))+1 || least == 0 {
		t.Errorf("%d searches counted, %d answered in time, %d in all", got.Searches, least, len(searched))
	}
	if indexed := c.must("search", "--data", "quarry-data", "--limit", "1", ""); !strings.Contains(indexed, fmt.Sprintf(`"total":%d`, got.Writes)) {
		t.Errorf("%d writes counted, and %s", got.Writes, indexed)
	}
}

func TestUsageOfAServer(t *testing.T) {
	c := newCLI(t)
	r := c.start(serveArgs...)
	c.clientEnv(r)
	c.run("search", "x")
	c.must("import", c.write("shop.ndjson", "{\"id\":1,\"title\":\"a\"}\n{\"id\":2,\"title\":\"b\"}\n"))
	c.must("search", "a")
	if out := c.must("usage"); !regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d +key_\S+ +2 +2 `).MatchString(out) {
		t.Errorf("usage prints\n%s", out)
	}
	r.stop()
	if _, err := os.Stat("quarry-data"); err != nil {
		t.Fatal(err)
	}
	if out := c.must("usage", "--data", "quarry-data", "--group", "key"); !regexp.MustCompile(`(?m)^all +key_\S+ +2 +2 `).MatchString(out) {
		t.Errorf("after the end, usage prints\n%s", out)
	}
}
