package storage_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

var errInjected = fmt.Errorf("injected: %w", syscall.EIO)

// hangLimit is when a call is taken to hang. It is not waited for otherwise.
const hangLimit = 2 * time.Minute

// A faultRun is one run of a workload on a disk that fails.
type faultRun struct {
	disk  *storagetest.CrashFS
	store *storage.Store // nil if it did not open
	acked uint32         // changes that were acknowledged
	tried uint32         // changes that were begun
	ended bool           // the goroutine was ended
	fatal atomic.Int32   // calls of Options.Fatal
	err   error          // of the first step that failed
}

// run opens a store on fsys and uses each of its parts, in a goroutine that may
// be ended on the way.
func (f *faultRun) run(t *testing.T, fsys storage.FS) {
	f.ended = true
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.err = f.steps(fsys)
		f.ended = false
	}()
	waitFor(t, "workload", done)
	if f.store == nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := f.store.Close(); !errors.Is(err, storage.ErrClosed) && f.err == nil {
			f.err = err
		}
	}()
	waitFor(t, "Close", closed)
}

func waitFor(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(hangLimit):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s hangs:\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

func (f *faultRun) steps(fsys storage.FS) error {
	s, err := storage.Open(crashDir, &storage.Options{
		FS: fsys, MemTableBytes: 64 << 10, CacheBytes: 1 << 20,
		Fatal: func(error) { f.fatal.Add(1) },
	})
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	f.store = s
	for round := range 3 {
		for i := range 4 {
			f.tried++
			if err := write(s, f.acked, 3000, i == 3); err != nil {
				return fmt.Errorf("write: %w", err)
			}
			f.acked++
		}
		if round == 1 {
			if _, err := s.Backup(context.Background(), "dir/copy", ""); err != nil {
				return fmt.Errorf("backup: %w", err)
			}
		}
		if err := s.Flush(); err != nil {
			return fmt.Errorf("flush: %w", err)
		}
	}
	if err := s.Compact(context.Background(), nil, nil); err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	n, err := verify(s)
	if err == nil && n != f.acked {
		return fmt.Errorf("read %d changes, wrote %d without an error", n, f.acked)
	}
	return err
}

// afterwards opens what a loss of power leaves of the disk and checks it.
func (f *faultRun) afterwards() error {
	s, err := storage.Open(crashDir, &storage.Options{FS: f.disk.Clone(0, 0), CacheBytes: 1 << 20})
	if err != nil {
		return err
	}
	n, err := verify(s)
	switch {
	case err != nil:
	case n < f.acked:
		err = fmt.Errorf("%d changes are there, %d were acknowledged", n, f.acked)
	case n > f.tried:
		err = fmt.Errorf("%d changes are there, %d were begun", n, f.tried)
	case n > f.acked && !f.ended:
		err = fmt.Errorf("%d changes are there, but one more than %d returned the error %v", n, f.acked, f.err)
	}
	return errors.Join(err, s.Close())
}

// TestEveryFileOperationMayFail lets the first, second, third operation of each
// kind fail, until the workload does not get that far. Each time an error is
// returned, or the store ends, or nothing is wrong at all; and what was
// acknowledged is there.
func TestEveryFileOperationMayFail(t *testing.T) {
	for _, op := range storagetest.Ops() {
		t.Run(op.String(), func(t *testing.T) {
			fatal, failed := 0, 0
			for at := int64(0); ; at++ {
				if testing.Short() && at > 10 {
					return
				}
				run := &faultRun{disk: storagetest.NewCrashFS()}
				var count atomic.Int64
				var path atomic.Pointer[string]
				run.run(t, storagetest.NewFaultFS(run.disk, func(o storagetest.Op, p string) error {
					if o != op || count.Add(1) != at+1 {
						return nil
					}
					path.Store(&p)
					return errInjected
				}))
				if path.Load() == nil {
					if run.err != nil || run.ended {
						t.Fatalf("without a fault: ended %t, %v", run.ended, run.err)
					}
					t.Logf("%d operations: %d ended the store, %d returned an error", at, fatal, failed)
					return
				}
				where := fmt.Sprintf("%s %d of %s", op, at, *path.Load())
				switch fatals := run.fatal.Load(); {
				case fatals > 1:
					t.Errorf("%s: Fatal was called %d times", where, fatals)
				case fatals == 1:
					fatal++
				case run.ended:
					t.Errorf("%s: a goroutine was ended without a call of Fatal", where)
				case run.err != nil:
					failed++
					if !errors.Is(run.err, syscall.EIO) && !strings.Contains(run.err.Error(), errInjected.Error()) && !storage.IsCorrupt(run.err) {
						t.Errorf("%s: unexpected error %v", where, run.err)
					}
				}
				if err := run.afterwards(); err != nil {
					t.Errorf("after %s (returned %v, ended %t): %v", where, run.err, run.ended, err)
				}
			}
		})
	}
}

// TestCommitIsNotAcknowledgedAfterTheLogFailed is the trap that Options.Fatal is
// for: the library underneath goes on after its log failed.
func TestCommitIsNotAcknowledgedAfterTheLogFailed(t *testing.T) {
	for _, op := range []storagetest.Op{storagetest.Write, storagetest.Sync} {
		t.Run(op.String(), func(t *testing.T) {
			var broken atomic.Bool
			var reported atomic.Pointer[error]
			s, err := storage.Open(crashDir, &storage.Options{
				FS: storagetest.NewFaultFS(storagetest.NewCrashFS(), func(o storagetest.Op, path string) error {
					if o == op && broken.Load() && strings.HasSuffix(path, ".log") {
						return errInjected
					}
					return nil
				}),
				Fatal: func(err error) { reported.Store(&err) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := write(s, 0, 10, false); err != nil {
				t.Fatal(err)
			}
			broken.Store(true)
			done := make(chan struct{})
			returned := false
			go func() {
				defer close(done)
				err := write(s, 1, 10, false)
				returned = true
				t.Errorf("a commit returned %v", err)
			}()
			waitFor(t, "commit", done)
			if returned || reported.Load() == nil {
				t.Fatalf("returned %t, reported %v", returned, reported.Load())
			}
			wantErr(t, "Fatal", *reported.Load(), storage.ErrFailed)
			wantErr(t, "Fatal", *reported.Load(), syscall.EIO)
			wantErr(t, "next commit", write(s, 2, 10, false), storage.ErrFailed)
			_, err = s.Get(crashKey(0, 0))
			wantErr(t, "Get", err, storage.ErrFailed)
			wantErr(t, "Close", s.Close(), storage.ErrFailed)
		})
	}
}

// TestReadErrorIsNotAMissingKey lets every read of a table fail.
func TestReadErrorIsNotAMissingKey(t *testing.T) {
	var broken atomic.Bool
	s := open(t, crashDir, &storage.Options{
		FS: storagetest.NewFaultFS(storagetest.NewCrashFS(), func(o storagetest.Op, path string) error {
			if o == storagetest.Read && broken.Load() && strings.HasSuffix(path, ".sst") {
				return errInjected
			}
			return nil
		}),
	})
	set(t, s, "k", "v")
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	for key, what := range map[string]string{"k": "key that is there", "k2": "key that is not there"} {
		if value, err := s.Get([]byte(key)); err == nil || errors.Is(err, storage.ErrNotFound) && key == "k" {
			t.Errorf("Get of a %s = %q, %v", what, value, err)
		}
	}
	it := must(s.Iter(nil, nil))
	if it.First() {
		t.Error("an iterator moved")
	}
	wantErr(t, "Iterator.Err", it.Err(), syscall.EIO)
	it.Close()
	broken.Store(false)
	wantContents(t, s, map[string]string{"k": "v"})
}

// TestBackgroundErrorsAreToldSparingly makes the creation of tables fail for a
// while: writes go on, the caller hears of it, but not of every attempt.
func TestBackgroundErrorsAreToldSparingly(t *testing.T) {
	var attempts, told atomic.Int64
	var broken atomic.Bool
	healed := make(chan struct{})
	s := open(t, crashDir, &storage.Options{
		FS: storagetest.NewFaultFS(storagetest.NewCrashFS(), func(o storagetest.Op, path string) error {
			if o == storagetest.Create && broken.Load() && strings.HasSuffix(path, ".sst") {
				if attempts.Add(1) == 20 {
					broken.Store(false)
					close(healed)
				}
				return errInjected
			}
			return nil
		}),
		Events: storage.Events{BackgroundError: func(err error) {
			told.Add(1)
			if !errors.Is(err, syscall.EIO) {
				t.Errorf("told of %v", err)
			}
		}},
	})
	broken.Store(true)
	begin := time.Now()
	if err := write(s, 0, 10, false); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	<-healed
	if n, most := told.Load(), 1+int64(time.Since(begin)/time.Second); n < 1 || n > most {
		t.Errorf("%d attempts were told of %d times, want 1 to %d", attempts.Load(), n, most)
	}
	if n, err := verify(s); n != 1 || err != nil {
		t.Errorf("%d changes, %v, want 1", n, err)
	}
}

// TestUnflushedLogIsBounded: while nothing can be flushed writes stop, so that
// a crash leaves no more log to be read again than the memtables hold.
func TestUnflushedLogIsBounded(t *testing.T) {
	const memTable, most = 256 << 10, 4 * (256 << 10)
	disk := storagetest.NewCrashFS()
	var broken, over atomic.Bool
	stalled := make(chan struct{}, 1)
	s := open(t, crashDir, &storage.Options{
		FS: storagetest.NewFaultFS(disk, func(o storagetest.Op, path string) error {
			if o == storagetest.Create && broken.Load() && strings.HasSuffix(path, ".sst") {
				return errInjected
			}
			return nil
		}),
		MemTableBytes: memTable,
		Events: storage.Events{WriteStall: func(begin bool, _ string) {
			if begin {
				select {
				case stalled <- struct{}{}:
				default:
				}
			}
		}},
	})
	broken.Store(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := uint32(0); !over.Load(); n++ {
			if err := write(s, n, 1000, false); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	waitFor(t, "a stop of the writes", stalled)
	size := int64(0)
	names, err := disk.List(crashDir + "/store")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".log") {
			info, err := disk.Stat(crashDir + "/store/" + name)
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
	}
	if size < most/4 || size > most*5/4 {
		t.Errorf("writes stop with %d bytes of log, want about %d at most", size, most)
	}
	over.Store(true)
	broken.Store(false)
	waitFor(t, "writing", done)
}

// TestSlowDiskIsTold: a sync that does not come back is told while it is under
// way, and Close ends the watch.
func TestSlowDiskIsTold(t *testing.T) {
	var hanging atomic.Bool
	told, release := make(chan struct{}, 1), make(chan struct{})
	s := open(t, crashDir, &storage.Options{
		FS: storagetest.NewFaultFS(storagetest.NewCrashFS(), func(o storagetest.Op, path string) error {
			if o == storagetest.Sync && strings.HasSuffix(path, ".log") && hanging.Load() {
				<-release
			}
			return nil
		}),
		SlowDisk: time.Millisecond,
		Events: storage.Events{SlowDisk: func(file, operation string, since time.Duration) {
			if hanging.Load() && strings.HasSuffix(file, ".log") && strings.HasPrefix(operation, "sync") && since > time.Millisecond {
				select {
				case told <- struct{}{}:
				default:
				}
			}
		}},
	})
	hanging.Store(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := write(s, 0, 100, false); err != nil {
			t.Error(err)
		}
	}()
	waitFor(t, "word of a slow disk", told)
	hanging.Store(false)
	close(release)
	waitFor(t, "the write", done)
}
