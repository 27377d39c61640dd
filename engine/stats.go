package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// fieldStat sums up one text field over the live documents that have it.
type fieldStat struct {
	Docs int64
	Sum  int64 // of the decoded norms, so that deleting takes away what adding brought
}

func (f fieldStat) avg() float64 {
	if f.Docs == 0 {
		return 0
	}
	return float64(f.Sum) / float64(f.Docs)
}

// stats are the collection statistics of an index: exact over its live
// documents, whatever order they came and went in.
type stats struct {
	Docs   int64
	Fields []fieldStat // by text ordinal
	All    fieldStat   // all text fields as one
}

func (s stats) clone() stats {
	s.Fields = slices.Clone(s.Fields)
	return s
}

// add counts document i of a chunk n times: 1 when it comes, -1 when it goes.
func (s *stats) add(norms score.Norms, all []byte, i int, n int64) {
	s.Docs += n
	for len(s.Fields) < len(norms) {
		s.Fields = append(s.Fields, fieldStat{})
	}
	for f, b := range norms {
		if b != nil && b[i] != 0 {
			s.Fields[f].Docs += n
			s.Fields[f].Sum += n * int64(score.DecodeNorm(b[i]))
		}
	}
	if all != nil && all[i] != 0 {
		s.All.Docs += n
		s.All.Sum += n * int64(score.DecodeNorm(all[i]))
	}
}

func (s *stats) averages() []float64 {
	out := make([]float64, len(s.Fields))
	for i, f := range s.Fields {
		out[i] = f.avg()
	}
	return out
}

// norms loads the norms of all text fields of a chunk.
func norms(c *page.Chunk, fields int) (score.Norms, []byte, error) {
	out := make(score.Norms, fields)
	for f := range out {
		b, err := c.Norms(f)
		if err != nil {
			return nil, nil, err
		}
		out[f] = b
	}
	all, err := c.Norms(page.AllFields)
	return out, all, err
}
