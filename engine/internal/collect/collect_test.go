package collect

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// compareHits orders hits as TopK does.
func compareHits(order Order) func(a, b Hit) int {
	return func(a, b Hit) int {
		switch {
		case a == b:
			return 0
		case a.Score > b.Score,
			a.Score == b.Score && order != nil && order(a, b),
			a.Score == b.Score && order == nil && (a.Segment < b.Segment || a.Segment == b.Segment && a.Doc < b.Doc):
			return -1
		}
		return 1
	}
}

func TestTopKKeepsTheBest(t *testing.T) {
	const seed = 1
	// Three documents share a page, so that some hits are told apart by their
	// keys and some by the order alone.
	const step = posting.PageSize / 3
	rank := func(h Hit) uint64 { return uint64(h.Doc) / step * 7919 % 509 }
	r := rand.New(rand.NewPCG(seed, 1))
	var top TopK
	ordered, keyed := 0, 0
	for round := range 300 {
		n, k := r.IntN(500), r.IntN(30) // often enough to look at ties before the end
		scores := []int{1, 2, 10}[r.IntN(3)]
		var order Order
		if round%2 == 0 {
			order = func(a, b Hit) bool { ordered++; return rank(a) < rank(b) }
		}
		var all []Hit
		var keys Keys
		asked := map[posting.DocID]bool{}
		if round%4 == 0 {
			keys = func(hits []Hit, keys []Key) {
				for i, h := range hits {
					keyed++
					if asked[h.Doc] {
						t.Fatalf("seed %d, round %d: the key of document %d is worked out twice", seed, round, h.Doc)
					}
					asked[h.Doc] = true
					keys[i] = Key{rank(h) / 50, rank(h) / 10 % 5}
				}
			}
		}
		top.Reset(k, order, keys)
		for i := range n {
			h := Hit{Segment: i / 50, Doc: posting.DocID(i) * step, Score: uint64(r.IntN(scores))}
			all = append(all, h)
			if h.Score < top.Threshold() {
				continue // what Threshold promises
			}
			top.Add(h)
			if top.Len() > k {
				t.Fatalf("seed %d, round %d: %d hits kept of %d", seed, round, top.Len(), k)
			}
		}
		slices.SortFunc(all, compareHits(order))
		if got, want := top.Hits(), all[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: best %d of %d:\ngot  %v\nwant %v", seed, round, k, n, got, want)
		}
	}
	if ordered == 0 || keyed == 0 {
		t.Errorf("the order was asked %d times, keys %d times", ordered, keyed)
	}
}

func TestThresholdRises(t *testing.T) {
	var top TopK
	top.Reset(0, nil, nil)
	if got := top.Threshold(); got != ^uint64(0) {
		t.Errorf("threshold of no hits is %d, want the largest number", got)
	}
	for _, c := range []struct {
		order Order
		want  uint64 // when the worst of the hits has a score of 5
	}{{nil, 6}, {func(a, b Hit) bool { return a.Doc < b.Doc }, 5}} {
		top.Reset(2, c.order, nil)
		top.Add(Hit{Doc: 1, Score: 5})
		if got := top.Threshold(); got != 0 {
			t.Errorf("threshold of a half full heap is %d, want 0", got)
		}
		top.Add(Hit{Doc: 2, Score: 9})
		if got := top.Threshold(); got != c.want {
			t.Errorf("threshold is %d, want %d", got, c.want)
		}
	}
}

func TestBestKeepsTheBest(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 1))
	var best Best[string]
	for round := range 200 {
		n, k := r.IntN(100), r.IntN(20)
		best.Reset(k, func(a, b string) bool { return a < b })
		var all []string
		for range n {
			s := string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26)))
			all = append(all, s)
			if worst, full := best.Worst(); full && best.Len() != k {
				t.Fatalf("seed %d, round %d: full with %d of %d, worst %q", seed, round, best.Len(), k, worst)
			}
			best.Add(s)
		}
		slices.Sort(all)
		if got, want := best.Items(), all[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: best %d of %d: %q, want %q", seed, round, k, n, got, want)
		}
		if best.Len() != 0 {
			t.Fatalf("%d items left after Items", best.Len())
		}
	}
}

func TestCountAndPlaces(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 1))
	var p, q Page
	var want []int
	both := 0
	for i := range posting.PageSize {
		inP, inQ := r.IntN(50) == 0 || i == posting.PageSize-1, r.IntN(3) == 0
		if inP {
			p[i>>6] |= 1 << (i & 63)
			want = append(want, i)
		}
		if inQ {
			q[i>>6] |= 1 << (i & 63)
		}
		if inP && inQ {
			both++
		}
	}
	if got := slices.Collect(Places(&p)); !slices.Equal(got, want) {
		t.Errorf("Places gives %d places, want %d", len(got), len(want))
	}
	if Count(&p) != len(want) || CountAnd(&p, &q) != both {
		t.Errorf("Count is %d and CountAnd %d, want %d and %d", Count(&p), CountAnd(&p, &q), len(want), both)
	}
	for place := range Places(&p) {
		if place != want[0] {
			t.Errorf("the first place is %d, want %d", place, want[0])
		}
		break
	}
}

func TestScoresKeepsTheHighest(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 1))
	var scores Scores
	for round := range 300 {
		n, k := r.IntN(200), r.IntN(40)
		var all []uint64
		scores.Reset(k)
		for range n {
			all = append(all, uint64(r.IntN(1+r.IntN(1000))))
			scores.Add(all[len(all)-1])
		}
		slices.SortFunc(all, func(a, b uint64) int { return cmp.Compare(b, a) })
		want, full := uint64(0), k > 0 && n >= k
		if full {
			want = all[k-1]
		}
		if got, ok := scores.Lowest(); got != want || ok != full || scores.Len() != min(n, k) {
			t.Fatalf("seed %d, round %d: of %d scores the lowest of %d is %d, %v, and %d are kept; want %d, %v, %d", seed, round, n, k, got, ok, scores.Len(), want, full, min(n, k))
		}
	}
}
