package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// get asks for a path and returns the status and the body.
func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// trusting returns a client that trusts a CA file.
func trusting(t testing.TB, file string) *http.Client {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}
	return &http.Client{Transport: tr}
}

func TestAdminListen(t *testing.T) {
	c := newCLI(t)
	c.env["QUARRY_ADMIN_LISTEN"] = "127.0.0.1:0"
	r := c.start(serveArgs...)
	client := trusting(t, r.value("ca"))
	admin := r.value("admin")
	for path, want := range map[string]struct {
		status int
		part   string
	}{
		"/metrics":                  {200, "quarry_build_info{"},
		"/healthz":                  {200, "ok"},
		"/readyz":                   {200, "ready"},
		"/debug/pprof/":             {404, "route_not_found"},
		"/debug/pprof/heap?debug=1": {404, "route_not_found"},
		"/v1/indexes":               {401, "missing_api_key"},
	} {
		if status, body := get(t, client, admin+path); status != want.status || !strings.Contains(body, want.part) {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if status, _ := get(t, client, r.url()+path); status != 404 {
			t.Errorf("the service answers %s with %d", path, status)
		}
	}
	if code := r.stop(); code != exitDone {
		t.Errorf("exit code %d\n%s", code, r.stderr.String())
	}
}

func TestAdminPlainAndDebug(t *testing.T) {
	c := newCLI(t)
	c.write("quarry.toml", "debug = true\nadmin-listen = \"127.0.0.1:0\"\n")
	r := c.start("serve", "--insecure-http", "--listen", "127.0.0.1:0")
	admin := r.value("admin")
	if !strings.HasPrefix(admin, "http://") {
		t.Fatalf("ready line %q", r.ready)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap?debug=1", "/debug/pprof/goroutine?debug=2", "/debug/pprof/cmdline", "/debug/pprof/symbol"} {
		if status, body := get(t, client, admin+path); status != 200 || body == "" {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
}

// Beyond the machine the figures need a key.
func TestAdminAsksForAKey(t *testing.T) {
	c := newCLI(t)
	r := c.start("serve", "--listen", "127.0.0.1:0", "--admin-listen", "0.0.0.0:0")
	client := trusting(t, r.value("ca"))
	if status, body := get(t, client, r.value("admin")+"/metrics"); status != 401 || !strings.Contains(body, "missing_api_key") {
		t.Errorf("%d %.200s", status, body)
	}
	if status, _ := get(t, client, r.value("admin")+"/healthz"); status != 200 {
		t.Errorf("healthz: %d", status)
	}
}

func TestAdminAddressInUse(t *testing.T) {
	c := newCLI(t)
	r := c.start(serveArgs...)
	code, stdout, stderr := c.run("serve", "--listen", "127.0.0.1:0", "--data", "e", "--admin-listen", strings.TrimPrefix(r.url(), "https://"))
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, "address already in use") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// TestACME: a certificate that was issued before is used without asking
// anybody, for the names that were given and no others.
func TestACME(t *testing.T) {
	const host = "search.example.com"
	c := newCLI(t)
	args := append(serveArgs, "--acme-host", host+",other.example.com")
	c.start(args...).stop() // makes the folder
	cert, pool := issue(t, host)
	if err := os.WriteFile("quarry-data/tls/acme/"+host, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	r := c.start(args...)
	if !strings.HasPrefix(r.url(), "https://"+host+":") || r.value("ca") != "" {
		t.Errorf("ready line %q", r.ready)
	}
	addr := "127.0.0.1" + strings.TrimPrefix(r.url(), "https://"+host)
	conn, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, ServerName: host})
	if err != nil {
		t.Fatal(err)
	}
	if state := conn.ConnectionState(); state.Version != tls.VersionTLS13 {
		t.Errorf("TLS version %x", state.Version)
	}
	conn.Close()
	for _, name := range []string{"stranger.example.com", "127.0.0.1"} {
		if conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, ServerName: name}); err == nil {
			conn.Close()
			t.Errorf("%s gets a certificate", name)
		}
	}
	if _, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, ServerName: host, MaxVersion: tls.VersionTLS12}); err == nil {
		t.Error("TLS 1.2 is accepted")
	}
	info, err := os.Stat("quarry-data/tls/acme")
	if err != nil || info.Mode() != 0o700|os.ModeDir {
		t.Errorf("the folder has mode %v (error %v)", info.Mode(), err)
	}
}

// issue makes a certificate as autocert keeps it: the key, then the chain.
func issue(t *testing.T, host string) ([]byte, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...), pool
}
