package engine

import (
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// Weights of the default ranking, chosen on judged collections.
const (
	// stopPenalty weighs filler words down where at least stopNeeds content
	// words remain.
	stopPenalty = 0.2
	stopNeeds   = 2
	// exactBonus is what the very form of a word in the query adds to its stem.
	exactBonus = 0.1
	// prefixWeight is what the beginning of a word is worth.
	prefixWeight = 0.1
	// minPrefix is the length, in characters, from which the last word of a
	// query also stands for the words that begin with it.
	minPrefix = 2
)

// weightUnit is the fixed-point unit of leaf weights, scoreUnit that of
// scores: a score is a sum of weights times impacts, and an impact is in units
// of 1/65536. Both are powers of two, so scores and their parts are exact as
// floats.
const (
	weightUnit = 1 << 16
	scoreUnit  = 1 << 32
)

// leaf is a term of the query in one index.
type leaf struct {
	global string // key of the collection statistics that it takes part in
	key    string // of its lists, if it is a term
	term   string
	from   string // the word as it was typed
	lists  []*posting.List
	first  []*search.Leaders // of lists; nil: they have none
	row    *listRow          // of the term, in any field; nil: it is none, or there is no such row
	living *search.Living    // of lists; nil: it has none
	phrase *phraseLeaf       // in place of lists, or what they are of
	df     int64             // live documents of the index; of a phrase, see countPhrase
	veiled int64             // those of a leaf that is unseen
	boost  float64
	factor float64  // penalty or bonus
	edits  int      // from the word as it was typed
	like   []string // of what stands for words: the globals of the leaves that it weighs no more than, and just as much as several of them together
	among  []string // of a filter that raises records: the globals of the leaves of which it weighs no more than the rarest
	text   bool     // a term of texts
	flat   bool     // a constant impact: prefixes
	covers int      // 1 + the leaf of which it has all documents; 0: none is known to be
	silent bool     // matches without scoring
	late   bool     // adds to the scores of the best records alone; see bonuslate.go
	weight uint32   // see resolver.weights
	unseen bool     // only records out of the caller's sight hold it; see blind
	field  string   // of a filter that raises records
	fields []bool   // of a term: the text fields that it is looked for in; nil: all
}

// resolver turns the query tree of a request into leaves and a condition for
// one index.
type resolver struct {
	run        *searchRun
	s          *searcher // nil: it resolves no query
	docs       uint64    // of all indexes of the search
	req        *Request
	texts      *queryTexts
	filterable func(field string) bool // in some index of the search
	mask       []bool                  // text fields to look into, by text ordinal; nil: all
	scope      string                  // what narrows mask beside Request.Fields; see analyzerGroup
	leaves     []leaf
	sets       []search.Set
	used       []*filterSet
	groups     []*search.Expr // of the top level: the words that MatchAuto counts
	must       []*search.Expr
	words      int   // content words
	pairs      int   // of these, the pairs of characters
	stops      []int // leaves of filler words
	marked     []markedTerm
	terms      int
	tuning     Tuning

	room      *leafRoom
	asked     []askedWord    // see bonuses
	unwanted  []unwanted     // see withoutNegated
	notWanted []string       // the same as it was typed
	lack      []*search.Expr // the records that say that they have nothing of it; see lacking
	joined    []compound     // words joined and split; see compounds
	elsewhere []string       // those for which only other indexes of the search have what they are as that
	called    []compound     // what words are also called; see thesaurus
	meant     []string       // words typed that something else was found for: compounds, and what package thesaurus knows
	related   []related      // see thesaurus
	counts    *jointCounts   // of all indexes of the search
	name      []query.Node   // the clauses, if they may be the name of a record; see said
	named     [][2]int       // phrases of the query for which the schema has synonyms: where they begin and end
	err       error

	intent  *understanding
	repairs map[string]repair  // by the word as it was typed
	unseen  map[indexTerm]bool // see searcher.findUnseen
	fillers map[string]bool    // of the request's language
	literal bool               // words are meant as they are written
	derived bool               // what is resolved stands for words of the query; see deriving
	joint   bool               // there are several indexes
	framed  [][2]int           // see isFrame
	eyes    *sight             // see resolver.sight
	inFrame bool               // the word that is being resolved belongs to a frame
	looked  bool               // framed is known
	denied  bool               // words that are not wanted are being resolved: literally, but for slips
	unknown bool               // a word was met that the index does not hold
	every   bool               // a word was met that the index is called by, and no record says so: see namesIndex

	holdsNamed, lacksNamed bool // the records of the index hold what the query names beside filters; they do not
}

// fail notes what is wrong. A query may have several problems, and a node that
// is resolved twice has the same one again.
func (r *resolver) fail(err error) *search.Expr {
	first, isFirst := r.err.(*InvalidError)
	more, isMore := err.(*InvalidError)
	switch {
	case r.err == nil:
		r.err = err
	case isFirst && isMore:
		all := problems{err: InvalidError{Problems: slices.Clone(first.Problems), Total: first.Total}}
		for _, p := range more.Problems {
			if !slices.Contains(all.err.Problems, p) {
				all.add(p)
			}
		}
		r.err = all.orNil()
	}
	return &search.Expr{Op: search.OpOr}
}

// top resolves the root of the tree.
func (r *resolver) top(n query.Node) {
	b, ok := n.(query.Bool)
	if !ok {
		b = query.Bool{Should: []query.Node{n}}
	}
	if b.MinShould > 0 {
		e := r.node(b, 1, true)
		if e == nil {
			e = &search.Expr{Op: search.OpOr}
		}
		r.must = append(r.must, e)
		return
	}
	r.makeRoom(len(b.Must) + len(b.Should))
	r.said(&b)
	b.Should = r.withoutNegated(b.Should)
	last := len(b.Should) - 1
	if len(b.Must) > 0 {
		last = -1
	}
	for _, k := range b.Must {
		if e := r.node(k, 1, false); e != nil {
			r.must = append(r.must, e)
		}
	}
	words := slices.Grow(r.room.words[:0], len(b.Should))
	for i, k := range b.Should {
		for n, w := range r.split(k, i == last) {
			if w.clause = i; w.nth == 0 {
				w.nth = n
			}
			words = append(words, w)
		}
	}
	r.room.words = words
	r.synonyms(b.Should, words)
	r.thesaurus(b.Should, words)
	r.raise(b.Should, words)
	r.compounds(b.Should, words)
	words = r.withoutSaid(b.Should, words)
	for _, w := range words {
		if !w.stop {
			r.words++
			if w.pair {
				r.pairs++
			}
		}
	}
	if r.s != nil && r.s.bare {
		r.requireFillers(words)
		return
	}
	if r.words == 0 && r.every && len(b.Must) == 0 && r.req.Match == MatchAuto {
		r.must, words = append(r.must, &search.Expr{Op: search.OpAll}), nil
	}
	for _, w := range words {
		if !w.stop || r.words == 0 || r.req.Match == MatchAll && !(r.s != nil && r.s.ordering) {
			r.groups = append(r.groups, w.expr)
		}
	}
	if len(b.Must)+len(b.Should) > 0 && len(r.must)+len(r.groups) == 0 {
		// Punctuation, or an index without text: nothing there can match, and
		// what narrows the result further down must not widen it.
		r.must = append(r.must, &search.Expr{Op: search.OpOr})
	}
	for _, k := range b.MustNot {
		if e := r.silently(func() *search.Expr { return r.node(k, 1, false) }); e != nil {
			r.must = append(r.must, &search.Expr{Op: search.OpNot, Kids: []*search.Expr{e}})
		}
	}
	if len(b.MustNot) > 0 && len(r.must)+len(r.groups) == 0 {
		r.must = append(r.must, &search.Expr{Op: search.OpAll}) // an index without text lacks any word
	}
	penalty := r.tuning.Filler
	if r.req.Ranking == RankingBM25 {
		penalty = 0
	}
	if r.words >= stopNeeds {
		for _, i := range r.stops {
			r.leaves[i].factor *= penalty
			r.leaves[i].late = true
		}
	}
}

// makeRoom makes room for the leaves that so many words have as a rule: a word is
// its stem and by default also its very form, and the last one what begins with it.
func (r *resolver) makeRoom(words int) {
	n := words
	if r.req.Ranking == RankingDefault {
		n = 2*words + 1
		r.asked = slices.Grow(r.asked, min(words, 32))
	}
	r.leaves = slices.Grow(r.leaves, min(n, 64))
}

// word is what one word of the query asks for.
type word struct {
	expr        *search.Expr
	stop        bool // a filler word
	frame       bool // that belongs to a phrase around what is asked for
	pair        bool // of characters, as text without spaces is cut into
	clause, nth int  // where it stands: the clause, and the word in it; -1: it is all of the clause
	first       int  // its first leaf
}

// split resolves a clause of the top level. Unquoted text may be several
// words: "wi-fi" is two, and text without spaces between words, as in Chinese,
// is taken apart into pairs of characters.
func (r *resolver) split(n query.Node, last bool) []word {
	if t, ok := n.(query.Text); ok && t.Field == "" && !t.Quoted {
		if groups := r.analyzers(r.mask); len(groups) == 1 {
			return r.tokens(t, groups[0], 1, last)
		}
	}
	before, first := len(r.stops), len(r.leaves)
	var e *search.Expr
	if t, ok := n.(query.Text); ok && t.Field == "" {
		e = r.text(t, 1, last) // see synonyms
	} else {
		e = r.node(n, 1, last)
	}
	if e == nil {
		return nil // nothing to look for: punctuation
	}
	return []word{{expr: e, stop: len(r.stops) > before, nth: -1, first: first}}
}

// silently resolves what must not add to scores.
func (r *resolver) silently(f func() *search.Expr) *search.Expr {
	n, marked := len(r.leaves), len(r.marked)
	e := r.literally(f)
	r.marked = r.marked[:marked]
	for i := n; i < len(r.leaves); i++ {
		r.leaves[i].silent = true
	}
	return e
}

// literally resolves words without looking for what else they may mean.
func (r *resolver) literally(f func() *search.Expr) *search.Expr {
	before := r.literal
	r.literal = true
	defer func() { r.literal = before }()
	return f()
}

// node resolves a node below the root; nil if it has nothing to look for. last
// tells that the node ends the query, so that its last word may be unfinished.
func (r *resolver) node(n query.Node, boost float64, last bool) *search.Expr {
	switch n := n.(type) {
	case query.Text:
		e := r.text(n, boost, last)
		if other := r.synonym(n, boost); e != nil && other != nil {
			return &search.Expr{Op: search.OpOr, Kids: []*search.Expr{e, other}}
		}
		return e
	case query.Boost:
		if n.Factor > maxBoost {
			return r.fail(invalid(CodeLimitExceeded, "/q", "a boost may be at most %d", maxBoost))
		}
		return r.node(n.Node, boost*n.Factor, last)
	case query.Bool:
		return r.boolean(n, boost)
	case query.All:
		return &search.Expr{Op: search.OpAll}
	case query.None:
		return &search.Expr{Op: search.OpOr}
	}
	return r.filter(n)
}

// maxBoost bounds boosts, so that weights fit their fixed-point form.
const maxBoost = 1000

func (r *resolver) boolean(b query.Bool, boost float64) *search.Expr {
	var kids, should []*search.Expr
	for _, k := range b.Must {
		if e := r.node(k, boost, false); e != nil {
			kids = append(kids, e)
		}
	}
	for _, k := range b.Should {
		if e := r.node(k, boost, false); e != nil {
			should = append(should, e)
		}
	}
	least := b.MinShould
	if least == 0 && len(kids) == 0 && len(should) > 0 {
		least = 1
	}
	switch {
	case least == 1:
		kids = append(kids, &search.Expr{Op: search.OpOr, Kids: should})
	case least > 1:
		kids = append(kids, &search.Expr{Op: search.OpAtLeast, Min: least, Kids: should})
	}
	for _, k := range b.MustNot {
		if e := r.silently(func() *search.Expr { return r.node(k, 1, false) }); e != nil {
			kids = append(kids, &search.Expr{Op: search.OpNot, Kids: []*search.Expr{e}})
		}
	}
	if len(kids) == 0 && len(b.Must)+len(b.Should) > 0 {
		return nil
	}
	return &search.Expr{Op: search.OpAnd, Kids: kids}
}

// filter resolves a node that compares values.
func (r *resolver) filter(n query.Node) *search.Expr { return r.filterText(n, "") }

// filterText is filter of a node that was parsed from text.
func (r *resolver) filterText(n query.Node, text string) *search.Expr {
	cond, err := bindText(r.run.iv.schema, n, r.filterable, text)
	if err != nil {
		return r.fail(repoint(err, "/q"))
	}
	set := &filterSet{run: r.run, cond: cond}
	r.used = append(r.used, set)
	r.sets = append(r.sets, search.Set{Words: set.some})
	return &search.Expr{Op: search.OpSet, Set: len(r.sets) - 1}
}

// repoint gives the problems of an error a pointer.
func repoint(err error, pointer string) error {
	if inv, ok := err.(*InvalidError); ok {
		c := &InvalidError{Total: inv.Total, Problems: slices.Clone(inv.Problems)}
		for i := range c.Problems {
			c.Problems[i].Pointer = pointer
		}
		return c
	}
	return err
}

// bound returns the leaves without weights.
func (r *resolver) bound() []search.Leaf {
	out := r.room.bound.cut(len(r.leaves))
	for i := range r.leaves {
		l := &r.leaves[i]
		out[i].Lists, out[i].Leaders, out[i].Living = l.lists, l.first, l.living
		out[i].Covers = l.covers
		if l.phrase != nil && !l.phrase.listed {
			out[i].Phrases = l.phrase.parts
		}
	}
	return out
}

// weights turns the leaves into what the kernels take. docs and df are over
// all indexes of the search. Leaves that come late, where any do, weigh nothing yet.
func (r *resolver) weights(docs uint64, df map[string]int64, late bool) []search.Leaf {
	out := r.bound()
	for i := range r.leaves {
		l := &r.leaves[i]
		out[i].Constant = l.flat
		if l.silent {
			continue
		}
		l.weight = r.weight(l, docs, df)
		if l.late = l.late && late; !l.late {
			out[i].Weight = l.weight
		}
	}
	for i := range r.unwanted {
		u := &r.unwanted[i]
		u.weight = uint64(r.weight(&r.leaves[u.leaf], docs, df))
	}
	return out
}

// phrased tells whether a leaf is a phrase whose documents are not known.
func (r *resolver) phrased() bool {
	for i := range r.leaves {
		if p := r.leaves[i].phrase; p != nil && !p.listed {
			return true
		}
	}
	return false
}

// weight is what a leaf weighs in units of 1/weightUnit.
func (r *resolver) weight(l *leaf, docs uint64, df map[string]int64) uint32 {
	w := r.idf(l, docs, df) * (score.DefaultK1 + 1) * l.boost * l.factor
	return uint32(min(math.Round(w*weightUnit), math.MaxUint32))
}

// idf is what the rarity of a leaf makes it worth. df is searcher.df.
func (r *resolver) idf(l *leaf, docs uint64, df map[string]int64) float64 {
	idf := 0.0
	if l.phrase != nil {
		idf = l.phrase.idf(docs, df)
	} else {
		idf = score.IDF(docs, uint64(l.documents(df)))
	}
	if len(l.like) > 0 {
		most := 0.0
		for _, global := range l.like {
			most += score.IDF(docs, uint64(r.dfOf(global, df)))
		}
		if len(l.like) > 1 {
			return most // one word for several, as SAML for single sign-on, says all of it
		}
		idf = min(idf, most)
	}
	// Which one is the rarest depends on all indexes.
	least := int64(math.MaxInt64)
	for _, global := range l.among {
		if n := r.dfOf(global, df); n > 0 {
			least = min(least, n)
		}
	}
	if least < math.MaxInt64 {
		idf = min(idf, score.IDF(docs, uint64(least)))
	}
	return idf
}

// documents is how many documents hold a leaf that is a list. df is searcher.df.
func (l *leaf) documents(df map[string]int64) int64 {
	if df == nil {
		return l.df
	}
	return df[l.global]
}

// dfOf is how many documents hold the leaf of a name, 0 if there is none.
func (r *resolver) dfOf(global string, df map[string]int64) int64 {
	if df != nil {
		return df[global]
	}
	for i := range r.leaves {
		if r.leaves[i].global == global {
			return r.leaves[i].df
		}
	}
	return 0
}
