package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Some queries say something about fields and nothing else: beside filler words, and the word
// that the indexes are called by, no word is left that records would have to hold.

// filler returns what tells whether a word of a text, which is the query or that with its words repaired, says
// nothing of which records are wanted: filler words, punctuation, frames, and what the indexes are called by.
func (s *searcher) filler(text string, cues *intent.Cues) func(query.Text) bool {
	framed := s.framed(text)
	return func(t query.Text) bool {
		return !says(t.Text) || cues.Filler(t.Text) || s.called(strings.ToLower(t.Text)) || framed(t)
	}
}

// called tells whether all indexes of the search are called by a word, or by another word for the same.
func (s *searcher) called(word string) bool {
	word = string(tokenize.Fold(nil, []byte(word))) // "películas" in the index peliculas
	return !slices.ContainsFunc(s.runs, func(r *searchRun) bool {
		c := r.iv.schema
		if c.calls(s.e, r.name, word) {
			return false
		}
		if s.req.NoSynonyms || len(c.groups) == 0 {
			return true
		}
		return !c.meansName(r.name, termOf(c.groups[0].analyzer, word)) && !(c.isThing(s.e, word) && !s.isSaid(r, word))
	})
}

// isSaid tells whether the texts of some record of an index hold a word.
func (s *searcher) isSaid(run *searchRun, word string) bool {
	n, err := s.countSaid(run, slices.Repeat([]bool{true}, len(run.iv.schema.text)), word, nil)
	return n > 0 || err != nil
}

// namesField tells whether a word that no record holds is one of the name of a field that the query speaks of.
func (s *searcher) namesField(u *understanding, cues *intent.Cues, t query.Text) bool {
	word := string(tokenize.Fold(nil, []byte(strings.ToLower(t.Text))))
	return u.speaksBy(cues, word) && !slices.ContainsFunc(s.runs, func(r *searchRun) bool { return s.isSaid(r, word) })
}

// deniesOnly tells whether a query only says what is not wanted, beside filters, as "not
// chinese" does: then all others are.
func (u *understanding) deniesOnly(filler func(query.Text) bool) bool {
	some := false
	for i := range u.parts {
		p := &u.parts[i]
		some = some || p.denied && p.Use == IntentBoost
		if p.Use != IntentFilter && !(p.denied && p.Use == IntentBoost) {
			return false
		}
	}
	return some && !u.wants(filler)
}

// denyAll makes filters of what is denied.
func (u *understanding) denyAll() {
	for i := range u.parts {
		if p := &u.parts[i]; p.denied {
			p.Use, p.denied = IntentFilter, false
		}
	}
}

// wants tells whether there is a word, beside fillers, that is looked for
// though what is denied is not. A query without one is taken as it stands.
func (u *understanding) wants(filler func(query.Text) bool) bool {
	for i, c := range u.clauses {
		if u.uses(i, func(p *clausePart) bool { return p.Use == IntentBoost && !p.denied }) {
			return true // a dress that is not black, in the index dresses, where dress is a category
		}
		used := u.uses(i, func(p *clausePart) bool { return p.Use == IntentFilter || p.denied && p.applied() })
		if t, ok := plainWord(c); !used && (!ok || !filler(t)) {
			return true
		}
	}
	return false
}

// saysAll tells whether the parts are about all words of a query beside fillers.
func (u *understanding) saysAll(clauses []query.Node, filler func(query.Text) bool) bool {
	for i, c := range clauses {
		t, ok := plainWord(c)
		if !ok {
			return false
		}
		if !filler(t) && !u.uses(i, func(p *clausePart) bool { return p.applied() && p.whole }) {
			return false
		}
	}
	return true
}

// onlyCalled tells whether what filters leave of a query is only what the indexes are called
// by, and filler: "laptops between 500 and 800", in the index laptops, wants all of that
// price.
func (s *searcher) onlyCalled(tree query.Node) bool {
	clauses := plainClauses(tree)
	if b, ok := tree.(query.Bool); len(clauses) == 0 || ok && len(b.Must)+len(b.MustNot) > 0 || len(s.restrictions()) == 0 {
		return false
	}
	_, cues := s.domain()
	called, filler := false, s.filler(s.req.Query, cues)
	for _, c := range clauses {
		t, ok := plainWord(c)
		if !ok || !filler(t) {
			return false
		}
		called = called || s.called(strings.ToLower(t.Text))
	}
	return called
}
