package httpapi

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
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
type heldConn struct {
	net.Conn
	mu   sync.Mutex
	on   bool
	held *[]byte // of heldBytes, nil for none
	pool *sync.Pool
}

func (c *heldConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return c.Conn.Write(b)
	}
	if c.held == nil {
		var ok bool
		if c.held, ok = c.pool.Get().(*[]byte); !ok {
			c.held = new([]byte)
		}
	}
	*c.held = append(*c.held, b...)
	if len(*c.held) < holdUpTo {
		return len(b), nil
	}
	if err := c.flush(); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (c *heldConn) Read(b []byte) (int, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *heldConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// hold begins to hold back.
func (c *heldConn) hold() {
	c.mu.Lock()
	c.on = true
	c.mu.Unlock()
}

// release writes what is held, and ends holding back.
func (c *heldConn) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = false
	return c.flush()
}

func (c *heldConn) flush() error {
	if c.held == nil {
		return nil
	}
	// The deadline of the answer may be over or lifted by now.
	c.Conn.SetWriteDeadline(time.Now().Add(answerTime))
	_, err := c.Conn.Write(*c.held)
	*c.held = (*c.held)[:0]
	c.pool.Put(c.held)
	c.held = nil
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
