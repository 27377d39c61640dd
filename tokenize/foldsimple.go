package tokenize

import "unicode/utf8"

// latinBase is what folding makes of the letters from U+00C0 to U+024F: the one letter,
// or '.' where it is not one.
const latinBase = "aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.yaaaaaaccccccccdd" +
	"ddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllll..llnnnnnn.nnoooooo..rrrrrrssssss" +
	"ssttttttuuuuuuuuuuuuwwyyyzzzzzzs................................oo.............u" +
	"u............................aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa..oo" +
	"aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............................"

// foldSimple is Fold for text in which each character is folded by itself, as nearly all
// text is: none of them combines with what is beside it. It returns false where others
// are, and what it has appended until then.
func foldSimple(dst, text []byte) ([]byte, bool) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			dst = append(dst, asciiLower[c])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r >= 0x00C0 && r < 0x0250:
			c := latinBase[r-0x00C0]
			if c == '.' {
				return dst, false
			}
			dst = append(dst, c)
		case r >= 'а' && r <= 'я', r >= 'ء' && r <= 'غ' && !isAlef(r), r >= 'ف' && r <= 'و', r == 'ي', isPlain(r):
			dst = append(dst, text[i:i+n]...)
		case r >= 'А' && r <= 'Я':
			dst = utf8.AppendRune(dst, r+'а'-'А')
		case r == 'ى':
			dst = append(dst, "ي"...)
		case isAlef(r):
			dst = append(dst, "ا"...)
		default:
			return dst, false
		}
		i += n
	}
	return dst, true
}

// isAlef tells whether r is an alef with something above or below it.
func isAlef(r rune) bool { return r == 'أ' || r == 'إ' || r == 'آ' }
