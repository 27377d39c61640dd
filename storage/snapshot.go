package storage

import (
	"bytes"
	"io"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// A Reader reads keys: a [Store] the newest state of each, a [Snapshot] the
// state at one moment. Its methods may be called by many goroutines at once.
type Reader interface {
	// Get returns a copy of the value of key, which the caller owns, or
	// ErrNotFound.
	Get(key []byte) ([]byte, error)
	// View calls f with the value of key, which is valid and must not be
	// changed until f returns, and returns what f returns. Without a value it
	// returns ErrNotFound and f is not called. f must not call the store.
	View(key []byte, f func(value []byte) error) error
	// Has reports whether key has a value.
	Has(key []byte) (bool, error)
	// Iter returns an iterator over the keys with lo <= key < hi; nil stands
	// for no bound. It must be closed.
	Iter(lo, hi []byte) (*Iterator, error)
}

// A Snapshot is the state of a store at the moment it was made: no later write
// changes what it returns. It holds on to replaced values on disk, so it should
// not live for hours. It may be used by many goroutines, and must be closed
// when none uses it any more.
type Snapshot struct {
	s      *Store
	snap   *pebble.Snapshot
	closed atomic.Bool
}

var (
	_ Reader = (*Store)(nil)
	_ Reader = (*Snapshot)(nil)
)

// NewSnapshot returns the state of the store as it is now. On a closed store it
// returns a closed snapshot, whose methods return ErrClosed.
func (s *Store) NewSnapshot() *Snapshot {
	sn := &Snapshot{s: s}
	if err := s.acquire(); err != nil {
		sn.closed.Store(true)
		return sn
	}
	defer s.release()
	s.snapshots.Add(1)
	sn.snap = s.db.NewSnapshot()
	return sn
}

// Close releases the snapshot. A second call returns ErrClosed.
func (sn *Snapshot) Close() error {
	if sn.closed.Swap(true) {
		return ErrClosed
	}
	err := sn.snap.Close()
	sn.s.snapshots.Add(-1)
	return translate(err)
}

// Get implements [Reader].
func (sn *Snapshot) Get(key []byte) ([]byte, error) {
	if err := sn.usable(); err != nil {
		return nil, err
	}
	return copyOut(sn.snap.Get(key))
}

// View implements [Reader].
func (sn *Snapshot) View(key []byte, f func(value []byte) error) error {
	if err := sn.usable(); err != nil {
		return err
	}
	value, closer, err := sn.snap.Get(key)
	return lend(value, closer, err, f)
}

// Has implements [Reader].
func (sn *Snapshot) Has(key []byte) (bool, error) {
	if err := sn.usable(); err != nil {
		return false, err
	}
	_, closer, err := sn.snap.Get(key)
	return found(closer, err)
}

// Iter implements [Reader]. The iterator may outlive the snapshot.
func (sn *Snapshot) Iter(lo, hi []byte) (*Iterator, error) {
	if err := sn.usable(); err != nil {
		return nil, err
	}
	return sn.s.newIterator(sn.snap.NewIter(bounds(lo, hi)))
}

func (sn *Snapshot) usable() error {
	if sn.closed.Load() {
		return ErrClosed
	}
	return sn.s.failure()
}

// Get implements [Reader].
func (s *Store) Get(key []byte) ([]byte, error) {
	if err := s.acquire(); err != nil {
		return nil, err
	}
	defer s.release()
	return copyOut(s.db.Get(key))
}

// View implements [Reader].
func (s *Store) View(key []byte, f func(value []byte) error) error {
	if err := s.acquire(); err != nil {
		return err
	}
	defer s.release()
	value, closer, err := s.db.Get(key)
	return lend(value, closer, err, f)
}

// Has implements [Reader].
func (s *Store) Has(key []byte) (bool, error) {
	if err := s.acquire(); err != nil {
		return false, err
	}
	defer s.release()
	_, closer, err := s.db.Get(key)
	return found(closer, err)
}

// Iter implements [Reader]. The iterator sees the state of the store at the
// moment of the call.
func (s *Store) Iter(lo, hi []byte) (*Iterator, error) {
	if err := s.acquire(); err != nil {
		return nil, err
	}
	defer s.release()
	return s.newIterator(s.db.NewIter(bounds(lo, hi)))
}

func copyOut(value []byte, closer io.Closer, err error) ([]byte, error) {
	if err != nil {
		return nil, translate(err)
	}
	out := bytes.Clone(value)
	return out, translate(closer.Close())
}

func lend(value []byte, closer io.Closer, err error, f func([]byte) error) error {
	if err != nil {
		return translate(err)
	}
	// Deferred, so that a panic of f does not leak the block.
	defer closer.Close()
	return f(value)
}

func found(closer io.Closer, err error) (bool, error) {
	switch err := translate(err); err {
	case nil:
		return true, translate(closer.Close())
	case ErrNotFound:
		return false, nil
	default:
		return false, err
	}
}
