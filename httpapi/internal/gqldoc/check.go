package gqldoc

import "fmt"

// Cost tells what a root field costs, given what the arguments and variables
// say of it. arg returns the whole number that an argument has, by itself or
// through a variable.
type Cost func(field string, arg func(name string) (n int64, ok bool)) int

// size is what is measured of a set of selections, all fragments spread.
type size struct {
	depth      int // of fields
	lists      int // of fields that list parts of a type within one another
	metaDepth  int // depth and lists below __schema and __type, whose own
	metaLists  int // depth is 1
	selections int
	aliases    int
	top        int // fields at the upper level, and
	cost       int // their costs, as if it were that of the operation
}

// tooMany is where counting stops: no limit is near it, and sums of it fit.
const tooMany = 1 << 24

func (s *size) add(o size) {
	s.depth = max(s.depth, o.depth)
	s.lists = max(s.lists, o.lists)
	s.metaDepth = max(s.metaDepth, o.metaDepth)
	s.metaLists = max(s.metaLists, o.metaLists)
	s.selections = min(s.selections+o.selections, tooMany)
	s.aliases = min(s.aliases+o.aliases, tooMany)
	s.top = min(s.top+o.top, tooMany)
	s.cost = min(s.cost+o.cost, tooMany)
}

// measurer measures the selections of one operation. Each fragment is measured
// once, so that the time is linear in the document.
type measurer struct {
	fragments map[string]*fragment
	sizes     map[string]size
	under     map[string]bool // fragments that are being measured
	cost      Cost
	value     func(*Value) (int64, bool)
}

// Check verifies that an operation stays within limits. Directives are not
// looked at: what @skip leaves out counts all the same. vars are whole numbers
// among the values of the variables. Errors are of type *Error.
func (d *Document) Check(op *Operation, lim Limits, cost Cost, vars map[string]int64) error {
	m := measurer{fragments: d.fragments, sizes: map[string]size{}, under: map[string]bool{}, cost: cost}
	m.value = func(v *Value) (int64, bool) {
		if v != nil && v.Variable != "" {
			if n, ok := vars[v.Variable]; ok {
				return n, true
			}
			i := indexVariable(op.Variables, v.Variable)
			if i < 0 {
				return 0, false
			}
			v = op.Variables[i].Default
		}
		if v == nil || !v.IsInt {
			return 0, false
		}
		return v.Int, true
	}
	s, err := m.set(op.selection)
	if err != nil {
		return err
	}
	for _, l := range [...]struct {
		what      string
		have, max int
	}{
		{"the fields of the operation are nested %d deep, of at most %d", s.depth, lim.Depth},
		{"the fields below __schema or __type are nested %d deep, of at most %d", s.metaDepth, lim.MetaDepth},
		{"below __schema or __type lists of fields or types stand %d within one another, of at most %d", s.metaLists, 1},
		{"the operation has %d root fields, of at most %d", s.top, lim.RootFields},
		{"the operation has %d aliases, of at most %d", s.aliases, lim.Aliases},
		{"the operation selects %d fields, of at most %d", s.selections, lim.Selections},
		{"the operation asks for up to %d results, of at most %d", s.cost, lim.Cost},
	} {
		if l.have > l.max {
			return &Error{Detail: fmt.Sprintf(l.what, l.have, l.max), Limit: true, Line: op.line, Column: op.col}
		}
	}
	return nil
}

func indexVariable(list []*Variable, name string) int {
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	return -1
}

func (m *measurer) set(list []*selection) (sum size, err error) {
	for _, s := range list {
		one, err := m.one(s)
		if err != nil {
			return sum, err
		}
		sum.add(one)
	}
	return sum, nil
}

func (m *measurer) one(s *selection) (size, error) {
	if s.spread != "" {
		return m.fragment(s)
	}
	below, err := m.set(s.below)
	if err != nil || s.name == "" {
		return below, err
	}
	below.depth++
	below.selections++
	below.top, below.cost = 1, 0
	if s.alias {
		below.aliases++
	}
	switch s.name {
	case "__schema", "__type":
		below.metaDepth, below.metaLists = below.depth, below.lists
		below.depth, below.lists = 1, 0
	case "fields", "inputFields", "interfaces", "possibleTypes":
		below.lists++
	}
	if m.cost != nil {
		below.cost = min(tooMany, max(0, m.cost(s.name, func(name string) (int64, bool) { return m.value(s.args[name]) })))
	}
	return below, nil
}

// fragment measures a fragment where it is spread.
func (m *measurer) fragment(s *selection) (size, error) {
	if sum, ok := m.sizes[s.spread]; ok {
		return sum, nil
	}
	f := m.fragments[s.spread]
	switch {
	case f == nil:
		return size{}, &Error{Detail: "there is no fragment of this name", Line: s.line, Column: s.col}
	case m.under[s.spread]:
		return size{}, &Error{Detail: "a fragment is spread within itself", Line: s.line, Column: s.col}
	}
	m.under[s.spread] = true
	sum, err := m.set(f.selection)
	delete(m.under, s.spread)
	m.sizes[s.spread] = sum
	return sum, err
}
