package engine

import "github.com/quarry-search/quarry/engine/internal/score"

// titleShare is what a title adds that is the query, as a share of the weight
// of all its words. Chosen, as all shares here, on judged collections.
const titleShare = 0.2

// titled tells whether titles are given bonuses.
func (b *bonuses) titled() bool {
	return shareOf(b.tuning.Title) > 0 && len(b.titles) > 0 && b.all > 0
}

// title adds the bonus of record i for a title that consists of the words of the query:
// the weight of the words that it holds, times their share of the weight of the
// query, times the square of their share of the words of the title. So it is
// whole where the title and the query are the same words, and falls off fast
// with words of the title that nobody asked for. It does so less with words
// that the title lacks: people ask long questions of which a title, as those of
// frequent questions are, keeps the core.
// Fields that weigh more than 1 are titles; the one with the largest bonus
// counts.
func (b *bonuses) title(i int) {
	share := shareOf(b.tuning.Title)
	best := bonusPart{stage: StageTitle}
	var norms score.Norms
	place, hits := 0, len(b.hits)
	for _, f := range b.titles {
		n, weight := uint64(0), uint64(0)
		for w, at := 0, i; w < len(b.words); w, at = w+1, at+hits {
			in := b.fields[at] >> f & 1 // not of the 64th, or one behind it
			n, weight = n+in, weight+b.words[w].weight&-in
		}
		if n == 0 {
			continue
		}
		if norms == nil {
			norms, place = b.run.normsOf(b.hits[i].hit)
		}
		length := uint64(lengthOf(norms, f, place))
		if length == 0 {
			continue
		}
		ofTitle := min(n, length) * shareUnit / length
		worth := (weight * shareUnit / b.all) * (ofTitle * ofTitle / shareUnit) / shareUnit
		if got := weight * share / shareUnit * (worth * score.MaxImpact / shareUnit); got > best.score {
			best.field, best.score = f, got
		}
	}
	if best.score > 0 {
		b.add(best)
	}
}

// lengthOf is the length of a text field of a record, as ranking knows it.
func lengthOf(norms score.Norms, field, place int) int {
	if field >= len(norms) || norms[field] == nil {
		return 0
	}
	return score.DecodeNorm(norms[field][place])
}
