package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// An order by price puts first what merely speaks of the thing: bags for a vacuum cleaner cost
// less than any. So what a superlative sorts is the records that are the thing, as far as
// titles and categories tell: those that have its word in their titles, by itself or as the
// head of a compound and not as the beginning of another word; and if nearly all of those are
// of one category, those of that. Of several words it is the one that most titles have.

const (
	// ofKind is how many of the records so called, of leastOfKind or more, have to be of one
	// category for the others to be no such thing: of kindShares, so many.
	ofKind      = 3
	kindShares  = 4
	leastOfKind = 4
	// titledShare: of what has the word in its title or its category one in so many has it in its
	// title, or the category is what says it: few concerts are called one.
	titledShare = 5
)

// things leaves only those of the matches that are what the query asks for, if there are any.
func (s *searcher) things() error {
	d, _ := s.domain()
	kinds := d.Kinds()
	words := -1
	asked := make([]titleWords, len(s.runs))
	for i, run := range s.runs {
		if asked[i] = run.res.titleWords(s.tree, kinds); len(asked[i].titles) > 0 {
			if n := len(asked[i].titles); words < 0 || n == words {
				words = n
			} else {
				words = 0 // the languages of the indexes see other words
			}
		}
	}
	// Leaves were added, and queries know those that there were.
	if err := s.settle(len(s.required)); err != nil {
		return err
	}
	best, most := 0, int64(0)
	for i := range max(words, 0) {
		n, err := s.countOf(asked, func(w *titleWords) *search.Expr { return w.titles[i] })
		if err != nil {
			return err
		}
		if n > most {
			best, most = i, n
		}
	}
	if most == 0 || s.saysNothing(asked, best) {
		return nil
	}
	of := func(w *titleWords) *search.Expr { return w.titles[best] }
	if kind := func(w *titleWords) *search.Expr { return w.orKinds(best) }; len(kinds) > 0 {
		n, err := s.countOf(asked, kind)
		if err != nil {
			return err
		}
		if titledShare*most < n {
			of = kind
		}
	}
	for i, run := range s.runs {
		if w := &asked[i]; len(w.titles) > 0 {
			run.res.must = append(run.res.must, of(w))
		}
	}
	if err := s.settle(len(s.required)); err != nil {
		return err
	}
	return s.ofOneKind(kinds)
}

// saysNothing tells whether most records hold a word that titles are asked for: the longest of trails is no
// trail by its name.
func (s *searcher) saysNothing(asked []titleWords, word int) bool {
	for i, run := range s.runs {
		if w := &asked[i]; len(w.titles) > 0 {
			e := w.titles[word]
			for len(e.Kids) > 0 {
				e = e.Kids[0] // the word itself, and not what else it may be
			}
			if e.Op != search.OpLeaf || !run.res.areMost(run.res.leaves[e.Leaf].term) {
				return false
			}
		}
	}
	return true
}

// countOf counts the matches with a word where of says.
func (s *searcher) countOf(asked []titleWords, of func(*titleWords) *search.Expr) (total int64, err error) {
	for i, run := range s.runs {
		if w := &asked[i]; len(w.titles) > 0 {
			q := *run.q
			q.Match = run.conditionOf(append(slices.Clone(run.res.must), of(w)), len(run.res.groups))
			n, err := search.Count(s.ctx, &q)
			if err != nil {
				return 0, err
			}
			total += n
		}
	}
	return total, nil
}

// titleWords is the content words of a query, each to be found in a title, and in a field that
// names kinds.
type titleWords struct{ titles, kinds []*search.Expr }

// orKinds is a word in a title, or in a field that names kinds.
func (w *titleWords) orKinds(i int) *search.Expr {
	if len(w.kinds) != len(w.titles) {
		return w.titles[i]
	}
	return orOf([]*search.Expr{w.titles[i], w.kinds[i]})
}

// titleWords adds leaves for the words of a tree in titles and in fields of kinds, which score
// nothing.
func (r *resolver) titleWords(tree query.Node, kinds []string) (w titleWords) {
	if tree == nil {
		return w
	}
	w.titles = r.wordsIn(tree, r.run.iv.schema.titles)
	var fields []int
	for _, name := range kinds {
		if n, ok := r.run.iv.schema.byName[name]; ok && r.run.iv.schema.textOf[n] >= 0 {
			fields = append(fields, r.run.iv.schema.textOf[n])
		}
	}
	w.kinds = r.wordsIn(tree, fields)
	return w
}

// wordsIn adds leaves for the content words of a tree in some text fields.
func (r *resolver) wordsIn(tree query.Node, fields []int) []*search.Expr {
	if len(fields) == 0 || r.err != nil {
		return nil
	}
	req := *r.req
	req.Match, req.Prefix = MatchAuto, PrefixOff
	in := *r // what is noted of words has been noted
	in.req, in.terms, in.words, in.pairs = &req, 0, 0, 0
	in.groups, in.must, in.stops, in.marked, in.asked, in.unwanted, in.notWanted, in.lack = nil, nil, nil, nil, nil, nil, nil, nil
	in.joined, in.elsewhere, in.called, in.meant, in.related, in.name = nil, nil, nil, nil, nil, nil
	in.mask = make([]bool, len(r.run.iv.schema.text))
	for _, f := range fields {
		in.mask[f] = r.mask == nil || r.mask[f]
	}
	in.scope += scopeThings
	n := len(r.leaves)
	in.top(tree)
	if in.err != nil {
		return nil
	}
	r.leaves, r.sets, r.used = in.leaves, in.sets, in.used
	for i := n; i < len(r.leaves); i++ {
		r.leaves[i].silent = true
	}
	return in.groups
}

// scopeThings is analyzerGroup.scope of what is looked for in titles and categories alone.
const scopeThings = "^"

// ofOneKind leaves only the matches of the category that nearly all of them have.
func (s *searcher) ofOneKind(kinds []string) error {
	for _, field := range kinds {
		c := &facetCount{req: FacetRequest{Field: field, Limit: 1}, words: map[string]*int64{}, counter: new(page.Counter)}
		var p problems
		if s.checkFacet(c, "", &p); p.orNil() != nil {
			continue
		}
		for _, run := range s.runs {
			pages, err := s.matchedBy(run, run.q)
			if err == nil {
				err = addPages(run, pages, c)
			}
			if err != nil {
				return err
			}
		}
		for _, v := range c.result().Values {
			text, ok := v.Value.(string)
			if !ok || c.matches < leastOfKind || v.Count == c.matches || kindShares*v.Count < ofKind*c.matches {
				continue
			}
			for _, run := range s.runs {
				run.res.must = append(run.res.must, run.res.filter(query.Compare{Field: field, Value: query.Value{Kind: query.KindString, Str: text}}))
			}
			return s.settle(len(s.required))
		}
	}
	return nil
}
