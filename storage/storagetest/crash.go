package storagetest

import (
	"io"
	"math/rand/v2"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/quarry-search/quarry/storage"
)

// A CrashFS is a file system in memory that remembers what was synced. Clone
// returns what a loss of power at that moment could leave on disk.
type CrashFS struct {
	vfs.FS // the same as mem, with all of its methods
	mem    *vfs.MemFS

	// mu is held for reading by the operations that take the lock of mem twice.
	// A Clone between the two would wait for the first and block the second.
	mu sync.RWMutex
}

var _ storage.FS = (*CrashFS)(nil)

// NewCrashFS returns an empty file system.
func NewCrashFS() *CrashFS { return newCrashFS(vfs.NewCrashableMem()) }

func newCrashFS(mem *vfs.MemFS) *CrashFS { return &CrashFS{FS: mem, mem: mem} }

// Clone returns a copy with everything that was synced and with each block and
// each directory entry that was not, at the given probability: 0 is the
// strictest disk, 100 the kill of a process. The seed decides which ones. The
// file system goes on as if nothing had happened.
func (c *CrashFS) Clone(unsyncedPercent int, seed uint64) *CrashFS {
	c.mu.Lock()
	defer c.mu.Unlock()
	return newCrashFS(c.mem.CrashClone(vfs.CrashCloneCfg{
		UnsyncedDataPercent: unsyncedPercent,
		RNG:                 rand.New(rand.NewPCG(seed, 0)),
	}))
}

// Link implements storage.FS.
func (c *CrashFS) Link(oldname, newname string) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mem.Link(oldname, newname)
}

// Lock implements storage.FS.
func (c *CrashFS) Lock(name string) (io.Closer, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mem.Lock(name)
}

// ReuseForWrite implements storage.FS.
func (c *CrashFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mem.ReuseForWrite(oldname, newname, category)
}

// Unwrap implements storage.FS.
func (c *CrashFS) Unwrap() vfs.FS { return c.mem }
