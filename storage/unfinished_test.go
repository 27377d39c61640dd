package storage_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// fillDir makes a directory by BeginDir and FinishDir, with one key.
func fillDir(dir string, fsys storage.FS) error {
	if err := storage.BeginDir(dir, fsys); err != nil {
		return err
	}
	s, err := storage.Open(dir, &storage.Options{FS: fsys, CacheBytes: 1 << 20, Unfinished: true})
	if err != nil {
		return err
	}
	b := s.NewBatch()
	b.Set([]byte("key"), []byte("value"))
	if err := errors.Join(s.Commit(b), s.Close()); err != nil {
		return err
	}
	return storage.FinishDir(dir, fsys)
}

// TestCrashWhileADirectoryIsFilled cuts the power at every file operation: what is
// left is complete or is refused, and filling it again succeeds.
func TestCrashWhileADirectoryIsFilled(t *testing.T) {
	type cut struct {
		disk *storagetest.CrashFS
		what string
	}
	var cuts []cut
	disk := storagetest.NewCrashFS()
	hooked := storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if op != storagetest.Read && op != storagetest.Stat && op != storagetest.List {
			n := uint64(len(cuts))
			cuts = append(cuts, cut{disk.Clone(int(n%3)*50, n), fmt.Sprintf("operation %d: %s %s", n, op, path)})
		}
		return nil
	})
	if err := fillDir("dir/new", hooked); err != nil {
		t.Fatal(err)
	}
	cuts = append(cuts, cut{disk.Clone(0, 0), "the end"})
	refused := 0
	for _, c := range cuts {
		names, _ := c.disk.List("dir/new")
		s, err := storage.Open("dir/new", &storage.Options{FS: c.disk.Clone(100, 0), CacheBytes: 1 << 20, ReadOnly: true})
		switch {
		case err == nil:
			if _, err := s.Get([]byte("key")); err != nil {
				t.Errorf("%s: looks complete: %v", c.what, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := fillDir("dir/new", c.disk); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: again: %v", c.what, err)
			}
			continue
		case len(names) > 0 && !errors.Is(err, storage.ErrHalfMade):
			t.Errorf("%s: %v", c.what, err)
		}
		refused++
		if err := fillDir("dir/new", c.disk); err != nil {
			t.Errorf("%s: again: %v", c.what, err)
		}
	}
	if refused < 10 {
		t.Errorf("%d of %d were refused", refused, len(cuts))
	}
}

func TestBeginDirLeavesOthersAlone(t *testing.T) {
	dir, want := writeStore(t, rand.New(rand.NewPCG(1, 0)))
	before := files(t, dir)
	if err := storage.BeginDir(dir, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a data directory: %v", err)
	}
	if after := files(t, dir); len(after) != len(before) {
		t.Error("it has changed")
	}
	if opened, checked, read := readAll(t, dir, want, storage.Events{}); opened != nil || checked != nil || read != nil {
		t.Error(opened, checked, read)
	}
}
