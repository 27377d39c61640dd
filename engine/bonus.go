package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// Stage names what gave a record a part of its score that is not a term's.
const (
	StageTitle     = "title"     // the title consists of words of the query
	StageProximity = "proximity" // words stand together as in the query
	StagePassage   = "passage"   // a passage says much of what the query does
	StageCoverage  = "coverage"  // it holds the words of a query of two
	StageCharacter = "character" // characters of words without spaces are there by themselves
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
	at     int         // where it stands in the text of the query
	end    int         // where it ends there
	leaves []askedLeaf // one for each way in which fields read it
	filler bool
	pair   bool   // of characters, as text without spaces is cut into
	weight uint64 // of its strongest leaf
}

// askedLeaf is a leaf of a word, with its ranks in the records at hand; nil: they
// have not been looked for.
type askedLeaf struct {
	leaf  int
	ranks []int
}

// ask notes a leaf as that of a word of the query.
func (r *resolver) ask(at, end, leaf int, filler, pair bool) {
	if !r.literal && leaf < len(r.leaves) && !r.leaves[leaf].flat {
		r.asked = append(r.asked, askedWord{at: at, end: end, leaves: []askedLeaf{{leaf: leaf}}, filler: filler, pair: pair})
	}
}

// shareUnit is the fixed-point unit of shares of weights.
const shareUnit = 1 << 10

func shareOf(x float64) uint64 { return uint64(math.Round(math.Min(x, maxBoost) * shareUnit)) }

// bonuses works out the bonuses of the records of an index. It belongs to one
// search.
//
// The records are looked for in a posting list all at once, in the order of the
// list, when the first of them needs to know.
type bonuses struct {
	run    *searchRun
	words  []askedWord // by place in the query
	all    uint64      // their weights
	titles []int       // text ordinals of the fields that say what a record is
	tuning Tuning
	pairs  []askedPair
	terms  map[string]*placedTerm
	within *passages        // the words that passages are to hold; nil: they do not count
	both   []covered        // the words that coverage counts; nil: it does not
	chars  []askedCharacter // those that StageCharacter counts

	hits []*found        // the records at hand, by segment and document
	docs []posting.DocID // theirs
	free []int           // for ranks
	own  score.Vector    // memory for that of vector
}

// placedTerm is a term with its lists by segment, positions included. Lists are
// read when they are asked for.
type placedTerm struct {
	text  string
	lists []*posting.List // of the segments of the records at hand
	ranks []int           // of these records, -1 for none; nil: they have not been looked for

	// What the last record that was asked about has of it.
	hit    int // -1 for none
	vector score.Vector
	own    score.Vector // memory for vector
	read   bool         // places is of this record
	places []uint32
}

func newBonuses(run *searchRun) *bonuses {
	b := &bonuses{run: run, tuning: run.res.tuning}
	asked := slices.Clone(run.res.asked)
	slices.SortStableFunc(asked, func(a, c askedWord) int { return cmp.Compare(a.at, c.at) })
	for _, w := range asked {
		for _, l := range w.leaves {
			w.weight = max(w.weight, uint64(run.q.Leaves[l.leaf].Weight))
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
	b.passages()
	b.cover()
	b.characters()
	return b
}

// any tells whether some record may get a bonus.
func (b *bonuses) any() bool {
	return b.all > 0 && b.tuning.Title > 0 && len(b.titles) > 0 ||
		len(b.words) > 1 && b.tuning.Proximity > 0 || b.within != nil || len(b.both)+len(b.chars)+len(b.run.res.unwanted) > 0
}

// give works out the bonuses of records of the index, which are put in order by
// segment and document.
func (b *bonuses) give(hits []*found) error {
	slices.SortFunc(hits, func(x, y *found) int {
		return cmp.Or(cmp.Compare(x.hit.Segment, y.hit.Segment), cmp.Compare(x.hit.Doc, y.hit.Doc))
	})
	b.hits, b.docs = hits, b.docs[:0]
	for _, f := range hits {
		b.docs = append(b.docs, f.hit.Doc)
	}
	for i := range b.words {
		for j := range b.words[i].leaves {
			b.words[i].leaves[j].ranks = nil
		}
	}
	for i := range b.both {
		for j := range b.both[i].instead {
			b.both[i].instead[j].ranks = nil
		}
	}
	for _, t := range b.terms {
		t.ranks, t.hit = nil, -1
	}
	seen, err := b.seen()
	if err != nil {
		return err
	}
	parts := make([]bonusPart, 0, 2*len(hits)) // for all of them
	for i, f := range hits {
		from := len(parts)
		if p, ok := b.title(i); ok {
			parts = append(parts, p)
		}
		if p, ok, err := b.passage(i); err != nil {
			return err
		} else if ok {
			parts = append(parts, p)
		}
		if p, ok := b.coverage(i); ok {
			parts = append(parts, p)
		}
		if p, ok := b.character(i, seen); ok {
			parts = append(parts, p)
		}
		if parts, err = b.proximity(i, parts); err != nil {
			return err
		}
		if parts, err = b.without(i, parts); err != nil {
			return err
		}
		f.bonus = slices.Clip(parts[from:])
	}
	return nil
}

// rank returns the ranks of the records at hand in the lists of their segments, -1
// where a list does not hold one or is nil.
func (b *bonuses) rank(list func(seg int) *posting.List) []int {
	n := len(b.hits)
	if len(b.free) < n {
		b.free = make([]int, n*max(4, 2*len(b.words)))
	}
	ranks := b.free[:n:n]
	b.free = b.free[n:]
	for from, to := 0, 0; from < n; from = to {
		seg := b.hits[from].hit.Segment
		for to = from; to < n && b.hits[to].hit.Segment == seg; to++ {
			ranks[to] = -1
		}
		if l := list(seg); l != nil {
			l.Ranks(b.docs[from:to], ranks[from:to])
		}
	}
	return ranks
}

// book returns the codebook of the segment of a record.
func (b *bonuses) book(i int) *score.Codebook {
	return b.run.q.Segments[b.hits[i].hit.Segment].Table.Book()
}

// holds tells in which text fields record i has a word, as bits by ordinal; fields
// from the 64th on are not looked at.
func (b *bonuses) holds(i int, w *askedWord) (fields uint64) {
	for j := range w.leaves {
		for _, f := range b.vector(i, &w.leaves[j]) {
			if f.Field < 64 {
				fields |= 1 << f.Field
			}
		}
	}
	return fields
}

// vector returns the frequencies of a leaf in record i, nil if the record does not
// hold it. They are valid until the next call.
func (b *bonuses) vector(i int, l *askedLeaf) score.Vector {
	q, h := b.run.q, b.hits[i].hit
	if b.run.res.leaves[l.leaf].phrase != nil {
		return q.Vector(l.leaf, h.Segment, h.Doc)
	}
	if l.ranks == nil {
		l.ranks = b.rank(func(seg int) *posting.List { return q.Segments[seg].Lists[l.leaf] })
	}
	if l.ranks[i] < 0 || q.Leaves[l.leaf].Constant {
		return nil
	}
	return q.Segments[h.Segment].Lists[l.leaf].VectorIn(&b.own, l.ranks[i], b.book(i))
}

// term returns a term whose lists are to be asked for.
func (b *bonuses) term(text string) *placedTerm {
	t := b.terms[text]
	if t == nil {
		if b.terms == nil {
			b.terms = map[string]*placedTerm{}
		}
		t = &placedTerm{text: text, hit: -1}
		b.terms[text] = t
	}
	return t
}

// has tells whether record i has a term, and reads its vector if it does. Pairs
// share their words, so it keeps what it read.
func (b *bonuses) has(i int, t *placedTerm) (_ bool, err error) {
	if t.ranks == nil {
		if t.lists == nil {
			t.lists = make([]*posting.List, len(b.run.iv.segs))
		}
		t.ranks = b.rank(func(seg int) *posting.List {
			if t.lists[seg] == nil && err == nil {
				t.lists[seg], err = b.run.list(b.run.iv.segs[seg], segment.SpaceText, []byte(t.text), true)
			}
			return t.lists[seg]
		})
	}
	if err != nil || t.ranks[i] < 0 {
		return false, err
	}
	if t.hit != i {
		t.hit, t.read = i, false
		t.vector = t.lists[b.hits[i].hit.Segment].VectorIn(&t.own, t.ranks[i], b.book(i))
	}
	return true, nil
}

// read returns where a term stands in record i, which has it.
func (b *bonuses) read(i int, t *placedTerm) []uint32 {
	if !t.read {
		t.places = t.lists[b.hits[i].hit.Segment].Positions(t.ranks[i], t.vector, t.places[:0])
		t.read = true
	}
	return t.places
}

// near tells how near two terms stand in a field of record i, and in which, in
// units of 1/score.MaxImpact. want is the distance that they have in the query.
func (b *bonuses) near(i int, x, y *placedTerm, want int) (best uint64, field int, err error) {
	for _, t := range [...]*placedTerm{x, y} {
		if ok, err := b.has(i, t); err != nil || !ok {
			return 0, -1, err
		}
	}
	field = -1
	fromX, fromY := 0, 0 // where the positions of the fields begin
	for j, k := 0, 0; j < len(x.vector) && k < len(y.vector); {
		fx, fy := x.vector[j], y.vector[k]
		nx, ny := int(fx.TF), int(fy.TF)
		if fx.Field == fy.Field && b.run.params.Fields[fx.Field].Weight > 0 {
			xs, ys := part(b.read(i, x), fromX, nx), part(b.read(i, y), fromY, ny)
			if got := closeness(xs, ys, want); got > best {
				best, field = got, int(fx.Field)
			}
		}
		if fx.Field <= fy.Field {
			j, fromX = j+1, fromX+nx
		}
		if fy.Field <= fx.Field {
			k, fromY = k+1, fromY+ny
		}
	}
	return best, field, nil
}

// part returns n elements of places from an index on, those that there are.
func part(places []uint32, from, n int) []uint32 {
	from = min(from, len(places))
	return places[from:min(from+n, len(places))]
}
