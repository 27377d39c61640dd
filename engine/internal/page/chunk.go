package page

import (
	"cmp"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// Chunk describes up to 65,536 consecutive documents of one page: those with
// the numbers from Base to Base+Len-1. Its content never changes, and all of
// its methods may be called at once.
//
// A chunk of a Builder or of Merge holds its encoded parts. One of Open reads
// a part from its Source the first time that it is asked for, keeps it until
// its Pool forgets it or Drop does, and reads it again then, and after a failure.
type Chunk struct {
	base       uint32
	n          int
	textFields int
	src        Source
	dec        *BlockDecoder
	pool       *Pool        // nil: what was loaded stays until Drop
	version    byte         // of the summary
	held       int          // bytes held from the start
	loaded     atomic.Int64 // bytes held by the slots
	compared   atomic.Int64 // comparisons of ids since idRanks was dropped

	ids     idParts
	idRanks slot[[]uint16] // nil until it pays: see CompareID
	all     *slot[[]byte]  // nil: no document has text, or only one field has any
	norms   []normSlot     // by ascending field
	columns []columnSlot   // by ascending field
}

type normSlot struct {
	field uint16
	slot[[]byte]
}

type columnSlot struct {
	info ColumnInfo
	slot[Column]
}

// slot holds what was loaded last: nil before the first load, and after a drop or
// once the pool has forgotten it.
type slot[T any] struct {
	mu    sync.Mutex // held while loading, so that a part is read once
	value atomic.Pointer[T]
	used  atomic.Bool // since the pool asked last
	in    *resident   // guarded by mu: what value is in the pool; nil without one
}

// loadedPart is the result of a load: size is what it adds to the memory.
type loadedPart[T any] func() (v *T, size int, err error)

// get returns the value, and loads it if there is none.
func (s *slot[T]) get(c *Chunk, load loadedPart[T]) (*T, error) {
	return s.load(c, load, false)
}

// pin is get for what must not be forgotten but by Drop.
func (s *slot[T]) pin(c *Chunk, load loadedPart[T]) (*T, error) {
	return s.load(c, load, true)
}

func (s *slot[T]) load(c *Chunk, load loadedPart[T], keep bool) (*T, error) {
	if v := s.peek(); v != nil {
		return v, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.peek(); v != nil {
		return v, nil
	}
	v, size, err := load()
	if err != nil {
		return nil, err
	}
	s.value.Store(v)
	s.in = &resident{chunk: c, slot: s, size: int64(size)}
	c.pool.admit(s.in, keep)
	return v, nil
}

// peek returns the value if it is here.
func (s *slot[T]) peek() *T {
	v := s.value.Load()
	if v != nil && !s.used.Load() { // so that a processor that only reads shares the line
		s.used.Store(true)
	}
	return v
}

func (s *slot[T]) drop(c *Chunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.in != nil {
		c.pool.forget(s.in)
		s.clear()
	}
}

// clear forgets the value. mu is held.
func (s *slot[T]) clear() {
	s.value.Store(nil)
	s.used.Store(false)
	s.in = nil
}

func (s *slot[T]) asked() bool { return s.used.Swap(false) }

func (s *slot[T]) evict() bool {
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	s.clear()
	return true
}

// Base returns the number of the first document.
func (c *Chunk) Base() uint32 { return c.base }

// Len returns the number of documents, holes included.
func (c *Chunk) Len() int { return c.n }

// TextFields returns the number of text fields: ordinals from 0 on.
func (c *Chunk) TextFields() int { return c.textFields }

// Bytes returns the memory that the chunk holds at the moment, encoded parts
// and what was made of them, without a few hundred bytes for the chunk itself.
func (c *Chunk) Bytes() int64 { return int64(c.held) + c.loaded.Load() }

// Drop releases the parts that were loaded. What was read before stays valid;
// what is asked for next is loaded again.
func (c *Chunk) Drop() {
	c.ids.whole.drop(c)
	c.ids.symbols.drop(c)
	for i := range c.ids.blocks {
		c.ids.blocks[i].drop(c)
	}
	c.idRanks.drop(c)
	c.compared.Store(0)
	if c.all != nil {
		c.all.drop(c)
	}
	for i := range c.norms {
		c.norms[i].drop(c)
	}
	for i := range c.columns {
		c.columns[i].drop(c)
	}
}

// part reads a part that the summary names. size is what it adds to the
// chunk's memory.
func (c *Chunk) part(p Part) (data []byte, size int, err error) {
	if data, err = c.src.Part(p); err != nil {
		return nil, 0, fmt.Errorf("chunk at %d: %v: %w", c.base, p, err)
	}
	if data == nil {
		return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, corrupt(p, "not there"))
	}
	if c.held == 0 {
		size = len(data)
	}
	return data, size, nil
}

// Norms returns, for each document, score.EncodeNorm of the number of words of
// a text field, or with AllFields of all of them together; 0 for a hole. It is
// nil when no document has such words, and must not be changed.
func (c *Chunk) Norms(field int) ([]byte, error) {
	if field == AllFields {
		switch {
		case c.all == nil && len(c.norms) == 1:
			return c.Norms(int(c.norms[0].field))
		case c.all == nil:
			return nil, nil
		}
		return c.loadNorms(c.all, Part{Kind: PartAllNorms})
	}
	i, ok := sort.Find(len(c.norms), func(i int) int { return cmp.Compare(field, int(c.norms[i].field)) })
	if !ok {
		return nil, nil
	}
	return c.loadNorms(&c.norms[i].slot, Part{PartNorms, c.norms[i].field})
}

func (c *Chunk) loadNorms(s *slot[[]byte], p Part) ([]byte, error) {
	norms, err := s.pin(c, func() (*[]byte, int, error) {
		data, size, err := c.part(p)
		if err != nil {
			return nil, 0, err
		}
		norms, err := decodeNorms(p, c.n, data)
		if err != nil {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, err)
		}
		return &norms, size, nil
	})
	if err != nil {
		return nil, err
	}
	return *norms, nil
}

// Column returns the values of a field, nil when no document has one.
func (c *Chunk) Column(field uint16) (*Column, error) {
	s := c.column(field)
	if s == nil {
		return nil, nil
	}
	return s.get(c, func() (*Column, int, error) {
		data, size, err := c.part(Part{PartColumn, field})
		if err != nil {
			return nil, 0, err
		}
		col, err := decodeColumn(field, c.n, data)
		if err != nil {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, err)
		}
		if !col.matches(&s.info) {
			return nil, 0, fmt.Errorf("chunk at %d: %w", c.base, corrupt(Part{PartColumn, field}, "not the column of the summary"))
		}
		return col, size + col.bytes(), nil
	})
}

// ColumnInfo describes the column of a field without reading it, false when no
// document has a value.
func (c *Chunk) ColumnInfo(field uint16) (ColumnInfo, bool) {
	s := c.column(field)
	if s == nil {
		return ColumnInfo{}, false
	}
	return s.info, true
}

// Columns describes all columns, by ascending field.
func (c *Chunk) Columns() []ColumnInfo {
	infos := make([]ColumnInfo, len(c.columns))
	for i := range c.columns {
		infos[i] = c.columns[i].info
	}
	return infos
}

func (c *Chunk) column(field uint16) *columnSlot {
	i, ok := sort.Find(len(c.columns), func(i int) int { return cmp.Compare(field, c.columns[i].info.Field) })
	if !ok {
		return nil
	}
	return &c.columns[i]
}
