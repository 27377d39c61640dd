package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// dump returns every record, by index and id, with its version.
func dump(t *testing.T, e *Engine) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, info := range e.Indexes() {
		for rec, err := range e.Records(context.Background(), info.Name, RecordsOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			out[rec.Index+"/"+rec.ID] = fmt.Sprint(rec.Version, string(rec.JSON))
		}
	}
	for row, err := range e.Rows("") {
		if err != nil {
			t.Fatal(err)
		}
		out["row "+row.Key] = string(row.Value)
	}
	return out
}

// repaired changes the store behind its back, repairs it, and returns what is
// there then.
func repaired(t *testing.T, fsys *storagetest.CrashFS, change func(b *storage.Batch)) (map[string]string, *RepairReport) {
	t.Helper()
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	change(b)
	if err := s.Commit(b); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return salvaged(t, fsys)
}

func salvaged(t *testing.T, fsys storage.FS) (map[string]string, *RepairReport) {
	t.Helper()
	o := &Options{fs: fsys, MinFreeBytes: -1}
	report, err := salvage(context.Background(), "data", "new", nil, o)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open("new", o)
	if err != nil {
		t.Fatal(err)
	}
	defer checkAndClose(t, e)
	return dump(t, e), report
}

func TestRepairLosesNothingThatIsDerived(t *testing.T) {
	disk := injected(t)
	all := entriesOf(t, disk.Clone(100, 0))
	e, err := Open("data", &Options{fs: disk.Clone(100, 0), MinFreeBytes: -1, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	want, version := dump(t, e), e.Version()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for kind, list := range all {
		if slices.Contains([]string{"meta", "catalogue", "row", "schema", "id", "block"}, kind) {
			continue
		}
		for what, value := range map[string][]byte{"dropped": nil, "overwritten": []byte("nonsense")} {
			got, report := repaired(t, disk.Clone(100, 0), func(b *storage.Batch) {
				for _, x := range list {
					if value == nil {
						b.Delete(x.key)
					} else {
						b.Set(x.key, value)
					}
				}
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s: %.2000s", kind, what, diff)
			}
			if !report.Whole() || len(report.Indexes) != 2 || report.Rows != 2 {
				t.Errorf("%s %s: %+v", kind, what, report)
			}
		}
	}
	fsys := disk.Clone(100, 0)
	salvaged(t, fsys)
	e, err = Open("new", &Options{fs: fsys, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer checkAndClose(t, e)
	if e.Version() < version {
		t.Errorf("the version went back from %d to %d", version, e.Version())
	}
	if got := filtered(t, e, "a", "n = 77"); got != "r77" {
		t.Errorf("a search finds %q", got)
	}
}

func TestRepairNamesWhatIsLost(t *testing.T) {
	disk := injected(t)
	all := entriesOf(t, disk.Clone(100, 0))
	e, err := Open("data", &Options{fs: disk.Clone(100, 0), MinFreeBytes: -1, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	want := dump(t, e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	block := all["block"][5]
	got, report := repaired(t, disk.Clone(100, 0), func(b *storage.Batch) { b.Set(block.key, block.value[:20]) })
	lost := report.Indexes[0]
	if report.Whole() || lost.Lost == 0 || int(lost.Lost) != len(want)-len(got) || len(lost.LostIDs) != int(lost.Lost) {
		t.Fatalf("%d of %d entries are there: %+v", len(got), len(want), report)
	}
	for _, id := range lost.LostIDs {
		if _, there := got["a/"+id]; there {
			t.Errorf("record %s is not lost", id)
		}
		delete(want, "a/"+id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the others: %.2000s", diff)
	}

	_, report = repaired(t, disk.Clone(100, 0), func(b *storage.Batch) { b.Delete(all["schema"][1].key) })
	if !report.Indexes[1].SchemaLost || report.Indexes[1].Lost != 0 || report.Indexes[1].Records != 3 {
		t.Errorf("without a schema: %+v", report)
	}
	_, report = repaired(t, disk.Clone(100, 0), func(b *storage.Batch) { b.Delete(all["catalogue"][1].key) })
	if report.Whole() || len(report.Indexes) != 2 || report.Indexes[1].Name != "recovered-1" || report.Indexes[1].Records != 3 {
		t.Errorf("without a name: %+v", report)
	}
	_, report = repaired(t, disk.Clone(100, 0), func(b *storage.Batch) { b.Delete(all["meta"][0].key) })
	if report.Whole() || len(report.Indexes) != 2 || report.Indexes[0].Lost != 0 {
		t.Errorf("without the row of the engine: %+v", report)
	}
}

// TestRepairKeepsWhatIsNotedOfIndexes: a schema that is to come, why one did not, and
// when an index was made are nowhere but in the catalogue.
func TestRepairKeepsWhatIsNotedOfIndexes(t *testing.T) {
	fsys := storagetest.NewCrashFS()
	e, err := Open("data", &Options{fs: fsys, MinFreeBytes: -1, Now: func() time.Time { return time.Unix(1e9, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("a", `{"id":"1","t":"some words","k":"no number"}`))
	apply(t, e, puts("b", `{"id":"1","t":"some words","k":"no number"}`))
	for _, name := range []string{"a", "b"} {
		info, err := e.Index(name)
		if err != nil {
			t.Fatal(err)
		}
		s := info.Schema
		s.Fields[s.Field("k")] = Field{Name: "k", Type: Int, Filter: true}
		if _, err := e.StartUpdate(t.Context(), name, s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Rebuild(t.Context(), "b", nil); !errors.Is(err, ErrInvalid) {
		t.Fatalf("Rebuild: %v", err)
	}
	want := e.Indexes()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, report := salvaged(t, fsys); !report.Whole() {
		t.Fatalf("%+v", report)
	}
	if e, err = Open("new", &Options{fs: fsys, MinFreeBytes: -1}); err != nil {
		t.Fatal(err)
	}
	defer checkAndClose(t, e)
	for i, got := range e.Indexes() {
		if !got.CreatedAt.Equal(want[i].CreatedAt) || got.State != want[i].State {
			t.Errorf("%s: made %v, state %s, want %v, %s", got.Name, got.CreatedAt, got.State, want[i].CreatedAt, want[i].State)
		}
		if diff := cmp.Diff(fmt.Sprintf("%+v", want[i].Rebuild), fmt.Sprintf("%+v", got.Rebuild)); diff != "" {
			t.Errorf("%s: %s", got.Name, diff)
		}
	}
}

// TestRepairGetsPastDamagedTables flips bytes of every table: most records are
// saved, none is wrong, and the report names all that are not there.
func TestRepairGetsPastDamagedTables(t *testing.T) {
	if !*allFaults {
		t.Skip("the store looks for the flipped bit at every read, for minutes in all; -faults runs it")
	}
	disk := injected(t)
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
	tables := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		tables++
		fsys := disk.Clone(100, 0)
		flip(t, fsys, "data/store/"+name)
		o := &Options{fs: fsys, MinFreeBytes: -1}
		report, err := salvage(t.Context(), "data", "new", nil, o)
		if err != nil {
			continue // beyond repair, and told so
		}
		e, err := Open("new", o)
		if err != nil {
			t.Fatal(err)
		}
		got := dump(t, e)
		checkAndClose(t, e)
		for key, text := range got {
			if want[key] != text && report.Whole() {
				t.Errorf("%s flipped: %s is %s, was %s", name, key, text, want[key])
			}
		}
		if len(got) < len(want) && report.Whole() {
			t.Errorf("%s flipped: %d of %d entries are there, and nothing is said of it", name, len(got), len(want))
		}
	}
	if tables == 0 {
		t.Error("no tables")
	}
}

// flip changes a bit in the middle of a file.
func flip(t *testing.T, fsys storage.FS, path string) {
	t.Helper()
	f, err := fsys.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/3] ^= 8
	out, err := fsys.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := out.Sync(); err != nil {
		t.Fatal(err)
	}
	out.Close()
}
