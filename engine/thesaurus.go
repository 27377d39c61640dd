package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// What package thesaurus knows of the words of a query is used in two ways. In the best
// records, what stands for a word counts where the record lacks the word itself
// (bonusthesaurus.go). Where few records have a word, those that have something that
// stands for it are found, too (resolver.thesaurus): then there is room for them.
//
// Only where the word is missing: a record that says "parallel" gets nothing more for
// saying "concurrent" as well. Added to each other, as synonyms in a query mostly are,
// they made 4 % of nDCG@10 worse on cacm and adi; in its place, they improve both.

// rareRecords is how many records hold a rare word at most, and rareShare one of how
// many records of all: what stands for a word adds to the scores of those that have
// both, which only few may do.
const (
	rareRecords = rerankDepth
	rareShare   = 64
)

// maxOthers is how many phrases that stand for one are looked for.
const maxOthers = 63

// thesaurusShare is what a phrase is worth where it stands for another, as a share of
// what that is worth. Words of one family are worth more than synonyms: of what two
// people call a thing, each has a meaning of its own more often than a noun has beside
// its verb.
func thesaurusShare(r thesaurus.Relation) float64 {
	switch r {
	case thesaurus.Form:
		return 0.8
	case thesaurus.Kin:
		return 0.6
	case thesaurus.Same:
		return 0.4
	}
	return 0.2
}

// related is a phrase of the query and what else it may be called.
type related struct {
	start, end int // in the text of the query
	terms      []string
	others     []thesaurus.Other // that the index holds the words of
	sought     bool              // they are leaves
}

// thesaurus finds what the words of clauses, which words were resolved from, are also
// called, and looks for that where they are rare.
func (r *resolver) thesaurus(clauses []query.Node, words []word) {
	if r.literal || r.req.NoSynonyms || r.req.Ranking != RankingDefault || r.tuning.Thesaurus == 0 || r.run.iv.schema.NoThesaurus {
		return
	}
	groups := r.analyzers(r.mask)
	for _, g := range groups {
		known := thesaurus.Of(g.analyzer.Stems())
		if !known.Known() {
			continue
		}
		language := ""
		if len(groups) > 1 {
			language = g.analyzer.Stems()
		}
		items := r.items(clauses, g, "")
		terms := make([]string, len(items))
		for i := range items {
			if it := &items[i]; !strings.ContainsAny(it.typed, apostrophes) && !r.isNamed(it) {
				terms[i] = it.term
			}
		}
		for i := 0; i < len(items) && r.err == nil; {
			n, others := r.others(known, terms[i:], language)
			if n == 0 || n == 1 && items[i].filler {
				i++
				continue
			}
			if span := items[i : i+n]; len(others) > 0 {
				of := related{start: span[0].start, end: span[n-1].end, terms: terms[i : i+n], others: others}
				if r.isRare(span) {
					of.sought = r.seek(&of, span, items, words, g)
				}
				r.related = append(r.related, of)
			}
			i += n
		}
	}
}

// apostrophes make what is no word of one: "I'd" is not "id".
const apostrophes = "'’"

// isNamed tells whether the schema has synonyms of its own for an item: these say what
// it means.
func (r *resolver) isNamed(it *item) bool {
	return slices.ContainsFunc(r.named, func(n [2]int) bool { return it.start < n[1] && n[0] < it.end })
}

// others returns what the longest phrase that some terms begin with stands for, as far
// as the index holds the words of it, and of how many terms the phrase is. language tells
// the languages of an index apart that has several.
func (r *resolver) others(known thesaurus.Thesaurus, terms []string, language string) (n int, others []thesaurus.Other) {
	n, others = known.Find(terms)
	if n == 0 {
		return 0, nil
	}
	others = others[:min(len(others), maxOthers)]
	phrase := terms[0]
	if n > 1 || language != "" {
		phrase = strings.Join(terms[:n], " ") + ":" + language
	}
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factRelated, phrase)
	f := facts.find(&key)
	if f == nil {
		f = &wordFact{key: key}
		for i := range others {
			if r.holdsPhrase(others[i].Terms) {
				f.n |= 1 << i
			}
		}
		if r.err != nil {
			return n, nil
		}
		facts.add(f)
	}
	held := others[:0]
	for i, o := range others {
		if f.n>>i&1 != 0 {
			held = append(held, o)
		}
	}
	return n, held
}

// holdsPhrase tells whether a record of the index holds a phrase.
func (r *resolver) holdsPhrase(phrase string) bool {
	for term := range strings.SplitSeq(phrase, " ") {
		if row := r.rowOf(r.run, term); row == nil || row.df == 0 {
			return false
		}
	}
	if !strings.Contains(phrase, " ") {
		return true
	}
	leaves, marked := len(r.leaves), len(r.marked)
	defer func() { r.leaves, r.marked = r.leaves[:leaves], r.marked[:marked] }()
	r.phrase(query.Text{Text: phrase}, tokensOf(phrase), analyzerGroup{}, 1)
	if r.err != nil {
		return false
	}
	n, err := r.run.holding(r.leaves[leaves].phrase)
	if err != nil {
		r.fail(err)
	}
	return n > 0
}

// tokensOf returns the tokens of a phrase of terms.
func tokensOf(phrase string) []tokenize.Token {
	tokens := make([]tokenize.Token, 0, 1+strings.Count(phrase, " "))
	for term := range strings.SplitSeq(phrase, " ") {
		tokens = append(tokens, tokenize.Token{Term: []byte(term), Word: []byte(term), Position: len(tokens)})
	}
	return tokens
}

// rowOf returns what an index of the search has of a term, nil after an error.
func (r *resolver) rowOf(run *searchRun, term string) *listRow {
	lists := run.term(segment.SpaceText, []byte(term), false)
	row, err := lists.row(run.iv)
	if err != nil {
		r.fail(err)
		return nil
	}
	return row
}

// holders is how many records of all indexes of the search hold a term.
func (r *resolver) holders(term string) (n int64) {
	if !r.joint && len(r.unseen) == 0 {
		if l := r.leafOf(term); l != nil {
			return l.df
		}
	}
	for _, run := range r.run.all {
		if r.unseen[indexTerm{run.name, term}] {
			continue
		}
		if row := r.rowOf(run, term); row != nil {
			n += row.df
		}
	}
	return n
}

// leafOf returns the leaf of a term of texts, nil if there is none.
func (r *resolver) leafOf(term string) *leaf {
	for i := range r.leaves {
		if l := &r.leaves[i]; l.text && !l.flat && l.term == term {
			return l
		}
	}
	return nil
}

// isRare tells whether so few records hold a word of a span that those are wanted, too,
// that hold something else for it.
func (r *resolver) isRare(span []item) bool {
	most := max(2, min(rareRecords, int64(r.docs/rareShare)))
	for i := range span {
		if !span[i].filler && r.holders(span[i].term) <= most {
			return true
		}
	}
	return false
}

// seek adds leaves for what stands for a span of items, and tells whether it could.
func (r *resolver) seek(of *related, span, items []item, words []word, g analyzerGroup) bool {
	typed := r.req.Query[of.start:of.end]
	like := make([]string, 0, len(span))
	for i := range span {
		if l := r.leafOf(span[i].term); l != nil {
			like = append(like, l.global)
		}
	}
	kids := make([]*search.Expr, 0, len(of.others))
	for _, o := range of.others {
		at, e := r.otherLeaf(o.Terms, typed, g)
		if r.err != nil {
			return false
		}
		r.leaves[at].factor *= thesaurusShare(o.Relation) * r.tuning.Thesaurus
		r.leaves[at].like = like
		kids = append(kids, e)
		r.called = append(r.called, compound{Correction{From: typed, To: o.Text}, at, at + 1})
	}
	if len(r.req.Restrict) == 0 { // or records out of sight would be known of
		r.meant = append(r.meant, strings.Fields(typed)...)
	}
	e := orOf(kids)
	for j := range words {
		if covers(span, items, &words[j]) {
			words[j].expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{words[j].expr, e}}
		}
	}
	return true
}

// otherLeaf adds the leaf of a phrase that stands for what was typed.
func (r *resolver) otherLeaf(phrase, typed string, g analyzerGroup) (at int, e *search.Expr) {
	tokens := tokensOf(phrase)
	if len(tokens) == 1 {
		r.mark(&tokens[0], g, false)
		return r.term(segment.SpaceText, tokens[0].Term, typed, g, 1)
	}
	e = r.phrase(query.Text{Text: phrase}, tokens, g, 1)
	at = len(r.leaves) - 1
	r.leaves[at].from = typed
	return at, e
}
