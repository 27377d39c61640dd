package engine

import (
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// sum adds up the lengths of the text fields of all indexes, so that a record
// gets the score that it would have if all of them were one index.
func (s *searcher) sum(names []string) {
	s.sums = map[string]fieldStat{}
	for _, name := range names {
		iv := s.v.indexes[name]
		for i, t := range iv.schema.text {
			field, more := iv.schema.Fields[t.field].Name, fieldAt(iv.stats.Fields, i)
			sum := s.sums[field]
			s.sums[field] = fieldStat{Docs: sum.Docs + more.Docs, Sum: sum.Sum + more.Sum}
		}
		s.all.Docs += iv.stats.All.Docs
		s.all.Sum += iv.stats.All.Sum
	}
	s.docs = uint64(s.all.Docs)
}

func (s *searcher) averages(iv *indexView) []float64 {
	out := make([]float64, len(iv.schema.text))
	for i, t := range iv.schema.text {
		out[i] = s.sums[iv.schema.Fields[t.field].Name].avg()
	}
	return out
}

// rank fixes the parameters of BM25F for an index.
func (s *searcher) rank(run *searchRun) error {
	iv := run.iv
	p := iv.schema.params(run.avg)
	key := "default"
	if s.req.Ranking == RankingBM25 {
		key = "bm25"
		for i := range p.Fields {
			p.Fields[i] = score.Field{Weight: 1, B: score.DefaultB, AvgLen: run.all}
		}
		if err := run.joinNorms(); err != nil {
			return err
		}
	}
	if len(s.req.Fields) > 0 {
		mask := make([]bool, len(iv.schema.text))
		weights := make([]float64, len(iv.schema.text))
		for i, f := range s.req.Fields {
			n, ok := iv.schema.byName[f.Field]
			switch {
			case !ok && s.known(f.Field):
				continue
			case !ok:
				return invalid(CodeUnknownField, fmt.Sprintf("/fields/%d", i), "%s", s.noField(f.Field))
			case iv.schema.textOf[n] < 0:
				return invalid(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "the field %q cannot be searched", f.Field)
			case !(f.Weight >= 0 && f.Weight <= 1000):
				return invalid(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "a weight lies between 0 and 1000")
			}
			t := iv.schema.textOf[n]
			mask[t], weights[t] = true, f.Weight
		}
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
	for i, t := range iv.impacts(key, p, &s.e.books) {
		run.segs[i].Table, run.segs[i].Bounds = t.table, t.bounds
	}
	return nil
}

// joinNorms gives every text field the length of all text fields together, for
// BM25 over one field. Bounds stay valid: a longer field scores less.
func (run *searchRun) joinNorms() error {
	for i := range run.segs {
		slots := slices.Clone(run.segs[i].Slots)
		for j := range slots {
			ref := run.iv.chunkOf(uint32(slots[j].Page)<<16 | uint32(slots[j].First))
			all, err := ref.chunk.Norms(page.AllFields)
			if err != nil {
				return err
			}
			n := make(score.Norms, len(slots[j].Norms))
			for f := range n {
				n[f] = all
			}
			slots[j].Norms = n
		}
		run.segs[i].Slots = slots
	}
	return nil
}
