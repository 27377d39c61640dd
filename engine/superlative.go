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

// orderPart is the part that is the superlative which hits are to be sorted by, -1 if there is none.
func (u *understanding) orderPart() int {
	if u == nil {
		return -1
	}
	return slices.IndexFunc(u.parts, func(p clausePart) bool { return p.order != 0 && p.Use == IntentFilter })
}

// superlative makes a sort key of the superlative of the query, if there is one and some record
// holds all other words.
func (s *searcher) superlative(res *Result) error {
	i := s.intent.orderPart()
	if i < 0 || s.intent.denies() {
		return nil // what is not wanted comes last, in an order by score
	}
	key := SortKey{Field: s.intent.parts[i].field, Desc: s.intent.parts[i].order < 0}
	goes := false // on from a page that was in this order
	if a := s.req.After; a != nil && !a.Begin {
		if goes = len(a.Sort) == 2; !goes {
			return s.unordered(i) // nothing held all words when the first page was asked for
		}
	}
	asked, all := s.req, *s.req
	all.Match = MatchAll
	s.req, s.ordering = &all, asked.Match != MatchAll
	some, err := s.ofValues()
	if err == nil && !some {
		if err = s.settle(len(s.required)); err == nil {
			some, err = s.some()
		}
	}
	if err != nil {
		return err
	}
	if some || goes {
		all.Sort = []SortKey{key, {Field: scoreKey, Desc: true}}
		res.Query.SortFromIntent = all.Sort[:1:1]
		return s.things()
	}
	s.req, s.ordering = asked, false
	return s.unordered(i)
}

// ofValues makes filters of the values that the query names beside the superlative, and tells whether
// some record is left: the cheapest tent is one of the tents, and no pegs of a tent. If none is left,
// all is as it was.
func (s *searcher) ofValues() (some bool, err error) {
	before := slices.Clone(s.intent.parts)
	values := false
	for i := range s.intent.parts {
		if p := &s.intent.parts[i]; p.Use == IntentBoost && p.value != "" && p.whole && !p.denied && !p.together {
			p.Use, values = IntentFilter, true
		}
	}
	if !values {
		return false, nil
	}
	if err := s.reopen(); err != nil {
		return false, err
	}
	if err := s.settle(len(s.required)); err != nil {
		return false, err
	}
	if some, err = s.some(); some || err != nil {
		return some, err
	}
	if some, err = s.withoutFillers(); some || err != nil { // "largest city in nigeria"
		return some, err
	}
	s.intent.parts = before
	return false, s.reopen()
}

// unordered makes words of a superlative again.
func (s *searcher) unordered(part int) error {
	s.intent.parts = slices.Delete(s.intent.parts, part, part+1)
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
