package main

import (
	"bytes"
	"io"
	"os"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// FuzzSettings: any settings file is taken, or refused with a usage error of
// one line.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"listen = \"127.0.0.1:0\"\nmemory = \"64MiB\"\n", "data = 5\n[table]\n", "webhook-allow = [\"10.0.0.0/8\", 3]\n", "lisen = \"x\"", "= 1", "\x00",
		"memory = 1e400", "no-page = true\nlimit = 99999999999999999999", "memory = [[1]]", "acme-host = [{a=1}]", "snapshot-dir = 2026-11-22", "'' = 1",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := t.TempDir() + "/quarry.toml"
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		p := &program{stdin: &bytes.Buffer{}, stdout: &out, stderr: &said, lookupEnv: func(string) (string, bool) { return "", false }}
		root := p.command()
		s := settings{file: &path, lookupEnv: p.lookupEnv, root: root}
		each(root, func(c *cobra.Command) {
			if err := s.apply(c); err != nil && exitCode(err) != exitUsage {
				t.Errorf("%q, quarry %s: %v is no usage error", text, c.Name(), err)
			}
		})
		if code := p.run(t.Context(), []string{"version", "--config", path}); code != exitDone && code != exitUsage || bytes.Count(said.Bytes(), []byte("\n")) > 1 {
			t.Errorf("%q: exit code %d, %q", text, code, said.String())
		}
	})
}

// FuzzJournal: any journal of an import is taken or refused.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{`{"index":"i","run":"x","records":3,"sum":7}`, `{"index":"i","run":"x","records":-1}`, `{"index":"i","created":"2026-11-27T01:02:03Z","version":9,"run":"x","records":3}`, `{}`, ``, `null`, `{"records":99999999999999999999}`, `[`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		name := t.TempDir() + "/f.ndjson"
		if err := os.WriteFile(name+journalEnding, text, 0o600); err != nil {
			t.Fatal(err)
		}
		i := &importer{p: &program{stderr: io.Discard}, name: name, index: "i", o: &importOptions{resume: true}}
		j, err := i.journal(&indexInfo{CreatedAt: time.Date(2026, 11, 27, 1, 2, 3, 0, time.UTC), Version: 9})
		if (j == nil) != (err != nil) || err == nil && (j.state.Index != "i" || j.state.Records < 0) {
			t.Errorf("%q: %+v, %v", text, j, err)
		}
	})
}
