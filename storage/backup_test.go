package storage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// stocked returns a store with entries in tables, in an ingested table and in
// the log.
func stocked(t *testing.T, dir string) (*storage.Store, map[string]string) {
	t.Helper()
	s := open(t, dir, nil)
	want := map[string]string{"x": "i", "y": "i"}
	for i := range 500 {
		key := fmt.Sprintf("%03d", i)
		set(t, s, key, key)
		want[key] = key
		if i == 300 {
			if err := s.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Ingest(t.Context(), table(t, s, "i", "x", "y")); err != nil {
		t.Fatal(err)
	}
	return s, want
}

// filesBelow returns the contents of all files, by name.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[must(filepath.Rel(dir, path))] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBackupAndRestore(t *testing.T) {
	root := t.TempDir()
	dir, backup, restored := filepath.Join(root, "data"), filepath.Join(root, "copies", "one"), filepath.Join(root, "new", "data")
	s, want := stocked(t, dir)
	made, err := s.Backup(t.Context(), backup+"/", "a note")
	if err != nil {
		t.Fatal(err)
	}
	set(t, s, "000", "later")
	if err := s.Compact(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	read, err := storage.ReadBackup(backup, nil)
	if err != nil || read != made || read.Note != "a note" || read.Files < 5 || read.Bytes < 1000 {
		t.Errorf("made %+v, read %+v, %v", made, read, err)
	}
	before := filesBelow(t, backup)
	if _, err := storage.Open(backup, nil); !errors.Is(err, storage.ErrBackup) {
		t.Errorf("Open of a backup for writing: %v", err)
	}
	// Without its manifest it is still no data directory.
	manifest := filepath.Join(backup, "BACKUP")
	if err := os.Rename(manifest, filepath.Join(root, "manifest")); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.Open(backup, nil); !errors.Is(err, storage.ErrBackup) || !errors.Is(err, storage.ErrUnfinished) {
		t.Errorf("Open of a backup without its manifest for writing: %v", err)
	}
	if _, err := storage.VerifyBackup(t.Context(), backup, nil); !errors.Is(err, storage.ErrForeign) || !errors.Is(err, storage.ErrUnfinished) {
		t.Errorf("VerifyBackup of a backup without its manifest: %v", err)
	}
	if err := os.Rename(filepath.Join(root, "manifest"), manifest); err != nil {
		t.Fatal(err)
	}
	reader := open(t, backup, &storage.Options{ReadOnly: true})
	wantContents(t, reader, want)
	if err := errors.Join(reader.Check(t.Context()), reader.Close()); err != nil {
		t.Error(err)
	}
	info, err := storage.RestoreBackup(t.Context(), backup, restored, nil)
	if err != nil || info != made {
		t.Fatalf("%+v, %v", info, err)
	}
	r := open(t, restored, nil)
	wantContents(t, r, want)
	set(t, r, "000", "in the copy")
	if got := contents(t, s)["000"]; got != "later" {
		t.Errorf("a write to the copy changed the original to %q", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	after := filesBelow(t, backup)
	delete(after, filepath.Join("store", "LOCK"))
	for name, text := range after {
		if before[name] != text {
			t.Errorf("%s of the backup was changed", name)
		}
	}
	if _, err := storage.VerifyBackup(t.Context(), backup, nil); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{backup, restored} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if info, _ := d.Info(); info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s can be read by others: %v", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestBackupRefusals(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "data")
	s, _ := stocked(t, dir)
	foreign := filepath.Join(root, "foreign")
	for _, name := range []string{"foreign/BACKUP.tmp", "foreign/thesis.txt", "file"} {
		if err := errors.Join(os.MkdirAll(foreign, 0o700), os.WriteFile(filepath.Join(root, name), []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]error{
		foreign: fs.ErrExist, filepath.Join(root, "file"): nil, dir: fs.ErrInvalid, filepath.Join(dir, "copy"): fs.ErrInvalid,
		filepath.Join(link, "a", "copy"): fs.ErrInvalid, root: fs.ErrInvalid,
	} {
		before := filesBelow(t, root)
		_, err := s.Backup(t.Context(), target, "")
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("Backup to %s: %v, want %v", target, err, want)
		}
		if after := filesBelow(t, root); len(after) != len(before) {
			t.Errorf("Backup to %s left something: %d files, were %d", target, len(after), len(before))
		}
	}
	_, err := inMemory(t).Backup(t.Context(), filepath.Join(root, "b"), "")
	wantErr(t, "Backup of a store in memory", err, errors.ErrUnsupported)
	_, err = s.Backup(t.Context(), filepath.Join(root, "b"), "two\nlines")
	wantErr(t, "Backup with a note of two lines", err, fs.ErrInvalid)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Backup(cancelled, filepath.Join(root, "b"), "")
	wantErr(t, "Backup that is cancelled", err, context.Canceled)
	if _, err := os.Stat(filepath.Join(root, "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup that failed left something: %v", err)
	}

	backup := filepath.Join(root, "b")
	made, err := s.Backup(t.Context(), backup, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Backup(t.Context(), backup, "")
	wantErr(t, "Backup over another one", err, fs.ErrExist)
	for dir, want := range map[string]error{foreign: fs.ErrExist, dir: fs.ErrExist, backup: fs.ErrExist, filepath.Join(backup, "new"): fs.ErrInvalid} {
		before := filesBelow(t, root)
		_, err := storage.RestoreBackup(t.Context(), backup, dir, nil)
		wantErr(t, "RestoreBackup to "+dir, err, want)
		if after := filesBelow(t, root); len(after) != len(before) {
			t.Errorf("RestoreBackup to %s left something", dir)
		}
	}
	for source, want := range map[string]error{foreign: storage.ErrForeign, dir: storage.ErrForeign, filepath.Join(root, "none"): fs.ErrNotExist} {
		_, err := storage.RestoreBackup(t.Context(), source, filepath.Join(root, "r"), nil)
		wantErr(t, "RestoreBackup of "+source, err, want)
	}
	wantErr(t, "RemoveBackup of another one", storage.RemoveBackup(backup, "0", nil), storage.ErrForeign)
	wantErr(t, "RemoveBackup of a data directory", storage.RemoveBackup(dir, made.Sum, nil), storage.ErrForeign)
	if err := os.WriteFile(filepath.Join(backup, "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "RemoveBackup beside a foreign file", storage.RemoveBackup(backup, made.Sum, nil), fs.ErrExist)
	if err := os.Remove(filepath.Join(backup, "notes")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := storage.RemoveBackup(backup, made.Sum, nil); err != nil {
			t.Errorf("RemoveBackup: %v", err)
		}
	}
	if _, err := os.Stat(backup); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed backup: %v", err)
	}
}

// TestDamagedBackupIsNotRestored flips, cuts and removes every file of a backup.
func TestDamagedBackupIsNotRestored(t *testing.T) {
	root := t.TempDir()
	s, _ := stocked(t, filepath.Join(root, "data"))
	backup := filepath.Join(root, "backup")
	if _, err := s.Backup(t.Context(), backup, "note"); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	damage := map[string]func(text []byte) []byte{
		"flipped":  func(text []byte) []byte { text[random.IntN(len(text))] ^= 1 << random.IntN(8); return text },
		"cut":      func(text []byte) []byte { return text[:random.IntN(len(text))] },
		"extended": func(text []byte) []byte { return append(text, 0) },
		"removed":  func([]byte) []byte { return nil },
	}
	for name, text := range filesBelow(t, backup) {
		path := filepath.Join(backup, name)
		for what, change := range damage {
			if len(text) == 0 && what != "extended" {
				continue
			}
			// The files may be links to those of the store.
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if text := change([]byte(text)); text != nil {
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := storage.RestoreBackup(t.Context(), backup, filepath.Join(root, "restored"), nil)
			if !errors.Is(err, storage.ErrCorrupt) && (name != "BACKUP" || !errors.Is(err, storage.ErrForeign)) && !errors.Is(err, storage.ErrNewerFormat) {
				t.Errorf("%s %s: %v", name, what, err)
			}
			if name != "BACKUP" && name != "QUARRY" && !strings.Contains(fmt.Sprint(err), filepath.Base(name)) {
				t.Errorf("%s %s: the error does not name it: %v", name, what, err)
			}
			if _, err := os.Stat(filepath.Join(root, "restored")); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("%s %s: something was restored: %v", name, what, err)
			}
			if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(backup, "store", "000999.sst"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.VerifyBackup(t.Context(), backup, nil); !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "000999.sst") {
		t.Errorf("a file more: %v", err)
	}
}

// TestCrashInBackupAndRestore cuts the power at every file operation of a
// backup, a restore and a removal. What is left is complete or does not look
// so, and the same call succeeds afterwards.
func TestCrashInBackupAndRestore(t *testing.T) {
	type cut struct {
		disk *storagetest.CrashFS
		what string
	}
	var cuts []cut
	var phase string
	disk := storagetest.NewCrashFS()
	n := uint64(0)
	hooked := storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if phase != "" && op != storagetest.Read && op != storagetest.Stat && op != storagetest.List {
			n++
			cuts = append(cuts, cut{disk.Clone(int(n%3)*50, n), fmt.Sprintf("%s, operation %d: %s %s", phase, n, op, path)})
		}
		return nil
	})
	s, err := storage.Open("dir/data", &storage.Options{FS: hooked, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := write(s, uint32(i), 500, i == 4); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			if err := s.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	phase = "backup"
	made, err := s.Backup(t.Context(), "dir/backup", "")
	if err != nil {
		t.Fatal(err)
	}
	phase = "restore"
	if _, err := storage.RestoreBackup(t.Context(), "dir/backup", "dir/restored", hooked); err != nil {
		t.Fatal(err)
	}
	phase = "removal"
	if err := storage.RemoveBackup("dir/backup", made.Sum, hooked); err != nil {
		t.Fatal(err)
	}
	phase = ""
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := func(fsys storage.FS, dir string) error {
		s, err := storage.Open(dir, &storage.Options{FS: fsys, CacheBytes: 1 << 20})
		if err != nil {
			return err
		}
		got, err := verify(s)
		if err == nil && got != 5 {
			err = fmt.Errorf("%d changes, want 5", got)
		}
		return errors.Join(err, s.Close())
	}
	for i, c := range cuts {
		if testing.Short() && i%5 != 0 {
			continue
		}
		ctx := context.Background()
		// What looks complete is complete.
		if _, err := storage.ReadBackup("dir/backup", c.disk); err == nil {
			if _, err := storage.VerifyBackup(ctx, "dir/backup", c.disk); err != nil {
				t.Errorf("%s: looks complete: %v", c.what, err)
			}
		}
		if err := whole(c.disk.Clone(100, 0), "dir/restored"); err != nil && !errors.Is(err, storage.ErrHalfMade) && !strings.HasPrefix(c.what, "backup") {
			if names, _ := c.disk.List("dir/restored"); len(names) > 0 {
				t.Errorf("%s: half restored: %v", c.what, err)
			}
		}
		// The same again succeeds.
		switch {
		case strings.HasPrefix(c.what, "backup"):
			s, err := storage.Open("dir/data", &storage.Options{FS: c.disk, CacheBytes: 1 << 20})
			if err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if _, err := s.Backup(ctx, "dir/backup", ""); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: again: %v", c.what, err)
			}
			if _, err := storage.RestoreBackup(ctx, "dir/backup", "dir/restored", c.disk); err != nil {
				t.Errorf("%s: restore: %v", c.what, err)
			}
			if err := errors.Join(s.Close(), whole(c.disk, "dir/restored")); err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
		case strings.HasPrefix(c.what, "restore"):
			if _, err := storage.RestoreBackup(ctx, "dir/backup", "dir/restored", c.disk); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: again: %v", c.what, err)
			}
			if err := whole(c.disk, "dir/restored"); err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
		default:
			if err := storage.RemoveBackup("dir/backup", made.Sum, c.disk); err != nil {
				t.Errorf("%s: again: %v", c.what, err)
			}
			if names, err := c.disk.List("dir/backup"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: left: %v, %v", c.what, names, err)
			}
		}
	}
	t.Logf("%d cuts", len(cuts))
}

// TestBackupUnderLoad takes backups while changes are committed: each holds a
// beginning of them, with all that were acknowledged before it.
func TestBackupUnderLoad(t *testing.T) {
	root := t.TempDir()
	s := open(t, filepath.Join(root, "data"), &storage.Options{MemTableBytes: 256 << 10})
	stop, stopped := make(chan struct{}), make(chan error, 1)
	acked := make(chan uint32) // asks for the number of acknowledged changes
	done := make(chan struct{})
	go func() {
		for n := uint32(0); ; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			case acked <- n:
			default:
			}
			if err := write(s, n, 2000, n%4 == 3); err != nil {
				stopped <- err
				return
			}
		}
	}()
	defer close(done)
	for i := range 5 {
		before := <-acked
		backup, restored := filepath.Join(root, fmt.Sprint("b", i)), filepath.Join(root, fmt.Sprint("r", i))
		if _, err := s.Backup(t.Context(), backup, ""); err != nil {
			t.Fatal(err)
		}
		after := <-acked
		if _, err := storage.RestoreBackup(t.Context(), backup, restored, nil); err != nil {
			t.Fatal(err)
		}
		r := open(t, restored, nil)
		got, err := verify(r)
		if err != nil || got < before || got > after {
			t.Errorf("backup %d: %d changes, %v, want %d to %d", i, got, err, before, after)
		}
		if err := r.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func FuzzBackupManifest(f *testing.F) {
	root := f.TempDir()
	s, err := storage.Open(filepath.Join(root, "data"), nil)
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	backup := filepath.Join(root, "backup")
	if _, err := s.Backup(f.Context(), backup, "note"); err != nil {
		f.Fatal(err)
	}
	text := must(os.ReadFile(filepath.Join(backup, "BACKUP")))
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("quarry backup, format 2\nend 0\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := storage.ParseManifest(text)
		if err != nil {
			if !errors.Is(err, storage.ErrCorrupt) && !errors.Is(err, storage.ErrNewerFormat) {
				t.Errorf("error without a mark: %v", err)
			}
			return
		}
		if !slices.Contains(m, "QUARRY") {
			t.Errorf("no marker among %q", m)
		}
		for _, name := range m {
			if !filepath.IsLocal(name) || len(strings.Split(name, "/")) > 2 {
				t.Errorf("the name %q leads elsewhere", name)
			}
		}
	})
}
