package intent

import "github.com/quarry-search/quarry/engine/query"

// rangeOf reads "between 20 and 40", "from 20 to 40" and "20-40".
func (r *reader) rangeOf(at int, about *field) (p Part, n int) {
	if r.is(at, number) && r.gluedDash(at-1) && r.items[at].glued {
		return p, 0 // INV-2026-1187
	}
	i := at
	joint := cueTo
	led := false
	if n := r.of(cueBetween, i); n > 0 {
		i, joint, led = i+n, cueAnd, true
	} else if n := r.of(cueFrom, i); n > 0 {
		i, led = i+n, true
	}
	a, n := r.quantity(r.skip(i))
	if n == 0 {
		return p, 0
	}
	i = r.skip(i) + n
	either := false // "4 or 5 people"
	switch n, or := r.of(joint, i), r.of(cueOr, i); {
	case n > 0:
		i += n
	case or > 0 && !led:
		i, either = i+or, true
	case r.isSymbol(i, "/") && r.items[i].glued && !led:
		i, either = i+1, true
	case r.isSymbol(i, "-") || r.isSymbol(i, "–") || r.isSymbol(i, "—"):
		i++
	default:
		return p, 0
	}
	b, n := r.quantity(r.skip(i))
	if n == 0 || a.plus || b.plus || either && (a.timed || len(a.units) > 0 || len(b.units) == 0) {
		return p, 0
	}
	i = r.skip(i) + n
	sameMonth(&a, &b)
	if a.yearlike {
		if more := r.counted(i, &b); more > 0 {
			a.timed, a.yearlike = false, false
			i += more
		}
	}
	if r.kind == age && len(a.units)+len(b.units) == 0 {
		b.units = []unit{r.d.cues.byCode["age"]} // "age 8-12" of age_min
	}
	alone := len(a.units) == 0 && !led // "iphone 13 bis 500 euro"
	bare := len(a.units) == 0
	if bare {
		a.units = b.units
	} else if len(b.units) == 0 {
		b.units = a.units
	}
	if (a.scale == 0 || bare) && a.scale < b.scale && a.value*b.scale <= b.value {
		a.value *= b.scale // "15 to 25k", "4천~6천만원"
		a.timed, a.yearlike = false, false
	}
	if p, ok := r.within(equal, &a, &b); ok && a.value <= b.value {
		p.Certain = true
		return p, i - at
	}
	kind := kindOfUnit("")
	if len(a.units) == 0 && a.about == nil && about == nil {
		kind = r.kind // 价格2000到4000
	}
	if kind != "" {
		led, a.timed, b.timed = true, false, false
	}
	led = led || len(a.units) == 0 && a.about == nil && (a.scale+b.scale > 0 || r.amounts(&a, &b))
	if a.about == nil {
		a.about = b.about
	}
	if a.about == nil {
		a.about = about
	}
	b.about = a.about
	if !led && len(a.units) == 0 && a.about == nil && !(a.timed && b.timed) {
		return p, 0
	}
	if a.timed != b.timed || len(a.units) > 0 {
		a.timed, b.timed = false, false
	}
	if a.timed && a.about == nil && kind == "" && a.recent() && b.recent() && r.dates() {
		kind = years
	}
	a.rel, a.bare, b.bare = atMost, led, led
	t, ok := r.target(&a, kind, led)
	if !ok || alone && len(b.units) > 0 && b.units[0].kind == money && r.fit(t.field, t.value) == strange {
		return p, 0
	}
	p.Field, p.Certain, p.Ambiguous = t.field.Name, t.certain, t.doubtful
	if t.timed {
		if b.last.before(a.first) {
			a, b = b, a
		}
		if !t.field.dated(a.first, b.last) {
			return p, 0
		}
		p.Filter = t.field.times(equal, a.first, b.last)
		return p, i - at
	}
	u, ok := r.target(&b, kind, led)
	if ok && t.field.end < 0 && u.field.end > 0 && t.value <= u.value { // from salary_min to salary_max
		p.Filter = query.And{Nodes: []query.Node{compare(t.field.Name, atLeast, t.value), compare(u.field.Name, atMost, u.value)}}
		return p, i - at
	}
	if !ok || u.field != t.field {
		return p, 0
	}
	lo, hi := min(t.value, u.value), max(t.value, u.value)
	p.Filter = between(t.field.Name, lo, hi)
	if p.Certain = p.Certain && !either; either && hi-lo != 1 {
		p.Filter = query.In{Field: t.field.Name, Values: []query.Value{numeral(lo), numeral(hi)}}
	}
	return p, i - at
}

// sameMonth makes a day of a plain number in a range with a day of a month: "10 to 20 june".
func sameMonth(a, b *quantity) {
	of := func(plain, d *quantity) {
		v := int(plain.value)
		if plain.timed || len(plain.units) > 0 || plain.about != nil || d.first.day == 0 || float64(v) != plain.value || v < 1 || v > daysOf(d.first.year, d.first.month) {
			return
		}
		same := day{d.first.year, d.first.month, v}
		*plain = quantity{timed: true, first: same, last: same}
	}
	of(a, b)
	of(b, a)
}

// amounts tells whether two plain numbers are those of a range of money: "5000-10000",
// where there are such prices. In China, Japan and Korea prices are said so though there are other numbers,
// such as those of what was sold: "手机 1500-3000".
func (r *reader) amounts(a, b *quantity) bool {
	plain := func(q *quantity) bool { return !q.timed || q.yearlike }
	if !plain(a) || !plain(b) || a.timed && r.ofYears(a) || b.timed && r.ofYears(b) || a.value >= b.value || b.value < leastAmount {
		return false
	}
	f, m := r.measuring(money, "", nil)
	if f == nil || m.size == 0 {
		return false
	}
	_, _, known := r.span(f)
	if a.timed && b.timed && (!known || !r.isAmong(f, a.value/m.size)) {
		return false
	}
	ok := known && r.fit(f, a.value/m.size) > strange && r.fit(f, b.value/m.size) > strange &&
		(r.onlyNumber(f, b.value) || len(r.d.cues.particles) > 0 && r.isAmong(f, a.value/m.size) && r.isAmong(f, b.value/m.size) && r.isPrice(f, b, b.value/m.size))
	if ok {
		a.timed, b.timed = false, false
	}
	return ok
}

// leastAmount is the greater of two plain numbers from which on they may be prices: smaller
// ones are those of sizes and models.
const leastAmount = 1000

// recent tells whether a quantity is more likely a time than a number.
func (q *quantity) recent() bool {
	return q.timed && (!q.yearlike || q.first.year >= 1900 && q.first.year < 2100)
}

// dates tells whether there is a field for times.
func (r *reader) dates() bool {
	f, _ := r.measuring(years, "", nil)
	return f != nil
}

// dated tells whether a field can be compared with days as they are given: one
// of years knows no months.
func (f *field) dated(days ...day) bool {
	for _, d := range days {
		if f.Type == Number && d.month > 0 {
			return false
		}
	}
	return true
}
