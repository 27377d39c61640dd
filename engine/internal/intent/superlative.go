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
	if f, named := r.orderedBy(at); f != nil {
		c, n := r.cue(at+named, func(c *cue) bool {
			return c.kind == cueOrder && (c.after || c.kindOfUnit != "" && r.bestOf(c.kindOfUnit) == f)
		})
		if n > 0 {
			return Part{Field: f.Name, Filter: query.Exists{Field: f.Name}, Certain: true, Ambiguous: true, Order: c.order}, named + n
		}
	}
	list := r.items[at].cues
	for i := range list {
		c := &list[i]
		if c.kind != cueOrder || c.after || len(c.words) > len(r.items)-at || !sameWords(c.words, r.items[at:]) {
			continue
		}
		n := len(c.words)
		r.from, r.upto = at, at+n
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

// orderedBy returns the field that words before a superlative name, where the language has them there, and
// their number: "面积最大", "연봉 가장 높은".
func (r *reader) orderedBy(at int) (f *field, n int) {
	if !r.d.cues.ordersAfter {
		return nil, 0
	}
	if f, n = r.mention(at, Number, Date); n > 0 {
		return f, n
	}
	if r.is(at, word) {
		if f = r.d.called(r.d.cues.Bare(r.items[at].text)); f != nil {
			return f, 1
		}
	}
	kind, n := r.kindNamed(at)
	if n == 0 {
		return nil, 0
	}
	return r.bestOf(kind), n
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
