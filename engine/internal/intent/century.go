package intent

import "strings"

// century reads a century: "18th century", "18. Jahrhundert", "XVIIIe siècle", "siglo XVIII".
func (r *reader) century(at int) (q quantity, n int) {
	number, i := 0, at
	if n := r.of(cueCentury, at); n > 0 && r.is(at+n, word) { // "century 21" is a name
		number, i = r.centuryNumber(at + n)
	} else if number, i = r.centuryNumber(at); number > 0 {
		if r.isSymbol(i, "-") && r.items[i].glued {
			i++ // 19th-century
		}
		if n = r.of(cueCentury, i); n == 0 {
			return q, 0
		}
		i += n
	}
	if number == 0 || r.of(cueEra, i) > 0 {
		return q, 0
	}
	q.timed, q.decade, q.century = true, true, true
	q.first, q.last = day{year: max(1, 100*(number-1))}, day{year: 100*number - 1}
	return q, i - at
}

// centuryNumber reads the number of a century, with what makes an ordinal of it, and returns the item
// behind it; 0 if there is none.
func (r *reader) centuryNumber(at int) (number, end int) {
	if v, ok := r.whole(at, 2); ok && v <= lastCentury {
		return v, at + 1 + r.ordinal(at+1)
	}
	if r.is(at, word) && len(r.items[at].text) > 1 {
		if v := ordinalRoman(r.items[at].text); v <= lastCentury {
			return v, at + 1
		}
	}
	return 0, at
}

const lastCentury = 21

// ordinalRoman is Roman for a numeral behind which there may be what makes an ordinal of it in French.
func ordinalRoman(text string) int {
	if stem, ok := strings.CutSuffix(text, "e"); ok {
		text = strings.TrimSuffix(stem, "em") // XVIIIème
	}
	return Roman(text)
}

// Roman is the value of a folded numeral in Roman letters below forty, as kings and centuries have them;
// 0 if it is none.
func Roman(text string) (value int) {
	for value < 30 && strings.HasPrefix(text, "x") {
		value, text = value+10, text[1:]
	}
	switch text {
	case "i":
		value++
	case "ii":
		value += 2
	case "iii":
		value += 3
	case "iv":
		value += 4
	case "v":
		value += 5
	case "vi":
		value += 6
	case "vii":
		value += 7
	case "viii":
		value += 8
	case "ix":
		value += 9
	case "":
	default:
		return 0
	}
	return value
}
