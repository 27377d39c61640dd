package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Plain returns a text as a plain keyboard writes it: in NFC, without soft hyphens, marks of
// direction and what else is pasted along and shows nothing, letters and digits of full width and
// typographic hyphens as those of ASCII, and what was typed for an apostrophe between two letters, as in "can´t" and
// "lʼeau", as one. Spaces, quotes, signs and the case of letters
// stay, and so does U+200B, which is written between words.
//
// It is for those who look at the words of a query themselves: in lists, letter by letter, or for what
// stands between them. Terms are the same with or without, but for accents that stand for apostrophes and
// for articles before them.
func Plain(text string) string {
	if !plainAlready(text) {
		text = strings.Map(plainRune, norm.NFC.String(text))
	}
	for at := 0; at < len(text); {
		n := strings.IndexAny(text[at:], "´`ʼ‛＇")
		if n < 0 {
			break
		}
		at += n
		_, width := utf8.DecodeRuneInString(text[at:])
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+width:])
		if unicode.IsLetter(before) && unicode.IsLetter(after) {
			text = text[:at] + "'" + text[at+width:]
			width = 1
		}
		at += width
	}
	return text
}

// plainAlready tells whether no character of a text has another form or is dropped.
func plainAlready(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFC.IsNormalString(text) && strings.IndexFunc(text, func(r rune) bool { return plainRune(r) != r }) < 0
		}
	}
	return true
}

// plainRune is what a character is in plain text, -1 if it shows nothing.
func plainRune(r rune) rune {
	switch {
	case r < 0x00AD:
		return r
	case r == 0x00AD, r == 0x061C, r == 0x200C, r >= 0x200E && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF:
		return -1
	case r == 0x2010, r == 0x2011: // hyphens that need not be told from others
		return '-'
	case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
		return r - '０' + '0'
	}
	return r
}
