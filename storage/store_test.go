package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// lockDirVariable makes the test binary try to open a directory and tell how
// that went, instead of running tests.
const lockDirVariable = "QUARRY_TEST_OPEN_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(lockDirVariable); dir != "" {
		s, err := storage.Open(dir, nil)
		if err == nil {
			err = s.Close()
		}
		fmt.Printf("locked=%t err=%v\n", errors.Is(err, storage.ErrLocked), err)
		return
	}
	os.Exit(m.Run())
}

// open opens a store and closes it at the end of the test.
func open(t testing.TB, dir string, o *storage.Options) *storage.Store {
	t.Helper()
	s, err := storage.Open(dir, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, storage.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func inMemory(t testing.TB) *storage.Store {
	t.Helper()
	return open(t, "", &storage.Options{InMemory: true})
}

// set commits pairs of keys and values.
func set(t testing.TB, s *storage.Store, pairs ...string) {
	t.Helper()
	b := s.NewBatch()
	for i := 0; i < len(pairs); i += 2 {
		b.Set([]byte(pairs[i]), []byte(pairs[i+1]))
	}
	if err := s.Commit(b); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

// contents returns everything a reader sees.
func contents(t testing.TB, r storage.Reader) map[string]string {
	t.Helper()
	it, err := r.Iter(nil, nil)
	if err != nil {
		t.Fatalf("iter: %v", err)
	}
	got := make(map[string]string)
	for ok := it.First(); ok; ok = it.Next() {
		got[string(it.Key())] = string(it.Value())
	}
	if err := it.Close(); err != nil {
		t.Fatalf("iterate: %v", err)
	}
	return got
}

func wantContents(t testing.TB, r storage.Reader, want map[string]string) {
	t.Helper()
	if got := contents(t, r); !maps.Equal(got, want) {
		t.Fatalf("store holds %d entries %q, want %d %q", len(got), got, len(want), want)
	}
}

func wantErr(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

func TestReadersAgree(t *testing.T) {
	s := inMemory(t)
	set(t, s, "a", "1", "empty", "", "z", "26")
	sn := s.NewSnapshot()
	defer sn.Close()
	for name, r := range map[string]storage.Reader{"store": s, "snapshot": sn} {
		t.Run(name, func(t *testing.T) {
			for key, want := range map[string]string{"a": "1", "empty": "", "z": "26"} {
				got, err := r.Get([]byte(key))
				if err != nil || string(got) != want {
					t.Errorf("Get(%s) = %q, %v, want %q", key, got, err, want)
				}
				called := false
				err = r.View([]byte(key), func(value []byte) error {
					called = string(value) == want
					return fs.ErrInvalid
				})
				if !called || err != fs.ErrInvalid {
					t.Errorf("View(%s) called %t and returned %v", key, called, err)
				}
				if ok, err := r.Has([]byte(key)); !ok || err != nil {
					t.Errorf("Has(%s) = %t, %v", key, ok, err)
				}
			}
			_, err := r.Get([]byte("b"))
			wantErr(t, "Get of nothing", err, storage.ErrNotFound)
			wantErr(t, "View of nothing", r.View([]byte("b"), func([]byte) error { panic("called") }), storage.ErrNotFound)
			if ok, err := r.Has([]byte("b")); ok || err != nil {
				t.Errorf("Has(b) = %t, %v", ok, err)
			}
		})
	}
}

func TestIteratorMovesBothWaysWithinItsRange(t *testing.T) {
	s := inMemory(t)
	set(t, s, "a", "", "b", "", "c", "", "d", "")
	it, err := s.Iter([]byte("b"), []byte("d"))
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	for _, c := range []struct {
		name string
		move func() bool
		want string
	}{
		{"Last", it.Last, "c"}, {"Prev", it.Prev, "b"}, {"Prev at the start", it.Prev, ""}, {"Prev again", it.Prev, ""},
		{"Next from before the start", it.Next, "b"},
		{"First", it.First, "b"}, {"Next", it.Next, "c"}, {"Next at the end", it.Next, ""}, {"Next again", it.Next, ""},
		{"SeekGE below", func() bool { return it.SeekGE([]byte("a")) }, "b"},
		{"SeekGE between", func() bool { return it.SeekGE([]byte("bb")) }, "c"},
		{"SeekGE above", func() bool { return it.SeekGE([]byte("d")) }, ""},
		{"SeekLT above", func() bool { return it.SeekLT([]byte("z")) }, "c"},
		{"SeekLT", func() bool { return it.SeekLT([]byte("c")) }, "b"},
		{"SeekLT below", func() bool { return it.SeekLT([]byte("b")) }, ""},
		{"Find", func() bool { return it.Find([]byte("b")) }, "b"},
		{"Find between", func() bool { return it.Find([]byte("bb")) }, ""},
		{"Find the next", func() bool { return it.Find([]byte("c")) }, "c"},
		{"Find again", func() bool { return it.Find([]byte("c")) }, "c"},
		{"Find backwards", func() bool { return it.Find([]byte("b")) }, "b"},
		{"SeekGE after Find", func() bool { return it.SeekGE([]byte("bb")) }, "c"},
	} {
		got := ""
		if c.move() {
			got = string(it.Key())
		}
		if got != c.want {
			t.Errorf("%s: at %q, want %q", c.name, got, c.want)
		}
	}
}

// TestAgainstMap runs random batches and compares with a map, across snapshots,
// flushes, compactions and reopening.
func TestAgainstMap(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			dir := t.TempDir()
			o := &storage.Options{MemTableBytes: 64 << 10}
			s := open(t, dir, o)
			model := make(map[string]string)
			key := func() string { return fmt.Sprintf("%02d", r.IntN(60)) }
			for range 60 {
				b := s.NewBatch()
				for range r.IntN(6) {
					switch k := key(); r.IntN(5) {
					case 0:
						b.Delete([]byte(k))
						delete(model, k)
					case 1:
						hi := key()
						b.DeleteRange([]byte(k), []byte(hi))
						maps.DeleteFunc(model, func(at, _ string) bool { return k <= at && at < hi })
					default:
						v := strings.Repeat(k, r.IntN(500))
						b.Set([]byte(k), []byte(v))
						model[k] = v
					}
				}
				if err := s.Commit(b); err != nil {
					t.Fatal(err)
				}
				switch r.IntN(12) {
				case 0:
					if err := s.Flush(); err != nil {
						t.Fatal(err)
					}
				case 1:
					if err := s.Compact(t.Context(), nil, nil); err != nil {
						t.Fatal(err)
					}
				case 2:
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = open(t, dir, o)
				}
				wantContents(t, s, model)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSnapshotDoesNotChange(t *testing.T) {
	s := inMemory(t)
	set(t, s, "a", "old", "b", "old")
	sn := s.NewSnapshot()
	it, err := sn.Iter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	b.Set([]byte("a"), []byte("new"))
	b.Delete([]byte("b"))
	b.Set([]byte("c"), []byte("new"))
	if err := s.Commit(b); err != nil {
		t.Fatal(err)
	}
	w, err := s.NewTable(true)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Set([]byte("d"), []byte("ingested")); err != nil {
		t.Fatal(err)
	}
	table, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ingest(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	wantContents(t, sn, map[string]string{"a": "old", "b": "old"})
	wantContents(t, s, map[string]string{"a": "new", "c": "new", "d": "ingested"})
	if err := sn.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Close(); n != 2 || err != nil {
		t.Errorf("iterator of a closed snapshot saw %d keys, %v, want 2", n, err)
	}
}

func TestApplyIsVisibleBeforeItIsDurable(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	b := s.NewBatch()
	b.Set([]byte("k"), []byte("v"))
	wait, err := s.Apply(b)
	if err != nil {
		t.Fatal(err)
	}
	wantContents(t, s, map[string]string{"k": "v"})
	for range 2 {
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Commit(b); err == nil {
		t.Error("a batch was committed twice")
	}
}

func TestBatchCounts(t *testing.T) {
	s := inMemory(t)
	b := s.NewBatch()
	if !b.Empty() || b.Count() != 0 {
		t.Errorf("new batch: Empty %t, Count %d", b.Empty(), b.Count())
	}
	if err := s.Commit(b); err != nil {
		t.Errorf("commit of an empty batch: %v", err)
	}
	before := b.Size()
	b.DeleteRange([]byte("b"), []byte("a"))
	if !b.Empty() {
		t.Error("an empty range was added")
	}
	b.Set([]byte("key"), make([]byte, 1000))
	b.Delete([]byte("key"))
	if b.Empty() || b.Count() != 2 || b.Size() < before+1003 {
		t.Errorf("Empty %t, Count %d, Size %d", b.Empty(), b.Count(), b.Size())
	}
}

func TestBatchThatIsTooLarge(t *testing.T) {
	s := inMemory(t)
	b := s.NewBatch()
	b.Set([]byte("a"), nil)
	b.Set([]byte("b"), make([]byte, storage.MaxBatchBytes)) // never touched, so it takes no memory
	b.Set([]byte("c"), nil)
	wantErr(t, "commit", s.Commit(b), storage.ErrTooLarge)
	wantContents(t, s, map[string]string{})
}

func TestClosedStore(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	b := s.NewBatch()
	b.Set([]byte("k"), []byte("v"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, getErr := s.Get([]byte("k"))
	_, hasErr := s.Has([]byte("k"))
	_, iterErr := s.Iter(nil, nil)
	_, tableErr := s.NewTable(true)
	_, sizeErr := s.DiskBytes(nil, nil)
	_, backupErr := s.Backup(t.Context(), t.TempDir(), "")
	sn := s.NewSnapshot()
	_, snapErr := sn.Get([]byte("k"))
	for what, err := range map[string]error{
		"Close": s.Close(), "Commit": s.Commit(b), "Get": getErr, "Has": hasErr, "Iter": iterErr, "NewTable": tableErr,
		"DiskBytes": sizeErr, "Flush": s.Flush(), "Compact": s.Compact(t.Context(), nil, nil), "Ingest": s.Ingest(t.Context()),
		"Backup": backupErr, "Check": s.Check(t.Context()), "Snapshot.Get": snapErr, "Snapshot.Close": sn.Close(),
		"View": s.View([]byte("k"), func([]byte) error { return nil }),
	} {
		wantErr(t, what, err, storage.ErrClosed)
	}
	if m := s.Metrics(); m != (storage.Metrics{}) {
		t.Errorf("Metrics after Close: %+v", m)
	}
}

func TestCloseWithReadersOpenNamesThem(t *testing.T) {
	s := inMemory(t)
	set(t, s, "k", "v")
	sn, it := s.NewSnapshot(), must(s.Iter(nil, nil))
	err := s.Close()
	wantErr(t, "Close", err, storage.ErrBusy)
	if !strings.Contains(fmt.Sprint(err), "1 snapshots and 1 iterators") {
		t.Errorf("Close: %v", err)
	}
	wantContents(t, sn, map[string]string{"k": "v"})
	if err := errors.Join(sn.Close(), it.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = sn.Get([]byte("k"))
	wantErr(t, "Get of a closed snapshot", err, storage.ErrClosed)
	wantErr(t, "second Close of a snapshot", sn.Close(), storage.ErrClosed)
	wantErr(t, "second Close of an iterator", it.Close(), storage.ErrClosed)
	if it.First() || it.Next() {
		t.Error("a closed iterator moved")
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close without readers: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestReopenFindsEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, dir, nil)
	set(t, s, "k", "v")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, nil)
	wantContents(t, s, map[string]string{"k": "v"})
	if m := s.Metrics(); m.LogBytes != 0 {
		t.Errorf("after a Close %d bytes of log were left", m.LogBytes)
	}
}

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, nil)
	set(t, s, "k", "v")
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSecondOpener(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	_, err := storage.Open(dir, nil)
	wantErr(t, "same process", err, storage.ErrLocked)
	if got := openInChild(t, dir); !strings.Contains(got, "locked=true") {
		t.Errorf("other process: %s", got)
	}
	set(t, s, "k", "v") // the first one was not harmed
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := openInChild(t, dir); !strings.Contains(got, "err=<nil>") {
		t.Errorf("other process after Close: %s", got)
	}
}

func openInChild(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), lockDirVariable+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("child: %v: %s", err, out)
	}
	return string(out)
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	_, err := storage.Open(filepath.Join(dir, "none"), &storage.Options{ReadOnly: true})
	wantErr(t, "directory that does not exist", err, fs.ErrNotExist)
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory was made")
	}
	_, err = storage.Open(dir, &storage.Options{ReadOnly: true})
	wantErr(t, "empty directory", err, storage.ErrForeign)

	s := open(t, dir, nil)
	set(t, s, "k", "v")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, &storage.Options{ReadOnly: true})
	wantContents(t, s, map[string]string{"k": "v"})
	b := s.NewBatch()
	b.Set([]byte("k"), []byte("w"))
	_, tableErr := s.NewTable(true)
	_, backupErr := s.Backup(t.Context(), filepath.Join(dir, "copy"), "")
	for what, err := range map[string]error{
		"Commit": s.Commit(b), "NewTable": tableErr, "Flush": s.Flush(),
		"Compact": s.Compact(t.Context(), nil, nil), "Backup": backupErr,
	} {
		wantErr(t, what, err, storage.ErrReadOnly)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check: %v", err)
	}
}

func TestDirectoryThatIsNotOurs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := storage.Open(dir, nil)
	wantErr(t, "foreign directory", err, storage.ErrForeign)
	if entries := must(os.ReadDir(dir)); len(entries) != 1 {
		t.Errorf("a foreign directory was changed: %v", entries)
	}
}

func TestForeignFilesMayJoinOurs(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir, nil).Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"root.key", "notes"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, nil)
}

func TestMarker(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"ours", "quarry data directory, format 1\n", nil},
		{"newer", "quarry data directory, format 2\n", storage.ErrNewerFormat},
		{"empty", "", storage.ErrCorrupt},
		{"nonsense", "hello", storage.ErrCorrupt},
		{"zero", "quarry data directory, format 0\n", storage.ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "QUARRY"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := storage.Open(dir, nil)
			wantErr(t, "open", err, c.want)
			if err == nil {
				s.Close()
			}
			if c.want == storage.ErrNewerFormat && !(strings.Contains(err.Error(), "format 2") && strings.Contains(err.Error(), "knows 1")) {
				t.Errorf("%v does not name both formats", err)
			}
		})
	}
}

// TestMarkerThatIsLost: what is a data directory but for its marker is told how to become one again.
func TestMarkerThatIsLost(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, nil).Close()
	marker := filepath.Join(dir, "QUARRY")
	line, err := os.ReadFile(marker)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}
	_, err = storage.Open(dir, nil)
	wantErr(t, "without its marker", err, storage.ErrCorrupt)
	if !strings.Contains(fmt.Sprint(err), strings.TrimSpace(string(line))) {
		t.Errorf("%v does not tell the line", err)
	}
}

func TestMarkerThatACrashLeftHalfMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "QUARRY.tmp"), []byte("quar"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, dir, nil)
}

func TestMetricsAndSizes(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	set(t, s, "k", string(noise(rand.New(rand.NewPCG(1, 0)), mib)))
	if m := s.Metrics(); m.LogBytes < mib || m.MemTableBytes < mib {
		t.Errorf("before the flush: %+v", m)
	}
	flushes := s.Metrics().Flushes
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get([]byte("k")); err != nil {
		t.Fatal(err)
	}
	m := s.Metrics()
	if m.Flushes != flushes+1 || m.DiskBytes < mib || m.L0Files+m.Compactions == 0 || m.CacheMisses == 0 {
		t.Errorf("after the flush: %+v", m)
	}
	for _, c := range []struct {
		lo, hi []byte
		want   bool
	}{{nil, nil, true}, {[]byte("a"), []byte("z"), true}, {[]byte("l"), nil, false}} {
		if n, err := s.DiskBytes(c.lo, c.hi); err != nil || (n >= mib) != c.want {
			t.Errorf("DiskBytes(%s, %s) = %d, %v", c.lo, c.hi, n, err)
		}
	}
	if free, err := s.FreeBytes(); err != nil || free <= 0 {
		t.Errorf("FreeBytes = %d, %v", free, err)
	}
	_, err := inMemory(t).FreeBytes()
	wantErr(t, "FreeBytes in memory", err, errors.ErrUnsupported)
}

// TestManyGoroutinesAndAClose uses a store from all sides until it is closed:
// each call works or says that the store is closed, and what was acknowledged
// is there afterwards.
func TestManyGoroutinesAndAClose(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	var work sync.WaitGroup
	var acked [4]int
	for g := range acked {
		work.Go(func() {
			for n := 0; ; n++ {
				b := s.NewBatch()
				b.Set(fmt.Appendf(nil, "%d/%06d", g, n), []byte("v"))
				if err := s.Commit(b); err != nil {
					wantErr(t, "Commit", err, storage.ErrClosed)
					return
				}
				acked[g] = n + 1
			}
		})
		work.Go(func() {
			for {
				sn := s.NewSnapshot()
				_, err := sn.Get([]byte("0/000000"))
				if errors.Is(err, storage.ErrClosed) {
					return
				}
				if err != nil && err != storage.ErrNotFound {
					t.Errorf("Get: %v", err)
				}
				if err := sn.Close(); err != nil {
					t.Errorf("Snapshot.Close: %v", err)
				}
			}
		})
	}
	for range 50 {
		set(t, s, "z", "v")
	}
	for {
		err := s.Close()
		if err == nil {
			break
		}
		if !errors.Is(err, storage.ErrBusy) {
			t.Fatal(err)
		}
	}
	work.Wait()
	want := map[string]string{"z": "v"}
	for g, n := range acked {
		for i := range n {
			want[fmt.Sprintf("%d/%06d", g, i)] = "v"
		}
	}
	wantContents(t, open(t, dir, nil), want)
}

func TestCloseEndsEveryGoroutine(t *testing.T) {
	before := goroutines()
	for range 3 {
		s, err := storage.Open(t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			set(t, s, fmt.Sprint(i), "v")
		}
		if err := errors.Join(s.Flush(), s.Compact(t.Context(), nil, nil), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	// A goroutine that has returned takes a moment to be gone.
	for range 1000 {
		if len(goroutines()) <= len(before) {
			return
		}
		runtime.Gosched()
	}
	if after := goroutines(); len(after) > len(before) {
		t.Errorf("%d goroutines before, %d after:\n%s", len(before), len(after), bytes.Join(after, []byte("\n\n")))
	}
}

// goroutines returns the stacks of those that run code of the storage.
func goroutines() [][]byte {
	buf := make([]byte, 1<<20)
	all := bytes.Split(buf[:runtime.Stack(buf, true)], []byte("\n\n"))
	return slices.DeleteFunc(all, func(stack []byte) bool { return !bytes.Contains(stack, []byte("pebble")) })
}
