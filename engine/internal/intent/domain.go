package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
)

// FieldType is what kind of values a field has.
type FieldType uint8

// Field types.
const (
	Number   FieldType = iota
	Date               // compared with dates
	Bool               // understood by its name
	Category           // values that a Vocabulary knows
)

// Field is a field that a query may speak of.
type Field struct {
	Name  string // dots lead into objects
	Type  FieldType
	Units []string // of a Number: what its values are counted in, before what its name says
}

// Hint gives words a meaning.
type Hint struct {
	Words  []string // each one or several words that mean it
	Filter query.Node
	Boost  bool // the part is not certain
}

// Domain is what the queries of an index can speak of. It is immutable and
// safe for concurrent use.
type Domain struct {
	cues       *Cues
	fields     []field
	measuring  map[kindOfUnit][]int // the fields that measure a kind, or may
	mentions   phrases              // names of fields
	flags      phrases              // what yes-or-no fields are about: see mentionFlag
	contraries phrases              // words for yes-or-no fields that say that they are not so
	zeros      phrases              // words for fields of numbers that say that these are 0
	hints      phrases
	meanings   []Hint
	numbers    bool // there are fields of numbers or dates
	limits     bool // some of them are maxima or minima
	has        [Category + 1]bool

	inflected map[string][]int // fields with names of one word, by the word without its ending
	heads     [256]bool        // the first bytes of names, and of inflected
}

// field is a Field and what it measures.
type field struct {
	Field
	measures   []measure
	limit      bool     // its name says that it is a maximum or minimum
	words      []string // of its name
	total      bool     // its name says that it is all of something, of which other fields are parts
	maybeYears bool     // of numbers that may be years, if all of them look so: published
	per        bool     // its values are those in 100 g or ml of something
	end        int      // of two fields from the least to the most of something: -1 the first, 1 the second
	aspects    []string // of things, that its name says it is
}

// measure is a kind of unit that a field counts.
type measure struct {
	kind kindOfUnit
	code string  // of the field's unit; of money, the currency, "" for any
	size float64 // of the field's unit; 0 if that is not known, and a number is taken as it is
	rank int     // how sure this is: see the ranks
	most bool    // it is what most fields of the name are counted in, and may be otherwise
}

// The ranks of what a field measures.
const (
	byPart = iota + 1 // a word of its name says so
	byName            // its whole name says so, or the unit that it ends in
	byHint            // a hint says so
)

// KnownUnit tells whether a word is a unit in some language: what a hint may
// give as the unit of a field.
func KnownUnit(word string) bool {
	c := NewCues(Languages()...)
	return len(c.units[foldWord(word)]) > 0
}

// NewDomain returns the domain of some fields. Fields of which two have one
// name count once, and not at all if their types differ.
func NewDomain(cues *Cues, fields []Field, hints []Hint) *Domain {
	d := &Domain{cues: cues, mentions: phrases{}, flags: phrases{}, contraries: phrases{}, zeros: phrases{}, hints: phrases{}, meanings: hints, inflected: map[string][]int{}}
	for i, f := range fields {
		same := func(o Field) bool { return o.Name == f.Name }
		if slices.ContainsFunc(fields[:i], same) || slices.ContainsFunc(fields[i+1:], func(o Field) bool { return same(o) && o.Type != f.Type }) {
			continue
		}
		words, per := withoutPer(cues, nameWords(f.Name))
		measured, end := words, cues.endOf(fields, f)
		least := end < 0 || cues.leastOf(words)
		if least {
			measured = append([]string{"min"}, words[:len(words)-1]...) // salary_min is no number of minutes
		}
		n := len(d.fields)
		d.fields = append(d.fields, field{
			Field: f, words: words, per: per, measures: cues.measures(f, measured), limit: cues.limits(measured), total: cues.tells(cues.parts(words), "total"),
			end: end, aspects: cues.aspectsOf(words),
		})
		d.fields[n].maybeYears = f.Type == Number && len(d.fields[n].measures) == 0 && (cues.tells(words, "prime") || slices.ContainsFunc(words, func(w string) bool {
			return cues.names[w] == dates || cues.names[w] == years || cues.done[w]&doneThen != 0
		}))
		d.limits = d.limits || d.fields[n].limit
		d.numbers = d.numbers || f.Type == Number || f.Type == Date
		d.has[f.Type] = true
		d.mentions.add(strings.Join(words, " "), n)
		if len(words) == 2 && (f.Type == Number || f.Type == Date) {
			for link := range cues.links() {
				d.mentions.add(words[0]+" "+link+" "+words[1], n) // "temps de cuisson" of temps_cuisson
			}
		}
		if len(words) == 1 {
			base := cues.Base(words[0])
			d.inflected[base] = append(d.inflected[base], n)
		}
		switch {
		case f.Type == Bool:
			d.mentionFlag(words, n)
		case f.Type != Number || len(words) < 2 || least:
		case lastUnit(cues, words) != nil:
			d.mentions.add(strings.Join(words[:len(words)-1], " "), n)
			if len(words) == 2 {
				base := cues.Base(words[0])
				d.inflected[base] = append(d.inflected[base], n)
			}
		case firstUnit(cues, words) != nil:
			d.mentions.add(strings.Join(words[1:], " "), n)
		}
	}
	d.listMeasuring()
	d.callOtherwise()
	for name := range d.mentions {
		d.heads[head(name)] = true
	}
	for base := range d.inflected {
		d.heads[head(base)] = true
	}
	for i, h := range hints {
		for _, w := range h.Words {
			key, _ := cues.Key(nil, w)
			d.hints.add(string(key), i)
		}
	}
	return d
}

// listMeasuring notes which fields measure what: indexes of products have hundreds of numbers.
func (d *Domain) listMeasuring() {
	d.measuring = map[kindOfUnit][]int{}
	for i := range d.fields {
		f := &d.fields[i]
		add := func(kind kindOfUnit) {
			if list := d.measuring[kind]; len(list) == 0 || list[len(list)-1] != i {
				d.measuring[kind] = append(list, i)
			}
		}
		for _, m := range f.measures {
			add(m.kind)
		}
		if f.maybeYears {
			add(years)
		}
	}
}

// head is the first byte of a word; 0 if it has none.
func head(word string) byte {
	if word == "" {
		return 0
	}
	return word[0]
}

// Kinds returns the names of the fields whose values say what kind of thing a record is, those
// named "category" and the like.
func (d *Domain) Kinds() (names []string) {
	for i := range d.fields {
		if f := &d.fields[i]; f.Type == Category && d.cues.names[strings.Join(nameWords(f.Name), " ")] == kinds {
			names = append(names, f.Name)
		}
	}
	return names
}

// Empty tells whether there is nothing that queries can speak of.
func (d *Domain) Empty() bool { return len(d.fields)+len(d.hints) == 0 }

// nameWords returns the words of the last part of a field's name, folded. A
// single letter in front, as some systems mark types, is left out.
func nameWords(name string) []string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsMark(r) || digit(r) >= 0 {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
		before = r
	}
	words := strings.Fields(b.String())
	for i := range words {
		words[i] = foldWord(words[i])
	}
	if len(words) > 1 && len(words[0]) == 1 {
		words = words[1:]
	}
	return words
}

// withoutPer returns the words of a name without the end that says in how much of something an amount is:
// protein of protein_100g, which is counted in grams unless the name says otherwise.
func withoutPer(c *Cues, words []string) (without []string, per bool) {
	n := len(words)
	if n < 2 || words[n-1] != "100g" && words[n-1] != "100ml" {
		return words, false
	}
	if words = slices.Clone(words[:n-1]); len(words) > 1 && slices.Contains(c.nameTells[words[len(words)-1]], "per") {
		words = words[:len(words)-1]
	}
	if u := lastUnit(c, words); u == nil {
		words = append(words, "g")
	}
	return words, true
}

// parts cuts words of a name that are joined of several, so far as is known what they end in.
func (c *Cues) parts(words []string) []string {
	out := make([]string, 0, len(words)+1)
	for _, w := range words {
		front := w
		for _, end := range c.joined {
			if f, ok := strings.CutSuffix(w, end); ok && utf8.RuneCountInString(f) >= leastFront && len(f) < len(front) {
				front = f
			}
		}
		if out = append(out, front); len(front) < len(w) {
			out = append(out, w[len(front):])
		}
	}
	return out
}

// leastFront is how many letters stand before what a joined word ends in: a Schalter is no age.
const leastFront = 4

// lastUnit returns the unit that a name ends in, or is: minutes. A name that
// is a letter, a cue (min) or the word for a year is none.
func lastUnit(c *Cues, words []string) *unit {
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	if len(words) == 1 && (utf8.RuneCountInString(last) < 2 || len(c.byFirst[last]) > 0 || c.names[last] == years) {
		return nil
	}
	if list := c.units[last]; len(list) > 0 {
		return &list[0]
	}
	return nil
}

// firstUnit returns the unit of time that a name begins with: years_experience.
func firstUnit(c *Cues, words []string) *unit {
	if len(words) < 2 || utf8.RuneCountInString(words[0]) < 4 {
		return nil
	}
	for i, u := range c.units[words[0]] {
		if u.kind == "age" || u.kind == "ages" || u.kind == "duration" {
			return &c.units[words[0]][i]
		}
	}
	return nil
}

// mentionFlag adds what a yes-or-no field is about, if its name says more: "pets" of
// pets_allowed, "garden" of has_garden. It is spoken of where the query says so: "with garden",
// "no pets". By itself it is a thing like others: a mouse is not wanted because of
// mouse_included.
func (d *Domain) mentionFlag(words []string, n int) {
	if len(words) > 1 && d.cues.flagIs[words[0]] {
		words = words[1:] // is_remote is spoken of as remote is
		d.mentions.add(strings.Join(words, " "), n)
		if len(words) == 1 {
			base := d.cues.Base(words[0])
			d.inflected[base] = append(d.inflected[base], n)
		}
	}
	if short := d.cues.flagAbout(words); len(short) < len(words) {
		d.addFlag(strings.Join(short, " "), n)
	}
}

// addFlag adds what a yes-or-no field is about.
func (d *Domain) addFlag(about string, n int) {
	d.flags.add(about, n)
	if !strings.Contains(about, " ") {
		d.flags.add(d.cues.Base(about), n)
	}
}

// flagAbout returns the words of the name of a yes-or-no field that say what it is about.
func (c *Cues) flagAbout(words []string) []string {
	for len(words) > 1 && (c.flagBefore[words[0]] || c.flagIs[words[0]]) {
		words = words[1:]
	}
	for len(words) > 1 && c.flagAfter[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}

// leastOf tells whether a name that ends in min is of the least of what is not counted in minutes: age_min.
func (c *Cues) leastOf(words []string) bool {
	last := len(words) - 1
	if last < 1 || words[last] != "min" {
		return false
	}
	kind := c.names[strings.Join(words[:last], " ")]
	return kind == age || kind == people
}

// limits tells whether the words of a name, without the unit that it ends in, say that it is
// the most or least of something: max_kg.
func (c *Cues) limits(words []string) bool {
	if lastUnit(c, words) != nil {
		words = words[:len(words)-1]
	}
	return c.anyCue(c.parts(words), func(q *cue) bool {
		return q.kind == cueBefore && q.kindOfUnit == "" || q.kind == cueFrom || q.kind == cueTo
	})
}

// anyCue tells whether one of some words is by itself a cue that is ok.
func (c *Cues) anyCue(words []string, ok func(*cue) bool) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(c.byFirst[w], func(q cue) bool { return len(q.words) == 1 && ok(&q) })
	})
}

// aspectsOf returns the aspects of things that a name speaks of.
func (c *Cues) aspectsOf(words []string) (out []string) {
	for _, w := range c.parts(words) {
		if a := c.aspects[w]; a != "" {
			out = append(out, a)
		}
	}
	return out
}

// hasAspect tells whether there is a field of an aspect of things.
func (d *Domain) hasAspect(aspect string) bool {
	return slices.ContainsFunc(d.fields, func(f field) bool { return slices.Contains(f.aspects, aspect) })
}

// measures returns what a field counts.
func (c *Cues) measures(f Field, words []string) (out []measure) {
	if f.Type != Number && f.Type != Date {
		return nil
	}
	add := func(u unit, rank int) {
		m := measure{kind: u.kind, code: u.code, size: u.size, rank: rank}
		if u.code == "cent" || u.code == "kr" {
			m.code = "" // of several currencies
		}
		if !slices.ContainsFunc(out, func(o measure) bool { return o.kind == m.kind && o.rank >= rank && rank < byHint }) {
			out = append(out, m)
		}
	}
	if f.Type == Number {
		for _, w := range f.Units {
			for _, u := range c.units[foldWord(w)] {
				add(u, byHint)
			}
		}
		if u := lastUnit(c, words); u != nil {
			add(*u, byName)
		} else if u := firstUnit(c, words); u != nil {
			add(*u, byName)
		} else if u, ok := c.unitsByName[strings.Join(words, " ")]; ok {
			before := len(out)
			if add(u, byName); len(out) > before {
				out[before].most = true
			}
		}
	}
	named := func(name string, rank int) {
		switch kind := c.names[name]; {
		case kind == "":
		case f.Type == Date && (kind == dates || kind == years):
			add(unit{kind: years, size: 1}, rank)
		case kind == rating && len(c.whatCounted(words)) < len(words): // ratings_count
		case f.Type == Number && (kind == money || kind == rating || kind == years):
			add(unit{kind: kind, size: 1}, rank)
		case kind == people && len(out) > 0: // capacity_l
		case f.Type == Number && kind != dates && kind != kinds:
			add(unit{kind: kind}, rank)
		}
	}
	named(strings.Join(words, " "), byName)
	for _, w := range c.parts(words) {
		if u, ok := c.unitsByName[w]; ok && f.Type == Number {
			add(u, byPart)
		}
		named(w, byPart)
	}
	if f.Type == Date && len(out) == 0 {
		add(unit{kind: years, size: 1}, byPart)
	}
	return out
}

// measure returns how a field counts a unit.
func (f *field) measure(kind kindOfUnit, code string) (best measure, ok bool) {
	for _, m := range f.measures {
		if m.kind == kind && m.rank > best.rank && (kind != money || m.code == "" || code == "" || m.code == code) {
			best, ok = m, true
		}
	}
	return best, ok
}

// of returns a number of a unit in that of the field.
func (m *measure) of(value float64, u *unit) float64 {
	if m.size == 0 {
		return value
	}
	return value * u.size / m.size
}

// phrases finds phrases by their words, which are joined by a space. Several
// may have the same words.
type phrases map[string]*phrase

type phrase struct {
	numbers []int
	longest int // of a single word: the words of the longest phrase that begins with it
}

func (p phrases) at(key string) *phrase {
	if p[key] == nil {
		p[key] = &phrase{}
	}
	return p[key]
}

func (p phrases) add(text string, n int) {
	if text == "" {
		return
	}
	entry := p.at(text)
	if slices.Contains(entry.numbers, n) {
		return
	}
	entry.numbers = append(entry.numbers, n)
	words := strings.Count(text, " ") + 1
	first, _, _ := strings.Cut(text, " ")
	head := p.at(first)
	head.longest = max(head.longest, words)
}

// find returns the numbers of the longest phrase that words begin with, and its
// length.
func (p phrases) find(words []string) ([]int, int) {
	if len(p) == 0 || len(words) == 0 {
		return nil, 0
	}
	head := p[words[0]]
	if head == nil {
		return nil, 0
	}
	for n := min(head.longest, len(words)); n > 0; n-- {
		if e := p[strings.Join(words[:n], " ")]; e != nil && len(e.numbers) > 0 {
			return e.numbers, n
		}
	}
	return nil, 0
}
