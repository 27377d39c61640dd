package httpapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

const (
	snapshotPrefix = "snap_"
	snapshotRows   = "http/snapshot/"

	// maxSnapshots is how many snapshots there may be, and maxFailedSnapshots
	// how many are remembered that came to nothing.
	maxSnapshots       = 10_000
	maxFailedSnapshots = 100
)

// States of a snapshot.
const (
	snapshotRunning  = "running"
	snapshotComplete = "complete"
	snapshotFailed   = "failed"
)

// snapshot is a backup that was asked for. One that is complete is a row of the
// engine, written when it has become so; others are known to this server alone,
// for what is left of them by a crash is no backup.
type snapshot struct {
	ID      string    `json:"id"`
	Path    string    `json:"path"`
	Created time.Time `json:"created"`
	Version uint64    `json:"version"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Sum     string    `json:"sum"`

	state string
	err   error         // of snapshotFailed
	done  chan struct{} // closed when it is not running any more; nil for a row
}

// snapshotLog knows the snapshots.
type snapshotLog struct {
	mu      sync.Mutex
	all     []*snapshot // by id, which is by time
	running bool
}

func openSnapshotLog(e Engine) (*snapshotLog, error) {
	l := &snapshotLog{}
	for row, err := range e.Rows(snapshotRows) {
		if err != nil {
			return nil, err
		}
		sn := &snapshot{state: snapshotComplete}
		if err := json.Unmarshal(row.Value, sn, json.RejectUnknownMembers(true)); err != nil || sn.ID != strings.TrimPrefix(row.Key, snapshotRows) {
			return nil, fmt.Errorf("%w: the row of a snapshot", engine.ErrCorrupt)
		}
		l.all = append(l.all, sn)
	}
	return l, nil
}

// begin adds a snapshot that is running, if none is.
func (l *snapshotLog) begin(id, path string, now time.Time) (*snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		return nil, &problem{code: codeSnapshotRunning, detail: "another snapshot is being made"}
	}
	if len(l.all) >= maxSnapshots {
		return nil, &problem{code: engine.CodeLimitExceeded, detail: "there are as many snapshots as there may be (limit snapshots); delete some"}
	}
	sn := &snapshot{ID: id, Path: path, Created: now, state: snapshotRunning, done: make(chan struct{})}
	l.running = true
	l.all = append(l.all, sn)
	return sn, nil
}

// end notes what became of a running snapshot. One that failed before it was
// begun is forgotten.
func (l *snapshotLog) end(sn *snapshot, made engine.BackupInfo, err error, forget bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
	sn.state, sn.err = snapshotComplete, err
	sn.take(made)
	if err != nil {
		sn.state = snapshotFailed
	}
	failed := 0
	for i := len(l.all) - 1; i >= 0; i-- {
		if l.all[i].state != snapshotFailed {
			continue
		}
		if failed++; failed > maxFailedSnapshots || forget && l.all[i] == sn {
			l.all = slices.Delete(l.all, i, i+1)
		}
	}
	close(sn.done)
}

// take takes over what a backup is known by.
func (sn *snapshot) take(made engine.BackupInfo) {
	sn.Version, sn.Files, sn.Bytes, sn.Sum = made.Version, made.Files, made.Bytes, made.Sum
}

// row is the row of a complete snapshot.
func (sn *snapshot) row() (engine.Row, error) {
	text, err := json.Marshal(sn)
	return engine.Row{Key: snapshotRows + sn.ID, Value: text}, err
}

// find returns a copy of a snapshot.
func (l *snapshotLog) find(id string) (snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, sn := range l.all {
		if sn.ID == id {
			return *sn, nil
		}
	}
	return snapshot{}, &problem{code: codeSnapshotNotFound, detail: "there is no snapshot with this id"}
}

// after returns copies of at most n snapshots that come after an id, and the
// number of all.
func (l *snapshotLog) after(id string, n int) (page []snapshot, more bool, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, sn := range l.all {
		if sn.ID <= id {
			continue
		}
		if len(page) == n {
			return page, true, len(l.all)
		}
		page = append(page, *sn)
	}
	return page, false, len(l.all)
}

func (l *snapshotLog) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = slices.DeleteFunc(l.all, func(sn *snapshot) bool { return sn.ID == id })
}

// takeSnapshot makes a snapshot that was begun, and tells the witnesses of it in
// the commit that notes it.
func (s *Server) takeSnapshot(ctx context.Context, sn *snapshot, key string) {
	made, err := s.engine.Backup(ctx, sn.Path)
	if err != nil && problemOf(err, nil).status() < 500 { // the request is at fault
		s.snapshots.end(sn, made, err, true)
		return
	}
	var rows []engine.Row
	c := &change{event: eventSnapshotCreated, key: key, at: s.now(), version: made.Version, snapshot: sn.ID}
	if err == nil {
		complete := *sn
		complete.take(made)
		var row engine.Row
		row, err = complete.row()
		rows = append(rows, row)
	}
	if err != nil {
		c.event, rows = eventSnapshotFailed, nil
		s.log.Warn("snapshot failed", "cause", causeType(err))
	}
	noted, done := s.witnessed(c)
	perr := s.engine.PutRows(context.WithoutCancel(ctx), append(rows, noted...))
	if done(perr); perr != nil {
		s.log.Warn("snapshot not noted", "cause", causeType(perr))
	}
	s.snapshots.end(sn, made, err, false)
}
