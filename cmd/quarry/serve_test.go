package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var serveArgs = []string{"serve", "--listen", "127.0.0.1:0"}

// clientEnv sets the environment that clients of a server need, for servers
// whose directory is not the usual one.
func (c *cli) clientEnv(r *running) {
	c.env["QUARRY_URL"] = r.url()
}

func TestServeReadyLine(t *testing.T) {
	c := newCLI(t)
	r := c.start(serveArgs...)
	if !regexp.MustCompile(`\Aquarry: ready https://127\.0\.0\.1:\d+ ca=quarry-data/tls/ca\.pem\n\z`).MatchString(r.ready) {
		t.Errorf("ready line %q", r.ready)
	}
	key, err := os.ReadFile("quarry-data/root.key")
	if err != nil {
		t.Fatal(err)
	}
	if log := r.stderr.String(); !strings.Contains(log, "file=quarry-data/root.key") || strings.Contains(log, strings.TrimSpace(string(key))) {
		t.Errorf("the log has to say where the root key is, and never the key:\n%s", log)
	}
	for name, want := range map[string]os.FileMode{"quarry-data": 0o700 | os.ModeDir, "quarry-data/root.key": 0o600, "quarry-data/tls/key.pem": 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v (error %v), want %v", name, info.Mode(), err, want)
		}
	}
	c.clientEnv(r)
	if out := c.must("indexes", "list"); !strings.HasPrefix(out, "INDEX") {
		t.Errorf("a client on the same machine, without key and CA, gets %q", out)
	}
	if code := r.stop(); code != exitDone {
		t.Errorf("exit code %d after a signal\n%s", code, r.stderr.String())
	}
	if again := c.start(serveArgs...); strings.Contains(again.stderr.String(), "made the root key") {
		t.Error("the second start made another root key")
	}
}

func TestServeInsecure(t *testing.T) {
	c := newCLI(t)
	r := c.start("serve", "--insecure-http", "--listen", "127.0.0.1:0", "--data", "d", "--root-key-file", "key", "--memory", "64MiB")
	if !regexp.MustCompile(`\Aquarry: ready http://127\.0\.0\.1:\d+\n\z`).MatchString(r.ready) {
		t.Errorf("ready line %q", r.ready)
	}
	if _, err := os.Stat("key"); err != nil {
		t.Errorf("root key file: %v", err)
	}
	c.clientEnv(r)
	c.env["QUARRY_API_KEY"] = "qk_wrong"
	if code, _, stderr := c.run("indexes", "list"); code != exitFailed || !strings.Contains(stderr, "does not accept the API key") {
		t.Errorf("with a wrong key: exit code %d, %q", code, stderr)
	}
}

func TestServeOwnCertificate(t *testing.T) {
	c := newCLI(t)
	c.start(serveArgs...).stop() // makes a certificate
	r := c.start("serve", "--listen", "127.0.0.1:0", "--tls-cert", "quarry-data/tls/cert.pem", "--tls-key", "quarry-data/tls/key.pem")
	if strings.Contains(r.ready, "ca=") {
		t.Errorf("ready line %q names a CA that does not sign the certificate", r.ready)
	}
	c.clientEnv(r)
	c.must("indexes", "list")
	c.env["QUARRY_CA"] = "quarry-data/tls/key.pem"
	if code, _, stderr := c.run("indexes", "list"); code != exitFailed || !strings.Contains(stderr, "holds no certificate") {
		t.Errorf("with a CA file that is none: exit code %d, %q", code, stderr)
	}
}

// TestServeNamesItself: the certificate of the local CA is for the hosts that
// the service is known by elsewhere, also when these change.
func TestServeNamesItself(t *testing.T) {
	c := newCLI(t)
	c.start(serveArgs...).stop() // makes a certificate without them
	r := c.start(append(slices.Clip(serveArgs), "--tls-host", "search.internal,192.0.2.7")...)
	pool := x509.NewCertPool()
	if ca, err := os.ReadFile(r.value("ca")); err != nil || !pool.AppendCertsFromPEM(ca) {
		t.Fatal("no CA: ", err)
	}
	addr := strings.TrimPrefix(r.url(), "https://")
	for host, known := range map[string]bool{"search.internal": true, "192.0.2.7": true, "localhost": true, "127.0.0.1": true, "other.internal": false} {
		conn, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, ServerName: host})
		if err == nil {
			conn.Close()
		}
		if err == nil != known {
			t.Errorf("as %s: error %v", host, err)
		}
	}
}

func TestClientMistrust(t *testing.T) {
	c := newCLI(t)
	r := c.start("serve", "--listen", "127.0.0.1:0", "--data", "d")
	c.clientEnv(r)
	c.env["QUARRY_API_KEY"] = "qk_any"
	if code, _, stderr := c.run("indexes", "list"); code != exitFailed || !strings.Contains(stderr, "name its CA file with --ca") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	r.stop()
	if code, _, stderr := c.run("indexes", "list"); code != exitFailed || !strings.Contains(stderr, "no server answers") {
		t.Errorf("after the server has stopped: exit code %d, %q", code, stderr)
	}
}

func TestSecondProcess(t *testing.T) {
	c := newCLI(t)
	c.start(serveArgs...)
	for _, args := range [][]string{serveArgs, {"check"}, {"inspect"}, {"search", "--data", "quarry-data"}} {
		code, stdout, stderr := c.run(args...)
		says := "quarry: data directory quarry-data is in use by another process"
		if code != exitFailed || !strings.HasPrefix(stderr, says) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("quarry %v beside a server: exit code %d, %q, %q, want one line with %q", args, code, stdout, stderr, says)
		}
	}
}

func TestForeignDirectory(t *testing.T) {
	c := newCLI(t)
	c.write("d/notes.txt", "mine")
	code, _, stderr := c.run("serve", "--listen", "127.0.0.1:0", "--data", "d")
	if code != exitFailed || !strings.Contains(stderr, "d holds other files") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if files, err := filepath.Glob("d/*"); err != nil || len(files) != 1 {
		t.Errorf("the directory now holds %v", files)
	}
}

func TestAddressInUse(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c := newCLI(t)
	c.must("import", c.write("a.ndjson", `{"id":1}`), "--data", "quarry-data")
	code, stdout, stderr := c.run("serve", "--listen", ln.Addr().String())
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, "address already in use") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	c.must("check")
}

// A signal that comes before the service is ready ends it well.
func TestStopBeforeReady(t *testing.T) {
	c := newCLI(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log strings.Builder
	if code := c.program(&out, &log).run(ctx, serveArgs); code != exitDone || out.String() != "" {
		t.Errorf("exit code %d, %q\n%s", code, out.String(), log.String())
	}
	c.must("check")
}

// A request under way when the signal comes is answered, and what it wrote is
// kept.
func TestGracefulStop(t *testing.T) {
	c := newCLI(t)
	r := c.start(serveArgs...)
	pem, err := os.ReadFile(r.value("ca"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile("quarry-data/root.key")
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ExpectContinueTimeout: time.Minute}
	defer transport.CloseIdleConnections()
	body, feed := io.Pipe()
	req, err := http.NewRequest(http.MethodPost, r.url()+"/v1/batch?index=late", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(key)))
	req.Header.Set("Content-Type", mediaNDJSON)
	req.Header.Set("Expect", "100-continue") // the body is read only once the server asks for it
	status := make(chan int, 1)
	go func() {
		res, err := (&http.Client{Transport: transport}).Do(req)
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		res.Body.Close()
		status <- res.StatusCode
	}()
	io.WriteString(feed, "{\"id\":1,")
	r.cancel()
	io.WriteString(feed, "\"t\":\"kept\"}\n")
	feed.Close()
	if got := <-status; got != http.StatusCreated {
		t.Errorf("the request under way is answered with status %d", got)
	}
	if code := r.stop(); code != exitDone {
		t.Errorf("exit code %d\n%s", code, r.stderr.String())
	}
	if out := c.must("search", "kept", "--data", "quarry-data"); !strings.Contains(out, `"total":1`) {
		t.Errorf("what it wrote is gone: %s", out)
	}
	c.must("check")
}

func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := newCLI(t)
	r := c.start("demo", "--listen", "127.0.0.1:0")
	if !regexp.MustCompile(`\Aquarry: ready https://127\.0\.0\.1:\d+ ca=\S+/ca\.pem key=qk_\S+\n\z`).MatchString(r.ready) {
		t.Errorf("ready line %q", r.ready)
	}
	if want := "\n  " + r.url() + "/#key=" + r.value("key") + "\n"; !strings.Contains(r.stderr.String(), want) {
		t.Errorf("the address of the search page is not in\n%s", r.stderr.String())
	}
	c.clientEnv(r)
	c.env["QUARRY_CA"], c.env["QUARRY_API_KEY"] = r.value("ca"), r.value("key")
	if out := c.must("search", "red running shoes", "--index", "products", "--limit", "1"); !strings.Contains(out, `"color":"red"`) || !strings.Contains(out, `"category":"Running Shoes"`) {
		t.Errorf("red running shoes finds %s", out)
	}
	if out := c.must("search", "--filter", "number = 79", "--index", "elements"); !strings.Contains(out, `"name":"Gold"`) {
		t.Errorf("element 79 is %s", out)
	}
	if code := r.stop(); code != exitDone {
		t.Errorf("exit code %d", code)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*"); len(left) != 0 {
		t.Errorf("demo leaves %v behind", left)
	}
	if left, _ := filepath.Glob("*"); len(left) != 0 {
		t.Errorf("demo leaves %v behind", left)
	}
}

func TestServeWithoutPage(t *testing.T) {
	c := newCLI(t)
	for flag, want := range map[string]int{"--no-page": http.StatusNotFound, "--no-page=false": http.StatusOK} {
		r := c.start("demo", "--insecure-http", "--listen", "127.0.0.1:0", flag)
		res, err := http.Get(r.url() + "/")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("with %s the page has status %d, want %d", flag, res.StatusCode, want)
		}
		if told := strings.Contains(r.stderr.String(), "search page"); told != (want == http.StatusOK) {
			t.Errorf("with %s demo says\n%s", flag, r.stderr.String())
		}
		r.stop()
	}
}

// The usual port may be taken by a server that is running: demo takes another.
func TestDemoFindsAPort(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if got := freeOr(t.Context(), ln.Addr().String()); got != "127.0.0.1:0" {
		t.Errorf("in place of a port in use: %s", got)
	}
}

// TestServeTriesBeforeItMakes: an address that is taken, and a certificate that
// is not there, are found before there is a data directory.
func TestServeTriesBeforeItMakes(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	c := newCLI(t)
	for _, tc := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"serve", "--listen", taken.Addr().String()}, exitFailed, "address already in use"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", taken.Addr().String()}, exitFailed, "address already in use"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--tls-cert", "no.pem", "--tls-key", "no.key"}, exitUsage, "--tls-cert and --tls-key: "},
	} {
		code, out, stderr := c.run(tc.args...)
		if code != tc.code || out != "" || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("quarry %v: exit code %d, %q, %q", tc.args, code, out, stderr)
		}
		if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
			t.Fatalf("quarry %v made %v, %v", tc.args, made, err)
		}
	}
	r := c.start(serveArgs...)
	address := strings.TrimPrefix(r.url(), "https://")
	if code, _, stderr := c.run("serve", "--listen", address); code != exitFailed || !strings.Contains(stderr, "quarry-data is in use by another process") {
		t.Errorf("a second server of the same directory and address: exit code %d, %q", code, stderr)
	}
}

// Without auto-creation a misspelt name makes no index.
func TestServeWithoutAutoCreation(t *testing.T) {
	c := newCLI(t)
	for flag, want := range map[string]int{"--auto-create=false": http.StatusNotFound, "--auto-create=true": http.StatusCreated} {
		r := c.start("serve", "--insecure-http", "--listen", "127.0.0.1:0", "--data", "d"+flag[len(flag)-4:], "--memory", "64MiB", flag, "--root-key-file", "key")
		key, err := os.ReadFile("key")
		if err != nil {
			t.Fatal(err)
		}
		for path, body := range map[string]string{"/v1/batch": `{"index":"prodcuts","records":[{"id":"1"}]}`, "/v1/record/1?index=other": `{"a":1}`} {
			method := http.MethodPost
			if strings.Contains(path, "record") {
				method = http.MethodPut
			}
			req, err := http.NewRequestWithContext(t.Context(), method, r.url()+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(key)))
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if missing := strings.Contains(string(text), `"index_not_found"`); res.StatusCode != want || missing != (want == http.StatusNotFound) {
				t.Errorf("%s %s: %d %s", flag, path, res.StatusCode, text)
			}
		}
		r.stop()
	}
}
