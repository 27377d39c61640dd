package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// indexTerm is a term in an index of the search.
type indexTerm struct{ index, term string }

// findUnseen notes the terms that only records out of the caller's reach hold, as far as
// it matters for what else they are called that they are many (see resolver.holders), and
// tells whether there are any that were not known before.
func (s *searcher) findUnseen() (found bool) {
	for _, run := range s.runs {
		for i := range run.res.leaves {
			l := &run.res.leaves[i]
			at := indexTerm{run.name, l.term}
			if !l.unseen || s.unseen[at] || !slices.ContainsFunc(run.res.related, func(r related) bool { return slices.Contains(r.terms, l.term) }) {
				continue
			}
			if s.unseen == nil {
				s.unseen = map[indexTerm]bool{}
			}
			s.unseen[at], found = true, true
		}
	}
	return found
}

// blind makes of the words that no record within the caller's reach holds what
// words are that the index does not hold at all: neither scores nor the meaning
// of the query tell that others hold them. How many others hold a word that
// the caller may see, in whichever index, does count in scores (see sumDF).
func (s *searcher) blind(run *searchRun) error {
	if len(s.req.Restrict) == 0 {
		return nil
	}
	v := s.sight(run)
	for i := range run.res.leaves {
		l := &run.res.leaves[i]
		if l.df == 0 || l.phrase != nil {
			continue
		}
		seen, err := v.any(l.lists)
		if err != nil {
			return err
		}
		if !seen {
			l.veiled, l.df, l.unseen = l.df, 0, true
			l.living, l.lists = nil, make([]*posting.List, len(l.lists)) // what is there is not only of this search
		}
	}
	return nil
}

// any tells whether a document that may be seen is in one of some lists, by
// segment.
func (v *sight) any(lists []*posting.List) (bool, error) {
	for seg, list := range lists {
		if list == nil {
			continue
		}
		for slot := range v.run.segs[seg].Slots {
			c := list.Container(v.run.segs[seg].Slots[slot].Page)
			if c == nil {
				continue
			}
			words, err := v.page(seg, slot)
			if err != nil {
				return false, err
			}
			if c.AndCount((*[posting.PageSize / 64]uint64)(words)) > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}
