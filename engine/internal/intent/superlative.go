package intent

import (
	"slices"

	"github.com/quarry-search/quarry/engine/query"
)

// superlative reads what is to come first: "cheapest", "lowest mileage", "salario más alto". There is one of
// them in a query.
func (r *reader) superlative(at int) (p Part, n int) {
	if r.not[at] || r.behindNegation(at) || slices.ContainsFunc(r.parts, func(p Part) bool { return p.Order != 0 }) {
		return p, 0
	}
	if !r.is(at, word) {
		return p, 0
	}
	if p, n := r.superlativeBehind(at); n > 0 {
		return p, n
	}
	_, compared := r.cue(at, func(c *cue) bool { return c.kind == cueBefore })
	list := r.items[at].cues
	longest := 0 // the words of a superlative that no field is of: "highest paid" is not highest
	for i := range list {
		c := &list[i]
		if c.kind != cueOrder || c.behind || len(c.words) < longest || len(c.words) > len(r.items)-at || !sameWords(c.words, r.items[at:]) {
			continue
		}
		n := len(c.words)
		if compared > n && r.d.cues.counts[r.items[at+compared-1].text]&countLink == 0 {
			continue // "أكبر من" is larger than, and "أكبر" the largest; "più grandi di" may be those of Milan
		}
		r.from, r.upto = at, at+n
		r.end = -c.order
		f, more := r.rankable(at + n)
		r.end = 0
		if c.kindOfUnit != "" {
			r.aspect, r.end = c.aspect, -c.order
			of := r.bestOf(c.kindOfUnit)
			r.aspect, r.end = "", 0
			if of != nil && c.aspect != "" && !slices.Contains(of.aspects, c.aspect) {
				continue // the highest is not the longest
			}
			if of == nil {
				of = r.d.called(string(c.kindOfUnit)) // "most populous"
			}
			if f != of && !(f != nil && more > 0 && (c.kindOfUnit == duration || c.kindOfUnit == "speed" || c.kindOfUnit == "length")) { // "fastest tempo"
				f, more = of, 0
			}
		}
		if f != nil {
			return first(f, c.order), n + more
		}
		longest = n
	}
	return p, 0
}

// superlativeBehind reads a superlative behind the name of its field, as Romance languages have it:
// "salario más alto".
func (r *reader) superlativeBehind(at int) (p Part, n int) {
	if !r.d.cues.behind {
		return p, 0
	}
	f, named := r.rankable(at)
	if f == nil {
		return p, 0
	}
	i := at + named
	for _, from := range [...]int{i, i + 1} { // past an article
		if from > i && (!r.is(i, word) || !r.d.cues.stops[r.items[i].text]) {
			break
		}
		c, n := r.cue(from, func(c *cue) bool {
			return c.kind == cueOrder && (c.behind || c.kindOfUnit != "" && r.bestOf(c.kindOfUnit) == f)
		})
		if n == 0 {
			continue
		}
		if o, _ := r.mention(from+n, Number, Date); o != nil {
			return p, 0 // which is what is meant
		}
		return first(f, c.order), from + n - at
	}
	return p, 0
}

// rankable returns the field that words name, or that measures what a word is a general name of: "highest
// salary" of annual_salary, or of annual_pay if that is the only amount. What is a unit as well is no such
// name: the "biggest stars" are no ratings.
func (r *reader) rankable(at int) (f *field, n int) {
	if f, n = r.mention(at, Number, Date); f != nil {
		return f, n
	}
	if !r.is(at, word) {
		return nil, 0
	}
	if len(r.d.cues.particles) > 0 {
		if f = r.d.called(r.d.cues.Bare(r.items[at].text)); f != nil {
			return f, 1
		}
	}
	kind, n := r.kindNamed(at)
	if kind == "" || len(r.d.cues.units[r.items[at].text]) > 0 {
		return nil, 0
	}
	named := func(f *field) bool { return slices.Contains(f.words, r.items[at].text) }
	if f, _ = r.measuringOf(kind, "", nil, named); f != nil {
		return f, n
	}
	if kind == rating {
		if f = r.bestOf(kind); f == nil {
			return nil, 0
		}
		return f, n
	}
	for i := range r.d.fields {
		if _, ok := r.d.fields[i].measure(kind, ""); ok {
			if f != nil {
				return nil, 0
			}
			f = &r.d.fields[i]
		}
	}
	if f == nil {
		return nil, 0
	}
	return f, n
}

// first is the part of what is to come first: the records with the least values of a field, or the greatest.
func first(f *field, order int) Part {
	return Part{Field: f.Name, Filter: query.Exists{Field: f.Name}, Certain: true, Ambiguous: true, Order: order}
}

// bestOf returns the field that a superlative of a kind of unit is about; nil if there is none, or
// several. What is "best rated" has the best ratings: a hotel's stars are of others.
func (r *reader) bestOf(kind kindOfUnit) *field {
	if kind == rating {
		if f, _ := r.measuringOf(kind, "", nil, func(f *field) bool { m, _ := f.measure(rating, ""); return m.code != "star" }); f != nil {
			return f
		}
	}
	f, _ := r.measuring(kind, "", nil)
	return f
}
