package search

import (
	"math"
	"slices"
	"sync/atomic"

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
			if one := r.primeLeaf(leaf, k); one > 0 {
				best = max(best, one+r.extra(leaf))
			}
		}
	}
	return best
}

// primeLeaf returns a score that at least k documents of a leaf reach by it, or 0: the
// k-th best of the champions of all segments, or of all postings of short lists that have
// too few champions, once searches have asked so often that finding it pays. It is kept
// with the lists.
func (r *run) primeLeaf(leaf, k int) uint64 {
	weight := uint64(r.q.Leaves[leaf].Weight)
	home, scoring, _ := r.together(leaf)
	if home == nil {
		return weight * uint64(r.kthChampion(leaf, k))
	}
	p := home.primed.Load()
	switch {
	case p == nil || p.scoring != scoring || p.k != k:
		p = &primed{scoring: scoring, k: k, impact: r.kthChampion(leaf, k)}
		home.primed.Store(p)
	case p.asked.Load() < worthLeading && p.asked.Add(1) == worthLeading:
		p = &primed{scoring: scoring, k: k, impact: r.kthPosting(leaf, k)}
		p.asked.Store(worthLeading)
		home.primed.Store(p)
	}
	return weight * uint64(p.impact)
}

// primed is an impact that at least k living documents of a leaf reach under a
// scoring, over all segments of a query.
type primed struct {
	scoring uint64
	k       int
	impact  uint16        // 0: none is known
	asked   atomic.Uint32 // by how many searches, up to worthLeading
}

// contender is the strongest champion of a segment that is not yet counted.
type contender struct {
	segment int
	next    int // champion behind it
	impact  uint16
}

// kthChampion returns an impact that at least k living documents of a leaf reach, or
// 0: it counts champions, the strongest of all segments first.
func (r *run) kthChampion(leaf, k int) uint16 {
	r.contenders = r.contenders[:0]
	for i := range r.q.Segments {
		list := r.q.list(leaf, i)
		if list == nil {
			continue
		}
		c := contender{segment: i}
		if ranked, _, _ := list.Ranking(); len(r.q.Segments) == 1 && ranked && r.q.Segments[i].Exact && r.q.Segments[i].allLive() {
			c.next, k = k-1, 1 // they come as they are counted
		}
		if r.contend(leaf, &c) {
			r.contenders = append(r.contenders, c)
		}
	}
	least := uint16(math.MaxUint16)
	for range k {
		best := -1
		for i := range r.contenders {
			if best < 0 || r.contenders[i].impact > r.contenders[best].impact {
				best = i
			}
		}
		if best < 0 {
			return 0
		}
		c := &r.contenders[best]
		least = min(least, c.impact)
		if !r.contend(leaf, c) {
			r.contenders = slices.Delete(r.contenders, best, best+1)
		}
	}
	return least
}

// shortList is up to how many postings, for each that is wanted, or one of SmallMax, a
// list is scored as a whole where it has too few champions.
const shortList = 8

// kthPosting is kthChampion that knows the postings of short lists, too.
func (r *run) kthPosting(leaf, k int) uint16 {
	r.highest.Reset(k)
	for i := range r.q.Segments {
		list := r.q.list(leaf, i)
		switch {
		case list == nil:
		case list.Champions() < k && list.DF <= shortList*max(k, posting.SmallMax):
			r.segIndex, r.seg, r.slot = i, &r.q.Segments[i], nil
			v := &r.leaves[leaf]
			v.enter(list, &Leaf{Weight: 1})
			for rank, doc := range list.All {
				if h, alive := r.hitOf(v, rank, doc); alive {
					r.highest.Add(h.Score)
				}
			}
		default:
			c := contender{segment: i}
			for n := 0; n < k && r.contend(leaf, &c); n++ {
				r.highest.Add(uint64(c.impact))
			}
		}
	}
	least, full := r.highest.Lowest()
	if !full {
		return 0
	}
	return uint16(least)
}

// contend sets c to the next living champion of its segment. It returns false if there
// is none.
func (r *run) contend(leaf int, c *contender) bool {
	r.segIndex, r.seg, r.slot = c.segment, &r.q.Segments[c.segment], nil
	list, v := r.q.list(leaf, c.segment), &r.leaves[leaf]
	v.enter(list, &Leaf{Weight: 1})
	for c.next < list.Champions() {
		champion, ok := list.Champion(c.next)
		c.next++
		if !ok {
			continue
		}
		if h, alive := r.hitOf(v, champion.Rank, champion.Doc); alive {
			c.impact = uint16(h.Score)
			return true
		}
	}
	return false
}
