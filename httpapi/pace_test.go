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
				r := newPacedReader(&exchange{w: w, pace: pace{30 * time.Second, 256 << 10}}, &c.body)
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

// A body that does not come in time is told so, with the limit, and not that it
// was malformed: it may be sent again.
func TestSlowBodiesAreToldTheLimit(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.BodyTimeout = 50 * time.Millisecond })
	for _, http2 := range []bool{false, true} {
		server := httptest.NewUnstartedServer(s.server.Handler())
		server.EnableHTTP2 = http2
		server.StartTLS()
		defer server.Close()
		for path, media := range map[string]string{
			"/v1/search":                         mediaJSON,
			"/v1/batch":                          mediaJSON,
			"/v1/batch?index=k":                  mediaNDJSON,
			"/v1/batch?index=k&atomic=false":     mediaNDJSON,
			"/v1/batch?index=k&atomic=false&x=1": mediaNDJSON, // refused before the body is looked at
			"/v1/batch?index=c&atomic=false":     mediaCSV,
		} {
			body, stalled := io.Pipe()
			go stalled.Write([]byte("{"))
			r, _ := http.NewRequest("POST", server.URL+path, body)
			r.Header.Set("Authorization", "Bearer "+s.key)
			r.Header.Set("Content-Type", media)
			res, err := server.Client().Do(r)
			if err != nil {
				t.Fatalf("%s, HTTP/2 %v: %v", path, http2, err)
			}
			text, _ := io.ReadAll(res.Body)
			res.Body.Close()
			stalled.Close()
			want, code := 408, `"code":"body_timeout"`
			if strings.HasSuffix(path, "x=1") {
				want, code = 422, `"code":"unknown_field"`
			}
			if res.StatusCode != want || !strings.Contains(string(text), code) || want == 408 && !strings.Contains(string(text), "body_timeout_ms, 50,") {
				t.Errorf("%s, HTTP/2 %v: status %d: %s", path, http2, res.StatusCode, text)
			}
		}
	}
	if limits := s.want(200, "GET", "/v1/limits", ""); !strings.Contains(limits.body, `"body_timeout_ms":50,"body_bytes_per_second":262144`) {
		t.Errorf("limits: %s", limits.body)
	}
}
