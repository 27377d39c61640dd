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
	w, err := s.NewTable(true)
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

// writeTogether makes several changes from n on and then waits for all of them.
func writeTogether(s *storage.Store, n, several uint32, size int) error {
	var waits []func() error
	for i := range several {
		b := s.NewBatch()
		for j := range uint32(crashWidth) {
			b.Set(crashKey(n+i, j), make([]byte, size))
		}
		wait, err := s.Apply(b)
		if err != nil {
			return err
		}
		waits = append(waits, wait)
	}
	for _, wait := range waits {
		if err := wait(); err != nil {
			return err
		}
	}
	return nil
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
			err := fmt.Errorf("found key %x, want %x: a change is torn or missing", it.Key(), want)
			it.Close()
			return 0, err
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
		disk := storagetest.NewCrashFS()
		if err := crashOnce(seed, disk, disk); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestCrashWithoutSyncing is the control of the test above: where nothing is
// synced its checks must find losses.
func TestCrashWithoutSyncing(t *testing.T) {
	const seeds = 30
	lost := 0
	for seed := range uint64(seeds) {
		disk := storagetest.NewCrashFS()
		if err := crashOnce(seed, disk, storagetest.NewUnsyncedFS(disk)); err != nil {
			lost++
		}
	}
	// A fifth of them leaves all that was written, some come before the first change.
	t.Logf("control without syncing: %d of %d disks have lost something", lost, seeds)
	if lost < seeds/3 {
		t.Errorf("%d of %d disks have lost something", lost, seeds)
	}
}

// crashOnce runs the workload on fs, which is disk or a layer over it, and looks
// at a copy of disk.
func crashOnce(seed uint64, disk *storagetest.CrashFS, fs storage.FS) error {
	r := rand.New(rand.NewPCG(seed, 0))
	percent := []int{0, 10, 50, 90, 100}[r.IntN(5)]
	crashAt := int64(r.IntN(1000))
	var (
		acked, promised atomic.Uint32
		operations      atomic.Int64
		crash           atomic.Pointer[storagetest.CrashFS]
	)
	// Small memtables, so that flushes and compactions are under way.
	o := &storage.Options{MemTableBytes: 32 << 10, CacheBytes: 1 << 20}
	o.FS = storagetest.NewFaultFS(fs, func(storagetest.Op, string) error {
		if operations.Add(1) == crashAt+1 {
			// What is acknowledged before the crash must be there after it.
			promised.Store(acked.Load())
			crash.Store(disk.Clone(percent, seed))
		}
		return nil
	})
	s, err := storage.Open(crashDir, o)
	if err != nil {
		return err
	}
	// Every third disk has changes of several blocks of the log each.
	changes, size := uint32(60), 2000
	if seed%3 == 2 {
		changes, size = 20, 40_000
	}
	for n := uint32(0); n < changes; {
		if r.IntN(4) == 0 {
			// The log is synced while the next change is being written to it.
			several := min(1+r.Uint32N(4), changes-n)
			if err := writeTogether(s, n, several, r.IntN(size)); err != nil {
				return err
			}
			n += several
		} else {
			if err := write(s, n, r.IntN(size), r.IntN(6) == 0); err != nil {
				return err
			}
			n++
		}
		acked.Store(n)
	}
	if err := s.Close(); err != nil {
		return err
	}
	crashed := crash.Load()
	if crashed == nil {
		promised.Store(acked.Load())
		crashed = disk.Clone(percent, seed)
	}

	// Opening and crashing again at once must change nothing.
	for range 2 {
		o.FS = crashed
		s, err := storage.Open(crashDir, o)
		if err != nil {
			return fmt.Errorf("open after a crash at operation %d with %d %% of what was not synced: %w", crashAt, percent, err)
		}
		n, err := verify(s)
		if err == nil && n < promised.Load() {
			err = fmt.Errorf("%d changes are there, %d were acknowledged", n, promised.Load())
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

// TestCrashWhileADirectoryIsOpened takes what a loss of power leaves before each
// file operation of the first three times that a directory is opened and
// closed, and opens it.
func TestCrashWhileADirectoryIsOpened(t *testing.T) {
	for at := int64(0); ; at++ {
		disk := storagetest.NewCrashFS()
		var after atomic.Pointer[storagetest.CrashFS]
		var operations atomic.Int64
		fsys := storagetest.NewFaultFS(disk, func(storagetest.Op, string) error {
			if operations.Add(1) == at+1 {
				after.Store(disk.Clone(50, uint64(at)))
			}
			return nil
		})
		for range 3 {
			if err := openAndClose(fsys); err != nil {
				t.Fatal(err)
			}
		}
		if after.Load() == nil {
			return
		}
		if err := openAndClose(after.Load()); err != nil {
			t.Errorf("after a crash before operation %d: %v", at, err)
		}
	}
}

func openAndClose(fsys storage.FS) error {
	s, err := storage.Open(crashDir, &storage.Options{FS: fsys, CacheBytes: 1 << 20})
	if err != nil {
		return err
	}
	return s.Close()
}
