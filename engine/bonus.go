package engine

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Stage names what gave a record a part of its score that is not a term's.
const (
	StageTitle     = "title"     // the title consists of words of the query
	StageName      = "name"      // a title, or the id, is just what the query says
	StageProximity = "proximity" // words stand together as in the query
	StagePassage   = "passage"   // a passage says much of what the query does
	StageCoverage  = "coverage"  // it holds the words of a query of two
	StageCharacter = "character" // characters of words without spaces are there by themselves
	StageAnswer    = "answer"    // it has a number of what is asked the number of
	StageFamily    = "family"    // it has a word of the family of one that it lacks
	StageThesaurus = "thesaurus" // it has something that stands for a word that it lacks
	StageWithout   = "without"   // what the query does not want is not there
	StageMeaning   = "meaning"   // the record as a whole means what the query means
	StageComplete  = "complete"  // it holds all words of the query, as a page of records do
	StageVector    = "vector"    // its vector in Field is near that of the query
)

// bonusPart is a bonus of a record.
type bonusPart struct {
	stage string
	field int    // text ordinal; -1 for none
	term  string // what of the query it is for; "" for all of it
	score uint64
}

// askedWord is a word of the query that bonuses look for, in one of the ways in
// which fields read it.
type askedWord struct {
	at     int // where it stands in the text of the query
	end    int // where it ends there
	leaf   int
	filler bool
	pair   bool // of characters, as text without spaces is cut into
	family bool // of a language in which families are looked for
}

// ask notes a leaf as that of a word of the query.
func (r *resolver) ask(at, end, leaf int, filler, pair, family bool) {
	if !r.literal && leaf < len(r.leaves) && !r.leaves[leaf].flat {
		r.asked = append(r.asked, askedWord{at: at, end: end, leaf: leaf, filler: filler, pair: pair, family: family})
	}
}

// shareUnit is the fixed-point unit of shares of weights.
const shareUnit = 1 << 10

func shareOf(x float64) uint64 { return uint64(math.Round(math.Min(x, maxBoost) * shareUnit)) }

// bonuses works out the bonuses of the records of an index. It belongs to one
// search, and its memory to those that come after it (bonusPool).
//
// The records are looked for in a posting list all at once, in the order of the
// list, when the first of them needs to know.
type bonuses struct {
	run       *searchRun
	words     []bonusWord // by place in the query
	leaves    []bonusLeaf // of the words
	all       uint64      // their weights
	titles    []int       // text ordinals of the fields that say what a record is
	tuning    Tuning
	pairs     []askedPair
	terms     []placedTerm
	within    passages         // what passages are to hold
	both      []covered        // the words that coverage counts; none: it does not
	spare     []bonusLeaf      // what stands for them
	chars     []askedCharacter // those that StageCharacter counts
	allChars  uint64           // what those of them weigh that are looked for
	counted   countedThings    // what a record is looked through for that answers
	answer    uint64           // what that adds; 0: nothing is looked for
	kin       []askedFamily    // those that StageFamily counts
	elsewhere []calledWords    // those that StageThesaurus counts
	called    []calledPhrase   // what it looks for in the records at hand
	late      []bonusLeaf      // those that count for the best records alone
	lateness  []uint64         // what they add to the records at hand
	reach     uint64           // what they can add at most
	tell      bool             // what the bonuses are made of is asked for
	parts     []bonusPart      // of all records, if so

	hits   []*found        // the records at hand, by segment and document
	docs   []posting.DocID // theirs
	sum    uint64          // what the one at hand gets
	ranks  []int           // memory for ranks
	free   []int           // what is left of it
	ranker *posting.Ranker // of the pool, while bonuses are given
	whole  characterSieve  // of chars
	texts  []readText      // memory for seen
	long   []uint64        // memory for characterSieve.long
	fields []uint64        // by word and record; see locate
	placed bool            // fields tells all that bonuses look at
	own    score.Vector    // memory for a vector that no code stands for

	// Memory for what the records have of leaves; see vectorsOf.
	vectors, room []score.Vector
	freqs         []score.Freq
}

// bonusWord is a word with its leaves, one for each way in which fields read it.
type bonusWord struct {
	at, end  int // as of askedWord
	from, to int // bonuses.leaves
	filler   bool
	pair     bool // of characters
	family   bool
	weight   uint64 // of its strongest leaf
}

// bonusLeaf is a leaf of a word, with its ranks in the records at hand, and its
// frequencies there; nil: they have not been looked for.
type bonusLeaf struct {
	leaf    int
	term    int // of bonuses.terms; -1: it has not been asked for
	ranks   []int
	vectors []score.Vector // the same, see vectorsOf
}

// bonusPool keeps the memory of bonuses for later searches. It is safe for
// concurrent use.
type bonusPool struct {
	free    sync.Pool
	rankers sync.Pool // *posting.Ranker, which are large: the indexes of a search take turns
}

func (p *bonusPool) takeRanker() *posting.Ranker {
	if r, ok := p.rankers.Get().(*posting.Ranker); ok {
		return r
	}
	return new(posting.Ranker)
}

func (p *bonusPool) take() *bonuses {
	if b, ok := p.free.Get().(*bonuses); ok {
		return b
	}
	return new(bonuses)
}

// maxIdleRanks bounds the memory that is kept: a query of very many words does not
// hold it until the next garbage collection.
const maxIdleRanks = 1 << 14

// give takes back bonuses that nobody uses any more. What they told of is not theirs.
func (p *bonusPool) give(b *bonuses) {
	if b == nil || max(cap(b.ranks), cap(b.long), cap(b.fields), cap(b.vectors), cap(b.freqs)) > maxIdleRanks {
		return
	}
	for i := range b.terms {
		t := &b.terms[i]
		clear(t.lists)
		t.text, t.vector, t.codes, t.places = "", nil, posting.CodeReader{}, nil
		if t.reader.Reset(nil); t.reader.Room() > maxIdleRanks {
			t.reader = posting.PositionReader{}
		}
	}
	clear(b.leaves)
	clear(b.spare)
	clear(b.late)
	clear(b.hits[:cap(b.hits)])
	clear(b.vectors)
	clear(b.counted.units[:cap(b.counted.units)])
	clear(b.kin)
	clear(b.elsewhere)
	called := b.called[:cap(b.called)]
	for i := range called {
		c := &called[i]
		clear(c.rows[:cap(c.rows)])
		c.terms, c.rows, c.ranks = "", c.rows[:0], c.ranks[:0]
	}
	b.whole = characterSieve{}
	b.run, b.parts, b.vectors, b.room = nil, nil, b.vectors[:0], nil
	p.free.Put(b)
}

func newBonuses(run *searchRun) *bonuses {
	b := run.e.bonuses.take()
	b.run, b.tuning, b.tell, b.hits = run, run.res.tuning, run.res.req.Explain, b.hits[:0]
	b.words, b.leaves, b.titles, b.pairs, b.terms, b.all = b.words[:0], b.leaves[:0], b.titles[:0], b.pairs[:0], b.terms[:0], 0
	b.placed = len(run.params.Fields) <= 64
	asked := run.res.asked
	if byPlace := func(a, c askedWord) int { return cmp.Compare(a.at, c.at) }; !slices.IsSortedFunc(asked, byPlace) {
		asked = slices.Clone(asked)
		slices.SortStableFunc(asked, byPlace)
	}
	for _, w := range asked {
		weight := uint64(run.res.leaves[w.leaf].weight)
		b.leaves = append(b.leaves, bonusLeaf{leaf: w.leaf, term: -1})
		b.placed = b.placed && run.res.leaves[w.leaf].first != nil
		if n := len(b.words); n > 0 && b.words[n-1].at == w.at {
			last := &b.words[n-1]
			last.family = last.family || w.family
			last.to, last.weight = len(b.leaves), max(last.weight, weight)
			continue
		}
		b.words = append(b.words, bonusWord{w.at, w.end, len(b.leaves) - 1, len(b.leaves), w.filler, w.pair, w.family, weight})
	}
	for i := range b.words {
		b.all += b.words[i].weight
	}
	if len(run.res.req.Fields) == 0 {
		b.titles = append(b.titles, run.iv.schema.titles...)
	} else {
		for i := range run.params.Fields {
			if run.params.Fields[i].Weight > 1 {
				b.titles = append(b.titles, i)
			}
		}
	}
	b.pair()
	b.passages()
	b.cover()
	b.characters()
	b.answers()
	b.families()
	b.calledElse()
	b.findLate()
	return b
}

// any tells whether some record may get a bonus.
func (b *bonuses) any() bool {
	return b.all > 0 && b.tuning.Title > 0 && len(b.titles) > 0 ||
		len(b.words) > 1 && b.tuning.Proximity > 0 ||
		b.within.wanted || b.answer > 0 || len(b.kin)+len(b.elsewhere)+len(b.late) > 0 || len(b.both)+len(b.chars)+len(b.run.res.unwanted) > 0
}

// byPlace puts hits, of which there are few, in order by segment and document.
func byPlace(hits []*found) {
	before := func(x, y *found) bool {
		return x.hit.Segment < y.hit.Segment || x.hit.Segment == y.hit.Segment && x.hit.Doc < y.hit.Doc
	}
	for i := 1; i < len(hits); i++ {
		x, j := hits[i], i
		for ; j > 0 && before(x, hits[j-1]); j-- {
			hits[j] = hits[j-1]
		}
		hits[j] = x
	}
}

// give adds their bonuses to the scores of records of the index, which are put in
// order by segment and document.
func (b *bonuses) give(hits []*found) error {
	pool := &b.run.e.bonuses
	b.ranker = pool.takeRanker()
	defer func() {
		pool.rankers.Put(b.ranker)
		b.ranker = nil
	}()
	byPlace(hits)
	b.hits, b.docs, b.free = hits, b.docs[:0], b.ranks
	for _, f := range hits {
		b.docs = append(b.docs, f.hit.Doc)
	}
	for i := range b.leaves {
		b.leaves[i].ranks, b.leaves[i].vectors = nil, nil
	}
	clear(b.vectors)
	b.vectors = slices.Grow(b.vectors[:0], len(hits)*len(b.leaves))[:len(hits)*len(b.leaves)]
	b.room, b.freqs = b.vectors, b.freqs[:0]
	for i := range b.terms {
		t := &b.terms[i]
		t.ranks, t.hit, t.seg, t.from = nil, -1, -1, -1
	}
	for i := range b.spare {
		b.spare[i].ranks = nil
	}
	titled := b.titled()
	if titled || len(b.elsewhere) > 0 || len(b.both) > 0 || b.within.wanted || len(b.pairs) > 0 {
		b.locate()
	}
	if err := b.lookElsewhere(); err != nil {
		return err
	}
	seen, err := b.seen()
	if err != nil {
		return err
	}
	b.weighLate()
	if b.tell {
		b.parts = make([]bonusPart, 0, 2*len(hits))
	}
	for i, f := range hits {
		from := len(b.parts)
		b.sum = 0
		if titled {
			b.title(i)
		}
		if err := b.passage(i); err != nil {
			return err
		}
		b.addLate(i)
		b.coverage(i)
		if err := b.thesaurus(i); err != nil {
			return err
		}
		if seen != nil {
			b.character(&seen[i])
			b.family(seen[i].kin)
		}
		if err := b.proximity(i); err != nil {
			return err
		}
		b.without(i)
		f.hit.Score += b.sum
		f.bonus = slices.Clip(b.parts[from:])
	}
	return nil
}

// add gives a bonus to the record at hand.
func (b *bonuses) add(p bonusPart) {
	b.sum += p.score
	if b.tell {
		b.parts = append(b.parts, p)
	}
}

// rank returns the ranks of the records at hand in the lists of their segments, -1
// where a list does not hold one or is nil.
func (b *bonuses) rank(list func(seg int) *posting.List) []int {
	n := len(b.hits)
	if len(b.free) < n {
		b.ranks = make([]int, n*max(4, 2*len(b.leaves)))
		b.free = b.ranks
	}
	ranks := b.free[:n:n]
	b.free = b.free[n:]
	for from, to := 0, 0; from < n; from = to {
		seg := b.hits[from].hit.Segment
		for to = from; to < n && b.hits[to].hit.Segment == seg; to++ {
			ranks[to] = -1
		}
		if l := list(seg); l != nil {
			b.ranker.Ranks(l, b.docs[from:to], ranks[from:to])
		}
	}
	return ranks
}

// ranksOf returns the ranks of a leaf, which is a list.
func (b *bonuses) ranksOf(l *bonusLeaf) []int {
	if l.ranks == nil {
		l.ranks = b.rank(func(seg int) *posting.List { return b.run.q.Leaves[l.leaf].Lists[seg] })
	}
	return l.ranks
}

// book returns the codebook of the segment of a record.
func (b *bonuses) book(i int) *score.Codebook {
	return b.run.q.Segments[b.hits[i].hit.Segment].Table.Book()
}

// locate sets b.fields to the text fields in which the records have the words, as
// bits by ordinal; fields from the 64th on are not looked at.
func (b *bonuses) locate() {
	n := len(b.hits)
	b.fields = slices.Grow(b.fields[:0], n*len(b.words))[:n*len(b.words)]
	clear(b.fields)
	for w := range b.words {
		row := b.fields[w*n:][:n]
		for j := b.words[w].from; j < b.words[w].to; j++ {
			b.locateLeaf(&b.leaves[j], row)
		}
	}
}

// locateLeaf adds the fields in which the records have a leaf.
func (b *bonuses) locateLeaf(l *bonusLeaf, row []uint64) {
	if b.run.q.Leaves[l.leaf].Constant || b.run.res.leaves[l.leaf].phrase != nil {
		return
	}
	for i, v := range b.vectorsOf(l) {
		for _, f := range v {
			if f.Field < 64 {
				row[i] |= 1 << f.Field
			}
		}
	}
}

// vectorsOf returns the frequencies of a leaf, which is a list, in the records at hand,
// none where they do not have it or the list knows none. Several stages ask for them, so
// they are read once.
func (b *bonuses) vectorsOf(l *bonusLeaf) []score.Vector {
	if l.vectors != nil {
		return l.vectors
	}
	n := len(b.hits)
	l.vectors, b.room = b.room[:n:n], b.room[n:]
	var list *posting.List
	var codes posting.CodeReader
	var book *score.Codebook
	segment := -1
	for i, rank := range b.ranksOf(l) {
		if rank < 0 {
			continue
		}
		if seg := b.hits[i].hit.Segment; seg != segment {
			segment, list, book = seg, b.run.q.Leaves[l.leaf].Lists[seg], b.book(i)
			codes = list.Codes()
		}
		if !list.HasFreqs {
			continue
		}
		if code := codes.At(rank); code != score.Escape {
			if int(code) < book.Len() {
				l.vectors[i] = book.Vector(code)
			}
			continue
		}
		from := len(b.freqs)
		b.freqs = append(b.freqs, codes.Escaped(&b.own, rank, book)...)
		l.vectors[i] = b.freqs[from:len(b.freqs):len(b.freqs)]
	}
	return l.vectors
}
