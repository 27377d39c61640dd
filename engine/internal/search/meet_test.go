package search

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// container makes a container of places, in words if there are more than most.
func container(places []int, most int) *posting.Container {
	c := &posting.Container{Card: len(places)}
	if len(places) > most {
		c.Words = new(posting.Words)
		for _, p := range places {
			c.Words[p>>6] |= 1 << (p & 63)
		}
		return c
	}
	for _, p := range places {
		c.Array = binary.LittleEndian.AppendUint16(c.Array, uint16(p))
	}
	return c
}

// What all of some containers hold is counted as by looking at every place: arrays and
// bitmaps, near each other and far apart, of one length and of very different ones,
// with documents dead, in a slot that is all of the page or a part of it.
func TestCountAllCountsWhatAllHold(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 1))
	r := new(run)
	for round := range 4000 {
		from := rng.IntN(1 << 16)
		width := 1 + rng.IntN(1<<uint(rng.IntN(17)))
		to := min(from+width, 1<<16)
		var dead *Page
		if rng.IntN(2) == 0 {
			dead = new(Page)
		}
		r.slot = &Slot{First: uint16(from), Last: uint16(to - 1), Dead: dead}
		held := make([]int, 1<<16)
		k := 1 + rng.IntN(4)
		r.flat = r.flat[:0]
		most := []int{0, 50, 512, 1 << 16}[rng.IntN(4)]
		for range k {
			n := 1 + rng.IntN(1<<uint(rng.IntN(13)))
			var places []int
			for range n {
				places = append(places, from+rng.IntN(to-from))
			}
			slices.Sort(places)
			places = slices.Compact(places)
			for _, p := range places {
				held[p]++
			}
			r.flat = append(r.flat, container(places, most))
		}
		slices.SortStableFunc(r.flat, func(a, b *posting.Container) int { return a.Card - b.Card })
		want, one := 0, 0
		for p, n := range held {
			if dead != nil && rng.IntN(3) == 0 {
				dead[p>>6] |= 1 << (p & 63)
				n = 0
			}
			if n > 0 {
				one++
			}
			if n == k {
				want++
			}
		}
		before := slices.Clone(r.flat)
		if got := r.countFlat(OpAnd); got != want {
			t.Fatalf("seed %d, round %d: %d of %d containers, want %d", seed, round, got, k, want)
		}
		for _, c := range before {
			if !slices.Contains(r.flat, c) {
				t.Fatalf("round %d: a container is gone", round)
			}
		}
		r.flat = slices.Clone(before)
		if got := r.countUnion(); got != one {
			t.Fatalf("seed %d, round %d: one of %d containers: %d, want %d", seed, round, k, got, one)
		}
		r.flat = before
		if got := r.countFlat(OpOr); got != one {
			t.Fatalf("seed %d, round %d: one of %d containers: %d, want %d", seed, round, k, got, one)
		}
	}
}
