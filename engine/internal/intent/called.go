package intent

import "strings"

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

// called is a phrase that a field of a name, or of its singular or plural, is called by.
type called struct{ name, phrase string }

// callOtherwise lets such words name the fields. Names of other fields stay theirs.
func (d *Domain) callOtherwise() {
	for n := range d.fields {
		f := &d.fields[n]
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
		for _, c := range d.cues.calls {
			if name := strings.Join(words, " "); c.name == name || len(words) == 1 && d.cues.Base(c.name) == d.cues.Base(name) {
				d.call(c.phrase, n)
			}
		}
	}
}

// call lets a phrase name a field, unless it names another one.
func (d *Domain) call(phrase string, n int) {
	if e := d.mentions[phrase]; e != nil && len(e.numbers) > 0 {
		return
	}
	if !strings.Contains(phrase, " ") {
		base := d.cues.Base(phrase)
		if len(d.inflected[base]) > 0 {
			return
		}
		d.inflected[base] = append(d.inflected[base], n)
	}
	d.mentions.add(phrase, n)
}

// called returns the field of numbers that a phrase names; nil if there is none, or several.
func (d *Domain) called(phrase string) *field {
	e := d.mentions[phrase]
	if e == nil || len(e.numbers) != 1 || d.fields[e.numbers[0]].Type != Number {
		return nil
	}
	return &d.fields[e.numbers[0]]
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

// among returns the field of numbers that is no amount of anything and alone has values around
// one; nil if there is none, or several.
func (r *reader) among(value float64) (found *field) {
	for i := range r.d.fields {
		f := &r.d.fields[i]
		if f.Type != Number || len(f.measures) > 0 || f.limit {
			continue
		}
		if least, greatest, known := r.span(f); !known || value < least || value > greatest {
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
