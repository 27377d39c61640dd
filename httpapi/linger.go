package httpapi

import (
	"io"
	"time"
)

const (
	// lingerBytes is how much of a body that nobody wants is still read before
	// it is refused: twice the largest body that is taken as a whole.
	lingerBytes = 64 << 20
	// lingerTime is how long a client may take for it, and more as bytes come
	// in, see pacedReader.
	lingerTime = 5 * time.Second
)

// linger reads what is left of a body before a problem is answered. Many HTTP/1
// clients send all of a body before they look for an answer; were the connection
// closed under them they would report that, and not the problem. Clients that
// asked with Expect whether to send a body have their answer without, and those
// of HTTP/2 are told to stop.
func (x *exchange) linger() {
	r := x.r
	if r.ProtoMajor != 1 || r.Body == nil || r.ContentLength > lingerBytes || r.Header.Get("Expect") != "" || x.bodyFailed {
		return
	}
	in := newPacedReader(x, r.Body)
	in.left = lingerTime
	io.Copy(io.Discard, io.LimitReader(in, lingerBytes))
}
