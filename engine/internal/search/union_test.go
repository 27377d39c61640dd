package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// TestAddVectors compares sums with those of arrays.
func TestAddVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	random := func() (v score.Vector, by [5]uint32) {
		for f := range by {
			if by[f] = uint32(r.IntN(3)); by[f] > 0 {
				v = append(v, score.Freq{Field: uint16(f), TF: by[f]})
			}
		}
		return v, by
	}
	for range 500 {
		a, x := random()
		b, y := random()
		var want score.Vector
		for f := range x {
			if n := x[f] + y[f]; n > 0 {
				want = append(want, score.Freq{Field: uint16(f), TF: n})
			}
		}
		before := slices.Clone(a)
		if got := addVectors(a, b); !slices.Equal(got, want) || !slices.Equal(a, before) {
			t.Fatalf("%v and %v make %v, want %v", before, b, got, want)
		}
	}
}
