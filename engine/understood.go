package engine

import "slices"

// understood tells in the result what was made of the words of the query, each
// thing once though several indexes made it. Words that only records out of
// sight hold are not told of.
func (s *searcher) understood(res *Result) error {
	for _, run := range s.runs {
		for _, c := range run.res.joined {
			seen, err := s.sees(run, c)
			if err != nil {
				return err
			}
			if seen && !slices.Contains(res.Query.Compounds, c.Correction) {
				res.Query.Compounds = append(res.Query.Compounds, c.Correction)
			}
		}
		for _, c := range run.res.called {
			seen, err := s.sees(run, c)
			if err != nil {
				return err
			}
			if seen && !slices.Contains(res.Query.Thesaurus, c.Correction) {
				res.Query.Thesaurus = append(res.Query.Thesaurus, c.Correction)
			}
		}
		for _, w := range append(run.res.notWanted, s.excluded...) {
			if !slices.Contains(res.Query.Without, w) {
				res.Query.Without = append(res.Query.Without, w)
			}
		}
	}
	return nil
}

// sees tells whether the request may see a record with a compound.
func (s *searcher) sees(run *searchRun, c compound) (bool, error) {
	if len(s.req.Restrict) == 0 {
		return true, nil
	}
	v := s.sight(run)
	for i := c.from; i < c.to; i++ {
		l := &run.res.leaves[i]
		if l.phrase != nil && !l.phrase.listed {
			if n, err := run.holding(l.phrase, 1, v.sets...); n > 0 || err != nil {
				return n > 0, err
			}
			continue
		}
		for seg, list := range l.lists {
			if n, err := v.count(seg, list); n > 0 || err != nil {
				return n > 0, err
			}
		}
	}
	return false, nil
}
