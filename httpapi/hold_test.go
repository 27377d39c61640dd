package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// tape is a connection that keeps what is written to it.
type tape struct {
	net.Conn
	written bytes.Buffer
	writes  int
	broken  error
}

func (t *tape) Write(b []byte) (int, error) {
	t.writes++
	if t.broken != nil {
		return 0, t.broken
	}
	return t.written.Write(b)
}

func (t *tape) Read([]byte) (int, error)         { return 0, io.EOF }
func (t *tape) Close() error                     { return nil }
func (t *tape) SetWriteDeadline(time.Time) error { return nil }

// TestHeldBytesKeepTheirOrder: whatever is held and let go, the bytes arrive as
// they were written, and all of them by the time of a Read or Close.
func TestHeldBytesKeepTheirOrder(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 1))
	var pool sync.Pool
	for round := range 200 {
		to := &tape{}
		c := &heldConn{Conn: to, pool: &pool}
		var want []byte
		for range r.IntN(30) {
			switch r.IntN(6) {
			case 0:
				c.hold()
			case 1:
				c.release()
			case 2:
				c.Read(nil)
				if !bytes.Equal(to.written.Bytes(), want) {
					t.Fatalf("seed %d, round %d: something is held while the client is waited for", seed, round)
				}
			default:
				b := make([]byte, r.IntN(3)*r.IntN(20<<10))
				for i := range b {
					b[i] = byte(r.Uint32())
				}
				if n, err := c.Write(b); n != len(b) || err != nil {
					t.Fatal(n, err)
				}
				want = append(want, b...)
			}
			if held := len(want) - to.written.Len(); held > holdUpTo {
				t.Fatalf("seed %d, round %d: %d bytes are held", seed, round, held)
			}
		}
		c.Close()
		if !bytes.Equal(to.written.Bytes(), want) {
			t.Fatalf("seed %d, round %d: the bytes are not those written", seed, round)
		}
	}
	broken := errors.New("broken")
	c := &heldConn{Conn: &tape{broken: broken}, pool: &pool}
	c.hold()
	c.Write([]byte("x"))
	if _, err := c.Read(nil); err != broken {
		t.Errorf("what is held cannot be written, and Read says %v", err)
	}
}

// TestStuckWritesKeepNobody: while a write waits for a client that does not read,
// with or without something held back, a connection can be closed, and that ends
// the write; one that holds nothing back can be read as well.
func TestStuckWritesKeepNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, held := range []bool{false, true} {
			mine, theirs := net.Pipe()
			c := &heldConn{Conn: theirs, pool: new(sync.Pool)}
			stuck := make(chan error)
			if held {
				c.hold()
				c.Write([]byte("held"))
				go func() { stuck <- c.release() }()
			} else {
				go func() { _, err := c.Write([]byte("sent")); stuck <- err }()
			}
			synctest.Wait()
			if !held {
				go mine.Write([]byte("x"))
				if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
					t.Errorf("Read beside a write that waits: %d, %v", n, err)
				}
			}
			begin := time.Now()
			c.Close()
			if err := <-stuck; err == nil || time.Since(begin) > 0 {
				t.Errorf("held %v: the write ends %v after Close with %v", held, time.Since(begin), err)
			}
		}
	})
}

// countedWrites counts the writes to a connection.
type countedWrites struct {
	net.Conn
	n *atomic.Int64
}

func (c *countedWrites) Write(b []byte) (int, error) {
	c.n.Add(1)
	return c.Conn.Write(b)
}

// TestAnswersGoOutAtOnce: an answer to a search is one write, also when the
// next request is there already, and when the connection is closed after it.
func TestAnswersGoOutAtOnce(t *testing.T) {
	s := newService(t)
	var records []string
	for i := range 10 {
		records = append(records, fmt.Sprintf(`{"id":"%d","text":"apple %s"}`, i, strings.Repeat("word ", 300)))
	}
	s.want(201, "POST", "/v1/batch", `{"index":"fruit","records":[`+strings.Join(records, ",")+`]}`)
	synctest.Test(t, func(t *testing.T) {
		ln := newPipes()
		ctx, stop := context.WithCancel(context.Background())
		stopped := make(chan error, 1)
		go func() { stopped <- s.server.serveOn(ctx, ln, s.server.handler, func() {}) }()
		mine, theirs := net.Pipe()
		var writes atomic.Int64
		ln.conns <- &countedWrites{theirs, &writes}
		ask := func(headers string) {
			const body = `{"q":"apple"}`
			fmt.Fprintf(mine, "POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", s.key, headers, len(body), body)
		}
		in := bufio.NewReader(mine)
		answer := func() {
			t.Helper()
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != 200 || len(body) < 15_000 {
				t.Fatalf("%v, %d, %d bytes: %.300s", err, res.StatusCode, len(body), body)
			}
		}
		ask("")
		answer()
		if n := writes.Swap(0); n != 1 {
			t.Errorf("an answer was written in %d pieces", n)
		}
		go func() { ask(""); ask(""); ask("Connection: close\r\n") }()
		answer()
		answer()
		answer()
		if _, err := in.ReadByte(); err != io.EOF {
			t.Errorf("after Connection: close there is %v", err)
		}
		mine.Close()
		stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}
