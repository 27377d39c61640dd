//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRefusedDirectories: a server that cannot have its directory ends at once,
// says why in one line, and leaves everything as it was.
func TestRefusedDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	p := spawn(t, nil, "serve", "--listen", "127.0.0.1:0")
	refused(t, "a second process", "quarry-data is in use by another process", nil)
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("quarry-data", "good"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, says string
		make       func() error
	}{
		{"somebody's files", "holds other files", func() error { return write("quarry-data/notes.txt", "mine") }},
		{"a file", "quarry-data", func() error { return write("quarry-data", "mine") }},
		{"a newer format", "newer", func() error { return write("quarry-data/QUARRY", "quarry data directory, format 99\n") }},
		{"a marker that is damaged", "QUARRY", func() error { return write("quarry-data/QUARRY", "quarry data directory, format x\n") }},
		{"a newer format of the store", "newer", func() error {
			if err := os.CopyFS("quarry-data", os.DirFS("good")); err != nil {
				return err
			}
			markers, err := filepath.Glob("quarry-data/store/marker.format-version.*")
			if err != nil || len(markers) != 1 {
				return fmt.Errorf("%v, %w", markers, err)
			}
			return os.Rename(markers[0], strings.TrimSuffix(markers[0], filepath.Ext(markers[0]))+".999")
		}},
		{"a store without its list of files", "MANIFEST", func() error {
			if err := os.CopyFS("quarry-data", os.DirFS("good")); err != nil {
				return err
			}
			all, err := filepath.Glob("quarry-data/store/MANIFEST-*")
			for _, name := range all {
				os.Remove(name)
			}
			return err
		}},
		{"a backup", "backup", func() error {
			abs, err := filepath.Abs("quarry-data")
			if err != nil {
				return err
			}
			b := launch(t, nil, "backup", "--data", "good", abs)
			return b.Wait()
		}},
	} {
		if err := c.make(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		refused(t, c.name, c.says, nil)
		if err := os.RemoveAll("quarry-data"); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"check"}, {"inspect"}, {"search", "--data", "quarry-data", "x"}, {"backup", "--data", "quarry-data", "copy"}} {
		p := launch(t, nil, args...)
		p.Wait()
		if said := p.log.String(); p.ProcessState.ExitCode() != exitFailed || strings.Count(said, "\n") != 1 || !strings.Contains(said, "there is no data directory quarry-data") {
			t.Errorf("quarry %v without a directory: %v, %q", args, p.ProcessState, said)
		}
		if _, err := os.Stat("quarry-data"); err == nil {
			t.Fatalf("quarry %v made the directory", args)
		}
	}
	t.Run("somebody else's directory", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("being somebody else needs root")
		}
		if err := os.Rename("good", "quarry-data"); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		name := *binary
		if name == "" {
			name = os.Args[0]
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "quarry"), text, 0o755)
		}
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, "quarry-data"), os.DirFS("quarry-data"))
		}
		if err == nil {
			err = os.Chmod(filepath.Join(dir, "quarry-data"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		refused(t, "somebody else's", "permission denied", func(p *process) {
			p.Path = filepath.Join(dir, "quarry")
			p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		})
	})
}

// TestReadOnlyDisk is TestRefusedDirectories for a file system that is mounted
// for reading.
func TestReadOnlyDisk(t *testing.T) {
	d := newDisk(t, 256<<20)
	p := spawn(t, nil, "serve", "--listen", "127.0.0.1:0")
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", d.mount, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("a file system cannot be remounted here: %v", err)
	}
	refused(t, "a read-only file system", "read-only", nil)
	before := tree(t, "quarry-data")
	for _, args := range [][]string{
		{"check", "--data", "quarry-data"}, {"inspect", "--data", "quarry-data"}, {"indexes", "list", "--data", "quarry-data"},
	} {
		p := command(t, nil, args...)
		p.begin()
		if p.Wait(); !p.ProcessState.Success() {
			t.Errorf("%s on a read-only file system: %v, %s", args[0], p.ProcessState, p.log.String())
		}
	}
	if after := tree(t, "quarry-data"); after != before {
		t.Errorf("the directory was\n%sand is\n%s", before, after)
	}
}

// refused starts a server on quarry-data, which has to be refused. prepare,
// which may be nil, changes the process before it starts.
func refused(t *testing.T, name, says string, prepare func(*process)) {
	t.Helper()
	before := tree(t, "quarry-data")
	p := command(t, nil, "serve", "--listen", "127.0.0.1:0")
	if prepare != nil {
		prepare(p)
	}
	p.begin()
	p.Wait()
	said := p.log.String()
	if p.ProcessState.ExitCode() != exitFailed || !strings.HasPrefix(said, "quarry: ") || strings.Count(said, "\n") != 1 || !strings.Contains(said, says) {
		t.Errorf("%s: %v, %q, want one line with %q", name, p.ProcessState, said, says)
	}
	if busy := p.ProcessState.UserTime() + p.ProcessState.SystemTime(); busy > slow*2*time.Second {
		t.Errorf("%s: took %v of processor time", name, busy)
	}
	if after := tree(t, "quarry-data"); after != before {
		t.Errorf("%s: the directory was\n%sand is\n%s", name, before, after)
	}
}

// tree describes all that is in a directory, but for the lock, which has to be
// taken to see more.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.Name() == "LOCK" {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var sum [sha256.Size]byte
		if !e.IsDir() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(text)
		}
		_, err = fmt.Fprintf(&all, "%s %v %v %x\n", name, info.Mode(), info.ModTime(), sum[:4])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// write makes a file and the folders above it.
func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}
