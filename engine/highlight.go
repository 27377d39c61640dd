package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/quarry-search/quarry/tokenize"
)

// markedTerm is something that a query looks for in words: a term, the
// beginning of words, or a phrase.
type markedTerm struct {
	terms   []string
	offsets []int // of a phrase: the positions of its terms
	slop    int   // of a phrase: by how much they may be out of place
	prefix  bool
	fields  []bool // by text ordinal; nil: all
	weight  int    // what it is worth to a fragment to show it
}

// Worth of what a fragment shows. A filler word does not make up for another
// word of the query.
const (
	fillerWorth = 1
	wordWorth   = 8
)

// mark remembers a term that the query looks for, so that highlights show it.
// That holds for what a word was repaired to, or stands for, just as for the
// word itself.
func (r *resolver) mark(t *tokenize.Token, g analyzerGroup, prefix bool) {
	if r.req.Highlight == nil {
		return
	}
	m := markedTerm{terms: []string{string(t.Term)}, prefix: prefix, fields: g.fields, weight: wordWorth}
	if prefix {
		m.terms[0] = string(t.Word)
	}
	if r.stopWord(t) {
		m.weight = fillerWorth
	}
	r.marked = append(r.marked, m)
}

// marker finds the terms of a query in the texts of one field.
type marker struct {
	analyzer *tokenize.Analyzer
	terms    []markedTerm
	single   map[string]int   // numbers of terms
	phrases  map[string][]int // numbers of phrases by their first terms
	prefixes []int
	content  bool // the query has words beside filler, here or for other fields
}

// marker returns that of a text field, or nil if the query does not look into
// it.
func (r *resolver) marker(text int) *marker {
	m := &marker{analyzer: r.run.iv.schema.text[text].analyzer, single: map[string]int{}, phrases: map[string][]int{}}
	for _, t := range r.marked {
		m.content = m.content || t.weight > fillerWorth
		if t.fields != nil && !t.fields[text] || r.mask != nil && !r.mask[text] {
			continue
		}
		m.add(t)
	}
	if len(m.terms) == 0 {
		return nil
	}
	return m
}

// add adds something to look for.
func (m *marker) add(t markedTerm) {
	n := len(m.terms)
	m.terms = append(m.terms, t)
	switch first := t.terms[0]; {
	case t.prefix:
		m.prefixes = append(m.prefixes, n)
	case len(t.terms) > 1:
		m.phrases[first] = append(m.phrases[first], n)
	default:
		if _, ok := m.single[first]; !ok {
			m.single[first] = n
		}
	}
}

// find returns, for each token, the number of the term that it is, or -1.
func (m *marker) find(tokens []tokenize.Token) (found []int, any bool) {
	found = make([]int, len(tokens))
	for i := range tokens {
		found[i] = m.match(&tokens[i])
	}
	for i := range tokens {
		for _, n := range m.phrases[string(tokens[i].Term)] {
			for _, at := range m.phrase(tokens, i, &m.terms[n]) {
				found[at] = max(found[at], n)
			}
		}
	}
	m.leaveFiller(found)
	for _, n := range found {
		any = any || n >= 0
	}
	return found, any
}

// leaveFiller takes away the filler words that say nothing where they stand: those that are
// not between other words of the query, as in "lord of the rings", if there are such words and
// the text is not all of the query's.
func (m *marker) leaveFiller(found []int) {
	if !m.content || !slices.Contains(found, -1) {
		return
	}
	filler := func(i int) bool { return m.terms[found[i]].weight == fillerWorth }
	for from := 0; from < len(found); from++ {
		to := from
		for to < len(found) && found[to] >= 0 {
			to++
		}
		next := to
		for ; from < to && filler(from); from++ {
			found[from] = -1
		}
		for ; to > from && filler(to-1); to-- {
			found[to-1] = -1
		}
		from = next
	}
}

func (m *marker) match(t *tokenize.Token) int {
	if n, ok := m.single[string(t.Term)]; ok {
		return n
	}
	for _, n := range m.prefixes {
		if p := m.terms[n].terms[0]; strings.HasPrefix(string(t.Word), p) || strings.HasPrefix(string(t.Term), p) {
			return n
		}
	}
	return -1
}

// phrase returns the tokens of a phrase whose first term is token i, or nil.
// Each term is taken where it is nearest to its place.
func (m *marker) phrase(tokens []tokenize.Token, i int, p *markedTerm) []int {
	at := make([]int, 1, len(p.terms))
	at[0] = i
	low, high := 0, 0
	for j := 1; j < len(p.terms); j++ {
		place := tokens[i].Position + p.offsets[j]
		best, off := -1, 0
		begin, _ := slices.BinarySearchFunc(tokens, place-p.slop, func(t tokenize.Token, place int) int { return t.Position - place })
		for k := begin; k < len(tokens) && tokens[k].Position <= place+p.slop; k++ {
			d := tokens[k].Position - place
			if string(tokens[k].Term) == p.terms[j] && !slices.Contains(at, k) && (best < 0 || max(d, -d) < max(off, -off)) {
				best, off = k, d
			}
		}
		if best < 0 {
			return nil
		}
		at = append(at, best)
		low, high = min(low, off), max(high, off)
	}
	if high-low > p.slop {
		return nil
	}
	return at
}

// marker is that of the query for a text field, which is made once for all hits.
func (run *searchRun) marker(text int) *marker {
	m, ok := run.markers[text]
	if !ok {
		if run.markers == nil {
			run.markers = map[int]*marker{}
		}
		m = run.res.marker(text)
		run.markers[text] = m
	}
	return m
}

// highlight marks the words of the query in the fields of a record. Where late says that the time
// is over, it returns what it has, and false.
func (run *searchRun) highlight(h *HighlightRequest, record []byte, late func() bool) (out []Highlight, ok bool) {
	if late() {
		return nil, false
	}
	c := run.iv.schema
	fields := h.Fields
	if len(fields) == 0 {
		for _, t := range c.text {
			fields = append(fields, c.Fields[t.field].Name)
		}
	}
	texts := textsOf(record, c)
	for _, name := range fields {
		i, ok := c.byName[name]
		if !ok || c.textOf[i] < 0 || len(texts[name]) == 0 {
			continue
		}
		m := run.marker(c.textOf[i])
		if m == nil {
			continue
		}
		marked, ok := m.texts(name, texts[name], h, late)
		if !ok {
			return out, false
		}
		if marked.Field != "" {
			out = append(out, marked)
		}
	}
	return out, true
}

// moreTexts bounds Highlight.More: what it takes for each text is many times the
// memory of a short one.
const moreTexts = 100

// texts marks the texts of a field, of which the one that shows most stands
// before the others. Without a match the Field of the result is "".
func (m *marker) texts(field string, texts []string, h *HighlightRequest, late func() bool) (best Highlight, ok bool) {
	var first []Highlight // those that match, as many of them as may be shown
	worth := 0
	for n, text := range texts {
		f, ok := m.fragment(text, h.Words, late)
		if !ok {
			return Highlight{}, false
		}
		if f.worth == 0 || f.worth <= worth && len(first) > moreTexts {
			continue
		}
		marked := f.highlight(h)
		marked.Field, marked.Item = field, n
		if f.worth > worth {
			best, worth = marked, f.worth
		}
		if len(texts) > 1 && len(first) <= moreTexts {
			first = append(first, marked)
		}
	}
	others := slices.DeleteFunc(first, func(o Highlight) bool { return o.Item == best.Item })
	if best.More = others[:min(len(others), moreTexts)]; len(others) == 0 {
		best.More = nil
	}
	return best, true
}

// highlightsUntil returns what tells that highlights have to end so that the answer is not late:
// they may take three quarters of the time that the search has.
func (s *searcher) highlightsUntil() (late func() bool) {
	end, ok := s.ctx.Deadline()
	if !ok {
		return func() bool { return s.ctx.Err() != nil }
	}
	end = end.Add(-end.Sub(s.start) / 4)
	return func() bool { return s.ctx.Err() != nil || time.Now().After(end) }
}

// textsOf returns the values of a record's searched text fields, as they were
// indexed.
func textsOf(record []byte, c *compiled) map[string][]string {
	out := map[string][]string{}
	// The record was valid when it was stored.
	_ = walkRecord(record, Limits{}.orDefaults().forStored(), func(path string, _ pointer, v scalar) error {
		if i, ok := c.byName[path]; ok && c.textOf[i] >= 0 && v.kind != scalarNull {
			if value, ok := convert(&c.Fields[i], v); ok {
				out[path] = append(out[path], string(value.Str))
			}
		}
		return nil
	})
	return out
}
