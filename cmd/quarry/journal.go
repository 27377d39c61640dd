package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// journal remembers in a small file beside an imported one how much of it is
// stored, so that an interrupted import can go on. It is used by one goroutine.
type journal struct {
	path  string // "" if nothing is remembered
	err   error  // why it could not be written
	state journalState
	told  func(error) // that it cannot be written, once
	// behind are batches that are stored while one before them is not.
	behind map[int64]journalState
}

// journalState is the contents of the file.
type journalState struct {
	Index   string    `json:"index"`
	Created time.Time `json:"created"` // of the index, which tells it from others of its name; zero: not known
	Version uint64    `json:"version"` // of the newest batch that was stored
	Run     string    `json:"run"`     // names the import in Idempotency-Keys
	Records int64     `json:"records"` // from the beginning of the file that are stored
	Sum     uint32    `json:"sum"`     // CRC-32C of their bytes
	// Anonymous tells that records without an id were sent: to send them anew,
	// and not by --resume, may store them twice.
	Anonymous bool `json:"anonymous,omitempty"`
}

const journalEnding = ".quarry-import"

// journal opens the journal of the file. info is the index, nil if there is
// none, or if the key may not see it.
func (i *importer) journal(info *indexInfo) (*journal, error) {
	j := &journal{state: journalState{Index: i.index, Run: rand.Text()}, behind: map[int64]journalState{}}
	if info != nil {
		j.state.Created = info.CreatedAt
	}
	if i.name == "-" {
		if i.o.resume {
			return nil, usagef("standard input cannot be resumed")
		}
		return j, nil
	}
	j.path = i.name + journalEnding
	j.told = func(err error) {
		fmt.Fprintf(i.p.stderr, "warning: how much of %s is stored cannot be noted beside it, so that --resume will not go on after an interruption: %v\n", i.name, err)
	}
	if !i.o.resume {
		return j, i.doubles(j.path, info)
	}
	text, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s to resume from; import without --resume", j.path)
	}
	if err != nil {
		return nil, err
	}
	var found journalState
	if err := json.Unmarshal(text, &found); err != nil || found.Run == "" || found.Records < 0 {
		return nil, fmt.Errorf("%s is damaged; import without --resume", j.path)
	}
	if err := i.sameIndex(j.path, found, info); err != nil {
		return nil, err
	}
	j.state = found
	return j, nil
}

// doubles refuses an import of records that have no id where an interrupted one
// of the same file into the same index is remembered.
func (i *importer) doubles(path string, info *indexInfo) error {
	text, err := os.ReadFile(path)
	var found journalState
	if err != nil || json.Unmarshal(text, &found) != nil || !found.Anonymous || found.Index != i.index {
		return nil // what is stored twice is stored as the same record
	}
	known := info != nil && !found.Created.IsZero()
	if !i.blind && info == nil || known && (!info.CreatedAt.Equal(found.Created) || info.Version < found.Version) {
		return nil // they are not here: see sameIndex
	}
	return fmt.Errorf("%s remembers an interrupted import of this file into the index %q, %s records of which, or some more, are stored: they have no id and would be there twice; --resume goes on behind them; to import them again all the same, delete that file", path, i.index, formatCount(found.Records))
}

// sameIndex tells whether the index is the one that a journal is about, as it
// was left or later: else what is stored is not stored here.
func (i *importer) sameIndex(path string, found journalState, info *indexInfo) error {
	another := func(format string, args ...any) error {
		return fmt.Errorf("%s is of an import into %s; import without --resume", path, fmt.Sprintf(format, args...))
	}
	switch {
	case found.Index != i.index:
		return fmt.Errorf("%s is of an import into the index %q, not %q", path, found.Index, i.index)
	case i.blind || info != nil && found.Created.IsZero():
		fmt.Fprintf(i.p.stderr, "warning: whether the index %s is still the one that holds the first %s records of %s cannot be told, as this key, or the one before, may not see indexes\n",
			i.index, formatCount(found.Records), i.name)
	case info == nil:
		return another("an index %q that is not here: it was deleted, or is on another server or in another directory", i.index)
	case !info.CreatedAt.Equal(found.Created):
		return another("another index %q than this one, made at %s and not at %s: it was deleted and made again, or is on another server or in another directory",
			i.index, found.Created.Format(time.RFC3339), info.CreatedAt.Format(time.RFC3339))
	case info.Version < found.Version:
		return another("a later state of the index %q than this one, version %d and not %d: a backup was restored, or this is a copy", i.index, found.Version, info.Version)
	}
	return nil
}

// holds tells whether the last record that a resumed import passes over is in
// the index, as far as the record has an id and the key may look.
func (i *importer) holds(ctx context.Context, info *indexInfo, last *source.Record) error {
	if info == nil || last == nil {
		return nil
	}
	value := memberValue(last.JSON, info.PrimaryKey)
	id := string(value)
	if len(value) > 0 && value[0] == '"' {
		id = unquote(value)
	}
	if id == "" || id == "." || id == ".." { // which no path can end in
		return nil
	}
	_, err := i.c.call(ctx, http.MethodGet, "/v1/record/"+url.PathEscape(id)+"?index="+url.QueryEscape(i.index), "", nil, nil)
	if isStatus(err, http.StatusNotFound) {
		return fmt.Errorf("the index %q does not hold the record of line %d of %s, which was imported before: it is another one, or records of it were deleted; import without --resume", i.index, last.Line, i.name)
	}
	return err
}

// skip passes over what is stored already, if it still is what it was, and
// returns the last of it; nil if nothing is.
func (j *journal) skip(b *batcher, name string) (last *source.Record, err error) {
	for b.read < j.state.Records {
		var one *batch
		if b.read == j.state.Records-1 {
			one = &batch{}
		}
		if err := b.take(one); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if one != nil {
			last = &source.Record{JSON: one.body, Line: one.lines[0]}
		}
	}
	if b.read != j.state.Records || b.sum != j.state.Sum {
		return nil, fmt.Errorf("%s has changed in the part that was imported before; import without --resume", name)
	}
	return last, nil
}

// stored notes that the records from number begin up to end are stored, since a
// version.
func (j *journal) stored(begin, end int64, sum uint32, version uint64) {
	next := j.state
	next.Records, next.Sum, next.Version = end, sum, version
	j.behind[begin] = next
	moved := false
	for {
		next, ok := j.behind[j.state.Records]
		if !ok {
			break
		}
		delete(j.behind, j.state.Records)
		next.Created, next.Anonymous = j.state.Created, j.state.Anonymous
		next.Version = max(next.Version, j.state.Version)
		j.state, moved = next, true
	}
	if moved {
		j.write()
	}
}

// sends notes that a batch is about to be sent. Before the first one of records
// without ids the journal is written: should this process end before it sees the
// answer, the next one asks for it by the same Idempotency-Key.
func (j *journal) sends(b *batch) {
	if b.anonymous && !j.state.Anonymous {
		j.state.Anonymous = true
		j.write()
	}
}

// write replaces the file. Where it cannot be written the import goes on, but
// cannot be resumed.
func (j *journal) write() {
	if j.path == "" {
		return
	}
	text, err := json.Marshal(j.state)
	if err == nil {
		err = os.WriteFile(j.path+"~", append(text, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(j.path+"~", j.path)
	}
	if err != nil {
		os.Remove(j.path + "~")
		j.path, j.err = "", err
		j.told(err)
	}
}

// remove deletes the file of an import that is done.
func (j *journal) remove() {
	if j.path != "" {
		os.Remove(j.path)
	}
}

// hint tells how to go on after an interruption.
func (j *journal) hint() string {
	switch {
	case j.err != nil:
		return fmt.Sprintf("--resume cannot go on behind them, as their number could not be noted (%v): import all of it again, which doubles only records without an id", j.err)
	case j.path == "":
		return "--resume cannot go on in standard input: import all of it again, which doubles only records without an id"
	case j.state.Records == 0:
		return "the first ones are not among them: import all of it again"
	}
	return "the same command with --resume goes on behind them"
}
