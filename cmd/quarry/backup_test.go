package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackupOfAServerAndRestore(t *testing.T) {
	c := newCLI(t)
	r := c.start(serveArgs...)
	c.clientEnv(r)
	file := c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"+`{"id":"2","title":"blue shoes"}`+"\n")
	c.must("import", file)
	out := c.must("backup", "backups/one")
	if !strings.Contains(out, "files") || !strings.Contains(out, filepath.Join("backups", "one")) {
		t.Errorf("backup: %q", out)
	}
	if code, _, stderr := c.run("backup", "backups/one"); code != exitFailed || !strings.Contains(stderr, filepath.Join("backups", "one")+": is there already") {
		t.Errorf("the same backup again: %d, %s", code, stderr)
	}
	c.must("import", c.write("more.ndjson", `{"id":"3","title":"green shoes"}`+"\n"))
	var made snapshotInfo
	if err := json.Unmarshal([]byte(c.must("backup", "--json", "backups/two")), &made); err != nil || made.State != "complete" || made.Files == 0 {
		t.Errorf("%+v, %v", made, err)
	}
	for _, wrong := range [][]string{
		{"backup", "backups/one"}, {"backup", "quarry-data/inside"}, {"backup", "products.ndjson"},
		{"restore", "--data", "quarry-data", "backups/one"}, {"restore", "--data", "new", "nowhere"}, {"restore", "--data", "new", "quarry-data"},
		{"serve", "--listen", "127.0.0.1:0", "--data", "backups/one"}, {"import", file, "--data", "backups/one"},
	} {
		code, _, stderr := c.run(wrong...)
		if code == exitDone || strings.Count(stderr, "\n") != 1 {
			t.Errorf("quarry %s: exit code %d, %q", strings.Join(wrong, " "), code, stderr)
		}
	}
	if code := r.stop(); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, r.stderr.String())
	}
	if out := c.must("restore", "--data", "restored", "backups/one"); !strings.Contains(out, "2 records") {
		t.Errorf("restore: %q", out)
	}
	for _, dir := range []string{"restored", "backups/one", "backups/two", "quarry-data"} {
		if out := c.must("check", "--data", dir); !strings.Contains(out, "all is well") {
			t.Errorf("check of %s: %q", dir, out)
		}
	}
	delete(c.env, "QUARRY_URL")
	if out := c.must("search", "shoes", "--data", "restored", "--json"); !strings.Contains(out, `"total":2,`) {
		t.Errorf("what was restored: %s", out)
	}
	if out := c.must("backup", "--data", "restored", "again"); !strings.Contains(out, "again") {
		t.Errorf("backup of a directory: %q", out)
	}
	c.must("check", "--data", "again")
}

func TestDamagedBackupIsToldAndRefused(t *testing.T) {
	c := newCLI(t)
	c.must("import", c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"), "--data", "d")
	c.must("backup", "--data", "d", "b")
	if code, _, stderr := c.run("restore", "--data", "b/r", "b"); code != exitFailed || !strings.Contains(stderr, "inside the backup") {
		t.Errorf("restore into the backup itself: exit code %d, %q", code, stderr)
	}
	if _, err := os.Stat("b/r"); !os.IsNotExist(err) {
		t.Errorf("the backup has changed: %v", err)
	}
	tables, err := filepath.Glob("b/store/*.sst")
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	text, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 4
	os.Remove(tables[0]) // a link
	if err := os.WriteFile(tables[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := c.run("check", "--data", "b"); code != exitFailed || !strings.Contains(out+stderr, filepath.Base(tables[0])) {
		t.Errorf("check: exit code %d, %q, %q", code, out, stderr)
	}
	if code, _, stderr := c.run("restore", "--data", "r", "b"); code != exitFailed || !strings.Contains(stderr, filepath.Base(tables[0])) {
		t.Errorf("restore: exit code %d, %q", code, stderr)
	}
	if _, err := os.Stat("r"); !os.IsNotExist(err) {
		t.Errorf("something was restored: %v", err)
	}
}

// TestBackupWhereNoneCanBe: a place where nothing can be made is told.
func TestBackupWhereNoneCanBe(t *testing.T) {
	const nowhere = "/proc/backup"
	if os.MkdirAll(nowhere, 0o700) == nil {
		os.Remove(nowhere)
		t.Skip("there is no /proc in which nothing can be made")
	}
	c := newCLI(t)
	c.must("import", c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"), "--data", "d")
	if code, _, stderr := c.run("backup", "--data", "d", nowhere); code != exitFailed || !strings.HasPrefix(stderr, "quarry: "+nowhere+": cannot be made there: ") {
		t.Errorf("of a directory: exit code %d, %q", code, stderr)
	}
	c.clientEnv(c.start(serveArgs...))
	if code, _, stderr := c.run("backup", nowhere); code != exitFailed || !strings.HasPrefix(stderr, "quarry: "+nowhere+": cannot be made there: ") {
		t.Errorf("of a server: exit code %d, %q", code, stderr)
	}
}

// TestUnfinishedBackup: what looks like a backup but is not a whole one is
// neither well nor a data directory.
func TestUnfinishedBackup(t *testing.T) {
	c := newCLI(t)
	file := c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n")
	c.must("import", file, "--data", "d")
	c.must("backup", "--data", "d", "b")
	refused := func(what string) {
		t.Helper()
		for _, args := range [][]string{
			{"check", "--data", "b"}, {"restore", "--data", "r", "b"}, {"serve", "--listen", "127.0.0.1:0", "--data", "b"},
			{"search", "red", "--data", "b"}, {"import", file, "--data", "b"},
		} {
			code, out, stderr := c.run(args...)
			if code != exitFailed || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "b is a backup that was not finished, or was copied without its file BACKUP") {
				t.Errorf("%s: quarry %v: exit code %d, %q, %q", what, args, code, out, stderr)
			}
		}
	}
	if err := os.Rename("b/BACKUP", "b/BACKUP.tmp"); err != nil {
		t.Fatal(err)
	}
	refused("interrupted")
	if err := os.Rename("b/BACKUP.tmp", "manifest"); err != nil {
		t.Fatal(err)
	}
	refused("copied in part")
	if out := c.must("repair", "--data", "b", "saved"); !strings.Contains(out, "products: 1 records, 0 lost") {
		t.Errorf("repair: %q", out)
	}
	if err := os.Rename("manifest", "b/BACKUP"); err != nil {
		t.Fatal(err)
	}
	c.must("check", "--data", "b")
	c.must("restore", "--data", "r", "b")
	c.must("search", "red", "--data", "r")
}
