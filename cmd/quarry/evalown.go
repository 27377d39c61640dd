package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// own is a collection of the user's own: a file of records such as quarry
// import reads, and a file of judgments.
type own struct {
	records   string
	key       string // field of the ids
	judgments []eval.Judgment
	ids       map[string]bool // of the records that were read
}

// openOwn reads the judgments and finds out where the ids of the records are.
func openOwn(o *evalOptions) (*own, *eval.Collection, error) {
	w := &own{records: o.records, key: o.id, ids: map[string]bool{}}
	var err error
	if w.judgments, err = eval.ReadJudgments(o.judgments); err != nil {
		return nil, nil, err
	}
	if w.key == "" {
		if w.key, err = w.inferKey(); err != nil {
			return nil, nil, err
		}
	}
	c, err := eval.New(filepath.Base(o.records), w.documents(), w.judgments)
	return w, c, err
}

// each reads the records until f returns false.
func (w *own) each(columns map[string]source.Column, f func(source.Record) bool) error {
	in, err := os.Open(w.records)
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := source.Open(in, source.Options{Name: w.records, Columns: columns})
	if err != nil {
		return err
	}
	for {
		record, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !f(record):
			return nil
		}
	}
}

// inferKey finds the field of the ids as an import does.
func (w *own) inferKey() (string, error) {
	var sample []source.Record
	if err := w.each(nil, func(r source.Record) bool {
		r.JSON = append([]byte(nil), r.JSON...)
		sample = append(sample, r)
		return len(sample) < evalSample
	}); err != nil {
		return "", err
	}
	key := inferKey(sample)
	if key == "" {
		return "", fmt.Errorf("%s: no field has a different id in every record; name the one that the judgments mean with --id", w.records)
	}
	return key, nil
}

// documents are the records with their ids.
func (w *own) documents() iter.Seq2[eval.Document, error] {
	return func(yield func(eval.Document, error) bool) {
		var bad error
		err := w.each(map[string]source.Column{w.key: source.Text}, func(r source.Record) bool {
			var id string
			value := memberValue(r.JSON, w.key)
			if isDigits(value) {
				id = string(value)
			} else if json.Unmarshal(value, &id) != nil {
				id = ""
			}
			if id == "" {
				reason := fmt.Sprintf("a record without an id in the field %q", w.key)
				if err := json.Unmarshal(r.JSON, new(map[string]any)); err != nil {
					reason = err.Error()
				}
				bad = &source.LineError{Name: w.records, Line: r.Line, Reason: reason}
				return false
			}
			w.ids[id] = true
			return yield(eval.Document{ID: id, Record: append([]byte(nil), r.JSON...)}, nil)
		})
		if err = errors.Join(err, bad); err != nil {
			yield(eval.Document{}, err)
		}
	}
}

// warn says which judged records are not there, once they have been read: the
// id may be misspelt, or its record gone.
func (w *own) warn(out io.Writer) {
	var missing []eval.Judgment
	for _, j := range w.judgments {
		if !w.ids[j.Document] {
			missing = append(missing, j)
		}
	}
	if len(missing) == 0 {
		return
	}
	j := missing[0]
	fmt.Fprintf(out, "quarry: %s: no record of %s has the %s %q", j.Place, w.records, w.key, j.Document)
	if more := len(missing) - 1; more > 0 {
		fmt.Fprintf(out, "; and %d more of the %d judgments are of records that are not there", more, len(w.judgments))
	}
	fmt.Fprintln(out)
}
