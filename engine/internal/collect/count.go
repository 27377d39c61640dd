package collect

import (
	"iter"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Page is a set of documents of one page.
type Page = [posting.PageSize / 64]uint64

// Count returns the number of documents of p.
func Count(p *Page) (n int) {
	for _, word := range p {
		n += bits.OnesCount64(word)
	}
	return n
}

// CountAnd returns the number of documents that are both in p and in q.
func CountAnd(p, q *Page) (n int) {
	for i, word := range p {
		n += bits.OnesCount64(word & q[i])
	}
	return n
}

// Places returns the places of the documents of p, ascending.
func Places(p *Page) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range p {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 | bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
