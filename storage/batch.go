package storage

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// MaxBatchBytes is the largest [Batch.Size] that can be committed. Pebble's own
// limit is 4 GiB, and it panics there.
const MaxBatchBytes = 1 << 30

// batchEntryBytes is the most that the header of an entry adds to its key and
// value: one byte of kind and two lengths.
const batchEntryBytes = 11

// A Batch collects changes that become visible and durable together or not at
// all. Entries take effect in the order in which they were added. It copies
// keys and values, so the caller may reuse theirs.
//
// A Batch is used by one goroutine and committed once: after a Commit or Apply
// that succeeded, its methods must not be called any more. One that failed with
// ErrFull still holds its changes and may be committed again. A batch that is
// not wanted any more is simply dropped.
type Batch struct {
	b    *pebble.Batch
	sets int   // entries that are not deletions
	thin bool  // see Shrinks
	err  error // ErrTooLarge, once an entry did not fit
}

// NewBatch returns an empty batch for the store.
func (s *Store) NewBatch() *Batch { return &Batch{b: s.db.NewBatch()} }

// Set makes value the value of key.
func (b *Batch) Set(key, value []byte) {
	if b.fits(len(key) + len(value)) {
		b.sets++
		b.keep(b.b.Set(key, value, nil))
	}
}

// Delete takes the value of key away, if it has one.
func (b *Batch) Delete(key []byte) {
	if b.fits(len(key)) {
		b.keep(b.b.Delete(key, nil))
	}
}

// DeleteRange deletes every key with lo <= key < hi that was there before the
// batch or was added to it before this call. It costs the same for any number
// of keys.
func (b *Batch) DeleteRange(lo, hi []byte) {
	if bytes.Compare(lo, hi) < 0 && b.fits(len(lo)+len(hi)) {
		b.keep(b.b.DeleteRange(lo, hi, nil))
	}
}

// Shrinks says that the batch makes the data smaller in the end, though it sets
// some keys. Like one that only deletes it may then use up to half of the
// space that is kept in reserve, so that a full disk can be emptied.
func (b *Batch) Shrinks() { b.thin = true }

// Size returns the bytes that committing the batch writes to the log.
func (b *Batch) Size() int { return b.b.Len() }

// Count returns the number of entries in the batch.
func (b *Batch) Count() int { return int(b.b.Count()) }

// Empty reports whether the batch has no entries.
func (b *Batch) Empty() bool { return b.b.Empty() }

// fits reports whether an entry with n bytes of key and value can be added, and
// spoils the batch if not.
func (b *Batch) fits(n int) bool {
	if b.err == nil && b.b.Len()+n+batchEntryBytes > MaxBatchBytes {
		b.err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxBatchBytes)
	}
	return b.err == nil
}

func (b *Batch) keep(err error) {
	if b.err == nil {
		b.err = translate(err)
	}
}

// Commit makes the changes of b visible and durable: when it returns nil, they
// survive a crash of the process and a loss of power. When it returns an error,
// nothing was changed. Commits of several goroutines share the syncs of the
// log. An empty batch succeeds at once.
//
// Errors: ErrFull, ErrReadOnly, ErrTooLarge, ErrClosed, ErrFailed.
func (s *Store) Commit(b *Batch) error {
	wait, err := s.Apply(b)
	if err != nil {
		return err
	}
	return wait()
}

// Apply makes the changes of b visible to readers at once and returns a
// function that waits until they are durable. It lets a caller order its
// changes under a lock of its own and wait for the disk outside of it. Every
// wait must be called; until it returned nil nothing may be acknowledged.
// Changes become durable in the order of the calls of Apply.
//
// Errors: those of [Store.Commit].
func (s *Store) Apply(b *Batch) (wait func() error, err error) {
	if err := s.acquire(); err != nil {
		return nil, err
	}
	defer s.release()
	switch {
	case s.opts.ReadOnly:
		return nil, ErrReadOnly
	case b.err != nil:
		return nil, b.err
	case b.b == nil:
		return nil, errors.New("batch was committed before")
	case b.b.Empty():
		return func() error { return nil }, nil
	}
	if err := s.room.check(int64(b.b.Len()), b.sets == 0 || b.thin); err != nil {
		return nil, err
	}
	s.unflushed.Store(true)
	if err := s.guarded(func() error { return s.db.ApplyNoSyncWait(b.b, pebble.Sync) }); err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	pending := b.b
	b.b = nil
	var once sync.Once
	return func() error {
		once.Do(func() {
			if err := s.protected(pending.SyncWait); err != nil {
				s.fail(err)
			}
			// It gives the memory of the batch back and does not fail.
			_ = pending.Close()
		})
		if s.failure() != nil {
			// The change is visible and cannot be taken back, and nobody knows
			// whether it is durable.
			runtime.Goexit()
		}
		return nil
	}, nil
}
