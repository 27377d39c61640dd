package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// English writes few compounds as one word, but has them: "houseboat", "toothbrush", and the names of
// things that are sold, such as "CalorieMate". Who asks for boats or calories is not after them where many
// records have these words; where hardly any has, they may be all there is.

// seldom adds the compounds that have words of the query in them, in a language that writes few as
// one word: as their head or their beginning, if hardly any record holds the word; and what
// a word is made of that none holds. Only words that are known to be written so are looked for: others may
// be slips, and are better read as what they are slips of; and of "note book", which is looked for as a notebook
// already, nothing else: joined are those words.
func (d *decompounder) seldom(clauses []query.Node, joined []compound) {
	plain := d.plain() && d.g.fields == nil && len(d.req.Restrict) == 0 && d.intent.orderPart() < 0
	for i := range d.pieces {
		p := &d.pieces[i]
		if p.kind != pieceLetters || p.stop || d.err != nil || d.isJoined(joined, string(p.Word)) {
			continue
		}
		text := p.lower(clauses)
		if !plain {
			d.seldomIn(i, text)
			continue
		}
		// What adds nothing, as most does, is remembered by view.
		facts := d.run.e.facts
		var room [64]byte
		key := append(append(append(room[:0], d.g.analyzer.Stems()...), ':'), text...)
		if facts.look(d.run.iv, factCompound, key) != nil {
			continue
		}
		leaves := len(d.leaves)
		if d.seldomIn(i, text); len(d.leaves) == leaves && d.err == nil {
			facts.add(&wordFact{key: facts.key(d.run.iv, factCompound, string(key))})
		}
	}
}

// seldomIn is seldom of one word.
func (d *decompounder) seldomIn(at int, text string) {
	if !tokenize.Written(d.g.analyzer.Stems(), d.pieces[at].Word) {
		return
	}
	e, ok := d.endingOf(at, text)
	if !ok || d.holders(e.term) > d.rareAtMost() {
		return
	}
	if !d.g.analyzer.Suffix(e.shown) {
		d.head(e)
	}
	d.fronted(e)
	if e.text = text; !d.held(&e) {
		d.loosen(&e)
	}
}

// isJoined tells whether a word is looked for as several, or with others as one.
func (d *decompounder) isJoined(joined []compound, word string) bool {
	return slices.ContainsFunc(joined, func(c compound) bool { return slices.Contains(strings.Fields(c.From), word) }) ||
		slices.ContainsFunc(d.elsewhere, func(from string) bool { return slices.Contains(strings.Fields(from), word) })
}
