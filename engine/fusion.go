package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/search"
)

// Where an index has vectors of a field (of its records' own, or made by an
// embedder) a search has two readings: by words, as without them, and by
// nearness. They are joined in two steps.
//
// What matches: the records that match by words, and the nearest ones of all
// that satisfy what the request requires (its filter, and so on). Both are sets
// that do not depend on the page, so totals, facets, groups and cursors are
// exact over their union.
//
// What is on top: the best by words, meaningWindow of them, and the nearest get
// something for their nearness on top of their scores by words: the convex
// combination
//
//	(1-hybrid) * words/best words + hybrid * (similarity-least)/(most-least)
//
// but for the factor best words/(1-hybrid), which changes no order and leaves
// the scores of words what they are. Least and most are the similarities of these
// records that are the least and the most, as models differ in which they give to
// texts that have nothing to do with each other (Bruch, Gai and Ingber, An
// Analysis of Fusion Functions for Hybrid Retrieval, ACM TOIS 42, 2023). All other
// records keep their scores by words, and stand between these by them: the
// result is one order by score of all matches, as that of the other layers is.
//
// Without words, or with hybrid 1, the nearest records alone match, and their
// score is (1+similarity)/2, or with the metric dot 1/2+similarity/2m, where m
// is the largest similarity without its sign.
type fusion struct {
	*vision
	hybrid  float64
	nearby  int  // asked for
	pure    bool // words neither find nor rank
	nearest []neighbour

	asked []*search.Query // what the window is of, by run; nil before it is opened
	hits  []found         // the window, best first
	total int64
	given map[docKey]*nearness
	last  uint64 // the least score by words in the window by words, if more is true
	more  bool   // there may be matches outside of the window
}

// docKey names a document of the search.
type docKey struct {
	run *searchRun
	doc uint32
}

func (f *found) key() docKey { return docKey{f.run, f.hit.Doc} }

// nearness is what a record of the window gets.
type nearness struct {
	sim   float64
	known bool // it has a vector
	share float64
	worth uint64
}

// semanticInfo tells how hits were ranked by meaning.
func (s *searcher) semanticInfo() *SemanticInfo {
	switch f := s.fusion; {
	case f != nil:
		return &SemanticInfo{Field: f.field, Hybrid: f.hybrid, Nearest: f.nearby}
	case s.mute:
		return &SemanticInfo{Failed: true}
	}
	return s.meaning.info()
}

// approach looks for the nearest records, and makes them matches.
func (s *searcher) approach(res *Result) error {
	v, err := s.look(res.Query.Text)
	if err != nil || v == nil {
		return err
	}
	f := &fusion{vision: v, hybrid: s.req.Semantic.Hybrid, nearby: s.req.Semantic.Nearest}
	if f.hybrid == 0 {
		f.hybrid = defaultHybrid
	}
	f.pure = f.hybrid == 1 || s.tree == nil
	switch {
	case f.nearby == 0 || f.nearby < 0 && f.pure:
		f.nearby = defaultNearest
	case f.nearby < 0:
		f.nearby = 0
	}
	if f.pure {
		f.hybrid = 1
	}
	s.fusion = f
	if f.nearby == 0 || s.minScore() > 0 && !f.pure {
		f.nearby = 0
		return nil
	}
	wordsToo := s.req.Match == MatchAll && !f.pure
	f.nearest, err = s.nearest(v, f.nearby, func(run *searchRun) *search.Expr {
		if wordsToo {
			return run.q.Match
		}
		return run.conditionOf(run.res.must, 0)
	})
	if err != nil {
		return err
	}
	for _, run := range s.runs {
		if !wordsToo {
			run.words = run.q.Match
			run.near = run.withSet(f.docsOf(run))
			run.pure = f.pure
			run.q.Match = run.orNear(run.words, run.res.must)
		}
	}
	return f.passBrokenIDs()
}

// passBrokenIDs returns the error that comparing ids has met.
func (f *fusion) passBrokenIDs() error {
	for run := range f.glances {
		if run.res.err != nil {
			return run.res.err
		}
	}
	return nil
}

// docsOf are the nearest records of an index.
func (f *fusion) docsOf(run *searchRun) (docs []uint32) {
	for _, n := range f.nearest {
		if n.run == run {
			docs = append(docs, n.doc)
		}
	}
	return docs
}

// withSet gives the query of the run one more set of documents, and returns the
// condition of being in it.
func (run *searchRun) withSet(docs []uint32) *search.Expr {
	q := *run.q
	q.Sets = append(slices.Clone(q.Sets), search.Set{Words: run.documentSet(docs)})
	run.q = &q
	return &search.Expr{Op: search.OpSet, Set: len(q.Sets) - 1}
}

// foundByWords is the number of matches without regard to vectors.
func (s *searcher) foundByWords(res *Result) (total int64, err error) {
	if s.fusion == nil {
		return res.Total, nil
	}
	if res.Total > fewHits+int64(len(s.fusion.nearest)) {
		return res.Total, nil
	}
	for _, run := range s.runs {
		q := *run.q
		if run.words != nil {
			q.Match = run.words
		}
		n, err := search.Count(s.ctx, &q)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// fused collects hits by words and nearness.
func (s *searcher) fused(w stretch) (hits []found, total int64, late error) {
	f := s.fusion
	if f.asked == nil {
		if late = s.openFusion(w.count); late != nil {
			return f.hits[:min(w.k, len(f.hits))], f.total, late
		}
	}
	hits = f.hits
	if s.hasNarrowed() {
		if hits, late = s.stillIn(hits); late != nil {
			return nil, f.total, late
		}
	}
	if w.after != nil {
		hits = slices.DeleteFunc(slices.Clone(hits), func(h found) bool { return !h.run.isBehind(w.after, h.hit) })
	}
	hits = hits[:min(w.k, len(hits))]
	if !f.more || w.k <= 0 || len(hits) == w.k && hits[w.k-1].hit.Score > f.last {
		return hits, f.total, nil
	}
	rest, late := s.others(stretch{k: w.k, after: w.after})
	hits = append(slices.Clip(hits), rest...)
	sortFound(hits)
	return hits[:min(w.k, len(hits))], f.total, late
}

// openFusion fills the window.
func (s *searcher) openFusion(count bool) (err error) {
	f := s.fusion
	f.asked = s.queries()
	f.given = map[docKey]*nearness{}
	if f.pure {
		return s.openNearest(count)
	}
	var hits []found
	hits, f.total, err = s.ranked(stretch{k: meaningWindow + 1, count: count})
	n := untorn(hits, meaningWindow)
	f.more = len(hits) > n
	f.hits = hits[:n]
	if err != nil {
		return err
	}
	best := uint64(0)
	for i := range hits[:n] {
		best, f.last = max(best, hits[i].byWords()), hits[i].hit.Score
	}
	for _, m := range f.nearest {
		f.given[docKey{m.run, m.doc}] = &nearness{sim: m.sim, known: true}
	}
	in := map[docKey]bool{}
	for i := range f.hits {
		h := &f.hits[i]
		if in[h.key()] = true; f.given[h.key()] != nil {
			continue
		}
		near := &nearness{}
		if near.sim, near.known, err = f.similarity(h.run, h.hit.Doc); err != nil {
			return err
		}
		f.given[h.key()] = near
	}
	if len(f.nearest) > 0 && f.more {
		further, err := s.nearestByWords()
		if err != nil {
			return err
		}
		for _, h := range further {
			if !in[h.key()] {
				f.hits = append(f.hits, h)
			}
		}
	}
	f.normalise(best)
	for i := range f.hits {
		h := &f.hits[i]
		h.meaning = f.given[h.key()].worth
		h.hit.Score += h.meaning
	}
	sortFound(f.hits)
	return nil
}

// openNearest fills the window of a search by nearness alone.
func (s *searcher) openNearest(count bool) error {
	f := s.fusion
	m := 1.0 // the largest similarity, as vectors of length 1 have it
	for run, g := range f.glances {
		if run.iv.schema.Fields[g.field].Metric != Cosine {
			m = 0
		}
	}
	if m == 0 {
		for _, n := range f.nearest {
			m = max(m, n.sim, -n.sim)
		}
	}
	for _, n := range f.nearest {
		share := 0.5
		if m > 0 {
			share = min(1, max(0, 0.5+n.sim/(2*m)))
		}
		near := &nearness{sim: n.sim, known: true, share: share, worth: uint64(share * scoreUnit)}
		h := n.run.found(search.Hit{Segment: n.segment, Doc: n.doc, Score: near.worth})
		h.meaning = near.worth
		f.given[h.key()] = near
		f.hits = append(f.hits, h)
	}
	sortFound(f.hits)
	if count {
		f.total = int64(len(f.hits))
	}
	var err error
	if s.within != nil {
		f.hits, err = s.stillIn(f.hits)
	}
	return err
}

// normalise gives the records of the window their shares, where best is the
// highest score by words. One without a vector, as it was just written, or is
// of an index without, is taken to be as near as its words tell.
func (f *fusion) normalise(best uint64) {
	var least, most float64
	any := false
	for _, n := range f.given {
		if !n.known {
			continue
		}
		if !any {
			least, most, any = n.sim, n.sim, true
		}
		least, most = min(least, n.sim), max(most, n.sim)
	}
	unit := float64(best)
	if best == 0 {
		unit = scoreUnit
	}
	unit *= f.hybrid / (1 - f.hybrid)
	for _, n := range f.given {
		switch {
		case !n.known:
			continue
		case most > least:
			n.share = (n.sim - least) / (most - least)
		default:
			n.share = 1
		}
		n.worth = uint64(n.share * unit)
	}
	// What the best by words have on average is what their words tell.
	sum, known := 0.0, 0.0
	for i := range f.hits[:min(feedbackDocs, len(f.hits))] {
		if n := f.given[f.hits[i].key()]; n.known {
			sum += n.share
			known++
		}
	}
	typical := sum / max(1, known)
	for i := range f.hits {
		if n := f.given[f.hits[i].key()]; !n.known && best > 0 {
			n.share = typical * float64(f.hits[i].byWords()) / float64(best)
			n.worth = uint64(n.share * unit)
		}
	}
}

// nearestByWords returns the nearest records with their scores by words, and
// maybe others.
func (s *searcher) nearestByWords() ([]found, error) {
	defer s.restoreQueries(s.queries())
	f := s.fusion
	k := len(f.nearest) + len(f.hits)
	if s.top != nil {
		k += len(s.top.hits)
	}
	for _, run := range s.runs {
		set := run.withSet(f.docsOf(run))
		run.q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{run.q.Match, set}}
	}
	hits, _, err := s.ranked(stretch{k: k})
	return slices.DeleteFunc(hits, func(h found) bool { return f.given[h.key()] == nil }), err
}

// others returns matches outside of the window, in the order of their words.
func (s *searcher) others(w stretch) ([]found, error) {
	defer s.restoreQueries(s.queries())
	f, within := s.fusion, s.within
	defer func() { s.within = within }()
	s.within = func(h *found) bool { return f.given[h.key()] == nil && (within == nil || within(h)) }
	for _, run := range s.runs {
		set := run.withSet(f.windowOf(run))
		run.q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{run.q.Match, {Op: search.OpNot, Kids: []*search.Expr{set}}}}
	}
	hits, _, err := s.ranked(w)
	return hits, err
}

// windowOf are the documents of the window in an index.
func (f *fusion) windowOf(run *searchRun) (docs []uint32) {
	for key := range f.given {
		if key.run == run {
			docs = append(docs, key.doc)
		}
	}
	return docs
}

func (s *searcher) restoreQueries(before []*search.Query) {
	for i, run := range s.runs {
		run.q = before[i]
	}
}

// hasNarrowed tells whether the search has been restricted since the window was
// opened.
func (s *searcher) hasNarrowed() bool { return !slices.Equal(s.fusion.asked, s.queries()) }

// stillIn returns those of some hits of the window that match the queries as
// they are now.
func (s *searcher) stillIn(hits []found) ([]found, error) {
	in := map[docKey]bool{}
	defer s.restoreQueries(s.queries())
	for _, run := range s.runs {
		set := run.withSet(s.fusion.windowOf(run))
		run.q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{run.q.Match, set}}
		if err := search.Matches(s.ctx, run.q, func(seg, slot int, words *search.Page) error {
			high := uint32(run.segs[seg].Slots[slot].Page) << 16
			return eachBit(words, func(place int) error {
				in[docKey{run, high | uint32(place)}] = true
				return nil
			})
		}); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h found) bool { return !in[h.key()] }), nil
}

// part explains what a record gets for its nearness.
func (f *fusion) part(h *found) ScorePart {
	n := f.given[h.key()]
	p := ScorePart{Stage: StageVector, Field: f.field, Weight: f.hybrid, Norm: n.share, Penalty: 1, Score: float64(h.meaning) / scoreUnit}
	if n.known {
		p.Similarity = &n.sim
	}
	return p
}

// sortFound puts hits in order: by score, then by index, then by id.
func sortFound(hits []found) {
	rearrange(hits, compareFound)
}
