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
	// minPart is the letters of the shortest part that a word is split into.
	minPart = 3
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
	plain := slices.Grow(r.room.plain[:0], len(clauses))[:len(clauses)] // nil: not one word in letters
	clear(plain)
	r.room.plain = plain
	for i, c := range clauses {
		tokens := r.wordsOf(c)
		if len(tokens) == 1 && tokens[0].Kind == tokenize.KindWord && spelt(tokens[0].Word) && !r.stopWord(&tokens[0]) {
			plain[i] = &tokens[0]
		}
	}
	at := 0 // of words
	for i, t := range plain {
		if t == nil {
			continue
		}
		for at < len(words) && words[at].clause < i {
			at++
		}
		if i+1 < len(plain) && plain[i+1] != nil {
			var room [64]byte
			joined := append(append(room[:0], t.Word...), plain[i+1].Word...)
			if r.holding(joined, groups) > 0 {
				r.compound(string(joined), string(t.Word)+" "+string(plain[i+1].Word), words, i, i+1)
			}
		}
		if split, ok := r.parts(t, r.rowOfWord(t.Word, words[at:]), groups); ok {
			r.compound(split, string(t.Word), words, i)
		}
	}
}

// compound resolves what some clauses also stand for.
func (r *resolver) compound(text, typed string, words []word, clauses ...int) {
	if r.mask == nil && !r.joint && r.separate(text) {
		return
	}
	first, terms, like := len(r.leaves), r.terms, r.likeOf(words, clauses)
	stops, marked := len(r.stops), len(r.marked)
	e := r.deriving(func() *search.Expr {
		return r.literally(func() *search.Expr { return r.text(query.Text{Text: text, Quoted: true}, 1, false) })
	})
	r.terms = terms // one or two a word
	found := false
	for i := first; i < len(r.leaves); i++ {
		l := &r.leaves[i]
		l.factor *= r.tuning.Compound
		l.from, l.like = typed, like
		if l.phrase != nil {
			if err := r.run.countPhrase(l); err != nil {
				r.fail(err)
				return
			}
		}
		found = found || l.df > 0
	}
	if e == nil || !found {
		if r.mask == nil && r.err == nil {
			facts := r.run.e.facts
			facts.add(&wordFact{key: facts.key(r.run.iv, factSeparate, text)})
		}
		if r.joint {
			return // how many records here hold the words says what they are worth in the other indexes
		}
		clear(r.leaves[first:])
		r.leaves, r.stops, r.marked = r.leaves[:first], r.stops[:stops], r.marked[:marked]
		return
	}
	r.joined = append(r.joined, compound{Correction{From: typed, To: text}, first, len(r.leaves)})
	if len(r.req.Restrict) == 0 { // or records out of sight would be known of
		r.meant = append(r.meant, strings.Fields(typed)...)
	}
	for i := range words {
		if slices.Contains(clauses, words[i].clause) {
			words[i].expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{words[i].expr, e}}
		}
	}
}

// separate tells whether it is known that no document has the words of a text side by
// side. Most words that could be two are one wherever they stand.
func (r *resolver) separate(text string) bool {
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factSeparate, text)
	return facts.find(&key) != nil
}

// likeOf returns the global key of the leaf of the first of some clauses: what
// stands for it weighs no more than it does.
func (r *resolver) likeOf(words []word, clauses []int) []string {
	for i := range words {
		if words[i].clause == clauses[0] && words[i].first < len(r.leaves) {
			return []string{r.leaves[words[i].first].global}
		}
	}
	return nil
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
	if letters < 2*minPart {
		return "", false
	}
	if r.mask != nil {
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
	if r.mask != nil {
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
// most documents. A part that is rarer than the word itself is none of its parts.
func (r *resolver) findParts(word string, letters int, groups []analyzerGroup) (text string, ok bool) {
	best := max(r.frequency(word, groups), 1)
	n := 0
	for at := range word {
		if n++; n <= minPart || n > letters-minPart+1 {
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

// frequency is how many documents hold a word, under the reading that finds
// most.
func (r *resolver) frequency(word string, groups []analyzerGroup) (most int64) {
	for _, g := range groups {
		tokens := g.analyzer.AnalyzeQuery(word)
		if len(tokens) != 1 {
			continue
		}
		lists := r.run.term(segment.SpaceText, tokens[0].Term, false)
		n, err := lists.df()
		if err != nil {
			r.fail(err)
			return 0
		}
		most = max(most, n)
	}
	return most
}
