package engine

import (
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
)

// What a query says about fields without being sure of it does not restrict the
// records but raises those that are so: it becomes leaves beside those of words.

// What a filter that raises hits is worth beside a word of the text that as
// many records hold. Values of facets are mostly words of texts, too, and on a
// judged catalogue of products 0.3 was best for them; numbers and years say
// more exactly what is wanted.
const (
	valueWeight  = 0.3
	numberWeight = 0.6
)

// What it is worth not to have a value that is not wanted, beside a word that as
// many records hold as have the value: so much that records with it come last,
// also those that hold more of the other words.
const deniedWeight = 3

// What it is worth to satisfy all that a query says about fields, if it says nothing
// else, beside a word that as many records hold. "1970s thrillers" is not about words, so
// records that only hold them should not come first. Of 164 judged queries the first hits
// are right for 149 without it, for 154 with 0.3 and 0.5, for 155 with 1 and 2.
const togetherWeight = 1

// raise adds the leaves of the filters that raise records. Records that satisfy
// one also count as holding its words, unless the request says where words are
// to be looked for.
func (r *resolver) raise(clauses []query.Node, words []word) {
	if r.intent == nil {
		return
	}
	for i := range r.intent.parts {
		p := &r.intent.parts[i]
		if p.Use != IntentBoost && p.Use != IntentRelaxed {
			continue
		}
		var like []string
		for j := range words {
			if r.intent.holds(p, clauses[words[j].clause]) {
				like = r.termsOf(words[j].expr, like)
			}
		}
		e, ok := r.raised(p, like)
		if !ok {
			continue
		}
		for j := range words {
			if w := &words[j]; p.whole && !p.denied && len(r.req.Fields) == 0 && !(p.Use == IntentRelaxed && r.intent.namesMore()) && r.intent.holds(p, clauses[w.clause]) {
				w.expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{w.expr, e}}
			}
		}
	}
	if r.intent.whole {
		r.raiseTogether()
	}
}

// raiseTogether adds a leaf for the records that satisfy all filters that raise, if the
// query speaks of several things: what it says besides may be a filter, which all hits
// satisfy.
func (r *resolver) raiseTogether() {
	var all query.And
	var filters, words []string
	parts := 0
	for i := range r.intent.parts {
		p := &r.intent.parts[i]
		if p.denied || !p.applied() {
			continue
		}
		if parts++; p.Use != IntentFilter {
			all.Nodes = append(all.Nodes, p.node)
			filters, words = append(filters, p.Filter), append(words, p.Words)
		}
	}
	if parts > 1 && len(all.Nodes) > 0 {
		said := Understood{Filter: strings.Join(filters, " AND "), Words: strings.Join(words, " ")}
		r.raised(&clausePart{Understood: said, node: all, together: true}, nil)
	}
}

// termsOf adds the names of the terms of a condition that records of the index hold.
func (r *resolver) termsOf(e *search.Expr, terms []string) []string {
	if l := e.Leaf; e.Op == search.OpLeaf && !r.leaves[l].flat && r.leaves[l].df > 0 {
		terms = append(terms, r.leaves[l].global)
	}
	for _, k := range e.Kids {
		terms = r.termsOf(k, terms)
	}
	return terms
}

// raised adds the leaf of a filter that raises records. Like a synonym it
// weighs no more than what it stands for: the rarest of some terms, if there are any.
func (r *resolver) raised(p *clausePart, like []string) (*search.Expr, bool) {
	l := leaf{term: p.Filter, from: p.Words, boost: 1, factor: numberWeight, flat: true, field: p.field, among: like}
	switch {
	case p.denied:
		l.factor = deniedWeight
	case p.together:
		l.factor = togetherWeight
	case p.value != "":
		l.factor = valueWeight
	}
	l.global = fmt.Sprintf("i:%s", p.Filter)
	cond, err := bindFilter(r.run.iv.schema, p.node, r.filterable)
	if err != nil {
		r.fail(repoint(err, "/q"))
		return nil, false
	}
	set := &filterSet{run: r.run, cond: cond}
	for i, s := range r.run.iv.segs {
		var list *posting.List
		if cond.op == condEqual && cond.byWord() && len(cond.values) == 1 {
			list, err = r.run.list(s, segment.SpaceValues+uint16(cond.field), cond.values[0].Str, false)
		} else {
			list, err = r.run.listOf(i, set)
		}
		if err != nil {
			r.fail(err)
			return nil, false
		}
		if list != nil {
			l.df += int64(r.run.live(list))
		}
		l.lists = append(l.lists, list)
	}
	if p.denied { // as rare as the value
		l.df = max(0, r.run.iv.stats.Docs-l.df)
	}
	_, e := r.add(l)
	return e, true
}

// listOf makes a posting list of the documents of a segment that satisfy a
// condition.
func (run *searchRun) listOf(seg int, set *filterSet) (*posting.List, error) {
	var docs []posting.DocID
	for slot := range run.segs[seg].Slots {
		words := set.words(seg, slot)
		if set.err != nil {
			return nil, set.err
		}
		page := posting.DocID(run.segs[seg].Slots[slot].Page) << 16
		if err := eachBit(words, func(place int) error {
			docs = append(docs, page|posting.DocID(place))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	if len(docs) == 0 {
		return nil, nil
	}
	return posting.FromDocs(docs), nil
}
