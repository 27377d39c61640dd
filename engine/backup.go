package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/quarry-search/quarry/storage"
)

// BackupInfo describes a backup.
type BackupInfo struct {
	// Version is that of the newest batch when the backup was begun: all up to
	// it is in the backup, and perhaps a few batches more.
	Version uint64
	Created time.Time
	Files   int
	Bytes   int64  // of all files
	Sum     string // SHA-256 of the manifest, in hexadecimal, which stands for every byte
}

// Backup makes dir a backup: a copy of everything that is stored, rows of the
// application included, with the checksums of all files. It holds every batch
// that was acknowledged before the call, and of those that come during the
// call a beginning; searches and writes go on meanwhile. Files that do not
// change are hard links where dir is on the same file system.
//
// dir must be outside the data directory. It may be missing, be empty, or hold
// what an interrupted Backup has left. A backup that was not finished is never
// taken for one that is.
//
// Errors: ErrInvalid for a dir that will not do, ErrStorageFull, ErrReadOnly,
// [errors.ErrUnsupported] for an engine in memory, those of the file system.
func (e *Engine) Backup(ctx context.Context, dir string) (info BackupInfo, err error) {
	defer e.tell(&err)
	v, err := e.acquire()
	if err != nil {
		return BackupInfo{}, err
	}
	defer e.release(v)
	made, err := e.store.Backup(ctx, dir, backupNote(v.version))
	switch {
	case errors.Is(err, fs.ErrInvalid):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "is inside the data directory, or around it")
	case errors.Is(err, fs.ErrExist):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "is there already, and holds something")
	case errors.Is(err, fs.ErrPermission):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "may not be written by this process")
	case errors.Is(err, syscall.ENOTDIR):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "leads through a file, or is one")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "has a name that is too long for the file system")
	case errors.Is(err, syscall.ELOOP):
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "leads through symbolic links that lead in a circle")
	case errors.Is(err, ErrReadOnly) && !e.opts.ReadOnly:
		return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "is on a file system that is mounted for reading")
	case err != nil:
		if reason := noPlace(err, dir); reason != nil {
			return BackupInfo{}, invalid(CodeInvalidRequest, "/path", "cannot be made there: %v", reason)
		}
		return BackupInfo{}, translate(err)
	}
	return backupInfo(made)
}

// noPlace returns why the file system does not let dir, or something in it, be
// made, as that of /proc does not; nil if err is another one, such as a disk
// that is full or fails.
func noPlace(err error, dir string) error {
	var at *fs.PathError
	if !errors.As(err, &at) || !strings.HasPrefix(at.Path, dir) && !strings.HasPrefix(dir, at.Path) {
		return nil
	}
	for _, reason := range []error{fs.ErrNotExist, errors.ErrUnsupported, syscall.EINVAL} {
		if errors.Is(at.Err, reason) {
			return at.Err
		}
	}
	return nil
}

// versionNote is what the note of a backup begins with.
const versionNote = "version "

func backupNote(version uint64) string { return fmt.Sprint(versionNote, version) }

func backupInfo(b storage.BackupInfo) (BackupInfo, error) {
	digits, ok := strings.CutPrefix(b.Note, versionNote)
	version, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return BackupInfo{}, corruptf("the note of the backup is %q", b.Note)
	}
	return BackupInfo{Version: version, Created: b.Created, Files: b.Files, Bytes: b.Bytes, Sum: b.Sum}, nil
}

// VerifyBackup reads every byte of a backup and compares it with the checksums.
// It changes nothing. Errors: ErrForeign if dir is not a backup, with
// ErrUnfinished if it is one that was not finished; ErrCorrupt, joined, for every file that differs;
// ErrNewerFormat.
func VerifyBackup(ctx context.Context, dir string) (BackupInfo, error) {
	b, err := storage.VerifyBackup(ctx, dir, nil)
	if err != nil {
		return BackupInfo{}, err
	}
	return backupInfo(b)
}

// RestoreBackup makes dir a data directory that holds what a backup holds. The
// whole backup is verified before anything is made. dir may be missing, be
// empty, or hold what an interrupted RestoreBackup has left: Open refuses that.
// The backup stays as it is, and shares no file with dir.
//
// Errors: those of VerifyBackup, [fs.ErrExist] for a dir that holds something,
// [fs.ErrInvalid] for one inside the backup, ErrStorageFull.
func RestoreBackup(ctx context.Context, backup, dir string) (BackupInfo, error) {
	b, err := storage.RestoreBackup(ctx, backup, dir, nil)
	if err != nil {
		return BackupInfo{}, err
	}
	return backupInfo(b)
}

// RemoveBackup deletes the backup at dir that has this Sum, and nothing else. A
// dir that is not there is no error; ErrForeign if something else is there.
func RemoveBackup(dir, sum string) error { return storage.RemoveBackup(dir, sum, nil) }
