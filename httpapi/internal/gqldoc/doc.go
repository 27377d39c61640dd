// Package gqldoc reads GraphQL documents and bounds what executing them costs,
// before anything is executed.
//
// [Parse] turns the text of a request into a [Document]: the syntax of the
// GraphQL specification of October 2021, executable definitions only. The names
// in it mean nothing to this package; whether a field exists is for the executor
// to say. [Document.Operation] finds the operation to run and [Document.Check]
// measures it with all its fragments spread, in time linear in the document,
// however often fragments spread one another.
//
// An executor is given [Document.Text] in place of what the client sent: the
// same tokens in plain ASCII, without comments and with every string in one plain
// form. What was measured is then what
// runs, whatever two parsers might make of unusual texts.
//
// Documents are not changed after Parse and may be used concurrently.
package gqldoc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Limits bound a document. Zero means that nothing is allowed.
type Limits struct {
	Bytes      int // of the text
	Tokens     int // names, values and signs; commas and comments are none
	Depth      int // of fields within fields, the root fields being at 1
	Aliases    int // of one operation, all fragments spread
	RootFields int // of one operation, all fragments spread
	Selections int // fields of one operation, all fragments spread
	Cost       int // sum of what the root fields cost
	// MetaDepth takes the place of Depth below __schema and __type.
	MetaDepth int
}

// Error is what is wrong with a document.
type Error struct {
	Detail       string
	Line, Column int  // from 1; 0 if it is about the whole
	Limit        bool // a limit is exceeded, the syntax is fine
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Detail
	}
	return fmt.Sprintf("%s, at line %d, column %d", e.Detail, e.Line, e.Column)
}

// Document is a parsed text.
type Document struct {
	Operations []*Operation
	fragments  map[string]*fragment
	text       []byte
}

// Text returns the document for an executor that is to run op. Of a document
// with several operations it leaves out the others, and the fragments that op
// does not use. Errors that the executor reports lie where they do in the
// original, but for columns to the right of strings.
func (d *Document) Text(op *Operation) string {
	if len(d.Operations) == 1 {
		return string(d.text)
	}
	used := map[string]bool{}
	d.spread(op.selection, used)
	text := bytes.Clone(d.text)
	for _, other := range d.Operations {
		if other != op {
			blank(text, other.from, other.to)
		}
	}
	for name, f := range d.fragments {
		if !used[name] {
			blank(text, f.from, f.to)
		}
	}
	return string(text)
}

// spread collects the fragments that selections lead to.
func (d *Document) spread(list []*selection, used map[string]bool) {
	for _, s := range list {
		if f := d.fragments[s.spread]; f != nil && !used[s.spread] {
			used[s.spread] = true
			d.spread(f.selection, used)
		}
		d.spread(s.below, used)
	}
}

// blank puts spaces in the place of a definition.
func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// A Field is a field where it stands in a document.
type Field struct {
	Name string
	Key  string // what it is called in the answer: its alias or name
	// Parent is the name of the field that it is selected of, or of the type of the
	// fragment in which it stands at the upper level; "" for a root field of the operation.
	Parent string
}

// TextWith is Text with other fields in the place of some: instead returns an alias and
// a name, or "" to leave a field. Arguments, directives and what is selected of it stay.
// It is called once for each field of op and of the fragments that op uses.
func (d *Document) TextWith(op *Operation, instead func(Field) (alias, name string)) string {
	text := d.Text(op)
	type change struct {
		from, to int
		field    string
	}
	var changes []change
	var walk func(parent string, list []*selection)
	walk = func(parent string, list []*selection) {
		for _, s := range list {
			if s.name == "" {
				walk(parent, s.below)
				continue
			}
			if alias, name := instead(Field{s.name, s.key, parent}); alias != "" {
				changes = append(changes, change{s.from, s.to, alias + ":" + name})
			}
			walk(s.name, s.below)
		}
	}
	walk("", op.selection)
	used := map[string]bool{}
	d.spread(op.selection, used)
	for name := range used {
		walk(d.fragments[name].on, d.fragments[name].selection)
	}
	slices.SortFunc(changes, func(a, b change) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.from])
		b.WriteString(c.field)
		at = c.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// Operation is a query, mutation or subscription.
type Operation struct {
	Kind      string // "query", "mutation" or "subscription"
	Name      string // "" if it has none
	Variables []*Variable
	selection []*selection
	line, col int
	from, to  int // in the text for executors
}

// Variable is the definition of a variable.
type Variable struct {
	Name    string
	Type    *Type
	Default *Value // nil if there is none
}

// Type is a reference to a type: a name, or a list of another one.
type Type struct {
	Name    string // "" for a list
	Of      *Type  // the elements of a list
	NonNull bool
}

// Value is a literal, as far as it matters here: a whole number, the use of a
// variable, or neither.
type Value struct {
	Int      int64
	IsInt    bool
	Variable string // its name, "" if the value is none

	compound bool // a list or an object
}

// fragment is a fragment definition.
type fragment struct {
	name, on  string // on which type
	selection []*selection
	from, to  int // in the text for executors
}

// selection is a field, the spread of a named fragment or an inline fragment.
type selection struct {
	name, key string // of the field, and in the answer
	from, to  int    // of alias and name in the text for executors
	alias     bool
	args      map[string]*Value
	spread    string       // name of a fragment
	below     []*selection // of a field or an inline fragment
	line, col int
}

// Operation finds the operation with a name or, if name is "", the only one.
func (d *Document) Operation(name string) (*Operation, error) {
	if name == "" {
		if len(d.Operations) != 1 {
			return nil, &Error{Detail: fmt.Sprintf("the document has %d operations; operationName must name one of them", len(d.Operations))}
		}
		return d.Operations[0], nil
	}
	for _, op := range d.Operations {
		if op.Name == name {
			return op, nil
		}
	}
	return nil, &Error{Detail: "the document has no operation of the name that operationName gives"}
}
