package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/storage"
)

// Pin puts a record at a fixed place of the hits, whether it matches the query
// or not. It still has to satisfy the request's filters, and counts as a match
// once. Pins of records that are not there are passed over. Hits that are
// sorted by other things than the score begin with the pinned records.
type Pin struct {
	ID       string
	Index    string // "" means the first index of the search, by name, that has the record
	Position int    // from 1; 0 means the first place that is free; where there are fewer hits, the end
}

// maxPinPosition is the last place of the hits that a record can be pinned to.
const maxPinPosition = 1000

func checkPins(p *problems, at string, pins []Pin) {
	if len(pins) > maxPins {
		p.addf(CodeLimitExceeded, at, "there may be %d pins", maxPins)
		return
	}
	type record struct{ index, id string }
	records, places := map[record]bool{}, map[int]bool{}
	for i, pin := range pins {
		here := fmt.Sprintf("%s/%d", at, i)
		if problem := idProblem(pin.ID); problem != "" {
			p.addf(CodeInvalidRequest, here+"/id", "%s", problem)
		}
		if r := (record{pin.Index, pin.ID}); records[r] {
			p.addf(CodeInvalidRequest, here, "the record is pinned twice")
		} else {
			records[r] = true
		}
		if pin.Position < 0 || pin.Position > maxPinPosition {
			p.addf(CodeInvalidRequest, here+"/position", "a position is 1 to %d", maxPinPosition)
		} else if pin.Position > 0 && places[pin.Position] {
			p.addf(CodeInvalidRequest, here+"/position", "the position is taken twice")
		}
		places[pin.Position] = true
	}
}

func checkHidden(p *problems, at string, ids []string) {
	if len(ids) > maxHidden {
		p.addf(CodeLimitExceeded, at, "there may be %d hidden records", maxHidden)
		return
	}
	for i, id := range ids {
		if problem := idProblem(id); problem != "" {
			p.addf(CodeInvalidRequest, fmt.Sprintf("%s/%d", at, i), "%s", problem)
		}
	}
}

// pinned is a record with a fixed place.
type pinned struct {
	found
	place int // from 1
}

// arrange finds the records that are pinned and hidden, by the request and by
// the rules of the indexes, and takes both out of what is searched. Pinned
// ones come back in merge.
func (s *searcher) arrange(filters int) error {
	if len(s.req.Pin)+len(s.req.Hide) == 0 && s.like == nil && !slices.ContainsFunc(s.runs, func(run *searchRun) bool { return len(run.iv.schema.Rules) > 0 }) {
		return nil
	}
	for _, run := range s.runs {
		for _, id := range s.req.Hide {
			if err := run.hide(s.v, id); err != nil {
				return err
			}
		}
	}
	for _, run := range s.runs {
		if s.like != nil && s.like.run.name == run.name {
			run.hidden = append(run.hidden, s.like.hit.Doc)
		}
	}
	seen := map[*searchRun]map[string]bool{}
	var list []pinned
	pin := func(run *searchRun, p Pin) (bool, error) {
		if seen[run][p.ID] {
			return true, nil
		}
		f, ok, err := s.lookup(run, p.ID, filters)
		if err != nil || !ok {
			return false, err
		}
		if seen[run] == nil {
			seen[run] = map[string]bool{}
		}
		seen[run][p.ID] = true
		list = append(list, pinned{f, p.Position})
		return true, nil
	}
	for _, p := range s.req.Pin {
		for _, run := range s.runs {
			if p.Index != "" && p.Index != run.name {
				continue
			}
			if ok, err := pin(run, p); err != nil {
				return err
			} else if ok {
				break
			}
		}
	}
	for _, run := range s.runs {
		rules := s.rules(run)
		for _, r := range rules {
			for _, id := range r.Hide {
				if err := run.hide(s.v, id); err != nil {
					return err
				}
			}
		}
		for _, r := range rules {
			for _, p := range r.Pin {
				if _, err := pin(run, p); err != nil {
					return err
				}
			}
		}
	}
	list = slices.DeleteFunc(list, func(p pinned) bool { return slices.Contains(p.run.hidden, p.hit.Doc) })
	s.pins = places(list, len(s.req.Sort) > 0)
	for _, run := range s.runs {
		var docs []uint32
		for i := range s.pins {
			if s.pins[i].run == run {
				docs = append(docs, s.pins[i].hit.Doc)
			}
		}
		run.pinned = docs
		run.res.without(append(docs, run.hidden...))
	}
	return nil
}

// places gives pins the places that they asked for, as far as these are free,
// and the others the first that are; in order of their places.
func places(list []pinned, first bool) []pinned {
	taken := map[int]bool{}
	for i := range list {
		p := &list[i]
		if first || taken[p.place] {
			p.place = 0
		}
		taken[p.place] = true
	}
	free := 1
	for i := range list {
		if list[i].place == 0 {
			for taken[free] {
				free++
			}
			list[i].place = free
			taken[free] = true
		}
	}
	slices.SortFunc(list, func(a, b pinned) int { return cmp.Compare(a.place, b.place) })
	return list
}

// docOf returns the number of a record's document.
func (run *searchRun) docOf(kv storage.Reader, id string) (doc uint32, ok bool, err error) {
	entry, err := kv.Get(storage.IDKey(run.iv.ix.number, id))
	if err != nil {
		if translate(err) == ErrNotFound {
			return 0, false, nil
		}
		return 0, false, err
	}
	doc, _, err = decodeIDEntry(entry)
	return doc, err == nil, err
}

func (run *searchRun) hide(v *view, id string) error {
	doc, ok, err := run.docOf(v.kv, id)
	if ok {
		run.hidden = append(run.hidden, doc)
	}
	return err
}

// lookup finds a record that satisfies the last so many filters that the index
// was resolved with.
func (s *searcher) lookup(run *searchRun, id string, filters int) (f found, ok bool, err error) {
	doc, ok, err := run.docOf(s.v.kv, id)
	if err != nil || !ok {
		return found{}, false, err
	}
	at := &sight{run: run, sets: run.res.used[len(run.res.used)-filters:]}
	i := sort.Search(len(run.iv.segs), func(i int) bool { return run.iv.segs[i].meta.MaxDoc >= doc })
	if i == len(run.iv.segs) || run.iv.segs[i].meta.MinDoc > doc {
		return found{}, false, corruptf("document %d of index %d is in no segment", doc, run.iv.ix.number)
	}
	for slot := range run.segs[i].Slots {
		if run.segs[i].Slots[slot].Page != uint16(doc>>16) {
			continue
		}
		words, err := at.page(i, slot)
		if err != nil {
			return found{}, false, err
		}
		place := doc & 0xffff
		if words[place>>6]>>(place&63)&1 == 0 {
			return found{}, false, nil
		}
		return run.found(search.Hit{Segment: i, Doc: doc}), true, nil
	}
	return found{}, false, nil
}

// without takes documents out of what is searched.
func (r *resolver) without(docs []uint32) {
	if len(docs) == 0 {
		return
	}
	r.must = append(r.must, &search.Expr{Op: search.OpNot, Kids: []*search.Expr{r.documents(docs)}})
}

// documents is the condition of being one of some documents.
func (r *resolver) documents(docs []uint32) *search.Expr {
	r.sets = append(r.sets, search.Set{Words: r.run.documentSet(docs)})
	return &search.Expr{Op: search.OpSet, Set: len(r.sets) - 1}
}

// documentSet is a set of some documents of an index.
func (run *searchRun) documentSet(docs []uint32) func(seg, slot int) *search.Page {
	pages := map[uint16]*search.Page{}
	for _, d := range docs {
		p := pages[uint16(d>>16)]
		if p == nil {
			p = new(search.Page)
			pages[uint16(d>>16)] = p
		}
		p[d>>6&1023] |= 1 << (d & 63)
	}
	return func(seg, slot int) *search.Page { return pages[run.segs[seg].Slots[slot].Page] }
}

// withPinned makes the pinned records matches, for what looks at all matches
// without regard to their order.
func (s *searcher) withPinned() {
	for _, run := range s.runs {
		if len(run.pinned) > 0 {
			run.q = run.plusPinned(run.q)
		}
	}
}

// plusPinned returns a query that matches the pinned records, too.
func (run *searchRun) plusPinned(q *search.Query) *search.Query {
	plus := *q
	plus.Match = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{q.Match, {Op: search.OpSet, Set: len(q.Sets)}}}
	plus.Sets = append(slices.Clone(q.Sets), search.Set{Words: run.documentSet(run.pinned)})
	return &plus
}

// rules returns the rules of an index that hold for the request.
func (s *searcher) rules(run *searchRun) (out []*Rule) {
	c := run.iv.schema
	if len(c.Rules) == 0 || s.unruled || s.like != nil {
		return nil
	}
	tables := c.tables()
	holds := map[int]bool{}
	for _, g := range run.res.analyzers(nil) {
		terms, plain := run.res.spoken(s.typed, g)
		for i := range c.Rules {
			r, want := &c.Rules[i], tables.rules[g.analyzer].terms[i]
			switch {
			case r.Contains:
				for at := range terms {
					holds[i] = holds[i] || len(want) > 0 && at+len(want) <= len(terms) && slices.Equal(terms[at:at+len(want)], want)
				}
			case plain && slices.Equal(terms, want):
				holds[i] = true
			}
		}
	}
	if len(c.text) == 0 && s.typed == nil {
		for i := range c.Rules {
			holds[i] = c.Rules[i].Query == ""
		}
	}
	for i := range c.Rules {
		if holds[i] {
			out = append(out, &c.Rules[i])
		}
	}
	return out
}

// spoken returns the terms of a query under an analyzer, repaired, in their
// order. plain tells that there is nothing else to it, such as words to
// exclude.
func (r *resolver) spoken(n query.Node, g analyzerGroup) (terms []string, plain bool) {
	plain = true
	if n == nil {
		return nil, true
	}
	query.Walk(n, func(n query.Node) bool {
		switch n := n.(type) {
		case query.Text:
			plain = plain && n.Field == ""
			for _, it := range r.items([]query.Node{query.Text{Text: n.Text}}, g, "", nil) {
				if it.term != "" {
					terms = append(terms, it.term)
				}
			}
		case query.Bool:
			plain = plain && len(n.MustNot) == 0
			for _, k := range slices.Concat(n.Must, n.Should) {
				more, ok := r.spoken(k, g)
				terms, plain = append(terms, more...), plain && ok
			}
			return false
		default:
			plain = false
		}
		return true
	})
	return terms, plain
}

// merge puts the pinned records among the other hits, which are those that
// come next: at most n in all.
func (s *searcher) merge(rest []found, n int) []found {
	if len(s.pins) == 0 {
		return rest
	}
	at, pins := 0, s.pins
	if a := s.req.After; a != nil {
		at, pins = a.Seen, pins[min(a.Pinned, len(pins)):]
	}
	out := make([]found, 0, min(n, len(rest)+len(pins)))
	for len(out) < n && len(rest)+len(pins) > 0 {
		if at++; len(pins) > 0 && (pins[0].place <= at || len(rest) == 0) {
			f := pins[0].found
			f.pinned = true
			f.hit.Score = search.Score(f.run.q, f.hit.Segment, f.hit.Doc)
			out, pins = append(out, f), pins[1:]
			continue
		}
		out, rest = append(out, rest[0]), rest[1:]
	}
	return out
}

// next is the place from which the page after some hits goes on. hits are all
// since the cursor, or since the first.
func (s *searcher) next(hits []found) (*Position, error) {
	p := Position{Begin: true}
	if a := s.req.After; a != nil {
		p = *a
	}
	p.Seen += len(hits)
	for i := range hits {
		if hits[i].pinned {
			p.Pinned++
		}
	}
	for i := len(hits) - 1; i >= 0; i-- {
		if f := &hits[i]; !f.pinned {
			at, err := s.position(f)
			if err != nil {
				return nil, err
			}
			at.Seen, at.Pinned = p.Seen, p.Pinned
			p = at
			break
		}
	}
	if len(s.pins) == 0 {
		p.Seen, p.Pinned = 0, 0
	}
	return &p, nil
}

// after is the hit that the page comes after, or nil: pinned records, which
// are not of the order of the others, may be all that came before.
func (s *searcher) after() *Position {
	if a := s.req.After; a != nil && !a.Begin {
		return a
	}
	return nil
}
