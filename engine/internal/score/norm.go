package score

import "math/bits"

// exactNorms is the number of lengths below which EncodeNorm is exact: all
// one-byte values that the float coding of longer lengths leaves unused.
const exactNorms = 24

// EncodeNorm packs the length of a field, in words, into one byte: lengths up
// to 40 exactly, longer ones rounded down to four significant bits. It grows
// with length, and EncodeNorm(0) is 0. The coding is the one that Lucene's
// SmallFloat describes as int4, so that lengths are rounded as its users know.
func EncodeNorm(length int) byte {
	if length < exactNorms {
		return byte(max(length, 0))
	}
	v := uint64(min(length, 1<<31-1)) - exactNorms
	n := bits.Len64(v)
	if n < 4 {
		return exactNorms + byte(v)
	}
	shift := n - 4
	return exactNorms + byte(v>>shift&7|uint64(shift+1)<<3)
}

// DecodeNorm returns the length that stands for norm b in all arithmetic.
func DecodeNorm(b byte) int {
	if b < exactNorms {
		return int(b)
	}
	b -= exactNorms
	mantissa, shift := uint64(b&7), int(b>>3)-1
	if shift < 0 {
		return exactNorms + int(mantissa)
	}
	return exactNorms + int((mantissa|8)<<shift)
}
