package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/sstable"
)

// Check reads every block of every table from disk and verifies its checksum,
// then that keys are in order and levels do not contradict each other. It
// returns the first damage it finds, marked with ErrCorrupt. Reads and writes
// go on meanwhile; it takes as long as reading all tables twice. ctx is looked
// at before each table.
func (s *Store) Check(ctx context.Context) error {
	if err := s.acquire(); err != nil {
		return err
	}
	defer s.release()
	// An iterator keeps the tables of this moment from being deleted.
	pin, err := s.db.NewIter(nil)
	if err != nil {
		return translate(err)
	}
	defer pin.Close()
	tables, err := s.tableFiles()
	if err != nil {
		return err
	}
	for path := range tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.checkTable(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", s.fs.PathBase(path), err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return translate(s.db.CheckLevels(nil))
}

// tableFiles returns the paths of the files that hold live tables.
func (s *Store) tableFiles() (map[string]struct{}, error) {
	levels, err := s.db.SSTables()
	if err != nil {
		return nil, translate(err)
	}
	paths := make(map[string]struct{})
	for _, level := range levels {
		for _, t := range level {
			paths[s.fs.PathJoin(s.path(storeName), t.BackingSSTNum.String()+".sst")] = struct{}{}
		}
	}
	return paths, nil
}

// checkTable verifies the checksums of one table.
func (s *Store) checkTable(ctx context.Context, path string) error {
	f, err := s.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		// A table that was made after the pin may be compacted away by now.
		if now, err := s.tableFiles(); err != nil {
			return err
		} else if _, live := now[path]; !live {
			return nil
		}
		return mark(ErrCorrupt, err)
	}
	if err != nil {
		return translate(err)
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(translate(err), f.Close())
	}
	r, err := sstable.NewReader(ctx, readable, s.reading)
	if err != nil {
		return translate(err) // the reader has closed the file
	}
	return errors.Join(translate(r.ValidateBlockChecksums()), r.Close())
}
