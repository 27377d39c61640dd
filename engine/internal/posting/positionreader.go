package posting

import "encoding/binary"

// PositionReader reads the positions of postings of one list. It remembers
// where it stands, so that reading by ascending rank adds up each frequency
// once; any order works. The zero value is ready for Reset. It is not safe for
// concurrent use.
type PositionReader struct {
	list  *List
	block int    // of positions, that from lies in
	next  int    // the rank whose positions begin at from
	from  uint64 // in bits of data
	width uint   // of a position, in bits
	kind  uint   // of the block of codes that next lies in
	start uint   // where that begins
	buf   []uint32
}

// Reset makes the reader read the positions of l, or of nothing if l is nil.
// It keeps its memory.
func (r *PositionReader) Reset(l *List) {
	r.list, r.block = l, -1
}

// Room is how many positions the memory of the reader has room for.
func (r *PositionReader) Room() int { return cap(r.buf) }

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
	if !r.seek(rank) {
		return nil
	}
	buf := p.append(r.buf[:0], r.from, r.width, uint64(n))
	if len(buf) != int(n) {
		r.block = -1
		return nil
	}
	r.buf = buf
	r.next, r.from = rank+1, r.from+uint64(n)*uint64(r.width)
	return buf
}

// Marks is a set of positions below maxMark: bit i&63 of word i>>6 stands for i.
type Marks [maxMark / 64]uint64

const maxMark = 256

// Mark adds the positions that Read returns to a set. It tells whether all of them
// have a place there; if not, the set may have some of them.
func (r *PositionReader) Mark(rank int, n uint32, set *Marks) bool {
	p := &r.list.positions
	if p.start == nil && r.seek(rank) {
		last := r.from + uint64(n)*uint64(r.width)
		if last>>3+8 <= uint64(len(p.data)) {
			mask := uint64(1)<<r.width - 1
			for bit := r.from; bit < last; bit += uint64(r.width) {
				at := binary.LittleEndian.Uint64(p.data[bit>>3:]) >> (bit & 7) & mask
				if at >= maxMark {
					return false
				}
				set[at>>6&(maxMark/64-1)] |= 1 << (at & 63)
			}
			r.next, r.from = rank+1, last
			return true
		}
	}
	positions := r.Read(rank, n)
	for _, at := range positions {
		if at >= maxMark {
			return false
		}
		set[at>>6] |= 1 << (at & 63)
	}
	return len(positions) == int(n)
}

// Strike takes out of a set the positions that Read returns, each moved down by shift,
// and returns how many of them were there.
func (r *PositionReader) Strike(rank int, n uint32, set *Marks, shift uint64) (struck uint32) {
	p := &r.list.positions
	if p.start == nil && r.seek(rank) {
		last := r.from + uint64(n)*uint64(r.width)
		if last>>3+8 <= uint64(len(p.data)) {
			mask := uint64(1)<<r.width - 1
			for bit := r.from; bit < last; bit += uint64(r.width) {
				at := binary.LittleEndian.Uint64(p.data[bit>>3:])>>(bit&7)&mask - shift
				if at < maxMark {
					was := set[at>>6&(maxMark/64-1)] >> (at & 63) & 1
					struck += uint32(was)
					set[at>>6&(maxMark/64-1)] &^= was << (at & 63)
				}
			}
			r.next, r.from = rank+1, last
			return struck
		}
	}
	for _, position := range r.Read(rank, n) {
		if at := uint64(position) - shift; at < maxMark {
			was := set[at>>6] >> (at & 63) & 1
			struck += uint32(was)
			set[at>>6] &^= was << (at & 63)
		}
	}
	return struck
}

// One returns the only position of the posting with the given rank, which has one
// occurrence, and false where Read returns nil.
func (r *PositionReader) One(rank int) (at uint32, ok bool) {
	p := &r.list.positions
	if p.start != nil {
		if uint(rank) >= uint(len(p.start)) || uint64(p.start[rank]) >= uint64(len(p.flat)) {
			return 0, false
		}
		return p.flat[p.start[rank]], true
	}
	if !r.seek(rank) {
		return 0, false
	}
	if i := r.from >> 3; i+8 <= uint64(len(p.data)) {
		at = uint32(binary.LittleEndian.Uint64(p.data[i:]) >> (r.from & 7) & (1<<r.width - 1))
		r.next, r.from = rank+1, r.from+uint64(r.width)
		return at, true
	}
	positions := r.Read(rank, 1)
	if len(positions) == 0 {
		return 0, false
	}
	return positions[0], true
}

// seek moves the reader to the posting with the given rank, and tells whether
// there is one.
func (r *PositionReader) seek(rank int) bool {
	if block := int(uint(rank) / positionBlock); block != r.block || rank < r.next {
		var ok bool
		if r.from, r.width, ok = r.list.positions.block(block); !ok {
			r.block = -1
			return false
		}
		r.block, r.next = block, block*positionBlock
		c := &r.list.codes
		of := uint(r.next) / codeBlock
		if 2*of+1 >= uint(len(c.dir)) {
			r.block = -1
			return false
		}
		r.kind, r.start = c.block(of)
	}
	if rank > r.next {
		r.from += r.list.codes.totalsOf(r.kind, r.start, r.next, rank) * uint64(r.width)
		r.next = rank
	}
	return true
}
