package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func loopback() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }

// posterTo returns a poster that trusts a server, and closes both at the end of
// the test.
func posterTo(t *testing.T, srv *httptest.Server) *poster {
	roots := x509.NewCertPool()
	if srv.Certificate() != nil {
		roots.AddCert(srv.Certificate())
	}
	p := newPoster(&guard{allow: loopback(), lookup: lookupHost}, roots)
	t.Cleanup(func() {
		p.hangUp()
		srv.Close()
	})
	return p
}

func TestAnswers(t *testing.T) {
	at := time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)
	var status int
	var after string
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
		io.WriteString(w, "what the receiver says is of no interest")
	}))
	p := posterTo(t, srv)
	for _, c := range []struct {
		status int
		after  string
		want   result
	}{
		{200, "", result{status: 200}},
		{202, "7", result{status: 202}},
		{299, "", result{status: 299}},
		{300, "", result{status: 300, fault: FaultRedirect}},
		{304, "", result{status: 304, fault: FaultRedirect}},
		{400, "", result{status: 400, fault: FaultStatus}},
		{410, "", result{status: 410, fault: FaultStatus}},
		{429, "7", result{status: 429, fault: FaultStatus, retryAfter: 7 * time.Second}},
		{503, "Sat, 21 Nov 2026 14:05:00 GMT", result{status: 503, fault: FaultStatus, retryAfter: time.Hour}},
		{503, "Sat, 21 Nov 2026 12:05:00 GMT", result{status: 503, fault: FaultStatus}},
		{503, "99999999", result{status: 503, fault: FaultStatus, retryAfter: 24 * time.Hour}},
		{503, "99999999999999999999", result{status: 503, fault: FaultStatus}},
		{503, "-5", result{status: 503, fault: FaultStatus}},
		{503, "soon", result{status: 503, fault: FaultStatus}},
	} {
		status, after = c.status, c.after
		if got := p.post(t.Context(), &message{url: srv.URL, at: at}); got != c.want {
			t.Errorf("%d, Retry-After %q: %+v, want %+v", c.status, c.after, got, c.want)
		}
	}
}

func TestFaultsWithoutAnAnswer(t *testing.T) {
	broken := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	p := posterTo(t, broken)
	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS12}
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.StartTLS()
	oldPoster := posterTo(t, old)
	other := httptest.NewUnstartedServer(http.NotFoundHandler())
	other.Config.ErrorLog = log.New(io.Discard, "", 0)
	other.StartTLS()
	defer other.Close()
	closed := httptest.NewTLSServer(http.NotFoundHandler())
	closed.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	unknown := newPoster(&guard{lookup: func(context.Context, string) ([]netip.Addr, error) { return nil, &net.DNSError{IsNotFound: true} }}, nil)
	empty := newPoster(&guard{lookup: func(context.Context, string) ([]netip.Addr, error) { return nil, nil }}, nil)
	slow := newPoster(&guard{lookup: func(ctx context.Context, _ string) ([]netip.Addr, error) { return nil, context.DeadlineExceeded }}, nil)
	for _, c := range []struct {
		name string
		p    *poster
		url  string
		want Fault
	}{
		{"broken off", p, broken.URL, FaultConnection},
		{"TLS 1.2", oldPoster, old.URL, FaultTLS},
		{"unknown authority", newPoster(&guard{allow: loopback()}, x509.NewCertPool()), other.URL, FaultTLS},
		{"refused", p, closed.URL, FaultConnection},
		{"no TLS", p, strings.Replace(plain.URL, "http:", "https:", 1), FaultTLS},
		{"no such host", unknown, "https://shop.example/", FaultResolve},
		{"no address", empty, "https://shop.example/", FaultResolve},
		{"slow resolver", slow, "https://shop.example/", FaultTimeout},
	} {
		if got := c.p.post(t.Context(), &message{url: c.url}); got.fault != c.want || got.status != 0 {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

func TestAttemptsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoster(&guard{}, nil)
		var peer net.Conn
		p.plain.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
			var c net.Conn
			c, peer = net.Pipe()
			go io.Copy(io.Discard, peer) // reads all and says nothing
			return c, nil
		}
		begin := time.Now()
		got := p.post(t.Context(), &message{url: "http://a.example/"})
		if took := time.Since(begin); got.fault != FaultTimeout || took != attemptTime {
			t.Errorf("%+v after %v", got, took)
		}
		peer.Close()
		p.hangUp()
	})
}

// A receiver cannot make the service read on without end, nor grow in memory.
func TestAnswersAreCapped(t *testing.T) {
	wrote := make(chan int64, 1)
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(w, endless{})
		wrote <- n
	}))
	p := posterTo(t, srv)
	if got := p.post(t.Context(), &message{url: srv.URL}); got.status != 200 || got.fault != "" {
		t.Errorf("%+v", got)
	}
	if n := <-wrote; n > 32<<20 { // what fits into the buffers on the way
		t.Errorf("the receiver wrote %d bytes", n)
	}
	heads := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
	}))
	if got := posterTo(t, heads).post(t.Context(), &message{url: heads.URL}); got.fault != FaultConnection {
		t.Errorf("a head of 1 MiB: %+v", got)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestSignaturesAreThoseOfTheLibrary(t *testing.T) {
	at := time.Unix(1763730300, 0)
	for _, body := range []string{`{}`, "", `{"type":"a.b","data":"ü \u2028"}`, strings.Repeat("x", MaxPayload)} {
		a, b := newSecret(), newSecret()
		header := http.Header{}
		header.Set("webhook-id", "msg_1")
		header.Set("webhook-timestamp", "1763730300")
		header.Set("webhook-signature", signature([]Secret{a, b}, "msg_1", at, []byte(body)))
		for _, s := range []Secret{a, b} {
			w, err := standardwebhooks.NewWebhook(s.Text())
			if err != nil {
				t.Fatal(err)
			}
			if err := w.VerifyIgnoringTimestamp([]byte(body), header); err != nil {
				t.Errorf("%.20q: %v", body, err)
			}
			if err := w.VerifyIgnoringTimestamp([]byte(body+" "), header); !errors.Is(err, standardwebhooks.ErrNoMatchingSignature) {
				t.Errorf("%.20q, changed: %v", body, err)
			}
		}
		if n := len(strings.Fields(header.Get("webhook-signature"))); n != 4 {
			t.Errorf("%d signatures", n)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, h := range []string{"0", "120", "-1", "Sat, 21 Nov 2026 14:05:00 GMT", "x", "4294967296", " 5 "} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if d := retryAfter(header, time.Unix(1763730300, 0)); d < 0 || d > maxRetryAfter {
			t.Fatalf("%q: %v", header, d)
		}
	})
}
