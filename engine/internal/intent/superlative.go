package intent

import (
	"slices"

	"github.com/quarry-search/quarry/engine/query"
)

// superlative reads what is to come first: "cheapest", "lowest mileage". There is one of
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
	for i := range list {
		c := &list[i]
		if c.kind != cueOrder || len(c.words) > len(r.items)-at || !sameWords(c.words, r.items[at:]) {
			continue
		}
		n := len(c.words)
		if compared > n {
			continue // "أكبر من" is larger than, and "أكبر" the largest
		}
		f, more := r.mention(at+n, Number, Date)
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
			if f != of {
				f, more = of, 0
			}
		}
		if f != nil {
			return Part{Field: f.Name, Filter: query.Exists{Field: f.Name}, Certain: true, Ambiguous: true, Order: c.order}, n + more
		}
	}
	return p, 0
}

// superlativeBehind reads a superlative behind the name of a field, or of what it measures: "fiyatı en düşük".
func (r *reader) superlativeBehind(at int) (p Part, n int) {
	f, n := r.mention(at, Number, Date)
	if f == nil {
		kind := r.kindNamed(at)
		if kind == "" {
			return p, 0
		}
		if f, n = r.bestOf(kind), 1; f == nil {
			return p, 0
		}
	}
	c, more := r.cue(at+n, func(c *cue) bool { return c.kind == cueOrderBehind })
	if c == nil {
		return p, 0
	}
	if o, _ := r.mention(at+n+more, Number, Date); o != nil {
		return p, 0 // which is what is meant
	}
	return Part{Field: f.Name, Filter: query.Exists{Field: f.Name}, Certain: true, Ambiguous: true, Order: c.order}, n + more
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
