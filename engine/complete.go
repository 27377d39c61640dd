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
	words int // of the query: see searchRun.condition
	hits  []found
	in    map[docKey]bool // hits
	lift  uint64
}

// completeFirst collects hits by score: those that hold all words of the query, where
// they come first, and then the others, by words alone.
func (s *searcher) completeFirst(w stretch) (hits []found, total int64, err error) {
	c := s.complete
	if c == nil || w.k <= 0 {
		return s.reranked(w)
	}
	var rest []found
	if c.in != nil {
		rest, total, err = s.incomplete(w)
	} else if rest, total, err = s.openComplete(w); err != nil {
		return c.hits, total, err
	}
	order := sortedHits{}
	for i := range c.hits {
		f := &c.hits[i]
		if len(hits) < w.k && (w.after == nil || order.isAfter(f, w.after)) && (s.within == nil || s.within(f)) {
			hits = append(hits, *f)
		}
	}
	hits = append(hits, rest[:min(len(rest), w.k-len(hits))]...)
	return hits, total, errors.Join(order.err, err)
}

// openComplete finds the complete records and their lift, and the others of a stretch.
func (s *searcher) openComplete(w stretch) (rest []found, total int64, err error) {
	c := s.complete
	if err := s.findComplete(); err != nil {
		return nil, 0, err
	}
	if rest, total, err = s.incomplete(w); err != nil {
		return nil, total, err
	}
	first := rest
	if w.after != nil {
		if first, _, err = s.incomplete(stretch{k: 1}); err != nil {
			return nil, total, err
		}
	}
	if len(c.hits) > 0 && len(first) > 0 {
		if last, best := c.hits[len(c.hits)-1].hit.Score, first[0].hit.Score; best >= last {
			c.lift = best - last + 1
		}
	}
	for i := range c.hits {
		c.hits[i].hit.Score += c.lift
	}
	return rest, total, nil
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

// incomplete collects matches that are not complete.
func (s *searcher) incomplete(w stretch) (hits []found, total int64, err error) {
	k := w.k
	w.k += len(s.complete.in)
	hits, total, err = s.scored(w)
	hits = slices.DeleteFunc(hits, func(f found) bool { return s.complete.in[f.key()] })
	return hits[:min(k, len(hits))], total, err
}

// explainComplete adds to an explanation what a hit gets for being complete.
func (s *searcher) explainComplete(f *found, x *Explanation) {
	if f.complete && s.complete.lift > 0 {
		x.Parts = append(x.Parts, ScorePart{Stage: StageComplete, Weight: 1, Norm: 1, Penalty: 1, Score: float64(s.complete.lift) / scoreUnit})
	}
}
