package storage_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// A crash workload writes numbered changes: change n sets the keys (n, 0) to
// (n, width-1) at once, by a batch or by ingesting a table.
const (
	crashWidth = 5
	crashDir   = "dir/data"
)

func crashKey(change, i uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, change), i)
}

// write makes change n, and returns when it is durable.
func write(s *storage.Store, n uint32, size int, ingest bool) error {
	value := make([]byte, size)
	if !ingest {
		b := s.NewBatch()
		for i := range uint32(crashWidth) {
			b.Set(crashKey(n, i), value)
		}
		return s.Commit(b)
	}
	w, err := s.NewTable()
	if err != nil {
		return err
	}
	for i := range uint32(crashWidth) {
		if err := w.Set(crashKey(n, i), value); err != nil {
			return err
		}
	}
	table, err := w.Finish()
	if err != nil {
		return err
	}
	return s.Ingest(context.Background(), table)
}

// verify checks that s holds a beginning of the changes and none of them in
// part, and returns how many.
func verify(s *storage.Store) (changes uint32, err error) {
	it, err := s.Iter(nil, nil)
	if err != nil {
		return 0, err
	}
	var i uint32
	for ok := it.First(); ok; ok = it.Next() {
		if want := crashKey(changes, i); string(it.Key()) != string(want) {
			it.Close()
			return 0, fmt.Errorf("found key %x, want %x: a change is torn or missing", it.Key(), want)
		}
		if i++; i == crashWidth {
			changes, i = changes+1, 0
		}
	}
	if err := it.Close(); err != nil {
		return 0, err
	}
	if i != 0 {
		return 0, fmt.Errorf("change %d is there in part", changes)
	}
	return changes, s.Check(context.Background())
}

// TestEveryAcknowledgedChangeSurvivesACrash takes a copy of the disk as a loss
// of power would leave it, before a random file operation of a workload, and
// opens it.
func TestEveryAcknowledgedChangeSurvivesACrash(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		if err := crashOnce(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func crashOnce(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	percent := []int{0, 10, 50, 90, 100}[r.IntN(5)]
	crashAt := int64(r.IntN(1000))
	disk := storagetest.NewCrashFS()
	var (
		crashed    *storagetest.CrashFS
		promised   uint32
		acked      atomic.Uint32
		operations atomic.Int64
	)
	// Small memtables, so that flushes and compactions are under way.
	o := &storage.Options{MemTableBytes: 32 << 10, CacheBytes: 1 << 20}
	o.FS = storagetest.NewFaultFS(disk, func(storagetest.Op, string) error {
		if operations.Add(1) == crashAt+1 {
			// What is acknowledged before the crash must be there after it.
			promised = acked.Load()
			crashed = disk.Clone(percent, seed)
		}
		return nil
	})
	s, err := storage.Open(crashDir, o)
	if err != nil {
		return err
	}
	for n := range uint32(60) {
		if err := write(s, n, r.IntN(2000), r.IntN(6) == 0); err != nil {
			return err
		}
		acked.Store(n + 1)
	}
	if err := s.Close(); err != nil {
		return err
	}
	if crashed == nil {
		promised, crashed = acked.Load(), disk.Clone(percent, seed)
	}

	// Opening and crashing again at once must change nothing.
	for range 2 {
		o.FS = crashed
		s, err := storage.Open(crashDir, o)
		if err != nil {
			return fmt.Errorf("open after a crash at operation %d with %d %% of what was not synced: %w", crashAt, percent, err)
		}
		n, err := verify(s)
		if err == nil && n < promised {
			err = fmt.Errorf("%d changes are there, %d were acknowledged", n, promised)
		}
		if err != nil {
			return fmt.Errorf("after a crash at operation %d with %d %% of what was not synced: %w", crashAt, percent, err)
		}
		crashed = crashed.Clone(0, seed)
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

// TestCrashWhileADirectoryIsMade opens what any number of file operations of a
// first Open left behind.
func TestCrashWhileADirectoryIsMade(t *testing.T) {
	for last := 0; ; last++ {
		disk := storagetest.NewCrashFS()
		var after *storagetest.CrashFS
		count := 0
		fsys := storagetest.NewFaultFS(disk, func(storagetest.Op, string) error {
			if count == last {
				after = disk.Clone(50, uint64(last))
			}
			count++
			return nil
		})
		s, err := storage.Open(crashDir, &storage.Options{FS: fsys})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if after == nil {
			return
		}
		s, err = storage.Open(crashDir, &storage.Options{FS: after})
		if err != nil {
			t.Fatalf("open after a crash before operation %d of the first: %v", last, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
