package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// BeginDir makes dir a directory that is to become a data directory and is none
// yet: Open refuses it with ErrHalfMade, but for Options.Unfinished, until
// FinishDir. So what is filled over a long time is never taken for complete. dir
// must be empty or not there, or be what an interrupted BeginDir has left, whose
// store is thrown away then; other files of such a one stay. fsys may be nil, for
// the file system of the operating system.
//
// Errors: [fs.ErrExist] for a dir that holds something else, ErrLocked for one that
// is being filled.
func BeginDir(dir string, fsys FS) error {
	fsys = orDefault(fsys)
	dir = fsys.PathJoin(dir)
	if err := beginDir(fsys, dir); err != nil {
		return fmt.Errorf("make %s: %w", dir, translate(err))
	}
	return nil
}

func beginDir(fsys FS, dir string) error {
	names, err := fsys.List(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case slices.Contains(names, markerName):
		return fmt.Errorf("%w: it is a data directory", fs.ErrExist)
	case len(names) > 0 && !slices.Contains(names, repairingName):
		return fmt.Errorf("%w: it holds %q", fs.ErrExist, names[0])
	}
	if slices.Contains(names, storeName) {
		// Somebody else may be filling it at this moment.
		lock, err := fsys.Lock(fsys.PathJoin(dir, storeName, "LOCK"))
		switch {
		case isLocked(err):
			return mark(ErrLocked, err)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err == nil:
			defer lock.Close()
		}
	}
	for _, name := range []string{storeName, tablesName, markerTemp} {
		if !slices.Contains(names, name) {
			continue
		}
		if err := fsys.RemoveAll(fsys.PathJoin(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return beginUnfinished(fsys, dir, repairingName)
}

// FinishDir makes a data directory of one that BeginDir has begun, whose store is
// closed.
func FinishDir(dir string, fsys FS) error {
	fsys = orDefault(fsys)
	dir = fsys.PathJoin(dir)
	err := endUnfinished(fsys, dir, repairingName, markerName, fmt.Appendf(nil, markerText, FormatVersion))
	if err != nil {
		return fmt.Errorf("finish %s: %w", dir, translate(err))
	}
	return nil
}
