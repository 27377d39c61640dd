package httpapi

import (
	"context"
	"net"
	"net/http"
)

// AdminOptions sets up what [Server.ServeAdmin] offers.
type AdminOptions struct {
	// RequireKey asks for an API key with the scope usage, except at /healthz
	// and /readyz. It belongs on every address that others can reach.
	RequireKey bool
	// Debug, unless nil, answers what lies below /debug/. It may show the
	// inside of the process, though no query and no record.
	Debug http.Handler
}

// ServeAdmin answers the requests of operators on a listener of their own, with
// the same TLS configuration as Serve: /metrics for Prometheus, /healthz and
// /readyz. It returns nil after ctx ended.
func (s *Server) ServeAdmin(ctx context.Context, ln net.Listener, o AdminOptions) error {
	return s.serveOn(ctx, ln, s.admin(o), func() {})
}

// admin is the handler of ServeAdmin.
func (s *Server) admin(o AdminOptions) http.Handler {
	table := []route{
		{"GET", "/healthz", 0, nil, "", (*Server).healthz},
		{"GET", "/readyz", 0, nil, "", (*Server).readyz},
	}
	open := s.cleanly(s.newMux(table))
	guarded := http.NewServeMux()
	guarded.Handle("GET /metrics", s.Metrics())
	if o.Debug != nil {
		guarded.Handle("/debug/", o.Debug)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := guarded.Handler(r)
		if pattern == "" {
			open.ServeHTTP(w, r)
			return
		}
		x := s.newExchange(w, r)
		if o.RequireKey {
			key, err := s.authenticate(r.Header["Authorization"])
			if err == nil && key.Scopes&ScopeUsage == 0 {
				err = &problem{code: codeForbiddenScope, detail: "the API key needs the scope: " + ScopeUsage.String()}
			}
			if err != nil {
				s.fail(x, err)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}
