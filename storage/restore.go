package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// ReadBackup describes the backup at dir without looking at its files. fsys may
// be nil, for the file system of the operating system.
//
// Errors: ErrForeign for a directory that is not a complete backup, with
// ErrUnfinished if it is an incomplete one, ErrNewerFormat, ErrCorrupt for a damaged manifest.
func ReadBackup(dir string, fsys FS) (BackupInfo, error) {
	m, err := loadManifest(orDefault(fsys), dir)
	if err != nil {
		return BackupInfo{}, fmt.Errorf("backup %s: %w", dir, err)
	}
	return m.info(), nil
}

// VerifyBackup reads every file of the backup at dir and compares it with the
// manifest. It returns all that differs, joined, each marked with ErrCorrupt.
// The errors of ReadBackup come first, with nothing else looked at.
func VerifyBackup(ctx context.Context, dir string, fsys FS) (BackupInfo, error) {
	fsys = orDefault(fsys)
	m, err := loadManifest(fsys, dir)
	if err == nil {
		err = m.verify(ctx, fsys, dir)
	}
	if err != nil {
		return BackupInfo{}, fmt.Errorf("backup %s: %w", dir, err)
	}
	return m.info(), nil
}

// RestoreBackup makes dir a data directory with what the backup holds. The
// whole backup is verified before anything is made, and each file again while it
// is copied. dir must be empty, or hold what an interrupted RestoreBackup has
// left, which is made anew; its missing parents are made. It becomes a data
// directory when its marker, the last file, is there: before that Open refuses
// it. The backup stays as it is and shares no file with dir.
//
// Errors: those of VerifyBackup, [fs.ErrExist] for a dir that holds something
// else, [fs.ErrInvalid] for one inside the backup, ErrFull.
func RestoreBackup(ctx context.Context, backup, dir string, fsys FS) (BackupInfo, error) {
	inside := nested(fsys, backup, dir)
	fsys = orDefault(fsys)
	info, err := VerifyBackup(ctx, backup, fsys)
	if err != nil {
		return BackupInfo{}, err
	}
	dir = fsys.PathJoin(dir)
	if err := restore(ctx, fsys, backup, dir, inside); err != nil {
		return BackupInfo{}, fmt.Errorf("restore to %s: %w", dir, translate(err))
	}
	return info, nil
}

func restore(ctx context.Context, fsys FS, backup, dir string, inside bool) error {
	m, err := loadManifest(fsys, backup)
	if err != nil {
		return err
	}
	if err := clearUnfinished(fsys, dir, restoringName, []string{restoringName, storeName}); err != nil {
		return err
	}
	if inside {
		return fmt.Errorf("%w: it is inside the backup", fs.ErrInvalid)
	}
	if err := beginUnfinished(fsys, dir, restoringName); err != nil {
		return err
	}
	if free, err := freeBytes(fsys, dir); err == nil && free < m.info().Bytes {
		return fmt.Errorf("%w: %d bytes free, the backup has %d", ErrFull, free, m.info().Bytes)
	}
	if err := makeDir(fsys, fsys.PathJoin(dir, storeName)); err != nil {
		return err
	}
	for _, f := range m.files {
		if f.name == markerName {
			continue
		}
		if err := copyBackupFile(ctx, fsys, f, backup, dir); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if err := syncDir(fsys, fsys.PathJoin(dir, storeName)); err != nil {
		return err
	}
	// The marker of the backup, which was verified, tells the format of what was
	// copied; all the formats that it may have are ours.
	return endUnfinished(fsys, dir, restoringName, markerName, fmt.Appendf(nil, markerText, FormatVersion))
}

// copyBackupFile copies a file of a backup, unless it is another one by now.
func copyBackupFile(ctx context.Context, fsys FS, f backupFile, backup, dir string) error {
	out, err := fsys.Create(fsys.PathJoin(dir, f.name), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	sum, size, err := hashFile(ctx, fsys, fsys.PathJoin(backup, f.name), out)
	if err == nil {
		err = f.compare(sum, size)
	}
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// loadManifest reads the manifest of a backup.
func loadManifest(fsys FS, dir string) (*backupManifest, error) {
	names, err := fsys.List(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if name == backupName {
			text, err := readManifest(fsys, dir)
			if err != nil {
				return nil, err
			}
			m, err := parseManifest(text)
			if err != nil {
				return nil, err
			}
			version, _, err := readMarker(fsys, dir)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil, mark(ErrCorrupt, err)
			case err != nil:
				return nil, err
			case version > FormatVersion:
				return nil, fmt.Errorf("%w: it has format %d, this program knows %d", ErrNewerFormat, version, FormatVersion)
			}
			return m, nil
		}
	}
	// A marker that is not there, or not legible, does not say that it is a backup's.
	if _, ofBackup, err := readMarker(fsys, dir); slices.Contains(names, backupTemp) || err == nil && ofBackup {
		return nil, fmt.Errorf("%w: %w", ErrForeign, ErrUnfinished)
	}
	return nil, fmt.Errorf("%w: there is no file %s", ErrForeign, backupName)
}

// verify compares all files with the manifest.
func (m *backupManifest) verify(ctx context.Context, fsys FS, dir string) error {
	var errs []error
	named := map[string]bool{}
	for _, f := range m.files {
		named[f.name] = true
		sum, size, err := hashFile(ctx, fsys, fsys.PathJoin(dir, f.name), nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			err = mark(ErrCorrupt, err)
		case err == nil:
			err = f.compare(sum, size)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.name, err))
		}
	}
	names, err := backupFiles(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	for _, name := range names {
		if !named[name] {
			errs = append(errs, fmt.Errorf("%w: the file %s is not in the manifest", ErrCorrupt, name))
		}
	}
	return errors.Join(errs...)
}

// compare returns how a file differs from the one that the manifest names.
func (f *backupFile) compare(sum string, size int64) error {
	switch {
	case size != f.size:
		return fmt.Errorf("%w: it has %d bytes, the manifest says %d", ErrCorrupt, size, f.size)
	case sum != f.sum:
		return fmt.Errorf("%w: its checksum is not the one in the manifest", ErrCorrupt)
	}
	return nil
}
