package collect

import "slices"

// Best keeps the k best of the items it is offered, in any order of the
// caller: the hits of a search that is sorted by a field. Reset makes it
// ready.
type Best[T any] struct {
	k      int
	before func(a, b T) bool
	heap   []T // binary, the worst item at the root
}

// Reset empties b and makes it keep k items, those that stand before the
// others. before is a strict order; of items that are equal in it, those
// offered first are not preferred.
func (b *Best[T]) Reset(k int, before func(a, b T) bool) {
	clear(b.heap)
	b.k, b.before, b.heap = max(k, 0), before, b.heap[:0]
}

// Len returns the number of items kept.
func (b *Best[T]) Len() int { return len(b.heap) }

// Cap returns the number of items that b keeps at most.
func (b *Best[T]) Cap() int { return b.k }

// Worst returns the item that the next better one drives out, and whether
// there is one: as long as fewer than k items are kept, none is driven out.
func (b *Best[T]) Worst() (item T, full bool) {
	if len(b.heap) < b.k || b.k == 0 {
		return item, false
	}
	return b.heap[0], true
}

// Add offers an item.
func (b *Best[T]) Add(item T) {
	if len(b.heap) < b.k {
		b.heap = append(b.heap, item)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !b.before(b.heap[parent], b.heap[i]) {
				return
			}
			b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
			i = parent
		}
		return
	}
	if b.k == 0 || !b.before(item, b.heap[0]) {
		return
	}
	b.heap[0] = item
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= len(b.heap) {
			return
		}
		if kid+1 < len(b.heap) && b.before(b.heap[kid], b.heap[kid+1]) {
			kid++
		}
		if !b.before(b.heap[i], b.heap[kid]) {
			return
		}
		b.heap[i], b.heap[kid] = b.heap[kid], b.heap[i]
		i = kid
	}
}

// Items returns the items kept, best first, and empties b. They are the
// caller's.
func (b *Best[T]) Items() []T {
	out := slices.Clone(b.heap)
	clear(b.heap)
	b.heap = b.heap[:0]
	slices.SortFunc(out, func(x, y T) int {
		switch {
		case b.before(x, y):
			return -1
		case b.before(y, x):
			return 1
		}
		return 0
	})
	return out
}
