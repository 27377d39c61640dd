package httpapi

import (
	"bytes"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
)

// cappedListener bounds the connections that are served at a time. When all
// places are taken, one more client is accepted and waits: for an idle
// connection, which is closed for it, or for any other that ends.
type cappedListener struct {
	net.Listener
	places   chan struct{}
	makeRoom func()
	closing  chan struct{}
	once     sync.Once
	pool     sync.Pool // of heldConn
}

func newCappedListener(ln net.Listener, connections int, makeRoom func()) *cappedListener {
	return &cappedListener{Listener: ln, places: make(chan struct{}, connections), makeRoom: makeRoom, closing: make(chan struct{})}
}

func (l *cappedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.places <- struct{}{}:
	default:
		l.makeRoom()
		select {
		case l.places <- struct{}{}:
		case <-l.closing:
			c.Close()
			return nil, net.ErrClosed
		}
	}
	return &heldConn{Conn: &cappedConn{Conn: c, places: l.places}, pool: &l.pool}, nil
}

func (l *cappedListener) Close() error {
	l.once.Do(func() { close(l.closing) })
	return l.Listener.Close()
}

// cappedConn gives its place back when it is closed for the first time.
type cappedConn struct {
	net.Conn
	places chan struct{}
	once   sync.Once
}

func (c *cappedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.places })
	return err
}

// idleConns knows the connections that wait for a request, and closes one of
// them when another client needs its place.
type idleConns struct {
	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	wanted int // connections to close as soon as they are idle
}

func newIdleConns() *idleConns { return &idleConns{conns: map[net.Conn]struct{}{}} }

// track is an http.Server's ConnState.
func (i *idleConns) track(c net.Conn, state http.ConnState) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case state != http.StateIdle:
		delete(i.conns, c)
	case i.wanted > 0:
		i.wanted--
		hangUp(c)
	default:
		i.conns[c] = struct{}{}
	}
}

// makeRoom closes an idle connection, the next one if there is none now.
func (i *idleConns) makeRoom() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for c := range i.conns {
		delete(i.conns, c)
		hangUp(c)
		return
	}
	i.wanted++
}

// hangUp closes a connection without TLS's goodbye, which would wait for a
// peer that does not read.
func hangUp(c net.Conn) {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	c.Close()
}

// quietLog returns a log for http.Server, which puts the address of the client
// into its lines. Only the kind of an event goes on, and only at debug level:
// all of them are the doing of clients.
func quietLog(to *slog.Logger) *log.Logger { return log.New(quietWriter{to}, "", 0) }

type quietWriter struct{ to *slog.Logger }

func (w quietWriter) Write(line []byte) (int, error) {
	kind := "other"
	for _, k := range [...]struct{ prefix, kind string }{
		{"http: TLS handshake error", "tls handshake"},
		{"http: Accept error", "accept"},
		{"http: panic", "panic"},
		{"http2: panic", "panic"},
		{"http: superfluous", "answered twice"},
		{"http2: ", "http2"},
	} {
		if bytes.HasPrefix(line, []byte(k.prefix)) {
			kind = k.kind
			break
		}
	}
	w.to.Debug("connection", "event", kind)
	return len(line), nil
}
