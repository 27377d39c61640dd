package httpapi

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Certificates hands out the certificate of a pair of PEM files and follows
// their changes: a new certificate is used for the next connection, without a
// restart. It is safe for concurrent use.
type Certificates struct {
	certFile, keyFile string
	now               func() time.Time
	renew             func() error // called before the files are looked at; may be nil

	mu     sync.Mutex // guards all below
	cert   *tls.Certificate
	seen   [2]fileState // of the two files when cert was read
	looked time.Time
}

// fileState is what changes when a file does.
type fileState struct {
	size    int64
	modTime time.Time
}

// lookEvery is how often the files are looked at, at most.
const lookEvery = time.Second

// NewCertificates reads a certificate chain and its private key.
func NewCertificates(certFile, keyFile string) (*Certificates, error) {
	return newCertificates(certFile, keyFile, time.Now, nil)
}

func newCertificates(certFile, keyFile string, now func() time.Time, renew func() error) (*Certificates, error) {
	c := &Certificates{certFile: certFile, keyFile: keyFile, now: now, renew: renew}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

// Config returns a TLS configuration with the certificates, for TLS 1.3 alone.
func (c *Certificates) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: c.certificate}
}

// certificate is a tls.Config's GetCertificate. While changed files do not hold
// a pair that fits, the one before stays in use.
func (c *Certificates) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookEvery || now.Before(c.looked) {
		c.looked = now
		if c.renew != nil {
			c.renew() // an error leaves the files as they are
		}
		if state, err := c.state(); err == nil && state != c.seen {
			c.load() // an error leaves cert as it is
		}
	}
	return c.cert, nil
}

func (c *Certificates) state() (s [2]fileState, err error) {
	for i, file := range [...]string{c.certFile, c.keyFile} {
		var info fs.FileInfo
		if info, err = os.Stat(file); err != nil {
			return s, err
		}
		s[i] = fileState{info.Size(), info.ModTime()}
	}
	return s, nil
}

// load reads the files. They are looked at before they are read: a change in
// between is seen the next time.
func (c *Certificates) load() error {
	state, err := c.state()
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	cert, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("certificate %s with key %s: %w", c.certFile, c.keyFile, err)
	}
	c.cert, c.seen = &cert, state
	return nil
}
