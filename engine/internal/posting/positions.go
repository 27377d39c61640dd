package posting

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Positions lie in blocks of positionBlock postings with one width, so that
// those of a posting are found by adding up the occurrences before it. Part
// of the format.
const (
	positionBlock   = 64
	positionHeader  = 8
	positionVersion = 1
)

// positions is the positions of a list: in blocks if it is long, decoded in
// flat if it is small.
type positions struct {
	dir   []byte // u32 a block: offset in data / 4 << 2 | log2 of the bytes a position takes
	data  []byte
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
	block := uint(rank) / positionBlock
	if 4*block+3 >= uint(len(p.dir)) {
		return dst
	}
	e := uint64(binary.LittleEndian.Uint32(p.dir[4*block:]))
	log := e & 3
	first := int(block * positionBlock)
	from := e&^3 + l.codes.totalBetween(first, rank)<<log
	if from > uint64(len(p.data)) || n<<log > uint64(len(p.data))-from {
		return dst
	}
	return appendWide(dst, p.data[from:from+n<<log], log)
}

// AppendPositions appends the positions of the postings as the value that
// WithPositions reads. It fails only if they take more than 4 GiB.
func (b *Builder) AppendPositions(dst []byte) ([]byte, error) {
	n := len(b.docs)
	blocks := (n + positionBlock - 1) / positionBlock
	dst = append(dst, positionVersion, 0, 0, 0)
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
		for (len(dst)-base)%4 != 0 {
			dst = append(dst, 0)
		}
		offset := len(dst) - base
		if offset > math.MaxUint32 {
			return dst, fmt.Errorf("posting: %d bytes of positions do not fit one list", offset)
		}
		log := 0
		switch {
		case or < 1<<8:
			for _, p := range values {
				dst = append(dst, byte(p))
			}
		case or < 1<<16:
			log = 1
			for _, p := range values {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(p))
			}
		default:
			log = 2
			for _, p := range values {
				dst = binary.LittleEndian.AppendUint32(dst, p)
			}
		}
		binary.LittleEndian.PutUint32(dst[dir+4*block:], uint32(offset|log))
	}
	return dst, nil
}

// WithPositions returns the list with the positions that AppendPositions
// wrote for it. It points into data, which must not change, and reads only
// the first bytes of it. The error is marked ErrCorrupt.
func (l *List) WithPositions(data []byte) (*List, error) {
	if len(data) < positionHeader || data[0] != positionVersion {
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
	out.positions = positions{dir: rest[:size:size], data: rest[size:]}
	return &out, nil
}
