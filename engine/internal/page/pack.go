package page

import (
	"encoding/binary"
	"math/bits"
)

const (
	packShift = 10
	packBlock = 1 << packShift // values that share a frame of reference
	packWords = packBlock / 64
	packPad   = 8 // zero bytes after the data, so that every value is one 8 byte load
)

// packed is a sequence of uint64 in blocks of 1,024 values, each block as the
// distance to its smallest value in as few bits as its largest distance needs
// (frame of reference, Goldstein, Ramakrishnan and Shaft, "Compressing
// Relations and Indexes", ICDE 1998). It points into the bytes it was decoded
// from, is immutable and safe for concurrent use.
type packed struct {
	n      int
	blocks []packBlockInfo
	data   []byte
	max    uint64 // largest of all values; 0 when there are none
}

type packBlockInfo struct {
	min, max uint64
	mask     uint64
	off      int  // byte in data at which the block begins
	width    uint // bits of a value: 0 to 56, or 64
}

// packWidth returns the width of values that differ by at most span. Widths of
// 57 to 63 are not used: with them a value would not always lie in the 8 bytes
// from the one that holds its first bit.
func packWidth(span uint64) uint {
	if w := uint(bits.Len64(span)); w <= 56 {
		return w
	}
	return 64
}

// appendPacked appends values:
//
//	directory  16 bytes for each block: least and greatest value, uint64 each
//	data       for each block its values, width bits each, from the low bit up,
//	           filled with zero bits to a whole byte
//	pad        8 zero bytes
//
// The width follows from the directory. The number of values is the caller's
// to keep.
func appendPacked(dst []byte, values []uint64) []byte {
	for rest := values; len(rest) > 0; {
		block := rest[:min(packBlock, len(rest))]
		rest = rest[len(block):]
		lo, hi := minMax(block)
		dst = binary.LittleEndian.AppendUint64(dst, lo)
		dst = binary.LittleEndian.AppendUint64(dst, hi)
	}
	for rest := values; len(rest) > 0; {
		block := rest[:min(packBlock, len(rest))]
		rest = rest[len(block):]
		lo, hi := minMax(block)
		dst = appendBits(dst, block, lo, packWidth(hi-lo))
	}
	return append(dst, make([]byte, packPad)...)
}

func minMax(values []uint64) (lo, hi uint64) {
	lo, hi = values[0], values[0]
	for _, v := range values[1:] {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

func appendBits(dst []byte, values []uint64, base uint64, width uint) []byte {
	if width == 0 {
		return dst
	}
	if width == 64 {
		for _, v := range values {
			dst = binary.LittleEndian.AppendUint64(dst, v-base)
		}
		return dst
	}
	var acc uint64
	var have uint // bits in acc, below 8 before each value
	for _, v := range values {
		acc |= (v - base) << have
		for have += width; have >= 8; have -= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(acc))
	}
	return dst
}

// readPacked takes a sequence of n values off r. Every index below n is valid
// afterwards, but values may lie outside of their block's directory entry when
// the bytes were not written by appendPacked: whoever uses values as indexes
// calls within or ascending first.
func readPacked(r *reader, n int) (packed, error) {
	if n < 0 {
		return packed{}, r.corrupt("negative length of a sequence")
	}
	nblocks := (n + packBlock - 1) >> packShift
	dir := r.take(nblocks * 16)
	if r.short {
		return packed{}, r.corrupt("a sequence of %d values does not fit", n)
	}
	p := packed{n: n, blocks: make([]packBlockInfo, nblocks)}
	size := 0
	for i := range p.blocks {
		lo, hi := binary.LittleEndian.Uint64(dir[i*16:]), binary.LittleEndian.Uint64(dir[i*16+8:])
		if hi < lo {
			return packed{}, r.corrupt("block %d of a sequence ends below its start", i)
		}
		w := packWidth(hi - lo)
		p.blocks[i] = packBlockInfo{min: lo, max: hi, mask: 1<<w - 1, off: size, width: w}
		size += (min(packBlock, n-i<<packShift)*int(w) + 7) / 8
		p.max = max(p.max, hi)
	}
	p.data = r.take(size + packPad)
	if r.short {
		return packed{}, r.corrupt("a sequence of %d values does not fit", n)
	}
	return p, nil
}

// at returns value i.
func (p *packed) at(i int) uint64 {
	b := &p.blocks[i>>packShift]
	bit := uint(i&(packBlock-1)) * b.width
	return b.min + binary.LittleEndian.Uint64(p.data[b.off+int(bit>>3):])>>(bit&7)&b.mask
}

// unpack writes the values of a block to buf and returns how many they are.
func (p *packed) unpack(block int, buf *[packBlock]uint64) int {
	b := &p.blocks[block]
	n := min(packBlock, p.n-block<<packShift)
	data := p.data[b.off:]
	bit := uint(0)
	for i := range buf[:n] {
		buf[i] = b.min + binary.LittleEndian.Uint64(data[bit>>3:])>>(bit&7)&b.mask
		bit += b.width
	}
	return n
}

// within reports whether all values are at most limit.
func (p *packed) within(limit uint64) bool {
	if p.max > limit {
		return false
	}
	return p.each(func(values []uint64) bool {
		for _, v := range values {
			if v > limit {
				return false
			}
		}
		return true
	})
}

// ascending reports whether the values begin with 0, grow by at least step
// from one to the next, and end with last.
func (p *packed) ascending(step, last uint64) bool {
	if p.n == 0 || p.at(0) != 0 || p.at(p.n-1) != last {
		return false
	}
	prev, first := uint64(0), true
	return p.each(func(values []uint64) bool {
		for _, v := range values {
			if !first && (v < prev || v-prev < step) {
				return false
			}
			prev, first = v, false
		}
		return true
	})
}

// each calls f with the values of one block after the other until it returns
// false, and reports whether it never did.
func (p *packed) each(f func(values []uint64) bool) bool {
	var buf [packBlock]uint64
	for i := range p.blocks {
		if n := p.unpack(i, &buf); !f(buf[:n]) {
			return false
		}
	}
	return true
}

// match sets bit i of out for every value i in [lo, hi] and reports whether
// there was one. out has a bit for each value and begins zero.
func (p *packed) match(lo, hi uint64, out []uint64) bool {
	found := false
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.max < lo || b.min > hi {
			continue
		}
		n := min(packBlock, p.n-i<<packShift)
		words := out[i*packWords:]
		if lo <= b.min && b.max <= hi {
			fillBits(words, n)
			found = true
			continue
		}
		from := max(lo, b.min) - b.min
		if p.matchBlock(b, n, from, min(hi, b.max)-b.min-from, words) {
			found = true
		}
	}
	return found
}

// matchBlock sets the bits of the n values of b whose distance d to b.min has
// d-from <= span.
func (p *packed) matchBlock(b *packBlockInfo, n int, from, span uint64, out []uint64) bool {
	var any uint64
	for w := 0; n > 0; w, n = w+1, n-64 {
		data := p.data[b.off+w*8*int(b.width):]
		var word uint64
		if n >= 64 && b.width <= pairWidth {
			word = matchPairs(data, b.width, b.mask, from, span)
		} else {
			word = matchEach(data, min(64, n), b.width, b.mask, from, span)
		}
		out[w] |= word
		any |= word
	}
	return any != 0
}

// matchEach returns the bits of the n <= 64 values at data whose distance d
// has d-from <= span. It is a function of its own so that all it needs stays
// in registers.
func matchEach(data []byte, n int, width uint, mask, from, span uint64) (word uint64) {
	bit := uint(0)
	for range n {
		d := binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask
		bit += width
		var in uint64
		if d-from <= span {
			in = 1
		}
		word = word>>1 | in<<63
	}
	return word >> (64 - n)
}

// pairWidth is the largest width of which two values lie in any 8 bytes from
// the one that holds the first bit.
const pairWidth = (64 - 7) / 2

// matchPairs is matchEach for 64 values of at most pairWidth bits. With one
// load for two values it takes 2.0 instead of 2.8 ns a value.
func matchPairs(data []byte, width uint, mask, from, span uint64) (word uint64) {
	bit, second := uint(0), width&63
	for range 32 {
		two := binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7)
		bit += 2 * width
		var in0, in1 uint64
		if two&mask-from <= span {
			in0 = 1
		}
		if two>>second&mask-from <= span {
			in1 = 1
		}
		word = word>>2 | in0<<62 | in1<<63
	}
	return word
}

// eachSelected calls f with the values whose bits are set, those of one block
// after the other. f must not keep them.
func (p *packed) eachSelected(selected []uint64, f func(values []uint64)) {
	var buf [packBlock]uint64
	for i := range p.blocks {
		b := &p.blocks[i]
		data, n := p.data[b.off:], 0
		words := selected[i*packWords : min((i+1)*packWords, len(selected))]
		for w, word := range words {
			for first := uint(w) * 64 * b.width; word != 0; word &= word - 1 {
				bit := first + uint(bits.TrailingZeros64(word))*b.width
				buf[n&(packBlock-1)] = b.min + binary.LittleEndian.Uint64(data[bit>>3:])>>(bit&7)&b.mask
				n++
			}
		}
		if n > 0 {
			f(buf[:n])
		}
	}
}

// cursor reads a packed sequence at ascending places, a block at a time. It
// begins with block -1.
type cursor struct {
	p     *packed
	block int // the block in buf
	buf   [packBlock]uint64
}

func (c *cursor) at(i int) int {
	if i>>packShift != c.block {
		c.load(i >> packShift)
	}
	return int(c.buf[i&(packBlock-1)])
}

func (c *cursor) load(block int) {
	c.p.unpack(block, &c.buf)
	c.block = block
}

// bytes returns the memory that p takes beside the bytes it points into.
func (p *packed) bytes() int { return len(p.blocks) * 40 }
