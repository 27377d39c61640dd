package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

var powerCuts = flag.Int("power-cuts", 3, "how often TestPowerCut cuts the power")

// disk is a file system of its own: ext4 in a file.
type disk struct {
	t            *testing.T
	image, mount string
}

// newDisk makes one and changes into a folder on it. The test is skipped where
// it may not be mounted.
func newDisk(t *testing.T, size int64) *disk {
	t.Helper()
	if testing.Short() {
		t.Skip("short")
	}
	if os.Geteuid() != 0 {
		t.Skip("mounting a file system needs root")
	}
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("there is no mkfs.ext4")
	}
	dir := t.TempDir()
	d := &disk{t: t, image: filepath.Join(dir, "image"), mount: filepath.Join(dir, "disk")}
	f, err := os.Create(d.image)
	if err == nil {
		err = errors.Join(f.Truncate(size), f.Close(), os.Mkdir(d.mount, 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-m", "0", d.image).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.ext4: %v, %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", d.image, d.mount).CombinedOutput(); err != nil {
		t.Skipf("a file system in a file cannot be mounted here: %s", strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { d.unmount() })
	d.enter()
	return d
}

func (d *disk) enter() {
	d.t.Helper()
	dir := filepath.Join(d.mount, "home")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	d.t.Chdir(dir)
}

// unmount waits for programs that are ending.
func (d *disk) unmount() {
	if dir, err := os.Getwd(); err == nil && strings.HasPrefix(dir, d.mount) {
		os.Chdir("/") // or the file system is in use
	}
	for range 100 {
		if err := syscall.Unmount(d.mount, 0); err != syscall.EBUSY {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
}

// cutPower has the file system lose what is not on its disk by now, and mounts
// it again. The program that writes is stopped before, so that it acknowledges
// nothing in the meantime.
func (d *disk) cutPower(p *process) {
	d.t.Helper()
	const (
		shutdown   = 0x8004587d // EXT4_IOC_SHUTDOWN
		noLogFlush = 2
	)
	root, err := os.Open(d.mount)
	if err != nil {
		d.t.Fatal(err)
	}
	d.stop(p)
	how := uint32(noLogFlush)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, root.Fd(), shutdown, uintptr(unsafe.Pointer(&how)))
	root.Close()
	p.kill()
	if errno != 0 {
		d.t.Skipf("this file system cannot be shut down: %v", errno)
	}
	d.unmount()
	if out, err := exec.Command("mount", "-o", "loop", d.image, d.mount).CombinedOutput(); err != nil {
		d.t.Fatalf("mount: %s", out)
	}
	d.enter()
}

// stop stops a program, and waits until all of its threads have stopped. The signal alone
// only asks for that: one thread takes it, when it comes to run, and the others go on until
// then, as does who waits for the disk. So a write could be acknowledged whose data the file
// system was just about to lose.
func (d *disk) stop(p *process) {
	d.t.Helper()
	if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
		d.t.Fatal(err)
	}
	for begin := time.Now(); ; <-time.After(time.Millisecond) {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.Process.Pid))
		if err != nil {
			d.t.Fatal(err)
		}
		stopped := len(threads) > 0
		for _, thread := range threads {
			stat, _ := os.ReadFile(thread)
			_, state, _ := strings.Cut(string(stat), ") ") // behind the name, which may hold anything
			stopped = stopped && (strings.HasPrefix(state, "T") || len(stat) == 0)
		}
		switch {
		case stopped:
			return
		case time.Since(begin) > slow*time.Minute:
			d.t.Fatal("the server does not stop")
		}
	}
}

// TestPowerCut: what TestKill says of kills, for losses of power.
func TestPowerCut(t *testing.T) {
	d := newDisk(t, 1<<30)
	l := newKillLab(t)
	l.kill = func() { d.cutPower(l.server) }
	l.run(*powerCuts, 0)
	t.Logf("%d losses of power, %d of them in the middle of an import", *powerCuts, len(l.importing))
}

// free returns the bytes that are free on the disk.
func (d *disk) free() int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.mount, &s); err != nil {
		d.t.Fatal(err)
	}
	return int64(s.Bavail) * s.Bsize
}

// fill has another program, as it were, leave so many bytes free.
func (d *disk) fill(leave int64) {
	d.t.Helper()
	f, err := os.Create("../other")
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for step := int64(16 << 20); step >= 4096; {
		if have := d.free() - leave; have < step {
			step /= 2
			continue
		}
		if _, err := f.Write(make([]byte, step)); errors.Is(err, syscall.ENOSPC) {
			step /= 2
		} else if err != nil {
			d.t.Fatal(err)
		}
	}
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatal(err)
	}
}

// TestRealDiskFull fills a disk under a server, in two ways, and empties it
// again.
func TestRealDiskFull(t *testing.T) {
	d := newDisk(t, 256<<20)
	l := newKillLab(t)
	l.load(false)
	l.start(false)
	l.verify()
	rnd := rand.New(rand.NewPCG(l.seed, 3))
	put := func() (status int, took time.Duration) {
		t.Helper()
		var list []map[string]string
		for range 100 {
			list = append(list, map[string]string{"text": fmt.Sprintf("%x", rnd.Uint64()) + killText(rnd, 1000)})
		}
		begin := time.Now()
		status, answer, err := l.call(l.server.key, "POST", "/v1/batch?index=many", lines(list), "Content-Type: "+mediaNDJSON)
		if err != nil || status != 201 && (status != 507 || !strings.Contains(string(answer), "storage_full")) {
			t.Fatalf("a write on a full disk: %d %s (error %v)\n%s", status, answer, err, l.server.log.String())
		}
		return status, time.Since(begin)
	}
	search := func(when string) {
		t.Helper()
		begin := time.Now()
		l.must(200, "POST", "/v1/search", `{"q":"word1 word2"}`, nil)
		t.Logf("%s: a search took %v", when, time.Since(begin).Round(time.Millisecond))
	}
	// refused tells how soon a write is refused; a busy machine may take three
	// attempts to show it.
	refused := func(when string) {
		t.Helper()
		least := time.Hour
		for range 3 {
			if status, took := put(); status != 507 {
				t.Errorf("%s: %d with %d bytes free", when, status, d.free())
			} else {
				least = min(least, took)
			}
		}
		t.Logf("%s: 507 after %v", when, least.Round(time.Millisecond))
		if least > slow*time.Second {
			t.Errorf("%s: 507 only after %v", when, least)
		}
	}
	leaked := l.newKey("leaked")
	// The server's own writes meet the end of the disk.
	d.fill(90 << 20)
	written := 0
	for status := 201; status == 201; written++ {
		status, _ = put()
	}
	t.Logf("full after %d writes, with %d MiB free", written, d.free()>>20)
	refused("full by its own writes")
	search("full")
	l.must(204, "DELETE", "/v1/keys/"+leaked.ID, "", nil)
	if status, answer, err := l.call(leaked.Key, "GET", "/v1/indexes", ""); status != 401 || err != nil {
		t.Errorf("a key that was revoked on a full disk: %d %s (error %v)", status, answer, err)
	}
	for _, w := range l.readers {
		for at := range w.of.held {
			index, id, _ := strings.Cut(at, "/")
			if !strings.HasSuffix(id, "head") {
				l.must(204, "DELETE", "/v1/record/"+id+"?index="+index, "", nil)
				delete(w.of.held, at)
				w.of.writes++
				break
			}
		}
	}
	resumes := func(from string) {
		t.Helper()
		if err := os.Remove("../other"); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		for {
			status, _ := put()
			if took := time.Since(begin); status == 201 {
				t.Logf("%s: writes go on %v after there is room", from, took.Round(time.Millisecond))
				break
			} else if took > slow*5*time.Second {
				t.Fatalf("%s: no write for %v", from, took)
			}
			<-time.After(50 * time.Millisecond)
		}
	}
	resumes("full by its own writes")

	// Another program takes all that is left.
	d.fill(0)
	// For a fifth of a second the server believes what it measured before, and a write that it takes
	// then has its room in the log already.
	for begin := time.Now(); time.Since(begin) < slow*time.Second; {
		if status, _ := put(); status == 507 {
			break
		}
	}
	refused("nothing free")
	search("nothing free")
	resumes("full by another program")
	d.fill(0)
	l.server.kill()
	begin := time.Now()
	p := launch(t, nil, "serve", "--listen", "127.0.0.1:0")
	out, _ := io.ReadAll(p.out)
	err := p.Wait()
	said := strings.Split(strings.TrimSpace(p.log.String()), "\n")
	if took := time.Since(begin); p.ProcessState.ExitCode() != exitFailed || took > slow*5*time.Second || len(out) > 0 ||
		!strings.HasPrefix(said[len(said)-1], "quarry: data directory quarry-data: ") || !strings.Contains(said[len(said)-1], "disk is full") {
		t.Errorf("a start on a full disk: %v after %v, %q, %q", err, took, out, p.log.String())
	}
	check := launch(t, nil, "check")
	io.ReadAll(check.out)
	if err := check.Wait(); err != nil {
		t.Errorf("check on a full disk: %v %s", err, check.log.String())
	}
	for _, args := range [][]string{{"search", "word1", "--json"}, {"indexes", "list"}, {"keys", "list"}, {"usage"}} {
		p := launch(t, nil, append(args, "--data", "quarry-data")...)
		out, _ := io.ReadAll(p.out)
		if err := p.Wait(); err != nil || len(out) == 0 {
			t.Errorf("%v on a full disk: %v, %q, %s", args, err, out, p.log.String())
		}
	}
	deletion := launch(t, nil, "indexes", "delete", "many", "--data", "quarry-data")
	io.ReadAll(deletion.out)
	if deletion.Wait(); deletion.ProcessState.Success() || !strings.Contains(deletion.log.String(), "make room on its disk") {
		t.Errorf("a deletion on a full disk: %v, %s", deletion.ProcessState, deletion.log.String())
	}
	if err := os.Remove("../other"); err != nil {
		t.Fatal(err)
	}
	l.start(false)
	for _, r := range l.readers {
		r.of.settle()
	}
	l.stop()
}
