package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCreateListAndDeleteIndexes(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)
	e := newEngine(t, &Options{Now: func() time.Time { return now }})
	create(t, e, "b", Schema{Language: "de", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	create(t, e, "a-1_x", Schema{Dynamic: true, Hidden: true})

	info, err := e.Index("b")
	if err != nil {
		t.Fatal(err)
	}
	if info.Name != "b" || info.State != "ready" || info.Records != 0 || info.Version != 1 || info.Schema.Language != "de" ||
		!info.CreatedAt.Equal(now) || !info.UpdatedAt.Equal(now) || len(info.Schema.Fields) != 1 {
		t.Errorf("Index(b) = %+v", info)
	}
	info.Schema.Fields[0].Name = "changed by the caller"
	if again, _ := e.Index("b"); again.Schema.Fields[0].Name != "title" {
		t.Error("a caller's change of an IndexInfo reached the index")
	}
	var names []string
	for _, i := range e.Indexes() {
		names = append(names, i.Name)
	}
	if got := strings.Join(names, " "); got != "a-1_x b" {
		t.Errorf("Indexes: %s", got)
	}

	if _, err := e.CreateIndex(ctx, "b", Schema{}); !errors.Is(err, ErrIndexExists) {
		t.Errorf("second CreateIndex: %v", err)
	}
	if err := e.DeleteIndex(ctx, "b"); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"DeleteIndex": e.DeleteIndex(ctx, "b"),
		"Merge":       e.Merge(ctx, "b"),
		"Index":       func() error { _, err := e.Index("b"); return err }(),
		"UpdateIndex": func() error { _, err := e.UpdateIndex(ctx, "b", Schema{}); return err }(),
		"Search":      func() error { _, err := e.Search(ctx, &Request{Indexes: []string{"b"}}); return err }(),
		"Record":      func() error { _, err := e.Record(ctx, "b", "1"); return err }(),
		"Records":     func() error { return firstError(e, "b") }(),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s of a deleted index: %v, want ErrNotFound", what, err)
		}
	}
}

func firstError(e *Engine, index string) error {
	for _, err := range e.Records(context.Background(), index, RecordsOptions{}) {
		return err
	}
	return nil
}

func TestIndexNames(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	for _, name := range []string{"a", "0", "a_b-c", strings.Repeat("x", 64)} {
		if _, err := e.CreateIndex(ctx, name, Schema{}); err != nil || !ValidIndexName(name) {
			t.Errorf("CreateIndex(%q): %v", name, err)
		}
	}
	for _, name := range []string{"", "A", "_a", "-a", "a b", "a.b", "a*", "ä", "a\x00rebuild", "a\n", strings.Repeat("x", 65)} {
		_, err := e.CreateIndex(ctx, name, Schema{})
		wantProblem(t, err, CodeInvalidRequest, "/index")
		_, err = e.Apply(ctx, puts(name, `{"id":"1"}`))
		wantProblem(t, err, CodeInvalidRequest, "/index")
	}
}

// TestDeletedIndexLeavesNothing: an index of the same name begins anew.
func TestDeletedIndexLeavesNothing(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	for round := range 4 {
		if _, err := d.e.Index("i"); !errors.Is(err, ErrNotFound) {
			t.Fatalf("round %d: the index is there: %v", round, err)
		}
		apply(t, d.e, puts("i", fmt.Sprintf(`{"id":"%d","n":%d,"word":"old"}`, round, round)))
		if got := filtered(t, d.e, "i", "n >= 0"); got != fmt.Sprint(round) {
			t.Fatalf("round %d: records %q", round, got)
		}
		if round%2 == 1 {
			if err := d.e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.e.DeleteIndex(ctx, "i"); err != nil {
			t.Fatal(err)
		}
		if round == 1 {
			d.reopen()
		}
		if round == 2 {
			d.crash()
		}
	}
	apply(t, d.e, puts("i", `{"id":"x","n":"a text now"}`))
	if f := d.e.Indexes()[0].Schema.Fields; len(f) != 1 || f[0].Type != Text {
		t.Errorf("schema of the new index: %+v", f)
	}
}

func TestHiddenIndexesAreSearchedByNameOnly(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "ab", Schema{Dynamic: true, Hidden: true})
	for _, name := range []string{"aa", "ab", "b"} {
		apply(t, e, puts(name, fmt.Sprintf(`{"id":"in-%s","t":"word"}`, name), fmt.Sprintf(`{"id":"both","t":"word %s"}`, name)))
	}
	for _, c := range []struct{ names, want string }{
		{"", "aa aa b b"}, {"a*", "aa aa"}, {"*", "aa aa b b"}, {"ab", "ab ab"}, {"b a* ab", "aa aa ab ab b b"}, {"b b", "b b"}, {"x*", ""},
	} {
		res := find(t, e, &Request{Indexes: strings.Fields(c.names), Query: "word"})
		var got []string
		for _, h := range res.Hits {
			got = append(got, h.Index)
		}
		if s := sortWords(strings.Join(got, " ")); s != c.want {
			t.Errorf("indexes %q: hits in %q, want %q", c.names, s, c.want)
		}
	}
	holders, err := e.Holders(ctx, "both", nil)
	if err != nil || strings.Join(holders, " ") != "aa b" {
		t.Errorf("Holders = %v, %v", holders, err)
	}
	holders, err = e.Holders(ctx, "both", []string{"ab"})
	if err != nil || strings.Join(holders, " ") != "ab" {
		t.Errorf("Holders in ab = %v, %v", holders, err)
	}
}

func TestUpdateOfWeightsTakesEffectAtOnce(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	s := Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true},
	}}
	create(t, d.e, "i", s)
	apply(t, d.e, puts("i", `{"id":"t","title":"red","body":"hat"}`, `{"id":"b","title":"hat","body":"red"}`))
	first := func(want string) {
		t.Helper()
		if got := find(t, d.e, &Request{Query: "red"}); got.Hits[0].ID != want || len(got.Hits) != 2 {
			t.Errorf("hits %s, want %s first", idsOf(got), want)
		}
	}
	s.Fields[0].Weight = 5
	if _, err := d.e.UpdateIndex(ctx, "i", s); err != nil {
		t.Fatal(err)
	}
	first("t")
	s.Fields[0].Weight, s.Fields[1].Weight = 1, 5
	info, err := d.e.UpdateIndex(ctx, "i", s)
	if err != nil || info.Schema.Fields[1].Weight != 5 || info.Version != 4 {
		t.Fatal(info, err)
	}
	first("b")
	d.crash()
	first("b")
	d.reopen()
	first("b")
}

// TestDynamicSwitchedOnLater: records that were written while the index was
// not dynamic keep to the schema of their time, also when they are analyzed
// again after a crash.
func TestDynamicSwitchedOnLater(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	apply(t, d.e, puts("i", `{"id":"1","t":"a","x":5}`, `{"id":"2","t":"b","y":"no number"}`))
	if _, err := d.e.UpdateIndex(ctx, "i", Schema{Dynamic: true, Fields: []Field{{Name: "t", Type: Text, Search: true}}}); err != nil {
		t.Fatal(err)
	}
	apply(t, d.e, puts("i", `{"id":"3","t":"c","y":5}`))
	d.states("i", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "i", "y = 5"); got != "3" {
			t.Errorf("y = 5: %q, want 3", got)
		}
		if got := filtered(t, e, "i", "EXISTS y"); got != "3" {
			t.Errorf("y exists: %q, want 3", got)
		}
	})
}

func TestRebuildChangesFields(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "year", Type: Int}}})
	var b Batch
	for i := range 50 {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%02d","title":"running shoe","year":%d,"tag":["a","t%d"]}`, i, 1990+i, i%3))
	}
	apply(t, d.e, &b)
	apply(t, d.e, puts("i", `{"id":"r07","title":"changed","year":1,"tag":"new"}`))
	before, err := d.e.Record(ctx, "i", "r07")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.e.Search(ctx, &Request{Filter: "year > 2000"})
	wantProblem(t, err, CodeNotFilterable, "/filter")

	info, err := d.e.UpdateIndex(ctx, "i", Schema{Language: "none", Fields: []Field{
		{Name: "tag", Type: Keyword, Filter: true, Facet: true},
		{Name: "year", Type: Int, Filter: true, Sort: true},
		{Name: "title", Type: Text, Search: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if info.Records != 50 || info.State != "ready" || len(info.Schema.Fields) != 3 {
		t.Errorf("after the rebuild: %+v", info)
	}
	if n := len(d.e.Indexes()); n != 1 {
		t.Errorf("%d indexes after the rebuild", n)
	}
	after, err := d.e.Record(ctx, "i", "r07")
	if err != nil || string(after.JSON) != string(before.JSON) || after.Version != before.Version {
		t.Errorf("record %s version %d (%v), before the rebuild %s version %d", after.JSON, after.Version, err, before.JSON, before.Version)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "i", `year > 2037`); got != "r48 r49" {
			t.Errorf("year > 2037: %q", got)
		}
		if got := filtered(t, e, "i", `tag = "new"`); got != "r07" {
			t.Errorf("tag = new: %q", got)
		}
		if n := find(t, e, &Request{Query: "runs", Prefix: PrefixOff}).Total; n != 0 {
			t.Errorf("%d records match a stem in language none", n)
		}
	})
}

// TestNewestFirstAfterRebuild: the order of an empty request is that of
// writing, also when the records were copied.
func TestNewestFirstAfterRebuild(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "n", Type: Int}}})
	const n = 60
	var want []string
	for i := range n { // ids that sort in another order than they are written
		id := fmt.Sprintf("r%02d", i*37%n)
		apply(t, d.e, puts("i", fmt.Sprintf(`{"id":%q,"n":%d}`, id, i)))
		want = append([]string{id}, want...)
	}
	if _, err := d.e.UpdateIndex(ctx, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}}); err != nil {
		t.Fatal(err)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		for _, limit := range []int{7, 100} {
			if got := allPages(t, e, Request{Limit: limit}); got != strings.Join(want, " ") {
				t.Errorf("by pages of %d:\n got %s\nwant %s", limit, got, strings.Join(want, " "))
			}
		}
	})
}

// allPages follows the cursor to the end.
func allPages(t *testing.T, e *Engine, r Request) string {
	t.Helper()
	var got []string
	for range 10_000 {
		res := find(t, e, &r)
		for _, h := range res.Hits {
			got = append(got, h.ID)
		}
		if r.After = res.Next; r.After == nil {
			break
		}
	}
	return strings.Join(got, " ")
}

func TestRebuildBesideWritesAndDeletes(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{FlushRecords: 500})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "n", Type: Int}}})
	const n = 3000
	want := map[string]int{}
	var b Batch
	for i := range n {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%04d","n":0}`, i))
		want[fmt.Sprintf("r%04d", i)] = 0
	}
	apply(t, d.e, &b)
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			id := fmt.Sprintf("r%04d", i*7%(n+500))
			b := puts("i", fmt.Sprintf(`{"id":%q,"n":%d}`, id, i))
			if i%3 == 0 {
				b = &Batch{}
				b.Delete("i", id)
				delete(want, id)
			} else {
				want[id] = i
			}
			if _, err := d.e.Apply(ctx, b); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for round := range 3 {
		s := Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true, Sort: round%2 == 0}}}
		if _, err := d.e.UpdateIndex(ctx, "i", s); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	writer.Wait()
	compareRecords(t, d.e, "i", want)
	d.crash()
	compareRecords(t, d.e, "i", want)
}

// compareRecords compares the records of an index, by their id and n, through
// all of the ways to them.
func compareRecords(t *testing.T, e *Engine, index string, want map[string]int) {
	t.Helper()
	got := 0
	for rec, err := range e.Records(context.Background(), index, RecordsOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		n, ok := want[rec.ID]
		if expect := fmt.Sprintf(`{"id":%q,"n":%d}`, rec.ID, n); !ok || string(rec.JSON) != expect {
			t.Fatalf("record %s is %s, want %s (there: %t)", rec.ID, rec.JSON, expect, ok)
		}
		got++
	}
	if got != len(want) {
		t.Errorf("%d records, want %d", got, len(want))
	}
	if info, err := e.Index(index); err != nil || info.Records != int64(len(want)) {
		t.Errorf("%d records by the statistics (%v), want %d", info.Records, err, len(want))
	}
	looked := 0
	for id, n := range want {
		if n == 0 {
			continue
		}
		if got := filtered(t, e, index, fmt.Sprintf("n = %d", n)); got != id {
			t.Errorf("n = %d: %q, want %s", n, got, id)
		}
		if looked++; looked == 50 {
			break
		}
	}
}

func TestRebuildThatFailsChangesNothing(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "n", Type: Keyword, Filter: true}}})
	apply(t, e, puts("i", `{"id":"1","n":"12"}`, `{"id":"2","n":"twelve"}`))
	before, _ := e.Index("i")
	_, err := e.UpdateIndex(ctx, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}})
	wantProblem(t, err, CodeInvalidFieldType, "/record/n")
	after, err := e.Index("i")
	if err != nil || after.Schema.Fields[0].Type != Keyword || after.Version != before.Version || after.State != "ready" {
		t.Errorf("after the failure: %+v, %v", after, err)
	}
	if n := len(e.Stats().Indexes); n != 1 {
		t.Errorf("%d indexes are left", n)
	}
	if got := filtered(t, e, "i", `n = "twelve"`); got != "2" {
		t.Errorf("filter: %q", got)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.UpdateIndex(canceled, "i", Schema{Fields: []Field{{Name: "n", Type: Text, Search: true}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	apply(t, e, puts("i", `{"id":"2","n":"13"}`))
	if _, err := e.UpdateIndex(ctx, "i", Schema{Fields: []Field{{Name: "n", Type: Text, Search: true}}}); err != nil {
		t.Errorf("after a failure: %v", err)
	}
}

// TestRebuildIsNotBoundByLimits: the limits are for what comes in.
func TestRebuildIsNotBoundByLimits(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{BatchOps: 10, RecordBytes: 200, BatchBytes: 500}})
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text}}})
	for i := range 20 {
		var b Batch
		for j := range 2 {
			// Without an id: what is stored is longer than what was written.
			b.Put("i", fmt.Appendf(nil, `{"t":"%0190d"}`, i*10+j))
		}
		apply(t, e, &b)
	}
	info, err := e.UpdateIndex(ctx, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	if err != nil || info.Records != 40 {
		t.Errorf("rebuild: %d records, %v", info.Records, err)
	}
}

func TestManySmallIndexesAreCheap(t *testing.T) {
	ctx := context.Background()
	const n = 300
	d := newDisk(t, Options{})
	var b Batch
	for i := range n {
		b.Put(fmt.Sprintf("i%03d", i), fmt.Appendf(nil, `{"id":"1","title":"small index","n":%d}`, i))
	}
	runtime.GC()
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	goroutines := runtime.NumGoroutine()
	start := time.Now()
	apply(t, d.e, &b)
	if err := d.e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	wrote := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&m1)
	if more := runtime.NumGoroutine() - goroutines; more > 20 {
		t.Errorf("%d goroutines more for %d indexes", more, n)
	}
	// The file system is in memory, too, so this is more than an index costs.
	each := (int64(m1.HeapAlloc) - int64(m0.HeapAlloc)) / n
	if each > 128<<10 {
		t.Errorf("%d bytes of memory an index", each)
	}
	start = time.Now()
	d.reopen()
	t.Logf("%d indexes: written in %v, reopened in %v, %d bytes each", n, wrote, time.Since(start), each)
	if res := find(t, d.e, &Request{Query: "small", Limit: 1000}); res.Total != n || len(res.Hits) != n {
		t.Errorf("%d hits of %d", len(res.Hits), res.Total)
	}
	if got := filtered(t, d.e, "i017", "n = 17"); got != "1" {
		t.Errorf("filter: %q", got)
	}
}

func TestLimitOfIndexes(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{Indexes: 2}})
	create(t, e, "a", Schema{})
	_, err := e.Apply(ctx, puts("b", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.CreateIndex(ctx, "c", Schema{})
	wantProblem(t, err, CodeLimitExceeded, "/index")
	_, err = e.Apply(ctx, puts("c", `{}`))
	wantProblem(t, err, CodeLimitExceeded, "/index")
	// A rebuild needs no place of its own.
	if _, err := e.UpdateIndex(ctx, "a", Schema{Fields: []Field{{Name: "x", Type: Int}}}); err != nil {
		t.Error(err)
	}
}

func TestDynamicFieldsGrow(t *testing.T) {
	d := newDisk(t, Options{})
	apply(t, d.e, puts("i", `{"id":"1","a":"first words"}`))
	apply(t, d.e, puts("i", `{"id":"2","b":"second words","n":1}`, `{"id":"3","c":{"d":"nested words","e":true}}`, `{"id":"4","a":"again"}`))
	apply(t, d.e, puts("i", `{"id":"5","when":"2024-05-06","long":"`+strings.Repeat("long ", 30)+`"}`))
	types := map[string]Type{"a": Text, "b": Text, "n": Int, "c.d": Text, "c.e": Bool, "when": Date, "long": Text}
	d.states("i", func(t *testing.T, e *Engine) {
		info, _ := e.Index("i")
		if len(info.Schema.Fields) != len(types) {
			t.Errorf("fields: %+v", info.Schema.Fields)
		}
		for _, f := range info.Schema.Fields {
			if types[f.Name] != f.Type || f.Filter != (f.Name != "long") {
				t.Errorf("field %+v", f)
			}
		}
		if got := sortWords(idsOf(find(t, e, &Request{Query: "words"}))); got != "1 2 3" {
			t.Errorf("words: %s", got)
		}
		for filter, want := range map[string]string{
			`c.e = true`: "3", `n = 1`: "2", `when = "2024-05-06"`: "5", `EXISTS a`: "1 4", `c.d = "nested words"`: "3",
		} {
			if got := filtered(t, e, "i", filter); got != want {
				t.Errorf("%s: %q, want %q", filter, got, want)
			}
		}
		if got := idsOf(find(t, e, &Request{Query: "c.d:words", Syntax: SyntaxQuery})); got != "3" {
			t.Errorf("c.d:words: %s", got)
		}
	})
}

// TestIntWidensToFloat: a field that was inferred as int takes floats once one
// comes, in every way in which old and new values can meet.
func TestIntWidensToFloat(t *testing.T) {
	const big = "9007199254740993" // no float64 is this number
	ints := `{"id":"int","n":5}`
	tests := []struct {
		name    string
		batches []*Batch
	}{
		{"in one batch", []*Batch{puts("i", ints, `{"id":"big","n":`+big+`}`, `{"id":"many","n":[1,7]}`, `{"id":"float","n":5.5}`, `{"id":"same","n":5.0}`, `{"id":"mixed","n":[-3,2.5]}`)}},
		{"in batches", []*Batch{
			puts("i", ints, `{"id":"big","n":`+big+`}`), puts("i", `{"id":"many","n":[1,7]}`), puts("i", `{"id":"float","n":5.5}`),
			puts("i", `{"id":"same","n":5.0}`), puts("i", `{"id":"mixed","n":[-3,2.5]}`),
		}},
		{"within a record", []*Batch{
			puts("i", `{"id":"mixed","n":[-3,2.5]}`), puts("i", ints, `{"id":"big","n":`+big+`}`, `{"id":"many","n":[1,7]}`), puts("i", `{"id":"float","n":5.5}`, `{"id":"same","n":5.0}`),
		}},
	}
	check := func(t *testing.T, e *Engine) {
		for filter, want := range map[string]string{
			"n = 5":                     "int same",
			"n = 5.0":                   "int same",
			"n > 5":                     "big float many",
			"n >= 5 AND n < 6":          "float int many same", // a value each is enough
			"n 2..3":                    "mixed",
			"n < 0":                     "mixed",
			"n = 5.5":                   "float",
			"n IN [1, 2.5]":             "many mixed",
			"n != 5":                    "big float many mixed",
			"EXISTS n":                  "big float int many mixed same",
			"n = " + big:                "big",
			"n > 9007199254740992":      "big",
			"n < 9007199254740993":      "float int many mixed same",
			"n = 9007199254740992":      "",
			"n >= 9007199254740993.0":   "big",
			"NOT n 5..9007199254740993": "mixed",
		} {
			if got := filtered(t, e, "i", filter); got != want {
				t.Errorf("%s: %q, want %q", filter, got, want)
			}
		}
		for _, c := range []struct {
			desc bool
			want string
		}{{false, "mixed many int same float big"}, {true, "big many float int same mixed"}} {
			r := Request{Indexes: []string{"i"}, Sort: []SortKey{{Field: "n", Desc: c.desc}}, Limit: 2}
			if got := allPages(t, e, r); got != c.want {
				t.Errorf("sorted (desc %t): %s, want %s", c.desc, got, c.want)
			}
		}
		five, lo, hi := 5.0, 6.0, 1e17
		f := find(t, e, &Request{Facets: []FacetRequest{{Field: "n", Limit: 100}}}).Facets["n"]
		counts := map[string]int64{}
		for _, v := range f.Values {
			counts[fmt.Sprintf("%v", v.Value)] += v.Count
			if v.Count == 0 {
				t.Errorf("facet value %v without a count", v.Value)
			}
		}
		if len(f.Values) != 7 || counts["5"] != 2 || counts["5.5"] != 1 || counts["2.5"] != 1 || counts["-3"] != 1 || f.Missing != 0 {
			t.Errorf("facet: %+v", f)
		}
		if s := f.Stats; s == nil || s.Count != 8 || s.Min != -3 || s.Max != 9007199254740992 {
			t.Errorf("facet statistics: %+v", f.Stats)
		}
		f = find(t, e, &Request{Facets: []FacetRequest{{Field: "n", Ranges: []FacetRange{{From: nil, To: &five}, {From: &five, To: &lo}, {From: &lo, To: &hi}}}}}).Facets["n"]
		if f.Ranges[0].Count != 2 || f.Ranges[1].Count != 3 || f.Ranges[2].Count != 2 {
			t.Errorf("ranges: %+v", f.Ranges)
		}
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			d := newDisk(t, Options{})
			for _, b := range c.batches {
				apply(t, d.e, b)
			}
			d.t = t
			d.states("i", check)
		})
		t.Run(c.name+", flushed in between", func(t *testing.T) {
			d := newDisk(t, Options{})
			for _, b := range c.batches {
				apply(t, d.e, b)
				if err := d.e.Flush(context.Background()); err != nil {
					t.Fatal(err)
				}
				d.reopen()
			}
			d.t = t
			d.states("i", check)
		})
	}
}

func TestDeclaredIntDoesNotWiden(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Dynamic: true, Fields: []Field{{Name: "n", Type: Int, Filter: true}}})
	_, err := e.Apply(context.Background(), puts("i", `{"id":"1","n":1.5}`))
	wantProblem(t, err, CodeInvalidFieldType, "/record/n")
}

func TestReopen(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	d.reopen() // nothing was ever written
	if v := d.e.Version(); v != 0 {
		t.Errorf("version %d of an empty engine", v)
	}
	apply(t, d.e, puts("i", `{"id":"1","t":"one"}`, `{"id":"2","t":"two"}`))
	version := d.e.Version()
	for range 3 { // without writes in between
		d.reopen()
		if got := idsOf(find(t, d.e, &Request{Query: "one"})); got != "1" || d.e.Version() != version {
			t.Fatalf("hits %q, version %d, want %d", got, d.e.Version(), version)
		}
	}
	for i := range 10 { // the id filter of a clean close must know every id
		var b Batch
		b.Delete("i", "1")
		b.Put("i", fmt.Appendf(nil, `{"id":"2","t":"two","n":%d}`, i))
		b.PutNew("i", fmt.Appendf(nil, `{"id":"n%d","t":"new"}`, i))
		res := apply(t, d.e, &b)
		if i > 0 && res.Deleted != 0 {
			t.Errorf("round %d: the deleted record was deleted again", i)
		}
		d.reopen()
		if info, _ := d.e.Index("i"); info.Records != int64(2+i) {
			t.Fatalf("round %d: %d records", i, info.Records)
		}
		b = Batch{}
		b.PutNew("i", fmt.Appendf(nil, `{"id":"n%d","t":"again"}`, i))
		if _, err := d.e.Apply(ctx, &b); !errors.Is(err, ErrRecordExists) {
			t.Fatalf("round %d: a new record with an id in use: %v", i, err)
		}
	}
}

// TestRecordsThatDieInMemory: segments of which nothing is left when they are
// merged in memory still have documents with numbers.
func TestRecordsThatDieInMemory(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	for range 3 {
		for i := range 20 {
			var b Batch
			b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":"gone"}`, i))
			b.Delete("i", fmt.Sprint(i))
			apply(t, d.e, &b)
		}
		ix := d.e.writers["i"]
		for {
			v, iv, err := d.e.acquireIndex(ix)
			if err != nil {
				t.Fatal(err)
			}
			n := len(d.e.memoryMerge(iv))
			d.e.release(v)
			if n == 0 {
				break
			}
			if err := d.e.mergeMemory(ctx, ix); err != nil {
				t.Fatal(err)
			}
		}
		d.reopen()
		d.crash()
	}
	if info, err := d.e.Index("i"); err != nil || info.Records != 0 {
		t.Errorf("%+v, %v", info, err)
	}
	apply(t, d.e, puts("i", `{"id":"1","t":"there"}`))
	if got := idsOf(find(t, d.e, &Request{Query: "there"})); got != "1" {
		t.Errorf("hits %q", got)
	}
}

// TestDeadDocumentsAreFlushed: what is in memory is bounded by documents, dead
// or alive.
func TestDeadDocumentsAreFlushed(t *testing.T) {
	flushed := make(chan struct{}, 100)
	e := newEngine(t, &Options{FlushRecords: 50, Events: Events{Flushed: func(string, int, time.Duration) {
		select {
		case flushed <- struct{}{}:
		default:
		}
	}}})
	for i := range 200 {
		var b Batch
		b.Put("i", fmt.Appendf(nil, `{"id":"%d"}`, i))
		b.Delete("i", fmt.Sprint(i))
		apply(t, e, &b)
	}
	select {
	case <-flushed:
	case <-time.After(20 * time.Second):
		t.Error("200 dead documents were not flushed with FlushRecords = 50")
	}
}

func TestOneProcessADirectory(t *testing.T) {
	dir := t.TempDir()
	e, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("second Open: %v, want ErrLocked", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := e.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	if e, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestClosedEngine(t *testing.T) {
	ctx := context.Background()
	e, err := Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("i", `{"id":"1"}`))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"Apply":       func() error { _, err := e.Apply(ctx, puts("i", `{}`)); return err },
		"Search":      func() error { _, err := e.Search(ctx, &Request{}); return err },
		"CreateIndex": func() error { _, err := e.CreateIndex(ctx, "x", Schema{}); return err },
		"UpdateIndex": func() error { _, err := e.UpdateIndex(ctx, "i", Schema{Dynamic: true}); return err },
		"DeleteIndex": func() error { return e.DeleteIndex(ctx, "i") },
		"Index":       func() error { _, err := e.Index("i"); return err },
		"Record":      func() error { _, err := e.Record(ctx, "i", "1"); return err },
		"Records":     func() error { return firstError(e, "i") },
		"Holders":     func() error { _, err := e.Holders(ctx, "1", nil); return err },
		"Row":         func() error { _, err := e.Row("k"); return err },
		"PutRows":     func() error { return e.PutRows(ctx, []Row{{Key: "k", Value: []byte("v")}}) },
		"Flush":       func() error { return e.Flush(ctx) },
		"Merge":       func() error { return e.Merge(ctx, "i") },
		"Check":       func() error { return e.Check(ctx) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	for _, clean := range []bool{true, false} {
		t.Run(fmt.Sprintf("clean=%t", clean), func(t *testing.T) {
			d := newDisk(t, Options{})
			apply(t, d.e, puts("i", `{"id":"1","t":"one","n":1}`))
			if clean {
				d.reopen()
			}
			d.o.ReadOnly = true
			if clean {
				d.reopen()
			} else {
				d.crash()
			}
			if got := idsOf(find(t, d.e, &Request{Query: "one", Filter: "n = 1"})); got != "1" {
				t.Errorf("hits %q", got)
			}
			if rec, err := d.e.Record(ctx, "i", "1"); err != nil || string(rec.JSON) != `{"id":"1","t":"one","n":1}` {
				t.Errorf("record %s, %v", rec.JSON, err)
			}
			for name, err := range map[string]error{
				"Apply":       func() error { _, err := d.e.Apply(ctx, puts("i", `{}`)); return err }(),
				"CreateIndex": func() error { _, err := d.e.CreateIndex(ctx, "x", Schema{}); return err }(),
				"DeleteIndex": d.e.DeleteIndex(ctx, "i"),
				"UpdateIndex": func() error { _, err := d.e.UpdateIndex(ctx, "i", Schema{Dynamic: true, Hidden: true}); return err }(),
				"PutRows":     d.e.PutRows(ctx, []Row{{Key: "k", Value: []byte("v")}}),
			} {
				if !errors.Is(err, ErrReadOnly) {
					t.Errorf("%s: %v, want ErrReadOnly", name, err)
				}
			}
			d.o.ReadOnly = false
			d.reopen()
			if got := idsOf(find(t, d.e, &Request{Query: "one"})); got != "1" {
				t.Errorf("after the read-only engine: hits %q", got)
			}
		})
	}
}

func TestRows(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	rows := func(prefix string) string {
		var out []string
		for r, err := range d.e.Rows(prefix) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, r.Key+"="+string(r.Value))
		}
		return strings.Join(out, " ")
	}
	b := puts("i", `{"id":"1"}`)
	b.Rows = []Row{{"a/2", []byte("x")}, {"a/1", []byte("y")}, {"b", []byte{}}, {"", []byte("empty key")}, {"\xff", []byte("z")}}
	apply(t, d.e, b)
	if err := d.e.PutRows(ctx, []Row{{"a/3", []byte("w")}, {"a/1", nil}}); err != nil {
		t.Fatal(err)
	}
	failing := puts("i", `{"id":2.5}`)
	failing.Rows = []Row{{"never", []byte("v")}}
	if _, err := d.e.Apply(ctx, failing); err == nil {
		t.Error("a record without a valid id was taken")
	}
	for _, step := range []func(){func() {}, d.crash, d.reopen} {
		step()
		if got := rows("a/"); got != "a/2=x a/3=w" {
			t.Errorf("rows a/: %s", got)
		}
		if got := rows(""); got != "=empty key a/2=x a/3=w b= \xff=z" {
			t.Errorf("all rows: %q", got)
		}
		if got := rows("\xff"); got != "\xff=z" {
			t.Errorf("rows \\xff: %q", got)
		}
		if v, err := d.e.Row("b"); err != nil || v == nil || len(v) != 0 {
			t.Errorf("row b: %v, %v", v, err)
		}
		for _, key := range []string{"a/1", "never", "c"} {
			if _, err := d.e.Row(key); !errors.Is(err, ErrNotFound) {
				t.Errorf("row %s: %v", key, err)
			}
		}
	}
	for range d.e.Rows("") {
		break // the iteration may stop early
	}
}

// TestNewestFirstAfterCleaning: records that are written again because most of
// their page is dead stay as old as they are.
func TestNewestFirstAfterCleaning(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	var b Batch
	for i := range 1 << 16 {
		b.Put("i", fmt.Appendf(nil, `{"id":"old%d"}`, i))
	}
	apply(t, e, &b)
	apply(t, e, puts("i", `{"id":"new0"}`))
	apply(t, e, puts("i", `{"id":"new1"}`))
	if err := e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	b = Batch{}
	for i := range 1<<16 - 40 {
		b.Delete("i", fmt.Sprintf("old%d", i))
	}
	apply(t, e, &b)
	want := allPages(t, e, Request{Limit: 9})
	if err := e.cleanRound(ctx); err != nil {
		t.Fatal(err)
	}
	if s := e.Stats().Indexes[0]; s.NextDoc < 1<<16+42 {
		t.Fatalf("nothing was moved: %+v", s)
	}
	for _, limit := range []int{9, 100} {
		if got := allPages(t, e, Request{Limit: limit}); got != want {
			t.Errorf("by pages of %d\n got %s\nwant %s", limit, got, want)
		}
	}
}
