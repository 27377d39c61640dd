package engine

// leastFillers is how many filler words a query has to have for these to be looked for where
// nothing else of it is known.
const leastFillers = 2

// speechless tells whether no record holds a content word of the query, or what stands for
// one, while it has filler words besides: "port already in use" where nothing is said of
// ports. Records that hold all of these are better than none. Phrases around what is asked
// for do not count: "i am looking for a quokka" finds nothing.
//
// Words that only records out of the caller's sight hold are unknown, so that nothing is told of those.
func (s *searcher) speechless() bool {
	if s.tree == nil || s.like != nil || s.bare || s.req.Ranking != RankingDefault || s.req.Match != MatchAuto || s.hasMust() {
		return false
	}
	fillers := false
	for _, run := range s.runs {
		r := run.res
		fillers = fillers || len(r.stops) >= leastFillers
		if r.words == 0 || len(r.groups) == 0 {
			return false
		}
		for _, g := range r.groups {
			if !r.seesNone(g) {
				return false
			}
		}
	}
	return fillers
}

// requireFillers requires the filler words among words, and nothing else of them, if there
// are enough of them; then they weigh as content does.
func (r *resolver) requireFillers(words []word) {
	n := len(r.must)
	for i := range words {
		if w := &words[i]; w.stop && !w.frame {
			r.must = append(r.must, w.expr)
		}
	}
	if len(r.must)-n < leastFillers {
		r.must = r.must[:n]
		for i := range words {
			if !words[i].stop {
				r.groups = append(r.groups, words[i].expr)
			}
		}
	}
	r.words = len(words)
	r.stops = r.stops[:0]
}
