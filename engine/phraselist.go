package engine

import (
	"encoding/binary"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// Phrases that stand for a word of the query, as "time stamp" does for "timestamp", are the
// same whoever uses the word, and few records hold them. So they are kept as posting lists,
// like the words that begin with another (searchRun.expansion), and searches score them as
// they do words, without their positions.

const (
	// maxListedPhrase is how many documents of a segment may hold the rarest word of a
	// phrase that is kept as a list: as many are looked at to make it.
	maxListedPhrase = 1 << 16
	// soonListedPhrase is the same where it is made at once. To make one of "command line"
	// in a million packages takes 16 ms, a search without it one, and one with it a
	// twentieth of that: so longer ones are made when a phrase is searched for again.
	soonListedPhrase = 1 << 13
)

// deriving resolves what stands for words of the query.
func (r *resolver) deriving(f func() *search.Expr) *search.Expr {
	before := r.derived
	r.derived = true
	defer func() { r.derived = before }()
	return f()
}

// listed gives the leaf of a phrase of terms its posting lists, and tells whether it could:
// they are kept for phrases as they are in a text, of terms that are not too frequent.
func (r *resolver) listed(l *leaf, terms []string, o *search.PhraseOptions, g analyzerGroup) bool {
	if !r.derived || o.Slop != 0 {
		return false
	}
	for i, at := range o.Offsets {
		if at != i {
			return false
		}
	}
	rows := make([]*listRow, len(terms))
	for i, term := range terms {
		if rows[i] = r.rowOf(r.run, term); rows[i] == nil {
			return false
		}
	}
	segs := r.run.iv.segs
	lists := r.run.phrases(phraseKey(r.run.iv.schema.maskKey(g.fields), terms))
	for seg, s := range segs {
		if n := fewest(rows, seg); n > maxListedPhrase || n > soonListedPhrase && !lists.has(s) && !r.again(l) {
			return false
		}
	}
	all, first, df := make([]*posting.List, len(segs)), make([]*search.Leaders, len(segs)), int64(0)
	for i, s := range segs {
		if fewest(rows, i) == 0 {
			continue // there is nothing to be remembered
		}
		en, err := lists.expansion(s, func() (*posting.List, error) { return r.run.listPhrase(s, terms, *o) })
		if err != nil {
			r.fail(err)
			return false
		}
		all[i], first[i] = en.list, &en.leaders
		df += int64(en.liveDF(r.run.iv))
	}
	for i := range rows {
		l.phrase.words[i].df = rows[i].df
	}
	l.lists, l.first, l.df = all, first, df
	l.phrase.listed, l.phrase.counted = true, true
	return true
}

// again tells whether a phrase has been searched for since the index changed, and there is
// room for what is made of it.
func (r *resolver) again(l *leaf) bool {
	key := r.run.togetherKey(l)
	return r.run.e.facts.find(&key) != nil && !r.run.e.lists.crowded()
}

// phraseKey names a phrase in some fields. Terms may have spaces in them.
func phraseKey(fields string, terms []string) string {
	key := append(make([]byte, 0, 64), fields...)
	for _, term := range terms {
		key = append(binary.AppendUvarint(append(key, ':'), uint64(len(term))), term...)
	}
	return string(key)
}

// fewest is how many documents of a segment hold the rarest of some terms.
func fewest(rows []*listRow, seg int) int {
	least := maxListedPhrase + 1
	for _, row := range rows {
		n := 0
		if list := row.lists[seg]; list != nil {
			n = list.DF
		}
		least = min(least, n)
	}
	return least
}

// listPhrase makes the list of the documents of a segment that hold a phrase.
func (run *searchRun) listPhrase(s *segmentRef, terms []string, o search.PhraseOptions) (*posting.List, error) {
	if err := run.ctx.Err(); err != nil {
		return nil, err
	}
	lists := make([]*posting.List, len(terms))
	for i, term := range terms {
		var err error
		if lists[i], err = run.list(s, segment.SpaceText, []byte(term), true); err != nil {
			return nil, err
		}
	}
	phrase, err := search.NewPhrase(lists, o)
	if phrase == nil || err != nil {
		return nil, err
	}
	im, err := run.impactsOf(s)
	if err != nil {
		return nil, err
	}
	return phrase.List(im)
}

// impactsOf returns what bounds of lists that are made for a segment are computed from, as
// when the segment was written.
func (run *searchRun) impactsOf(s *segmentRef) (*posting.Impacts, error) {
	chunks := slices.DeleteFunc(slices.Clone(run.iv.chunks), func(c *chunkRef) bool {
		return c.end() <= s.meta.MinDoc || c.base() > s.meta.MaxDoc
	})
	im, err := impactsUnder(s.meta.Params, run.e.books.book(s.meta.TextFields), chunks)
	if err != nil {
		return nil, err
	}
	return &posting.Impacts{Table: im.Table, Norms: im.Norms}, nil
}

// termsOf returns the terms of tokens.
func termsOf(tokens []tokenize.Token) []string {
	terms := make([]string, len(tokens))
	for i := range tokens {
		terms[i] = string(tokens[i].Term)
	}
	return terms
}
