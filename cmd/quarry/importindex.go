package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/tokenize"
)

var (
	importEndings = regexp.MustCompile(`(?i)(\.(ndjson|jsonl|json|csv|tsv|tab|txt))?(\.gz)?$`)
	notInNames    = regexp.MustCompile(`[^a-z0-9_-]+`)
)

// indexFor makes the name of an index of a file's, accents aside; "" if nothing
// is left of it, or if it has letters for which there are no others, without
// which it would be another name.
func indexFor(file string) string {
	if file == "-" {
		return ""
	}
	name := filepath.Base(file)
	name = string(tokenize.Fold(nil, []byte(name[:importEndings.FindStringIndex(name)[0]])))
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) }) {
		return ""
	}
	name = strings.Trim(notInNames.ReplaceAllString(name, "-"), "-_")
	return strings.TrimRight(name[:min(len(name), 64)], "-_")
}

// columns says what the columns of CSV are for an index that is already there.
func columns(info *indexInfo) map[string]source.Column {
	if info == nil {
		return nil
	}
	out := map[string]source.Column{info.PrimaryKey: source.Text}
	for _, f := range info.Fields {
		switch f.Type {
		case engine.Int.String(), engine.Float.String(), engine.Date.String(): // a date may be seconds
			out[f.Name] = source.Number
		case engine.Bool.String():
			out[f.Name] = source.Bool
		default:
			out[f.Name] = source.Text
		}
	}
	return out
}

// prepare finds the id field and makes the index if it is not there.
func (i *importer) prepare(ctx context.Context, info *indexInfo, sample []source.Record) error {
	if info != nil {
		i.key = info.PrimaryKey
		if l := i.o.language; l != "" && l != info.Language {
			return fmt.Errorf("index %q has its texts in the language %s, not in %s; import into another index with --index, or change it: PATCH /v1/indexes/%s with {\"language\":%q}", i.index, info.Language, l, i.index, l)
		}
		if i.o.id != "" && i.o.id != i.key {
			return fmt.Errorf("index %q has its ids in the field %q, not in %q; import into another index with --index", i.index, i.key, i.o.id)
		}
		return nil
	}
	i.key = i.o.id
	if i.key == "" {
		i.key = inferKey(sample)
	}
	var records [][]byte
	for _, r := range sample {
		records = append(records, r.JSON)
	}
	schema, err := engine.Infer(records, i.key)
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		first := invalid.Problems[0]
		return &source.LineError{Name: i.name, Line: sample[first.Position].Line, Reason: first.Detail}
	}
	if err != nil {
		return err
	}
	if i.o.language != "" {
		schema.Language = i.o.language
	}
	// Whole numbers are left to the server, which lets such a field become one
	// of other numbers when the first comes.
	schema.Fields = slices.DeleteFunc(schema.Fields, func(f engine.Field) bool { return f.Type == engine.Int })
	made, err := i.c.putIndex(ctx, i.index, &schema)
	if isStatus(err, http.StatusForbidden) { // without the scope admin
		return i.leave(sample)
	}
	if err != nil {
		return fmt.Errorf("index %q: %w", i.index, err)
	}
	i.made = made.CreatedAt
	ids := "ids are made for records without one"
	if i.key != "" {
		ids = "ids from the field " + i.key
	}
	language := ""
	switch {
	case i.o.language != "":
		language = ", texts in the language " + i.o.language
	case schema.Language != "":
		language = ", texts in the language " + schema.Language + " (or say --language)"
	}
	fmt.Fprintf(i.p.stderr, "made the index %s, %s%s\n", i.index, ids, language)
	return nil
}

// defaultKey is the field of the ids of an index that the server makes.
const defaultKey = "id"

// leave leaves the index as it is, or its making to the server, as a key with the
// scope write alone has to.
func (i *importer) leave(sample []source.Record) error {
	if i.o.language != "" {
		return fmt.Errorf("index %q: this key may not see or make indexes, so that the texts would be in the language that the server takes them for: import with a key that has the scopes read, write and admin, or without --language", i.index)
	}
	if i.key = i.o.id; i.key == "" && !isKey(sample, defaultKey) {
		i.key = inferKey(sample)
	}
	if i.key != "" && i.key != defaultKey {
		return fmt.Errorf("index %q: the ids are in the field %q, and this key may not see or make indexes, so that they would be taken for a field like others: import with a key that has the scopes read, write and admin, or give --id id if the records have their ids there", i.index, i.key)
	}
	i.key = defaultKey
	return nil
}

// checkID tells whether --id names a field that records have: with another one
// all would get ids that are made, and stand there twice after the next import.
func (i *importer) checkID(sample []source.Record) error {
	if i.o.id == "" || len(sample) == 0 {
		return nil
	}
	var names []string
	for _, r := range sample {
		if memberValue(r.JSON, i.o.id) != nil {
			return nil
		}
		for _, name := range memberNames(r.JSON) {
			if !slices.Contains(names, name) && len(names) < 100 {
				names = append(names, name)
			}
		}
	}
	text := fmt.Sprintf("--id: the first records of %s have no field %q%s", i.name, i.o.id, didYouMean(i.o.id, names))
	if len(names) > 0 {
		text += "; they have " + strings.Join(names[:min(len(names), 20)], ", ")
	}
	if len(names) > 20 {
		text += " and others"
	}
	return usagef("%s", text)
}

// sureKeys are the names of fields that are ids whatever their values: a value
// that comes again is a newer version of a record.
var sureKeys = []string{"id", "_id"}

// likelyKeys are the names of other fields that may hold ids, best first.
var likelyKeys = []string{"uid", "uuid", "guid", "ID", "Id", "key", "sku"}

// inferKey returns the field that holds the ids of records: in all of them a
// string or a whole number, and different each time unless its name leaves no
// doubt. "" if there is none.
func inferKey(sample []source.Record) string {
	if len(sample) == 0 {
		return ""
	}
	candidates := slices.Concat(sureKeys, likelyKeys)
	for _, name := range memberNames(sample[0].JSON) {
		if l := strings.ToLower(name); strings.HasSuffix(l, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(l, "-id") {
			if !slices.Contains(candidates, name) {
				candidates = append(candidates, name)
			}
		}
	}
	for _, name := range candidates {
		if isKey(sample, name) {
			return name
		}
	}
	return ""
}

// isKey tells whether a field may hold the ids of records.
func isKey(sample []source.Record, name string) bool {
	seen := make(map[string]bool, len(sample))
	for _, r := range sample {
		id := memberValue(r.JSON, name)
		if len(id) == 0 || id[0] != '"' && !isDigits(id) || string(id) == `""` || seen[string(id)] && !slices.Contains(sureKeys, name) {
			return false
		}
		seen[string(id)] = true
	}
	return true
}

func isDigits(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return (c < '0' || c > '9') && c != '-' })
}
