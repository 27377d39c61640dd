package intent

import "github.com/quarry-search/quarry/engine/query"

// Months and days are said without a year where it goes without saying, as of concerts: "in
// june", "31 december". They are those of all years that records are of, if these are few.

const (
	// fewYears is of how many years records may be at most.
	fewYears = 5
	// tellingMonth is the letters of a month that may stand without what leads to it: "may" and
	// "mar" are other words as well.
	tellingMonth = 4
)

// yearless reads a month, or a day of one, without a year.
func (r *reader) yearless(at int) (p Part, n int) {
	if r.not[at] || r.behindNegation(at) {
		return p, 0
	}
	i, led := at, false
	if r.is(at, word) && r.d.cues.monthIn[r.items[at].text] {
		i, led = at+1, true
	}
	month, date, n := r.dayOfMonth(i)
	if n == 0 || r.compares(at, i+n-at) || date == 0 && !led && (len(r.items[i].text) < tellingMonth || r.d.cues.monthDoubtful[r.items[i].text]) {
		return p, 0
	}
	r.from, r.upto = at, i+n
	f, _ := r.measuringOf(years, "", nil, func(f *field) bool { return f.Type == Date })
	if f == nil {
		return p, 0
	}
	first, last, known := r.span(f)
	if !known || last-first >= fewYears {
		return p, 0
	}
	var any query.Or
	for year := int(first); year <= int(last); year++ {
		if d := (day{year, month, date}); d.day <= daysOf(year, month) {
			any.Nodes = append(any.Nodes, f.times(equal, d, d))
		}
	}
	if len(any.Nodes) == 0 {
		return p, 0
	}
	p = Part{Filter: any, Field: f.Name, Certain: led || date > 0, Ambiguous: true}
	if len(any.Nodes) == 1 {
		p.Filter = any.Nodes[0]
	}
	return p, i + n - at
}

// thisYear reads a month or a day of one, which something is compared with, as that of the only year that
// records are of: "before december 15", "10 to 20 june".
func (r *reader) thisYear(at int) (q quantity, n int) {
	if !r.compare || !r.d.has[Date] {
		return q, 0
	}
	month, date, n := r.dayOfMonth(at)
	if n == 0 {
		return q, 0
	}
	r.upto = at + n
	f, _ := r.measuringOf(years, "", nil, func(f *field) bool { return f.Type == Date })
	if f == nil {
		return q, 0
	}
	first, last, known := r.span(f)
	if d := (day{int(first), month, date}); known && first == last && date <= daysOf(d.year, month) {
		return quantity{timed: true, first: d, last: d}, n
	}
	return q, 0
}

// compares tells whether what some items say is compared with, or belongs to a list or range: "before
// june", "june or july", "10 - 20 june".
func (r *reader) compares(at, n int) bool {
	if r.of(cueFrom, at) > 0 && r.of(cueIn, at) == 0 || r.joined(at, n) {
		return true
	}
	begin := r.behindSkips(at)
	for j := max(0, begin-maxCue); j < begin; j++ {
		_, words := r.cue(j, func(c *cue) bool {
			return (c.kind == cueBefore && !c.measured || c.kind == cueBetween || c.kind == cueFrom) && len(c.words) == begin-j
		})
		if words > 0 {
			return true
		}
	}
	_, year := r.whole(at+n, 4)
	return year || r.of(cueAfter, at+n) > 0
}

// joined tells whether what stands beside some items makes them a part of a list or range.
func (r *reader) joined(at, n int) bool {
	joint := func(i int) int {
		if r.isSymbol(i, "-") || r.isSymbol(i, "–") || r.isSymbol(i, "/") {
			return 1
		}
		_, n := r.cue(i, func(c *cue) bool { return c.kind == cueTo || c.kind == cueAnd || c.kind == cueOr })
		return n
	}
	begin := r.behindSkips(at)
	for j := max(0, begin-maxCue); j < begin; j++ {
		if joint(j) == begin-j {
			return true
		}
	}
	k := joint(at + n)
	if k == 0 {
		return false
	}
	k = r.skip(at + n + k + r.of(cueIn, at+n+k))
	_, ordinal := r.cue(k, func(c *cue) bool { return c.kind == cueNth })
	return r.month(k) > 0 || r.is(k, number) || ordinal > 0
}

// behindSkips goes back over what may stand between a cue and its number.
func (r *reader) behindSkips(at int) int {
	for at > 0 && (r.of(cueSkip, at-1) == 1 || r.of(cueIn, at-1) > 0 && r.of(cueFrom, at-1) == 0) {
		at--
	}
	return at
}

// maxCue is the items of a comparative before a number at most.
const maxCue = 5

// dayOfMonth reads a month, with a day of it before or behind it or without; day is 0 then.
func (r *reader) dayOfMonth(at int) (month, day, n int) {
	if month = r.month(at); month > 0 {
		before := at
		if r.is(before-1, word) && (r.items[before-1].text == "of" || r.items[before-1].text == "de") {
			before--
		}
		before -= r.ordinal(before - 1)
		if before > 0 && r.is(before-1, number) {
			return 0, 0, 0 // of a day that was read, or of none that it has: 31 june
		}
		if d, ok := r.whole(at+1, 2); ok && d > 0 && d <= 31 {
			n := 2 + r.ordinal(at+2)
			if units, _ := r.unitsAt(at+n, true); len(units) == 0 || n > 2 {
				return month, d, n
			}
			return 0, 0, 0 // "may 2 people"
		}
		return month, 0, 1
	}
	d, ok := r.whole(at, 2)
	if !ok || d == 0 || d > 31 {
		return 0, 0, 0
	}
	i := at + 1 + r.ordinal(at+1)
	if r.is(i, word) && (r.items[i].text == "of" || r.items[i].text == "de") {
		i++
	}
	if month = r.month(i); month == 0 {
		return 0, 0, 0
	}
	return month, d, i + 1 - at
}

// ordinal returns the items of what makes an ordinal of the number before: "th", a point.
func (r *reader) ordinal(at int) int {
	if at >= 0 && at < len(r.items) && r.items[at].glued && (r.isSymbol(at, ".") || r.is(at, word) && r.d.cues.ordinals[r.items[at].text]) {
		return 1
	}
	return 0
}
