package eval

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Judgment says how good an answer a document is, as a person writes it down.
type Judgment struct {
	Query    string // as it is typed
	Document string // id
	Grade    int    // 1 and more is relevant, the more the better; 0 is not
	Place    string // file and line it was read from, for errors; or ""
}

// errorf says what is wrong with a judgment, and where it stands.
func (j Judgment) errorf(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if j.Place != "" {
		text = j.Place + ": " + text
	}
	return errors.New(text)
}

// New makes a collection of one's own: documents, and judgments by the text of
// the query. The queries get the ids 1, 2 and so on in the order in which they
// first appear. [DocumentsOf] makes a sequence of values. A judgment without
// query or document is an error, and so are two grades of one pair.
func New(name string, documents iter.Seq2[Document, error], judgments []Judgment) (*Collection, error) {
	c := &Collection{Name: name, Judgments: Judgments{}, documents: documents}
	ids := map[string]string{}
	first := map[[2]string]Judgment{}
	for _, j := range judgments {
		query := strings.TrimSpace(j.Query)
		if query == "" || j.Document == "" {
			return nil, j.errorf("a judgment needs the text of a query and the id of a record")
		}
		id, ok := ids[query]
		if !ok {
			id = strconv.Itoa(len(ids) + 1)
			ids[query] = id
			c.Queries = append(c.Queries, Query{ID: id, Text: query})
		}
		pair := [2]string{id, j.Document}
		if before, ok := first[pair]; ok && before.Grade != j.Grade {
			return nil, j.errorf("record %q is judged %d for %q, and another judgment says %d", j.Document, j.Grade, query, before.Grade)
		}
		first[pair] = j
		c.Judgments.add(id, j.Document, j.Grade)
	}
	return c, nil
}

// DocumentsOf is the sequence of some documents.
func DocumentsOf(list ...Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range list {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// ReadJudgments reads a file of one's own judgments, packed if it ends in .gz.
// What a line holds is told by its first:
//
//	red shoes <tab> sku-42 <tab> 2                        query, record and grade between tabs,
//	red shoes,sku-42,2                                    or as CSV if the name ends in .csv
//	{"query": "red shoes", "id": "sku-42", "grade": 2}    or an object
//
// A line without a grade has the grade 1. A first line without a number where
// the grade stands, or that begins with "query", is a header. Errors name file
// and line.
func ReadJudgments(path string) ([]Judgment, error) {
	var list []Judgment
	parse, between := tabbed, "tabs"
	if strings.HasSuffix(strings.ToLower(strings.TrimSuffix(path, ".gz")), ".csv") {
		parse, between = commas, "commas"
	}
	begun := false
	err := eachLine(path, func(n int, line []byte) error {
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if !begun && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			parse = nil
		}
		j := Judgment{Grade: 1, Place: filepath.Base(path) + ":" + strconv.Itoa(n)}
		first := !begun
		begun = true
		if parse == nil {
			if err := j.decode(line); err != nil {
				return err
			}
			list = append(list, j)
			return nil
		}
		cells, err := parse(line)
		if err != nil {
			return err
		}
		if len(cells) != 2 && len(cells) != 3 {
			return fmt.Errorf("%d columns, want 3 with %s between: query, record id and grade", len(cells), between)
		}
		j.Query, j.Document = cells[0], strings.TrimSpace(cells[1])
		if first && strings.EqualFold(strings.TrimSpace(j.Query), "query") {
			return nil
		}
		if len(cells) == 3 {
			grade := strings.TrimSpace(cells[2])
			j.Grade, err = strconv.Atoi(grade)
			switch {
			case err != nil && first && grade != "":
				return nil
			case err != nil:
				return fmt.Errorf("grade %q is no whole number", grade)
			}
		}
		list = append(list, j)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: no judgments", path)
	}
	return list, err
}

// tabbed divides a line of TSV.
func tabbed(line []byte) ([]string, error) {
	return strings.Split(strings.TrimRight(string(line), "\r"), "\t"), nil
}

// commas divides a line of CSV.
func commas(line []byte) ([]string, error) {
	cells, err := csv.NewReader(bytes.NewReader(line)).Read()
	if parse := new(csv.ParseError); errors.As(err, &parse) {
		return nil, fmt.Errorf("column %d: %w", parse.Column, parse.Err) // its line is always 1
	}
	return cells, err
}

// judgmentNames are the members of a judgment in JSON.
var judgmentNames = []string{"query", "id", "grade"}

// decode reads a judgment in JSON. An id may be a number.
func (j *Judgment) decode(line []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return err
	}
	for name := range members {
		if !slices.Contains(judgmentNames, name) {
			return fmt.Errorf("a judgment has query, id and grade, and no %q", name)
		}
	}
	if err := json.Unmarshal(members["query"], &j.Query); err != nil {
		return errors.New(`"query" is not the text of a query`)
	}
	var number json.Number
	if err := json.Unmarshal(members["id"], &j.Document); err != nil {
		if err := json.Unmarshal(members["id"], &number); err != nil {
			return errors.New(`"id" is not the id of a record`)
		}
		j.Document = number.String()
	}
	if grade, ok := members["grade"]; ok {
		if err := json.Unmarshal(grade, &j.Grade); err != nil {
			return fmt.Errorf(`"grade" %s is no whole number`, grade)
		}
	}
	return nil
}
