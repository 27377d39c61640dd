package posting

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
