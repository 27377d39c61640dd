package engine

import (
	"fmt"
	"slices"
)

// check tests the numbers of a request.
func (s *searcher) check() error {
	r, l := s.req, s.e.opts.Limits
	var p problems
	limit := r.Limit
	switch {
	case limit == 0:
		limit = l.page()
	case limit < 0:
		limit = 0
	}
	if limit > l.Hits {
		p.addf(CodeLimitExceeded, "/limit", "the limit is %d hits", l.Hits)
	}
	if r.Offset < 0 {
		p.addf(CodeInvalidRequest, "/offset", "an offset is 0 or more")
	}
	if r.Offset > l.Window-limit {
		p.addf(CodeLimitExceeded, "/offset", "offset and limit together may be %d; go on with the cursor", l.Window)
	}
	if r.After != nil && r.Offset > 0 {
		p.addf(CodeInvalidRequest, "/offset", "a cursor and an offset exclude each other")
	}
	if len(r.Query) > l.QueryBytes {
		p.addf(CodeLimitExceeded, "/q", "the query has %d bytes; the limit is %d", len(r.Query), l.QueryBytes)
	}
	if len(r.Facets) > l.Facets {
		p.addf(CodeLimitExceeded, "/facets", "there may be %d facets", l.Facets)
	}
	fields := map[string]bool{}
	for i, f := range r.Facets {
		if fields[f.Field] {
			p.addf(CodeInvalidRequest, fmt.Sprintf("/facets/%d", i), "the facet %q is asked for twice", f.Field)
		}
		fields[f.Field] = true
	}
	for _, c := range [...]struct {
		pointer string
		ok      bool
	}{
		{"/syntax", r.Syntax <= SyntaxQuery}, {"/ranking", r.Ranking <= RankingBM25},
		{"/prefix", r.Prefix <= PrefixOff}, {"/highlight/escape", r.Highlight == nil || r.Highlight.Escape <= EscapeNone}, {"/match", r.Match <= MatchAny},
	} {
		if !c.ok {
			p.addf(CodeInvalidRequest, c.pointer, "there is no such choice")
		}
	}
	s.checkGeo(&p)
	r.Typo.check(&p)
	r.Semantic.check(&p)
	r.checkVector(&p)
	s.checkIntent(&p)
	checkPins(&p, "/pin", r.Pin)
	checkHidden(&p, "/hide", r.Hide)
	s.want = limit + max(r.Offset, 0)
	return p.orNil()
}

// checkCursor tests whether a position can be one of this request's order.
func (s *searcher) checkCursor() error {
	a := s.req.After
	keys := len(s.req.Sort)
	if keys == 0 && s.tree == nil && s.req.Similar == nil && len(s.req.Vector) == 0 {
		keys = 1 // see newest
	}
	if a != nil && a.Begin {
		keys = 0
	}
	if a != nil && (len(a.Sort) != keys || a.Seen < 0 || a.Pinned < 0) {
		return invalid(CodeInvalidCursor, "/cursor", "the cursor is not of this request")
	}
	return nil
}

// checkHighlight tests the fields to highlight against the schemas.
func (s *searcher) checkHighlight() error {
	h := s.req.Highlight
	if h == nil {
		return nil
	}
	var p problems
	if h.Words < 0 {
		p.addf(CodeInvalidRequest, "/highlight/words", "a number of words is 0 or more")
	}
	for i, name := range h.Fields {
		known, text := len(s.runs) == 0, len(s.runs) == 0
		for _, run := range s.runs {
			if n, ok := run.iv.schema.byName[name]; ok {
				known = true
				text = text || run.iv.schema.textOf[n] >= 0
			}
		}
		at := fmt.Sprintf("/highlight/fields/%d", i)
		if !known {
			p.addf(CodeUnknownField, at, "%s", s.noField(name))
		} else if !text {
			p.addf(CodeInvalidRequest, at, "the field %q is not searched, so nothing in it can be marked", name)
		} else if slices.Contains(h.Fields[:i], name) {
			p.addf(CodeInvalidRequest, at, "the field %q is named twice", name)
		}
	}
	return p.orNil()
}
