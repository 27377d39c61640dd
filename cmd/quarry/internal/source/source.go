package source

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is the form in which an input holds its records.
type Format string

// Formats; the package comment describes them. Auto finds out.
const (
	Auto   Format = ""
	NDJSON Format = "ndjson"
	JSON   Format = "json"
	CSV    Format = "csv"
	TSV    Format = "tsv"
)

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, bool) {
	f := Format(name)
	return f, slices.Contains([]Format{Auto, NDJSON, JSON, CSV, TSV}, f)
}

// Options say how an input is read. The zero value works.
type Options struct {
	// Name of the input, for errors and, by its ending, for the format.
	Name string
	// Format of the input; Auto looks at the name and at the first byte.
	Format Format
	// Columns says for columns of CSV what their cells are. For others it is
	// inferred from the first rows.
	Columns map[string]Column
	// ID is the column of CSV that holds the ids of records; default id.
	ID string
	// MaxRecord bounds one record in bytes; default 16 MiB.
	MaxRecord int
}

func (o *Options) id() string { return cmp.Or(o.ID, "id") }

// LineError says what is wrong with one place of an input.
type LineError struct {
	Name   string
	Line   int // from 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Reason) }

// Record is one record of an input.
type Record struct {
	JSON []byte // an object on one line; valid until the next call of Next
	Line int    // that it begins in, from 1
}

// Reader reads the records of one input. It is used by one goroutine.
type Reader struct {
	format Format
	next   func() (Record, error)
	err    error // that next returned
}

const (
	readAhead        = 256 << 10
	defaultMaxRecord = 16 << 20
)

// Open begins to read. The input is packed if its first bytes say so, whatever
// it is called.
func Open(in io.Reader, o Options) (*Reader, error) {
	if o.MaxRecord == 0 {
		o.MaxRecord = defaultMaxRecord
	}
	buf := bufio.NewReaderSize(in, readAhead)
	if head, _ := buf.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(buf)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Name, err)
		}
		buf = bufio.NewReaderSize(z, readAhead)
	}
	if head, _ := buf.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) { // a byte order mark
		buf.Discard(3)
	}
	if o.Format == Auto {
		o.Format = sniff(buf, o.Name)
	}
	r := &Reader{format: o.Format}
	switch o.Format {
	case NDJSON:
		r.next = (&lineReader{in: buf, o: o}).next
	case JSON:
		r.next = newArrayReader(buf, o).next
	case CSV, TSV:
		r.next = newTableReader(buf, o).next
	default:
		return nil, fmt.Errorf("unknown format %q", o.Format)
	}
	return r, nil
}

// Format returns the format that is read.
func (r *Reader) Format() Format { return r.format }

// Next returns the next record, io.EOF after the last one. After an error it
// returns the same error again.
func (r *Reader) Next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	record, err := r.next()
	r.err = err
	return record, err
}

// sniff finds the format by the first byte: only an array begins with [ and
// only an object with {, and a table that does is rare enough to be named.
func sniff(in *bufio.Reader, name string) Format {
	for n := 1; ; n++ {
		head, err := in.Peek(n)
		if err != nil {
			break
		}
		switch c := head[n-1]; c {
		case ' ', '\t', '\r', '\n':
			continue
		case '[':
			return JSON
		case '{':
			return NDJSON
		}
		break
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch {
	case strings.HasSuffix(name, ".tsv"), strings.HasSuffix(name, ".tab"):
		return TSV
	case strings.HasSuffix(name, ".csv"), !strings.Contains(name, "."):
		return CSV
	case strings.HasSuffix(name, ".json"):
		return JSON
	}
	return NDJSON
}

// lineReader reads NDJSON.
type lineReader struct {
	in   *bufio.Reader
	o    Options
	line int
	long []byte // a line that is longer than the buffer of in
}

func (r *lineReader) next() (Record, error) {
	for {
		line, err := r.read()
		if err != nil {
			return Record{}, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] != '{' || line[len(line)-1] != '}' {
			return Record{}, r.fail(notObject(line))
		}
		return Record{JSON: line, Line: r.line}, nil
	}
}

// notObject says why a line is no record.
func notObject(line []byte) string {
	switch {
	case line[0] == '{':
		return "the JSON object does not end on its line"
	case line[0] == '[':
		return "the line is an array, not a JSON object"
	}
	return "the line is not a JSON object"
}

// read returns the next line, io.EOF after the last one.
func (r *lineReader) read() ([]byte, error) {
	r.line++
	line, err := r.in.ReadSlice('\n')
	if err == nil || err == io.EOF && len(line) > 0 {
		return line, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return nil, readError(r.o.Name, r.line, err)
	}
	r.long = append(r.long[:0], line...)
	for {
		line, err = r.in.ReadSlice('\n')
		if len(r.long)+len(line) > r.o.MaxRecord {
			return nil, r.fail(fmt.Sprintf("the record is longer than %d bytes", r.o.MaxRecord))
		}
		r.long = append(r.long, line...)
		switch {
		case err == nil || err == io.EOF:
			return r.long, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, readError(r.o.Name, r.line, err)
		}
	}
}

func (r *lineReader) fail(reason string) error { return &LineError{r.o.Name, r.line, reason} }

// readError adds the place to an error of the input; io.EOF stays as it is.
func readError(name string, line int, err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}
