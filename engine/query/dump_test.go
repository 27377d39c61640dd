package query

import (
	"fmt"
	"strings"
)

// dump returns a tree as text that no parser has a part in:
// (bool +red blue -green), (text title "red shoes" ~2 @3:12), (and …).
func dump(n Node) string {
	list := func(name string, nodes []Node) string {
		parts := []string{name}
		for _, n := range nodes {
			parts = append(parts, dump(n))
		}
		return "(" + strings.Join(parts, " ") + ")"
	}
	switch n := n.(type) {
	case nil:
		return "nil"
	case Text:
		s := n.Text
		if n.Field != "" {
			s = n.Field + ":" + s
		}
		if n.Quoted {
			s = fmt.Sprintf("<%s>", s)
		}
		if n.Slop > 0 {
			s += fmt.Sprintf("~%d", n.Slop)
		}
		if n.Prefix {
			s += "…"
		}
		return s
	case Bool:
		parts := []string{"bool"}
		if n.MinShould != 0 {
			parts[0] += fmt.Sprint(n.MinShould)
		}
		for _, m := range n.Must {
			parts = append(parts, "+"+dump(m))
		}
		for _, m := range n.Should {
			parts = append(parts, dump(m))
		}
		for _, m := range n.MustNot {
			parts = append(parts, "-"+dump(m))
		}
		return "(" + strings.Join(parts, " ") + ")"
	case Boost:
		return fmt.Sprintf("(boost %v %s)", n.Factor, dump(n.Node))
	case Range:
		bound := func(b Bound) string {
			switch {
			case b.Open:
				return "open"
			case b.Inclusive:
				return "=" + dumpValue(b.Value)
			}
			return dumpValue(b.Value)
		}
		return fmt.Sprintf("(range %s %s %s)", n.Field, bound(n.Low), bound(n.High))
	case Compare:
		return fmt.Sprintf("(%v %s %s)", n.Op, n.Field, dumpValue(n.Value))
	case In:
		parts := []string{"in", n.Field}
		for _, v := range n.Values {
			parts = append(parts, dumpValue(v))
		}
		return "(" + strings.Join(parts, " ") + ")"
	case Exists:
		return fmt.Sprintf("(exists %s)", n.Field)
	case Empty:
		return fmt.Sprintf("(empty %s)", n.Field)
	case StartsWith:
		return fmt.Sprintf("(starts %s %q)", n.Field, n.Prefix)
	case Geo:
		return fmt.Sprintf("(geo %s %v %v %v)", n.Field, n.Lat, n.Lon, n.RadiusMeters)
	case And:
		return list("and", n.Nodes)
	case Or:
		return list("or", n.Nodes)
	case Not:
		return list("not", []Node{n.Node})
	case All:
		return "all"
	case None:
		return "none"
	}
	return fmt.Sprintf("unknown %T", n)
}

func dumpValue(v Value) string {
	switch v.Kind {
	case KindString:
		return fmt.Sprintf("%q", v.Str)
	case KindInt:
		return fmt.Sprintf("int:%d", v.Int)
	case KindFloat:
		return fmt.Sprintf("float:%v", v.Float)
	case KindBool:
		return fmt.Sprintf("bool:%v", v.Bool)
	case KindDate:
		return "date:" + v.Str
	}
	return "null"
}

// large are limits that no test of anything else meets.
var large = Limits{MaxBytes: 1 << 30, MaxTerms: 1 << 30, MaxOperators: 1 << 30, MaxDepth: 1000}
