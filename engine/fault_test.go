package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

var allFaults = flag.Bool("faults", false, "let every file operation fail in TestFaults, not only a part of them")

var errInjected = fmt.Errorf("injected: %w", syscall.EIO)

// hangLimit is when a call is taken to hang. It is not waited for otherwise.
const hangLimit = 2 * time.Minute

// within runs f on a goroutine that may be ended on the way, and tells whether
// it came to its end.
func within(t *testing.T, what string, f func()) (finished bool) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
		finished = true
	}()
	select {
	case <-done:
	case <-time.After(hangLimit):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s hangs:\n%s", what, buf[:runtime.Stack(buf, true)])
	}
	return finished
}

// faultRun is one run of a script on a disk that fails.
type faultRun struct {
	disk         *storagetest.CrashFS
	acked, begun uint64
	states       map[uint64]model
	fatal        atomic.Int64
	opening      atomic.Bool
	err          error // of the step that failed
	e            *Engine
}

// steps writes, reads, flushes, merges and opens again until something fails.
func (f *faultRun) steps(fsys storage.FS, s script) error {
	ctx := context.Background()
	o := &Options{
		FlushRecords: 30, FlushBytes: 1 << 13, MinFreeBytes: -1, Memory: 16 << 20, fs: fsys,
		Events: Events{Fatal: func(error) { f.fatal.Add(1) }},
	}
	var err error
	open := func() error {
		f.opening.Store(true)
		defer f.opening.Store(false)
		e, err := Open("data", o)
		if err == nil {
			f.e = e
		}
		return err
	}
	if err = open(); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	m := model{indexes: map[string]map[string]modelRecord{}, rows: map[string]string{}}
	f.states[0] = m
	for i := range 9 {
		var b *Batch
		b, m = s.batch(m)
		f.begun++
		f.states[f.begun] = m
		res, err := f.e.Apply(ctx, b)
		if err != nil {
			m = f.states[f.acked]
			return fmt.Errorf("apply: %w", err)
		}
		if f.acked = res.Version; f.acked != f.begun {
			return wrongf("version %d, want %d", f.acked, f.begun)
		}
		switch i {
		case 2, 5, 7:
			if err := f.e.Flush(ctx); err != nil {
				return fmt.Errorf("flush: %w", err)
			}
		case 3, 8:
			for name := range m.indexes {
				if err := f.e.Merge(ctx, name); err != nil {
					return fmt.Errorf("merge: %w", err)
				}
			}
		case 4:
			e := f.e
			f.e = nil
			if err := e.Close(); err != nil {
				return fmt.Errorf("close: %w", err)
			}
			if err := open(); err != nil {
				return fmt.Errorf("open again: %w", err)
			}
		}
		if i%3 == 1 {
			if err := m.diff(f.e); err != nil {
				return fmt.Errorf("read: %w", err)
			}
		}
	}
	return m.diff(f.e)
}

// afterwards opens what is left on the disk, without faults, and compares.
func (f *faultRun) afterwards(ended bool) error {
	e, err := Open("data", &Options{MinFreeBytes: -1, fs: f.disk.Clone(0, 0)})
	if err != nil {
		return err
	}
	defer e.Close()
	v := e.Version()
	switch {
	case v < f.acked || v > f.begun:
		return wrongf("version %d, acknowledged %d, begun %d", v, f.acked, f.begun)
	case v > f.acked && !ended && f.fatal.Load() == 0:
		return wrongf("version %d is there, but it returned the error %v", v, f.err)
	}
	return f.states[v].diff(e)
}

// changes are the operations that do not fail while an engine is opened. The
// storage has tests of its own for that; see also TestOpenOnADiskThatFails.
var changes = map[storagetest.Op]bool{
	storagetest.Create: true, storagetest.Write: true, storagetest.Sync: true, storagetest.Rename: true,
	storagetest.Remove: true, storagetest.Link: true, storagetest.Mkdir: true,
}

// TestFaults lets the first, second, third file operation of each kind fail,
// once or from then on, until the script does not get that far. Each time there
// is an error that says so, or the storage ends, or nothing is wrong at all;
// what was acknowledged is there, and what returned an error is not.
func TestFaults(t *testing.T) {
	for _, op := range storagetest.Ops() {
		for _, forGood := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, for good %t", op, forGood), func(t *testing.T) {
				runs, failed, fatal := 0, 0, 0
				for at := int64(1); ; at++ {
					if !*allFaults {
						at += at / 2
					}
					f := faultOnce(t, op, at, forGood)
					if f == nil {
						break
					}
					if runs++; f.err != nil {
						failed++
					}
					if f.fatal.Load() > 0 {
						fatal++
					}
				}
				t.Logf("%d runs: %d failed with an error, %d ended the storage", runs, failed, fatal)
			})
		}
	}
}

// faultOnce lets one operation fail; nil if there are fewer.
func faultOnce(t *testing.T, op storagetest.Op, at int64, forGood bool) *faultRun {
	t.Helper()
	f := &faultRun{disk: storagetest.NewCrashFS(), states: map[uint64]model{}}
	var count atomic.Int64
	var path atomic.Pointer[string]
	fsys := storagetest.NewFaultFS(f.disk, func(o storagetest.Op, p string) error {
		if o != op || f.opening.Load() && changes[op] {
			return nil
		}
		n := count.Add(1)
		if n == at {
			path.Store(&p)
		}
		if n == at || forGood && n > at {
			return errInjected
		}
		return nil
	})
	s := script{rand.New(rand.NewPCG(1, 2)), 30}
	finished := within(t, "script", func() { f.err = f.steps(fsys, s) })
	if f.e != nil {
		within(t, "Close", func() {
			if err := f.e.Close(); f.err == nil {
				f.err = err
			}
		})
	}
	if path.Load() == nil {
		if f.err != nil || !finished {
			t.Fatalf("without a fault: %v", f.err)
		}
		return nil
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%v %d (%s) failed, for good %t: %s", op, at, *path.Load(), forGood, fmt.Sprintf(format, args...))
	}
	switch {
	case !finished && f.fatal.Load() == 0:
		fail("a goroutine was ended without Fatal")
	case f.fatal.Load() > 1:
		fail("Fatal was called %d times", f.fatal.Load())
	case errors.Is(f.err, errWrong):
		fail("%v", f.err)
	case f.err != nil && !errors.Is(f.err, errInjected) && !strings.Contains(f.err.Error(), "injected"):
		fail("the error does not say why: %v", f.err)
	}
	if err := f.afterwards(!finished); err != nil {
		fail("afterwards: %v", err)
	}
	return f
}

// TestOpenOnADiskThatFails: Open comes back with an error from a disk that cannot
// be written any more, whatever it is that fails, and leaves what was there.
func TestOpenOnADiskThatFails(t *testing.T) {
	disk := storagetest.NewCrashFS()
	e, err := Open("data", &Options{fs: disk, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("i", `{"id":"1","t":"words"}`))
	crashed := disk.Clone(0, 1)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"MANIFEST-", ".sst", ".log", "marker", "OPTIONS", ""} {
		for op := range changes {
			where := fmt.Sprintf("%v of %q", op, what)
			clone := crashed.Clone(0, 1)
			hit := atomic.Int64{}
			fsys := storagetest.NewFaultFS(clone, func(o storagetest.Op, path string) error {
				if o == op && strings.Contains(path, what) {
					hit.Add(1)
					return errInjected
				}
				return nil
			})
			var e *Engine
			var err error
			finished := within(t, "Open with failing "+where, func() {
				e, err = Open("data", &Options{fs: fsys, MinFreeBytes: -1, Events: Events{Fatal: func(error) {}}})
			})
			switch {
			case hit.Load() > 0 && finished && err != nil && !errors.Is(err, errInjected) && !strings.Contains(err.Error(), "injected"):
				t.Errorf("%s: the error does not say why: %v", where, err)
			case hit.Load() == 0 && err != nil:
				t.Errorf("%s: %v", where, err)
			}
			if e != nil {
				within(t, "Close with failing "+where, func() { e.Close() })
			}
			again, err := Open("data", &Options{fs: clone.Clone(0, 1), MinFreeBytes: -1})
			if err != nil {
				t.Fatalf("%s: afterwards: %v", where, err)
			}
			if got := filtered(t, again, "i", "EXISTS t OR NOT EXISTS t"); got != "1" {
				t.Errorf("%s: afterwards there are %q", where, got)
			}
			checkAndClose(t, again)
		}
	}
}

// TestFullDisk: with a full disk writes are refused as a whole, searches go on,
// and writes resume once there is room, without opening again.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	const floor = 64 << 20 // what the storage may need to write out its memory
	fsys := storagetest.NewFullFS(floor + 12<<20)
	o := &Options{
		fs: fsys, FlushRecords: 200, FlushBytes: 1 << 18,
		Events: Events{Fatal: func(err error) { t.Errorf("Fatal: %v", err) }},
	}
	e, err := Open("data", o)
	if err != nil {
		t.Fatal(err)
	}
	s := script{rand.New(rand.NewPCG(3, 4)), 200}
	random := rand.NewChaCha8([32]byte{})
	m := model{indexes: map[string]map[string]modelRecord{}, rows: map[string]string{}}
	for round := range 3 {
		for refused := 0; refused < 3; {
			b, next := s.batch(m)
			fill := make([]byte, 200<<10)
			random.Read(fill)
			key := fmt.Sprintf("fill%d", s.IntN(5))
			b.Rows = append(b.Rows, Row{Key: key, Value: fill})
			next.rows[key] = string(fill)
			_, err := e.Apply(ctx, b)
			switch {
			case err == nil:
				m = next
			case errors.Is(err, ErrStorageFull):
				refused++
			default:
				t.Fatalf("round %d: %v, want ErrStorageFull", round, err)
			}
		}
		if err := m.diff(e); err != nil {
			t.Fatalf("round %d, full: %v", round, err)
		}
		fsys.SetLimit(fsys.Used() + floor + 12<<20)
		b, next := s.batch(m)
		if _, err := e.Apply(ctx, b); err != nil {
			t.Fatalf("round %d: there is room again: %v", round, err)
		}
		m = next
		if err := m.diff(e); err != nil {
			t.Fatalf("round %d, room: %v", round, err)
		}
	}
	fsys.SetLimit(fsys.Used() + floor/2)
	if err := e.Close(); err != nil && !errors.Is(err, ErrStorageFull) {
		t.Errorf("Close: %v", err)
	}
	if _, err := Open("data", o); !errors.Is(err, ErrStorageFull) {
		t.Errorf("Open on a full disk: %v", err)
	}
	for _, o.ReadOnly = range []bool{true, false} {
		if !o.ReadOnly {
			fsys.SetLimit(fsys.Used() + 2*floor)
		}
		if e, err = Open("data", o); err != nil {
			t.Fatal(err)
		}
		if err := m.diff(e); err != nil {
			t.Errorf("opened again (read only: %t): %v", o.ReadOnly, err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDeletesOnAFullDisk: what makes room is let through.
func TestDeletesOnAFullDisk(t *testing.T) {
	ctx := context.Background()
	const floor = 64 << 20
	fsys := storagetest.NewFullFS(1 << 40)
	e, err := Open("data", &Options{fs: fsys})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	apply(t, e, puts("i", `{"id":"1","n":1}`, `{"id":"2","n":2}`, `{"id":"3","n":3}`))
	apply(t, e, puts("gone", `{"id":"1"}`))
	fsys.SetLimit(fsys.Used() + floor*3/4)
	for start := time.Now(); ; { // the storage looks at the disk now and then
		_, err := e.Apply(ctx, puts("i", `{"id":"4"}`))
		if errors.Is(err, ErrStorageFull) {
			break
		}
		if err != nil || time.Since(start) > hangLimit {
			t.Fatalf("put: %v, want ErrStorageFull", err)
		}
	}
	var b Batch
	b.Delete("i", "1")
	b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: "i", Filter: "n = 2"})
	if res, err := e.Apply(ctx, &b); err != nil || res.Deleted != 2 {
		t.Errorf("deletes: %+v, %v", res, err)
	}
	if err := e.DeleteIndex(ctx, "gone"); err != nil {
		t.Errorf("DeleteIndex: %v", err)
	}
	if err := e.PutRows(ctx, []Row{{Key: "k"}}); err != nil {
		t.Errorf("deletion of a row: %v", err)
	}
	row := []Row{{Key: "k", Value: []byte("v")}}
	if _, err := e.Apply(ctx, &Batch{Rows: row}); !errors.Is(err, ErrStorageFull) {
		t.Errorf("a row: %v", err)
	}
	if _, err := e.Apply(ctx, &Batch{Rows: row, Shrinks: true}); err != nil {
		t.Errorf("a row of a batch that shrinks: %v", err)
	}
	more := puts("i", `{"id":"5"}`)
	more.Shrinks = true
	if _, err := e.Apply(ctx, more); !errors.Is(err, ErrStorageFull) {
		t.Errorf("a record of a batch that says it shrinks: %v", err)
	}
	if got := filtered(t, e, "i", "EXISTS n"); got != "3" {
		t.Errorf("left: %q", got)
	}
}

// TestFlushThatFailsAfterItsParts: a flush whose parts are on the disk already
// when it fails leaves their numbers to nobody else.
func TestFlushThatFailsAfterItsParts(t *testing.T) {
	ctx := context.Background()
	failed := 0
	for at, more := int64(1), true; more; at++ {
		disk := storagetest.NewCrashFS()
		var armed atomic.Bool
		var reads atomic.Int64
		fsys := storagetest.NewFaultFS(disk, func(o storagetest.Op, path string) error {
			if armed.Load() && o == storagetest.Read && strings.HasSuffix(path, ".sst") && reads.Add(1) == at {
				return errInjected
			}
			return nil
		})
		e, err := Open("data", &Options{fs: fsys, MinFreeBytes: -1, NoMerge: true})
		if err != nil {
			t.Fatal(err)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("read %d failed: %v", at, err)
			}
		}
		for _, id := range []string{"1", "2"} {
			apply(t, e, puts("i", `{"id":"`+id+`","t":"one two three","n":7}`))
			must(e.Flush(ctx))
		}
		apply(t, e, puts("i", `{"id":"3","t":"four","n":8}`))
		armed.Store(true)
		if err = e.Flush(ctx); err != nil {
			failed++
		}
		armed.Store(false)
		more = reads.Load() >= at
		// The merge takes a number, so that those of the next flush are out of step
		// with those of the one that failed.
		must(e.mergeIndex(ctx, e.view.Load().indexes["i"].ix, func(*indexView) (from, to int) { return 0, 2 }))
		must(e.Flush(ctx))
		if got := filtered(t, e, "i", "EXISTS t"); got != "1 2 3" {
			t.Errorf("read %d failed: afterwards there are %q", at, got)
		}
		noStrays(t, e, fmt.Sprintf("read %d failed", at))
		checkAndClose(t, e)
		again, err := Open("data", &Options{fs: disk.Clone(0, 1), MinFreeBytes: -1})
		must(err)
		checkAndClose(t, again)
	}
	if failed == 0 {
		t.Error("no flush failed")
	}
}

// noStrays fails if the index i has parts in the store that its manifest does not
// name, once nobody reads them.
func noStrays(t *testing.T, e *Engine, what string) {
	t.Helper()
	e.maintain.stop()
	if err := e.reap(); err != nil {
		t.Fatal(err)
	}
	ix := e.writers["i"]
	named := map[uint32]bool{}
	for _, s := range ix.disk.Segments {
		named[s.ID] = true
	}
	for _, c := range ix.disk.Chunks {
		named[c.ID] = true
	}
	it, err := e.store.Iter(storage.SegmentsRange(ix.number))
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if _, id, _, _, err := storage.ParseSegmentKey(it.Key()); err != nil || !named[id] {
			t.Errorf("%s: part %d is left, and nothing names it: %v", what, id, err)
			return
		}
	}
}

// TestMergeThatFailsAfterItsParts: what a merge has put on the disk before it fails
// is deleted, and the next one succeeds.
func TestMergeThatFailsAfterItsParts(t *testing.T) {
	ctx := context.Background()
	failed := 0
	for at, more := int64(1), true; more; at++ {
		disk := storagetest.NewCrashFS()
		var armed atomic.Bool
		var reads atomic.Int64
		fsys := storagetest.NewFaultFS(disk, func(o storagetest.Op, path string) error {
			if armed.Load() && o == storagetest.Read && strings.HasSuffix(path, ".sst") && reads.Add(1) == at {
				return errInjected
			}
			return nil
		})
		e, err := Open("data", &Options{fs: fsys, MinFreeBytes: -1, NoMerge: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"1", "2"} {
			apply(t, e, puts("i", `{"id":"`+id+`","t":"one two three","n":7}`))
			if err := e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
		armed.Store(true)
		if err := e.Merge(ctx, "i"); err != nil {
			failed++
		}
		armed.Store(false)
		more = reads.Load() >= at
		noStrays(t, e, fmt.Sprintf("read %d failed", at))
		if err := e.Merge(ctx, "i"); err != nil {
			t.Fatal(err)
		}
		if got := filtered(t, e, "i", "EXISTS t"); got != "1 2" {
			t.Errorf("read %d failed: afterwards there are %q", at, got)
		}
		checkAndClose(t, e)
	}
	if failed == 0 {
		t.Error("no merge failed")
	}
}

// TestWhatIsDeletedOnAFullDiskIsDeletedLater: the room of a deleted index that could
// not be given back at once is given back when that is possible.
func TestWhatIsDeletedOnAFullDiskIsDeletedLater(t *testing.T) {
	const floor = 64 << 20
	fsys := storagetest.NewFullFS(1 << 40)
	e, err := Open("data", &Options{fs: fsys})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.maintain.stop()
	apply(t, e, puts("i", `{"id":"1","n":1}`))
	number := e.writers["i"].number
	if err := e.DeleteIndex(t.Context(), "i"); err != nil {
		t.Fatal(err)
	}
	fsys.SetLimit(fsys.Used() + floor/4)
	for start := time.Now(); ; { // the storage looks at the disk now and then
		err := e.PutRows(t.Context(), []Row{{Key: "k", Value: []byte("v")}})
		if errors.Is(err, ErrStorageFull) {
			break
		}
		if err != nil || time.Since(start) > hangLimit {
			t.Fatalf("a row: %v, want ErrStorageFull", err)
		}
	}
	if err := e.reap(); !errors.Is(err, ErrStorageFull) {
		t.Fatalf("on a full disk: %v", err)
	}
	fsys.SetLimit(1 << 40)
	if err := e.reap(); err != nil {
		t.Fatal(err)
	}
	it, err := e.store.Iter(storage.IndexRange(number))
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	if it.First() {
		t.Errorf("the key %x of the deleted index is left", it.Key())
	}
}

// TestWriteThatCannotRead: a write that meets a disk which cannot be read says so
// before it is in the log, so that nothing has changed, and writes go on.
func TestWriteThatCannotRead(t *testing.T) {
	ctx := context.Background()
	disk := storagetest.NewCrashFS()
	var armed atomic.Bool
	var reads atomic.Int64
	at := int64(0)
	o := Options{MinFreeBytes: -1, NoMerge: true, fs: storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if armed.Load() && op == storagetest.Read && strings.HasSuffix(path, ".sst") && reads.Add(1) == at {
			return errInjected
		}
		return nil
	})}
	failed, tries := 0, 0
	for more := true; more; {
		at++
		reads.Store(0)
		e, err := Open("data", &o)
		if err != nil {
			t.Fatal(err)
		}
		apply(t, e, puts("i", `{"id":"1","t":"one two three","u":"four","n":7}`, `{"id":"2","t":"two","u":"five six","n":7}`))
		if err := e.Close(); err != nil { // what is on disk has to be read again
			t.Fatal(err)
		}
		if e, err = Open("data", &o); err != nil {
			t.Fatal(err)
		}
		before := e.Version()
		armed.Store(true)
		_, err = e.Apply(ctx, puts("i", `{"id":"1","t":"new"}`))
		armed.Store(false)
		more = reads.Load() >= at
		want := before + 1
		if err != nil {
			failed++
			want = before
		}
		if e.Version() != want {
			t.Errorf("read %d failed, with the error %v: version %d, want %d", at, err, e.Version(), want)
		}
		if _, err := e.Apply(ctx, puts("i", `{"id":"1","t":"newer"}`)); err != nil {
			t.Errorf("read %d failed: afterwards: %v", at, err)
		}
		if got := idsOf(find(t, e, &Request{Query: "newer"})); got != "1" {
			t.Errorf("read %d failed: afterwards %q is found", at, got)
		}
		checkAndClose(t, e)
		if !more && failed == 0 && tries < 100 { // what looks after the index met the failure, or had read it all
			tries++
			more, at = true, 0
		}
	}
	if failed == 0 {
		t.Error("no write failed")
	}
}

// TestReadThatFailsOnce: a search that meets a disk which cannot be read says so,
// and does not answer otherwise than one that can; the next one finds everything.
func TestReadThatFailsOnce(t *testing.T) {
	disk := storagetest.NewCrashFS()
	var armed atomic.Bool
	var reads, at atomic.Int64
	open := func(clone *storagetest.CrashFS) *Engine {
		fsys := storagetest.NewFaultFS(clone, func(o storagetest.Op, path string) error {
			if armed.Load() && o == storagetest.Read && strings.HasSuffix(path, ".sst") && reads.Add(1) == at.Load() {
				return errInjected
			}
			return nil
		})
		e, err := Open("data", &Options{fs: fsys, MinFreeBytes: -1, NoMerge: true, caches: 1})
		if err != nil {
			t.Fatal(err)
		}
		e.maintain.stop() // reads are those of searches
		return e
	}
	e := open(disk)
	r := rand.New(rand.NewPCG(1, 2)) // ids of which many are read to put records in order
	for round := range 3 {
		b := &Batch{}
		for i := range 40 {
			n := 40*round + i
			b.Put("i", fmt.Appendf(nil, `{"id":"%016x%016x","t":"one two","u":"three","n":%d,"price":%d}`, r.Uint64(), r.Uint64(), n%7, n%5))
		}
		for i := range 20 {
			b.Put("j", fmt.Appendf(nil, `{"id":"j%d","t":"one"}`, 20*round+i))
		}
		apply(t, e, b)
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkAndClose(t, e)
	search := func(e *Engine, r Request, fails int64) (*Result, error) {
		reads.Store(0)
		at.Store(fails)
		armed.Store(true)
		defer armed.Store(false)
		res, err := e.Search(t.Context(), &r)
		if res != nil {
			res.Took = 0
		}
		return res, err
	}
	for _, req := range []Request{
		{Indexes: []string{"i"}, Query: "one"},
		{Indexes: []string{"i"}, Query: "two three", Fields: []FieldWeight{{Field: "t"}}},
		{Indexes: []string{"i", "j"}, Query: "one"},
		{Indexes: []string{"i"}, Query: "one", Sort: []SortKey{{Field: "n"}}, Limit: 50},
		{Indexes: []string{"i"}, Filter: "n >= 1", Sort: []SortKey{{Field: "n"}}, Limit: 50},
		{Indexes: []string{"i"}, Filter: "n < 5", Facets: []FacetRequest{{Field: "n"}}, Limit: 50},
		{Indexes: []string{"i"}, Query: "cheapest one"},
		{Limit: 50},
	} {
		e := open(disk.Clone(0, 1))
		want, err := search(e, req, 0)
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		all := reads.Load()
		t.Log(all)
		checkAndClose(t, e)
		failed := 0
		for fails := int64(1); fails <= all; fails += 1 + all/20 {
			e := open(disk.Clone(0, 1))
			got, err := search(e, req, fails)
			switch {
			case err != nil && !errors.Is(err, errInjected) && !strings.Contains(err.Error(), "injected"):
				t.Errorf("%+v: read %d: %v", req, fails, err)
			case err != nil:
				failed++
			case !reflect.DeepEqual(got, want):
				t.Errorf("%+v: read %d of %d failed in silence:\n got %s\nwant %s", req, fails, all, idsOf(got), idsOf(want))
			}
			if got, err := search(e, req, 0); err != nil {
				t.Errorf("%+v: after read %d: %v", req, fails, err)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: after read %d of %d:\n got %s\nwant %s", req, fails, all, idsOf(got), idsOf(want))
			}
			if err := e.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
		if failed == 0 {
			t.Errorf("no read of %+v failed", req)
		}
	}
}
