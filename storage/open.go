package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// openPebble opens the underlying store and turns a panic into an error.
func (s *Store) openPebble() (db *pebble.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, asError(r)
		}
	}()
	options := s.pebbleOptions()
	latest := false
	// A new store is locked when Pebble has made its folder.
	if _, err := s.fs.Stat(s.path(storeName)); err == nil {
		lock, err := pebble.LockDirectory(s.path(storeName), s.fs)
		if err != nil {
			return nil, err
		}
		s.lock, options.Lock = lock, lock
	}
	if latest, err = s.inspectPebble(); err != nil {
		return nil, err
	}
	if s.salvaged != nil {
		db, err = s.openSalvaged(options)
	} else {
		db, err = pebble.Open(s.path(storeName), options)
	}
	if err != nil {
		return nil, s.optionsDamage(options, s.fs.named(err))
	}
	s.guarding.Store(true)
	if !latest && !s.opts.ReadOnly {
		// Pebble begins the log before it raises the format of a new store, and
		// in the old format one flipped bit silently drops every later record.
		// A flush begins a new log.
		if err := db.Flush(); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	options.EnsureDefaults()
	// The lowest level is where a table of new keys ends up.
	s.writing = options.MakeWriterOptions(len(options.Levels)-1, db.TableFormat())
	s.reading = options.MakeReaderOptions()
	return db, nil
}

// optionsDamage returns err, or that Pebble's file of options is damaged if that
// is why Pebble did not open: it says what differs from the options of a store of
// ours, but not where, and all stores have the same.
func (s *Store) optionsDamage(options *pebble.Options, err error) error {
	names, failed := s.fs.List(s.path(storeName))
	if failed != nil {
		return err
	}
	options.EnsureDefaults()
	for _, name := range names {
		if !strings.HasPrefix(name, "OPTIONS-") {
			continue
		}
		text, failed := s.readAll(s.fs.PathJoin(s.path(storeName), name))
		if failed != nil {
			continue
		}
		if differs := options.CheckCompatibility(s.path(storeName), string(text)); differs != nil && differs.Error() == err.Error() {
			return fmt.Errorf("%w: %s: %w; it holds no data, and the store opens without it: move it away", ErrCorrupt, name, err)
		}
	}
	return err
}

func (s *Store) readAll(name string) ([]byte, error) { return readFile(s.fs, name) }

func readFile(fsys vfs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// inspectPebble looks at Pebble's files before it does, and so before anything is
// changed. It returns whether their format is the one that we use, and an error if
// the log or the manifest is damaged, or if there are data but nothing that says
// which are current: Pebble would take that for a new store and remove them.
func (s *Store) inspectPebble() (latest bool, err error) {
	names, err := s.fs.List(s.path(storeName))
	if errors.Is(err, fs.ErrNotExist) {
		// The folder of tables is made when the store is there.
		if _, err := s.fs.Stat(s.path(tablesName)); err == nil {
			return false, fmt.Errorf("%w: no folder %s", ErrCorrupt, storeName)
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var manifest, data, newer bool
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "marker.manifest."):
			manifest = true
		case strings.HasPrefix(name, "marker.format-version."):
			version, _ := strconv.Atoi(name[strings.LastIndexByte(name, '.')+1:])
			latest = latest || version == int(pebble.FormatNewest)
			newer = newer || version > int(pebble.FormatNewest)
		case strings.HasSuffix(name, ".sst"), strings.HasSuffix(name, ".log"):
			data = true
		}
	}
	if data && !manifest {
		return false, fmt.Errorf("%w: no file marker.manifest in folder %s", ErrCorrupt, storeName)
	}
	if newer {
		return latest, nil // it may have other chunks; Pebble says what it is
	}
	return latest, s.checkTails(names)
}
