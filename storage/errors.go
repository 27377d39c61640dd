package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
)

// The decisions a caller can take. Every error of this package that stands for
// one of them satisfies [errors.Is] with it; any other error comes from the
// operating system and says nothing about the data.
var (
	// ErrNotFound: the key has no value.
	ErrNotFound = errors.New("key not found")
	// ErrClosed: the store, snapshot, iterator or writer was closed before.
	ErrClosed = errors.New("storage is closed")
	// ErrLocked: another store, in this process or another one, has the
	// directory open.
	ErrLocked = errors.New("data directory is in use by another process")
	// ErrForeign: the directory holds files but no marker of ours. Nothing in
	// it was touched.
	ErrForeign = errors.New("not a Quarry data directory")
	// ErrBackup: the directory is a backup, complete or not, and was to be
	// opened for writing. Nothing in it was touched.
	ErrBackup = errors.New("the directory is a backup")
	// ErrUnfinished: the directory is a backup that was not finished, or that has
	// lost its manifest. It comes with ErrBackup or ErrForeign.
	ErrUnfinished = errors.New("the backup was not finished")
	// ErrHalfMade: the directory is to become a data directory and is none yet:
	// whoever makes it, of a backup or of a damaged directory, is at it or was
	// interrupted, and may begin again. It comes with ErrForeign.
	ErrHalfMade = errors.New("the data directory is half made")
	// ErrNewerFormat: a later version of Quarry wrote the directory.
	ErrNewerFormat = errors.New("data directory has a newer format")
	// ErrCorrupt marks data that does not have the form in which it was
	// written: a checksum that differs, a missing or truncated file, a key or
	// value that does not decode.
	ErrCorrupt = errors.New("data is corrupt")
	// ErrFull: the file system has less free space than the store keeps in
	// reserve. The write was not begun and may be tried again.
	ErrFull = errors.New("disk is full")
	// ErrReadOnly: the store was opened for reading, or the file system is
	// mounted for reading.
	ErrReadOnly = errors.New("storage is read-only")
	// ErrTooLarge: a batch is larger than [MaxBatchBytes].
	ErrTooLarge = errors.New("batch is too large")
	// ErrBusy: Close was called while snapshots or iterators were open. The
	// store is still open.
	ErrBusy = errors.New("storage is in use")
	// ErrFailed: a file operation failed after which nothing written later
	// could be trusted. Only a new Open, best in a new process, helps.
	ErrFailed = errors.New("storage has failed")
)

// IsCorrupt reports whether err stands for damaged data: errors.Is(err,
// ErrCorrupt).
func IsCorrupt(err error) bool { return errors.Is(err, ErrCorrupt) }

// translate gives an error of Pebble or of the file system our mark. The order
// matters: Pebble marks its error for a batch that is too large as corruption.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pebble.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, pebble.ErrBatchTooLarge):
		return mark(ErrTooLarge, err)
	case errors.Is(err, pebble.ErrReadOnly):
		return ErrReadOnly
	case errors.Is(err, pebble.ErrClosed):
		return ErrClosed
	case isDamage(err):
		return mark(ErrCorrupt, damage{err})
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return mark(ErrFull, err)
	case errors.Is(err, syscall.EROFS):
		return mark(ErrReadOnly, err)
	default:
		return err
	}
}

// A damage is an error of Pebble about a damaged file, in words for whoever runs
// the program.
type damage struct{ error }

// tableNumber is how Pebble names a table.
var tableNumber = regexp.MustCompile(`\bfile ([0-9]{6,})\b`)

func (d damage) Error() string { return tableText(d.error.Error()) }

// tableText is a text of Pebble's in words for people.
func tableText(text string) string {
	text = strings.ReplaceAll(text, "\n<corruption detail carrier>", "")
	text = strings.ReplaceAll(text, "pebble: ", "")
	text = strings.ReplaceAll(text, "pebble/table: invalid table 000000: ", "invalid table: ")
	text = strings.ReplaceAll(text, "file 000000: ", "") // of a reader that was not told
	return tableNumber.ReplaceAllString(text, "$1.sst")
}

func (d damage) Unwrap() error { return d.error }

// isDamage reports whether err tells of a damaged file. Pebble does not mark a
// table whose size differs from the one in its manifest, so its text decides.
func isDamage(err error) bool {
	return pebble.IsCorruptionError(err) || strings.Contains(err.Error(), "object size mismatch")
}

// translateOpen is translate for an error of opening existing files, where a
// file that is not there is damage, and a lock or a version can be in the way.
func translateOpen(err error) error {
	switch text := fmt.Sprint(err); {
	case err == nil:
		return nil
	case strings.Contains(text, "unknown format major version"):
		return mark(ErrNewerFormat, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, pebble.ErrDBDoesNotExist), errors.Is(err, pebble.ErrDBNotPristine):
		return mark(ErrCorrupt, damage{err})
	default:
		return translate(err)
	}
}

// mark returns an error that is both kind and cause.
func mark(kind, cause error) error {
	if errors.Is(cause, kind) {
		return cause
	}
	return fmt.Errorf("%w: %w", kind, cause)
}
