package query

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// String returns the canonical text of a tree: a filter in the grammar of
// [ParseFilter] if the tree has no Text, Bool or Boost, and otherwise a query
// in the syntax of [ParseQuery]. Parsing it again, with limits that allow its
// length, gives an equal tree (see [Equal]); so does ParseQuery for the trees
// of [ParseSimple].
//
// The exceptions are trees that no parser makes, of which the text means the
// same: a list of one node is written as that node, an empty one as the All or
// None that it stands for, and null is compared with "=". A tree that mixes
// filters and queries has a text for people only.
//
// A Range on its own, or All or None, is text that both parsers read, with
// brackets; [FilterString] writes the range as price 10..20.
func String(n Node) string {
	if r, ok := n.(Range); ok {
		return string(appendRange(nil, r))
	}
	if isFilter(n) {
		return FilterString(n)
	}
	return string(appendQuery(nil, n))
}

// Quote returns a text as a string of the grammars of ParseFilter and
// ParseQuery, in double quotes. A filter that is put together with it means
// what it says whatever the text holds: "brand = " + Quote(brand). Bytes that
// are not UTF-8 are kept, and match nothing.
func Quote(text string) string { return string(appendQuoted(nil, text, '"')) }

// FilterString returns the canonical text of a filter. It differs from [String]
// only for a Range on its own, which it writes as a part of a filter.
func FilterString(n Node) string {
	return string(appendFilter(nil, n, precedenceOr))
}

func isFilter(n Node) bool {
	filter := true
	Walk(n, func(n Node) bool {
		switch n.(type) {
		case Text, Bool, Boost:
			filter = false
		}
		return filter
	})
	return filter
}

// How tightly the operators of a filter bind.
const (
	precedenceOr = iota
	precedenceAnd
	precedenceNot
)

// appendFilter appends n in parentheses if it binds less tightly than least.
func appendFilter(b []byte, n Node, least int) []byte {
	switch n := n.(type) {
	case Or:
		return appendJoined(b, n.Nodes, None{}, " OR ", precedenceOr, least)
	case And:
		return appendJoined(b, n.Nodes, All{}, " AND ", precedenceAnd, least)
	case Not:
		return appendFilter(append(b, "NOT "...), n.Node, precedenceNot)
	case All:
		return append(b, '*')
	case None:
		return append(b, "NOT *"...)
	case Compare:
		b = append(appendField(b, n.Field), ' ')
		b = append(append(b, n.Op.String()...), ' ')
		return appendValue(b, n.Value)
	case In:
		b = append(appendField(b, n.Field), " IN ["...)
		for i, v := range n.Values {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendValue(b, v)
		}
		return append(b, ']')
	case Exists:
		return appendField(append(b, "EXISTS "...), n.Field)
	case Empty:
		return appendField(append(b, "EMPTY "...), n.Field)
	case StartsWith:
		b = append(appendField(b, n.Field), " STARTS WITH "...)
		return appendQuoted(b, n.Prefix, '"')
	case Range:
		return appendDotRange(b, n)
	case Geo:
		b = appendField(append(b, "geo("...), n.Field)
		for _, f := range []float64{n.Lat, n.Lon, n.RadiusMeters} {
			b = strconv.AppendFloat(append(b, ", "...), f, 'g', -1, 64)
		}
		return append(b, ')')
	case GeoBox:
		b = appendField(append(b, "geo("...), n.Field)
		for _, f := range []float64{n.South, n.West, n.North, n.East} {
			b = strconv.AppendFloat(append(b, ", "...), f, 'g', -1, 64)
		}
		return append(b, ')')
	case nil:
		return append(b, "<nil>"...)
	}
	return append(appendQuery(append(b, '('), n), ')') // a query in a filter
}

// appendJoined appends the nodes of an And or Or, which means empty if it has
// none.
func appendJoined(b []byte, nodes []Node, empty Node, operator string, own, least int) []byte {
	switch len(nodes) {
	case 0:
		return appendFilter(b, empty, least)
	case 1:
		return appendFilter(b, nodes[0], least)
	}
	if own < least {
		b = append(b, '(')
	}
	for i, n := range nodes {
		if i > 0 {
			b = append(b, operator...)
		}
		b = appendFilter(b, n, own+1)
	}
	if own < least {
		b = append(b, ')')
	}
	return b
}

func appendDotRange(b []byte, r Range) []byte {
	closed := func(bound Bound) bool { return bound.Inclusive && !bound.Open }
	if r.Low.Open && r.High.Open || !r.Low.Open && !closed(r.Low) || !r.High.Open && !closed(r.High) {
		return appendRange(b, r)
	}
	b = append(appendField(b, r.Field), ' ')
	if !r.Low.Open {
		b = appendValue(b, r.Low.Value)
	}
	b = append(b, ".."...)
	if !r.High.Open {
		b = appendValue(b, r.High.Value)
	}
	return b
}

// appendQuery appends n as a whole text.
func appendQuery(b []byte, n Node) []byte {
	if list, ok := n.(Bool); ok && !counted(list) {
		return appendList(b, list)
	}
	return appendOperand(b, n)
}

// appendOperand appends n so that a sign can stand before it and a boost
// behind it.
func appendOperand(b []byte, n Node) []byte {
	switch n := n.(type) {
	case Text:
		return appendText(b, n)
	case Range:
		return appendRange(b, n)
	case All:
		return append(b, '*')
	case None:
		return append(b, "(NOT *)"...)
	case Boost:
		if _, ok := n.Node.(Boost); ok {
			b = append(appendOperand(append(b, '('), n.Node), ')')
		} else {
			b = appendOperand(b, n.Node)
		}
		return strconv.AppendFloat(append(b, '^'), n.Factor, 'g', -1, 64)
	case Bool:
		if n.MinShould > len(n.Should) {
			return appendOperand(b, None{})
		}
		b = append(appendList(append(b, '('), n), ')')
		if counted(n) {
			b = strconv.AppendInt(append(b, '~'), int64(n.MinShould), 10)
		}
		return b
	}
	return append(appendFilter(append(b, '('), n, precedenceOr), ')') // a filter in a query
}

// alternatives reports whether n is what OR makes of its operands.
func (n Bool) alternatives() bool {
	return n.MinShould == 1 && len(n.Should) > 0 && len(n.Must)+len(n.MustNot) == 0
}

// counted reports whether n needs its number, and so parentheses.
func counted(n Bool) bool { return n.MinShould > 0 && !n.alternatives() }

// appendList appends the nodes of n, without its number.
func appendList(b []byte, n Bool) []byte {
	separator := " "
	if n.alternatives() {
		separator = " OR "
	}
	first := true
	add := func(sign string, nodes []Node) {
		for _, n := range nodes {
			if !first {
				b = append(b, separator...)
			}
			first = false
			b = appendOperand(append(b, sign...), n)
		}
	}
	add("+", n.Must)
	add("", n.Should)
	add("-", n.MustNot)
	if first {
		b = append(b, '*')
	}
	return b
}

// appendText appends a word or phrase with its field.
func appendText(b []byte, t Text) []byte {
	if t.Field != "" {
		b = append(appendWord(b, t.Field), ':')
	}
	if !t.Quoted {
		b = appendWord(b, t.Text)
		if t.Prefix {
			b = append(b, '*')
		}
		return b
	}
	b = appendQuoted(b, t.Text, '"')
	if t.Slop > 0 {
		b = strconv.AppendInt(append(b, '~'), int64(t.Slop), 10)
	}
	return b
}

// appendWord appends a word of a query. A backslash stands before what would
// end the word, and before what would be an operator at its beginning.
func appendWord(b []byte, word string) []byte {
	if isOperator(word) || word != "" && strings.IndexByte("+-<>", word[0]) >= 0 {
		b = append(b, '\\')
	}
	return appendEscaped(b, word, func(r rune) bool { return r == '\\' || endsWord(r) })
}

// appendRange appends a range with brackets. Its field is written so that the
// parsers of queries and of filters both read it.
func appendRange(b []byte, r Range) []byte {
	if reserved(r.Field) || strings.HasPrefix(r.Field, "-") {
		b = append(b, '\\')
	}
	doubled := strings.Contains(r.Field, "..")
	b = appendEscaped(b, r.Field, func(c rune) bool {
		if c == '.' {
			return doubled
		}
		return endsField(c)
	})
	b = append(b, ":["...)
	if !r.Low.Inclusive && !r.Low.Open {
		b[len(b)-1] = '{'
	}
	b = append(appendBound(b, r.Low), " TO "...)
	b = appendBound(b, r.High)
	if !r.High.Inclusive && !r.High.Open {
		return append(b, '}')
	}
	return append(b, ']')
}

func appendBound(b []byte, bound Bound) []byte {
	if bound.Open {
		return append(b, '*')
	}
	return appendValue(b, bound.Value)
}

// appendField appends the name of a field of a filter.
func appendField(b []byte, name string) []byte {
	plain := name != "" && !reserved(name) && !strings.Contains(name, "..") &&
		!strings.ContainsFunc(name, func(r rune) bool { return r != '.' && endsField(r) })
	if plain {
		return append(b, name...)
	}
	return appendQuoted(b, name, '`')
}

func appendValue(b []byte, v Value) []byte {
	switch v.Kind {
	case KindString:
		return appendQuoted(b, v.Str, '"')
	case KindInt:
		return strconv.AppendInt(b, v.Int, 10)
	case KindFloat:
		if v.Str != "" {
			return append(b, v.Str...)
		}
		// The shortest text that is read as this float may be another whole number
		// from 2^53 on, which a value keeps apart (see [Value.Floor]).
		if m := math.Abs(v.Float); m >= 1<<53 && m <= 1<<63 {
			return strconv.AppendFloat(b, v.Float, 'f', 1, 64)
		}
		start := len(b)
		b = strconv.AppendFloat(b, v.Float, 'g', -1, 64)
		if !bytes.ContainsAny(b[start:], ".e") {
			b = append(b, ".0"...) // or it would be an int
		}
		return b
	case KindBool:
		return strconv.AppendBool(b, v.Bool)
	case KindDate:
		return append(b, v.Str...)
	}
	return append(b, "null"...)
}

func appendQuoted(b []byte, text string, quote byte) []byte {
	b = appendEscaped(append(b, quote), text, func(r rune) bool { return r == '\\' || r == rune(quote) })
	return append(b, quote)
}

// appendEscaped appends text with a backslash before each character for which
// special is true. Bytes that are not UTF-8 stay as they are.
func appendEscaped(b []byte, text string, special func(r rune) bool) []byte {
	for i, r := range text {
		if special(r) {
			b = append(b, '\\')
		}
		_, width := utf8.DecodeRuneInString(text[i:])
		b = append(b, text[i:i+width]...)
	}
	return b
}
