package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A store with a table that is missing, or was cut off, does not open, and one
// with a log that is damaged does not either. With Options.Salvage it does, and
// what cannot be read is left out. No file is changed for that: Pebble is shown
// an empty table in the place of one that cannot be read, and the beginning of a
// damaged log as if it were the whole. So what other tables and logs hold is
// merged as ever; but where a change was in what is left out, what was there
// before may be seen again.
//
// Without the manifest nobody knows which tables count, nor in which order: a
// damaged one is beyond this.

// A Loss is a file of a store that could not be read, or not to its end.
type Loss struct {
	File   string // its name, in the folder of the store
	Lo, Hi []byte // the first and the last key that it may have held; nil: any
	Err    error  // what is wrong with it
}

// MayHold tells whether what was lost can have been about a key.
func (l Loss) MayHold(key []byte) bool {
	return (l.Lo == nil || bytes.Compare(key, l.Lo) >= 0) && (l.Hi == nil || bytes.Compare(key, l.Hi) <= 0)
}

// Overlaps tells whether what was lost can have been about a key with lo <= key < hi.
func (l Loss) Overlaps(lo, hi []byte) bool {
	return (l.Lo == nil || bytes.Compare(l.Lo, hi) < 0) && (l.Hi == nil || bytes.Compare(lo, l.Hi) <= 0)
}

// Losses returns what Options.Salvage has left out, by file. It is empty for a
// store in which every table and log can be read, though blocks of tables may be
// damaged.
func (s *Store) Losses() []Loss {
	if s.salvaged == nil {
		return nil
	}
	var out []Loss
	for _, name := range slices.Sorted(maps.Keys(s.salvaged.losses)) {
		out = append(out, *s.salvaged.losses[name])
	}
	return out
}

// A salvageFS is the file system that Pebble is shown of a damaged store.
type salvageFS struct {
	vfs.FS
	store string // the folder

	// What follows is changed only while nobody has the store open.
	losses map[string]*Loss // by name
	tables map[string]bool  // names of the tables that are shown empty
	logs   map[string]int64 // by name, where the logs end that are shown in part
	empty  []byte           // a table without entries
}

func newSalvageFS(base FS, store string) *salvageFS {
	return &salvageFS{FS: base, store: store, losses: map[string]*Loss{}, tables: map[string]bool{}, logs: map[string]int64{}}
}

// leaveOut notes that a table is shown empty.
func (f *salvageFS) leaveOut(table string, err error) {
	f.tables[table] = true
	f.losses[table] = &Loss{File: table, Err: err}
}

// cutOff notes that a log is shown up to a byte.
func (f *salvageFS) cutOff(log string, end int64, err error) {
	f.logs[log] = end
	f.losses[log] = &Loss{File: log, Err: err}
}

// ours returns the name of a file in the folder of the store, else "".
func (f *salvageFS) ours(name string) string {
	if f.PathDir(name) != f.store {
		return ""
	}
	return f.PathBase(name)
}

// Open implements FS.
func (f *salvageFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	base := f.ours(name)
	if f.tables[base] {
		return vfs.NewMemFile(f.empty), nil
	}
	file, err := f.FS.Open(name, opts...)
	if end, cut := f.logs[base]; err == nil && cut {
		return &prefix{File: file, left: end}, nil
	}
	return file, err
}

// Stat implements FS.
func (f *salvageFS) Stat(name string) (vfs.FileInfo, error) {
	if f.tables[f.ours(name)] {
		return vfs.NewMemFile(f.empty).Stat()
	}
	return f.FS.Stat(name)
}

// List implements FS. Pebble's file of options is not shown: it holds no data, and
// a damaged one would keep the store from being opened.
func (f *salvageFS) List(dir string) ([]string, error) {
	names, err := f.FS.List(dir)
	if err != nil || dir != f.store {
		return names, err
	}
	shown := maps.Clone(f.tables)
	for _, name := range names {
		if !strings.HasPrefix(name, "OPTIONS-") {
			shown[name] = true
		}
	}
	return slices.Sorted(maps.Keys(shown)), nil
}

// Unwrap implements FS.
func (f *salvageFS) Unwrap() vfs.FS { return f.FS }

// inconsistent is how Pebble names a table that is missing or has not the size that
// the manifest says.
var inconsistent = regexp.MustCompile(`L[0-9]: ([0-9]{6,}): ([^\n]*)`)

// openSalvaged opens Pebble without the tables that cannot be read.
func (s *Store) openSalvaged(options *pebble.Options) (*pebble.DB, error) {
	f := s.salvaged
	for i := range options.Levels {
		options.Levels[i].FilterPolicy = pebble.NoFilterPolicy // they may be damaged, and only save time
	}
	options.EnsureDefaults()
	var err error
	if f.empty, err = emptyTable(options); err != nil {
		return nil, err
	}
	db, err := pebble.Open(s.path(storeName), options)
	if err != nil {
		bad := inconsistent.FindAllStringSubmatch(err.Error(), -1)
		for _, m := range bad {
			f.leaveOut(m[1]+".sst", fmt.Errorf("%w: %s", ErrCorrupt, tableText(m[2])))
		}
		if len(bad) > 0 {
			options.DisableConsistencyCheck = true // the empty tables have other sizes
			db, err = pebble.Open(s.path(storeName), options)
		}
	}
	if err != nil && isDamage(err) {
		if cut, failed := s.endLogs(); !cut || failed != nil {
			return nil, errors.Join(err, failed)
		}
		db, err = pebble.Open(s.path(storeName), options)
	}
	if err != nil {
		return nil, err
	}
	before := len(f.tables)
	if err := s.tryTables(db, options); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if len(f.tables) > before {
		// What Pebble has kept of them is forgotten.
		if err := db.Close(); err != nil {
			return nil, err
		}
		options.DisableConsistencyCheck = true
		if db, err = pebble.Open(s.path(storeName), options); err != nil {
			return nil, err
		}
	}
	if err := s.boundLosses(db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// endLogs has the logs end with a whole record that should have an end and have
// none: only the newest may be torn. It tells whether there are any.
func (s *Store) endLogs() (any bool, err error) {
	names, err := s.fs.List(s.path(storeName))
	if err != nil {
		return false, err
	}
	logs := map[string]uint64{}
	newest := uint64(0)
	for _, name := range names {
		if number, manifest, ok := fileNumber(name); ok && !manifest {
			logs[name], newest = number, max(newest, number)
		}
	}
	for name, number := range logs {
		if _, cut := s.salvaged.logs[name]; cut || number == newest {
			continue
		}
		found, err := s.checkTail(name, number, false, 0)
		if err != nil {
			return any, err
		}
		if !found.closed {
			any = true
			s.salvaged.cutOff(name, found.whole, fmt.Errorf("%w: it has no end behind byte %d", ErrCorrupt, found.whole))
		}
	}
	return any, nil
}

// tryTables leaves out the tables of which nothing can be read.
func (s *Store) tryTables(db *pebble.DB, options *pebble.Options) error {
	levels, err := db.SSTables()
	if err != nil {
		return err
	}
	for _, level := range levels {
		for _, t := range level {
			name := t.BackingSSTNum.String() + ".sst"
			if s.salvaged.tables[name] {
				continue
			}
			err := s.tryTable(s.fs.PathJoin(s.path(storeName), name), options.MakeReaderOptions())
			var refused syscall.Errno
			if errors.As(err, &refused) && refused != syscall.EIO && !errors.Is(err, fs.ErrNotExist) {
				return err // says nothing about the table
			}
			if err != nil {
				s.salvaged.leaveOut(name, fmt.Errorf("%w: %w", ErrCorrupt, damage{err}))
			}
		}
	}
	return nil
}

// tryTable reads what every look into a table needs: its end, its index and its
// deletions of ranges.
func (s *Store) tryTable(path string, options sstable.ReaderOptions) error {
	f, err := s.fs.Open(path)
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r, err := sstable.NewReader(context.Background(), readable, options)
	if err != nil {
		return err // the reader has closed the file
	}
	points, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err == nil {
		err = points.Close()
	}
	if err == nil {
		ranges, failed := r.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
		if err = failed; err == nil && ranges != nil {
			ranges.Close()
		}
	}
	return errors.Join(err, r.Close())
}

// boundLosses notes which keys the tables may have held that are left out.
func (s *Store) boundLosses(db *pebble.DB) error {
	levels, err := db.SSTables()
	if err != nil {
		return err
	}
	for _, level := range levels {
		for _, t := range level {
			l := s.salvaged.losses[t.BackingSSTNum.String()+".sst"]
			if l == nil {
				continue
			}
			if lo := t.Smallest.UserKey; l.Lo == nil || bytes.Compare(lo, l.Lo) < 0 {
				l.Lo = bytes.Clone(lo)
			}
			if hi := t.Largest.UserKey; l.Hi == nil || bytes.Compare(hi, l.Hi) > 0 {
				l.Hi = bytes.Clone(hi)
			}
		}
	}
	return nil
}

// emptyTable returns the bytes of a table without entries.
func emptyTable(options *pebble.Options) ([]byte, error) {
	mem := vfs.NewMem()
	f, err := mem.Create("empty", vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), options.MakeWriterOptions(0, pebble.FormatNewest.MaxTableFormat()))
	if err := w.Close(); err != nil {
		return nil, err
	}
	return readFile(mem, "empty")
}
