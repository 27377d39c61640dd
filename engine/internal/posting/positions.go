package posting

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Positions lie in blocks of positionBlock postings with one width, so that
// those of a posting are found by adding up the occurrences before it. Part
// of the format.
const (
	positionBlock    = 64
	positionHeader   = 8
	widePositions    = 1 // version with 1, 2 or 4 bytes a position
	packedPositions  = 2 // version with as many bits as the largest of a block needs
	maxPositionWidth = 32
)

// positions is the positions of a list: in blocks if it is long, decoded in
// flat if it is small.
type positions struct {
	dir   []byte // u32 a block: offset in data; wide: / 4 << 2 | log2 of the bytes of a position
	data  []byte
	wide  bool
	flat  []uint32
	start []uint32 // with flat: where the positions of each rank begin
}

// Positions appends the positions of a posting to dst: v[0].TF positions in
// field v[0].Field, then those of v[1], and so on, ascending within a field.
// v is the vector of the posting, which the caller has from Vector. It
// appends nothing if the list was loaded without positions.
func (l *List) Positions(rank int, v score.Vector, dst []uint32) []uint32 {
	p := &l.positions
	var n uint64
	for _, f := range v {
		n += uint64(f.TF)
	}
	if p.start != nil {
		if uint(rank) >= uint(len(p.start)) {
			return dst
		}
		from := uint64(p.start[rank])
		if from+n > uint64(len(p.flat)) {
			return dst
		}
		return append(dst, p.flat[from:from+n]...)
	}
	block := rank / positionBlock
	bit, width, ok := p.block(block)
	if !ok {
		return dst
	}
	return p.append(dst, bit+l.codes.totalBetween(block*positionBlock, rank)*uint64(width), width, n)
}

// block returns at which bit of data the positions of a block begin and how many
// bits each takes.
func (p *positions) block(block int) (bit uint64, width uint, ok bool) {
	if block < 0 || 4*block+3 >= len(p.dir) {
		return 0, 0, false
	}
	e := uint64(binary.LittleEndian.Uint32(p.dir[4*block:]))
	if p.wide {
		return e &^ 3 * 8, 8 << (e & 3), e&3 < 3
	}
	if e >= uint64(len(p.data)) || p.data[e] == 0 || p.data[e] > maxPositionWidth {
		return 0, 0, false
	}
	return (e + 1) * 8, uint(p.data[e]), true
}

// append appends n positions of width bits each, the first at bit; none if data
// ends before the last.
func (p *positions) append(dst []uint32, bit uint64, width uint, n uint64) []uint32 {
	if bit > 8*uint64(len(p.data)) || n > 8*uint64(len(p.data)) || n*uint64(width) > 8*uint64(len(p.data))-bit {
		return dst
	}
	mask := uint64(1)<<width - 1
	if last := bit + n*uint64(width); last>>3+8 <= uint64(len(p.data)) {
		for ; bit < last; bit += uint64(width) {
			dst = append(dst, uint32(binary.LittleEndian.Uint64(p.data[bit>>3:])>>(bit&7)&mask))
		}
		return dst
	}
	for range n {
		at := int(bit >> 3)
		var w uint64
		if at+8 <= len(p.data) {
			w = binary.LittleEndian.Uint64(p.data[at:])
		} else {
			w = window(p.data, at)
		}
		dst = append(dst, uint32(w>>(bit&7)&mask))
		bit += uint64(width)
	}
	return dst
}

// AppendPositions appends the positions of the postings as the value that
// WithPositions reads. It fails only if they take more than 4 GiB.
func (b *Builder) AppendPositions(dst []byte) ([]byte, error) {
	n := len(b.docs)
	blocks := (n + positionBlock - 1) / positionBlock
	dst = append(dst, packedPositions, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	dir := len(dst)
	dst = append(dst, make([]byte, 4*blocks)...)
	base := len(dst)
	from := 0
	for block := range blocks {
		count := 0
		for rank := block * positionBlock; rank < min(n, (block+1)*positionBlock); rank++ {
			count += b.total(rank)
		}
		values := b.positions[from : from+count]
		from += count
		var or uint32
		for _, p := range values {
			or |= p
		}
		offset := len(dst) - base
		if uint64(offset) > math.MaxUint32 {
			return dst, fmt.Errorf("posting: %d bytes of positions do not fit one list", offset)
		}
		binary.LittleEndian.PutUint32(dst[dir+4*block:], uint32(offset))
		width := bits.Len32(or | 1) // so that every position takes room
		dst = append(dst, byte(width))
		var acc uint64
		held := 0
		for _, p := range values {
			acc |= uint64(p) << held
			for held += width; held >= 8; held -= 8 {
				dst = append(dst, byte(acc))
				acc >>= 8
			}
		}
		if held > 0 {
			dst = append(dst, byte(acc))
		}
	}
	return dst, nil
}

// WithPositions returns the list with the positions that AppendPositions
// wrote for it. It points into data, which must not change, and reads only
// the first bytes of it. The error is marked ErrCorrupt.
func (l *List) WithPositions(data []byte) (*List, error) {
	if len(data) < positionHeader || data[0] != widePositions && data[0] != packedPositions {
		return nil, fmt.Errorf("%w: header of positions", ErrCorrupt)
	}
	if n := binary.LittleEndian.Uint32(data[4:]); uint64(n) != uint64(l.DF) {
		return nil, fmt.Errorf("%w: positions of %d postings for a list of %d", ErrCorrupt, n, l.DF)
	}
	size := 4 * ((l.DF + positionBlock - 1) / positionBlock)
	rest := data[positionHeader:]
	if len(rest) < size {
		return nil, fmt.Errorf("%w: positions end in their directory", ErrCorrupt)
	}
	out := *l
	out.HasPos = true
	out.positions = positions{dir: rest[:size:size], data: rest[size:], wide: data[0] == widePositions}
	return &out, nil
}
