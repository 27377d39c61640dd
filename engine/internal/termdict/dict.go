package termdict

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCorrupt marks errors about bytes that no Builder can have written. Test
// for it with errors.Is.
var ErrCorrupt = errors.New("corrupt dictionary")

// Dict is a dictionary ready to be read. Its index is in memory, its blocks
// are fetched when they are needed. It is immutable and safe for concurrent
// use if its block function is.
type Dict struct {
	block  func(ordinal uint32) ([]byte, error)
	terms  int
	firsts keys
	longs  keys
	longDF []byte // u32 each
}

// Open reads the index that Builder.Finish appended, which must be all of
// data and must not change. block returns the blocks; they must not change
// either. Open checks the lengths of the index, and in O(blocks+long terms)
// the order of its keys. The error is marked ErrCorrupt.
func Open(data []byte, block func(ordinal uint32) ([]byte, error)) (*Dict, error) {
	d := &Dict{block: block}
	if len(data) < 4 {
		return nil, fmt.Errorf("%w: index of %d bytes", ErrCorrupt, len(data))
	}
	d.terms = int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	var err error
	if d.firsts, data, err = parseKeys(data); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	if d.longs, data, err = parseKeys(data); err != nil {
		return nil, fmt.Errorf("long terms: %w", err)
	}
	if len(data) != 4*d.longs.len() || d.longs.len() > d.terms || (d.terms > 0) != (d.firsts.len() > 0) {
		return nil, fmt.Errorf("%w: index of %d terms, %d long", ErrCorrupt, d.terms, d.longs.len())
	}
	d.longDF = data
	for i := range d.longs.len() {
		if d.longInfo(i).DF == 0 {
			return nil, fmt.Errorf("%w: long term %d has no documents", ErrCorrupt, i)
		}
	}
	return d, nil
}

// Terms returns the number of terms.
func (d *Dict) Terms() int { return d.terms }

// LongTerms returns the number of terms with a list of their own.
func (d *Dict) LongTerms() int { return d.longs.len() }

// Blocks returns the number of blocks.
func (d *Dict) Blocks() int { return d.firsts.len() }

// longInfo returns what is known of the long term with the given ordinal.
func (d *Dict) longInfo(i int) Info {
	return Info{DF: int(binary.LittleEndian.Uint32(d.longDF[4*i:])), Long: i}
}

// Lookup returns the entry of a key and whether there is one. Long terms are
// found without fetching a block, others with at most one. Errors are those of
// the block function, or marked ErrCorrupt.
func (d *Dict) Lookup(key []byte) (Info, bool, error) {
	if i := d.longs.search(key); i < d.longs.len() && bytes.Equal(d.longs.at(i), key) {
		return d.longInfo(i), true, nil
	}
	i := d.blockOf(key)
	if i < 0 {
		return Info{}, false, nil
	}
	b, err := load(i, d.block)
	if err != nil {
		return Info{}, false, err
	}
	var space [64]byte
	e := entry{key: space[:0]}
	ok, err := b.seek(key, &e)
	if err != nil {
		return Info{}, false, fmt.Errorf("block %d: %w", i, err)
	}
	if !ok || !bytes.Equal(e.key, key) {
		return Info{}, false, nil
	}
	if e.info.Long >= 0 {
		return Info{}, false, fmt.Errorf("%w: block %d: a long term is not in the directory", ErrCorrupt, i)
	}
	return e.info, true, nil
}

// blockOf returns the block that holds key if any does, or -1.
func (d *Dict) blockOf(key []byte) int {
	i := d.firsts.search(key)
	if i < d.firsts.len() && bytes.Equal(d.firsts.at(i), key) {
		return i
	}
	return i - 1
}

// load fetches and parses a block.
func load(i int, fetch func(ordinal uint32) ([]byte, error)) (block, error) {
	data, err := fetch(uint32(i))
	if err != nil {
		return block{}, fmt.Errorf("block %d: %w", i, err)
	}
	b, err := parseBlock(data)
	if err != nil {
		return block{}, fmt.Errorf("block %d: %w", i, err)
	}
	return b, nil
}

// keys is an ascending list of keys in the form that keyTable writes.
type keys struct {
	ends  []byte // u32 each
	bytes []byte
}

// parseKeys takes a key table off the front of data.
func parseKeys(data []byte) (keys, []byte, error) {
	if len(data) < 4 {
		return keys{}, nil, fmt.Errorf("%w: table of keys is cut off", ErrCorrupt)
	}
	n := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if n > len(data)/4 {
		return keys{}, nil, fmt.Errorf("%w: table of %d keys in %d bytes", ErrCorrupt, n, len(data))
	}
	k := keys{ends: data[: 4*n : 4*n], bytes: data[4*n:]}
	if n == 0 {
		return k, k.bytes, nil
	}
	last := uint32(0)
	for i := range n {
		end := binary.LittleEndian.Uint32(k.ends[4*i:])
		if end <= last || uint64(end) > uint64(len(k.bytes)) || end-last > maxKey {
			return keys{}, nil, fmt.Errorf("%w: length of key %d", ErrCorrupt, i)
		}
		last = end
	}
	for i := 1; i < n; i++ {
		if bytes.Compare(k.at(i-1), k.at(i)) >= 0 {
			return keys{}, nil, fmt.Errorf("%w: key %d is not above the one before", ErrCorrupt, i)
		}
	}
	rest := k.bytes[last:]
	k.bytes = k.bytes[:last:last]
	return k, rest, nil
}

func (k *keys) len() int { return len(k.ends) / 4 }

// at returns a key.
func (k *keys) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(k.ends[4*(i-1):])
	}
	to := binary.LittleEndian.Uint32(k.ends[4*i:])
	return k.bytes[from:to:to]
}

// search returns the index of the first key that is not below key.
func (k *keys) search(key []byte) int {
	lo, hi := 0, k.len()
	for lo < hi {
		h := int(uint(lo+hi) >> 1)
		if bytes.Compare(k.at(h), key) < 0 {
			lo = h + 1
		} else {
			hi = h
		}
	}
	return lo
}
