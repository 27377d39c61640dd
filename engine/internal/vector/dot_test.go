package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDotIsTheSameEverywhere compares the inner product by wide instructions, of any
// length and at any place in memory, with that by plain ones and by the definition.
func TestDotIsTheSameEverywhere(t *testing.T) {
	if !wide {
		t.Log("this processor has no wide instructions: the plain ones are compared with the definition only")
	}
	const seed = 41
	r := rand.New(rand.NewPCG(seed, 0))
	a, b := make([]byte, 2_100), make([]byte, 2_100)
	for round := range 2_000 {
		for i := range a {
			switch round % 4 {
			case 0: // the largest sums
				a[i], b[i] = 0x80, 0x80
			case 1:
				a[i], b[i] = 0x7f, 0x80
			default:
				a[i], b[i] = byte(r.Uint32()), byte(r.Uint32())
			}
		}
		n := r.IntN(300)
		if round%10 == 0 {
			n = r.IntN(2_000)
		}
		x, y := a[r.IntN(64):][:n], b[r.IntN(64):][:n]
		want := int32(0)
		for i := range x {
			want += int32(int8(x[i])) * int32(int8(y[i]))
		}
		if got := dotBytes(x, y); got != want {
			t.Fatalf("seed %d, round %d, %d bytes: %d, want %d", seed, round, n, got, want)
		}
		if got := dotPlain(x, y); got != want {
			t.Fatalf("seed %d, round %d, %d bytes, plain: %d, want %d", seed, round, n, got, want)
		}
	}
}

// TestAddedStepsAreTheSameEverywhere compares the sums by wide instructions with those
// by plain ones, to the last bit.
func TestAddedStepsAreTheSameEverywhere(t *testing.T) {
	const seed = 43
	r := rand.New(rand.NewPCG(seed, 0))
	steps := make([]byte, 400)
	for round := range 2_000 {
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		n, f := r.IntN(300), float32(r.NormFloat64())
		got, from := make([]float32, n+1), r.IntN(64)
		for i := range got {
			got[i] = float32(r.NormFloat64())
		}
		want := slices.Clone(got)
		addSteps(got[:n], steps[from:][:n], f)
		addPlain(want[:n], steps[from:][:n], f)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d, %d bytes times %v: %v, want %v", seed, round, n, f, got, want)
		}
	}
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{228, 384, 1_024} {
		x, y := make([]byte, n), make([]byte, n)
		for i := range x {
			x[i], y[i] = byte(i), byte(i*7)
		}
		for name, f := range map[string]func(a, b []byte) int32{"dot": dotBytes, "plain": dotPlain} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f(x, y)
				}
			})
		}
	}
}
