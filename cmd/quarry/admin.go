package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"

	"github.com/quarry-search/quarry/httpapi"
	"github.com/spf13/cobra"
)

// operators is the listener for operators.
type operators struct {
	listen string // "" for none
	debug  bool
}

func (o *operators) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.listen, "admin-listen", "", "`ADDR` to listen on for operators: /metrics for Prometheus, /healthz, /readyz; beyond this machine with an API key of scope usage (default: none)")
	c.Flags().BoolVar(&o.debug, "debug", false, "offer profiles of this process below /debug/pprof/ of --admin-listen, which must be a loopback address")
}

// check tells what is wrong with the settings.
func (o *operators) check(insecure bool) error {
	if o.listen == "" {
		if o.debug {
			return usagef("--debug needs --admin-listen, such as 127.0.0.1:7375")
		}
		return nil
	}
	host, port, err := net.SplitHostPort(o.listen)
	switch {
	case err != nil:
		return usagef("--admin-listen %q is not an address with a port, such as 127.0.0.1:7375", o.listen)
	case !isPort(port):
		return usagef("--admin-listen %q: %q is not a port, which has a number up to 65535", o.listen, port)
	case insecure && !isLoopback(host):
		return usagef("--insecure-http needs a loopback address for --admin-listen, too, not %q", o.listen)
	case o.debug && !isLoopback(host):
		return usagef("--debug needs a loopback address for --admin-listen, not %q", o.listen)
	}
	return nil
}

// options are those of the listener. Who is on this machine needs no key.
func (o *operators) options() httpapi.AdminOptions {
	host, _, _ := net.SplitHostPort(o.listen)
	opts := httpapi.AdminOptions{RequireKey: !isLoopback(host)}
	if o.debug {
		opts.Debug = profiles()
	}
	return opts
}

// profiles answers below /debug/pprof/.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// serveBoth answers requests of clients on one listener and those of operators
// on another, which may be nil, until ctx ends or one of them fails.
func serveBoth(ctx context.Context, server *httpapi.Server, ln, admin net.Listener, o httpapi.AdminOptions) error {
	if admin == nil {
		return server.Serve(ctx, ln)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- server.ServeAdmin(ctx, admin, o)
		cancel()
	}()
	err := server.Serve(ctx, ln)
	cancel()
	return errors.Join(err, <-ended)
}
