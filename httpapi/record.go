package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/quarry-search/quarry/engine"
)

// target finds the record that a path names: in the index of the parameter
// index or, without one, in the one visible index that holds it. Without
// either, index is "".
func (s *Server) target(x *exchange) (index, id string, err error) {
	var params url.Values
	if params, err = x.query("index"); err != nil {
		return "", "", err
	}
	if id, err = x.pathID(); err != nil {
		return "", "", err
	}
	if params.Has("index") {
		index = params.Get("index")
		if !engine.ValidIndexName(index) {
			var f faults
			f.param("index", engine.CodeInvalidRequest, notIndexName)
			return "", "", f.err()
		}
		return index, id, x.mayUseIndex(index)
	}
	holders, err := s.holders(x, id)
	switch {
	case err != nil:
		return "", "", err
	case len(holders) > 1:
		return "", "", &problem{code: codeAmbiguousID, holder: holders,
			detail: "several indexes hold a record with this id; name one of them with ?index="}
	case len(holders) == 1:
		index = holders[0]
	}
	return index, id, nil
}

// existing is target for records that must be there.
func (s *Server) existing(x *exchange) (index, id string, err error) {
	if index, id, err = s.target(x); err != nil {
		return "", "", err
	}
	if index == "" {
		return "", "", recordNotFound()
	}
	return index, id, nil
}

// missing tells which one is not there: the index or only the record.
func (s *Server) missing(index string) error {
	if _, err := s.engine.Index(index); err != nil {
		return indexError(err)
	}
	return recordNotFound()
}

// showRecord answers GET /v1/record/{id}.
func (s *Server) showRecord(x *exchange) error {
	index, id, err := s.existing(x)
	if err != nil {
		return err
	}
	rec, err := s.engine.Record(x.r.Context(), index, id, x.key.Filters...)
	if errors.Is(err, engine.ErrNotFound) {
		return s.missing(index)
	}
	if err != nil {
		return err
	}
	c, err := x.conditions()
	if err != nil {
		return err
	}
	x.w.Header().Set("ETag", tagOf(rec.Version))
	switch unchanged, err := c.check(rec.Version); {
	case unchanged:
		x.head(304)
	case err != nil:
		x.w.Header().Del("ETag")
		return err
	default:
		x.json(200, appendRecord(nil, &rec))
	}
	return nil
}

// putRecord answers PUT /v1/record/{id}: 201 if there was no such record
// before, 200 if it is replaced.
func (s *Server) putRecord(x *exchange) error {
	index, id, err := s.target(x)
	if err != nil {
		return err
	}
	if index == "" {
		var f faults
		f.param("index", engine.CodeInvalidRequest, "no index holds this record yet; name the one to put it into with ?index=")
		return f.err()
	}
	record, err := s.recordBody(x)
	if err != nil {
		return err
	}
	c, err := x.conditions()
	if err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	res, fresh, err := s.put(ctx, x, c, engine.Op{Kind: engine.OpPut, Index: index, ID: id, Record: record})
	if err != nil {
		return err
	}
	status := 200
	if fresh {
		status = 201
		x.w.Header().Set("Location", "/v1/record/"+url.PathEscape(id)+"?index="+index)
	}
	x.json(status, appendWritten(nil, index, id, res.Version))
	return nil
}

// put puts a record, and tells whether there was none before.
func (s *Server) put(ctx context.Context, x *exchange, c conditions, op engine.Op) (res *engine.BatchResult, fresh bool, err error) {
	if !c.none() {
		return s.applyIf(ctx, x, c, op, eventRecordWritten)
	}
	once := op
	once.Kind = engine.OpPutNew
	res, err = s.applyOne(ctx, x, once, eventRecordWritten)
	if !errors.Is(err, engine.ErrRecordExists) {
		return res, true, err
	}
	res, err = s.applyOne(ctx, x, op, eventRecordWritten)
	return res, false, err
}

// change patches or deletes a record.
func (s *Server) change(ctx context.Context, x *exchange, c conditions, op engine.Op, event string) (*engine.BatchResult, error) {
	if c.none() {
		return s.applyOne(ctx, x, op, event)
	}
	res, _, err := s.applyIf(ctx, x, c, op, event)
	return res, err
}

// patchRecord answers PATCH /v1/record/{id}.
func (s *Server) patchRecord(x *exchange) error {
	index, id, err := s.existing(x)
	if err != nil {
		return err
	}
	fields, err := s.recordBody(x)
	if err != nil {
		return err
	}
	c, err := x.conditions()
	if err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	res, err := s.change(ctx, x, c, engine.Op{Kind: engine.OpPatch, Index: index, ID: id, Record: fields}, eventRecordWritten)
	if err != nil {
		return err
	}
	x.json(200, appendWritten(nil, index, id, res.Version))
	return nil
}

// deleteRecord answers DELETE /v1/record/{id}.
func (s *Server) deleteRecord(x *exchange) error {
	index, id, err := s.existing(x)
	if err != nil {
		return err
	}
	c, err := x.conditions()
	if err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	res, err := s.change(ctx, x, c, engine.Op{Kind: engine.OpDelete, Index: index, ID: id}, eventRecordDeleted)
	if err != nil {
		return err
	}
	if res.Deleted == 0 {
		return s.missing(index)
	}
	x.head(204)
	return nil
}

// applyOne applies one operation. Problems point into the record, which is the
// body of the request.
func (s *Server) applyOne(ctx context.Context, x *exchange, op engine.Op, event string) (*engine.BatchResult, error) {
	b := &engine.Batch{Ops: []engine.Op{op}}
	res, err := s.apply(ctx, x, b, func(res *engine.BatchResult) *change {
		c := &change{event: event, indexes: []string{op.Index}, record: op.ID}
		if res.Put+res.Patched+res.Deleted == 0 {
			c.event = "" // there was no such record
		}
		return c
	})
	if err != nil && !errors.Is(err, engine.ErrRecordExists) && !errors.Is(err, engine.ErrVersion) {
		return nil, problemOf(err, func(p engine.Problem) fault {
			f := faultOf(p)
			f.position = -1
			f.pointer = inRecord(f.pointer)
			return f
		})
	}
	return res, err
}

// inRecord turns a pointer into an operation of the engine into one into its
// record.
func inRecord(pointer string) string {
	head, rest := splitPointer(pointer)
	if head == "/record" {
		return rest
	}
	return ""
}

// recordBody reads a body that is a record or a part of one.
func (s *Server) recordBody(x *exchange) ([]byte, error) {
	const white = 64 << 10 // more than the record itself, so that the engine can say what its limit is
	body, err := s.jsonBody(x, int64(s.engineMax.RecordBytes)+white)
	var p *problem
	if errors.As(err, &p) && p.code == codeBodyTooLarge {
		return nil, &problem{code: engine.CodeRecordTooLarge, detail: fmt.Sprintf("a record has at most %d bytes", s.engineMax.RecordBytes)}
	}
	if err != nil {
		return nil, err
	}
	var d reader
	d.want(body, "{", "an object")
	return body.raw, d.err()
}
