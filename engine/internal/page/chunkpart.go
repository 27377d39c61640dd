package page

import (
	"encoding/binary"
	"fmt"
	"math"
)

// encodeAllIDs returns the part of n record ids.
func encodeAllIDs(n int, at func(i int) []byte) []byte {
	data := beginFrame(nil, Part{Kind: PartIDs})
	data = binary.LittleEndian.AppendUint32(data, uint32(n))
	return endFrame(appendStrings(data, n, at), 0)
}

func decodeAllIDs(n int, data []byte) (*byteStrings, error) {
	r, err := openFrame(Part{Kind: PartIDs}, data)
	if err != nil {
		return nil, err
	}
	if got := r.u32(); int(got) != n {
		return nil, r.corrupt("%d ids, want %d", got, n)
	}
	ids, err := readStrings(r, n)
	if err != nil {
		return nil, err
	}
	ids.ascend = ascend(n, ids.at)
	return &ids, r.end()
}

func encodeNorms(p Part, norms []byte) []byte {
	return endFrame(append(beginFrame(nil, p), norms...), 0)
}

func decodeNorms(p Part, n int, data []byte) ([]byte, error) {
	r, err := openFrame(p, data)
	if err != nil {
		return nil, err
	}
	norms := r.take(n)
	return norms, r.end()
}

// encodeSummary returns the part that Open reads.
func (c *Chunk) encodeSummary() []byte {
	data := beginFrame(nil, Part{Kind: PartSummary})
	data[0] = c.version
	data = binary.LittleEndian.AppendUint32(data, c.base)
	data = binary.LittleEndian.AppendUint32(data, uint32(c.n))
	data = binary.LittleEndian.AppendUint32(data, uint32(c.textFields))
	data = append(data, flag(len(c.norms) > 0))
	if c.version > 1 {
		data = append(data, flag(c.ids.ascend))
	}
	data = binary.LittleEndian.AppendUint32(data, uint32(len(c.norms)))
	for i := range c.norms {
		data = binary.LittleEndian.AppendUint16(data, c.norms[i].field)
	}
	data = binary.LittleEndian.AppendUint32(data, uint32(len(c.columns)))
	for i := range c.columns {
		info := &c.columns[i].info
		data = binary.LittleEndian.AppendUint16(data, info.Field)
		data = append(data, byte(info.Kind))
		data = binary.LittleEndian.AppendUint32(data, uint32(info.Docs))
		data = binary.LittleEndian.AppendUint32(data, uint32(info.Values))
		lo, hi := info.bits()
		data = binary.LittleEndian.AppendUint64(data, lo)
		data = binary.LittleEndian.AppendUint64(data, hi)
	}
	return endFrame(data, 0)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Open returns the chunk whose parts src has. It reads the summary and nothing
// else, and keeps src, dec, which decodes its ids, and pool, which bounds what it
// keeps of what it reads later; without one it keeps all until Drop. base must be
// the Base of the chunk that was encoded.
func Open(base uint32, src Source, dec *BlockDecoder, pool *Pool) (*Chunk, error) {
	c := &Chunk{base: base, src: src, dec: dec, pool: pool}
	data, _, err := c.part(Part{Kind: PartSummary})
	if err != nil {
		return nil, err
	}
	if err := c.decodeSummary(data); err != nil {
		return nil, fmt.Errorf("chunk at %d: %w", base, err)
	}
	return c, nil
}

func (c *Chunk) decodeSummary(data []byte) error {
	r, err := openFrame(Part{Kind: PartSummary}, data)
	if err != nil {
		return err
	}
	if base := r.u32(); base != c.base {
		return r.corrupt("chunk at %d, want %d", base, c.base)
	}
	c.version = r.version
	n, textFields, hasText, ascend := r.u32(), r.u32(), r.u8(), byte(0)
	if c.version > 1 {
		ascend = r.u8()
	}
	norms := r.u32()
	switch {
	case r.short || int64(norms)*2 > int64(len(r.b)):
		return r.corrupt("cut short")
	case n == 0 || int64(c.base%Size)+int64(n) > Size:
		return r.corrupt("%d documents from place %d of a page", n, c.base%Size)
	case textFields > 1<<16 || hasText > 1 || ascend > 1 || (norms > 0) != (hasText == 1):
		return r.corrupt("norms of %d of %d text fields, %d in all", norms, textFields, hasText)
	}
	c.n, c.textFields = int(n), int(textFields)
	if c.ids.ascend = ascend == 1; c.version > 1 {
		c.ids.blocks = make([]idSlot, blocksOf(c.n, idBlockShift))
	}
	if norms > 1 || norms == 1 && c.version == 1 {
		c.all = new(slot[[]byte])
	}
	c.norms = make([]normSlot, norms)
	for i := range c.norms {
		f := r.u16()
		if uint32(f) >= textFields || i > 0 && f <= c.norms[i-1].field {
			return r.corrupt("norms of text field %d of %d, out of order or range", f, textFields)
		}
		c.norms[i].field = f
	}
	return c.decodeColumnInfos(r)
}

func (c *Chunk) decodeColumnInfos(r *reader) error {
	const size = 2 + 1 + 4 + 4 + 8 + 8
	columns := r.u32()
	if r.short || int64(columns)*size != int64(len(r.b)) {
		return r.corrupt("%d bytes for %d columns", len(r.b), columns)
	}
	c.columns = make([]columnSlot, columns)
	for i := range c.columns {
		info := &c.columns[i].info
		info.Field, info.Kind = r.u16(), Kind(r.u8())
		info.Docs, info.Values = int(r.u32()), int(r.u32())
		lo, hi := r.u64(), r.u64()
		info.setBits(lo, hi)
		switch {
		case i > 0 && info.Field <= c.columns[i-1].info.Field:
			return r.corrupt("columns are not by ascending field")
		case !info.Kind.valid() || info.Docs == 0 || info.Docs > c.n || info.Values < info.Docs,
			info.Kind == KindKeyword && (lo != 0 || hi == 0 || hi > math.MaxUint32):
			return r.corrupt("column %d: %v, %d documents, %d values", info.Field, info.Kind, info.Docs, info.Values)
		}
	}
	return r.end()
}

// Parts lists the parts of the chunk in the order in which Encode puts them.
func (c *Chunk) Parts() []Part {
	parts := c.idParts()
	for i := range c.norms {
		parts = append(parts, Part{PartNorms, c.norms[i].field})
	}
	if c.all != nil {
		parts = append(parts, Part{Kind: PartAllNorms})
	}
	for i := range c.columns {
		parts = append(parts, Part{PartColumn, c.columns[i].info.Field})
	}
	return append(parts, Part{Kind: PartSummary})
}

// Encode gives put all parts of the chunk, the summary last. The bytes depend
// only on the documents. put must not change them; it may keep them. Encode
// stops at the first error, which it returns.
func (c *Chunk) Encode(put func(p Part, data []byte) error) error {
	parts := c.Parts()
	if c.version > 1 && c.ids.blocks == nil {
		if err := c.encodeIDs(put); err != nil {
			return err
		}
		parts = parts[len(c.idParts()):]
	}
	for _, p := range parts {
		data, _, err := c.part(p)
		if err != nil {
			return err
		}
		if err := put(p, data); err != nil {
			return err
		}
	}
	return nil
}

// memory is the Source of chunks that hold their parts.
type memory map[Part][]byte

func (m memory) Part(p Part) ([]byte, error) { return m[p], nil }
