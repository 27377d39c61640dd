package storagetest

import (
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/quarry-search/quarry/storage"
)

// NewUnsyncedFS returns base with one change: to sync a file or a directory does
// nothing and succeeds. Over a [CrashFS], a test of crashes that passes on it
// sees no losses.
func NewUnsyncedFS(base storage.FS) storage.FS { return unsyncedFS{base} }

type unsyncedFS struct{ vfs.FS }

func (u unsyncedFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return unsynced(u.FS.Create(name, category))
}

func (u unsyncedFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return unsynced(u.FS.OpenReadWrite(name, category, opts...))
}

func (u unsyncedFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return unsynced(u.FS.ReuseForWrite(oldname, newname, category))
}

func (u unsyncedFS) OpenDir(name string) (vfs.File, error) { return unsynced(u.FS.OpenDir(name)) }

func (u unsyncedFS) Unwrap() vfs.FS { return u.FS }

type unsyncedFile struct{ vfs.File }

func unsynced(f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

func (unsyncedFile) Sync() error                { return nil }
func (unsyncedFile) SyncData() error            { return nil }
func (unsyncedFile) SyncTo(int64) (bool, error) { return true, nil }
