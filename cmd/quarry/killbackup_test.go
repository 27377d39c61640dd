package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

var backups = flag.Int("backups", 2, "how many backups TestBackupsUnderLoad takes")

// TestBackupsUnderLoad has backups made by a server while clients change records
// and keys, and restores them. Each must hold everything that was acknowledged
// before it was asked for, of what came meanwhile a beginning, and no part of a
// batch.
func TestBackupsUnderLoad(t *testing.T) {
	t.Chdir(t.TempDir())
	l := newKillLab(t)
	var writers []*historian
	clients := []killClient{l.keys}
	for _, r := range l.readers {
		w := &historian{killWriter: r.of, states: []map[string]int{{}}}
		writers = append(writers, w)
		clients = append(clients, w, r)
	}
	var over atomic.Bool
	var working sync.WaitGroup
	l.due = make(chan struct{})
	l.left.Store(60)
	for _, c := range clients {
		working.Go(func() {
			for !over.Load() && c.step() {
			}
		})
	}
	type span struct{ from, to int } // states of a writer
	spans := make([][]span, *backups)
	for n := range spans {
		<-l.due
		for _, w := range writers {
			spans[n] = append(spans[n], span{from: w.count()})
		}
		var made snapshotInfo
		path, err := filepath.Abs(fmt.Sprintf("backup-%d", n))
		if err != nil {
			t.Fatal(err)
		}
		l.must(201, "POST", "/v1/snapshots", fmt.Sprintf(`{"path":%q}`, path), &made, "Prefer: wait=60")
		if made.State != "complete" {
			t.Fatalf("backup %d: %+v", n, made)
		}
		for i, w := range writers {
			spans[n][i].to = w.count() + 1 // one may be on its way
		}
		if n+1 < len(spans) {
			l.due = make(chan struct{})
			l.left.Store(1 + l.rnd.Int64N(200))
		}
	}
	over.Store(true)
	working.Wait()
	for n := range spans {
		dir := fmt.Sprintf("restored-%d", n)
		l.done("restore", "--data", dir, fmt.Sprintf("backup-%d", n))
		if out := l.done("check", "--data", dir); !strings.Contains(out, "all is well") {
			l.fault("check of backup %d: %s", n, out)
		}
		e, err := engine.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range writers {
			there, err := w.storedIn(t, e)
			if err != nil {
				l.fault("backup %d: %v", n, err)
				continue
			}
			s := spans[n][i]
			found := -1
			for at := s.from; at <= min(s.to, len(w.states)-1) && found < 0; at++ {
				if maps.Equal(there, w.states[at]) {
					found = at
				}
			}
			if found < 0 {
				l.fault("backup %d has no state of %s from its change %d to %d", n, w.name, s.from, s.to)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	l.hooks.drain()
	l.stop()
	t.Logf("%d backups restored; acknowledged meanwhile: %d changes of records, %d of keys; wrong: %d", len(spans), l.changes.Load(), l.keys.changes, l.wrong.Load())
}

// historian is a writer that remembers what was held after each of its changes.
type historian struct {
	*killWriter
	mu     sync.Mutex
	states []map[string]int
}

func (h *historian) step() bool {
	ok := h.killWriter.step()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.states = append(h.states, h.held)
	return ok
}

// count is the number of its newest state.
func (h *historian) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.states) - 1
}

// storedIn returns the writer's records in an engine, as stored does.
func (h *historian) storedIn(t *testing.T, e *engine.Engine) (map[string]int, error) {
	res, err := e.Search(t.Context(), &engine.Request{Indexes: []string{"one", "two"}, Filter: "writer = '" + h.name + "'", Limit: 1000})
	if err != nil {
		return nil, err
	}
	there := map[string]int{}
	for _, hit := range res.Hits {
		var r killRecord
		if err := json.Unmarshal(hit.Record, &r); err != nil {
			return nil, err
		}
		there[hit.Index+"/"+hit.ID] = r.N
	}
	if res.Total != int64(len(there)) {
		return nil, fmt.Errorf("a total of %d with %d hits", res.Total, len(there))
	}
	return there, nil
}

// done runs a command to its end and returns what it prints.
func (l *killLab) done(args ...string) string {
	l.t.Helper()
	p := launch(l.t, nil, args...)
	out, readErr := io.ReadAll(p.out)
	if err := errors.Join(readErr, p.Wait()); err != nil {
		l.fault("quarry %s: %v, %s%s", strings.Join(args, " "), err, out, p.log.String())
	}
	return string(out)
}
