package vector

import (
	"encoding/binary"
	"math"
	"slices"
)

// Vector is the vector of a text in 8 bits a dimension: the size of a step, as
// a float of 4 bytes, little endian, and the dimensions in steps, one signed
// byte each. A text of which nothing is known has steps of size 0.
type Vector []byte

// stepBytes is the length of what stands before the dimensions.
const stepBytes = 4

// Size is the number of bytes of a Vector of the model.
func (m *Model) Size() int { return stepBytes + m.Dims() }

// appendVector appends a row of two parts, each of length 1 or 0.
func appendVector(dst []byte, row []float32) []byte {
	at := len(dst)
	dst = append(slices.Grow(dst, stepBytes+len(row)), 0, 0, 0, 0)
	bits := uint32(0) // as floats without a sign are in the order of their bits
	for _, x := range row {
		bits = max(bits, math.Float32bits(x)&^(1<<31))
	}
	largest := math.Float32frombits(bits)
	if largest == 0 {
		return append(dst, make([]byte, len(row))...)
	}
	step := largest / math.MaxInt8
	binary.LittleEndian.PutUint32(dst[at:], math.Float32bits(step))
	dst = dst[:len(dst)+len(row)]
	steps := dst[len(dst)-len(row):]
	for i, x := range row {
		steps[i] = byte(int8(math.RoundToEven(float64(x) / float64(step))))
	}
	return dst
}

func (v Vector) step() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(v))
}

// addTo adds the vector to a row of as many dimensions.
func (v Vector) addTo(row []float32, weight float64) {
	addSteps(row, v[stepBytes:], float32(weight*float64(v.step())))
}

// Cosine is how like each other the texts of two vectors of one model are: the
// mean of the cosines of the parts, at most about 1, and 0 for texts that have
// nothing to do with each other or speak of opposites.
func (v Vector) Cosine(w Vector) float64 {
	n := len(v)
	if len(w) != n || n < stepBytes {
		return 0
	}
	// Both vectors are as long as the root of 2, if they have both parts.
	return max(0, float64(dotBytes(v[stepBytes:], w[stepBytes:]))*float64(v.step())*float64(w.step())/2)
}
