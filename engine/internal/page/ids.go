package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// idParts is where a chunk has its record ids. In memory, and in chunks of
// version 1, they are one part. On disk they are in blocks of 16 documents, each
// a part of its own, so that a hit reads one of them and not all of a page.
//
// With a cache of a tenth of the index, reading the ids of ten hits was half of the
// time of a search with blocks of 256 documents, which chunks of version 2 have. The
// pages of speed-packages and speed-mix-en, MB, and the time of a cold search, us,
// by documents of a block:
//
//	256  9.0  5.8   184 212
//	 64  9.8  7.0   146 138
//	 32 11.2  7.6   114 128
//	 16 13.5  8.7   100 111
type idParts struct {
	whole  slot[byteStrings]
	blocks []idSlot       // nil: they are in whole
	locks  [16]sync.Mutex // of the slots in turns; held while loading, so that a part is read once
	ascend bool           // each is above the one before; unknown in version 1
}

const (
	idBlockShift = 4
	idBlockDocs  = 1 << idBlockShift // documents of an idBlock

	idPartShift2 = 8 // the same of a PartIDBlock in a chunk of version 2
)

// idPartShift is the logarithm of how many documents' ids are in a part.
func (c *Chunk) idPartShift() int {
	if c.version == 2 {
		return idPartShift2
	}
	return idBlockShift
}

// blocksOf returns how many blocks of 1<<shift documents n have.
func blocksOf(n, shift int) int { return (n + 1<<shift - 1) >> shift }

// idBlock is the ids of a block. Where they are stands in the block itself, so
// that whoever reads an id that no processor's cache holds waits for the block
// and then for the id, and not for a slice in between.
type idBlock struct {
	data []byte
	used atomic.Bool       // since the pool asked last
	ids  [idBlockDocs]span // in data
	in   resident
	slot *idSlot
}

// span is both ends of an id.
type span struct{ from, to uint32 }

// at returns id i of the block.
func (b *idBlock) at(i int) []byte { s := b.ids[i]; return b.data[s.from:s.to:s.to] }

// idSlot holds a block once it was loaded, until the pool forgets it or a drop does.
// A page has 4,096 of them, so they share locks and are no more than a pointer.
type idSlot struct{ block atomic.Pointer[idBlock] }

// peek returns the block if it is here.
func (s *idSlot) peek() *idBlock {
	b := s.block.Load()
	if b != nil && !b.used.Load() {
		b.used.Store(true)
	}
	return b
}

// keep puts a block into the slot, which is empty and locked. The pool knows of a
// block before others can find it, so that whoever takes it out can tell the pool.
func (s *idSlot) keep(c *Chunk, b *idBlock) {
	b.slot, b.in = s, resident{chunk: c, slot: b, size: int64(cap(b.data)) + idBlockSize}
	c.pool.admit(&b.in, false)
	s.block.Store(b)
}

// idBlockSize is what a block takes besides its data: itself, and its place in the
// pool.
const idBlockSize = 8*idBlockDocs + 160

func (s *idSlot) drop(c *Chunk) {
	if b := s.block.Swap(nil); b != nil {
		c.pool.forget(&b.in)
	}
}

func (b *idBlock) asked() bool { return b.used.Swap(false) }

// evict fails for a block that is not in its slot yet, or no more.
func (b *idBlock) evict() bool { return b.slot.block.CompareAndSwap(b, nil) }

// ascend tells whether each of n ids is above the one before.
func ascend(n int, at func(i int) []byte) bool {
	for i := 1; i < n; i++ {
		if bytes.Compare(at(i-1), at(i)) >= 0 {
			return false
		}
	}
	return true
}

// ID returns the record id of document Base+i, empty for a hole. It must not
// be changed. It costs O(1).
func (c *Chunk) ID(i int) ([]byte, error) {
	if c.ids.blocks == nil {
		ids, err := c.loadIDs()
		if err != nil {
			return nil, err
		}
		return ids.at(i), nil
	}
	b, err := c.loadIDBlock(i >> idBlockShift)
	if err != nil {
		return nil, err
	}
	return b.at(i & (idBlockDocs - 1)), nil
}

// Spot is where the id of a document is. Hits are spread over memory: a processor
// waits for the spots of many at the same time, and then for their ids, where one
// hit after the other takes several times as long.
type Spot struct {
	block *idBlock
	i     int
	id    []byte // if there is no block
}

// Spot returns where the id of document Base+i is.
func (c *Chunk) Spot(i int) (Spot, error) {
	if c.ids.blocks != nil {
		if b := c.ids.blocks[i>>idBlockShift].peek(); b != nil {
			return Spot{block: b, i: i & (idBlockDocs - 1)}, nil
		}
	}
	id, err := c.ID(i)
	return Spot{id: id}, err
}

// ID returns the id, as Chunk.ID does.
func (s *Spot) ID() []byte {
	if s.block == nil {
		return s.id
	}
	return s.block.at(s.i)
}

// IDsUpTo returns how many documents from the first on have ids up to bound,
// false when the ids do not ascend, which is when nothing short of looking at
// each of them tells. It costs O(log Len).
func (c *Chunk) IDsUpTo(bound []byte) (n int, ascend bool, err error) {
	if ascend, err = c.idsAscend(); err != nil || !ascend {
		return 0, false, err
	}
	n = sort.Search(c.n, func(i int) bool {
		id, failed := c.ID(i)
		if failed != nil {
			err = failed
		}
		return bytes.Compare(id, bound) > 0
	})
	return n, err == nil, err
}

// idsAscend tells whether each id is above the one before.
func (c *Chunk) idsAscend() (bool, error) {
	if c.version > 1 {
		return c.ids.ascend, nil
	}
	ids, err := c.loadIDs()
	return err == nil && ids.ascend, err
}

// allIDs loads all ids and returns the function that gives them.
func (c *Chunk) allIDs() (at func(i int) []byte, err error) {
	if c.ids.blocks == nil {
		ids, err := c.loadIDs()
		if err != nil {
			return nil, err
		}
		return ids.at, nil
	}
	blocks := make([]*idBlock, len(c.ids.blocks))
	for k := range blocks {
		if blocks[k], err = c.loadIDBlock(k); err != nil {
			return nil, err
		}
	}
	return func(i int) []byte { return blocks[i>>idBlockShift].at(i & (idBlockDocs - 1)) }, nil
}

func (c *Chunk) loadIDs() (*byteStrings, error) {
	return c.ids.whole.get(c, func() (*byteStrings, int, error) {
		data, size, err := c.part(Part{Kind: PartIDs})
		if err != nil {
			return nil, 0, err
		}
		ids, err := decodeIDs(c.n, data)
		if err != nil {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, err)
		}
		return ids, size + ids.ends.bytes(), nil
	})
}

func (c *Chunk) loadIDBlock(k int) (*idBlock, error) {
	s := &c.ids.blocks[k]
	if b := s.peek(); b != nil {
		return b, nil
	}
	mu := &c.ids.locks[k%len(c.ids.locks)]
	mu.Lock()
	defer mu.Unlock()
	if b := s.peek(); b != nil {
		return b, nil
	}
	b, err := c.readIDBlock(k)
	if err != nil {
		return nil, err
	}
	s.keep(c, b)
	return b, nil
}

// readIDBlock reads and decodes block k.
func (c *Chunk) readIDBlock(k int) (*idBlock, error) {
	shift := c.idPartShift()
	first := k << idBlockShift
	p := Part{PartIDBlock, uint16(first >> shift)}
	data, _, err := c.part(p)
	if err != nil {
		return nil, err
	}
	r, raw, n, err := c.dec.unpack(data, p)
	if want := min(c.n-int(p.Field)<<shift, 1<<shift); err == nil && n != want {
		err = r.corrupt("%d ids, want %d", n, want)
	}
	var b *idBlock
	if err == nil {
		b, err = newIDBlock(r, raw, n, first&(1<<shift-1))
	}
	if err != nil {
		return nil, fmt.Errorf("chunk at %d: %w", c.base, err)
	}
	return b, nil
}

// idParts lists the parts with ids, as Encode puts them.
func (c *Chunk) idParts() []Part {
	if c.version == 1 {
		return []Part{{Kind: PartIDs}}
	}
	parts := make([]Part, blocksOf(c.n, c.idPartShift()))
	for k := range parts {
		parts[k] = Part{PartIDBlock, uint16(k)}
	}
	return parts
}

// encodeIDBlocks gives put the ids of a chunk in memory by blocks.
func (c *Chunk) encodeIDBlocks(put func(p Part, data []byte) error) error {
	at, err := c.allIDs()
	if err != nil {
		return err
	}
	w, err := NewBlockWriter()
	if err != nil {
		return err
	}
	var raw []byte
	for k := range blocksOf(c.n, idBlockShift) {
		p, n := Part{PartIDBlock, uint16(k)}, min(c.n-k<<idBlockShift, idBlockDocs)
		raw = appendIDs(raw[:0], n, func(i int) []byte { return at(k<<idBlockShift + i) })
		if err := put(p, w.pack(nil, p, raw, n)); err != nil {
			return err
		}
	}
	return nil
}

// The forms of the ids of a block. They are part of the format.
const (
	idsEnded = 0 // a zero byte after each
	idsSized = 1 // the uvarint of the size before each, if one has a zero byte in it
)

// appendIDs appends n ids as they are before compression. Ends in place of sizes
// let the compressor see what neighbours have in common across them: packages
// take 8.6 MB with sizes, 6.7 with ends.
func appendIDs(raw []byte, n int, at func(i int) []byte) []byte {
	raw = append(raw, idsEnded)
	for i := range n {
		if bytes.IndexByte(at(i), 0) >= 0 {
			raw[0] = idsSized
			break
		}
	}
	for i := range n {
		if raw[0] == idsSized {
			raw = append(binary.AppendUvarint(raw, uint64(len(at(i)))), at(i)...)
		} else {
			raw = append(append(raw, at(i)...), 0)
		}
	}
	return raw
}

// newIDBlock finds n ids in raw and takes those from number first on, as many as a
// block has. It keeps raw, if these are all.
func newIDBlock(r *reader, raw []byte, n, first int) (*idBlock, error) {
	if len(raw) == 0 || raw[0] > idsSized {
		return nil, r.corrupt("form of %d ids", n)
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
			b.ids[k] = span{uint32(at), uint32(at + size)}
		}
		at += size + skip
	}
	if at != len(raw) {
		return nil, r.corrupt("%d bytes after %d ids", len(raw)-at, n)
	}
	if b.data = raw; n > idBlockDocs {
		from, last := b.ids[0].from, min(n-first, idBlockDocs)-1
		b.data = bytes.Clone(raw[from:b.ids[last].to])
		for k := range last + 1 {
			b.ids[k].from, b.ids[k].to = b.ids[k].from-from, b.ids[k].to-from
		}
	}
	return b, nil
}
