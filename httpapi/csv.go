package httpapi

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
)

// csvSource reads records from CSV as of RFC 4180. The first line names the
// fields. A cell is a value of the type that the schema gives its field;
// without one, of the narrowest type that fits all cells of the column in the
// first chunk: true and false, whole numbers, numbers, texts. An empty cell, or one of
// blanks, means that the record lacks the field.
type csvSource struct {
	in      *csv.Reader
	window  *window
	index   string
	kind    engine.OpKind
	schema  *engine.Schema
	look    int64 // bytes of rows to infer types from
	columns []column
	ahead   []csvRow // read to infer types
	begun   bool
}

type column struct {
	name  string
	quote []byte // the name as JSON
	typ   engine.Type
	id    bool
}

// csvRow is a row, or what is wrong with it.
type csvRow struct {
	cells []string
	line  int
	err   error
}

func newCSVSource(in io.Reader, index string, kind engine.OpKind, schema *engine.Schema, longest int, look int64) *csvSource {
	w := &window{in: in, most: 2*longest + 64<<10} // a cell may double in size by its quotes
	text := bufio.NewReaderSize(w, longestHeader)
	skipBOM(text)
	s := &csvSource{in: csv.NewReader(text), window: w, index: index, kind: kind, schema: schema, look: look}
	s.in.Comma = CSVSeparator(text)
	return s
}

// longestHeader is how much of CSV is looked at to find its separator.
const longestHeader = 64 << 10

// quotedNames are names of columns in which separators stand for themselves.
var quotedNames = regexp.MustCompile(`"[^"]*"`)

// CSVSeparator returns what parts the cells of CSV, which is not read:
// spreadsheets of countries that write 3,5 for 3.5 part them by semicolons, and
// what was copied from one is parted by tabs, which the first line shows. The
// buffer of in has 64 KiB, or less of a line counts.
func CSVSeparator(in *bufio.Reader) rune {
	head, size := []byte(nil), 512
	for {
		var err error
		if head, err = in.Peek(size); err != nil || bytes.IndexByte(head, '\n') >= 0 || size >= longestHeader {
			break
		}
		size *= 2
	}
	header, _, _ := bytes.Cut(head, []byte("\n"))
	header = quotedNames.ReplaceAll(header, nil)
	switch {
	case bytes.IndexByte(header, ',') >= 0:
		return ','
	case bytes.IndexByte(header, '\t') >= 0:
		return '\t'
	case bytes.IndexByte(header, ';') >= 0:
		return ';'
	}
	return ','
}

// skipBOM leaves out the byte order mark that spreadsheets and editors put first.
func skipBOM(in *bufio.Reader) {
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
	}
}

// window fails when more is read through it than one row may have, so that a
// quote that is never closed does not bring the whole body into memory.
type window struct {
	in         io.Reader
	most, read int
}

var errRowTooLong = errors.New("row too long")

func (w *window) Read(p []byte) (int, error) {
	if w.read > w.most {
		return 0, errRowTooLong
	}
	n, err := w.in.Read(p)
	w.read += n
	return n, err
}

func (s *csvSource) next() (engine.Op, int, error) {
	if !s.begun {
		s.begun = true
		if err := s.begin(); err != nil {
			return engine.Op{}, 1, err
		}
	}
	var row csvRow
	if len(s.ahead) > 0 {
		row, s.ahead = s.ahead[0], s.ahead[1:]
	} else {
		row = s.row()
	}
	if row.err != nil {
		return engine.Op{}, row.line, row.err
	}
	op, err := s.operation(row.cells)
	return op, row.line, err
}

// begin reads the header and the rows from which types are inferred.
func (s *csvSource) begin() error {
	header := s.row()
	if header.err != nil {
		if header.err == io.EOF {
			return invalidRequest("the CSV has no first line, which names the fields")
		}
		return asProblem(header.err)
	}
	id := primaryKey(s.schema)
	unknown := false
	for i, name := range header.cells {
		if name = strings.TrimSpace(name); name == "" || !utf8.ValidString(name) {
			return invalidRequest("column %d of the first line has no name", i+1)
		}
		if slices.ContainsFunc(s.columns, func(c column) bool { return c.name == name }) {
			return invalidRequest("column %d of the first line has a name that came before", i+1)
		}
		c := column{name: name, id: name == id}
		c.quote, _ = jsontext.AppendQuote(nil, name)
		if at := s.schema.Field(name); at >= 0 {
			c.typ = s.schema.Fields[at].Type
		}
		if c.id {
			c.typ = engine.Keyword
		}
		unknown = unknown || c.typ == 0
		s.columns = append(s.columns, c)
	}
	if (s.kind == engine.OpDelete || s.kind == engine.OpPatch) && !slices.ContainsFunc(s.columns, func(c column) bool { return c.id }) {
		return invalidRequest("no column has the id, the field %q", id)
	}
	s.in.FieldsPerRecord = len(s.columns)
	for size := int64(0); unknown && size < s.look; {
		row := s.row()
		s.ahead = append(s.ahead, row)
		if row.err != nil && !errors.As(row.err, new(*lineError)) {
			break
		}
		for _, cell := range row.cells {
			size += int64(len(cell))
		}
		size += 16
	}
	s.infer()
	return nil
}

// asProblem makes an error of the header one of the whole body.
func asProblem(err error) error {
	var wrong *lineError
	if errors.As(err, &wrong) {
		return invalidRequest("line 1: %s", wrong.detail)
	}
	return err
}

// row reads a row.
func (s *csvSource) row() csvRow {
	s.window.read = 0
	cells, err := s.in.Read()
	row := csvRow{cells: cells, err: err}
	if len(cells) > 0 {
		row.line, _ = s.in.FieldPos(0)
	}
	var syntax *csv.ParseError
	switch {
	case errors.Is(err, errRowTooLong):
		row.err = &problem{code: engine.CodeRecordTooLarge, detail: "a row is larger than a record may be, or a quote is not closed"}
	case errors.As(err, &syntax):
		row.line = syntax.StartLine
		row.err = &lineError{engine.CodeInvalidRequest, fmt.Sprintf("not CSV at column %d: %v", syntax.Column, syntax.Err)}
		if errors.Is(err, csv.ErrFieldCount) {
			row.err = &lineError{engine.CodeInvalidRequest, fmt.Sprintf("has %d cells in place of %d", len(cells), s.in.FieldsPerRecord)}
		}
		row.cells = nil
	}
	return row
}

var (
	csvInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)
	csvNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$`)
	csvBool    = regexp.MustCompile(`^(?i:true|false)$`)
)

// IsCSVBool tells whether a cell is a bool as programs and spreadsheets write it.
func IsCSVBool(cell string) bool { return csvBool.MatchString(cell) }

// IsCSVNumber tells whether a cell is a number as JSON writes it, and fits: a whole one beyond 64 bits
// is rather a code, of which no digit may be lost.
func IsCSVNumber(cell string) bool {
	if !csvNumber.MatchString(cell) {
		return false
	}
	var err error
	if strings.ContainsAny(cell, ".eE") {
		_, err = strconv.ParseFloat(cell, 64)
	} else {
		_, err = strconv.ParseInt(cell, 10, 64)
	}
	return err == nil
}

// infer gives columns without a type the narrowest one.
func (s *csvSource) infer() {
	for i := range s.columns {
		c := &s.columns[i]
		for _, t := range [...]struct {
			typ  engine.Type
			fits func(string) bool
		}{{engine.Bool, IsCSVBool}, {engine.Int, csvInteger.MatchString}, {engine.Float, IsCSVNumber}} {
			if c.typ == 0 && s.all(i, t.fits) {
				c.typ = t.typ
			}
		}
		if c.typ == 0 {
			c.typ = engine.Text
		}
	}
}

// all tells whether a column has cells, and all of them fit.
func (s *csvSource) all(column int, fits func(string) bool) bool {
	some := false
	for _, row := range s.ahead {
		if row.err != nil {
			continue
		}
		cell := strings.TrimSpace(row.cells[column])
		if cell == "" {
			continue
		}
		if some = true; !fits(cell) {
			return false
		}
	}
	return some
}

// operation makes a record of a row.
func (s *csvSource) operation(cells []string) (engine.Op, error) {
	op := engine.Op{Kind: s.kind, Index: s.index}
	w := jsonWriter{}
	w.open('{')
	for i, cell := range cells {
		trimmed := strings.TrimSpace(cell)
		if trimmed == "" {
			continue
		}
		c := &s.columns[i]
		if !utf8.ValidString(cell) {
			return op, &lineError{engine.CodeInvalidRequest, fmt.Sprintf("column %d is not valid UTF-8", i+1)}
		}
		if c.id {
			if wrong := checkRecordID(cell); wrong != "" {
				return op, &lineError{engine.CodeInvalidRequest, "a record id " + wrong}
			}
			if s.kind == engine.OpDelete || s.kind == engine.OpPatch {
				op.ID = cell
			}
		}
		w.raw(c.quote)
		w.buf = append(w.buf, ':')
		w.comma = false
		if c.typ != engine.Text && c.typ != engine.Keyword {
			cell = trimmed
		}
		w.cell(c.typ, cell)
	}
	w.close('}')
	if op.ID == "" && (s.kind == engine.OpDelete || s.kind == engine.OpPatch) {
		return op, &lineError{engine.CodeInvalidRequest, "the row has no id"}
	}
	if s.kind != engine.OpDelete {
		op.Record = w.buf
	}
	return op, nil
}

// cell writes a cell as a value of a type. One that does not look like it
// becomes a string, about which the engine has the last word.
func (w *jsonWriter) cell(t engine.Type, cell string) {
	switch {
	case t == engine.Bool && IsCSVBool(cell):
		w.boolean(strings.EqualFold(cell, "true"))
	case t == engine.Int && csvInteger.MatchString(cell), t == engine.Float && csvNumber.MatchString(cell),
		t == engine.Date && csvInteger.MatchString(cell):
		w.raw([]byte(cell))
	case t == engine.Int && integerText.MatchString(cell):
		n, err := strconv.ParseInt(cell, 10, 64) // also with leading zeros
		if err != nil {
			w.text(cell)
			return
		}
		w.integer(n)
	case t == engine.Int && csvNumber.MatchString(cell): // 1.0, which is 1
		w.raw([]byte(cell))
	case t == engine.JSON && bytes.IndexByte([]byte("{[\"0123456789-tfn"), cell[0]) >= 0 && jsontext.Value(cell).IsValid():
		w.raw([]byte(cell))
	default:
		w.text(cell)
	}
}
