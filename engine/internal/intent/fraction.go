package intent

import "unicode/utf8"

// numeral reads a number: digits, or what takes a unit and is told as a symbol: a fraction or a
// word for a number.
func (r *reader) numeral(at int) (num item, n int) {
	if value, n := r.fraction(at); n > 0 {
		return item{kind: symbol, value: value}, n
	}
	if c, n := r.cue(at, func(c *cue) bool { return c.kind == cueNumeral }); c != nil {
		return item{kind: symbol, value: c.amount}, n
	}
	if !r.is(at, number) || r.items[at].bad || r.denominates(at) || r.signed(at) {
		return num, 0
	}
	if value, n := r.fraction(at + 1); n > 0 && r.items[at].whole {
		return item{kind: symbol, value: r.items[at].value + value}, 1 + n
	}
	return r.items[at], 1
}

// fraction reads 1/2 or ½, and returns the number of its items.
func (r *reader) fraction(at int) (value float64, n int) {
	switch {
	case r.denominates(at + 2):
		return r.items[at].value / r.items[at+2].value, 3
	case r.is(at, symbol):
		if value = vulgar(r.items[at].text); value > 0 {
			return value, 1
		}
	}
	return 0, 0
}

// vulgar is the value of a symbol for a fraction; 0 if it is none.
func vulgar(symbol string) float64 {
	switch symbol {
	case "½":
		return 1. / 2
	case "⅓":
		return 1. / 3
	case "⅔":
		return 2. / 3
	case "¼":
		return 1. / 4
	case "¾":
		return 3. / 4
	case "⅛":
		return 1. / 8
	case "⅜":
		return 3. / 8
	case "⅝":
		return 5. / 8
	case "⅞":
		return 7. / 8
	}
	return 0
}

// denominates tells whether an item is the lower number of a fraction.
func (r *reader) denominates(i int) bool {
	if i < 2 || !r.is(i, number) || !r.items[i].glued || !r.isSymbol(i-1, "/") || !r.items[i-1].glued || !r.is(i-2, number) {
		return false
	}
	over, under := &r.items[i-2], &r.items[i]
	return over.whole && under.whole && 0 < over.value && over.value < under.value && !r.counts(i+1)
}

// counts tells whether an item is a unit of which there are no parts: 4/5 people are four or five.
func (r *reader) counts(i int) bool {
	u, _ := r.unitsAt(i, true)
	return len(u) > 0 && u[0].kind == people
}

// signed tells whether a minus stands before a number, and no number before that: nothing is
// counted below zero.
func (r *reader) signed(at int) bool {
	return at > 0 && r.items[at].glued && r.isSymbol(at-1, "-") && !r.items[at-1].glued && (at < 2 || !r.is(at-2, number))
}

// torn tells whether a number is the beginning of something else that stands there without a
// space: 1e999, 1/0, 0x10, 1000pc.
func (r *reader) torn(i int) bool {
	if i >= len(r.items) || !r.items[i].glued {
		return false
	}
	it := &r.items[i]
	if it.kind == word {
		return it.text[0] < utf8.RuneSelf && it.cues == nil
	}
	return r.isSymbol(i, "/") && r.is(i+1, number) && r.items[i+1].glued && !r.counts(i+2)
}
