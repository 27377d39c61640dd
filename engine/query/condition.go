package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// condition reads what follows a field.
func (p *filterParser) condition(field string) (Node, error) {
	p.skipSpace()
	at := p.pos
	if p.accept(':') {
		if !p.atAny("[{") {
			return nil, p.fail(p.pos, `expected "[" or "{" after ":"`)
		}
		return p.bracketRange(field)
	}
	if err := p.countOperator(at); err != nil {
		return nil, err
	}
	if op, ok := p.comparison(); ok {
		return p.compare(field, op)
	}
	if p.keyword("NOT") {
		if err := p.countOperator(at); err != nil {
			return nil, err
		}
		if p.skipSpace(); !p.keyword("IN") {
			return nil, p.fail(p.pos, "expected IN after NOT")
		}
		in, err := p.in(field)
		return Not{in}, err
	}
	if p.keyword("IN") {
		return p.in(field)
	}
	if p.keyword("STARTS") {
		if p.skipSpace(); !p.keyword("WITH") {
			return nil, p.fail(p.pos, "expected WITH after STARTS")
		}
		if p.skipSpace(); !p.atAny(`"'`) {
			return nil, p.fail(p.pos, "expected a text in quotes after STARTS WITH")
		}
		prefix, err := p.quoted()
		return StartsWith{field, prefix}, err
	}
	if p.atRange() {
		return p.dotRange(field)
	}
	return nil, p.fail(at, `expected a comparison such as "=" after the field`)
}

// comparison reads an operator such as <=.
func (p *filterParser) comparison() (Op, bool) {
	// Longer operators first, because < begins <= as well.
	for _, op := range [...]Op{OpNotEqual, OpLessEqual, OpGreaterEqual, OpEqual, OpLess, OpGreater} {
		if name := op.String(); strings.HasPrefix(p.text[p.pos:], name) {
			p.pos += len(name)
			return op, true
		}
	}
	return 0, false
}

func (p *filterParser) compare(field string, op Op) (Node, error) {
	p.skipSpace()
	at := p.pos
	value, err := p.value(`"` + op.String() + `"`)
	if err != nil {
		return nil, err
	}
	if value.Kind != KindNull {
		return Compare{field, op, value}, nil
	}
	switch op {
	case OpEqual:
		return Empty{field}, nil
	case OpNotEqual:
		return Exists{field}, nil
	}
	return nil, p.fail(at, `null has no order; it can stand only after "=" and "!="`)
}

// in reads the list after IN.
func (p *filterParser) in(field string) (Node, error) {
	p.skipSpace()
	if !p.accept('[') {
		return nil, p.fail(p.pos, `expected "[" after IN`)
	}
	list, null := In{Field: field}, false
	p.skipSpace()
	for after := `"["`; !p.accept(']'); after = `","` {
		if after == `","` && !p.accept(',') {
			return nil, p.fail(p.pos, `expected "," or "]" in the list`)
		}
		p.skipSpace()
		at := p.pos
		value, err := p.value(after)
		if err != nil {
			return nil, err
		}
		if value.Kind == KindNull {
			null = true
		} else if list.Values = append(list.Values, value); len(list.Values) > maxInValues {
			return nil, p.exceed(at, "more than %d values after IN", maxInValues)
		}
		p.skipSpace()
	}
	switch {
	case !null:
		return list, nil
	case len(list.Values) == 0:
		return Empty{field}, nil
	}
	return Or{[]Node{list, Empty{field}}}, nil
}

// atRange reports whether the text goes on with a range such as 10..20, "a".."b"
// or ..20.
func (p *filterParser) atRange() bool {
	return p.atAny(`"'+-.0123456789`)
}

// dotRange reads a range such as 10..20.
func (p *filterParser) dotRange(field string) (Node, error) {
	low, err := p.dotBound("the field")
	if err != nil {
		return nil, err
	}
	p.skipSpace()
	at := p.pos
	if !strings.HasPrefix(p.text[at:], "..") {
		if low.Open {
			return nil, p.fail(at, `expected a comparison such as "=" after the field`)
		}
		return nil, p.fail(at, `expected ".." after the lower bound, or a comparison such as "=" before it`)
	}
	p.pos += len("..")
	p.skipSpace()
	high, err := p.dotBound(`".."`)
	if err != nil {
		return nil, err
	}
	if low.Open && high.Open {
		return nil, p.fail(at, `expected a value before or after ".."`)
	}
	return Range{field, low, high}, nil
}

func (p *filterParser) dotBound(after string) (Bound, error) {
	if !p.atRange() || strings.HasPrefix(p.text[p.pos:], "..") {
		return Bound{Open: true}, nil
	}
	value, err := p.value(after)
	return Bound{Value: value, Inclusive: err == nil}, err
}

// value reads a constant; after is what stands before it, for the error.
func (p *filterParser) value(after string) (Value, error) {
	if p.atAny(`"'`) {
		text, err := p.quoted()
		return Value{Kind: KindString, Str: text}, err
	}
	at := p.pos
	text := p.skipTo(endsValue)
	if i := strings.Index(text, ".."); i >= 0 { // a range
		text = text[:i]
		p.pos = at + i
	}
	if text == "" {
		return Value{}, p.fail(at, "expected a value after %s", after)
	}
	switch {
	case strings.EqualFold(text, "true"):
		return Value{Kind: KindBool, Bool: true}, nil
	case strings.EqualFold(text, "false"):
		return Value{Kind: KindBool}, nil
	case strings.EqualFold(text, "null"):
		return Value{Kind: KindNull}, nil
	}
	value, ok, problem := numberOrDate(text)
	switch {
	case problem != "":
		return Value{}, p.fail(at, "%s", problem)
	case !ok:
		return Value{}, p.fail(at, "expected a value after %s; text must stand in quotes", after)
	}
	return value, nil
}

// endsValue reports whether r cannot stand in a value without quotes.
func endsValue(r rune) bool {
	return unicode.IsSpace(r) || r < utf8.RuneSelf && strings.IndexByte("()[]{},\"'`=<>!^", byte(r)) >= 0
}
