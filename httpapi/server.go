package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
	"github.com/quarry-search/quarry/httpapi/internal/usage"
	"github.com/quarry-search/quarry/httpapi/internal/webhook"
	"github.com/quarry-search/quarry/httpapi/internal/webui"
)

// Times of connections.
const (
	headerTime = 5 * time.Second   // for the headers of a request
	readTime   = 30 * time.Second  // for a body, by default, and for each part of an answer that is streamed
	answerTime = 30 * time.Second  // for writing the answer
	idleTime   = 120 * time.Second // between requests

	maxHeaderBytes = 16 << 10
	maxStreams     = 100 // HTTP/2 requests at a time on a connection
)

// Server is the v1 interface over one engine. It is safe for concurrent use.
type Server struct {
	engine    Engine
	limits    Limits
	engineMax engine.Limits
	log       *slog.Logger
	now       func() time.Time
	tls       *tls.Config
	keys      *keyring.Ring
	reserved  reservations
	cursors   *cursorSigner
	batches   *batchLog
	replays   *replayLog
	outbox    *webhook.Outbox
	witnesses []witness
	meter     *usage.Meter
	serving   serving
	metrics   *metrics
	retiring  map[string][]deprecation // by method and pattern
	openapi   func() ([]byte, error)
	site      *webui.Site // the pages; nil with Config.NoPage
	graph     *graphService
	handler   http.Handler
	budget    budget
	turns     *turns // of searches
	bodies    bodies
	work      *background
	rebuilds  *rebuilds
	snapshots *snapshotLog
	queue     *queue

	snapshotDir string
	stopping    atomic.Bool
}

// New makes a server. It reads what earlier ones left in the engine's rows
// under "http/", puts a signing key for cursors there if there is none, and
// goes on with what was left undone, such as rebuilds of indexes.
func New(c Config) (*Server, error) {
	if c.Engine == nil {
		return nil, errors.New("httpapi: a Config needs an Engine")
	}
	c = c.withDefaults()
	s := &Server{
		engine:    c.Engine,
		limits:    c.Limits,
		engineMax: c.Engine.Limits(),
		log:       c.Logger,
		now:       c.Now,
		tls:       c.TLS,
		openapi:   sync.OnceValues(func() ([]byte, error) { return openAPIDocument(c.Version) }),
		retiring:  byRoute(deprecationTable()),
		budget:    budget{limit: c.Limits.InFlightBytes},
		turns:     newTurns(&c.Limits, runtime.GOMAXPROCS(0)),
		work:      newBackground(),
		rebuilds:  newRebuilds(),

		snapshotDir: c.SnapshotDir,
	}
	for _, origin := range c.CORSOrigins {
		if err := CheckOrigin(origin); err != nil {
			return nil, fmt.Errorf("httpapi: %w", err)
		}
	}
	var err error
	if s.cursors, err = openCursorSigner(c.Engine); err != nil {
		return nil, fmt.Errorf("httpapi: cursor key: %w", err)
	}
	if s.keys, err = openKeyring(c.Engine, c.RootKey); err != nil {
		return nil, fmt.Errorf("httpapi: keys: %w", err)
	}
	if s.batches, err = openBatchLog(c.Engine, c.Limits.BatchesKept); err != nil {
		return nil, fmt.Errorf("httpapi: batches: %w", err)
	}
	if s.replays, err = openReplayLog(c.Engine); err != nil {
		return nil, fmt.Errorf("httpapi: idempotency keys: %w", err)
	}
	if s.queue, err = openQueue(c.Engine, &s.limits, s.batches); err != nil {
		return nil, fmt.Errorf("httpapi: queue: %w", err)
	}
	if s.snapshots, err = openSnapshotLog(c.Engine); err != nil {
		return nil, fmt.Errorf("httpapi: snapshots: %w", err)
	}
	if err = s.openOutbox(&c); err != nil {
		return nil, fmt.Errorf("httpapi: %w", err)
	}
	if err = s.openMeter(c.Unmetered); err != nil {
		return nil, fmt.Errorf("httpapi: usage: %w", err)
	}
	table := routeTable()
	if s.graph, err = newGraphService(s, table); err != nil {
		return nil, fmt.Errorf("httpapi: GraphQL schema: %w", err)
	}
	if !c.NoPage {
		if s.site, err = webui.New(); err != nil {
			return nil, fmt.Errorf("httpapi: pages: %w", err)
		}
		table = append(table, pageRoutes()...)
	}
	s.metrics = newMetrics(table, c.Version)
	s.metrics.registry.MustRegister(engineFigures{c.Engine})
	s.metrics.gauge("quarry_request_body_bytes", "Memory that bodies of requests and large answers of searches take up.", func() float64 { return float64(s.budget.used.Load()) })
	s.webhookMetrics()
	s.handler = crossOrigin(c.CORSOrigins, s.requestID, s.cleanly(s.newMux(table)))
	s.resumeRebuilds()
	s.runQueue()
	return s, nil
}

// cleanly keeps paths from a mux that it would redirect.
func (s *Server) cleanly(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !cleanPath(r.URL.EscapedPath()) {
			s.serve(w, r, &resource{})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Handler returns the interface without connections: what Serve serves. What
// goes on beside requests, such as writing down how many searches there were,
// does so only while Serve runs.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers requests on a listener until ctx ends or the listener fails.
// Then it takes no new requests, gives those under way Limits.StopTimeout and
// closes the listener and all connections. It returns nil after ctx ended.
// Serve may be called for several listeners, but not again after it returned.
// Webhooks are delivered while at least one Serve is under way.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	end := s.serving.begin(s.runMeter, s.tendKeys, s.outbox.Run)
	err := s.serveOn(ctx, ln, s.handler, func() { s.stopping.Store(true) })
	if last := end(); last && err == nil {
		s.work.stop()
	}
	return err
}

// serveOn serves a handler on a listener until ctx ends. stopping is called
// before it waits for the requests under way.
func (s *Server) serveOn(ctx context.Context, ln net.Listener, h http.Handler, stopping func()) error {
	requests, cancelRequests := context.WithCancel(context.Background())
	defer cancelRequests()
	idle := newIdleConns()
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       s.limits.BodyTimeout,
		WriteTimeout:      s.limits.BodyTimeout + answerTime, // runs from the end of the headers
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          quietLog(s.log),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnContext:       knowHeld,
		ConnState: func(c net.Conn, state http.ConnState) {
			letGo(c, state)
			idle.track(c, state)
		},
		HTTP2:                        &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		DisableGeneralOptionsHandler: true,
	}
	ln = newCappedListener(ln, s.limits.Connections, idle.makeRoom)
	failed := make(chan error, 1)
	go func() {
		if s.tls == nil {
			failed <- srv.Serve(ln)
			return
		}
		srv.TLSConfig = s.tls.Clone()
		srv.TLSConfig.MinVersion = tls.VersionTLS13
		failed <- srv.ServeTLS(ln, "", "")
	}()
	select {
	case err := <-failed:
		srv.Close()
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stopping()
	stop, cancelStop := context.WithTimeout(context.Background(), s.limits.StopTimeout)
	defer cancelStop()
	if srv.Shutdown(stop) != nil {
		cancelRequests()
		srv.Close()
	}
	<-failed
	return nil
}

// Close stops what the server does in the background and returns when it is
// done: rebuilds and queued batches go on with the next server over the
// engine's data. It must be called before the engine is closed unless Serve has
// returned nil, and may be called more than once.
func (s *Server) Close() { s.work.stop() }

// requestID makes the Request-Id of a request.
func (s *Server) requestID() string { return newID("req_", s.now()) }

// newExchange begins the answer to a request with the headers that all have.
func (s *Server) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{w: w, r: r, begin: time.Now(), id: s.requestID(), pace: pace{s.limits.BodyTimeout, s.limits.BodyRate}}
	h := w.Header()
	h.Set("Request-Id", x.id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
		// The request may have had a Content-Length as well, which net/http
		// drops in silence: after such a request nothing more may be read from
		// the connection (RFC 9112, 6.1), as the one who sent it may see its
		// end elsewhere.
		h.Set("Connection", "close")
	}
	return x
}

// serve runs one request: everything between the path and the handler.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, res *resource) {
	x := s.newExchange(w, r)
	s.metrics.begun()
	defer s.metrics.ended(x)
	defer func() {
		s.budget.giveBack(x.hold)
		switch v := recover(); v {
		case nil:
		case http.ErrAbortHandler:
			panic(v) // net/http closes the connection without a word
		default:
			// The value is not logged: it may hold a part of the request.
			s.log.Error("panic", "request_id", x.id, "route", x.pattern(), "stack", string(debug.Stack()))
			if x.begun {
				panic(http.ErrAbortHandler)
			}
			s.fail(x, &problem{code: codeInternal, detail: "an error inside the service; the request id names it in the log"})
		}
	}()
	if err := s.admit(x, res); err != nil {
		s.fail(x, err)
		return
	}
	if err := s.announce(x); err != nil {
		s.fail(x, err)
		return
	}
	if err := x.route.handle(s, x); err != nil {
		s.fail(x, err)
	}
}

// admit checks what is common to all requests, in an order that tells nothing
// to those without a key, and finds the route.
func (s *Server) admit(x *exchange, res *resource) error {
	var err error
	r := x.r
	path := r.URL.EscapedPath()
	x.route = res.routes[r.Method]
	if public := x.route != nil && x.route.scope == 0; !public && (path == "/v1" || strings.HasPrefix(path, "/v1/")) {
		if x.key, err = s.authenticate(r.Header["Authorization"]); err != nil {
			return err
		}
		if err := s.limitRate(x); err != nil {
			return err
		}
	}
	switch {
	case res.routes == nil && (path == "/v1/record/." || path == "/v1/record/.."):
		return invalidRequest(`a record id is neither "." nor ".."`)
	case res.routes == nil:
		return &problem{code: codeRouteNotFound, detail: "there is nothing at this path"}
	case x.route == nil:
		detail := "use one of " + res.allow
		if path == "/v1/indexes" {
			detail += "; PUT /v1/indexes/NAME makes an index"
		}
		return &problem{code: codeMethod, detail: detail, allow: res.allow}
	case x.mayUse(x.route) != nil:
		return x.mayUse(x.route)
	case x.route.answer != "" && !accepts(r.Header["Accept"], x.route.answer):
		return &problem{code: codeNotAcceptable, detail: "the answer is " + x.route.answer}
	case x.route.body != nil:
		return x.checkMedia(x.route.body)
	}
	return nil
}

// mayUse tells whether the key of the request has a scope of a route.
func (x *exchange) mayUse(r *route) error {
	if x.key != nil && x.key.Scopes&r.scope == 0 {
		return &problem{code: codeForbiddenScope, detail: "the API key needs one of the scopes: " + r.scope.String()}
	}
	return nil
}

// pattern of the request's route, for logs: it holds nothing that the client
// sent.
func (x *exchange) pattern() string {
	if x.route == nil {
		return "none"
	}
	return x.route.method + " " + x.route.pattern
}

// settle finds the problem that an error is and logs it. Only what is not the
// client's doing is logged, and of the cause only its type: its text may quote
// the request.
func (s *Server) settle(x *exchange, err error) *problem {
	p := problemOf(err, nil)
	if errors.Is(err, engine.ErrClosed) || p.code == codeInternal && s.stopping.Load() && errors.Is(err, context.Canceled) {
		p = &problem{code: codeShuttingDown, detail: "the service is shutting down"}
	}
	refused := p.code == codeOverloaded && p.cause == nil // a line for each would be one more load
	if p.status() >= 500 && !refused && x.r.Context().Err() == nil {
		level := slog.LevelError
		if p.status() != http.StatusInternalServerError {
			level = slog.LevelWarn // too much load, too little space: it passes
		}
		s.log.Log(x.r.Context(), level, "request failed", "request_id", x.id, "route", x.pattern(), "status", p.status(), "code", p.code, "cause", causeType(p.cause))
	}
	return p
}

// fail answers with a problem.
func (s *Server) fail(x *exchange, err error) {
	p := s.settle(x, err)
	h := x.w.Header()
	if after := p.retryAfter(); after != "" {
		h.Set("Retry-After", after)
	}
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.status() == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	x.linger()
	x.send(p.status(), mediaProblem, append(appendProblem(nil, p, x.id), '\n'))
}

// causeType names the types of an error and of what it wraps.
func causeType(err error) string {
	var types []string
	for ; err != nil; err = errors.Unwrap(err) {
		types = append(types, fmt.Sprintf("%T", err))
	}
	return strings.Join(types, " ")
}
