package engine

import (
	"cmp"
	"context"
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
	all := problems{err: *first}
	all.err.Problems = slices.Clone(first.Problems)
	_ = s.partsWrong(&all) // the first mistake is told whatever keeps others from being found
	return all.orNil()
}

// Mistakes returns the *InvalidError that Search would return, nil if there is
// nothing wrong with a request, which is not carried out; After is not looked at. It is for callers who
// have found mistakes of their own in what they make a request of, and want to tell
// of all of them. Like Search it returns ErrNotFound for an index that is not there.
func (e *Engine) Mistakes(ctx context.Context, r *Request) (err error) {
	defer e.tell(&err)
	if r == nil {
		r = &Request{}
	}
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer e.release(v)
	s := &searcher{e: e, ctx: ctx, caller: ctx, v: v, req: r}
	if err := s.check(); err != nil {
		return s.allWrong(err)
	}
	if _, err := v.resolveNames(r.Indexes); err != nil {
		return err
	}
	var all problems
	if err := s.partsWrong(&all); err != nil {
		return err
	}
	return all.orNil()
}

// partsWrong adds what is wrong with the parts of the request, each on its own. An
// error has kept it from finding all of that.
func (s *searcher) partsWrong(all *problems) (err error) {
	r := s.req
	parts := []Request{
		{Query: r.Query, Syntax: r.Syntax},
		{Language: r.Language, Typo: Typo{OffFields: r.Typo.OffFields}},
		{Fields: r.Fields},
		{Filter: r.Filter},
		{Geo: r.Geo},
		{Sort: r.Sort},
		{Facets: r.Facets},
		{Distinct: r.Distinct, Group: r.Group, Limit: r.Limit},
		{Highlight: r.Highlight},
		{Members: r.Members},
		{Vector: r.Vector, Semantic: r.Semantic},
	}
	if r.Similar != nil {
		parts = append(parts, Request{Query: r.Query, Similar: r.Similar})
	}
	for _, part := range parts {
		part.Indexes, part.Restrict = r.Indexes, r.Restrict
		part.Typo.Off, part.Intent.Mode = true, IntentOff
		if len(part.Vector) == 0 { // which this excludes
			part.Ranking = RankingBM25
		}
		wrong := s.wrongIn(&part)
		var more *InvalidError
		if !errors.As(wrong, &more) {
			err = cmp.Or(err, wrong)
			continue
		}
		before, unlisted := all.err.Problems, 0 // a part may have several problems in one place
		for _, p := range more.Problems {
			same := func(q Problem) bool { return q.Pointer == p.Pointer && q.Code == p.Code }
			if !slices.ContainsFunc(before, same) {
				all.add(p)
				unlisted = more.Total - len(more.Problems)
			}
		}
		all.err.Total += unlisted
	}
	return err
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
	if len(r.Vector) > 0 {
		if _, err := part.look(""); err != nil {
			return err
		}
	} else if r.Semantic.Field != "" { // without the vector, for which an embedder would be asked
		for _, run := range part.runs {
			if _, err := part.fieldToCompare(run, false); err != nil {
				return err
			}
		}
	}
	_, err := part.facetCounts()
	return err
}
