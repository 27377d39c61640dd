package posting

import (
	"encoding/binary"
	"slices"
)

// PositionReader reads the positions of postings of one list. It remembers
// where it stands, so that reading by ascending rank adds up each frequency
// once; any order works. The zero value is ready for Reset. It is not safe for
// concurrent use.
type PositionReader struct {
	list  *List
	block int    // of positions, that from lies in
	next  int    // the rank whose positions begin at from
	from  uint64 // in bytes of data
	log   uint64 // log2 of the bytes of a position
	buf   []uint32
}

// Reset makes the reader read the positions of l, or of nothing if l is nil.
// It keeps its memory.
func (r *PositionReader) Reset(l *List) {
	r.list, r.block = l, -1
}

// Read returns the positions of the posting with the given rank, which has n
// occurrences, as List.Positions appends them: valid until the next call, and
// not to be changed. It returns nil if there are none, which happens only in
// corrupt lists and those that were loaded without positions.
func (r *PositionReader) Read(rank int, n uint32) []uint32 {
	p := &r.list.positions
	if p.start != nil {
		if uint(rank) >= uint(len(p.start)) {
			return nil
		}
		from := uint64(p.start[rank])
		to := from + uint64(n)
		if to > uint64(len(p.flat)) {
			return nil
		}
		return p.flat[from:to]
	}
	if block := int(uint(rank) / positionBlock); block != r.block || rank < r.next {
		if uint(4*block+3) >= uint(len(p.dir)) {
			return nil
		}
		e := uint64(binary.LittleEndian.Uint32(p.dir[4*block:]))
		r.block, r.next, r.from, r.log = block, block*positionBlock, e&^3, e&3
	}
	from := r.from + r.list.codes.totalBetween(r.next, rank)<<r.log
	size := uint64(n) << r.log
	if from > uint64(len(p.data)) || size > uint64(len(p.data))-from {
		r.block = -1
		return nil
	}
	data := p.data[from : from+size]
	r.next, r.from = rank+1, from+size
	if cap(r.buf) < int(n) {
		r.buf = slices.Grow(r.buf[:0], int(n))
	}
	buf := r.buf[:n]
	switch r.log {
	case 0:
		for i, b := range data {
			buf[i] = uint32(b)
		}
	case 1:
		for i := range buf {
			buf[i] = uint32(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case 2:
		for i := range buf {
			buf[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
	default:
		return nil
	}
	return buf
}
