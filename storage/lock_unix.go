//go:build unix

package storage

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// lockToRead takes a lock on a file that cannot be written, for a reader. A store
// that is open for writing, perhaps through another mount of the same file system,
// is in its way. Without the file there is none.
func lockToRead(name string) (io.Closer, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, err
	}
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
