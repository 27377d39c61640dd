package engine

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// bestBySorting is passages.best with all places in one row, which is sorted.
func bestBySorting(p *passages) (best uint64, field int) {
	var spots []uint64 // field, place and word
	for _, r := range p.runs {
		for _, place := range r.places {
			spots = append(spots, uint64(r.field)<<48|uint64(place)<<8|uint64(r.word))
		}
	}
	slices.Sort(spots)
	var times [maxPassageWords]int
	sum, from := uint64(0), 0
	field = -1
	for _, s := range spots {
		w := byte(s)
		if times[w]++; times[w] == 1 {
			sum += p.words[w].weight
		}
		for s>>8-spots[from]>>8 >= p.length {
			w := byte(spots[from])
			if times[w]--; times[w] == 0 {
				sum -= p.words[w].weight
			}
			from++
		}
		if sum > best {
			best, field = sum, int(s>>48)
		}
	}
	return best, field
}

func TestBestPassageIsThatOfSortedPlaces(t *testing.T) {
	const seed = 37
	r := rand.New(rand.NewPCG(seed, 1))
	p := &passages{}
	for round := range 20_000 {
		p.length = []uint64{passageLength, passageCharacters}[r.IntN(2)]
		p.words, p.runs = p.words[:0], p.runs[:0]
		fields := 1 + r.IntN(4)
		longest := []int{20, 100, 400, 3_000, 100_000}[r.IntN(5)]
		words := 1 + r.IntN([]int{4, 10, maxPassageWords}[r.IntN(3)])
		for n := range words {
			p.words = append(p.words, passageWord{weight: uint64(r.IntN(5) * r.IntN(1_000))})
			for range 1 + r.IntN(2) { // ways to read it
				for f := range fields {
					if r.IntN(3) == 0 {
						continue
					}
					var places []uint32
					for range 1 + r.IntN(1+r.IntN(12)) {
						places = append(places, uint32(r.IntN(longest)))
					}
					slices.Sort(places)
					p.runs = append(p.runs, spotRun{uint16(f * 17), uint8(n), slices.Compact(places)})
				}
			}
		}
		want, in := bestBySorting(p)
		if got, field := p.best(); got != want || field != in {
			t.Fatalf("seed %d, round %d: the best passage weighs %d, in field %d; want %d, in %d; words %v", seed, round, got, field, want, in, p.words)
		}
	}
	if p.order.marked == nil || *p.order.marked != (spotMarks{}) {
		t.Error("places are left marked, or none ever were")
	}
}
