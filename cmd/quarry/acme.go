package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/acme/autocert"
)

// acmeName is the folder of what an ACME authority has issued, below that of
// the certificates.
const acmeName = "acme"

// checkHosts tells what is wrong with names to get certificates for.
func checkHosts(hosts []string) error {
	for _, h := range hosts {
		if !strings.Contains(h, ".") || strings.ContainsAny(h, ":/*@ ") || net.ParseIP(h) != nil {
			return usagef("--acme-host %q is not the name of a host on the Internet, such as search.example.com", h)
		}
	}
	return nil
}

// acme returns a TLS configuration with certificates for hosts that Let's
// Encrypt issues and renews. Nothing is asked for before a client connects to
// one of the names.
func acme(dir string, hosts []string) (*tls.Config, error) {
	cache := filepath.Join(dir, acmeName)
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, fmt.Errorf("folder of certificates: %w", err)
	}
	m := autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		HostPolicy: autocert.HostWhitelist(hosts...),
		Cache:      autocert.DirCache(cache),
	}
	c := m.TLSConfig()
	c.MinVersion = tls.VersionTLS13
	return c, nil
}
