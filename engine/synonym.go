package engine

import (
	"slices"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// synonymPenalty is what a synonym is worth beside the word itself: little
// less, so that among equal records the one that says it as the query does
// comes first.
const synonymPenalty = 0.9

// item is a word of a row of clauses.
type item struct {
	clause, nth int    // the clause, and the word of the clause
	term        string // "" for what no phrase may reach over
	typed       string
	word        string // typed, as leaf.from has it
	start, end  int    // in the text of the query
	filler      bool   // a filler word
	framed      bool   // it belongs to what is around what is asked for
	repaired    bool   // term is what typed is a misspelt form of
	pair        bool   // of characters, as text without spaces is cut into
}

// fromOf is leaf.from of what stands for a span of items.
func fromOf(span []item) string {
	if len(span) == 1 {
		return span[0].word
	}
	return textOf(span, func(it *item) string { return it.word })
}

// textOf joins what a span of items says: with spaces, but for pairs of characters, of which each
// begins with the last character of the one before.
func textOf(span []item, of func(*item) string) string {
	text := of(&span[0])
	for i := range span[1:] {
		before, it := &span[i], &span[i+1]
		more := of(it)
		switch {
		case it.pair && it.start < before.end:
			_, n := utf8.DecodeRuneInString(more)
			text += more[n:]
		case it.start == before.end:
			text += more
		default:
			text += " " + more
		}
	}
	return text
}

// within returns the part of a group in which what stands for a span of items is looked
// for: where a word is not repaired, nothing is that stands for the repaired one.
func (r *resolver) within(g analyzerGroup, span []item) analyzerGroup {
	if slices.ContainsFunc(span, func(it item) bool { return it.repaired }) {
		g, _ = r.repairable(g)
	}
	return g
}

// synonyms adds to words, which the clauses were resolved to, what they also
// stand for. A phrase of several words is looked for over all clauses; it
// stands for each of its words.
func (r *resolver) synonyms(clauses []query.Node, words []word) {
	if !r.hasSynonyms() {
		return
	}
	done := map[[2]int]map[string]bool{} // alternatives by first and last clause
	for _, g := range r.analyzers(r.mask) {
		items := r.items(clauses, g, "", nil)
		table := r.run.iv.schema.tables().synonyms[g.analyzer]
		terms := make([]string, len(items))
		for i := range items {
			terms[i] = items[i].term
		}
		for i := 0; i < len(items); {
			found := table.longest(terms[i:])
			if len(found) == 0 {
				i++
				continue
			}
			n := len(table.terms[found[0]])
			span := items[i : i+n]
			r.named = append(r.named, [2]int{span[0].start, span[n-1].end})
			key := [2]int{span[0].clause, span[n-1].clause}
			if done[key] == nil {
				done[key] = map[string]bool{}
			}
			e := r.alternatives(found, span, done[key], "", 1)
			for j := range words {
				if e != nil && covers(span, items, &words[j]) {
					words[j].expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{words[j].expr, e}}
				}
			}
			i += n
		}
	}
}

// covers tells whether a span of items is all of what a word was resolved
// from.
func covers(span, items []item, w *word) bool {
	if w.nth >= 0 {
		return slices.ContainsFunc(span, func(it item) bool { return it.clause == w.clause && it.nth == w.nth })
	}
	return slices.ContainsFunc(span, func(it item) bool { return it.clause == w.clause }) &&
		!slices.ContainsFunc(items, func(it item) bool { return it.clause == w.clause && !slices.Contains(span, it) })
}

// synonym returns what a text that stands alone also stands for; nil if there
// is nothing.
func (r *resolver) synonym(t query.Text, boost float64) *search.Expr {
	if !r.hasSynonyms() || t.Quoted || t.Prefix {
		return nil
	}
	mask := r.mask
	if t.Field != "" {
		f, ok := r.run.iv.schema.byName[t.Field]
		if !ok || r.run.iv.schema.textOf[f] < 0 {
			return nil
		}
		mask = make([]bool, len(r.run.iv.schema.text))
		mask[r.run.iv.schema.textOf[f]] = true
	}
	var kids []*search.Expr
	done := map[string]bool{}
	for _, g := range r.analyzers(mask) {
		items := r.items([]query.Node{t}, g, t.Field, nil)
		terms := make([]string, len(items))
		for i := range items {
			terms[i] = items[i].term
		}
		table := r.run.iv.schema.tables().synonyms[g.analyzer]
		if found := table.longest(terms); len(found) > 0 && len(table.terms[found[0]]) == len(items) {
			if e := r.alternatives(found, items, done, t.Field, boost); e != nil {
				kids = append(kids, e)
			}
		}
	}
	if len(kids) == 0 {
		return nil
	}
	return orOf(kids)
}

func (r *resolver) hasSynonyms() bool {
	return !r.literal && !r.req.NoSynonyms && r.req.Ranking == RankingDefault && len(r.run.iv.schema.Synonyms) > 0
}

// leavesAhead is how many leaves items looks at for a string: those of a word, and of the
// one before it.
const leavesAhead = 4

// items lists the words of clauses, in memory that it may use. What is not plain words of
// the field is an item without term.
func (r *resolver) items(clauses []query.Node, g analyzerGroup, field string, out []item) []item {
	out = slices.Grow(out, len(clauses)+1)
	at := 0 // of the leaves, which have most of the terms and words as strings, in this order
	text := func(typed string, word []byte) string {
		for i := at; i < min(at+leavesAhead, len(r.leaves)); i++ {
			if r.leaves[i].term == string(word) {
				at = i
				return r.leaves[i].term
			}
		}
		if typed == string(word) {
			return typed
		}
		return string(word)
	}
	for i, n := range clauses {
		t, ok := n.(query.Text)
		if !ok || t.Quoted || t.Prefix || t.Field != field {
			out = append(out, item{clause: i, nth: -1})
			continue
		}
		tokens := r.texts.tokens(g.analyzer, t.Text)
		nth := 0
		for j := range tokens {
			if tokens[j].Part {
				continue
			}
			word := t.Text[tokens[j].Start:tokens[j].End]
			it := item{clause: i, nth: nth, term: text(word, tokens[j].Term), typed: word, word: text(word, tokens[j].Word),
				start: t.Start + tokens[j].Start, end: t.Start + tokens[j].End, filler: r.stopWord(&tokens[j]), framed: r.framedAt(t.Start + tokens[j].Start), pair: tokens[j].Kind == tokenize.KindBigram}
			if fix, _, ok := r.repairOf(&tokens[j], g); ok {
				if right := r.texts.tokens(g.analyzer, fix.word); len(right) > 0 {
					it.term, it.repaired = string(right[0].Term), true
				}
			}
			out = append(out, it)
			nth++
		}
	}
	return out
}

// alternatives resolves what the phrases that a span consists of stand for.
// done holds what was resolved before.
func (r *resolver) alternatives(phrases []int, span []item, done map[string]bool, field string, boost float64) *search.Expr {
	from := fromOf(span)
	mask, scope := r.mask, r.scope
	defer func() { r.mask, r.scope = mask, scope }()
	if all := r.within(analyzerGroup{fields: mask, scope: scope}, span); all.fields != nil {
		r.mask, r.scope = all.fields, all.scope
	}
	var kids []*search.Expr
	for _, phrase := range phrases {
		for _, other := range r.run.iv.schema.tables().others[phrase] {
			if done[other] {
				continue
			}
			done[other] = true
			if e := r.alternative(other, from, span, field, boost); e != nil {
				kids = append(kids, e)
			}
		}
	}
	if len(kids) == 0 {
		return nil
	}
	return orOf(kids)
}

// alternative resolves one synonym of a span, whose leaf.from is from. A word that is rarer
// than the one it stands for weighs no more than that one does: people asked
// for the one.
func (r *resolver) alternative(other, from string, span []item, field string, boost float64) *search.Expr {
	var like []string
	if len(span) == 1 {
		for i := range r.leaves {
			if l := &r.leaves[i]; l.term == span[0].term && !l.flat && l.edits == 0 {
				like = []string{l.global}
				break
			}
		}
	}
	first, terms := len(r.leaves), r.terms
	e := r.literally(func() *search.Expr {
		return r.text(query.Text{Text: other, Field: field, Quoted: true}, boost, false)
	})
	r.terms = terms // they are bounded by the schema's limits
	for i := first; i < len(r.leaves); i++ {
		l := &r.leaves[i]
		l.factor *= synonymPenalty
		l.from, l.like = from, like
	}
	return e
}
