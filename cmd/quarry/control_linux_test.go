package main

import (
	"flag"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

var unsyncedCuts = flag.Int("unsynced-cuts", 1, "losses of power for TestPowerCutWithoutSyncing, the control of TestPowerCut")

// TestPowerCutWithoutSyncing is the control of TestPowerCut: with a server whose
// calls for syncing do nothing, the same checks must find losses. Each cut has a
// directory of its own, since nothing can be said of one that has lost something.
func TestPowerCutWithoutSyncing(t *testing.T) {
	lost := 0
	for range *unsyncedCuts {
		t.Run("cut", func(t *testing.T) {
			d := newDisk(t, 1<<30)
			l := newKillLab(t)
			l.server.kill()
			unsynced(t, func() { l.start(false) })
			if t.Failed() {
				return
			}
			l.kill = func() { d.cutPower(l.server) }
			l.load(false)
			w := &witness{TB: t}
			l.t = w
			w.watch(func() {
				l.start(false)
				l.verify()
			})
			if len(w.said) == 0 {
				t.Error("all that was not synced is there, or the checks do not see that it is not")
				return
			}
			lost++
			t.Logf("after %d acknowledged changes %d complaints, such as %.300s", l.changes.Load(), len(w.said), w.said[0])
		})
	}
	t.Logf("control without syncing: %d of %d disks have lost something", lost, *unsyncedCuts)
}

// unsynced runs f on a thread where fsync and fdatasync do nothing and succeed,
// and so it is in the processes that f starts: filters of calls are inherited
// from the thread that forks.
func unsynced(t *testing.T, f func()) {
	t.Helper()
	const (
		setNoNewPrivs = 38 // PR_SET_NO_NEW_PRIVS
		setSeccomp    = 22 // PR_SET_SECCOMP
		modeFilter    = 2  // SECCOMP_MODE_FILTER
		allow         = 0x7fff0000
		succeed       = 0x00050000 // SECCOMP_RET_ERRNO with error 0
		load          = syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS
		equal         = syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K
		end           = syscall.BPF_RET | syscall.BPF_K
	)
	filter := []syscall.SockFilter{
		{Code: load, K: 0}, // the number of the call
		{Code: equal, K: syscall.SYS_FSYNC, Jt: 2},
		{Code: equal, K: syscall.SYS_FDATASYNC, Jt: 1},
		{Code: end, K: allow},
		{Code: end, K: succeed},
	}
	var work sync.WaitGroup
	var errno syscall.Errno
	work.Go(func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		_, _, errno = syscall.Syscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0)
		if errno == 0 {
			_, _, errno = syscall.Syscall(syscall.SYS_PRCTL, setSeccomp, modeFilter, uintptr(unsafe.Pointer(&program)))
		}
		if errno == 0 {
			f()
		}
	})
	work.Wait()
	if errno != 0 {
		t.Skipf("calls cannot be filtered here: %v", errno)
	}
}

// A witness takes down what a test would fail with.
type witness struct {
	testing.TB
	mu   sync.Mutex
	said []string
}

// watch runs f, which may come to an end by Fatalf.
func (w *witness) watch(f func()) {
	var work sync.WaitGroup
	work.Go(f)
	work.Wait()
}

func (w *witness) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, what)
}

func (w *witness) Fail()                             { w.note("failed") }
func (w *witness) Error(args ...any)                 { w.note(fmt.Sprint(args...)) }
func (w *witness) Errorf(format string, args ...any) { w.note(fmt.Sprintf(format, args...)) }

func (w *witness) Fatal(args ...any) {
	w.note(fmt.Sprint(args...))
	runtime.Goexit()
}

func (w *witness) Fatalf(format string, args ...any) {
	w.note(fmt.Sprintf(format, args...))
	runtime.Goexit()
}
