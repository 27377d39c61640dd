package vector

import (
	"encoding/binary"
	"math"
)

// A vector of a field has the form of Vector, too. Unlike that of a text, it is
// one part of any length, so Cosine is not for it, and a step of 0 says that it
// is not there: a row of zeros has steps of size 1.

// RowSize is the number of bytes of the Vector of a row of so many dimensions.
func RowSize(dims int) int { return stepBytes + dims }

// AppendRow appends the Vector of a row. With unit its length is 1 whatever the
// row's, after rounding, so that products are cosines; a row of zeros has no
// direction, and stays as it is.
func AppendRow(dst []byte, row []float32, unit bool) []byte {
	largest := 0.0
	for _, x := range row {
		largest = max(largest, math.Abs(float64(x)))
	}
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	step := largest / math.MaxInt8
	if largest == 0 {
		step = 1
	}
	squares := 0
	for _, x := range row {
		n := int8(math.RoundToEven(float64(x) / step))
		squares += int(n) * int(n)
		dst = append(dst, byte(n))
	}
	if unit && squares > 0 {
		step = 1 / math.Sqrt(float64(squares))
	}
	// A row of the tiniest numbers must not look as if it were not there.
	small := max(float32(step), math.SmallestNonzeroFloat32)
	binary.LittleEndian.PutUint32(dst[at:], math.Float32bits(small))
	return dst
}

// Present tells whether the vector of a field is there.
func (v Vector) Present() bool { return v.step() > 0 }

// Valid tells whether the step of a field's vector is one that AppendRow writes.
func (v Vector) Valid() bool {
	return len(v) >= stepBytes && v.step() >= 0 && !math.IsInf(float64(v.step()), 0)
}

// Product is the inner product of two vectors of a field, exact but for the
// rounding of both to steps.
func (v Vector) Product(w Vector) float64 {
	n := min(len(v), len(w))
	if n < stepBytes {
		return 0
	}
	return float64(dotBytes(v[stepBytes:n], w[stepBytes:n])) * float64(v.step()) * float64(w.step())
}
