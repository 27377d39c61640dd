package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/query"
)

// Where no record is left with the filters that a query speaks of, those raise records and do not
// restrict any more. What the query names beside them is still wanted: a price that no laptop has
// does not make shoes an answer, and for the cheapest of what is not there there is none.

// relax turns filters that the query speaks of into boosts if no record is left with them: a
// superlative, which is no more than an order, only if that is not enough.
func (s *searcher) relax() error {
	for _, order := range [...]bool{false, true} {
		if len(s.restrictions()) == 0 {
			return nil
		}
		if some, err := s.some(); some || err != nil {
			return err
		}
		if err := s.used(); err != nil {
			return err
		}
		if !order {
			if some, err := s.withoutFillers(); some || err != nil {
				return err
			}
		}
		some := false
		for i := range s.intent.parts {
			p := &s.intent.parts[i]
			if p.Use != IntentFilter || !order && p.order != 0 {
				continue
			}
			said, err := s.inTexts(p.Words)
			if err != nil {
				return err
			}
			p.Use, p.said, some = IntentRelaxed, said, true
		}
		if !some {
			continue
		}
		s.relaxed = true
		if err := s.reopen(); err != nil {
			return err
		}
		if err := s.settle(len(s.required)); err != nil {
			return err
		}
	}
	return nil
}

// withoutFillers looks for what the filters leave if filler words are all that the query says beside
// them, "what's on 31 december", and tells whether that is anything. If not, all is as it was.
func (s *searcher) withoutFillers() (some bool, err error) {
	if s.tree == nil || s.intent.namesMore() || s.intent.namesValue() || s.hasMust() {
		return false, nil
	}
	tree := s.tree
	for _, s.tree = range [...]query.Node{nil, tree} {
		if err := s.again(); err != nil {
			return false, err
		}
		if err := s.settle(len(s.required)); err != nil {
			return false, err
		}
		if some, err = s.some(); some || err != nil {
			break
		}
	}
	return some, err
}

// namesMore tells whether a query says what is wanted beside what it says about fields.
func (u *understanding) namesMore() bool { return u != nil && slices.Contains(u.content, true) }

// namesValue tells whether a query names a value that is wanted: "drill under 3 kg", of a category.
func (u *understanding) namesValue() bool {
	return u != nil && slices.ContainsFunc(u.parts, func(p clausePart) bool { return p.Use == IntentBoost && p.value != "" && !p.denied })
}

// withoutSaid leaves out the words that have been read as something about a field, where the query
// names something beside them: those of filters that no record satisfies, and, if no record holds
// what is named, those of numbers and the like, too, by which records would be found that are
// something else. Only records count that the caller may see. Of several indexes,
// one that does not hold what is named does as those do that hold it (see agreeOnNamed).
func (r *resolver) withoutSaid(clauses []query.Node, words []word) []word {
	if !r.intent.namesMore() && !r.intent.namesValue() {
		return words
	}
	nothing := !r.intent.called && r.intent.namesMore()
	named := false
	for i := range words {
		w := &words[i]
		if content := !w.stop && r.intent.contentAt(clauses[w.clause]); content || r.intent.wanted(clauses[w.clause]) {
			named = true
			nothing = nothing && (!content || r.seesNone(w.expr))
		}
	}
	if !named {
		return words
	}
	r.holdsNamed, r.lacksNamed = !nothing, nothing
	nothing = nothing && !r.s.named
	return slices.DeleteFunc(words, func(w word) bool {
		return slices.ContainsFunc(r.intent.parts, func(p clausePart) bool {
			drop := p.Use == IntentRelaxed && !p.said || nothing && p.value == "" && !p.denied && p.applied()
			return drop && r.intent.holds(&p, clauses[w.clause])
		})
	})
}

// agreeOnNamed notes whether an index of the search holds what is named, as far as it matters to
// another, and tells whether that was not known before.
func (s *searcher) agreeOnNamed() bool {
	holds, lacks := false, false
	for _, run := range s.runs {
		holds, lacks = holds || run.res.holdsNamed, lacks || run.res.lacksNamed
	}
	before := s.named
	s.named = holds
	return lacks && before != holds
}

// contentAt tells whether a clause of what remains of the tree is one that says what is wanted.
func (u *understanding) contentAt(n query.Node) bool {
	t, ok := n.(query.Text)
	i := slices.IndexFunc(u.clauses, func(c query.Node) bool {
		w, text := c.(query.Text)
		return ok && text && w.Start == t.Start
	})
	return i >= 0 && u.content[i]
}
