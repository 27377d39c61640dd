package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
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
batch is kept; if nothing else is, nor is the index. After an interruption,
--resume goes on behind the last batch that was stored; until then
FILE.quarry-import remembers where that is, and in which index: another one of
the same name is refused, and so is the file without --resume if records of it
have no id, as they would be stored twice.`,
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
	blind bool   // the key may not see the index
	// made is when this import made the index; zero if it was there, or if the
	// server made it.
	made time.Time
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
	i.blind = isStatus(err, http.StatusForbidden)
	if i.blind || isStatus(err, http.StatusNotFound) {
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
	records, err := source.Open(io.TeeReader(in, bar), source.Options{Name: i.name, Format: i.format, Columns: columns(info), ID: i.o.id})
	if err != nil {
		return err
	}
	journal, err := i.journal(info)
	if err != nil {
		return err
	}
	begin := time.Now()
	batches := batcher{in: records, most: i.most}
	before := journal.state.Records
	last, err := journal.skip(&batches, i.name)
	if err != nil {
		return err
	}
	if err := i.holds(ctx, info, last); err != nil {
		return err
	}
	sample, err := batches.sample(sampleRecords, min(sampleBytes, i.most))
	if err != nil {
		return err
	}
	bar.clear() // what is said of the index has a line of its own
	if err := i.checkID(sample); err != nil {
		return err
	}
	if i.blind {
		err = i.leave(sample)
	} else {
		err = i.prepare(ctx, info, sample)
	}
	if err != nil {
		return err
	}
	if !i.made.IsZero() {
		journal.state.Created = i.made
	}
	batches.key = i.key
	sent, err := i.send(ctx, &batches, journal)
	bar.stop()
	if err != nil {
		i.broken(ctx, err, before+sent, journal)
		return err
	}
	journal.remove()
	took := time.Since(begin)
	return i.report(sent, took)
}

// broken tells, of an import that has ended with err, what is stored and how to
// go on. The index that it has made goes again if nothing is, and was refused or
// not even sent: its fields are of what was not imported, and would be in the
// way. Of what was on its way at an interruption nobody knows.
func (i *importer) broken(ctx context.Context, err error, stored int64, j *journal) {
	if stored == 0 {
		var line *source.LineError
		var refused *apiError
		if !errors.As(err, &line) && !errors.As(err, &refused) {
			if j.path != "" && j.state.Anonymous {
				fmt.Fprintf(i.p.stderr, "whether the first records of %s are stored is not known; the same command with --resume stores none of them twice\n", i.name)
			}
			return
		}
		if j.state.Anonymous && (refused == nil || refused.Status < http.StatusInternalServerError && refused.Code != codeUnderWay) {
			j.remove() // see journal.sends
		}
		if i.unmake(ctx) {
			fmt.Fprintf(i.p.stderr, "nothing of %s is stored; the index %s, which was made for it, is deleted again\n", i.name, i.index)
		}
		return
	}
	again := ""
	if !i.made.IsZero() {
		again = fmt.Sprintf("; to begin anew, with other fields, delete it first: quarry indexes delete %s", i.index)
	}
	fmt.Fprintf(i.p.stderr, "%s records of %s are stored in the index %s; %s%s\n", formatCount(stored), i.name, i.index, j.hint(), again)
}

// unmake deletes the index if this import has made it and nobody has written to
// it. It tells whether it did.
func (i *importer) unmake(ctx context.Context) bool {
	if i.made.IsZero() {
		return false
	}
	info, err := i.c.index(ctx, i.index)
	if err != nil || info.Records > 0 || !info.CreatedAt.Equal(i.made) {
		return false
	}
	_, err = i.c.call(ctx, http.MethodDelete, indexPath(i.index), "", nil, nil)
	return err == nil
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
