package intent

import (
	"math"
	"slices"
	"unicode/utf8"
)

// quantity is a number as a query gives it, or a stretch of time.
type quantity struct {
	value    float64
	units    []unit // that its unit may be; none if it has none
	about    *field // named beside it
	plus     bool   // "4+"
	timed    bool   // it is a stretch of time, from first to last
	yearlike bool   // it is timed, but may be a plain number
	decade   bool
	century  bool
	scale    float64  // what it is multiplied by, as in "10k"; 0: nothing
	rel      relation // how a value is to compare with it
	aspect   string   // of things, that it is said of
	bare     bool     // words say that it is compared, so that without a unit it may be a price
	first    day
	last     day
}

// quantity reads the quantity that begins at an item, and returns the number of
// its items; 0 if there is none.
func (r *reader) quantity(at int) (q quantity, n int) {
	q, n = r.amount(at)
	r.upto = at + n
	return q, n
}

func (r *reader) amount(at int) (q quantity, n int) {
	if q, n = r.date(at); n > 0 {
		return q, n
	}
	if q, n = r.century(at); n > 0 {
		return q, n
	}
	if q, n = r.thisYear(at); n > 0 {
		return q, n
	}
	if c, n := r.cue(at, func(c *cue) bool { return c.kind == cueTens }); c != nil {
		q.setDecade(c.tens)
		return q, n
	}
	if c, n := r.cue(at, func(c *cue) bool { return c.kind == cueAmount }); c != nil {
		q.value, q.units = c.amount, []unit{c.unit}
		return q, n
	}
	i := at
	if c, n := r.cue(i, func(c *cue) bool { return c.kind == cueLead }); c != nil {
		q.units = []unit{c.unit}
		i += n
	} else if u, n := r.unitsAt(i, false); len(u) > 0 && u[0].kind == money && r.is(i+n, number) {
		q.units = u
		i += n
	}
	num, n := r.numeral(i)
	if n == 0 {
		return q, 0
	}
	if r.d.has[Date] {
		if _, day, _ := r.dayOfMonth(i); day > 0 {
			return q, 0 // "bis 10. Juni" is no price
		}
	}
	q.value = num.value
	i += n
	behind := i // the number
	if n := r.decade(i, &q, &num); n > 0 {
		return q, i + n - at
	}
	if n := r.of(cueYear, i); n > 0 && len(q.units) == 0 && r.items[i].glued && num.isYear() {
		year := day{year: int(q.value)}
		q.timed, q.first, q.last = true, year, year
		return q, i + n - at
	}
	if n := r.scaled(i, &q); n > 0 {
		num.whole = false
		if i += n; r.isSymbol(i, ".") && r.items[i].glued {
			i++ // 60 тыс. руб.
		}
		i += r.link(i)
	}
	if r.isSymbol(i, ",") && r.items[i].glued && (r.isSymbol(i+1, "-") || r.isSymbol(i+1, "–")) && r.items[i+1].glued {
		i += 2 // 100,- euro
	}
	if r.isPlus(i) {
		q.plus = true
		i++
	}
	if len(q.units) == 0 {
		j := i
		if r.isSymbol(j, "-") && r.items[j].glued && r.is(j+1, word) {
			j++ // 6-inch
		}
		if u, n := r.unitsAt(j, true); n > 0 {
			if f, named := r.mention(j, Number); named >= n && len(f.measures) == 0 && !r.measures(u) {
				q.about, n = f, named // 5 million people of a population
			} else {
				q.units = u
			}
			i = j + n
			if r.isSymbol(i, ".") && r.items[i].glued {
				i++
			}
		}
	}
	if r.isPlus(i) {
		q.plus = true
		i++
	}
	if i == behind && r.torn(i) {
		return quantity{}, 0
	}
	if len(q.units) == 1 && !q.plus {
		i += r.added(i, &q)
	}
	if len(q.units) > 0 && !r.ahead {
		i += r.link(i) // "16 gb of memory"
		if f, n := r.mention(i, Number); n > 0 && q.units[0].code == "m" && r.countsPlainly(f, q.value*million) {
			q.value, q.scale, q.units, q.about = q.value*million, million, nil, f // "1m downloads"
			i += n
		} else if n > 0 && (slices.ContainsFunc(q.units, func(u unit) bool { _, ok := f.measure(u.kind, u.code); return ok }) || r.countsPlainly(f, q.value)) {
			q.about = f // "16 gb ram"
			i += n
		} else if r.is(i, word) && !r.used[i] {
			if a := r.d.cues.aspects[r.items[i].text]; a != "" && (q.units[0].kind != money || r.d.hasAspect(a)) {
				q.aspect = a
				i++ // "2 m wide"; a "jacket under 50 euros warm" is a warm one
			}
		}
	}
	if len(q.units) == 0 && q.about == nil && num.isYear() {
		year := day{year: int(q.value)}
		q.timed, q.yearlike, q.first, q.last = true, true, year, year
	}
	if len(q.units) == 0 && q.about == nil && !q.yearlike {
		j := i
		if r.gluedDash(j) && r.is(j+1, word) && r.items[j+1].glued {
			j++ // a 3-bedroom house
		}
		if f, n := r.mention(j, Number); n > 0 {
			if _, ok := f.measure(years, ""); ok {
				q.units = []unit{r.d.cues.byCode["yr"]} // so many of them: "40 year old"
			} else {
				q.about = f
			}
			i = j + n
		}
	}
	if len(q.units) == 0 && q.about == nil && !q.yearlike && r.is(i, word) && !r.used[i] {
		if f := r.plainlyOf(r.d.cues.aspects[r.items[i].text]); f != nil && r.isAmong(f, q.value) {
			q.about = f // "200 wide"
			i++
		}
	}
	if num.kind != number && !r.writes(at, i, &num, &q) {
		return q, 0
	}
	return q, i - at
}

// isYear tells whether a number may be a year: four digits.
func (it *item) isYear() bool {
	return it.whole && len(it.text) == 4 && it.value >= 1000 && it.value < 2200
}

// scaleAt is what a word at an item multiplies the number before it by, and whether more of the number may
// follow, as in scripts without spaces; 0 if it is no such word.
func (r *reader) scaleAt(i int) (scale float64, more bool) {
	if !r.is(i, word) {
		return 0, false
	}
	text := r.items[i].text
	if scale = r.d.cues.scales[text]; scale == 0 || loneLetter(text) && !r.items[i].glued {
		return 0, false
	}
	return scale, Unspaced(text)
}

// myriad is the power of ten at which East Asian numbers begin anew: 2千万 is 2000 times that.
const myriad = 10000

// scaled multiplies a number by the words behind it, and adds what follows them of smaller ones where it is
// written so: "2천만", "1천5백만", "3억 5천만원", "1万5000円". It returns their items.
func (r *reader) scaled(at int, q *quantity) (n int) {
	whole, part, digits := 0., 0., q.value // of those multiplied by 10,000 or more, and by less
	i, last := at, 0.
	for {
		if scale, more := r.scaleAt(i); scale > 0 {
			if digits == 0 && i > at && (scale < myriad || part == 0) {
				digits = 1 // 1억천만
			}
			if scale < myriad {
				part += digits * scale
			} else {
				whole += (part + digits) * scale
				part = 0
			}
			digits, last = 0, scale
			q.scale = max(q.scale, scale)
			if i++; more {
				continue
			}
			break
		}
		if i == at || digits > 0 || !r.is(i, number) || !r.items[i].whole || r.items[i].value >= last {
			break
		}
		scale, _ := r.scaleAt(i + 1)
		if u, _ := r.unitsAt(i+1, true); !r.items[i].glued && (scale == 0 || scale >= last) && (len(u) == 0 || u[0].kind != money) {
			break
		}
		digits = r.items[i].value
		i++
	}
	if num := &r.items[max(i-1, 0)]; i > at && digits > 0 && digits < 10 && num.kind == number && num.glued && last >= 100 {
		digits *= last / 10 // 1万5 is 15,000
	}
	if i > at {
		q.value = whole + part + digits
	}
	return i - at
}

// band reads what makes an amount of money all those from it to the next with as many digits that are not 0:
// "3万円台" are 30,000 to 39,999. It returns its items and the end.
func (r *reader) band(at int, q *quantity) (n int, end float64) {
	if n = r.of(cueBand, at); n == 0 || len(q.units) == 0 || q.units[0].kind != money || q.value < 1 || q.value != math.Trunc(q.value) {
		return 0, 0
	}
	step := 1.
	for math.Mod(q.value, 10*step) == 0 {
		step *= 10
	}
	return n, q.value + step
}

// loneLetter tells whether a word is one letter, as prepositions are: "40к", but "2 к 1". An ideograph is more.
func loneLetter(text string) bool {
	first, n := utf8.DecodeRuneInString(text)
	return n == len(text) && !unspaced(first)
}

// isPlus tells whether an item is the plus of "4+". That of a flat of "2+1" rooms is none.
func (r *reader) isPlus(i int) bool {
	return r.isSymbol(i, "+") && r.items[i].glued && !(r.is(i+1, number) && r.items[i+1].glued)
}

// writes tells whether a number that is written as a word, or a fraction, is one of what stands behind it:
// of people, times or what a field counts, "two bedrooms", and not "1/2 price", "five dollars". A large one
// that ends the query, before an item, may be compared by itself: "до миллиона".
func (r *reader) writes(at, end int, num *item, q *quantity) bool {
	if len(q.units) == 0 {
		return r.compare && num.value >= leastAmount && end == len(r.items) || r.is(at, word) && q.about != nil && r.isAmong(q.about, q.value)
	}
	return !r.is(at, word) || num.value >= leastWritten || slices.ContainsFunc(q.units, func(u unit) bool { return u.kind == people || u.kind == duration })
}

// countsPlainly tells whether a field does not say what it is counted in, and has values around one.
func (r *reader) countsPlainly(f *field, value float64) bool {
	return f.Type == Number && len(f.measures) == 0 && r.isAmong(f, value)
}

// added adds what follows of a smaller unit of the same kind, "1 hour 30 minutes", "5 ft 10 in", and
// returns its items.
func (r *reader) added(at int, q *quantity) (n int) {
	first := q.units[0]
	if first.kind != "duration" && first.kind != "length" && first.kind != "mass" {
		return 0
	}
	i := at + r.of(cueAnd, at)
	if !r.is(i, number) || r.items[i].bad {
		return 0
	}
	u, n := r.unitsAt(i+1, true)
	if len(u) != 1 || u[0].kind != first.kind || r.items[i].value*u[0].size >= first.size {
		return 0
	}
	q.value += r.items[i].value * u[0].size / first.size
	return i + 1 + n - at
}

// million is what m stands for where no length is counted.
const million = 1e6

// leastWritten is the least number that is one of anything where it is written as a word.
const leastWritten = 100

// decade makes a decade of a number if the item behind it says so.
func (r *reader) decade(at int, q *quantity, num *item) (n int) {
	if !num.whole || len(num.text) != 4 && len(num.text) != 2 || int(num.value)%10 != 0 || len(q.units) > 0 || q.plus {
		return 0
	}
	i := at
	if r.isSymbol(i, "-") {
		i++
	}
	c, n := r.cue(i, func(c *cue) bool { return c.kind == cueDecade })
	if c == nil || !r.items[i].glued && len(c.words) == 1 {
		return 0
	}
	q.setDecade(int(num.value))
	return i + n - at
}

// setDecade makes q the ten years from one on. Of two digits, those up to 10
// are of this century.
func (q *quantity) setDecade(year int) {
	switch {
	case year < 20:
		year += 2000
	case year < 100:
		year += 1900
	}
	years := 10
	if year%100 == 0 && year < 2000 {
		years = 100 // the 1800s
	}
	q.timed, q.yearlike, q.decade = true, false, true
	q.first, q.last = day{year: year}, day{year: year + years - 1}
}

// unitsAt returns the units that one item or two may be, and how many. Behind a number,
// words that are filler, too, such as in and a, have to stand close to it, but for those
// that are nothing else there.
func (r *reader) unitsAt(i int, behind bool) (units []unit, n int) {
	if !r.is(i, word) && !r.is(i, symbol) {
		return nil, 0
	}
	it := &r.items[i]
	if it.kind == word && r.d.cues.unitHeads[it.text] && r.is(i+1, word) {
		if u := r.d.cues.units[it.text+" "+r.items[i+1].text]; len(u) > 0 {
			return u, 2
		}
	}
	if point := r.isSymbol(i+1, ".") && r.items[i+1].glued; it.kind == word && r.d.cues.unitHeads[it.text] && (point || r.gluedDash(i+1)) && r.is(i+2, word) {
		u := r.d.cues.units[it.text+" "+r.items[i+2].text]
		if len(u) == 0 && point {
			u = r.d.cues.units[it.text+"."+r.items[i+2].text]
		}
		if len(u) > 0 {
			return u, 3 // 3-year-olds, sq. ft, л.с.
		}
	}
	u := r.d.cues.units[it.text]
	if len(u) == 0 || it.kind == word && behind && !it.glued && r.d.cues.stops[it.text] && !r.d.cues.firmUnits[it.text] {
		return nil, 0
	}
	return u, 1
}

// date reads a date that says more than a year: 2015-05-01, 1.5.2015, May
// 2015, 1 May 2015, May 1, 2015.
func (r *reader) date(at int) (q quantity, n int) {
	set := func(d day, n int) (quantity, int) {
		if d.month < 1 || d.month > 12 || d.day < 0 || d.day > daysOf(d.year, d.month) || d.year < 1000 || d.year > 2199 {
			return quantity{}, 0
		}
		return quantity{timed: true, first: d, last: d}, n
	}
	if m := r.month(at); m > 0 {
		if y, ok := r.whole(at+1, 4); ok {
			return set(day{y, m, 0}, 2)
		}
		d, ok := r.whole(at+1, 2)
		i := at + 2 + r.ordinal(at+2)
		if r.isSymbol(i, ",") {
			i++
		}
		if y, yes := r.whole(i, 4); ok && yes && d > 0 {
			return set(day{y, m, d}, i+1-at)
		}
		return q, 0
	}
	if d, ok := r.whole(at, 2); ok && d > 0 {
		i := at + 1
		if !r.isSymbol(i, ".") {
			i += r.ordinal(i)
		}
		for r.isSymbol(i, ".") || r.is(i, word) && (r.items[i].text == "de" || r.items[i].text == "of") {
			i++ // 1. Mai, 1 de mayo
		}
		if m := r.month(i); m > 0 {
			if i++; r.is(i, word) && r.items[i].text == "de" {
				i++
			}
			if y, ok := r.whole(i, 4); ok {
				return set(day{y, m, d}, i+1-at)
			}
		}
	}
	if y, ok := r.whole(at, 4); ok && r.gluedDash(at+1) {
		m, ok := r.whole(at+2, 2)
		if !ok || len(r.items[at+2].text) != 2 {
			return q, 0
		}
		if d, ok := r.whole(at+4, 2); ok && r.gluedDash(at+3) && d > 0 {
			return set(day{y, m, d}, 5)
		}
		return set(day{y, m, 0}, 3)
	}
	if r.is(at, number) && r.items[at].bad {
		if d, ok := dotted(r.items[at].text); ok {
			return set(d, 1)
		}
	}
	return q, 0
}

// dotted reads a date such as 1.5.2015.
func dotted(text string) (d day, ok bool) {
	parts := [3]int{}
	n, digits := 0, 0
	for _, c := range []byte(text) {
		switch {
		case c == '.' && digits > 0 && n < 2:
			n, digits = n+1, 0
		case c >= '0' && c <= '9' && digits < 4:
			parts[n] = parts[n]*10 + int(c-'0')
			digits++
		default:
			return d, false
		}
	}
	return day{parts[2], parts[1], parts[0]}, n == 2 && digits == 4 && parts[0] > 0
}

func (r *reader) month(i int) int {
	if !r.is(i, word) {
		return 0
	}
	return r.d.cues.months[r.items[i].text]
}

// whole reads an integer: of four digits, or of one or two.
func (r *reader) whole(i, digits int) (int, bool) {
	if !r.is(i, number) || !r.items[i].whole {
		return 0, false
	}
	n := len(r.items[i].text)
	return int(r.items[i].value), n == digits || digits == 2 && n == 1
}

func (r *reader) gluedDash(i int) bool { return r.isSymbol(i, "-") && r.items[i].glued }
