package storagetest

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/quarry-search/quarry/storage"
)

// An Op is a kind of file operation.
type Op int

// The kinds of operations that can be made to fail.
const (
	Create Op = iota // a new file, or an old log used again
	Open             // of a file or directory
	Read
	Write
	Sync // of a file or directory
	Rename
	Remove
	Link
	Mkdir
	Lock
	List
	Stat // of a file, or of the free space, and whatever else only looks
)

var opNames = [...]string{
	"create", "open", "read", "write", "sync", "rename", "remove", "link", "mkdir", "lock", "list", "stat",
}

// String returns the name of the operation in lower case.
func (op Op) String() string {
	if op < 0 || int(op) >= len(opNames) {
		return fmt.Sprintf("operation %d", int(op))
	}
	return opNames[op]
}

// Ops returns all kinds of operations.
func Ops() []Op {
	ops := make([]Op, len(opNames))
	for i := range ops {
		ops[i] = Op(i)
	}
	return ops
}

// NewFaultFS returns base with one change: fault is called before each
// operation with the path it is about, and if it returns an error, the
// operation does nothing and returns it. fault must be safe for concurrent use.
func NewFaultFS(base storage.FS, fault func(op Op, path string) error) storage.FS {
	return errorfs.Wrap(base, errorfs.InjectorFunc(func(op errorfs.Op) error {
		return fault(opOf(op.Kind), op.Path)
	}))
}

func opOf(kind errorfs.OpKind) Op {
	switch kind {
	case errorfs.OpCreate, errorfs.OpReuseForWrite:
		return Create
	case errorfs.OpOpen, errorfs.OpOpenDir:
		return Open
	case errorfs.OpFileRead, errorfs.OpFileReadAt:
		return Read
	case errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpFilePreallocate:
		return Write
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo, errorfs.OpFileFlush:
		return Sync
	case errorfs.OpRename:
		return Rename
	case errorfs.OpRemove, errorfs.OpRemoveAll:
		return Remove
	case errorfs.OpLink:
		return Link
	case errorfs.OpMkdirAll:
		return Mkdir
	case errorfs.OpLock:
		return Lock
	case errorfs.OpList:
		return List
	default:
		return Stat
	}
}
