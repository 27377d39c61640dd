package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// intSchema has one field; any two of its forms need a rebuild between them.
func intSchema(filter, sort bool) Schema {
	return Schema{Fields: []Field{{Name: "n", Type: Int, Filter: filter, Sort: sort}}}
}

func startUpdate(t *testing.T, e *Engine, name string, s Schema, rows ...Row) IndexInfo {
	t.Helper()
	info, err := e.StartUpdate(context.Background(), name, s, rows...)
	if err != nil {
		t.Fatalf("StartUpdate: %v", err)
	}
	return info
}

func rebuild(t *testing.T, e *Engine, name string) IndexInfo {
	t.Helper()
	info, err := e.Rebuild(context.Background(), name, nil)
	if err != nil {
		t.Fatalf("Rebuild: %v", err)
	}
	return info
}

func TestNotedUpdateSurvives(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "i", intSchema(false, false))
	apply(t, d.e, puts("i", `{"id":"1","n":1}`, `{"id":"2","n":2}`))
	s := intSchema(true, true)
	s.Notes = map[string]string{"k": "v"}
	info := startUpdate(t, d.e, "i", s, Row{Key: "asked", Value: []byte("yes")})
	check := func(t *testing.T, e *Engine) {
		info, err := e.Index("i")
		if err != nil {
			t.Fatal(err)
		}
		if info.State != "rebuilding" || info.Rebuild == nil || !info.Rebuild.Schema.Fields[0].Sort || info.Schema.Fields[0].Filter {
			t.Errorf("noted: %+v, %+v", info, info.Rebuild)
		}
		if info.Schema.Notes["k"] != "v" {
			t.Error("notes need no rebuild and are not there")
		}
		if v, err := e.Row("asked"); err != nil || string(v) != "yes" {
			t.Errorf("row: %q, %v", v, err)
		}
		if _, err := e.Search(context.Background(), &Request{Filter: "n = 1"}); err == nil {
			t.Error("the new schema is in force before the rebuild")
		}
	}
	if info.State != "rebuilding" {
		t.Errorf("state %q", info.State)
	}
	d.states("i", check)
	done, err := d.e.Rebuild(context.Background(), "i", func(_ string, err error) []Row {
		return []Row{{Key: "done", Value: fmt.Append(nil, err)}}
	})
	if err != nil || done.State != "ready" || done.Rebuild != nil || !done.Schema.Fields[0].Filter || done.Schema.Notes["k"] != "v" {
		t.Fatalf("rebuilt: %+v, %v", done, err)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		if info, err := e.Index("i"); err != nil || info.State != "ready" {
			t.Errorf("%+v, %v", info, err)
		}
		if got := filtered(t, e, "i", "n = 1"); got != "1" {
			t.Errorf("hits %q", got)
		}
		if v, err := e.Row("done"); err != nil || string(v) != "<nil>" {
			t.Errorf("row: %q, %v", v, err)
		}
	})
}

// TestRebuildBesideWritesAndCrash cuts the power in the middle of a rebuild,
// with writers at work, and rebuilds again.
func TestRebuildBesideWritesAndCrash(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{FlushRecords: 700})
	create(t, d.e, "i", intSchema(false, false))
	var b Batch
	const n = 12_000
	want := map[string]int{}
	for i := range n {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%05d","n":0}`, i))
		want[fmt.Sprintf("r%05d", i)] = 0
	}
	apply(t, d.e, &b)
	startUpdate(t, d.e, "i", intSchema(true, true))

	var mu sync.Mutex // what is acknowledged is in want
	write := func(i int) {
		id := fmt.Sprintf("r%05d", i*7%(n+500))
		mu.Lock()
		defer mu.Unlock()
		if i%3 == 0 {
			b := Batch{}
			b.Delete("i", id)
			apply(t, d.e, &b)
			delete(want, id)
			return
		}
		apply(t, d.e, puts("i", fmt.Sprintf(`{"id":%q,"n":%d}`, id, i)))
		want[id] = i
	}
	stopped, stop := context.WithCancel(ctx)
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := d.e.Rebuild(stopped, "i", nil); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	both.Go(func() {
		defer stop()
		for i := 1; i <= 200; i++ {
			write(i)
			if info, err := d.e.Index("i"); err != nil || info.State == "ready" || i > 20 && info.Rebuild.Done > n/3 {
				return
			}
		}
	})
	both.Wait()
	d.crash()
	if err := d.e.Check(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		info := rebuild(t, d.e, "i")
		if info.State != "ready" || !info.Schema.Fields[0].Filter {
			t.Fatalf("%+v", info)
		}
		compareRecords(t, d.e, "i", want)
	}
	if n := len(d.e.Stats().Indexes); n != 1 {
		t.Errorf("%d indexes are left", n)
	}
}

// TestNewestUpdateWins: a schema that comes while the index is being rebuilt
// for another is the one that is in force in the end.
func TestNewestUpdateWins(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "i", intSchema(false, false))
	var b Batch
	for i := range 12_000 {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%05d","n":%d}`, i, i))
	}
	apply(t, e, &b)
	startUpdate(t, e, "i", intSchema(true, false))
	var ends []error
	var work sync.WaitGroup
	work.Go(func() {
		if _, err := e.Rebuild(ctx, "i", func(_ string, err error) []Row { ends = append(ends, err); return nil }); err != nil {
			t.Error(err)
		}
	})
	for i := range 5 {
		s := intSchema(i%2 == 0, true)
		s.Fields = append(s.Fields, Field{Name: fmt.Sprintf("f%d", i), Type: Keyword})
		startUpdate(t, e, "i", s)
	}
	work.Wait()
	info := rebuild(t, e, "i")
	if f := info.Schema.Fields; info.State != "ready" || !f[0].Filter || !f[0].Sort || f[1].Name != "f4" {
		t.Errorf("in force: %+v", info.Schema.Fields)
	}
	for _, err := range ends {
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	}
	// One that the index has already takes the place of what is noted, too.
	startUpdate(t, e, "i", intSchema(false, true))
	if info := startUpdate(t, e, "i", info.Schema); info.State != "ready" || info.Rebuild != nil {
		t.Errorf("back to what is in force: %+v", info)
	}
	startUpdate(t, e, "i", intSchema(false, true))
	if info, err := e.UpdateIndex(ctx, "i", intSchema(true, true)); err != nil || info.State != "ready" || !info.Schema.Fields[0].Filter {
		t.Errorf("UpdateIndex after StartUpdate: %+v, %v", info, err)
	}
}

// TestSettingsDuringRebuild: what needs no rebuild takes effect at once, and
// is still there afterwards.
func TestSettingsDuringRebuild(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	create(t, e, "other", Schema{Hidden: true})
	apply(t, e, puts("i", `{"id":"1","t":"one"}`))
	s := Schema{Fields: []Field{{Name: "t", Type: Text, Search: true, Filter: true}}}
	startUpdate(t, e, "i", s)
	s.Fields = []Field{{Name: "t", Type: Text, Search: true, Filter: true, Weight: 5}}
	s.Notes = map[string]string{"a": "b"}
	info := startUpdate(t, e, "i", s)
	if info.State != "rebuilding" || info.Schema.Notes["a"] != "b" || info.Schema.Fields[0].Weight != 5 || info.Schema.Fields[0].Filter {
		t.Errorf("at once: %+v", info)
	}
	if _, err := e.SwapIndexes(ctx, "i", "other"); err != nil {
		t.Fatal(err)
	}
	info = rebuild(t, e, "other")
	if f := info.Schema.Fields[0]; info.Schema.Notes["a"] != "b" || f.Weight != 5 || !f.Filter || !info.Schema.Hidden {
		t.Errorf("afterwards: %+v", info.Schema)
	}
}

func TestRecordThatDoesNotFitIsNamedUntilTheNext(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "n", Type: Keyword, Filter: true}}})
	apply(t, d.e, puts("i", `{"id":"1","n":"12"}`, `{"id":"two","n":"twelve"}`))
	numbers := Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}}
	startUpdate(t, d.e, "i", numbers)
	_, err := d.e.Rebuild(ctx, "i", func(_ string, err error) []Row { return []Row{{Key: "failed", Value: []byte("yes")}} })
	wantProblem(t, err, CodeInvalidFieldType, "/record/n")
	d.states("i", func(t *testing.T, e *Engine) {
		info, err := e.Index("i")
		if err != nil || info.State != "ready" || info.Rebuild == nil || info.Schema.Fields[0].Type != Keyword {
			t.Fatalf("%+v, %v", info, err)
		}
		wantProblem(t, info.Rebuild.Err, CodeInvalidFieldType, "/record/n")
		if text := info.Rebuild.Err.Error(); strings.Contains(text, "twelve") {
			t.Errorf("the reason repeats the record: %s", text)
		}
		if _, err := e.Row("failed"); err != nil {
			t.Errorf("row: %v", err)
		}
	})
	if cancelled, err := d.e.CancelUpdate(ctx, "i"); !cancelled || err != nil {
		t.Errorf("CancelUpdate: %t, %v", cancelled, err)
	}
	if info, err := d.e.Index("i"); err != nil || info.Rebuild != nil {
		t.Errorf("forgotten: %+v, %v", info.Rebuild, err)
	}
}

func TestCancelUpdate(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "i", intSchema(false, false))
	apply(t, e, puts("i", `{"id":"1","n":1}`))
	if cancelled, err := e.CancelUpdate(ctx, "i"); cancelled || err != nil {
		t.Errorf("nothing to cancel: %t, %v", cancelled, err)
	}
	if _, err := e.CancelUpdate(ctx, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no index: %v", err)
	}
	startUpdate(t, e, "i", intSchema(true, true))
	if cancelled, err := e.CancelUpdate(ctx, "i", Row{Key: "c", Value: []byte("x")}); !cancelled || err != nil {
		t.Errorf("CancelUpdate: %t, %v", cancelled, err)
	}
	if info := rebuild(t, e, "i"); info.State != "ready" || info.Schema.Fields[0].Filter || info.Rebuild != nil {
		t.Errorf("after cancelling: %+v", info)
	}
}

// TestRebuildKeepsWhatOldLimitsLetIn: values that were let in under larger
// limits than those of now are copied all the same.
func TestRebuildKeepsWhatOldLimitsLetIn(t *testing.T) {
	d := newDisk(t, Options{Limits: Limits{KeywordBytes: 1000, RecordBytes: 1 << 20, IndexFields: 20}})
	create(t, d.e, "i", Schema{Dynamic: true, Fields: []Field{{Name: "k", Type: Keyword, Filter: true}}})
	record := `{"id":"1","k":"` + strings.Repeat("x", 900) + `"`
	for i := range 15 {
		record += fmt.Sprintf(`,"f%d":%d`, i, i)
	}
	apply(t, d.e, puts("i", record+"}"))
	d.o.Limits = Limits{KeywordBytes: 10, RecordBytes: 100, IndexFields: 3}
	d.reopen()
	info, err := d.e.UpdateIndex(context.Background(), "i", Schema{Dynamic: true, Fields: []Field{{Name: "k", Type: Keyword, Filter: true, Sort: true}}})
	if err != nil || info.Records != 1 || len(info.Schema.Fields) != 16 {
		t.Errorf("%d records, %d fields, %v", info.Records, len(info.Schema.Fields), err)
	}
}
