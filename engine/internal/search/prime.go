package search

import (
	"math"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// prime returns a score that at least k documents reach which match, or 0: the k-th
// best of what one leaf gives its documents by itself, which has to match all of them.
// The champions of its lists tell, and where these are what they were when the list
// was built, the k-th of them alone.
//
// To score the champions by all leaves gives a score that is higher by a tenth, and
// takes longer than it saves: unions of speed-packages by a twelfth for the best ten
// and by a quarter for the best hundred.
func (r *run) prime(k int) uint64 {
	root, best := &r.nodes[r.root], uint64(0)
	for leaf := range r.leaves {
		if r.leaves[leaf].scores && !r.q.Leaves[leaf].Constant && r.isAlternative(root, leaf) {
			best = max(best, r.primeLeaf(leaf, k))
		}
	}
	return best
}

// primeLeaf returns a score that at least k documents of a leaf reach by it, or 0.
// Each segment gives as many of them as its share of the documents is.
func (r *run) primeLeaf(leaf, k int) uint64 {
	docs := 0
	for i := range r.q.Segments {
		if list := r.q.Segments[i].Lists[leaf]; list != nil && list.Champions() > 0 {
			docs += list.DF
		}
	}
	least := uint64(math.MaxUint64)
	for i := range r.q.Segments {
		list := r.q.Segments[i].Lists[leaf]
		if list == nil || list.Champions() == 0 {
			continue
		}
		n, score := r.weakest(i, leaf, list, min(list.Champions(), (k*list.DF+docs-1)/docs))
		least = min(least, score)
		docs -= list.DF
		if k -= n; k <= 0 {
			return least
		}
	}
	return 0
}

// weakest returns what the weakest of the n strongest living champions of a list, or
// of all that live, gets from its leaf, and how many they are.
func (r *run) weakest(segment, leaf int, list *posting.List, n int) (found int, least uint64) {
	r.segIndex, r.seg, r.slot = segment, &r.q.Segments[segment], nil
	v := &r.leaves[leaf]
	v.enter(list, r.q.Leaves[leaf])
	first := 0
	if ranked, _, _ := list.Ranking(); ranked && r.seg.Exact && r.seg.allLive() {
		first, found = n-1, n-1
	}
	least = math.MaxUint64
	for i := first; i < list.Champions() && found < n; i++ {
		if c, ok := list.Champion(i); ok {
			if h, alive := r.hitOf(v, c.Rank, c.Doc); alive {
				found, least = found+1, min(least, h.Score)
			}
		}
	}
	return found, least
}
