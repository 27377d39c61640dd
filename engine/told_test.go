package engine

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// lastError runs through a sequence.
func lastError[T any](seq iter.Seq2[T, error]) (err error) {
	for _, err = range seq {
		if err != nil {
			return err
		}
	}
	return nil
}

// exits is a call of every exported method that returns errors of an engine whose
// disk is that of injected. met: some kind of damage is in its way; writes: it may
// change what is stored.
var exits = map[string]struct {
	met, writes bool
	call        func(ctx context.Context, e *Engine) error
}{
	"Apply": {true, true, func(ctx context.Context, e *Engine) error {
		_, err := e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpPatch, Index: "a", ID: "r1", Record: []byte(`{"n":5}`)}}})
		return err
	}},
	"Apply where": {true, true, func(ctx context.Context, e *Engine) error {
		_, err := e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpDeleteWhere, Index: "a", Filter: `k = "k1"`}}})
		return err
	}},
	"CancelUpdate": {false, true, func(ctx context.Context, e *Engine) error { _, err := e.CancelUpdate(ctx, "a"); return err }},
	"Check":        {true, false, func(ctx context.Context, e *Engine) error { return e.Check(ctx) }},
	"CreateIndex":  {false, true, func(ctx context.Context, e *Engine) error { _, err := e.CreateIndex(ctx, "c", Schema{}); return err }},
	"DeleteIndex":  {false, true, func(ctx context.Context, e *Engine) error { return e.DeleteIndex(ctx, "a") }},
	"EmbedRecords": {false, false, func(ctx context.Context, e *Engine) error { return e.EmbedRecords(ctx, "a") }},
	"Flush":        {false, true, func(ctx context.Context, e *Engine) error { return e.Flush(ctx) }},
	"Hits": {true, false, func(ctx context.Context, e *Engine) error {
		return lastError(e.Hits(ctx, &Request{Query: "shoes"}))
	}},
	"Holders": {true, false, func(ctx context.Context, e *Engine) error {
		_, err := e.Holders(ctx, "r1", nil, `k = "k1"`)
		return err
	}},
	"Index":    {false, false, func(ctx context.Context, e *Engine) error { _, err := e.Index("a"); return err }},
	"Merge":    {true, true, func(ctx context.Context, e *Engine) error { return e.Merge(ctx, "a") }},
	"Mistakes": {true, false, func(ctx context.Context, e *Engine) error { return e.Mistakes(ctx, &Request{Query: "shoes"}) }},
	"PutRows": {false, true, func(ctx context.Context, e *Engine) error {
		return e.PutRows(ctx, []Row{{Key: "app/1", Value: []byte("1")}})
	}},
	"Rebuild": {true, true, func(ctx context.Context, e *Engine) error {
		if _, err := e.StartUpdate(ctx, "a", Schema{Language: "en", Fields: []Field{{Name: "t", Type: Text}}}); err != nil {
			return err
		}
		_, err := e.Rebuild(ctx, "a", nil)
		return err
	}},
	"Record": {true, false, func(ctx context.Context, e *Engine) error { _, err := e.Record(ctx, "a", "r1"); return err }},
	"Records": {true, false, func(ctx context.Context, e *Engine) error {
		return lastError(e.Records(ctx, "a", RecordsOptions{}))
	}},
	"Row":  {false, false, func(ctx context.Context, e *Engine) error { _, err := e.Row("app/1"); return err }},
	"Rows": {false, false, func(ctx context.Context, e *Engine) error { return lastError(e.Rows("")) }},
	"Search": {true, false, func(ctx context.Context, e *Engine) error {
		_, err := e.Search(ctx, &Request{Query: "shoes"})
		return err
	}},
	"Snapshot": {true, false, func(ctx context.Context, e *Engine) error {
		s, err := e.Snapshot()
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = s.Record("a", "r1")
		return err
	}},
	"StartUpdate": {false, true, func(ctx context.Context, e *Engine) error {
		_, err := e.StartUpdate(ctx, "a", Schema{Language: "en"})
		return err
	}},
	"Suggest": {true, false, func(ctx context.Context, e *Engine) error {
		_, err := e.Suggest(ctx, &SuggestRequest{Query: "red sho"})
		return err
	}},
	"SwapIndexes":  {false, true, func(ctx context.Context, e *Engine) error { _, err := e.SwapIndexes(ctx, "a", "b"); return err }},
	"TrainVectors": {true, true, func(ctx context.Context, e *Engine) error { return e.TrainVectors(ctx, "a") }},
	"UpdateIndex": {true, true, func(ctx context.Context, e *Engine) error {
		_, err := e.UpdateIndex(ctx, "a", Schema{Language: "en", Fields: []Field{{Name: "t", Type: Text}}})
		return err
	}},
}

// bent returns a disk on which every entry of a kind has bits that are wrong, but
// for those of the index that Open reads from the log.
func bent(t *testing.T, disk *storagetest.CrashFS, list []entry) *storagetest.CrashFS {
	t.Helper()
	fsys := disk.Clone(100, 0)
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	for _, x := range list {
		if v := bytes.Clone(x.value); len(v) > 0 && bytes.HasPrefix(x.key, list[0].key[:min(5, len(x.key))]) {
			for i := len(v) / 2 % 97; i < len(v); i += 97 {
				v[i] ^= 0x40
			}
			b.Set(x.key, v)
		}
	}
	if err := errors.Join(s.Commit(b), s.Close()); err != nil {
		t.Fatal(err)
	}
	return fsys
}

// TestEveryMethodTellsOfDamage: whatever is damaged and whichever method meets it,
// the error is marked, and Events.Corruption and Healthy know of it.
func TestEveryMethodTellsOfDamage(t *testing.T) {
	names := map[string]bool{
		// These return nothing of the disk, and Backup has its own checksums.
		"Backup": true, "Close": true, "Healthy": true, "WaitVersion": true,
	}
	for what := range exits {
		method, _, _ := strings.Cut(what, " ")
		names[method] = true
	}
	for m := range reflect.TypeFor[*Engine]().Methods() {
		n := m.Type.NumOut()
		returns := n > 0 && (m.Type.Out(n-1) == reflect.TypeFor[error]() || m.Type.Out(n-1).Kind() == reflect.Func)
		if returns && !names[m.Name] {
			t.Errorf("Engine.%s is not in the table", m.Name)
		}
	}
	disk := injectedText(t, true)
	all := entriesOf(t, disk.Clone(100, 0))
	met := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		var events atomic.Int64
		damaged := bent(t, disk, all[kind])
		open := func() *Engine {
			e, err := Open("data", &Options{fs: damaged.Clone(100, 0), MinFreeBytes: -1, NoMerge: true, Vectors: VectorOptions{Records: 1, Words: 1},
				Events: Events{Corruption: func(error) { events.Add(1) }}, learnQuiet: time.Hour})
			if err == nil {
				e.maintain.stop() // only the methods are to meet it
			} else if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: Open: %v", kind, err)
			}
			return e
		}
		reading := open()
		if reading == nil {
			continue // that is where this is met
		}
		for what, exit := range exits {
			e := reading
			if exit.writes {
				e = open()
			}
			events.Store(0)
			e.damage.Store(nil)
			err := exit.call(t.Context(), e)
			switch {
			case errors.Is(err, ErrCorrupt):
				met[what] = true
				if events.Load() == 0 || !errors.Is(e.Healthy(), ErrCorrupt) {
					t.Errorf("%s damaged, %s: %v, but %d events and Healthy %v", kind, what, err, events.Load(), e.Healthy())
				}
			case err != nil && !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotFound):
				t.Errorf("%s damaged, %s: %v is not ErrCorrupt", kind, what, err)
			}
			if exit.writes {
				e.Close() // it may fail: see the damage
			}
		}
		reading.Close()
	}
	for what, exit := range exits {
		if exit.met && !met[what] {
			t.Errorf("%s met no damage of any kind", what)
		}
	}
}
