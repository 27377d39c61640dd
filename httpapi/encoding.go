package httpapi

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// acceptedEncodings is what a refused Content-Encoding is told (RFC 7694).
const acceptedEncodings = "gzip, identity"

// packed tells whether a body is packed by gzip, the one coding that is known
// beside none. x-gzip is another name of it (RFC 9110, 8.4.1.3). known is false
// for what is packed otherwise, or twice, which nobody does but to make it
// unpack to more.
func packed(header []string) (gzip, known bool) {
	for coding := range strings.SplitSeq(strings.Join(header, ","), ",") {
		switch strings.ToLower(strings.Trim(coding, " \t")) {
		case "", "identity":
		case "gzip", "x-gzip":
			if gzip {
				return false, false
			}
			gzip = true
		default:
			return false, false
		}
	}
	return gzip, true
}

// content returns a reader of the body as it was before it was packed, if it
// was, which yields at most limit bytes, and how many it may be that it yields.
func (x *exchange) content(limit int64) (in io.Reader, most int64, err error) {
	size := x.r.ContentLength
	if !x.packed {
		switch {
		case size > limit:
			return nil, 0, bodyTooLarge(limit)
		case size < 0:
			size = limit
		}
		return newPacedReader(x, http.MaxBytesReader(x.w, x.r.Body, limit)), size, nil
	}
	// What cannot be made smaller becomes a little larger, by 5 bytes in 16 KiB or
	// more. Without a bound of its own, members that hold nothing could go on forever.
	limitPacked := limit + limit/1024 + 4<<10
	if size > limitPacked {
		return nil, 0, unpackedTooLarge(limit)
	}
	most = limit
	if size >= 0 {
		most = min(limit, size*mostUnpacked)
	}
	paced := newPacedReader(x, http.MaxBytesReader(x.w, x.r.Body, limitPacked))
	return &gunzip{x: x, in: paced, limit: limit, left: limit}, most, nil
}

// mostUnpacked is how many bytes deflate can make of one: 258 for two bits.
const mostUnpacked = 4 * 258

// A body that unpacks to more than freeUnpacked bytes may not be more than mostRatio times as
// large as it was packed: records pack to a tenth or a fiftieth, and what packs better is there to keep
// the service busy, with a million bytes in place of a thousand million.
const (
	freeUnpacked = 8 << 20
	mostRatio    = 100
)

// gunzip unpacks a body. Several members in a row are read as one, as RFC 1952
// has it. Nothing at all unpacks to nothing.
type gunzip struct {
	x     *exchange
	in    *pacedReader
	z     *gzip.Reader // nil before the first Read
	limit int64
	left  int64 // of limit
	err   error // that Read returns from now on
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if g.z == nil {
		if g.z, g.err = gzip.NewReader(g.in); g.err != nil {
			g.err = g.problem(g.err)
			return 0, g.err
		}
	}
	// One byte more tells what is at its limit from what is beyond it.
	n, err := g.z.Read(p[:min(int64(len(p)), g.left+1)])
	if int64(n) > g.left {
		n, g.err = int(g.left), unpackedTooLarge(g.limit)
	} else if err != nil {
		g.err = g.problem(err)
	}
	g.left -= int64(n)
	if out := g.limit - g.left; out > freeUnpacked && out/mostRatio > g.in.bytes && (g.err == nil || g.err == io.EOF) {
		g.err = &problem{code: codeBodyTooLarge, detail: fmt.Sprintf("the body unpacks to more than %d times its size; beyond %d bytes it may not", mostRatio, freeUnpacked)}
	}
	g.in.earn(n)
	return n, g.err
}

// problem finds the answer to an error of the stream, if it is not one of the
// connection.
func (g *gunzip) problem(err error) error {
	switch {
	case err == io.EOF || g.x.bodyFailed:
		return err
	case errors.As(err, new(*http.MaxBytesError)):
		return unpackedTooLarge(g.limit)
	case err == io.ErrUnexpectedEOF:
		return &problem{code: codeMalformedEncoding, detail: "the body ends before its gzip stream does"}
	case err == gzip.ErrHeader && g.left == g.limit:
		return &problem{code: codeMalformedEncoding, detail: "the body is not packed by gzip, as its header Content-Encoding says it is"}
	case err == gzip.ErrHeader:
		return &problem{code: codeMalformedEncoding, detail: "what follows the gzip stream of the body is not another one"}
	}
	return &problem{code: codeMalformedEncoding, detail: "the gzip stream of the body is damaged"}
}

func unpackedTooLarge(limit int64) error {
	p := bodyTooLarge(limit)
	p.detail += " when it is unpacked"
	return p
}
