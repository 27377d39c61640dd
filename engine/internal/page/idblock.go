package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/symbol"
)

// idBlock is the ids of a block. Where there is memory they are unpacked when they are
// read; where it is short they stay as they are on disk, packed by the symbols of the
// chunk, so that twice as many are there the next time, and do not have to be read again,
// which takes some 6 us. A packed id takes .2 to .4 us longer in a search, for the
// symbols, which by then are in no processor's cache that is near. With a cache of a tenth of
// the index, a search of speed-mix-en takes 2.7 times as long as with a large one, where
// it took 4 times as long with blocks packed by Zstandard, which are unpacked at once.
//
// Whoever reads an id that no processor's cache holds waits for the block and then for
// the id, and not for a slice in between.
//
// In place of 16 ids packed together by Zstandard, which chunks of version 3 have, these
// take, MB, on speed-mix-en, speed-packages and movies-wikipedia,
//
//	Zstandard  8.0 10.9 .51
//	symbols    6.7  8.4 .44
//
// because the table knows what 65,536 ids have in common, and not 16 alone.
type idBlock struct {
	codes   []byte                  // those that all ids begin with, then the rest of each
	symbols *symbol.Table           // nil: codes are bytes, and all ids begin with none
	used    atomic.Bool             // since the pool asked last
	ends    [idBlockDocs + 1]uint16 // of what all ids begin with, but not holes, of which there is no rest; of the rest of each
	in      resident
	slot    *idSlot
}

// unpack makes codes the bytes that they stand for, if these are not too many.
func (b *idBlock) unpack() {
	var ids []byte
	var ends [idBlockDocs + 1]uint16
	for i := range idBlockDocs {
		if ids = b.appendID(ids, i); len(ids) > math.MaxUint16 {
			return
		}
		ends[i+1] = uint16(len(ids))
	}
	b.codes, b.symbols, b.ends = bytes.Clone(ids), nil, ends
}

// rest returns the codes of an id behind those that all begin with, none for a hole.
func (b *idBlock) rest(i int) []byte { return b.codes[b.ends[i]:b.ends[i+1]:b.ends[i+1]] }

// common returns the codes that id i begins with as all do.
func (b *idBlock) common(i int) []byte {
	if b.ends[i] == b.ends[i+1] {
		return nil // a hole
	}
	return b.codes[:b.ends[0]]
}

// appendID appends id i of a block that is packed.
func (b *idBlock) appendID(dst []byte, i int) []byte {
	return b.symbols.AppendString(b.symbols.AppendString(dst, b.common(i)), b.rest(i))
}

// size is the length of id i of a block that is packed.
func (b *idBlock) size(i int) int { return b.symbols.Size(b.common(i)) + b.symbols.Size(b.rest(i)) }

// head is headOf id i of a block that is packed.
func (b *idBlock) head(i int) [2]uint64 {
	var room [symbol.HeadLen + 8]byte
	n := b.symbols.Head(&room, b.symbols.Head(&room, 0, b.common(i)), b.rest(i))
	return headOf(room[:min(n, symbol.HeadLen)])
}

// headOf is the first 16 bytes of an id, zeros behind one that is shorter, as two numbers.
func headOf(id []byte) [2]uint64 {
	if len(id) >= 16 {
		return [2]uint64{binary.BigEndian.Uint64(id), binary.BigEndian.Uint64(id[8:])}
	}
	var head [16]byte
	copy(head[:], id)
	return [2]uint64{binary.BigEndian.Uint64(head[:8]), binary.BigEndian.Uint64(head[8:])}
}

// idBlockWriter encodes blocks of ids.
type idBlockWriter struct {
	packer *symbol.Packer
	codes  []byte
}

// encode returns the part of n ids. It fails if they are of thousands of bytes.
func (w *idBlockWriter) encode(p Part, n int, at func(i int) []byte) ([]byte, error) {
	prefix := commonPrefix(n, at)
	w.codes = w.packer.Append(w.codes[:0], prefix)
	dst := binary.AppendUvarint(beginFrame(nil, p), uint64(len(w.codes)))
	for i := range n {
		before := len(w.codes)
		if id := at(i); len(id) > 0 {
			w.codes = w.packer.Append(w.codes, id[len(prefix):])
		}
		dst = binary.AppendUvarint(dst, uint64(len(w.codes)-before))
	}
	if len(w.codes) > math.MaxUint16 {
		return nil, fmt.Errorf("%v: %w: ids of %d bytes, packed", p, ErrInvalid, len(w.codes))
	}
	return endFrame(append(dst, w.codes...), 0), nil
}

// commonPrefix returns what n ids have in common in front, but for holes, and less than
// the whole of any.
func commonPrefix(n int, at func(i int) []byte) []byte {
	var common []byte
	none := true
	for i := range n {
		id := at(i)
		switch {
		case len(id) == 0:
		case none:
			common, none = id[:len(id)-1], false
		default:
			common = common[:shared(common, id[:len(id)-1])]
		}
	}
	return common
}

// decodeIDBlock reads a part of n ids. It keeps nothing of data.
func decodeIDBlock(symbols *symbol.Table, data []byte, p Part, n int) (*idBlock, error) {
	r, err := openFrame(p, data)
	if err != nil {
		return nil, err
	}
	b := &idBlock{symbols: symbols}
	at := uint64(0)
	for i := -1; i < n; i++ {
		size, width := binary.Uvarint(r.b)
		if at += size; width <= 0 || size > math.MaxUint16 || at > math.MaxUint16 {
			return nil, r.corrupt("size of id %d of %d", i, n)
		}
		r.b = r.b[width:]
		b.ends[i+1] = uint16(at)
	}
	if at != uint64(len(r.b)) {
		return nil, r.corrupt("%d ids in %d bytes, want %d", n, len(r.b), at)
	}
	for i := n; i < idBlockDocs; i++ { // after the last document of the chunk
		b.ends[i+1] = uint16(at)
	}
	b.codes = bytes.Clone(r.b)
	valid := symbols.Valid(b.codes[:b.ends[0]])
	for i := range n {
		valid = valid && symbols.Valid(b.rest(i))
	}
	if !valid {
		return nil, r.corrupt("%d ids are not of the symbols", n)
	}
	return b, nil
}

// The forms of the ids of a block in chunks of versions 2 and 3.
const (
	idsEnded = 0 // a zero byte after each
	idsSized = 1 // the uvarint of the size before each, if one has a zero byte in it
)

// decodeIDBlock3 reads a part of n ids of a chunk of version 2 or 3, and takes those from
// number first on, as many as a block has.
func decodeIDBlock3(dec *BlockDecoder, data []byte, p Part, n, first int) (*idBlock, error) {
	r, raw, got, err := dec.unpack(data, p)
	if err != nil {
		return nil, err
	}
	if got != n || len(raw) == 0 || raw[0] > idsSized {
		return nil, r.corrupt("%d ids, want %d", got, n)
	}
	b := new(idBlock)
	at := 1
	for i := range n {
		size, skip := bytes.IndexByte(raw[at:], 0), 1
		if raw[0] == idsSized {
			v, width := binary.Uvarint(raw[at:])
			if size = -1; width > 0 && v <= uint64(len(raw)-at-width) {
				size, skip, at = int(v), 0, at+width
			}
		}
		if size < 0 {
			return nil, r.corrupt("id %d of %d is cut off", i, n)
		}
		if k := i - first; k >= 0 && k < idBlockDocs {
			if b.codes = append(b.codes, raw[at:at+size]...); len(b.codes) > math.MaxUint16 {
				return nil, r.corrupt("ids %d to %d of %d are too long", first, i, n)
			}
			b.ends[k+1] = uint16(len(b.codes))
		}
		at += size + skip
	}
	if at != len(raw) {
		return nil, r.corrupt("%d bytes after %d ids", len(raw)-at, n)
	}
	return b, nil
}
