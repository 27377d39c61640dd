package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// layered returns a disk as a kill leaves it, with an engine whose records are in
// several tables and a log, and every text that a record ever had, by index and id.
func layered(t *testing.T) (disk *storagetest.CrashFS, ever map[string][]string) {
	t.Helper()
	disk = storagetest.NewCrashFS()
	e, err := Open("data", &Options{fs: disk, MinFreeBytes: -1, NoMerge: true})
	if err != nil {
		t.Fatal(err)
	}
	e.maintain.stop() // nobody else flushes
	ever = map[string][]string{}
	b := &Batch{}
	put := func(index string, i, n int) {
		id := fmt.Sprintf("r%d", i)
		text := fmt.Sprintf(`{"id":%q,"t":"red shoes number%d","n":%d}`, id, i, n)
		ever[index+"/"+id] = append(ever[index+"/"+id], text)
		b.Put(index, []byte(text))
	}
	done := func(flush bool) {
		apply(t, e, b)
		b = &Batch{}
		if !flush {
			return
		}
		if err := e.store.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 300 {
		put("a", i, 1)
	}
	for i := range 20 {
		put("b", i, 1)
	}
	b.Rows = []Row{{Key: "app/1", Value: []byte("one")}, {Key: "app/2", Value: []byte("two")}}
	done(true)
	for i := range 50 {
		put("a", i, 2)
		b.Delete("a", fmt.Sprintf("r%d", 100+i))
	}
	b.Rows = []Row{{Key: "app/1"}}
	done(false)
	if err := errors.Join(e.Flush(t.Context()), e.store.Flush()); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		put("c", i, 1)
		put("a", 400+i, 1)
		put("a", 30+i, 3)
	}
	for i := range 10 {
		b.Delete("a", fmt.Sprintf("r%d", 200+i))
	}
	done(true)
	for i := range 5 {
		b.Delete("b", fmt.Sprintf("r%d", i))
	}
	done(false)
	clone := disk.Clone(100, 0)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return clone, ever
}

func readDisk(t *testing.T, fsys storage.FS, path string) []byte {
	t.Helper()
	f, err := fsys.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, info.Size())
	if _, err := f.ReadAt(text, 0); err != nil && len(text) > 0 {
		t.Fatal(err)
	}
	return text
}

func writeDisk(t *testing.T, fsys storage.FS, path string, text []byte) {
	t.Helper()
	f, err := fsys.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// contents returns the files of a directory and those below its folder store.
func contents(t *testing.T, fsys storage.FS, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, sub := range []string{dir, dir + "/store"} {
		names, err := fsys.List(sub)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if info, err := fsys.Stat(sub + "/" + name); err == nil && !info.IsDir() {
				out[sub+"/"+name] = string(readDisk(t, fsys, sub+"/"+name))
			}
		}
	}
	return out
}

// TestRepairWithoutAFile damages every file of a store in turn so that nothing, or
// only its beginning, can be read. All that is elsewhere is saved, nothing is made
// up, all that is lost is told, and the damaged directory stays as it is.
func TestRepairWithoutAFile(t *testing.T) {
	disk, ever := layered(t)
	e, err := Open("data", &Options{fs: disk.Clone(100, 0), MinFreeBytes: -1, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	want := dump(t, e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := disk.List("data/store")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	saved := 0 // in all
	for _, name := range names {
		path := "data/store/" + name
		whole := readDisk(t, disk, path)
		if name == "LOCK" || len(whole) == 0 {
			continue
		}
		n := len(whole)
		ways := map[string][]byte{"missing": nil, "empty": {}, "cut in the middle": whole[:n/2], "cut at the end": whole[:n-1]}
		last := bytes.Clone(whole)
		last[n-1] ^= 1
		ways["its last bit flipped"] = last
		if !strings.HasSuffix(name, ".sst") { // of a table that takes minutes: see TestRepairGetsPastDamagedTables
			first := bytes.Clone(whole)
			first[n/3] ^= 4
			ways["a bit flipped"] = first
			zeros := bytes.Clone(whole)
			clear(zeros[n/2 : n/2+min(n/2, 512)])
			ways["zeros"] = zeros
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			what := name + " " + way
			fsys := disk.Clone(100, 0)
			if text := ways[way]; text == nil {
				if err := fsys.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				writeDisk(t, fsys, path, text)
			}
			before := contents(t, fsys, "data")
			o := &Options{fs: fsys, MinFreeBytes: -1}
			report, err := salvage(t.Context(), "data", "new", nil, o)
			if err != nil {
				if !errors.Is(err, ErrCorrupt) || !strings.HasPrefix(name, "MANIFEST-") {
					t.Errorf("%s: %v", what, err)
				}
				if _, err := fsys.Stat("new"); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: it was refused, and there is something new: %v", what, err)
				}
				continue
			}
			if after := contents(t, fsys, "data"); !maps.Equal(before, after) {
				t.Errorf("%s: the damaged directory has changed", what)
			}
			kinds[name[strings.LastIndexAny(name, ".")+1:]]++
			e, err := Open("new", o)
			if err != nil {
				t.Fatal(err)
			}
			got := dump(t, e)
			checkAndClose(t, e)
			saved += len(got)
			checkSaved(t, what, want, got, ever, report)
		}
	}
	if kinds["sst"] < 10 || kinds["log"] < 5 || saved == 0 {
		t.Errorf("%v, %d records", kinds, saved)
	}
}

// checkSaved compares what was saved with what was there, and with the report.
func checkSaved(t *testing.T, what string, want, got map[string]string, ever map[string][]string, report *RepairReport) {
	t.Helper()
	told := strings.Join(report.Damage, "\n")
	if report.Whole() {
		if !maps.Equal(want, got) {
			t.Errorf("%s: %d entries of %d, and nothing is said of it", what, len(got), len(want))
		}
		return
	}
	missing := map[string]int64{}
	for key := range want {
		if index, _, _ := strings.Cut(key, "/"); got[key] == "" && !strings.HasPrefix(key, "row ") {
			missing[index]++
		} else if got[key] == "" && !strings.Contains(told, "rows of the application: ") {
			t.Errorf("%s: %s is gone without a word:\n%s", what, key, told)
		}
	}
	known := map[string]bool{}
	for _, i := range report.Indexes {
		known[i.Name] = true
		if missing[i.Name] > i.Lost && !i.LostUnknown {
			t.Errorf("%s: %d records of index %s are gone, and the report says %+v:\n%s", what, missing[i.Name], i.Name, i, told)
		}
	}
	for index := range missing {
		if !known[index] && !strings.Contains(told, "catalogue") {
			t.Errorf("%s: index %s is gone without a word:\n%s", what, index, told)
		}
	}
	for key, text := range got {
		if strings.HasPrefix(key, "row ") {
			continue
		}
		text = text[strings.IndexByte(text, '{'):] // behind the version
		index, id, _ := strings.Cut(key, "/")
		if strings.HasPrefix(index, "recovered-") {
			index = map[string]string{"recovered-0": "a", "recovered-1": "b", "recovered-2": "c"}[index]
			key = index + "/" + id
		}
		if !slices.Contains(ever[key], text) {
			t.Errorf("%s: record %s was never %s", what, key, text)
		}
		if old := want[key]; !strings.HasSuffix(old, text) && !strings.Contains(told, "deleted records and rows may be back") {
			t.Errorf("%s: record %s is %s, was %q:\n%s", what, key, text, old, told)
		}
	}
}

// TestRepairIsCutOff cuts the power, or fails, at file operations of a repair: what
// is left is no data directory, or is complete, and the same call succeeds then.
func TestRepairIsCutOff(t *testing.T) {
	disk, _ := layered(t)
	type cut struct {
		disk *storagetest.CrashFS
		what string
	}
	var cuts []cut
	var mu sync.Mutex
	n := uint64(0)
	all := disk.Clone(100, 0)
	hooked := storagetest.NewFaultFS(all, func(op storagetest.Op, path string) error {
		if strings.HasPrefix(path, "new") && op != storagetest.Read && op != storagetest.Stat && op != storagetest.List {
			mu.Lock()
			defer mu.Unlock()
			if n++; n < 12 || n%17 == 0 {
				cuts = append(cuts, cut{all.Clone(int(n%3)*50, n), fmt.Sprintf("operation %d: %s %s", n, op, path)})
			}
		}
		return nil
	})
	report, err := salvage(context.Background(), "data", "new", nil, &Options{fs: hooked, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Whole() {
		t.Errorf("%v", report.Damage)
	}
	want, _ := salvaged(t, disk.Clone(100, 0))
	for _, c := range cuts {
		e, err := Open("new", &Options{fs: c.disk.Clone(100, 0), MinFreeBytes: -1, ReadOnly: true})
		if err == nil {
			if got := dump(t, e); !maps.Equal(got, want) {
				t.Errorf("%s: looks complete and has %d of %d entries", c.what, len(got), len(want))
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			continue
		}
		if names, _ := c.disk.List("new"); len(names) > 0 && !errors.Is(err, ErrHalfMade) {
			t.Errorf("%s: %v", c.what, err)
		}
		if got, _ := salvaged(t, c.disk); !maps.Equal(got, want) {
			t.Errorf("%s: again: %d of %d entries", c.what, len(got), len(want))
		}
	}
	if len(cuts) < 12 {
		t.Errorf("%d cuts", len(cuts))
	}
}
