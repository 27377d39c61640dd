package tokenize

import "hash/maphash"

const (
	// cacheEntries and cacheBytes bound the memory of a cache: 2 MiB of text,
	// 768 KiB of entries and 256 KiB of slots. A vocabulary follows Zipf's
	// law, so after a clear the words that matter are back within a few thousand
	// tokens.
	cacheEntries = 32768
	cacheBytes   = 2 << 20
	// cacheSlots is the initial size of the table, a power of two.
	cacheSlots = 1024
)

// cache remembers what analysis made of a word: an open hash table with linear
// probing over entries, whose bytes lie in one arena. Unlike a Go map it looks
// up and, once grown, also inserts without allocation.
type cache struct {
	seed    maphash.Seed
	slots   []uint32 // index into entries plus one, 0 if free; at most half are used
	entries []cacheEntry
	arena   []byte
}

// cacheEntry is a key with its word and term, three neighbours in the arena.
type cacheEntry struct {
	hash                      uint64
	start                     uint32 // of the key
	keyLen, wordLen, termLen  uint16
	stop, wordIsKey, termSame bool
}

func newCache() *cache {
	return &cache{seed: maphash.MakeSeed(), slots: make([]uint32, cacheSlots)}
}

// find returns the entry of key, or nil, and the hash for add.
func (c *cache) find(key []byte) (*cacheEntry, uint64) {
	h := maphash.Bytes(c.seed, key)
	mask := uint64(len(c.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		n := c.slots[i]
		if n == 0 {
			return nil, h
		}
		e := &c.entries[n-1]
		if e.hash == h && string(c.arena[e.start:e.start+uint32(e.keyLen)]) == string(key) {
			return e, h
		}
	}
}

// add enters a key that find did not find. The slices are copied.
func (c *cache) add(hash uint64, key, word, term []byte, stop bool) *cacheEntry {
	if len(c.entries) >= cacheEntries || len(c.arena)+len(key)+len(word)+len(term) > cacheBytes {
		clear(c.slots)
		c.entries = c.entries[:0]
		c.arena = c.arena[:0]
	}
	if 2*(len(c.entries)+1) > len(c.slots) {
		c.slots = make([]uint32, 2*len(c.slots))
		for i := range c.entries {
			c.place(uint32(i))
		}
	}
	e := cacheEntry{
		hash: hash, start: uint32(len(c.arena)), stop: stop,
		keyLen: uint16(len(key)), wordLen: uint16(len(word)), termLen: uint16(len(term)),
		wordIsKey: string(word) == string(key), termSame: string(term) == string(word),
	}
	c.arena = append(c.arena, key...)
	if !e.wordIsKey {
		c.arena = append(c.arena, word...)
	}
	if !e.termSame {
		c.arena = append(c.arena, term...)
	}
	c.entries = append(c.entries, e)
	c.place(uint32(len(c.entries) - 1))
	return &c.entries[len(c.entries)-1]
}

// place enters entry i into the first free slot of its chain.
func (c *cache) place(i uint32) {
	mask := uint64(len(c.slots) - 1)
	s := c.entries[i].hash & mask
	for c.slots[s] != 0 {
		s = (s + 1) & mask
	}
	c.slots[s] = i + 1
}

// texts returns word and term of e, valid until the next add.
func (c *cache) texts(e *cacheEntry) (word, term []byte) {
	from, to := e.start, e.start+uint32(e.keyLen)
	if !e.wordIsKey {
		from, to = to, to+uint32(e.wordLen)
	}
	word = c.arena[from:to:to]
	if e.termSame {
		return word, word
	}
	from, to = to, to+uint32(e.termLen)
	return word, c.arena[from:to:to]
}
