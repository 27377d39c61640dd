package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

var crashes = flag.Int("crashes", 150, "crashes to survive in TestCrash")

// A model is what an engine has to hold: a naive copy of its records and rows.
// Its methods return changed copies and leave the old ones as they are.
type model struct {
	indexes map[string]map[string]modelRecord
	rows    map[string]string
}

// A modelRecord has n, words, and x, a number that is an integer or not.
type modelRecord struct {
	n int
	w string
	x string // "" for none
}

func (r modelRecord) json(id string) string {
	s := fmt.Sprintf(`{"id":%q,"n":%d,"w":%q`, id, r.n, r.w)
	if r.x != "" {
		s += `,"x":` + r.x
	}
	return s + "}"
}

func (m model) clone() model {
	c := model{indexes: map[string]map[string]modelRecord{}, rows: maps.Clone(m.rows)}
	for name, records := range m.indexes {
		c.indexes[name] = maps.Clone(records)
	}
	return c
}

// A script makes random changes to a model and the batches that go with them.
type script struct {
	*rand.Rand
	ids int // ids that an index may have
}

func (s script) record() modelRecord {
	r := modelRecord{n: s.IntN(10), w: s.words()}
	switch s.IntN(4) {
	case 0:
		r.x = fmt.Sprint(s.IntN(5))
	case 1:
		r.x = fmt.Sprintf("%d.5", s.IntN(5))
	}
	return r
}

func (s script) words() string {
	words := []string{"red", "blue", "green", "shoe", "hat", "日本語", "running", "runs"}
	out := make([]string, 1+s.IntN(6))
	for i := range out {
		out[i] = words[s.IntN(len(words))]
	}
	return strings.Join(out, " ")
}

// batch returns a batch and the model after it.
func (s script) batch(old model) (*Batch, model) {
	m, b := old.clone(), &Batch{}
	for range 1 + s.IntN(15) {
		name := []string{"a", "b", "c"}[s.IntN(3)]
		records := m.indexes[name]
		id := fmt.Sprintf("r%d", s.IntN(s.ids))
		old, there := records[id]
		switch s.IntN(10) {
		case 0, 1:
			if records != nil { // without an index it would be a mistake
				b.Delete(name, id)
				delete(records, id)
			}
		case 2:
			if there {
				old.n = s.IntN(10)
				b.Patch(name, id, fmt.Appendf(nil, `{"n":%d}`, old.n))
				records[id] = old
			}
		case 3:
			if records != nil && s.IntN(3) == 0 {
				n := s.IntN(10)
				if s.IntN(2) == 0 {
					to := s.IntN(10)
					b.Ops = append(b.Ops, Op{Kind: OpPatchWhere, Index: name, Filter: fmt.Sprintf("n = %d", n), Record: fmt.Appendf(nil, `{"n":%d}`, to)})
					for id, r := range records {
						if r.n == n {
							r.n = to
							records[id] = r
						}
					}
					break
				}
				b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: name, Filter: fmt.Sprintf("n = %d", n)})
				maps.DeleteFunc(records, func(_ string, r modelRecord) bool { return r.n == n })
			}
		default:
			if records == nil {
				records = map[string]modelRecord{}
				m.indexes[name] = records
			}
			r := s.record()
			b.Put(name, []byte(r.json(id)))
			records[id] = r
		}
	}
	for range s.IntN(3) {
		key := fmt.Sprintf("row%d", s.IntN(5))
		if s.IntN(3) == 0 {
			b.Rows = append(b.Rows, Row{Key: key})
			delete(m.rows, key)
		} else {
			value := fmt.Sprint(s.Uint32())
			b.Rows = append(b.Rows, Row{Key: key, Value: []byte(value)})
			m.rows[key] = value
		}
	}
	return b, m
}

// errWrong marks an answer that is not the model's.
var errWrong = errors.New("wrong")

func wrongf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errWrong, fmt.Errorf(format, args...))
}

// diff returns how an engine differs from the model, marked with errWrong, or
// the error that it met, or nil.
func (m model) diff(e *Engine) error {
	ctx := context.Background()
	if err := e.Check(ctx); err != nil {
		return err
	}
	var names []string
	for _, info := range e.Indexes() {
		names = append(names, info.Name)
	}
	if want := slices.Sorted(maps.Keys(m.indexes)); !slices.Equal(names, want) {
		return wrongf("indexes %v, want %v", names, want)
	}
	for name, want := range m.indexes {
		got := map[string]bool{}
		for rec, err := range e.Records(ctx, name, RecordsOptions{}) {
			if err != nil {
				return err
			}
			if r, ok := want[rec.ID]; !ok || string(rec.JSON) != r.json(rec.ID) {
				return wrongf("index %s: record %s, want %s (there: %t)", name, rec.JSON, r.json(rec.ID), ok)
			}
			got[rec.ID] = true
		}
		if len(got) != len(want) {
			return wrongf("index %s: %d records, want %d", name, len(got), len(want))
		}
		if err := m.diffSearch(e, name); err != nil {
			return fmt.Errorf("index %s: %w", name, err)
		}
	}
	rows := map[string]string{}
	for r, err := range e.Rows("") {
		if err != nil {
			return err
		}
		rows[r.Key] = string(r.Value)
	}
	if !maps.Equal(rows, m.rows) {
		return wrongf("rows %v, want %v", rows, m.rows)
	}
	return nil
}

// diffSearch compares what searches find.
func (m model) diffSearch(e *Engine, name string) error {
	if info, err := e.Index(name); err != nil || info.Schema.Field("n") < 0 || info.Schema.Field("w") < 0 {
		return err // nothing was ever put, so there are no fields
	}
	find := func(r Request, hold func(r modelRecord) bool) error {
		r.Indexes, r.Limit = []string{name}, 1000
		res, err := e.Search(context.Background(), &r)
		if err != nil {
			return fmt.Errorf("%q %q: %w", r.Query, r.Filter, err)
		}
		var want []string
		for id, rec := range m.indexes[name] {
			if hold(rec) {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		if got := sortWords(idsOf(res)); got != strings.Join(want, " ") || res.Total != int64(len(want)) {
			return wrongf("%q %q: %d hits %s, want %v", r.Query, r.Filter, res.Total, got, want)
		}
		return nil
	}
	var errs []error
	for n := range 10 {
		errs = append(errs, find(Request{Filter: fmt.Sprintf("n = %d", n)}, func(r modelRecord) bool { return r.n == n }))
	}
	for _, word := range []string{"red", "shoe", "日本語"} {
		errs = append(errs, find(Request{Query: word, Prefix: PrefixOff}, func(r modelRecord) bool { return strings.Contains(r.w, word) }))
	}
	if info, _ := e.Index(name); info.Schema.Field("x") >= 0 {
		errs = append(errs, find(Request{Filter: "EXISTS x"}, func(r modelRecord) bool { return r.x != "" }))
		errs = append(errs, find(Request{Filter: "x >= 2 AND x < 3"}, func(r modelRecord) bool { return r.x == "2" || r.x == "2.5" }))
	}
	return errors.Join(errs...)
}

// crashSite runs a script on an engine and takes copies of its disk.
type crashSite struct {
	disk *storagetest.CrashFS

	acked, begun atomic.Uint64 // versions
	mu           sync.Mutex    // guards the following
	states       map[uint64]model
	clones       []crashClone
	left         map[int64]int // number of a file operation -> unsynced percent
	ops          int64
}

// crashClone is the disk at a moment between the versions from and to.
type crashClone struct {
	disk     *storagetest.CrashFS
	from, to uint64
	what     string
}

// hook is called before every file operation.
func (c *crashSite) hook(op storagetest.Op, path string) error {
	c.mu.Lock()
	c.ops++
	unsynced, ok := c.left[c.ops]
	n := c.ops
	c.mu.Unlock()
	if !ok {
		return nil
	}
	from := c.acked.Load()
	disk := c.disk.Clone(unsynced, uint64(n))
	to := c.begun.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clones = append(c.clones, crashClone{disk, from, to, fmt.Sprintf("operation %d, %v %s, %d %% of what is not synced", n, op, path, unsynced)})
	return nil
}

// step runs one change of the engine, which leads to the model m.
func (c *crashSite) step(t *testing.T, e *Engine, m model, change func() error) {
	t.Helper()
	before := c.acked.Load()
	c.mu.Lock()
	old := c.states[before]
	c.states[before+1] = m
	c.mu.Unlock()
	c.begun.Store(before + 20) // a rebuild takes several versions
	if err := change(); err != nil {
		t.Fatal(err)
	}
	// All but the last of several versions hold the same records.
	now := e.Version()
	c.mu.Lock()
	for v := before + 1; v < now; v++ {
		c.states[v] = old
	}
	c.states[now] = m
	c.mu.Unlock()
	c.begun.Store(now)
	c.acked.Store(now)
}

// TestCrash cuts the power at random file operations in the middle of writes,
// flushes, merges and rebuilds. Whatever was acknowledged is there afterwards,
// a batch that was not is there as a whole or not at all, and everything that
// is stored agrees with itself.
func TestCrash(t *testing.T) {
	const each = 10 // crashes of one script
	for seed := range uint64(max(1, *crashes/each)) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { crashOnce(t, seed, each) })
	}
}

func crashOnce(t *testing.T, seed uint64, clones int) {
	ctx := context.Background()
	s := script{rand.New(rand.NewPCG(seed, 99)), 40}
	c := &crashSite{disk: storagetest.NewCrashFS(), states: map[uint64]model{}, left: map[int64]int{}}
	for range clones {
		c.left[1+s.Int64N(4000)] = s.IntN(91)
	}
	m := model{indexes: map[string]map[string]modelRecord{}, rows: map[string]string{}}
	c.states[0] = m
	o := &Options{FlushRecords: 20 + s.IntN(60), FlushBytes: 1 << 13, MinFreeBytes: -1, fs: storagetest.NewFaultFS(c.disk, c.hook)}
	e, err := Open("data", o)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		switch s.IntN(20) {
		case 0:
			if err := e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		case 1:
			if m.indexes["a"] != nil {
				if err := e.Merge(ctx, "a"); err != nil {
					t.Fatal(err)
				}
			}
		case 2:
			if m.indexes["c"] != nil {
				m = m.clone()
				delete(m.indexes, "c")
				c.step(t, e, m, func() error { return e.DeleteIndex(ctx, "c") })
			}
		case 3:
			if m.indexes["b"] != nil {
				info, err := e.Index("b")
				if err != nil {
					t.Fatal(err)
				}
				info.Schema.Language = []string{"en", "de"}[s.IntN(2)]
				c.step(t, e, m, func() error { _, err := e.UpdateIndex(ctx, "b", info.Schema); return err })
			}
		case 5:
			if m.indexes["a"] != nil && m.indexes["b"] != nil {
				m = m.clone()
				m.indexes["a"], m.indexes["b"] = m.indexes["b"], m.indexes["a"]
				c.step(t, e, m, func() error { _, err := e.SwapIndexes(ctx, "a", "b"); return err })
			}
		case 6:
			if m.indexes["a"] != nil {
				info, err := e.Index("a")
				if err != nil {
					t.Fatal(err)
				}
				info.Schema.Language = []string{"en", "de", "fr"}[s.IntN(3)]
				m = m.clone()
				m.rows["update"] = info.Schema.Language
				c.step(t, e, m, func() error {
					_, err := e.StartUpdate(ctx, "a", info.Schema, Row{Key: "update", Value: []byte(info.Schema.Language)})
					return err
				})
			}
		case 7:
			for _, name := range []string{"a", "b"} {
				if m.indexes[name] != nil {
					c.step(t, e, m, func() error { _, err := e.Rebuild(ctx, name, nil); return err })
				}
			}
		case 4:
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if e, err = Open("data", o); err != nil {
				t.Fatal(err)
			}
		default:
			var b *Batch
			b, m = s.batch(m)
			c.step(t, e, m, func() error { _, err := e.Apply(ctx, b); return err })
		}
	}
	if err := m.diff(e); err != nil {
		t.Fatalf("without a crash: %v", err)
	}
	t.Logf("%d file operations, %d crashes", c.ops, len(c.clones))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, clone := range c.clones {
		c.examine(t, s, clone)
	}
}

// examine opens what a crash has left.
func (c *crashSite) examine(t *testing.T, s script, clone crashClone) {
	t.Helper()
	fail := func(what string, err error) {
		t.Helper()
		t.Fatalf("crash at %s, versions %d to %d: %s: %v", clone.what, clone.from, clone.to, what, err)
	}
	disk := storage.FS(clone.disk)
	var m model
	for round := range 3 {
		e, err := Open("data", &Options{FlushRecords: 1000, MinFreeBytes: -1, fs: disk})
		if err != nil {
			fail("Open", err)
		}
		if round == 0 {
			v := e.Version()
			if v < clone.from || v > clone.to {
				fail("recovered", fmt.Errorf("version %d", v))
			}
			m = c.states[v]
		}
		if err := m.diff(e); err != nil {
			fail(fmt.Sprintf("opened %d times, version %d", round+1, e.Version()), err)
		}
		for _, info := range e.Indexes() {
			if info.State == "rebuilding" && s.IntN(2) == 0 {
				if now, err := e.Rebuild(context.Background(), info.Name, nil); err != nil || now.State != "ready" || now.Schema.Language != info.Rebuild.Schema.Language {
					fail("Rebuild", fmt.Errorf("state %s, language %s: %w", now.State, now.Schema.Language, err))
				}
				if err := m.diff(e); err != nil {
					fail("rebuilt", err)
				}
			}
		}
		// It is a good engine: it goes on, and survives the next crash.
		var b *Batch
		b, m = s.batch(m)
		if _, err := e.Apply(context.Background(), b); err != nil {
			fail("Apply", err)
		}
		if round == 0 {
			disk = clone.disk.Clone(s.IntN(91), s.Uint64())
		}
		if err := e.Close(); err != nil {
			fail("Close", err)
		}
	}
}
