package storage_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

const mib = 1 << 20

// TestWritesResumeWhenAFullDiskHasRoomAgain fills a disk, and makes it larger.
func TestWritesResumeWhenAFullDiskHasRoomAgain(t *testing.T) {
	disk := storagetest.NewFullFS(8 * mib)
	var low atomic.Int64
	o := &storage.Options{
		FS: disk, MinFreeBytes: 2 * mib, MemTableBytes: 256 << 10,
		Events: storage.Events{LowDisk: func(uint64) { low.Add(1) }},
	}
	s := open(t, "data", o)
	r := rand.New(rand.NewPCG(1, 0))
	var n uint32
	fill := func() error {
		for {
			b := s.NewBatch()
			for i := range uint32(crashWidth) {
				b.Set(crashKey(n, i), noise(r, 4000))
			}
			if err := s.Commit(b); err != nil {
				return err
			}
			n++
		}
	}
	wantErr(t, "commit on a full disk", fill(), storage.ErrFull)
	if low.Load() == 0 {
		t.Error("LowDisk was not called")
	}
	first := n
	// What runs in the background may remove a file and so make room again: the
	// disk shrinks with it until the operation meets one that is full.
	refused := func(what string, do func() error) {
		t.Helper()
		var err error
		for err == nil {
			disk.SetLimit(disk.Used() + 2*mib - 1)
			err = do()
		}
		wantErr(t, what, err, storage.ErrFull)
	}
	refused("NewTable", func() error {
		w, err := s.NewTable(true)
		if err != nil {
			return err
		}
		return w.Abort()
	})
	refused("Backup", func() error {
		if _, err := s.Backup(t.Context(), "copy", ""); err != nil {
			return err
		}
		return disk.RemoveAll("copy")
	})
	// Everything is still readable, and a batch that deletes is let through.
	if got, err := verify(s); got != n || err != nil {
		t.Fatalf("%d changes, %v, want %d", got, err, n)
	}
	b := s.NewBatch()
	b.DeleteRange(crashKey(0, 0), crashKey(1, 0))
	if err := s.Commit(b); err != nil {
		t.Errorf("deleting on a full disk: %v", err)
	}

	disk.SetLimit(16 * mib)
	wantErr(t, "commit on a full disk that was made larger", fill(), storage.ErrFull)
	if n < first+100 {
		t.Errorf("%d changes were written before, %d after", first, n-first)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	disk.SetLimit(disk.Used() + 2*mib - 1) // closing may have removed files
	_, err := storage.Open("data", o)
	wantErr(t, "open on a full disk", err, storage.ErrFull)
	disk.SetLimit(64 * mib)
	s = open(t, "data", o)
	if _, err := s.Get(crashKey(0, 0)); err != storage.ErrNotFound {
		t.Errorf("what was deleted on the full disk: %v", err)
	}
	if _, err := s.Get(crashKey(n-1, 0)); err != nil {
		t.Errorf("what was written last: %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestFullDiskWithoutAReserve lets the store meet the end of the disk: it is
// ended or refuses, and nothing that was acknowledged is lost.
func TestFullDiskWithoutAReserve(t *testing.T) {
	disk := storagetest.NewFullFS(1 * mib)
	o := &storage.Options{FS: disk, MinFreeBytes: -1, Fatal: func(error) {}}
	s, err := storage.Open("data", o)
	if err != nil {
		t.Fatal(err)
	}
	var acked uint32
	done := make(chan struct{})
	go func() {
		defer close(done)
		for write(s, acked, 4000, false) == nil {
			acked++
		}
	}()
	waitFor(t, "writing on a full disk", done)
	wantErr(t, "Close", s.Close(), storage.ErrFailed)
	disk.SetLimit(64 * mib)
	s = open(t, "data", o)
	if n, err := verify(s); n < acked || n > acked+1 || err != nil {
		t.Errorf("%d changes, %v, want %d", n, err, acked)
	}
}

// noise returns n bytes that do not compress.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestFreeSpaceOfTheOperatingSystem(t *testing.T) {
	s := open(t, t.TempDir(), &storage.Options{MinFreeBytes: 1})
	set(t, s, "k", "v")
	_, err := storage.Open(t.TempDir(), &storage.Options{MinFreeBytes: 1 << 61})
	wantErr(t, "open with an enormous reserve", err, storage.ErrFull)
	if text := fmt.Sprint(err); !strings.Contains(text, "bytes free") || !strings.Contains(text, fmt.Sprint(1<<61)) {
		t.Errorf("%v does not name both numbers", err)
	}
}
