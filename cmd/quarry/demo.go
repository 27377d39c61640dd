package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/quarry-search/quarry/cmd/quarry/internal/demo"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
	"github.com/spf13/cobra"
)

// demoCommand is quarry demo.
func (p *program) demoCommand() *cobra.Command {
	var o service
	c := &cobra.Command{
		Use:   "demo",
		Short: "Serve built-in sample data, to try things out",
		Long: `Serve two built-in indexes, a shop (products) and the chemical elements, on this
machine only. Everything is kept in memory and gone in the end.`,
		Example: "  quarry demo\n  quarry demo --insecure-http",
		Args:    wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if host, _, _ := net.SplitHostPort(o.listen); !isLoopback(host) {
				return usagef("quarry demo listens on loopback addresses only, not on %q", o.listen)
			}
			if !cmd.Flags().Changed("listen") {
				o.listen = freeOr(cmd.Context(), o.listen)
			}
			return p.demo(cmd.Context(), &o)
		},
	}
	o.flags(c, defaultListen)
	return c
}

// freeOr returns an address whose port is free, the given one if it is.
func freeOr(ctx context.Context, addr string) string {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		host, _, _ := net.SplitHostPort(addr)
		return net.JoinHostPort(host, "0")
	}
	ln.Close()
	return addr
}

// demo serves the sample data until ctx ends.
func (p *program) demo(ctx context.Context, o *service) (err error) {
	dir, err := os.MkdirTemp("", "quarry-demo-") // for the certificate
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log := p.logger(slog.LevelInfo)
	o.log, o.memory = log, newMemoryGiver(log)
	e, err := engine.Open("", &engine.Options{Events: events(log, o.memory)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := loadSamples(ctx, e); err != nil {
		return err
	}
	o.key, o.tlsDir = httpapi.GenerateKey(), filepath.Join(dir, tlsName)
	return o.run(ctx, e, p.stdout, func(url, ca string) string {
		trust := ""
		if ca != "" {
			trust = " --cacert " + ca
		}
		if !o.noPage {
			// A browser keeps what follows # to itself, and the page takes the
			// key out of the address at once.
			fmt.Fprintf(p.stderr, `
Open the search page%s:

  %s/#key=%s
`, mistrust(ca), url, o.key)
		}
		fmt.Fprintf(p.stderr, `
Try it in another terminal:

  curl%s -H "Authorization: Bearer %s" -H "Content-Type: application/json" \
    %s/v1/search -d '{"q":"red running shoes","filter":"price < 90","facets":["brand"],"limit":3}'

`, trust, o.key, url)
		return " key=" + o.key
	})
}

// mistrust warns of what a browser says about a local CA; "" where there is none.
func mistrust(ca string) string {
	if ca == "" {
		return ""
	}
	return " (the browser will ask whether to trust the certificate, which is made for this demo)"
}

// loadSamples stores the sample indexes.
func loadSamples(ctx context.Context, e *engine.Engine) error {
	indexes, err := demo.Indexes()
	if err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := e.CreateIndex(ctx, i.Name, i.Schema); err != nil {
			return fmt.Errorf("sample index %s: %w", i.Name, err)
		}
		var b engine.Batch
		for _, r := range i.Records {
			b.Put(i.Name, r)
		}
		if _, err := e.Apply(ctx, &b); err != nil {
			return fmt.Errorf("sample index %s: %w", i.Name, err)
		}
	}
	return nil
}
