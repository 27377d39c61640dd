package intent

import "slices"

// What values records have tells fields apart that measure the same: of ram_gb and
// storage_gb, 512 gb are of the latter where no record has as much memory, and
// "under 10k" is about a price where the only other numbers are those of doors.

// fit is how well a value fits those that a field has.
type fit uint8

const (
	strange fit = iota // it is more than three times the greatest, or less than a third of the least
	near               // it is beside them
	inside             // it lies among them, or nothing is known of them
)

// nearby is how many times the greatest value a number may be that is said of a field.
const nearby = 3

// fit tells how well a value fits those of a field.
func (r *reader) fit(f *field, value float64) fit {
	least, greatest, known := r.span(f)
	switch {
	case !known || least <= value && value <= greatest:
		return inside
	case value > greatest && (greatest <= 0 || value > nearby*greatest), value < least && (value <= 0 || nearby*value < least):
		return strange
	}
	return near
}

// span returns the least and the greatest value of a field, if they are known.
func (r *reader) span(f *field) (least, greatest float64, known bool) {
	if r.v == nil {
		return 0, 0, false
	}
	return r.v.Span(f.Name)
}

// measuring returns the field that comes first for a unit, and how it counts; nil if
// there is none, or several of which none is better. A field that is counted in this very
// unit comes before all others. Of those that come first, the one is meant whose values a
// number fits best, which is value by how the field counts, or else the one that the query
// has not spoken of yet. A nil value fits all. A field that is the most or least of something
// is meant only if no other is, and one of the aspect that the query names before others.
func (r *reader) measuring(kind kindOfUnit, code string, value func(*measure) float64) (*field, measure) {
	if r.aspect != "" {
		of := func(f *field) bool { return slices.Contains(f.aspects, r.aspect) }
		if f, m := r.measuringOf(kind, code, value, of); f != nil {
			return f, m
		}
		if f := r.plainlyOf(r.aspect); f != nil {
			m := measure{kind: kind, rank: byPart}
			if value != nil && r.fit(f, value(&m)) == strange {
				return nil, m // it is said of the field, in another unit
			}
			return f, m
		}
	}
	if r.d.limits {
		plain := func(f *field) bool { return !f.limit }
		if f, m := r.measuringOf(kind, code, value, plain); f != nil && (value == nil || r.fit(f, value(&m)) > strange) {
			return f, m
		}
	}
	return r.measuringOf(kind, code, value, nil)
}

// plainlyOf returns the field that is of an aspect of things by its name, which does not tell what it is counted
// in: width, elevation_gain. Nil if there is none, or several.
func (r *reader) plainlyOf(aspect string) (found *field) {
	for i := range r.d.fields {
		f := &r.d.fields[i]
		if f.Type != Number || len(f.measures) > 0 || f.limit || !slices.Contains(f.aspects, aspect) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// measure returns how a field counts a unit. What records are of tells that numbers are years, where the name
// does not: 1999 and 2010 of published.
func (r *reader) measure(f *field, kind kindOfUnit, code string) (measure, bool) {
	m, ok := f.measure(kind, code)
	if ok || kind != years || !f.maybeYears {
		return m, ok
	}
	least, greatest, known := r.span(f)
	return measure{kind: years, size: 1, rank: byPart}, known && oldest <= least && greatest <= newest
}

// oldest and newest are the years that numbers may be which are taken for years by their values.
const oldest, newest = 1000, 2100

// measuringOf is measuring among the fields that are ok, or all.
func (r *reader) measuringOf(kind kindOfUnit, code string, value func(*measure) float64, ok func(*field) bool) (*field, measure) {
	if kind == years && !r.naming && r.d.has[Date] {
		var room [4]string
		if said := r.beside(room[:0]); len(said) > 0 {
			r.naming = true
			f, m := r.measuringOf(kind, code, value, func(f *field) bool { return (ok == nil || ok(f)) && r.isNamedBy(f, said) })
			r.naming = false
			if f != nil {
				return f, m // "died in 1955"
			}
		}
	}
	var room [8]candidate
	best := room[:0]
	first := 0
	for _, i := range r.d.measuring[kind] {
		f := &r.d.fields[i]
		if ok != nil && !ok(f) {
			continue
		}
		m, ok := r.measure(f, kind, code)
		rank := m.rank
		if m.code == code && code != "" {
			rank += byHint
		}
		if !ok {
			continue
		}
		if m.most && value != nil && r.fit(f, value(&m)) == strange {
			continue
		}
		if kind == rating && value != nil && r.fit(f, value(&m)) < inside {
			rank -= byHint // "over 9" is of guest_rating, and not of stars
		}
		if len(best) > 0 && rank < first {
			continue
		}
		if len(best) == 0 || rank > first {
			best, first = best[:0], rank
		}
		best = append(best, candidate{f, m})
	}
	if len(best) > 1 && (kind == duration || kind == money && r.d.oneThing(best)) {
		if some := keep(best, func(c *candidate) bool { return c.field.total }); len(some) > 0 {
			best = some // and not one of its steps, or what it costs without the rest
		}
	}
	if len(best) > 1 {
		var room [4]string
		said := r.beside(room[:0])
		if some := keep(best, func(c *candidate) bool { return r.isNamedBy(c.field, said) }); len(some) > 0 {
			best = some
		}
	}
	if len(best) > 1 {
		for _, ok := range r.preferences(kind) {
			if some := keep(best, ok); len(some) > 0 {
				best = some
			}
		}
	}
	if len(best) > 1 && value != nil {
		for level := inside; len(best) > 1 && level > strange; level-- {
			fits := func(c *candidate) bool { return r.fit(c.field, value(&c.measure)) >= level }
			if some := keep(best, fits); len(some) > 0 {
				best = some
				break
			}
		}
		if some := keep(best, func(c *candidate) bool { return !r.spoken(c.field) }); len(some) > 0 {
			best = some
		}
	}
	if len(best) > 1 && r.end != 0 {
		if some := keep(best, func(c *candidate) bool { return c.field.end == r.end }); len(some) > 0 {
			best = some
		}
	}
	if len(best) != 1 {
		return nil, measure{}
	}
	return best[0].field, best[0].measure
}

// preferences are what fields of a kind are preferred by where several fit alike, by words of their names: of times
// those of making a thing, of amounts of money what one pays.
func (r *reader) preferences(kind kindOfUnit) []func(*candidate) bool {
	tells := func(key string) func(*candidate) bool {
		return func(c *candidate) bool { return r.d.cues.tells(c.field.words, key) }
	}
	not := func(ok func(*candidate) bool) func(*candidate) bool { return func(c *candidate) bool { return !ok(c) } }
	plain := func(c *candidate) bool { return len(c.field.words) == 1 && tells("plain")(c) }
	switch kind {
	case years:
		return []func(*candidate) bool{not(tells("minor")), plain, tells("prime")}
	case money:
		return []func(*candidate) bool{not(tells("less"))}
	}
	return nil
}

// isNamedBy tells whether one of some words is one of a field's name: "updated since may" of updated_at.
func (r *reader) isNamedBy(f *field, words []string) bool {
	return slices.ContainsFunc(words, func(said string) bool {
		return slices.ContainsFunc(f.words, func(w string) bool {
			return w == said || len(w) >= leastName && r.d.cues.Base(w) == r.d.cues.Base(said)
		})
	})
}

// wordsBeside is how many words on either side of a number may say which field it is of.
const wordsBeside = 2

// beside appends the words that stand beside what is being read, without fillers.
func (r *reader) beside(words []string) []string {
	for _, step := range [...]int{-1, 1} {
		i := r.from - 1
		if step > 0 {
			i = r.upto
		}
		for seen := 0; seen < wordsBeside && r.is(i, word) && !r.used[i]; i += step {
			if !r.d.cues.stops[r.items[i].text] {
				words = append(words, r.items[i].text)
				seen++
			}
		}
	}
	return words
}

// candidate is a field that a number may belong to, and how it counts.
type candidate struct {
	field   *field
	measure measure
}

// oneThing tells whether the names of some fields say the same, but for what stands before: base_rent
// and total_rent.
func (d *Domain) oneThing(some []candidate) bool {
	last := func(c *candidate) string {
		words := d.cues.parts(nameWords(c.field.Name))
		if len(words) > 1 && lastUnit(d.cues, words) != nil {
			words = words[:len(words)-1]
		}
		return words[len(words)-1]
	}
	for i := range some {
		if len(some[i].field.Name) == 0 || last(&some[i]) != last(&some[0]) {
			return false
		}
	}
	return true
}

// keep returns those of some candidates that are ok; some stay as they are.
func keep(some []candidate, ok func(*candidate) bool) (kept []candidate) {
	for i := range some {
		if ok(&some[i]) {
			kept = append(kept, some[i])
		}
	}
	return kept
}

// spoken tells whether the query has spoken of a field.
func (r *reader) spoken(f *field) bool {
	for i := range r.parts {
		if r.parts[i].Field == f.Name {
			return true
		}
	}
	return false
}

// onlyNumber tells whether no field of numbers but f could be meant by a plain number:
// those of years and of numbers with units are said otherwise, and those of far other
// values are not meant.
func (r *reader) onlyNumber(f *field, value float64) bool {
	for i := range r.d.fields {
		if o := &r.d.fields[i]; o != f && o.Type == Number && (len(o.measures) == 0 || o.boundsPeople()) && r.fit(o, value) > strange {
			return false
		}
	}
	return true
}

// boundsPeople tells whether a field is of the least or the most people, or of ages, which are said
// without a unit as well: "games 10+".
func (f *field) boundsPeople() bool {
	return len(f.measures) > 0 && (f.limit && f.measures[0].kind == people || f.measures[0].kind == age)
}

// isPrice tells whether a plain number that something is compared with is an amount of money,
// though there are other numbers: as in "tents under 100", where the records have such prices,
// and no word of the query is the name of another number that it could be. "Over 4" may be said of ratings, and "from 18" of ages.
func (r *reader) isPrice(f *field, q *quantity, value float64) bool {
	if _, _, known := r.span(f); !known || r.fit(f, value) == strange {
		return false
	}
	for i := range r.d.fields {
		o := &r.d.fields[i]
		_, rated := o.measure(rating, "")
		if _, aged := o.measure(age, ""); (rated || aged) && q.rel >= greater && r.fit(o, q.value) == inside {
			return false
		}
	}
	for i := range r.items {
		if c, _ := r.cue(i, func(c *cue) bool { return c.kind == cueBefore }); c != nil {
			continue // "max 60" names no max_kg
		}
		if o, n := r.mention(i, Number); n > 0 && o != f && r.fit(o, q.value) > strange {
			return false
		}
	}
	return true
}

// ratherPrice tells whether a plain number is a price and none of the field whose name stands
// before it, which has no such values: a "battery under 60" where battery_ah is at most 5.
func (r *reader) ratherPrice(about *field, q *quantity) bool {
	if len(q.units) > 0 || r.fit(about, q.value) > strange {
		return false
	}
	f, m := r.measuring(money, "", nil)
	if f == nil || f == about || m.size == 0 {
		return false
	}
	_, _, known := r.span(f)
	return known && r.fit(f, q.value/m.size) > strange
}

// meansYear tells whether a plain number that may be a year is one, where it could be an
// amount of a field, too: if the records are of such years, and either "at least 2019" is
// said, which is hardly a price, or the field has no such amounts.
func (r *reader) meansYear(q *quantity, amounts *field, amount float64) bool {
	if !r.ofYears(q) {
		return false
	}
	return q.rel == atLeast && q.first.year%100 != 0 || r.fit(amounts, amount) < inside
}

// maybeYears tells whether records may be of such years as q may be.
func (r *reader) maybeYears(q *quantity) bool {
	f, _ := r.measuring(years, "", nil)
	if f == nil {
		return false
	}
	_, _, known := r.span(f)
	return !known || r.ofYears(q)
}

// ofYears tells whether records are known to be of such years as q may be.
func (r *reader) ofYears(q *quantity) bool {
	year := float64(q.first.year)
	f, _ := r.measuring(years, "", func(*measure) float64 { return year })
	if f == nil {
		return false
	}
	least, greatest, known := r.span(f)
	return known && least-1 <= year && year <= greatest+1
}

// counted makes q a number of what is named behind it, though it could be a year: "over
// 1000 pages". It returns the items of the name.
func (r *reader) counted(at int, q *quantity) int {
	if !q.yearlike || q.about != nil || r.ahead {
		return 0
	}
	f, n := r.mention(at, Number)
	if n == 0 {
		return 0
	}
	if _, ok := r.measure(f, years, ""); ok {
		return 0
	}
	q.timed, q.yearlike, q.about = false, false, f
	return n
}
