package httpapi

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// stateRebuilding is the state of an index that is to get another schema.
const stateRebuilding = "rebuilding"

// rebuildWait is how long a change of schema waits for the rebuild that it
// needs, unless the client prefers otherwise: small indexes are done by then.
const rebuildWait = time.Second

// rebuildsAtOnce is how many indexes are rebuilt at a time.
const rebuildsAtOnce = 2

// rebuilds carries out what engine.StartUpdate has noted, for one server.
type rebuilds struct {
	schemas sync.Mutex    // held from reading a schema until its change is noted
	slots   chan struct{} // taken by those at work

	mu      sync.Mutex
	running map[string]runningRebuild // by index
}

// runningRebuild is somebody at the rebuild of an index.
type runningRebuild struct {
	end  chan struct{}      // closed at the end
	stop context.CancelFunc // brings it about
}

func newRebuilds() *rebuilds {
	return &rebuilds{slots: make(chan struct{}, rebuildsAtOnce), running: map[string]runningRebuild{}}
}

// resumeRebuilds begins the rebuilds that are noted and that nobody is at.
func (s *Server) resumeRebuilds() {
	for _, info := range s.engine.Indexes() {
		if info.State == stateRebuilding {
			s.startRebuild(info.Name)
		}
	}
}

// startRebuild makes sure that somebody is at the rebuild of an index, and
// returns what is closed when it has come to its end.
func (s *Server) startRebuild(name string) (done <-chan struct{}) {
	r := s.rebuilds
	r.mu.Lock()
	defer r.mu.Unlock()
	if running, ok := r.running[name]; ok {
		return running.end
	}
	end := make(chan struct{})
	attempt, stop := context.WithCancel(s.work.ctx)
	started := s.work.start(func(ctx context.Context) {
		s.rebuild(attempt, name)
		stop()
		r.mu.Lock()
		delete(r.running, name)
		r.mu.Unlock()
		close(end)
		if info, err := s.engine.Index(name); err == nil && info.State == stateRebuilding && ctx.Err() == nil {
			s.startRebuild(name) // asked for after the last look
		}
	})
	if !started {
		stop()
		close(end)
		return end
	}
	r.running[name] = runningRebuild{end, stop}
	return end
}

// stopRebuild breaks off what is under way at the rebuild of an index that was
// cancelled, and returns when that or ctx has ended. If it was for another
// index, as after a swap, it is begun again.
func (s *Server) stopRebuild(ctx context.Context, name string) {
	s.rebuilds.mu.Lock()
	running, ok := s.rebuilds.running[name]
	s.rebuilds.mu.Unlock()
	if !ok {
		return
	}
	running.stop()
	select {
	case <-running.end:
	case <-ctx.Done():
	}
	s.resumeRebuilds()
}

// rebuild rebuilds an index. Errors that may pass are tried again.
func (s *Server) rebuild(ctx context.Context, name string) {
	select {
	case s.rebuilds.slots <- struct{}{}:
		defer func() { <-s.rebuilds.slots }()
	case <-ctx.Done():
		return
	}
	for {
		done := func(error) {}
		_, err := s.engine.Rebuild(ctx, name, func(index string, err error) (rows []engine.Row) {
			if err != nil {
				return nil
			}
			rows, done = s.witnessed(&change{event: eventIndexRebuilt, at: s.now(), indexes: []string{index}})
			return rows
		})
		done(err)
		if err == nil || ctx.Err() != nil || errors.Is(err, engine.ErrInvalid) || errors.Is(err, engine.ErrNotFound) ||
			errors.Is(err, engine.ErrClosed) || errors.Is(err, engine.ErrReadOnly) {
			return
		}
		s.log.Warn("rebuild failed and will be tried again", "cause", causeType(err))
		if !pause(ctx) {
			return
		}
	}
}

// updateIndex gives an index the schema that is made by next, and answers with
// the index as it is then: with the schema in force or, if that takes longer
// than the client waits, on its way.
func (s *Server) updateIndex(ctx context.Context, x *exchange, name string, next func() (engine.Schema, error)) error {
	info, err := s.noteSchema(ctx, x, name, next)
	if err != nil {
		return indexError(err)
	}
	if info.State == stateRebuilding {
		done := s.startRebuild(name)
		wait := rebuildWait
		p := preferred(x.r.Header["Prefer"])
		if p.hasWait {
			wait = p.wait
		}
		await(x.r.Context(), done, wait)
		switch now, err := s.engine.Index(name); {
		case err == nil:
			info = now
		case !errors.Is(err, engine.ErrNotFound): // else it was deleted after it was changed
			return indexError(err)
		}
		if r := info.Rebuild; r != nil && r.Err != nil && !errors.Is(r.Err, engine.ErrNotFound) {
			return rebuildProblem(r.Err)
		}
		if p.hasWait {
			x.applied("wait=" + strconv.Itoa(int(wait/time.Second)))
		}
	}
	x.json(200, appendIndex(nil, &info))
	return nil
}

func (s *Server) noteSchema(ctx context.Context, x *exchange, name string, next func() (engine.Schema, error)) (engine.IndexInfo, error) {
	s.rebuilds.schemas.Lock()
	defer s.rebuilds.schemas.Unlock()
	schema, err := next()
	if err != nil {
		return engine.IndexInfo{}, err
	}
	rows, done := s.indexChange(x, eventIndexUpdated, name)
	info, err := s.engine.StartUpdate(ctx, name, schema, rows...)
	done(err)
	return info, err
}

// await waits until done is closed, the time is over or ctx ends.
func await(ctx context.Context, done <-chan struct{}, most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	case <-ctx.Done():
	}
}

// rebuildProblem is the problem of records that do not fit a schema. It is
// about no place of the request, and there may be more of them: a rebuild ends
// with the first part of the records that has any.
func rebuildProblem(err error) *problem {
	p := problemOf(err, func(p engine.Problem) fault {
		return fault{code: p.Code, detail: p.Detail, position: -1}
	})
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) && invalid.Total > 1 {
		p.detail = "at least " + strconv.Itoa(invalid.Total) + " values in the records do not fit the new schema"
	}
	return p
}

// cancelRebuild answers DELETE /v1/indexes/{name}/rebuild: the index keeps the
// schema that it has. When the answer comes, nobody is at the rebuild any more.
func (s *Server) cancelRebuild(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	name := x.r.PathValue("name")
	if err := x.mayUseIndex(name); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	cancelled, err := s.engine.CancelUpdate(ctx, name)
	switch {
	case err != nil:
		return indexError(err)
	case !cancelled:
		return &problem{code: codeRebuildNotFound, detail: "the index is not being rebuilt"}
	}
	s.stopRebuild(ctx, name)
	x.head(204)
	return nil
}

func (w *jsonWriter) rebuild(r *engine.RebuildInfo) {
	w.open('{')
	if r.Err == nil {
		w.textAt("state", "running")
		w.integerAt("done", r.Done)
		w.integerAt("total", r.Total)
	} else {
		p := rebuildProblem(r.Err)
		w.textAt("state", "failed")
		w.key("error")
		w.open('{')
		w.textAt("type", docsURL+p.code)
		w.textAt("title", codes[p.code].title)
		w.integerAt("status", int64(p.status()))
		w.textAt("code", p.code)
		w.textAt("detail", p.detail)
		w.key("errors")
		w.faults(p.faults)
		w.close('}')
	}
	w.close('}')
}
