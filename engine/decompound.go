package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Languages that write compounds as one word (tokenize.Analyzer.Links) say in one word what
// others say in several. Words of the query are therefore also looked for
//
//   - as the head of compounds: "Jacke" is in "Winterjacke", which is a kind of it;
//   - by twos as one: "Futter für Hunde" is "Hundefutter", where the other word says the kind;
//   - as the beginning of compounds, if hardly any record holds it; see decompoundfront.go;
//   - apart, if hardly any record holds them: "Kinderschuhe" are in "Schuhe für Kinder";
//   - by their parts alone, if no record is found by all of these; see decompoundloose.go.
//
// What stands for words that no record holds is looked for in compounds, too: see thesauruscompound.go.
//
// Of languages that write some compounds as one word and most in several, only words that hardly any record
// holds are looked for in others; see decompoundseldom.go.
//
// What is a compound of a head is told by its letters alone, not by whether its parts are words of the
// index: so it is the same whatever the segments are, what is deleted from them, and what a
// caller may see. The words that end with another are found in the lexicons of the segments,
// by a search in each and no walk. They are remembered by view.

const (
	// minHead is the letters of the shortest word that is the head of compounds, and minRest
	// of what stands before it: with three letters, "Verstand" had the head "Stand".
	minHead = 4
	minRest = 4
	// longHead is the letters of a head that may have three letters before it that are no
	// prefix, and longestHead of one that may have two, which minShort is.
	longHead    = 5
	longestHead = 8
	minShort    = 2
	// minBeside is the letters of what stands before the head if another word of the query
	// says it: "Tee" and "Kanne".
	minBeside = 3
	// maxPaired is how many content words a query has whose pairs are looked for.
	maxPaired = 6
	// maxSplits is how many ways to split a word are tried, and maxParts of how many parts. Only
	// parts count that the caller may see: what others hold must not push one out.
	maxSplits = 64
	maxParts  = 3
)

// decompounder looks for the words of a query in compounds, in the fields of one analyzer.
type decompounder struct {
	*resolver
	g      analyzerGroup
	links  []string
	pieces []piece
	words  []word
}

// decompound adds to words, which the pieces of clauses were resolved to, what they are in
// languages that write compounds as one word.
func (r *resolver) decompound(clauses []query.Node, pieces []piece, words []word, groups []analyzerGroup) {
	joined := r.joined
	for i := range groups {
		links := groups[i].analyzer.Links()
		if links == nil {
			if some := groups[i].analyzer.SomeLinks(); some != nil {
				d := decompounder{r, groups[i], some, pieces, words}
				d.seldom(clauses, joined)
			}
			continue
		}
		d := decompounder{r, groups[i], links, pieces, words}
		var content [maxPaired]ending
		var unheld []ending
		n := 0
		for j := range pieces {
			if p := &pieces[j]; p.kind == pieceLetters && !p.stop && r.err == nil {
				text, repaired := p.lower(clauses), false
				if fix, ok := d.repairs[string(p.Word)]; ok && len(d.req.Typo.OffFields) == 0 {
					text, repaired = fix.word, true
				}
				end, ok := d.endingOf(j, text)
				if !ok {
					continue
				}
				if known := d.wordIn(j, text, repaired, end); !known {
					end.text = text
					unheld = append(unheld, end)
				}
				if n < maxPaired {
					content[n] = end
				}
				n++
			}
		}
		if n <= maxPaired {
			d.pairs(content[:n])
		} else {
			n = 0
		}
		for i := range unheld {
			if e := &unheld[i]; !d.paired(e, content[:n]) {
				d.loosen(e)
			}
		}
	}
}

// plain tells whether what compounds are to a word is the same for all requests that are so.
func (r *resolver) plain() bool {
	return r.mask == nil && !r.joint && r.req.Language == "" && !r.req.NoStopWords
}

// quiet is what of a word need not be looked for, since it is known to add nothing; as bits.
type quiet int64

const (
	quietApart quiet = 1 << iota
	quietHead
	quietFront
	quietHeld // some record holds it
)

// wordIn adds what a word of the query is by itself, and tells whether some record is found by
// that. repaired tells that the word is not as it was typed. What adds nothing, as most does, is
// remembered by view, so that the next query that has the word looks once for all of it.
func (d *decompounder) wordIn(at int, text string, repaired bool, e ending) (known bool) {
	facts := d.run.e.facts
	var room [64]byte
	key := append(append(append(room[:0], d.g.analyzer.Stems()...), ':'), text...)
	plain := d.plain() && !repaired && d.g.fields == nil && len(d.req.Restrict) == 0 && d.intent.orderPart() < 0
	var f *wordFact
	var still quiet
	if plain {
		if f = facts.look(d.run.iv, factCompound, key); f != nil {
			still = quiet(f.n)
		}
	}
	add := func(what quiet, as func() bool) (is bool) {
		if still&what != 0 {
			return what == quietHeld
		}
		leaves := len(d.leaves)
		if is = as(); f == nil && len(d.leaves) == leaves && is == (what == quietHeld) {
			still |= what
		}
		return is
	}
	known = repaired || add(quietApart, func() bool { return d.apart(at, text, e) })
	add(quietHead, func() bool { d.head(e); return false })
	add(quietFront, func() bool { d.fronted(e); return false })
	known = add(quietHeld, func() bool { return d.held(&e) }) || known
	if plain && f == nil && d.err == nil {
		facts.add(&wordFact{key: facts.key(d.run.iv, factCompound, string(key)), n: int64(still)})
	}
	return known
}

// ending is how words end that have a word of the query as their head.
type ending struct {
	piece int    // the word
	term  string // of the word
	end   string // the term, "" if it is too short
	word  string // the word as it was typed, "" if it is too short
	shown string // the word as it was typed
	text  string // the same with diacritics, if the word has to be taken apart
}

// endOf is the ending of a word that was analyzed.
func endOf(at int, t *tokenize.Token) ending {
	e := ending{piece: at, term: string(t.Term), shown: string(t.Word)}
	if utf8.RuneCountInString(e.term) >= minHead {
		e.end = e.term
	}
	if utf8.RuneCountInString(e.shown) >= minHead || e.end == "" {
		e.word = e.shown
	}
	return e
}

// heads tells whether a word is long enough to be the head of compounds.
func (e *ending) heads() bool { return e.end != "" || utf8.RuneCountInString(e.word) >= minHead }

// key names what an ending finds.
func (e *ending) key() string { return "*" + e.end + "=" + e.word }

// endingOf returns the ending of a word; false: it is no word of the group's language.
func (d *decompounder) endingOf(at int, text string) (e ending, ok bool) {
	tokens := d.texts.tokens(d.g.analyzer, text)
	if len(tokens) != 1 || tokens[0].Kind != tokenize.KindWord || !spelt(tokens[0].Word) {
		return ending{}, false
	}
	return endOf(at, &tokens[0]), true
}

// head adds the compounds of which a word is the head.
func (d *decompounder) head(e ending) {
	if !e.heads() {
		return
	}
	if _, heads := d.endings(&e); heads > 0 {
		d.addCompounds(e, endedHead)
	}
}

// held tells whether some record within the caller's reach holds a word, or has it as the head of
// a compound. Where none does, compounds will do that have few letters before the head.
func (d *decompounder) held(e *ending) bool {
	if d.seenTerm(e.term) {
		return true
	}
	head := *e
	compounds := func(least endedKind) func(o *decompounder) compoundLeaf {
		return func(o *decompounder) compoundLeaf { return o.leafOfCompounds(head, least) }
	}
	switch {
	case head.heads() && d.seen(compounds(endedHead)) > 0:
		return true
	case utf8.RuneCountInString(e.shown) >= minPart && d.seenFew(compounds(endedShort)):
		d.addCompounds(*e, endedShort)
		return true
	}
	return false
}

// addCompounds adds those of at least a kind.
func (d *decompounder) addCompounds(e ending, least endedKind) {
	d.found(string(d.pieces[e.piece].Word), "*"+e.shown, d.pieces[e.piece:e.piece+1], d.leafOfCompounds(e, least))
}

// leafOfCompounds is what the compounds of at least a kind are found by of which a word is the
// head.
func (d *decompounder) leafOfCompounds(e ending, least endedKind) compoundLeaf {
	return compoundLeaf{
		key: string(rune(least)) + e.key(),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			words, _ := d.endings(&e)
			return d.listEnding(s, seg, words, nil, least)
		},
		marks: func(yield func(string)) {
			words, _ := d.endings(&e)
			eachEnding(words, nil, least, func(w *ended) { yield(w.word()) })
		},
	}
}

// compoundLeaf is what words of a query are found by in compounds.
type compoundLeaf struct {
	key   string // names it
	make  func(s *segmentRef, seg int) (*posting.List, error)
	marks func(yield func(term string)) // what highlights show
}

// found adds a leaf for a span of the query, which was typed so, and tells whether any record that the
// caller may see is found by it.
func (d *decompounder) found(typed, told string, span []piece, c compoundLeaf) bool {
	at, e, seen := d.addCompoundLeaf(typed, told, d.likeOf(d.words, span), c)
	if e == nil {
		return false
	}
	d.joined = append(d.joined, compound{Correction{From: typed, To: told}, at, at + 1})
	if seen {
		d.meant = append(d.meant, strings.Fields(typed)...)
	}
	for i := range d.words {
		if w := &d.words[i]; isOf(span, w) {
			w.expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{w.expr, e}}
		}
	}
	return seen
}

// addCompoundLeaf adds a leaf for what was typed so, which weighs no more than some others, and tells
// whether any record that the caller may see is found by it: if none is, there is no leaf, and e is nil, but
// where it says what the same is worth in the other indexes of the search.
func (d *decompounder) addCompoundLeaf(typed, told string, like []string, c compoundLeaf) (at int, e *search.Expr, seen bool) {
	l := leaf{term: told, from: typed, boost: 1, factor: d.tuning.Compound, like: like, fields: d.g.fields}
	l.global = d.global("&"+c.key, d.g)
	entries, err := d.entries(c)
	if err != nil {
		d.fail(err)
		return 0, nil, false
	}
	for _, en := range entries {
		l.df += int64(en.liveDF(d.run.iv))
		l.lists, l.first = append(l.lists, en.list), append(l.first, &en.leaders)
	}
	if seen = d.isSeen(&l); l.df == 0 || !seen && !d.joint {
		return 0, nil, false
	}
	if d.req.Highlight != nil {
		c.marks(func(term string) {
			d.marked = append(d.marked, markedTerm{terms: []string{term}, fields: d.g.fields, weight: wordWorth})
		})
	}
	at, e = d.add(l)
	return at, e, seen
}

// entries returns the lists of a leaf, by segment.
func (d *decompounder) entries(c compoundLeaf) ([]*listEntry, error) {
	lists := d.run.compounds(d.run.iv.schema.maskKey(d.g.fields) + ":" + c.key)
	out := make([]*listEntry, 0, len(d.run.iv.segs))
	for i, s := range d.run.iv.segs {
		en, err := lists.expansion(s, func() (*posting.List, error) { return c.make(s, i) })
		if err != nil {
			return nil, err
		}
		out = append(out, en)
	}
	return out, nil
}
