package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// journal remembers in a small file beside an imported one how much of it is
// stored, so that an interrupted import can go on. It is used by one goroutine.
type journal struct {
	path  string // "" if nothing is remembered
	state journalState
	// behind are batches that are stored while one before them is not.
	behind map[int64]journalState
}

// journalState is the contents of the file.
type journalState struct {
	Index   string `json:"index"`
	Run     string `json:"run"`     // names the import in Idempotency-Keys
	Records int64  `json:"records"` // from the beginning of the file that are stored
	Sum     uint32 `json:"sum"`     // CRC-32C of their bytes
}

const journalEnding = ".quarry-import"

// journal opens the journal of the file.
func (i *importer) journal() (*journal, error) {
	j := &journal{state: journalState{Index: i.index, Run: rand.Text()}, behind: map[int64]journalState{}}
	if i.name == "-" {
		if i.o.resume {
			return nil, usagef("standard input cannot be resumed")
		}
		return j, nil
	}
	j.path = i.name + journalEnding
	if !i.o.resume {
		return j, nil
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
	if found.Index != i.index {
		return nil, fmt.Errorf("%s is of an import into the index %q, not %q", j.path, found.Index, i.index)
	}
	j.state = found
	return j, nil
}

// skip passes over what is stored already, if it still is what it was.
func (j *journal) skip(b *batcher, name string) error {
	for b.read < j.state.Records {
		if err := b.take(nil); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	if b.read != j.state.Records || b.sum != j.state.Sum {
		return fmt.Errorf("%s has changed in the part that was imported before; import without --resume", name)
	}
	return nil
}

// stored notes that the records from number begin up to end are stored.
func (j *journal) stored(begin, end int64, sum uint32) {
	next := j.state
	next.Records, next.Sum = end, sum
	j.behind[begin] = next
	moved := false
	for {
		next, ok := j.behind[j.state.Records]
		if !ok {
			break
		}
		delete(j.behind, j.state.Records)
		j.state, moved = next, true
	}
	if moved {
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
		j.path = ""
	}
}

// remove deletes the file of an import that is done.
func (j *journal) remove() {
	if j.path != "" {
		os.Remove(j.path)
	}
}

// hint tells how to go on after an interruption, "" if there is no way.
func (j *journal) hint() string {
	if j.path == "" || j.state.Records == 0 {
		return ""
	}
	return "the same command with --resume goes on behind them"
}
