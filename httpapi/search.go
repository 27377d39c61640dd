package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// search answers POST /v1/search.
func (s *Server) search(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.jsonBody(x, s.limits.SearchBytes)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), s.limits.SearchTimeout)
	defer cancel()
	q, err := s.parseSearch(x.key, body)
	if err != nil {
		return s.withAlsoWrong(ctx, x, q, err)
	}
	searches, err := s.beginSearches(x, 1)
	if err != nil {
		return err
	}
	defer searches.end()
	if err := s.awaitVersion(ctx, q); err != nil {
		return err
	}
	room := &answerRoom{s: s, x: x, copies: 2}
	q.Memory = room
	res, err := s.find(ctx, s.engine.Search, q)
	if err != nil {
		return s.searchProblem(q, err)
	}
	searches.count(1)
	answer := s.bodies.take()
	defer s.bodies.give(answer)
	if room.held > 0 {
		*answer = slices.Grow(*answer, int(room.bytes)+int(room.bytes)/8) // so that it is not copied while it grows
	}
	*answer = append(s.appendResult(*answer, q, res), '\n')
	x.together(len(*answer))
	x.send(200, mediaJSON, *answer)
	return nil
}

// awaitVersion waits until the service has all versions that searches ask for,
// no longer than the shortest timeout_ms among those or, without one, than a
// search may take. Searches that are nil do not count. What a search has waited
// is taken off the time that it has to find something.
func (s *Server) awaitVersion(ctx context.Context, searches ...*searchRequest) error {
	version, most := uint64(0), s.limits.SearchTimeout
	for _, q := range searches {
		if q != nil && q.wrong == nil && q.MinVersion > 0 {
			version = max(version, q.MinVersion)
			if q.Timeout > 0 {
				most = min(most, q.Timeout)
			}
		}
	}
	if version == 0 {
		return nil
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := s.engine.WaitVersion(ctx, version)
	if errors.Is(err, context.DeadlineExceeded) {
		return &problem{
			code:   codeSearchTimeout,
			detail: fmt.Sprintf("the service has not reached version %d within %d ms; nothing was searched", version, most.Milliseconds()),
		}
	}
	waited := time.Since(begin).Truncate(time.Millisecond)
	for _, q := range searches {
		if q != nil && q.MinVersion > 0 && q.Timeout > 0 {
			q.Timeout = max(q.Timeout-waited, time.Millisecond)
		}
	}
	return err
}

// appendResult writes the answer to a search.
func (s *Server) appendResult(dst []byte, q *searchRequest, res *engine.Result) []byte {
	next := ""
	if res.Next != nil {
		next = s.cursors.sign(cursorSearch, q.identity(), appendPosition(nil, res.Next))
	}
	return appendSearch(dst, q, res, next)
}

// searchProblem is the answer to an error of a search.
func (s *Server) searchProblem(q *searchRequest, err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{
			code:   codeSearchTimeout,
			detail: fmt.Sprintf("the search was not finished after %d ms; with timeout_ms it returns what it has found by then", s.limits.SearchTimeout.Milliseconds()),
		}
	case errors.Is(err, engine.ErrNotFound) && !errors.Is(err, engine.ErrInvalid):
		return s.unknownIndexes(q)
	}
	return problemOf(err, q.place)
}

// unknownIndexes says which of the names in a search are no index's.
func (s *Server) unknownIndexes(q *searchRequest) error {
	var f faults
	for i, name := range q.Indexes {
		if _, err := s.engine.Index(name); err != nil && !strings.HasSuffix(name, "*") {
			detail := ""
			if !f.full() { // the others are only counted
				detail = s.noIndex(q.key, name)
			}
			f.add(q.place(engine.Problem{Code: engine.CodeIndexNotFound, Pointer: "/index/" + strconv.Itoa(i), Position: -1, Detail: detail}))
		}
	}
	if f.total == 0 { // it is there by now
		return indexNotFound()
	}
	q.checkTexts(&s.engineMax, &f)
	return f.err()
}

// noIndex says that there is no index of a name, and which one of those that a
// key may use may be meant.
func (s *Server) noIndex(key *keyring.Grant, name string) string {
	detail := "there is no index with this name"
	var names []string
	for _, info := range s.engine.Indexes() {
		if key != nil && key.Allows(info.Name) {
			names = append(names, info.Name)
		}
	}
	if like := nearest(name, names); like != "" {
		detail += "; did you mean " + strconv.Quote(like) + "?"
	}
	return detail
}

// place finds the member of a search that a problem of the engine is about.
// The engine sees lists where the request may have a single value.
func (q *searchRequest) place(p engine.Problem) fault {
	f := faultOf(p)
	if head, rest := splitPointer(p.Pointer); len(head) > 0 && q.single.has(head[1:]) {
		_, rest = splitPointer(rest)
		f.pointer = head + rest
	}
	if p.Pointer == "/filter" && len(q.filters) > 1 {
		f.pointer, f.column = q.inFilters(p.Column)
	}
	return f
}

// inFilters finds the condition at a column of the filters joined in the list of
// the request.
func (q *searchRequest) inFilters(column int) (pointer string, inOne int) {
	no := query.Limits{MaxOperators: math.MaxInt, MaxDepth: math.MaxInt}
	nth := slices.Index(query.ConditionColumns(q.Filter, no), column)
	if nth < 0 {
		return "/filter", 0
	}
	for i, text := range q.filters {
		columns := query.ConditionColumns(text, no)
		if nth < len(columns) {
			return "/filter/" + strconv.Itoa(i), columns[nth]
		}
		nth -= len(columns)
	}
	return "/filter", 0
}

// splitPointer cuts a JSON pointer after its first name.
func splitPointer(pointer string) (head, rest string) {
	for i := 1; i < len(pointer); i++ {
		if pointer[i] == '/' {
			return pointer[:i], pointer[i:]
		}
	}
	return pointer, ""
}
