package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/thesaurus"
)

// Of English words in -ise and -ize there are more than the thesaurus lists. Each is spelt in both
// ways, and so is what is derived of it: internationalisation. That there is a word with the
// other letter tells that it is the same: no "size" is a "sise".

// spellingLetters is the letters of the shortest word that is looked for in its other spelling.
const spellingLetters = 6

// withSpelling returns the other spelling of an item that records have, "" if there is none or the row
// of the item has it, and the row with it.
func (r *resolver) withSpelling(it *item, g analyzerGroup, row thesaurus.Row) (string, thesaurus.Row) {
	if g.analyzer.Stems() != "en" || it.pair {
		return "", row
	}
	other := otherSpelling(it.word)
	if other == "" {
		return "", row
	}
	tokens := r.texts.tokens(g.analyzer, other)
	if len(tokens) != 1 || string(tokens[0].Term) == it.term || !r.anyHolds(string(tokens[0].Term)) {
		return "", row
	}
	term := string(tokens[0].Term)
	if slices.ContainsFunc(row.Others(it.term), func(o thesaurus.Other) bool { return o.Terms == term }) {
		return "", row
	}
	with := thesaurus.Row(":" + term + ";" + other)
	if row != "" {
		with += "|" + row
	}
	return other, with
}

// otherSpelling returns an English word in -ise, or one derived of it, with a z in place of the s, and
// the other way round; "" of other words.
func otherSpelling(word string) string {
	if len(word) < spellingLetters {
		return ""
	}
	for _, end := range [...]string{"e", "ed", "er", "ers", "es", "ing", "ation", "ations", "ational", "able"} {
		rest, ok := strings.CutSuffix(word, end)
		if !ok || len(rest) < 3 {
			continue
		}
		before, last := rest[len(rest)-2], rest[len(rest)-1]
		if before != 'i' && (before != 'y' || end[0] == 'a') {
			continue
		}
		switch last {
		case 's':
			return rest[:len(rest)-1] + "z" + end
		case 'z':
			return rest[:len(rest)-1] + "s" + end
		}
	}
	return ""
}
