package tokenize

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold appends the folded form of text to dst and returns it: NFKC, lower
// case, without diacritics, as the package comment describes. Typographic
// apostrophes become ASCII; other punctuation and white space remain. Each bad
// byte becomes U+FFFD. Folding twice is the same as folding once.
//
// The result is usually no longer than text; the worst case is about eleven
// times as long (U+FDFA).
func Fold(dst, text []byte) []byte {
	start := len(dst)
	dst, simple := foldSimple(dst, text)
	if simple {
		return dst
	}
	// A copy, so that what Fold is given need not be on the heap: what fully is given is.
	var f folder
	return append(dst[:start], f.fully(nil, bytes.Clone(text))...)
}

// folder holds the scratch memory of folding, so that a Stream folds without
// allocation.
type folder struct {
	norm  []byte
	cased []byte
	again []byte
	next  []byte
}

// fold is Fold with the scratch memory of f.
func (f *folder) fold(dst, text []byte) []byte {
	start := len(dst)
	dst, simple := foldSimple(dst, text)
	if simple {
		return dst
	}
	return f.fully(dst[:start], text)
}

// fully is fold for text that foldSimple does not fold.
func (f *folder) fully(dst, text []byte) []byte {
	f.cased = f.lower(f.cased[:0], text, false)
	return f.strip(dst, f.cased)
}

// lower appends text to dst in NFKC and lower case, accents kept: the form
// that stemmers want. Turkish lower case keeps I and İ apart.
func (f *folder) lower(dst, text []byte, turkish bool) []byte {
	if norm.NFKC.QuickSpan(text) < len(text) {
		f.norm = norm.NFKC.Append(f.norm[:0], text...)
		text = f.norm
	}
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			if c == 'I' && turkish {
				dst = append(dst, "ı"...)
				continue
			}
			dst = append(dst, asciiLower[c])
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		i += n
		switch r {
		case 'ς': // final sigma is σ at the end of a word
			r = 'σ'
		case '’', '‘', 'ʼ', '‛':
			r = '\''
		default:
			r = unicode.ToLower(r)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// maxRounds bounds the work of strip. No text is known that needs more than two
// rounds.
const maxRounds = 8

// strip appends cased, a result of lower, to dst without diacritics.
//
// A removed mark may have kept its neighbours from composing, as an accent
// between two Hangul letters does. Such a result is not in NFKC and goes round
// again. It may also be the best there is: x/text breaks more than 30 marks in a
// row with U+034F, which folding removes, so the rounds end when they change
// nothing.
func (f *folder) strip(dst, cased []byte) []byte {
	start := len(dst)
	dst = appendStripped(dst, cased)
	for range maxRounds {
		if isNormal(dst[start:]) {
			break
		}
		f.again = f.lower(f.again[:0], dst[start:], false)
		f.next = appendStripped(f.next[:0], f.again)
		if bytes.Equal(f.next, dst[start:]) {
			break
		}
		dst = append(dst[:start], f.next...)
	}
	return dst
}

// isNormal reports whether b is in NFKC. The first check decides for nearly all
// text, and it does not allocate.
func isNormal(b []byte) bool {
	return norm.NFKC.QuickSpan(b) == len(b) || norm.NFKC.IsNormal(b)
}

// appendStripped appends the rune-wise image of text under foldRune. It does
// not look at context, so it changes nothing when applied to its own result.
func appendStripped(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		dst = appendFolded(dst, r, text[i:i+n])
		i += n
	}
	return dst
}

// appendFolded appends the folded form of r, a rune of text in NFKC and lower
// case; enc is its encoding.
func appendFolded(dst []byte, r rune, enc []byte) []byte {
	switch {
	case isIgnored(r):
		return dst
	case r < 0x0250, r >= 0x0370 && r < 0x0400, r >= 0x1E00 && r < 0x2000:
		return appendBase(dst, r, enc)
	case r >= 0x0400 && r < 0x0530:
		switch r {
		case 'ё', 'ѐ':
			r = 'е'
		case 'ѝ':
			r = 'и'
		}
	case r >= 0x0590 && r < 0x0600:
		switch r {
		case '׳':
			r = '\''
		case '״':
			r = '"'
		}
	case r >= 0x0600 && r < 0x0700:
		r = foldArabic(r)
	case r == '⁄': // what NFKC makes of the bar in ½
		r = '/'
	}
	if r >= 0x0660 && unicode.Is(unicode.Nd, r) {
		r = '0' + digitValue(r)
	}
	return utf8.AppendRune(dst, r)
}

// appendBase appends a Latin or Greek letter without its diacritics.
func appendBase(dst []byte, r rune, enc []byte) []byte {
	// The canonical decomposition is the base letter followed by its marks.
	if d := norm.NFD.Properties(enc).Decomposition(); len(d) > 0 {
		r, _ = utf8.DecodeRune(d)
	}
	switch r {
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'þ':
		return append(dst, "th"...)
	case 'ø':
		r = 'o'
	case 'ł':
		r = 'l'
	case 'đ', 'ð':
		r = 'd'
	case 'ħ':
		r = 'h'
	case 'ŧ':
		r = 't'
	case 'ı':
		r = 'i'
	case 'ŋ':
		r = 'n'
	}
	return utf8.AppendRune(dst, r)
}

// foldArabic unifies letters that keyboards and habits vary: the forms of
// alef, and the Persian and final shapes of yeh and kaf.
func foldArabic(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ی':
		return 'ي'
	case 'ک':
		return 'ك'
	case '٫':
		return '.'
	case '٬':
		return ','
	}
	return r
}

// isIgnored reports whether folding drops r: marks that writers add or leave
// out at will, and characters that show nothing.
func isIgnored(r rune) bool {
	if r < 0x0300 {
		return r == 0x00AD // soft hyphen
	}
	switch {
	case r <= 0x036F, // combining diacritical marks
		r >= 0x0483 && r <= 0x0487,                                        // Cyrillic titlo and breathings
		r >= 0x0591 && r <= 0x05BD, r == 0x05BF, r == 0x05C1, r == 0x05C2, // Hebrew points
		r == 0x05C4, r == 0x05C5, r == 0x05C7,
		r >= 0x0610 && r <= 0x061A, r == 0x061C, r == 0x0640, // Arabic signs, tatweel
		r >= 0x064B && r <= 0x065F, r == 0x0670,
		r >= 0x06D6 && r <= 0x06DC, r >= 0x06DF && r <= 0x06E4,
		r == 0x06E7, r == 0x06E8, r >= 0x06EA && r <= 0x06ED,
		r >= 0x08CA && r <= 0x08E1, r >= 0x08E3 && r <= 0x08FF,
		r == 0x180E, r >= 0x180B && r <= 0x180F, // Mongolian variation selectors
		r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF,
		r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, // joiners, direction
		r >= 0x2060 && r <= 0x206F,
		r >= 0x20D0 && r <= 0x20FF, // marks for symbols, such as the keycap
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xFE20 && r <= 0xFE2F, r == 0xFEFF,
		r >= 0x1F3FB && r <= 0x1F3FF, // skin tones
		r >= 0xE0000 && r <= 0xE0FFF: // tags, variation selectors
		return true
	}
	return false
}

// digitValue returns the value of r, of category Nd. Unicode keeps the ten
// digits of a script together and in order, and its tables start a range at a
// zero.
func digitValue(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	return 0
}

// dropByte removes every c from b in place.
func dropByte(b []byte, c byte) []byte {
	i := bytes.IndexByte(b, c)
	if i < 0 {
		return b
	}
	out := b[:i]
	for _, d := range b[i:] {
		if d != c {
			out = append(out, d)
		}
	}
	return out
}

// appendLower appends text with its ASCII letters in lower case.
func appendLower(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	for i, c := range dst[n:] {
		dst[n+i] = asciiLower[c]
	}
	return dst
}
