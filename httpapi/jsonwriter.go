package httpapi

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonWriter appends JSON to a buffer, in the order of the calls. It puts the
// commas; whoever calls it closes what it opens.
type jsonWriter struct {
	buf   []byte
	comma bool // something precedes the next value at this level
}

func (w *jsonWriter) next() {
	if w.comma {
		w.buf = append(w.buf, ',')
	}
	w.comma = true
}

func (w *jsonWriter) open(bracket byte) {
	w.next()
	w.buf = append(w.buf, bracket)
	w.comma = false
}

func (w *jsonWriter) close(bracket byte) {
	w.buf = append(w.buf, bracket)
	w.comma = true
}

// key writes the name of the next value, in ASCII without anything to escape.
func (w *jsonWriter) key(name string) {
	w.next()
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '"', ':')
	w.comma = false
}

// keyText writes a name of any text.
func (w *jsonWriter) keyText(name string) {
	w.text(name)
	w.buf = append(w.buf, ':')
	w.comma = false
}

func (w *jsonWriter) raw(json []byte) {
	w.next()
	w.buf = append(w.buf, json...)
}

func (w *jsonWriter) null() {
	w.next()
	w.buf = append(w.buf, "null"...)
}

// text writes a string; bytes that are not UTF-8 become U+FFFD.
func (w *jsonWriter) text(s string) {
	w.next()
	w.buf, _ = jsontext.AppendQuote(w.buf, s)
}

func (w *jsonWriter) integer(n int64) {
	w.next()
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// float writes the shortest decimal that reads back as f.
func (w *jsonWriter) float(f float64) {
	w.next()
	w.buf = jsontext.AppendFloat(w.buf, f, 64)
}

func (w *jsonWriter) boolean(b bool) {
	w.next()
	w.buf = strconv.AppendBool(w.buf, b)
}

// millis writes a duration in milliseconds with three decimals at most.
func (w *jsonWriter) millis(d time.Duration) {
	w.float(float64(d.Microseconds()) / 1000)
}

func (w *jsonWriter) time(t time.Time) {
	w.text(t.UTC().Format(time.RFC3339))
}

// The following write a name and a value.

func (w *jsonWriter) textAt(name, s string)          { w.key(name); w.text(s) }
func (w *jsonWriter) integerAt(name string, n int64) { w.key(name); w.integer(n) }
func (w *jsonWriter) floatAt(name string, f float64) { w.key(name); w.float(f) }
func (w *jsonWriter) booleanAt(name string, b bool)  { w.key(name); w.boolean(b) }

// textOrNullAt writes null in place of an empty string.
func (w *jsonWriter) textOrNullAt(name, s string) {
	w.key(name)
	if s == "" {
		w.null()
		return
	}
	w.text(s)
}

func (w *jsonWriter) textsAt(name string, list []string) {
	w.key(name)
	w.open('[')
	for _, s := range list {
		w.text(s)
	}
	w.close(']')
}
