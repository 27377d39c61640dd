package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner is a position in a text and the count of what was read so far. The
// parsers build on it. What a character means depends on where it stands (a
// dash may be a sign, a part of a date or a part of a name), so there are no
// tokens: each parser asks for what its grammar allows next.
type scanner struct {
	text string
	pos  int    // in bytes, always at the start of a character
	code string // of the errors
	lim  Limits // without zeros

	command bool // no minus is a sign: see isCommand

	// What is used of lim. A parser that reads several texts keeps the sums.
	bytes, terms, operators, depth int
}

// fail returns an error about the character at byte offset at.
func (s *scanner) fail(at int, format string, args ...any) error {
	return &Error{Code: s.code, Column: s.column(at), Detail: fmt.Sprintf(format, args...)}
}

// exceed returns an error about a limit that the character at byte offset at
// is the first to pass.
func (s *scanner) exceed(at int, format string, limit int) error {
	return &Error{Code: CodeLimitExceeded, Column: s.column(at), Detail: fmt.Sprintf(format, limit)}
}

func (s *scanner) column(at int) int {
	return utf8.RuneCountInString(s.text[:at]) + 1
}

// begin sets the text to read.
func (s *scanner) begin(text string) error {
	s.text, s.pos = text, 0
	s.bytes += len(text)
	if s.bytes <= s.lim.MaxBytes {
		return nil
	}
	at := len(text) - (s.bytes - s.lim.MaxBytes)
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return s.exceed(at, "the text is longer than %d bytes", s.lim.MaxBytes)
}

// countTerms notes the n words of a query that start at byte offset at.
func (s *scanner) countTerms(at, n int) error {
	s.terms += n
	if s.terms > s.lim.MaxTerms {
		return s.exceed(at, "more than %d words", s.lim.MaxTerms)
	}
	return nil
}

// countOperator notes an operator that stands at byte offset at.
func (s *scanner) countOperator(at int) error {
	s.operators++
	if s.operators > s.lim.MaxOperators {
		return s.exceed(at, "more than %d operators", s.lim.MaxOperators)
	}
	return nil
}

// enter notes one more level of nesting, which the caller ends by leave.
func (s *scanner) enter(at int) error {
	s.depth++
	if s.depth > s.lim.MaxDepth {
		return s.exceed(at, "nested deeper than %d levels", s.lim.MaxDepth)
	}
	return nil
}

func (s *scanner) leave() { s.depth-- }

func (s *scanner) atEnd() bool { return s.pos == len(s.text) }

// peek returns the character at the position and its width in bytes. At the
// end the width is 0; a byte that is not UTF-8 is a character of width 1.
func (s *scanner) peek() (r rune, width int) {
	return utf8.DecodeRuneInString(s.text[s.pos:])
}

// at reports whether the text goes on with the ASCII character c.
func (s *scanner) at(c byte) bool {
	return s.pos < len(s.text) && s.text[s.pos] == c
}

// atAny reports whether the text goes on with one of the ASCII characters.
func (s *scanner) atAny(chars string) bool {
	return s.pos < len(s.text) && strings.IndexByte(chars, s.text[s.pos]) >= 0
}

// accept steps over the ASCII character c if the text goes on with it.
func (s *scanner) accept(c byte) bool {
	if !s.at(c) {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) atSpace() bool {
	r, width := s.peek()
	return width > 0 && unicode.IsSpace(r)
}

func (s *scanner) skipSpace() {
	for {
		r, width := s.peek()
		if width == 0 || !unicode.IsSpace(r) {
			return
		}
		s.pos += width
	}
}

// skipTo steps to the first character for which stop is true, or to the end,
// and returns the text that it stepped over.
func (s *scanner) skipTo(stop func(r rune) bool) string {
	start := s.pos
	if i := strings.IndexFunc(s.text[start:], stop); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.text)
	}
	return s.text[start:s.pos]
}

// escaped reads up to the first character for which stop is true, or to the
// end. A backslash takes the character after it as it is; literal reports
// whether there was one.
func (s *scanner) escaped(stop func(r rune) bool) (text string, literal bool, err error) {
	special := func(r rune) bool { return r == '\\' || stop(r) }
	text = s.skipTo(special)
	if !s.at('\\') {
		return text, false, nil
	}
	var b strings.Builder
	for ; ; text = s.skipTo(special) {
		b.WriteString(text)
		if !s.at('\\') {
			return b.String(), true, nil
		}
		s.pos++
		_, width := s.peek()
		if width == 0 {
			return "", false, s.fail(s.pos-1, `there is nothing to escape after "\"`)
		}
		b.WriteString(s.text[s.pos : s.pos+width])
		s.pos += width
	}
}

// quoted reads a text in quotes from its opening quote to the closing one,
// which is the same character. The escapes of JSON stand for what they stand
// for there, so that clients may quote with the JSON encoder that they have;
// before any other character a backslash takes that as it is.
func (s *scanner) quoted() (string, error) {
	start, quote := s.pos, s.text[s.pos]
	s.pos++
	var b strings.Builder
	for {
		b.WriteString(s.skipTo(func(r rune) bool { return r == '\\' || r == rune(quote) }))
		if s.accept(quote) {
			return b.String(), nil
		}
		if !s.at('\\') {
			return "", s.fail(start, "this %c has no closing %c", quote, quote)
		}
		if err := s.escape(&b); err != nil {
			return "", err
		}
	}
}

// escape reads a backslash within quotes and what belongs to it.
func (s *scanner) escape(b *strings.Builder) error {
	start := s.pos
	s.pos++
	r, width := s.peek()
	if width == 0 {
		return s.fail(start, `there is nothing to escape after "\"`)
	}
	if r == 'u' {
		r, ok := s.unicode()
		if low, more := rune(0), false; ok && utf16.IsSurrogate(r) {
			if s.at('\\') {
				s.pos++
				low, more = s.unicode()
			}
			r = utf16.DecodeRune(r, low)
			ok = more && r != utf8.RuneError
		}
		if !ok {
			return s.fail(start, `"\u" needs four hexadecimal digits, and a surrogate its other half`)
		}
		b.WriteRune(r)
		return nil
	}
	if i := strings.IndexRune("bfnrt", r); i >= 0 {
		b.WriteByte("\b\f\n\r\t"[i])
	} else {
		b.WriteString(s.text[s.pos : s.pos+width])
	}
	s.pos += width
	return nil
}

// unicode reads a u and four hexadecimal digits.
func (s *scanner) unicode() (rune, bool) {
	if len(s.text)-s.pos < 5 || s.text[s.pos] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[s.pos+1:s.pos+5], 16, 16)
	s.pos += 5
	return rune(n), err == nil
}

// count reads the whole number after a ~.
func (s *scanner) count(least int) (int, error) {
	start := s.pos
	digits := s.skipTo(func(r rune) bool { return r < '0' || r > '9' })
	if n, err := strconv.Atoi(digits); err == nil && least <= n && n <= maxCount {
		return n, nil
	}
	return 0, s.fail(start, `expected a whole number from %d to %d after "~"`, least, maxCount)
}

// bracketRange reads a range such as [10 TO 20} from its opening bracket on.
// Both grammars have it, so that a range on its own has one canonical text.
func (s *scanner) bracketRange(field string) (Node, error) {
	start := s.pos
	if err := s.countOperator(start); err != nil {
		return nil, err
	}
	inclusive := s.at('[')
	s.pos++
	low, err := s.bracketBound(inclusive, `a value or "*" as the lower bound`)
	if err != nil {
		return nil, err
	}
	s.skipSpace()
	at := s.pos
	if to := s.skipTo(endsRangeValue); !strings.EqualFold(to, "TO") {
		return nil, s.fail(at, "expected TO between the bounds of the range")
	}
	high, err := s.bracketBound(false, `a value or "*" as the upper bound`)
	if err != nil {
		return nil, err
	}
	s.skipSpace()
	switch {
	case s.accept(']'):
		high.Inclusive = !high.Open
	case s.accept('}'):
	default:
		return nil, s.fail(s.pos, `expected "]" or "}" at the end of the range`)
	}
	return Range{Field: field, Low: low, High: high}, nil
}

func (s *scanner) bracketBound(inclusive bool, expected string) (Bound, error) {
	s.skipSpace()
	start := s.pos
	value, err := s.rangeValue(expected)
	if err != nil {
		return Bound{}, err
	}
	switch written := s.text[start:s.pos]; {
	case written == "*":
		return Bound{Open: true}, nil
	case strings.EqualFold(written, "TO"):
		return Bound{}, s.fail(start, "expected %s", expected)
	}
	return Bound{Value: value, Inclusive: inclusive}, nil
}

// rangeValue reads a value where text needs no quotes.
func (s *scanner) rangeValue(expected string) (Value, error) {
	if s.atAny(`"'`) {
		text, err := s.quoted()
		return Value{Kind: KindString, Str: text}, err
	}
	start := s.pos
	text, literal, err := s.escaped(endsRangeValue)
	if err != nil {
		return Value{}, err
	}
	if text == "" {
		return Value{}, s.fail(start, "expected %s", expected)
	}
	if !literal {
		value, ok, problem := numberOrDate(text)
		if problem != "" {
			return Value{}, s.fail(start, "%s", problem)
		}
		if ok {
			return value, nil
		}
	}
	return Value{Kind: KindString, Str: text}, nil
}

// endsRangeValue reports whether r cannot stand in a range value that is
// neither quoted nor escaped.
func endsRangeValue(r rune) bool {
	return unicode.IsSpace(r) || r < utf8.RuneSelf && strings.IndexByte(`()[]{}"^`, byte(r)) >= 0
}
