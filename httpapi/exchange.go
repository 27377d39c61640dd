package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// Media types.
const (
	mediaJSON    = "application/json"
	mediaNDJSON  = "application/x-ndjson"
	mediaCSV     = "text/csv"
	mediaText    = "text/plain"
	mediaProblem = "application/problem+json"
)

// exchange is one request and its answer on their way through the server. A
// handler returns an error or answers, never both.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	id     string // of the request
	begin  time.Time
	key    *keyring.Grant // nil where no key is needed
	media  string         // media type of the body
	packed bool           // the body is, by gzip
	route  *route
	pace   pace  // of the body
	hold   int64 // bytes taken from the server's budget
	begun  bool  // the answer has begun

	bodyFailed bool // no more of the body can be read

	status int // of the answer, once it has begun
}

// query returns the parameters of the URL. Each may be given once; those that
// are not among known are faults.
func (x *exchange) query(known ...string) (url.Values, error) {
	v, err := url.ParseQuery(x.r.URL.RawQuery)
	var f faults
	if err != nil {
		f.at("", engine.CodeInvalidRequest, "the parameters of the URL are malformed")
	}
	for name, values := range v {
		if !slices.Contains(known, name) {
			f.param(name, engine.CodeUnknownField, "%s", strings.Replace(unknownField(name, known), "field", "parameter", 1))
		} else if len(values) > 1 {
			f.param(name, engine.CodeInvalidRequest, "is given more than once")
		}
	}
	return v, f.err()
}

// pathID returns the record id of the path.
func (x *exchange) pathID() (string, error) {
	id := x.r.PathValue("id")
	if wrong := checkRecordID(id); wrong != "" {
		var f faults
		f.param("id", engine.CodeInvalidRequest, "a record id %s", wrong)
		return "", f.err()
	}
	return id, nil
}

// checkMedia verifies the headers that say what the body is.
func (x *exchange) checkMedia(accepted []string) error {
	var known bool
	if x.packed, known = packed(x.r.Header["Content-Encoding"]); !known {
		x.w.Header().Set("Accept-Encoding", acceptedEncodings)
		return &problem{code: codeMediaType, detail: "send the body packed by gzip, once, or without Content-Encoding"}
	}
	header := x.r.Header.Get("Content-Type")
	if header == "" {
		x.media = mediaJSON
		return nil
	}
	media, params, err := mime.ParseMediaType(header)
	if err != nil {
		return &problem{code: codeMalformedHeader, detail: "the header Content-Type is malformed"}
	}
	if media == "application/ndjson" || media == "application/jsonl" { // no type is registered, and these are in use, too
		media = mediaNDJSON
	}
	charset := params["charset"]
	if !slices.Contains(accepted, media) || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return &problem{code: codeMediaType, detail: "send the body in UTF-8 as " + strings.Join(accepted, " or ")}
	}
	x.media = media
	return nil
}

// accepts tells whether an Accept header admits a media type. A malformed
// header admits all.
func accepts(header []string, media string) bool {
	if len(header) == 0 {
		return true
	}
	major, _, _ := strings.Cut(media, "/")
	best, admitted := -1, true // how closely the best range fits
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		rng, params, err := mime.ParseMediaType(part)
		if err != nil {
			return true
		}
		fit := slices.Index([]string{"*/*", major + "/*", media}, rng)
		if fit > best {
			q, err := strconv.ParseFloat(params["q"], 64)
			best, admitted = fit, err != nil || q > 0
		}
	}
	return best >= 0 && admitted
}

// jsonBody reads the body, of at most limit bytes, and checks it as JSON.
func (s *Server) jsonBody(x *exchange, limit int64) (value, error) {
	body, err := s.body(x, limit)
	if err != nil {
		return value{}, err
	}
	v := value{raw: body}
	if err := checkJSON(body); err != nil {
		return v, err
	}
	return v, s.announceMembers(x, v)
}

// body reads the whole body, of at most limit bytes.
func (s *Server) body(x *exchange, limit int64) ([]byte, error) {
	in, size, err := x.content(limit)
	if err != nil {
		return nil, err
	}
	if err := s.reserve(x, size); err != nil {
		return nil, err
	}
	if x.packed || x.r.ContentLength < 0 {
		body, err := io.ReadAll(in)
		s.release(x, size-int64(cap(body)))
		return withoutBOM(body), readError(err)
	}
	body := make([]byte, size)
	_, err = io.ReadFull(in, body)
	return withoutBOM(body), readError(err)
}

// withoutBOM leaves out the byte order mark that some editors put first.
func withoutBOM(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\ufeff")) }

// reserve takes memory for a body from the server's budget until the exchange
// ends.
func (s *Server) reserve(x *exchange, size int64) error {
	if !s.budget.take(size) {
		return &problem{code: codeOverloaded, detail: "the service holds as many request bodies as it may"}
	}
	x.hold += size
	return nil
}

// release gives back what turned out not to be needed of a reservation.
func (s *Server) release(x *exchange, size int64) {
	if size > 0 {
		x.hold -= size
		s.budget.giveBack(size)
	}
}

func bodyTooLarge(limit int64) *problem {
	return &problem{code: codeBodyTooLarge, detail: "the body may have " + strconv.FormatInt(limit, 10) + " bytes"}
}

// readError finds the answer to an error while a body is read.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil || errors.As(err, new(*problem)):
		return err
	case errors.As(err, &tooLarge):
		return bodyTooLarge(tooLarge.Limit)
	}
	return malformed("the body ended before it was complete")
}

// budget is a number of bytes that exchanges share.
type budget struct {
	limit int64
	used  atomic.Int64
}

func (b *budget) take(n int64) bool {
	if b.used.Add(n) <= b.limit {
		return true
	}
	b.used.Add(-n)
	return false
}

func (b *budget) giveBack(n int64) { b.used.Add(-n) }

// writeContext bounds a commit. It goes on when the client goes away, so that
// what a client does not wait for is still done as a whole.
func (s *Server) writeContext(x *exchange) (context.Context, context.CancelFunc) {
	http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(s.limits.WriteTimeout + answerTime))
	return context.WithTimeout(context.WithoutCancel(x.r.Context()), s.limits.WriteTimeout)
}

// moreTime lets an answer that is streamed go on.
func (x *exchange) moreTime() {
	c := http.NewResponseController(x.w)
	c.SetReadDeadline(time.Now().Add(readTime))
	c.SetWriteDeadline(time.Now().Add(readTime + answerTime))
}

// json answers with a JSON body, to which it adds a newline.
func (x *exchange) json(status int, body []byte) {
	x.send(status, mediaJSON, append(body, '\n'))
}

func (x *exchange) send(status int, media string, body []byte) {
	h := x.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.head(status)
	x.w.Write(body) // fails only if the client has gone
}

// head begins the answer.
func (x *exchange) head(status int) {
	x.begun, x.status = true, status
	x.w.WriteHeader(status)
}
