package engine

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// Heads of ids never disagree with the order of ids, however short they are and
// whatever bytes they have.
func TestHeadsAreInTheOrderOfIDs(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 1))
	told := 0
	for range 20_000 {
		var ids [2][]byte
		for i := range ids {
			for range r.IntN(20) {
				ids[i] = append(ids[i], "\x00\x00a\xff"[r.IntN(4)])
			}
		}
		if r.IntN(2) == 0 { // they differ late, or in length only
			ids[1] = append(slices.Clone(ids[0]), ids[1][:min(len(ids[1]), r.IntN(3))]...)
		}
		a, b := headOf(ids[0]), headOf(ids[1])
		if got, want := slices.Compare(a[:], b[:]), bytes.Compare(ids[0], ids[1]); got != 0 && got != want {
			t.Fatalf("seed %d: the heads of %q and %q compare as %d, the ids as %d", seed, ids[0], ids[1], got, want)
		} else if got != 0 {
			told++
		}
	}
	if told == 0 {
		t.Error("all heads are equal")
	}
}
