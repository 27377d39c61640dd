package search

import (
	"cmp"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// maxPrimed is how many lists are primed at most. A list's champions take some
// microseconds, and each list adds less to what is known than the one before: with
// 6 instead of 2, unions take up to a twentieth longer, over ten segments as well.
const maxPrimed = 2

// prime returns a score that at least k documents reach, or 0: the k-th best of
// the champions of a single leaf, the documents that were its strongest when the
// list was built, with what the other leaves give them. It has to match all
// champions that are alive, which r.implied says. The heaviest leaves come first.
func (r *run) prime(k int) uint64 {
	if !r.implied {
		return 0
	}
	r.byWeight = r.byWeight[:0]
	for leaf := range r.leaves {
		if r.leaves[leaf].scores {
			r.byWeight = append(r.byWeight, leaf)
		}
	}
	slices.SortStableFunc(r.byWeight, func(a, b int) int { return cmp.Compare(r.q.Leaves[b].Weight, r.q.Leaves[a].Weight) })
	best, lists := uint64(0), 0
	for _, leaf := range r.byWeight {
		r.primes = r.primes[:0]
		for i := range r.q.Segments {
			if list := r.q.Segments[i].Lists[leaf]; list != nil && list.Champions() > 0 && lists < maxPrimed {
				lists++
				r.primeList(i, leaf, list, k)
			}
		}
		if len(r.primes) >= k {
			slices.Sort(r.primes)
			best = max(best, r.primes[len(r.primes)-k])
		}
	}
	return best
}

// primeList appends the scores of the champions of a leaf's list to r.primes, of
// as many as hits are wanted, of more only if many of these are dead.
func (r *run) primeList(segment, leaf int, list *posting.List, k int) {
	before := len(r.primes)
	for _, n := range [...]int{k + k/4 + 1, list.Champions()} {
		r.docs = list.AppendChampionDocs(r.docs[:0], n)
		r.primes = r.primes[:before]
		if r.primeWith(segment, leaf, r.docs); n >= list.Champions() || len(r.primes)-before >= k {
			return
		}
	}
}

// primeWith appends the scores of documents that a leaf's list holds, ascending,
// to r.primes. Phrases are left out of them: whether one is there takes longer
// to tell.
func (r *run) primeWith(segment, leaf int, docs []posting.DocID) {
	r.enter(segment)
	var slot *Slot
	for _, doc := range docs {
		page := uint16(doc >> 16)
		if slot == nil || slot.Page != page {
			if slot = r.seg.slot(page); slot == nil {
				continue
			}
			r.point(slot)
			for i := range r.leaves {
				if v := &r.leaves[i]; v.scores && v.phrase == nil {
					v.bind(page)
				}
			}
		}
		place := int(doc & (posting.PageSize - 1))
		if r.leaves[leaf].c == nil || !r.isAlive(place) {
			continue
		}
		score := uint64(0)
		for i := range r.leaves {
			v := &r.leaves[i]
			if !v.scores || v.phrase != nil || v.c == nil {
				continue
			}
			if rank, ok := v.find(place); ok {
				score += v.weight * r.impact(v, rank, place)
			}
		}
		r.primes = append(r.primes, score)
	}
}
