package storagetest_test

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"syscall"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// commit sets key and returns the error.
func commit(s *storage.Store, key string) error {
	b := s.NewBatch()
	b.Set([]byte(key), make([]byte, 1000))
	return s.Commit(b)
}

func openOn(t *testing.T, fsys storage.FS) *storage.Store {
	t.Helper()
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestCloneHasWhatWasSynced(t *testing.T) {
	disk := storagetest.NewCrashFS()
	s := openOn(t, disk)
	if err := commit(s, "k"); err != nil {
		t.Fatal(err)
	}
	clone := disk.Clone(0, 1)
	if err := commit(s, "later"); err != nil {
		t.Fatal(err)
	}
	c := openOn(t, clone)
	if ok, err := c.Has([]byte("k")); !ok || err != nil {
		t.Errorf("Has(k) = %t, %v", ok, err)
	}
	if ok, err := c.Has([]byte("later")); ok || err != nil {
		t.Errorf("a clone changed with its original: Has(later) = %t, %v", ok, err)
	}
}

// TestCloneWhileFilesAreLinked would hang if the two could meet.
func TestCloneWhileFilesAreLinked(t *testing.T) {
	disk := storagetest.NewCrashFS()
	s := openOn(t, disk)
	var work sync.WaitGroup
	work.Go(func() {
		for range uint64(200) {
			disk.Clone(50, 1)
		}
	})
	for i := range 50 {
		w, err := s.NewTable(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Set([]byte{byte(i)}, nil); err != nil {
			t.Fatal(err)
		}
		table, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Ingest(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	work.Wait()
}

func TestFaultIsReturnedAndNamed(t *testing.T) {
	want := errors.New("no")
	var seen storagetest.Op
	_, err := storage.Open("data", &storage.Options{
		FS: storagetest.NewFaultFS(storagetest.NewCrashFS(), func(op storagetest.Op, path string) error {
			if op == storagetest.Lock {
				seen = op
				return want
			}
			return nil
		}),
	})
	if !errors.Is(err, want) || seen.String() != "lock" {
		t.Errorf("error %v at %v", err, seen)
	}
	for _, op := range storagetest.Ops() {
		if op.String() == "" {
			t.Errorf("operation %d has no name", op)
		}
	}
	if got := storagetest.Op(99).String(); got != "operation 99" {
		t.Errorf("Op(99) = %s", got)
	}
}

func TestFullFSCountsBytesByFile(t *testing.T) {
	const limit = 100
	disk := storagetest.NewFullFS(limit)
	write := func(name string, n int) error {
		f, err := disk.Create(name, "")
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.Write(make([]byte, n))
		return err
	}
	used := func(want int64) {
		t.Helper()
		usage, err := disk.GetDiskUsage("")
		if got := disk.Used(); got != want || err != nil || int64(usage.AvailBytes) != max(limit-want, 0) {
			t.Errorf("%d bytes used, %d free, %v, want %d", got, usage.AvailBytes, err, want)
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	ok(write("a", 60))
	used(60)
	if err := write("b", 50); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("write past the limit: %v", err)
	}
	used(60)
	ok(write("b", 40))
	used(100)
	if err := write("c", 0); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("create on a full disk: %v", err)
	}
	ok(disk.Link("a", "a2"))
	ok(disk.Remove("a"))
	used(100) // still there under its other name
	ok(disk.Remove("a2"))
	used(40)
	ok(disk.MkdirAll("dir", 0o700))
	ok(write("dir/f", 10))
	ok(disk.Rename("dir", "dir2"))
	ok(disk.Rename("b", "dir2/b"))
	used(50)
	f, err := disk.Open("dir2/f")
	ok(err)
	data, err := io.ReadAll(f)
	if len(data) != 10 || err != nil {
		t.Errorf("read %d bytes, %v", len(data), err)
	}
	ok(f.Close())
	ok(disk.RemoveAll("dir2"))
	used(0)
	if _, err := disk.Open("dir2/f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open of a removed file: %v", err)
	}
}
