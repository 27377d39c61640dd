package engine

import (
	"encoding/binary"
	"math"
	"weak"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// filterCache keeps which documents of a chunk satisfy a predicate. Chunks
// never change, so what it says stays true; deleted documents are among them.
type filterCache struct {
	*lru[filterKey, *search.Page]
	least int // documents of chunks that answers are kept of
}

// filterKey names a predicate on a chunk. It does not keep the chunk alive.
type filterKey struct {
	chunk     weak.Pointer[page.Chunk]
	predicate string // see condition.name
}

func newFilterCache(budget int64, least int) filterCache {
	return filterCache{newLRU[filterKey, *search.Page](budget), least}
}

// cachedDocs is the size from which on answers of a chunk are kept: the memory
// of an answer is that of a whole page.
const cachedDocs = page.Size / 16

// load returns the documents of a chunk that satisfy a predicate. They must not
// be changed.
func (f filterCache) load(c *condition, ref *chunkRef) (*search.Page, error) {
	scan := func() (*search.Page, int, error) {
		w := new(search.Page)
		return w, len(w)*8 + len(c.name), c.scan(ref, w)
	}
	if ref.chunk.Len() < f.least || c.name == "" {
		w, _, err := scan()
		return w, err
	}
	return f.lru.load(filterKey{weak.Make(ref.chunk), c.name}, scan)
}

// maxFilterName bounds the names of predicates that are kept.
const maxFilterName = 512

// named gives a predicate a name that says all there is to it: field, kind of
// test and constants. Predicates with long constants get none.
func (c *condition) named() *condition {
	b := []byte{byte(c.op), byte(c.field), byte(c.field >> 8), 0}
	if c.twoColumns {
		b[3] = 1
	}
	value := func(v page.Value) {
		b = append(b, byte(v.Kind))
		b = binary.LittleEndian.AppendUint64(b, uint64(v.Int))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float))
		b = binary.AppendUvarint(b, uint64(len(v.Str)))
		b = append(b, v.Str...)
	}
	bound := func(v page.Bound) {
		exclusive := byte(0)
		if v.Exclusive {
			exclusive = 1
		}
		b = append(b, exclusive)
		value(v.Value)
	}
	b = binary.AppendUvarint(b, uint64(len(c.values)))
	for _, v := range c.values {
		if value(v); len(b) > maxFilterName {
			return c
		}
	}
	bound(c.lo)
	bound(c.hi)
	b = append(binary.AppendUvarint(b, uint64(len(c.prefix))), c.prefix...)
	if c.area != nil {
		b = c.area.Append(b)
	}
	if len(b) <= maxFilterName {
		c.name = string(b)
	}
	return c
}
