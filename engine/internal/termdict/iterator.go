package termdict

import (
	"bytes"
	"fmt"
)

// Iter walks over the terms of a range of keys in ascending order. It reads
// keys and document frequencies; lists are skipped by their length. It stands
// before the first term until Next or Seek returns true, and is not safe for
// concurrent use.
type Iter struct {
	dict    *Dict
	fetch   func(ordinal uint32) ([]byte, error)
	lo, hi  []byte
	block   block
	ordinal int // of block; -1 before the first
	e       entry
	valid   bool
	err     error
}

// Iter returns an iterator over the keys from lo on and below hi; a nil hi
// means to the end. It keeps both.
func (d *Dict) Iter(lo, hi []byte) *Iter { return d.IterBy(lo, hi, d.block) }

// IterBy is Iter with another way to the blocks than that of Open.
func (d *Dict) IterBy(lo, hi []byte, block func(ordinal uint32) ([]byte, error)) *Iter {
	return &Iter{dict: d, fetch: block, lo: lo, hi: hi, ordinal: -1}
}

// Next moves to the next term, and returns false after the last or on an
// error.
func (it *Iter) Next() bool {
	if it.err != nil {
		return false
	}
	if it.ordinal < 0 {
		return it.seek(it.lo)
	}
	if !it.valid {
		return false
	}
	if it.e.left > 0 {
		it.err = it.block.read(&it.e)
		if it.err != nil {
			it.err = fmt.Errorf("block %d: %w", it.ordinal, it.err)
		}
		return it.check()
	}
	return it.first(it.ordinal + 1)
}

// Seek moves to the first term of the range whose key is not below key, and
// returns whether there is one. It may move in either direction and costs at
// most one block.
func (it *Iter) Seek(key []byte) bool {
	if it.err != nil {
		return false
	}
	if bytes.Compare(key, it.lo) < 0 {
		key = it.lo
	}
	return it.seek(key)
}

// seek is Seek without regard to lo.
func (it *Iter) seek(key []byte) bool {
	i := max(it.dict.blockOf(key), 0)
	if i >= it.dict.Blocks() {
		it.ordinal, it.valid = 0, false
		return false
	}
	if !it.open(i) {
		return false
	}
	ok, err := it.block.seek(key, &it.e)
	if err != nil {
		it.err = fmt.Errorf("block %d: %w", i, err)
		return it.check()
	}
	if !ok {
		return it.first(i + 1)
	}
	return it.check()
}

// open makes a block the current one.
func (it *Iter) open(i int) bool {
	if i != it.ordinal {
		it.block, it.err = load(i, it.fetch)
		it.ordinal = i
	}
	return it.err == nil
}

// first moves to the first entry of a block.
func (it *Iter) first(i int) bool {
	if i >= it.dict.Blocks() {
		it.valid = false
		return false
	}
	if !it.open(i) {
		return it.check()
	}
	it.e = entry{key: it.e.key[:0], left: it.block.count}
	if it.err = it.block.read(&it.e); it.err != nil {
		it.err = fmt.Errorf("block %d: %w", i, it.err)
	}
	return it.check()
}

// check ends the iteration on errors and at hi.
func (it *Iter) check() bool {
	it.valid = it.err == nil && (it.hi == nil || bytes.Compare(it.e.key, it.hi) < 0)
	return it.valid
}

// Key returns the key of the current term, valid until the next move.
func (it *Iter) Key() []byte { return it.e.key }

// Info returns the entry of the current term. Its inline list stays valid.
func (it *Iter) Info() Info { return it.e.info }

// Err returns the error that ended the iteration, if any.
func (it *Iter) Err() error { return it.err }
