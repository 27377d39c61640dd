package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FormatVersion is the version of the layout of a data directory and of the
// keys in it. A directory with a larger one is refused with [ErrNewerFormat];
// one with a smaller one is upgraded by Open.
//
// Version history:
//
//	1  the marker QUARRY, the folders store and tables, the keys of keys.go
const FormatVersion = 1

// The names in a data directory that are ours. Other names may stand beside
// them.
const (
	markerName = "QUARRY"     // says that the directory is ours, and its format
	markerTemp = "QUARRY.tmp" // the marker while it is written
	storeName  = "store"      // Pebble's files
	tablesName = "tables"     // tables that are being built, see [TableWriter]

	restoringName = "QUARRY.restoring" // what RestoreBackup makes the marker of at its end
	repairingName = "QUARRY.repairing" // what FinishDir makes the marker of
)

// markerText is printed with the version to make the content of the marker.
const markerText = "quarry data directory, format %d\n"

// backupLine is a second line of the marker of a backup, by which what has lost
// its manifest, or was copied without it, is not taken for a data directory.
// Backups that were made before there was such a line lack it.
const backupLine = "backup\n"

// prepareDir makes sure that dir is a data directory of a format we can read,
// making it one if it is missing or empty and readOnly is false. With unfinished
// it must be one that BeginDir has begun.
func prepareDir(fsys vfs.FS, dir string, readOnly, unfinished bool) error {
	names, err := fsys.List(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && readOnly:
		return err
	case errors.Is(err, fs.ErrNotExist):
		if err := makeDir(fsys, dir); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if !readOnly {
		if slices.Contains(names, backupName) || slices.Contains(names, backupTemp) {
			if !slices.Contains(names, backupName) {
				return fmt.Errorf("%w: %w", ErrBackup, ErrUnfinished)
			}
			return fmt.Errorf("%w: restore it into another directory", ErrBackup)
		}
	}
	version, ofBackup, err := readMarker(fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		switch {
		case slices.Contains(names, repairingName) && unfinished:
			return nil
		case slices.Contains(names, repairingName):
			return fmt.Errorf("%w: %w: what could be read of another one was being saved into it; begin again", ErrForeign, ErrHalfMade)
		case slices.Contains(names, restoringName):
			return fmt.Errorf("%w: %w: a backup was being restored into it; begin again", ErrForeign, ErrHalfMade)
		}
		if slices.Contains(names, storeName) && slices.Contains(names, tablesName) {
			return fmt.Errorf("%w: it holds %s and %s, and no file %s; of a data directory of this version that is the line %q", ErrCorrupt, storeName, tablesName, markerName,
				strings.TrimSpace(fmt.Sprintf(markerText, FormatVersion)))
		}
		// A crash can leave the marker half made; nothing else of ours is
		// written before it.
		for _, name := range names {
			if name != markerTemp {
				return fmt.Errorf("%w: it holds %q and no file called %s", ErrForeign, name, markerName)
			}
		}
		if readOnly {
			return fmt.Errorf("%w: it is empty", ErrForeign)
		}
		return writeMarker(fsys, dir, "")
	case err != nil:
		return err
	case version > FormatVersion:
		return fmt.Errorf("%w: its file %s says format %d, this program knows %d", ErrNewerFormat, markerName, version, FormatVersion)
	case ofBackup && !readOnly:
		return fmt.Errorf("%w: %w", ErrBackup, ErrUnfinished)
	}
	return nil
}

// readMarker returns the format version that the marker in dir tells, and
// whether it is the marker of a backup.
func readMarker(fsys vfs.FS, dir string) (version int, ofBackup bool, err error) {
	f, err := fsys.Open(fsys.PathJoin(dir, markerName))
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 256))
	if err != nil {
		return 0, false, err
	}
	if _, err := fmt.Sscanf(string(text), strings.TrimSpace(markerText), &version); err != nil || version < 1 {
		return 0, false, fmt.Errorf("%w: %s reads %q; it holds no data, and of this version it is the line %q", ErrCorrupt, markerName, text,
			strings.TrimSpace(fmt.Sprintf(markerText, FormatVersion)))
	}
	return version, strings.HasSuffix(string(text), "\n"+backupLine), nil
}

// writeMarker makes dir a data directory, durably and all at once; more are
// further lines of the marker.
func writeMarker(fsys vfs.FS, dir, more string) error {
	temp := fsys.PathJoin(dir, markerTemp)
	f, err := fsys.Create(temp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, markerText+"%s", FormatVersion, more)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := fsys.Rename(temp, fsys.PathJoin(dir, markerName)); err != nil {
		return err
	}
	return syncDir(fsys, dir)
}

// makeDir makes dir and its missing parents durable.
func makeDir(fsys vfs.FS, dir string) error {
	var parents []string
	for at := dir; ; {
		parent := fsys.PathDir(at)
		if parent == at {
			break
		}
		parents = append(parents, parent)
		if _, err := fsys.Stat(parent); err == nil {
			break
		}
		at = parent
	}
	if err := fsys.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := syncDir(fsys, parent); err != nil {
			return err
		}
	}
	return nil
}

// syncDir makes the names in dir durable.
func syncDir(fsys vfs.FS, dir string) error {
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
