package intent

import "github.com/quarry-search/quarry/engine/query"

// single reads a number that names one value: with a unit, beside the name of
// a field, or a year or decade.
func (r *reader) single(at int) (p Part, n int) {
	if r.not[at] || r.behindNegation(at) {
		return p, 0
	}
	r.from = at
	i, led := at, false
	var about *field
	if p, n := r.decades(at); n > 0 {
		return p, n
	}
	if n := r.of(cueIn, at); n > 0 {
		i, led = r.skip(at+n), true
	} else if f, n := r.mention(at, Number, Date); n > 0 {
		i, about = at+n, f
		if r.isSymbol(i, ":") {
			i++
		}
	}
	r.ahead = about != nil
	q, n := r.quantity(i)
	r.ahead = false
	if from := r.skip(i); n == 0 && from > i {
		if q, n = r.century(from); n > 0 {
			n += from - i // "early 20th century"
		}
	}
	if n == 0 || q.plus || i < len(r.not) && r.not[i] {
		return p, 0
	}
	if q.about == nil {
		q.about = about
	} else if about != nil && q.about != about {
		return p, 0 // "first floor 2-bedroom"
	}
	if number := q; !led && r.counted(i+n, &number) > 0 && r.fit(number.about, q.value) == inside && !r.ofYears(&q) {
		n += r.counted(i+n, &q) // "1200 pages"
	}
	if q.century && r.joined(at, i+n-at) {
		return p, 0
	}
	if led && !q.timed || !led && q.about == nil && len(q.units) == 0 && !q.timed {
		return p, 0
	}
	if p, ok := r.interval(&q, at); ok {
		return p, i + n - at
	}
	kind := kindOfUnit("")
	if q.timed && q.about == nil {
		kind = years
	}
	t, ok := r.target(&q, kind, false)
	if !ok {
		return p, 0
	}
	p.Field = t.field.Name
	if !t.timed {
		if q.about == nil && r.fit(t.field, t.value) == strange {
			return p, 0 // a 5g phone weighs more
		}
		p.Filter = compare(t.field.Name, equal, t.value)
		if more, end := r.band(i+n, &q); more > 0 {
			p.Filter = query.Range{Field: t.field.Name, Low: query.Bound{Value: numeral(t.value), Inclusive: true}, High: query.Bound{Value: numeral(end * t.value / q.value)}}
			p.Certain = t.certain
			return p, i + n + more - at
		}
		switch {
		case t.upper > t.value:
			p.Filter = between(t.field.Name, t.value, t.upper)
		case t.rough:
			p.Filter = roughly(t.field.Name, t.value)
		}
		return p, i + n - at
	}
	if !led && q.yearlike && t.field.Type == Date && about == nil || !t.field.dated(q.first) {
		return p, 0 // four digits are most things but the year of a date
	}
	if least, greatest, known := r.span(t.field); known && about == nil && (float64(q.last.year) < least || float64(q.first.year) > greatest) {
		return p, 0 // no record is of that time
	}
	p.Filter = t.field.times(equal, q.first, q.last)
	p.Certain = led && (q.decade || q.first.month > 0) // "in october 2026" as "in october"
	p.Ambiguous = q.century                            // "20th century fox"
	return p, i + n - at
}

// decades reads a decade that is announced, such as "années 80", behind what leads to it.
func (r *reader) decades(at int) (p Part, items int) {
	led := r.of(cueIn, at)
	i := r.skip(at + led)
	q, n := r.announced(i)
	if n == 0 {
		if q, n = r.announced(at); n == 0 {
			return p, 0
		}
		i, led = at, n // "de los 90"
	}
	t, ok := r.timed(&q)
	if !ok {
		return p, 0
	}
	return Part{Filter: t.field.times(equal, q.first, q.last), Field: t.field.Name, Certain: led > 0}, i + n - at
}

// announced reads a number that the words before it make a decade of.
func (r *reader) announced(at int) (q quantity, n int) {
	c, n := r.cue(at, func(c *cue) bool { return c.kind == cueDecades })
	i := at + n
	if n == 0 || c.alone && (!r.is(i, number) || len(r.items[i].text) != 2 || r.items[i].value < 20 || !r.countsNothing(i+1)) || !r.is(i, number) || !r.items[i].whole || int(r.items[i].value)%10 != 0 || len(r.items[i].text) != 2 && len(r.items[i].text) != 4 {
		return q, 0
	}
	q.setDecade(int(r.items[i].value))
	return q, n + 1
}

// countsNothing tells whether no word of its own stands at an item, behind a number.
func (r *reader) countsNothing(at int) bool {
	return at >= len(r.items) || r.items[at].kind == gap || r.isSymbol(at, ",") || r.is(at, word) && r.d.cues.stops[r.items[at].text] && len(r.d.cues.units[r.items[at].text]) == 0
}
