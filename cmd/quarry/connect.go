package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
	"github.com/spf13/cobra"
)

const (
	defaultData   = "quarry-data"
	defaultListen = "127.0.0.1:7374"
	defaultURL    = "https://" + defaultListen
	rootKeyName   = "root.key"
	tlsName       = "tls"
	caName        = "ca.pem"
)

// target is where a client command finds its indexes: a running server, or a
// directory that no server holds.
type target struct {
	url, key, ca, data string
	create             bool // a directory that is not there is made
	reads              bool // the command changes nothing
}

// flags adds the flags of a target.
func (t *target) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.url, "url", defaultURL, "`URL` of the server")
	f.StringVar(&t.key, "key", "", "API `KEY`, better given in QUARRY_API_KEY (default: the root key in ./quarry-data, for a server on this machine)")
	f.StringVar(&t.ca, "ca", "", "CA `FILE` that signed the server's certificate (default: the one in ./quarry-data, for a server on this machine)")
	f.StringVar(&t.data, "data", "", "work on this `DIR` instead, which no server may hold")
}

// connect returns a client for the target. A data directory named in the
// settings file is the server's: it tells where key and CA are. Elsewhere it is
// the target, unless a URL stands where it counts for more.
func (t *target) connect(cmd *cobra.Command) (*client, error) {
	home := defaultData
	data, server := originOf(cmd, "data"), originOf(cmd, "url")
	if data == fromFile {
		home = t.data
	} else if t.data != "" && data >= server {
		if data == server {
			return nil, usagef("give --url or --data, not both")
		}
		if !t.create {
			if err := existing(t.data); err != nil {
				return nil, err
			}
		}
		return openDirectory(t.data, t.reads)
	}
	return t.dial(home)
}

// dial makes a client of a server; home is where a server of this machine has
// its key and CA.
func (t *target) dial(home string) (*client, error) {
	u, err := url.Parse(t.url)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, usagef("--url %q is not the address of a server, such as %s", t.url, defaultURL)
	}
	local := isLoopback(u.Hostname())
	if u.Scheme == "http" && !local {
		return nil, usagef("--url %s: plain HTTP is for loopback addresses only, as the key would be readable on the way", t.url)
	}
	key := t.key
	if key == "" && local {
		text, err := os.ReadFile(filepath.Join(home, rootKeyName))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("root key: %w", err)
		}
		key = strings.TrimSpace(string(text))
	}
	if key == "" {
		return nil, usagef("no API key: give it with --key or in %s", envName("key"))
	}
	pool, err := t.pool(home, local)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool}
	transport.ForceAttemptHTTP2 = false // batches go over connections of their own
	transport.ResponseHeaderTimeout = 2 * time.Minute
	return &client{
		base: strings.TrimSuffix(t.url, "/"), key: key,
		http:  &http.Client{Transport: transport},
		close: func() error { transport.CloseIdleConnections(); return nil },
	}, nil
}

// pool returns the authorities to trust; nil are those of the system.
func (t *target) pool(home string, local bool) (*x509.CertPool, error) {
	path := t.ca
	if path == "" && local {
		path = filepath.Join(home, tlsName, caName)
	}
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && t.ca == "":
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("CA file: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("CA file %s holds no certificate in PEM", path)
	}
	return pool, nil
}

// isLoopback tells whether a host can only be this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// openDirectory returns a client of a service in this very process, which is
// gone when the client is closed. So a command does the same on a directory as
// on a server. A directory on a full disk, or one that may only be read, is opened
// for a command that only reads.
func openDirectory(dir string, reads bool) (*client, error) {
	e, err := engine.Open(dir, nil)
	if errors.Is(err, engine.ErrReadOnly) || reads && (errors.Is(err, engine.ErrStorageFull) || errors.Is(err, fs.ErrPermission)) {
		e, err = engine.Open(dir, &engine.Options{ReadOnly: true})
	}
	if errors.Is(err, engine.ErrLocked) {
		return nil, fmt.Errorf("%w; leave out --data to ask the server that holds it", openError(dir, err))
	}
	if err != nil {
		return nil, openError(dir, err)
	}
	c, err := inProcess(e, dir)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	stop := c.close
	c.close = func() error { return errors.Join(stop(), e.Close()) }
	return c, nil
}

// directoryKey is the id of the root key of a directory without one: the same
// each time, so that an import that goes on is told what became of the batch
// before.
const directoryKey = "directly"

// inProcess returns a client of an engine.
func inProcess(e *engine.Engine, dir string) (*client, error) {
	// The root key of the server, if it lies there, so that it is called as the server calls it.
	text, _ := os.ReadFile(filepath.Join(dir, rootKeyName))
	key := strings.TrimSpace(string(text))
	hash, err := httpapi.HashKey(key)
	if err != nil {
		key = httpapi.GenerateKeyFor(directoryKey)
		if hash, err = httpapi.HashKey(key); err != nil {
			return nil, err
		}
	}
	s, err := httpapi.New(httpapi.Config{Engine: e, RootKey: hash, Unmetered: true})
	if err != nil {
		return nil, err
	}
	return &client{
		base: "http://localhost", key: key,
		http:  &http.Client{Transport: handlerTransport{s.Handler()}},
		close: func() error { s.Close(); return nil },
	}, nil
}

// existing tells what is wrong with the name of a data directory that has to
// be there: whoever only reads must not make one.
func existing(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no data directory %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	if names, err := os.ReadDir(dir); err == nil && len(names) == 0 {
		return fmt.Errorf("there is no data directory %s: it is empty", dir)
	}
	return nil
}

// openError says in a line why a data directory cannot be opened.
func openError(dir string, err error) error {
	switch {
	case errors.Is(err, engine.ErrLocked):
		return fmt.Errorf("data directory %s is in use by another process", dir)
	case errors.Is(err, engine.ErrHalfMade):
		return fmt.Errorf("%s is half of a data directory: quarry restore or quarry repair is making it, or was interrupted; the same command makes it anew", dir)
	case errors.Is(err, engine.ErrForeign):
		return fmt.Errorf("%s holds other files and is not a Quarry data directory; nothing in it was touched", dir)
	case errors.Is(err, engine.ErrUnfinished):
		return unfinishedBackup(dir)
	case errors.Is(err, engine.ErrBackup):
		return fmt.Errorf("%s is a backup; make a data directory of it with quarry restore --data NEWDIR %s", dir, dir)
	case errors.Is(err, engine.ErrNewerFormat):
		return fmt.Errorf("data directory %s was written by a later version of Quarry: %w", dir, err)
	}
	advice := ""
	switch {
	case errors.Is(err, engine.ErrStorageFull):
		advice = "; make room on its disk and try again"
	case errors.Is(err, engine.ErrCorrupt):
		advice = "; docs/durability.md says under Check and repair what can be done"
	}
	return fmt.Errorf("data directory %s: %w%s", dir, err, advice)
}

// unfinishedBackup is the error about a directory that looks like a backup and
// is none.
func unfinishedBackup(dir string) error {
	return fmt.Errorf("%s is a backup that was not finished, or was copied without its file BACKUP: make it, or copy it, again", dir)
}

// handlerTransport hands requests to a handler in this process.
type handlerTransport struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	w := &answer{header: http.Header{}}
	t.handler.ServeHTTP(w, req)
	if req.Body != nil {
		req.Body.Close()
	}
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: req,
	}, nil
}

// answer is an http.ResponseWriter that keeps what is written.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// run wraps a command that needs a client.
func (t *target) run(f func(cmd *cobra.Command, c *client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := t.connect(cmd)
		if err != nil {
			return err
		}
		return errors.Join(flagFaults(cmd, f(cmd, c, args)), c.close())
	}
}
