package source

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/httpapi"
)

// Column says what the cells of a column of CSV are.
type Column uint8

// Columns. An empty cell means that the record does not have the field. A cell
// that is not what its column says is written as a string, so that whoever
// stores the record can say what is wrong with it.
const (
	Text Column = iota + 1
	Number
	Bool
)

// tableSample is how many rows are looked at to infer columns.
const tableSample = 1000

// tableReader reads CSV and TSV.
type tableReader struct {
	in      rowReader
	o       Options
	names   []string // of the fields, as JSON strings
	columns []Column
	sample  []row // read ahead
	err     error // that ended the sample
	buf     []byte
}

type row struct {
	cells []string
	line  int
}

// A rowReader reads the rows of a table, io.EOF after the last one; the cells
// are valid until the next call. All rows have as many cells as the first one.
type rowReader interface {
	read() (row, error)
}

func newTableReader(in *bufio.Reader, o Options) *tableReader {
	r := &tableReader{o: o}
	if o.Format == TSV {
		r.in = &tabReader{in: lineReader{in: in, o: o}}
		return r
	}
	quoted := csv.NewReader(in)
	quoted.ReuseRecord = true
	quoted.Comma = httpapi.CSVSeparator(in)
	r.in = &csvReader{in: quoted, o: o}
	return r
}

func (r *tableReader) next() (Record, error) {
	if r.names == nil {
		if err := r.begin(); err != nil {
			return Record{}, err
		}
	}
	var now row
	switch {
	case len(r.sample) > 0:
		now, r.sample = r.sample[0], r.sample[1:]
	case r.err != nil:
		return Record{}, r.err
	default:
		if now, r.err = r.in.read(); r.err != nil {
			return Record{}, r.err
		}
	}
	return r.record(now)
}

// begin reads the header and infers the columns.
func (r *tableReader) begin() error {
	header, err := r.in.read()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	id := -1
	for i, name := range header.cells {
		if name = strings.TrimSpace(name); name == "" || seen[name] {
			return &LineError{r.o.Name, header.line, fmt.Sprintf("the header needs a different name for each column; %q is not one", name)}
		}
		seen[name] = true
		if name == r.o.id() {
			id = i
		}
		quoted, err := jsontext.AppendQuote(nil, name)
		if err != nil {
			return &LineError{r.o.Name, header.line, "the name of a column is not UTF-8"}
		}
		r.names = append(r.names, string(quoted))
		r.columns = append(r.columns, r.o.Columns[name])
	}
	for len(r.sample) < tableSample && r.err == nil {
		var next row
		if next, r.err = r.in.read(); r.err == nil {
			next.cells = append([]string(nil), next.cells...)
			r.sample = append(r.sample, next)
		}
	}
	for i := range r.columns {
		if r.columns[i] == 0 {
			r.columns[i] = inferColumn(r.sample, i, i == id)
		}
	}
	return nil
}

// inferColumn returns what all cells of a column are. Numbers with leading
// zeros are codes of something, and stay as they are. Ids are whole numbers or texts.
func inferColumn(rows []row, i int, id bool) Column {
	is := Column(0)
	for _, row := range rows {
		cell := strings.TrimSpace(row.cells[i])
		var now Column
		switch {
		case cell == "":
			continue
		case httpapi.IsCSVNumber(cell) && !(id && strings.ContainsAny(cell, ".eE")):
			now = Number
		case httpapi.IsCSVBool(cell) && !id:
			now = Bool
		default:
			return Text
		}
		if is != 0 && is != now {
			return Text
		}
		is = now
	}
	if is == 0 {
		return Text
	}
	return is
}

// record writes a row as a JSON object.
func (r *tableReader) record(now row) (Record, error) {
	b := append(r.buf[:0], '{')
	for i, cell := range now.cells {
		trimmed := strings.TrimSpace(cell)
		if trimmed == "" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, r.names[i]...), ':')
		switch {
		case r.columns[i] == Number && httpapi.IsCSVNumber(trimmed):
			b = append(b, trimmed...)
			continue
		case r.columns[i] == Bool && httpapi.IsCSVBool(trimmed):
			b = strconv.AppendBool(b, strings.EqualFold(trimmed, "true"))
			continue
		}
		var err error
		if b, err = jsontext.AppendQuote(b, cell); err != nil {
			return Record{}, &LineError{r.o.Name, now.line, "a cell is not UTF-8"}
		}
	}
	b = append(b, '}')
	r.buf = b
	if len(b) > r.o.MaxRecord {
		return Record{}, &LineError{r.o.Name, now.line, "the record is too long"}
	}
	return Record{JSON: b, Line: now.line}, nil
}
