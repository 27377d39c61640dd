package tokenize

import (
	"strings"
	"testing"
	"unicode"
)

// plainClass is the class of a rune by what Unicode says of it alone, without a table.
func plainClass(r rune) class {
	in := func(lo, hi rune) bool { return lo <= r && r <= hi }
	switch {
	case in(0x1160, 0x11FF), in(0xD7B0, 0xD7C6), in(0xD7CB, 0xD7FB):
		return classJamo
	case in(0xFF9E, 0xFF9F):
		return classMark
	case strings.ContainsRune("〱〲〳〴〵〼〆ーｰ", r):
		return classHan
	case in(0x1F3FB, 0x1F3FF), unicode.Is(unicode.So, r) && isSymbolWord(r):
		return classSymbol
	case strings.ContainsRune("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r):
		return classScript
	case in(0x0600, 0x0605), r == 0x200B, in(0x2061, 0x2064), r == 0xFEFF, in(0xFFF9, 0xFFFB):
		return classBreak
	case unicode.In(r, unicode.M, unicode.Cf):
		return classMark
	case unicode.Is(unicode.No, r):
		return classSymbol
	case unicode.Is(unicode.Nd, r):
		return classDigit
	case !unicode.In(r, unicode.L, unicode.Nl):
		return classBreak
	case unicode.Is(unicode.Hangul, r):
		return classHangul
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return classHan
	}
	for i, tab := range unspaced {
		if unicode.Is(tab, r) {
			return classUnspaced + class(i)
		}
	}
	return classLetter
}

func TestClassesOfAllRunes(t *testing.T) {
	table := runeClasses()
	for r := range rune(unicode.MaxRune + 1) {
		if got, want := table.of(r), plainClass(r); got != want {
			t.Fatalf("%U has the class %d, want %d", r, got, want)
		}
	}
}
