package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// stepState is what an engine has to hold after a step: the model, and the language
// of each index.
type stepState struct {
	model
	language map[string]string
}

// A step changes the indexes of an engine.
type step struct {
	name  string
	do    func(ctx context.Context, e *Engine) error
	after stepState
}

// steps is one change of each kind that indexes know, with what they lead to.
func indexSteps() []step {
	var list []step
	now := stepState{model{indexes: map[string]map[string]modelRecord{}, rows: map[string]string{}}, map[string]string{}}
	add := func(name string, change func(s *stepState), do func(ctx context.Context, e *Engine) error) {
		next := stepState{now.model.clone(), maps.Clone(now.language)}
		change(&next)
		now = next
		list = append(list, step{name, do, now})
	}
	create := func(name, language string) {
		row := "made " + name + " " + language
		add("create "+name, func(s *stepState) {
			s.indexes[name], s.language[name] = map[string]modelRecord{}, language
			s.rows[row] = "1"
		}, func(ctx context.Context, e *Engine) error {
			_, err := e.CreateIndex(ctx, name, Schema{Dynamic: true, Language: language}, Row{Key: row, Value: []byte("1")})
			return err
		})
	}
	put := func(name string, from, to int) {
		b := &Batch{}
		records := map[string]modelRecord{}
		for i := from; i < to; i++ {
			r := modelRecord{n: i % 10, w: []string{"red shoe", "blue hat", "running 日本語"}[i%3]}
			id := fmt.Sprintf("r%d", i)
			records[id] = r
			b.Put(name, []byte(r.json(id)))
		}
		add("put "+name, func(s *stepState) { maps.Copy(s.indexes[name], records) }, func(ctx context.Context, e *Engine) error {
			_, err := e.Apply(ctx, b)
			return err
		})
	}
	still := func(name string, do func(ctx context.Context, e *Engine) error) { add(name, func(*stepState) {}, do) }
	language := func(ctx context.Context, e *Engine, name, language string) (Schema, error) {
		info, err := e.Index(name)
		info.Schema.Language = language
		return info.Schema, err
	}
	create("a", "en")
	put("a", 0, 12)
	still("flush", func(ctx context.Context, e *Engine) error { return e.Flush(ctx) })
	put("a", 6, 20)
	create("b", "de")
	put("b", 0, 5)
	still("flush again", func(ctx context.Context, e *Engine) error { return e.Flush(ctx) })
	still("merge", func(ctx context.Context, e *Engine) error { return e.Merge(ctx, "a") })
	add("swap", func(s *stepState) {
		s.indexes["a"], s.indexes["b"] = s.indexes["b"], s.indexes["a"]
		s.language["a"], s.language["b"] = s.language["b"], s.language["a"]
	}, func(ctx context.Context, e *Engine) error { _, err := e.SwapIndexes(ctx, "a", "b"); return err })
	add("update", func(s *stepState) { s.language["b"] = "fr"; s.rows["update"] = "1" }, func(ctx context.Context, e *Engine) error {
		s, err := language(ctx, e, "b", "fr")
		if err == nil {
			_, err = e.UpdateIndex(ctx, "b", s, Row{Key: "update", Value: []byte("1")})
		}
		return err
	})
	still("start an update", func(ctx context.Context, e *Engine) error {
		s, err := language(ctx, e, "b", "es")
		if err == nil {
			_, err = e.StartUpdate(ctx, "b", s)
		}
		return err
	})
	add("rebuild", func(s *stepState) { s.language["b"] = "es" }, func(ctx context.Context, e *Engine) error {
		_, err := e.Rebuild(ctx, "b", nil)
		return err
	})
	add("delete", func(s *stepState) { delete(s.indexes, "a"); delete(s.language, "a") }, func(ctx context.Context, e *Engine) error {
		return e.DeleteIndex(ctx, "a")
	})
	still("reap", func(_ context.Context, e *Engine) error { return e.reap() })
	create("a", "it")
	put("a", 0, 3)
	return list
}

// diff compares an engine with a state.
func (s stepState) diff(e *Engine) error {
	if err := s.model.diff(e); err != nil {
		return err
	}
	for _, info := range e.Indexes() {
		if want := s.language[info.Name]; info.Schema.Language != want {
			return wrongf("index %s has the language %q, want %q", info.Name, info.Schema.Language, want)
		}
	}
	return nil
}

// oneOf compares an engine with two states, and goes on with it: it can be written
// to, and opened again.
func oneOf(fsys storage.FS, before, after stepState) error {
	ctx := context.Background()
	e, err := Open("data", &Options{MinFreeBytes: -1, fs: fsys})
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	now := after
	if err := after.diff(e); err != nil {
		if old := before.diff(e); old != nil {
			return errors.Join(fmt.Errorf("not as after: %w", err), fmt.Errorf("not as before: %w", old), e.Close())
		}
		now = before
	}
	now = stepState{now.model.clone(), now.language}
	if _, there := now.indexes["a"]; there {
		r := modelRecord{n: 3, w: "red"}
		if _, err := e.Apply(ctx, puts("a", r.json("new"))); err != nil {
			return errors.Join(fmt.Errorf("apply: %w", err), e.Close())
		}
		now.indexes["a"]["new"] = r
	}
	if err := errors.Join(e.Flush(ctx), now.diff(e), e.Close()); err != nil {
		return fmt.Errorf("going on: %w", err)
	}
	if e, err = Open("data", &Options{MinFreeBytes: -1, fs: fsys, ReadOnly: true}); err != nil {
		return fmt.Errorf("open again: %w", err)
	}
	return errors.Join(now.diff(e), e.Close())
}

func nothingYet() stepState {
	return stepState{model{indexes: map[string]map[string]modelRecord{}, rows: map[string]string{}}, map[string]string{}}
}

// TestCrashBetweenSteps cuts the power at every file operation of each kind of change
// of indexes: it has happened as a whole or not at all.
func TestCrashBetweenSteps(t *testing.T) {
	type cut struct {
		disk          *storagetest.CrashFS
		before, after stepState
		what          string
	}
	var mu sync.Mutex
	var cuts []cut
	before, after, name := nothingYet(), nothingYet(), ""
	disk := storagetest.NewCrashFS()
	fsys := storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if op == storagetest.Read || op == storagetest.Stat || op == storagetest.List || op == storagetest.Open {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		n := len(cuts)
		cuts = append(cuts, cut{disk.Clone(n%3*50, uint64(n)), before, after, fmt.Sprintf("%s, operation %d: %v %s, %d %%", name, n, op, path, n%3*50)})
		return nil
	})
	e, err := Open("data", &Options{MinFreeBytes: -1, fs: fsys})
	if err != nil {
		t.Fatal(err)
	}
	e.maintain.stop() // so that it is known what is done
	for _, s := range indexSteps() {
		mu.Lock()
		after, name = s.after, s.name
		mu.Unlock()
		if err := s.do(t.Context(), e); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if err := s.after.diff(e); err != nil {
			t.Fatalf("after %s: %v", s.name, err)
		}
		mu.Lock()
		before = s.after
		mu.Unlock()
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d crashes", len(cuts))
	for i, c := range cuts {
		if testing.Short() && i%7 != 0 {
			continue
		}
		if err := oneOf(c.disk, c.before, c.after); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestFaultsBetweenSteps lets file operations fail, each once, in the same changes: a
// change that returns an error has not happened, and all others go on.
func TestFaultsBetweenSteps(t *testing.T) {
	failures, fatals := 0, 0
	for _, op := range []storagetest.Op{storagetest.Create, storagetest.Write, storagetest.Sync, storagetest.Rename, storagetest.Link, storagetest.Read, storagetest.Open} {
		for at := int64(1); ; at++ {
			if !*allFaults {
				at += at / 4
			}
			var count atomic.Int64
			var hit atomic.Pointer[string]
			disk := storagetest.NewCrashFS()
			var armed atomic.Bool
			fsys := storagetest.NewFaultFS(disk, func(o storagetest.Op, path string) error {
				if armed.Load() && o == op && count.Add(1) == at {
					hit.Store(&path)
					return errInjected
				}
				return nil
			})
			var fatal atomic.Bool
			e, err := Open("data", &Options{MinFreeBytes: -1, fs: fsys, Events: Events{Fatal: func(error) { fatal.Store(true) }}})
			if err != nil {
				t.Fatal(err)
			}
			e.maintain.stop()
			armed.Store(true)
			before, after := nothingYet(), nothingYet()
			what := func() string { return fmt.Sprintf("%v %d (%s)", op, at, *hit.Load()) }
			within(t, "steps", func() {
				for _, s := range indexSteps() {
					after = s.after
					err := s.do(context.Background(), e)
					if err == nil {
						before = s.after
						continue
					}
					failures++
					if hit.Load() == nil || !strings.Contains(err.Error(), "injected") {
						t.Errorf("%v %d: %s: %v", op, at, s.name, err)
						return
					}
					if errors.Is(err, ErrUnsettled) {
						return
					}
					// Nothing has changed, and the same succeeds now.
					if err := before.diff(e); err != nil {
						t.Errorf("%s: after %s failed: %v", what(), s.name, err)
						return
					}
					if err := s.do(context.Background(), e); err != nil {
						t.Errorf("%s: %s again: %v", what(), s.name, err)
						return
					}
					before = s.after
				}
			})
			armed.Store(false)
			if fatal.Load() {
				fatals++
			} else if hit.Load() == nil {
				within(t, "Close", func() { e.Close() })
				break
			}
			left := disk.Clone(100, 0)
			within(t, "Close", func() { e.Close() })
			if err := oneOf(left, before, after); err != nil {
				t.Errorf("%s: afterwards: %v", what(), err)
			}
		}
	}
	t.Logf("%d steps failed, %d times the storage ended", failures, fatals)
	if failures == 0 || fatals == 0 {
		t.Errorf("%d steps failed, %d times the storage ended", failures, fatals)
	}
}
