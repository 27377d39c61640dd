package engine

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
)

// What is written with a hyphen or an apostrophe is also typed without: "usbc" is USB-C, "ebike"
// an e-bike, and "drag'n'drop" is one word to an index.

// minLetterWord is the letters of the shortest word that one letter is taken off.
const minLetterWord = 4

// letterApart looks for a word that no record holds as one letter and a word, side by side, and for
// what stands between apostrophes as words; true if some record holds that. A doubled letter is a
// slip, and a filler word none of a name.
func (r *resolver) letterApart(c query.Node, span []piece, row *listRow, words []word, groups []analyzerGroup) bool {
	if !r.unknown || len(span[0].Word) < minLetterWord || len(r.req.Restrict) == 0 && row != nil && row.df > 0 || r.holding(span[0].Word, groups) > 0 {
		return false
	}
	if r.joint && (r.inAllSight(segment.SpaceText, span[0].Word) > 0 || r.inAllSight(segment.SpaceWord, span[0].Word) > 0) {
		return false // another index has a row of it
	}
	word := string(span[0].Word)
	if slices.ContainsFunc(r.called, func(c compound) bool { return c.From == word }) {
		return false // the thesaurus knows it
	}
	if t, ok := c.(query.Text); ok && span[0].of == 1 {
		if text := strings.NewReplacer("'", " ", "’", " ").Replace(t.Text); len(strings.Fields(text)) > 1 && text != t.Text && r.compound(text, word, words, span) {
			return true
		}
	}
	if !isASCII(word) {
		return false
	}
	// That it is no letter and a word is remembered, of requests for which the same words are filler.
	facts, plain := r.run.e.facts, r.mask == nil && !r.joint && len(r.req.Restrict) == 0 && r.req.Language == "" && !r.req.NoStopWords
	key := facts.key(r.run.iv, factSeparate, "'"+word)
	if plain && facts.find(&key) != nil {
		return false
	}
	n := len(word)
	found := word[n-1] != word[n-2] && r.besideLetter(word[:n-1], word[n-1:], word[:n-1]+"-"+word[n-1:], groups) && r.compound(word[:n-1]+" "+word[n-1:], word, words, span)
	found = found || word[0] != word[1] && r.besideLetter(word[1:], word[:1], word[:1]+"-"+word[1:], groups) && r.compound(word[:1]+" "+word[1:], word, words, span)
	if !found && plain && r.err == nil {
		facts.add(&wordFact{key: key})
	}
	return found
}

// besideLetter tells whether some record holds a word, and a letter. Where the letter is a filler
// word, some record has to have the two with a hyphen: "a" stands behind any word.
func (r *resolver) besideLetter(word, letter, hyphened string, groups []analyzerGroup) bool {
	switch {
	case r.holding([]byte(word), groups) == 0:
		return false
	case r.isWord([]byte(letter), groups):
		return true
	}
	return !r.joint && r.mask == nil && r.isHyphened(hyphened, groups)
}

// isHyphened tells whether one of the first records that the caller may see and that hold two words
// side by side has a hyphen between them.
func (r *resolver) isHyphened(text string, groups []analyzerGroup) bool {
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factOccurs, r.sightKey()+"-"+text)
	if f := facts.find(&key); f != nil {
		return f.n > 0
	}
	f := &wordFact{key: key}
	seen, err := r.sight()
	if err != nil {
		r.fail(err)
		return false
	}
	for i := range groups {
		leaves, marked := len(r.leaves), len(r.marked)
		r.deriving(func() *search.Expr {
			return r.phrase(query.Text{Text: text}, r.texts.tokens(groups[i].analyzer, text), groups[i], 1)
		})
		if r.err == nil {
			some, err := r.run.writes(seen, r.leaves[leaves].lists, text)
			if err != nil {
				r.fail(err)
			} else if some {
				f.n = 1
			}
		}
		clear(r.leaves[leaves:])
		r.leaves, r.marked = r.leaves[:leaves], r.marked[:marked]
	}
	if r.err == nil {
		facts.add(f)
	}
	return f.n > 0
}

// maxHyphened is how many records are read for a hyphen.
const maxHyphened = 16

// writes tells whether one of the first records of some lists of the segments that may be seen has a
// text, which is in lower case, in whatever case.
func (run *searchRun) writes(seen *sight, lists []*posting.List, text string) (has bool, err error) {
	r := run.e.storedReader(run.kv, run.iv.ix.number)
	defer r.Close()
	read := 0
	stopped := run.eachSeen(seen, lists, func(_ int, _ *search.Slot, doc posting.DocID) bool {
		if read++; read > maxHyphened {
			return false
		}
		block, n, lost := r.find(doc)
		if err = lost; err != nil {
			return false
		}
		has = bytes.Contains(bytes.ToLower(block.Record(n)), []byte(text))
		return !has
	})
	return has, errors.Join(err, stopped)
}
