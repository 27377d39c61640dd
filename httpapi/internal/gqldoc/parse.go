package gqldoc

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxNesting bounds the recursion of the parser: braces, brackets and the like
// within one another.
const maxNesting = 64

type parser struct {
	lex     lexer
	tok     token // the one that comes next
	nesting int
	doc     *Document
}

// Parse reads a document of at most lim.Bytes and lim.Tokens. Errors are of
// type *Error.
func Parse(src string, lim Limits) (*Document, error) {
	if len(src) > lim.Bytes {
		return nil, &Error{Detail: fmt.Sprintf("the document has more than %d bytes", lim.Bytes), Limit: true}
	}
	if !utf8.ValidString(src) {
		return nil, &Error{Detail: "the document is not valid UTF-8"}
	}
	p := parser{lex: lexer{src: src, line: 1, max: lim.Tokens}, doc: &Document{fragments: map[string]*fragment{}}}
	if err := p.document(); err != nil {
		return nil, err
	}
	p.doc.text = p.lex.out
	return p.doc, nil
}

func (p *parser) advance() (err error) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) unexpected(want string) error {
	return &Error{Detail: fmt.Sprintf("%s where %s is expected", p.tok, want), Line: p.tok.line, Column: p.tok.col}
}

// take passes over a sign.
func (p *parser) take(s string) error {
	if !p.tok.is(s) {
		return p.unexpected(strconv.Quote(s))
	}
	return p.advance()
}

// name passes over a name.
func (p *parser) name(what string) (string, error) {
	s := p.tok.text
	if p.tok.kind != name {
		return "", p.unexpected(what)
	}
	return s, p.advance()
}

// list reads what stands between two signs, at least one of it, by calls of
// one.
func (p *parser) list(open, close string, empty bool, one func() error) error {
	if p.nesting++; p.nesting > maxNesting {
		return &Error{Detail: fmt.Sprintf("the document is nested deeper than %d", maxNesting), Limit: true, Line: p.tok.line, Column: p.tok.col}
	}
	defer func() { p.nesting-- }()
	if err := p.take(open); err != nil {
		return err
	}
	for !p.tok.is(close) || !empty {
		empty = true
		if p.tok.kind == end {
			return p.unexpected(strconv.Quote(close))
		}
		if err := one(); err != nil {
			return err
		}
	}
	return p.advance()
}

func (p *parser) document() error {
	if err := p.advance(); err != nil {
		return err
	}
	for p.tok.kind != end {
		if err := p.definition(); err != nil {
			return err
		}
	}
	if len(p.doc.Operations) == 0 {
		return p.unexpected("an operation")
	}
	used := map[string]bool{}
	for _, op := range p.doc.Operations {
		if op.Name == "" && len(p.doc.Operations) > 1 {
			return &Error{Detail: "an operation without a name must be the only one", Line: op.line, Column: op.col}
		}
		p.doc.spread(op.selection, used)
	}
	for name := range p.doc.fragments { // those that Check never sees
		if !used[name] {
			return &Error{Detail: "there is a fragment that no operation uses"}
		}
	}
	return nil
}

func (p *parser) definition() (err error) {
	at := p.tok
	switch {
	case at.is("{"):
		op := &Operation{Kind: "query", line: at.line, col: at.col, from: at.out}
		p.doc.Operations = append(p.doc.Operations, op)
		op.selection, err = p.selectionSet()
		op.to = p.tok.out
		return err
	case at.kind != name:
		return p.unexpected("an operation or a fragment")
	}
	switch at.text {
	case "query", "mutation", "subscription":
		return p.operation(at)
	case "fragment":
		return p.fragment(at)
	}
	return p.unexpected("an operation or a fragment")
}

func (p *parser) operation(at token) (err error) {
	op := &Operation{Kind: at.text, line: at.line, col: at.col, from: at.out}
	if err = p.advance(); err != nil {
		return err
	}
	if p.tok.kind == name {
		if op.Name, err = p.name("a name"); err != nil {
			return err
		}
	}
	for _, other := range p.doc.Operations {
		if other.Name == op.Name && op.Name != "" {
			return &Error{Detail: "two operations have the same name", Line: at.line, Column: at.col}
		}
	}
	p.doc.Operations = append(p.doc.Operations, op)
	if p.tok.is("(") {
		err = p.list("(", ")", false, func() error {
			v, err := p.variable()
			op.Variables = append(op.Variables, v)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err = p.directives(); err != nil {
		return err
	}
	op.selection, err = p.selectionSet()
	op.to = p.tok.out
	return err
}

func (p *parser) variable() (v *Variable, err error) {
	v = &Variable{}
	if err = p.take("$"); err != nil {
		return v, err
	}
	if v.Name, err = p.name("the name of a variable"); err != nil {
		return v, err
	}
	if err = p.take(":"); err != nil {
		return v, err
	}
	if v.Type, err = p.typeRef(); err != nil {
		return v, err
	}
	if p.tok.is("=") {
		if err = p.advance(); err != nil {
			return v, err
		}
		if v.Default, err = p.value(true); err != nil {
			return v, err
		}
	}
	return v, p.directives()
}

func (p *parser) typeRef() (t *Type, err error) {
	t = &Type{}
	if p.tok.is("[") {
		err = p.list("[", "]", false, func() (err error) {
			if t.Of != nil {
				return p.unexpected(`"]"`)
			}
			t.Of, err = p.typeRef()
			return err
		})
	} else {
		t.Name, err = p.name("a type")
	}
	if err == nil && p.tok.is("!") {
		t.NonNull = true
		err = p.advance()
	}
	return t, err
}

func (p *parser) fragment(at token) (err error) {
	f := &fragment{from: at.out}
	if err = p.advance(); err != nil {
		return err
	}
	if p.tok.kind == name && p.tok.text == "on" {
		return p.unexpected("the name of a fragment")
	}
	if f.name, err = p.name("the name of a fragment"); err != nil {
		return err
	}
	if p.doc.fragments[f.name] != nil {
		return &Error{Detail: "two fragments have the same name", Line: at.line, Column: at.col}
	}
	p.doc.fragments[f.name] = f
	if p.tok.kind != name || p.tok.text != "on" {
		return p.unexpected(`"on"`)
	}
	if err = p.advance(); err != nil {
		return err
	}
	if f.on, err = p.name("a type"); err != nil {
		return err
	}
	if err = p.directives(); err != nil {
		return err
	}
	f.selection, err = p.selectionSet()
	f.to = p.tok.out
	return err
}

func (p *parser) selectionSet() (set []*selection, err error) {
	err = p.list("{", "}", false, func() error {
		s, err := p.selection()
		set = append(set, s)
		return err
	})
	return set, err
}

func (p *parser) selection() (s *selection, err error) {
	s = &selection{line: p.tok.line, col: p.tok.col}
	if p.tok.is("...") {
		return s, p.spread(s)
	}
	s.from, s.to = p.tok.out, p.tok.out+len(p.tok.text)
	if s.name, err = p.name("a field"); err != nil {
		return s, err
	}
	s.key = s.name
	if p.tok.is(":") {
		s.alias = true
		if err = p.advance(); err != nil {
			return s, err
		}
		s.to = p.tok.out + len(p.tok.text)
		if s.name, err = p.name("a field"); err != nil {
			return s, err
		}
	}
	if s.args, err = p.arguments(); err != nil {
		return s, err
	}
	if err = p.directives(); err != nil {
		return s, err
	}
	if p.tok.is("{") {
		s.below, err = p.selectionSet()
	}
	return s, err
}

// spread reads what comes after the dots of a fragment.
func (p *parser) spread(s *selection) (err error) {
	if err = p.advance(); err != nil {
		return err
	}
	if p.tok.kind == name && p.tok.text != "on" {
		s.spread = p.tok.text
		if err = p.advance(); err != nil {
			return err
		}
		return p.directives()
	}
	if p.tok.kind == name {
		if err = p.advance(); err != nil {
			return err
		}
		if _, err = p.name("a type"); err != nil {
			return err
		}
	}
	if err = p.directives(); err != nil {
		return err
	}
	s.below, err = p.selectionSet()
	return err
}

func (p *parser) directives() error {
	for p.tok.is("@") {
		if err := p.advance(); err != nil {
			return err
		}
		if _, err := p.name("a directive"); err != nil {
			return err
		}
		at := p.tok
		args, err := p.arguments()
		if err != nil {
			return err
		}
		for _, v := range args {
			if v.compound {
				return &Error{Detail: "a directive takes no list or object", Line: at.line, Column: at.col}
			}
		}
	}
	return nil
}

func (p *parser) arguments() (args map[string]*Value, err error) {
	if !p.tok.is("(") {
		return nil, nil
	}
	args = map[string]*Value{}
	err = p.list("(", ")", false, func() error {
		return p.member(func(name string, v *Value) { args[name] = v }, false)
	})
	return args, err
}

// member reads a name, a colon and a value.
func (p *parser) member(set func(string, *Value), constant bool) error {
	name, err := p.name("a name")
	if err != nil {
		return err
	}
	if err = p.take(":"); err != nil {
		return err
	}
	v, err := p.value(constant)
	if err != nil {
		return err
	}
	set(name, v)
	return nil
}

// value reads a value, constant if it may hold no variables.
func (p *parser) value(constant bool) (v *Value, err error) {
	v = &Value{}
	switch t := p.tok; {
	case t.is("["):
		v.compound = true
		return v, p.list("[", "]", true, func() error { _, err := p.value(constant); return err })
	case t.is("{"):
		v.compound = true
		return v, p.list("{", "}", true, func() error { return p.member(func(string, *Value) {}, constant) })
	case t.is("$") && !constant:
		if err = p.advance(); err != nil {
			return v, err
		}
		v.Variable, err = p.name("the name of a variable")
		return v, err
	case t.kind == integer:
		v.IsInt = true
		v.Int, _ = strconv.ParseInt(t.text, 10, 64) // the lexer did, too
	case t.kind != name && t.kind != float && t.kind != text:
		return v, p.unexpected("a value")
	}
	return v, p.advance()
}
