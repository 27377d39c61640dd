package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// pace is how fast bodies must come.
type pace struct {
	time time.Duration // that a client may make the service wait for any body
	rate int64         // bytes a second at which one must come, on average, once time has been used up
}

// pacedReader reads a body of any length and bounds the time that a client may
// make the service wait for it: that of its pace, and more as bytes come in.
// Only the time spent waiting counts, not that between reads, in which a chunk
// may be committed. When the time is over its error is a problem.
type pacedReader struct {
	x       *exchange
	control *http.ResponseController
	in      io.Reader
	left    time.Duration // that the client may still use up
	bytes   int64         // that have come
}

func newPacedReader(x *exchange, in io.Reader) *pacedReader {
	return &pacedReader{x: x, control: http.NewResponseController(x.w), in: in, left: x.pace.time}
}

func (r *pacedReader) Read(p []byte) (int, error) {
	start := time.Now()
	r.control.SetReadDeadline(start.Add(r.left))
	r.control.SetWriteDeadline(start.Add(r.left + answerTime))
	n, err := r.in.Read(p)
	r.left -= time.Since(start)
	r.bytes += int64(n)
	r.earn(n)
	if err != nil && err != io.EOF && !errors.As(err, new(*http.MaxBytesError)) {
		r.x.bodyFailed = true
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		err = r.x.pace.tooSlow()
	}
	return n, err
}

// earn adds the time that bytes are worth. Those that a packed body unpacks to
// count as well: one that is made while it is sent comes no faster for being packed.
func (r *pacedReader) earn(n int) {
	r.left = min(r.left+time.Duration(n)*time.Second/time.Duration(r.x.pace.rate), r.x.pace.time)
}

// tooSlow is the answer to a body that does not come in time.
func (p pace) tooSlow() error {
	return &problem{code: codeBodyTimeout, detail: fmt.Sprintf(
		"the body came too slowly: the service waits for body_timeout_ms, %d, and after that for as long as its bytes come at body_bytes_per_second, %d",
		p.time.Milliseconds(), p.rate)}
}
