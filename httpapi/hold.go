package httpapi

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// holdFrom is the size of an answer from which on net/http writes it to the
	// connection in more than one piece: it buffers 4 kB, headers included.
	holdFrom = 3 << 10
	// holdUpTo bounds what a connection holds back.
	holdUpTo = 64 << 10
)

// heldConn is a connection that can hold back what is written to it, so that
// an answer goes out at once: of one that takes several writes, each is a
// system call, and wakes the client for a part of it.
//
// What is held goes out before the server waits for the client or closes the
// connection, so nobody waits for it: when the connection becomes idle, see
// letGo, and for safety before each Read and Close. Its methods may be called
// at the same time as those of any net.Conn.
//
// A connection that holds nothing back takes no lock, so that a Write that waits
// for the client keeps nobody from Read or Close.
type heldConn struct {
	net.Conn
	on   atomic.Bool // changes under mu; off only when nothing is held
	mu   sync.Mutex
	held *[]byte // nil for none
	pool *sync.Pool
}

func (c *heldConn) Write(b []byte) (int, error) {
	if c.keep(b) {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

// keep adds to what is held, if c holds back. Where it would be too much, all of
// it goes out.
func (c *heldConn) keep(b []byte) bool {
	if !c.on.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on.Load() {
		return false
	}
	if c.held == nil {
		var ok bool
		if c.held, ok = c.pool.Get().(*[]byte); !ok {
			c.held = new([]byte)
		}
	}
	if len(*c.held)+len(b) > holdUpTo {
		c.flush() // the next Write will fail as this did
		return false
	}
	*c.held = append(*c.held, b...)
	return true
}

func (c *heldConn) Read(b []byte) (int, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *heldConn) Close() error {
	if c.on.Load() && c.mu.TryLock() { // else it is being written; closing ends that
		c.flush()
		c.mu.Unlock()
	}
	return c.Conn.Close()
}

// hold begins to hold back.
func (c *heldConn) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on.Store(true)
}

// release writes what is held, and ends holding back.
func (c *heldConn) release() error {
	if !c.on.Load() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flush()
}

// flush is release under mu.
func (c *heldConn) flush() (err error) {
	if c.held != nil {
		// The deadline of the answer may be over or lifted by now.
		c.Conn.SetWriteDeadline(time.Now().Add(answerTime))
		_, err = c.Conn.Write(*c.held)
		*c.held = (*c.held)[:0]
		c.pool.Put(c.held)
		c.held = nil
	}
	c.on.Store(false)
	return err
}

// heldBy returns the connection below TLS, if it is one that can hold back.
func heldBy(c net.Conn) *heldConn {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	h, _ := c.(*heldConn)
	return h
}

type heldKey struct{}

// knowHeld is an http.Server's ConnContext.
func knowHeld(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, heldKey{}, heldBy(c))
}

// letGo is called when the state of a connection changes.
func letGo(c net.Conn, state http.ConnState) {
	if h := heldBy(c); h != nil && state != http.StateActive {
		h.release()
	}
}

// together holds an answer of a size back until it is complete, where it takes
// several writes. It is for handlers that have read the body of the request, so
// that nothing stands between the end of the answer and the wait for the next
// request.
func (x *exchange) together(size int) {
	if size < holdFrom || size > holdUpTo || x.r.ProtoMajor != 1 || x.r.Close || x.bodyFailed {
		return
	}
	if h, _ := x.r.Context().Value(heldKey{}).(*heldConn); h != nil {
		h.hold()
	}
}
