package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// enqueue answers a batch with Prefer: respond-async, whose form is checked: it
// puts the batch into the queue. Total, Indexes and what says how to read the
// body are set in j.
func (s *Server) enqueue(x *exchange, c *claim, j *job, body []byte) error {
	ctx, cancel := s.writeContext(x)
	defer cancel()
	now := s.now()
	j.ID, j.Key, j.Created, j.Size = newID(batchPrefix, now), x.key.ID, now, int64(len(body))
	if j.Total <= keptIDs {
		j.IDs = []string{}
	}
	if err := s.queue.reserve(j); err != nil {
		return err
	}
	var out *batchOutcome
	var answer []byte
	var kept, replay []engine.Row
	b := &engine.Batch{Finish: func(*engine.BatchResult) []engine.Row {
		out = j.outcome(stateQueued)
		answer = appendBatch(nil, out)
		kept, replay = s.batches.keep(out, answer), c.answered(j.ID, answer)
		return slices.Concat([]engine.Row{j.row()}, j.partRows(body), kept, replay)
	}}
	_, err := s.apply(ctx, x, b, func(*engine.BatchResult) *change {
		return &change{event: eventBatchQueued, indexes: out.indexes, batch: out}
	})
	if err != nil {
		s.batches.undo(kept)
		c.undo(replay)
		s.queue.unreserve(j)
		return err
	}
	s.queue.add(j)
	s.runQueue()
	x.applied(preferAsync)
	x.w.Header().Set("Location", "/v1/batch/"+j.ID)
	x.json(201, answer)
	return nil
}

// enqueueLines is enqueue for NDJSON and CSV. Lines that are no operations are
// an error at once where none may fail.
func (s *Server) enqueueLines(x *exchange, c *claim, j *job, body []byte) error {
	w, err := s.readLines(j, body)
	if err != nil {
		return err
	}
	if j.Atomic {
		var f faults
		for _, x := range w.bad {
			f.add(x)
		}
		if err := f.err(); err != nil {
			return err
		}
		if len(w.ops) > s.engineMax.BatchOps {
			return batchTooLarge(s.engineMax.BatchOps)
		}
	}
	j.Total = w.total
	return s.enqueue(x, c, j, body)
}

// jobWork is a job's body as operations.
type jobWork struct {
	ops       []engine.Op
	positions []int   // by operation: its place among all lines; nil: the same
	total     int     // operations, lines that are none included
	bad       []fault // of lines that are no operation
	place     func(engine.Problem) fault
}

// position is the place of operation i among all.
func (w *jobWork) position(i int) int {
	if w.positions == nil {
		return i
	}
	if i == len(w.positions) {
		return w.total
	}
	return w.positions[i]
}

// readJob reads the body of a job.
func (s *Server) readJob(j *job, body []byte) (*jobWork, error) {
	if j.Media != mediaJSON {
		return s.readLines(j, body)
	}
	b, err := s.parseBatch(nil, body)
	if err != nil {
		return nil, err
	}
	return &jobWork{ops: b.ops, total: len(b.ops), place: b.place}, nil
}

func (s *Server) readLines(j *job, body []byte) (*jobWork, error) {
	var all lineChunk
	w := &jobWork{place: all.place}
	src := s.lineSource(bytes.NewReader(body), j.Media, j.Index, j.Kind)
	for position := 0; ; position++ {
		op, line, err := src.next()
		var wrong *lineError
		switch {
		case err == io.EOF:
			w.ops, w.positions, w.total = all.ops, all.positions, position
			return w, nil
		case errors.As(err, &wrong):
			w.bad = append(w.bad, fault{code: wrong.code, position: position, detail: atLine(line, wrong.detail)})
		case err != nil:
			return nil, err
		default:
			all.add(op, line, position)
		}
	}
}

// answerState returns the state in an answer about a batch.
func answerState(answer []byte) string {
	var b struct {
		State string `json:"state"`
	}
	if json.Unmarshal(answer, &b) != nil {
		return ""
	}
	return b.State
}

// listBatches answers GET /v1/batch: the batches that are remembered, newest
// first.
func (s *Server) listBatches(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	limit := pageLimit(&f, params, 20, 100)
	from := s.pageStart(&f, params, cursorBatches, x.key.Identity())
	if err := f.err(); err != nil {
		return err
	}
	page, err := s.batchPage(x.key, from, limit)
	if err != nil {
		return err
	}
	w := jsonWriter{}
	w.open('{')
	w.key("batches")
	w.open('[')
	for _, answer := range page.answers {
		w.raw(answer)
	}
	w.close(']')
	w.key("total")
	if page.total < 0 {
		w.null()
	} else {
		w.integer(int64(page.total))
	}
	next := ""
	if page.more {
		next = s.cursors.sign(cursorBatches, x.key.Identity(), []byte(page.last))
	}
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	x.json(200, w.buf)
	return nil
}

// cancelBatch answers DELETE /v1/batch/{id}. A batch that waits is never
// applied; one that is being applied in chunks stops before the next.
func (s *Server) cancelBatch(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	id := x.r.PathValue("id")
	if _, err := s.batchAnswer(x.key, id); err != nil {
		return err
	}
	q := s.queue
	q.mu.Lock()
	j := q.find(id)
	if j == nil {
		q.mu.Unlock()
		answer, _, err := s.batches.lookup(id)
		if err != nil {
			return err
		}
		return tooLate(answerState(answer))
	}
	if j.state == stateQueued {
		j.state = jobCancelling
		q.mu.Unlock()
		if err := s.endJob(ctx, j, stateCancelled, nil); err != nil {
			q.mu.Lock()
			j.state = stateQueued
			q.mu.Unlock()
			s.runQueue()
			return err
		}
	} else {
		j.cancel = true // which the worker sees before the next chunk
		q.mu.Unlock()
		select {
		case <-j.ended:
		case <-s.work.ctx.Done():
			return &problem{code: codeShuttingDown, detail: "the service is shutting down"}
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.result != stateCancelled {
			return tooLate(j.result)
		}
	}
	x.head(204)
	return nil
}

// tooLate is the answer about a batch that cannot be cancelled.
func tooLate(state string) error {
	return &problem{code: codeBatchFinished, detail: "the batch is " + state}
}

// endJob writes down that a job has come to an end without being applied to
// the last, and takes it out of the queue. why is the reason, nil if it was
// cancelled.
func (s *Server) endJob(ctx context.Context, j *job, state string, why *problem) error {
	var out *batchOutcome
	b := &engine.Batch{Shrinks: true, Finish: func(*engine.BatchResult) []engine.Row {
		out = j.outcome(state).end(s.now())
		if why != nil {
			list := why.faults
			if len(list) == 0 {
				list = []fault{{code: why.code, detail: why.detail, position: -1}}
			}
			out.faults = append(out.faults, list...)
			out.faults = out.faults[:min(len(out.faults), maxFaults)]
			out.failed += len(list)
		}
		return append(j.gone(), outcomeRow(out, appendBatch(nil, out)))
	}}
	event := eventBatchFailed
	if state == stateCancelled {
		event = eventBatchCanceled
	}
	if _, err := s.applyFor(ctx, j.Key, b, func(*engine.BatchResult) *change {
		return &change{event: event, indexes: out.indexes, batch: out}
	}); err != nil {
		return err
	}
	s.queue.remove(j, state)
	return nil
}
