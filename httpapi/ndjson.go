package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
)

// ndjsonSource reads one record a line. To delete, a line may also be an id
// alone. Empty lines do not count as operations.
type ndjsonSource struct {
	in         *bufio.Reader
	index      string
	kind       engine.OpKind
	primaryKey string
	longest    int // line in bytes
	line       int
}

func newNDJSONSource(in io.Reader, index string, kind engine.OpKind, primaryKey string, longest int) *ndjsonSource {
	lines := bufio.NewReaderSize(in, 64<<10)
	skipBOM(lines)
	return &ndjsonSource{in: lines, index: index, kind: kind, primaryKey: primaryKey, longest: longest}
}

func (s *ndjsonSource) next() (engine.Op, int, error) {
	for {
		s.line++
		text, err := s.readLine()
		if err != nil {
			return engine.Op{}, s.line, err
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			op, err := s.operation(text)
			return op, s.line, err
		}
	}
}

// readLine returns the next line in memory of its own.
func (s *ndjsonSource) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		tooLong := len(line)+len(part) > s.longest+len("\r\n")
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if tooLong {
				return nil, s.skipLine()
			}
		case tooLong && (err == nil || err == io.EOF):
			return nil, s.tooLong()
		case err == io.EOF && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

// skipLine reads on to the end of a line that is too long.
func (s *ndjsonSource) skipLine() error {
	for {
		_, err := s.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil || err == io.EOF:
			return s.tooLong()
		default:
			return err
		}
	}
}

func (s *ndjsonSource) tooLong() error {
	return &lineError{engine.CodeRecordTooLarge, fmt.Sprintf("a record has at most %d bytes", s.longest)}
}

// operation reads a line.
func (s *ndjsonSource) operation(line []byte) (engine.Op, error) {
	op := engine.Op{Kind: s.kind, Index: s.index}
	if err := checkJSON(line); err != nil {
		return op, &lineError{engine.CodeMalformedJSON, problemOf(err, nil).detail}
	}
	v := value{raw: line}
	var d reader
	switch {
	case s.kind == engine.OpDelete && v.raw.Kind() != '{':
		d.recordID(v, &op.ID)
	case v.raw.Kind() != '{':
		return op, &lineError{engine.CodeInvalidRequest, "a record must be an object"}
	case s.kind == engine.OpDelete || s.kind == engine.OpPatch:
		found := false
		eachMember(v.raw, func(name string, raw jsontext.Value) {
			if name == s.primaryKey {
				found = true
				d.recordID(value{raw: raw}, &op.ID)
			}
		})
		if !found {
			return op, &lineError{engine.CodeInvalidRequest, fmt.Sprintf("the record has no id in %q", s.primaryKey)}
		}
	}
	if d.total > 0 {
		return op, &lineError{engine.CodeInvalidRequest, "the id " + d.list[0].detail}
	}
	if s.kind != engine.OpDelete {
		op.Record = line
	}
	return op, nil
}
