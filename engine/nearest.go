package engine

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/vector"
)

const (
	// maxNearest bounds SemanticRequest.Nearest.
	maxNearest     = 1000
	defaultNearest = 100
	defaultHybrid  = 0.3
)

// checkVector tests the vector of a request as far as no schema is needed.
func (r *Request) checkVector(p *problems) {
	if len(r.Vector) == 0 {
		return
	}
	for i, x := range r.Vector {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			p.addf(CodeInvalidRequest, fmt.Sprintf("/vector/%d", i), "numbers of vectors are finite")
			break
		}
	}
	for _, c := range [...]struct {
		what string
		set  bool
	}{
		{"sort", len(r.Sort) > 0}, {"similar", r.Similar != nil}, {"min_score", r.MinScore > 0},
		{"ranking bm25", r.Ranking == RankingBM25}, {"semantic off", r.Semantic.Off}, {"semantic hybrid 0", r.Semantic.Hybrid < 0},
	} {
		if c.set {
			p.addf(CodeInvalidRequest, "/vector", "a vector and %s exclude each other", c.what)
		}
	}
}

// glance is what the query looks like in the Vector field of an index.
type glance struct {
	field  int
	query  vector.Vector
	reader *fieldReader
}

// similarity of a document to the query; ok is false if it has no vector.
func (v *vision) similarity(run *searchRun, doc uint32) (sim float64, ok bool, err error) {
	s := v.glances[run]
	if s == nil {
		return 0, false, nil
	}
	w, err := s.reader.of(doc)
	if err != nil || w == nil {
		return 0, false, err
	}
	return s.query.Product(w), true, nil
}

// vision holds the glances of a search.
type vision struct {
	field   string
	glances map[*searchRun]*glance
}

// look returns the glances of the search; nil if hits are not ranked by vectors
// of a field.
func (s *searcher) look(text string) (*vision, error) {
	r := s.req
	given := len(r.Vector) > 0
	if !given && (r.Semantic.Off || r.Semantic.Hybrid < 0 || r.Ranking == RankingBM25 || s.tree == nil || s.like != nil || len(r.Sort) > 0) {
		return nil, nil
	}
	var v *vision
	var queries map[string][]float32 // by embedder
	for _, run := range s.runs {
		field, err := s.fieldToCompare(run, given)
		if err != nil {
			return nil, err
		}
		if field < 0 || !given && slices.Contains(run.res.mask, false) {
			continue
		}
		f := &run.iv.schema.Fields[field]
		row := r.Vector
		if !given {
			var known bool
			if row, known = queries[f.Embedder]; !known {
				if row, err = s.embedQuery(f, text); err != nil {
					return nil, err
				}
				if queries == nil {
					queries = map[string][]float32{}
				}
				queries[f.Embedder] = row
			}
			if row == nil || f.checkRows([][]float32{row}, 1) != nil || f.rowProblem(row) != "" {
				s.mute = true
				continue
			}
		}
		if len(row) != f.Dimensions {
			return nil, invalid(CodeInvalidRequest, "/vector", "the vector has %d numbers; the field %q of index %q has %d dimensions", len(row), f.Name, run.name, f.Dimensions)
		}
		if problem := f.rowProblem(row); problem != "" {
			return nil, invalid(CodeInvalidRequest, "/vector", "%s", problem)
		}
		reader, err := s.e.fieldReader(s.v, run.iv, field)
		if err != nil {
			return nil, err
		}
		if v == nil {
			v = &vision{glances: map[*searchRun]*glance{}}
		}
		v.field = f.Name
		v.glances[run] = &glance{field: field, query: f.quantize(row), reader: reader}
	}
	if v == nil && given && len(s.runs) > 0 {
		return nil, invalid(CodeUnknownField, "/vector", "no index of the search has a vector field to compare with")
	}
	return v, nil
}

// fieldToCompare returns the ordinal of the Vector field of an index that the
// request is about, -1 if it has none.
func (s *searcher) fieldToCompare(run *searchRun, given bool) (int, error) {
	c := run.iv.schema
	if name := s.req.Semantic.Field; name != "" {
		i, ok := c.byName[name]
		switch {
		case !ok && s.known(name):
			return -1, nil
		case !ok:
			return -1, invalid(CodeUnknownField, "/semantic/field", "there is no field %q", name)
		case c.Fields[i].Type != Vector:
			return -1, invalid(CodeInvalidRequest, "/semantic/field", "the field %q is %s, not a vector", name, article(c.Fields[i].Type))
		case !given && c.Fields[i].Embedder == "":
			return -1, invalid(CodeInvalidRequest, "/semantic/field", "the field %q has no embedder to make a vector of the query; give one as vector", name)
		}
		return i, nil
	}
	if i := c.embedder(); i >= 0 {
		return i, nil
	}
	if given {
		for i := range c.vectorFields() {
			return i, nil
		}
	}
	return -1, nil
}

// embedQuery returns the vector of a text, nil if its embedder does not answer
// within half of the request's time.
func (s *searcher) embedQuery(f *Field, text string) ([]float32, error) {
	m := s.e.opts.Embedders[f.Embedder]
	if m == nil || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	ctx := s.ctx
	if s.req.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.req.Timeout/2)
		defer cancel()
	}
	rows, err := m.Embed(ctx, QueryText, []string{text})
	if err == nil {
		err = f.checkRows(rows, 1)
	}
	if err != nil {
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		s.e.embedderFailed(f.Embedder, err)
		return nil, nil
	}
	return rows[0], nil
}

// neighbour is a document and how near it is.
type neighbour struct {
	run     *searchRun
	segment int
	doc     uint32
	sim     float64
}

// nearestHeap keeps the nearest, the furthest of them in front.
type nearestHeap []neighbour

func (h nearestHeap) Len() int           { return len(h) }
func (h nearestHeap) Less(i, j int) bool { return h[j].before(&h[i]) }
func (h nearestHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *nearestHeap) Push(x any)        { *h = append(*h, x.(neighbour)) }
func (h *nearestHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// before is the order by nearness; among equals, that of hits of equal score.
func (n *neighbour) before(o *neighbour) bool {
	switch {
	case n.sim != o.sim:
		return n.sim > o.sim
	case n.run != o.run:
		return n.run.name < o.run.name
	}
	return n.run.before(search.Hit{Segment: n.segment, Doc: n.doc}, search.Hit{Segment: o.segment, Doc: o.doc})
}

// nearest returns the k records that are nearest to the query, of those that
// satisfy a condition of each index, the nearest first. It compares all of them,
// which takes about as long as to read their vectors from memory: 26 ns each of 384
// dimensions, so that a graph would spare a few milliseconds in a quarter of a million
// records and lose some of them.
func (s *searcher) nearest(v *vision, k int, among func(run *searchRun) *search.Expr) ([]neighbour, error) {
	var best nearestHeap
	for _, run := range s.runs {
		glance := v.glances[run]
		if glance == nil {
			continue
		}
		q := *run.q
		q.Match = among(run)
		if err := search.Matches(s.ctx, &q, func(seg, slot int, words *search.Page) error {
			high := uint32(run.segs[seg].Slots[slot].Page) << 16
			return eachBit(words, func(place int) error {
				n := neighbour{run: run, segment: seg, doc: high | uint32(place)}
				w, err := glance.reader.of(n.doc)
				if err != nil || w == nil {
					return err
				}
				n.sim = glance.query.Product(w)
				switch {
				case len(best) < k:
					heap.Push(&best, n)
				case n.sim >= best[0].sim && n.before(&best[0]):
					best[0] = n
					heap.Fix(&best, 0)
				}
				return nil
			})
		}); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(best, func(a, b neighbour) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
	return best, nil
}
