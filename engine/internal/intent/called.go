package intent

import (
	"iter"
	"slices"
	"strings"
)

// Fields of numbers are spoken of by other words than their names: by what they count, "over
// 500 reviews" of num_reviews, and by what it is called, "1 million inhabitants" of population.

// countWord is what a word of a field's name may say of the others, a set of flags.
type countWord uint8

const (
	countsBehind countWord = 1 << iota // num_reviews
	countsBefore                       // review_count; a house_number counts no houses
	countLink                          // number_of_employees
)

var countWords = map[string]countWord{"before": countsBehind, "after": countsBefore, "of": countLink}

// links yields the words that stand between those of a name: of.
func (c *Cues) links() iter.Seq[string] {
	return func(yield func(string) bool) {
		for w, what := range c.counts {
			if what&countLink != 0 && len(w) > 1 && !yield(w) {
				return
			}
		}
	}
}

// called is a phrase that a field of a name, or of its singular or plural, is called by.
type called struct{ name, phrase string }

// callOtherwise lets such words name the fields. Names of other fields stay theirs.
func (d *Domain) callOtherwise() {
	for n := range d.fields {
		f := &d.fields[n]
		if f.Type == Bool {
			d.callFlag(n)
		}
		if f.Type != Number {
			continue
		}
		words := nameWords(f.Name)
		if len(f.measures) == 0 {
			if counted := d.cues.whatCounted(words); len(counted) < len(words) {
				words = counted
				d.call(strings.Join(words, " "), n)
			}
		}
		measured := words
		if len(words) > 1 && lastUnit(d.cues, words) != nil {
			measured = words[:len(words)-1] // mileage_km
		}
		for _, c := range d.cues.calls {
			if d.cues.isCalled(words, c.name) || d.cues.isCalled(measured, c.name) {
				d.call(c.phrase, n)
			}
		}
		for _, c := range d.cues.zeros {
			if d.cues.isCalled(words, c.name) {
				d.zeros.add(c.phrase, n)
			}
		}
	}
}

// callFlag lets words name a yes-or-no field, and other ones what it is about.
func (d *Domain) callFlag(n int) {
	words := d.fields[n].words
	short := d.cues.flagAbout(words)
	is := func(c *called) bool { return d.cues.isCalled(words, c.name) || d.cues.isCalled(short, c.name) }
	for _, c := range d.cues.calls {
		if is(&c) {
			d.call(c.phrase, n)
		}
	}
	for _, c := range d.cues.contraries {
		if is(&c) {
			d.contraries.add(c.phrase, n)
		}
	}
	for _, c := range d.cues.abouts {
		if is(&c) {
			d.addFlag(c.phrase, n)
		}
	}
}

// isCalled tells whether the words of a field's name are a name, or the singular or plural of it.
func (c *Cues) isCalled(words []string, name string) bool {
	called := strings.Join(words, " ")
	return name == called || len(words) == 1 && c.Base(name) == c.Base(called)
}

// call lets a phrase name a field, unless it names another one.
func (d *Domain) call(phrase string, n int) {
	if e := d.mentions[phrase]; e != nil && len(e.numbers) > 0 {
		return
	}
	if !strings.Contains(phrase, " ") {
		base := d.cues.Base(phrase)
		switch of := d.inflected[base]; {
		case len(of) == 0:
			d.inflected[base] = append(d.inflected[base], n)
		case slices.ContainsFunc(of, func(i int) bool { return d.fields[i].Type == d.fields[n].Type }):
			return
		}
	}
	d.mentions.add(phrase, n)
}

// called returns the field of numbers that a phrase names; nil if there is none, or several.
func (d *Domain) called(phrase string) *field {
	numbers := d.inflected[d.cues.Base(phrase)]
	if e := d.mentions[phrase]; e != nil && len(e.numbers) > 0 {
		numbers = e.numbers
	}
	if len(numbers) != 1 || d.fields[numbers[0]].Type != Number {
		return nil
	}
	return &d.fields[numbers[0]]
}

// whatCounted returns the words of a name that say what is counted: reviews of num_reviews,
// employees of number_of_employees. All of them if none would be left.
func (c *Cues) whatCounted(words []string) []string {
	from, to := 0, len(words)
	for from < to && (c.counts[words[from]]&countsBehind != 0 || from > 0 && c.counts[words[from]]&countLink != 0) {
		from++
	}
	for to > from && c.counts[words[to-1]]&countsBefore != 0 {
		to--
	}
	if from == to {
		return words
	}
	return words[from:to]
}

// endOf tells which end a field is of what two fields span, -1 salary_min, 1 salary_max; 0 if it is none,
// as the minutes of prep_min are.
func (c *Cues) endOf(fields []Field, f Field) int {
	words := nameWords(f.Name)
	last := len(words) - 1
	if last < 1 {
		return 0
	}
	for _, at := range [...]int{last, 0} { // salary_min, min_salary
		rest := func(words []string) []string { return slices.Delete(slices.Clone(words), at, at+1) }
		end := c.saysEnd(words[at])
		if end != 0 && len(c.measures(f, rest(words))) > 0 && slices.ContainsFunc(fields, func(o Field) bool {
			other := nameWords(o.Name)
			return len(other) == len(words) && c.saysEnd(other[at]) == -end && slices.Equal(rest(other), rest(words))
		}) {
			return end
		}
	}
	return 0
}

// saysEnd tells whether the last word of a name says that it is of the least, -1, or the most, 1: min, from.
func (c *Cues) saysEnd(w string) int {
	switch is := func(k cueKind) bool {
		return c.anyCue([]string{w}, func(q *cue) bool { return q.kind == k })
	}; {
	case w == "min" || is(cueFrom):
		return -1
	case w == "max" || is(cueTo):
		return 1
	}
	return 0
}

// measures tells whether a field counts one of some units.
func (r *reader) measures(units []unit) bool {
	for i := range r.d.fields {
		for _, u := range units {
			if _, ok := r.d.fields[i].measure(u.kind, u.code); ok {
				return true
			}
		}
	}
	return false
}

// among returns the field that a number is of which nothing says what it counts, the only one that has
// values around it: a large one that is no amount of anything, as in "cities over 1 million", or else an age,
// "players under 21". Nil if there is none, or several.
func (r *reader) among(q *quantity) (found *field) {
	for i := range r.d.fields {
		f := &r.d.fields[i]
		_, ok := f.measure(age, "")
		if q.scale != 0 {
			ok = f.Type == Number && len(f.measures) == 0 && q.scale >= 1000
		}
		if !ok || f.limit || !r.isAmong(f, q.value) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// link returns the items between a word such as million and what there are so many of, as
// Romance languages have them: "millions d'habitants".
func (r *reader) link(at int) int {
	if !r.is(at, word) || r.d.cues.counts[r.items[at].text]&countLink == 0 {
		return 0
	}
	i := at + 1
	if r.isSymbol(i, "'") || r.isSymbol(i, "’") {
		i++
	}
	if _, n := r.unitsAt(i, true); n > 0 {
		return i - at
	}
	if _, n := r.mention(i, Number); n > 0 {
		return i - at
	}
	return 0
}

// doing is what a word before a number may say, a set of flags.
type doing uint8

const (
	doneThen doing = 1 << iota // released, before a year
	earns                      // made, before an amount
)

var doings = map[string]doing{"done": doneThen, "earned": earns}

// isAmong tells whether a field is known to have values around one.
func (r *reader) isAmong(f *field, value float64) bool {
	least, greatest, known := r.span(f)
	return known && least <= value && value <= greatest
}

// widen adds to a part about a number or a time the words beside its items that say nothing more: what
// such things do, "released before 1990", "made over 500 million", and behind fillers a word of the
// field's name, "within 2 km of the center" of distance_to_center_km, as behind a superlative, "closest to
// the center". Other words of the name are what is looked for: "network cable at least 10 m" of
// cable_length.
func (r *reader) widen(p *Part, at, n int) (int, int) {
	if p.Denied || p.Field == "" {
		return at, n
	}
	f := r.d.field(p.Field)
	if f == nil || f.Type != Number && f.Type != Date {
		return at, n
	}
	does := func(i int) bool {
		if !r.is(i, word) || r.used[i] || r.not[i] {
			return false
		}
		_, year := r.measure(f, years, "")
		if _, money := f.measure(money, ""); (f.end != 0 || year || money) && slices.Contains(f.words, r.items[i].text) {
			return true // of salary_min and salary_max, of closing_date
		}
		does := r.d.cues.done[r.items[i].text]
		return year && does&doneThen != 0 || !year && does&earns != 0 && (len(f.measures) == 0 || f.measures[0].kind == money)
	}
	for range mostFillers {
		if p.Order == 0 && (len(r.items[at].cues) > 0 || r.is(at, number) || r.is(at, word)) && does(at-1) && !r.behindNegation(at-1) {
			at, n = at-1, n+1
		}
	}
	if f.per {
		n += r.perHundred(at + n)
	}
	if !p.Certain {
		return at, n
	}
	i := at + n
	for i < len(r.items) && i < at+n+mostFillers && r.is(i, word) && !r.used[i] && r.d.cues.stops[r.items[i].text] {
		i++
	}
	if i > at+n && r.is(i, word) && !r.used[i] && !r.not[i] && slices.Contains(f.words, r.items[i].text) {
		n = i + 1 - at
	}
	return at, n
}

// perHundred returns the items that say what all amounts of a field are in: "per 100 g".
func (r *reader) perHundred(at int) int {
	if !r.is(at, word) || !slices.Contains(r.d.cues.nameTells[r.items[at].text], "per") || !r.is(at+1, number) || r.items[at+1].value != 100 {
		return 0
	}
	if u, n := r.unitsAt(at+2, true); n > 0 && (u[0].code == "g" || u[0].code == "ml") && !slices.Contains(r.used[at:at+2+n], true) {
		return 2 + n
	}
	return 0
}

// mostFillers is how many fillers may stand before a word of a field's name behind a number.
const mostFillers = 2

// field returns the field of a name; nil if there is none.
func (d *Domain) field(name string) *field {
	i := slices.IndexFunc(d.fields, func(f field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &d.fields[i]
}
