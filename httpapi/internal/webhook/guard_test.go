package webhook

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// notPublic lists addresses that no message may go to, in all the forms in which
// a resolver may give them.
var notPublic = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
	"169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1",
	"192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1",
	"239.255.255.255", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:127.0.0.1",
	"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "2001:10::1",
	"2002:7f00:1::", "2002:a9fe:a9fe::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1",
	"ff02::1", "ff0e::1", "2606:4700::1111%eth0",
}

var arePublic = []string{
	"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
	"169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0", "198.17.255.255",
	"198.20.0.0", "223.255.255.255", "::ffff:1.1.1.1", "2606:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001::1",
}

func TestOnlyPublicAddressesAreAdmitted(t *testing.T) {
	g := &guard{}
	check := func(text string, want bool) {
		a := netip.MustParseAddr(text)
		if got := g.admits(netip.AddrPortFrom(a, 443), true); got != want {
			t.Errorf("%s: admitted %v, want %v", text, got, want)
		}
		for _, port := range []uint16{0, 22, 80, 444, 8080, 6379} {
			if g.admits(netip.AddrPortFrom(a, port), true) {
				t.Errorf("%s is admitted at port %d", text, port)
			}
		}
		if g.admits(netip.AddrPortFrom(a, 443), false) {
			t.Errorf("%s is admitted without TLS", text)
		}
	}
	for _, a := range notPublic {
		check(a, false)
	}
	for _, a := range arePublic {
		check(a, true)
	}
}

func TestAllowedNetworks(t *testing.T) {
	g := &guard{allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fe80::/10")}}
	for text, want := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "10.2.0.1": false, "127.0.0.1": false, "fe80::1%eth0": true, "::1": false,
		"64:ff9b::a01:203": false, "2002:a01:203::": false,
	} {
		a := netip.MustParseAddr(text)
		if got := g.admits(netip.AddrPortFrom(a, 80), false); got != want {
			t.Errorf("%s: admitted %v, want %v", text, got, want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	closed, open := &guard{}, &guard{allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32")}}
	for _, c := range []struct {
		url          string
		closed, open bool // whether it is fine
	}{
		{"https://shop.example/hook", true, true},
		{"https://shop.example:443/hook?a=b", true, true},
		{"https://shop.example:8443", true, true},
		{"HTTPS://SHOP.EXAMPLE./hook", true, true},
		{"https://xn--bcher-kva.example/", true, true},
		{"https://1.1.1.1/", true, true},
		{"https://[2606:4700::1111]:8443/", true, true},
		{"https://123.example.1a/", true, true},
		{"https://shop.example:444/", false, true}, // may be one of the allowed networks
		{"http://shop.example/", false, true},
		{"http://10.0.0.1:8080/", false, true},
		{"https://10.0.0.1:1/", false, true},
		{"http://localhost:3000/hook", false, true},
		{"https://a.localhost/", false, true},
		{"http://1.1.1.1/", false, false},
		{"https://1.1.1.1:444/", false, false},
		{"https://192.168.0.1/", false, false},
		{"https://[::1]/", false, false},
		{"https://[::ffff:192.168.0.1]/", false, false},
		{"https://[fe80::1%25eth0]/", false, false},
		{"https://169.254.169.254/latest/meta-data", false, false},
		{"https://2130706433/", false, false},
		{"https://0x7f000001/", false, false},
		{"https://0x7f.1/", false, false},
		{"https://127.1/", false, false},
		{"https://0177.0.0.1/", false, false},
		{"https://127.0.0.1.:443/", false, true},
		{"https://127。0。0。1/", false, false},
		{"https://bücher.example/", false, false},
		{"https://user:pw@shop.example/", false, false},
		{"https://user@shop.example/", false, false},
		{"https://shop.example/#part", false, false},
		{"https://shop.example/#", false, false},
		{"https://shop.example:0/", false, false},
		{"https://shop.example:/", false, false},
		{"https://shop.example:65536/", false, false},
		{"https://shop.example:x/", false, false},
		{"https://", false, false},
		{"https:///hook", false, false},
		{"https://./", false, false},
		{"https:shop.example", false, false},
		{"//shop.example/", false, false},
		{"shop.example/hook", false, false},
		{"ftp://shop.example/", false, false},
		{"file:///etc/passwd", false, false},
		{"gopher://10.0.0.1/", false, false},
		{"", false, false},
		{" https://shop.example/", false, false},
		{"https://shop.example/\n", false, false},
		{"https://shop.example/" + strings.Repeat("a", maxURL), false, false},
	} {
		if wrong := closed.checkURL(c.url); (wrong == "") != c.closed {
			t.Errorf("%q: %q, want fine %v", c.url, wrong, c.closed)
		}
		if wrong := open.checkURL(c.url); (wrong == "") != c.open {
			t.Errorf("%q with allowed networks: %q, want fine %v", c.url, wrong, c.open)
		}
	}
}

// Plain HTTP to a host with a name is only for those who allow networks in
// which hosts have names.
func TestPlainHTTPToNames(t *testing.T) {
	for _, c := range []struct {
		allow string
		fine  bool
	}{{"127.0.0.0/8", false}, {"127.0.0.1/32", false}, {"::1/128", false}, {"10.0.0.0/8", true}, {"fd00::/8", true}, {"0.0.0.0/0", true}, {"::/0", true}} {
		g := &guard{allow: []netip.Prefix{netip.MustParsePrefix(c.allow)}}
		for _, u := range []string{"http://example.com/x", "http://receiver:8080/"} {
			if wrong := g.checkURL(u); (wrong == "") != c.fine {
				t.Errorf("%s with %s allowed: %q, want fine %v", u, c.allow, wrong, c.fine)
			}
		}
	}
}

// A name that may be sent to without TLS must have an allowed address when the
// message is sent.
func TestPlainHTTPOnlyToAllowedAddresses(t *testing.T) {
	received := 0
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received++ }))
	defer srv.Close()
	host, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	for _, c := range []struct {
		allow, address string
		fault          Fault
	}{
		{"10.0.0.0/8", "1.1.1.1", FaultForbidden}, {"10.0.0.0/8", "2606:4700::1111", FaultForbidden}, {"10.0.0.0/8", host, FaultForbidden},
		{"10.0.0.0/8", "192.168.0.1", FaultForbidden}, {host + "/32", "8.8.8.8", FaultForbidden}, {host + "/32", host, ""},
	} {
		g := &guard{
			allow: []netip.Prefix{netip.MustParsePrefix(c.allow)},
			lookup: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr(c.address)}, nil
			},
		}
		p := newPoster(g, nil)
		for _, to := range []string{port, "80", "443", "8443"} {
			if to != port && c.fault == "" {
				continue
			}
			if res := p.post(t.Context(), &message{url: "http://receiver.example:" + to + "/"}); res.fault != c.fault {
				t.Errorf("%s with %s allowed, port %s: %+v, want fault %q", c.address, c.allow, to, res, c.fault)
			}
		}
		p.hangUp()
	}
	if received != 1 {
		t.Errorf("%d messages were received, want 1", received)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, u := range []string{"https://shop.example/hook", "https://[::ffff:10.0.0.1]/", "https://0x7f.1", "https://a:443#", "https://%31%30.0.0.1"} {
		f.Add(u)
	}
	g := &guard{}
	f.Fuzz(func(t *testing.T, text string) {
		if g.checkURL(text) != "" {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Hostname() == "" {
			t.Fatalf("%q is fine", text)
		}
		if a, err := netip.ParseAddr(strings.TrimSuffix(u.Hostname(), ".")); err == nil && !public(a) {
			t.Fatalf("%q is fine and not public", text)
		}
		if _, err := http.NewRequest(http.MethodPost, text, nil); err != nil {
			t.Fatalf("%q is fine: %v", text, err)
		}
	})
}

// sink is a server at a loopback address that must not be reached.
func sink(t *testing.T) (port string, connections *atomic.Int64) {
	connections = &atomic.Int64{}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() {
		ln.Close()
		<-done
	})
	_, port, _ = net.SplitHostPort(ln.Addr().String())
	return port, connections
}

// However a name resolves, and however often it changes its mind, nothing
// connects to an address that is not admitted.
func TestNoConnectionToAForbiddenAddress(t *testing.T) {
	port, connections := sink(t)
	for _, text := range append(notPublic, "127.0.0.1") {
		lookups := 0
		g := &guard{lookup: func(context.Context, string) ([]netip.Addr, error) {
			if lookups++; lookups == 1 {
				return []netip.Addr{netip.MustParseAddr(text)}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::ffff:127.0.0.1")}, nil
		}}
		p := newPoster(g, nil)
		for _, scheme := range []string{"https", "http"} {
			for range 3 {
				if res := p.post(t.Context(), &message{url: scheme + "://flip.example:" + port + "/"}); res.fault != FaultForbidden || res.status != 0 {
					t.Errorf("%s, %s: %+v", text, scheme, res)
				}
			}
		}
		if lookups != 6 {
			t.Errorf("%s: %d lookups for 6 attempts", text, lookups)
		}
	}
	for _, literal := range []string{"https://127.0.0.1:" + port, "http://[::ffff:127.0.0.1]:" + port, "https://localhost:" + port} {
		p := newPoster(&guard{lookup: lookupHost}, nil)
		if res := p.post(t.Context(), &message{url: literal}); res.fault != FaultForbidden {
			t.Errorf("%s: %+v", literal, res)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the sink", n)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	port, connections := sink(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:" + port + "/", "/again"} {
			requests := 0
			srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			}))
			host, receiverPort, _ := net.SplitHostPort(srv.Listener.Addr().String())
			g := &guard{allow: []netip.Prefix{netip.MustParsePrefix(host + "/32")}, lookup: lookupHost}
			roots := x509.NewCertPool()
			roots.AddCert(srv.Certificate())
			p := newPoster(g, roots)
			res := p.post(t.Context(), &message{url: "https://" + net.JoinHostPort(host, receiverPort)})
			if res.status != status || res.fault != FaultRedirect || requests != 1 {
				t.Errorf("%d to %s: %+v after %d requests", status, to, res, requests)
			}
			p.hangUp()
			srv.Close()
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the sink", n)
	}
}

// A proxy of the environment would make the connections in place of the guard.
func TestNoProxy(t *testing.T) {
	port, connections := sink(t)
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:"+port)
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:"+port)
	g := &guard{lookup: func(context.Context, string) ([]netip.Addr, error) { return nil, fmt.Errorf("nowhere") }}
	p := newPoster(g, nil)
	for _, u := range []string{"https://shop.example/", "http://shop.example/"} {
		if res := p.post(t.Context(), &message{url: u}); res.fault == "" {
			t.Errorf("%s: %+v", u, res)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the proxy", n)
	}
}
