package query

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseFilter reads a filter:
//
//	expr  = and { "OR" and }
//	and   = not { "AND" not }
//	not   = [ "NOT" ] prim                 NOT may be repeated
//	prim  = "(" expr ")"
//	      | "*"                            every record
//	      | field op value
//	      | field [ "NOT" ] "IN" "[" [ value { "," value } ] "]"
//	      | field [ value ] ".." [ value ] one value at least, both included
//	      | field ":" range                as in ParseQuery, such as price:[10 TO 20}
//	      | field "STARTS" "WITH" string
//	      | "EXISTS" field
//	      | "EMPTY" field
//	      | "geo" "(" field "," lat "," lon "," radius ")"
//	      | "geo" "(" field "," south "," west "," north "," east ")"
//	op    = "=" | "!=" | "<" | "<=" | ">" | ">="
//	value = string | number | date | "true" | "false" | "null"
//
// Keywords may be in small or capital letters. A string stands in double or
// single quotes, a field in backticks unless it consists of letters, digits and
// _ - . @ $ # / and is not one of AND, OR, NOT, IN, EXISTS and EMPTY; in all
// of these a backslash takes the next character as it is, but in quotes \n, \u00fc
// and the other escapes of JSON mean what they do there. A date is unquoted:
// 2024-01-31 or 2024-01-31T10:00:00Z. A radius is in meters or has a unit: 500,
// 500m, 5km, 3mi, in quotes or not. "= null" means EMPTY, "!= null" means EXISTS, and null in a
// list adds EMPTY to it. A blank text is All.
//
// A list may have 10,000 values and a number 64 characters. Errors are of type
// [*Error] with code "invalid_filter" or "limit_exceeded".
func ParseFilter(text string, lim Limits) (Node, error) {
	p := newFilterParser(lim)
	return p.parse(text)
}

// ParseFilterList reads filters that all have to match: the And of what
// [ParseFilter] makes of each. Blank texts are left out; a single filter stands
// for itself, and no filter is All. MaxBytes and MaxOperators of lim hold for
// the texts together. Item of an [*Error] says which text it is about.
func ParseFilterList(texts []string, lim Limits) (Node, error) {
	p := newFilterParser(lim)
	var nodes []Node
	for i, text := range texts {
		node, err := p.parse(text)
		if err != nil {
			if e := (*Error)(nil); errors.As(err, &e) {
				e.Item = i
			}
			return nil, err
		}
		if strings.TrimSpace(text) != "" {
			nodes = append(nodes, node)
		}
	}
	return combine(nodes, All{}, func(nodes []Node) Node { return And{nodes} }), nil
}

// ConditionColumns returns the column, in characters from 1, at which each
// condition of a filter begins, in the order in which [Walk] comes to them: the
// nodes but And, Or, Not, All and None. It is nil for a text that is no filter
// within the limits.
func ConditionColumns(text string, lim Limits) []int {
	p := newFilterParser(lim)
	var at []int
	p.begun = &at
	if _, err := p.parse(text); err != nil {
		return nil
	}
	column, from := 1, 0
	for i, to := range at {
		column += utf8.RuneCountInString(text[from:to])
		at[i], from = column, to
	}
	return at
}

// filterParser is a recursive-descent parser. It recurses through parentheses
// and NOT only, which depth counts.
type filterParser struct {
	scanner
	begun *[]int // byte offsets of the conditions, if somebody asks for them
}

func newFilterParser(lim Limits) *filterParser {
	return &filterParser{scanner: scanner{code: CodeInvalidFilter, lim: lim.withDefaults(defaultMaxFilterBytes)}}
}

func (p *filterParser) parse(text string) (Node, error) {
	if err := p.begin(text); err != nil {
		return nil, err
	}
	p.skipSpace()
	if p.atEnd() {
		return All{}, nil
	}
	node, err := p.or()
	if err != nil {
		return nil, err
	}
	p.skipSpace()
	switch {
	case p.at(')'):
		return nil, p.fail(p.pos, `this ")" closes nothing`)
	case !p.atEnd():
		return nil, p.fail(p.pos, "expected AND, OR or the end of the filter")
	}
	return node, nil
}

func (p *filterParser) or() (Node, error) {
	return p.joined("OR", p.and, func(nodes []Node) Node { return Or{nodes} })
}

func (p *filterParser) and() (Node, error) {
	return p.joined("AND", p.not, func(nodes []Node) Node { return And{nodes} })
}

// joined reads one or more operands with the operator between them, and joins
// them if there is more than one.
func (p *filterParser) joined(operator string, operand func() (Node, error), join func([]Node) Node) (Node, error) {
	var nodes []Node
	for {
		node, err := operand()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		p.skipSpace()
		at := p.pos
		if !p.keyword(operator) {
			return combine(nodes, nil, join), nil
		}
		if err := p.countOperator(at); err != nil {
			return nil, err
		}
	}
}

// combine joins nodes, unless there is just one, which stands for itself, or
// none, which is empty.
func combine(nodes []Node, empty Node, join func([]Node) Node) Node {
	switch len(nodes) {
	case 0:
		return empty
	case 1:
		return nodes[0]
	}
	return join(nodes)
}

func (p *filterParser) not() (Node, error) {
	p.skipSpace()
	at := p.pos
	if !p.keyword("NOT") {
		return p.primary()
	}
	if err := p.countOperator(at); err != nil {
		return nil, err
	}
	if err := p.enter(at); err != nil {
		return nil, err
	}
	defer p.leave()
	node, err := p.not()
	if err != nil {
		return nil, err
	}
	if _, ok := node.(All); ok { // so that None has a text that parses to it
		return None{}, nil
	}
	return Not{node}, nil
}

func (p *filterParser) primary() (Node, error) {
	switch {
	case p.at('('):
		return p.group()
	case p.accept('*'):
		return All{}, nil
	}
	at := p.pos
	node, err := p.leaf()
	if p.begun != nil && err == nil {
		Walk(node, func(n Node) bool {
			switch n.(type) {
			case Or, Not: // of a list with null, and NOT IN
			default:
				*p.begun = append(*p.begun, at)
			}
			return true
		})
	}
	return node, err
}

// leaf reads a primary without parentheses.
func (p *filterParser) leaf() (Node, error) {
	at := p.pos
	exists := p.keyword("EXISTS")
	if exists || p.keyword("EMPTY") {
		if err := p.countOperator(at); err != nil {
			return nil, err
		}
		p.skipSpace()
		field, err := p.field()
		if err != nil {
			return nil, err
		}
		if exists {
			return Exists{field}, nil
		}
		return Empty{field}, nil
	}
	if p.keyword("geo") {
		if p.skipSpace(); p.at('(') {
			return p.geo(at)
		}
		p.pos = at
	}
	field, err := p.field()
	if err != nil {
		return nil, err
	}
	return p.condition(field)
}

func (p *filterParser) group() (Node, error) {
	start := p.pos
	if err := p.enter(start); err != nil {
		return nil, err
	}
	defer p.leave()
	p.pos++
	node, err := p.or()
	if err != nil {
		return nil, err
	}
	p.skipSpace()
	if !p.accept(')') {
		if p.atEnd() {
			return nil, p.fail(start, `this "(" has no closing ")"`)
		}
		return nil, p.fail(p.pos, `expected AND, OR or ")"`)
	}
	return node, nil
}

// field reads the name of a field.
func (p *filterParser) field() (string, error) {
	at := p.pos
	if p.at('`') {
		name, err := p.quoted()
		if err == nil && name == "" {
			err = p.fail(at, "the name of a field cannot be empty")
		}
		return name, err
	}
	var name strings.Builder
	escaped := false
	for {
		part, literal, err := p.escaped(endsField)
		if err != nil {
			return "", err
		}
		name.WriteString(part)
		escaped = escaped || literal
		if !p.at('.') || strings.HasPrefix(p.text[p.pos:], "..") { // two begin a range
			break
		}
		p.pos++
		name.WriteByte('.')
	}
	switch {
	case name.Len() == 0:
		return "", p.fail(at, "expected a field")
	case !escaped && reserved(name.String()):
		return "", p.fail(at, "expected a field before %s; a field of this name needs backticks", strings.ToUpper(name.String()))
	}
	return name.String(), nil
}

// keyword steps over name, in small or capital letters, if the text goes on
// with it as a whole word.
func (p *filterParser) keyword(name string) bool {
	end := p.pos + len(name)
	if end > len(p.text) || !strings.EqualFold(p.text[p.pos:end], name) {
		return false
	}
	if next, width := utf8.DecodeRuneInString(p.text[end:]); width > 0 && (next == '.' || !endsField(next)) {
		return false
	}
	p.pos = end
	return true
}

// reserved reports whether a field of this name has to stand in backticks.
func reserved(name string) bool {
	for _, keyword := range [...]string{"AND", "OR", "NOT", "IN", "EXISTS", "EMPTY"} {
		if strings.EqualFold(name, keyword) {
			return true
		}
	}
	return false
}

// endsField reports whether r cannot stand in the name of a field without
// backticks. A point can, but only one.
func endsField(r rune) bool {
	if r < utf8.RuneSelf && strings.IndexByte("_-@$#/", byte(r)) >= 0 {
		return false
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}
