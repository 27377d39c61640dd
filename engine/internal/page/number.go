package page

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// A number is kept as its key: a uint64 that grows with the value, so that
// all comparing is done on unsigned integers.

// intKey returns the key of an integer, date or bool.
func intKey(v int64) uint64 { return uint64(v) ^ 1<<63 }

func keyInt(key uint64) int64 { return int64(key ^ 1<<63) }

// floatKey returns the key of a float that is not -0 and not NaN: positive
// floats ascend as their bits do, negative ones descend.
func floatKey(v float64) uint64 {
	b := math.Float64bits(v)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

func keyFloat(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// Most floats of records were written with a few decimals. A column in which
// every value is n/10^e keeps the integers n, which pack into few bits where
// the bits of the floats do not (the idea of ALP, Afroozeh, Kuffo and Boncz,
// "ALP: Adaptive Lossless floating-Point Compression", SIGMOD 2024, with one
// exponent for a column and no exceptions). Division is rounded correctly, so
// n/10^e gives back the very same float and grows with n.
const (
	maxDecimals = 9
	rawFloats   = 255     // the exponent that says that keys are floatKey
	maxScaled   = 1 << 51 // largest |n|: n*10^e is then off by less than 1/2
)

// pow10 returns 10^e, which is exact for the exponents in use.
func pow10(e uint8) float64 {
	p := 1.0
	for range e {
		p *= 10
	}
	return p
}

// decimal returns the n for which n/scale is exactly v.
func decimal(v, scale float64) (int64, bool) {
	x := math.Round(v * scale)
	if math.Abs(x) > maxScaled || x/scale != v {
		return 0, false
	}
	return int64(x), true
}

// decimals returns the smallest exponent under which all floats, given as
// keys, are decimal, or rawFloats.
func decimals(keys []uint64) uint8 {
	e, scale := uint8(0), 1.0
	for _, key := range keys {
		v := keyFloat(key)
		for {
			if _, ok := decimal(v, scale); ok {
				break
			}
			if e++; e > maxDecimals {
				return rawFloats
			}
			scale = pow10(e)
		}
	}
	for _, key := range keys {
		if _, ok := decimal(keyFloat(key), scale); !ok { // large, and before one with many decimals
			return rawFloats
		}
	}
	return e
}

// commonDivisor returns the greatest unit of which every key is a multiple
// away from base, and 1 when all are equal to it.
func commonDivisor(keys []uint64, base uint64) uint64 {
	unit := uint64(0)
	for _, key := range keys {
		d := key - base
		if d == 0 || unit != 0 && d%unit == 0 {
			continue
		}
		for unit != 0 {
			d, unit = unit, d%unit
		}
		if unit = d; unit == 1 {
			break
		}
	}
	return max(unit, 1)
}

// exactSum is a sum of finite floats without any rounding, so that it does not
// depend on their order or on how they are split: a fixed-point number of
// pieces of 32 bits, the lowest bit of the first being the smallest float
// (the small superaccumulator of Neal, "Fast exact summation using small and
// large superaccumulators", 2015). The zero exactSum is 0.
type exactSum struct {
	pieces [68]int64 // piece i counts 2^(32i-1074); between carries a piece holds any int64
	adds   int       // since the last carry
}

// carryAfter is the number of additions, each less than 2^32 to a piece, that
// fit into an int64.
const carryAfter = 1 << 30

func (s *exactSum) add(v float64) {
	b := math.Float64bits(v)
	mantissa, place := b&(1<<52-1), int(b>>52&0x7ff)
	if place == 0 {
		place = 1 // subnormal
	} else {
		mantissa |= 1 << 52
	}
	place--
	hi, lo := bits.Mul64(mantissa, 1<<(place&31))
	p := s.pieces[place>>5 : place>>5+3]
	if b>>63 == 0 {
		p[0] += int64(lo & (1<<32 - 1))
		p[1] += int64(lo >> 32)
		p[2] += int64(hi)
	} else {
		p[0] -= int64(lo & (1<<32 - 1))
		p[1] -= int64(lo >> 32)
		p[2] -= int64(hi)
	}
	if s.adds++; s.adds == carryAfter {
		s.carry()
	}
}

// carry leaves every piece but the last in [0, 2^32).
func (s *exactSum) carry() {
	s.adds = 0
	for i := range s.pieces[:len(s.pieces)-1] {
		s.pieces[i+1] += s.pieces[i] >> 32
		s.pieces[i] &= 1<<32 - 1
	}
}

// merge adds the sum o.
func (s *exactSum) merge(o exactSum) {
	s.carry()
	o.carry()
	for i, v := range o.pieces {
		s.pieces[i] += v
	}
	s.carry()
}

// float returns the float nearest to the sum, an infinity when it is out of
// range.
func (s *exactSum) float() float64 {
	v, _ := s.rat().Float64()
	return v
}

// rat returns the sum.
func (s *exactSum) rat() *big.Rat {
	c := *s
	c.carry()
	negative := c.pieces[len(c.pieces)-1] < 0
	if negative {
		for i := range c.pieces {
			c.pieces[i] = -c.pieces[i]
		}
		c.carry()
	}
	digits := make([]byte, 0, 4*len(c.pieces))
	for i := len(c.pieces) - 1; i >= 0; i-- {
		digits = binary.BigEndian.AppendUint32(digits, uint32(c.pieces[i]))
	}
	n := new(big.Int).SetBytes(digits)
	if negative {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), 1074))
}
