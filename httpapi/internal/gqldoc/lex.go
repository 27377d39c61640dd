package gqldoc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// kind of a token.
type kind uint8

const (
	end kind = iota
	sign
	name
	integer
	float
	text
)

// token is a piece of a document. Its text is that of the source; of a string,
// its value.
type token struct {
	kind      kind
	text      string
	line, col int
	out       int // where it begins in the text for executors
}

func (t token) is(s string) bool { return t.kind == sign && t.text == s }

// String describes a token without repeating a value: values may be anything.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the document"
	case sign:
		return strconv.Quote(t.text)
	case name:
		if len(t.text) <= 64 {
			return strconv.Quote(t.text)
		}
		return "a name"
	case text:
		return "a string"
	}
	return "a number"
}

// lexer cuts a document into tokens and writes the plain form of it.
type lexer struct {
	src    string
	at     int
	line   int
	begin  int // of the line
	tokens int
	max    int
	out    []byte
}

func (l *lexer) fail(format string, args ...any) error {
	return l.failAt(l.at, format, args...)
}

func (l *lexer) failAt(at int, format string, args ...any) error {
	return &Error{Detail: fmt.Sprintf(format, args...), Line: l.line, Column: l.column(at)}
}

// column of an offset in the line, in characters from 1.
func (l *lexer) column(at int) int {
	return utf8.RuneCountInString(l.src[l.begin:at]) + 1
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	l.skip()
	t := token{line: l.line, col: l.column(l.at), out: len(l.out)}
	if l.at == len(l.src) {
		return t, nil
	}
	if l.tokens++; l.tokens > l.max {
		return t, &Error{Detail: fmt.Sprintf("the document has more than %d tokens", l.max), Limit: true}
	}
	from := l.at
	switch c := l.src[from]; {
	case c == '"':
		value, err := l.str()
		if err != nil {
			return t, err
		}
		t.kind, t.text = text, value
		l.out = appendQuoted(l.out, value)
		for range l.line - t.line {
			l.out = append(l.out, '\n')
		}
		return t, nil
	case nameStart(c):
		for l.at < len(l.src) && (nameStart(l.src[l.at]) || digit(l.src[l.at])) {
			l.at++
		}
		t.kind = name
	case c == '-' || digit(c):
		var err error
		if t.kind, err = l.number(); err != nil {
			return t, err
		}
	case strings.HasPrefix(l.src[from:], "..."):
		t.kind = sign
		l.at += 3
	case strings.IndexByte("!$&():=@[]{|}", c) >= 0:
		t.kind = sign
		l.at++
	default:
		return t, l.fail("an unexpected character")
	}
	t.text = l.src[from:l.at]
	l.out = append(l.out, t.text...)
	return t, nil
}

// appendQuoted writes a string in ASCII with the escapes \" \\ \n and \uXXXX.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r >= ' ' && r < 0x7f:
			dst = append(dst, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}

// skip passes over what separates tokens.
func (l *lexer) skip() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n' || c == '\r':
			l.newline()
		case c == ' ' || c == '\t' || c == ',':
			l.at++
			l.out = append(l.out, ' ')
		case c == '#':
			for l.at < len(l.src) && l.src[l.at] != '\n' && l.src[l.at] != '\r' {
				l.at++
			}
		case strings.HasPrefix(l.src[l.at:], "\ufeff"):
			l.at += len("\ufeff")
			l.out = append(l.out, ' ')
		default:
			return
		}
	}
}

// newline passes over the end of a line: \n, \r or both.
func (l *lexer) newline() {
	if strings.HasPrefix(l.src[l.at:], "\r\n") {
		l.at++
	}
	l.at++
	l.line++
	l.begin = l.at
	l.out = append(l.out, '\n')
}

func nameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool     { return c >= '0' && c <= '9' }

func (l *lexer) digits() bool {
	from := l.at
	for l.at < len(l.src) && digit(l.src[l.at]) {
		l.at++
	}
	return l.at > from
}

func (l *lexer) eat(chars string) bool {
	if l.at < len(l.src) && strings.IndexByte(chars, l.src[l.at]) >= 0 {
		l.at++
		return true
	}
	return false
}

// number reads an integer of 64 bits or a finite float: executors keep no
// others exactly.
func (l *lexer) number() (kind, error) {
	from := l.at
	l.eat("-")
	if !l.eat("0") && !l.digits() {
		return 0, l.fail("a number needs a digit after its sign")
	}
	k := integer
	if l.eat(".") {
		k = float
		if !l.digits() {
			return 0, l.fail("a number needs a digit after its point")
		}
	}
	if l.eat("eE") {
		k = float
		l.eat("+-")
		if !l.digits() {
			return 0, l.fail("a number needs a digit in its exponent")
		}
	}
	if l.at < len(l.src) && (digit(l.src[l.at]) || nameStart(l.src[l.at]) || l.src[l.at] == '.') {
		return 0, l.failAt(from, "not a number")
	}
	var err error
	if k == integer {
		_, err = strconv.ParseInt(l.src[from:l.at], 10, 64)
	} else {
		_, err = strconv.ParseFloat(l.src[from:l.at], 64)
	}
	if err != nil {
		return 0, l.failAt(from, "a number that 64 bits do not hold; a variable of type JSON can")
	}
	return k, nil
}

// str reads a string and returns its value.
func (l *lexer) str() (string, error) {
	if strings.HasPrefix(l.src[l.at:], `"""`) {
		return l.block()
	}
	from := l.at
	l.at++
	var value []byte
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '"':
			l.at++
			return string(value), nil
		case c == '\\':
			r, err := l.escape()
			if err != nil {
				return "", err
			}
			value = utf8.AppendRune(value, r)
		case c < ' ' && c != '\t':
			return "", l.fail("a line break or control character in a string")
		default:
			value = append(value, c)
			l.at++
		}
	}
	return "", l.failAt(from, "a string without an end")
}

// escape reads an escape sequence.
func (l *lexer) escape() (rune, error) {
	rest := l.src[l.at+1:]
	if rest == "" {
		return 0, l.fail("an escape that is none")
	}
	if i := strings.IndexByte(`"\/bfnrt`, rest[0]); i >= 0 {
		l.at += 2
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if rest[0] != 'u' {
		return 0, l.fail("an escape that is none")
	}
	if digits, after, ok := strings.Cut(rest[1:], "}"); ok && strings.HasPrefix(digits, "{") {
		n, err := strconv.ParseUint(digits[1:], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) || n > utf8.MaxRune || strings.ContainsAny(digits, "+_") {
			return 0, l.fail("an escape that is no character")
		}
		l.at = len(l.src) - len(after)
		return rune(n), nil
	}
	r, ok := fourDigits(rest[1:])
	if !ok {
		return 0, l.fail("an escape that is none")
	}
	l.at += 6
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if strings.HasPrefix(l.src[l.at:], `\u`) {
		if low, ok := fourDigits(l.src[l.at+2:]); ok {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				l.at += 6
				return r, nil
			}
		}
	}
	return 0, l.fail("half a surrogate pair in a string")
}

func fourDigits(s string) (rune, bool) {
	if len(s) < 4 || strings.ContainsAny(s[:4], "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// block reads a block string: lines without what they are all indented by.
func (l *lexer) block() (string, error) {
	line, col := l.line, l.column(l.at)
	l.at += 3
	lines := []string{""}
	last := &lines[0]
	written := len(l.out) // newline writes there, the caller does so itself
	defer func() { l.out = l.out[:written] }()
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case strings.HasPrefix(l.src[l.at:], `"""`):
			l.at += 3
			return dedent(lines), nil
		case strings.HasPrefix(l.src[l.at:], `\"""`):
			*last += `"""`
			l.at += 4
		case c == '\n' || c == '\r':
			l.newline()
			lines = append(lines, "")
			last = &lines[len(lines)-1]
		case c < ' ' && c != '\t':
			return "", l.fail("a control character in a string")
		default:
			from := l.at
			for l.at++; l.at < len(l.src) && l.src[l.at] >= ' ' && l.src[l.at] != '"' && l.src[l.at] != '\\'; l.at++ {
			}
			*last += l.src[from:l.at]
		}
	}
	return "", &Error{Detail: "a string without an end", Line: line, Column: col}
}

// dedent is BlockStringValue() of the specification.
func dedent(lines []string) string {
	blank := func(s string) bool { return strings.Trim(s, " \t") == "" }
	common := -1
	for _, s := range lines[1:] {
		if indent := len(s) - len(strings.TrimLeft(s, " \t")); indent < len(s) && (common < 0 || indent < common) {
			common = indent
		}
	}
	for i, s := range lines[1:] {
		lines[i+1] = s[min(max(common, 0), len(s)):]
	}
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}
