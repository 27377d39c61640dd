package source

import (
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// arrayReader reads one JSON array of objects.
type arrayReader struct {
	lines *lineCounter
	in    *jsontext.Decoder
	o     Options
	open  bool
	buf   jsontext.Value
}

func newArrayReader(in io.Reader, o Options) *arrayReader {
	lines := &lineCounter{in: in, line: 1}
	// Duplicate names and invalid UTF-8 are left to whoever stores the record,
	// as in NDJSON.
	d := jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return &arrayReader{lines: lines, in: d, o: o}
}

func (r *arrayReader) next() (Record, error) {
	if !r.open {
		if r.in.PeekKind() != '[' {
			return Record{}, r.reason("expected an array of JSON objects")
		}
		if _, err := r.in.ReadToken(); err != nil {
			return Record{}, r.fail(err)
		}
		r.open = true
	}
	switch kind := r.in.PeekKind(); kind {
	case '{':
	case ']':
		return Record{}, r.close()
	default:
		if _, err := r.in.ReadValue(); err != nil {
			return Record{}, r.fail(err)
		}
		return Record{}, r.reason("an element of the array is not a JSON object")
	}
	v, err := r.in.ReadValue()
	if err != nil {
		return Record{}, r.fail(err)
	}
	line := r.lines.at(r.in.InputOffset() - int64(len(v)))
	if len(v) > r.o.MaxRecord {
		return Record{}, &LineError{r.o.Name, line, "the record is too long"}
	}
	r.buf = append(r.buf[:0], v...)
	if err := r.buf.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return Record{}, r.fail(err)
	}
	return Record{JSON: r.buf, Line: line}, nil
}

// close reads the end of the array and of the input.
func (r *arrayReader) close() error {
	if _, err := r.in.ReadToken(); err != nil {
		return r.fail(err)
	}
	switch _, err := r.in.ReadToken(); {
	case err == io.EOF:
		return io.EOF
	case err != nil:
		return r.fail(err)
	}
	return r.reason("there is more after the end of the array")
}

func (r *arrayReader) reason(reason string) error {
	return &LineError{r.o.Name, r.lines.at(r.in.InputOffset()), reason}
}

// fail places an error of the decoder.
func (r *arrayReader) fail(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) && r.lines.ended:
		return &LineError{r.o.Name, r.lines.at(r.lines.read), "the file ends in the middle of the array"}
	case errors.As(err, &syntax):
		return &LineError{r.o.Name, r.lines.at(syntax.ByteOffset), "malformed JSON: " + syntax.Err.Error()}
	}
	return readError(r.o.Name, r.lines.at(r.in.InputOffset()), err)
}

// lineCounter knows the lines of the bytes that were read through it.
type lineCounter struct {
	in    io.Reader
	read  int64
	ends  []int64 // offsets of the line feeds behind the last place asked for
	line  int     // of that place
	given int     // of ends, that lie before that place
	ended bool    // the input came to its end
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	c.ended = c.ended || err == io.EOF
	return n, err
}

// at returns the line of the byte at an offset; offsets must not go down.
func (c *lineCounter) at(offset int64) int {
	for c.given < len(c.ends) && c.ends[c.given] < offset {
		c.given++
		c.line++
	}
	if c.given > len(c.ends)/2 {
		c.ends = append(c.ends[:0], c.ends[c.given:]...)
		c.given = 0
	}
	return c.line
}
