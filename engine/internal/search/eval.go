package search

// eval returns the documents of window w that satisfy node i, nil for none.
// The result is valid until the next call for the same node and must not be
// changed. It may hold documents that are dead or outside of the slot. While
// r.loose is set, it may hold documents that do not satisfy a vague node.
func (r *run) eval(i int32, w int) *window {
	n := &r.nodes[i]
	switch n.extent {
	case none:
		return nil
	case all:
		return &r.ones
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		x := r.leaves[n.arg].load(w)
		if x == nil || !n.vague || r.loose {
			return x
		}
		return r.confirmed(n, []int32{i}, x, w)
	case OpSet:
		return (*window)(n.set[w*windowWords:])
	case OpNot:
		if n.vague && r.loose {
			return &r.ones
		}
		a := r.eval(kids[0], w)
		if a == nil {
			return &r.ones
		}
		for j, x := range a {
			n.words[j] = ^x
		}
		return &n.words
	case OpAnd:
		return r.evalAnd(n, kids, w)
	case OpOr:
		return r.evalOr(n, kids, w)
	}
	return r.evalAtLeast(n, kids, w)
}

// evalAnd begins with the operand that has the fewest documents, in the hope
// that there are none.
func (r *run) evalAnd(n *node, kids []int32, w int) *window {
	first := kids[0]
	for _, k := range kids {
		if r.nodes[k].lead < r.nodes[first].lead {
			first = k
		}
	}
	acc := r.rough(first, w)
	if acc == nil {
		return nil
	}
	for _, k := range kids {
		kid := &r.nodes[k]
		if k == first || kid.extent == all {
			continue
		}
		any := uint64(0)
		if kid.op == OpNot {
			if r.deferred(k) {
				continue
			}
			b := r.eval(r.kids[kid.from], w)
			if b == nil {
				continue
			}
			for j := range n.words {
				x := acc[j] &^ b[j]
				n.words[j] = x
				any |= x
			}
		} else {
			b := r.rough(k, w)
			if b == nil {
				return nil
			}
			for j := range n.words {
				x := acc[j] & b[j]
				n.words[j] = x
				any |= x
			}
		}
		if any == 0 {
			return nil
		}
		acc = &n.words
	}
	if n.vague && !r.loose {
		return r.confirmed(n, kids, acc, w)
	}
	return acc
}

func (r *run) evalOr(n *node, kids []int32, w int) *window {
	var acc *window
	for _, k := range kids {
		if kid := &r.nodes[k]; acc == &n.words && kid.op == OpLeaf && kid.extent == some && !kid.vague {
			r.leaves[kid.arg].addTo(acc, w)
			continue
		}
		b := r.eval(k, w)
		switch {
		case b == nil:
		case acc == nil && b != &r.ones:
			n.words, acc = *b, &n.words
		case acc == nil:
			acc = b
		default:
			for j := range n.words {
				n.words[j] = acc[j] | b[j]
			}
			acc = &n.words
		}
	}
	return acc
}

func (r *run) evalAtLeast(n *node, kids []int32, w int) *window {
	count := counters(r.planes[n.planes : n.planes+n.width])
	clear(count)
	for _, k := range kids {
		if r.nodes[k].extent != some {
			continue
		}
		if b := r.eval(k, w); b != nil {
			count.add(b)
		}
	}
	if !count.atLeast(uint(n.need), &n.words) {
		return nil
	}
	return &n.words
}

// test tells whether place satisfies node i. Between two calls of bind, places
// are asked for in ascending order.
func (r *run) test(i int32, place int) bool {
	n := &r.nodes[i]
	if n.extent != some {
		return n.extent == all
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		return r.leaves[n.arg].holds(place)
	case OpSet:
		return n.set[place>>6]>>(place&63)&1 != 0
	case OpNot:
		return !r.test(kids[0], place)
	case OpAnd:
		for _, k := range kids {
			if !r.test(k, place) {
				return false
			}
		}
		return true
	case OpOr:
		for _, k := range kids {
			if r.test(k, place) {
				return true
			}
		}
		return false
	}
	left := n.need
	for _, k := range kids {
		if r.nodes[k].extent == some && r.test(k, place) {
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// alive takes the documents that are dead, or outside of the slot, out of x,
// which is of window w. The result is x or r.mask.
func (r *run) alive(x *window, w int) *window {
	if r.whole {
		return x
	}
	first, last := int(r.slot.First)-w<<windowShift, int(r.slot.Last)-w<<windowShift
	if last < 0 || first >= 1<<windowShift {
		return nil
	}
	out := &r.mask
	if r.slot.Dead != nil {
		dead := (*window)(r.slot.Dead[w*windowWords:])
		for i := range out {
			out[i] = x[i] &^ dead[i]
		}
	} else {
		*out = *x
	}
	if first > 0 {
		clear(out[:first>>6])
		out[first>>6] &= ^uint64(0) << (first & 63)
	}
	if last < 1<<windowShift-1 {
		clear(out[last>>6+1:])
		out[last>>6] &= ^uint64(0) >> (63 - last&63)
	}
	return out
}

// isAlive is alive for one place.
func (r *run) isAlive(place int) bool {
	s := r.slot
	return r.whole || place >= int(s.First) && place <= int(s.Last) && (s.Dead == nil || s.Dead[place>>6]>>(place&63)&1 == 0)
}
