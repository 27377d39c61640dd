package intent

// numeral reads a number: digits, or what takes a unit and is told as a symbol: a fraction or a
// word for a number.
func (r *reader) numeral(at int) (num item, n int) {
	if value, n := r.fraction(at); n > 0 {
		return item{kind: symbol, value: value}, n
	}
	if c, n := r.cue(at, func(c *cue) bool { return c.kind == cueNumeral }); c != nil {
		return item{kind: symbol, value: c.amount}, n
	}
	if !r.is(at, number) || r.items[at].bad || r.denominates(at) {
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
	return over.whole && under.whole && 0 < over.value && over.value < under.value
}
