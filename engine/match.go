package engine

import (
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// weigh sums up statistics over the indexes and gives the leaves weights.
func (s *searcher) weigh() error {
	s.df = nil
	if s.joint {
		s.sumDF()
	}
	for _, run := range s.runs {
		run.df = s.df
		run.q = &search.Query{
			Leaves:   run.res.weights(s.docs, s.df, s.comesLate()),
			Sets:     run.res.sets,
			Segments: run.segs,
			Pool:     &s.e.pool,
		}
	}
	return nil
}

// sumDF sums up how many documents hold the leaves. Those of an index in which the caller may see
// none of them count if that is otherwise in another one.
func (s *searcher) sumDF() {
	s.df = map[string]int64{}
	var veiled map[string]int64
	for _, run := range s.runs {
		seen := map[string]bool{}
		for i := range run.res.leaves {
			l := &run.res.leaves[i]
			if !seen[l.global] {
				seen[l.global] = true
				s.df[l.global] += l.df
				if l.veiled > 0 {
					if veiled == nil {
						veiled = map[string]int64{}
					}
					veiled[l.global] += l.veiled
				}
			}
			if l.phrase != nil {
				l.phrase.count(s.df, seen)
			}
		}
	}
	for global, n := range veiled {
		if s.df[global] > 0 {
			s.df[global] += n
		}
	}
}

// match settles how many of the query's words a record has to hold.
func (s *searcher) match() error {
	groups := 0
	for _, run := range s.runs {
		groups = max(groups, len(run.res.groups))
	}
	s.complete, s.whole = nil, false
	if err := s.addBegun(); err != nil {
		return err
	}
	if err := s.addID(); err != nil {
		return err
	}
	if err := s.countLacking(); err != nil {
		return err
	}
	least := min(1, groups)
	switch {
	case groups == 0:
	case s.req.Match == MatchAll:
		least = groups
	case s.req.Match == MatchAny || s.req.Ranking == RankingBM25 || groups == 1:
		for _, run := range s.runs {
			if len(run.res.must) > 0 && s.req.Match != MatchAny && s.hasMust() {
				least = 0
			}
		}
	default:
		var err error
		if least, err = s.enough(groups); err != nil {
			return err
		}
	}
	s.least = least
	for _, run := range s.runs {
		if run.counted.q == run.q && least == groups {
			run.q.Match = run.counted.match
			continue
		}
		run.q.Match = run.condition(least)
		if s.tree != nil && groups == 0 && len(run.q.Leaves) == 0 && len(run.res.must) == 0 {
			run.q.Match = &search.Expr{Op: search.OpOr} // nothing but punctuation
		}
		if e := run.q.Match; e.Op == search.OpLeaf {
			if l := &run.res.leaves[e.Leaf]; l.phrase == nil && l.field == "" {
				run.counted = counted{run.q, e, l.df}
			}
		}
	}
	return nil
}

// countLacking settles whether records are found for what they lack alone. They are if none that
// may be found holds any other word: who wants a "mower without cable" asks for mowers, and not
// for all that is cordless.
func (s *searcher) countLacking() error {
	if s.req.Match == MatchAll || !slices.ContainsFunc(s.runs, func(run *searchRun) bool { return len(run.res.lack) > 0 }) {
		return nil
	}
	for _, run := range s.runs {
		run.lacksAlone = false
		q := *run.q
		q.Match = andOf(append(slices.Clone(run.res.must), orOf(run.res.groups)))
		if n, err := search.CountTo(s.ctx, &q, 1); n > 0 || err != nil {
			return err
		}
	}
	for _, run := range s.runs {
		run.lacksAlone = len(run.res.lack) > 0
	}
	return nil
}

// counted is how many documents of an index match a query, where that is known
// before it is carried out.
type counted struct {
	q     *search.Query
	match *search.Expr
	n     int64
}

// of tells whether it is q that was counted, as q is now.
func (c *counted) of(q *search.Query) bool { return c.match != nil && c.q == q && c.match == q.Match }

// hasMust tells whether the query requires words by a sign of its own, so that
// the other words only add to the score.
func (s *searcher) hasMust() bool {
	b, ok := s.tree.(query.Bool)
	return ok && len(b.Must) > 0
}

// condition is what a record has to satisfy: what is required anyhow, and
// least of the groups.
func (run *searchRun) condition(least int) *search.Expr { return run.conditionOf(run.res.must, least) }

// conditionOf is condition with other requirements.
func (run *searchRun) conditionOf(must []*search.Expr, least int) *search.Expr {
	all := slices.Clone(must)
	g := run.res.groups
	switch {
	case least <= 0 || len(g) == 0:
	case least == 1:
		if run.lacksAlone {
			g = append(slices.Clone(g), run.res.lack...)
		}
		all = append(all, orOf(g))
	case least >= len(g):
		all = append(all, g...)
	default:
		all = append(all, &search.Expr{Op: search.OpAtLeast, Min: least, Kids: g})
	}
	return run.orNear(andOf(all), must)
}

// orNear is a condition on words that the nearest records satisfy, too, and those whose
// titles are being typed, if they satisfy the other requirements.
func (run *searchRun) orNear(words *search.Expr, must []*search.Expr) *search.Expr {
	if run.begunSet != nil {
		words = orOf([]*search.Expr{words, andOf(append(slices.Clone(must), run.begunSet))})
	}
	if run.near == nil {
		return words
	}
	near := andOf(append(slices.Clone(must), run.near))
	if run.pure {
		return near
	}
	return orOf([]*search.Expr{words, near})
}

func andOf(kids []*search.Expr) *search.Expr {
	switch len(kids) {
	case 0:
		return &search.Expr{Op: search.OpAll}
	case 1:
		if kids[0].Op != search.OpNot {
			return kids[0]
		}
	}
	return &search.Expr{Op: search.OpAnd, Kids: kids}
}

func orOf(kids []*search.Expr) *search.Expr {
	if len(kids) == 1 {
		return kids[0]
	}
	return &search.Expr{Op: search.OpOr, Kids: kids}
}

// enough returns the number of words of the query that a record has to hold:
// all of them, if as many records do as hits are asked for, and else 1 (or 0
// beside required words). Asking for all but one, or for half of them, would
// put records with many common words of a question above those with the few
// that matter, which costs 5 % of nDCG@10 on questions of natural language and
// gains nothing on short queries.
//
// What a page holds is asked for, whichever page it is, so that all pages are
// of one set.
func (s *searcher) enough(groups int) (int, error) {
	asked := int64(s.asked())
	floor := 1
	if s.hasMust() {
		floor = 0
	}
	first := asked // from how many on they come first
	if len(s.req.Sort) == 0 {
		first = min(first, completePage)
	}
	if s.atMost() < first {
		return floor, nil // whatever they come to
	}
	total := int64(0)
	for _, run := range s.runs {
		most := int64(math.MaxInt64)
		if s.req.NoTotal { // else the whole count is of use
			if most = asked - total; most <= 0 {
				break
			}
		}
		run.q.Match = run.condition(groups)
		n, err := search.CountTo(s.ctx, run.q, most)
		if err != nil {
			return 0, err
		}
		if n < most {
			run.counted = counted{run.q, run.q.Match, n}
		}
		total += n
	}
	if s.whole = total >= asked; s.whole {
		return groups, nil
	}
	if total >= first {
		s.complete = &complete{words: groups}
	}
	return floor, nil
}

// asked is the number of hits on a page. A request without hits is taken for the first
// page of the one with them.
func (s *searcher) asked() int {
	if n := s.limit(); n > 0 {
		return n
	}
	return s.e.opts.Limits.page()
}

// atMost is no less than the number of records that hold all words of the query: those
// that hold the rarest of them, as far as that is known before a search. What counts
// phrases also settles where they are, so with these nothing is known.
func (s *searcher) atMost() (total int64) {
	for _, run := range s.runs {
		if run.res.phrased() || run.near != nil {
			return math.MaxInt64
		}
		least := int64(math.MaxInt32)
		for _, g := range run.res.groups {
			least = min(least, run.res.holdAtMost(g))
		}
		total += least
	}
	return total
}

// holdAtMost is no less than the number of records that satisfy a condition on words.
func (r *resolver) holdAtMost(e *search.Expr) int64 {
	switch e.Op {
	case search.OpLeaf:
		if l := &r.leaves[e.Leaf]; l.phrase == nil || l.phrase.listed {
			return l.df
		}
	case search.OpOr:
		sum := int64(0)
		for _, k := range e.Kids {
			sum = min(sum+r.holdAtMost(k), math.MaxInt32)
		}
		return sum
	}
	return math.MaxInt32
}
