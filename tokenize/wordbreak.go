package tokenize

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// asciiWord returns the word that begins at start, where an ASCII letter or
// digit is. It leaves to unicodeWord whatever touches a byte beyond ASCII.
func (s *Stream) asciiWord(start int) wordState {
	text := s.text
	i := start
	var seen, c asciiClass
	apostrophe := false
	number := true // only digits and separators so far
	for {
		c = asciiBreak
		for i < len(text) {
			if c = asciiClasses[text[i]]; c&asciiAlnum == 0 {
				break
			}
			seen |= c
			i++
		}
		if i == len(text) || c == asciiBreak {
			break
		}
		if c == asciiHigh {
			return s.unicodeWord(start)
		}
		if sign := text[i]; sign == '+' || sign == '#' {
			i += plusOrHash(text[start:], i-start)
			break
		}
		number = number && seen&asciiLetter == 0
		if i+1 == len(text) {
			break
		}
		quote := text[i] == '\'' || text[i] == '`'
		before, after := asciiClasses[text[i-1]]&^asciiUpper, asciiClasses[text[i+1]]&^asciiUpper
		if after == asciiHigh && (quote || number) {
			return s.unicodeWord(start)
		}
		if quote && before == after && (text[i] == '\'' || before == asciiLetter) {
			apostrophe = true
		} else if quote || !number || after != asciiDigit {
			break
		}
		i++
	}
	return wordState{end: i, ascii: true, seen: seen, apostrophe: apostrophe}
}

// plusOrHash returns how many bytes of '+' or '#' belong to the word
// text[:n]: those of c++, c# and f#, but not those of a+b, pr#12 and i+++j. A
// version may follow: c++11.
func plusOrHash(text []byte, n int) int {
	if n > 2 || asciiClasses[text[0]]&asciiLetter == 0 || asciiClasses[text[n-1]]&asciiLetter == 0 {
		return 0
	}
	signs := 1
	allowed := asciiBreak // what may follow
	if text[n] == '+' && n+1 < len(text) && text[n+1] == '+' {
		signs = 2
		allowed = asciiDigit
	}
	if n+signs == len(text) {
		return signs
	}
	next := text[n+signs]
	if c := asciiClasses[next] &^ asciiUpper; next == '+' || next == '#' || c&(asciiAlnum) != 0 && c != allowed {
		return 0
	}
	return signs
}

// unicodeWord returns the word that begins at start, where a letter or digit
// is. UAX #29 says how far it may go; inside, what the package comment lists
// ends it sooner.
//
// Below U+0700 (Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic) letters,
// digits and marks always join, by rules WB4 to WB10, so UAX #29 is asked only
// where a rune from there on comes up. Its answer stays in the Stream, because a
// segment may hold many words ("a.b.c" is one) and asking for it again from each
// would take quadratic time.
func (s *Stream) unicodeWord(start int) wordState {
	var w wordState
	number := true // only digits and separators so far
	letters := 0
	from := start // where the current UAX #29 segment begins
	prev, prevClass := rune(0), classBreak
	p := start
walk:
	for p < len(s.text) {
		r, n := utf8.DecodeRune(s.text[p:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		c := s.a.classes.of(r)
		switch c {
		case classScript:
			if p > start && !joinsScript(r, letters) {
				break walk
			}
			from = p + n
			prev, prevClass = r, c
			p += n
			continue
		case classLetter, classDigit:
			if prevClass == classScript && !isSubscript(prev) {
				break walk
			}
			if c == classLetter {
				number = false
				letters++
				w.apostrophe = w.apostrophe || r == 'ʼ' // which is a letter
			}
			prev, prevClass = r, c
		case classMark:
		default:
			next := s.nextBase(p + n)
			switch {
			case isApostrophe(r) && s.a.classes.of(next) == prevClass:
				w.apostrophe = true
			case isForApostrophe(r) && prevClass == classLetter && s.a.classes.of(next) == classLetter:
				w.apostrophe = true
				from = p + n // UAX #29 ends a word here
				p += n
				continue
			case number && prevClass == classDigit && isNumberSeparator(r) && s.a.classes.of(next) == classDigit:
			case isHebrewMark(r, prev, next):
			case r == '·' && (prev == 'l' || prev == 'L') && (next == 'l' || next == 'L'): // Catalan
			default:
				break walk
			}
		}
		if r >= 0x0700 && p >= s.segment && (p == from || p > s.segment) {
			advance, _, _ := words.SplitFunc(s.text[from:], true)
			s.segment = from + advance
		}
		if p >= s.segment && p > from && (r >= 0x0700 || p == s.segment) {
			break
		}
		p += n
	}
	w.end = p
	return w
}

// nextBase returns the first rune from i on that is not a mark.
func (s *Stream) nextBase(i int) rune {
	for i < len(s.text) {
		r, n := utf8.DecodeRune(s.text[i:])
		if s.a.classes.of(r) != classMark {
			return r
		}
		i += n
	}
	return utf8.RuneError
}

// joinsScript reports whether r, a subscript or superscript digit, belongs to
// the word before it, although UAX #29 separates them. A superscript after more
// than two letters, or after a number, is taken for the mark of a footnote.
func joinsScript(r rune, letters int) bool {
	return isSubscript(r) || letters == 1 || letters == 2
}

func isSubscript(r rune) bool { return r >= '₀' && r <= '₉' }

// isApostrophe reports whether r, between two letters or digits, is an apostrophe.
func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == '＇'
}

// isForApostrophe reports whether people type r for an apostrophe between two letters. It is something
// else between digits: 5´6 is of feet and inches.
func isForApostrophe(r rune) bool {
	switch r {
	case '`', '´', '‛', 0x1FEF, 0x1FFD: // the last two are the first two in Greek, which NFC makes of them
		return true
	}
	return false
}

// withApostrophes returns a word with apostrophes in the place of what was typed for them, of which
// folding makes something else. It is the word itself where there is none of that.
func withApostrophes(word []byte) []byte {
	if !bytes.ContainsFunc(word, isForApostrophe) {
		return word
	}
	return bytes.Map(func(r rune) rune {
		if isForApostrophe(r) {
			return '\''
		}
		return r
	}, word)
}

func isNumberSeparator(r rune) bool {
	switch r {
	case '.', ',', '\'', '’', '．', '，', '٫', '٬':
		return true
	}
	return false
}

// isHebrewMark reports whether r is a geresh or gershayim, in Hebrew or ASCII
// form, that belongs to the Hebrew word it stands in, as in צה״ל.
func isHebrewMark(r, prev, next rune) bool {
	switch r {
	case '"', '״':
		return isHebrew(prev) && isHebrew(next)
	case '׳':
		return isHebrew(prev)
	}
	return false
}

func isHebrew(r rune) bool { return r >= 'א' && r <= 'ת' }

// symbolEnd returns the end of the symbol at start: an emoji with its modifiers
// and what a zero width joiner adds, the two halves of a flag.
func (s *Stream) symbolEnd(start int) int {
	advance, _, _ := words.SplitFunc(s.text[start:], true)
	end := start
	for end < start+advance {
		r, n := utf8.DecodeRune(s.text[end:])
		if r == utf8.RuneError && n == 1 { // a rune cut off by the end of the text
			break
		}
		end += n
	}
	return end
}

// elide moves pos behind an elided article at the beginning of the word, which
// has an apostrophe.
func (s *Stream) elide() {
	if s.a.lang.elided == nil {
		return
	}
	word := s.text[s.pos:s.word.end]
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRune(word[i:])
		if isApostrophe(r) || isForApostrophe(r) || r == 'ʼ' {
			if s.a.lang.elides(word[:i]) {
				s.pos += i + n
			}
			return
		}
		i += n
	}
}

// beforeSuffix returns word, in lower case, without the suffixes that Turkish
// puts behind the apostrophe of a name: İstanbul'da, NFL'nin.
// A single letter in front is a name of another kind: O'Reilly.
func beforeSuffix(word []byte) []byte {
	i := bytes.IndexByte(word, '\'')
	if i > 0 && utf8.RuneCount(word[:i]) > 1 && i+1 < len(word) && asciiClasses[word[i+1]] != asciiDigit { // 10'000
		return word[:i]
	}
	return word
}

// uncontracted returns an English word, in lower case, without a final 's and, of a pronoun and
// its verb that are another word without the apostrophe, without the verb: "we'll" is no well, and
// "she'd" no shed. Others are typed without it: theyre is they're.
func uncontracted(word []byte) []byte {
	at := bytes.LastIndexByte(word, '\'')
	if at <= 0 {
		return word
	}
	switch string(word) {
	case "he'll", "i'd", "i'll", "she'd", "she'll", "we'd", "we'll", "we're", "who're":
		return word[:at]
	}
	if string(word[at+1:]) == "s" {
		return word[:at]
	}
	return word
}
