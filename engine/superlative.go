package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/search"
)

// A query with a superlative, "cheapest gaming laptop", wants what holds all its other words,
// by the value that is spoken of. If nothing holds all of them, or the words of the
// superlative stand in a title, it is a query like others.

// sortable tells whether all indexes of the search that have a field can be sorted by it.
func (s *searcher) sortable(field string) bool {
	return !slices.ContainsFunc(s.runs, func(run *searchRun) bool {
		n := run.iv.schema.Field(field)
		return n >= 0 && !run.iv.schema.Fields[n].Sort
	})
}

// superlative makes a sort key of the superlative of the query, if there is one and some record
// holds all other words.
func (s *searcher) superlative(res *Result) error {
	if s.intent == nil {
		return nil
	}
	i := slices.IndexFunc(s.intent.parts, func(p clausePart) bool { return p.order != 0 && p.Use == IntentFilter })
	if i < 0 || s.intent.denies() {
		return nil // what is not wanted comes last, in an order by score
	}
	p := &s.intent.parts[i]
	goes := false // on from a page that was in this order
	if a := s.req.After; a != nil && !a.Begin {
		if goes = len(a.Sort) == 2; !goes {
			return nil // nothing held all words when the first page was asked for
		}
	}
	asked, all := s.req, *s.req
	all.Match = MatchAll
	s.req = &all
	if err := s.settle(len(s.required)); err != nil {
		return err
	}
	some, err := s.some()
	if err != nil {
		return err
	}
	if some || goes {
		all.Sort = []SortKey{{Field: p.field, Desc: p.order < 0}, {Field: scoreKey, Desc: true}}
		res.Query.SortFromIntent = all.Sort[:1:1]
		return s.settle(len(s.required))
	}
	s.req = asked
	p.Use = IntentBoost
	if err := s.reopen(); err != nil {
		return err
	}
	return s.settle(len(s.required))
}

// some tells whether any record matches.
func (s *searcher) some() (bool, error) {
	for _, run := range s.runs {
		if n, err := search.CountTo(s.ctx, run.q, 1); n > 0 || err != nil {
			return n > 0, err
		}
	}
	return false, nil
}
