package intent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What cues say of single words, which others ask who read a query.

// Harmless tells whether a word of some folded ones belongs to a phrase with a negation that denies nothing: "not only".
func (c *Cues) Harmless(words []string, at int) bool {
	for i := max(0, at-maxNegation); i <= at; i++ {
		for _, q := range c.byFirst[words[i]] {
			if n := len(q.words); q.kind == cueHarmless && i+n > at && i+n <= len(words) && slices.Equal(q.words, words[i:i+n]) {
				return true
			}
		}
	}
	return false
}

// Denies tells whether a folded word is a negation, or begins one.
func (c *Cues) Denies(word string) bool {
	return slices.ContainsFunc(c.byFirst[word], func(c cue) bool { return c.kind == cueNot || c.kind == cueFree || c.kind == cueRid })
}

// Lists tells whether a folded word joins the things of a list, of which all are denied if one is.
func (c *Cues) Lists(word string) bool {
	return c.nors[word] || slices.ContainsFunc(c.byFirst[word], func(c cue) bool { return c.kind == cueOr && len(c.words) == 1 })
}

// Contrary tells whether two folded words say the contrary of each other by their beginning or ending, so
// that neither is a slip of the other: "furnished" and "unfurnished", "eşyalı" and "eşyasız".
func (c *Cues) Contrary(a, b string) bool { return c.lacks(a, b) || c.lacks(b, a) }

// lacks tells whether a word says that what another one says is not there.
func (c *Cues) lacks(without, with string) bool {
	for _, not := range c.flagNot {
		if rest, ok := strings.CutPrefix(without, not); ok && rest == with {
			return true
		}
	}
	for _, ending := range c.flagWithout {
		stem, ok := strings.CutSuffix(without, ending)
		if ok && (stem == with || slices.ContainsFunc(c.flagWith, func(e string) bool { return stem+e == with })) {
			return true
		}
	}
	return false
}

// Compares returns the number of the folded words that are the longest comparative which some
// words begin with, and behind which a number may stand; 0 if there is none.
func (c *Cues) Compares(words []string) (n int) {
	for i := range c.byFirst[words[0]] {
		if q := &c.byFirst[words[0]][i]; q.kind == cueBefore && len(q.words) > n && len(q.words) <= len(words) && slices.Equal(q.words, words[:len(q.words)]) {
			n = len(q.words)
		}
	}
	return n
}

// Key appends the form of a value in which it is found: its words without the
// endings that say no more than case, number or gender, with spaces between
// them. words is their number.
func (c *Cues) Key(dst []byte, value string) (key []byte, words int) {
	return c.join(dst, value, c.Base)
}

// Words is Key with the endings of words.
func (c *Cues) Words(dst []byte, value string) (key []byte, words int) {
	return c.join(dst, value, func(w string) string { return w })
}

func (c *Cues) join(dst []byte, value string, form func(string) string) (key []byte, words int) {
	for _, it := range c.scanSpan(nil, value, 0) {
		if it.kind == symbol {
			continue
		}
		if words++; words > 1 {
			dst = append(dst, ' ')
		}
		dst = append(dst, form(it.text)...)
	}
	return dst, words
}

// Filler tells whether a word, as it is typed, says nothing by itself.
func (c *Cues) Filler(w string) bool { return c.stops[foldWord(w)] }

// Base is a folded word without its endings. It is its own base, so that all forms of a word have
// the same, whatever the word itself ends in: "braun" as "braune", "kostenlos" as "kostenlose".
func (c *Cues) Base(w string) string {
	base, _ := c.base(w)
	return base
}

// Attribute tells whether a folded word ends as adjectives do that stand before a noun.
func (c *Cues) Attribute(w string) bool {
	_, e := c.base(w)
	return e != nil && !e.noun
}

// base is Base, and the first ending that was taken; nil if the word has none.
func (c *Cues) base(w string) (base string, first *ending) {
	for {
		shorter, e := c.strip(w)
		if shorter == w {
			return w, first
		}
		if first == nil {
			first = e
		}
		w = shorter
	}
}

// strip takes the longest ending from a word that leaves enough of it.
func (c *Cues) strip(w string) (string, *ending) {
	if w == "" {
		return w, nil
	}
	list := c.endings[w[len(w)-1]]
	for i := range list {
		e := &list[i]
		stem, ok := strings.CutSuffix(w, e.from)
		switch {
		case ok && e.from == e.to:
			return w, nil
		case ok && utf8.RuneCountInString(stem) >= e.least:
			return stem + e.to, e
		}
	}
	return w, nil
}
