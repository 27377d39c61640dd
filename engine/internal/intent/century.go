package intent

// century reads a century: "18th century", "18. Jahrhundert", "XVIIIe siècle", "siglo XVIII".
func (r *reader) century(at int) (q quantity, n int) {
	i, number := at, 0
	if n := r.of(cueCentury, i); n > 0 {
		if !r.is(i+n, word) {
			return q, 0 // "century 21"
		}
		var items int
		if number, items = r.centuryNumber(i + n); items == 0 {
			return q, 0
		}
		i += n + items
	} else {
		var items int
		if number, items = r.centuryNumber(i); items == 0 {
			return q, 0
		}
		i += items
		if r.isSymbol(i, "-") && r.items[i].glued {
			i++ // 19th-century
		}
		n := r.of(cueCentury, i)
		if n == 0 {
			return q, 0
		}
		i += n
	}
	if r.is(i, word) && beforeChrist[r.items[i].text] {
		return q, 0
	}
	q.timed, q.decade, q.century = true, true, true
	q.first, q.last = day{year: 100 * (number - 1)}, day{year: 100*number - 1}
	if number == 1 {
		q.first.year = 1
	}
	return q, i - at
}

// centuryNumber reads the number of a century, with what makes an ordinal of it.
func (r *reader) centuryNumber(at int) (number, n int) {
	if v, ok := r.whole(at, 2); ok && v > 0 && v <= lastCentury {
		return v, 1 + r.ordinal(at+1)
	}
	if r.is(at, word) && len(r.items[at].text) > 1 {
		if v := roman(r.items[at].text); v > 0 && v <= lastCentury {
			return v, 1
		}
	}
	return 0, 0
}

const lastCentury = 21

// beforeChrist is what stands behind the centuries before our era, which no field of years is known to have.
var beforeChrist = map[string]bool{"bc": true, "bce": true, "av": true, "ac": true, "v": true, "vor": true, "vc": true}

// roman is the value of a numeral in Roman letters, folded, behind which there may be what makes an ordinal of it in
// French; 0 if it is none.
func roman(text string) (value int) {
	for _, ending := range [...]string{"eme", "e"} {
		if stem := len(text) - len(ending); stem > 0 && text[stem:] == ending {
			text = text[:stem]
			break
		}
	}
	last := 0
	for i := len(text) - 1; i >= 0; i-- {
		letter := map[byte]int{'i': 1, 'v': 5, 'x': 10}[text[i]]
		if letter == 0 {
			return 0
		}
		if letter < last {
			value -= letter
		} else {
			value, last = value+letter, letter
		}
	}
	return value
}
