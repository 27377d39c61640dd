package engine

import (
	"math/big"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// explain takes the score of a hit apart. A term's contribution is divided
// among the fields that hold it by their shares of x in the formula of package
// score; what rounding leaves over goes to the last, so that the parts add up.
func (run *searchRun) explain(h search.Hit, bonus []bonusPart) (*Explanation, error) {
	_, parts := search.ScoreDoc(run.lateQuery(bonus), h.Segment, h.Doc)
	out := &Explanation{Score: float64(h.Score) / scoreUnit}
	norms, place := run.normsOf(h)
	for _, p := range parts {
		if p.Score == 0 {
			continue
		}
		l := &run.res.leaves[p.Leaf]
		if l.phrase != nil {
			if err := run.countPhrase(l); err != nil {
				return nil, err
			}
		}
		part := ScorePart{Term: l.term, DF: l.documents(run.df), Weight: 1, Norm: 1, Penalty: l.boost * l.factor}
		if l.from != l.term {
			part.From = l.from
		}
		part.Edits = l.edits
		part.IDF = float64(l.weight) / weightUnit / (score.DefaultK1 + 1) / part.Penalty
		if len(p.Vector) == 0 {
			part.Field = l.field
			part.Score = float64(p.Score) / scoreUnit
			out.Parts = append(out.Parts, part)
			continue
		}
		shares := run.q.Segments[h.Segment].Table.Shares(p.Vector, norms, place)
		left, last := p.Score, lastPositive(shares)
		for i, v := range p.Vector {
			if shares[i] == 0 {
				continue // the request does not look into this field
			}
			given := left
			if i < last {
				given = portion(p.Score, shares, i)
				left -= given
			}
			field := part
			field.TF, field.Score = int(v.TF), float64(given)/scoreUnit
			run.describe(&field, int(v.Field), float64(shares[i])/float64(v.TF)/score.ShareUnit)
			out.Parts = append(out.Parts, field)
		}
	}
	for _, p := range bonus {
		if p.stage == stageLate {
			continue // parts tells what it is made of
		}
		part := ScorePart{Stage: p.stage, Term: p.term, Weight: 1, Norm: 1, Penalty: 1, Score: float64(p.score) / scoreUnit}
		if p.field >= 0 {
			part.Field = run.iv.schema.Fields[run.iv.schema.text[p.field].field].Name
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

// normsOf returns the norms that a hit's score was computed with, and the
// hit's place in them.
func (run *searchRun) normsOf(h search.Hit) (score.Norms, int) {
	for _, s := range run.q.Segments[h.Segment].Slots {
		if s.Page == uint16(h.Doc>>16) {
			return s.Norms, int(uint16(h.Doc) - s.NormBase)
		}
	}
	return nil, 0
}

func lastPositive(shares []uint64) int {
	for i := len(shares) - 1; i > 0; i-- {
		if shares[i] > 0 {
			return i
		}
	}
	return 0
}

// describe fills in what depends on the text field. share is weight times norm.
func (run *searchRun) describe(p *ScorePart, text int, share float64) {
	p.Field = run.iv.schema.Fields[run.iv.schema.text[text].field].Name
	p.Weight = run.params.Fields[text].Weight
	p.Norm = share / p.Weight
}

// portion is shares[i] out of all shares of n, rounded down.
func portion(n uint64, shares []uint64, i int) uint64 {
	var sum uint64
	for _, s := range shares {
		sum += s
	}
	if sum == 0 {
		return 0
	}
	v := new(big.Int).SetUint64(n)
	v.Mul(v, new(big.Int).SetUint64(shares[i]))
	return v.Div(v, new(big.Int).SetUint64(sum)).Uint64()
}
