package page

import (
	"bytes"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/quarry-search/quarry/engine/internal/symbol"
)

// idParts is where a chunk has its record ids. In memory, and in chunks of
// version 1, they are one part. On disk they are in blocks of 16 documents, each
// a part of its own, so that a hit reads one of them and not all of a page; see
// idBlock. In chunks of versions 2 and 3 they are packed by Zstandard, in blocks
// of 256 and 16.
type idParts struct {
	whole   slot[byteStrings]
	symbols slot[symbol.Table] // of all blocks
	blocks  []idSlot           // nil: they are in whole
	locks   [16]sync.Mutex     // of the slots in turns; held while loading, so that a part is read once
	ascend  bool               // each is above the one before; unknown in version 1
}

const (
	idBlockShift = 4
	idBlockDocs  = 1 << idBlockShift // documents of an idBlock

	idPartShift2 = 8 // the same of a PartIDBlock in a chunk of version 2

	symbolVersion = 4 // of chunks, from which on ids are packed by symbols
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
	b.slot, b.in = s, resident{chunk: c, slot: b, size: int64(cap(b.codes)) + idBlockSize}
	c.pool.admit(&b.in, false)
	s.block.Store(b)
}

// idBlockSize is what a block takes besides its data: itself, and its place in the
// pool.
const idBlockSize = 2*idBlockDocs + 176

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
	spot, err := c.Spot(i)
	if err != nil {
		return nil, err
	}
	return spot.ID(nil), nil
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
	if c.ids.blocks == nil {
		ids, err := c.loadIDs()
		if err != nil {
			return Spot{}, err
		}
		return Spot{id: ids.at(i)}, nil
	}
	b := c.ids.blocks[i>>idBlockShift].peek()
	if b == nil {
		var err error
		if b, err = c.loadIDBlock(i >> idBlockShift); err != nil {
			return Spot{}, err
		}
	}
	return Spot{block: b, i: i & (idBlockDocs - 1)}, nil
}

// ID returns the id. It must not be changed; room is memory for it if it is packed.
func (s *Spot) ID(room []byte) []byte {
	switch b := s.block; {
	case b == nil:
		return s.id
	case b.symbols == nil:
		return b.rest(s.i)
	default:
		return b.appendID(room[:0], s.i)
	}
}

// Len returns the length of the id.
func (s *Spot) Len() int {
	if s.block != nil && s.block.symbols != nil {
		return s.block.size(s.i)
	}
	return len(s.ID(nil))
}

// Head returns the first 16 bytes of the id, zeros behind one that is shorter, as two
// numbers, of which the first one is of the first bytes. An id whose head is lower stands
// before the other: where they differ first, the lower one has the lower byte, or has
// ended, and then the other only begins with it.
func (s *Spot) Head() [2]uint64 {
	if s.block != nil && s.block.symbols != nil {
		return s.block.head(s.i)
	}
	return headOf(s.ID(nil))
}

// IDsUpTo returns how many documents from the first on have ids up to bound,
// false when the ids do not ascend, which is when nothing short of looking at
// each of them tells. It costs O(log Len).
func (c *Chunk) IDsUpTo(bound []byte) (n int, ascend bool, err error) {
	if ascend, err = c.IDsAscend(); err != nil || !ascend {
		return 0, false, err
	}
	var room [128]byte
	n = sort.Search(c.n, func(i int) bool {
		spot, failed := c.Spot(i)
		if failed != nil {
			err = failed
		}
		return bytes.Compare(spot.ID(room[:]), bound) > 0
	})
	return n, err == nil, err
}

// IDsAscend tells whether each id is above the one before, which no hole is.
func (c *Chunk) IDsAscend() (bool, error) {
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
	var all []byte
	var room [128]byte
	ends := make([]int, c.n+1)
	for i := range c.n {
		spot, err := c.Spot(i)
		if err != nil {
			return nil, err
		}
		all = append(all, spot.ID(room[:])...)
		ends[i+1] = len(all)
	}
	return func(i int) []byte { return all[ends[i]:ends[i+1]] }, nil
}

func (c *Chunk) loadIDs() (*byteStrings, error) {
	return c.ids.whole.get(c, func() (*byteStrings, int, error) {
		data, size, err := c.part(Part{Kind: PartIDs})
		if err != nil {
			return nil, 0, err
		}
		ids, err := decodeAllIDs(c.n, data)
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

// readIDBlock reads block k.
func (c *Chunk) readIDBlock(k int) (*idBlock, error) {
	shift := c.idPartShift()
	first := k << idBlockShift
	p := Part{PartIDBlock, uint16(first >> shift)}
	data, _, err := c.part(p)
	if err != nil {
		return nil, err
	}
	n := min(c.n-int(p.Field)<<shift, 1<<shift)
	var b *idBlock
	if c.version < symbolVersion {
		b, err = decodeIDBlock3(c.dec, data, p, n, first&(1<<shift-1))
	} else {
		var symbols *symbol.Table
		if symbols, err = c.loadSymbols(); err != nil {
			return nil, err
		}
		if b, err = decodeIDBlock(symbols, data, p, n); err == nil && !c.pool.crowded() {
			b.unpack()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("chunk at %d: %w", c.base, err)
	}
	return b, nil
}

// loadSymbols returns the symbols by which ids are packed.
func (c *Chunk) loadSymbols() (*symbol.Table, error) {
	return c.ids.symbols.get(c, func() (*symbol.Table, int, error) {
		p := Part{Kind: PartSymbols}
		data, _, err := c.part(p)
		if err != nil {
			return nil, 0, err
		}
		r, err := openFrame(p, data)
		if err != nil {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, err)
		}
		t, err := symbol.Open(r.b)
		if err != nil {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, r.corrupt("%v", err))
		}
		return t, int(unsafe.Sizeof(*t)), nil
	})
}

// idParts lists the parts with ids, as Encode puts them.
func (c *Chunk) idParts() []Part {
	if c.version == 1 {
		return []Part{{Kind: PartIDs}}
	}
	var parts []Part
	for k := range blocksOf(c.n, c.idPartShift()) {
		parts = append(parts, Part{PartIDBlock, uint16(k)})
	}
	if c.version >= symbolVersion {
		parts = append(parts, Part{Kind: PartSymbols})
	}
	return parts
}

// encodeIDs gives put the ids of a chunk in memory, as idParts lists them.
func (c *Chunk) encodeIDs(put func(p Part, data []byte) error) error {
	at, err := c.allIDs()
	if err != nil {
		return err
	}
	symbols := symbol.Train(c.n, at)
	w := idBlockWriter{packer: symbol.NewPacker(symbols)}
	for k := range blocksOf(c.n, idBlockShift) {
		n := min(c.n-k<<idBlockShift, idBlockDocs)
		p := Part{PartIDBlock, uint16(k)}
		data, err := w.encode(p, n, func(i int) []byte { return at(k<<idBlockShift + i) })
		if err != nil {
			return fmt.Errorf("chunk at %d: %w", c.base, err)
		}
		if err := put(p, data); err != nil {
			return err
		}
	}
	p := Part{Kind: PartSymbols}
	return put(p, endFrame(symbols.Append(beginFrame(nil, p)), 0))
}
