package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A backup is a directory with the state of a store at one moment. It holds
//
//	BACKUP   manifest: the name, size and SHA-256 of every other file; see
//	         backupmanifest.go
//	QUARRY   marker of a data directory, with a line that says that this is a backup
//	store/   Pebble's files: tables are hard links where that is possible
//
// BACKUP is the last file that is made, by renaming it from BACKUP.tmp, which is
// the first one: a directory without it is not a backup, whatever else it
// holds. Open refuses a backup unless it is only to be read, so that it stays
// what its manifest says.
const (
	backupName = "BACKUP"
	backupTemp = "BACKUP.tmp"
)

// BackupInfo describes a backup.
type BackupInfo struct {
	Created time.Time // in UTC
	Note    string    // what the caller of Backup noted, one line
	Files   int
	Bytes   int64  // of all files; those that are hard links take no room of their own at first
	Sum     string // SHA-256 of the manifest, in hexadecimal: it stands for every byte of the backup
}

// Backup makes dir a backup of the store as it is now: everything that was
// committed before the call is in it, and of what is committed during the call
// a beginning. Writers go on meanwhile. Tables are hard links if dir is on the
// same file system, and are copied otherwise, while Ingest waits; either way all
// of them are read once, for their checksums.
//
// dir must be outside the store's own directory. It may be empty, or hold what
// an interrupted Backup has left, which is made anew; its missing parents are
// made. note is kept in the manifest. When Backup fails, nothing is left of it,
// unless the file system fails as well: then what is left does not look
// complete.
//
// Errors: ErrFull, ErrReadOnly, ErrClosed, ErrFailed, [fs.ErrExist] for a dir
// that holds something else, [fs.ErrInvalid] for one inside the store's
// directory or around it, [errors.ErrUnsupported] for a store in memory.
func (s *Store) Backup(ctx context.Context, dir, note string) (BackupInfo, error) {
	if err := s.acquireWrite(); err != nil {
		return BackupInfo{}, err
	}
	defer s.release()
	if s.opts.InMemory {
		return BackupInfo{}, errors.ErrUnsupported
	}
	dir = s.fs.PathJoin(dir)
	info, err := s.backup(ctx, dir, note)
	if err != nil {
		return BackupInfo{}, fmt.Errorf("backup %s: %w", dir, translate(err))
	}
	return info, nil
}

func (s *Store) backup(ctx context.Context, dir, note string) (BackupInfo, error) {
	if strings.ContainsAny(note, "\r\n") {
		return BackupInfo{}, fmt.Errorf("%w: the note has several lines", fs.ErrInvalid)
	}
	if err := s.room.check(0, false); err != nil {
		return BackupInfo{}, err
	}
	if s.Nested(dir) {
		return BackupInfo{}, fmt.Errorf("%w: it is inside the data directory, or around it", fs.ErrInvalid)
	}
	if err := clearUnfinished(s.fs, dir, backupTemp, []string{backupTemp, markerTemp, markerName, storeName}); err != nil {
		return BackupInfo{}, err
	}
	info, err := s.fillBackup(ctx, dir, note)
	if err != nil {
		// The caller's error matters more than that of cleaning up.
		_ = removeBackup(s.fs, dir)
	}
	return info, err
}

// Nested tells whether a directory lies inside the store's or holds it. Links
// are followed on the file system of the operating system.
func (s *Store) Nested(dir string) bool { return nested(s.opts.FS, s.dir, dir) }

// nested is Nested for any directory; fsys is nil for the file system of the
// operating system.
func nested(fsys FS, own, dir string) bool {
	if fsys == nil {
		own, dir = resolved(own), resolved(dir)
	}
	fsys = orDefault(fsys)
	within := func(inner, outer string) bool {
		for {
			if inner == outer {
				return true
			}
			parent := fsys.PathDir(inner)
			if parent == inner {
				return false
			}
			inner = parent
		}
	}
	own, dir = fsys.PathJoin(own), fsys.PathJoin(dir)
	return within(dir, own) || within(own, dir)
}

// resolved is the absolute path of a file that need not be there, without
// symbolic links.
func resolved(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := abs; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return abs
		}
		at, rest = parent, filepath.Join(filepath.Base(at), rest)
	}
}

// fillBackup makes a backup in a directory that is empty or not there.
func (s *Store) fillBackup(ctx context.Context, dir, note string) (BackupInfo, error) {
	if err := beginUnfinished(s.fs, dir, backupTemp); err != nil {
		return BackupInfo{}, err
	}
	if err := s.checkpoint(s.fs.PathJoin(dir, storeName)); err != nil {
		return BackupInfo{}, err
	}
	if err := writeMarker(s.fs, dir, backupLine); err != nil {
		return BackupInfo{}, err
	}
	m := backupManifest{created: time.Now().UTC(), note: note}
	names, err := backupFiles(s.fs, dir)
	if err != nil {
		return BackupInfo{}, err
	}
	for _, name := range names {
		f := backupFile{name: name}
		if f.sum, f.size, err = hashFile(ctx, s.fs, s.fs.PathJoin(dir, name), nil); err != nil {
			return BackupInfo{}, err
		}
		m.files = append(m.files, f)
	}
	text := m.encode()
	return m.info(), endUnfinished(s.fs, dir, backupTemp, backupName, text)
}

// checkpoint copies or links Pebble's files.
func (s *Store) checkpoint(dir string) error {
	s.ingesting.Lock()
	defer s.ingesting.Unlock()
	return s.guarded(func() error { return s.db.Checkpoint(dir, pebble.WithFlushedWAL()) })
}

// RemoveBackup deletes the backup at dir whose manifest has the SHA-256 sum,
// or what is left of it by an interrupted RemoveBackup. Nothing else is
// touched: files that are not the backup's stay, and so does dir then, with
// the error of the file system. A dir that is not there is no error. fsys may
// be nil, for the file system of the operating system.
//
// Errors: ErrForeign if there is something else at dir.
func RemoveBackup(dir, sum string, fsys FS) error {
	fsys = orDefault(fsys)
	names, err := fsys.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	unfinished := false
	for _, name := range names {
		if name == backupName {
			text, err := readManifest(fsys, dir)
			if err != nil {
				return err
			}
			if m, err := parseManifest(text); err != nil || m.sum != sum {
				return fmt.Errorf("remove backup %s: %w: its manifest is another one", dir, ErrForeign)
			}
			if err := fsys.Rename(fsys.PathJoin(dir, backupName), fsys.PathJoin(dir, backupTemp)); err != nil {
				return err
			}
			if err := syncDir(fsys, dir); err != nil {
				return err
			}
			unfinished = true
		}
		unfinished = unfinished || name == backupTemp
	}
	if !unfinished && len(names) > 0 {
		return fmt.Errorf("remove backup %s: %w: it holds no file %s", dir, ErrForeign, backupName)
	}
	return removeBackup(fsys, dir)
}

// removeBackup deletes an unfinished backup.
func removeBackup(fsys FS, dir string) error {
	if err := clearUnfinished(fsys, dir, backupTemp, []string{backupTemp, markerTemp, markerName, storeName}); err != nil {
		return err
	}
	if err := fsys.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(fsys, fsys.PathDir(dir))
}

// beginUnfinished makes dir a directory with nothing in it but the file whose
// name says that the rest is not complete.
func beginUnfinished(fsys FS, dir, sign string) error {
	if err := makeDir(fsys, dir); err != nil {
		return err
	}
	f, err := fsys.Create(fsys.PathJoin(dir, sign), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return syncDir(fsys, dir)
}

// endUnfinished writes text to the file that beginUnfinished has made and gives
// it the name by which the directory is known to be complete. Until then the
// file is never gone.
func endUnfinished(fsys FS, dir, sign, name string, text []byte) error {
	f, err := fsys.OpenReadWrite(fsys.PathJoin(dir, sign), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := fsys.Rename(fsys.PathJoin(dir, sign), fsys.PathJoin(dir, name)); err != nil {
		return err
	}
	return syncDir(fsys, dir)
}

// clearUnfinished empties a directory that an interrupted call has left: one
// that holds the file sign, and nothing but the names in ours. One that is not
// there, or empty, will do as it is. The sign goes last.
func clearUnfinished(fsys FS, dir, sign string, ours []string) error {
	names, err := fsys.List(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, name := range ours {
		known[name] = true
	}
	signed := false
	for _, name := range names {
		if !known[name] {
			return fmt.Errorf("%w: it holds %q", fs.ErrExist, name)
		}
		signed = signed || name == sign
	}
	if !signed {
		return fmt.Errorf("%w: it is not empty", fs.ErrExist)
	}
	for _, name := range names {
		if name != sign {
			if err := fsys.RemoveAll(fsys.PathJoin(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := syncDir(fsys, dir); err != nil {
		return err
	}
	return fsys.Remove(fsys.PathJoin(dir, sign))
}

func orDefault(fsys FS) FS {
	if fsys == nil {
		return private{vfs.Default}
	}
	return fsys
}
