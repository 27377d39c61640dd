package engine

import "slices"

// understood tells in the result what was made of the words of the query, each
// thing once though several indexes made it.
func (s *searcher) understood(res *Result) {
	for _, run := range s.runs {
		for _, c := range run.res.joined {
			if !slices.Contains(res.Query.Compounds, c) {
				res.Query.Compounds = append(res.Query.Compounds, c)
			}
		}
		for _, w := range run.res.notWanted {
			if !slices.Contains(res.Query.Without, w) {
				res.Query.Without = append(res.Query.Without, w)
			}
		}
	}
}
