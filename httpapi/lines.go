package httpapi

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// lineSource reads the operations of a body that holds one to a line (or, as
// in CSV, to a few lines).
type lineSource interface {
	// next returns the next operation and the number of its line, from 1. At
	// the end the error is io.EOF. A *lineError concerns this operation alone:
	// next may be called again. After any other error it may not.
	next() (op engine.Op, line int, err error)
}

// lineError says what is wrong with one line.
type lineError struct{ code, detail string }

func (e *lineError) Error() string { return e.detail }

// lineBatch answers POST /v1/batch with NDJSON or CSV.
func (s *Server) lineBatch(x *exchange) error {
	params, err := x.query("index", "op", "atomic")
	if err != nil {
		return err
	}
	var f faults
	index, kind, atomic := params.Get("index"), engine.OpPut, true
	if !engine.ValidIndexName(index) {
		f.param("index", engine.CodeInvalidRequest, "must be the name of the index of the records")
	} else if !x.key.Allows(index) {
		f.param("index", codeForbiddenIndex, forbiddenIndex)
	}
	switch op := params.Get("op"); {
	case !params.Has("op"), op == "put":
	case op == "put_new":
		kind = engine.OpPutNew
	case op == "patch":
		kind = engine.OpPatch
	case op == "delete":
		kind = engine.OpDelete
	default:
		f.param("op", engine.CodeInvalidRequest, `must be one of "put", "put_new", "patch", "delete"`)
	}
	switch text := params.Get("atomic"); {
	case !params.Has("atomic"), text == "true":
	case text == "false":
		atomic = false
	default:
		f.param("atomic", engine.CodeInvalidRequest, `must be "true" or "false"`)
	}
	if err := f.err(); err != nil {
		return err
	}
	async := preferred(x.r.Header["Prefer"]).async
	open := func(in io.Reader) lineSource { return s.lineSource(in, x.media, index, kind) }
	if !atomic && !async {
		return s.streamLines(x, open)
	}
	body, err := s.body(x, s.limits.BodyBytes)
	if err != nil {
		return err
	}
	return s.replays.once(x, body, s.now(), func(c *claim) error {
		if async {
			return s.enqueueLines(x, c, &job{Atomic: atomic, Media: x.media, Index: index, Kind: kind, jobProgress: jobProgress{Indexes: []string{index}}}, body)
		}
		return s.commitLines(x, c, open(bytes.NewReader(body)))
	})
}

// lineSource reads a body of NDJSON or CSV as operations on an index.
func (s *Server) lineSource(in io.Reader, media, index string, kind engine.OpKind) lineSource {
	schema := engine.Schema{}
	if info, err := s.engine.Index(index); err == nil {
		schema = info.Schema
	}
	if media == mediaCSV {
		return newCSVSource(in, index, kind, &schema, s.engineMax.RecordBytes, s.limits.ChunkBytes)
	}
	return newNDJSONSource(in, index, kind, primaryKey(&schema), s.engineMax.RecordBytes)
}

// lineChunk is some operations and where they come from.
type lineChunk struct {
	ops       []engine.Op
	lines     []int // by operation
	positions []int // by operation: how many lines, bad ones included, precede it
	bytes     int64
	faults    []fault // of lines that are no operation
	bad       int     // how many those are
}

func (c *lineChunk) add(op engine.Op, line, position int) {
	c.ops = append(c.ops, op)
	c.lines = append(c.lines, line)
	c.positions = append(c.positions, position)
	c.bytes += int64(len(op.Record) + len(op.ID))
}

func (c *lineChunk) fail(wrong *lineError, line, position int) {
	if c.bad++; len(c.faults) < maxFaults {
		c.faults = append(c.faults, fault{code: wrong.code, position: position, detail: atLine(line, wrong.detail)})
	}
}

// place makes a problem name its line and its position in the body.
func (c *lineChunk) place(p engine.Problem) fault {
	f := faultOf(p)
	if p.Position >= 0 && p.Position < len(c.lines) {
		f.detail = atLine(c.lines[p.Position], p.Detail)
		f.position = c.positions[p.Position]
		f.pointer = inRecord(p.Pointer)
	}
	return f
}

func atLine(line int, detail string) string {
	return "line " + strconv.Itoa(line) + ": " + detail
}

// commitLines applies all lines or, if anything is wrong with one, none.
func (s *Server) commitLines(x *exchange, c *claim, src lineSource) error {
	var chunk lineChunk
	var f faults
	for position := 0; ; position++ {
		op, line, err := src.next()
		var wrong *lineError
		switch {
		case err == io.EOF:
			if err := f.err(); err != nil {
				return err
			}
			return s.commit(x, c, chunk.ops, true, chunk.place)
		case errors.As(err, &wrong):
			f.add(fault{code: wrong.code, position: position, detail: atLine(line, wrong.detail)})
			continue
		case err != nil:
			return err
		}
		if chunk.add(op, line, position); len(chunk.ops) > s.engineMax.BatchOps {
			return batchTooLarge(s.engineMax.BatchOps)
		}
	}
}

// streamLines applies the lines of a body of any length in chunks. Lines that
// cannot be applied are reported and left out. When the body or the storage
// breaks off, the answer is an error that says what was applied before.
func (s *Server) streamLines(x *exchange, open func(io.Reader) lineSource) error {
	if headers := x.r.Header["Idempotency-Key"]; len(headers) > 0 {
		if _, ok := idempotencyKey(headers); !ok {
			return malformedIdempotencyKey()
		}
		return invalidRequest("an Idempotency-Key needs atomic=true")
	}
	body, _, err := x.content(s.limits.StreamBytes)
	if err != nil {
		return err
	}
	if err := s.reserve(x, 2*s.limits.ChunkBytes); err != nil {
		return err
	}
	stream := lineStream{s: s, x: x, out: s.newOutcome(x, false)}
	if err = stream.run(open(body)); err == nil {
		return nil
	}
	p := problemOf(err, stream.chunk.place)
	if out := stream.out; out.version > 0 {
		out.state, out.appliedAt, out.took = stateFailed, s.now(), time.Since(x.begin)
		p.batch = out
		s.keepFailed(x, out)
	}
	return p
}

// keepFailed remembers a streamed batch that broke off after some of its chunks
// were applied. The commit is of its own, after theirs: what broke the batch
// off may keep it from being remembered.
func (s *Server) keepFailed(x *exchange, out *batchOutcome) {
	ctx, cancel := s.writeContext(x)
	defer cancel()
	rows := s.batches.keep(out, appendBatch(nil, out))
	noted, done := s.witnessed(&change{event: eventBatchFailed, key: x.key.ID, at: out.appliedAt, version: out.version, indexes: out.indexes, batch: out})
	err := s.engine.PutRows(ctx, slices.Concat(rows, noted))
	if done(err); err != nil {
		s.batches.undo(rows)
		s.log.Error("batch outcome not kept", "request_id", x.id, "cause", causeType(err))
	}
}

// lineStream is the state of streamLines.
type lineStream struct {
	s     *Server
	x     *exchange
	out   *batchOutcome // of the chunks that are applied
	chunk lineChunk
}

// run applies everything that src yields and answers.
func (l *lineStream) run(src lineSource) error {
	for position := 0; ; position++ {
		op, line, err := src.next()
		var wrong *lineError
		switch {
		case err == io.EOF:
			return l.conclude(position)
		case errors.As(err, &wrong):
			l.chunk.fail(wrong, line, position)
			continue
		case err != nil:
			return readError(err)
		}
		l.chunk.add(op, line, position)
		if l.chunk.bytes >= l.s.limits.ChunkBytes || len(l.chunk.ops) == l.s.engineMax.BatchOps {
			if err := l.commit(position + 1); err != nil {
				return err
			}
		}
	}
}

// commit applies the chunk, with and before which there have been the given
// number of lines.
func (l *lineStream) commit(lines int) error {
	ctx, cancel := l.s.writeContext(l.x)
	defer cancel()
	b := l.chunk.batch()
	res, err := l.s.apply(ctx, l.x, b, func(*engine.BatchResult) *change { return &change{indexes: indexesOf(b)} })
	if err != nil {
		return err
	}
	l.out = l.account(res, lines)
	l.out.wroteTo(indexesOf(b))
	l.chunk = lineChunk{}
	return nil
}

// conclude applies the last chunk, which may be empty, and answers.
func (l *lineStream) conclude(lines int) error {
	return l.s.conclude(l.x, nil, l.chunk.batch(), func(res *engine.BatchResult) *batchOutcome {
		return l.account(res, lines)
	})
}

// batch is the chunk for the engine.
func (c *lineChunk) batch() *engine.Batch { return &engine.Batch{Ops: c.ops, Partial: true} }

// account returns the outcome with the chunk, of which res is the result. The
// one without it stays as it is, for the case that the commit fails.
func (l *lineStream) account(res *engine.BatchResult, lines int) *batchOutcome {
	out := *l.out
	out.count(res)
	out.failed += l.chunk.bad
	faults := l.chunk.faults
	for _, p := range res.Errors {
		faults = append(faults, l.chunk.place(p))
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return a.position - b.position })
	out.faults = append(out.faults, faults[:min(len(faults), maxFaults-len(out.faults))]...)
	if lines > l.s.engineMax.BatchOps {
		out.ids = nil
	}
	if out.ids != nil {
		out.ids = append(out.ids, make([]string, lines-len(out.ids))...)
		for i, id := range res.IDs {
			out.ids[l.chunk.positions[i]] = id
		}
	}
	return &out
}
