package engine

import (
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// sum adds up the lengths of the text fields of all indexes, so that a record
// gets the score that it would have if all of them were one index.
func (s *searcher) sum(names []string) {
	if s.joint {
		s.sums = map[string]fieldStat{}
	}
	for _, name := range names {
		iv := s.v.indexes[name]
		if s.joint {
			for i, t := range iv.schema.text {
				field, more := iv.schema.Fields[t.field].Name, fieldAt(iv.stats.Fields, i)
				sum := s.sums[field]
				s.sums[field] = fieldStat{Docs: sum.Docs + more.Docs, Sum: sum.Sum + more.Sum}
			}
		}
		s.all.Docs += iv.stats.All.Docs
		s.all.Sum += iv.stats.All.Sum
	}
	s.docs = uint64(s.all.Docs)
}

// paramsOf returns the parameters of the ranking of the request, as far as the schema
// and the records say. They must not be changed: an index may have thousands of
// fields, so they are kept by view.
func (s *searcher) paramsOf(iv *indexView) score.Params {
	if s.joint {
		avg := make([]float64, len(iv.schema.text))
		for i, t := range iv.schema.text {
			avg[i] = s.sums[iv.schema.Fields[t.field].Name].avg()
		}
		p := iv.schema.params(avg)
		if s.req.Ranking == RankingBM25 {
			return plain(p, s.all.avg())
		}
		return p
	}
	both, _ := iv.params.get(func() (rankingParams, error) {
		p := iv.schema.params(iv.stats.averages())
		return rankingParams{p, plain(p, iv.stats.All.avg())}, nil
	})
	if s.req.Ranking == RankingBM25 {
		return both.bm25
	}
	return both.whole
}

// rankingParams are the parameters of the rankings.
type rankingParams struct{ whole, bm25 score.Params }

// plain returns the parameters of BM25 over one field of all texts.
func plain(p score.Params, avg float64) score.Params {
	p.Fields = make([]score.Field, len(p.Fields))
	for i := range p.Fields {
		p.Fields[i] = score.Field{Weight: 1, B: score.DefaultB, AvgLen: avg}
	}
	return p
}

// rank fixes the parameters of BM25F for an index.
func (s *searcher) rank(run *searchRun) error {
	iv := run.iv
	p := s.paramsOf(iv)
	key, plain := "default", s.req.Ranking == RankingBM25
	if plain {
		key = "bm25"
	}
	if len(s.req.Fields) > 0 {
		var wrong problems
		mask := make([]bool, len(iv.schema.text))
		weights := make([]float64, len(iv.schema.text))
		for i, f := range s.req.Fields {
			n, ok := iv.schema.byName[f.Field]
			switch {
			case !ok && s.known(f.Field):
				continue
			case !ok:
				wrong.noField(s, fmt.Sprintf("/fields/%d", i), f.Field)
				continue
			case iv.schema.textOf[n] < 0:
				wrong.addf(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "the field %q cannot be searched", f.Field)
				continue
			case !(f.Weight >= 0 && f.Weight <= 1000):
				wrong.addf(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "a weight lies between 0 and 1000")
				continue
			}
			t := iv.schema.textOf[n]
			mask[t], weights[t] = true, f.Weight
		}
		if err := wrong.orNil(); err != nil {
			return err
		}
		p.Fields = slices.Clone(p.Fields)
		for t := range p.Fields {
			switch {
			case !mask[t]:
				p.Fields[t].Weight = 0
			case weights[t] > 0:
				p.Fields[t].Weight = weights[t]
			}
		}
		run.res.mask = mask
	}
	if len(s.req.Fields) > 0 || s.joint {
		key = fmt.Sprintf("%s %v", key, p)
	}
	run.params = p
	segs, err := iv.scored(key, p, plain, &s.e.books)
	if err != nil {
		return fmt.Errorf("index %q: %w", run.name, err)
	}
	run.segs = segs
	return nil
}
