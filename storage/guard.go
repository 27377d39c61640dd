package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableRetryPause is how long a failed change of a table file waits before it
// returns. Pebble repeats a failed flush at once and for ever: on a full disk
// that was 23,000 times a second.
const tableRetryPause = 10 * time.Millisecond

// openFailures is how many changes of files may fail while a store is opened.
// Pebble writes out there what it has replayed, and repeats that for ever.
const openFailures = 50

// A guardFS stands between Pebble and the file system. It does seven things.
//
// It makes every file readable by its owner only.
//
// It makes the name of a new manifest durable together with its content. Pebble
// writes the marker that points to it first, so that on a file system that is
// free to reorder names a crash could leave a marker that points to nothing.
//
// It sees a failed change of the log or the manifest before Pebble does and
// ends the store. Pebble's own reaction is a panic with its mutex unlocked,
// which ends the process in a way that no one can intercept, or a call of
// Logger.Fatalf from which it goes on and acknowledges what is not on disk.
//
// It ends the opening of a store on a disk that fails for good.
//
// It knows the file that an error of opening is about.
//
// It notes how much of the log and the manifest is on disk, and has the log say so;
// see [tails]. A copy of a log that is being written ends there.
//
// When the store has failed and the process lives on, it keeps the directory as
// it was at that moment: no change reaches it, while Pebble is told that all is
// well, so that its goroutines come to an end without more damage.
type guardFS struct {
	vfs.FS
	s *Store
	// private is set where files have owners: on the operating system's own
	// file system.
	private bool

	tails    tails
	failures atomic.Int64           // of changes while the store was being opened
	reading  atomic.Pointer[string] // the file that was opened last to be read
}

// Open notes which file is read: Pebble does not name the log or the list of
// options that it finds damaged. Of a log that is being written it gives what is
// on disk: a copy that has some blocks of before a write and some of after it
// would look damaged.
func (g *guardFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if !g.s.opened.Load() {
		g.reading.Store(&name)
	}
	f, err := g.FS.Open(name, opts...)
	if t := g.tails.newest.Load(); err == nil && t != nil && t.name == name {
		return &prefix{File: f, left: t.onDisk.Load()}, nil
	}
	return f, err
}

// named adds the name of the file that was being read to an error about damage
// that does not name a file.
func (g *guardFS) named(err error) error {
	name := g.reading.Load()
	if name == nil || !isDamage(err) || strings.Contains(err.Error(), g.PathBase(*name)) || strings.Contains(err.Error(), ".sst") {
		return err
	}
	return fmt.Errorf("%s: %w", g.PathBase(*name), err)
}

// vital reports whether name is a file without which nothing written can be
// trusted: the log, the manifest, the markers that say which are current, and
// the directory that holds them.
func (g *guardFS) vital(name string) bool {
	store := g.s.path(storeName)
	if name == store {
		return true
	}
	base := g.PathBase(name)
	return g.PathDir(name) == store &&
		(strings.HasSuffix(base, ".log") || strings.HasPrefix(base, "marker.") || g.isManifest(name))
}

func (g *guardFS) isManifest(name string) bool {
	return strings.HasPrefix(g.PathBase(name), "MANIFEST-")
}

// outcome decides what Pebble is told about a change of the file called name
// that ended with err.
func (g *guardFS) outcome(name string, err error) error {
	switch {
	case err == nil, g.frozen():
		return nil
	case (g.s.guarding.Load() || g.isManifest(name)) && g.vital(name), !g.s.opened.Load() && g.failures.Add(1) > openFailures:
		g.s.fail(fmt.Errorf("%s: %w", g.PathBase(name), err))
		return nil
	case strings.HasSuffix(name, ".sst"):
		time.Sleep(tableRetryPause)
	}
	return err
}

func (g *guardFS) frozen() bool { return g.s.failed.Load() != nil }

// created is outcome for a change that makes a file. A frozen store gets one
// that swallows what is written.
func (g *guardFS) created(name string, f vfs.File, err error) (vfs.File, error) {
	if err = g.outcome(name, err); err != nil {
		return nil, err
	}
	if g.frozen() {
		if f != nil {
			f.Close()
		}
		return swallow{vfs.NewMemFile(nil)}, nil
	}
	return &guardFile{File: f, g: g, name: name, tail: g.follow(name)}, nil
}

func (g *guardFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if g.frozen() {
		return g.created(name, nil, nil)
	}
	f, err := g.FS.Create(name, category)
	if err == nil && g.private {
		if err = os.Chmod(name, 0o600); err != nil {
			f.Close()
		}
	}
	return g.created(name, f, err)
}

func (g *guardFS) OpenReadWrite(
	name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption,
) (vfs.File, error) {
	if g.frozen() {
		return g.created(name, nil, nil)
	}
	f, err := g.FS.OpenReadWrite(name, category, opts...)
	return g.created(name, f, err)
}

func (g *guardFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if g.frozen() {
		return g.created(newname, nil, nil)
	}
	f, err := g.FS.ReuseForWrite(oldname, newname, category)
	return g.created(newname, f, err)
}

func (g *guardFS) OpenDir(name string) (vfs.File, error) {
	f, err := g.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &guardFile{File: f, g: g, name: name}, nil
}

func (g *guardFS) Link(oldname, newname string) error {
	if g.frozen() {
		return nil
	}
	return g.outcome(newname, g.FS.Link(oldname, newname))
}

func (g *guardFS) Remove(name string) error {
	if g.frozen() {
		return nil
	}
	// A file that could not be removed takes up room and does no harm.
	return g.FS.Remove(name)
}

func (g *guardFS) RemoveAll(name string) error {
	if g.frozen() {
		return nil
	}
	return g.FS.RemoveAll(name)
}

func (g *guardFS) Rename(oldname, newname string) error {
	if g.frozen() {
		return nil
	}
	return g.outcome(newname, g.FS.Rename(oldname, newname))
}

func (g *guardFS) MkdirAll(dir string, perm os.FileMode) error {
	if g.frozen() {
		return nil
	}
	return g.FS.MkdirAll(dir, perm&0o700)
}

// Lock takes the lock on the directory.
func (g *guardFS) Lock(name string) (io.Closer, error) {
	closer, err := g.FS.Lock(name)
	if g.private && g.s.opts.ReadOnly && (errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)) {
		if reader, failed := lockToRead(name); failed == nil {
			return reader, nil
		} else if isLocked(failed) {
			return nil, mark(ErrLocked, failed)
		}
	}
	if isLocked(err) {
		return nil, mark(ErrLocked, err)
	}
	if err == nil && g.private {
		if err = os.Chmod(name, 0o600); err != nil {
			closer.Close()
			return nil, err
		}
	}
	return closer, err
}

// isLocked reports whether a lock was refused because it is held: by this
// process, which has no error of its own, or by another one. An error that
// names a path is of opening the file.
func isLocked(err error) bool {
	var opening *fs.PathError
	if err == nil || errors.As(err, &opening) {
		return false
	}
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "lock held by current process")
}

func (g *guardFS) Unwrap() vfs.FS { return g.FS }

// A guardFile is a file of a guardFS that can be changed.
type guardFile struct {
	vfs.File
	g     *guardFS
	name  string
	tail  *tail // of a log or manifest that is written; or nil
	named bool  // the name of a manifest is durable
}

func (f *guardFile) Write(p []byte) (int, error) {
	if f.g.frozen() {
		return len(p), nil
	}
	q := p
	if f.tail != nil {
		q = f.tail.write(p)
	}
	n, err := f.File.Write(q)
	if err != nil {
		f.tail = nil // nobody knows where it ends
	}
	if err = f.g.outcome(f.name, err); err == nil {
		n = len(p)
	}
	return n, err
}

func (f *guardFile) WriteAt(p []byte, off int64) (int, error) {
	if f.g.frozen() {
		return len(p), nil
	}
	n, err := f.File.WriteAt(p, off)
	if err = f.g.outcome(f.name, err); err == nil {
		n = len(p)
	}
	return n, err
}

// Preallocate only saves time; some file systems do not have it.
func (f *guardFile) Preallocate(offset, length int64) error {
	if f.g.frozen() {
		return nil
	}
	return f.File.Preallocate(offset, length)
}

func (f *guardFile) Stat() (vfs.FileInfo, error) {
	info, err := f.File.Stat()
	if err == nil {
		return info, nil
	}
	if err := f.g.outcome(f.name, err); err != nil {
		return nil, err
	}
	return swallow{vfs.NewMemFile(nil)}.Stat()
}

func (f *guardFile) Sync() error {
	if f.g.frozen() {
		return nil
	}
	err := f.File.Sync()
	if err == nil && !f.named && f.g.isManifest(f.name) {
		f.named = true
		err = syncDir(f.g.FS, f.g.PathDir(f.name))
	}
	return f.synced(err)
}

func (f *guardFile) SyncData() error {
	if f.g.frozen() {
		return nil
	}
	return f.synced(f.File.SyncData())
}

// synced is outcome for a sync of all that was written.
func (f *guardFile) synced(err error) error {
	if err == nil && f.tail != nil {
		f.g.synced(f.tail)
	}
	return f.g.outcome(f.name, err)
}

func (f *guardFile) SyncTo(length int64) (fullSync bool, err error) {
	if f.g.frozen() {
		return true, nil
	}
	fullSync, err = f.File.SyncTo(length)
	return fullSync, f.g.outcome(f.name, err)
}

func (f *guardFile) Close() error {
	return f.g.outcome(f.name, f.File.Close())
}

// A swallow is a file that takes every write and keeps nothing.
type swallow struct{ vfs.File }

func (swallow) Write(p []byte) (int, error)            { return len(p), nil }
func (swallow) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (swallow) Preallocate(_, _ int64) error           { return nil }
func (swallow) Sync() error                            { return nil }
func (swallow) SyncData() error                        { return nil }
func (swallow) SyncTo(int64) (bool, error)             { return true, nil }
func (swallow) Close() error                           { return nil }
