package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// Bounds of a multi-search. Each of its searches may take as long as one that
// comes alone, but all of them together no longer than searchesTime.
const (
	maxSearches  = 50
	searchesTime = 30 * time.Second
)

// multiSearch answers POST /v1/multi-search: several searches of one state of
// the indexes. A mistake in any of them is one of the request.
func (s *Server) multiSearch(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.jsonBody(x, s.limits.SearchBytes)
	if err != nil {
		return err
	}
	var all faults
	searches, err := s.parseSearches(x.key, body, &all)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), searchesTime)
	defer cancel()
	metered, err := s.beginSearches(x, int64(len(searches)))
	if err != nil {
		return err
	}
	defer metered.end()
	snapshot, err := s.snapshotFor(ctx, searches)
	if err != nil {
		return err
	}
	defer snapshot.Close()
	room := &answerRoom{s: s, x: x, copies: 3}
	w := jsonWriter{buf: make([]byte, 0, 4096)}
	w.open('{')
	w.key("results")
	w.open('[')
	for i, q := range searches {
		if q == nil {
			continue // there is no such preset
		}
		if q.wrong != nil {
			if more := s.alsoWrong(ctx, q, q.wrong); len(more) > 0 {
				all.within(searchPointer(i), &problem{code: engine.CodeInvalidRequest, faults: more})
			}
			continue
		}
		q.Memory = room
		res, err := s.searchSnapshot(ctx, snapshot, q)
		if err != nil {
			if err := all.within(searchPointer(i), s.searchProblem(q, err)); err != nil {
				return err
			}
			continue
		}
		w.raw(s.appendResult(nil, q, res))
	}
	w.close(']')
	if err := all.err(); err != nil {
		return unprocessable(err)
	}
	w.integerAt("version", int64(snapshot.Version()))
	w.key("took_ms")
	w.millis(time.Since(x.begin))
	w.close('}')
	metered.count(int64(len(searches)))
	x.json(200, w.buf)
	return nil
}

func searchPointer(i int) string { return "/searches/" + strconv.Itoa(i) }

// parseSearches reads the searches of a request. The faults of those that have
// any go to all; an error is about the body as a whole.
func (s *Server) parseSearches(key *keyring.Grant, body value, all *faults) (list []*searchRequest, err error) {
	var d reader
	given := false
	d.object(body, []member{{"searches", func(v value) {
		given = true
		if !d.want(v, "[", "a list of searches") {
			return
		}
		v.eachElement(func(e value) {
			if len(list) == maxSearches {
				if d.total == 0 {
					d.at(v.at, engine.CodeLimitExceeded, "there may be %d searches", maxSearches)
				}
				return
			}
			q, perr := s.parseSearch(key, value{raw: e.raw})
			if perr != nil {
				err = errors.Join(err, all.within(searchPointer(len(list)), perr))
				if q != nil {
					errors.As(perr, &q.wrong)
				}
			}
			list = append(list, q)
		})
		if len(list) == 0 {
			d.at(v.at, engine.CodeInvalidRequest, "names no search")
		}
	}}})
	if !given && d.total == 0 {
		d.at("", engine.CodeInvalidRequest, `"searches" is missing`)
	}
	if err != nil || d.total == 0 {
		return list, err
	}
	for _, f := range d.list {
		all.add(f)
	}
	return nil, unprocessable(all.err())
}

// within takes over the faults of a problem with a part of the body that
// pointer names. Any other error, and a problem that is not the request's, is
// returned.
func (f *faults) within(pointer string, err error) error {
	var p *problem
	if !errors.As(err, &p) || p.status() >= http.StatusInternalServerError {
		return err
	}
	list := p.faults
	if len(list) == 0 {
		list = []fault{{code: p.code, detail: p.detail, position: -1}}
	}
	for _, x := range list {
		x.pointer = pointer + x.pointer
		f.add(x)
	}
	return nil
}

// unprocessable makes 422 of a problem with several parts of a body, whatever
// each would be alone, but leaves what is only forbidden.
func unprocessable(err error) error {
	var p *problem
	if errors.As(err, &p) && p.status() != http.StatusUnprocessableEntity && p.status() != http.StatusForbidden {
		p.code = engine.CodeInvalidRequest
	}
	return err
}

// snapshotFor returns the state for searches, of at least the version that any
// of them asks for.
func (s *Server) snapshotFor(ctx context.Context, searches []*searchRequest) (*engine.Snapshot, error) {
	if err := s.awaitVersion(ctx, searches...); err != nil {
		return nil, err
	}
	return s.engine.Snapshot()
}

func (s *Server) searchSnapshot(ctx context.Context, snapshot *engine.Snapshot, q *searchRequest) (*engine.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.SearchTimeout)
	defer cancel()
	return s.find(ctx, snapshot.Search, q)
}
