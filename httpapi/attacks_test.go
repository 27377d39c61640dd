package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// dial returns the client's end of a connection; closed is called when the
// other end is closed.
func (p *pipes) dial(closed func()) net.Conn {
	mine, theirs := net.Pipe()
	p.conns <- &watchedConn{Conn: theirs, closed: closed}
	return mine
}

type watchedConn struct {
	net.Conn
	once   sync.Once
	closed func()
}

func (c *watchedConn) Close() error {
	c.once.Do(c.closed)
	return c.Conn.Close()
}

// TestSlowClientsAreCutOff: a client that makes the service wait loses its
// connection when the time for what it is doing is over, not a second later.
func TestSlowClientsAreCutOff(t *testing.T) {
	s := newService(t)
	authorized := "Host: x\r\nAuthorization: Bearer " + s.key + "\r\n"
	for _, c := range []struct {
		name        string
		send        string        // at once
		drip        string        // then, byte by byte
		every       time.Duration // byte of drip, and byte that is read
		least, most time.Duration
	}{
		{"nothing", "", "", time.Second, headerTime, headerTime + time.Second},
		{"headers", "GET /healthz HTTP/1.1\r\nX: ", strings.Repeat("x", 4000), time.Second, headerTime, headerTime + 2*time.Second},
		{"a body", "POST /v1/search HTTP/1.1\r\n" + authorized + "Content-Length: 5000\r\n\r\n", strings.Repeat(" ", 5000), time.Second, readTime, readTime + answerTime + time.Second},
		{"a chunked body", "POST /v1/search HTTP/1.1\r\n" + authorized + "Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1\r\n \r\n", 1000), time.Second, readTime, readTime + answerTime + time.Second},
		{"an idle connection", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "", 0, idleTime, idleTime + time.Second},
		{"reading", "GET /v1/openapi.json HTTP/1.1\r\n" + authorized + "\r\n", "", time.Second, answerTime, readTime + answerTime + time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ln := newPipes()
				ctx, stop := context.WithCancel(context.Background())
				stopped := make(chan error, 1)
				go func() { stopped <- s.server.serveOn(ctx, ln, s.server.handler, func() {}) }()
				var closed time.Time // by the service
				conn := ln.dial(func() { closed = time.Now() })
				begin := time.Now()
				var ended sync.WaitGroup
				ended.Go(func() { // what the service sends, slowly
					buf := make([]byte, 1)
					if c.every == 0 {
						buf = make([]byte, 4096)
					}
					for {
						if _, err := conn.Read(buf); err != nil {
							conn.Close()
							return
						}
						time.Sleep(c.every)
					}
				})
				_, err := io.WriteString(conn, c.send)
				for i := 0; err == nil && i < len(c.drip); i++ {
					time.Sleep(c.every)
					_, err = io.WriteString(conn, c.drip[i:i+1])
				}
				ended.Wait()
				if took := closed.Sub(begin); took < c.least || took > c.most {
					t.Errorf("the connection ends after %v, not between %v and %v", took, c.least, c.most)
				}
				stop()
				if err := <-stopped; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestNoRequestIsSmuggled: where two programs could see the end of a request in
// different places, the service refuses it or closes the connection after it;
// what stands in the body is never answered as a request.
func TestNoRequestIsSmuggled(t *testing.T) {
	r := serve(t)
	const inner = "GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, headers := range map[string]string{
		"length and chunks":        "Content-Length: 4\r\nTransfer-Encoding: chunked",
		"chunks and length":        "Transfer-Encoding: chunked\r\nContent-Length: 4",
		"two lengths":              "Content-Length: 0\r\nContent-Length: 60",
		"a list of lengths":        "Content-Length: 0, 60",
		"a signed length":          "Content-Length: +0",
		"a negative length":        "Content-Length: -1",
		"a length in hexadecimal":  "Content-Length: 0x0",
		"an empty length":          "Content-Length: ",
		"chunked twice":            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
		"chunked and identity":     "Transfer-Encoding: chunked, identity",
		"another coding":           "Transfer-Encoding: xchunked",
		"a tab before chunked":     "Transfer-Encoding:\tchunked\r\nContent-Length: 0",
		"a space before the colon": "Transfer-Encoding : chunked",
		"a folded line":            "Transfer-Encoding:\r\n chunked",
		"a bare line feed":         "X: y\nTransfer-Encoding: chunked",
		"a bare carriage return":   "X: y\rContent-Length: 0",
		"a null byte":              "X: y\x00\r\nContent-Length: 0",
		"two hosts":                "Host: y\r\nContent-Length: 0",
		"a vertical tab":           "Transfer-Encoding: \x0bchunked\r\nContent-Length: 0",
	} {
		conn := r.dial()
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprintf(conn, "POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n0\r\n\r\n%s", r.key, headers, inner)
		if c, ok := conn.(interface{ CloseWrite() error }); ok {
			c.CloseWrite()
		}
		in := bufio.NewReader(conn)
		for n := 0; ; n++ {
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				break
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if n > 0 && res.StatusCode != 400 {
				t.Errorf("%s: answer %d is %d %s", name, n+1, res.StatusCode, body)
			}
			if bytes.Contains(body, []byte("smuggled")) {
				t.Errorf("%s: %s", name, body)
			}
		}
	}
	r.want(200, "POST", "/v1/search", `{}`)
}

// frame is an HTTP/2 frame (RFC 9113, 4.1).
func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	b := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

const (
	frameHeaders, frameReset, frameSettings, framePing, frameContinuation = 1, 3, 4, 6, 9
	endStream, endHeaders                                                 = 1, 4
)

// TestFloodsOfFrames: a client that uses HTTP/2 to make the service work for
// nothing is cut off or held back, and others are served meanwhile.
func TestFloodsOfFrames(t *testing.T) {
	r := serve(t)
	// GET https://x/healthz, of the static table and of literals.
	headers := append([]byte{0x82, 0x87, 0x04, 8}, "/healthz"...)
	headers = append(headers, 0x01, 1, 'x')
	before := runtime.NumGoroutine()
	for name, attack := range map[string]func(i int) []byte{
		"streams that are reset at once": func(i int) []byte {
			return append(frame(frameHeaders, endStream|endHeaders, uint32(2*i+1), headers), frame(frameReset, 0, uint32(2*i+1), []byte{0, 0, 0, 8})...)
		},
		"streams without an end": func(i int) []byte { return frame(frameHeaders, endHeaders, uint32(2*i+1), headers) },
		"headers without an end": func(i int) []byte {
			if i == 0 {
				return frame(frameHeaders, endStream, 1, headers)
			}
			return frame(frameContinuation, 0, 1, append([]byte{0x00, 1, 'a', 127, 0xa1, 0x0e}, bytes.Repeat([]byte{'x'}, 2000)...))
		},
		"empty continuations": func(i int) []byte {
			if i == 0 {
				return frame(frameHeaders, endStream, 1, headers)
			}
			return frame(frameContinuation, 0, 1, nil)
		},
		"pings":    func(int) []byte { return frame(framePing, 0, 0, make([]byte, 8)) },
		"settings": func(int) []byte { return frame(frameSettings, 0, 0, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := tls.Dial("tcp", r.addr, &tls.Config{RootCAs: r.pool, ServerName: "127.0.0.1", NextProtos: []string{"h2"}})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(20 * time.Second))
			out := bufio.NewWriter(conn)
			out.WriteString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
			out.Write(frame(frameSettings, 0, 0, nil))
			read := make(chan int64, 1)
			go func() {
				n, _ := io.Copy(io.Discard, conn)
				read <- n
			}()
			sent := 0
			for ; sent < 20_000 && err == nil; sent++ {
				_, err = out.Write(attack(sent))
			}
			err = errors.Join(err, out.Flush())
			// Others are served while it goes on, and after.
			res, other := r.client(nil).Do(r.request("POST", "/v1/search", `{}`))
			if other != nil || res.StatusCode != 200 {
				t.Fatalf("another client: %v, %v", res, other)
			}
			res.Body.Close()
			if n := runtime.NumGoroutine(); n > before+10*maxStreams { // those of clients are among them
				t.Errorf("%d goroutines, %d before", n, before)
			}
			conn.Close()
			t.Logf("%d frames sent (%v), %d bytes came back", sent, err, <-read)
		})
	}
}

// TestOverload: of more searches than the service carries out at a time some
// wait and the others are told to come again; all have one of these answers.
func TestOverload(t *testing.T) {
	const clients, places = 512, 4
	s := newService(t, func(c *Config) { c.Limits.Searches, c.Limits.SearchTimeout = places, 200*time.Millisecond })
	s.check = false
	free := make(chan bool)
	var under, most int
	var mu sync.Mutex
	s.engine.(*memEngine).before = func(ctx context.Context, method string) error {
		mu.Lock()
		under++
		most = max(most, under)
		mu.Unlock()
		<-free // held until all others have been refused
		mu.Lock()
		under--
		mu.Unlock()
		return nil
	}
	answers := make(chan answer, clients)
	for range clients {
		go func() { answers <- s.do("POST", "/v1/search", `{}`) }()
	}
	for range clients - places {
		a := <-answers
		if a.status != 503 || a.problem(t).Code != codeOverloaded || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, fmt.Sprint(places)) {
			t.Fatalf("refused with %d %v %s", a.status, a.header, a.body)
		}
	}
	close(free)
	for range places {
		if a := <-answers; a.status != 200 {
			t.Errorf("one that was taken: %d %s", a.status, a.body)
		}
	}
	if most != places {
		t.Errorf("%d searches at a time, want %d", most, places)
	}
	if a := s.do("POST", "/v1/multi-search", `{"searches":[{},{}]}`); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}
