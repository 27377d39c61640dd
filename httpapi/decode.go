package httpapi

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
)

// maxJSONDepth is how deeply arrays and objects of a body may be nested.
const maxJSONDepth = 32

// checkJSON verifies that body is one JSON value and nothing else: valid UTF-8,
// no name twice in an object, nesting up to maxJSONDepth.
func checkJSON(body []byte) error {
	if tooDeep(body) {
		return malformed("arrays and objects are nested deeper than %d", maxJSONDepth)
	}
	if jsontext.Value(body).IsValid() {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(body))
	if err := dec.SkipValue(); err != nil {
		return syntaxError(err)
	}
	return malformed("there is more after the JSON value, from byte %d on", dec.InputOffset())
}

// tooDeep counts brackets outside strings. What it says about a text that is
// not JSON does not matter: that one is malformed either way.
func tooDeep(body []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inString = !inString
		case inString:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			if depth++; depth > maxJSONDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func malformed(format string, args ...any) error {
	var f faults
	f.at("", engine.CodeMalformedJSON, format, args...)
	return &problem{code: engine.CodeMalformedJSON, detail: f.list[0].detail}
}

// syntaxError says what is wrong and where, without a byte of the input.
func syntaxError(err error) error {
	if errors.Is(err, io.EOF) {
		return malformed("the body is empty")
	}
	var at int64
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = syntax.ByteOffset
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return malformed("an object has the same name twice, at byte %d", at)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the JSON ends too early, at byte %d", at)
	case syntax != nil && strings.Contains(syntax.Err.Error(), "UTF-8"):
		return malformed("a string is not valid UTF-8, at byte %d", at)
	}
	return malformed("not JSON at byte %d", at)
}

// value is a part of a body whose syntax has been checked.
type value struct {
	raw jsontext.Value
	at  string // its JSON pointer
}

func (v value) child(name string) string {
	return string(jsontext.Pointer(v.at).AppendToken(name))
}

// member is a member that an object may have, and what takes its value over.
type member struct {
	name string
	read func(value)
}

// reader takes values over into Go and collects everything that is wrong with
// them. Its methods return false after a fault.
type reader struct{ faults }

func (d *reader) want(v value, kinds string, what string) bool {
	if strings.IndexByte(kinds, byte(v.raw.Kind())) >= 0 {
		return true
	}
	d.at(v.at, engine.CodeInvalidRequest, "must be %s", what)
	return false
}

// object hands the members of v to those of members that have their names.
func (d *reader) object(v value, members []member) bool {
	if !d.want(v, "{", "an object") {
		return false
	}
	eachMember(v.raw, func(name string, raw jsontext.Value) {
		for i := range members {
			if members[i].name == name {
				members[i].read(value{raw, v.child(name)})
				return
			}
		}
		d.unknown(v.child(name), name, members)
	})
	return true
}

func (d *reader) unknown(pointer, name string, members []member) {
	if d.full() {
		d.at(pointer, engine.CodeUnknownField, "unknown field")
		return
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	d.at(pointer, engine.CodeUnknownField, "%s", unknownField(name, names))
}

// unknownField says that there is no such field, and which one may be meant.
func unknownField(name string, known []string) string {
	if len(name) > 64 {
		return "unknown field"
	}
	detail := "unknown field " + strconv.Quote(name)
	if like := meant(name, known); like != "" {
		detail += "; did you mean " + strconv.Quote(like) + "?"
	}
	return detail
}

// eachMember calls f with the members of an object in the order of the text.
func eachMember(object jsontext.Value, f func(name string, raw jsontext.Value)) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true))
	dec.ReadToken()
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return
		}
		text := name.String() // the token is good until the next read only
		raw, err := dec.ReadValue()
		if err != nil {
			return
		}
		end := dec.InputOffset()
		f(text, object[end-int64(len(raw)):end:end])
	}
}

// eachElement calls f with the elements of an array.
func (v value) eachElement(f func(value)) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(v.raw), jsontext.AllowDuplicateNames(true))
	dec.ReadToken()
	for i := 0; dec.PeekKind() != ']'; i++ {
		raw, err := dec.ReadValue()
		if err != nil {
			return
		}
		end := dec.InputOffset()
		f(value{v.raw[end-int64(len(raw)) : end : end], v.child(strconv.Itoa(i))})
	}
}

// text of a JSON string; v is one.
func (v value) text() string {
	b, _ := jsontext.AppendUnquote(nil, v.raw)
	return string(b)
}

func (d *reader) str(v value, to *string) bool {
	if !d.want(v, `"`, "a string") {
		return false
	}
	*to = v.text()
	return true
}

func (d *reader) boolean(v value, to *bool) bool {
	if !d.want(v, "tf", "true or false") {
		return false
	}
	*to = v.raw.Kind() == 't'
	return true
}

// number reads a number from low to high.
func (d *reader) number(v value, low, high float64, to *float64) bool {
	if !d.want(v, "0", "a number") {
		return false
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || f < low || f > high {
		d.at(v.at, engine.CodeInvalidRequest, "must be a number from %v to %v", low, high)
		return false
	}
	*to = f
	return true
}

var integerText = regexp.MustCompile(`^-?[0-9]{1,64}$`)

// integer reads a whole number from low to high; past high, code is reported.
func (d *reader) integer(v value, low, high int64, code string, to *int64) bool {
	const what = "a whole number"
	if !d.want(v, "0", what) {
		return false
	}
	n, ok := exactInt(v.raw)
	switch {
	case !ok && !integerText.Match(v.raw):
		d.at(v.at, engine.CodeInvalidRequest, "must be %s", what)
	case !ok || n > high:
		d.at(v.at, code, "must be at most %d", high)
	case n < low:
		d.at(v.at, engine.CodeInvalidRequest, "must be at least %d", low)
	default:
		*to = n
		return true
	}
	return false
}

// exactInt reads a JSON number that is a whole number, however it is written.
func exactInt(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 || integerText.Match(raw) {
		return 0, false
	}
	return int64(f), true
}

// strings reads a string, or a list of strings.
func (d *reader) strings(v value, to *[]string) bool {
	if !d.want(v, `"[`, "a string or a list of strings") {
		return false
	}
	if v.raw.Kind() == '"' {
		*to = []string{v.text()}
		return true
	}
	list, ok := []string{}, true
	v.eachElement(func(e value) {
		var s string
		ok = d.str(e, &s) && ok
		list = append(list, s)
	})
	*to = list
	return ok
}

// oneOf reads one of some words and returns its number, or -1.
func (d *reader) oneOf(v value, words ...string) int {
	if v.raw.Kind() == '"' {
		text := v.text()
		for i, w := range words {
			if w == text {
				return i
			}
		}
	}
	d.at(v.at, engine.CodeInvalidRequest, "must be one of %s", quotedList(words))
	return -1
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, ", ")
}

// recordID reads an id: a string, or an integer, which is kept as its text.
func (d *reader) recordID(v value, to *string) bool {
	if !d.want(v, `"0`, "a string or an integer") {
		return false
	}
	id := string(v.raw)
	if v.raw.Kind() == '"' {
		id = v.text()
	} else if !integerText.MatchString(id) {
		d.at(v.at, engine.CodeInvalidRequest, "must be a string or an integer")
		return false
	}
	if wrong := checkRecordID(id); wrong != "" {
		d.at(v.at, engine.CodeInvalidRequest, "a record id %s", wrong)
		return false
	}
	*to = id
	return true
}
