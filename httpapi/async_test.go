package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// gatedEngine lets a batch with operations through for each token in gate; nil
// lets all through.
type gatedEngine struct {
	*engine.Engine
	gate chan error
}

func (e *gatedEngine) Apply(ctx context.Context, b *engine.Batch) (*engine.BatchResult, error) {
	if len(b.Ops) > 0 && e.gate != nil {
		select {
		case err := <-e.gate:
			if err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return e.Engine.Apply(ctx, b)
}

// withGate is withEngine with the gate closed.
func withGate(t *testing.T, dir string, configure ...func(*Config)) (*service, *gatedEngine) {
	t.Helper()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &gatedEngine{Engine: e, gate: make(chan error, 100)}
	t.Cleanup(func() { e.Close() })
	return newService(t, append(configure, func(c *Config) { c.Engine = g })...), g
}

// batchState is what tests look at in a batch.
type batchState struct {
	ID, State string
	Atomic    bool
	Version   int
	Counts    struct{ Put, Patched, Deleted, Failed int }
	IDs       []*string
	Made      []string `json:"indexes_created"`
	Applied   *string  `json:"applied_at"`
	Progress  *struct{ Done, Total int }
	Errors    []struct {
		Position              *int
		Code, Pointer, Detail string
	}
}

const async = "Prefer: respond-async"

// queued sends a batch that is to be queued.
func (s *service) queued(path, body string, headers ...string) (b batchState) {
	s.t.Helper()
	a := s.want(201, "POST", path, body, append(headers, async)...)
	a.into(s.t, &b)
	if b.State != "queued" || a.header.Get("Preference-Applied") != "respond-async" || a.header.Get("Location") != "/v1/batch/"+b.ID || b.Applied != nil {
		s.t.Fatalf("not queued: %v %s", a.header, a.body)
	}
	return b
}

func (s *service) batch(id string) (b batchState) {
	s.t.Helper()
	s.want(200, "GET", "/v1/batch/"+id, "").into(s.t, &b)
	return b
}

// finished waits until a batch has left the queue, and returns it.
func (s *service) finished(id string) batchState {
	s.t.Helper()
	q := s.server.queue
	q.mu.Lock()
	j := q.find(id)
	q.mu.Unlock()
	if j != nil {
		select {
		case <-j.ended:
		case <-time.After(time.Minute):
			s.t.Fatalf("batch %s takes more than a minute", id)
		}
	}
	return s.batch(id)
}

func (s *service) rowsUnder(prefix string) (n int) {
	s.t.Helper()
	for _, err := range s.engine.Rows(prefix) {
		if err != nil {
			s.t.Fatal(err)
		}
		n++
	}
	return n
}

func (s *service) total(index string) int {
	s.t.Helper()
	var got searchBody
	s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"index":%q,"limit":0}`, index)).into(s.t, &got)
	return got.Total
}

func TestAsyncBatch(t *testing.T) {
	s, e := withGate(t, "")
	var note noteWitness
	s.server.witnesses = append(s.server.witnesses, &note)
	first := s.queued("/v1/batch", `{"index":"shop","records":[{"id":"a","n":1},{"n":2}]}`)
	second := s.queued("/v1/batch", `{"index":"shop","operations":[{"op":"patch","id":"a","record":{"n":3}},{"op":"patch_where","filter":"n = 3","record":{"n":4}}]}`)
	if first.Progress == nil || first.Progress.Total != 2 || first.Progress.Done != 0 || !first.Atomic {
		t.Errorf("queued: %+v", first)
	}
	if b := s.batch(second.ID); b.State != "queued" {
		t.Errorf("the second is %+v", b)
	}
	s.want(404, "GET", "/v1/indexes/shop", "")
	e.gate <- nil
	b := s.finished(first.ID)
	if b.State != "applied" || b.Counts.Put != 2 || b.Version == 0 || len(b.IDs) != 2 || *b.IDs[0] != "a" || b.Applied == nil || b.Progress.Done != 2 || !slices.Equal(b.Made, []string{"shop"}) {
		t.Errorf("applied: %+v", b)
	}
	e.gate <- nil
	if b := s.finished(second.ID); b.State != "applied" || b.Counts.Patched != 2 || b.IDs[1] != nil {
		t.Errorf("applied: %+v", b)
	}
	if a := s.want(200, "GET", "/v1/record/a", ""); !strings.Contains(a.body, `"n":4`) {
		t.Errorf("record: %s", a.body)
	}
	if n := s.rowsUnder(queueRows); n != 0 {
		t.Errorf("%d rows are left in the queue", n)
	}
	note.mu.Lock()
	defer note.mu.Unlock()
	if want := []string{"batch.queued <nil>", "batch.queued <nil>", "index.created <nil>", "batch.applied <nil>", "batch.applied <nil>"}; !slices.Equal(note.seen, want) {
		t.Errorf("events %q, want %q", note.seen, want)
	}
}

func TestAsyncBatchThatFailsLeavesNothing(t *testing.T) {
	s, e := withGate(t, "")
	e.gate = nil
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","n":1}]}`)
	b := s.finished(s.queued("/v1/batch", `{"index":"shop","operations":[{"op":"put","record":{"id":"b","n":1}},{"op":"put","record":{"id":"c","n":"x"}},{"op":"patch","id":"d","record":{}}]}`).ID)
	if b.State != "failed" || b.Counts.Failed != 2 || b.Counts.Put != 0 || len(b.Errors) != 2 || b.Errors[0].Pointer != "/operations/1/record/n" || b.Errors[0].Code != engine.CodeInvalidFieldType || *b.Errors[1].Position != 2 {
		t.Errorf("failed: %+v", b)
	}
	if n := s.total("shop"); n != 1 {
		t.Errorf("%d records", n)
	}
	// What is wrong with its form is said at once.
	s.want(422, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"putt"}]}`, async)
	s.want(400, "POST", "/v1/batch", `{"index":`, async)
	if n := s.rowsUnder(queueRows); n != 0 {
		t.Errorf("%d rows are left in the queue", n)
	}
}

// TestAsyncBatchIsAppliedExactlyOnce stops the service between the chunks of a
// batch, and lets the next one go on. Every put_new would fail if it were
// applied twice.
func TestAsyncBatchIsAppliedExactlyOnce(t *testing.T) {
	dir := t.TempDir()
	const n = 3*jobChunkOps + 17
	var body strings.Builder
	for i := range n {
		if i == jobChunkOps+3 {
			body.WriteString("not JSON\n")
		}
		fmt.Fprintf(&body, `{"id":"r%05d","pad":%q}`+"\n", i, strings.Repeat("x", 200))
	}
	if body.Len() < 2*queuePart {
		t.Fatalf("the body has only %d bytes", body.Len())
	}
	s, e := withGate(t, dir)
	b := s.queued("/v1/batch?index=shop&op=put_new&atomic=false", body.String(), "Content-Type: application/x-ndjson")
	if b.Progress.Total != n+1 {
		t.Errorf("queued: %+v", b.Progress)
	}
	e.gate <- nil
	done := false
	for !done { // until the first chunk is applied
		got := s.batch(b.ID)
		done = got.State == "running" && got.Progress.Done == jobChunkOps && got.Counts.Put == jobChunkOps
	}
	s.server.Close()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	s, e = withGate(t, dir)
	if got := s.batch(b.ID); got.State != "running" || got.Counts.Put != jobChunkOps {
		t.Errorf("after the restart: %+v", got)
	}
	for range 3 {
		e.gate <- nil
	}
	got := s.finished(b.ID)
	if got.State != "applied" || got.Counts.Put != n || got.Counts.Failed != 1 || got.Progress.Done != n+1 || got.IDs != nil {
		t.Errorf("applied: %+v", got)
	}
	if len(got.Errors) != 1 || *got.Errors[0].Position != jobChunkOps+3 || !strings.HasPrefix(got.Errors[0].Detail, fmt.Sprintf("line %d: ", jobChunkOps+4)) {
		t.Errorf("errors: %+v", got.Errors)
	}
	if total := s.total("shop"); total != n {
		t.Errorf("%d records, want %d", total, n)
	}
	if left := s.rowsUnder(queueRows); left != 0 {
		t.Errorf("%d rows are left in the queue", left)
	}
}

func TestCancelBatch(t *testing.T) {
	s, e := withGate(t, "")
	var chunks strings.Builder
	for i := range 2*jobChunkOps + 1 {
		fmt.Fprintf(&chunks, `{"id":"r%d"}`+"\n", i)
	}
	running := s.queued("/v1/batch?index=shop&atomic=false", chunks.String(), "Content-Type: application/x-ndjson")
	waiting := s.queued("/v1/batch", `{"index":"never","records":[{"id":"a"}]}`)
	s.want(204, "DELETE", "/v1/batch/"+waiting.ID, "")
	if b := s.batch(waiting.ID); b.State != "cancelled" || b.Applied == nil {
		t.Errorf("cancelled: %+v", b)
	}
	if p := s.want(409, "DELETE", "/v1/batch/"+waiting.ID, "").problem(t); p.Code != codeBatchFinished {
		t.Errorf("cancelled twice: %s", p.Code)
	}
	// The one that is running stops after the chunk that it is at.
	answered := make(chan answer)
	go func() { answered <- s.do("DELETE", "/v1/batch/"+running.ID, "") }()
	q := s.server.queue
	for asked := false; !asked; {
		q.mu.Lock()
		j := q.find(running.ID)
		asked = j == nil || j.cancel || j.state == jobCancelling // nil: the worker had not come to it
		q.mu.Unlock()
	}
	e.gate <- nil
	if a := <-answered; a.status != 204 {
		t.Errorf("DELETE of a running batch: %d %s", a.status, a.body)
	}
	b := s.batch(running.ID)
	if b.State != "cancelled" || b.Counts.Put%jobChunkOps != 0 || b.Counts.Put > jobChunkOps || b.Progress.Done != b.Counts.Put {
		t.Errorf("cancelled: %+v", b)
	}
	if b.Counts.Put > 0 && s.total("shop") != b.Counts.Put {
		t.Errorf("%d records, %+v", s.total("shop"), b)
	}
	s.want(404, "GET", "/v1/indexes/never", "")
	s.want(404, "DELETE", "/v1/batch/"+batchPrefix+strings.Repeat("0", 26), "")
	e.gate <- nil
	var applied batchState
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`).into(t, &applied)
	s.want(409, "DELETE", "/v1/batch/"+applied.ID, "")
	// Batches behind a cancelled one go on.
	e.gate <- nil
	if b := s.finished(s.queued("/v1/batch", `{"index":"shop","records":[{"id":"b"}]}`).ID); b.State != "applied" {
		t.Errorf("afterwards: %+v", b)
	}
}

func TestQueueHasLimits(t *testing.T) {
	s, e := withGate(t, "", func(c *Config) { c.Limits.QueuedBatches, c.Limits.QueuedBytes = 2, 200 })
	const body = `{"index":"shop","records":[{"id":"a"}]}`
	first := s.queued("/v1/batch", body)
	p := s.want(503, "POST", "/v1/batch", fmt.Sprintf(`{"index":"shop","records":[{"id":%q}]}`, strings.Repeat("x", 200)), async).problem(t)
	if p.Code != codeOverloaded || !strings.Contains(p.Detail, "queued_bytes") {
		t.Errorf("too many bytes: %+v", p)
	}
	s.queued("/v1/batch", body)
	p = s.want(503, "POST", "/v1/batch", body, async).problem(t)
	if p.Code != codeOverloaded || !strings.Contains(p.Detail, "queued_batches") {
		t.Errorf("too many: %+v", p)
	}
	e.gate <- nil
	s.finished(first.ID)
	s.queued("/v1/batch", body)
}

func TestAsyncBatchWithIdempotencyKey(t *testing.T) {
	s, e := withGate(t, "")
	const body = `{"index":"shop","records":[{"n":1}]}`
	first := s.queued("/v1/batch", body, "Idempotency-Key: k1")
	e.gate <- nil
	if b := s.finished(first.ID); b.State != "applied" {
		t.Fatalf("%+v", b)
	}
	again := s.queued("/v1/batch", body, "Idempotency-Key: k1")
	if again.ID != first.ID || s.total("shop") != 1 {
		t.Errorf("replayed %s for %s, %d records", again.ID, first.ID, s.total("shop"))
	}
	if p := s.want(422, "POST", "/v1/batch", `{"index":"shop","records":[]}`, "Idempotency-Key: k1", async).problem(t); p.Code != codeIdemReused {
		t.Errorf("another payload: %s", p.Code)
	}
}

// TestQueuedBatchOutlivesTrouble: errors that pass delay a batch only.
func TestQueuedBatchOutlivesTrouble(t *testing.T) {
	s, e := withGate(t, "")
	b := s.queued("/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`)
	e.gate <- engine.ErrStorageFull
	e.gate <- nil
	if b = s.finished(b.ID); b.State != "applied" {
		t.Errorf("after a full disk: %+v", b)
	}
	b = s.queued("/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`)
	e.gate <- fmt.Errorf("%w: %w", engine.ErrCorrupt, errors.New("test"))
	if b = s.finished(b.ID); b.State != "failed" || b.Errors[0].Code != codeCorruption {
		t.Errorf("after damage: %+v", b)
	}
}

func TestAsyncLines(t *testing.T) {
	s, e := withGate(t, "")
	e.gate = nil
	b := s.finished(s.queued("/v1/batch?index=shop", "id,n\na,1\nb,2\n", "Content-Type: text/csv").ID)
	if b.State != "applied" || b.Counts.Put != 2 || *b.IDs[1] != "b" || !b.Atomic {
		t.Errorf("CSV: %+v", b)
	}
	b = s.finished(s.queued("/v1/batch?index=shop&atomic=false", "{\"id\":\"c\",\"n\":3}\nnope\n{\"id\":\"d\",\"n\":\"x\"}\n{\"id\":\"e\",\"n\":4}\n[]\n", "Content-Type: application/x-ndjson").ID)
	if b.State != "applied" || b.Counts.Put != 2 || b.Counts.Failed != 3 || b.Progress.Done != 5 || len(b.IDs) != 5 || b.IDs[1] != nil || *b.IDs[3] != "e" {
		t.Errorf("NDJSON: %+v", b)
	}
	var at []int
	for _, e := range b.Errors {
		at = append(at, *e.Position)
	}
	if !slices.Equal(at, []int{1, 2, 4}) {
		t.Errorf("errors at %v", at)
	}
	if p := s.want(422, "POST", "/v1/batch?index=shop", "nope\n[]\n", "Content-Type: application/x-ndjson", async).problem(t); len(p.Errors) != 2 {
		t.Errorf("atomic lines: %+v", p)
	}
}

func TestListBatches(t *testing.T) {
	var clock atomic.Int64
	s, e := withGate(t, "", func(c *Config) {
		c.Limits.BatchesKept = 5
		c.Now = func() time.Time { return time.UnixMilli(1e12 + clock.Add(1)) }
	})
	queued := s.queued("/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`)
	var want []string
	e.gate <- nil
	s.finished(queued.ID)
	e.gate = nil
	for range 7 { // more than are kept
		var b batchState
		s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`).into(t, &b)
		want = append(want, b.ID)
	}
	slices.Sort(want)
	slices.Reverse(want)
	want = want[:5]
	var got []string
	cursor := ""
	for range 5 {
		var page struct {
			Batches []batchState
			Total   int
			Next    string `json:"next_cursor"`
		}
		s.want(200, "GET", "/v1/batch?limit=2"+cursor, "").into(t, &page)
		for _, b := range page.Batches {
			got = append(got, b.ID)
		}
		if page.Total != 5 {
			t.Errorf("total %d", page.Total)
		}
		if page.Next == "" {
			break
		}
		cursor = "&cursor=" + page.Next
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	s.want(422, "GET", "/v1/batch?limit=101", "")
	s.want(422, "GET", "/v1/batch?cursor=x", "")
}

// TestQueuedBatchesAreNotForgotten: newer outcomes take the place of older
// ones, but not of those that are still to come.
func TestQueuedBatchesAreNotForgotten(t *testing.T) {
	s, e := withGate(t, "", func(c *Config) { c.Limits.BatchesKept = 2 })
	queued := s.queued("/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`)
	for range 4 {
		s.want(204, "DELETE", "/v1/batch/"+s.queued("/v1/batch", `{"index":"shop","records":[{"id":"b"}]}`).ID, "")
	}
	if b := s.batch(queued.ID); b.State == "cancelled" {
		t.Errorf("%+v", b)
	}
	e.gate <- nil
	if b := s.finished(queued.ID); b.State != "applied" {
		t.Errorf("%+v", b)
	}
}
