package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// compoundShare is what "notebook" is worth where "note book" is asked for,
	// and the other way round, beside what was typed.
	compoundShare = 0.5
	// joinedShare is how many times that neighbours are worth as one word, where
	// they are nothing else. Everywhere, cranfield loses .003 of nDCG@10.
	joinedShare = 2
	// minPart is the letters of the shortest part that a word is split into, and shortPart
	// of the shorter part of one that no document holds.
	minPart   = 3
	shortPart = 2
)

// compound is what words of the query were also looked for as.
type compound struct {
	Correction
	from, to int // its leaves
}

// compounds adds to words, which the clauses were resolved to, what they are
// when two are written as one, or one as two. They stand for the words that
// they are made of: a record that says "notebook" holds both words of "note
// book".
func (r *resolver) compounds(clauses []query.Node, words []word) {
	if r.literal || r.req.Ranking != RankingDefault || r.tuning.Compound == 0 {
		return
	}
	groups := r.analyzers(r.mask)
	pieces := r.piecesOf(clauses)
	at := 0 // of words
	for i := range pieces {
		p := &pieces[i]
		if p.nth == 0 && p.Token != nil {
			r.codeClause(clauses[p.clause], pieces[i:], words, groups)
		}
		if p.kind == pieceNone {
			continue
		}
		for at < len(words) && (words[at].clause < p.clause || words[at].clause == p.clause && words[at].nth >= 0 && words[at].nth < p.nth) {
			at++
		}
		for n := 2; n <= maxJoined && i+n <= len(pieces) && joins(pieces[i:i+n]); n++ {
			if len(pieces) <= maxFillerJoined || !slices.ContainsFunc(pieces[i:i+n], func(p piece) bool { return p.stop }) {
				r.join(pieces[i:i+n], words, groups)
			}
		}
		switch {
		case p.kind == pieceDigits || p.kind == pieceMixed:
			r.times(pieces[i:], words, groups)
		case p.stop:
			if isLetterOfCode(pieces[i:], len(pieces)) {
				r.join(pieces[i:i+2], words, groups)
			}
		case p.kind == pieceLetters:
			row := r.rowOfWord(p.Word, words[at:])
			split, ok := r.parts(p.Token, row, groups)
			if !ok || !r.compound(split, string(p.Word), words, pieces[i:i+1]) && !(r.joint && r.isElsewhere(split)) {
				r.letterApart(clauses[p.clause], pieces[i:i+1], row, words, groups)
			}
		}
	}
	r.decompound(clauses, pieces, words, groups)
}

// maxFillerJoined is the words of a query up to which filler words are joined with others. In
// questions of more, every other word is filler, and says nothing.
const maxFillerJoined = 10

// maxOnlyJoined is the words of a query up to which neighbours are taken for one word that is nowhere apart. Beside
// others they may say what they say: records about a trip by boat to Kerala are nearer to "house boat kerala" than
// those about any houseboat.
const maxOnlyJoined = 2

// compound resolves what a span of the query also stands for, and tells whether some record
// holds that.
func (r *resolver) compound(text, typed string, words []word, span []piece) (found bool) {
	if r.mask == nil && !r.joint && r.separate(text) {
		return false
	}
	first, terms, like := len(r.leaves), r.terms, r.likeOf(words, span)
	stops, marked := len(r.stops), len(r.marked)
	e := r.deriving(func() *search.Expr {
		return r.literally(func() *search.Expr { return r.text(query.Text{Text: text, Quoted: true}, 1, false) })
	})
	r.terms = terms // one or two a word
	share := r.tuning.Compound
	if r.oneWord(span) {
		share = min(joinedShare*share, 1)
	}
	for i := first; i < len(r.leaves); i++ {
		l := &r.leaves[i]
		l.factor *= share
		l.from, l.like = typed, like
		if l.phrase != nil {
			if err := r.run.countPhrase(l); err != nil {
				r.fail(err)
				return false
			}
		}
		found = found || r.isSeen(l)
	}
	if e == nil || !found {
		if r.mask == nil && len(r.req.Restrict) == 0 && r.err == nil {
			facts := r.run.e.facts
			facts.add(&wordFact{key: facts.key(r.run.iv, factSeparate, text)})
		}
		if r.joint {
			if r.isElsewhere(text) {
				r.elsewhere = append(r.elsewhere, typed)
			}
			return false // how many records here hold the words says what they are worth in the other indexes
		}
		clear(r.leaves[first:])
		r.leaves, r.stops, r.marked = r.leaves[:first], r.stops[:stops], r.marked[:marked]
		return false
	}
	r.joined = append(r.joined, compound{Correction{From: typed, To: text}, first, len(r.leaves)})
	r.meant = append(r.meant, strings.Fields(typed)...)
	for i := range words {
		if isOf(span, &words[i]) {
			words[i].expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{words[i].expr, e}}
		}
	}
	return true
}

// isElsewhere tells whether another index of the search has the words of a text side by side, in a
// record that the caller may see.
func (r *resolver) isElsewhere(text string) bool {
	return once(&r.counts.beside, text, func() bool {
		for _, run := range r.run.all {
			for _, g := range run.res.analyzers(run.res.mask) {
				terms := make([]string, 0, 2)
				for _, t := range r.texts.tokens(g.analyzer, text) {
					terms = append(terms, string(t.Term))
				}
				if phrase := strings.Join(terms, " "); len(terms) > 0 && run.res.holdsAll(run, phrase) && run.res.occurs(phrase) {
					return true
				}
			}
		}
		return false
	})
}

// separate tells whether it is known that no document has the words of a text side by
// side. Most words that could be two are one wherever they stand.
func (r *resolver) separate(text string) bool {
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factSeparate, text)
	return facts.find(&key) != nil
}

// oneWord tells whether neighbours are only one word: no record has some of them, or records have them as one
// word and none has them side by side. Where records have all, as "boundary" and "layers", they say what they say.
func (r *resolver) oneWord(span []piece) bool {
	return r.onlyJoined(span) || len(span) > 1 && slices.ContainsFunc(span, func(p piece) bool { return !p.stop && r.holding(p.Word, r.analyzers(r.mask)) == 0 })
}

// onlyJoined tells whether records have two words of letters as one, and none has them side by side:
// "heart burn" where they say heartburn.
func (r *resolver) onlyJoined(span []piece) bool {
	if len(r.room.pieces) > maxOnlyJoined || len(span) != 2 || span[0].kind != pieceLetters || span[1].kind != pieceLetters {
		return false
	}
	return r.holding(slices.Concat(span[0].Word, span[1].Word), r.analyzers(r.mask)) > 0 && !r.isElsewhere(string(span[0].Word)+" "+string(span[1].Word))
}

// likeOf returns the global key of the leaf of the first word of a span that is no filler, and of
// all if they are only one word: what stands for them weighs no more than they do.
func (r *resolver) likeOf(words []word, span []piece) (like []string) {
	first := ""
	for i := range words {
		if w := &words[i]; isOf(span, w) && w.first < len(r.leaves) {
			switch global := r.leaves[w.first].global; {
			case !w.stop:
				like = append(like, global)
			case first == "":
				first = global
			}
		}
	}
	if len(like) > 1 && !r.oneWord(span) {
		like = like[:1]
	}
	if like == nil && first != "" {
		like = []string{first}
	}
	return like
}

// rowOfWord returns the row of a word as it was typed, if it is that of a leaf of the first
// of some words: of its stem, or of its form behind that.
func (r *resolver) rowOfWord(word []byte, words []word) *listRow {
	if len(words) == 0 {
		return nil
	}
	for i := words[0].first; i < min(words[0].first+2, len(r.leaves)); i++ {
		if l := &r.leaves[i]; l.term == string(word) {
			return l.row
		}
	}
	return nil
}

// parts returns a word as two, with a space between them. row is that of the word, nil if it
// is not at hand.
func (r *resolver) parts(t *tokenize.Token, row *listRow, groups []analyzerGroup) (text string, ok bool) {
	letters := utf8.RuneCount(t.Word)
	if letters < minPart+shortPart {
		return "", false
	}
	if r.mask != nil || r.joint || len(r.req.Restrict) > 0 {
		return r.findParts(string(t.Word), letters, groups)
	}
	facts := r.run.e.facts
	view := facts.view(r.run.iv)
	if row != nil && row.single.Load() == view {
		return "", false // as most words are
	}
	if f := facts.look(r.run.iv, factParts, t.Word); f != nil {
		text, ok = f.text, f.text != ""
	} else {
		word := string(t.Word)
		if text, ok = r.findParts(word, letters, groups); r.err != nil {
			return text, ok
		}
		facts.add(&wordFact{key: facts.key(r.run.iv, factParts, word), text: text})
	}
	if row != nil && !ok {
		row.single.Store(view)
	}
	return text, ok
}

// holding is frequency, which it remembers.
func (r *resolver) holding(text []byte, groups []analyzerGroup) int64 {
	if r.mask != nil || r.joint || len(r.req.Restrict) > 0 {
		return r.frequency(string(text), groups)
	}
	facts := r.run.e.facts
	if f := facts.look(r.run.iv, factHolding, text); f != nil {
		return f.n
	}
	word := string(text)
	n := r.frequency(word, groups)
	if r.err == nil {
		facts.add(&wordFact{key: facts.key(r.run.iv, factHolding, word), n: n})
	}
	return n
}

// findParts finds, of all ways to split a word, the one whose rarer part is in
// most documents. A part that is rarer than the word itself is none of its parts. A word
// that no document holds may have one short part: "login" is "log in".
func (r *resolver) findParts(word string, letters int, groups []analyzerGroup) (text string, ok bool) {
	held := r.frequency(word, groups)
	best := max(held, 1)
	n := 0
	for at := range word {
		n++
		before := n - 1 // letters of the first part
		short := min(before, letters-before)
		if short < shortPart || short < minPart && (held > 0 || letters-short < minPart || r.slipped(word, at, before == short, groups)) {
			continue
		}
		df := r.frequency(word[:at], groups)
		if df < best {
			continue
		}
		if df = min(df, r.frequency(word[at:], groups)); df >= best {
			best, text, ok = df, word[:at]+" "+word[at:], true
		}
	}
	return text, ok
}

// slipped tells whether a word is one that some document holds with a letter too much in its
// short part, the first one or the one from a place on: "limitis" is no "limit is".
func (r *resolver) slipped(word string, at int, first bool, groups []analyzerGroup) bool {
	from, to := at, len(word)
	if first {
		from, to = 0, at
	}
	for i, c := range word[from:to] {
		if r.frequency(word[:from+i]+word[from+i+utf8.RuneLen(c):], groups) > 0 {
			return true
		}
	}
	return false
}

// frequency is how many documents of all indexes of the search hold a word, under the reading that
// finds most.
func (r *resolver) frequency(word string, groups []analyzerGroup) (most int64) {
	for _, g := range groups {
		tokens := g.analyzer.AnalyzeQuery(word)
		if len(tokens) != 1 {
			continue
		}
		most = max(most, r.inAllSight(segment.SpaceText, tokens[0].Term))
	}
	return most
}
