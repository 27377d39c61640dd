package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Times of a connection's beginning; all lie within attemptTime.
const (
	resolveTime = 5 * time.Second
	connectTime = 5 * time.Second // to one address
	// maxAddresses is how many addresses of a host are tried.
	maxAddresses = 4
)

// errForbidden is the error of an address that no message may go to.
var errForbidden = errors.New("the address is not one that webhooks may be sent to")

// maxURL is the length of the longest URL of an endpoint, in bytes.
const maxURL = 2048

// guard decides where messages may go: to public addresses over TLS at the
// ports 443 and 8443, and wherever the operator of the service allows. It makes
// the connections itself and checks each address just before it connects.
type guard struct {
	allow  []netip.Prefix
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// special lists the ranges within IPv4 and within 2000::/3, the public part of
// IPv6, that are not public: IANA's registries of special-purpose addresses,
// with the tunnels (6to4, Teredo), whose addresses hold others.
func special() []netip.Prefix {
	var list []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		list = append(list, netip.MustParsePrefix(s))
	}
	return list
}

// public tells whether an address is one of the open internet. What IPv6 has
// outside 2000::/3 is not: loopback, unique local, link-local, multicast, IPv4
// in any of its disguises but ::ffff:0:0/96, which is IPv4 itself.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if a.Zone() != "" || a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	return !within(special(), a)
}

func within(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// allowed tells whether the operator allows an address.
func (g *guard) allowed(a netip.Addr) bool { return within(g.allow, a.Unmap().WithZone("")) }

// allowsNamed tells whether a host that has a name of its own may have an
// allowed address: whether there is any beyond loopback.
func (g *guard) allowsNamed() bool {
	for _, p := range g.allow {
		loopback := netip.MustParsePrefix("127.0.0.0/8")
		if p.Addr().Is6() {
			loopback = netip.MustParsePrefix("::1/128")
		}
		if p.Bits() < loopback.Bits() || !loopback.Contains(p.Addr()) {
			return true
		}
	}
	return false
}

// admits tells whether a connection may be made.
func (g *guard) admits(to netip.AddrPort, secure bool) bool {
	if g.allowed(to.Addr()) {
		return true
	}
	return secure && usualPort(to.Port()) && public(to.Addr())
}

func usualPort(port uint16) bool { return port == 443 || port == 8443 }

// checkURL says what is wrong with the URL of an endpoint, as far as can be told
// without resolving its host; "" means nothing.
func (g *guard) checkURL(text string) string {
	u, err := url.Parse(text)
	const notOpen = "is not a public address; the service may be started with --webhook-allow for its network"
	switch {
	case len(text) > maxURL:
		return fmt.Sprintf("has at most %d bytes", maxURL)
	case err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http":
		return "must be the URL of an endpoint, such as https://shop.example/hook"
	case u.User != nil:
		return "must not hold a user name or password; messages are signed"
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return "must not have a fragment"
	case u.Scheme == "http" && len(g.allow) == 0:
		return "must begin with https://"
	}
	for _, c := range []byte(u.Host) {
		if c <= ' ' || c >= 0x7f {
			return "must have a host in ASCII; write an internationalised name as xn--"
		}
	}
	secure, port := u.Scheme == "https", uint16(443)
	if !secure {
		port = 80
	}
	if strings.HasSuffix(u.Host, ":") {
		return "must have a port after the colon"
	}
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			return "must have a port from 1 to 65535"
		}
		port = uint16(n)
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		host = "127.0.0.1"
	}
	address, err := netip.ParseAddr(host)
	switch {
	case err == nil && g.allowed(address):
		return ""
	case err == nil && !public(address):
		return notOpen
	case err == nil && !secure:
		return "must begin with https://, as the service may not send to this address without TLS"
	case err != nil && (host == "" || endsInNumber(host)):
		return "has neither a host name nor an address in one of the usual forms"
	case err != nil && !secure && !g.allowsNamed():
		return "must begin with https://, as the service may send without TLS only to itself; that is localhost or an address"
	case !usualPort(port) && (err == nil || len(g.allow) == 0):
		return "must have the port 443 or 8443"
	}
	return ""
}

// endsInNumber tells whether a host is an address in one of the forms that some
// resolvers understand: 2130706433, 0x7f.1, 0177.0.0.1.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// dialer returns the DialContext of a transport, with TLS to follow or without.
func (g *guard) dialer(secure bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{
		Timeout: connectTime,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !g.admits(to, secure) {
				return errForbidden
			}
			return nil
		},
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		addresses, err := g.resolve(ctx, host)
		if err != nil {
			return nil, err
		}
		err = &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		for _, a := range addresses[:min(len(addresses), maxAddresses)] {
			var c net.Conn
			if c, err = d.DialContext(ctx, network, net.JoinHostPort(a.Unmap().String(), port)); err == nil {
				return c, nil
			}
		}
		return nil, err
	}
}

// resolve returns the addresses of a host.
func (g *guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	return g.lookup(ctx, host)
}

// lookupHost is the default of Config.Lookup.
func lookupHost(ctx context.Context, host string) ([]netip.Addr, error) {
	return new(net.Resolver).LookupNetIP(ctx, "ip", host)
}
