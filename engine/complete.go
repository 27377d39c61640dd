package engine

import (
	"errors"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/search"
)

// Where fewer records hold all words of a query than are asked for, those that hold
// some match as well (see searcher.enough). Who asks for ten would then see other
// records first than who asks for a hundred, though the ten are there. So if there are
// a page of complete records, they come first, as they do if no more are asked for, and
// the others behind them. Fewer than a page are ranked among the others: a record may
// hold all words of a question by chance.
//
// Complete records get a lift, the same for each of them, by which the last of them
// comes above the best of the others. As a lift never takes away, the order by score
// is one order of all matches still.

// completePage is how many records have to hold all words for these to come first. On
// judged collections 10 gives the first ten of a search for 1,000 the nDCG@10 of a
// search for ten (chorus-electronics .792, and .785 if none came first); from 1 or 3
// on, questions lose up to .012 (cosqa).
const completePage = 10

// complete are the records that hold all words of a query, where these come first.
type complete struct {
	words  int             // of the query: see searchRun.condition
	hits   []found         // without the lift
	in     map[docKey]bool // hits; nil: they have not been looked for
	lift   uint64
	lifted bool // lift is known
}

// completeFirst collects hits by score: those that hold all words of the query, where
// they come first, and then the others, by words alone.
func (s *searcher) completeFirst(w stretch) (hits []found, total int64, err error) {
	c := s.complete
	if s.allComplete() && w.after != nil && !w.after.Complete {
		w = stretch{count: w.count} // that is behind all of them
	}
	if c == nil || w.k <= 0 {
		return s.reranked(w)
	}
	if c.in == nil {
		err = s.findComplete()
	}
	order := sortedHits{}
	for i := range c.hits {
		f := &c.hits[i]
		if len(hits) < w.k && (w.after == nil || w.after.Complete && order.isAfter(f, w.after)) && (s.within == nil || s.within(f)) {
			hits = append(hits, *f)
		}
	}
	if err = errors.Join(order.err, err); err != nil {
		return hits, 0, err
	}
	rest := stretch{k: w.k - len(hits), count: w.count}
	if w.after != nil && !w.after.Complete {
		rest.after = w.after
	}
	others, total, err := s.incomplete(rest, len(hits) > 0 && !c.lifted)
	if err != nil {
		return hits, total, err // of the others there may be better ones
	}
	for i := range hits {
		hits[i].hit.Score += c.lift
	}
	return append(hits, others...), total, nil
}

// allComplete tells whether only records match that hold all words of the query, of which
// others would come behind them if more were asked for.
func (s *searcher) allComplete() bool {
	return s.whole && s.fusion == nil && len(s.req.Sort) == 0
}

// isAfter tells whether a hit comes after a position. See sortedHits.isAfter.
func (s *searcher) isAfter(order *sortedHits, f *found, p *Position) bool {
	switch c := s.complete; {
	case s.allComplete() && !p.Complete:
		return false
	case c == nil:
	case f.complete != p.Complete:
		return p.Complete
	case f.complete:
		bare := *f
		bare.hit.Score -= c.lift
		return order.isAfter(&bare, p)
	}
	return order.isAfter(f, p)
}

// position is the place of a hit in the order of the request.
func (s *searcher) position(f *found) (Position, error) {
	id, err := f.ref.chunk.ID(f.place)
	if err != nil {
		return Position{}, err
	}
	p := Position{Score: f.hit.Score, Sort: f.keys, Index: f.run.name, ID: string(id), Complete: f.complete || s.allComplete()}
	if f.complete {
		p.Score -= s.complete.lift
	}
	return p, nil
}

// findComplete collects the complete records.
func (s *searcher) findComplete() (err error) {
	c := s.complete
	defer s.restoreQueries(s.queries())
	for _, run := range s.runs {
		q := *run.q
		q.Match = run.condition(c.words)
		if s.within != nil {
			q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{run.q.Match, q.Match}}
		}
		run.q = &q
	}
	hits, _, err := s.reranked(stretch{k: s.asked()})
	c.hits, c.in = slices.Clone(hits), make(map[docKey]bool, len(hits))
	for i := range c.hits {
		f := &c.hits[i]
		f.complete, c.in[f.key()] = true, true
	}
	return err
}

// incomplete collects matches that are not complete, and finds the lift of those that
// are if these are wanted from the first one on.
func (s *searcher) incomplete(w stretch, lift bool) (hits []found, total int64, err error) {
	c, k := s.complete, w.k
	if lift {
		w.k = max(w.k, 1)
	}
	if w.k > 0 {
		w.k += len(c.in)
	}
	hits, total, err = s.scored(w)
	if err != nil {
		return nil, total, err
	}
	hits = slices.DeleteFunc(hits, func(f found) bool { return c.in[f.key()] })
	if lift {
		if last := c.hits[len(c.hits)-1].hit.Score; len(hits) > 0 && hits[0].hit.Score >= last {
			c.lift = hits[0].hit.Score - last + 1
		}
		c.lifted = true
	}
	return hits[:min(k, len(hits))], total, nil
}

// explainComplete adds to an explanation what a hit gets for being complete.
func (s *searcher) explainComplete(f *found, x *Explanation) {
	if f.complete && s.complete.lift > 0 {
		x.Parts = append(x.Parts, ScorePart{Stage: StageComplete, Weight: 1, Norm: 1, Penalty: 1, Score: float64(s.complete.lift) / scoreUnit})
	}
}
