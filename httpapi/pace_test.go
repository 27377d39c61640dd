package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// deadlines records what a pacedReader asks of the connection.
type deadlines struct {
	http.ResponseWriter
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error  { d.read = t; return nil }
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// slowBody hands out parts of a body after pauses.
type slowBody struct {
	pause time.Duration
	part  int
	parts int
}

func (s *slowBody) Read(p []byte) (int, error) {
	if s.parts == 0 {
		return 0, io.EOF
	}
	s.parts--
	time.Sleep(s.pause)
	return copy(p, strings.Repeat("x", s.part)), nil
}

func TestSlowBodiesRunOutOfTime(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   slowBody
		inTime bool
	}{
		{"fast", slowBody{time.Millisecond, 64 << 10, 10_000}, true},
		{"just fast enough, for an hour", slowBody{time.Second / 4, 64 << 10, 4 * 3600}, true},
		{"one byte every 20 seconds", slowBody{20 * time.Second, 1, 10}, false},
		{"half as fast as it must be", slowBody{time.Second / 2, 64 << 10, 4 * 3600}, false},
		{"slow, but short", slowBody{20 * time.Second, 1, 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &deadlines{ResponseWriter: httptest.NewRecorder()}
				r := newPacedReader(&exchange{w: w}, &c.body)
				inTime, p := true, make([]byte, 64<<10)
				for inTime {
					_, err := r.Read(p)
					inTime = !time.Now().After(w.read)
					if !w.write.After(w.read) {
						t.Fatal("no time is left to answer")
					}
					if err != nil {
						break
					}
				}
				if inTime != c.inTime {
					t.Errorf("in time: %v", inTime)
				}
			})
		})
	}
}
