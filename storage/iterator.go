package storage

import "github.com/cockroachdb/pebble/v2"

// An Iterator walks over keys in ascending or descending order. A new one
// stands nowhere: First, Last, SeekGE or SeekLT puts it somewhere. A movement
// that finds no key returns false, and so does every one after an error, which
// Err tells from the end of the range. Next after the last key and Prev before
// the first one return false as often as they are called.
//
// An Iterator is used by one goroutine at a time and must be closed.
type Iterator struct {
	s  *Store
	it *pebble.Iterator
}

func (s *Store) newIterator(it *pebble.Iterator, err error) (*Iterator, error) {
	if err != nil {
		return nil, translate(err)
	}
	s.iterators.Add(1)
	return &Iterator{s: s, it: it}, nil
}

func bounds(lo, hi []byte) *pebble.IterOptions {
	return &pebble.IterOptions{LowerBound: lo, UpperBound: hi}
}

// First moves to the first key of the range.
func (i *Iterator) First() bool { return i.it != nil && i.it.First() }

// Last moves to the last key of the range.
func (i *Iterator) Last() bool { return i.it != nil && i.it.Last() }

// Next moves to the key after the current one.
func (i *Iterator) Next() bool { return i.it != nil && i.it.Next() }

// Prev moves to the key before the current one.
func (i *Iterator) Prev() bool { return i.it != nil && i.it.Prev() }

// SeekGE moves to the first key of the range that is not before key.
func (i *Iterator) SeekGE(key []byte) bool { return i.it != nil && i.it.SeekGE(key) }

// SeekLT moves to the last key of the range that is before key.
func (i *Iterator) SeekLT(key []byte) bool { return i.it != nil && i.it.SeekLT(key) }

// Find moves to key, if it is there. After it only Find and the movements that
// need no current key may follow. Finding keys in ascending order costs less
// than half of as many calls of Get.
func (i *Iterator) Find(key []byte) bool { return i.it != nil && i.it.SeekPrefixGE(key) }

// Key returns the current key. It is valid until the next movement and must
// not be changed. It may be called only after a movement that returned true.
func (i *Iterator) Key() []byte { return i.it.Key() }

// Value returns the value of the current key, under the same terms as Key. If
// it cannot be read, it is empty and Err tells why.
func (i *Iterator) Value() []byte { return i.it.Value() }

// Err returns the error that stopped the iterator, or nil.
func (i *Iterator) Err() error {
	if i.it == nil {
		return ErrClosed
	}
	return translate(i.it.Error())
}

// Close releases the iterator and returns the error that stopped it, if any. A
// second call returns ErrClosed.
func (i *Iterator) Close() error {
	if i.it == nil {
		return ErrClosed
	}
	err := i.it.Close()
	i.it = nil
	i.s.iterators.Add(-1)
	return translate(err)
}
