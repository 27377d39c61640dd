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
	if err := s.fs.RemoveAll(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeDir(s.fs, temp); err != nil {
		return err
	}
	if err := s.guarded(func() error {
		return s.db.Checkpoint(s.fs.PathJoin(temp, storeName), pebble.WithFlushedWAL())
	}); err != nil {
		return err
	}
	// The marker comes last: without it, Open refuses the directory.
	if err := writeMarker(s.fs, temp); err != nil {
		return err
	}
	if err := s.fs.Rename(temp, dir); err != nil {
		return err
	}
	return syncDir(s.fs, s.fs.PathDir(dir))
}
