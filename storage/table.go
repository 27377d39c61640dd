package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A TableWriter writes a table of keys and values to a file of its own beside
// the store, where no reader sees it until [Store.Ingest] makes it a part of
// the store. For many entries that is two to three times as fast as a [Batch]
// and spares the flush. A TableWriter is used by one goroutine, and ended by
// either Finish or Abort; what a crash leaves is removed by the next Open.
type TableWriter struct {
	s    *Store
	w    *sstable.Writer // nil once ended
	path string

	entries int
	pending int // bytes that the room has not been asked for
}

// tableCheckBytes is how much a TableWriter writes between two looks at the
// free space.
const tableCheckBytes = 256 << 10

// A Table is a finished table that waits to be ingested. Its zero value is an
// empty one.
type Table struct {
	path  string // empty for a table without entries
	bytes uint64
}

// SizeBytes returns the size of the file.
func (t Table) SizeBytes() uint64 { return t.bytes }

// NewTable begins a table. Without pack, its blocks are stored as they are: for values
// that their owner has packed, which hardly get smaller, and for what will soon be
// written anew.
//
// Errors: ErrFull, ErrReadOnly, ErrClosed, ErrFailed.
func (s *Store) NewTable(pack bool) (*TableWriter, error) {
	if err := s.acquireWrite(); err != nil {
		return nil, err
	}
	defer s.release()
	if err := s.room.check(0, false); err != nil {
		return nil, err
	}
	path := s.fs.PathJoin(s.path(tablesName), fmt.Sprintf("%06d.sst", s.tables.Add(1)))
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, fmt.Errorf("table: %w", translate(err))
	}
	file := vfs.NewSyncingFile(f, vfs.SyncingFileOptions{BytesPerSync: bytesPerSync})
	options := s.writing
	if !pack {
		options.Compression = block.NoCompression
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), options)
	return &TableWriter{s: s, w: w, path: path}, nil
}

// Set adds an entry. Keys must be added in ascending order, each once. After an
// error the table can only be aborted.
func (t *TableWriter) Set(key, value []byte) error {
	if t.w == nil {
		return ErrClosed
	}
	if t.pending += len(key) + len(value); t.pending >= tableCheckBytes {
		if err := t.s.room.check(int64(t.pending), false); err != nil {
			return err
		}
		t.pending = 0
	}
	t.entries++
	return translate(t.w.Set(key, value))
}

// SizeBytes estimates the size of the file so far.
func (t *TableWriter) SizeBytes() uint64 {
	if t.w == nil {
		return 0
	}
	return t.w.Raw().EstimatedSize()
}

// Finish completes the file and makes it durable.
func (t *TableWriter) Finish() (Table, error) {
	if t.w == nil {
		return Table{}, ErrClosed
	}
	if t.entries == 0 {
		return Table{}, t.Abort()
	}
	err := t.w.Close()
	if err != nil {
		t.w = nil
		return Table{}, errors.Join(translate(err), t.remove())
	}
	meta, err := t.w.Metadata()
	t.w = nil
	if err != nil {
		return Table{}, errors.Join(translate(err), t.remove())
	}
	return Table{path: t.path, bytes: meta.Size}, nil
}

// Abort gives the table up and removes its file.
func (t *TableWriter) Abort() error {
	if t.w == nil {
		return ErrClosed
	}
	// The error of completing a file that is thrown away does not matter.
	_ = t.w.Close()
	t.w = nil
	return t.remove()
}

func (t *TableWriter) remove() error { return removeFile(t.s.fs, t.path) }

// Ingest makes tables, whose keys must not overlap, a part of the store: all of
// their entries become visible and durable together or not at all, and replace
// older values of the same keys. It consumes the tables; after an error they
// are as they were.
//
// Errors: ErrFull, ErrReadOnly, ErrClosed, ErrFailed.
func (s *Store) Ingest(ctx context.Context, tables ...Table) error {
	if err := s.acquireWrite(); err != nil {
		return err
	}
	defer s.release()
	if err := ctx.Err(); err != nil {
		return err
	}
	var paths []string
	for _, t := range tables {
		if t.path != "" {
			paths = append(paths, t.path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	// The tables are linked, not copied: this is for the log and the manifest.
	if err := s.room.check(0, false); err != nil {
		return err
	}
	s.unflushed.Store(true)
	s.ingesting.RLock()
	defer s.ingesting.RUnlock()
	if err := s.guarded(func() error { return s.db.Ingest(ctx, paths) }); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	return nil
}

// Discard removes tables that will not be ingested.
func (s *Store) Discard(tables ...Table) error {
	if err := s.acquireWrite(); err != nil {
		return err
	}
	defer s.release()
	var errs []error
	for _, t := range tables {
		if t.path != "" {
			errs = append(errs, removeFile(s.fs, t.path))
		}
	}
	return errors.Join(errs...)
}

// removeTables empties the folder of tables that are being built, and makes it
// if it is missing.
func (s *Store) removeTables() error {
	dir := s.path(tablesName)
	names, err := s.fs.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return s.fs.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := removeFile(s.fs, s.fs.PathJoin(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// removeFile removes a file that need not be there.
func removeFile(fsys vfs.FS, path string) error {
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return translate(err)
	}
	return nil
}
