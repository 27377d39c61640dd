package tokenize

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is what word breaking needs to know of a rune. Classes from
// classUnspaced on are the groups of scripts that are cut into bigrams; a run
// ends where the group changes.
type class uint8

const (
	classBreak  class = iota // separates words
	classLetter              // letter of a script that writes spaces
	classDigit               // decimal digit
	classScript              // subscript or superscript digit
	classMark                // combining mark or joiner: stays with what precedes it
	classSymbol              // emoji, or a symbol that spells letters or digits: a word by itself
	classJamo                // conjoining vowel or final of Hangul: stays with a Hangul character
	classHangul
	classHan // Han, Hiragana, Katakana
	classUnspaced
)

// unspaced lists further scripts written without spaces between words, a class
// for each: those with line breaking property SA in Unicode (UAX #14), the
// ideographic scripts beside Han, and Javanese and Balinese.
var unspaced = []*unicode.RangeTable{
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Le,
	unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
	unicode.Javanese, unicode.Balinese, unicode.Tangut, unicode.Nushu,
	unicode.Khitan_Small_Script,
}

// isUnspaced reports whether runs of class c are cut into bigrams.
func (c class) isUnspaced() bool { return c >= classJamo }

// run returns the class that all characters of a run of c have.
func (c class) run() class {
	if c == classJamo {
		return classHangul
	}
	return c
}

// classTable maps a rune to its class in two steps: pages holds, for each 256
// runes, the number of their block. Equal blocks are stored once; about 150
// of 4352 remain.
type classTable struct {
	pages  [(unicode.MaxRune + 1) >> 8]uint16
	blocks [][256]class
}

func (t *classTable) of(r rune) class {
	return t.blocks[t.pages[uint32(r)>>8]][r&0xFF]
}

// runeClasses builds the table once, from the tables of package unicode. That
// takes less than a millisecond and 200 KB, of which 46 KB stay.
var runeClasses = sync.OnceValue(func() *classTable {
	var pages [len(classTable{}.pages)]*[256]class // nil: all of classBreak
	set := func(c class, lo, hi rune) {
		for lo <= hi {
			page := &pages[lo>>8]
			if *page == nil {
				*page = new([256]class)
			}
			last := min(hi, lo|0xFF)
			part := (*page)[lo&0xFF : last&0xFF+1]
			for i := range part {
				part[i] = c
			}
			lo = last + 1
		}
	}
	// overlay gives class c to the runes of tab.
	overlay := func(c class, tab *unicode.RangeTable) {
		each(tab, func(lo, hi, stride rune) {
			if stride == 1 {
				set(c, lo, hi)
				return
			}
			for r := lo; r <= hi; r += stride {
				set(c, r, r)
			}
		})
	}
	// letters gives class c to those runes of tab that are letters.
	letters := func(c class, tab *unicode.RangeTable) {
		each(tab, func(lo, hi, stride rune) {
			for r := lo; r <= hi; r += stride {
				if page := pages[r>>8]; page != nil && page[r&0xFF] == classLetter {
					page[r&0xFF] = c
				}
			}
		})
	}

	overlay(classLetter, unicode.L)
	overlay(classLetter, unicode.Nl)
	overlay(classDigit, unicode.Nd)
	overlay(classSymbol, unicode.No)
	overlay(classMark, unicode.M)
	overlay(classMark, unicode.Cf)
	set(classBreak, 0x0600, 0x0605) // Arabic number signs
	set(classBreak, 0x200B, 0x200B) // zero width space: marks a word boundary
	set(classBreak, 0x2061, 0x2064) // invisible operators
	set(classBreak, 0xFEFF, 0xFEFF) // byte order mark
	set(classBreak, 0xFFF9, 0xFFFB) // interlinear annotation

	for _, r := range "²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉" {
		set(classScript, r, r)
	}

	each(unicode.So, func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			if isSymbolWord(r) {
				set(classSymbol, r, r)
			}
		}
	})
	set(classSymbol, 0x1F3FB, 0x1F3FF) // skin tones, category Sk

	// Letters only: the marks of these scripts stay marks, their digits digits.
	letters(classHangul, unicode.Hangul)
	for _, tab := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana} {
		letters(classHan, tab)
	}
	for i, tab := range unspaced {
		letters(classUnspaced+class(i), tab)
	}
	// Of several scripts in Unicode, of Kana and Han in fact: repetition marks,
	// the masu mark and the long vowel sign in both widths.
	for _, r := range "〱〲〳〴〵〼〆ーｰ" {
		set(classHan, r, r)
	}
	set(classMark, 0xFF9E, 0xFF9F) // half-width voicing marks, category Lm
	set(classJamo, 0x1160, 0x11FF)
	set(classJamo, 0xD7B0, 0xD7C6)
	set(classJamo, 0xD7CB, 0xD7FB)

	t := &classTable{blocks: make([][256]class, 1)} // of runes that have no other class
	seen := map[[256]class]uint16{t.blocks[0]: 0}
	for i, page := range pages {
		if page == nil {
			continue
		}
		n, ok := seen[*page]
		if !ok {
			n = uint16(len(t.blocks))
			seen[*page] = n
			t.blocks = append(t.blocks, *page)
		}
		t.pages[i] = n
	}
	return t
})

// isSymbolWord reports whether r, of category So, is a word of its own: the
// emoji blocks, and compatibility characters that stand for letters or digits.
// Arrows, box drawing, trademark signs and the like separate words.
func isSymbolWord(r rune) bool {
	switch {
	case r == '№', r == '℃', r == '℉', r == '℡', // letterlike
		r >= 0x2460 && r <= 0x24FF,                         // circled letters
		r == '⌚', r == '⌛', r == '⏏', r >= '⏩' && r <= '⏺', // emoji among technical symbols
		r >= 0x2600 && r <= 0x27BF, // miscellaneous symbols, dingbats
		r == '⬛', r == '⬜', r == '⭐', r == '⭕',
		r >= 0x3200 && r <= 0x33FF,   // enclosed and squared CJK
		r >= 0x1F000 && r <= 0x1FAFF: // emoji, enclosed letters, flags
		return true
	}
	return false
}

// each calls f for the ranges of tab.
func each(tab *unicode.RangeTable, f func(lo, hi, stride rune)) {
	for _, r := range tab.R16 {
		f(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range tab.R32 {
		f(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
}

// asciiClass is what the fast path needs to know of a byte.
type asciiClass uint8

const (
	asciiBreak  asciiClass = 0
	asciiLetter asciiClass = 1
	asciiDigit  asciiClass = 2
	asciiHigh   asciiClass = 4  // not ASCII: a byte of a longer rune
	asciiUpper  asciiClass = 8  // only together with asciiLetter
	asciiInner  asciiClass = 16 // may be inside a word or at its end, depending on its neighbours

	asciiAlnum = asciiLetter | asciiDigit
)

// asciiClasses and asciiLower are constants in all but name: nothing writes to
// them after they are made.
var (
	asciiClasses = func() (t [256]asciiClass) {
		for c := range 256 {
			switch {
			case c >= utf8.RuneSelf:
				t[c] = asciiHigh
			case '0' <= c && c <= '9':
				t[c] = asciiDigit
			case 'a' <= c && c <= 'z':
				t[c] = asciiLetter
			case 'A' <= c && c <= 'Z':
				t[c] = asciiLetter | asciiUpper
			case c == '\'' || c == '`' || c == '.' || c == ',' || c == '+' || c == '#':
				t[c] = asciiInner
			}
		}
		return t
	}()
	asciiLower = func() (t [256]byte) {
		for c := range 256 {
			t[c] = byte(c)
			if 'A' <= c && c <= 'Z' {
				t[c] = byte(c) | 0x20
			}
		}
		return t
	}()
)
