package collect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTopKeepsTheOrder(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := r.IntN(600)
		k := 1 + r.IntN(40)
		scores := 1 + r.IntN(1<<r.IntN(12))
		keyDiv := uint64(1 + r.IntN(3))
		perm := r.Perm(n + 1)
		rank := func(d uint32) uint64 { return uint64(perm[d>>12]) + 1 }
		order := func(a, b Hit) bool { return rank(a.Doc) < rank(b.Doc) }
		keys := func(hits []Hit, keys []Key) {
			for i := range hits {
				keys[i] = Key{rank(hits[i].Doc) / keyDiv, 0}
			}
		}
		if r.IntN(4) == 0 {
			keys = nil
		}
		var hits []Hit
		for i := range n {
			hits = append(hits, Hit{Doc: uint32(i) << 12, Score: uint64(r.IntN(scores))})
		}
		switch r.IntN(3) {
		case 0:
			slices.SortStableFunc(hits, func(a, b Hit) int { return int(b.Score) - int(a.Score) })
		}
		var top TopK
		top.Reset(k, order, keys)
		for _, h := range hits {
			top.Add(h)
		}
		got := top.Hits()
		want := slices.Clone(hits)
		slices.SortFunc(want, func(a, b Hit) int {
			if a.Score != b.Score {
				return int(b.Score) - int(a.Score)
			}
			if order(a, b) {
				return -1
			}
			return 1
		})
		want = want[:min(k, len(want))]
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d k %d n %d scores %d\n got %v\nwant %v", seed, k, n, scores, got, want)
		}
	}
}

// The last hit that was kept had no other of its score beside it, so its key was never
// asked for: ahead compares keys with the zero key.
func TestLastHitHasItsKey(t *testing.T) {
	const k = 2
	n := 2*k + spare
	var hits []Hit
	for i := range n {
		hits = append(hits, Hit{Doc: uint32(1000-i) << 16, Score: uint64(i + 1)})
	}
	hits = append(hits, Hit{Doc: 5 << 16, Score: uint64(n - 1)}) // ties with the last one, and stands before it
	order := func(a, b Hit) bool { return a.Doc < b.Doc }
	keys := func(hits []Hit, keys []Key) {
		for i := range hits {
			keys[i] = Key{uint64(hits[i].Doc), 0}
		}
	}
	for _, withKeys := range []bool{false, true} {
		var top TopK
		if withKeys {
			top.Reset(k, order, keys)
		} else {
			top.Reset(k, order, nil)
		}
		for _, h := range hits {
			top.Add(h)
		}
		got := top.Hits()
		if got[1].Doc != 5<<16 {
			t.Errorf("keys %v: got %v, want document %d second", withKeys, got, 5<<16)
		}
	}
}
