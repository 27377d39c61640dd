package engine

import (
	"errors"
	"slices"
)

// allWrong completes the error of a request that cannot be carried out: a search
// ends at the first mistake that it meets, and who has made several wants to be
// told of all of them. So each part of the request that fields belong to is looked
// at again on its own, without carrying it out.
func (s *searcher) allWrong(err error) error {
	first, ok := err.(*InvalidError)
	if !ok {
		return err
	}
	r := s.req
	all := problems{err: *first}
	all.err.Problems = slices.Clone(first.Problems)
	for _, part := range []Request{
		{Query: r.Query, Syntax: r.Syntax, Language: r.Language},
		{Fields: r.Fields},
		{Filter: r.Filter},
		{Sort: r.Sort, Geo: r.Geo},
		{Facets: r.Facets},
		{Distinct: r.Distinct, Group: r.Group, Limit: r.Limit},
		{Highlight: r.Highlight},
		{Members: r.Members},
	} {
		part.Indexes, part.Restrict = r.Indexes, r.Restrict
		part.Ranking, part.Typo.Off, part.Intent.Mode = RankingBM25, true, IntentOff
		var more *InvalidError
		if !errors.As(s.wrongIn(&part), &more) {
			continue
		}
		before := all.err.Problems // a part may have several problems in one place
		for _, p := range more.Problems {
			same := func(q Problem) bool { return q.Pointer == p.Pointer && q.Code == p.Code }
			if !slices.ContainsFunc(before, same) {
				all.add(p)
			}
		}
	}
	return all.orNil()
}

// wrongIn returns what is wrong with a request, as far as prepare finds it or its
// fields are concerned.
func (s *searcher) wrongIn(r *Request) error {
	part := &searcher{e: s.e, ctx: s.ctx, caller: s.caller, v: s.v, req: r, texts: new(queryTexts)}
	defer func() { s.e.pages.give(part.pages) }()
	if err := part.prepare(&Result{}); err != nil {
		return err
	}
	if _, err := part.collapser(); err != nil {
		return err
	}
	_, err := part.facetCounts()
	return err
}
