package storage_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

const (
	storeDir    = crashDir + "/store"
	syncedFile  = storeDir + "/SYNCED"
	logBlock    = 32 << 10
	logsToWrite = 3 << 20
)

// written is a disk with a store that was killed.
type written struct {
	disk     *storagetest.CrashFS
	synced   *storagetest.CrashFS // what a loss of power leaves of it at least
	want     map[string]string
	newest   string // log
	manifest string
	last     int64 // where the last write of the newest log begins
}

// writeLog writes values of size bytes, several in a batch, and kills the store.
func writeLog(t *testing.T, r *rand.Rand, size, several int) written {
	t.Helper()
	w := written{disk: storagetest.NewCrashFS(), want: map[string]string{}}
	s := open(t, crashDir, &storage.Options{FS: w.disk, CacheBytes: 1 << 20})
	for total, key := 0, 0; total < logsToWrite && key < 3000; {
		w.newest = newestOf(t, w.disk, ".log")
		w.last = fileSize(t, w.disk, w.newest)
		b := s.NewBatch()
		for range several {
			name, value := fmt.Sprintf("%06d", key), string(noise(r, size))
			b.Set([]byte(name), []byte(value))
			w.want[name] = value
			key, total = key+1, total+size
		}
		if err := s.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	if newest := newestOf(t, w.disk, ".log"); newest != w.newest {
		w.newest, w.last = newest, 0
	}
	w.manifest = newestOf(t, w.disk, "MANIFEST-")
	w.disk, w.synced = w.disk.Clone(100, 0), w.disk.Clone(0, 0)
	return w
}

func newestOf(t *testing.T, disk storage.FS, part string) (path string) {
	t.Helper()
	names, err := disk.List(storeDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.Contains(name, part) && !strings.HasPrefix(name, "marker") {
			path = max(path, storeDir+"/"+name)
		}
	}
	return path
}

func fileSize(t *testing.T, disk storage.FS, path string) int64 {
	t.Helper()
	info, err := disk.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// flip changes a bit of a file.
func flip(t *testing.T, disk storage.FS, path string, at int64, bit int) {
	t.Helper()
	f, err := disk.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	b[0] ^= 1 << bit
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}

// opens opens the store on disk for reading. It returns whether that is refused
// because of damage, and what is wrong if it is not and something is missing.
func opens(disk *storagetest.CrashFS, want map[string]string) (refused bool, err error) {
	s, err := storage.Open(crashDir, &storage.Options{FS: disk, CacheBytes: 1 << 20, ReadOnly: true})
	if storage.IsCorrupt(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer s.Close()
	for key, value := range want {
		switch got, err := s.Get([]byte(key)); {
		case err != nil:
			return false, fmt.Errorf("Get(%s): %w", key, err)
		case string(got) != value:
			return false, fmt.Errorf("Get(%s) returns another value", key)
		}
	}
	return false, nil
}

// TestDamagedTailsAreReported flips a bit anywhere in the newest log and in the
// manifest: after a kill that may be missed nowhere. After a loss of power it may be
// missed in the last write of the log, and in the block of 32 KiB in which it ends.
func TestDamagedTailsAreReported(t *testing.T) {
	flips := 150
	if testing.Short() {
		flips = 10
	}
	for _, shape := range []struct{ size, several int }{
		{100, 1}, {100, 500}, {2000, 1}, {7000, 3}, {20_000, 1}, {32_749, 1}, {40_000, 1}, {100_000, 1}, {300_000, 2}, {1 << 20, 1},
	} {
		t.Run(fmt.Sprintf("%d values of %d bytes", shape.several, shape.size), func(t *testing.T) {
			const seed = 1
			r := rand.New(rand.NewPCG(seed, uint64(shape.size)))
			w := writeLog(t, r, shape.size, shape.several)
			for _, disk := range []*storagetest.CrashFS{w.disk, w.synced} {
				if refused, err := opens(disk.Clone(0, 0), w.want); refused || err != nil {
					t.Fatalf("without damage: refused %t, %v", refused, err)
				}
			}
			size := fileSize(t, w.disk, w.newest)
			for _, c := range []struct {
				name, path string
				disk       *storagetest.CrashFS
				end        int64
			}{
				{"log after a kill", w.newest, w.disk, size},
				{"log after a loss of power", w.newest, w.synced, min(w.last, size/logBlock*logBlock)},
				{"manifest after a kill", w.manifest, w.disk, fileSize(t, w.disk, w.manifest)},
				{"manifest after a loss of power", w.manifest, w.synced, fileSize(t, w.synced, w.manifest)},
			} {
				if c.end == 0 {
					continue
				}
				disk := c.disk.Clone(0, 0)
				refused := 0
				for range flips {
					at, bit := r.Int64N(c.end), r.IntN(8)
					flip(t, disk, c.path, at, bit)
					yes, err := opens(disk, w.want)
					if err != nil {
						t.Errorf("%s: bit %d of byte %d of %d: %v", c.name, bit, at, c.end, err)
					}
					if yes {
						refused++
					}
					flip(t, disk, c.path, at, bit)
				}
				// All but what hits the padding of a block.
				if refused < flips*9/10 {
					t.Errorf("%s: %d of %d are refused", c.name, refused, flips)
				}
			}
		})
	}
}

// TestTornWriteIsNoDamage looks at what a loss of power leaves before each sync of
// the log, where blocks of a write are there and others before them are not: that
// must not be taken for damage.
func TestTornWriteIsNoDamage(t *testing.T) {
	disk := storagetest.NewCrashFS()
	type left struct {
		disk  *storagetest.CrashFS
		acked uint32
	}
	var (
		mu    sync.Mutex
		all   []left
		acked uint32
		seed  uint64
	)
	s := open(t, crashDir, &storage.Options{CacheBytes: 1 << 20, FS: storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if op != storagetest.Sync || !strings.HasSuffix(path, ".log") {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		for _, percent := range []int{70, 90, 95} {
			all = append(all, left{disk.Clone(percent, seed), acked})
			seed++
		}
		return nil
	})})
	r := rand.New(rand.NewPCG(1, 0))
	for n := uint32(0); n < 30; {
		several := 1 + r.Uint32N(3)
		if err := writeTogether(s, n, several, r.IntN(30_000)); err != nil {
			t.Fatal(err)
		}
		n += several
		mu.Lock()
		acked = n
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	for _, l := range all {
		s, err := storage.Open(crashDir, &storage.Options{FS: l.disk, CacheBytes: 1 << 20})
		if err != nil {
			t.Errorf("after a loss of power: %v", err)
			continue
		}
		if n, err := verify(s); err != nil || n < l.acked {
			t.Errorf("%d changes, %v, want %d", n, err, l.acked)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestShortenedLogIsReported truncates or removes the log that a kill leaves.
func TestShortenedLogIsReported(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	w := writeLog(t, r, 5000, 1)
	text := must(readFile(w.disk, w.newest))
	for range 20 {
		disk := w.disk.Clone(0, 0)
		f := must(disk.Create(w.newest, vfs.WriteCategoryUnspecified))
		must(f.Write(text[:r.IntN(len(text))]))
		f.Close()
		if refused, err := opens(disk, nil); !refused {
			t.Errorf("a log that was truncated is not refused: %v", err)
		}
	}
	disk := w.disk.Clone(0, 0)
	if err := disk.Remove(w.newest); err != nil {
		t.Fatal(err)
	}
	if refused, err := opens(disk, nil); !refused {
		t.Errorf("a log that is missing is not noticed: %v", err)
	}
}

func readFile(disk storage.FS, path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// TestDamagedManifestChangesNothing: a store whose manifest is damaged is left as
// it is, with SYNCED or without.
func TestDamagedManifestChangesNothing(t *testing.T) {
	w := writeLog(t, rand.New(rand.NewPCG(1, 0)), 5000, 1)
	for _, lost := range []bool{false, true} {
		disk := w.disk.Clone(0, 0)
		if lost {
			if err := disk.Remove(syncedFile); err != nil {
				t.Fatal(err)
			}
		}
		flip(t, disk, w.manifest, fileSize(t, disk, w.manifest)/2, 0)
		before := names(t, disk)
		_, err := storage.Open(crashDir, &storage.Options{FS: disk})
		wantErr(t, "open", err, storage.ErrCorrupt)
		if name := w.manifest[len(storeDir)+1:]; !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("%v does not name %s", err, name)
		}
		if after := names(t, disk); after != before {
			t.Errorf("the files were %s and are %s", before, after)
		}
	}
}

func names(t *testing.T, disk storage.FS) string {
	t.Helper()
	all, err := disk.List(storeDir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestDamagedSyncedIsIgnored: it promises nothing then.
func TestDamagedSyncedIsIgnored(t *testing.T) {
	w := writeLog(t, rand.New(rand.NewPCG(1, 0)), 5000, 1)
	for at := range fileSize(t, w.disk, syncedFile) {
		disk := w.disk.Clone(0, 0)
		flip(t, disk, syncedFile, at, int(at)%8)
		if refused, err := opens(disk, w.want); refused || err != nil {
			t.Errorf("byte %d: refused %t, %v", at, refused, err)
		}
	}
}
