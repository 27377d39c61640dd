package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// record is a document of a test corpus.
type record struct {
	segment int
	doc     posting.DocID
	dead    bool
	norms   []byte               // by field
	terms   map[int]score.Vector // by term
	at      map[int][]uint32     // positions by term, as List.Positions gives them
	sets    []bool               // which of the filters hold it
}

// corpus is documents in segments, with what a search needs and with what an
// oracle needs.
type corpus struct {
	records  []record
	segments []Segment
	lists    [][]*posting.List // by segment and term; nil where it has none
	terms    int
	phrases  []testPhrase // the terms from terms on
	sets     []Set
	byDoc    map[posting.DocID]int
	book     *score.Codebook
	built    score.Params // that lists were built under
}

// corpusOptions says what a corpus is like.
type corpusOptions struct {
	ranges [][2]posting.DocID // of the segments: first and last number
	fields int
	share  []float64 // by term: the share of documents that hold it
	holes  float64   // share of numbers that have no document
	dead   float64
	sets   int
	short  bool         // no term occurs often in a document
	fresh  bool         // impacts are what they were when the lists were built, so that bounds are tight
	values map[int]bool // terms whose lists have no frequencies
	before func(a, b posting.DocID) (bool, error)

	phrases []testPhrase
}

// testPhrase is a phrase of the terms of a corpus.
type testPhrase struct {
	terms []int
	o     PhraseOptions
}

// offsets are those of o.
func (p *testPhrase) offsets() []int {
	if p.o.Offsets != nil {
		return p.o.Offsets
	}
	out := make([]int, len(p.terms))
	for i := range out {
		out[i] = i
	}
	return out
}

// in returns the frequencies of p in a record.
func (p *testPhrase) in(rec *record) (v score.Vector) {
	for _, f := range rec.terms[p.terms[0]] {
		if p.o.Fields != nil && !(int(f.Field) < len(p.o.Fields) && p.o.Fields[f.Field]) {
			continue
		}
		at := make([][]int, len(p.terms))
		for i, term := range p.terms {
			at[i] = rec.inField(term, int(f.Field))
		}
		if tf := phraseFreq(at, p.terms, p.offsets(), p.o.Slop); tf > 0 {
			v = append(v, score.Freq{Field: f.Field, TF: tf})
		}
	}
	return v
}

// of returns the phrase in a segment whose lists are given by term.
func (p *testPhrase) of(lists []*posting.List) *Phrase {
	var words []*posting.List
	for _, term := range p.terms {
		words = append(words, lists[term])
	}
	out, err := NewPhrase(words, p.o)
	if err != nil {
		panic(err)
	}
	return out
}

// newCorpus makes up a corpus. Frequencies and lengths are small, so that many
// documents have equal scores, with a few large frequencies.
func newCorpus(t testing.TB, r *rand.Rand, o corpusOptions) *corpus {
	t.Helper()
	c := &corpus{terms: len(o.share), byDoc: map[posting.DocID]int{}}
	book := score.NewCodebook(o.fields)
	coding := posting.NewCoding(book)
	built := score.Params{K1: 1.2}
	for f := range o.fields {
		built.Fields = append(built.Fields, score.Field{Weight: 1 + float64(f), B: 0.75, AvgLen: 6})
	}
	now := built
	if r.IntN(2) == 0 && !o.fresh {
		now.K1 = 0.5 + 2*r.Float64()
		now.Fields = slices.Clone(built.Fields)
		for f := range now.Fields {
			now.Fields[f].AvgLen = 3 + 6*r.Float64()
			if f > 0 && r.IntN(4) == 0 {
				now.Fields[f].Weight = 0
			}
		}
	}
	c.book, c.built = book, built
	builtTable := score.NewTable(book, built)
	table := score.NewTable(book, now)
	pages := make([]map[[2]int]*Page, o.sets)
	for i := range pages {
		pages[i] = map[[2]int]*Page{}
	}
	for s, span := range o.ranges {
		bounds := score.Bounds(built, now)
		seg := Segment{Table: table, Bounds: &bounds, Exact: now.K1 == built.K1 && slices.Equal(now.Fields, built.Fields)}
		norms := func(doc posting.DocID) (posting.NormRun, error) {
			slot := seg.slot(uint16(doc >> 16))
			page := doc &^ 0xffff
			return posting.NormRun{First: page | posting.DocID(slot.NormBase), Last: page | posting.DocID(slot.Last), Norms: slot.Norms}, nil
		}
		builders := make([]*posting.Builder, len(o.share))
		for i := range builders {
			builders[i] = posting.NewBuilder(coding, posting.KindPositions)
			if o.values[i] {
				builders[i].Reset(nil, posting.KindDocs)
			}
		}
		for doc := uint64(span[0]); doc <= uint64(span[1]); doc++ {
			page, place := uint16(doc>>16), int(doc&0xffff)
			if n := len(seg.Slots); n == 0 || seg.Slots[n-1].Page != page {
				last := uint16(0xffff)
				if posting.DocID(page) == span[1]>>16 {
					last = uint16(span[1])
				}
				slot := Slot{Page: page, First: uint16(place), Last: last, NormBase: uint16(place)}
				for range o.fields {
					slot.Norms = append(slot.Norms, make([]byte, int(last)-place+1))
				}
				if o.holes > 0 || o.dead > 0 {
					slot.Dead = new(Page)
				}
				seg.Slots = append(seg.Slots, slot)
			}
			slot := &seg.Slots[len(seg.Slots)-1]
			hole := r.Float64() < o.holes
			dead := hole || r.Float64() < o.dead
			if dead {
				slot.Dead[place>>6] |= 1 << (place & 63)
			}
			if hole {
				continue
			}
			rec := record{segment: s, doc: posting.DocID(doc), dead: dead, terms: map[int]score.Vector{}, at: map[int][]uint32{}}
			for f := range o.fields {
				n := score.EncodeNorm(2 + r.IntN(8))
				rec.norms = append(rec.norms, n)
				slot.Norms[f][place-int(slot.NormBase)] = n
			}
			for i, share := range o.share {
				if r.Float64() >= share {
					continue
				}
				var v score.Vector
				var at []uint32
				// Phrases of short texts are found by sets of positions of 64 each.
				from := []int{0, 0, 60, 124, 250}[rec.doc%5]
				if !o.values[i] {
					v, at = randomPosting(r, o.fields, o.short, from)
				}
				rec.terms[i], rec.at[i] = v, at
				if err := builders[i].Add(rec.doc, v, at); err != nil {
					t.Fatal(err)
				}
			}
			for i := range o.sets {
				in := r.IntN(i+2) == 0
				rec.sets = append(rec.sets, in)
				if in {
					key := [2]int{s, len(seg.Slots) - 1}
					if pages[i][key] == nil {
						pages[i][key] = new(Page)
					}
					pages[i][key][place>>6] |= 1 << (place & 63)
				}
			}
			c.byDoc[rec.doc] = len(c.records)
			c.records = append(c.records, rec)
		}
		var lists []*posting.List
		for _, b := range builders {
			list, err := b.List(&posting.Impacts{Table: builtTable, Norms: norms, Before: o.before})
			if err != nil {
				t.Fatal(err)
			}
			if list.DF == 0 {
				list = nil
			}
			lists = append(lists, list)
		}
		c.segments, c.lists = append(c.segments, seg), append(c.lists, lists)
	}
	c.phrases = o.phrases
	for i := range c.records {
		rec := &c.records[i]
		for n := range c.phrases {
			if v := c.phrases[n].in(rec); v != nil {
				rec.terms[c.terms+n] = v
			}
		}
	}
	for i := range o.sets {
		c.sets = append(c.sets, Set{Words: func(seg, slot int) *Page { return pages[i][[2]int{seg, slot}] }})
	}
	return c
}

// change deletes a few documents and has them scored in other units of length,
// but for every third time, in what they were built with.
func (c *corpus) change(r *rand.Rand) {
	now := c.built
	now.Fields = slices.Clone(now.Fields)
	for f := range now.Fields {
		if r.IntN(3) > 0 {
			now.Fields[f].AvgLen = 3 + 6*r.Float64()
		}
	}
	table, bounds := score.NewTable(c.book, now), score.Bounds(c.built, now)
	for i := range c.segments {
		seg := &c.segments[i]
		seg.Table, seg.Bounds, seg.Exact = table, &bounds, slices.Equal(now.Fields, c.built.Fields)
		seg.Slots = slices.Clone(seg.Slots)
		for j := range seg.Slots {
			slot := &seg.Slots[j]
			dead := new(Page)
			if slot.Dead != nil {
				*dead = *slot.Dead
			}
			for range 100 {
				place := int(slot.First) + r.IntN(int(slot.Last-slot.First)+1)
				dead[place>>6] |= 1 << (place & 63)
			}
			slot.Dead = dead
		}
	}
}

// randomPosting returns frequencies of a term in a document, and positions from a
// position on.
func randomPosting(r *rand.Rand, fields int, short bool, from int) (v score.Vector, at []uint32) {
	for f := range fields {
		if r.IntN(fields) != 0 && !(f == fields-1 && v == nil) {
			continue
		}
		tf := 1
		for tf < 6 && r.IntN(4) == 0 {
			tf++
		}
		if !short && r.IntN(2000) == 0 {
			tf = 200 + r.IntN(200) // has no code
		}
		v = append(v, score.Freq{Field: uint16(f), TF: uint32(tf)})
		p := from + r.IntN(4)
		for range tf {
			at = append(at, uint32(p))
			p += 1 + r.IntN(4)
		}
	}
	return v, at
}

// query returns a query over leaves that stand for the given terms.
func (c *corpus) query(leaves []Leaf, terms []int, match *Expr) *Query {
	q := &Query{Leaves: slices.Clone(leaves), Sets: c.sets, Match: match, Segments: slices.Clone(c.segments)}
	for i, term := range terms {
		l := &q.Leaves[i]
		for _, lists := range c.lists {
			if term < c.terms {
				l.Lists = append(l.Lists, lists[term])
			} else {
				l.Phrases = append(l.Phrases, c.phrases[term-c.terms].of(lists))
			}
		}
	}
	return q
}

// matches is the oracle of conditions.
func (rec *record) matches(e *Expr, terms []int) bool {
	n := 0
	for _, kid := range e.Kids {
		if rec.matches(kid, terms) {
			n++
		}
	}
	switch e.Op {
	case OpLeaf:
		_, ok := rec.terms[terms[e.Leaf]]
		return ok
	case OpSet:
		return rec.sets[e.Set]
	case OpAll:
		return true
	case OpAnd:
		return n == len(e.Kids)
	case OpOr:
		return n > 0
	case OpNot:
		return n == 0
	}
	return n >= e.Min
}

// score is the oracle of scores.
func (rec *record) score(q *Query, terms []int) uint64 {
	sum := uint64(0)
	for i, leaf := range q.Leaves {
		v, ok := rec.terms[terms[i]]
		if !ok {
			continue
		}
		impact := uint64(score.MaxImpact)
		if v != nil && !leaf.Constant {
			norms := make(score.Norms, len(rec.norms))
			for f, n := range rec.norms {
				norms[f] = []byte{n}
			}
			impact = uint64(q.Segments[rec.segment].Table.ImpactOf(v, norms, 0))
		}
		sum += uint64(leaf.Weight) * impact
	}
	return sum
}

// top is the oracle of Top, apart from K.
func (c *corpus) top(q *Query, terms []int, o TopOptions) (hits []Hit, total int64) {
	for i := range c.records {
		rec := &c.records[i]
		if rec.dead || !rec.matches(q.Match, terms) {
			continue
		}
		h := Hit{Segment: rec.segment, Doc: rec.doc, Score: rec.score(q, terms)}
		if h.Score < o.MinScore {
			continue
		}
		total++
		if a := o.After; a != nil && (h.Score > a.Score || h.Score == a.Score && (a.After == nil || !a.After(h))) {
			continue
		}
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		switch {
		case a.Score != b.Score:
			return cmpUint(b.Score, a.Score)
		case o.Order == nil:
			return cmpUint(uint64(a.Doc), uint64(b.Doc)) // segments ascend with documents
		case o.Order(a, b):
			return -1
		case o.Order(b, a):
			return 1
		}
		return 0
	})
	return hits, total
}

func cmpUint(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// randomExpr makes up a condition.
func randomExpr(r *rand.Rand, leaves, sets, depth int) *Expr {
	if depth == 0 || r.IntN(4) == 0 {
		switch n := r.IntN(12); {
		case n == 0:
			return &Expr{Op: OpAll}
		case n < 3 && sets > 0:
			return &Expr{Op: OpSet, Set: r.IntN(sets)}
		}
		return &Expr{Op: OpLeaf, Leaf: r.IntN(leaves)}
	}
	e := &Expr{Op: []Op{OpAnd, OpOr, OpOr, OpNot, OpAtLeast}[r.IntN(5)]}
	kids := 1
	if e.Op != OpNot {
		kids = r.IntN(6)
	}
	for range kids {
		e.Kids = append(e.Kids, randomExpr(r, leaves, sets, depth-1))
	}
	e.Min = r.IntN(kids + 2)
	return e
}

// usualExpr makes up a condition of the shapes that queries usually have: a
// union, a conjunction or most of the words, perhaps with a filter.
func usualExpr(r *rand.Rand, leaves, sets int) *Expr {
	e := &Expr{Op: []Op{OpOr, OpOr, OpAnd, OpAtLeast}[r.IntN(4)], Min: 1 + r.IntN(leaves)}
	for i := range leaves {
		e.Kids = append(e.Kids, &Expr{Op: OpLeaf, Leaf: i})
	}
	switch r.IntN(4) {
	case 0:
		if sets > 0 {
			e = &Expr{Op: OpAnd, Kids: []*Expr{e, {Op: OpSet, Set: r.IntN(sets)}}}
		}
	case 1:
		if n := len(e.Kids); n > 1 && e.Op != OpAtLeast {
			last := e.Kids[n-1]
			e.Kids = e.Kids[:n-1]
			e = &Expr{Op: OpAnd, Kids: []*Expr{e, {Op: OpNot, Kids: []*Expr{last}}}}
		}
	}
	return e
}
