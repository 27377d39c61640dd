package storagetest

import (
	"fmt"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/quarry-search/quarry/storage"
)

// A FullFS is a file system in memory that holds a limited number of bytes. A
// write that would exceed it fails with ENOSPC and writes nothing, as the
// creation of a file does when nothing is left.
type FullFS struct {
	vfs.FS

	mu    sync.Mutex
	limit int64
	used  int64
	sizes map[string]*inode // by path
}

// An inode is what the names of one file share.
type inode struct {
	size  int64
	names int
}

var _ storage.FS = (*FullFS)(nil)

// NewFullFS returns an empty file system for limitBytes bytes.
func NewFullFS(limitBytes int64) *FullFS {
	return &FullFS{FS: vfs.NewMem(), limit: limitBytes, sizes: make(map[string]*inode)}
}

// SetLimit changes the number of bytes it holds. It may be less than what is
// used already.
func (f *FullFS) SetLimit(limitBytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = limitBytes
}

// Used returns the bytes that all files take up.
func (f *FullFS) Used() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used
}

// GetDiskUsage implements storage.FS.
func (f *FullFS) GetDiskUsage(string) (vfs.DiskUsage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return vfs.DiskUsage{
		AvailBytes: uint64(max(f.limit-f.used, 0)),
		TotalBytes: uint64(f.limit),
		UsedBytes:  uint64(f.used),
	}, nil
}

// Create implements storage.FS.
func (f *FullFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if usage, _ := f.GetDiskUsage(name); usage.AvailBytes == 0 {
		return nil, full("create", name)
	}
	file, err := f.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop(name)
	node := &inode{names: 1}
	f.sizes[clean(name)] = node
	return &fullFile{File: file, fs: f, name: name, node: node}, nil
}

// OpenReadWrite implements storage.FS.
func (f *FullFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	file, err := f.FS.OpenReadWrite(name, category, opts...)
	if err != nil {
		return nil, err
	}
	return f.opened(file, name), nil
}

// ReuseForWrite implements storage.FS.
func (f *FullFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.ReuseForWrite(oldname, newname, category)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.move(oldname, newname)
	f.mu.Unlock()
	return f.opened(file, newname), nil
}

func (f *FullFS) opened(file vfs.File, name string) vfs.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.sizes[clean(name)]
	if node == nil {
		node = &inode{names: 1}
		f.sizes[clean(name)] = node
	}
	return &fullFile{File: file, fs: f, name: name, node: node}
}

// Link implements storage.FS.
func (f *FullFS) Link(oldname, newname string) error {
	if err := f.FS.Link(oldname, newname); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if node := f.sizes[clean(oldname)]; node != nil {
		node.names++
		f.sizes[clean(newname)] = node
	}
	return nil
}

// Remove implements storage.FS.
func (f *FullFS) Remove(name string) error {
	if err := f.FS.Remove(name); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop(name)
	return nil
}

// RemoveAll implements storage.FS.
func (f *FullFS) RemoveAll(name string) error {
	if err := f.FS.RemoveAll(name); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop(name)
	for p := range f.sizes {
		if strings.HasPrefix(p, clean(name)+"/") {
			f.drop(p)
		}
	}
	return nil
}

// Rename implements storage.FS.
func (f *FullFS) Rename(oldname, newname string) error {
	if err := f.FS.Rename(oldname, newname); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.move(oldname, newname)
	return nil
}

// Unwrap implements storage.FS.
func (f *FullFS) Unwrap() vfs.FS { return f.FS }

// drop forgets a name, and the bytes of a file with the last of its names. An
// open file without a name counts no more: that is a simplification.
func (f *FullFS) drop(name string) {
	name = clean(name)
	node := f.sizes[name]
	if node == nil {
		return
	}
	delete(f.sizes, name)
	if node.names--; node.names == 0 {
		f.used -= node.size
	}
}

// move gives a file, or all files in a directory, a new name.
func (f *FullFS) move(oldname, newname string) {
	oldname, newname = clean(oldname), clean(newname)
	if node := f.sizes[oldname]; node != nil {
		delete(f.sizes, oldname)
		f.drop(newname)
		f.sizes[newname] = node
		return
	}
	moved := make(map[string]string)
	for p := range f.sizes {
		if rest, ok := strings.CutPrefix(p, oldname+"/"); ok {
			moved[p] = newname + "/" + rest
		}
	}
	for from, to := range moved {
		f.sizes[to] = f.sizes[from]
		delete(f.sizes, from)
	}
}

// grow makes a file size bytes long, if there is room.
func (f *FullFS) grow(node *inode, size int64, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	more := size - node.size
	if more <= 0 || node.names == 0 {
		return nil
	}
	if f.used+more > f.limit {
		return full("write", name)
	}
	f.used += more
	node.size = size
	return nil
}

func clean(name string) string { return path.Clean(name) }

func full(op, name string) error { return fmt.Errorf("%s %s: %w", op, name, syscall.ENOSPC) }

// A fullFile is a file of a FullFS that was opened for writing. As the storage
// requires, it is written by one goroutine at a time.
type fullFile struct {
	vfs.File
	fs   *FullFS
	name string
	node *inode
	pos  int64
}

func (f *fullFile) Write(p []byte) (int, error) {
	if err := f.fs.grow(f.node, f.pos+int64(len(p)), f.name); err != nil {
		return 0, err
	}
	n, err := f.File.Write(p)
	f.pos += int64(n)
	return n, err
}

func (f *fullFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.fs.grow(f.node, off+int64(len(p)), f.name); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}
