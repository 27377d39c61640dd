package intent

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Chinese, Japanese and Korean write round amounts of money in words, too, mostly with no space before the
// currency: "一万円以下", "两百块以内", "천만원". Elsewhere such letters are part of words and names. Syllables
// of Hangul are that so often (사원 is an employee) that an amount in them has to be a whole word, with nothing
// behind it but what is known, and to have a power of ten.

// ideographic reads a number in words at a place that a currency follows, and returns where it
// ends; 0 if there is none.
func (c *Cues) ideographic(text string, at int) (value float64, end int) {
	if c.longestRun == 0 {
		return 0, 0
	}
	if r, _ := utf8.DecodeRuneInString(text[at:]); unicode.Is(unicode.Hangul, r) {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if ordinary := !strings.ContainsRune(hangulPowers, r) && !strings.ContainsRune(hangulDigits, r); ordinary || !c.fields || unspaced(before) || digit(before) >= 0 {
			return 0, 0
		}
	}
	ones, part := 0., 0. // not yet multiplied, and less than ten thousand
	powers := false
	for end = at; end < len(text); {
		r, n := utf8.DecodeRuneInString(text[end:])
		d, power := ideograph(r)
		switch {
		case d >= 0:
			ones = d
		case power == 0:
			n = 0
		case power < myriad:
			part += max(ones, 1) * power
			ones = 0
		default:
			value += max(part+ones, 1) * power
			part, ones = 0, 0
		}
		powers = powers || power > 0
		if n == 0 {
			break
		}
		end += n
	}
	if end == at {
		return 0, 0
	}
	unit := end
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	hangul := unicode.Is(unicode.Hangul, last)
	if hangul && strings.HasPrefix(text[unit:], " ") {
		unit++
	}
	if hangul && (!powers || !c.isKnown(text, unit)) || unit == len(text) {
		return 0, 0
	}
	to := c.known(text, unit, true)
	if to == 0 {
		return 0, 0
	}
	u := c.units[foldWord(text[unit:to])]
	if value += part + ones; value == 0 || len(u) == 0 || u[0].kind != money {
		return 0, 0
	}
	return value, end
}

// inWords tells whether a span is an amount in words, and the next one begins with its currency: "만 원".
func (c *Cues) inWords(text string, span, next [2]int) bool {
	if r, _ := utf8.DecodeRuneInString(text[span[0]:]); !strings.ContainsRune(hangulPowers+hangulDigits, r) {
		return false
	}
	_, end := c.ideographic(text[:next[1]], span[0])
	return end == span[1] && next[0] == end+1
}

// The digits and powers of ten in Hangul.
const (
	hangulDigits = "일이삼사오육칠팔구"
	hangulPowers = "십백천만억"
)

// ideograph is the digit that a letter stands for, or -1, and the power of ten; 0 if it is none.
func ideograph(r rune) (digit, power float64) {
	switch r {
	case '〇', '零':
		return 0, 0
	case '一':
		return 1, 0
	case '二', '两', '兩':
		return 2, 0
	case '三':
		return 3, 0
	case '四':
		return 4, 0
	case '五':
		return 5, 0
	case '六':
		return 6, 0
	case '七':
		return 7, 0
	case '八':
		return 8, 0
	case '九':
		return 9, 0
	case '十', '십':
		return -1, 10
	case '百', '백':
		return -1, 100
	case '千', '천':
		return -1, 1000
	case '万', '萬', '만':
		return -1, 10000
	case '亿', '億', '억':
		return -1, 100_000_000
	}
	if at := strings.IndexRune(hangulDigits, r); at >= 0 {
		return float64(utf8.RuneCountInString(hangulDigits[:at]) + 1), 0
	}
	return -1, 0
}
