package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
)

// clausePart is something that a query says about a field, and the clauses of
// its text that say so.
type clausePart struct {
	Understood
	node        query.Node
	field       string // "" for a filter of several
	value       string // of a category
	first, last int    // clauses
	whole       bool   // the clauses say nothing else
	certain     bool
	denied      bool   // the node is the NOT of what the clauses from behind on name
	behind      int    // of these clauses, the first
	until       int    // and the last
	named       string // those words, if no clause consists of them
	order       int    // see intent.Part.Order
	said        bool   // some text has its words, where no record is so: they are looked for
	together    bool   // the node is that of all parts: see resolver.raiseTogether
}

// applied tells whether a part changes anything.
func (p *clausePart) applied() bool { return p.Use <= IntentRelaxed }

// understanding is what a query says about fields, beside its words.
type understanding struct {
	clauses []query.Node // of the tree as it was parsed
	parts   []clausePart
	whole   bool   // the query says nothing else, and is not a name
	content []bool // by clause: it says what is wanted, beside the parts and filler
	called  bool   // it names what the indexes are called by
}

// plainClauses returns the clauses of a tree that have neither sign nor
// operator; nil if there are none.
func plainClauses(n query.Node) []query.Node {
	switch n := n.(type) {
	case query.Text:
		return []query.Node{n}
	case query.Bool:
		if n.MinShould == 0 {
			return n.Should
		}
	}
	return nil
}

// plainWord returns a clause that is a word as it stands.
func plainWord(n query.Node) (query.Text, bool) {
	t, ok := n.(query.Text)
	return t, ok && !t.Quoted && !t.Prefix && t.Field == ""
}

// understand reads what the words of the query say about fields, and resolves
// the request, again if it has been before and that changes anything. It may be called
// again after words have been repaired. Most queries say nothing, and pay little.
func (s *searcher) understand(res *Result) error {
	if s.typed == nil || s.like != nil || s.wordly || s.req.Intent.Mode == IntentOff ||
		s.req.Ranking != RankingDefault || s.req.Syntax != SyntaxSimple {
		return nil
	}
	before := s.intent
	s.intent = nil
	u, err := s.reading(res.Query.Text)
	if err != nil {
		return err
	}
	if u == nil && before == nil {
		return nil
	}
	changed := before != nil && slices.ContainsFunc(before.parts, func(p clausePart) bool { return p.applied() })
	if s.intent = u; u.equals(before) {
		return nil // the words that were repaired say nothing about fields
	}
	if u != nil {
		changed = changed || slices.ContainsFunc(u.parts, func(p clausePart) bool { return p.applied() })
	}
	if !changed {
		return nil
	}
	return s.reopen()
}

// equals tells whether two readings of a query come to the same.
func (u *understanding) equals(o *understanding) bool {
	return u != nil && o != nil && u.whole == o.whole && slices.EqualFunc(u.parts, o.parts, func(p, q clausePart) bool {
		same := p.Understood == q.Understood && p.field == q.field && p.value == q.value && p.first == q.first && p.last == q.last &&
			p.whole == q.whole && p.certain == q.certain && p.denied == q.denied && p.behind == q.behind && p.until == q.until
		return same && query.Equal(p.node, q.node)
	})
}

// reopen resolves the request again, without the words that have become
// filters.
func (s *searcher) reopen() error {
	_, cues := s.domain()
	s.tree = s.intent.remaining(s.typed, s.filler(s.req.Query, cues))
	if s.onlyCalled(s.tree) {
		s.tree = nil
	}
	return s.again()
}

// again resolves the request again, if it has been before.
func (s *searcher) again() error {
	if !s.resolved {
		return s.resolve()
	}
	s.e.rooms.leave(s.runs)
	return s.open()
}

// reading reads a text, which is the query with its words repaired: its clauses
// are those of the query.
func (s *searcher) reading(text string) (*understanding, error) {
	tree := s.typed
	if text != s.req.Query {
		var err error
		if tree, err = query.ParseSimple(text, s.queryLimits()); err != nil {
			return nil, nil // repaired, it is too long
		}
		if tree, err = s.cut(tree); err != nil {
			return nil, err
		}
	}
	clauses := plainClauses(tree)
	if len(clauses) != len(plainClauses(s.typed)) {
		return nil, nil
	}
	var room [16][2]int
	spans := room[:0]
	for _, c := range clauses {
		if t, ok := plainWord(c); ok {
			spans = append(spans, [2]int{t.Start, t.End})
		}
	}
	if len(spans) == 0 {
		return nil, nil
	}
	domain, cues := s.domain()
	if domain.Empty() {
		return nil, nil
	}
	parts, err := domain.Understand(text, spans, s.facetWords(cues))
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	u := &understanding{clauses: plainClauses(s.typed)}
	for i := range parts {
		p, ok := s.part(&parts[i], text, clauses)
		if ok && p.Use == IntentFilter && p.value == "" && p.order == 0 && p.last-p.first < len(clauses)-1 {
			hides, err := s.hidesName(text, &p)
			if err != nil {
				return nil, err
			}
			ok = !hides
		}
		if ok && (p.denied && !parts[i].Listed && parts[i].Named[0] > parts[i].Start || p.Use == IntentFilter && parts[i].Ambiguous) {
			named, err := s.inTitles(p.Words)
			if err != nil {
				return nil, err
			}
			ok = !named
		}
		if ok && p.denied && p.behind == p.first && p.named == "" && !parts[i].Listed {
			// What texts call free parking is that, too, where the words stand the other way round.
			named, err := s.inTexts(text[parts[i].Named[1]:parts[i].End] + " " + text[parts[i].Named[0]:parts[i].Named[1]])
			if err != nil {
				return nil, err
			}
			ok = !named
		}
		if ok && p.Use == IntentFilter && p.order == 0 {
			named, err := s.endsName(&p, clauses, cues, parts[i].Ambiguous)
			if err != nil {
				return nil, err
			}
			if named {
				p.Use = IntentBoost
			}
		}
		if ok && p.Use == IntentBoost && p.value != "" {
			if ok, err = s.fits(&p, parts, text, clauses, cues); err != nil {
				return nil, err
			}
		}
		if ok {
			if p.Use == IntentBoost && p.value != "" && !p.denied && p.whole && !says(p.Words) {
				p.Use = IntentFilter // "$$", which is no word
			}
			u.parts = append(u.parts, p)
		}
	}
	filler := s.filler(text, cues)
	u.content = make([]bool, len(clauses))
	for i, c := range clauses {
		t, word := plainWord(c)
		u.called = u.called || word && s.called(strings.ToLower(t.Text))
		u.content[i] = (!word || !filler(t) && !s.namesField(u, cues, t)) && !u.uses(i, func(p *clausePart) bool { return p.applied() })
	}
	says := filler
	if text != s.req.Query { // the clauses of u are those that were typed
		says = s.filler(s.req.Query, cues)
	}
	switch {
	case u.deniesOnly(says):
		u.denyAll()
	case s.req.Tuning.effective().Negation == 0 || !u.wants(says):
		u.parts = slices.DeleteFunc(u.parts, func(p clausePart) bool { return p.denied })
	}
	if len(u.parts) == 0 {
		return nil, nil
	}
	if u.whole = len(u.parts) > 1 && u.saysAll(clauses, filler); u.whole {
		named, err := s.isName(u)
		if err != nil {
			return nil, err
		}
		u.whole = !named
	}
	if len(u.parts) == 1 && u.parts[0].isAll(len(clauses)) {
		if speaks, err := s.speaks(); speaks || err != nil {
			return nil, err
		}
	}
	return u, nil
}

// leastCue is the letters from which on a word that leads to a number may end a name: "of" and
// "from" stand behind any word in some title.
const leastCue = 5

// endsName tells whether the first word of what is understood is rather the end of a name
// before it, as titles have them together of what would be left out: "shrek forever after
// 2010". A short word is so only in what is doubtful anyhow: "air max 90".
func (s *searcher) endsName(p *clausePart, clauses []query.Node, cues *intent.Cues, doubtful bool) (bool, error) {
	if p.first == 0 {
		return false, nil
	}
	before, ok := plainWord(clauses[p.first-1])
	first, also := plainWord(clauses[p.first])
	if !ok || !also || !says(before.Text) || cues.Filler(before.Text) || utf8.RuneCountInString(first.Text) < leastCue && !(doubtful && !cues.Filler(first.Text)) || strings.ContainsFunc(first.Text, unicode.IsNumber) {
		return false, nil
	}
	return s.hidesName(before.Text+" "+first.Text, p)
}

// speaks tells whether the texts of some record hold a word of the query.
func (s *searcher) speaks() (bool, error) {
	if err := s.resolve(); err != nil {
		return false, err
	}
	return slices.ContainsFunc(s.runs, func(run *searchRun) bool {
		return slices.ContainsFunc(run.res.leaves, func(l leaf) bool { return l.df > 0 && !l.flat })
	}), nil
}

// isAll tells whether a boost for a value is about all clauses of a query, and
// these say nothing else, such as the name of the field. If texts hold its words,
// such a query names a thing ("monitor"), and there is nothing beside the value
// that would tell which field it belongs to: what fits monitors has the value
// more often than monitors have. Its words say it better.
func (p *clausePart) isAll(clauses int) bool {
	return p.Use == IntentBoost && !p.certain && p.whole && p.first == 0 && p.last == clauses-1 &&
		!strings.ContainsFunc(p.Words, unicode.IsNumber) && len(strings.Fields(p.Words)) <= max(1, len(strings.Fields(p.value)))
}

// part settles what becomes of something understood.
func (s *searcher) part(p *intent.Part, text string, clauses []query.Node) (out clausePart, ok bool) {
	out = clausePart{
		Understood: Understood{Filter: query.FilterString(p.Filter), Words: text[p.Start:p.End], Use: IntentBoost},
		node:       p.Filter, field: p.Field, value: p.Value, first: -1, certain: p.Certain, denied: p.Denied, order: p.Order,
	}
	if p.Order != 0 && (len(s.req.Sort) > 0 || s.req.Similar != nil || len(s.req.Vector) > 0 || !s.sortable(p.Field)) {
		return out, false
	}
	for _, run := range s.runs {
		if _, err := bindFilter(run.iv.schema, p.Filter, s.filterable); err != nil {
			return out, false // a field that has another type in another index
		}
	}
	out.whole = true
	for i, c := range clauses {
		t, word := plainWord(c)
		if !word || t.End <= p.Start || t.Start >= p.End {
			continue
		}
		if out.first < 0 {
			out.first = i
		}
		if t.Start <= p.Named[0] {
			out.behind = i
		}
		if t.Start < p.Named[1] {
			out.until = i
		}
		out.last = i
		out.whole = out.whole && !says(text[t.Start:max(t.Start, min(p.Start, t.End))]) && !says(text[min(t.End, p.End):t.End])
	}
	switch {
	case slices.Contains(s.ignored, out.Filter):
		out.Use = IntentIgnored
	case s.req.Intent.Mode == IntentExplain:
		out.Use = IntentExplained
	case out.certain && out.whole && !s.relaxed:
		out.Use = IntentFilter
	case out.certain && out.whole:
		out.Use = IntentRelaxed
	}
	if out.denied && !out.whole {
		return out, false // the words are one with others
	}
	if out.denied && out.first == out.last {
		out.named = text[p.Named[0]:p.Named[1]] // "egg-free"
	} else if out.denied && out.behind == out.first && out.until == out.last && !p.Listed {
		return out, false
	}
	return out, out.first >= 0
}

// says tells whether there is a letter or digit in a text.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// uses tells whether a part of some use is made of a clause.
func (u *understanding) uses(clause int, ok func(*clausePart) bool) bool {
	if u == nil {
		return false
	}
	return slices.ContainsFunc(u.parts, func(p clausePart) bool { return p.first <= clause && clause <= p.last && ok(&p) })
}

// remaining returns the tree without the clauses that have become filters, and without the
// fillers that lead to them, as in "sheets of under 50 euros"; nil if nothing remains.
func (u *understanding) remaining(tree query.Node, filler func(query.Text) bool) query.Node {
	kept := make([]query.Node, 0, 8)
	clauses := plainClauses(tree)
	filters := func(p *clausePart) bool { return p.Use == IntentFilter }
	for i, c := range clauses {
		if u.uses(i, filters) {
			if t, ok := plainWord(clauses[max(i-1, 0)]); ok && len(kept) > 1 && !u.uses(i-1, filters) && filler(t) {
				kept = kept[:len(kept)-1]
			}
			continue
		}
		kept = append(kept, c)
	}
	if len(kept) == len(clauses) {
		return tree
	}
	b, ok := tree.(query.Bool)
	if !ok {
		return nil
	}
	b.Should = kept
	if len(b.Must)+len(b.Should)+len(b.MustNot) == 0 {
		return nil
	}
	return b
}

// meant tells whether a word of the query has become, or says, a filter: then
// it is not misspelt.
func (s *searcher) meant(t query.Text) bool {
	if s.intent == nil {
		return false
	}
	for i, c := range s.intent.clauses {
		if w, ok := plainWord(c); ok && w.Start == t.Start && w.End == t.End {
			return s.intent.uses(i, func(p *clausePart) bool { return p.applied() && p.whole })
		}
	}
	return false
}

// restrictions are the filters that the query speaks of.
func (s *searcher) restrictions() (out []restriction) {
	if s.intent == nil {
		return nil
	}
	for _, p := range s.intent.parts {
		if p.Use == IntentFilter {
			out = append(out, restriction{p.node, "/q"})
		}
	}
	return out
}

// tell fills in what was understood, and takes the words of filters out of the
// text that was searched for.
func (s *searcher) tell(info *QueryInfo) {
	if s.intent == nil {
		return
	}
	for _, p := range s.intent.parts {
		info.Intent = append(info.Intent, p.Understood)
		if p.Use != IntentIgnored {
			info.FiltersFromIntent = append(info.FiltersFromIntent, p.Filter)
		}
	}
	if len(s.restrictions()) == 0 {
		return
	}
	tree, err := query.ParseSimple(info.Text, s.queryLimits())
	if err != nil {
		return
	}
	if tree, err = s.cut(tree); err != nil {
		return
	}
	var left strings.Builder
	at := 0
	for i, c := range plainClauses(tree) {
		if t, ok := plainWord(c); ok && s.intent.uses(i, func(p *clausePart) bool { return p.Use == IntentFilter }) {
			left.WriteString(info.Text[at:t.Start])
			at = t.End
		}
	}
	left.WriteString(info.Text[at:])
	info.Text = strings.Join(strings.Fields(left.String()), " ")
}

// holds tells whether a clause of what remains of the tree is one of a part.
// It goes by where the clause stands in the query: what filters and negations
// say is no longer there.
func (u *understanding) holds(p *clausePart, n query.Node) bool {
	t, ok := plainWord(n)
	return ok && slices.ContainsFunc(u.clauses[p.first:p.last+1], func(c query.Node) bool {
		w, ok := plainWord(c)
		return ok && w.Start == t.Start
	})
}

// denies tells whether there is a value that is not wanted.
func (u *understanding) denies() bool {
	return u != nil && slices.ContainsFunc(u.parts, func(p clausePart) bool { return p.denied && p.applied() })
}

// wanted tells whether a clause of what remains of the tree says a value that is wanted.
func (u *understanding) wanted(n query.Node) bool {
	return u != nil && slices.ContainsFunc(u.parts, func(p clausePart) bool {
		return !p.denied && p.value != "" && p.applied() && u.holds(&p, n)
	})
}

// denied returns the clauses, of what remains of the tree, of a value that is
// not wanted: those that deny it, which begin at a place of them, and those that
// name it.
func (u *understanding) denied(clauses []query.Node, at int) (n negation, ok bool) {
	if u == nil {
		return n, false
	}
	for i := range u.parts {
		p := &u.parts[i]
		if !p.denied || !p.applied() || !u.holds(p, clauses[at]) {
			continue
		}
		for j := p.first; j <= p.last && at < len(clauses) && u.holds(p, clauses[at]); j++ {
			if j < p.behind || j > p.until {
				n.cue = append(n.cue, at)
			} else {
				n.about = append(n.about, at)
			}
			at++
		}
		if p.named != "" && len(n.about) == 1 {
			n.cue, n.named = n.about, p.named
		} else if len(n.cue) == 0 {
			n.cue = n.about // of a list, behind a comma
		}
		return n, len(n.cue) > 0 && len(n.about) > 0
	}
	return n, false
}
