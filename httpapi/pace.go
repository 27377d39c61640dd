package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// slowestBody is the rate in bytes a second at which a body must come, on
// average, once readTime has been used up.
const slowestBody = 256 << 10

// pacedReader reads a body of any length and bounds the time that a client may
// make the service wait for it: readTime, and more as bytes come in. Only the
// time spent waiting counts, not that between reads, in which a chunk may be
// committed.
type pacedReader struct {
	x       *exchange
	control *http.ResponseController
	in      io.Reader
	left    time.Duration // that the client may still use up
}

func newPacedReader(x *exchange, in io.Reader) *pacedReader {
	return &pacedReader{x: x, control: http.NewResponseController(x.w), in: in, left: readTime}
}

func (r *pacedReader) Read(p []byte) (int, error) {
	start := time.Now()
	r.control.SetReadDeadline(start.Add(r.left))
	r.control.SetWriteDeadline(start.Add(r.left + answerTime))
	n, err := r.in.Read(p)
	earned := time.Duration(n) * time.Second / slowestBody
	r.left = min(r.left-time.Since(start)+earned, readTime)
	if err != nil && err != io.EOF && !errors.As(err, new(*http.MaxBytesError)) {
		r.x.bodyFailed = true
	}
	return n, err
}
