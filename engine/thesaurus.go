package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// What package thesaurus knows of the words of a query is used in two ways. In the best
// records, what stands for a word counts where the record lacks the word itself
// (bonusthesaurus.go). Where few records have a word, those that have something that
// stands for it are found, too (resolver.thesaurus): then there is room for them.
//
// Only where the word is missing: a record that says "parallel" gets nothing more for
// saying "concurrent" as well. Added to each other, as synonyms in a query mostly are,
// they made 4 % of nDCG@10 worse on cacm and adi; in its place, they improve both.

// rareRecords is how many records hold a rare word at most, and rareShare one of how
// many records of all: what stands for a word adds to the scores of those that have
// both, which only few may do.
const (
	rareRecords = rerankDepth
	rareShare   = 64
)

// related is a phrase of the query and what else it may be called.
type related struct {
	start, end int // in the text of the query
	terms      []string
	words      int    // that it is of: pairs of characters that overlap are of one
	fact       string // names the phrase among the facts of a view
	row        thesaurus.Row
	fields     []bool // the text fields that this is looked for in; nil: all
	sought     bool   // they are leaves
}

// thesaurus finds what the words of clauses, which words were resolved from, are also
// called, and looks for that where they are rare.
func (r *resolver) thesaurus(clauses []query.Node, words []word) {
	if r.literal || r.req.NoSynonyms || r.req.Ranking != RankingDefault || r.tuning.Thesaurus == 0 || r.run.iv.schema.NoThesaurus {
		return
	}
	groups := r.analyzers(r.mask)
	for _, g := range groups {
		known := thesaurus.Of(g.analyzer.Language())
		if !known.Known() {
			continue
		}
		language := ""
		if len(r.run.iv.schema.groups) > 1 { // facts are of one language, and fields may be of several
			language = g.analyzer.Language() + ":"
		}
		items := r.items(clauses, g, "", r.room.items[:0])
		r.room.items = items
		terms := r.room.terms.cut(len(items))
		for i := range items {
			if it := &items[i]; !hasApostrophe(it.typed) && !r.isNamed(it) && !r.isAmount(it) {
				terms[i] = it.term
			}
		}
		at := 0    // of words
		last := -1 // where the last word ends that something stands for
		for i := 0; i < len(items) && r.err == nil; {
			for at < len(words) && (words[at].clause < items[i].clause || words[at].clause == items[i].clause && words[at].nth < items[i].nth) {
				at++
			}
			if row, joined := r.findJoined(known, g, items[i:]); row != "" {
				of := related{start: items[i].start, end: items[i+1].end, terms: []string{items[i].word + items[i+1].word}, row: row}
				of.fact = language + of.terms[0]
				if r.holders(joined) <= r.rareAtMost() { // or it is there, and looked for: see compounds
					of.sought = r.seek(&of, items[i:i+2], items, words, g)
				}
				r.related = append(r.related, of)
				i += 2
				continue
			}
			n, row := r.findCalled(known, terms[i:], words[at:], language == "")
			apart := ""
			if n < 2 && terms[i] != "" && !items[i].repaired {
				if apart = thesaurus.Apart(g.analyzer.Stems(), items[i].word); apart != "" {
					n, row = known.Find([]string{apart})
				}
			}
			spelling := ""
			if n < 2 && terms[i] != "" && !items[i].repaired {
				if spelling, row = r.withSpelling(&items[i], g, row); spelling != "" {
					n = 1
				}
			}
			if n == 0 || n == 1 && (items[i].filler || items[i].framed) {
				i++
				continue
			}
			for n > 1 && !r.hasOthers(row) {
				n, row = known.Find(terms[i : i+n-1]) // its words may be called otherwise
			}
			if n == 0 || n == 1 && (items[i].filler || items[i].framed) || !isWord(items, i, i+n, last) {
				i++
				continue
			}
			of := related{start: items[i].start, end: items[i+n-1].end, terms: terms[i : i+n], words: wordsOf(items[i : i+n]), row: row}
			if of.fact = of.terms[0]; n > 1 || language != "" {
				of.fact = language + strings.Join(of.terms, " ")
			}
			if n == 1 && spelling != "" {
				of.fact += "=" + spelling // other words have the term
			}
			if n == 1 && apart != "" {
				of.fact += apart
			}
			span := items[i : i+n]
			in := r.within(g, span)
			if of.fields = in.fields; r.isRare(span, in) {
				of.sought = r.seek(&of, span, items, words, in)
			}
			r.related = append(r.related, of)
			last = of.end
			for i += n; i < len(items) && items[i].pair && items[i].start < of.end; i++ {
				// Words do not overlap, as pairs of characters do.
			}
		}
	}
}

// findJoined returns what stands for the first two of some items as one word, "" if nothing does:
// "fire fighter" is a firefighter; and the term of that. One of them has to be in no record, or they say what they say.
func (r *resolver) findJoined(known thesaurus.Thesaurus, g analyzerGroup, items []item) (row thesaurus.Row, term string) {
	if !r.unknown || len(items) < 2 || items[0].term == "" || items[1].term == "" || r.holders(items[0].term) > 0 && r.holders(items[1].term) > 0 {
		return "", ""
	}
	a, b := &items[0], &items[1]
	if a.filler || b.filler || a.framed || b.framed || a.repaired || b.repaired || !spelt([]byte(a.word)) || !spelt([]byte(b.word)) {
		return "", ""
	}
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factSeparate, "&"+a.word+" "+b.word)
	plain := len(r.run.all) == 1 && len(r.run.iv.schema.groups) == 1 && len(r.req.Restrict) == 0
	if plain && facts.find(&key) != nil {
		return "", ""
	}
	tokens := r.texts.tokens(g.analyzer, a.word+b.word)
	if len(tokens) == 1 {
		if n, _ := known.Find([]string{a.term, b.term}); n < 2 { // or it stands for something as it is written
			if row, _ := known.Alone(string(tokens[0].Term)); row != "" && r.hasOthers(row) {
				return row, string(tokens[0].Term)
			}
		}
	}
	if plain && r.err == nil {
		facts.add(&wordFact{key: key})
	}
	return "", ""
}

// hasOthers tells whether a record that the caller may see holds something that stands for a phrase.
func (r *resolver) hasOthers(row thesaurus.Row) bool {
	for _, o := range row.Others("") {
		for _, run := range r.run.all {
			if run.res.holdsAll(run, o.Terms) && run.res.occurs(o.Terms) {
				return true
			}
		}
	}
	return false
}

// findCalled is Find of what is known, which the row of the first term remembers if that
// belongs to the first of some words, and only one language is spoken.
func (r *resolver) findCalled(known thesaurus.Thesaurus, terms []string, words []word, one bool) (n int, row thesaurus.Row) {
	var first *listRow
	if one && len(words) > 0 && words[0].first < len(r.leaves) {
		if l := &r.leaves[words[0].first]; l.text && l.term == terms[0] {
			first = l.row
		}
	}
	if first == nil {
		return known.Find(terms)
	}
	view := r.run.e.facts.view(r.run.iv)
	called := first.called.Load()
	if called == nil || called.view != view {
		row, begins := known.Alone(terms[0])
		if begins {
			return known.Find(terms)
		}
		called = &calledAlone{view, row}
		first.called.Store(called)
	}
	if called.row == "" {
		return 0, ""
	}
	return 1, called.row
}

// hasApostrophe tells whether a text has what makes something else of a word: "I'd" is not
// "id". The 's of "driver's" does not.
func hasApostrophe(text string) bool {
	if strings.IndexByte(text, '\'') < 0 && !strings.Contains(text, "’") {
		return false // as most have none
	}
	if last := len(text) - 1; text[last]|0x20 == 's' {
		text = strings.TrimSuffix(strings.TrimSuffix(text[:last], "'"), "’")
	}
	return strings.IndexByte(text, '\'') >= 0 || strings.Contains(text, "’")
}

// isNamed tells whether the schema has synonyms of its own for an item: these say what
// it means.
func (r *resolver) isNamed(it *item) bool {
	return slices.ContainsFunc(r.named, func(n [2]int) bool { return it.start < n[1] && n[0] < it.end })
}

// isAmount tells whether an item is digits that say something about a field of numbers: "recipes
// with 5 minutes" are not after what "fills five jars".
func (r *resolver) isAmount(it *item) bool {
	if r.intent == nil || it.typed == "" || it.typed[0] < '0' || it.typed[0] > '9' {
		return false
	}
	for i, c := range r.intent.clauses {
		if w, ok := plainWord(c); ok && w.Start <= it.start && it.start < w.End {
			return r.intent.uses(i, func(p *clausePart) bool { return p.applied() && p.whole && p.field != "" && p.value == "" })
		}
	}
	return false
}

// others returns what stands for a phrase and consists of words that the index holds, out of the
// caller's sight, too: whoever looks for it in records at hand finds what these hold.
func (r *resolver) others(of *related) []thesaurus.Other {
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factRelated, of.fact)
	if f := facts.find(&key); f != nil {
		return f.others
	}
	var held []thesaurus.Other
	for _, o := range of.row.Others(strings.Join(of.terms, " ")) {
		if r.anySight(r.run, o.Terms) {
			held = append(held, o)
		}
	}
	if r.err == nil {
		facts.add(&wordFact{key: key, others: slices.Clip(held)})
	}
	return held
}

// anySight tells whether an index of the search holds all terms of a phrase, whoever may see the records.
func (r *resolver) anySight(run *searchRun, phrase string) bool {
	for term := range strings.SplitSeq(phrase, " ") {
		if row := r.rowOf(run, term); row == nil || row.df == 0 {
			return false
		}
	}
	return true
}

// holdsAll tells whether records of an index of the search that the caller may see hold all terms of
// a phrase.
func (r *resolver) holdsAll(run *searchRun, phrase string) bool {
	for term := range strings.SplitSeq(phrase, " ") {
		if !r.isSeenIn(run, term) {
			return false
		}
	}
	return true
}

// occurs tells whether a record of the index that the caller may see holds a phrase whose terms such
// records hold.
func (r *resolver) occurs(phrase string) bool {
	if !strings.Contains(phrase, " ") {
		return true
	}
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factOccurs, r.sightKey()+phrase)
	if f := facts.find(&key); f != nil {
		return f.n > 0
	}
	leaves, marked := len(r.leaves), len(r.marked)
	r.deriving(func() *search.Expr { return r.phrase(query.Text{Text: phrase}, tokensOf(phrase), analyzerGroup{}, 1) })
	if r.err != nil {
		return false
	}
	var err error
	l := &r.leaves[leaves]
	n := l.df
	switch {
	case len(r.req.Restrict) > 0:
		if n = 0; r.isSeen(l) {
			n = 1
		}
	case !l.phrase.listed:
		n, err = r.run.holding(l.phrase, 1)
	}
	clear(r.leaves[leaves:])
	r.leaves, r.marked = r.leaves[:leaves], r.marked[:marked]
	if err != nil {
		r.fail(err)
	}
	if r.err != nil {
		return false
	}
	facts.add(&wordFact{key: key, n: n})
	return n > 0
}

// rowOf returns what an index of the search has of a term, nil after an error.
func (r *resolver) rowOf(run *searchRun, term string) *listRow {
	lists := run.term(segment.SpaceText, []byte(term), false)
	row, err := lists.row(run.iv)
	if err != nil {
		r.fail(err)
		return nil
	}
	return row
}

// tokensOf returns the tokens of a phrase of terms.
func tokensOf(phrase string) []tokenize.Token {
	tokens := make([]tokenize.Token, 0, 1+strings.Count(phrase, " "))
	for term := range strings.SplitSeq(phrase, " ") {
		tokens = append(tokens, tokenize.Token{Term: []byte(term), Word: []byte(term), Position: len(tokens)})
	}
	return tokens
}

// seek adds leaves for what stands for a span of items, and tells whether it could.
func (r *resolver) seek(of *related, span, items []item, words []word, g analyzerGroup) bool {
	from := fromOf(span)
	like := make([]string, 0, len(span))
	for i := range span {
		if l := r.leafOf(span[i].term, g.fields); l != nil {
			like = append(like, l.global)
		}
	}
	told := textOf(span, func(it *item) string { return it.typed })
	others := r.others(of)
	share := thesaurusShare
	if r.isMissing(span) {
		share = missingShare
	}
	kids := make([]*search.Expr, 0, len(others))
	for _, o := range others {
		if len(r.req.Restrict) > 0 && !r.holdsAll(r.run, o.Terms) || !r.occurs(o.Terms) {
			continue
		}
		at, e := r.otherLeaf(o.Terms, from, g)
		if r.err != nil {
			return false
		}
		r.leaves[at].factor *= share(o.Relation, of.words) * r.tuning.Thesaurus
		r.leaves[at].like = like
		if o.Relation == thesaurus.Spelling && len(span) == 1 && !strings.Contains(o.Terms, " ") {
			r.ask(span[0].start, span[0].end, at, span[0].filler, false, false) // it is the word, in titles and beside others, too
		}
		kids = append(kids, e)
		r.called = append(r.called, compound{Correction{From: told, To: o.Text}, at, at + 1})
	}
	kids = append(kids, r.othersInCompounds(of, span, like, g)...)
	r.weighOthers(of, from, g)
	if len(kids) == 0 {
		return false
	}
	for i := range span {
		r.meant = append(r.meant, span[i].word)
	}
	e := orOf(kids)
	for j := range words {
		if covers(span, items, &words[j]) {
			words[j].expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{words[j].expr, e}}
		}
	}
	return true
}

// weighOthers adds leaves for the phrases that stand for a span and that only other indexes
// of the search hold: how many records here hold their words says what they are worth there.
func (r *resolver) weighOthers(of *related, from string, g analyzerGroup) {
	if !r.joint {
		return
	}
	for _, o := range of.row.Others(strings.Join(of.terms, " ")) {
		if !strings.Contains(o.Terms, " ") {
			continue // what is not here is nowhere counted here
		}
		indexes := once(&r.counts.indexes, o.Terms, func() (n int) {
			for _, run := range r.run.all {
				if r.holdsAll(run, o.Terms) {
					n++
				}
			}
			return n
		})
		if here := r.holdsAll(r.run, o.Terms); indexes > 1 && here && !r.occurs(o.Terms) || indexes > 0 && !here {
			r.otherLeaf(o.Terms, from, g)
		}
	}
}

// otherLeaf adds the leaf of a phrase that stands for words of the query; from is its
// leaf.from.
func (r *resolver) otherLeaf(phrase, from string, g analyzerGroup) (at int, e *search.Expr) {
	tokens := tokensOf(phrase)
	if len(tokens) == 1 {
		r.mark(&tokens[0], g, false)
		return r.term(segment.SpaceText, tokens[0].Term, from, g, 1)
	}
	e = r.deriving(func() *search.Expr { return r.phrase(query.Text{Text: phrase}, tokens, g, 1) })
	at = len(r.leaves) - 1
	r.leaves[at].from = from
	return at, e
}
