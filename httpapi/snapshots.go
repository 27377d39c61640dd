package httpapi

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// Codes of problems of snapshots.
const (
	codeSnapshotNotFound = "snapshot_not_found"
	codeSnapshotRunning  = "snapshot_running"
	codeSnapshotChanged  = "snapshot_changed"
)

const maxSnapshotPath = 4096

// ofSnapshots makes a handler answer only keys that may use every index: a
// snapshot holds all of them.
func ofSnapshots(handle func(*Server, *exchange) error) func(*Server, *exchange) error {
	return func(s *Server, x *exchange) error {
		if len(x.key.Indexes) > 0 {
			return &problem{code: codeForbiddenIndex, detail: "a snapshot holds all indexes, and the API key may not use all of them"}
		}
		return handle(s, x)
	}
}

// createSnapshot answers POST /v1/snapshots. What takes longer than the client
// waits goes on after the answer.
func (s *Server) createSnapshot(x *exchange) error {
	body, err := s.schemaBody(x)
	if err != nil {
		return err
	}
	path, err := s.parseSnapshot(body)
	if err != nil {
		return err
	}
	sn, err := s.snapshots.begin(newID(snapshotPrefix, s.now()), path, s.now())
	if err != nil {
		return err
	}
	key := x.key.ID
	if !s.work.start(func(ctx context.Context) { s.takeSnapshot(ctx, sn, key) }) {
		stopping := &problem{code: codeShuttingDown, detail: "the service is shutting down"}
		s.snapshots.end(sn, engine.BackupInfo{}, stopping, true)
		return stopping
	}
	wait := rebuildWait
	p := preferred(x.r.Header["Prefer"])
	if p.hasWait {
		wait = p.wait
	}
	http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(wait + answerTime))
	await(x.r.Context(), sn.done, wait)
	now, err := s.snapshots.find(sn.ID)
	select {
	case <-sn.done:
		if sn.err != nil {
			return sn.err
		}
	default:
	}
	if err != nil {
		return err
	}
	if p.hasWait {
		x.applied("wait=" + strconv.Itoa(int(wait/time.Second)))
	}
	x.w.Header().Set("Location", "/v1/snapshots/"+sn.ID)
	x.json(201, appendSnapshot(nil, &now))
	return nil
}

// parseSnapshot reads the body of POST /v1/snapshots.
func (s *Server) parseSnapshot(body value) (path string, err error) {
	var d reader
	given := false
	ok := d.object(body, []member{{"path", func(v value) {
		given = true
		if !d.str(v, &path) {
			return
		}
		switch {
		case len(path) > maxSnapshotPath:
			d.at(v.at, engine.CodeLimitExceeded, "may have %d bytes", maxSnapshotPath)
		case !filepath.IsAbs(path) || strings.ContainsRune(path, 0):
			d.at(v.at, engine.CodeInvalidRequest, "must be an absolute path on the server's machine")
		case !s.maySnapshotTo(path):
			d.at(v.at, engine.CodeInvalidRequest, "is outside the directory that this service has for snapshots")
		}
	}}})
	if ok && !given {
		d.at("", engine.CodeInvalidRequest, `"path" is missing: the directory to make, on the server's machine`)
	}
	return filepath.Clean(path), d.err()
}

// maySnapshotTo tells whether a path lies where snapshots may be made.
func (s *Server) maySnapshotTo(path string) bool {
	if s.snapshotDir == "" {
		return true
	}
	below, err := filepath.Rel(s.snapshotDir, filepath.Clean(path))
	return err == nil && below != "." && filepath.IsLocal(below)
}

// listSnapshots answers GET /v1/snapshots. A page begins after the id that its
// cursor holds.
func (s *Server) listSnapshots(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	limit := pageLimit(&f, params, 100, 1000)
	after := s.pageStart(&f, params, cursorSnapshots, nil)
	if err := f.err(); err != nil {
		return err
	}
	page, more, total := s.snapshots.after(after, limit)
	next := ""
	if more {
		next = s.cursors.sign(cursorSnapshots, nil, []byte(page[limit-1].ID))
	}
	w := jsonWriter{}
	w.open('{')
	w.key("snapshots")
	w.open('[')
	for i := range page {
		w.raw(appendSnapshot(nil, &page[i]))
	}
	w.close(']')
	w.integerAt("total", int64(total))
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	x.json(200, w.buf)
	return nil
}

// showSnapshot answers GET /v1/snapshots/{id}.
func (s *Server) showSnapshot(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	sn, err := s.snapshots.find(x.r.PathValue("id"))
	if err != nil {
		return err
	}
	x.json(200, appendSnapshot(nil, &sn))
	return nil
}

// deleteSnapshot answers DELETE /v1/snapshots/{id}: the files first, then the
// row. Should the process end between the two, the next request finds no files
// and deletes the row.
func (s *Server) deleteSnapshot(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	sn, err := s.snapshots.find(x.r.PathValue("id"))
	if err != nil {
		return err
	}
	switch sn.state {
	case snapshotRunning:
		return &problem{code: codeSnapshotRunning, detail: "the snapshot is being made"}
	case snapshotComplete:
		err := engine.RemoveBackup(sn.Path, sn.Sum)
		if errors.Is(err, engine.ErrForeign) || errors.Is(err, engine.ErrCorrupt) {
			return &problem{code: codeSnapshotChanged, detail: "what is at the path is not this snapshot, or not any more; move it away to delete the entry"}
		}
		if err != nil {
			return err
		}
		ctx, cancel := s.writeContext(x)
		defer cancel()
		if err := s.engine.PutRows(ctx, []engine.Row{{Key: snapshotRows + sn.ID}}); err != nil {
			return err
		}
	}
	s.snapshots.forget(sn.ID)
	x.head(204)
	return nil
}

func appendSnapshot(dst []byte, sn *snapshot) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", sn.ID)
	w.textAt("path", sn.Path)
	w.textAt("state", sn.state)
	w.key("created_at")
	w.time(sn.Created)
	switch sn.state {
	case snapshotComplete:
		w.integerAt("version", int64(sn.Version))
		w.integerAt("files", int64(sn.Files))
		w.integerAt("bytes", sn.Bytes)
		w.textAt("sha256", sn.Sum)
	case snapshotFailed:
		p := problemOf(sn.err, nil)
		w.key("error")
		w.open('{')
		w.textAt("code", p.code)
		w.textAt("detail", p.detail)
		w.close('}')
	}
	w.close('}')
	return w.buf
}
