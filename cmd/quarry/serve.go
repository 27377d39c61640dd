package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
	"github.com/spf13/cobra"
)

// serveCommand is quarry serve.
func (p *program) serveCommand() *cobra.Command {
	var o service
	var data, rootKeyFile string
	var memory size
	var autoCreate bool
	level := slog.LevelInfo
	var embedders embedderSpecs
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the search service",
		Long: `Run the search service on a data directory, which is made if it is not there.

At the first start it makes a root key, which may do everything, and a
certificate authority of its own with a certificate for this machine. When it
is ready it prints one line to standard output:

  quarry: ready https://127.0.0.1:7374 ca=quarry-data/tls/ca.pem

With --admin-listen it ends in " admin=" and the URL of that listener. There is
no ca= with a certificate of another authority, or none.

An embedder lets indexes be searched by meaning. One of word vectors works on
this machine alone. One with a URL is sent the texts of the records of indexes
that name it, and the queries that are asked of them: they leave this process,
and if the URL is not of this machine, this machine.

SIGTERM and SIGINT stop it: requests under way finish (10 seconds at most).`,
		Example: `  quarry serve
  quarry serve --data /var/lib/quarry/data --listen :443 --tls-cert site.pem --tls-key site.key
  quarry serve --listen :443 --acme-host search.example.com
  quarry serve --admin-listen 127.0.0.1:7375
  quarry serve --embedder words=words:glove.6B.100d.txt
  quarry serve --embedder 'mini=http://127.0.0.1:8080/v1/embeddings;model=all-minilm-l6-v2;dimensions=384'
  curl --cacert quarry-data/tls/ca.pem -H "Authorization: Bearer $(cat quarry-data/root.key)" \
    https://127.0.0.1:7374/v1/search -H "Content-Type: application/json" -d '{"q":"red shoes"}'`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if memory > 0 {
				limitMemory(int64(memory), p.lookupEnv)
			}
			if err := o.beforehand(cmd.Context(), data); err != nil {
				return err
			}
			log := p.logger(level)
			if err := noCoreDumps(); err != nil {
				log.Warn("core dumps, in which queries would be, cannot be switched off", "error", err)
			}
			opened, err := embedders.open(p.lookupEnv)
			if err != nil {
				return err
			}
			for _, name := range embedders.remote() {
				log.Warn("texts of records and queries are sent to a server, for the indexes that name this embedder", "embedder", name)
			}
			o.log, o.memory = log, newMemoryGiver(log)
			e, err := engine.Open(data, &engine.Options{Memory: int64(memory), Events: events(log, o.memory), Embedders: opened, NoAutoCreate: !autoCreate})
			var invalid *engine.InvalidError
			if errors.As(err, &invalid) && invalid.Problems[0].Pointer == "/Memory" {
				return usagef("--memory: %s", invalid.Problems[0].Detail)
			}
			if err != nil {
				return openError(data, err)
			}
			if o.snapshotDir != "" {
				if o.snapshotDir, err = filepath.Abs(o.snapshotDir); err != nil {
					return errors.Join(err, e.Close())
				}
			}
			if rootKeyFile == "" {
				rootKeyFile = filepath.Join(data, rootKeyName)
			}
			key, made, err := httpapi.RootKeyFile(rootKeyFile)
			if err == nil {
				if made {
					log.Info("made the root key", "file", rootKeyFile)
				}
				o.key, o.tlsDir = key, filepath.Join(data, tlsName)
				err = o.run(cmd.Context(), e, p.stdout, nil)
			}
			return errors.Join(err, e.Close())
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", defaultData, "data `DIR`")
	o.flags(c, defaultListen)
	f.StringVar(&o.certFile, "tls-cert", "", "certificate `FILE` (PEM), followed when it changes")
	f.StringVar(&o.keyFile, "tls-key", "", "private key `FILE` of the certificate (PEM)")
	f.StringSliceVar(&o.tlsHosts, "tls-host", nil, "`HOST`, a name or an address, that the certificate of the local CA is for besides this machine's own; may be repeated")
	f.StringSliceVar(&o.acmeHosts, "acme-host", nil, "`HOST` to get a certificate for from Let's Encrypt, whose terms this accepts; it must be reachable at port 443 of this name; may be repeated")
	o.operators.flags(c)
	f.StringVar(&rootKeyFile, "root-key-file", "", "`FILE` of the root key, made if it is not there (default: root.key in the data directory)")
	f.StringVar(&o.snapshotDir, "snapshot-dir", "", "let clients make snapshots below this `DIR` only (default: keys with the scope admin may make them wherever this process may write)")
	f.StringSliceVar(&o.corsOrigins, "cors-origin", nil, "`ORIGIN` whose pages may call the interface from browsers, such as https://shop.example, or * for all; may be repeated")
	f.Var(&o.webhookAllow, "webhook-allow", "network that webhooks may be sent to though it is not public, a `CIDR` such as 10.0.0.0/8; repeatable")
	f.Var(&embedders, "embedder", "make vectors of texts: `NAME=words:FILE` of word vectors, or NAME=URL;model=MODEL;dimensions=N of a server that gets the texts of records and queries, with key-file=FILE or key-env=NAME for its key; repeatable")
	f.BoolVar(&autoCreate, "auto-create", true, "make an index at the first write to it; false answers such writes with index_not_found, so that only PUT /v1/indexes/NAME makes indexes")
	f.TextVar(&level, "log-level", level, "log what has at least this `LEVEL`: debug, which tells of flushes, merges and connections that fail, info, warn or error")
	f.Var(&memory, "memory", "budget of all caches, a `SIZE` such as 512MiB, at least 16MiB (default 256MiB)")
	return c
}

// service is an engine at an address.
type service struct {
	listen            string
	insecure          bool
	certFile, keyFile string   // of the certificate; "" for one of the local CA
	tlsHosts          []string // that the certificate of the local CA names besides this machine
	acmeHosts         []string // that ACME issues certificates for
	tlsDir            string   // of the local CA and of what ACME issues
	operators         operators
	key               string // root key
	snapshotDir       string // "" for any
	noPage            bool   // without the search page and the admin view
	log               *slog.Logger
	memory            *memoryGiver
	webhookAllow      networks
	corsOrigins       []string // whose pages may call from browsers
}

// flags adds the flags about the address.
func (s *service) flags(c *cobra.Command, listen string) {
	c.Flags().StringVar(&s.listen, "listen", listen, "`ADDR` to listen on; port 0 picks a free one")
	c.Flags().BoolVar(&s.insecure, "insecure-http", false, "plain HTTP, on a loopback address only")
	c.Flags().BoolVar(&s.noPage, "no-page", false, "leave out the search page at / and the admin view at /admin")
}

// check tells what is wrong with the settings.
func (s *service) check() error {
	for _, origin := range s.corsOrigins {
		if err := httpapi.CheckOrigin(origin); err != nil {
			return usagef("--cors-origin: %s", err)
		}
	}
	host, port, err := net.SplitHostPort(s.listen)
	switch {
	case err != nil:
		return usagef("--listen %q is not an address with a port, such as %s", s.listen, defaultListen)
	case !isPort(port):
		return usagef("--listen %q: %q is not a port, which has a number up to 65535", s.listen, port)
	case s.insecure && !isLoopback(host):
		return usagef("--insecure-http needs a loopback address to listen on, such as %s, not %q", defaultListen, s.listen)
	case (s.certFile == "") != (s.keyFile == ""):
		return usagef("--tls-cert and --tls-key belong together")
	case s.insecure && s.certFile != "":
		return usagef("--insecure-http has no use for --tls-cert")
	case len(s.acmeHosts) > 0 && (s.insecure || s.certFile != ""):
		return usagef("--acme-host has no use for --insecure-http and --tls-cert")
	case len(s.tlsHosts) > 0 && (s.insecure || s.certFile != "" || len(s.acmeHosts) > 0):
		return usagef("--tls-host is for the certificate of the local CA, and has no use for --insecure-http, --tls-cert and --acme-host")
	}
	for _, h := range s.tlsHosts {
		if net.ParseIP(h) == nil && (h == "" || strings.ContainsAny(h, ":/*@ ")) {
			return usagef("--tls-host %q is not the name or the address of a host, such as search.internal", h)
		}
	}
	if err := checkHosts(s.acmeHosts); err != nil {
		return err
	}
	return s.operators.check(s.insecure)
}

// isPort tells whether a text is a port, or the name of one.
func isPort(text string) bool {
	_, err := net.LookupPort("tcp", text)
	return err == nil
}

// beforehand tries what may be wrong with the certificate and the addresses
// before anything is made. Of a data directory that is there, the one who holds
// it is told rather than that the address is his.
func (s *service) beforehand(ctx context.Context, data string) error {
	if s.certFile != "" {
		_, _, err := s.tls()
		if errors.Is(err, fs.ErrNotExist) {
			return usageError{err}
		}
		if err != nil {
			return err // such as a pair that is just being replaced
		}
	}
	if existing(data) == nil {
		return nil
	}
	for _, addr := range []string{s.listen, s.operators.listen} {
		if addr == "" {
			continue
		}
		ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		if err := ln.Close(); err != nil {
			return err
		}
	}
	return nil
}

// run answers requests until ctx ends. It prints the ready line, with suffix at
// its end; ready, which may be nil, is then called with the URL and the CA's
// file, "" for none.
func (s *service) run(ctx context.Context, e *engine.Engine, stdout io.Writer, ready func(url, ca string) (suffix string)) error {
	hash, err := httpapi.HashKey(s.key)
	if err != nil {
		return err
	}
	config, ca, err := s.tls()
	if err != nil {
		return err
	}
	server, err := httpapi.New(httpapi.Config{
		Engine: e, RootKey: hash, TLS: config, Logger: s.log, Version: version().Version,
		NoPage:       s.noPage,
		CORSOrigins:  s.corsOrigins,
		SnapshotDir:  s.snapshotDir,
		WebhookAllow: s.webhookAllow,
	})
	if err != nil {
		return err
	}
	defer server.Close()
	if ctx.Err() != nil {
		return nil // told to stop before it began
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return err
	}
	var admin net.Listener
	if s.operators.listen != "" {
		if admin, err = new(net.ListenConfig).Listen(ctx, "tcp", s.operators.listen); err != nil {
			return errors.Join(err, ln.Close())
		}
	}
	url := s.url(ln.Addr())
	line := "quarry: ready " + url
	if ca != "" {
		line += " ca=" + ca
	}
	if admin != nil {
		line += " admin=" + s.url(admin.Addr())
	}
	if ready != nil {
		line += ready(url, ca)
	}
	if _, err := fmt.Fprintln(stdout, line); err != nil {
		err = errors.Join(fmt.Errorf("ready line: %w", err), ln.Close())
		if admin != nil {
			err = errors.Join(err, admin.Close())
		}
		return err
	}
	for _, ix := range e.Indexes() {
		if ix.State == "stale" {
			s.log.Warn("an index answers nothing until it is rebuilt: the words of its language are read by other rules than those it was made by; "+
				"send its schema again (PUT /v1/indexes/NAME)", "index", ix.Name)
		}
	}
	s.log.Info("ready", "url", url, "indexes", len(e.Indexes()))
	s.memory.leave(muchWork) // by the start
	err = serveBoth(ctx, server, ln, admin, s.operators.options())
	s.log.Info("stopped")
	return err
}

// tls returns the TLS configuration, nil for plain HTTP, and the file of the
// local CA if its certificate is used.
func (s *service) tls() (*tls.Config, string, error) {
	switch {
	case s.insecure:
		return nil, "", nil
	case s.certFile != "":
		c, err := httpapi.NewCertificates(s.certFile, s.keyFile)
		if err != nil {
			return nil, "", fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		return c.Config(), "", nil
	case len(s.acmeHosts) > 0:
		c, err := acme(s.tlsDir, s.acmeHosts)
		return c, "", err
	}
	hosts := slices.Clone(s.tlsHosts)
	for _, listen := range []string{s.listen, s.operators.listen} {
		if host, _, err := net.SplitHostPort(listen); err == nil {
			hosts = append(hosts, host)
		}
	}
	c, err := httpapi.LocalCertificates(s.tlsDir, hosts, nil)
	if err != nil {
		return nil, "", err
	}
	return c.Config(), filepath.Join(s.tlsDir, caName), nil
}

// url is where clients on this machine find the service.
func (s *service) url(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		host, port = addr.String(), ""
	}
	if ip := net.ParseIP(host); len(s.acmeHosts) > 0 {
		host = s.acmeHosts[0]
	} else if ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.To4() == nil {
			host = "::1"
		}
	}
	if s.insecure {
		return "http://" + net.JoinHostPort(host, port)
	}
	return "https://" + net.JoinHostPort(host, port)
}

// logger logs what has at least a level.
func (p *program) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
}

// events logs what an engine does in the background.
func events(log *slog.Logger, giver *memoryGiver) engine.Events {
	return engine.Events{
		Corruption: func(err error) { log.Error("damaged data", "error", err) },
		Background: func(err error) { log.Warn("background work failed and will be tried again", "error", err) },
		EmbedderDown: func(name string, err error) {
			log.Warn("embedder does not answer, queries are ranked by words alone", "embedder", name, "error", err)
		},
		Flushed: func(index string, records int, took time.Duration) {
			log.Debug("flushed", "index", index, "records", records, "took", took)
			giver.leave(records)
		},
		Merged: func(index string, segments int, took time.Duration) {
			log.Debug("merged", "index", index, "segments", segments, "took", took)
			giver.leave(mergeWork)
		},
		Learnt: func(index string, records int, took time.Duration) {
			log.Debug("learnt vectors", "index", index, "records", records, "took", took)
			giver.leave(records)
		},
		Words: func(index string, words int, took time.Duration) {
			log.Debug("read words", "index", index, "words", words, "took", took)
			giver.leave(words)
		},
		LowDisk: func(free uint64) { log.Warn("disk space is low", "free_bytes", free) },
		WriteStall: func(begin bool, reason string) {
			if begin {
				log.Warn("writes wait for storage", "reason", reason)
			}
		},
		SlowDisk: func(file, operation string, since time.Duration) {
			log.Warn("the disk is slow", "file", file, "operation", operation, "since", since)
		},
		Fatal: func(err error) {
			log.Error("storage failed; this process ends, start it again", "error", err)
			os.Exit(exitStorage)
		},
	}
}

// workingRoom is what requests and batches under way may need beside the
// engine's budget: twice the 256 MiB of bodies that the service holds at most.
const workingRoom = 512 << 20

// limitMemory makes the garbage collector work harder before the process grows
// beyond budget and workingRoom. A limit set in GOMEMLIMIT stays.
func limitMemory(budget int64, lookupEnv func(string) (string, bool)) {
	if _, set := lookupEnv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(budget + workingRoom)
	}
}
