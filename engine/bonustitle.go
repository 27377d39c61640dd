package engine

import (
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// titleShare is what a title adds that is the query, as a share of the weight
// of all its words. Chosen, as all shares here, on judged collections.
const titleShare = 0.2

// title returns the bonus of record i for a title that consists of the words of the query:
// the weight of the words that it holds, times their share of the weight of the
// query, times the square of their share of the words of the title. So it is
// whole where the title and the query are the same words, and falls off fast
// with words of the title that nobody asked for. It does so less with words
// that the title lacks: people ask long questions of which a title, as those of
// frequent questions are, keeps the core.
// Fields that weigh more than 1 are titles; the one with the largest bonus
// counts.
func (b *bonuses) title(i int) (best bonusPart, ok bool) {
	share := shareOf(b.tuning.Title)
	if share == 0 || len(b.titles) == 0 || b.all == 0 {
		return best, false
	}
	var words [64]struct{ n, weight uint64 } // by text ordinal
	for n := range b.words {
		for fields := b.holds(i, &b.words[n]); fields != 0; fields &= fields - 1 {
			w := &words[bits.TrailingZeros64(fields)]
			w.n, w.weight = w.n+1, w.weight+b.words[n].weight
		}
	}
	norms, place := b.run.normsOf(b.hits[i].hit)
	for _, f := range b.titles {
		length := uint64(lengthOf(norms, f, place))
		if f >= len(words) || words[f].n == 0 || length == 0 {
			continue
		}
		w := words[f]
		ofTitle := min(w.n, length) * shareUnit / length
		worth := (w.weight * shareUnit / b.all) * (ofTitle * ofTitle / shareUnit) / shareUnit
		if got := w.weight * share / shareUnit * (worth * score.MaxImpact / shareUnit); got > best.score {
			best, ok = bonusPart{stage: StageTitle, field: f, score: got}, true
		}
	}
	return best, ok
}

// lengthOf is the length of a text field of a record, as ranking knows it.
func lengthOf(norms score.Norms, field, place int) int {
	if field >= len(norms) || norms[field] == nil {
		return 0
	}
	return score.DecodeNorm(norms[field][place])
}
