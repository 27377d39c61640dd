package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Records often say themselves what they lack: who asks for desserts without gluten wants the
// ones that say "gluten-free" first of all, though they hold the word that is not wanted.

const (
	// lackSlop is how many words may stand between "no" and what is lacking, such as an article.
	lackSlop = 1
	// maxKinds is how many kinds of what is not wanted are not wanted either.
	maxKinds = 16
)

// lacking adds leaves for the records that say in some way that they lack what some words
// name, and returns the first of them and the one behind the last.
func (r *resolver) lacking(words []string) (leaves [2]int) {
	from := len(r.leaves)
	about := strings.Join(words, " ")
	var kids []*search.Expr
	for _, g := range r.analyzers(r.mask) {
		of := r.texts.tokens(g.analyzer, about)
		if len(of) == 0 {
			continue
		}
		for _, cue := range r.run.iv.schema.tables().lacks[g.setup.language] {
			if cue.Ends {
				kids = append(kids, r.lackingEnds(of, cue.Words[0], g)...)
				continue
			}
			said := strings.Join(cue.Words, " ") + " " + about
			if cue.After {
				said = about + " " + strings.Join(cue.Words, " ")
			}
			t := query.Text{Text: said, Quoted: true}
			if !cue.After {
				t.Slop = lackSlop
			}
			tokens := slices.DeleteFunc(slices.Clone(r.texts.tokens(g.analyzer, said)), func(t tokenize.Token) bool { return t.Part })
			if len(tokens) > len(cue.Words) && r.anyHolds(strings.Join(termsOf(tokens), " ")) {
				kids = append(kids, r.literally(func() *search.Expr { return r.phrase(t, tokens, g, 1) }))
			}
		}
	}
	if len(kids) > 0 {
		r.lack = append(r.lack, orOf(kids))
	}
	return [2]int{from, len(r.leaves)}
}

// having adds leaves for the records that say that they do have what some words name, and
// returns the first of them and the one behind the last.
func (r *resolver) having(words []string) (leaves [2]int) {
	from := len(r.leaves)
	about := strings.Join(words, " ")
	for _, g := range r.analyzers(r.mask) {
		for _, cue := range r.run.iv.schema.tables().has[g.setup.language] {
			said := strings.Join(cue.Words, " ") + " " + about
			tokens := slices.DeleteFunc(slices.Clone(r.texts.tokens(g.analyzer, said)), func(t tokenize.Token) bool { return t.Part })
			if len(tokens) > len(cue.Words) && r.anyHolds(strings.Join(termsOf(tokens), " ")) {
				t := query.Text{Text: said, Quoted: true, Slop: lackSlop}
				r.silently(func() *search.Expr { return r.phrase(t, tokens, g, 1) })
			}
		}
	}
	return [2]int{from, len(r.leaves)}
}

// lackingEnds returns what is to be looked for of the words that tokens make with an ending,
// in the number that they stand in and in the other: "sleeveless" of sleeves.
func (r *resolver) lackingEnds(of []tokenize.Token, ending string, g analyzerGroup) (kids []*search.Expr) {
	if len(of) != 1 {
		return nil
	}
	word := string(of[0].Word)
	forms := []string{word}
	if base := r.run.e.cuesOf(g.setup.language).Base(word); base != word {
		forms = append(forms, base)
	}
	for _, form := range forms {
		tokens := r.texts.tokens(g.analyzer, form+ending)
		if len(tokens) != 1 || string(tokens[0].Term) == string(of[0].Term) || !r.anyHolds(string(tokens[0].Term)) {
			continue
		}
		r.mark(&tokens[0], g, false)
		_, e := r.term(segment.SpaceText, tokens[0].Term, form+ending, g, 1)
		kids = append(kids, e)
	}
	return kids
}

// kindsOf makes what is known to be a kind of what is not wanted unwanted, too, unless the
// query asks for it: chicken where it says "without meat". Synonyms are not: what two words
// mean is the same in some texts only, and who wants a guest account without paying does not
// mind that others are paid for.
func (r *resolver) kindsOf(words []string, clauses []query.Node, n *negation) {
	if r.tuning.Thesaurus == 0 || r.req.NoSynonyms || r.run.iv.schema.NoThesaurus {
		return
	}
	for _, g := range r.analyzers(r.mask) {
		known := thesaurus.Of(g.analyzer.Language())
		if !known.Known() {
			continue
		}
		terms := termsOf(r.texts.tokens(g.analyzer, strings.Join(words, " ")))
		if len(words) == 1 && len(terms) == 1 {
			terms[0] = cmp.Or(thesaurus.Apart(g.analyzer.Stems(), words[0]), terms[0])
		}
		k, row := known.Find(terms)
		if k == 0 || k < len(terms) {
			continue
		}
		asked := map[string]bool{}
		for i, c := range clauses {
			if t, ok := plainWord(c); ok && !slices.Contains(n.about, i) {
				for _, term := range termsOf(r.texts.tokens(g.analyzer, t.Text)) {
					asked[term] = true
				}
			}
		}
		kinds := 0
		for _, o := range row.Others("") {
			if o.Relation != thesaurus.Narrower || strings.Contains(o.Terms, " ") || asked[o.Terms] || kinds == maxKinds || !r.anyHolds(o.Terms) {
				continue
			}
			kinds++
			r.silently(func() *search.Expr {
				at, e := r.term(segment.SpaceText, []byte(o.Terms), o.Text, g, 1)
				r.unwanted = append(r.unwanted, unwanted{leaf: at})
				return e
			})
		}
	}
}
