package intent

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/query"
)

// flag reads the name of a yes-or-no field: "in stock", "pet friendly" of pets_allowed,
// "unfurnished", "pets not allowed".
func (r *reader) flag(at int) (p Part, n int) {
	f, n := r.mention(at, Bool)
	if n == 0 {
		f, n = r.flagOfTwo(at)
	}
	if n > 0 && r.letters(at, n) < leastName && !r.after(at+n) && !r.not[at] && !r.flagged(at) || r.freeOf(at, n) {
		n = 0
	}
	whole := n > 0
	if !whole {
		f, n = r.about(at)
	}
	if n == 0 {
		if p, n = r.contrary(at); n == 0 {
			p, n = r.contraryOf(at)
		}
		return p, n
	}
	p = Part{Field: f.Name, Filter: yes(f)}
	if r.after(at + n) {
		return p, n + 1
	}
	if no := r.negation(at + n); no > 0 && r.after(at+n+no) {
		p.Filter = query.Not{Node: p.Filter}
		return p, n + no + 1
	}
	if whole || r.not[at] || r.flagged(at) || r.lacks(at+n) > 0 {
		return p, n
	}
	return Part{}, 0
}

// freeOf tells whether some items say what something is made free of: they are no name then.
func (r *reader) freeOf(at, n int) bool {
	return n == 1 && r.of(cueRid, at) > 0 && r.isBurden(at)
}

// lacks returns the length of what denies a flag behind it, where an item is: "hasar kaydı yok".
func (r *reader) lacks(i int) int {
	if r.is(i, word) && !r.used[i] && r.d.cues.flagNone[r.items[i].text] {
		return 1
	}
	return r.freeAt(i)
}

// isFlag tells whether a part says that a yes-or-no field is so.
func (r *reader) isFlag(p *Part) bool {
	c, ok := p.Filter.(query.Compare)
	return ok && c.Value.Kind == query.KindBool
}

// about returns the yes-or-no field that some words are about, and their number.
func (r *reader) about(at int) (*field, int) {
	if len(r.d.flags) == 0 || !r.is(at, word) {
		return nil, 0
	}
	run := r.run(at)
	found, n := r.d.flags.find(run.words)
	if n == 0 {
		if found, n = r.d.flags.find(run.bases); n > 1 {
			return nil, 0
		}
	}
	if n == 0 || len(slices.Compact(slices.Clone(found))) != 1 {
		return nil, 0
	}
	return &r.d.fields[found[0]], n
}

// flagged tells whether a word before an item says that it is a flag: "with a garden".
func (r *reader) flagged(at int) bool {
	for i := at - 1; i >= 0 && i >= at-2 && r.is(i, word); i-- {
		if r.d.cues.flagBefore[r.items[i].text] || i == at-1 && !r.used[i] && r.d.cues.flagNone[r.items[i].text] {
			return true
		}
		if !r.d.cues.stops[r.items[i].text] {
			return false
		}
	}
	return false
}

// yes is the filter of records that have the flag.
func yes(f *field) query.Node {
	return query.Compare{Field: f.Name, Value: query.Value{Kind: query.KindBool, Bool: true}}
}

// after tells whether an item may stand behind what a flag is about.
func (r *reader) after(i int) bool {
	return r.is(i, word) && !r.used[i] && r.d.cues.flagAfter[r.items[i].text]
}

// flagOfTwo reads a name of one word that the query writes as two: "touch screen".
func (r *reader) flagOfTwo(at int) (*field, int) {
	if !r.d.has[Bool] || !r.is(at, word) || !r.is(at+1, word) || r.used[at+1] {
		return nil, 0
	}
	f := r.flagNamed(r.items[at].text + r.items[at+1].text)
	if f == nil {
		return nil, 0
	}
	return f, 2
}

// contrary reads a word that says that a flag is not there, "unfurnished", or that it is by
// another ending than the field's name has: "eşyasız" and "eşyalı" of eşya.
func (r *reader) contrary(at int) (p Part, n int) {
	if !r.d.has[Bool] || !r.is(at, word) || r.not[at] {
		return p, 0
	}
	for _, not := range r.d.cues.flagNot {
		rest, ok := strings.CutPrefix(r.items[at].text, not)
		if !ok || len(rest) < leastName {
			continue
		}
		if f := r.flagNamed(rest); f != nil {
			return Part{Field: f.Name, Filter: query.Not{Node: yes(f)}}, 1
		}
	}
	for _, ending := range r.d.cues.flagWithout {
		if f := r.flagOf(r.items[at].text, ending); f != nil {
			return Part{Field: f.Name, Filter: query.Not{Node: yes(f)}}, 1
		}
	}
	for _, ending := range r.d.cues.flagWith {
		if f := r.flagOf(r.items[at].text, ending); f != nil {
			return Part{Field: f.Name, Filter: yes(f)}, 1
		}
	}
	return p, 0
}

// contraryOf reads words that are the contrary of a flag: "on-site" of remote.
func (r *reader) contraryOf(at int) (p Part, n int) {
	if len(r.d.contraries) == 0 || r.not[at] {
		return p, 0
	}
	run := r.run(at)
	found, n := r.d.contraries.find(run.words)
	if n == 0 || len(found) != 1 {
		return p, 0
	}
	f := &r.d.fields[found[0]]
	return Part{Field: f.Name, Filter: query.Not{Node: yes(f)}}, run.items[n-1] + 1 - at
}

// flagOf returns the yes-or-no field that is named as a word is without an ending, or with one that
// says that it is there; nil if there is none.
func (r *reader) flagOf(name, ending string) *field {
	stem, ok := strings.CutSuffix(name, ending)
	if !ok || len(stem) < leastName {
		return nil
	}
	f := r.flagNamed(stem)
	for i := 0; f == nil && i < len(r.d.cues.flagWith); i++ {
		f = r.flagNamed(stem + r.d.cues.flagWith[i])
	}
	return f
}

// flagNamed returns the one yes-or-no field whose name is a word; nil if there is none.
func (r *reader) flagNamed(name string) *field {
	found := r.d.inflected[r.d.cues.Base(name)]
	if p := r.d.mentions[name]; p != nil && len(p.numbers) > 0 {
		found = p.numbers
	}
	found = slices.DeleteFunc(slices.Clone(found), func(i int) bool { return r.d.fields[i].Type != Bool })
	if len(found) != 1 {
		return nil
	}
	return &r.d.fields[found[0]]
}
