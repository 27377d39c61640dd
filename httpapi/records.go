package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// pageBytes bounds a page of an export: it ends with the record that reaches
// this size.
const pageBytes = 8 << 20

// exportRecords answers GET /v1/records: the records of an index, by id, one a
// line. Without limit they all come in one answer, as they were at one moment;
// with it in pages, whose header Next-Cursor leads to the next.
func (s *Server) exportRecords(x *exchange) error {
	params, err := x.query("index", "limit", "cursor", "filter")
	if err != nil {
		return err
	}
	var f faults
	index := params.Get("index")
	if !engine.ValidIndexName(index) {
		f.param("index", engine.CodeInvalidRequest, "must be the name of the index to export")
	}
	o := engine.RecordsOptions{Filter: params.Get("filter"), Restrict: x.key.Filters}
	if params.Has("filter") && strings.TrimSpace(o.Filter) == "" {
		f.param("filter", engine.CodeInvalidFilter, "is empty; leave it out to export all records")
	}
	limit := pageLimit(&f, params, 0, 10_000)
	identity := exportIdentity(x.key, index, &o)
	o.After = s.pageStart(&f, params, cursorRecords, identity)
	if err := f.err(); err != nil {
		return err
	}
	if err := x.mayUseIndex(index); err != nil {
		return err
	}
	if _, err := s.engine.Index(index); err != nil {
		return indexError(err)
	}
	if limit > 0 {
		return s.exportPage(x, index, o, limit)
	}
	return s.exportAll(x, index, o)
}

// exportIdentity is what must be the same in the request for the next page.
func exportIdentity(key *keyring.Grant, index string, o *engine.RecordsOptions) []byte {
	id := appendString(nil, string(key.Identity()))
	id = appendString(id, index)
	return appendString(id, o.Filter)
}

// exportProblem places what is wrong with a filter.
func exportProblem(err error) error {
	return problemOf(err, func(p engine.Problem) fault {
		f := faultOf(p)
		if p.Pointer == "/filter" {
			f.pointer, f.parameter = "", "filter"
		}
		return f
	})
}

// exportPage answers with a page of records.
func (s *Server) exportPage(x *exchange, index string, o engine.RecordsOptions, limit int) error {
	if err := s.reserve(x, pageBytes); err != nil {
		return err
	}
	var page []byte
	records, last, more := 0, "", false
	for rec, err := range s.engine.Records(x.r.Context(), index, o) {
		if err != nil {
			return exportProblem(err)
		}
		if more = records == limit || len(page) >= pageBytes; more {
			break
		}
		page = appendLine(page, rec.JSON)
		records, last = records+1, rec.ID
	}
	if more {
		x.w.Header().Set("Next-Cursor", s.cursors.sign(cursorRecords, exportIdentity(x.key, index, &o), []byte(last)))
	}
	x.send(200, mediaNDJSON, page)
	return nil
}

// exportAll streams all records. An error after the first of them breaks the
// connection off: an answer that is complete is all of them.
func (s *Server) exportAll(x *exchange, index string, o engine.RecordsOptions) error {
	const flushBytes = 64 << 10
	ctx, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	buf := make([]byte, 0, 2*flushBytes)
	flush := func() bool {
		if !x.begun {
			x.w.Header().Set("Content-Type", mediaNDJSON)
			x.head(200)
		}
		x.moreTime()
		_, err := x.w.Write(buf)
		buf = buf[:0]
		return err == nil
	}
	for rec, err := range s.engine.Records(ctx, index, o) {
		if err != nil {
			if !x.begun {
				return exportProblem(err)
			}
			s.log.Error("export broken off", "request_id", x.id, "cause", causeType(err))
			panic(http.ErrAbortHandler)
		}
		if buf = appendLine(buf, rec.JSON); len(buf) >= flushBytes && !flush() {
			return nil // the client has gone
		}
	}
	flush()
	return nil
}
