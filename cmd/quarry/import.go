package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"
)

// importOptions are the flags of quarry import.
type importOptions struct {
	index, id, format, language string
	resume, json                bool
}

// importCommand is quarry import.
func (p *program) importCommand() *cobra.Command {
	t := target{create: true}
	var o importOptions
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import NDJSON, JSON or CSV",
		Long: `Import records from NDJSON (one JSON object a line), from an array of JSON
objects, or from CSV or TSV with a header; packed with gzip or not. FILE - is
standard input. If the header of CSV has no comma, tabs or semicolons part its
cells. TSV has no quotes: one in a value is part of it.

The index takes its name from the file. If it is not there it is made, with the
id field, the language and the types of the fields inferred from the first records. Records
are sent in batches, each of which is stored as a whole or not at all. A key
with the scope write alone will do where ids are in the field id, or there are
none: the index is then made by the server.

A bad line stops the import with its file, line and reason, and nothing of its
batch is kept. After an interruption, --resume goes on behind the last batch that
was stored; until then FILE.quarry-import remembers where that is.`,
		Example: `  quarry import products.ndjson.gz
  quarry import movies.json --index films --id imdb
  quarry import big.csv --data ./quarry-data
  curl -s https://example.com/feed.csv | quarry import - --index feed`,
		Args: wants(1, -1, "a file, or - for standard input"),
		RunE: t.run(func(cmd *cobra.Command, c *client, files []string) error {
			format, ok := source.ParseFormat(o.format)
			switch {
			case !ok:
				return usagef("--format is ndjson, json, csv or tsv, not %q", o.format)
			case o.index != "" && !engine.ValidIndexName(o.index):
				return usagef("--index %q: the name of an index has 1 to 64 small letters, digits, _ and -, and begins with a letter or digit", o.index)
			}
			for _, name := range files {
				i := importer{p: p, c: c, o: &o, name: name, format: format, most: batchBytes}
				if err := i.run(cmd.Context()); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	f := c.Flags()
	f.StringVar(&o.index, "index", "", "import into this `INDEX` (default: named after the file)")
	f.StringVar(&o.id, "id", "", "`FIELD` that holds the id of a record (default: inferred)")
	f.StringVar(&o.language, "language", "", "`CODE` of the language of the texts, such as de, or none (default: inferred)")
	f.StringVar(&o.format, "format", "", "`FORMAT` of the files: ndjson, json, csv or tsv (default: inferred)")
	f.BoolVar(&o.json, "json", false, "print what was imported as JSON, a line for each file")
	f.BoolVar(&o.resume, "resume", false, "go on where an import of the same file was interrupted")
	t.flags(c)
	return c
}

// importer imports one file.
type importer struct {
	p      *program
	c      *client
	o      *importOptions
	name   string
	format source.Format
	most   int // bytes in a batch

	index string
	key   string // field of the ids; "" if the records have none
}

// sampleRecords and sampleBytes bound what the schema is inferred from; it is
// the beginning of the first batch.
const (
	sampleRecords = 1000
	sampleBytes   = 4 << 20
)

func (i *importer) run(ctx context.Context) error {
	if i.index = i.o.index; i.index == "" {
		if i.index = indexFor(i.name); i.index == "" {
			return usagef("%s gives the index no name; choose one with --index", i.name)
		}
	}
	info, err := i.c.index(ctx, i.index)
	blind := isStatus(err, http.StatusForbidden) // without the scope read
	if blind || isStatus(err, http.StatusNotFound) {
		info, err = nil, nil
	}
	if err != nil {
		return err
	}
	in, size, err := i.open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	shown := i.p.stderr
	if i.p.dumb() {
		shown = nil // it cannot write a line again
	}
	bar := newProgress(shown, i.name, size)
	defer bar.stop()
	records, err := source.Open(io.TeeReader(in, bar), source.Options{Name: i.name, Format: i.format, Columns: columns(info)})
	if err != nil {
		return err
	}
	journal, err := i.journal()
	if err != nil {
		return err
	}
	begin := time.Now()
	batches := batcher{in: records, most: i.most}
	if err := journal.skip(&batches, i.name); err != nil {
		return err
	}
	sample, err := batches.sample(sampleRecords, min(sampleBytes, i.most))
	if err != nil {
		return err
	}
	bar.clear() // what is said of the index has a line of its own
	if blind {
		err = i.leave(sample)
	} else {
		err = i.prepare(ctx, info, sample)
	}
	if err != nil {
		return err
	}
	batches.key = i.key
	sent, err := i.send(ctx, &batches, journal)
	bar.stop()
	if err != nil {
		if hint := journal.hint(); hint != "" {
			fmt.Fprintf(i.p.stderr, "%s records of %s are stored; %s\n", formatCount(journal.state.Records), i.name, hint)
		}
		return err
	}
	journal.remove()
	took := time.Since(begin)
	return i.report(sent, took)
}

// report tells what has been imported.
func (i *importer) report(records int64, took time.Duration) error {
	if i.o.json {
		return json.NewEncoder(i.p.stdout).Encode(struct {
			File       string `json:"file"`
			Index      string `json:"index"`
			Records    int64  `json:"records"`
			TookMillis int64  `json:"took_ms"`
		}{i.name, i.index, records, took.Milliseconds()})
	}
	_, err := fmt.Fprintf(i.p.stdout, "imported %s records from %s into %s in %.1f s (%s a second)\n",
		formatCount(records), i.name, i.index, took.Seconds(), formatCount(int64(float64(records)/max(took.Seconds(), 1e-3))))
	return err
}

// open opens the file; size is 0 if it is not known.
func (i *importer) open(ctx context.Context) (in io.ReadCloser, size int64, err error) {
	if i.name == "-" {
		return until(ctx, i.p.stdin), 0, nil
	}
	f, err := os.Open(i.name)
	if err != nil {
		return nil, 0, err
	}
	stat, err := f.Stat()
	switch {
	case err != nil:
		return nil, 0, errors.Join(err, f.Close())
	case stat.IsDir():
		return nil, 0, errors.Join(fmt.Errorf("%s is a directory", i.name), f.Close())
	case stat.Mode().IsRegular():
		size = stat.Size()
	}
	return f, size, nil
}

// until reads from r until ctx ends, also while r has nothing to give: whoever
// types at a terminal, or has a pipe that is silent, need not wait to break off.
func until(ctx context.Context, r io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

var (
	importEndings = regexp.MustCompile(`(?i)(\.(ndjson|jsonl|json|csv|tsv|tab|txt))?(\.gz)?$`)
	notInNames    = regexp.MustCompile(`[^a-z0-9_-]+`)
)

// plainLetters are the letters of names that have no accent to leave out.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// indexFor makes the name of an index of a file's, accents aside; "" if nothing
// is left of it, or if it has letters for which there are no others, without
// which it would be another name.
func indexFor(file string) string {
	if file == "-" {
		return ""
	}
	name := strings.ToLower(filepath.Base(file))
	name = name[:importEndings.FindStringIndex(name)[0]]
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(plainLetters.Replace(name)))
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
		case engine.Int.String(), engine.Float.String():
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
	err = i.c.putIndex(ctx, i.index, &schema)
	if isStatus(err, http.StatusForbidden) { // without the scope admin
		return i.leave(sample)
	}
	if err != nil {
		return fmt.Errorf("index %q: %w", i.index, err)
	}
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
