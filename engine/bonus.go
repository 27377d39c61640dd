package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// Stage names what gave a record a part of its score that is not a term's.
const (
	StageTitle     = "title"     // the title consists of words of the query
	StageProximity = "proximity" // words stand together as in the query
	StageWithout   = "without"   // what the query does not want is not there
	StageMeaning   = "meaning"   // the record as a whole means what the query means
	StageVector    = "vector"    // its vector in Field is near that of the query
)

// bonusPart is a bonus of a record.
type bonusPart struct {
	stage string
	field int    // text ordinal; -1 for none
	term  string // what of the query it is for; "" for all of it
	score uint64
}

// askedWord is a word of the query that bonuses look for.
type askedWord struct {
	at     int   // where it stands in the text of the query
	end    int   // where it ends there
	leaves []int // one for each way in which fields read it
	filler bool
	weight uint64 // of its strongest leaf
}

// ask notes a leaf as that of a word of the query.
func (r *resolver) ask(at, end, leaf int, filler bool) {
	if !r.literal && leaf < len(r.leaves) && !r.leaves[leaf].flat {
		r.asked = append(r.asked, askedWord{at: at, end: end, leaves: []int{leaf}, filler: filler})
	}
}

// bonusBlock is how many bonuses are made room for at a time.
const bonusBlock = 16

// shareUnit is the fixed-point unit of shares of weights.
const shareUnit = 1 << 10

func shareOf(x float64) uint64 { return uint64(math.Round(math.Min(x, maxBoost) * shareUnit)) }

// bonuses works out the bonuses of the records of an index. It belongs to one
// search.
type bonuses struct {
	run    *searchRun
	words  []askedWord // by place in the query
	all    uint64      // their weights
	titles []int       // text ordinals of the fields that say what a record is
	tuning Tuning
	pairs  []askedPair
	terms  map[string]*placedTerm
	parts  []bonusPart // those given out
}

// placedTerm is a term with its lists by segment, positions included. Lists are
// read when they are asked for.
type placedTerm struct {
	text  string
	lists []*posting.List
	read  []bool

	// What the record has of it that was asked about last.
	asked  bool
	seg    int
	doc    posting.DocID
	holds  bool
	vector score.Vector
	places []uint32
}

func newBonuses(run *searchRun) *bonuses {
	b := &bonuses{run: run, tuning: run.res.tuning}
	asked := slices.Clone(run.res.asked)
	slices.SortStableFunc(asked, func(a, c askedWord) int { return cmp.Compare(a.at, c.at) })
	for _, w := range asked {
		for _, l := range w.leaves {
			w.weight = max(w.weight, uint64(run.q.Leaves[l].Weight))
		}
		if n := len(b.words); n > 0 && b.words[n-1].at == w.at {
			last := &b.words[n-1]
			last.leaves, last.weight = append(last.leaves, w.leaves...), max(last.weight, w.weight)
			continue
		}
		b.words = append(b.words, w)
	}
	for i := range b.words {
		b.all += b.words[i].weight
	}
	for i := range run.params.Fields {
		if run.params.Fields[i].Weight > 1 {
			b.titles = append(b.titles, i)
		}
	}
	b.pair()
	return b
}

// any tells whether some record may get a bonus.
func (b *bonuses) any() bool {
	return b.all > 0 && b.tuning.Title > 0 && len(b.titles) > 0 ||
		len(b.words) > 1 && b.tuning.Proximity > 0 || len(b.run.res.unwanted) > 0
}

// of returns the bonuses of a record.
func (b *bonuses) of(h search.Hit) ([]bonusPart, error) {
	out := b.parts[len(b.parts):]
	if p, ok := b.title(h); ok {
		out = append(out, p)
	}
	out, err := b.proximity(h, out)
	if err != nil {
		return nil, err
	}
	if out, err = b.without(h, out); err != nil {
		return nil, err
	}
	if out = slices.Clip(out); len(b.parts)+len(out) <= cap(b.parts) {
		b.parts = b.parts[:len(b.parts)+len(out)]
	} else {
		b.parts = make([]bonusPart, 0, bonusBlock)
	}
	return out, nil
}

// holds tells in which text fields a record has a word, as bits by ordinal;
// fields from the 64th on are not looked at.
func (b *bonuses) holds(h search.Hit, w *askedWord) (fields uint64) {
	for _, l := range w.leaves {
		for _, f := range b.run.q.Vector(l, h.Segment, h.Doc) {
			if f.Field < 64 {
				fields |= 1 << f.Field
			}
		}
	}
	return fields
}

// term returns a term whose lists are to be asked for.
func (b *bonuses) term(text string) *placedTerm {
	t := b.terms[text]
	if t == nil {
		if b.terms == nil {
			b.terms = map[string]*placedTerm{}
		}
		n := len(b.run.iv.segs)
		t = &placedTerm{text: text, lists: make([]*posting.List, n), read: make([]bool, n)}
		b.terms[text] = t
	}
	return t
}

// list returns the list of a term in a segment, with its positions; nil if there
// is none.
func (b *bonuses) list(seg int, t *placedTerm) (*posting.List, error) {
	if !t.read[seg] {
		l, err := b.run.list(b.run.iv.segs[seg], segment.SpaceText, []byte(t.text), true)
		if err != nil {
			return nil, err
		}
		t.lists[seg], t.read[seg] = l, true
	}
	return t.lists[seg], nil
}

// places finds out where a term stands in a record, and whether it does. Pairs
// share their words, so it keeps what it found.
func (b *bonuses) places(h search.Hit, t *placedTerm) (bool, error) {
	if t.asked && t.seg == h.Segment && t.doc == h.Doc {
		return t.holds, nil
	}
	list, err := b.list(h.Segment, t)
	if err != nil {
		return false, err
	}
	t.asked, t.seg, t.doc, t.holds = true, h.Segment, h.Doc, false
	if list == nil {
		return false, nil
	}
	rank, ok := list.Find(h.Doc)
	if !ok {
		return false, nil
	}
	t.holds, t.vector = true, list.Vector(rank, b.run.q.Segments[h.Segment].Table.Book())
	t.places = list.Positions(rank, t.vector, t.places[:0])
	return true, nil
}

// near tells how near two terms stand in a field of a record, and in which, in
// units of 1/score.MaxImpact. want is the distance that they have in the query.
func (b *bonuses) near(h search.Hit, x, y *placedTerm, want int) (best uint64, field int, err error) {
	for _, term := range [...]*placedTerm{x, y} {
		if ok, err := b.places(h, term); err != nil || !ok {
			return 0, -1, err
		}
	}
	vectors := [2]score.Vector{x.vector, y.vector}
	field = -1
	xs, ys := x.places, y.places
	for i, j := 0, 0; i < len(vectors[0]) && j < len(vectors[1]); {
		fx, fy := vectors[0][i], vectors[1][j]
		nx, ny := min(int(fx.TF), len(xs)), min(int(fy.TF), len(ys))
		if fx.Field == fy.Field && b.run.params.Fields[fx.Field].Weight > 0 {
			if got := closeness(xs[:nx], ys[:ny], want); got > best {
				best, field = got, int(fx.Field)
			}
		}
		if fx.Field <= fy.Field {
			i, xs = i+1, xs[nx:]
		}
		if fy.Field <= fx.Field {
			j, ys = j+1, ys[ny:]
		}
	}
	return best, field, nil
}
