package search

import "slices"

// survey works out extent and lead of a node from those of its operands.
func (r *run) survey(n *node, slot int) {
	kids := r.kids[n.from:n.to]
	n.extent, n.lead, n.vague = some, unbounded, false
	for _, k := range kids {
		n.vague = n.vague || r.nodes[k].vague
	}
	switch n.op {
	case OpLeaf:
		if c := r.leaves[n.arg].c; c != nil {
			n.lead, n.vague = c.Card, r.leaves[n.arg].vague()
		} else {
			n.extent = none
		}
	case OpSet:
		if n.set = r.q.Sets[n.arg].Words(r.segIndex, slot); n.set == nil {
			n.extent = none
		}
	case OpAll:
		n.extent = all
	case OpNot:
		n.extent = all - r.nodes[kids[0]].extent
	case OpAnd:
		n.extent = all
		for _, k := range kids {
			n.extent = min(n.extent, r.nodes[k].extent)
			n.lead = min(n.lead, r.nodes[k].lead)
		}
	case OpOr:
		n.extent, n.lead = none, 0
		for _, k := range kids {
			n.extent = max(n.extent, r.nodes[k].extent)
			n.lead = min(n.lead+r.nodes[k].lead, unbounded)
		}
	case OpAtLeast:
		n.need = n.min
		open := 0
		for _, k := range kids {
			switch r.nodes[k].extent {
			case all:
				n.need--
			case some:
				open++
			}
		}
		switch {
		case n.need <= 0:
			n.extent = all
		case open < n.need:
			n.extent = none
		default:
			// A document that n.need of the operands hold is in one of those
			// that are left when any n.need-1 are taken away.
			slices.SortFunc(kids, func(a, b int32) int { return r.nodes[a].lead - r.nodes[b].lead })
			n.lead = 0
			for _, k := range r.leading(n) {
				n.lead = min(n.lead+r.nodes[k].lead, unbounded)
			}
		}
	}
	if n.extent == none {
		n.lead = 0
	}
	if n.extent != some {
		n.vague = false
	}
}

// leading returns the operands of an OpAtLeast with extent some one of which
// each matching document satisfies.
func (r *run) leading(n *node) []int32 {
	kids := r.kids[n.from:n.to]
	first, last := len(kids), 0
	left := n.need - 1
	for i, k := range slices.Backward(kids) {
		if r.nodes[k].extent != some {
			continue
		}
		if left > 0 {
			left--
			continue
		}
		if last == 0 {
			last = i + 1
		}
		first = i
	}
	return kids[first:last]
}

// seekMatches fills r.lead with a few documents, dead ones included, among
// which all that match are. It returns false if there are too many.
func (r *run) seekMatches() bool {
	root := &r.nodes[r.root]
	if root.lead > probeLimit {
		return false
	}
	r.markLead(r.root)
	if root.op == OpAnd {
		// All of these documents satisfy what they were taken from.
		if lead := &r.nodes[r.leadingOf(root)]; lead.op == OpLeaf && !lead.vague {
			lead.extent = all
		}
	}
	return true
}

// leadingOf returns the operand of an OpAnd that has the fewest documents.
func (r *run) leadingOf(n *node) int32 {
	return slices.MinFunc(r.kids[n.from:n.to], func(a, b int32) int { return r.nodes[a].lead - r.nodes[b].lead })
}

// markLead adds to r.lead the documents among which all that satisfy node i
// are. The node has a lead below unbounded.
func (r *run) markLead(i int32) {
	n := &r.nodes[i]
	if n.extent == none {
		return
	}
	kids := r.kids[n.from:n.to]
	switch n.op {
	case OpLeaf:
		r.lead.add(r.leaves[n.arg].c)
	case OpAnd:
		r.markLead(r.leadingOf(n))
	case OpOr:
		for _, k := range kids {
			r.markLead(k)
		}
	case OpAtLeast:
		for _, k := range r.leading(n) {
			r.markLead(k)
		}
	}
}
