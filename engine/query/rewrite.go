package query

import "slices"

// Rewrite returns the tree that results when f replaces every node, from the
// leaves to the root: f gets a node whose own nodes were replaced before. The
// tree n and its slices are not changed; f may keep and return what it gets,
// but may not return nil.
func Rewrite(n Node, f func(Node) Node) Node {
	each := func(nodes []Node) []Node {
		replaced := slices.Clone(nodes)
		for i, n := range replaced {
			replaced[i] = Rewrite(n, f)
		}
		return replaced
	}
	switch t := n.(type) {
	case Bool:
		n = Bool{Must: each(t.Must), Should: each(t.Should), MustNot: each(t.MustNot), MinShould: t.MinShould}
	case And:
		n = And{each(t.Nodes)}
	case Or:
		n = Or{each(t.Nodes)}
	case Not:
		n = Not{Rewrite(t.Node, f)}
	case Boost:
		n = Boost{Rewrite(t.Node, f), t.Factor}
	}
	return f(n)
}

// Simplify returns a tree that matches the same records with the same scores
// (but for rounding, where sums are taken in another order), and is often
// smaller:
//
//   - an And in an And, and an Or in an Or, become part of the outer one
//   - a list of one node becomes that node, and an empty one All or None
//   - All and None vanish from filters, or decide them
//   - NOT NOT x becomes x, NOT EXISTS becomes EMPTY and the reverse
//   - In with one value becomes Compare, and with none None
//   - in a Bool, a required Bool without optional nodes becomes part of the
//     outer one, and so do alternatives among alternatives
//   - a Bool that cannot match becomes None, and one without conditions All
//   - a boost by 1 vanishes
//
// It takes time proportional to the size of the tree. The tree n is not
// changed.
func Simplify(n Node) Node { return Rewrite(n, simplifyNode) }

// simplifyNode simplifies a node whose own nodes are simple.
func simplifyNode(n Node) Node {
	switch n := n.(type) {
	case And:
		return simplifyJoined(n.Nodes, All{}, None{}, func(n Node) ([]Node, bool) {
			and, ok := n.(And)
			return and.Nodes, ok
		}, func(nodes []Node) Node { return And{nodes} })
	case Or:
		return simplifyJoined(n.Nodes, None{}, All{}, func(n Node) ([]Node, bool) {
			or, ok := n.(Or)
			return or.Nodes, ok
		}, func(nodes []Node) Node { return Or{nodes} })
	case Not:
		return simplifyNot(n)
	case In:
		switch len(n.Values) {
		case 0:
			return None{}
		case 1:
			return Compare{n.Field, OpEqual, n.Values[0]}
		}
	case Boost:
		if n.Factor == 1 || isNone(n.Node) {
			return n.Node
		}
	case Bool:
		return simplifyBool(n)
	}
	return n
}

// simplifyJoined simplifies an And or Or. neutral is the node that changes
// nothing in it, deciding the one that nothing else matters beside, and inner
// returns the nodes of a node of the same type.
func simplifyJoined(nodes []Node, neutral, deciding Node, inner func(Node) ([]Node, bool), join func([]Node) Node) Node {
	var flat []Node
	for _, n := range nodes {
		switch same, ok := inner(n); {
		case ok:
			flat = append(flat, same...)
		case Equal(n, deciding):
			return deciding
		case !Equal(n, neutral):
			flat = append(flat, n)
		}
	}
	return combine(flat, neutral, join)
}

func simplifyNot(not Not) Node {
	switch n := not.Node.(type) {
	case Not:
		return n.Node
	case All:
		return None{}
	case None:
		return All{}
	case Exists:
		return Empty(n)
	case Empty:
		return Exists(n)
	}
	return not
}

// simplifyBool leaves alone what the number of optional nodes decides, where it
// is for the request to say how many of them have to match.
func simplifyBool(n Bool) Node {
	var flat Bool
	flat.MinShould = n.MinShould
	for _, must := range n.Must {
		inner, ok := must.(Bool)
		switch {
		case isNone(must):
			return None{}
		case ok && len(inner.Must) > 0 && len(inner.Should) == 0:
			flat.Must = append(flat.Must, inner.Must...)
			flat.MustNot = append(flat.MustNot, inner.MustNot...)
		default:
			flat.Must = append(flat.Must, must)
		}
	}
	for _, should := range n.Should {
		inner, ok := should.(Bool)
		switch {
		case isNone(should) && n.MinShould > 0:
		case ok && inner.alternatives() && n.MinShould == 1:
			flat.Should = append(flat.Should, inner.Should...)
		default:
			flat.Should = append(flat.Should, should)
		}
	}
	for _, not := range n.MustNot {
		if _, ok := not.(All); ok {
			return None{}
		}
		if !isNone(not) {
			flat.MustNot = append(flat.MustNot, not)
		}
	}
	must, should, not := len(flat.Must), len(flat.Should), len(flat.MustNot)
	switch {
	case flat.MinShould > should:
		return None{}
	case must+should+not == 0:
		return All{}
	case should+not == 0 && must == 1:
		return flat.Must[0]
	case must+not == 0 && should == 1:
		return flat.Should[0]
	}
	return flat
}

func isNone(n Node) bool {
	_, ok := n.(None)
	return ok
}
