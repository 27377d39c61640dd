package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/query"
)

// scalarKind is the kind of a JSON value that is no object and no array.
type scalarKind uint8

const (
	scalarNull scalarKind = iota
	scalarBool
	scalarInt   // a number without fraction and exponent that fits 64 bits
	scalarFloat // any other number
	scalarString
	scalarPoint // an object of a field of places
)

// scalar is one JSON value. str belongs to the callee until the next value: it is
// that of a string, or the text of a scalarFloat, which f may be rounded from.
type scalar struct {
	kind scalarKind
	b    bool
	i    int64
	f    float64
	str  []byte
	at   geo.Point
	bad  string // why the object of a scalarPoint is no place
}

// integer returns the number that v is, if it is one of 64 bits: 1.0 and 1e0 are
// 1, as far as JSON goes.
func (v *scalar) integer() (int64, bool) {
	switch v.kind {
	case scalarInt:
		return v.i, true
	case scalarFloat:
		n, exact, ok := query.Value{Kind: query.KindFloat, Str: string(v.str)}.Floor()
		return n, exact && ok
	}
	return 0, false
}

func (k scalarKind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a number", "a string", "a place"}[k]
}

// pointer makes a JSON pointer when it is asked for, so that records without
// mistakes do not pay for it.
type pointer func() string

// maxNumberBytes bounds the text of one number.
const maxNumberBytes = 64

// walker reads the scalars of records. It keeps its buffers from record to
// record and is used by one goroutine.
type walker struct {
	src  bytes.Reader
	dec  *jsontext.Decoder
	path []byte
	str  []byte
	// whole, if not nil, tells which fields take an object as one value: those
	// of places.
	whole  func(path []byte) bool
	object bytes.Reader // one of these objects
	here   pointer      // at, made once
	inner  *jsontext.Decoder
}

// walkRecord calls f for every scalar of a record, in order, with the path of
// the field that it belongs to: nested names joined by dots, the elements of
// arrays under the name of the array.
func walkRecord(record []byte, l Limits, f func(path string, at pointer, v scalar) error) error {
	var w walker
	return w.walk(record, l, func(path []byte, at pointer, v scalar) error { return f(string(path), at, v) })
}

// errNotObject is what walk returns for a record that is some other value.
var errNotObject = errors.New("a record is a JSON object")

func (w *walker) walk(record []byte, l Limits, f func(path []byte, at pointer, v scalar) error) error {
	w.src.Reset(record)
	if w.dec == nil {
		w.dec = jsontext.NewDecoder(&w.src)
	} else {
		w.dec.Reset(&w.src)
	}
	w.path = w.path[:0]
	if w.dec.PeekKind() != '{' {
		if _, err := w.dec.ReadValue(); err != nil {
			return malformed(err)
		}
		return errNotObject
	}
	if err := w.value(l, f); err != nil {
		return err
	}
	if _, err := w.dec.ReadToken(); err != io.EOF {
		if err == nil {
			err = errors.New("more after the object")
		}
		return malformed(err)
	}
	return nil
}

func (w *walker) at() string { return string(w.dec.StackPointer()) }

// value reads one value, of any kind, at the current path.
func (w *walker) value(l Limits, f func([]byte, pointer, scalar) error) error {
	if w.whole != nil && w.dec.PeekKind() == '{' && len(w.path) > 0 && w.whole(w.path) {
		return w.place(f)
	}
	t, err := w.dec.ReadToken()
	if err != nil {
		return malformed(err)
	}
	switch t.Kind() {
	case '{':
		if w.dec.StackDepth() > l.RecordDepth {
			return &syntaxError{fmt.Sprintf("nested deeper than %d", l.RecordDepth)}
		}
		n, nested := len(w.path), w.dec.StackDepth() > 1
		for w.dec.PeekKind() != '}' {
			name, err := w.dec.ReadToken()
			if err != nil {
				return malformed(err)
			}
			if nested {
				w.path = append(w.path, '.')
			}
			w.path = append(w.path, name.String()...)
			if err := w.value(l, f); err != nil {
				return err
			}
			w.path = w.path[:n]
		}
		_, err := w.dec.ReadToken()
		return malformed(err)
	case '[':
		if w.dec.StackDepth() > l.RecordDepth {
			return &syntaxError{fmt.Sprintf("nested deeper than %d", l.RecordDepth)}
		}
		for w.dec.PeekKind() != ']' {
			if err := w.value(l, f); err != nil {
				return err
			}
		}
		_, err := w.dec.ReadToken()
		return malformed(err)
	}
	v, err := w.scalar(t)
	if err != nil {
		return err
	}
	if w.here == nil {
		w.here = w.at
	}
	return f(w.path, w.here, v)
}

func (w *walker) scalar(t jsontext.Token) (scalar, error) {
	switch t.Kind() {
	case 'n':
		return scalar{}, nil
	case 't', 'f':
		return scalar{kind: scalarBool, b: t.Kind() == 't'}, nil
	case '"':
		w.str = append(w.str[:0], t.String()...)
		return scalar{kind: scalarString, str: w.str}, nil
	}
	text := t.String()
	if len(text) > maxNumberBytes {
		return scalar{}, &syntaxError{fmt.Sprintf("a number of more than %d characters", maxNumberBytes)}
	}
	if !strings.ContainsAny(text, ".eE") {
		i, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return scalar{kind: scalarInt, i: i, f: float64(i)}, nil
		}
	}
	f, _ := strconv.ParseFloat(text, 64) // an infinity beyond the range of floats
	w.str = append(w.str[:0], text...)
	return scalar{kind: scalarFloat, f: f, str: w.str}, nil
}

// syntaxError is a record that is not the JSON it should be. Its text repeats
// nothing of the record.
type syntaxError struct{ detail string }

func (e *syntaxError) Error() string { return e.detail }

// malformed hides the contents of the record from the decoder's error.
func malformed(err error) error {
	if err == nil {
		return nil
	}
	var own *syntaxError
	if errors.As(err, &own) {
		return err
	}
	var se *jsontext.SyntacticError
	if errors.As(err, &se) {
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			return &syntaxError{fmt.Sprintf("a name stands twice in an object (byte %d)", se.ByteOffset)}
		case errors.Is(err, io.ErrUnexpectedEOF):
			return &syntaxError{"the JSON ends too early"}
		}
		return &syntaxError{fmt.Sprintf("malformed JSON at byte %d", se.ByteOffset)}
	}
	return &syntaxError{"the JSON ends too early"}
}
