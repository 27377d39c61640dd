//go:build !unix

package storage

import (
	"errors"
	"io"
)

// lockToRead would take a lock on a file that cannot be written.
func lockToRead(string) (io.Closer, error) { return nil, errors.ErrUnsupported }
