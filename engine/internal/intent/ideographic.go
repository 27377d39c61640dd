package intent

import "unicode/utf8"

// Chinese and Japanese write round amounts of money in words, too, with no space before the
// currency: "一万円以下", "两百块以内". Elsewhere such letters are part of words and names.

// ideographic reads a number in words at a place that a currency follows, and returns where it
// ends; 0 if there is none.
func (c *Cues) ideographic(text string, at int) (value float64, end int) {
	if c.longestRun == 0 {
		return 0, 0
	}
	digit, part := 0., 0. // not yet multiplied, and less than ten thousand
	for end = at; end < len(text); {
		r, n := utf8.DecodeRuneInString(text[end:])
		d, power := ideograph(r)
		switch {
		case d >= 0:
			digit = d
		case power == 0:
			n = 0
		case power < 10000:
			part += max(digit, 1) * power
			digit = 0
		default:
			value += max(part+digit, 1) * power
			part, digit = 0, 0
		}
		if n == 0 {
			break
		}
		end += n
	}
	if end == at {
		return 0, 0
	}
	to := c.known(text, end, true)
	if to == 0 {
		return 0, 0
	}
	u := c.units[foldWord(text[end:to])]
	if value += part + digit; value == 0 || len(u) == 0 || u[0].kind != money {
		return 0, 0
	}
	return value, end
}

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
	case '十':
		return -1, 10
	case '百':
		return -1, 100
	case '千':
		return -1, 1000
	case '万', '萬':
		return -1, 10000
	case '亿', '億':
		return -1, 100_000_000
	}
	return -1, 0
}
