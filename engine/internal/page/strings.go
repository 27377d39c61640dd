package page

import (
	"encoding/binary"
	"slices"
)

// byteStrings is a list of byte strings, one after the other, with the packed
// offsets of their ends.
type byteStrings struct {
	ends   packed // n+1 offsets; string i is data[ends[i]:ends[i+1]]
	data   []byte
	ascend bool // ids: each is above the one before
}

// appendStrings appends the strings of a list: the size of all, uint64; the
// offsets at which each begins and the last ends, packed; the bytes.
func appendStrings[S ~string | ~[]byte](dst []byte, n int, at func(i int) S) []byte {
	ends := make([]uint64, n+1)
	for i := range n {
		ends[i+1] = ends[i] + uint64(len(at(i)))
	}
	dst = binary.LittleEndian.AppendUint64(dst, ends[n])
	dst = appendPacked(dst, ends)
	dst = slices.Grow(dst, int(ends[n]))
	for i := range n {
		dst = append(dst, at(i)...)
	}
	return dst
}

// readStrings takes a list of n strings off r.
func readStrings(r *reader, n int) (byteStrings, error) {
	size := r.u64()
	if size > uint64(len(r.b)) {
		return byteStrings{}, r.corrupt("strings of %d bytes do not fit", size)
	}
	ends, err := readPacked(r, n+1)
	if err != nil {
		return byteStrings{}, err
	}
	if !ends.ascending(0, size) {
		return byteStrings{}, r.corrupt("offsets of strings do not ascend to %d", size)
	}
	data := r.take(int(size))
	if r.short {
		return byteStrings{}, r.corrupt("strings of %d bytes do not fit", size)
	}
	return byteStrings{ends: ends, data: data}, nil
}

func (s *byteStrings) len() int { return s.ends.n - 1 }

// at returns string i, which must not be changed.
func (s *byteStrings) at(i int) []byte {
	from, to := s.ends.at(i), s.ends.at(i+1)
	return s.data[from:to:to]
}
