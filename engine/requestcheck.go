package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/query"
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
	r.checkNumbers(&p)
	s.want = limit + max(r.Offset, 0)
	return p.orNil()
}

// maxTuning bounds the members of a Tuning, so that no score overflows.
const maxTuning = 1000

// checkNumbers tests the numbers that may not be any.
func (r *Request) checkNumbers(p *problems) {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	if !finite(r.MinScore) {
		p.addf(CodeInvalidRequest, "/min_score", "a score is a finite number")
	}
	if r.Timeout < 0 {
		p.addf(CodeInvalidRequest, "/timeout_ms", "a time is 0 or more")
	}
	for _, m := range r.Tuning.members() {
		if !finite(*m.at) || *m.at > maxTuning {
			p.addf(CodeInvalidRequest, "/"+m.name, "what a stage is worth is a finite number up to %d", maxTuning)
		}
	}
	for i, f := range r.Facets {
		for j, g := range f.Ranges {
			for _, end := range [...]struct {
				name  string
				plain *float64
				exact query.Value
			}{{"from", g.From, g.FromValue}, {"to", g.To, g.ToValue}} {
				if end.plain != nil && !finite(*end.plain) || end.exact.Kind == query.KindFloat && !finite(end.exact.Float) {
					p.addf(CodeInvalidRequest, fmt.Sprintf("/facets/%d/ranges/%d/%s", i, j, end.name), "the ends of a range are finite numbers; without one it is open")
				}
			}
		}
	}
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
			p.noField(s, at, name)
		} else if !text {
			p.addf(CodeInvalidRequest, at, "the field %q is not searched, so nothing in it can be marked", name)
		} else if slices.Contains(h.Fields[:i], name) {
			p.addf(CodeInvalidRequest, at, "the field %q is named twice", name)
		}
	}
	return p.orNil()
}
