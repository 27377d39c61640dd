package engine

import (
	"bytes"
	"container/list"
	"slices"
	"sync"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// storedReader reads the records of one index as one view of the store has
// them. It is used by one goroutine and has to be closed.
type storedReader struct {
	e  *Engine
	kv storage.Reader
	ix uint32
	it *storage.Iterator // over the blocks; nil until one is not in memory
}

func (e *Engine) storedReader(kv storage.Reader, ix uint32) *storedReader {
	return &storedReader{e: e, kv: kv, ix: ix}
}

func (r *storedReader) Close() {
	if r.it != nil {
		r.it.Close()
	}
}

// read returns the id and a copy of the JSON of a document.
func (r *storedReader) read(doc posting.DocID) (id string, json []byte, err error) {
	b, i, err := r.find(doc)
	if err != nil {
		return "", nil, err
	}
	return string(b.ID(i)), bytes.Clone(b.Record(i)), nil
}

// record returns a copy of the JSON of a document.
func (r *storedReader) record(doc posting.DocID) ([]byte, error) {
	b, i, err := r.find(doc)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(b.Record(i)), nil
}

// find returns the block of a document and its place there.
func (r *storedReader) find(doc posting.DocID) (b *page.Block, i int, err error) {
	b, first := r.e.recent.find(r.ix, doc)
	if b == nil {
		if b, first, err = r.load(doc); err != nil {
			return nil, 0, err
		}
	}
	if i = int(doc - first); i >= b.Len() {
		return nil, 0, corruptf("document %d of index %d is beyond stored block %d", doc, r.ix, first)
	}
	return b, i, nil
}

// load reads the block that holds a document: the last one that does not begin
// behind it.
func (r *storedReader) load(doc posting.DocID) (*page.Block, posting.DocID, error) {
	if r.it == nil {
		lo, hi := storage.BlockRange(r.ix, 0, ^uint32(0))
		it, err := r.kv.Iter(lo, hi)
		if err != nil {
			return nil, 0, err
		}
		r.it = it
	}
	found := false
	if doc == ^uint32(0) {
		found = r.it.Last()
	} else {
		found = r.it.SeekLT(storage.BlockKey(r.ix, doc+1))
	}
	if !found {
		if err := r.it.Err(); err != nil {
			return nil, 0, err
		}
		return nil, 0, corruptf("document %d of index %d has no stored block", doc, r.ix)
	}
	_, first, err := storage.ParseBlockKey(r.it.Key())
	if err != nil {
		return nil, 0, err
	}
	b, err := r.e.blocks.Decode(r.it.Value())
	if err != nil {
		return nil, 0, corruptf("stored block %d of index %d: %w", first, r.ix, err)
	}
	r.e.recent.add(r.ix, first, b)
	return b, first, nil
}

// storedRecord reads one document.
func (e *Engine) storedRecord(kv storage.Reader, ix uint32, doc posting.DocID) (id string, json []byte, err error) {
	r := e.storedReader(kv, ix)
	defer r.Close()
	return r.read(doc)
}

// blockCache keeps stored blocks up to a number of bytes, the least recently
// used going first. It finds a block by any of its documents without asking the
// store where the block begins. Document numbers are not given out twice, so
// what is in it never changes. It is safe for concurrent use.
type blockCache struct {
	memory *cacheShare // nil: on its own
	mu     sync.Mutex
	budget int64
	bytes  int64
	pages  map[pageKey]*cachedPage
	recent list.List // of *cachedBlock, the most recent in front
}

// pageKey names a page of an index.
type pageKey struct {
	index uint32
	page  uint16
}

// cachedPage is the blocks of a page, of which none reaches over its end, by
// their first documents. These stand by themselves so that a search among them
// stays within few cache lines.
type cachedPage struct {
	firsts []posting.DocID
	blocks []*list.Element
}

type cachedBlock struct {
	*page.Block
	key   pageKey
	first posting.DocID
}

func (b *cachedBlock) size() int64 { return int64(b.Bytes()) + entryOverhead }

func newBlockCache(budget int64) *blockCache {
	return &blockCache{budget: budget, pages: map[pageKey]*cachedPage{}}
}

// find returns the block that holds a document and its first document; nil if
// it is not here.
func (c *blockCache) find(index uint32, doc posting.DocID) (*page.Block, posting.DocID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pages[pageKey{index, uint16(doc >> 16)}]
	if p == nil {
		return nil, 0
	}
	i, exact := slices.BinarySearch(p.firsts, doc)
	if !exact {
		i--
	}
	if i < 0 {
		return nil, 0
	}
	b := p.blocks[i].Value.(*cachedBlock)
	if int(doc-b.first) >= b.Len() {
		return nil, 0
	}
	c.recent.MoveToFront(p.blocks[i])
	return b.Block, b.first
}

// add puts a block in.
func (c *blockCache) add(index uint32, first posting.DocID, b *page.Block) {
	entry := &cachedBlock{b, pageKey{index, uint16(first >> 16)}, first}
	if entry.size() > c.budget/2 {
		return // it would push everything else out
	}
	defer c.memory.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pages[entry.key]
	if p == nil {
		p = &cachedPage{}
		c.pages[entry.key] = p
	}
	i, known := slices.BinarySearch(p.firsts, first)
	if known {
		return
	}
	p.firsts = slices.Insert(p.firsts, i, first)
	p.blocks = slices.Insert(p.blocks, i, c.recent.PushFront(entry))
	c.count(entry.size())
	c.shrinkTo(c.budget)
}

// join makes the cache one of those that share m, sure of so many bytes.
func (c *blockCache) join(m *cacheMemory, sure int64) { c.memory = m.join(sure, c.shrink) }

// shrink forgets the least recently used blocks, of so many bytes or more.
func (c *blockCache) shrink(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shrinkTo(c.bytes - bytes)
}

// shrinkTo forgets blocks until no more than so many bytes are left. mu is held.
func (c *blockCache) shrinkTo(bytes int64) {
	for c.bytes > bytes && c.recent.Len() > 0 {
		c.remove(c.recent.Remove(c.recent.Back()).(*cachedBlock))
	}
}

// count adds to the bytes. mu is held.
func (c *blockCache) count(bytes int64) {
	c.bytes += bytes
	c.memory.count(bytes)
}

// remove takes a block, which recent has given up, out of its page.
func (c *blockCache) remove(b *cachedBlock) {
	c.count(-b.size())
	p := c.pages[b.key]
	i, _ := slices.BinarySearch(p.firsts, b.first)
	p.firsts, p.blocks = slices.Delete(p.firsts, i, i+1), slices.Delete(p.blocks, i, i+1)
	if len(p.firsts) == 0 {
		delete(c.pages, b.key)
	}
}
