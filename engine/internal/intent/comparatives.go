package intent

import "slices"

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
