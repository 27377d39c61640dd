package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseQuery reads the syntax "query", which is for people who know it:
//
//	red shoes               words that the request's "match" decides about
//	+red -shoes             required and excluded; NOT is another spelling of -
//	red AND shoes           both; NOT may follow AND
//	red OR blue AND shoes   one side of OR; AND binds tighter
//	(red OR blue) shoes     a group
//	(red green blue)~2      at least two of the group
//	"red shoes"~2           a phrase, whose words may be two positions off
//	sho*                    a prefix;  * alone is every record
//	title:red               in one field; also title:"…", title:sho*, title:(a b)
//	price:[10 TO 20}        a range: brackets include the bound, braces do not
//	price:>=10              a range too, as are >, < and <=
//	price:*                 any value: the same as price:[* TO *]
//	red^2.5                 a boost of the score, behind anything but a sign
//	C\+\+\:                 a backslash takes the next character as it is; in
//	                        quotes the escapes of JSON mean what they do there
//
// Operators are in capitals. OR and AND join only their two neighbours, so that
// a b OR c asks for a, and for b or c. A blank text is All.
//
// Bounds that have the form of a number or date without quotes are one; all
// others are strings. Errors are of type [*Error] with code "invalid_query" or
// "limit_exceeded".
func ParseQuery(text string, lim Limits) (Node, error) {
	p := &queryParser{scanner{code: CodeInvalidQuery, lim: lim.withDefaults(defaultMaxBytes)}}
	if err := p.begin(text); err != nil {
		return nil, err
	}
	p.skipSpace()
	if p.atEnd() {
		return All{}, nil
	}
	node, err := p.list("")
	if err != nil {
		return nil, err
	}
	if p.at(')') {
		return nil, p.fail(p.pos, `this ")" closes nothing`)
	}
	return node, nil
}

// queryParser is a recursive-descent parser; each method reads one rule of
//
//	list    = or { or }
//	or      = and { "OR" and }
//	and     = signed { "AND" signed }
//	signed  = [ "+" | "-" | "NOT" ] boosted
//	boosted = primary [ "^" number ]
//
// and takes the field that words without one belong to. Only primary recurses,
// and only through parentheses, which depth counts.
type queryParser struct{ scanner }

// clause is a node and the sign before it: '+', '-' or 0.
type clause struct {
	node Node
	sign byte
	at   int // byte offset of the sign, or else of the node
}

// list reads clauses up to a closing parenthesis or the end.
func (p *queryParser) list(field string) (Node, error) {
	var c clauses
	for p.skipSpace(); !p.atEnd() && !p.at(')'); p.skipSpace() {
		next, err := p.or(field)
		if err != nil {
			return nil, err
		}
		c.add(next.sign, next.node)
	}
	if c.empty() {
		return nil, p.fail(p.pos, "expected a word, a phrase or a group")
	}
	return c.node(), nil
}

func (p *queryParser) or(field string) (clause, error) {
	first, err := p.and(field)
	if err != nil {
		return clause{}, err
	}
	group := Bool{MinShould: 1}
	for next := first; ; {
		joined, err := p.keyword("OR")
		if err != nil {
			return clause{}, err
		}
		if !joined && len(group.Should) == 0 {
			return first, nil
		}
		switch next.sign {
		case '+':
			return clause{}, p.fail(next.at, `"+" has no meaning beside OR`)
		case '-':
			next.node = negated(next.node)
		}
		group.Should = append(group.Should, next.node)
		if !joined {
			return clause{node: group, at: first.at}, nil
		}
		if next, err = p.and(field); err != nil {
			return clause{}, err
		}
	}
}

func (p *queryParser) and(field string) (clause, error) {
	first, err := p.signed(field)
	if err != nil {
		return clause{}, err
	}
	var c clauses
	for next := first; ; {
		joined, err := p.keyword("AND")
		if err != nil {
			return clause{}, err
		}
		if !joined && c.empty() {
			return first, nil
		}
		if next.sign == 0 {
			next.sign = '+'
		}
		c.add(next.sign, next.node)
		if !joined {
			return clause{node: c.list, at: first.at}, nil
		}
		if next, err = p.signed(field); err != nil {
			return clause{}, err
		}
	}
}

func (p *queryParser) signed(field string) (clause, error) {
	p.skipSpace()
	c := clause{at: p.pos}
	switch {
	case p.atAny("+-"):
		if err := p.countOperator(p.pos); err != nil {
			return clause{}, err
		}
		c.sign = p.text[p.pos]
		p.pos++
	default:
		not, err := p.keyword("NOT")
		if err != nil {
			return clause{}, err
		}
		if not {
			c.sign = '-'
			p.skipSpace()
		}
	}
	if c.sign != 0 && p.atAny("+-") {
		return clause{}, p.fail(p.pos, `a second sign has no meaning; write "\%c" in a word`, p.text[p.pos])
	}
	var err error
	c.node, err = p.boosted(field)
	return c, err
}

func (p *queryParser) boosted(field string) (Node, error) {
	node, err := p.primary(field)
	if err != nil || !p.at('^') {
		return node, err
	}
	if err := p.countOperator(p.pos); err != nil {
		return nil, err
	}
	p.pos++
	start := p.pos
	factor, ok := plainNumber(p.skipTo(func(r rune) bool {
		return r >= utf8.RuneSelf || strings.IndexByte("0123456789.eE+-", byte(r)) < 0
	}))
	if !ok || factor < 0 {
		return nil, p.fail(start, `expected a number that is not negative after "^"`)
	}
	return Boost{Node: node, Factor: factor}, nil
}

// primary reads a group, phrase, word, prefix or *, with or without a field.
func (p *queryParser) primary(field string) (Node, error) {
	if p.atAny(`("*`) {
		return p.operand(field)
	}
	start := p.pos
	for _, name := range operatorNames {
		if p.keywordHere(name) {
			return nil, p.fail(start, `expected a word, a phrase or a group; write "\%s" for the word %[1]s`, name)
		}
	}
	word, _, err := p.escaped(endsWord)
	if err != nil {
		return nil, err
	}
	if word == "" {
		return nil, p.unexpected()
	}
	if !p.accept(':') {
		return p.word(field, word, start)
	}
	if p.atAny("[{") {
		return p.bracketRange(word)
	}
	if p.atAny("<>") {
		return p.comparison(word)
	}
	return p.operand(word)
}

// operand reads what can follow the colon behind a field.
func (p *queryParser) operand(field string) (Node, error) {
	switch {
	case p.at('('):
		return p.group(field)
	case p.at('"'):
		return p.phrase(field)
	case p.at('*'):
		return p.star(field)
	}
	start := p.pos
	word, _, err := p.escaped(endsWord)
	if err != nil {
		return nil, err
	}
	if word == "" {
		return nil, p.fail(start, `expected a word, a phrase, a group or a range right after ":"`)
	}
	return p.word(field, word, start)
}

func (p *queryParser) group(field string) (Node, error) {
	start := p.pos
	if err := p.enter(start); err != nil {
		return nil, err
	}
	defer p.leave()
	p.pos++
	node, err := p.list(field)
	if err != nil {
		return nil, err
	}
	if !p.accept(')') {
		return nil, p.fail(start, `this "(" has no closing ")"`)
	}
	tilde := p.pos
	if !p.accept('~') {
		return node, nil
	}
	least, err := p.count(1)
	if err != nil {
		return nil, err
	}
	list, ok := node.(Bool)
	if !ok || len(list.Should) == 0 || list.MinShould != 0 {
		return nil, p.fail(tilde, `"~" after a group needs a group of words without AND and OR between them`)
	}
	if least > len(list.Should) {
		return nil, p.fail(tilde, `"~" asks for more than the group has`)
	}
	list.MinShould = least
	return list, nil
}

func (p *queryParser) phrase(field string) (Node, error) {
	start := p.pos
	text, err := p.quoted()
	if err != nil {
		return nil, err
	}
	phrase := Text{Text: text, Field: field, Quoted: true, Start: start + 1, End: p.pos - 1}
	if phrase.words() == 0 {
		return nil, p.fail(start, "a phrase needs at least one word")
	}
	if err := p.countTerms(start, phrase.words()); err != nil {
		return nil, err
	}
	if p.accept('~') {
		phrase.Slop, err = p.count(0)
	}
	return phrase, err
}

// star reads a * that no word stands before.
func (p *queryParser) star(field string) (Node, error) {
	p.pos++
	if !p.atWordEnd() {
		return nil, p.fail(p.pos-1, `"*" is allowed only at the end of a word or alone`)
	}
	if field == "" {
		return All{}, nil
	}
	return Range{Field: field, Low: Bound{Open: true}, High: Bound{Open: true}}, nil
}

// word finishes a word that began at byte offset start.
func (p *queryParser) word(field, word string, start int) (Node, error) {
	text := Text{Text: word, Field: field, Start: start, End: p.pos}
	if err := p.countTerms(start, 1); err != nil {
		return nil, err
	}
	if p.accept('*') {
		text.Prefix = true
		if !p.atWordEnd() {
			return nil, p.fail(p.pos-1, `"*" is allowed only at the end of a word or alone`)
		}
	}
	switch {
	case p.at('~'):
		return nil, p.fail(p.pos, `"~" is allowed only after a phrase or a group; write "\~" in a word`)
	case p.at(':'):
		return nil, p.fail(p.pos, `only one field can stand before a word; write "\:" in a word`)
	}
	return text, nil
}

// comparison reads a range such as >=10 behind the colon of a field.
func (p *queryParser) comparison(field string) (Node, error) {
	if err := p.countOperator(p.pos); err != nil {
		return nil, err
	}
	less := p.at('<')
	p.pos++
	inclusive := p.accept('=')
	value, err := p.rangeValue("a value after the comparison")
	if err != nil {
		return nil, err
	}
	bound := Bound{Value: value, Inclusive: inclusive}
	if less {
		return Range{Field: field, Low: Bound{Open: true}, High: bound}, nil
	}
	return Range{Field: field, Low: bound, High: Bound{Open: true}}, nil
}

// keyword steps over spaces and the operator name, and counts it, if the text
// goes on with it.
func (p *queryParser) keyword(name string) (bool, error) {
	start := p.pos
	p.skipSpace()
	if !p.keywordHere(name) {
		p.pos = start
		return false, nil
	}
	if err := p.countOperator(p.pos); err != nil {
		return false, err
	}
	p.pos += len(name)
	return true, nil
}

func (p *queryParser) keywordHere(name string) bool {
	rest, ok := strings.CutPrefix(p.text[p.pos:], name)
	if !ok {
		return false
	}
	next, width := utf8.DecodeRuneInString(rest)
	return width == 0 || unicode.IsSpace(next) || strings.ContainsRune(`()"`, next)
}

// atWordEnd reports whether a word that ends in * is complete here.
func (p *queryParser) atWordEnd() bool {
	r, width := p.peek()
	return width == 0 || unicode.IsSpace(r) || strings.ContainsRune(`()^:~"`, r)
}

// unexpected returns the error for a character that cannot begin a clause.
func (p *queryParser) unexpected() error {
	if p.atEnd() || p.atSpace() || p.at(')') {
		return p.fail(p.pos, "expected a word, a phrase or a group")
	}
	r, _ := p.peek()
	return p.fail(p.pos, `unexpected "%c"; write "\%c" in a word`, r, r)
}

// operatorNames are the words that are operators in a query.
var operatorNames = [...]string{"AND", "OR", "NOT"}

func isOperator(word string) bool {
	return slices.Contains(operatorNames[:], word)
}

// endsWord reports whether r cannot stand in a word without a backslash.
func endsWord(r rune) bool {
	return unicode.IsSpace(r) || r < utf8.RuneSelf && strings.IndexByte(`()[]{}"^~:*`, byte(r)) >= 0
}
