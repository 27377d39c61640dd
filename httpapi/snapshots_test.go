package httpapi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// snapshotBody is what tests look at in a snapshot.
type snapshotBody struct {
	ID, Path, State, SHA256 string
	Version                 uint64
	Files                   int
	Bytes                   int64
	Error                   *struct{ Code, Detail string }
}

func quoted(path string) string { return fmt.Sprintf(`{"path":%q}`, path) }

func TestSnapshotsAreMadeRestoredAndDeleted(t *testing.T) {
	root := t.TempDir()
	s := withEngine(t, filepath.Join(root, "data"))
	s.want(201, "POST", "/v1/batch", products)
	path := filepath.Join(root, "backups", "one")
	a := s.want(201, "POST", "/v1/snapshots", quoted(path), "Prefer: wait=60")
	var made, shown snapshotBody
	a.into(t, &made)
	if made.State != "complete" || made.Path != path || made.Files < 5 || made.Bytes < 1000 || len(made.SHA256) != 64 || made.Version == 0 {
		t.Fatalf("%+v", made)
	}
	s.want(200, "GET", a.header.Get("Location"), "").into(t, &shown)
	if shown != made {
		t.Errorf("shown %+v, made %+v", shown, made)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"later","records":[{"id":"1"}]}`)

	if _, err := engine.RestoreBackup(t.Context(), path, filepath.Join(root, "restored")); err != nil {
		t.Fatal(err)
	}
	r := withEngine(t, filepath.Join(root, "restored"))
	var found searchBody
	r.want(200, "POST", "/v1/search", `{"q":"shoes"}`).into(t, &found)
	if found.Total != 2 {
		t.Errorf("%d hits in what was restored", found.Total)
	}
	r.want(404, "GET", "/v1/indexes/later", "")

	var list struct {
		Snapshots  []snapshotBody
		Total      int
		NextCursor *string `json:"next_cursor"`
	}
	s.want(201, "POST", "/v1/snapshots", quoted(filepath.Join(root, "backups", "two")), "Prefer: wait=60")
	s.want(200, "GET", "/v1/snapshots?limit=1", "").into(t, &list)
	if list.Total != 2 || len(list.Snapshots) != 1 || list.Snapshots[0].ID != made.ID || list.NextCursor == nil {
		t.Fatalf("%+v", list)
	}
	s.want(200, "GET", "/v1/snapshots?limit=1&cursor="+*list.NextCursor, "").into(t, &list)
	if len(list.Snapshots) != 1 || list.Snapshots[0].ID == made.ID || list.NextCursor != nil {
		t.Errorf("second page: %+v", list)
	}

	// What is not the snapshot is not deleted.
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(list.Snapshots[0].Path, path); err != nil {
		t.Fatal(err)
	}
	if p := s.want(409, "DELETE", "/v1/snapshots/"+made.ID, "").problem(t); p.Code != codeSnapshotChanged {
		t.Errorf("%+v", p)
	}
	s.want(204, "DELETE", "/v1/snapshots/"+list.Snapshots[0].ID, "") // is not there any more
	if _, err := engine.VerifyBackup(t.Context(), path); err != nil {
		t.Errorf("the other snapshot: %v", err)
	}
	if err := errors.Join(os.RemoveAll(path), os.Rename(path+".moved", path)); err != nil {
		t.Fatal(err)
	}
	s.want(204, "DELETE", "/v1/snapshots/"+made.ID, "")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the files of a deleted snapshot: %v", err)
	}
	s.want(404, "GET", "/v1/snapshots/"+made.ID, "")
	if p := s.want(404, "DELETE", "/v1/snapshots/"+made.ID, "").problem(t); p.Code != codeSnapshotNotFound {
		t.Errorf("%+v", p)
	}
}

func TestSnapshotsOutliveTheServer(t *testing.T) {
	root := t.TempDir()
	e, err := engine.Open(filepath.Join(root, "data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := newService(t, func(c *Config) { c.Engine = e })
	var made, shown snapshotBody
	s.want(201, "POST", "/v1/snapshots", quoted(filepath.Join(root, "b")), "Prefer: wait=60").into(t, &made)
	s.server.Close()
	s = newService(t, func(c *Config) { c.Engine = e })
	s.want(200, "GET", "/v1/snapshots/"+made.ID, "").into(t, &shown)
	if shown != made {
		t.Errorf("shown %+v, made %+v", shown, made)
	}
}

func TestSnapshotRequests(t *testing.T) {
	root := t.TempDir()
	data := filepath.Join(root, "data")
	s := withEngine(t, data)
	if err := os.WriteFile(filepath.Join(root, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("circle", filepath.Join(root, "circle")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, pointer, detail string }{
		{`{}`, "", "missing"},
		{`{"path":1}`, "/path", "a string"},
		{`{"path":""}`, "/path", "absolute"},
		{`{"path":"relative/dir"}`, "/path", "absolute"},
		{`{"path":"/a\u0000b"}`, "/path", "absolute"},
		{`{"path":"/` + strings.Repeat("a", 5000) + `"}`, "/path", "4096"},
		{quoted(filepath.Join(root, strings.Repeat("a", 300))), "/path", "too long"},
		{quoted(filepath.Join(root, "circle", "below")), "/path", "circle"},
		{quoted(data), "/path", "inside the data directory"},
		{quoted(filepath.Join(data, "x", "..", "backup")), "/path", "inside the data directory"},
		{quoted(root), "/path", "around it"},
		{quoted(filepath.Join(root, "file")), "/path", "file"},
		{quoted(filepath.Join(root, "file", "below")), "/path", "file"},
		{`{"path":"/x","file":"y"}`, "/file", "unknown"},
	} {
		p := s.want(422, "POST", "/v1/snapshots", c.body, "Prefer: wait=60").problem(t)
		if len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer || !strings.Contains(p.Errors[0].Detail, c.detail) {
			t.Errorf("%.100s: %+v, want %q at %q", c.body, p, c.detail, c.pointer)
		}
	}
	var list struct{ Total int }
	if s.want(200, "GET", "/v1/snapshots", "").into(t, &list); list.Total != 0 {
		t.Errorf("%d snapshots", list.Total)
	}
	s.want(422, "GET", "/v1/snapshots?limit=0", "")
	s.want(422, "GET", "/v1/snapshots?cursor=x", "")
	confined := s.as(s.makeKey(`{"scopes":["admin"],"indexes":["a*"]}`).Key)
	for _, r := range [][2]string{{"GET", "/v1/snapshots"}, {"POST", "/v1/snapshots"}, {"GET", "/v1/snapshots/x"}, {"DELETE", "/v1/snapshots/x"}} {
		if p := confined.want(403, r[0], r[1], "").problem(t); p.Code != codeForbiddenIndex {
			t.Errorf("%v with a confined key: %+v", r, p)
		}
	}
	if p := withEngine(t, "").want(422, "POST", "/v1/snapshots", quoted(filepath.Join(root, "b")), "Prefer: wait=60").problem(t); !strings.Contains(p.Detail, "in memory") {
		t.Errorf("engine in memory: %+v", p)
	}
}

func TestSnapshotDirConfines(t *testing.T) {
	root := t.TempDir()
	e, err := engine.Open(filepath.Join(root, "data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	dir := filepath.Join(root, "backups")
	s := newService(t, func(c *Config) { c.Engine, c.SnapshotDir = e, dir })
	for _, path := range []string{dir, filepath.Join(root, "other"), dir + "2", dir + "/../x", "/"} {
		if p := s.want(422, "POST", "/v1/snapshots", quoted(path)).problem(t); p.Errors[0].Pointer != "/path" {
			t.Errorf("%s: %+v", path, p)
		}
	}
	s.want(201, "POST", "/v1/snapshots", quoted(filepath.Join(dir, "x")), "Prefer: wait=60")
	s.server.Close()
}

// TestSnapshotOnItsWay: a snapshot that takes long is answered as running, is
// the only one, and is told of when it has failed.
func TestSnapshotOnItsWay(t *testing.T) {
	e := newMemEngine(t)
	release := make(chan error)
	e.before = func(_ context.Context, method string) error {
		if method == "Backup" {
			return <-release
		}
		return nil
	}
	s := newService(t, func(c *Config) { c.Engine = e })
	var made, shown snapshotBody
	s.want(201, "POST", "/v1/snapshots", quoted("/somewhere"), "Prefer: wait=0").into(t, &made)
	if made.State != "running" {
		t.Errorf("%+v", made)
	}
	if p := s.want(409, "POST", "/v1/snapshots", quoted("/elsewhere")).problem(t); p.Code != codeSnapshotRunning {
		t.Errorf("%+v", p)
	}
	s.want(409, "DELETE", "/v1/snapshots/"+made.ID, "")
	running, _ := s.server.snapshots.find(made.ID)
	release <- errors.New("no")
	<-running.done
	s.want(200, "GET", "/v1/snapshots/"+made.ID, "").into(t, &shown)
	if shown.State != "failed" || shown.Error == nil || shown.Error.Code != codeInternal {
		t.Errorf("%+v", shown)
	}
	s.want(204, "DELETE", "/v1/snapshots/"+made.ID, "")
	s.want(404, "GET", "/v1/snapshots/"+made.ID, "")
	for range 2 * maxFailedSnapshots {
		s.want(201, "POST", "/v1/snapshots", quoted("/somewhere"), "Prefer: wait=0").into(t, &made)
		running, _ := s.server.snapshots.find(made.ID)
		release <- errors.New("no")
		<-running.done
	}
	var list struct{ Total int }
	if s.want(200, "GET", "/v1/snapshots", "").into(t, &list); list.Total != maxFailedSnapshots {
		t.Errorf("%d failed snapshots are remembered", list.Total)
	}
}

func TestWebhooksTellOfSnapshots(t *testing.T) {
	root := t.TempDir()
	r := newReceiver(t)
	s := withWebhooks(t, filepath.Join(root, "data"), r)
	s.deliver()
	hook := s.hook(r.url, `,"events":"snapshot.*"`)
	var made snapshotBody
	s.want(201, "POST", "/v1/snapshots", quoted(filepath.Join(root, "b")), "Prefer: wait=60").into(t, &made)
	if d := r.next(hook); d.Type != eventSnapshotCreated || d.Data.Snapshot != made.ID {
		t.Errorf("%+v", d)
	}
}
