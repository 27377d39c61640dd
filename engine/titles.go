package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// Titles are the fields that weigh more than 1. What a query may be the name of is looked
// for in those of the records that the request may see.

// inTitles tells whether words stand together in a title. Then they are rather the name of
// something than a denial or a comparative: "not another teen movie", "iphone pro max 256
// gb".
func (s *searcher) inTitles(words string) (bool, error) {
	for _, run := range s.runs {
		if n, err := s.countTitled(run, words, nil); n > 0 || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// inTexts tells whether some words stand side by side in a text of some record.
func (s *searcher) inTexts(words string) (bool, error) {
	for _, run := range s.runs {
		if n, err := s.countSaid(run, slices.Repeat([]bool{true}, len(run.iv.schema.text)), words, nil); n > 0 || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// hidesName tells whether a title has some words side by side of a record that a part would
// leave out as a filter: "under 10 euros a day" is no price then.
func (s *searcher) hidesName(words string, p *clausePart) (bool, error) {
	for _, run := range s.runs {
		all, with, err := s.countAgreeing(run, p, p.Filter+"\x00"+words, words)
		if all > with || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// titledQuery finds the records with some words in a title.
type titledQuery struct {
	q *search.Query
	r *resolver
}

// titled returns the query for records of an index that have words side by side in one of
// some titles and satisfy filters; nil if there are no such titles.
func (s *searcher) titled(run *searchRun, titles []bool, words string, filters []query.Node) (*titledQuery, error) {
	if !slices.Contains(titles, true) {
		return nil, nil
	}
	r := &resolver{run: run, room: new(leafRoom), req: s.req, texts: s.texts, filterable: s.filterable, mask: titles}
	all := []*search.Expr{r.node(query.Text{Text: words, Quoted: true}, 1, false)}
	if all[0] == nil {
		return nil, r.err
	}
	imposed, err := s.filters()
	if err != nil {
		return nil, err
	}
	for _, f := range imposed {
		if f.at == "" {
			all = append(all, r.filter(f.node))
		}
	}
	for _, f := range filters {
		all = append(all, r.filter(f))
	}
	q := &search.Query{
		Leaves: r.bound(), Match: &search.Expr{Op: search.OpAnd, Kids: all},
		Sets: r.sets, Segments: run.segs, Pool: &s.e.pool,
	}
	return &titledQuery{q, r}, r.err
}

// failed returns the error of a filter that was evaluated while a query ran.
func (r *resolver) failed() error {
	for _, set := range r.used {
		if set.err != nil {
			return set.err
		}
	}
	return nil
}

// fits tells whether a value that words of the query may mean is what they mean beside the
// words around them. Where titles have the words together with the one before or behind
// them, what they mean there decides: of the records so called, half or more have the value,
// or it is none. "wars" are no wars in "star wars", and an "hp laptop" is one by HP.
func (s *searcher) fits(p *clausePart, parts []intent.Part, text string, clauses []query.Node, cues *intent.Cues) (bool, error) {
	next := func(i, step int) (query.Text, bool) { // the word on one side, past fillers
		for i += step; i >= 0 && i < len(clauses); i += step {
			t, ok := plainWord(clauses[i])
			if !ok || !says(t.Text) || slices.ContainsFunc(parts, func(o intent.Part) bool { return t.Start < o.End && o.Start < t.End }) {
				break
			}
			if !cues.Filler(t.Text) {
				return t, true
			}
		}
		return query.Text{}, false
	}
	first, _ := plainWord(clauses[p.first])
	last, _ := plainWord(clauses[p.last])
	if t, ok := next(p.first, -1); ok {
		if agrees, err := s.agrees(p, text[t.Start:last.End]); err != nil || !agrees {
			return false, err
		}
	}
	if t, ok := next(p.last, 1); ok {
		return s.agrees(p, text[first.Start:t.End])
	}
	return true, nil
}

// maxAgrees is how many times a search asks what words mean in titles; more values than that
// are raised without asking.
const maxAgrees = 6

// agrees tells whether half or more of the records with some words side by side in a title
// satisfy a part, or there are no such records.
func (s *searcher) agrees(p *clausePart, words string) (bool, error) {
	key := p.Filter + "\x00" + words
	if agrees, ok := s.agreed[key]; ok {
		return agrees, nil
	}
	if len(s.agreed) == maxAgrees {
		return true, nil
	}
	all, with := int64(0), int64(0)
	for _, run := range s.runs {
		n, m, err := s.countAgreeing(run, p, key, words)
		if err != nil {
			return false, err
		}
		all, with = all+n, with+m
	}
	if s.agreed == nil {
		s.agreed = map[string]bool{}
	}
	s.agreed[key] = 2*with >= all
	return s.agreed[key], nil
}

// countAgreeing counts the records of an index with some words side by side in a title, and
// those of them that satisfy a part. For callers who see all of it that is remembered.
func (s *searcher) countAgreeing(run *searchRun, p *clausePart, fact, words string) (all, with int64, err error) {
	facts := s.e.facts
	key := facts.key(run.iv, factAgrees, fact)
	if f := facts.find(&key); f != nil && len(s.req.Restrict) == 0 {
		return f.n >> 32, f.n & math.MaxUint32, nil
	}
	if all, err = s.countTitled(run, words, nil); err == nil && all > 0 {
		with, err = s.countTitled(run, words, []query.Node{p.node})
	}
	if err == nil && len(s.req.Restrict) == 0 {
		facts.add(&wordFact{key: key, n: all<<32 | with})
	}
	return all, with, err
}

// countTitled counts the records of an index with some words side by side in a title that
// satisfy filters.
func (s *searcher) countTitled(run *searchRun, words string, filters []query.Node) (int64, error) {
	mask := make([]bool, len(run.iv.schema.text))
	for _, title := range run.iv.schema.titles {
		mask[title] = true
	}
	return s.countSaid(run, mask, words, filters)
}

// countSaid is countTitled in some text fields.
func (s *searcher) countSaid(run *searchRun, fields []bool, words string, filters []query.Node) (int64, error) {
	t, err := s.titled(run, fields, words, filters)
	if t == nil || err != nil {
		return 0, err
	}
	n, err := search.Count(s.ctx, t.q)
	return n, errors.Join(err, t.r.failed())
}

// maxNameParts is how many things a query says about fields at most that may be a name: each of
// them is looked for beside all others.
const maxNameParts = 6

// isName tells whether a query that says several things about fields, and nothing else, is
// rather the name of a record, and what tells it from others of that name: "the family
// 2013". A title says one of the things and no more, but for fillers, and the record
// satisfies the others, which are values or numbers as they stand: "90s romance" is no name.
//
// For queries of one index whose caller sees all of it that is remembered.
func (s *searcher) isName(u *understanding) (name bool, err error) {
	if len(u.parts) > maxNameParts {
		return false, nil
	}
	if len(s.runs) != 1 || len(s.req.Restrict) > 0 {
		return s.readName(u)
	}
	var said strings.Builder
	for i := range u.parts {
		if p := &u.parts[i]; p.applied() {
			said.WriteString(p.Filter + "\x00" + p.Words + "\x00")
		}
	}
	facts := s.e.facts
	key := facts.key(s.runs[0].iv, factName, said.String())
	if f := facts.find(&key); f != nil {
		return f.n > 0, nil
	}
	if name, err = s.readName(u); err != nil {
		return false, err
	}
	f := &wordFact{key: key}
	if name {
		f.n = 1
	}
	facts.add(f)
	return name, nil
}

// readName is isName.
func (s *searcher) readName(u *understanding) (bool, error) {
	for i := range u.parts {
		p := &u.parts[i]
		if p.value == "" || p.denied || !p.applied() {
			continue
		}
		var others []query.Node
		telling := true
		for j := range u.parts {
			if o := &u.parts[j]; j != i && o.applied() {
				others = append(others, o.node)
				telling = telling && (o.value != "" || !strings.ContainsFunc(o.Words, unicode.IsLetter))
			}
		}
		if !telling {
			continue
		}
		for _, run := range s.runs {
			for _, title := range run.iv.schema.titles {
				if found, err := s.isTitled(run, title, p.Words, others); found || err != nil {
					return found, err
				}
			}
		}
	}
	return false, nil
}

// errTitled ends the search for a title.
var errTitled = errors.New("titled")

// isTitled tells whether a title of some record of an index that satisfies filters is made
// of words, and of fillers at most.
func (s *searcher) isTitled(run *searchRun, title int, words string, filters []query.Node) (bool, error) {
	mask := make([]bool, len(run.iv.schema.text))
	mask[title] = true
	t, err := s.titled(run, mask, words, filters)
	if t == nil || err != nil {
		return false, err
	}
	_, cues := s.domain()
	length := 0 // of a text, which fillers do not make longer
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !cues.Filler(w) {
			length++
		}
	}
	err = search.Matches(s.ctx, t.q, func(seg, slot int, places *search.Page) error {
		at := &t.q.Segments[seg].Slots[slot]
		return eachBit(places, func(place int) error {
			if lengthOf(at.Norms, title, place-int(at.NormBase)) == max(length, 1) {
				return errTitled
			}
			return nil
		})
	})
	if err == errTitled {
		return true, nil
	}
	return false, errors.Join(err, t.r.failed())
}
