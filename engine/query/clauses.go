package query

// clauses collects the clauses of a Bool. The zero value is ready to use.
type clauses struct{ list Bool }

// add adds node with its sign: '+', '-' or 0.
func (c *clauses) add(sign byte, node Node) {
	switch sign {
	case '+':
		c.list.Must = append(c.list.Must, node)
	case '-':
		c.list.MustNot = append(c.list.MustNot, node)
	default:
		c.list.Should = append(c.list.Should, node)
	}
}

func (c *clauses) empty() bool {
	return len(c.list.Must)+len(c.list.Should)+len(c.list.MustNot) == 0
}

// node returns the query of the clauses, of which there is at least one. A
// single one without a sign stands for itself.
func (c *clauses) node() Node {
	if len(c.list.Must)+len(c.list.MustNot) == 0 && len(c.list.Should) == 1 {
		return c.list.Should[0]
	}
	if len(c.list.Must)+len(c.list.Should) == 0 && len(c.list.MustNot) == 1 {
		return negated(c.list.MustNot[0])
	}
	return c.list
}

// negated returns the query that matches what node does not. The negation of
// All is None, so that None has a text that parses to it.
func negated(node Node) Node {
	if _, ok := node.(All); ok {
		return None{}
	}
	return Bool{MustNot: []Node{node}}
}
