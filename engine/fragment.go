package engine

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// fragment is a part of a text and the matches in it.
type fragment struct {
	text       string // all of it
	begin, end int    // the part, in bytes
	matches    [][2]int
	worth      int // of what it shows; 0: nothing
}

const (
	// enoughTokens is how much of a text is read at a time for a fragment of it: what shows most
	// is looked for up to where there is something to show.
	enoughTokens = 1 << 14
	// pauseTokens is after how many tokens it is asked whether there is time left.
	pauseTokens = 1 << 12
)

// analyze returns the tokens of a text, or for a part of it so many that there is one to show, and
// whether these are all; ok is false if the time ends before.
func (m *marker) analyze(text string, part bool, late func() bool) (tokens []tokenize.Token, all, ok bool) {
	all, ok = true, true
	tokens = m.analyzer.AnalyzeWhile(text, pauseTokens, func(tokens []tokenize.Token) bool {
		ok = !late()
		all = ok && !(part && len(tokens)%enoughTokens == 0 && m.shows(tokens[len(tokens)-enoughTokens:]))
		return all
	})
	return tokens, all, ok
}

// shows tells whether tokens have something to show beside filler.
func (m *marker) shows(tokens []tokenize.Token) bool {
	found, _ := m.find(tokens)
	return slices.ContainsFunc(found, func(n int) bool { return n >= 0 && (!m.content || m.terms[n].weight > fillerWorth) })
}

// fragment finds the matches in a text and cuts the part of so many words that
// shows most; 0 words are all of it. It returns false if the time is over.
func (m *marker) fragment(text string, words int, late func() bool) (_ fragment, ok bool) {
	tokens, all, ok := m.analyze(text, words > 0, late)
	if !ok {
		return fragment{}, false
	}
	return m.cut(text, tokens, all, words), true
}

// cut is fragment of a text with these tokens, if these are all.
func (m *marker) cut(text string, tokens []tokenize.Token, all bool, words int) fragment {
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
	if to < len(tokens) || !all {
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
