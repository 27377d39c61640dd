package httpapi

import (
	"context"
	"errors"
	"slices"

	"github.com/quarry-search/quarry/engine"
)

// jobChunkOps is how many operations of a job that is not atomic are committed
// at a time, besides Limits.ChunkBytes: progress is seen, and the job can be
// cancelled, in steps of this size.
const jobChunkOps = 5000

// jobTimeouts is how often a commit of a job may take longer than
// Limits.WriteTimeout before the job fails.
const jobTimeouts = 3

// runQueue makes sure that there is a worker if there is work.
func (s *Server) runQueue() {
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working || len(q.jobs) == 0 {
		return
	}
	q.working = s.work.start(func(ctx context.Context) {
		for j := q.next(); j != nil && ctx.Err() == nil; j = q.next() {
			s.runJob(ctx, j)
		}
	})
}

// runJob does one job to its end, if it can. Otherwise the job is still in the
// queue, and the next one to do.
func (s *Server) runJob(ctx context.Context, j *job) {
	err := s.tryJob(ctx, j)
	switch {
	case err == nil || ctx.Err() != nil || errors.Is(err, engine.ErrClosed):
		return
	case errors.Is(err, context.DeadlineExceeded):
		if j.timeouts++; j.timeouts == jobTimeouts {
			err = &problem{code: codeOverloaded, detail: "the batch was not applied in time", cause: err}
		}
	case errors.Is(err, engine.ErrUnsettled): // the next start of the service knows how it ended
	case errors.Is(err, engine.ErrCorrupt), errors.Is(err, engine.ErrTooLarge), errors.Is(err, engine.ErrNotFound):
		err = problemOf(err, nil)
	}
	var p *problem
	if errors.As(err, &p) {
		if err = s.endJob(ctx, j, stateFailed, p); err == nil {
			return
		}
	}
	s.log.Warn("queued batch waits", "batch", j.ID, "cause", causeType(err))
	s.queue.reopen(j)
	pause(ctx)
}

// tryJob applies what is left of a job. A *problem says why it never will be;
// after any other error it may be tried again.
func (s *Server) tryJob(ctx context.Context, j *job) error {
	body, err := s.queue.body(j)
	if err != nil {
		return err
	}
	w, err := s.readJob(j, body)
	if err != nil {
		return problemOf(err, nil)
	}
	for last := false; !last; {
		from, to := j.Ops, w.chunk(j, s.limits.ChunkBytes)
		last = to == len(w.ops)
		if s.queue.begin(j, last) {
			return s.endJob(ctx, j, stateCancelled, nil)
		}
		if err := s.applyChunk(ctx, j, w, from, to); err != nil {
			return err
		}
	}
	return nil
}

// chunk returns the end of the chunk that comes next.
func (w *jobWork) chunk(j *job, most int64) int {
	if j.Atomic {
		return len(w.ops)
	}
	size := int64(0)
	for i := j.Ops; i < len(w.ops); i++ {
		if size += int64(len(w.ops[i].Record) + len(w.ops[i].ID)); i-j.Ops == jobChunkOps || size > most && i > j.Ops {
			return i
		}
	}
	return len(w.ops)
}

// begin tells whether the job is to be cancelled before its next chunk. With
// the last chunk it is too late for that.
func (q *queue) begin(j *job, last bool) (cancelled bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.cancel {
		return true
	}
	if last {
		j.state = jobClosing
	}
	return false
}

// reopen makes a job that could not be done one that waits.
func (q *queue) reopen(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.state = stateQueued
}

// copyOf returns a job as it is now.
func (q *queue) copyOf(j *job) job {
	q.mu.Lock()
	defer q.mu.Unlock()
	return *j
}

// applyChunk commits operations of a job, and with the last ones that it is
// done.
func (s *Server) applyChunk(ctx context.Context, j *job, w *jobWork, from, to int) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.WriteTimeout)
	defer cancel()
	last := to == len(w.ops)
	b := &engine.Batch{Ops: w.ops[from:to], Partial: !j.Atomic}
	next := s.queue.copyOf(j) // as it is when the chunk is applied
	var out *batchOutcome
	b.Finish = func(res *engine.BatchResult) []engine.Row {
		next.jobProgress = j.after(res, w, from, to)
		if !last {
			return []engine.Row{next.row()}
		}
		out = next.outcome(stateApplied).end(s.now())
		return append(j.gone(), outcomeRow(out, appendBatch(nil, out)))
	}
	_, err := s.applyFor(ctx, j.Key, b, func(*engine.BatchResult) *change {
		c := &change{indexes: indexesOf(b)}
		if last {
			c.event, c.indexes, c.batch = eventBatchApplied, out.indexes, out
		}
		return c
	})
	var invalid *engine.InvalidError
	switch {
	case errors.As(err, &invalid):
		return problemOf(err, func(p engine.Problem) fault { return w.placeFrom(p, from) })
	case err != nil:
		return err
	case last:
		s.queue.remove(j, stateApplied)
	default:
		s.queue.advance(j, next.jobProgress)
	}
	return nil
}

func (q *queue) advance(j *job, p jobProgress) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.jobProgress = p
}

// placeFrom is place for a problem of a chunk that begins with operation from.
func (w *jobWork) placeFrom(p engine.Problem, from int) fault {
	if p.Position >= 0 {
		p.Position += from
	}
	return w.place(p)
}

// after is the progress of a job with one more chunk, of which res is the
// result.
func (j *job) after(res *engine.BatchResult, w *jobWork, from, to int) jobProgress {
	p := j.jobProgress
	p.Ops, p.Done, p.Version = to, w.position(to), res.Version
	if to == len(w.ops) {
		p.Done = w.total
	}
	p.Put += res.Put
	p.Patched += res.Patched
	p.Deleted += res.Deleted
	p.Failed += res.Failed
	p.Made = append(slices.Clip(p.Made), res.IndexesCreated...)
	names := batchOutcome{indexes: slices.Clip(p.Indexes)}
	names.wroteTo(indexesOf(&engine.Batch{Ops: w.ops[from:to]}))
	p.Indexes = names.indexes
	if p.IDs != nil {
		p.IDs = append(slices.Clip(p.IDs), make([]string, p.Done-len(p.IDs))...)
		for i, id := range res.IDs {
			p.IDs[w.position(from+i)] = id
		}
	}
	var list []fault
	for _, f := range w.bad {
		if f.position >= j.Done && f.position < p.Done {
			list = append(list, f)
			p.Failed++
		}
	}
	for _, x := range res.Errors {
		list = append(list, w.placeFrom(x, from))
	}
	slices.SortStableFunc(list, func(a, b fault) int { return a.position - b.position })
	p.Faults = slices.Clip(p.Faults)
	for _, f := range list[:min(len(list), maxFaults-len(p.Faults))] {
		p.Faults = append(p.Faults, queuedFault{f.code, f.pointer, f.detail, f.column, f.position})
	}
	return p
}
