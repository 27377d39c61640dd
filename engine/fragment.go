package engine

import (
	"html"
	"strings"
	"unicode/utf8"
)

// fragment is a part of a text and the matches in it.
type fragment struct {
	text       string // all of it
	begin, end int    // the part, in bytes
	matches    [][2]int
	worth      int // of what it shows; 0: nothing
}

// fragment finds the matches in a text and cuts the part of so many words that
// shows most; 0 words are all of it.
func (m *marker) fragment(text string, words int) fragment {
	tokens := m.analyzer.Analyze(text)
	found, any := m.find(tokens)
	if !any {
		return fragment{}
	}
	from, to, worth := 0, len(tokens), 0
	if words <= 0 || len(tokens) <= words {
		_, _, worth = m.densest(found, len(found))
	} else {
		from, to, worth = m.densest(found, words)
	}
	f := fragment{text: text, end: len(text), worth: worth}
	if from > 0 {
		f.begin = tokens[from].Start
	}
	if to < len(tokens) {
		f.end = 0
		for _, t := range tokens[from:to] {
			f.end = max(f.end, t.End)
		}
	}
	for i := from; i < to; i++ {
		if found[i] < 0 {
			continue
		}
		// Pairs of characters, and the parts of words, overlap.
		start, end := max(tokens[i].Start, f.begin), min(tokens[i].End, f.end)
		if n := len(f.matches); n > 0 && start < f.matches[n-1][1] {
			f.matches[n-1][1] = max(f.matches[n-1][1], end)
			continue
		}
		f.matches = append(f.matches, [2]int{start, end})
	}
	return f
}

// densest returns the run of n tokens that shows most, the first of them, moved
// so that its matches stand near the middle. Each term counts where it first
// stands, and what stands more than once a little.
func (m *marker) densest(found []int, n int) (from, to, worth int) {
	times := make([]int, len(m.terms))
	const first = 16 // what a term is worth beside one more of it
	value, best, at := 0, -1, 0
	for i := range found {
		if t := found[i]; t >= 0 {
			value += m.terms[t].weight
			if times[t]++; times[t] == 1 {
				value += first * m.terms[t].weight
			}
		}
		if i >= n && found[i-n] >= 0 {
			t := found[i-n]
			value -= m.terms[t].weight
			if times[t]--; times[t] == 0 {
				value -= first * m.terms[t].weight
			}
		}
		if value > best {
			best, at = value, i
		}
	}
	to = at + 1
	from = max(0, to-n)
	left, right := from, to-1
	for left < to && found[left] < 0 {
		left++
	}
	for right > left && found[right] < 0 {
		right--
	}
	shift := ((left - from) - (to - 1 - right)) / 2
	from = min(max(0, from+shift), max(0, len(found)-n))
	return from, min(from+n, len(found)), best
}

// highlight writes the fragment with its matches marked.
func (f *fragment) highlight(h *HighlightRequest) Highlight {
	pre, post := h.Pre, h.Post
	if pre == "" && post == "" {
		pre, post = "<mark>", "</mark>"
	}
	escape := html.EscapeString
	if h.Escape == EscapeNone {
		escape = func(s string) string { return s }
	}
	out := Highlight{Start: utf8.RuneCountInString(f.text[:f.begin])}
	var b strings.Builder
	at, chars := f.begin, 0
	for _, m := range f.matches {
		b.WriteString(escape(f.text[at:m[0]]))
		b.WriteString(pre)
		b.WriteString(escape(f.text[m[0]:m[1]]))
		b.WriteString(post)
		chars += utf8.RuneCountInString(f.text[at:m[0]])
		length := utf8.RuneCountInString(f.text[m[0]:m[1]])
		out.Matches = append(out.Matches, [2]int{chars, length})
		at, chars = m[1], chars+length
	}
	b.WriteString(escape(f.text[at:f.end]))
	out.Text = b.String()
	return out
}
