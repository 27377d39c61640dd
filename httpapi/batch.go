package httpapi

import (
	"slices"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// batch answers POST /v1/batch.
func (s *Server) batch(x *exchange) error {
	if x.media != mediaJSON {
		return s.lineBatch(x)
	}
	params, err := x.query("index", "op", "atomic")
	if err != nil {
		return err
	}
	var f faults
	for _, name := range [...]string{"index", "op", "atomic"} {
		if params.Has(name) {
			f.param(name, engine.CodeInvalidRequest, "is a parameter for NDJSON and CSV only; with JSON it stands in the body")
		}
	}
	if err := f.err(); err != nil {
		return err
	}
	body, err := s.body(x, s.limits.BodyBytes)
	if err != nil {
		return err
	}
	return s.replays.once(x, body, s.now(), func(c *claim) error {
		b, err := s.parseBatch(x.key, body)
		if err != nil {
			return err
		}
		if preferred(x.r.Header["Prefer"]).async {
			return s.enqueue(x, c, &job{Atomic: b.atomic, Media: mediaJSON, Total: len(b.ops), jobProgress: jobProgress{Indexes: indexesOf(&engine.Batch{Ops: b.ops})}}, body)
		}
		return s.commit(x, c, b.ops, b.atomic, b.place)
	})
}

// showBatch answers GET /v1/batch/{id}. A key that may not read sees what has
// become of the batches that it has sent itself.
func (s *Server) showBatch(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	outcome, err := s.batchAnswer(x.key, x.r.PathValue("id"))
	if err != nil {
		return err
	}
	x.json(200, outcome)
	return nil
}

// commit applies operations in one batch and answers with what they did. place
// finds the part of the request that a problem belongs to.
func (s *Server) commit(x *exchange, c *claim, ops []engine.Op, atomic bool, place func(engine.Problem) fault) error {
	out := s.newOutcome(x, atomic)
	err := s.conclude(x, c, &engine.Batch{Ops: ops, Partial: !atomic}, func(res *engine.BatchResult) *batchOutcome {
		out.count(res)
		out.ids = append(out.ids, res.IDs...)
		for _, p := range res.Errors[:min(len(res.Errors), maxFaults)] {
			out.faults = append(out.faults, place(p))
		}
		return out
	})
	if err != nil {
		return problemOf(err, place)
	}
	return nil
}

// newOutcome begins the account of a batch.
func (s *Server) newOutcome(x *exchange, atomic bool) *batchOutcome {
	now := s.now()
	return &batchOutcome{
		id: newID(batchPrefix, now), key: x.key.ID, state: stateApplied, atomic: atomic,
		ids: []string{}, createdAt: now, appliedAt: now,
	}
}

// count takes over how much a commit did; a streamed batch has several.
func (b *batchOutcome) count(res *engine.BatchResult) {
	b.version = res.Version
	b.put += res.Put
	b.patched += res.Patched
	b.deleted += res.Deleted
	b.failed += res.Failed
	b.created = append(b.created, res.IndexesCreated...)
}

// wroteTo notes indexes that were written to.
func (b *batchOutcome) wroteTo(indexes []string) {
	if b.wrote == nil {
		b.wrote = make(map[string]bool, len(b.indexes)+len(indexes))
		for _, name := range b.indexes {
			b.wrote[name] = true
		}
	}
	for _, name := range indexes {
		if !b.wrote[name] {
			b.wrote[name] = true
			b.indexes = append(b.indexes, name)
		}
	}
}

// conclude applies a batch, the last one of its request, and answers with the
// outcome, which account makes of the engine's result. What is remembered of
// the request, the outcome and the answer to its Idempotency-Key, is written by
// the very commit of the batch: however the process ends, there is all of it
// or none. That is why the outcome's times are those just before the commit.
func (s *Server) conclude(x *exchange, c *claim, b *engine.Batch, account func(*engine.BatchResult) *batchOutcome) error {
	ctx, cancel := s.writeContext(x)
	defer cancel()
	var out *batchOutcome
	var answer []byte
	var kept, replay []engine.Row
	b.Finish = func(res *engine.BatchResult) []engine.Row {
		out = account(res)
		out.wroteTo(indexesOf(b))
		out.appliedAt, out.took = s.now(), time.Since(x.begin)
		answer = appendBatch(nil, out)
		kept, replay = s.batches.keep(out, answer), c.answered(out.id, answer)
		return slices.Concat(kept, replay)
	}
	_, err := s.apply(ctx, x, b, func(*engine.BatchResult) *change {
		return &change{event: eventBatchApplied, indexes: out.indexes, batch: out}
	})
	if err != nil {
		s.batches.undo(kept)
		c.undo(replay)
		return err
	}
	x.w.Header().Set("Location", "/v1/batch/"+out.id)
	x.json(201, answer)
	return nil
}

// batchRequest is the JSON body of a batch.
type batchRequest struct {
	ops    []engine.Op
	atomic bool
	list   string // the member that holds the operations
}

// place finds the part of the body that a problem of an operation is about.
func (b *batchRequest) place(p engine.Problem) fault {
	f := faultOf(p)
	if p.Position < 0 || p.Position >= len(b.ops) {
		return f
	}
	at := "/" + b.list + "/" + strconv.Itoa(p.Position)
	switch {
	case b.list == "operations":
		f.pointer = at + p.Pointer
	case p.Pointer == "/index":
		f.pointer = p.Pointer // one for all
	default:
		f.pointer = at + inRecord(p.Pointer)
	}
	return f
}
