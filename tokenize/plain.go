package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Plain returns a text as a plain keyboard writes it: in NFC, without soft hyphens, marks of direction
// and what else is pasted along, shows nothing and is read over in words, letters and digits of full
// width and typographic hyphens as those of ASCII, and what was typed for an apostrophe between two
// letters, as in "can´t" and "lʼeau", as one. Spaces, quotes, other signs and the case of letters stay,
// and so does U+200B, which is written between words.
//
// It is for those who look at the words of a query themselves: in lists, letter by letter, or for what
// stands between them. Terms are the same with or without.
func Plain(text string) string {
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if ascii && strings.IndexByte(text, '`') < 0 || !utf8.ValidString(text) {
		return text // as most are, or for others to refuse
	}
	if !ascii {
		text = norm.NFC.String(strings.Map(plainRune, strings.Trim(text, "\uFEFF")))
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

// plainRune is what a character is in plain text, -1 if it shows nothing and is read over. What it makes
// of letters is what folding does.
func plainRune(r rune) rune {
	switch {
	case r < 0x00AD:
		return r
	case r == 0x2010, r == 0x2011: // hyphens that need not be told from others
		return '-'
	case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
		return r - '０' + '0'
	case r < 0x10000 && r != 0x200D && isIgnored(r) && unicode.Is(unicode.Cf, r) && runeClasses().of(r) == classMark:
		return -1 // joiners and tags of emoji show
	}
	return r
}
