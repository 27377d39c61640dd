package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/vector"
)

// Ranking by meaning is a second stage. The records that match best by their
// words get something on top of their scores for how like their vectors are to
// that of the query: up to a share of the best score by words. All others keep
// their scores. Since what comes on top is never negative, the order by score
// is still one order of all matches, in which those of the window stand before
// the others; totals, facets and MinScore are about words alone.
//
// What a record gets depends on the query and the record, not on the page that
// is asked for, so pages fit together. It is the cosine itself, not its share
// of the largest one, for two reasons: a query that the vectors know little of
// is ranked by words then, and what one record gets does not depend on others.
const (
	// meaningWindow is how many records of the best by words are ranked by
	// meaning. On judged collections 100, 300 and 1000 give the same nDCG@10, and
	// take more time.
	meaningWindow = rerankDepth
	// meaningWeight is the share of the best score by words that a record gets
	// whose vector is that of a long query, where the request says nothing else.
	meaningWeight = 1.2
	// feedbackDocs is how many of the best records by words the query's vector
	// is moved towards, and feedbackWeight how far: 1 is half of the way. A few
	// words say little about what is meant, the records that hold them more
	// (Rocchio's method, with what is found first taken for relevant).
	feedbackDocs   = 3
	feedbackWeight = 1
	// meaningWords is from how many content words on meaning counts in full. A
	// word or two are mostly names of things, of which each is its own; the more
	// words there are, the less each of them has to be in what is meant.
	meaningWords = 6
	// meaningPairs is how many pairs of characters count as words in this, at
	// most. See resolver.length.
	meaningPairs = 3
)

// maxMeaningWeight bounds SemanticRequest.Weight, so that scores fit their
// fixed-point form.
const maxMeaningWeight = 10

// SemanticRequest is how a request is ranked by meaning besides words.
type SemanticRequest struct {
	// Off ranks by words alone. So do RankingBM25, Sort, and a search in some of
	// the text fields, whatever else is said here.
	Off bool
	// Weight is what the meaning counts beside the words: the share of the best
	// score by words that a record gets whose vector is just that of the query,
	// 0 to 10. 0 means 1.2, and less for queries of fewer than six
	// words, down to 0.2 for one, or of more than ten, down to none from twenty-five on.
	Weight float64
	// The rest is about Vector fields, those with an embedder and those that
	// Request.Vector is compared with; Weight is not. Where an index has a field
	// with an embedder, that takes the place of what is learnt from its records.
	//
	// Field is the one to compare; "" means the first with an embedder, and for
	// Request.Vector the first Vector field of any kind.
	Field string
	// Hybrid is the share of nearness in the score; words have the rest, and with 1
	// they neither find nor rank. 0 means 0.3; below 0 none, as without Vector fields.
	Hybrid float64
	// Nearest is how many of the nearest records are found whatever words they
	// have, up to 1,000. 0 means 100; negative means none, so that vectors only
	// rank what words find.
	Nearest int
}

// SemanticInfo tells how hits were ranked by meaning.
type SemanticInfo struct {
	// Weight is that of the request, or the one chosen for it; 0 if hits were
	// ranked by vectors of a field.
	Weight float64
	// Field is the Vector field that was compared, Hybrid and Nearest are what
	// held for it.
	Field   string
	Hybrid  float64
	Nearest int
	// Failed: the embedder did not answer, so hits are ranked by words alone.
	Failed bool
}

func (r SemanticRequest) check(p *problems) {
	if !(r.Weight >= 0 && r.Weight <= maxMeaningWeight) {
		p.addf(CodeInvalidRequest, "/semantic/weight", "a weight lies between 0 and %d", maxMeaningWeight)
	}
	if !(r.Hybrid <= 1) {
		p.addf(CodeInvalidRequest, "/semantic/hybrid", "the share of nearness lies between 0 and 1")
	}
	if r.Nearest > maxNearest {
		p.addf(CodeLimitExceeded, "/semantic/nearest", "the limit is %d records", maxNearest)
	}
}

// meaning is what a search knows of the meaning of its query.
type meaning struct {
	on     bool
	weight float64
	likes  []*likeness // of the indexes that know something

	best    uint64          // the best score by words
	typical float64         // cosine of the best hits by words
	asked   []*search.Query // what the window is of, by run; nil before it is opened
	hits    []found         // the window, best first
	last    found           // the last of it by words, if there may be more
}

// likeness compares a query with the records of an index.
type likeness struct {
	vectors *vectors
	text    *vector.Text
	query   vector.Vector
	near    []vector.Near // see feedback
}

func (m *meaning) info() *SemanticInfo {
	if m == nil || !m.on {
		return nil
	}
	return &SemanticInfo{Weight: m.weight}
}

// vectorsOfQuery finds the vectors of the query, by index.
func (s *searcher) vectorsOfQuery() (*meaning, error) {
	m := &meaning{}
	if s.req.Semantic.Off || s.req.Ranking == RankingBM25 || s.tree == nil {
		return m, nil
	}
	words := 0
	for _, run := range s.runs {
		if slices.Contains(run.res.mask, false) || !s.e.learns(run.iv) {
			continue
		}
		v, err := s.e.vectorsOf(run.iv.ix)
		if err != nil {
			return nil, fmt.Errorf("index %q: %w", run.name, err)
		}
		if v == nil {
			continue
		}
		text := v.model.Text()
		if q, ok := text.Query(run.res.content(v)); ok {
			run.like = &likeness{vectors: v, text: text, query: q}
			m.likes = append(m.likes, run.like)
			words = max(words, run.res.length())
		}
	}
	m.weight = s.req.Semantic.Weight
	if m.weight == 0 {
		m.weight = math.Round(10*meaningWeight*min(fade(words), float64(words)/meaningWords)) / 10 // tenths, as they are told
	}
	m.on = len(m.likes) > 0 && m.weight > 0
	return m, nil
}

// content returns the terms of the query that say what it is about and that have a
// vector, and what each counts. Phrases, and words that are only begun, are not among them.
func (r *resolver) content(v *vectors) []vector.Weighted {
	out := make([]vector.Weighted, 0, len(r.leaves))
	for i := range r.leaves {
		if l := &r.leaves[i]; l.text && !l.silent && !l.unseen {
			if n, ok := v.number(l); ok {
				out = append(out, vector.Weighted{Term: n, Weight: l.boost * l.factor})
			}
		}
	}
	return out
}

// number is that of a term in the model, which its row remembers.
func (v *vectors) number(l *leaf) (n uint32, ok bool) {
	if l.row != nil {
		if known := l.row.number.Load(); uint32(known>>32) == v.head.Model {
			return uint32(known) - 1, uint32(known) > 0
		}
	}
	if n, ok = v.model.Number(l.term); l.row != nil {
		known := uint64(v.head.Model) << 32
		if ok {
			known |= uint64(n) + 1
		}
		l.row.number.Store(known)
	}
	return n, ok
}

// reranked collects hits by score, words and meaning.
func (s *searcher) reranked(w stretch) (hits []found, total int64, late error) {
	if s.meaning == nil {
		m, err := s.vectorsOfQuery()
		if err != nil {
			return nil, 0, err
		}
		s.meaning = m
	}
	m := s.meaning
	if !m.on || w.k <= 0 {
		return s.ranked(w)
	}
	if m.asked == nil {
		if total, late = s.openWindow(w.count); late != nil {
			return m.hits, total, late
		}
	}
	hits = m.hits
	if s.narrowed() {
		if hits, late = s.narrowWindow(); late != nil {
			return hits, total, late
		}
	}
	if w.after != nil {
		hits = slices.DeleteFunc(slices.Clone(hits), func(f found) bool { return !f.run.isBehind(w.after, f.hit) })
	}
	if len(hits) >= w.k || m.last.run == nil {
		return hits[:min(w.k, len(hits))], total, nil
	}
	rest, _, late := s.ranked(stretch{k: w.k - len(hits), after: s.behindWindow(w.after)})
	return append(slices.Clip(hits), rest...), total, late
}

// openWindow finds the records that are ranked by meaning.
func (s *searcher) openWindow(count bool) (total int64, err error) {
	m := s.meaning
	hits, total, err := s.ranked(stretch{k: meaningWindow + 1, count: count})
	n := untorn(hits, meaningWindow)
	more := len(hits) > n
	hits = hits[:n]
	m.asked, m.hits = s.queries(), hits
	if err != nil || len(hits) == 0 {
		return total, err
	}
	if more {
		m.last = hits[len(hits)-1]
	}
	for i := range hits {
		m.best = max(m.best, hits[i].byWords())
	}
	if m.best == 0 {
		return total, nil // there are no shares of it
	}
	m.feedback(hits)
	for i := range hits {
		hits[i].meaning = m.worth(&hits[i])
	}
	arrangeByMeaning(hits)
	return total, nil
}

// queries are those of the runs at this moment: see collapser.narrow.
func (s *searcher) queries() []*search.Query {
	out := make([]*search.Query, len(s.runs))
	for i, run := range s.runs {
		out[i] = run.q
	}
	return out
}

// narrowed tells whether the search has been restricted since the window was
// opened.
func (s *searcher) narrowed() bool { return !slices.Equal(s.meaning.asked, s.queries()) }

// narrowWindow returns those hits of the window that still match.
func (s *searcher) narrowWindow() ([]found, error) {
	m := s.meaning
	defer func(before []*search.Query) {
		for i, run := range s.runs {
			run.q = before[i]
		}
	}(s.queries())
	given := map[*searchRun]map[uint32]uint64{} // what documents of the window get
	for _, run := range s.runs {
		given[run] = map[uint32]uint64{}
		var docs []uint32
		for i := range m.hits {
			if f := &m.hits[i]; f.run == run {
				given[run][f.hit.Doc] = f.meaning
				docs = append(docs, f.hit.Doc)
			}
		}
		q := *run.q
		q.Sets = append(slices.Clone(q.Sets), search.Set{Words: run.documentSet(docs)})
		q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{q.Match, {Op: search.OpSet, Set: len(q.Sets) - 1}}}
		run.q = &q
	}
	hits, _, err := s.ranked(stretch{k: meaningWindow})
	// The records that are given bonuses may be more than those of the window.
	hits = slices.DeleteFunc(hits, func(f found) bool {
		_, in := given[f.run][f.hit.Doc]
		return !in
	})
	for i := range hits {
		hits[i].meaning = given[hits[i].run][hits[i].hit.Doc]
	}
	arrangeByMeaning(hits)
	return hits, err
}

// behindWindow is the place in the order by words from which hits go on that
// are not in the window: behind its last record, or behind the cursor if that
// is further on.
func (s *searcher) behindWindow(after *Position) *Position {
	last := &s.meaning.last
	if after != nil && !last.run.isBehind(after, last.hit) {
		return after
	}
	id, err := last.ref.chunk.ID(last.place)
	if err != nil && last.run.res.err == nil {
		last.run.res.err = err
	}
	return &Position{Score: last.hit.Score, Index: last.run.name, ID: string(id)}
}

// isBehind tells whether a hit comes after a position.
func (run *searchRun) isBehind(a *Position, h search.Hit) bool {
	c := run.cursor(a)
	return h.Score < c.Score || h.Score == c.Score && c.After != nil && c.After(h)
}

// feedback moves the vectors of the query towards those of the best hits by
// words, and notes how like these then are to it.
func (m *meaning) feedback(hits []found) {
	sum, known := 0.0, 0.0
	for i := range hits[:min(feedbackDocs, len(hits))] {
		f := &hits[i]
		if l := f.run.like; l != nil {
			if v := l.vectors.of(f.hit.Doc); v != nil {
				l.near = append(slices.Grow(l.near, feedbackDocs-len(l.near)), vector.Near{Vector: v, Weight: float64(f.byWords()) / float64(m.best)})
			}
		}
	}
	for _, l := range m.likes {
		if len(l.near) == 0 {
			continue
		}
		l.query = l.text.Toward(l.query, l.near, feedbackWeight)
		for _, d := range l.near {
			sum += min(1, l.query.Cosine(d.Vector))
			known++
		}
	}
	m.typical = sum / max(1, known)
}

// most is the largest worth that there is.
func (m *meaning) most() uint64 { return uint64(m.weight * float64(m.best)) }

// worth is what a hit gets for its meaning. One of which nothing is known, as
// it was just written, or its index has learnt nothing, is taken to be as like
// the query as the best hits are, by the share that it has of their score.
func (m *meaning) worth(f *found) uint64 {
	share := m.typical * float64(f.byWords()) / float64(m.best)
	if l := f.run.like; l != nil {
		if v := l.vectors.of(f.hit.Doc); v != nil {
			share = min(1, l.query.Cosine(v))
		}
	}
	return uint64(math.Floor(share * float64(m.most())))
}

// arrangeByMeaning adds to the scores of hits what they get for their meaning,
// and puts them in order.
func arrangeByMeaning(hits []found) {
	for i := range hits {
		hits[i].hit.Score += hits[i].meaning
	}
	sortFound(hits)
}

// compareFound is the order of hits of one score.
func compareFound(a, b *found) int {
	if c := strings.Compare(a.run.name, b.run.name); c != 0 {
		return c
	}
	if a.run.before(a.hit, b.hit) {
		return -1
	}
	return 1
}

// explainMeaning adds to an explanation what a hit gets for its meaning.
func (s *searcher) explainMeaning(f *found, x *Explanation) {
	if f.meaning == 0 {
		return
	}
	if s.fusion != nil {
		x.Parts = append(x.Parts, s.fusion.part(f))
		return
	}
	part := ScorePart{Stage: StageMeaning, Weight: s.meaning.weight, Norm: 1, Penalty: 1, Score: float64(f.meaning) / scoreUnit}
	x.Parts = append(x.Parts, part)
}
