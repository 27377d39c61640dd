package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestProductOfRows(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	for _, dims := range []int{1, 2, 7, 8, 9, 64, 384, 4096} {
		a, b := gaussianRow(r, dims), gaussianRow(r, dims)
		exact, lengths := 0.0, [2]float64{}
		for i := range a {
			exact += float64(a[i]) * float64(b[i])
			lengths[0] += float64(a[i]) * float64(a[i])
			lengths[1] += float64(b[i]) * float64(b[i])
		}
		norm := math.Sqrt(lengths[0] * lengths[1])
		for _, unit := range []bool{false, true} {
			v, w := Vector(AppendRow(nil, a, unit)), Vector(AppendRow(nil, b, unit))
			if len(v) != RowSize(dims) || !v.Present() || !v.Valid() {
				t.Fatalf("seed %d, %d dimensions: %d bytes, present %t", seed, dims, len(v), v.Present())
			}
			slow := 0
			for i := range dims {
				slow += int(int8(v[stepBytes+i])) * int(int8(w[stepBytes+i]))
			}
			got := v.Product(w)
			if want := float64(slow) * float64(v.step()) * float64(w.step()); got != want {
				t.Errorf("seed %d, %d dimensions, unit %t: product %v, one by one %v", seed, dims, unit, got, want)
			}
			want, within := exact, 0.02*norm
			if unit {
				want, within = exact/norm, 0.02
				if self := v.Product(v); math.Abs(self-1) > 1e-6 {
					t.Errorf("%d dimensions: product with itself %v", dims, self)
				}
			}
			if math.Abs(got-want) > within {
				t.Errorf("seed %d, %d dimensions, unit %t: product %v, of what was given %v", seed, dims, unit, got, want)
			}
		}
	}
}

func TestRowsOfZerosAndOfTinyNumbersAreThere(t *testing.T) {
	for _, row := range [][]float32{{0, 0}, {math.SmallestNonzeroFloat32, 0}, {math.MaxFloat32, -math.MaxFloat32}} {
		for _, unit := range []bool{false, true} {
			if v := Vector(AppendRow(nil, row, unit)); !v.Present() || !v.Valid() || math.IsNaN(v.Product(v)) {
				t.Errorf("%v, unit %t: present %t, product %v", row, unit, v.Present(), v.Product(v))
			}
		}
	}
	if v := Vector(make([]byte, RowSize(2))); v.Present() {
		t.Error("nothing is there")
	}
}

func gaussianRow(r *rand.Rand, dims int) []float32 {
	row := make([]float32, dims)
	for i := range row {
		row[i] = float32(r.NormFloat64())
	}
	return row
}

func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	v, w := Vector(AppendRow(nil, gaussianRow(r, 384), true)), Vector(AppendRow(nil, gaussianRow(r, 384), true))
	for b.Loop() {
		v.Product(w)
	}
}
