package engine

import (
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
)

// othersInCompounds adds leaves for the compounds that have in them what stands for a span of items, where
// no record holds any of these, in a language that writes compounds as one word: "Ratenkredit" for
// "Darlehen". A word is looked for in compounds as those of the query are, and what is found so
// counts that much less than the word would. What adds nothing, as most does, is remembered by view.
//
// Where some records hold the span, nothing more was gained, and a little lost: German questions (xquad-de,
// passages-de) have many words, each with forms and kin, and some record has a compound of these.
func (r *resolver) othersInCompounds(of *related, span []item, like []string, g analyzerGroup) (kids []*search.Expr) {
	links := g.analyzer.Links()
	if links == nil || r.tuning.Compound == 0 || !r.isMissing(span) {
		return nil
	}
	facts := r.run.e.facts
	var room [64]byte
	key := append(append(append(room[:0], g.analyzer.Stems()...), '~'), of.fact...)
	plain := r.plain() && g.fields == nil && len(r.req.Restrict) == 0 && r.intent.orderPart() < 0
	if plain && facts.look(r.run.iv, factCompound, key) != nil {
		return nil
	}
	d := decompounder{resolver: r, g: g, links: links}
	for _, o := range of.row.Others(strings.Join(of.terms, " ")) {
		if e, ok := d.endingOf(0, o.Text); ok && e.term == o.Terms {
			kids = d.otherInCompounds(kids, of, span, o, e, like)
		}
	}
	if plain && len(kids) == 0 && r.err == nil {
		facts.add(&wordFact{key: facts.key(r.run.iv, factCompound, string(key))})
	}
	return kids
}

// otherInCompounds adds to kids the leaves for compounds of a word that stands for a span, whose ending is e.
func (d *decompounder) otherInCompounds(kids []*search.Expr, of *related, span []item, o thesaurus.Other, e ending, like []string) []*search.Expr {
	add := func(told string, factor float64, c compoundLeaf) {
		at, x, _ := d.addCompoundLeaf(fromOf(span), told, like, c)
		if x == nil {
			return
		}
		d.leaves[at].factor *= factor * missingShare(o.Relation, of.words) * d.tuning.Thesaurus
		d.called = append(d.called, compound{Correction{textOf(span, func(it *item) string { return it.typed }), told}, at, at + 1})
		kids = append(kids, x)
	}
	// Of two words of which one ends with the other, as "Rad" and "Fahrrad", compounds are found by either.
	if word := fromOf(span); e.heads() && !strings.HasSuffix(word, e.shown) && !strings.HasSuffix(e.shown, word) {
		if _, heads := d.endings(&e); heads > 0 {
			add("*"+e.shown, 1, d.leafOfCompounds(e, endedHead))
		}
	}
	if d.isFront(&e) {
		add(e.shown+"*", frontShare, d.leafOfFronted(e.term, e.shown))
	}
	return kids
}
