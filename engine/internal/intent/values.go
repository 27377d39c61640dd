package intent

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
)

// dominant is how many times as many records as in any other field have to
// hold a value in one field for the value to be taken as that field's.
const dominant = 4

// leastName is the letters from which the name of a yes-or-no field is
// understood.
const leastName = 4

// values reads values of fields, and names of yes-or-no fields.
func (r *reader) values() error {
	for i := 0; i < len(r.items); {
		if r.used[i] || !r.is(i, word) && !r.is(i, number) {
			i++
			continue
		}
		p, n, err := r.value(i)
		if err != nil {
			return err
		}
		if n == 0 {
			if p, n = r.noneOf(i); n > 0 && !r.not[i] {
				i += r.denyBefore(p, i, n, r.freeAt(i+n))
				continue
			}
		}
		if n > 0 && !r.not[i] && r.isFlag(&p) {
			if lacks := r.lacks(i + n); lacks > 0 {
				i += r.denyBefore(p, i, n, lacks)
				continue
			}
			if i > 0 && r.is(i-1, word) && !r.used[i-1] && r.d.cues.flagNone[r.items[i-1].text] { // "нет в наличии"
				p.Filter, p.Denied, p.Named = query.Not{Node: p.Filter}, true, [2]int{r.items[i].start, r.items[i+n-1].end}
				r.take(p, i-1, n+1)
				i += n
				continue
			}
		}
		if n == 0 || !r.not[i] {
			denied, named, err := r.unwanted(i, n)
			if err != nil {
				return err
			}
			if named > 0 {
				p, n = denied, named
			}
			if named > 0 && !r.not[i] {
				i += r.denyBefore(p, i, n, r.freeAt(i+n))
				continue
			}
		}
		if n > 0 && r.not[i] {
			if p, err = r.allOf(p, i, n); err != nil {
				return err
			}
			r.deny(p, i, n)
			more, err := r.alsoDenied(i+n, p.Field)
			if err != nil {
				return err
			}
			n += more
		} else if n > 0 {
			if p.Value == "" || !r.ofDenied(&p, i) {
				r.take(p, i, n)
			}
		} else if r.not[i] && !(i+1 < len(r.not) && r.not[i+1]) {
			more, err := r.alsoDenied(i+1, "")
			if err != nil {
				return err
			}
			i += more
		}
		i += max(n, 1)
	}
	return nil
}

// ofDenied tells whether a value stands right behind a denied word, which makes one thing of both: milk is not
// wanted by who wants no coconut milk, nor butter where almonds of the same field are denied.
func (r *reader) ofDenied(p *Part, at int) bool {
	if at == 0 || !r.not[at-1] || !r.is(at-1, word) || r.d.cues.stops[r.items[at-1].text] {
		return false
	}
	if !r.used[at-1] {
		return true
	}
	i := slices.IndexFunc(r.parts, func(o Part) bool { return o.Denied && o.Named[1] == r.items[at-1].end })
	return i < 0 || r.parts[i].Field == p.Field
}

// value reads a value at an item, with the name of its field before or behind
// it if there is one.
func (r *reader) value(at int) (p Part, n int, err error) {
	about, named := r.mention(at, Category)
	if about != nil {
		i := at + named
		if r.isSymbol(i, ":") {
			i++
		}
		if p, n, err := r.valueOf(i, about); n > 0 || err != nil {
			return p, i + n - at, err
		}
	}
	if at > 0 && r.is(at-1, number) && !r.used[at-1] {
		if _, n := r.mention(at, Number); n > 0 {
			return p, 0, nil // "400 lumens" are no brand
		}
	}
	if p, n, err = r.valueOf(at, nil); n > 0 || err != nil {
		return p, n, err
	}
	if p, n = r.flag(at); n == 0 {
		p, n = r.zero(at)
	}
	return p, n, nil
}

// allOf makes a part of a value that is denied one of all values of its field that the words are, or are a
// part of: who wants no tomato wants no tomatoes and no tomato paste.
func (r *reader) allOf(p Part, at, n int) (Part, error) {
	if p.Value == "" {
		return p, nil
	}
	words := r.run(at)
	k := 0
	for k < len(words.items) && words.items[k] < at+n {
		k++
	}
	got, found, err := r.v.Unwanted(words.words[:k], words.bases[:k])
	if err != nil || got < k {
		return p, err // the name of its field stands beside it
	}
	if found = slices.DeleteFunc(slices.Clone(found), func(v Value) bool { return v.Field != p.Field }); len(found) < 2 {
		return p, nil
	}
	return unwantedPart(found), nil
}

// noneOf reads the name of a field of numbers that is denied, some of whose values are 0: "no experience",
// "sugar free".
func (r *reader) noneOf(at int) (p Part, n int) {
	f, n := r.mention(at, Number)
	if n == 0 || r.used[at] || !r.not[at] && r.freeAt(at+n) == 0 {
		return p, 0
	}
	if least, greatest, known := r.span(f); !known || least != 0 || greatest <= 0 {
		return p, 0
	}
	return Part{Field: f.Name, Filter: compare(f.Name, greater, 0)}, n
}

// zero reads words that say that a number is 0: "nonstop" of stops.
func (r *reader) zero(at int) (p Part, n int) {
	if len(r.d.zeros) == 0 || !r.is(at, word) {
		return p, 0
	}
	run := r.run(at)
	found, n := r.d.zeros.find(run.words)
	if n == 0 || len(found) != 1 || r.freeOf(at, n) {
		return p, 0
	}
	f := &r.d.fields[found[0]]
	if least, _, known := r.span(f); !known || least != 0 {
		return p, 0 // "free" where everything costs something
	}
	return Part{Field: f.Name, Filter: compare(f.Name, equal, 0)}, run.items[n-1] + 1 - at
}

func (r *reader) letters(at, n int) (letters int) {
	for _, it := range r.items[at : at+n] {
		letters += utf8.RuneCountInString(it.text)
	}
	return letters
}

// valueOf reads a value of a field, or of any.
func (r *reader) valueOf(at int, about *field) (p Part, n int, err error) {
	if r.v == nil || !r.d.has[Category] || !r.is(at, word) && !r.is(at, number) || r.used[at] || r.behindFiller(at) {
		return p, 0, nil
	}
	words := r.run(at)
	k, found, err := r.v.Longest(words.words, words.bases)
	if err != nil || k == 0 {
		return p, 0, err
	}
	end := words.items[k-1] + 1
	if about == nil {
		if f, more := r.mention(end, Category); more > 0 && slices.ContainsFunc(found, func(v Value) bool { return v.Field == f.Name }) {
			about, end = f, end+more // "nike brand"
		}
	}
	if about == nil && !r.telling(words.words[:k]) {
		return p, 0, nil
	}
	best, ok := choose(found, about)
	if !ok {
		return p, 0, nil
	}
	return Part{
		Field: best.Field, Value: best.Text,
		Filter: query.Compare{Field: best.Field, Value: query.Value{Kind: query.KindString, Str: best.Text}},
	}, end - at, nil
}

// telling tells whether words may be a value without anything beside them that
// says so: numbers alone, single letters of alphabets and filler words may not.
func (r *reader) telling(words []string) bool {
	for _, w := range words {
		first, n := utf8.DecodeRuneInString(w)
		if digit(first) < 0 && (n < len(w) || isWord(first)) && !r.d.cues.stops[w] {
			return true
		}
	}
	return false
}

// isWord tells whether a single letter is a word, as ideographs and syllables are: 黒, 울.
func isWord(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hangul) }

// choose returns the value that is meant. Of several of one field, one that is
// written like the query comes first, then the one that most records have.
func choose(found []Value, about *field) (best Value, ok bool) {
	if slices.ContainsFunc(found, func(v Value) bool { return v.Exact }) {
		found = slices.DeleteFunc(slices.Clone(found), func(v Value) bool { return !v.Exact })
	}
	counts := map[string]int64{} // by field
	for _, v := range found {
		if about == nil || v.Field == about.Name {
			counts[v.Field] += v.Count
			if !ok || v.Count > best.Count || v.Count == best.Count && (v.Field < best.Field || v.Field == best.Field && v.Text < best.Text) {
				best, ok = v, true
			}
		}
	}
	for f, n := range counts {
		if f != best.Field && n*dominant > counts[best.Field] {
			return Value{}, false
		}
	}
	return best, ok
}
