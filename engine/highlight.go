package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// marks are the terms of a query that highlighting looks for.
type marks struct {
	terms    map[string]bool
	prefixes []string
}

// marks collects the terms of the leaves that score.
func (r *resolver) marks() marks {
	m := marks{terms: map[string]bool{}}
	for _, t := range r.marked {
		if t.prefix {
			m.prefixes = append(m.prefixes, t.text)
		} else {
			m.terms[t.text] = true
		}
	}
	return m
}

// markedTerm is a term to highlight.
type markedTerm struct {
	text   string
	prefix bool
}

func (m *marks) match(t *tokenize.Token) bool {
	if m.terms[string(t.Term)] {
		return true
	}
	for _, p := range m.prefixes {
		if strings.HasPrefix(string(t.Word), p) || strings.HasPrefix(string(t.Term), p) {
			return true
		}
	}
	return false
}

// highlight marks the words of the query in the fields of a record.
func (run *searchRun) highlight(h *HighlightRequest, record []byte) []Highlight {
	pre, post := h.Pre, h.Post
	if pre == "" && post == "" {
		pre, post = "<mark>", "</mark>"
	}
	c := run.iv.schema
	fields := h.Fields
	if len(fields) == 0 {
		for _, t := range c.text {
			fields = append(fields, c.Fields[t.field].Name)
		}
	}
	texts := textsOf(record, c)
	m := run.res.marks()
	var out []Highlight
	for _, name := range fields {
		i, ok := c.byName[name]
		if !ok || c.textOf[i] < 0 {
			continue
		}
		best := Highlight{}
		for _, text := range texts[name] {
			if got := mark(text, c.text[c.textOf[i]].analyzer, &m, h.Words, pre, post); len(got.Matches) > len(best.Matches) {
				best = got
			}
		}
		if len(best.Matches) > 0 {
			best.Field = name
			out = append(out, best)
		}
	}
	return out
}

// textsOf returns the strings of a record's searched text fields.
func textsOf(record []byte, c *compiled) map[string][]string {
	out := map[string][]string{}
	// The record was valid when it was stored.
	_ = walkRecord(record, Limits{}.orDefaults().forStored(), func(path string, _ pointer, v scalar) error {
		if i, ok := c.byName[path]; ok && c.textOf[i] >= 0 && v.kind == scalarString {
			out[path] = append(out[path], string(v.str))
		}
		return nil
	})
	return out
}

// mark finds the matches in a text and cuts the fragment of the given number
// of words that holds most of them.
func mark(text string, a *tokenize.Analyzer, m *marks, words int, pre, post string) Highlight {
	tokens := a.Analyze(text)
	hit := make([]bool, len(tokens))
	any := false
	for i := range tokens {
		hit[i] = m.match(&tokens[i])
		any = any || hit[i]
	}
	if !any {
		return Highlight{}
	}
	from, to := 0, len(tokens)
	if words > 0 && len(tokens) > words {
		from, to = window(hit, words)
	}
	begin, end := 0, len(text)
	if from > 0 {
		begin = tokens[from].Start
	}
	if to < len(tokens) {
		end = tokens[to-1].End
	}
	var out Highlight
	var b strings.Builder
	at := begin
	for i := from; i < to; i++ {
		if !hit[i] || tokens[i].Start < at {
			continue
		}
		last := tokens[i].End
		for j := i + 1; j < to && tokens[j].Start < last; j++ { // overlapping bigrams
			if hit[j] {
				last = max(last, tokens[j].End)
			}
		}
		last = min(last, end)
		b.WriteString(text[at:tokens[i].Start])
		b.WriteString(pre)
		b.WriteString(text[tokens[i].Start:last])
		b.WriteString(post)
		out.Matches = append(out.Matches, [2]int{
			utf8.RuneCountInString(text[begin:tokens[i].Start]), utf8.RuneCountInString(text[tokens[i].Start:last]),
		})
		at = last
	}
	b.WriteString(text[at:end])
	out.Text = b.String()
	return out
}

// window returns the run of n tokens with the most hits, the first of them,
// moved so that its hits stand near the middle.
func window(hit []bool, n int) (from, to int) {
	count, best, at := 0, -1, 0
	for i := range hit {
		if hit[i] {
			count++
		}
		if i >= n && hit[i-n] {
			count--
		}
		if count > best {
			best, at = count, i
		}
	}
	to = at + 1
	from = max(0, to-n)
	first, last := from, to-1
	for first < to && !hit[first] {
		first++
	}
	for last > first && !hit[last] {
		last--
	}
	shift := ((first - from) - (to - 1 - last)) / 2
	from = min(max(0, from+shift), len(hit)-n)
	return from, from + n
}
