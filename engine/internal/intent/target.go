package intent

import "math"

// target is what a quantity is about.
type target struct {
	field   *field
	value   float64 // in the field's unit; of a stretch of time, none
	upper   float64 // where a unit is counted in two ways, by the other: "1 tb" is 1000 gb, or 1024
	timed   bool
	certain bool // see Part.Certain

	rough    bool // the value comes from a unit that the field's is no multiple or part of
	doubtful bool // a title that holds the words shows that they mean something else
}

// target finds the field that a quantity belongs to. kind is the kind of unit
// that the words before it say; plain tells that a number without unit will do.
func (r *reader) target(q *quantity, kind kindOfUnit, plain bool) (t target, ok bool) {
	r.aspect, r.end = q.aspect, -1 // what is sure: a job over 80k pays no less
	defer func() { r.aspect, r.end = "", 0 }()
	if kind == anyKind {
		if len(q.units) == 0 {
			return t, false
		}
		kind = ""
	}
	switch {
	case q.about != nil:
		return r.named(q, kind)
	case len(q.units) > 0:
		if kind == years {
			return t, false
		}
		for _, u := range q.units {
			f, m := r.ratingOf(u.kind, u.code, func(m *measure) float64 { return m.of(q.value, &u) })
			if f == nil || kind != "" && kind != u.kind {
				continue
			}
			if t.field != nil && t.field != f {
				return target{}, false
			}
			t = target{field: f, value: m.of(q.value, &u), upper: m.upper(q.value, &u), rough: m.rough(&u), certain: true}
		}
		return t, t.field != nil
	case q.timed && !q.yearlike && kind != "" && kind != years:
		return t, false
	case kind == years || q.timed && !q.yearlike:
		return r.timed(q)
	case kind != "" && kind != money:
		f, m := r.ratingOf(kind, "", func(*measure) float64 { return q.value })
		if f != nil && kind == r.kind && r.fit(f, q.value) == strange {
			return t, false // it is the name of something
		}
		return target{field: f, value: q.value, certain: f != nil && (kind == rating && m.rank > byPart || (kind == rating || kind == age || r.kind != "") && r.isAmong(f, q.value))}, f != nil
	}
	f, m := r.measuring(money, "", func(m *measure) float64 { return q.value / m.size })
	value := q.value
	if f != nil && m.size != 1 {
		value /= m.size
	}
	if kind == "" && plain && q.bare && (f == nil || r.fit(f, value) == strange || r.people() > 0) {
		if o := r.among(q); o != nil {
			return target{field: o, value: q.value, certain: true, doubtful: true}, true
		}
	}
	if q.yearlike && kind == "" && (f == nil && r.maybeYears(q) || f != nil && r.meansYear(q, f, value)) {
		return r.timed(q)
	}
	if f == nil || !plain || kind == "" && r.isAge(q) {
		return t, false
	}
	sure := kind == money || r.onlyNumber(f, q.value) && (q.bare || r.fit(f, value) > strange) // "iphone 15 plus"
	t = target{field: f, value: value, certain: sure || q.bare && r.isPrice(f, q, value)}
	t.doubtful = t.certain && !sure
	return t, true
}

// ratingOf is measuring, but of ratings in general, "rating over 4", "평점 4점", it returns a field that does not
// count stars, which are those of a hotel, if that has such values.
func (r *reader) ratingOf(kind kindOfUnit, code string, value func(*measure) float64) (*field, measure) {
	if kind == rating && (code == "" && r.kind == rating || code != "" && code != "star") {
		f, m := r.measuringOf(rating, "", value, func(f *field) bool { m, _ := f.measure(rating, ""); return m.code != "star" })
		if f != nil && r.isAmong(f, value(&m)) {
			return f, m
		}
	}
	return r.measuring(kind, code, value)
}

// ages is how old people are that a word stands for; 0 if it stands for none.
type ages uint8

const (
	grown ages = iota + 1
	young
)

// The ages that numbers behind words for people are hardly anything else than.
const (
	leastGrown, mostGrown = 18, 99
	mostYoung             = 12
)

// people returns who a word before what is being read stands for.
func (r *reader) people() ages {
	if r.from == 0 || !r.is(r.from-1, word) {
		return 0
	}
	return r.d.cues.folk[r.items[r.from-1].text]
}

// isAge tells whether a plain number is the age of the people that the word before stands for, and no price: "women
// over 50", "kids under 6", but "jacket for women under 100".
func (r *reader) isAge(q *quantity) bool {
	switch r.people() {
	case grown:
		return q.rel >= greater && leastGrown <= q.value && q.value <= mostGrown
	case young:
		return q.value <= mostYoung
	}
	return false
}

// timed finds the field that a stretch of time belongs to.
func (r *reader) timed(q *quantity) (t target, ok bool) {
	f, _ := r.measuring(years, "", func(*measure) float64 { return float64(q.first.year) })
	return target{field: f, timed: true, certain: true}, f != nil && q.timed
}

// named is the target of a quantity beside the name of a field.
func (r *reader) named(q *quantity, kind kindOfUnit) (t target, ok bool) {
	f := q.about
	if m, ok := r.measure(f, years, ""); ok && (q.timed || f.Type == Date) {
		return target{field: f, timed: true, certain: true}, q.timed && m.rank > 0 && len(q.units) == 0
	}
	if f.Type != Number || q.timed && !q.yearlike || kind == years {
		return t, false
	}
	if len(q.units) == 0 {
		value := q.value
		if m, ok := f.measure(money, ""); ok {
			value /= m.size
		}
		return target{field: f, value: value, certain: true}, true
	}
	for _, u := range q.units {
		if m, ok := f.measure(u.kind, u.code); ok {
			return target{field: f, value: m.of(q.value, &u), upper: m.upper(q.value, &u), rough: m.rough(&u), certain: true}, true
		}
	}
	if r.countsPlainly(f, q.value) {
		return target{field: f, value: q.value, certain: true}, true // "elevation gain under 300 m"
	}
	return t, false
}

// rough tells whether numbers of a unit are seldom round ones of the field's unit: 16 oz are
// sold as 450 g, 12 inches as 30 cm.
func (m *measure) rough(u *unit) bool {
	if m.size == 0 || m.kind != u.kind {
		return false
	}
	ratio := max(m.size, u.size) / min(m.size, u.size)
	return math.Abs(ratio-math.Round(ratio)) > 1e-6*ratio
}

// upper is of in the other way of counting bytes, by 1024; 0 if there is none.
func (m *measure) upper(value float64, u *unit) float64 {
	if u.kind != "data" || m.size == 0 || u.size < 1000*m.size {
		return 0
	}
	value *= u.size / m.size
	for size := m.size; size < u.size; size *= 1000 {
		value *= 1.024
	}
	return value
}
