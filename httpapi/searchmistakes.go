package httpapi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

// Who has made several mistakes wants to be told of all of them at once. Those of
// the form of a search are found while it is read, those about indexes and fields
// by the engine, which does not get a search whose form is at fault. So it is asked
// what else is wrong with that one, without carrying it out.

// withAlsoWrong completes the error of a search whose form is at fault. Who may make no search more
// this month is told of nothing that the engine would have to look for.
func (s *Server) withAlsoWrong(ctx context.Context, x *exchange, q *searchRequest, err error) error {
	var p *problem
	if !errors.As(err, &p) {
		return err
	}
	searches, refused := s.beginSearches(x, 1)
	if refused != nil {
		return err
	}
	defer searches.end()
	more := s.alsoWrong(ctx, q, p)
	if len(more) == 0 {
		return err
	}
	var all faults
	for _, f := range slices.Concat(p.faults, more) {
		all.add(f)
	}
	return all.err()
}

// alsoWrong returns what the engine finds wrong with a search whose form has a
// problem, but for what that tells already. Nothing is told of indexes if they are
// what is at fault: it would be of others, or of some that the key may not use.
func (s *Server) alsoWrong(ctx context.Context, q *searchRequest, p *problem) (more []fault) {
	at := func(member string) bool {
		return slices.ContainsFunc(p.faults, func(f fault) bool {
			head, _ := splitPointer(f.pointer)
			return head == member
		})
	}
	if q == nil || len(p.faults) == 0 || len(p.faults) == maxFaults || at("/index") {
		return nil
	}
	rest := *q
	rest.leaveOut(at)
	_, err := s.find(ctx, func(ctx context.Context, r *engine.Request) (*engine.Result, error) {
		return nil, s.engine.Mistakes(ctx, r)
	}, &rest)
	var found *problem
	if err == nil || !errors.As(s.searchProblem(&rest, err), &found) {
		return nil
	}
	for _, f := range found.faults { // there are none where the engine could not look
		if !slices.ContainsFunc(p.faults, func(g fault) bool { return g.pointer == f.pointer }) {
			more = append(more, f)
		}
	}
	return more
}

// leaveOut takes out of a search what is only half there, as something in it is
// wrong. Of lists of fields the members are there, in their places.
func (q *searchRequest) leaveOut(wrong func(member string) bool) {
	r := &q.Request
	for _, m := range [...]struct {
		name  string
		leave func()
	}{
		{"/facets", func() {
			r.Facets = slices.Clone(r.Facets)
			for i := range r.Facets {
				r.Facets[i].Ranges = nil
			}
		}},
		{"/distinct", func() { r.Distinct = "" }},
		{"/group", func() { r.Group = nil }},
		{"/geo", func() { r.Geo = nil }},
		{"/vector", func() { r.Vector = nil }},
		{"/semantic", func() { r.Vector, r.Semantic = nil, engine.SemanticRequest{} }},
		{"/similar", func() { r.Similar = nil }},
		{"/language", func() { r.Language = "" }},
		{"/typo", func() { r.Typo = engine.Typo{} }},
		{"/intent", func() { r.Intent = engine.Intent{} }},
		{"/pin", func() { r.Pin = nil }},
		{"/hide", func() { r.Hide = nil }},
	} {
		if wrong(m.name) {
			m.leave()
		}
	}
}

func filterLimits(max *engine.Limits) query.Limits {
	return query.Limits{MaxOperators: max.FilterOps, MaxDepth: max.FilterDepth}
}

// checkTexts reports what the engine would find wrong with the form of the filters
// and of the query.
func (q *searchRequest) checkTexts(max *engine.Limits, f *faults) {
	wrong := false
	add := func(pointer string, err error) {
		if e, ok := err.(*query.Error); ok {
			wrong = true
			f.add(fault{code: e.Code, pointer: pointer, detail: e.Detail, column: e.Column, position: -1})
		}
	}
	for i, text := range q.filters {
		pointer := "/filter"
		if len(q.filters) > 1 {
			pointer += "/" + strconv.Itoa(i)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		_, err := query.ParseFilter(text, filterLimits(max))
		add(pointer, err)
	}
	if len(q.filters) > 1 && !wrong { // together they may be too much
		if _, err := query.ParseFilterList(q.filters, filterLimits(max)); err != nil {
			item := 0
			if e, ok := err.(*query.Error); ok {
				item = e.Item
			}
			add("/filter/"+strconv.Itoa(item), err)
		}
	}
	if q.Syntax == engine.SyntaxQuery && len(q.Query) <= max.QueryBytes {
		_, err := query.ParseQuery(q.Query, query.Limits{MaxBytes: max.QueryBytes, MaxTerms: max.QueryTerms})
		add("/q", err)
	}
}
