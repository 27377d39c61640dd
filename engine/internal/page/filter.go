package page

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// The shape of an IDFilter. All of it is part of the format.
const (
	filterBlock  = 64 // bytes; a cache line, and all bits of an id lie in one
	filterProbes = 7
	filterBits   = 12       // bits for each id of a full layer
	filterFirst  = 1 << 10  // bytes of the first layer
	filterFast   = 1 << 20  // bytes of a layer up to which the next is 4 times as large; then twice
	filterPart   = 64 << 10 // bytes of a layer in one part, at most
	filterLayers = 20       // more than 2^32 document numbers need
)

// IDFilter remembers record ids in 12 bits each and answers whether one may
// have been added: always yes if it was, and yes in about 1 case of 200 for
// each layer if it was not. It saves an upsert the lookup of an id that is new.
//
// It is a Bloom filter of blocks (Putze, Sanders and Singler, "Cache-, Hash-
// and Space-Efficient Bloom Filters", 2007) in layers: when the newest layer is
// full, a larger one is begun, four times the size at first and twice from 1 MiB
// on, so a small index takes 1 KiB and ten million ids lie in 9 layers. Ids
// cannot be taken out.
//
// The bits depend only on the ids and their order. MayContain may be called by
// many goroutines, but not together with Add.
type IDFilter struct{ layers []filterLayer }

type filterLayer struct {
	bits []byte
	ids  int // added to this layer
}

func (l *filterLayer) full() bool { return l.ids*filterBits >= len(l.bits)*8 }

// NewIDFilter returns an empty filter.
func NewIDFilter() *IDFilter { return new(IDFilter) }

// Add adds an id. One that MayContain says yes to already takes no space.
func (f *IDFilter) Add(id []byte) {
	h := xxhash.Sum64(id)
	if f.mayContain(h) {
		return
	}
	if n := len(f.layers); n == 0 || f.layers[n-1].full() && n < filterLayers {
		f.layers = append(f.layers, filterLayer{bits: make([]byte, layerSize(n))})
	}
	l := &f.layers[len(f.layers)-1]
	l.ids++
	block, probes := l.probe(h)
	for range filterProbes {
		block[probes>>3&(filterBlock-1)] |= 1 << (probes & 7)
		probes >>= 9
	}
}

// layerSize returns the bytes of layer i.
func layerSize(i int) int {
	size := filterFirst
	for range i {
		if size < filterFast {
			size *= 4
		} else {
			size *= 2
		}
	}
	return size
}

// MayContain reports whether the id may have been added. False is certain.
func (f *IDFilter) MayContain(id []byte) bool { return f.mayContain(xxhash.Sum64(id)) }

func (f *IDFilter) mayContain(h uint64) bool {
	for i := len(f.layers) - 1; i >= 0; i-- { // the newest holds most
		if f.layers[i].has(h) {
			return true
		}
	}
	return false
}

func (l *filterLayer) has(h uint64) bool {
	block, probes := l.probe(h)
	for range filterProbes {
		if block[probes>>3&(filterBlock-1)]>>(probes&7)&1 == 0 {
			return false
		}
		probes >>= 9
	}
	return true
}

// probe returns the block of an id and the places of its bits there, 9 bits
// each from the low end. The block follows from the high bits of the hash, the
// places from all of it, multiplied so that they do not follow from the block.
func (l *filterLayer) probe(h uint64) (block []byte, probes uint64) {
	i, _ := bits.Mul64(h, uint64(len(l.bits)/filterBlock))
	hi, lo := bits.Mul64(h, 0x9e3779b97f4a7c15)
	return l.bits[i*filterBlock:][:filterBlock], hi ^ lo
}

// Len returns the number of ids that took space: those added, without repeated
// ones and the few that were taken for repeated ones.
func (f *IDFilter) Len() int {
	n := 0
	for i := range f.layers {
		n += f.layers[i].ids
	}
	return n
}

// Bytes returns the memory that the filter holds.
func (f *IDFilter) Bytes() int {
	n := 0
	for i := range f.layers {
		n += len(f.layers[i].bits)
	}
	return n
}

// MarshalParts gives put the filter in parts of at most 64 KiB and a head, in
// order from part 0 on; an empty filter has none. A part is put's to keep. It
// stops at the first error, which it returns.
//
// Each layer is cut into pieces of 64 KiB, the first one first. A part is a
// frame around: number of the part uint32, number of layers uint8, ids of this
// layer uint64, the piece.
func (f *IDFilter) MarshalParts(put func(i int, data []byte) error) error {
	part := 0
	for i := range f.layers {
		l := &f.layers[i]
		for from := 0; from < len(l.bits); from += filterPart {
			data := make([]byte, 0, frameHead+filterPartHead+min(filterPart, len(l.bits))+frameTail)
			data = beginFrame(data, Part{Kind: partFilter})
			data = binary.LittleEndian.AppendUint32(data, uint32(part))
			data = append(data, byte(len(f.layers)))
			data = binary.LittleEndian.AppendUint64(data, uint64(l.ids))
			data = append(data, l.bits[from:min(from+filterPart, len(l.bits))]...)
			if err := put(part, endFrame(data, 0)); err != nil {
				return err
			}
			part++
		}
	}
	return nil
}

// filterPartHead is the bytes of a part before its piece.
const filterPartHead = 4 + 1 + 8

// UnmarshalParts is the inverse of MarshalParts: it takes all parts, in their
// order. It keeps nothing of them. A filter with a part missing or damaged,
// which is an error marked ErrCorrupt, can be made again from the ids.
func UnmarshalParts(parts [][]byte) (*IDFilter, error) {
	f := new(IDFilter)
	layers, room := 0, 0 // room: bytes that the last layer lacks
	for i, data := range parts {
		r, err := openFrame(Part{Kind: partFilter}, data)
		if err != nil {
			return nil, err
		}
		number, of, ids := r.u32(), int(r.u8()), r.u64()
		if i == 0 {
			layers = of
		}
		if r.short || int(number) != i || of != layers {
			return nil, r.corrupt("part %d of %d layers in place of part %d", number, of, i)
		}
		if room == 0 {
			if room = layerSize(len(f.layers)); len(f.layers) == layers || ids > uint64(room)*8 {
				return nil, r.corrupt("%d ids in layer %d of %d", ids, len(f.layers), layers)
			}
			f.layers = append(f.layers, filterLayer{ids: int(ids)})
		}
		l := &f.layers[len(f.layers)-1]
		if uint64(l.ids) != ids || len(r.b) != min(filterPart, room) {
			return nil, r.corrupt("part %d has %d bytes and %d ids", i, len(r.b), ids)
		}
		l.bits = append(l.bits, r.b...)
		room -= len(r.b)
	}
	if len(f.layers) != layers || room != 0 {
		return nil, corrupt(Part{Kind: partFilter}, "%d of %d layers, %d bytes missing", len(f.layers), layers, room)
	}
	return f, nil
}
