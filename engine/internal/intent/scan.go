package intent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// itemKind is what an item consists of.
type itemKind uint8

const (
	word   itemKind = iota // letters, and digits after the first letter
	number                 // digits with separators between them
	symbol                 // one other character
	gap                    // a part of the text that is not to be looked at
)

// item is a piece of a query.
type item struct {
	kind       itemKind
	glued      bool   // nothing stands between it and the item before
	whole      bool   // the value is an integer, written with digits alone
	known      bool   // letters without spaces that stand for something
	bad        bool   // digits that are no number, such as 1.2.3
	text       string // folded; of a number, as it is written
	start, end int    // bytes in the query
	value      float64
	cues       []cue // that begin with it, see at
}

// mayCount tells whether the given spans of a text may hold a number, or a word for a
// decade: most queries hold none, and need not be cut into items to know that.
func (c *Cues) mayCount(text string, spans [][2]int) bool {
	var word [32]byte
	for _, span := range spans {
		n := 0
		for i := span[0]; i <= span[1]; i++ {
			b := byte(' ')
			if i < span[1] {
				b = text[i]
			}
			switch letter := b | 0x20; {
			case letter >= 'a' && letter <= 'z' && n < len(word):
				word[n] = letter
				n++
			case b >= '0' && b <= '9':
				return true
			case letter >= 'a' && letter <= 'z', b >= utf8.RuneSelf, b == '\'':
				if c.mayCountIn(text[span[0]:span[1]]) {
					return true
				}
				i, n = span[1], 0
			default:
				if n > 0 && c.tens[string(word[:n])] {
					return true
				}
				n = 0
			}
		}
	}
	return false
}

// mayCountIn is mayCount for words of any letters.
func (c *Cues) mayCountIn(text string) bool {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case digit(r) >= 0:
			return true
		case unspaced(r):
			end, known := c.endOfRun(text, at, at == 0 && c.isKnown(text, at))
			_, number := c.ideographic(text, at)
			if n = end - at; known || number > 0 || c.isTens(text[at:end]) {
				return true
			}
		case ofWord(r):
			n = endOfWord(text, at) - at
			if len(c.tens) > 0 && c.isTens(text[at:at+n]) {
				return true
			}
		case vulgar(text[at:at+n]) > 0:
			return true
		}
		at += n
	}
	return false
}

// isTens tells whether a decade may begin with a word.
func (c *Cues) isTens(word string) bool {
	var room [2][64]byte
	if folded := tokenize.Fold(room[0][:0], append(room[1][:0], word...)); bytes.IndexByte(folded, '\'') < 0 {
		return c.tens[string(folded)]
	}
	return c.tens[foldWord(word)]
}

// scan cuts the given spans of a text, in ascending order, into items, which it appends to
// some.
func (c *Cues) scan(items []item, text string, spans [][2]int) []item {
	items = slices.Grow(items, len(spans)+len(spans)/2+4) // most are words
	for i := 0; i < len(spans); i++ {
		span := spans[i]
		if i > 0 && !c.saysNothing(text[spans[i-1][1]:span[0]]) {
			items = append(items, item{kind: gap, start: span[0], end: span[0]})
		}
		for i+1 < len(spans) && (c.thousands(text, span, spans[i+1:]) || c.inWords(text, span, spans[i+1])) {
			i++ // "1 000 €" are two words of a query, and one number
			span[1] = spans[i][1]
		}
		items = c.scanSpan(items, text[:span[1]], span[0])
	}
	for i := range items { // they are asked for again and again
		items[i].cues = c.byFirst[items[i].text]
	}
	return items
}

// thousands tells whether a number ends a span whose last three digits the next span has: 000,
// and where the language stands a space between them, also round hundreds or fifties, or what is
// before a currency. "iphone 13 256 go" are two numbers.
func (c *Cues) thousands(text string, span [2]int, next [][2]int) bool {
	at := span[1]
	for at > span[0] && text[at-1] >= '0' && text[at-1] <= '9' {
		at--
	}
	if n := span[1] - at; n < 1 || n > 3 || text[at] == '0' && (n < 3 || at == span[0]) || at > span[0] && text[at-1] != ' ' || next[0][0] != span[1]+1 || text[span[1]] != ' ' || !threeDigits(text[next[0][0]:]) {
		return false
	}
	behind := strings.TrimLeft(text[next[0][0]+3:], " ")
	if group := text[next[0][0] : next[0][0]+3]; group == "000" || !c.groupSpace {
		return group == "000"
	}
	if last := text[next[0][0]+1 : next[0][0]+3]; last == "00" || last == "50" {
		return true
	}
	items := c.scanSpan(nil, behind[:min(len(behind), 16)], 0)
	if len(items) == 0 {
		return false
	}
	u := c.units[items[0].text]
	return len(u) > 0 && u[0].kind == money
}

func (c *Cues) scanSpan(items []item, text string, at int) []item {
	glued := false
	begin := at
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		it := item{start: at, glued: glued}
		switch {
		case unicode.IsSpace(r):
			at += n
			glued = false
			continue
		case unspaced(r):
			behind := at == begin && c.isKnown(text, at)
			if n := len(items) - 1; n >= 0 && items[n].end == at {
				behind = items[n].kind == number || items[n].known
			}
			if value, end := c.ideographic(text, at); end > 0 && !(len(items) > 0 && items[len(items)-1].end == at && items[len(items)-1].kind == number) {
				it.kind, it.end, it.text, it.value = number, end, text[at:end], value
				break
			}
			it.end, it.known = c.endOfRun(text, at, behind)
			it.text = foldWord(text[at:it.end])
		case ofWord(r):
			it.end = endOfWord(text, at)
			if strings.HasPrefix(text[it.end:], "$") && c.units[foldWord(text[at:it.end+1])] != nil {
				it.end++ // R$
			}
			it.text = foldWord(text[at:it.end])
		case digit(r) >= 0:
			it.kind = number
			it.end = c.endOfNumber(text, at)
			it.text = text[at:it.end]
			it.value, it.whole, it.bad = c.parseNumber(it.text)
		case r == '.' && at+n < len(text) && digit(rune(text[at+n])) >= 0 && (!glued || len(items) > 0 && items[len(items)-1].kind == symbol && items[len(items)-1].text != "."):
			it.kind = number
			it.end = c.endOfNumber(text, at+n)
			it.text = text[at:it.end]
			it.value, _, it.bad = c.parseNumber("0" + it.text) // .5
		case strings.ContainsRune("$€£", r) && strings.HasPrefix(text[at+n:], string(r)): // "$$", a range of prices
			it.end = at + len(text[at:]) - len(strings.TrimLeft(text[at:], string(r)))
			it.text = text[at:it.end]
		case r >= '！' && r <= '～': // as wide as ideographs
			it.kind, it.end, it.text = symbol, at+n, string(r-'！'+'!')
		case r == '￥':
			it.kind, it.end, it.text = symbol, at+n, "¥"
		default:
			it.kind, it.end, it.text = symbol, at+n, text[at:at+n]
		}
		at, glued = it.end, true
		if it.text != "" {
			if items == nil {
				items = make([]item, 0, 4)
			}
			if it.kind == word {
				if burden, rid, n := c.ridden(it.text, text[it.start:it.end]); n > 0 {
					items = append(items, item{text: burden, start: it.start, end: it.start + n, glued: it.glued})
					it.text, it.start, it.glued = rid, it.start+n, true
				}
			}
			items = append(items, it)
		}
	}
	return items
}

// ridden cuts a word that is joined of a burden and of what it is free of that with, "zuckerfreie", as it
// is folded and written: the burden, the other without its ending, and the bytes of the first as written.
func (c *Cues) ridden(w, written string) (burden, rid string, n int) {
	for _, rid = range c.rids {
		if !strings.Contains(w, rid) {
			continue // as in most words
		}
		burden, ok := strings.CutSuffix(c.Base(w), rid)
		if n = len(written) - len(w) + len(burden); ok && c.burdens[burden] && n > 0 && strings.EqualFold(written[n:], w[len(burden):]) {
			return burden, rid, n
		}
	}
	return "", "", 0
}

// ofWord tells whether a rune is a letter, or a mark on one.
func ofWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if letters := commonLetters(); r < rune(64*len(letters)) {
		return letters[r>>6]>>(r&63)&1 != 0
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// commonLetters has a bit for each letter and mark below U+0700: of the Latin, Greek,
// Cyrillic, Armenian, Hebrew and Arabic scripts.
var commonLetters = sync.OnceValue(func() *[0x700 / 64]uint64 {
	bits := new([0x700 / 64]uint64)
	for r := range rune(64 * len(bits)) {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			bits[r>>6] |= 1 << (r & 63)
		}
	}
	return bits
})

// digit is the value of a decimal digit, or -1.
func digit(r rune) int {
	if r < utf8.RuneSelf {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, zero := range [...]rune{'٠', '۰', '०', '௦', '０'} {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// shortElision is the letters up to which what stands before an apostrophe is
// a word of its own, such as an article.
const shortElision = 2

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// endOfWord is where the word that begins at a place ends.
func endOfWord(text string, at int) int {
	letters := 0
	for i, r := range text[at:] {
		switch {
		case letters > 0 && unspaced(r): // another script
			return at + i
		case ofWord(r) || digit(r) >= 0 || letters > 0 && (r == '²' || r == '³'):
			letters++
		case isApostrophe(r) && letters > shortElision && followedByLetter(text[at+i:]):
		default:
			return at + i
		}
	}
	return len(text)
}

func followedByLetter(text string) bool {
	_, n := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(text[n:])
	return unicode.IsLetter(next)
}

// foldWord is the form of a word in which it is compared.
func foldWord(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'Z'
	}
	if plain {
		return strings.ToLower(s)
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return !steady(r) }) {
		return s
	}
	var room [2][64]byte
	if folded := tokenize.Fold(room[0][:0], append(room[1][:0], s...)); string(folded) != s {
		s = string(folded)
	}
	if !strings.ContainsFunc(s, isApostrophe) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isApostrophe(r) {
			return -1
		}
		return r
	}, s)
}

// endOfNumber is where the number that begins at a place ends. A space stands
// between groups of three digits where the language writes them so.
func (c *Cues) endOfNumber(text string, at int) int {
	end := at
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if digit(r) >= 0 {
			end += n
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[end+n:])
		switch {
		case digit(next) < 0:
			return end
		case r == '.' || r == ',' || (isApostrophe(r) || isGroupSpace(r)) && threeDigits(text[end+n:]):
			end += n
		case r == ' ' && (c.groupSpace || strings.HasPrefix(text[end+n:], "000")) && end-at <= 3 && text[at] != '0' && threeDigits(text[end+n:]):
			end += n
			for end+3 < len(text) && text[end+3] == ' ' && threeDigits(text[end+4:]) {
				end += 4
			}
		default:
			return end
		}
	}
	return end
}

// isGroupSpace tells whether r is one of the spaces that stand between groups of digits.
func isGroupSpace(r rune) bool { return r == '\u00a0' || r == '\u202f' || r == '\u2009' }

// threeDigits tells whether text begins with three digits and no more.
func threeDigits(text string) bool {
	n := 0
	for _, r := range text {
		if digit(r) < 0 {
			break
		}
		n++
	}
	return n == 3
}

// parseNumber reads a number. A point or comma that stands there more than
// once, or before another one, groups digits by three. One alone is what the
// language says it is, but only groups what three digits follow.
func (c *Cues) parseNumber(text string) (value float64, whole, bad bool) {
	var digits []byte
	groups := []int{0} // digits between separators
	var separators []rune
	for _, r := range text {
		if d := digit(r); d >= 0 {
			digits = append(digits, byte('0'+d))
			groups[len(groups)-1]++
			continue
		}
		separators = append(separators, r)
		groups = append(groups, 0)
	}
	point := -1 // number of the separator that is the decimal point
	if n := len(separators); n > 0 {
		last := separators[n-1]
		alone := n == 1
		switch {
		case last != '.' && last != ',':
		case n > 1 && separators[n-2] != last:
			point = n - 1
		case alone && (groups[1] != 3 || groups[0] > 3 || text[0] == '0' || last == c.decimal):
			point = n - 1
		}
		for i, group := range groups {
			grouped := i > 0 && i-1 != point
			if grouped && group != 3 || i == 0 && group > 3 && point != 0 {
				return 0, false, true
			}
			if grouped && separators[i-1] != separators[0] {
				return 0, false, true
			}
		}
	}
	if point >= 0 {
		fraction := groups[len(groups)-1]
		digits = append(digits[:len(digits)-fraction], append([]byte{'.'}, digits[len(digits)-fraction:]...)...)
	}
	value, err := strconv.ParseFloat(string(digits), 64)
	return value, len(separators) == 0 && len(digits) <= 15, err != nil
}
