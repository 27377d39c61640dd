package intent

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/query"
)

// A query denies values by what stands before them ("not red") or behind ("egg free"). What is
// denied is never raised: any value that the words name or are a part of is not wanted, however
// few records have it.

// negation returns the length of a negation at an item; 0 if there is none, or one that denies nothing: "not only".
func (r *reader) negation(i int) int {
	n := r.of(cueNot, i)
	if n == 0 {
		return 0
	}
	for j := max(0, i-maxNegation); j <= i; j++ {
		if h := r.of(cueHarmless, j); j+h > i && (j < i || h >= n) {
			return 0
		}
	}
	return n
}

// maxUnwanted is the words before "free" that may be a value.
const maxUnwanted = 3

// unwanted reads words at an item that are denied and, by other rules, name nothing; n are the
// items of what these have read there. Behind a negation they are all up to the next filler
// word, comma or negation: "not chicken" denies chicken breasts, "no hot water" nothing hot.
func (r *reader) unwanted(at, n int) (p Part, named int, err error) {
	if r.v == nil || !r.d.has[Category] || r.used[at] || !r.not[at] && !r.denies || r.behindFiller(at) {
		return p, 0, nil
	}
	words := r.run(at)
	k := len(words.words)
	if r.not[at] {
		for k > 0 && (words.items[k-1] >= r.clauseEnd(at)) {
			k--
		}
	} else {
		for k = 1; ; k++ {
			if k > min(maxUnwanted, len(words.words)) {
				return p, 0, nil
			}
			if end := words.items[k-1] + 1; r.freeAt(end) > 0 {
				if at+n > end {
					return p, 0, nil // "egg free" is a value itself
				}
				if k < len(words.words) {
					if got, _, err := r.v.Unwanted(words.words[:k+1], words.bases[:k+1]); err != nil || got > k {
						return p, 0, err // the same, of few records
					}
				}
				break
			}
		}
	}
	if k == 0 {
		return p, 0, nil
	}
	telling := r.telling(words.words[:k])
	if !telling && (!r.not[at] || k > 1 || !r.is(at, word) || at+1 < len(r.items)) {
		return p, 0, nil
	}
	got, found, err := r.v.Unwanted(words.words[:k], words.bases[:k])
	if err != nil || got == 0 || got < k && !r.not[at] {
		return p, 0, err
	}
	if !telling {
		// "sleeping bag not down": nothing else is left that it could be about.
		if found = slices.DeleteFunc(slices.Clone(found), func(v Value) bool { return !v.Exact }); len(found) == 0 {
			return p, 0, nil
		}
	}
	return unwantedPart(found), words.items[got-1] + 1 - at, nil
}

// clauseEnd is the item before which what a negation is about ends.
func (r *reader) clauseEnd(at int) int {
	for i := at + 1; i < len(r.items); i++ {
		it := &r.items[i]
		if it.kind == gap || it.kind == symbol && !it.glued || it.text == "," || r.d.cues.stops[it.text] || r.negation(i) > 0 {
			return i
		}
	}
	return len(r.items)
}

// freeAt returns the length of a negation of what stands before an item, past a hyphen.
func (r *reader) freeAt(i int) int {
	if r.isSymbol(i, "-") && i+1 < len(r.items) && r.items[i+1].glued {
		if n := max(r.of(cueFree, i+1), r.of(cueRid, i+1)); n > 0 {
			return n + 1
		}
	}
	if n := r.of(cueFree, i); n > 0 || !r.isBurden(i) {
		return n
	}
	n := r.of(cueRid, i)
	if n > 0 && r.is(i+n, word) && r.d.cues.notRid[r.items[i+n].text] {
		return 0 // eggs free range
	}
	return n
}

// isBurden tells whether the word before an item, or the two before it, are what things are made free of.
func (r *reader) isBurden(i int) bool {
	if i == 0 || r.items[i-1].kind != word {
		return false
	}
	last := r.items[i-1].text
	return r.d.cues.burdens[last] || i > 1 && r.items[i-2].kind == word && r.d.cues.burdens[r.items[i-2].text+" "+last]
}

// unwantedPart is the part of values of which none is wanted, before it is denied.
func unwantedPart(values []Value) Part {
	p := Part{Field: values[0].Field}
	var fields []string
	for _, v := range values {
		if !slices.Contains(fields, v.Field) {
			fields = append(fields, v.Field)
		}
	}
	slices.Sort(fields)
	var any query.Or
	for _, f := range fields {
		var in query.In
		for _, v := range values {
			if v.Field == f {
				in.Field, in.Values = f, append(in.Values, query.Value{Kind: query.KindString, Str: v.Text})
			}
		}
		slices.SortFunc(in.Values, func(a, b query.Value) int { return strings.Compare(a.Str, b.Str) })
		if len(in.Values) == 1 {
			any.Nodes = append(any.Nodes, query.Compare{Field: f, Value: in.Values[0]})
		} else {
			any.Nodes = append(any.Nodes, in)
		}
	}
	if p.Filter = any; len(any.Nodes) == 1 {
		p.Filter = any.Nodes[0]
	}
	if len(values) == 1 {
		p.Value = values[0].Text
	}
	return p
}

// denyBefore adds a part for what is denied behind it, by so many items, and returns its items.
func (r *reader) denyBefore(p Part, at, n, denial int) int {
	p.Filter, p.Denied, p.Named = query.Not{Node: p.Filter}, true, [2]int{r.items[at].start, r.items[at+n-1].end}
	n += denial
	if !slices.Contains(r.used[at:at+n], true) {
		r.take(p, at, n)
	}
	return n
}

// deny adds a part for a value that the query does not want, with the negation
// before it. Words that are denied and belong to another part already, as those
// of "less than 50 euros, no more", deny nothing.
func (r *reader) deny(p Part, at, n int) {
	from := at
	for from > 0 && r.not[from] {
		from-- // past fillers, to the last word of the negation
	}
	for i := max(0, from-maxNegation); i <= from; i++ {
		if k := r.negation(i); k > 0 && i+k > from {
			from = i
			break
		}
	}
	if slices.Contains(r.used[from:at+n], true) {
		return
	}
	p.Filter, p.Denied, p.Named = query.Not{Node: p.Filter}, true, [2]int{r.items[at].start, r.items[at+n-1].end}
	r.take(p, from, at+n-from)
}

// maxNegation is the items of a negation, less one.
const maxNegation = 4

// alsoDenied adds parts for the values that stand behind one that is denied, in a list of those of
// its field: "without leather or cotton", "not red, blue". Behind a word that names none, as without
// a field, they are those of any that a word joins: "without laces or leather". It returns their items.
func (r *reader) alsoDenied(at int, field string) (items int, err error) {
	for i := at; ; {
		from, begin := i, i
		switch {
		case field == "" && (r.of(cueOr, i) == 1 || r.is(i, word) && r.d.cues.nors[r.items[i].text]):
			i++
		case field != "":
			if r.isSymbol(i, ",") || r.isSymbol(i, "/") || r.isSymbol(i, "&") {
				i++
				begin = i
			}
			i += max(r.of(cueOr, i), r.of(cueAnd, i))
		}
		if i == from || i >= len(r.items) || r.used[i] || r.not[i] {
			return from - at, nil
		}
		for r.is(i, word) && r.d.cues.stops[r.items[i].text] {
			i++ // an article
		}
		p, n, err := r.valueOf(i, nil)
		if err != nil || n == 0 || field != "" && p.Field != field || slices.Contains(r.used[begin:i+n], true) {
			return from - at, err
		}
		if p, err = r.allOf(p, i, n); err != nil {
			return from - at, err
		}
		p.Filter, p.Denied, p.Listed, p.Named = query.Not{Node: p.Filter}, true, true, [2]int{r.items[i].start, r.items[i+n-1].end}
		r.take(p, begin, i+n-begin)
		i += n
	}
}
