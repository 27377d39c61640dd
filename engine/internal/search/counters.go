package search

// counters counts, for each document of a window, in how many sets it is: bit
// b of the count of document i is bit i of plane b. Counting 64 documents at
// once takes about two operations a set, since carries rarely go far.
type counters []window

// add counts the documents of x once more. The planes suffice for the count.
func (c counters) add(x *window) {
	for i, carry := range x {
		for b := 0; carry != 0; b++ {
			c[b][i], carry = c[b][i]^carry, c[b][i]&carry
		}
	}
}

// atLeast sets out to the documents that were counted n times or more, and
// tells whether there are any.
func (c counters) atLeast(n uint, out *window) bool {
	any := uint64(0)
	for i := range out {
		more, equal := uint64(0), ^uint64(0)
		for b := len(c) - 1; b >= 0; b-- {
			p := c[b][i]
			if n>>b&1 != 0 {
				equal &= p
			} else {
				more |= equal & p
				equal &^= p
			}
		}
		out[i] = more | equal
		any |= out[i]
	}
	return any != 0
}
