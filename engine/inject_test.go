package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// injected returns a disk with a closed engine that has every kind of entry.
func injected(t *testing.T) *storagetest.CrashFS { return injectedText(t, false) }

// injectedText is injected with texts that are searched, or not.
func injectedText(t *testing.T, search bool) *storagetest.CrashFS {
	t.Helper()
	ctx := context.Background()
	d := &disk{t: t, fs: storagetest.NewCrashFS()}
	d.open()
	for _, name := range []string{"a", "b"} {
		create(t, d.e, name, Schema{Dynamic: true, Language: "en", Fields: []Field{
			{Name: "t", Type: Text, Search: search}, {Name: "n", Type: Int, Filter: true}, {Name: "k", Type: Keyword, Filter: true, Facet: true},
			{Name: "v", Type: Vector, Dimensions: 3},
		}})
	}
	b := &Batch{Rows: []Row{{Key: "app/1", Value: []byte("one")}, {Key: "app/2", Value: []byte("two")}}}
	for i := range 3000 {
		b.Put("a", fmt.Appendf(nil, `{"id":"r%d","t":"red shoes number%d running in the park","n":%d,"k":"k%d","v":[%d,1,-2.5]}`, i, i, i, i%7, i))
	}
	b.Put("b", []byte(`{"id":"x","t":"a hat"}`))
	apply(t, d.e, b)
	gone := &Batch{}
	for i := range 40 {
		gone.Delete("a", fmt.Sprintf("r%d", 10*i))
	}
	apply(t, d.e, gone)
	if err := errors.Join(d.e.Flush(ctx), d.e.Close()); err != nil { // writes the id filter
		t.Fatal(err)
	}
	d.open()
	apply(t, d.e, puts("b", `{"id":"y","t":"a blue hat"}`))
	apply(t, d.e, puts("b", `{"id":"z","t":"a green hat"}`))
	clone := d.fs.(*storagetest.CrashFS).Clone(0, 1) // with a batch log
	if err := d.e.Close(); err != nil {
		t.Fatal(err)
	}
	return clone
}

// kindOf names the kind of an entry of the store.
func kindOf(key []byte) string {
	switch {
	case key[0] == 0x00:
		return "meta"
	case key[0] == 0x01:
		return "catalogue"
	case key[0] == 0x02:
		return "row"
	}
	switch kind := key[5]; kind {
	case 0x01:
		return "manifest"
	case 0x02:
		return "schema"
	case 0x03:
		return "batch log"
	case 0x04:
		return "id"
	case 0x05:
		return "block"
	case 0x07:
		return "tombstones"
	case 0x08:
		_, _, part, _, err := storage.ParseSegmentKey(key)
		switch {
		case err != nil:
			return err.Error()
		case part >= chunkPart:
			return fmt.Sprintf("chunk part %d", part-chunkPart)
		}
		return fmt.Sprint("segment ", segment.PartKind(part))
	case 0x09:
		return "id filter"
	case 0x0b:
		return "field vectors"
	default:
		return fmt.Sprintf("kind %d", kind)
	}
}

// entry is a key and value of the store.
type entry struct{ key, value []byte }

func entriesOf(t *testing.T, fsys storage.FS) (byKind map[string][]entry) {
	t.Helper()
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	it, err := s.Iter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	byKind = map[string][]entry{}
	for ok := it.First(); ok; ok = it.Next() {
		k := kindOf(it.Key())
		byKind[k] = append(byKind[k], entry{bytes.Clone(it.Key()), bytes.Clone(it.Value())})
	}
	return byKind
}

// verdictOn changes the store and returns what Open and Check say of it.
func verdictOn(t *testing.T, disk *storagetest.CrashFS, change func(b *storage.Batch)) error {
	t.Helper()
	fsys := disk.Clone(100, 0)
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	change(b)
	if err := errors.Join(s.Commit(b), s.Close()); err != nil {
		t.Fatal(err)
	}
	e, err := Open("data", &Options{fs: fsys, MinFreeBytes: -1, ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(e.Check(context.Background()), e.Close())
}

// TestCheckFindsWhatIsInjected drops, alters and duplicates entries of every
// kind, behind the back of the store's own checksums. Open or Check has to say
// of each that something is wrong.
func TestCheckFindsWhatIsInjected(t *testing.T) {
	disk := injected(t)
	if err := verdictOn(t, disk, func(*storage.Batch) {}); err != nil {
		t.Fatalf("with nothing injected: %v", err)
	}
	all := entriesOf(t, disk.Clone(100, 0))
	kinds := slices.Sorted(maps.Keys(all))
	for _, must := range []string{"meta", "catalogue", "row", "manifest", "schema", "batch log", "id", "block", "tombstones", "id filter", "field vectors"} {
		if !slices.Contains(kinds, must) {
			t.Errorf("no entry of the kind %s to try", must)
		}
	}
	t.Logf("kinds: %v", kinds)
	s := rand.New(rand.NewPCG(5, 6))
	tried := 0
	for _, kind := range kinds {
		list := all[kind]
		for range min(len(list), 3) {
			x := list[s.IntN(len(list))]
			other := list[s.IntN(len(list))]
			flipped := bytes.Clone(x.value)
			if len(flipped) > 0 {
				flipped[s.IntN(len(flipped))] ^= 1 << s.IntN(8)
			}
			near := bytes.Clone(x.key) // the next one of its kind, which may be there
			near[len(near)-1]++
			for what, change := range map[string]func(b *storage.Batch){
				"drop":      func(b *storage.Batch) { b.Delete(x.key) },
				"flip":      func(b *storage.Batch) { b.Set(x.key, flipped) },
				"cut":       func(b *storage.Batch) { b.Set(x.key, x.value[:len(x.value)/2]) },
				"empty":     func(b *storage.Batch) { b.Set(x.key, nil) },
				"exchange":  func(b *storage.Batch) { b.Set(x.key, other.value) },
				"duplicate": func(b *storage.Batch) { b.Set(near, x.value) },
			} {
				switch {
				case what == "exchange" && bytes.Equal(x.value, other.value),
					what == "flip" && len(x.value) == 0, what == "cut" && len(x.value) == 0, what == "empty" && len(x.value) == 0,
					// What belongs to no index is what a crash leaves of one, and is deleted.
					what == "duplicate" && (kind == "manifest" || kind == "schema" || kind == "meta"):
					continue
				}
				tried++
				err := verdictOn(t, disk, change)
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNewerFormat) {
					t.Errorf("%s of %s (key %x): found nothing, %v", what, kind, x.key, err)
				}
			}
		}
	}
	t.Logf("%d changes of %d kinds", tried, len(kinds))
}

// TestValuesOfOtherKinds puts a value of each kind in the place of one of each other kind. What one
// decoder reads as empty must not be a value of another's.
func TestValuesOfOtherKinds(t *testing.T) {
	disk := injected(t)
	all := entriesOf(t, disk.Clone(100, 0))
	for kind, list := range all {
		for other, values := range all {
			if kind == other || kind == "row" { // what rows hold is for the application to say, and counted
				continue
			}
			key, value := list[0].key, values[0].value
			err := verdictOn(t, disk, func(b *storage.Batch) { b.Set(key, value) })
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNewerFormat) {
				t.Errorf("%s in the place of %s (key %x): found nothing, %v", other, kind, key, err)
			}
			if kind == "schema" && (err == nil || !strings.Contains(err.Error(), "schema")) {
				t.Errorf("%s in the place of %s: %v", other, kind, err)
			}
		}
	}
}
