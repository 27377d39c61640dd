package storage_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// damagedCopies calls f with a copy of dir for each way in which its file base can
// be damaged.
func damagedCopies(t *testing.T, dir, base string, f func(what, dir string)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, base))
	if err != nil {
		t.Fatal(err)
	}
	n := len(data)
	zeroed := func(at int) []byte {
		out := bytes.Clone(data)
		clear(out[at:min(at+512, n)])
		return out
	}
	flipped := func(at int) []byte {
		out := bytes.Clone(data)
		out[at] ^= 16
		return out
	}
	ways := map[string][]byte{"missing": nil, "empty": {}, "a byte more": append(bytes.Clone(data), 0)}
	for i := range 8 {
		at := i * (n - 1) / 8
		if i == 7 {
			at = n - 1
		}
		ways[fmt.Sprintf("cut off at %d of %d", at, n)] = data[:at]
		ways[fmt.Sprintf("zeros at %d of %d", at, n)] = zeroed(at)
		ways[fmt.Sprintf("a bit flipped at %d of %d", at, n)] = flipped(at)
	}
	for what, text := range ways {
		damaged := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(damaged, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(damaged, base)
		if text == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		f(base+": "+what, damaged)
	}
}

// crashedStore returns a directory as a kill leaves it, with tables of several
// levels and several logs, and what every key was given over time: the last value
// is the newest.
func crashedStore(t *testing.T) (dir string, values map[string][]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 0))
	live := t.TempDir()
	s := open(t, live, &storage.Options{MemTableBytes: 256 << 10})
	values = map[string][]string{}
	round := func(n, size int) {
		for i := range 20 {
			key, value := fmt.Sprintf("%03d", 7*n+i), string(noise(r, size))
			set(t, s, key, value)
			values[key] = append(values[key], value)
		}
	}
	for n := range 3 {
		round(n, 200)
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	round(3, 200)
	dir = filepath.Join(t.TempDir(), "crashed")
	if err := os.CopyFS(dir, os.DirFS(live)); err != nil {
		t.Fatal(err)
	}
	return dir, values
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	list, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = string(text)
	}
	return out
}

// TestSalvageReadsAllButWhatIsDamaged damages every file of a store in many ways.
// With Salvage it opens as long as it has a manifest; a value that is read is one
// that was written, and wherever it is not the newest, a loss is told that covers
// the key. No file is changed.
func TestSalvageReadsAllButWhatIsDamaged(t *testing.T) {
	dir, values := crashedStore(t)
	list, err := os.ReadDir(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, entry := range list {
		name := entry.Name()
		vital := strings.HasPrefix(name, "MANIFEST-") || strings.HasPrefix(name, "marker.")
		if name == "LOCK" {
			continue
		}
		if info, err := entry.Info(); err != nil || info.Size() == 0 {
			continue
		}
		kinds[filepath.Ext(name)]++
		damagedCopies(t, dir, filepath.Join("store", name), func(what, dir string) {
			before := files(t, dir)
			s, err := storage.Open(dir, &storage.Options{Salvage: true, Fatal: func(err error) { t.Errorf("%s: Fatal: %v", what, err) }})
			switch {
			case err != nil && vital:
				if !storage.IsCorrupt(err) {
					t.Errorf("%s: %v", what, err)
				}
				return
			case err != nil:
				t.Errorf("%s: %v", what, err)
				return
			}
			losses := s.Losses()
			wrong := 0
			for key, all := range values {
				got, err := s.Get([]byte(key))
				newest := err == nil && string(got) == all[len(all)-1]
				covered := storage.IsCorrupt(err)
				for _, l := range losses {
					covered = covered || l.MayHold([]byte(key))
					if !storage.IsCorrupt(l.Err) || l.File != name {
						t.Errorf("%s: a loss of %s: %v", what, l.File, l.Err)
					}
				}
				if !newest {
					wrong++
				}
				known := false
				for _, v := range all {
					known = known || string(got) == v
				}
				if !newest && !covered || err == nil && !known {
					t.Errorf("%s: %s: %v, %d bytes, losses %v", what, key, err, len(got), losses)
				}
			}
			if wrong == len(values) {
				t.Errorf("%s: nothing is left", what)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s: Close: %v", what, err)
			}
			for path, text := range files(t, dir) {
				if before[path] != text {
					t.Errorf("%s: %s has changed", what, path)
				}
			}
		})
	}
	if kinds[".sst"] < 2 || kinds[".log"] < 1 {
		t.Errorf("files: %v", kinds)
	}
}

func TestSalvageOfAWholeStore(t *testing.T) {
	dir, values := crashedStore(t)
	s := open(t, dir, &storage.Options{Salvage: true})
	defer s.Close()
	if losses := s.Losses(); len(losses) > 0 {
		t.Errorf("%v", losses)
	}
	for key, all := range values {
		if got, err := s.Get([]byte(key)); err != nil || string(got) != all[len(all)-1] {
			t.Errorf("%s: %v", key, err)
		}
	}
	b := s.NewBatch()
	b.Set([]byte("k"), nil)
	wantErr(t, "write", s.Commit(b), storage.ErrReadOnly)
}
