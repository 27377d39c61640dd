package httpapi

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var testTime = time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func leaf(t *testing.T, c *Certificates) *x509.Certificate {
	t.Helper()
	got, err := c.certificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(got.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func caOf(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		t.Fatal("ca.pem holds no certificate")
	}
	return pool
}

func TestLocalCertificates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	c, err := LocalCertificates(dir, []string{"search.example", "192.0.2.7", "::"}, func() time.Time { return testTime })
	if err != nil {
		t.Fatal(err)
	}
	cert := leaf(t, c)
	host, _ := os.Hostname()
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "search.example", "192.0.2.7", host} {
		_, err := cert.Verify(x509.VerifyOptions{Roots: caOf(t, dir), DNSName: name, CurrentTime: testTime})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := cert.VerifyHostname("::"); err == nil {
		t.Error("valid for the unspecified address")
	}
	if days := cert.NotAfter.Sub(testTime).Hours() / 24; days != 365 {
		t.Errorf("valid for %v days", days)
	}
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if info, _ := e.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
	if !slices.Equal(names, []string{"ca-key.pem", "ca.pem", "cert.pem", "key.pem"}) {
		t.Errorf("files %v", names)
	}
}

func TestLocalCertificatesAreKept(t *testing.T) {
	dir := t.TempDir()
	now := &clock{testTime}
	open := func(hosts ...string) *x509.Certificate {
		t.Helper()
		c, err := LocalCertificates(dir, hosts, now.now)
		if err != nil {
			t.Fatal(err)
		}
		return leaf(t, c)
	}
	ca := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "ca.pem"))
		return string(text)
	}
	first, firstCA := open(), ca()
	if again := open(); !again.Equal(first) {
		t.Error("a new certificate at the second start")
	}
	more := open("search.example")
	if more.Equal(first) || ca() != firstCA {
		t.Error("another host: the same certificate, or another CA")
	}
	now.at = testTime.Add(localCertLife - renewBefore + time.Hour)
	if renewed := open(); renewed.Equal(more) || ca() != firstCA {
		t.Error("near its end: the same certificate, or another CA")
	}
	for _, damage := range []string{"cert.pem", "key.pem"} {
		before := open()
		os.WriteFile(filepath.Join(dir, damage), []byte("torn"), 0o600)
		if open().Equal(before) || ca() != firstCA {
			t.Errorf("%s torn: the same certificate, or another CA", damage)
		}
	}
	os.Remove(filepath.Join(dir, "ca-key.pem"))
	open()
	if ca() == firstCA {
		t.Error("the CA lost its key and is still there")
	}
}

// TestDamagedLocalCA flips bits of ca.pem: whoever trusts what is there after the
// next start can connect, and also those who have a copy from before.
func TestDamagedLocalCA(t *testing.T) {
	dir := t.TempDir()
	now := &clock{testTime}
	if _, err := LocalCertificates(dir, nil, now.now); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ca.pem")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := caOf(t, dir)
	files := map[string][]byte{}
	for _, name := range []string{"ca-key.pem", "cert.pem", "key.pem"} {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	trusted := 0
	for i := range text {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		damaged := slices.Clone(text)
		damaged[i] ^= 1 << (i % 8)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := LocalCertificates(dir, nil, now.now)
		if err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		cert := leaf(t, c)
		if _, err := cert.Verify(x509.VerifyOptions{Roots: caOf(t, dir), DNSName: "localhost", CurrentTime: testTime}); err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := cert.Verify(x509.VerifyOptions{Roots: copied, DNSName: "localhost", CurrentTime: testTime}); err == nil {
			trusted++
		}
	}
	if trusted < len(text) {
		t.Errorf("copies from before are good after %d of %d damages", trusted, len(text))
	}
}

func TestLocalCertificateIsRenewedWhileServing(t *testing.T) {
	dir := t.TempDir()
	now := &clock{testTime}
	c, err := LocalCertificates(dir, nil, now.now)
	if err != nil {
		t.Fatal(err)
	}
	first := leaf(t, c)
	now.at = testTime.Add(localCertLife - renewBefore - time.Hour)
	if !leaf(t, c).Equal(first) {
		t.Error("renewed too early")
	}
	now.at = now.at.Add(2 * time.Hour)
	if second := leaf(t, c); second.Equal(first) || second.NotAfter.Before(now.at.Add(localCertLife)) {
		t.Errorf("not renewed: ends %v", second.NotAfter)
	}
}

func TestCertificatesFollowTheirFiles(t *testing.T) {
	from := [2]string{t.TempDir(), t.TempDir()}
	for _, dir := range from {
		if _, err := LocalCertificates(dir, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	install := func(i int, names ...string) {
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(from[i], name))
			if err != nil {
				t.Fatal(err)
			}
			if err := writeFile(filepath.Join(dir, name), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(i int) *x509.Certificate {
		text, _ := os.ReadFile(filepath.Join(from[i], "cert.pem"))
		block, _ := pem.Decode(text)
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		return cert
	}
	install(0, "cert.pem", "key.pem")
	now := &clock{testTime}
	c, err := newCertificates(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), now.now, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !leaf(t, c).Equal(want(0)) {
		t.Fatal("another certificate than that of the files")
	}
	install(1, "cert.pem") // the key does not fit yet
	now.at = now.at.Add(lookEvery)
	if !leaf(t, c).Equal(want(0)) {
		t.Error("took over a certificate without its key")
	}
	install(1, "key.pem")
	if !leaf(t, c).Equal(want(0)) {
		t.Error("looked again within a second")
	}
	now.at = now.at.Add(lookEvery)
	if !leaf(t, c).Equal(want(1)) {
		t.Error("did not take over the new pair")
	}
	os.Remove(filepath.Join(dir, "cert.pem"))
	now.at = now.at.Add(lookEvery)
	if !leaf(t, c).Equal(want(1)) {
		t.Error("lost the certificate with its file")
	}
	if _, err := NewCertificates(filepath.Join(dir, "none"), filepath.Join(dir, "key.pem")); err == nil {
		t.Error("opened a missing file")
	}
	if c.Config().MinVersion != tls.VersionTLS13 {
		t.Error("the configuration admits older versions")
	}
}
