package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Codes are packed in blocks of codeBlock ranks, so that the code of any rank
// is found with a shift. Part of the format.
const (
	codeBlock  = 128
	codeUnit   = 16  // bytes; every full block takes a multiple of it
	superBlock = 256 // blocks whose offsets count from the same place
)

// The kinds of a block. Below packed1, every code of the block equals the
// kind and takes no space; the codes 0 to 3 include the most frequent vector
// of lists over up to four fields. From packed1 on, the width of a code is
// 1<<(kind-packed1) bits. Part of the format.
const (
	packed1 = 4
	packed8 = 7
)

// maxTotal is the largest number of occurrences of a posting.
const maxTotal = 1<<31 - 1

// codes is the packed codes of a list with the vectors of its escapes. All
// accessors are safe on bytes that are wrong: they return zero values.
type codes struct {
	coding *Coding
	super  []byte // u32 for each superBlock after the first: its offset in data, in units
	dir    []byte // u16 a block: offset from the superBlock's in units << 3 | kind
	data   []byte
	// The ranks with code Escape, ascending, u32 each; then the end of each
	// vector in vectors, u32 each.
	escRanks, escEnds []byte
	vectors           []byte
}

// at returns the code with the given rank.
func (c *codes) at(rank int) uint8 {
	block := uint(rank) / codeBlock
	if 2*block+1 >= uint(len(c.dir)) {
		return 0
	}
	kind, start := c.block(block)
	return c.unpack(kind, start, rank)
}

// unpack returns the code with the given rank, of a block of that kind whose
// codes start there.
func (c *codes) unpack(kind, start uint, rank int) uint8 {
	if kind < packed1 {
		return uint8(kind)
	}
	log := (kind - packed1) & 3
	bit := uint(rank) % codeBlock << log
	i := start + bit/8
	if i >= uint(len(c.data)) {
		return 0
	}
	return c.data[i] >> (bit % 8) & uint8(uint(1)<<(1<<log)-1)
}

// block returns the kind of a block of dir and where its codes start in data.
func (c *codes) block(block uint) (kind, start uint) {
	e := uint(binary.LittleEndian.Uint16(c.dir[2*block:]))
	start = e >> 3
	if s := block / superBlock; s > 0 && 4*s <= uint(len(c.super)) {
		start += uint(binary.LittleEndian.Uint32(c.super[4*(s-1):]))
	}
	return e & 7, start * codeUnit
}

// CodeReader reads codes of a list whose ranks ascend, more or less: it keeps
// the block that it read last.
type CodeReader struct {
	codes       *codes
	block       uint // ^uint(0) for none
	kind, start uint
	escape      int // the escapes before it have lower ranks than the one asked for last
}

// Codes returns a reader of the codes of the postings.
func (l *List) Codes() CodeReader { return CodeReader{codes: &l.codes, block: ^uint(0)} }

// At is List.Code.
func (r *CodeReader) At(rank int) uint8 {
	block := uint(rank) / codeBlock
	if block != r.block {
		if 2*block+1 >= uint(len(r.codes.dir)) {
			return 0
		}
		r.block = block
		r.kind, r.start = r.codes.block(block)
	}
	return r.codes.unpack(r.kind, r.start, rank)
}

// Block returns the codes from a rank to the end of its block of 128; where the list
// ends before that, what stands behind its end may be anything. They are the list's
// own, or in buf. There are none if the list is corrupt.
func (r *CodeReader) Block(rank int, buf *[codeBlock]uint8) []uint8 {
	code := r.At(rank)
	if uint(rank)/codeBlock != r.block {
		return nil
	}
	from := rank % codeBlock
	switch r.kind {
	case packed8:
		data := r.codes.data[min(r.start+uint(from), uint(len(r.codes.data))):]
		return data[:min(codeBlock-from, len(data))]
	case packed1, packed1 + 1, packed1 + 2:
		for i := range buf[from:] {
			buf[from+i] = r.codes.unpack(r.kind, r.start, rank+i)
		}
	default:
		for i := range buf[from:] {
			buf[from+i] = code
		}
	}
	return buf[from:]
}

// Vector is List.VectorIn, of a list with frequencies, for ranks that ascend, more or
// less.
func (r *CodeReader) Vector(buf *score.Vector, rank int, book *score.Codebook) score.Vector {
	code := r.At(rank)
	if code == score.Escape {
		return r.Escaped(buf, rank, book)
	}
	if int(code) >= book.Len() {
		return nil
	}
	return book.Vector(code)
}

// Escaped is Vector for a posting whose code is score.Escape.
func (r *CodeReader) Escaped(buf *score.Vector, rank int, book *score.Codebook) score.Vector {
	c := r.codes
	n := len(c.escRanks) / 4
	if r.escape > 0 && c.escRank(r.escape-1) >= rank {
		r.escape = 0
	}
	// The next one is asked for more often than not, and else one not far behind it.
	i := r.escape
	if i < n && c.escRank(i) < rank {
		step := 1
		for i+step < n && c.escRank(i+step) < rank {
			i += step
			step *= 2
		}
		i = c.searchEscape(i+1, min(i+step, n), rank)
	}
	r.escape = i
	return escaped(buf, c.escapeOf(i, rank), book)
}

// escRank returns the rank of the i-th escape.
func (c *codes) escRank(i int) int { return int(binary.LittleEndian.Uint32(c.escRanks[4*i:])) }

// searchEscape returns the first of the escapes from to to-1 whose rank is not below
// rank; to if there is none.
func (c *codes) searchEscape(from, to, rank int) int {
	if from >= to {
		return to
	}
	for left := to - from; left > 1; { // as Container.searchFrom
		half := left / 2
		next := from + half
		if c.escRank(next-1) < rank {
			from = next
		}
		left -= half
	}
	if c.escRank(from) < rank {
		from++
	}
	return from
}

// escapeAt returns the written out vector of the rank, still encoded, or nil.
func (c *codes) escapeAt(rank int) []byte {
	return c.escapeOf(c.searchEscape(0, len(c.escRanks)/4, rank), rank)
}

// escapeOf is escapeAt where the i-th escape is the first whose rank is not lower.
func (c *codes) escapeOf(i, rank int) []byte {
	if i == len(c.escRanks)/4 || c.escRank(i) != rank {
		return nil
	}
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(c.escEnds[4*(i-1):])
	}
	to := binary.LittleEndian.Uint32(c.escEnds[4*i:])
	if from > to || uint64(to) > uint64(len(c.vectors)) {
		return nil
	}
	return c.vectors[from:to]
}

// total returns the number of occurrences of the posting with the given rank.
func (c *codes) total(rank int) uint64 {
	code := c.at(rank)
	if code != score.Escape {
		return uint64(c.coding.totals[code])
	}
	return vectorTotal(c.escapeAt(rank))
}

// totalBetween sums total over the ranks from..to-1, all of one block.
func (c *codes) totalBetween(from, to int) uint64 {
	if from >= to {
		return 0
	}
	block := uint(from) / codeBlock
	if 2*block+1 >= uint(len(c.dir)) {
		return 0
	}
	kind, start := c.block(block)
	return c.totalsOf(kind, start, from, to)
}

// totalsOf is totalBetween for a block of that kind whose codes start there.
func (c *codes) totalsOf(kind, start uint, from, to int) uint64 {
	t, n := &c.coding.totals, uint64(to-from)
	lo := uint(from) % codeBlock
	hi := lo + uint(n)
	switch kind {
	case packed1, packed1 + 1, packed1 + 2:
	case packed8:
		if start+hi > uint(len(c.data)) {
			return 0
		}
		var sum uint64
		for i, code := range c.data[start+lo : start+hi] {
			if code == score.Escape {
				sum += vectorTotal(c.escapeAt(from + i))
			} else {
				sum += uint64(t[code])
			}
		}
		return sum
	default:
		return uint64(t[kind]) * n
	}
	log := (kind - packed1) & 3
	if start+(hi<<log+7)/8 > uint(len(c.data)) {
		return 0
	}
	if log == 2 && !c.coding.counted {
		return c.totalsOfFours(start, lo, hi)
	}
	// All codes count as the first one, then come the differences, 64 bits at a time.
	sum := n * uint64(t[0])
	for at, end := lo<<log, hi<<log; at < end; {
		x := window(c.data, int(start+at/64*8)) >> (at % 64)
		if left := end - at; left < 64-at%64 {
			x &= 1<<left - 1
		}
		at += 64 - at%64
		switch log {
		case 0:
			sum += uint64(bits.OnesCount64(x)) * uint64(t[1]-t[0])
		case 1:
			low, high := x&everyOther, x>>1&everyOther
			sum += uint64(bits.OnesCount64(low))*uint64(t[1]-t[0]) + uint64(bits.OnesCount64(high))*uint64(t[2]-t[0])
			if both := low & high; both != 0 {
				sum += uint64(bits.OnesCount64(both)) * uint64(int64(t[3])-int64(t[2])-int64(t[1])+int64(t[0]))
			}
		default:
			sum += (x&lowNibbles + x>>4&lowNibbles) * everyByte >> 56
		}
	}
	return sum
}

// Masks of bits, and what sums up the bytes of a word in its highest one.
const (
	everyOther = 0x5555555555555555
	lowNibbles = 0x0f0f0f0f0f0f0f0f
	everyByte  = 0x0101010101010101
)

// totalsOfFours is totalsOf for codes of four bits lo to hi-1 that stand for any
// number of occurrences.
func (c *codes) totalsOfFours(start, lo, hi uint) (sum uint64) {
	totals, data := &c.coding.totals, c.data[start:]
	if lo < hi && lo%2 != 0 {
		sum += uint64(totals[data[lo/2]>>4])
		lo++
	}
	for ; lo+2 <= hi; lo += 2 {
		sum += uint64(c.coding.pairs[data[lo/2]])
	}
	if lo < hi {
		sum += uint64(totals[data[lo/2]&15])
	}
	return sum
}

// kindOf returns the kind of block that fits all of values.
func kindOf(values []uint8) uint {
	first, or, same := values[0], uint8(0), true
	for _, v := range values {
		or |= v
		same = same && v == first
	}
	switch {
	case same && first < packed1:
		return uint(first)
	case or < 2:
		return packed1
	case or < 4:
		return packed1 + 1
	case or < 16:
		return packed1 + 2
	}
	return packed8
}

// appendPacked appends values in the given kind of block.
func appendPacked(dst []byte, values []uint8, kind uint) []byte {
	if kind < packed1 {
		return dst
	}
	log := kind - packed1
	at := len(dst)
	dst = slices.Grow(dst, packedSize(len(values), kind))[:at+packedSize(len(values), kind)]
	out := dst[at:]
	clear(out)
	for i, v := range values {
		bit := uint(i) << log
		out[bit/8] |= v << (bit % 8)
	}
	return dst
}

// packedSize returns the bytes that n codes take in the given kind of block.
func packedSize(n int, kind uint) int {
	if kind < packed1 {
		return 0
	}
	return (n<<(kind-packed1) + 7) / 8
}

// appendVector appends the varint form of v: the number of fields, then for
// each the distance to the field before (counting from -1, less one) and the
// frequency.
func appendVector(dst []byte, v score.Vector) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	next := uint64(0)
	for _, f := range v {
		dst = binary.AppendUvarint(dst, uint64(f.Field)-next)
		dst = binary.AppendUvarint(dst, uint64(f.TF))
		next = uint64(f.Field) + 1
	}
	return dst
}

// readVector appends the vector that appendVector wrote to dst and returns how many
// bytes it took, or 0 if the bytes are no vector of the given number of fields or its total does not
// fit 31 bits.
func readVector(dst score.Vector, data []byte, fields int) (score.Vector, int) {
	n, at := binary.Uvarint(data)
	if at <= 0 || n == 0 || n > uint64(fields) || n > uint64(len(data)) {
		return nil, 0
	}
	v := slices.Grow(dst, int(n))
	next, total := uint64(0), uint64(0)
	for range n {
		gap, k := binary.Uvarint(data[at:])
		if k <= 0 || gap >= uint64(fields) || next+gap >= uint64(fields) {
			return nil, 0
		}
		at += k
		tf, k := binary.Uvarint(data[at:])
		total += tf
		if k <= 0 || tf == 0 || tf > maxTotal || total > maxTotal {
			return nil, 0
		}
		at += k
		v = append(v, score.Freq{Field: uint16(next + gap), TF: uint32(tf)})
		next += gap + 1
	}
	return v, at
}

// vectorTotal sums the frequencies of an encoded vector.
func vectorTotal(data []byte) uint64 {
	n, at := binary.Uvarint(data)
	if at <= 0 {
		return 0
	}
	var sum uint64
	for ; n > 0; n-- {
		_, k := binary.Uvarint(data[at:])
		if k <= 0 {
			return 0
		}
		at += k
		tf, k := binary.Uvarint(data[at:])
		if k <= 0 || tf > maxTotal {
			return 0
		}
		at += k
		sum += tf
	}
	return sum
}
