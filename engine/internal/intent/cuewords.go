package intent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What cues say of single words, which others ask who read a query.

// Denies tells whether a folded word is a negation, or begins one.
func (c *Cues) Denies(word string) bool {
	return slices.ContainsFunc(c.byFirst[word], func(c cue) bool { return c.kind == cueNot || c.kind == cueFree || c.kind == cueRid })
}

// Or tells whether a folded word joins the things of a list.
func (c *Cues) Or(word string) bool {
	return slices.ContainsFunc(c.byFirst[word], func(c cue) bool { return c.kind == cueOr && len(c.words) == 1 })
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
	for {
		shorter := c.strip(w)
		if shorter == w {
			return w
		}
		w = shorter
	}
}

// strip takes the longest ending from a word that leaves enough of it.
func (c *Cues) strip(w string) string {
	if w == "" {
		return w
	}
	for _, e := range c.endings[w[len(w)-1]] {
		stem, ok := strings.CutSuffix(w, e.from)
		switch {
		case ok && e.from == e.to:
			return w
		case ok && utf8.RuneCountInString(stem) >= e.least:
			return stem + e.to
		}
	}
	return w
}
