package storage_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// writeStore makes a store with a few tables in a new directory and returns it
// with its contents.
func writeStore(t *testing.T, r *rand.Rand) (dir string, want map[string]string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir, nil)
	want = make(map[string]string)
	for i := range 40 {
		// Small, because Pebble looks for the bit that was flipped by trying
		// each, which takes the square of the size of the block.
		key, value := fmt.Sprintf("%03d", i), string(noise(r, 200))
		set(t, s, key, value)
		want[key] = value
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// tables returns the files of tables in dir.
func tables(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("tables: %v, %v", paths, err)
	}
	return paths
}

// damage changes the file at path by f.
func damage(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, f(data), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readAll opens dir, checks it and reads keys until one cannot be read, and
// returns the error of each. A value that is wrong fails the test.
func readAll(t *testing.T, dir string, want map[string]string, events storage.Events) (opened, checked, read error) {
	t.Helper()
	s, err := storage.Open(dir, &storage.Options{Events: events, Fatal: func(err error) { t.Errorf("Fatal: %v", err) }})
	if err != nil {
		return err, err, err
	}
	defer s.Close()
	checked = s.Check(t.Context())
	for key, value := range want {
		switch got, err := s.Get([]byte(key)); {
		case err != nil:
			return nil, checked, err
		case string(got) != value:
			t.Errorf("Get(%s) returned a wrong value", key)
		}
	}
	return nil, checked, nil
}

// TestDamagedTablesAreReported changes tables in many ways: no change may be
// missed, and none may be answered wrongly.
func TestDamagedTablesAreReported(t *testing.T) {
	for name, change := range map[string]func(r *rand.Rand, data []byte) []byte{
		"a flipped bit": func(r *rand.Rand, data []byte) []byte {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			return data
		},
		"512 zeros": func(r *rand.Rand, data []byte) []byte {
			at := r.IntN(len(data) - 512)
			clear(data[at : at+512])
			return data
		},
		"truncation": func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] },
		"growth":     func(_ *rand.Rand, data []byte) []byte { return append(data, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(10) {
				r := rand.New(rand.NewPCG(seed, 0))
				dir, want := writeStore(t, r)
				all := tables(t, dir)
				damage(t, all[r.IntN(len(all))], func(data []byte) []byte { return change(r, data) })
				var told atomic.Int64
				opened, checked, read := readAll(t, dir, want, storage.Events{Corruption: func(err error) {
					told.Add(1)
					if !storage.IsCorrupt(err) {
						t.Errorf("told of %v", err)
					}
				}})
				if !storage.IsCorrupt(checked) {
					t.Errorf("seed %d: Check = %v, want ErrCorrupt", seed, checked)
				}
				if read != nil && !storage.IsCorrupt(read) {
					t.Errorf("seed %d: Get = %v, want ErrCorrupt", seed, read)
				}
				for _, err := range []error{opened, checked, read} {
					if text := fmt.Sprint(err); err != nil && (strings.Contains(text, "carrier") || strings.Contains(text, "file 000") || strings.Contains(text, "pebble:") || !strings.Contains(text, ".sst")) {
						t.Errorf("seed %d: not for people: %q", seed, text)
					}
				}
				if opened == nil && read != nil && told.Load() == 0 {
					t.Errorf("seed %d: nobody was told of %v", seed, read)
				}
			}
		})
	}
}

func TestMissingFilesAreReported(t *testing.T) {
	for _, pattern := range []string{"*.sst", "MANIFEST-*", "marker.manifest.*", "marker.format-version.*", "marker.*", "."} {
		t.Run(pattern, func(t *testing.T) {
			dir, want := writeStore(t, rand.New(rand.NewPCG(1, 0)))
			paths, err := filepath.Glob(filepath.Join(dir, "store", pattern))
			if err != nil || len(paths) == 0 {
				t.Fatalf("%v, %v", paths, err)
			}
			for _, path := range paths {
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			}
			opened, _, _ := readAll(t, dir, want, storage.Events{})
			wantErr(t, "open", opened, storage.ErrCorrupt)
		})
	}
}

// TestDamagedManifestIsNeverAnsweredWrongly flips bits in the other files.
func TestDamagedManifestIsNeverAnsweredWrongly(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir, want := writeStore(t, r)
		paths, err := filepath.Glob(filepath.Join(dir, "store", "MANIFEST-*"))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		damage(t, paths[len(paths)-1], func(data []byte) []byte {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			return data
		})
		_, _, read := readAll(t, dir, want, storage.Events{})
		if errors.Is(read, storage.ErrNotFound) {
			t.Errorf("seed %d: a key was lost without a word", seed)
		}
	}
}

// TestDamagedLogIsReported damages the log that a crash leaves, well before its
// end: the records after the damage must not be dropped in silence.
func TestDamagedLogIsReported(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		s := open(t, dir, nil)
		for i := range 100 {
			set(t, s, fmt.Sprintf("%03d", i), string(noise(r, 2000)))
		}
		// The state of the disk while the store is open is what a kill leaves.
		crashed := filepath.Join(t.TempDir(), "crashed")
		if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		logs, err := filepath.Glob(filepath.Join(crashed, "store", "*.log"))
		if err != nil || len(logs) == 0 {
			t.Fatal(logs, err)
		}
		damage(t, logs[len(logs)-1], func(data []byte) []byte {
			data[r.IntN(100*1024)] ^= 1 << r.IntN(8)
			return data
		})
		_, err = storage.Open(crashed, nil)
		wantErr(t, fmt.Sprint("seed ", seed), err, storage.ErrCorrupt)
		if name := filepath.Base(logs[len(logs)-1]); !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("seed %d: %v does not name %s", seed, err, name)
		}
	}
}

func TestFormatOfPebbleThatIsNewer(t *testing.T) {
	dir, _ := writeStore(t, rand.New(rand.NewPCG(1, 0)))
	paths, err := filepath.Glob(filepath.Join(dir, "store", "marker.format-version.*"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	i := strings.LastIndex(paths[0], ".")
	if err := os.Rename(paths[0], paths[0][:i]+".999"); err != nil {
		t.Fatal(err)
	}
	_, err = storage.Open(dir, nil)
	wantErr(t, "open", err, storage.ErrNewerFormat)
}

// TestDamagedOptions: they hold no data, and docs/durability.md says that the store
// opens without them.
func TestDamagedOptions(t *testing.T) {
	dir, want := writeStore(t, rand.New(rand.NewPCG(1, 0)))
	paths, err := filepath.Glob(filepath.Join(dir, "store", "OPTIONS-*"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	damage(t, paths[len(paths)-1], func(data []byte) []byte {
		return []byte(strings.Replace(string(data), "comparer=", "comparer=x", 1))
	})
	opened, _, _ := readAll(t, dir, want, storage.Events{})
	wantErr(t, "open", opened, storage.ErrCorrupt)
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if opened, checked, read := readAll(t, dir, want, storage.Events{}); opened != nil || checked != nil || read != nil {
		t.Errorf("without options: %v, %v, %v", opened, checked, read)
	}
}
