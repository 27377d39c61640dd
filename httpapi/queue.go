package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// Batches that a client does not wait for are kept in rows until a worker has
// applied them, one after the other in the order in which they came:
//
//	http/queue/<id>         the job, JSON
//	http/queue/<id>/<part>  its body as it came, in parts of at most 1 MiB
//
// The rows are written by the commit that answers the request, and deleted by
// the very commit that applies the batch or, for one that is applied in chunks,
// its last chunk; each chunk before it rewrites the job. So a batch is applied
// exactly once, however often the process ends.
const (
	queueRows = "http/queue/"
	queuePart = 1 << 20
)

// job is a batch in the queue: its row, and what is known of it in memory. The
// worker alone changes the exported fields, under queue.mu.
type job struct {
	ID      string        `json:"id"`
	Seq     uint64        `json:"seq"` // jobs are done in the order of these
	Key     string        `json:"key"` // id of the API key that asked for it
	Atomic  bool          `json:"atomic"`
	Media   string        `json:"media"`
	Index   string        `json:"index,omitzero"` // of lines
	Kind    engine.OpKind `json:"kind,omitzero"`  // of lines
	Size    int64         `json:"size"`           // of the body in bytes
	Total   int           `json:"total"`          // operations, lines that are none included
	Created time.Time     `json:"created"`
	jobProgress

	state  string        // queued, running, closing (not to be cancelled any more) or cancelling
	cancel bool          // asked for while it was running
	ended  chan struct{} // closed when it has left the queue
	result string        // its last state, when it has left the queue

	timeouts int // of its commits; the worker's own
}

// jobProgress is what the chunks that are applied have done.
type jobProgress struct {
	Ops     int           `json:"ops,omitzero"`  // operations that are dealt with
	Done    int           `json:"done,omitzero"` // the same, lines that are none included
	Version uint64        `json:"version,omitzero"`
	Put     int           `json:"put,omitzero"`
	Patched int           `json:"patched,omitzero"`
	Deleted int           `json:"deleted,omitzero"`
	Failed  int           `json:"failed,omitzero"`
	IDs     []string      `json:"ids,omitzero"` // nil where there are too many to keep
	Made    []string      `json:"made,omitzero"`
	Indexes []string      `json:"indexes,omitzero"` // also those that chunks to come write to
	Faults  []queuedFault `json:"faults,omitzero"`
}

// queuedFault is a fault as it is stored.
type queuedFault struct {
	Code     string `json:"code"`
	Pointer  string `json:"pointer,omitzero"`
	Detail   string `json:"detail"`
	Column   int    `json:"column,omitzero"`
	Position int    `json:"position"`
}

// States of a job beside those of a batch.
const (
	jobClosing    = "closing"
	jobCancelling = "cancelling"
)

// outcome is the account of the job as it stands.
func (j *job) outcome(state string) *batchOutcome {
	out := &batchOutcome{
		id: j.ID, key: j.Key, state: state, atomic: j.Atomic, version: j.Version,
		put: j.Put, patched: j.Patched, deleted: j.Deleted, failed: j.Failed,
		ids: j.IDs, created: j.Made, indexes: j.Indexes, createdAt: j.Created,
		progress: &batchProgress{j.Done, j.Total},
	}
	for _, f := range j.Faults {
		out.faults = append(out.faults, fault{code: f.Code, pointer: f.Pointer, detail: f.Detail, column: f.Column, position: f.Position})
	}
	return out
}

// end completes the account of a job that leaves the queue now.
func (b *batchOutcome) end(now time.Time) *batchOutcome {
	b.appliedAt, b.took = now, now.Sub(b.createdAt)
	return b
}

func (j *job) row() engine.Row {
	b, err := json.Marshal(j)
	if err != nil { // it is a struct of texts and numbers
		b = nil
	}
	return engine.Row{Key: queueRows + j.ID, Value: b}
}

// partRows are the rows with the body.
func (j *job) partRows(body []byte) (rows []engine.Row) {
	for part := range slices.Chunk(body, queuePart) {
		rows = append(rows, engine.Row{Key: j.partKey(len(rows)), Value: part})
	}
	return rows
}

func (j *job) partKey(i int) string { return fmt.Sprintf("%s%s/%06d", queueRows, j.ID, i) }

// gone are the rows that delete the job.
func (j *job) gone() []engine.Row {
	rows := []engine.Row{{Key: queueRows + j.ID}}
	for at := int64(0); at < j.Size; at += queuePart {
		rows = append(rows, engine.Row{Key: j.partKey(len(rows) - 1)})
	}
	return rows
}

// body reads the body of a job.
func (q *queue) body(j *job) ([]byte, error) {
	body := make([]byte, 0, j.Size)
	for i := 0; int64(len(body)) < j.Size; i++ {
		part, err := q.engine.Row(j.partKey(i))
		if errors.Is(err, engine.ErrNotFound) {
			return nil, fmt.Errorf("%w: part %d of a queued batch is not there", engine.ErrCorrupt, i)
		}
		if err != nil {
			return nil, err
		}
		body = append(body, part...)
	}
	return body, nil
}

// queue is the jobs of a server.
type queue struct {
	engine  Engine
	limits  *Limits
	batches *batchLog

	mu      sync.Mutex // guards the following, and what changes in jobs
	jobs    []*job     // by Seq
	last    uint64     // Seq
	size    int64      // of all bodies, those that are being added included
	count   int        // of jobs, those that are being added included
	working bool       // there is a worker
}

// openQueue reads the jobs that earlier processes have left.
func openQueue(e Engine, limits *Limits, batches *batchLog) (*queue, error) {
	q := &queue{engine: e, limits: limits, batches: batches}
	parts := map[string]int64{} // bytes that there are of the bodies
	for row, err := range e.Rows(queueRows) {
		if err != nil {
			return nil, err
		}
		id, _, part := strings.Cut(strings.TrimPrefix(row.Key, queueRows), "/")
		if part {
			parts[id] += int64(len(row.Value))
			continue
		}
		j := &job{state: stateQueued, ended: make(chan struct{})}
		if err := json.Unmarshal(row.Value, j); err != nil || j.ID != id {
			return nil, fmt.Errorf("%w: a queued batch", engine.ErrCorrupt)
		}
		q.jobs = append(q.jobs, j)
		q.size += j.Size
		q.last = max(q.last, j.Seq)
		batches.setQueued(j.ID, true)
	}
	for _, j := range q.jobs {
		if parts[j.ID] != j.Size {
			return nil, fmt.Errorf("%w: a queued batch has %d bytes, and should have %d", engine.ErrCorrupt, parts[j.ID], j.Size)
		}
	}
	q.count = len(q.jobs)
	slices.SortFunc(q.jobs, func(a, b *job) int { return cmp.Compare(a.Seq, b.Seq) })
	return q, nil
}

// reserve makes room for a job, and gives it its place.
func (q *queue) reserve(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.count >= q.limits.QueuedBatches:
		return &problem{code: codeOverloaded, detail: fmt.Sprintf("%d batches wait to be applied, as many as may (queued_batches)", q.count)}
	case q.size+j.Size > q.limits.QueuedBytes:
		return &problem{code: codeOverloaded, detail: fmt.Sprintf("the batches that wait to be applied would have more than %d bytes (queued_bytes)", q.limits.QueuedBytes)}
	}
	q.count++
	q.size += j.Size
	q.last++
	j.Seq = q.last
	return nil
}

// unreserve takes reserve back.
func (q *queue) unreserve(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.count--
	q.size -= j.Size
}

// add puts a job into the queue whose rows are committed.
func (q *queue) add(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.state, j.ended = stateQueued, make(chan struct{})
	i, _ := slices.BinarySearchFunc(q.jobs, j, func(a, b *job) int { return cmp.Compare(a.Seq, b.Seq) })
	q.jobs = slices.Insert(q.jobs, i, j)
}

// remove takes a job out that has come to its end, with its last state.
func (q *queue) remove(j *job, result string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = slices.DeleteFunc(q.jobs, func(other *job) bool { return other == j })
	q.count--
	q.size -= j.Size
	j.result = result
	close(j.ended)
	q.batches.setQueued(j.ID, false)
}

// next returns the job to do next, nil if there is none: then there is no
// worker any more.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if j.state != jobCancelling {
			j.state = stateRunning
			return j
		}
	}
	q.working = false
	return nil
}

// find returns a job, or nil. q.mu is held.
func (q *queue) find(id string) *job {
	for _, j := range q.jobs {
		if j.ID == id {
			return j
		}
	}
	return nil
}

// show returns the answer about a job and the id of the API key that sent it,
// or nil if it is not in the queue.
func (q *queue) show(id string) (answer []byte, key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.find(id)
	if j == nil {
		return nil, ""
	}
	state := stateRunning
	if (j.state == stateQueued || j.state == jobCancelling) && j.Done == 0 {
		state = stateQueued
	}
	return appendBatch(nil, j.outcome(state)), j.Key
}
