package engine

import "github.com/quarry-search/quarry/engine/internal/search"

// operands are conditions to be joined: mostly there is one, and no memory is taken for
// others.
type operands struct {
	one  *search.Expr
	more []*search.Expr // all, if there are several
}

func (o *operands) add(e *search.Expr) {
	switch {
	case o.one == nil:
		o.one = e
		return
	case o.more == nil:
		o.more = append(o.more, o.one)
	}
	o.more = append(o.more, e)
}

// join returns nil if there are none.
func (o *operands) join(op search.Op) *search.Expr {
	if len(o.more) > 0 {
		return &search.Expr{Op: op, Kids: o.more}
	}
	return o.one
}
