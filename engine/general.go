package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/tokenize"
)

// A word for what all records are says nothing of which of them are wanted: "movies" among
// films, whose texts call them films. That a word is such a one is seen by its synonyms: if
// two fifths of all records hold one of these, then records are that, whatever they call it.
// Beside other words it is a filler word then. A word that as many records hold itself is
// none: those that lack it are told apart by it, and questions lose by it (adi .548 to .541,
// cosqa .444 to .441).
const (
	generalShare = 2
	generalOf    = 5
	// generalLeast is how many records an index has in which words can be general.
	generalLeast = 100
)

// namesIndex tells whether a word is the one that the index is called by: "laptop" and
// "laptops" in the index laptops, or used_laptops. Every record of it is one, whether it
// says so or not.
func (r *resolver) namesIndex(word string) bool {
	if r.literal || r.joint || r.req.NoStopWords || r.req.Ranking != RankingDefault {
		return false
	}
	if r.intent != nil && slices.ContainsFunc(r.intent.parts, func(p clausePart) bool { return p.Use == IntentRelaxed }) {
		return false // what else is said, nothing is
	}
	return r.run.iv.schema.calls(r.run.e, r.run.name, word)
}

// meansIndex tells whether a word that no record has is another one for what the index is called by:
// "movies" in films; or one for all that has such fields, "jobs" where records have salaries; or of the name of a field
// that the query speaks of: "battery over 4000 mah" of battery_capacity. row is that of its term; every tells that the word is one for all records.
func (r *resolver) meansIndex(t *tokenize.Token, row *listRow) (means, every bool) {
	if r.literal || r.req.NoStopWords || r.req.NoSynonyms || r.req.Ranking != RankingDefault || r.tuning.Thesaurus == 0 ||
		len(r.run.iv.schema.groups) > 1 {
		return false, false
	}
	if row != nil && row.df > 0 && len(r.req.Restrict) == 0 {
		return false, false // as most words are
	}
	term := string(t.Term)
	if t.Kind != tokenize.KindWord { // 电影 among films, as far as it is one pair of characters
		every = t.Kind == tokenize.KindBigram && r.areThings(string(t.Word)) && !r.isHeld(term)
		return every, every
	}
	c := r.run.iv.schema
	every = !r.joint && c.meansName(r.run.name, term) || r.areThings(string(t.Word))
	if means = every || r.intent.speaksBy(c.intentTables(r.run.e).cues, string(t.Word)); means && r.isHeld(term) {
		return false, false
	}
	return means, every
}

// isHeld tells whether a record of the search that the caller may see holds a term.
func (r *resolver) isHeld(term string) bool {
	if r.joint {
		return r.holders(term) > 0
	}
	return r.isSeenIn(r.run, term)
}

// areThings tells whether a word is one for all records of the search: see isThing.
func (r *resolver) areThings(word string) bool {
	if !r.joint {
		return r.run.iv.schema.isThing(r.run.e, word)
	}
	return !slices.ContainsFunc(r.run.all, func(run *searchRun) bool { return !run.iv.schema.isThing(r.run.e, word) })
}

// isThing tells whether a word is one for all records that have such fields as those of the schema.
func (c *compiled) isThing(e *Engine, word string) bool {
	t := c.intentTables(e)
	return t.things[t.cues.Base(word)]
}

// speaksBy tells whether a word is one of the name of a field that a query speaks of.
func (u *understanding) speaksBy(cues *intent.Cues, word string) bool {
	return u != nil && slices.ContainsFunc(u.parts, func(p clausePart) bool {
		return p.applied() && !p.denied && p.value == "" && p.field != "" && cues.IsOfName(p.field, word)
	})
}

// calls tells whether an index of a name is called by a word.
func (c *compiled) calls(e *Engine, index, word string) bool {
	called := calledBy(index)
	if len(called) < leastCalled || len(word) < leastCalled-1 || called[0] != word[0] {
		return false
	}
	cues := c.intentTables(e).cues
	return cues.Base(called) == cues.Base(word)
}

// meansName tells whether a term is another word for what an index of a name is called by: that of
// "movies" in films.
func (c *compiled) meansName(index, term string) bool {
	if term == "" || c.NoThesaurus || len(c.groups) == 0 {
		return false
	}
	others, known := c.intent.others.Load(index)
	if !known {
		others, _ = c.intent.others.LoadOrStore(index, otherNames(c.groups[0].analyzer, index))
	}
	return slices.Contains(others.([]string), term)
}

// otherNames returns the terms of other words for what an index of a name is called by.
func otherNames(a *tokenize.Analyzer, index string) (terms []string) {
	called := calledBy(index)
	if len(called) < leastCalled {
		return nil
	}
	of := termOf(a, called)
	row, _ := thesaurus.Of(a.Language()).Alone(cmp.Or(thesaurus.Apart(a.Stems(), called), of))
	for _, o := range row.Others(of) {
		if o.Relation <= thesaurus.Same {
			terms = append(terms, o.Terms)
		}
	}
	return terms
}

// termOf returns the term of a word; "" if it is none, or several.
func termOf(a *tokenize.Analyzer, word string) string {
	if tokens := a.AnalyzeQuery(word); len(tokens) == 1 {
		return string(tokens[0].Term)
	}
	return ""
}

// calledBy is the word of an index's name that says what its records are: the last one, but
// for what versions and languages are told by: products_v2, jobs-en.
func calledBy(index string) string {
	for {
		at := strings.LastIndexAny(index, "_-")
		last := index[at+1:]
		if len(last) >= leastCalled && !strings.ContainsAny(last, "0123456789") || at < 0 {
			return last
		}
		index = index[:at]
	}
}

// leastCalled is the letters from which on a word of an index's name says what its records
// are.
const leastCalled = 4

// isGeneral tells whether a word is one for what all records are. row is that of its term.
func (r *resolver) isGeneral(t *tokenize.Token, row *listRow, g analyzerGroup) bool {
	if r.literal || r.req.NoStopWords || r.req.NoSynonyms || r.req.Ranking != RankingDefault || r.tuning.Thesaurus == 0 ||
		t.Kind != tokenize.KindWord || r.run.iv.schema.NoThesaurus || len(r.run.iv.schema.groups) > 1 {
		return false
	}
	if r.seenDocs(generalLeast) < generalLeast {
		return false
	}
	here := row != nil && row.df > 0
	part := len(r.req.Restrict) > 0
	if here && part {
		here = r.isSeenIn(r.run, string(t.Term))
	}
	if !here && !(r.joint && r.holders(string(t.Term)) > 0) {
		return false // nor is it in another index
	}
	view := 2 * r.run.e.facts.view(r.run.iv)
	if !r.joint && !part {
		if known := row.general.Load(); known&^1 == view {
			return known&1 != 0
		}
	}
	general := false
	called, _ := thesaurus.Of(g.analyzer.Language()).Alone(string(t.Term))
	for _, o := range called.Others(string(t.Term)) {
		if o.Relation <= thesaurus.Same && !strings.Contains(o.Terms, " ") && !general {
			general = r.areMany(o.Terms)
		}
	}
	if !r.joint && !part {
		if general {
			view |= 1
		}
		row.general.Store(view)
	}
	return general
}

// seenHolders is how many records of the search hold a term.
func (r *resolver) seenHolders(term string) int64 {
	if r.joint || len(r.req.Restrict) > 0 {
		return r.holders(term)
	}
	if row := r.rowOf(r.run, term); row != nil {
		return row.df
	}
	return 0
}

// areMany tells whether so many records of the search hold a term that all are about it.
func (r *resolver) areMany(term string) bool {
	n := r.seenHolders(term)
	return n*generalOf >= int64(r.seenDocs(uint64(n*generalOf/generalShare+1)))*generalShare
}

// areMost tells whether so many records of the search hold a term that it tells none apart.
func (r *resolver) areMost(term string) bool {
	n := r.seenHolders(term)
	return n*mostOf >= int64(r.seenDocs(uint64(n*mostOf/mostShare+1)))*mostShare
}

// mostShare of mostOf records are most of them.
const (
	mostShare = 4
	mostOf    = 5
)
