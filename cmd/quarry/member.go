package main

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// memberValue returns the value of a member at the top of a JSON object, as it
// is written; nil if there is none, or where the object is malformed before it.
// It reads no further than it must and checks nothing: an import asks each of
// its records for an id, and the server checks the record.
func memberValue(object []byte, name string) []byte {
	s := memberScanner{b: object, i: bytes.IndexByte(object, '{') + 1}
	for {
		key, value := s.next()
		if key == nil {
			return nil
		}
		if raw := key[1 : len(key)-1]; string(raw) == name || bytes.IndexByte(raw, '\\') >= 0 && unquote(key) == name {
			return value
		}
	}
}

// memberNames returns the names of the members at the top of a JSON object.
func memberNames(object []byte) (names []string) {
	s := memberScanner{b: object, i: bytes.IndexByte(object, '{') + 1}
	for {
		key, _ := s.next()
		if key == nil {
			return names
		}
		names = append(names, unquote(key))
	}
}

func unquote(quoted []byte) string {
	b, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return ""
	}
	return string(b)
}

// memberScanner steps through the members of an object.
type memberScanner struct {
	b []byte
	i int
}

// next returns the next name, in its quotes, and its value; nil at the end.
func (s *memberScanner) next() (key, value []byte) {
	s.skip(" \t\r\n,")
	begin := s.i
	if !s.text() {
		return nil, nil
	}
	key = s.b[begin:s.i]
	s.skip(" \t\r\n:")
	begin = s.i
	depth := 0
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			if !s.text() {
				return nil, nil
			}
			continue
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']' || c == ',') && depth == 0:
			return key, bytes.TrimRight(s.b[begin:s.i], " \t\r\n")
		case c == '}' || c == ']':
			depth--
		}
		s.i++
	}
	return nil, nil
}

func (s *memberScanner) skip(these string) {
	for s.i < len(s.b) && bytes.IndexByte([]byte(these), s.b[s.i]) >= 0 {
		s.i++
	}
}

// text steps over a string; false if there is none or it does not end.
func (s *memberScanner) text() bool {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return false
	}
	for i := s.i + 1; i < len(s.b); i++ {
		switch s.b[i] {
		case '\\':
			i++
		case '"':
			s.i = i + 1
			return true
		}
	}
	return false
}
