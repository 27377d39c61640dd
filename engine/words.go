package engine

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// text resolves words or a phrase.
func (r *resolver) text(t query.Text, boost float64, last bool) *search.Expr {
	c := r.run.iv.schema
	mask, scope := r.mask, r.scope
	if t.Field != "" {
		scope += "." + t.Field
		i, ok := c.byName[t.Field]
		isID := t.Field == c.primaryKey()
		if !ok && !isID && r.filterable(t.Field) {
			return &search.Expr{Op: search.OpOr}
		}
		if !ok && !isID {
			return r.fail(invalid(CodeUnknownField, "/q", "%s", noField(t.Field, c)))
		}
		if isID || c.textOf[i] < 0 {
			if t.Prefix {
				return r.filter(query.StartsWith{Field: t.Field, Prefix: t.Text})
			}
			if isID {
				return r.filter(query.Compare{Field: t.Field, Value: constant(Keyword, t.Text)})
			}
			return r.filter(query.Compare{Field: t.Field, Value: constant(c.Fields[i].Type, t.Text)})
		}
		mask = make([]bool, len(c.text))
		mask[c.textOf[i]] = true
	}
	var any operands
	for _, g := range r.analyzers(mask) {
		g.scope = scope
		if e := r.analyzed(t, g, boost, last); e != nil {
			any.add(e)
		}
	}
	return any.join(search.OpOr)
}

// constant is the value that a word stands for in a field of a type.
func constant(t Type, word string) query.Value {
	switch t {
	case Int, Float:
		if i, err := strconv.ParseInt(word, 10, 64); err == nil {
			return query.Value{Kind: query.KindInt, Int: i}
		}
		if f, err := strconv.ParseFloat(word, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return query.Value{Kind: query.KindFloat, Float: f}
		}
	case Bool:
		if word == "true" || word == "false" {
			return query.Value{Kind: query.KindBool, Bool: word == "true"}
		}
	}
	return query.Value{Kind: query.KindString, Str: word}
}

// analyzerGroup is the text fields that share an analyzer.
type analyzerGroup struct {
	analyzer *tokenize.Analyzer
	setup    setup  // of the fields
	fields   []bool // nil: every text field
	field    int    // the only field, or -1
	scope    string // what narrows them beside Request.Fields, the same in all indexes of a search
}

// analyzers returns the groups of the text fields of a mask, nil: of all. They
// must not be changed.
func (r *resolver) analyzers(mask []bool) []analyzerGroup {
	if mask != nil {
		return r.run.iv.schema.group(mask)
	}
	return r.run.iv.schema.groups
}

// group puts the text fields of a mask together that share an analyzer.
func (c *compiled) group(mask []bool) []analyzerGroup {
	var out []analyzerGroup
	at := map[int]int{}
	for i, t := range c.text {
		if mask != nil && !mask[i] {
			continue
		}
		g, ok := at[t.id]
		if !ok {
			g = len(out)
			at[t.id] = g
			out = append(out, analyzerGroup{analyzer: t.analyzer, setup: c.setupOf(&c.Fields[t.field]), fields: make([]bool, len(c.text)), field: i})
		} else {
			out[g].field = -1
		}
		out[g].fields[i] = true
	}
	for i := range out {
		if !slices.Contains(out[i].fields, false) {
			out[i].fields = nil
		}
	}
	slices.SortFunc(out, func(a, b analyzerGroup) int { return a.setup.compare(b.setup) }) // whichever order fields have
	return out
}

// analyzed resolves words or a phrase under one analyzer.
func (r *resolver) analyzed(t query.Text, g analyzerGroup, boost float64, last bool) *search.Expr {
	if t.Quoted {
		if tokens := r.queryTokens(t.Text, g); len(tokens) > 1 {
			return r.phrase(t, tokens, g, boost)
		}
		t.Quoted = false
		return r.literally(func() *search.Expr { return r.analyzed(t, g, boost, last) })
	}
	var all operands
	for _, w := range r.tokens(t, g, boost, last) {
		all.add(w.expr)
	}
	return all.join(search.OpAnd)
}

// tokens resolves text word by word. The result is valid until the next call.
func (r *resolver) tokens(t query.Text, g analyzerGroup, boost float64, last bool) []word {
	tokens := r.queryTokens(t.Text, g)
	if r.terms += len(tokens); r.terms > r.run.e.opts.Limits.QueryTerms*termsPerWord {
		r.fail(invalid(CodeLimitExceeded, "/q", "the query has more than %d terms", r.run.e.opts.Limits.QueryTerms*termsPerWord))
		return nil
	}
	out := r.room.row[:0]
	for i := range tokens {
		tok := &tokens[i]
		end := i == len(tokens)-1
		first := len(r.leaves)
		var w word
		r.inFrame = r.isFrame(&t, tok)
		if t.Prefix && end || tok.Kind == tokenize.KindUnigram {
			w.expr = r.prefix(tok, g, boost, 1)
		} else if fix, within, ok := r.repairOf(tok, g); ok {
			w = r.repaired(tok, fix, within, boost, end && r.open(t, last))
		} else {
			w.expr, w.stop = r.token(tok, typed(t.Text[tok.Start:tok.End], tok.Word), g, boost, end && r.open(t, last))
			if len(r.texts.beside) > 0 {
				w.expr = r.besides(t.Start, tok, w, g, boost)
			}
		}
		w.first, w.pair, w.frame = first, tok.Kind == tokenize.KindBigram, r.inFrame
		if w.pair {
			r.weighPair(tok, first)
			w.expr = r.alone(t.Text, tok, w.expr, first, g, boost)
		}
		// Families are seen in a record, not in the field that a clause names.
		r.ask(t.Start+tok.Start, t.Start+tok.End, first, w.stop, w.pair, t.Field == "" && g.analyzer.Families())
		if tok.Part && len(out) > 0 {
			// A part of a word stands for the word.
			whole := &out[len(out)-1]
			whole.expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{whole.expr, w.expr}}
			continue
		}
		out = append(out, w)
	}
	r.room.row = out
	return out
}

// typed is a word as a string: what was typed, where that is the same.
func typed(text string, word []byte) string {
	if text == string(word) {
		return text
	}
	return string(word)
}

// termsPerWord bounds the terms that the words of a query may come to.
const termsPerWord = 16

// open tells whether the last word of a text also stands for the words that
// begin with it.
func (r *resolver) open(t query.Text, last bool) bool {
	return r.req.Ranking == RankingDefault &&
		(r.req.Prefix == PrefixAll || r.req.Prefix == PrefixLast && r.req.Syntax == SyntaxSimple && last && r.unfinished(t))
}

// unfinished tells whether a word is the very end of the query's text, and no sentence ends there.
func (r *resolver) unfinished(t query.Text) bool {
	if t.End != len(r.req.Query) || t.End == 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(r.req.Query)
	return !strings.ContainsRune(sentenceEnds, last)
}

// sentenceEnds are what stands behind a word that is finished.
const sentenceEnds = ".?!…。？！؟।"

// token resolves one term, which was typed as from, and tells whether it is a filler word.
func (r *resolver) token(t *tokenize.Token, from string, g analyzerGroup, boost float64, open bool) (e *search.Expr, stop bool) {
	space, term, bare := uint16(segment.SpaceText), t.Term, isBare(t, g.analyzer)
	if bare {
		space, term = segment.SpaceWord, t.Word
	}
	r.mark(t, g, bare)
	at, e := r.term(space, term, from, g, boost)
	known := r.isSeen(&r.leaves[at])
	calls := r.namesIndex(string(t.Word))
	means, every := r.meansIndex(t, r.leaves[at].row)
	r.every = r.every || (calls || every) && !known
	if stop = r.stopWord(t) || r.inFrame || calls || means || r.isGeneral(t, r.leaves[at].row, g); stop {
		r.stops = append(r.stops, at)
	}
	if r.req.Ranking == RankingDefault && !bare && string(t.Word) != string(t.Term) && !g.analyzer.AccentsTell() {
		at := r.addForm(at, t.Word, from, g, boost)
		r.leaves[at].factor, r.leaves[at].late = r.tuning.Form, true
		if stop {
			r.stops = append(r.stops, at)
		}
	}
	if open && !stop && len([]rune(string(t.Word))) >= minPrefix {
		e = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{e, r.prefix(t, g, boost, prefixWeight)}}
		begun := &r.leaves[len(r.leaves)-1]
		if bytes.HasPrefix(t.Term, t.Word) {
			begun.covers = at + 1
		}
		known = known || r.isSeen(begun)
	}
	r.unknown = r.unknown || !known && (!r.literal || r.denied)
	return e, stop
}

// isBare tells whether all that is left of an English word as its stem is a letter: the stem of AED is that
// of "a". Such a word is looked for as it is written. In other languages such stems are right: Danish øen is the ø.
func isBare(t *tokenize.Token, a *tokenize.Analyzer) bool {
	return a.Stems() == "en" && t.Kind == tokenize.KindWord && !t.Stop && utf8.RuneCount(t.Term) == 1 && utf8.RuneCount(t.Word) > 2
}

// repairOf returns what a word is a misspelt form of, and the fields of g that this is
// looked for in; false where it is to be taken as it is written.
func (r *resolver) repairOf(t *tokenize.Token, g analyzerGroup) (repair, analyzerGroup, bool) {
	fix, ok := r.repairs[string(t.Word)]
	if !ok || r.literal && !r.denied {
		return repair{}, g, false
	}
	g, ok = r.repairable(g)
	return fix, g, ok
}

// repairable returns the part of a group in which words are repaired, and whether there
// is any.
func (r *resolver) repairable(g analyzerGroup) (analyzerGroup, bool) {
	mask := r.run.repairable("", r.req.Typo.OffFields)
	if mask == nil {
		return g, true
	}
	for i := range mask {
		mask[i] = mask[i] && (g.fields == nil || g.fields[i])
	}
	g.fields, g.scope = mask, g.scope+scopeRepairable
	return g, slices.Contains(mask, true)
}

// repaired resolves a word as the one that it is a misspelt form of.
func (r *resolver) repaired(t *tokenize.Token, fix repair, g analyzerGroup, boost float64, open bool) word {
	tokens := r.texts.tokens(g.analyzer, fix.word)
	if len(tokens) == 0 {
		return word{expr: &search.Expr{Op: search.OpOr}}
	}
	first := len(r.leaves)
	var w word
	w.expr, w.stop = r.token(&tokens[0], string(t.Word), g, boost, open)
	for i := first; i < len(r.leaves); i++ {
		r.leaves[i].edits = fix.edits
		r.leaves[i].factor *= math.Pow(typoPenalty, float64(fix.edits))
		r.leaves[i].from = string(t.Word)
	}
	return w
}

// stopWord tells whether a term counts less, or not at all, beside others.
func (r *resolver) stopWord(t *tokenize.Token) bool {
	word := string(t.Word)
	switch {
	case r.req.Ranking == RankingBM25:
		return t.Stop && slices.Contains(classicStops, word)
	case r.req.NoStopWords:
		return false
	case r.req.Language != "" && r.fillers == nil:
		r.fillers = stopTable(tokenize.StopWords(r.req.Language))
	}
	stop := t.Stop
	if r.req.Language != "" {
		stop = r.fillers[word]
	}
	return stop || len(r.run.iv.schema.StopWords) > 0 && r.run.iv.schema.tables().stops[word]
}

// classicStops are the words that Lucene's analyzer of English leaves out.
// Plain BM25 leaves out the same, so that the two can be compared.
var classicStops = strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")

// term adds the leaf of one term.
func (r *resolver) term(space uint16, term []byte, from string, g analyzerGroup, boost float64) (int, *search.Expr) {
	at := r.addTerm(space, term, from, g, boost)
	return at, r.leafExpr(at)
}

// addTerm is term without a condition.
func (r *resolver) addTerm(space uint16, term []byte, from string, g analyzerGroup, boost float64) int {
	lists := r.run.term(space, term, false)
	row, err := lists.row(r.run.iv)
	if err != nil {
		r.fail(err)
	}
	return r.addRow(lists.key.key, row, space == segment.SpaceText, from, g, boost)
}

// addForm adds the leaf of the form of a word whose stem is a leaf.
func (r *resolver) addForm(stem int, word []byte, from string, g analyzerGroup, boost float64) int {
	of := r.leaves[stem].row
	if of != nil {
		if row, key := of.formOf(r.run.iv, word); row != nil {
			return r.addRow(key, row, false, from, g, boost)
		}
	}
	lists := r.run.term(segment.SpaceWord, word, false)
	row, err := lists.row(r.run.iv)
	if err != nil {
		r.fail(err)
	} else if of != nil {
		of.keepForm(&lists.termLists, row)
	}
	return r.addRow(lists.key.key, row, false, from, g, boost)
}

// addRow adds the leaf of a term, of which an index has a row; nil after an error.
func (r *resolver) addRow(key string, row *listRow, text bool, from string, g analyzerGroup, boost float64) int {
	l := leaf{key: key, term: key[segment.SpaceBytes:], from: from, row: row, boost: boost, factor: 1, text: text, fields: g.fields}
	l.global = r.global(key, g)
	if row == nil {
		l.lists = make([]*posting.List, len(r.run.iv.segs))
	} else if g.fields == nil {
		l.lists, l.first, l.living, l.df = row.lists, row.leaders, row.living, row.df
	} else {
		r.restrict(&l, row.lists, g.fields)
	}
	r.leaves = append(r.leaves, l)
	return len(r.leaves) - 1
}

// restrict gives a leaf the part of some lists that stands in fields.
func (r *resolver) restrict(l *leaf, lists []*posting.List, fields []bool) {
	l.lists = make([]*posting.List, len(lists))
	for i, list := range lists {
		if list == nil {
			continue
		}
		list, err := search.Restrict(&r.run.segs[i], list, fields)
		if err != nil {
			r.fail(err)
		}
		if list != nil {
			l.lists[i] = list
			l.df += int64(r.run.live(list))
		}
	}
}

func (r *resolver) add(l leaf) (int, *search.Expr) {
	r.leaves = append(r.leaves, l)
	at := len(r.leaves) - 1
	return at, r.leafExpr(at)
}

// leafExpr is the condition that a leaf holds a document.
func (r *resolver) leafExpr(at int) *search.Expr {
	e := &r.room.exprs.cut(1)[0]
	e.Op, e.Leaf = search.OpLeaf, at
	return e
}

// scopeRepairable is analyzerGroup.scope of the fields in which words are repaired.
const scopeRepairable = "~"

// global names what stands under a key in the fields of a group: the same in all indexes of a
// search, whichever fields and orders of them these have.
func (r *resolver) global(key string, g analyzerGroup) string {
	switch {
	case r.joint:
		return fmt.Sprintf("%q %q %q:", g.setup.language, g.setup.analyzer, g.scope) + key
	case g.fields != nil:
		return "m" + r.run.iv.schema.maskKey(g.fields) + ":" + key
	}
	return key
}

// maskKey names text fields of an index. What names all of them, "", does not name none.
func (c *compiled) maskKey(fields []bool) string {
	if fields == nil {
		return ""
	}
	var b strings.Builder
	b.WriteByte('=')
	for i, f := range fields {
		if f {
			fmt.Fprintf(&b, "%q,", c.Fields[c.text[i].field].Name)
		}
	}
	return b.String()
}

// prefix adds a leaf of all terms and word forms that begin with a token.
func (r *resolver) prefix(t *tokenize.Token, g analyzerGroup, boost, factor float64) *search.Expr {
	r.mark(t, g, true)
	l := leaf{term: string(t.Word) + "*", from: string(t.Word), boost: boost, factor: factor, flat: true}
	l.global = r.global("*"+l.term, g)
	lists := r.run.expansions(r.run.iv.schema.maskKey(g.fields) + ":" + string(t.Word))
	for i, s := range r.run.iv.segs {
		en, err := lists.expansion(s, func() (*posting.List, error) {
			return r.run.expand(i, s, t.Word, g)
		})
		if err != nil {
			return r.fail(err)
		}
		l.df += int64(en.liveDF(r.run.iv))
		l.lists, l.first = append(l.lists, en.list), append(l.first, &en.leaders)
	}
	_, e := r.add(l)
	return e
}

// expand joins the lists of all terms and word forms of a segment that begin
// with a word.
func (run *searchRun) expand(i int, s *segmentRef, word []byte, g analyzerGroup) (*posting.List, error) {
	limit := run.e.opts.Limits.PrefixTerms
	var lists []*posting.List
	for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		lo := segment.Key(nil, space, word)
		it := s.reader.Terms(lo, prefixEnd(lo))
		for it.Next() {
			if len(lists) >= limit {
				return nil, invalid(CodeLimitExceeded, "/q", "a word's beginning stands for more than %d terms", limit)
			}
			list, err := it.List(false)
			if err == nil && g.fields != nil {
				list, err = search.Restrict(&run.segs[i], list, g.fields)
			}
			if err != nil {
				return nil, err
			}
			if list != nil {
				lists = append(lists, list)
			}
		}
		if err := it.Err(); err != nil {
			return nil, err
		}
	}
	return search.Expand(lists), nil
}

// prefixEnd is the first key behind all that begin with prefix.
func prefixEnd(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}
