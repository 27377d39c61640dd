package intent

import (
	"slices"

	"github.com/quarry-search/quarry/engine/query"
)

// comparative reads a comparative or a range, with the name of a field before
// it if there is one.
func (r *reader) comparative(at int) (Part, int) {
	r.from = at
	if r.behindNegation(at) {
		return Part{}, 0
	}
	if f, n := r.mention(at, Number, Date); n > 0 {
		i := at + n
		if r.isSymbol(i, ":") {
			i++
		}
		r.ahead = true
		p, k := r.linked(i, f)
		if c, _ := r.cue(i-1, func(c *cue) bool { return c.kind == cueBefore }); k == 0 && n > 1 && c != nil {
			i-- // "free from may 2027" of free_from
			p, k = r.linked(i, f)
		}
		n = k
		r.ahead = false
		if n > 0 {
			return p, i + n - at
		}
	} else if kind, n := r.kindNamed(at); kind != "" {
		i := at + n
		if r.isSymbol(i, ":") {
			i++
		}
		r.kind = kind
		p, n := r.linked(i, nil)
		r.kind = ""
		if n > 0 && r.isOf(&p, kind) {
			return p, i + n - at
		}
	}
	return r.compared(at, nil)
}

// linked is compared behind a name, past a word that links them: "salario de más de 30000".
func (r *reader) linked(at int, about *field) (Part, int) {
	if p, n := r.compared(at, about); n > 0 || !r.is(at, word) || r.d.cues.counts[r.items[at].text]&countLink == 0 {
		return p, n
	}
	p, n := r.compared(at+1, about)
	if n > 0 {
		n++
	}
	return p, n
}

// isOf tells whether a part is about a kind of unit: "rent 2 bedrooms or more" is about no rent.
func (r *reader) isOf(p *Part, kind kindOfUnit) bool {
	f := r.d.field(p.Field)
	if f == nil {
		return true // several
	}
	_, ok := f.measure(kind, "")
	return ok
}

// kindNamed returns the kind of numbers that words are a name of in general, and their number: "rating
// above 8" of guest_rating, "salary over 80k" of pay; "" if they are none.
func (r *reader) kindNamed(at int) (kind kindOfUnit, n int) {
	if !r.is(at, word) || r.not[at] || r.of(cueLead, at) > 0 {
		return "", 0
	}
	text := r.items[at].text
	for n = 1; n <= mostNameWords; n++ {
		if kind = r.d.cues.names[text]; kind == "" {
			kind = r.d.cues.names[r.d.cues.Bare(text)]
		}
		if kind == "" {
			kind = r.d.cues.nameBases[r.d.cues.Base(text)] // "с пробегом"
		}
		switch kind {
		case dates, kinds:
			return "", 0
		case years:
			if r.d.cues.done[text] != 0 {
				return "", 0 // "born before 1990" is not said of all years
			}
			return kind, n
		case "":
		default:
			return kind, n
		}
		if !r.is(at+n, word) || !r.d.cues.nameHeads[text] {
			break
		}
		text += " " + r.items[at+n].text
	}
	return "", 0
}

// namesKind tells whether a name of a kind of numbers may begin with a word.
func (c *Cues) namesKind(word string) bool {
	return c.names[word] != "" || c.nameHeads[word] || len(c.particles) > 0 && c.names[c.Bare(word)] != ""
}

// mostNameWords is the words of a name of a kind of numbers: "diện tích".
const mostNameWords = 2

// compared reads a comparative or a range about a field, or about any.
func (r *reader) compared(at int, about *field) (Part, int) {
	r.compare = true
	defer func() { r.compare = false }()
	if p, n := r.rangeOf(at, about); n > 0 {
		return p, n
	}
	if p, n := r.prefixed(at, about); n > 0 {
		return p, n
	}
	return r.suffixed(at, about)
}

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

// prefixed reads a comparative before its number.
func (r *reader) prefixed(at int, about *field) (p Part, n int) {
	if rel, i := r.sign(at); i > 0 {
		q, n := r.quantity(at + i)
		if n == 0 {
			return p, 0
		}
		n += r.counted(at+i+n, &q)
		q.bare = true
		if p, ok := r.relate(rel, &q, "", about); ok {
			return p, i + n
		}
		return p, 0
	}
	tried := func(c *cue) bool { return c.kind == cueBefore }
	longest, _ := r.cue(at, tried)
	if longest == nil {
		return p, 0
	}
	if p, n := r.led(at, about, true); n > 0 {
		return p, n
	}
	return r.led(at, about, false)
}

// led reads a comparative that begins with a cue. Of cues that begin a price as
// well as a time, those of times come first if sure is set, as with numbers that
// are hardly a price: "desde 2015".
func (r *reader) led(at int, about *field, sure bool) (p Part, n int) {
	list := r.d.cues.byFirst[r.items[at].text]
	for k := range list {
		c := &list[k]
		if c.kind != cueBefore || len(c.words) > len(r.items)-at || !sameWords(c.words, r.items[at:]) {
			continue
		}
		i := r.skip(at + len(c.words))
		q, n := r.quantity(i)
		if n == 0 && c.kindOfUnit == years {
			q, n = r.announced(i)
		}
		if n == 0 && about == nil && r.of(cueDecades, i) == 0 {
			if f, named := r.mention(i, Number); named > 0 {
				if q, n = r.quantity(i + named); q.about == nil || q.about == f {
					q.about, i = f, i+named // "over magnitude 7"
				} else {
					n = 0
				}
			}
		}
		if n > 0 && r.endsRange(at, len(c.words), &q) {
			continue
		}
		if n == 0 || q.plus || sure && !(c.kindOfUnit == years && c.rel == atLeast && q.recent() && q.yearlike && q.first.year%100 != 0) {
			continue
		}
		if q.decade && r.of(cueIn, at) == len(c.words) {
			continue // "des années 80" is of them, though "dès" is since
		}
		if c.kindOfUnit != years {
			n += r.counted(i+n, &q)
		}
		if c.measured && len(q.units) == 0 && (q.scale == 0 || c.kindOfUnit != money) {
			continue // "in 1994"
		}
		q.bare = true
		if c.aspect != "" {
			q.aspect = c.aspect
		}
		kind := c.kindOfUnit
		if kind == anyKind && r.isAmount(about) {
			kind = "" // what is named needs no unit: "price from 50"
		}
		if c.rel == atLeast && len(q.units) == 1 && q.units[0].kind == age && r.of(cueFrom, at) == len(c.words) {
			if p, ok := r.within(equal, &q, &q); ok {
				p.Certain = true // a "puzzle from 3 years" is for those who are 3, and older
				return p, i + n - at
			}
		}
		if p, ok := r.relate(c.rel, &q, kind, about); ok {
			i += n
			if f, more := r.mention(i, Number); more > 0 && f.Name == p.Field {
				i += more // "under 2 years experience"
			}
			_, behind := r.cue(at, func(o *cue) bool { return o.kind == cueAfter && len(o.words) == len(c.words) })
			p.Ambiguous = p.Ambiguous || c.measured || behind > 0 && at > 0
			return p, i - at
		}
	}
	return Part{}, 0
}

// isAmount tells whether what is named before a number, a field or a kind of numbers, is none of times.
func (r *reader) isAmount(about *field) bool {
	if about == nil {
		return r.kind != "" && r.kind != years
	}
	_, timed := about.measure(years, "")
	return !timed
}

// endsRange tells whether a comparative of some words belongs to the number before it, as the end of a
// range does: "schuhe 38 bis 40". Behind a year may be an amount: "golf 2018 bis 9000".
func (r *reader) endsRange(at, words int, q *quantity) bool {
	if words != 1 || len(q.units) > 0 || q.about != nil || !r.is(at-1, number) || r.used[at-1] || r.of(cueTo, at) != 1 {
		return false
	}
	_, year := r.whole(at-1, 4)
	return !year || q.timed
}

// sign reads <, <=, =<, ≤ and their likes.
func (r *reader) sign(at int) (rel relation, n int) {
	if !r.is(at, symbol) {
		return 0, 0
	}
	orEqual := r.isSymbol(at+1, "=") && r.items[at+1].glued
	switch r.items[at].text {
	case "<":
		if orEqual {
			return atMost, 2
		}
		return less, 1
	case ">":
		if orEqual {
			return atLeast, 2
		}
		return greater, 1
	case "≤", "⩽":
		return atMost, 1
	case "≥", "⩾":
		return atLeast, 1
	}
	return 0, 0
}

// suffixed reads a comparative behind its number.
func (r *reader) suffixed(at int, about *field) (p Part, n int) {
	q, n := r.quantity(at)
	if n == 0 {
		return p, 0
	}
	if q.plus {
		if p, ok := r.relate(atLeast, &q, "", about); ok {
			return p, n
		}
		return p, 0
	}
	counted := r.counted(at+n, &q)
	i := at + n + counted
	for r.is(i, symbol) && (r.items[i].text == "'" || r.items[i].text == "’" || r.items[i].text == "-") && r.items[i].glued {
		i++ // 50 TL'den az
	}
	list := []cue(nil)
	if i < len(r.items) {
		list = r.d.cues.byFirst[r.items[i].text]
	}
	for k := range list {
		c := &list[k]
		if c.kind != cueAfter || len(c.words) > len(r.items)-i || !sameWords(c.words, r.items[i:]) {
			continue
		}
		end := i + len(c.words)
		q := q
		if c.kindOfUnit != years && about == nil {
			end += r.behind(end, &q)
		}
		if counted > 0 && r.is(end, number) {
			continue // "golf 2015 price max 9000"
		}
		q.bare = len(c.words) > 1 // "8 plus" and "13 max" are names
		if p, ok := r.relate(c.rel, &q, c.kindOfUnit, about); ok {
			if f, more := r.mention(end, Number); more > 0 && f.Name == p.Field {
				end += more
			}
			return p, end - at
		}
	}
	return Part{}, 0
}

// behind gives a number the unit, or the name of the field, that stands behind the words that compare
// it: "5 or more players", "2 or more bedrooms". It returns its items.
func (r *reader) behind(at int, q *quantity) int {
	if q.about != nil || len(q.units) > 0 || q.timed && !q.yearlike {
		return 0
	}
	u, n := r.unitsAt(at, true)
	if n > 0 && r.measures(u) && len(r.items[at].text) > 1 {
		q.units = u
		return n
	}
	if n := r.counted(at, q); n > 0 {
		return n
	}
	f, n := r.mention(at, Number)
	if n == 0 || q.timed || r.is(at+n, number) {
		return 0 // "4 or more price 50"
	}
	q.about = f
	return n
}

// relate makes a part of a relation to a quantity.
func (r *reader) relate(rel relation, q *quantity, kind kindOfUnit, about *field) (p Part, ok bool) {
	if q.about == nil {
		if about != nil && r.ratherPrice(about, q) {
			return p, false
		}
		q.about = about
	} else if about != nil && about != q.about {
		return p, false
	}
	q.rel = rel
	if p, ok := r.within(rel, q, q); ok && kind == "" {
		p.Certain = true
		return p, true
	}
	if kind == "" && r.kind != "" {
		if q.about != nil || len(q.units) > 0 && !slices.ContainsFunc(q.units, func(u unit) bool { return u.kind == r.kind }) {
			return p, false // "4 servings under 40 minutes"
		}
		if len(q.units) == 0 {
			kind = r.kind
		}
	}
	t, ok := r.target(q, kind, true)
	if !ok {
		return r.steps(rel, q)
	}
	p.Field, p.Certain, p.Ambiguous = t.field.Name, t.certain, t.doubtful
	if !t.timed {
		p.Filter = compare(t.field.Name, rel, t.value)
		return p, true
	}
	at := q.first
	if rel == greater || rel == atMost {
		at = q.last
	}
	if !t.field.dated(at) {
		return p, false
	}
	p.Filter = t.field.times(rel, at, at)
	return p, true
}

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
