package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// flushTime is how long Close waits for memory to be written out. On a
	// disk that refuses to be written it would wait for ever; what is not
	// flushed is in the log.
	flushTime = 20 * time.Second

	// settleTime is how long Close waits for compactions that are under way.
	settleTime = 2 * time.Second

	// settlePause is how often it looks.
	settlePause = time.Millisecond
)

// A Store is an ordered map from keys to values in one directory, which it has
// to itself from Open to Close. Its methods may be called by many goroutines at
// once.
type Store struct {
	dir  string
	opts Options // with defaults
	fs   *guardFS
	db   *pebble.DB
	room room
	slow io.Closer // ends the watch over slow changes; nil: there is none
	lock io.Closer // on the directory; nil: db has it alone

	salvaged *salvageFS // nil without Options.Salvage

	// mu is held for reading by every call that uses db, so that Close, which
	// holds it for writing, meets none.
	mu     sync.RWMutex
	closed bool

	// ingesting is held for reading by Ingest, and for writing while Backup
	// takes the state. Pebble copies the log after it has noted the tables: an
	// ingested table that comes between would be missing, while later changes
	// that the log has would be there.
	ingesting sync.RWMutex

	guarding  atomic.Bool           // Pebble is open: it must see no error of its log
	opened    atomic.Bool           // Open is done: a failure now ends the process
	failed    atomic.Pointer[error] // why the store ended
	unflushed atomic.Bool           // something was written since the last flush
	snapshots atomic.Int64          // open ones
	iterators atomic.Int64          // open ones
	tables    atomic.Int64          // number of the newest table that was begun
	stuck     atomic.Bool           // db panicked, perhaps with locks held

	writing sstable.WriterOptions // of tables made by TableWriter
	reading sstable.ReaderOptions // of tables read by Check
}

// Open opens the store in dir, which is made if it is missing or empty. After a
// crash it brings back all that was acknowledged; that takes up to about a
// second for the default size of the memtables, and a few milliseconds after a
// Close.
//
// Errors: ErrLocked, ErrForeign, ErrBackup, ErrNewerFormat, ErrCorrupt, ErrFull,
// ErrReadOnly for a file system that is mounted for reading.
func Open(dir string, o *Options) (*Store, error) {
	s := &Store{dir: dir, opts: o.withDefaults()}
	base := s.opts.FS
	switch {
	case s.opts.InMemory:
		s.dir, base = "memory", vfs.NewMem()
	case base == nil:
		base = vfs.Default
	}
	var files FS
	files, s.slow = s.watched(base)
	if s.opts.Salvage && !s.opts.InMemory {
		s.salvaged = newSalvageFS(files, files.PathJoin(s.dir, storeName))
		files = s.salvaged
	}
	s.fs = &guardFS{FS: files, s: s, private: s.opts.FS == nil && !s.opts.InMemory}
	s.room = room{
		fs: base, dir: s.dir, min: s.opts.MinFreeBytes, lowDisk: s.opts.Events.LowDisk,
		refused: once{every: time.Second},
	}
	if err := s.open(); err != nil {
		s.endFiles()
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	return s, nil
}

func (s *Store) open() (err error) {
	// A read-only file system fails at different steps with the same error.
	defer func() { err = translate(err) }()
	if err := prepareDir(s.fs, s.dir, s.opts.ReadOnly, s.opts.Unfinished); err != nil {
		return err
	}
	if !s.opts.ReadOnly {
		// With too little room to flush what it replays, Pebble would hang.
		if err := s.room.check(0, false); err != nil {
			return err
		}
	}
	s.db, err = s.openPebble()
	if err != nil {
		return translateOpen(err)
	}
	if err := s.failure(); err != nil {
		return errors.Join(err, s.db.Close())
	}
	s.opened.Store(true)
	if s.opts.ReadOnly {
		return nil
	}
	return s.removeTables()
}

// Close writes out what is in memory, so that the next Open has nothing to
// replay, waits for running compactions, and releases the directory.
//
// While snapshots or iterators are open it changes nothing and returns ErrBusy
// with their number. A second call returns ErrClosed. After a failure of the
// storage it returns ErrFailed and the directory stays as it was when that
// happened.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if n, m := s.snapshots.Load(), s.iterators.Load(); n+m > 0 {
		return fmt.Errorf("%w: %d snapshots and %d iterators are open", ErrBusy, n, m)
	}
	s.closed = true
	if !s.opts.ReadOnly {
		s.settle()
	}
	err := s.protected(s.closePebble)
	s.endFiles()
	return errors.Join(s.failure(), translate(err))
}

// endFiles closes what is open beside db.
func (s *Store) endFiles() {
	s.fs.endTails()
	if s.lock != nil && !s.stuck.Load() {
		s.lock.Close() // the end of the process would do the same
	}
	if s.slow != nil {
		s.slow.Close() // it does not fail
	}
}

// closePebble closes the underlying store, unless a panic has left it in a
// state in which that would wait for ever.
func (s *Store) closePebble() error {
	if s.stuck.Load() {
		return nil
	}
	return s.db.Close()
}

// settle writes out what is in memory and waits for compactions, so that the
// next Open begins with neither. It gives up after a while: what is not done
// then is done after that Open.
func (s *Store) settle() {
	if s.failure() != nil || s.room.check(0, false) != nil {
		return
	}
	if s.unflushed.Load() {
		if err := s.protected(func() error { return s.flushWithin(flushTime) }); err != nil {
			return
		}
	}
	deadline := time.Now().Add(settleTime)
	for s.failure() == nil && s.db.Metrics().Compact.NumInProgress > 0 && time.Now().Before(deadline) {
		// Pebble tells the end of a compaction before it has begun the next.
		time.Sleep(settlePause)
	}
}

func (s *Store) flushWithin(limit time.Duration) error {
	done, err := s.db.AsyncFlush()
	if err != nil {
		return err
	}
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	select {
	case <-done:
	case <-deadline.C:
	}
	return nil
}

// Flush writes what is in memory to tables. It waits as long as that fails.
func (s *Store) Flush() error {
	if err := s.acquireWrite(); err != nil {
		return err
	}
	defer s.release()
	if !s.unflushed.Swap(false) {
		return nil
	}
	return s.guarded(s.db.Flush)
}

// Compact rewrites the tables that hold keys with lo <= key < hi, so that
// deleted and replaced values give back their room. Nil stands for no bound.
func (s *Store) Compact(ctx context.Context, lo, hi []byte) error {
	if err := s.acquireWrite(); err != nil {
		return err
	}
	defer s.release()
	lo, hi = closedRange(lo, hi)
	return s.guarded(func() error { return s.db.Compact(ctx, lo, hi, false) })
}

// DiskBytes estimates the bytes on disk of the keys with lo <= key < hi. What
// was not flushed yet is not counted. Nil stands for no bound.
func (s *Store) DiskBytes(lo, hi []byte) (uint64, error) {
	if err := s.acquire(); err != nil {
		return 0, err
	}
	defer s.release()
	lo, hi = closedRange(lo, hi)
	n, err := s.db.EstimateDiskUsage(lo, hi)
	return n, translate(err)
}

// closedRange replaces bounds that are nil by keys around all of ours.
func closedRange(lo, hi []byte) (from, to []byte) {
	if lo == nil {
		lo = []byte{}
	}
	if hi == nil {
		hi = []byte{0xff, 0xff, 0xff, 0xff}
	}
	return lo, hi
}

// FreeBytes returns the bytes that may still be written to the file system, or
// an error that is [errors.ErrUnsupported] where there is no such number.
func (s *Store) FreeBytes() (int64, error) {
	free, err := freeBytes(s.fs, s.dir)
	if errors.Is(err, vfs.ErrUnsupported) {
		return 0, errors.ErrUnsupported
	}
	return free, err
}

// acquire begins a call that uses the underlying store; release ends it.
func (s *Store) acquire() error {
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return ErrClosed
	}
	if err := s.failure(); err != nil {
		s.mu.RUnlock()
		return err
	}
	return nil
}

// acquireWrite is acquire for a call that changes files.
func (s *Store) acquireWrite() error {
	if s.opts.ReadOnly {
		return ErrReadOnly
	}
	return s.acquire()
}

func (s *Store) release() { s.mu.RUnlock() }

// fail ends the store because of err. Only the first call does anything.
func (s *Store) fail(err error) {
	err = fmt.Errorf("%w: %w", ErrFailed, err)
	if s.failed.CompareAndSwap(nil, &err) && s.opened.Load() {
		s.opts.Fatal(err)
	}
}

// failure returns why the store ended, or nil.
func (s *Store) failure() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// guarded runs a change and returns its error. If the store failed meanwhile,
// nobody knows whether the change happened, and it ends the goroutine.
func (s *Store) guarded(change func() error) error {
	err := s.protected(change)
	if s.failure() != nil {
		runtime.Goexit()
	}
	return translate(err)
}

// protected runs a change and ends the store if it panics, which Pebble does
// where it has no other way to report an error, with locks held.
func (s *Store) protected(change func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.stuck.Store(true)
			s.fail(asError(r))
		}
	}()
	return change()
}

// path returns the path of a file or folder of ours in the data directory.
func (s *Store) path(name string) string { return s.fs.PathJoin(s.dir, name) }

func asError(recovered any) error {
	if err, ok := recovered.(error); ok {
		return err
	}
	return fmt.Errorf("%v", recovered)
}
