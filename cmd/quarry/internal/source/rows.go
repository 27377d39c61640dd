package source

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// csvReader reads the rows of CSV.
type csvReader struct {
	in    *csv.Reader
	o     Options
	width int // cells of the header; 0: it was not read yet
	line  int // of the last row
}

func (r *csvReader) read() (row, error) {
	cells, err := r.in.Read()
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		reason := parse.Err.Error()
		switch {
		case errors.Is(err, csv.ErrFieldCount):
			reason = columnsReason(len(cells), r.width)
		case r.in.Comma == '\t':
			reason += "; --format tsv takes quotes as they stand"
		}
		return row{}, &LineError{r.o.Name, parse.StartLine, reason}
	case err != nil:
		return row{}, readError(r.o.Name, r.line+1, err)
	}
	if r.width == 0 {
		r.width = len(cells)
	}
	r.line, _ = r.in.FieldPos(0)
	return row{cells, r.line}, nil
}

func columnsReason(have, want int) string {
	return fmt.Sprintf("%d columns; the header has %d", have, want)
}

// tabReader reads the rows of TSV, one a line, as IANA registers
// text/tab-separated-values: a tab always parts cells, and nothing is quoted.
type tabReader struct {
	in    lineReader
	width int // cells of the header; 0: it was not read yet
	cells []string
}

func (r *tabReader) read() (row, error) {
	for {
		b, err := r.in.read()
		if err != nil {
			return row{}, err
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
		if line == "" {
			continue // as in CSV
		}
		r.cells = slices.AppendSeq(r.cells[:0], strings.SplitSeq(line, "\t"))
		switch {
		case r.width == 0:
			r.width = len(r.cells)
		case len(r.cells) != r.width:
			return row{}, r.in.fail(columnsReason(len(r.cells), r.width))
		}
		return row{r.cells, r.in.line}, nil
	}
}
