package engine

import "github.com/quarry-search/quarry/engine/internal/score"

const (
	// proximityShare is what two words that stand together add, as a share of
	// the weight of the lesser one.
	proximityShare = 0.2
	// proximityWindow is how far apart words may stand.
	proximityWindow = 8
)

// askedPair is a way to read two neighbouring words of the query, filler words
// between them passed over.
type askedPair struct {
	place int    // the same for all readings of two words
	words [2]int // bonuses.words
	x, y  int    // bonuses.terms
	want  int    // how far the second stands behind the first
	worth uint64 // the share of the weight of the lesser one that it is worth
}

// pair notes the pairs of words. Two that share a character, as those do that
// a text without spaces is cut into, are no pair: they stand together wherever
// they stand, and a bonus would only count long words twice.
func (b *bonuses) pair() {
	share := shareOf(b.tuning.Proximity * fade(b.run.res.length()))
	if share == 0 {
		return
	}
	last := -1
	for i := range b.words {
		if b.words[i].filler {
			continue
		}
		if last >= 0 && b.words[last].end <= b.words[i].at {
			x, y := &b.words[last], &b.words[i]
			for lx := x.from; lx < x.to; lx++ {
				for ly := y.from; ly < y.to; ly++ {
					b.pairs = append(b.pairs, askedPair{i, [2]int{last, i}, b.termOf(lx), b.termOf(ly), i - last, min(x.weight, y.weight) * share / shareUnit})
				}
			}
		}
		last = i
	}
}

// termOf is the term of one of b.leaves. Where the leaf is of all text fields, its
// lists have the same records in the same order as those with positions.
func (b *bonuses) termOf(leaf int) int {
	bl := &b.leaves[leaf]
	if bl.term < 0 {
		l := &b.run.res.leaves[bl.leaf]
		if l.first == nil {
			leaf = -1
		}
		bl.term = b.term(l.term, leaf)
	}
	return bl.term
}

// proximity adds the bonuses of neighbouring words of the query that stand near
// each other in record i: the weight of the lesser one, times closeness.
func (b *bonuses) proximity(i int) error {
	best, of := bonusPart{stage: StageProximity}, (*askedPair)(nil)
	for n := range b.pairs {
		p := &b.pairs[n]
		var got uint64
		var field int
		if x, y := p.words[0]*len(b.hits)+i, p.words[1]*len(b.hits)+i; !b.placed || b.fields[x]&b.fields[y] != 0 {
			var err error
			if got, field, err = b.near(i, p.x, p.y, p.want, nil); err != nil {
				return err
			}
		}
		if got = p.worth * got; got > best.score {
			best.score, best.field, of = got, field, p
		}
		if n == len(b.pairs)-1 || b.pairs[n+1].place != p.place {
			if best.score > 0 {
				if b.tell {
					best.term = b.terms[of.x].text + " " + b.terms[of.y].text
				}
				b.add(best)
			}
			best.score = 0
		}
	}
	return nil
}

// closeness tells how near two words come, given where they stand, in ascending
// order: score.MaxImpact if y follows x by want places or fewer, a half of that
// with one more place between them, a third with two, and so on in the window;
// and half as much where y stands before x.
func closeness(xs, ys []uint32, want int) (best uint64) {
	from := 0
	for _, x := range xs {
		for from < len(ys) && ys[from]+proximityWindow < x {
			from++
		}
		for _, y := range ys[from:] {
			if y > x+proximityWindow {
				break
			}
			switch d := int(y) - int(x); {
			case d > 0:
				best = max(best, score.MaxImpact/uint64(1+max(0, d-want)))
			case d < 0:
				best = max(best, score.MaxImpact/2/uint64(1+max(0, -d-want)))
			}
		}
	}
	return best
}
