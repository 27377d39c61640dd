package storage

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2"
)

// Checkpoint makes dir a data directory with the state of the store as it is
// now. Writers go on meanwhile. Tables are hard links, so that it takes little
// time and room, and so dir must be new and on the same file system. It is
// built as dir+".tmp" and renamed when it is complete and durable: a crash
// never leaves a dir that only looks complete.
//
// Errors: ErrFull, ErrReadOnly, ErrClosed, ErrFailed, [fs.ErrExist],
// [errors.ErrUnsupported] for a store in memory.
func (s *Store) Checkpoint(dir string) error {
	if err := s.acquireWrite(); err != nil {
		return err
	}
	defer s.release()
	if s.opts.InMemory {
		return errors.ErrUnsupported
	}
	if err := s.checkpoint(s.fs.PathJoin(dir)); err != nil {
		return fmt.Errorf("checkpoint %s: %w", dir, translate(err))
	}
	return nil
}

func (s *Store) checkpoint(dir string) error {
	if err := s.room.check(0, false); err != nil {
		return err
	}
	if _, err := s.fs.Stat(dir); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := dir + ".tmp"
	if err := s.removeAll(temp); err != nil {
		return err
	}
	if err := s.build(temp); err != nil {
		return errors.Join(err, s.removeAll(temp))
	}
	if err := s.fs.Rename(temp, dir); err != nil {
		return errors.Join(err, s.removeAll(temp))
	}
	return syncDir(s.fs, s.fs.PathDir(dir))
}

// build makes a data directory at dir.
func (s *Store) build(dir string) error {
	if err := makeDir(s.fs, dir); err != nil {
		return err
	}
	if err := s.guarded(func() error {
		return s.db.Checkpoint(s.fs.PathJoin(dir, storeName), pebble.WithFlushedWAL())
	}); err != nil {
		return err
	}
	// The marker comes last: without it, Open refuses the directory.
	return writeMarker(s.fs, dir)
}

// removeAll removes a directory that need not be there.
func (s *Store) removeAll(dir string) error {
	if err := s.fs.RemoveAll(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
