package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// halfImported imports a file that has a line in it that does not fit, so that
// there is a journal, mends the file, and returns how many records are stored.
func halfImported(c *cli, name string) int64 {
	c.t.Helper()
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"n":%d,"t":"some words to fill a line of record %d"}`, i, i, i))
	}
	good := strings.Join(lines, "\n") + "\n"
	lines[300] = `{"id":300,"n":"three hundred"}`
	c.write(name, strings.Join(lines, "\n")+"\n")
	if _, stderr, err := importInBatches(c, name, 4000, false); err == nil || !strings.Contains(stderr, "--resume goes on behind them; to begin anew, with other fields, delete it first: quarry indexes delete big") {
		c.t.Fatalf("error %v, %q", err, stderr)
	}
	c.write(name, good)
	var state journalState
	text, err := os.ReadFile(name + journalEnding)
	if err != nil || json.Unmarshal(text, &state) != nil || state.Created.IsZero() || state.Version == 0 || state.Records == 0 {
		c.t.Fatalf("journal %q, %v", text, err)
	}
	return state.Records
}

// rejournal changes a journal.
func rejournal(c *cli, name string, change func(*journalState)) {
	c.t.Helper()
	var state journalState
	text, err := os.ReadFile(name + journalEnding)
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	change(&state)
	if text, err = json.Marshal(state); err != nil {
		c.t.Fatal(err)
	}
	c.write(name+journalEnding, string(text))
}

// TestResumeIntoAnotherIndex: a journal is of one index, and of no other of its
// name: what it says is stored has to be there.
func TestResumeIntoAnotherIndex(t *testing.T) {
	c := directory(t)
	stored := halfImported(c, "big.ndjson")
	refused := func(what, says string, args ...string) {
		t.Helper()
		code, out, stderr := c.run(append([]string{"import", "big.ndjson", "--resume"}, args...)...)
		if code != exitFailed || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) || !strings.Contains(stderr, "import without --resume") {
			t.Errorf("%s: exit code %d, %q, %q, want %q", what, code, out, stderr, says)
		}
	}
	c.must("import", c.write("other/big.ndjson", `{"id":1}`), "--data", "other/d")
	c.must("import", c.write("other/small.ndjson", `{"id":1}`), "--data", "other/e")
	delete(c.env, "QUARRY_DATA")
	refused("another directory without the index", "that is not here", "--data", "other/e")
	r := c.start(serveArgs...)
	refused("a server", "that is not here", "--url", r.url())
	r.stop()
	c.env["QUARRY_DATA"] = "d"
	rejournal(c, "big.ndjson", func(s *journalState) { s.Created = s.Created.Add(-1e9) })
	refused("an index that was made again", "it was deleted and made again, or is on another server")
	rejournal(c, "big.ndjson", func(s *journalState) { s.Created = s.Created.Add(1e9); s.Version += 100 })
	refused("an older state", "a later state of the index")
	rejournal(c, "big.ndjson", func(s *journalState) { s.Version -= 100 })
	// Times have seconds: of two indexes of one second the records tell.
	c.env["QUARRY_DATA"] = "other/d"
	other := c.must("indexes", "show", "big", "--json")
	var info indexInfo
	if err := json.Unmarshal([]byte(other), &info); err != nil {
		t.Fatal(err)
	}
	var kept journalState
	rejournal(c, "big.ndjson", func(s *journalState) { kept = *s; s.Created, s.Version = info.CreatedAt, 0 })
	refused("an index of the same second", fmt.Sprintf("does not hold the record of line %d of big.ndjson", stored))
	rejournal(c, "big.ndjson", func(s *journalState) { *s = kept })
	c.env["QUARRY_DATA"] = "d"
	c.must("indexes", "delete", "big")
	refused("an index that was deleted", "that is not here")
	c.must("import", c.write("one/big.ndjson", `{"id":1}`))
	if code, _, stderr := c.run("import", "big.ndjson", "--resume"); code != exitFailed || !strings.Contains(stderr, "import without --resume") {
		t.Errorf("an index that was deleted and made again: exit code %d, %q", code, stderr)
	}
	if n, _ := c.found("--index", "big"); n != 1 {
		t.Errorf("%d records, want 1: nothing of what was refused", n)
	}
}

// TestResumeWithoutTheRightToLook: a key with the scope write alone resumes, and
// is told that nobody looked.
func TestResumeWithoutTheRightToLook(t *testing.T) {
	c := newCLI(t)
	c.clientEnv(c.start(serveArgs...))
	var key struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal([]byte(c.must("keys", "create", "feed", "--scope", "write", "--json")), &key); err != nil || key.Key == "" {
		t.Fatalf("%+v, %v", key, err)
	}
	lines := []string{`{"id":1,"n":1}`, `{"id":2,"n":2}`, `{"id":3,"n":3}`}
	name := c.write("feed.ndjson", strings.Join(lines, "\n")+"\n")
	c.must("import", name, "--key", key.Key)
	state := journalState{Index: "feed", Run: "r"}
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	c.write(name+journalEnding, string(text))
	code, _, stderr := c.run("import", name, "--resume", "--key", key.Key)
	if code != exitDone || !strings.Contains(stderr, "warning: whether the index feed is still the one") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// lossy is a transport that carries requests out, but loses the answer to one of
// those that store something, as a client that is killed does.
type lossy struct {
	http.RoundTripper
	lose int
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.RoundTripper.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost {
		if l.lose--; l.lose == 0 {
			return nil, errors.New("the answer is lost")
		}
	}
	return res, err
}

// TestImportWithoutIDsIsNotRepeated: an import of records without ids that was
// interrupted, at its first batch or later, is not begun anew by mistake, and
// goes on without storing any of them twice.
func TestImportWithoutIDsIsNotRepeated(t *testing.T) {
	for _, lose := range []int{1, 2, 4} {
		c := directory(t)
		c.write("log.ndjson", strings.Repeat("{\"text\":\"the same each time\"}\n", 50))
		imports := func(resume bool, lose int) (string, error) {
			t.Helper()
			cl, err := openDirectory("d", false)
			if err != nil {
				t.Fatal(err)
			}
			cl.http = &http.Client{Transport: &lossy{cl.http.Transport, lose}}
			var out, log strings.Builder
			i := importer{p: c.program(&out, &log), c: cl, o: &importOptions{resume: resume}, name: "log.ndjson", most: 200}
			err = i.run(t.Context())
			if closeErr := cl.close(); closeErr != nil {
				t.Fatal(closeErr)
			}
			return log.String(), err
		}
		log, err := imports(false, lose)
		if err == nil || !strings.Contains(log, "--resume") {
			t.Fatalf("lost answer %d: %v, %q", lose, err, log)
		}
		before, _ := c.found("--index", "log")
		if code, _, stderr := c.run("import", "log.ndjson"); code != exitFailed || !strings.Contains(stderr, "log.ndjson.quarry-import remembers an interrupted import") || !strings.Contains(stderr, "--resume") {
			t.Errorf("lost answer %d, again: exit code %d, %q", lose, code, stderr)
		}
		if n, _ := c.found("--index", "log"); n != before {
			t.Errorf("lost answer %d, again: %d records, want %d", lose, n, before)
		}
		if _, err := imports(true, 1); err == nil {
			t.Errorf("lost answer %d: none was lost to the one that goes on", lose)
		}
		if log, err := imports(true, 0); err != nil {
			t.Errorf("lost answer %d, with --resume: %v, %q", lose, err, log)
		}
		if n, _ := c.found("--index", "log"); n != 50 {
			t.Errorf("lost answer %d, with --resume: %d records, want 50", lose, n)
		}
		c.must("import", "log.ndjson") // nothing is remembered of what is done
		// An index that was made anew holds nothing that would be there twice.
		if _, err := imports(false, lose); err == nil {
			t.Fatal("no answer was lost")
		}
		c.must("indexes", "delete", "log")
		c.must("import", "log.ndjson")
		if n, _ := c.found("--index", "log"); n != 50 {
			t.Errorf("into a new index: %d records, want 50", n)
		}
	}
}

// TestFailedImportLeavesNoIndex: types that were inferred of what was not
// imported do not stand in the way of the next import.
func TestFailedImportLeavesNoIndex(t *testing.T) {
	check := func(c *cli) {
		t.Helper()
		var b strings.Builder
		for i := range sampleRecords {
			fmt.Fprintf(&b, "{\"id\":%d,\"when\":\"2026-01-02\"}\n", i)
		}
		b.WriteString("{\"id\":5000,\"when\":\"some day\"}\n")
		name := c.write("events.ndjson", b.String())
		code, _, stderr := c.run("import", name)
		if code != exitFailed || !strings.Contains(stderr, "nothing of events.ndjson is stored; the index events, which was made for it, is deleted again\n") {
			t.Errorf("exit code %d, %q", code, stderr)
		}
		if out := c.must("indexes", "list", "--json"); strings.Contains(out, "events") {
			t.Errorf("the index is there: %s", out)
		}
		// One that was there before stays.
		c.must("import", c.write("first.ndjson", `{"id":1,"when":"2026-01-02"}`), "--index", "events")
		c.must("import", c.write("none.ndjson", ""), "--index", "events")
		if code, _, stderr := c.run("import", name); code != exitFailed || strings.Contains(stderr, "deleted") {
			t.Errorf("into an index that is there: exit code %d, %q", code, stderr)
		}
		if out := c.must("indexes", "list", "--json"); !strings.Contains(out, `"records":1,`) {
			t.Errorf("the index that was there is gone: %s", out)
		}
	}
	check(directory(t))
	c := newCLI(t)
	c.clientEnv(c.start(serveArgs...))
	check(c)
}

// TestImportWithAWrongID: a field for the ids that no record has is a mistake.
func TestImportWithAWrongID(t *testing.T) {
	c := directory(t)
	name := c.write("a.ndjson", "{\"sku\":\"x\",\"name\":\"a\"}\n{\"sku\":\"y\",\"price\":2}\n")
	for id, says := range map[string]string{
		"sk":   `quarry: --id: the first records of a.ndjson have no field "sk" (did you mean "sku"?); they have sku, name, price` + "\n",
		"SKU2": `quarry: --id: the first records of a.ndjson have no field "SKU2"; they have sku, name, price` + "\n",
	} {
		if code, out, stderr := c.run("import", name, "--id", id); code != exitUsage || out != "" || stderr != says {
			t.Errorf("--id %s: exit code %d, %q, %q, want %q", id, code, out, stderr, says)
		}
	}
	if out := c.must("indexes", "list", "--json"); strings.Contains(out, `"name"`) {
		t.Errorf("an index was made: %s", out)
	}
	c.must("import", name, "--id", "price") // one of them has it
	c.must("import", c.write("empty.ndjson", ""), "--id", "sku")
}

// TestImportThatCannotNote: where the journal cannot be written, that is told,
// and what is stored.
func TestImportThatCannotNote(t *testing.T) {
	c := directory(t)
	if err := os.MkdirAll("big.ndjson"+journalEnding+"~", 0o700); err != nil { // in its way, for root as well
		t.Fatal(err)
	}
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"n":%d,"t":"some words to fill a line of record %d"}`, i, i, i))
	}
	lines[300] = `{"id":300,"n":"three hundred"}`
	text := strings.Join(lines, "\n") + "\n"
	c.write("big.ndjson", text)
	c.write("big.ndjson"+journalEnding+"~/file", "")
	_, stderr, err := importInBatches(c, "big.ndjson", 4000, false)
	if err == nil || strings.Count(stderr, "cannot be noted") != 1 || !strings.Contains(stderr, " records of big.ndjson are stored in the index big; --resume cannot go on behind them") {
		t.Errorf("error %v, %q", err, stderr)
	}
	c.stdin = text
	cl, err := openDirectory("d", false)
	if err != nil {
		t.Fatal(err)
	}
	var out, log strings.Builder
	i := importer{p: c.program(&out, &log), c: cl, o: &importOptions{index: "in"}, name: "-", most: 4000}
	if err := i.run(t.Context()); err == nil || !strings.Contains(log.String(), " are stored in the index in; --resume cannot go on in standard input") {
		t.Errorf("standard input: error %v, %q", err, log.String())
	}
	if err := cl.close(); err != nil {
		t.Fatal(err)
	}
}
