package httpapi

import (
	"context"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// batch answers POST /v1/batch.
func (s *Server) batch(x *exchange) error {
	if x.media != mediaJSON {
		return s.lineBatch(x)
	}
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.body(x, s.limits.BodyBytes)
	if err != nil {
		return err
	}
	return s.replays.once(x, body, s.now(), func(c *claim) error {
		b, err := s.parseBatch(body)
		if err != nil {
			return err
		}
		return s.commit(x, c, b.ops, b.atomic, b.place)
	})
}

// showBatch answers GET /v1/batch/{id}.
func (s *Server) showBatch(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	outcome, err := s.batches.lookup(x.r.PathValue("id"))
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
	ctx, cancel := s.writeContext(x)
	defer cancel()
	res, err := s.engine.Apply(ctx, &engine.Batch{Ops: ops, Partial: !atomic, Rows: c.marker(out)})
	if err != nil {
		return problemOf(err, place)
	}
	out.count(res)
	out.ids = append(out.ids, res.IDs...)
	for _, p := range res.Errors[:min(len(res.Errors), maxFaults)] {
		out.faults = append(out.faults, place(p))
	}
	return s.answerBatch(ctx, x, c, out)
}

// newOutcome begins the account of a batch.
func (s *Server) newOutcome(x *exchange, atomic bool) *batchOutcome {
	now := s.now()
	return &batchOutcome{
		id: newID(batchPrefix, now), state: "applied", atomic: atomic,
		ids: []string{}, createdAt: now, appliedAt: now,
	}
}

// count takes over how much a commit did; a streamed batch has several.
func (b *batchOutcome) count(res *engine.BatchResult) {
	b.known = true
	b.version = res.Version
	b.put += res.Put
	b.patched += res.Patched
	b.deleted += res.Deleted
	b.failed += res.Failed
	b.created = append(b.created, res.IndexesCreated...)
}

// answerBatch writes the outcome down and sends it. The batch is durable by
// now, so that an error in writing the outcome down does not change the
// answer.
func (s *Server) answerBatch(ctx context.Context, x *exchange, c *claim, out *batchOutcome) error {
	out.appliedAt = s.now()
	out.took = time.Since(x.begin)
	answer := appendBatch(nil, out)
	s.keepBatch(ctx, x, out, c.answered(out, answer))
	x.w.Header().Set("Location", "/v1/batch/"+out.id)
	x.json(201, answer)
	return nil
}

// keepBatch remembers an outcome for GET /v1/batch/{id}, with further rows.
func (s *Server) keepBatch(ctx context.Context, x *exchange, out *batchOutcome, rows []engine.Row) {
	if err := s.batches.keep(ctx, out, rows); err != nil {
		s.log.Error("batch outcome not kept", "request_id", x.id, "cause", causeType(err))
	}
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
