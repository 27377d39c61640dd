package storage

import (
	"fmt"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	defaultCacheBytes    = 64 << 20
	defaultMemTableBytes = 16 << 20
	defaultMinFreeBytes  = 64 << 20
	defaultSlowDisk      = 5 * time.Second

	// memTables is how many memtables may fill up before writes stop. Times
	// the size of one it bounds the log that a crash leaves to be replayed,
	// and so the time of the next Open: 64 MiB take about 1.2 s.
	memTables = 4

	// blockBytes is the size of a table's blocks before compression, the unit
	// of a read from disk and of the cache. With 32 KiB a search in a cold cache takes
	// a tenth longer, and the id map a third more; with 8 KiB there is no difference.
	blockBytes = 16 << 10

	// bloomBitsPerKey gives about 1 % false positives. Tables of the lowest
	// level have no filter: whoever asks for a key that may be new, as those of
	// records are, has a filter of its own, and a filter of a level spares only
	// the looks at keys that are not in it, nor below.
	bloomBitsPerKey = 10

	// maxOpenFiles bounds the tables that are held open.
	maxOpenFiles = 1000

	// bytesPerSync spreads the write-back of a table over its making, so that
	// its final sync does not hold up the log's.
	bytesPerSync = 512 << 10

	// exitFailed is the status of a process that ends because its storage
	// failed: EX_SOFTWARE of sysexits.h.
	exitFailed = 70
)

// FS is a file system that a store can live on. Package storagetest has ones
// that crash, fail and fill up on demand.
type FS = vfs.FS

// Options says how to open a store. The zero value and nil are useful: a store
// on disk that can be written to.
type Options struct {
	// ReadOnly opens an existing store without changing a file. It may be on a
	// file system that is mounted for reading.
	ReadOnly bool
	// Salvage is ReadOnly for a damaged store, which opens also where a table is
	// missing or cannot be read, or a log is damaged: those are left out, and
	// [Store.Losses] tells of them. What they had changed may then be as it was
	// before.
	Salvage bool
	// Unfinished opens a directory that [BeginDir] has begun.
	Unfinished bool
	// InMemory keeps everything in memory and ignores the directory. What was
	// written is gone after Close.
	InMemory bool
	// CacheBytes is the size of the cache of table blocks; 0 stands for
	// 64 MiB. It is on the Go heap.
	CacheBytes int64
	// MemTableBytes is the size of one memtable; 0 stands for 16 MiB. Up to
	// four of them are held.
	MemTableBytes int
	// MinFreeBytes is the free space below which Open and writes fail with
	// ErrFull; 0 stands for 64 MiB, a negative number turns the check off.
	// Batches that only delete may go down to half of it.
	MinFreeBytes int64
	// SlowDisk is how long a change of a file may take before Events.SlowDisk is
	// called; 0 stands for 5 seconds.
	SlowDisk time.Duration
	// FS is the file system; nil stands for the operating system's.
	FS FS
	// Fatal is called once when a file operation failed after which nothing
	// written could be trusted, possibly from a goroutine of the storage. It
	// must end the process; nil stands for a line on standard error and exit
	// status 70. Should it return, the store does nothing more: no file is
	// changed, and the goroutine of every call that was under way is ended by
	// runtime.Goexit, because neither success nor failure would be true.
	Fatal func(error)
	// Events is told what happens in the background.
	Events Events
}

// Events holds functions that are called when something happens that no caller
// is waiting for; nil ones are skipped. They are called from goroutines of the
// storage, some with its locks held: they must return soon and must not call
// the store.
type Events struct {
	// Corruption is called for damage found in a file. The error is marked
	// with ErrCorrupt. Stop reading what is damaged: each time it is read,
	// Pebble looks for a flipped bit by trying the first 320,000, which takes
	// a quarter of a second for a block of 16 KiB and 20 seconds for a value of 1 MiB.
	Corruption func(error)
	// BackgroundError is called when flushing or compacting failed and will be
	// tried again, at most once a second.
	BackgroundError func(error)
	// LowDisk is called with the bytes left when free space falls to 10, 5, 3,
	// 2 and 1 % of the file system, and when a write is refused, then at most
	// once a second.
	LowDisk func(freeBytes uint64)
	// SlowDisk is called when an operation that changes a file, a write or a
	// sync, is still under way after Options.SlowDisk: a disk that hangs gives no
	// error. It is called at most once a second.
	SlowDisk func(file, operation string, since time.Duration)
	// WriteStall is called when writes begin to wait for flushes or
	// compactions, and when that ends; reason is empty at the end.
	WriteStall func(begin bool, reason string)
}

// withDefaults returns a copy of o in which every zero is replaced.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.CacheBytes == 0 {
		c.CacheBytes = defaultCacheBytes
	}
	if c.MemTableBytes == 0 {
		c.MemTableBytes = defaultMemTableBytes
	}
	if c.MinFreeBytes == 0 {
		c.MinFreeBytes = defaultMinFreeBytes
	}
	if c.SlowDisk == 0 {
		c.SlowDisk = defaultSlowDisk
	}
	c.ReadOnly = c.ReadOnly || c.Salvage
	if c.Fatal == nil {
		c.Fatal = exit
	}
	return c
}

// exit is what Options.Fatal does when it is not set.
func exit(err error) {
	fmt.Fprintf(os.Stderr, "quarry: storage failed, ending the process: %v\n", err)
	os.Exit(exitFailed)
}

// pebbleOptions returns the settings of the underlying store.
func (s *Store) pebbleOptions() *pebble.Options {
	o := &pebble.Options{
		FS:       s.fs,
		ReadOnly: s.opts.ReadOnly,
		// The default is the oldest format that is still readable, in which one
		// flipped bit in the log silently drops every later record.
		FormatMajorVersion:          pebble.FormatNewest,
		CacheSize:                   s.opts.CacheBytes,
		MemTableSize:                uint64(s.opts.MemTableBytes),
		MemTableStopWritesThreshold: memTables,
		MaxOpenFiles:                maxOpenFiles,
		BytesPerSync:                bytesPerSync,
		CompactionConcurrencyRange:  func() (lower, upper int) { return 1, 2 },
		Logger:                      logger{s},
		EventListener:               s.listener(),
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = blockBytes
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(bloomBitsPerKey)
		o.Levels[i].FilterType = pebble.TableFilter
	}
	o.Levels[len(o.Levels)-1].FilterPolicy = pebble.NoFilterPolicy
	// Values are packed by their owners; a fast pass catches what is left, and a
	// block that shrinks by less than 12 % is stored as it is. In the lowest level,
	// where what is written stays, a block is packed by Zstandard if that takes a tenth
	// less than the fast pass: the id map of speed-packages takes 12.9 MB in place of
	// 18.5 and dictionaries a quarter less. Building that index takes a tenth to a fifth
	// more processor time; inserts, updates and opening take no longer,
	// deletes up to twice as long, for the blocks of the id map that they read.
	// (DBCompressionBalanced does the same with cgo, where its Zstandard is the C
	// library, but without it hardly packs anything.)
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionGood })
	return o
}
