package query

import "slices"

// Walk calls f for n and then, if f returns true, for the nodes below it, in
// the order in which they are written. It does not call f for a nil node.
func Walk(n Node, f func(Node) bool) {
	if n == nil || !f(n) {
		return
	}
	each := func(nodes []Node) {
		for _, n := range nodes {
			Walk(n, f)
		}
	}
	switch n := n.(type) {
	case Bool:
		each(n.Must)
		each(n.Should)
		each(n.MustNot)
	case And:
		each(n.Nodes)
	case Or:
		each(n.Nodes)
	case Not:
		Walk(n.Node, f)
	case Boost:
		Walk(n.Node, f)
	}
}

// Fields returns the names of the fields in the tree, each once and in byte
// order. The default fields, for which a Text has no name, are not among them.
func Fields(n Node) []string {
	var names []string
	Walk(n, func(n Node) bool {
		if name := fieldOf(n); name != "" {
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func fieldOf(n Node) string {
	switch n := n.(type) {
	case Text:
		return n.Field
	case Range:
		return n.Field
	case Compare:
		return n.Field
	case In:
		return n.Field
	case Exists:
		return n.Field
	case Empty:
		return n.Field
	case StartsWith:
		return n.Field
	case Geo:
		return n.Field
	case GeoBox:
		return n.Field
	}
	return ""
}

// Equal reports whether two trees are the same but for the offsets of Text. It
// compares what is written, not what is meant: the order of nodes counts, and
// so does the kind of a value. A nil slice equals an empty one.
func Equal(a, b Node) bool {
	switch a := a.(type) {
	case Bool:
		b, ok := b.(Bool)
		return ok && a.MinShould == b.MinShould && equalNodes(a.Must, b.Must) &&
			equalNodes(a.Should, b.Should) && equalNodes(a.MustNot, b.MustNot)
	case And:
		b, ok := b.(And)
		return ok && equalNodes(a.Nodes, b.Nodes)
	case Or:
		b, ok := b.(Or)
		return ok && equalNodes(a.Nodes, b.Nodes)
	case Not:
		b, ok := b.(Not)
		return ok && Equal(a.Node, b.Node)
	case Boost:
		b, ok := b.(Boost)
		return ok && a.Factor == b.Factor && Equal(a.Node, b.Node)
	case In:
		b, ok := b.(In)
		return ok && a.Field == b.Field && slices.Equal(a.Values, b.Values)
	case Text:
		b, ok := b.(Text)
		a.Start, a.End, b.Start, b.End = 0, 0, 0, 0
		return ok && a == b
	}
	return a == b // the other types hold nothing but constants
}

func equalNodes(a, b []Node) bool { return slices.EqualFunc(a, b, Equal) }
