package httpapi

import (
	"context"
	"net/http"

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
		f.param("index", engine.CodeInvalidRequest, "names the index to export")
	}
	if params.Has("filter") {
		f.param("filter", engine.CodeInvalidRequest, "this version does not offer it")
	}
	limit := pageLimit(&f, params, 0, 10_000)
	after := s.pageStart(&f, params, cursorRecords, exportIdentity(x.key, index))
	if err := f.err(); err != nil {
		return err
	}
	if err := x.mayUse(index); err != nil {
		return err
	}
	if _, err := s.engine.Index(index); err != nil {
		return indexError(err)
	}
	if limit > 0 {
		return s.exportPage(x, index, after, limit)
	}
	return s.exportAll(x, index, after)
}

// exportPage answers with a page of records.
func (s *Server) exportPage(x *exchange, index, after string, limit int) error {
	if err := s.reserve(x, pageBytes); err != nil {
		return err
	}
	var page []byte
	records, last, more := 0, "", false
	for rec, err := range s.engine.Records(x.r.Context(), index, after) {
		if err != nil {
			return err
		}
		if more = records == limit || len(page) >= pageBytes; more {
			break
		}
		page = appendLine(page, rec.JSON)
		records, last = records+1, rec.ID
	}
	if more {
		x.w.Header().Set("Next-Cursor", s.cursors.sign(cursorRecords, exportIdentity(x.key, index), []byte(last)))
	}
	x.send(200, mediaNDJSON, page)
	return nil
}

// exportAll streams all records. An error after the first of them breaks the
// connection off: an answer that is complete is all of them.
func (s *Server) exportAll(x *exchange, index, after string) error {
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
	for rec, err := range s.engine.Records(ctx, index, after) {
		if err != nil {
			if !x.begun {
				return err
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

// exportIdentity is what the pages of one export share.
func exportIdentity(key *keyring.Grant, index string) []byte {
	return appendString([]byte(index), string(key.Identity()))
}
