package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The manifest of a backup is a text that people and scripts can read:
//
//	quarry backup, format 1
//	created 2026-11-21T22:04:05.000000006Z
//	note version 42
//	file e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0 store/LOCK
//	...
//	end 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9
//
// A file line has the SHA-256 of the file in hexadecimal, its size in bytes and
// its name, with slashes, which ends with the line. The last line has the
// SHA-256 of everything before it, so that damage of the manifest is seen, too.
const (
	backupFormat   = 1
	backupHead     = "quarry backup, format "
	maxBackupFiles = 1 << 20
	maxManifest    = 256 << 20 // bytes that are read of a manifest
)

// backupManifest is what a manifest says.
type backupManifest struct {
	created time.Time
	note    string
	files   []backupFile
	sum     string // of the last line
}

type backupFile struct {
	sum  string // SHA-256 in hexadecimal
	size int64
	name string // below the backup, with slashes
}

// encode makes the text and sets the sum.
func (m *backupManifest) encode() []byte {
	b := fmt.Appendf(nil, "%s%d\ncreated %s\nnote %s\n", backupHead, backupFormat, m.created.Format(time.RFC3339Nano), m.note)
	for _, f := range m.files {
		b = fmt.Appendf(b, "file %s %d %s\n", f.sum, f.size, f.name)
	}
	m.sum = hexSum(b)
	return fmt.Appendf(b, "end %s\n", m.sum)
}

func (m *backupManifest) info() BackupInfo {
	i := BackupInfo{Created: m.created, Note: m.note, Files: len(m.files), Sum: m.sum}
	for _, f := range m.files {
		i.Bytes += f.size
	}
	return i
}

// parseManifest is the inverse of encode. Errors are marked ErrCorrupt, but
// ErrNewerFormat for a manifest of a later version of the program.
func parseManifest(text []byte) (*backupManifest, error) {
	bad := func(format string, args ...any) (*backupManifest, error) {
		return nil, fmt.Errorf("%w: manifest of the backup: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
	end := bytes.LastIndex(text, []byte("\nend ")) + 1
	if end == 0 || string(text[end:]) != "end "+hexSum(text[:end])+"\n" {
		return bad("its last line is not the checksum of the lines before")
	}
	lines := strings.Split(string(text[:end-1]), "\n")
	version, ok := strings.CutPrefix(lines[0], backupHead)
	format, err := strconv.Atoi(version)
	switch {
	case !ok || err != nil || format < 1:
		return bad("it does not begin with its format")
	case format > backupFormat:
		return nil, fmt.Errorf("%w: the backup has format %d, this program knows %d", ErrNewerFormat, format, backupFormat)
	case len(lines) < 3 || len(lines) > maxBackupFiles:
		return bad("it has %d lines", len(lines))
	}
	m := &backupManifest{sum: hexSum(text[:end])}
	created, ok := strings.CutPrefix(lines[1], "created ")
	if m.created, err = time.Parse(time.RFC3339Nano, created); !ok || err != nil {
		return bad("no time of creation")
	}
	m.created = m.created.UTC()
	if m.note, ok = strings.CutPrefix(lines[2], "note "); !ok {
		return bad("no note")
	}
	names := map[string]bool{}
	for i, line := range lines[3:] {
		f, ok := parseBackupFile(line)
		if !ok || names[f.name] {
			return bad("line %d is not of a file, or of one that it has named before", i+4)
		}
		names[f.name] = true
		m.files = append(m.files, f)
	}
	if !names[markerName] {
		return bad("it names no file %s", markerName)
	}
	return m, nil
}

func parseBackupFile(line string) (f backupFile, ok bool) {
	parts := strings.SplitN(line, " ", 4)
	if len(parts) != 4 || parts[0] != "file" {
		return f, false
	}
	sum, err := hex.DecodeString(parts[1])
	size, sizeErr := strconv.ParseInt(parts[2], 10, 64)
	f = backupFile{sum: parts[1], size: size, name: parts[3]}
	if err != nil || len(sum) != sha256.Size || f.sum != strings.ToLower(f.sum) || sizeErr != nil || size < 0 || strconv.FormatInt(size, 10) != parts[2] {
		return f, false
	}
	// Nothing that a manifest names may lie elsewhere.
	base, inStore := strings.CutPrefix(f.name, storeName+"/")
	return f, f.name == markerName || inStore && base != "" && base != "." && base != ".." && !strings.ContainsAny(base, "/\\\x00")
}

// backupFiles returns the names of the files in a backup but for the manifest.
// A lock is of those who read the backup.
func backupFiles(fsys FS, dir string) ([]string, error) {
	inStore, err := fsys.List(fsys.PathJoin(dir, storeName))
	if err != nil {
		return nil, err
	}
	names := []string{markerName}
	for _, name := range inStore {
		if name != "LOCK" {
			names = append(names, storeName+"/"+name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// readManifest returns the text of a backup's manifest.
func readManifest(fsys FS, dir string) ([]byte, error) {
	f, err := fsys.Open(fsys.PathJoin(dir, backupName))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	return text, errors.Join(err, f.Close())
}

// hashFile returns the SHA-256 and the size of a file. What is read is written
// to copyTo, too, unless that is nil. ctx is looked at for each MiB.
func hashFile(ctx context.Context, fsys FS, path string, copyTo io.Writer) (sum string, size int64, err error) {
	f, err := fsys.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	buf := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		size += int64(n)
		if copyTo != nil && n > 0 {
			if _, err := copyTo.Write(buf[:n]); err != nil {
				return "", 0, err
			}
		}
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), size, nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// private is a file system that makes files and directories readable by their
// owner only.
type private struct{ vfs.FS }

// Create implements vfs.FS.
func (p private) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, category)
	if err == nil {
		if err = os.Chmod(name, 0o600); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, err
}

// MkdirAll implements vfs.FS.
func (p private) MkdirAll(dir string, perm os.FileMode) error { return p.FS.MkdirAll(dir, perm&0o700) }

// Unwrap implements vfs.FS.
func (p private) Unwrap() vfs.FS { return p.FS }
