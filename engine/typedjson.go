package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine/internal/geo"
)

// errNotUTF8 is text that no record can hold.
var errNotUTF8 = errors.New("text that is not valid UTF-8")

// encodeRecord makes a record of a value, given by its address so that methods
// of pointers count.
func encodeRecord(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	// encoding/json writes bytes that are not UTF-8 as \ufffd, so that another
	// text would be stored. Only then it is worth while to look closer.
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) && !isUTF8(reflect.ValueOf(value)) {
		return nil, errNotUTF8
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// isUTF8 tells whether all text that encoding/json writes of a value is valid.
func isUTF8(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || isUTF8(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !isUTF8(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			if !isUTF8(key) || !isUTF8(value) {
				return false
			}
		}
	case reflect.Struct:
		if ownJSON(v.Type()) != asIs {
			return true
		}
		for _, m := range membersOf(v.Type()) {
			if f, err := v.FieldByIndexErr(m.order); err == nil && !isUTF8(f) {
				return false
			}
		}
	}
	return true
}

// MarshalJSON writes a place as records hold it: {"lat":52.5,"lon":13.4}.
func (p Point) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Lat float64 `json:"lat"`
		Lon float64 `json:"lon"`
	}(p))
}

// UnmarshalJSON reads a place in either form of records, and null as no change.
// Coordinates that are no place on the earth are an error.
func (p *Point) UnmarshalJSON(b []byte) error {
	var at geo.Point
	var bad string
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		at, bad = placeOfText(text)
	case b[0] == '{':
		at, bad = placeOfObject(jsontext.NewDecoder(bytes.NewReader(b)))
	default:
		bad = "another value"
	}
	if bad != "" {
		return fmt.Errorf("a place is %s, not %s", placeForms, bad)
	}
	*p = Point{Lat: at.Lat, Lon: at.Lon}
	return nil
}
