package usage

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine"
)

// clock is a clock that tests set.
type clock struct{ now time.Time }

func (c *clock) set(s string) {
	t, err := time.Parse(time.DateTime, s)
	if err != nil {
		panic(err)
	}
	c.now = t
}

// lab is a meter over an engine in memory.
type lab struct {
	*Meter
	t      *testing.T
	engine *engine.Engine
	clock  clock
	opts   Options
}

func newLab(t *testing.T, o Options) *lab {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	l := &lab{t: t, engine: e, opts: o}
	l.clock.set("2026-11-21 13:00:00")
	if l.opts.Now == nil {
		l.opts.Now = func() time.Time { return l.clock.now }
	}
	l.reopen()
	return l
}

// reopen goes on as after a kill: what was only in memory is gone.
func (l *lab) reopen() {
	l.t.Helper()
	m, err := Open(l.engine, l.opts)
	if err != nil {
		l.t.Fatal(err)
	}
	l.Meter = m
}

func (l *lab) flush() {
	l.t.Helper()
	if err := l.Flush(context.Background()); err != nil {
		l.t.Fatal(err)
	}
}

// write commits a batch that counts n writes.
func (l *lab) write(key string, n int64) {
	l.t.Helper()
	var done func(error)
	b := &engine.Batch{Finish: func(*engine.BatchResult) (rows []engine.Row) {
		rows, done = l.Written(key, l.clock.now, n)
		return rows
	}}
	_, err := l.engine.Apply(context.Background(), b)
	if done(err); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) rows(q Query) []Row {
	l.t.Helper()
	r, err := l.Report(q)
	if err != nil {
		l.t.Fatal(err)
	}
	return r.Rows
}

var everything = Query{To: LastDay + 1, ByDay: true, ByKey: true}

func day(s string) Day {
	d, err := ParseDay(s)
	if err != nil {
		panic(err)
	}
	return d
}

func (l *lab) answer() *Answer {
	l.t.Helper()
	r, err := l.Report(everything)
	if err != nil {
		l.t.Fatal(err)
	}
	return &Answer{Rows: r.Rows, Base: r.Base, Head: r.Head, Length: r.Length}
}

func TestDaysAreThoseOfUTC(t *testing.T) {
	berlin := time.FixedZone("", 3600)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 11, 21, 0, 30, 0, 0, berlin), "2026-11-20"},
		{time.Date(2026, 11, 21, 23, 59, 59, 999, time.UTC), "2026-11-21"},
		{time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), "1970-01-01"},
		{time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC), "1969-12-31"},
		{time.Date(9999, 12, 31, 12, 0, 0, 0, time.UTC), LastDay.String()},
		{time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC), "2028-02-29"},
	} {
		if got := DayOf(c.at).String(); got != c.want {
			t.Errorf("%v lies in %s, want %s", c.at, got, c.want)
		}
	}
}

// The example in the package comment is that of the code.
func TestWorkedExample(t *testing.T) {
	r := Row{Seq: 1, Day: day("2026-11-21"), Key: "key_7fGh2Kq9", Searches: 1200, Writes: 31, RecordsMax: 19547, BytesMax: 8123456}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{string(r.appendText(nil)), link(noLink, &r)} {
		if !strings.Contains(string(doc), "//\t"+want+"\n") {
			t.Errorf("the package comment does not have %s", want)
		}
	}
}

func TestCountsAndKeeps(t *testing.T) {
	records := int64(10)
	l := newLab(t, Options{Stored: func() func(string) (int64, int64) {
		return func(string) (int64, int64) { return records, records * 100 }
	}})
	l.Search("a", 2)
	l.write("a", 3)
	l.write("b", 5)
	want := []Row{
		{Day: day("2026-11-21"), Key: "key_a", Searches: 2, Writes: 3},
		{Day: day("2026-11-21"), Key: "key_b", Writes: 5},
	}
	if d := cmp.Diff(want, l.rows(everything)); d != "" {
		t.Errorf("before the flush (-want +got):\n%s", d)
	}
	l.flush()
	records = 7
	l.Search("a", 1)
	l.flush()
	want[0].Searches, want[0].RecordsMax, want[0].BytesMax, want[1].RecordsMax, want[1].BytesMax = 3, 10, 1000, 10, 1000
	if d := cmp.Diff(want, l.rows(everything)); d != "" {
		t.Errorf("after the flush (-want +got):\n%s", d)
	}
	l.Search("a", 100) // lost by the kill
	l.write("b", 1)    // not lost
	want[1].Writes++
	for range 3 {
		l.reopen()
		if d := cmp.Diff(want, l.rows(everything)); d != "" {
			t.Errorf("after a kill (-want +got):\n%s", d)
		}
		l.flush()
	}
}

func TestFailedCommitsAreNotCounted(t *testing.T) {
	l := newLab(t, Options{})
	_, done := l.Written("a", l.clock.now, 9)
	done(errors.New("no"))
	l.flush()
	if got := l.rows(everything); len(got) != 0 {
		t.Errorf("counted %v", got)
	}
	l.clock.set("2026-11-23 00:00:00")
	l.flush()
	if a := l.answer(); a.Length != 0 || len(l.open) != 0 {
		t.Errorf("a day without use has %d links, %d tallies", a.Length, len(l.open))
	}
}

// failing is a store whose commits fail while err is set.
type failing struct {
	Store
	err error
}

func (f *failing) PutRows(ctx context.Context, rows []engine.Row) error {
	if f.err != nil {
		return f.err
	}
	return f.Store.PutRows(ctx, rows)
}

func TestFlushThatFailsLosesNothing(t *testing.T) {
	l := newLab(t, Options{})
	store := &failing{Store: l.engine, err: engine.ErrStorageFull}
	m, err := Open(store, l.opts)
	if err != nil {
		t.Fatal(err)
	}
	l.Meter = m
	l.Search("a", 2)
	l.write("a", 1)
	if err := l.Flush(t.Context()); !errors.Is(err, engine.ErrStorageFull) {
		t.Fatalf("flush: %v", err)
	}
	l.Search("a", 3)
	store.err = nil
	l.flush()
	l.reopen()
	want := []Row{{Day: day("2026-11-21"), Key: "key_a", Searches: 5, Writes: 1}}
	if d := cmp.Diff(want, l.rows(everything)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestDaysAreClosedAMinuteAfterTheirEnd(t *testing.T) {
	l := newLab(t, Options{})
	l.clock.set("2026-11-21 23:59:59")
	l.Search("b", 1)
	l.Search("a", 1)
	rows, done := l.Written("a", l.clock.now, 4) // a commit that takes its time
	l.clock.set("2026-11-22 00:00:59")
	l.flush()
	if a := l.answer(); a.Length != 0 {
		t.Fatalf("closed after 59 s: %+v", a)
	}
	l.clock.set("2026-11-22 00:02:00")
	l.flush()
	if a := l.answer(); a.Length != 0 {
		t.Fatalf("closed while a commit was under way: %+v", a)
	}
	if err := l.engine.PutRows(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	done(nil)
	l.flush()
	l.Search("a", 7)
	l.clock.set("2026-11-25 00:00:00") // two days without use
	l.Search("a", 1)
	l.flush()
	a := l.answer()
	var got []string
	for _, r := range a.Rows {
		got = append(got, fmt.Sprint(r.Seq, " ", r.Day, " ", r.Key, " ", r.Searches, " ", r.Writes, " ", r.Chain != ""))
	}
	want := []string{
		"1 2026-11-21 key_a 1 4 true", "2 2026-11-21 key_b 1 0 true",
		"3 2026-11-22 key_a 7 0 true", "0 2026-11-25 key_a 1 0 false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if v := Verify(a); len(v.Flaws) > 0 || !v.Whole || v.Links != 3 || v.Open != 1 {
		t.Errorf("verdict %+v", v)
	}
}

// A clock that goes forward by a day and back again: everything counts once,
// on the day that the clock showed.
func TestClockThatStepsBack(t *testing.T) {
	l := newLab(t, Options{})
	l.Search("a", 1)
	l.clock.set("2026-11-22 13:00:00")
	l.Search("a", 2)
	l.flush() // closes the 21st
	l.clock.set("2026-11-21 14:00:00")
	l.Search("a", 4)
	l.flush()
	l.clock.set("2026-11-22 15:00:00")
	l.Search("a", 8)
	l.flush()
	var got []string
	for _, r := range l.rows(everything) {
		got = append(got, fmt.Sprint(r.Seq, " ", r.Day, " ", r.Searches))
	}
	want := []string{"1 2026-11-21 1", "2 2026-11-21 4", "0 2026-11-22 10"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if v := Verify(l.answer()); len(v.Flaws) > 0 {
		t.Errorf("verdict %+v", v)
	}
	if n, err := l.MonthSearches("a"); n != 15 || err != nil {
		t.Errorf("searches of the month: %d (error %v)", n, err)
	}
}

func TestReportRangesGroupsAndPages(t *testing.T) {
	l := newLab(t, Options{})
	for d := range 40 {
		l.clock.now = day("2026-10-20").Start().AddDate(0, 0, d).Add(time.Hour)
		l.Search("a", int64(d+1))
		if d%2 == 0 {
			l.write("b", 1)
		}
		l.flush()
	}
	november := Query{From: day("2026-11-01"), To: day("2026-12-01"), ByDay: true, ByKey: true}
	whole := l.rows(november)
	if len(whole) != 28+14 || whole[0].Day != day("2026-11-01") || whole[0].Searches != 13 {
		t.Fatalf("%d rows of November, the first is %+v", len(whole), whole[0])
	}
	for _, limit := range []int{1, 5, 41, 42, 43} {
		var paged []Row
		for q := november; ; {
			q.Limit = limit
			r, err := l.Report(q)
			if err != nil {
				t.Fatal(err)
			}
			paged = append(paged, r.Rows...)
			if !r.More {
				break
			}
			q.After = &r.Rows[len(r.Rows)-1]
		}
		if d := cmp.Diff(whole, paged); d != "" {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, d)
		}
	}
	r, err := l.Report(november)
	if err != nil {
		t.Fatal(err)
	}
	if v := Verify(&Answer{Rows: r.Rows, Base: r.Base, Head: r.Head, Length: r.Length}); len(v.Flaws) > 0 || v.Whole || v.Links != 41 {
		t.Errorf("verdict on a part: %+v", v)
	}
	byKey := l.rows(Query{From: day("2026-11-26"), To: day("2026-11-28"), ByKey: true})
	if d := cmp.Diff([]Row{{Key: "key_a", Searches: 38 + 39}, {Key: "key_b", Writes: 1}}, byKey); d != "" {
		t.Errorf("by key (-want +got):\n%s", d)
	}
	byDay := l.rows(Query{From: day("2026-11-25"), To: day("2026-11-27"), ByDay: true})
	if d := cmp.Diff([]Row{{Day: day("2026-11-25"), Searches: 37, Writes: 1}, {Day: day("2026-11-26"), Searches: 38}}, byDay); d != "" {
		t.Errorf("by day (-want +got):\n%s", d)
	}
	if got := l.rows(Query{From: day("2027-01-01"), To: day("2027-02-01"), ByDay: true, ByKey: true}); len(got) != 0 {
		t.Errorf("of a time to come: %v", got)
	}
}

func TestVerifyNamesWhatWasAltered(t *testing.T) {
	l := newLab(t, Options{})
	for d := range 6 {
		l.clock.now = day("2026-11-21").Start().AddDate(0, 0, d)
		l.Search("a", 1)
		l.Search("b", 2)
		l.flush()
	}
	l.clock.now = l.clock.now.Add(time.Hour)
	l.flush()
	sound := l.answer()
	noted := sound.Rows[3].Chain
	if v := Verify(sound, noted, sound.Head, noLink); len(v.Flaws) > 0 || !v.Whole || v.Links != 10 || v.Open != 2 {
		t.Fatalf("verdict %+v", v)
	}
	for _, c := range []struct {
		name  string
		alter func(*Answer)
		seqs  []int64
	}{
		{"searches", func(a *Answer) { a.Rows[4].Searches-- }, []int64{5}},
		{"writes", func(a *Answer) { a.Rows[0].Writes++ }, []int64{1}},
		{"records", func(a *Answer) { a.Rows[9].RecordsMax++ }, []int64{10}},
		{"bytes", func(a *Answer) { a.Rows[2].BytesMax++ }, []int64{3}},
		{"day", func(a *Answer) { a.Rows[2].Day++ }, []int64{3}},
		{"key", func(a *Answer) { a.Rows[2].Key = "key_z" }, []int64{3}},
		{"two rows", func(a *Answer) { a.Rows[2].Writes++; a.Rows[7].Writes++ }, []int64{3, 8}},
		{"row with its chain", func(a *Answer) {
			a.Rows[2].Writes++
			a.Rows[2].Chain = link(a.Rows[1].Chain, &a.Rows[2])
		}, []int64{4}},
		{"row taken out", func(a *Answer) { a.Rows = slices.Delete(a.Rows, 3, 4) }, []int64{4}},
		{"last row taken out", func(a *Answer) { a.Rows = slices.Delete(a.Rows, 9, 10); a.Length-- }, []int64{0}},
		{"row given twice", func(a *Answer) { a.Rows = append(a.Rows, a.Rows[3]) }, []int64{4}},
		{"rows changed over", func(a *Answer) { a.Rows[3].Seq, a.Rows[4].Seq = 5, 4 }, []int64{4, 5, 6}},
		{"head", func(a *Answer) { a.Head = noted }, []int64{0}},
		{"length", func(a *Answer) { a.Length = 9 }, []int64{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := *sound
			a.Rows = slices.Clone(sound.Rows)
			c.alter(&a)
			var seqs []int64
			for _, f := range Verify(&a).Flaws {
				seqs = append(seqs, f.Seq)
			}
			if !slices.Equal(seqs, c.seqs) {
				t.Errorf("flaws at %v, want %v: %+v", seqs, c.seqs, Verify(&a).Flaws)
			}
		})
	}
	if v := Verify(sound, "sha256:"+strings.Repeat("1", 64)); len(v.Flaws) != 1 {
		t.Errorf("a head that is not in the chain: %+v", v)
	}
}

func TestThresholdsAreToldOnce(t *testing.T) {
	var told []string
	l := newLab(t, Options{
		Quota: func(key string) int64 { return map[string]int64{"a": 10, "b": 0, "c": 3}[key] },
		Reached: func(r Threshold) ([]engine.Row, func(error)) {
			told = append(told, fmt.Sprintf("%s %d%% %d/%d", r.Key, r.Percent, r.Searches, r.Quota))
			return []engine.Row{{Key: fmt.Sprintf("outbox/%d", len(told)), Value: []byte{1}}}, nil
		},
	})
	step := func(key string, n int64, want ...string) {
		t.Helper()
		told = nil
		l.Search(key, n)
		l.flush()
		if !slices.Equal(told, want) {
			t.Errorf("after %d searches of %s: told %q, want %q", n, key, told, want)
		}
	}
	step("a", 7)
	step("a", 1, "a 80% 8/10")
	l.reopen()
	step("a", 1)
	step("a", 5, "a 100% 14/10")
	step("b", 100)
	step("c", 3, "c 80% 3/3", "c 100% 3/3")
	l.clock.set("2026-12-01 12:00:00")
	step("a", 8, "a 80% 8/10")
	if v, err := l.engine.Row("outbox/1"); err != nil || len(v) != 1 {
		t.Errorf("the row of the event: %v, %v", v, err)
	}
}

func TestMonthSearches(t *testing.T) {
	l := newLab(t, Options{})
	check := func(want int64) {
		t.Helper()
		if n, err := l.MonthSearches("a"); n != want || err != nil {
			t.Errorf("%v: %d searches, want %d (error %v)", l.clock.now, n, want, err)
		}
	}
	l.clock.set("2026-11-30 23:59:00")
	l.Search("a", 5)
	check(5)
	l.flush()
	l.clock.set("2026-12-01 00:00:00")
	check(0)
	l.Search("a", 2)
	check(2)
	l.clock.set("2026-12-02 12:00:00")
	l.flush()
	l.Search("a", 1)
	check(3)
	l.flush()
	l.reopen()
	check(3)
	l.clock.set("2026-11-30 12:00:00")
	check(5)
}

// mapStore is a Store without goroutines of its own, for synthetic time.
type mapStore struct {
	mu   sync.Mutex
	rows map[string][]byte
}

func (s *mapStore) Row(key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.rows[key]; ok {
		return v, nil
	}
	return nil, engine.ErrNotFound
}

func (s *mapStore) Rows(prefix string) iter.Seq2[engine.Row, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := maps.Clone(s.rows)
	return func(yield func(engine.Row, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			if strings.HasPrefix(key, prefix) && !yield(engine.Row{Key: key, Value: rows[key]}, nil) {
				return
			}
		}
	}
}

func (s *mapStore) PutRows(_ context.Context, rows []engine.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range rows {
		s.rows[r.Key] = r.Value
		if r.Value == nil {
			delete(s.rows, r.Key)
		}
	}
	return nil
}

func TestRunLosesASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &mapStore{rows: map[string][]byte{}}
		m, err := Open(e, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() { m.Run(ctx, nil) })
		synctest.Wait()
		searches := func() (n int64) {
			killed, err := Open(e, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := killed.Report(everything)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range r.Rows {
				n += row.Searches
			}
			return n
		}
		m.Search("a", 1)
		if n := searches(); n != 0 {
			t.Errorf("at once: %d", n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := searches(); n != 1 {
			t.Errorf("a second later: %d", n)
		}
		m.Search("a", 1)
		cancel()
		running.Wait()
		if n := searches(); n != 2 {
			t.Errorf("after the end: %d", n)
		}
	})
}

func TestSearchAllocatesNothing(t *testing.T) {
	l := newLab(t, Options{})
	l.Search("a", 1)
	if n := testing.AllocsPerRun(100, func() { l.Search("a", 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOffCountsNothing(t *testing.T) {
	l := newLab(t, Options{})
	l.Search("a", 1)
	l.flush()
	l.opts.Off = true
	l.reopen()
	l.Search("a", 1)
	if rows, done := l.Written("a", l.clock.now, 1); rows != nil || done != nil {
		t.Errorf("rows %v", rows)
	}
	l.flush()
	if got := l.rows(everything); len(got) != 1 || got[0].Searches != 1 {
		t.Errorf("%+v", got)
	}
}

// TestAgainstOracle: whatever happens in which order, writes are exact,
// searches are those up to the last flush before each kill, and the chain
// holds.
func TestAgainstOracle(t *testing.T) {
	for range 30 {
		seed := rand.Uint64()
		rnd := rand.New(rand.NewPCG(seed, 0))
		l := newLab(t, Options{})
		type use struct{ searches, writes int64 }
		kept, fresh := map[slot]use{}, map[slot]use{}
		var heads []string
		for step := range 200 {
			at := slot{DayOf(l.clock.now), string(rune('a' + rnd.IntN(3)))}
			switch rnd.IntN(8) {
			case 0, 1:
				n := rnd.Int64N(5)
				l.Search(at.key, n)
				fresh[at] = use{fresh[at].searches + n, 0}
			case 2, 3:
				n := 1 + rnd.Int64N(5)
				if rnd.IntN(5) == 0 {
					_, done := l.Written(at.key, l.clock.now, n)
					done(engine.ErrStorageFull)
					break
				}
				l.write(at.key, n)
				kept[at] = use{kept[at].searches, kept[at].writes + n}
			case 4:
				l.clock.now = l.clock.now.Add(time.Duration(rnd.IntN(20)-3) * time.Hour)
			case 5:
				l.reopen()
				clear(fresh)
			default:
				l.flush()
				for at, u := range fresh {
					kept[at] = use{kept[at].searches + u.searches, kept[at].writes}
				}
				clear(fresh)
				if h := l.answer().Head; h != "" {
					heads = append(heads, h)
				}
			}
			want := map[slot]use{}
			for at, u := range kept {
				want[at] = use{u.searches + fresh[at].searches, u.writes}
			}
			for at, u := range fresh {
				want[at] = use{kept[at].searches + u.searches, kept[at].writes}
			}
			maps.DeleteFunc(want, func(_ slot, u use) bool { return u == use{} })
			got := map[slot]use{}
			var month int64
			for _, r := range l.rows(everything) {
				at := slot{r.Day, strings.TrimPrefix(r.Key, "key_")}
				got[at] = use{got[at].searches + r.Searches, got[at].writes + r.Writes}
				if at.key == "a" && r.Day.month() == DayOf(l.clock.now).month() {
					month += r.Searches
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d, step %d: counted %v, want %v", seed, step, got, want)
			}
			if n, err := l.MonthSearches("a"); n != month || err != nil {
				t.Fatalf("seed %d, step %d: %d searches of the month, want %d (error %v)", seed, step, n, month, err)
			}
			if v := Verify(l.answer(), heads...); len(v.Flaws) > 0 || !v.Whole {
				t.Fatalf("seed %d, step %d: %+v", seed, step, v)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	l := newLab(t, Options{})
	const clients, each = 8, 50
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				l.Search("a", 1)
				l.write("a", 2)
				if err := l.Flush(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := l.Report(everything); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	l.reopen()
	got := l.rows(everything)
	if len(got) != 1 || got[0].Searches != clients*each || got[0].Writes != 2*clients*each {
		t.Errorf("%+v", got)
	}
	left := 0
	for range l.engine.Rows(writeRows) {
		left++
	}
	if left != 0 {
		t.Errorf("%d rows of commits are left", left)
	}
}

func FuzzStoredRows(f *testing.F) {
	r := Row{Seq: 1, Day: 20000, Key: "key_a", Searches: 1, Chain: noLink}
	f.Add(appendLink(nil, &storedLink{r, noLink}))
	f.Add(r.appendText(nil))
	f.Add(appendHead(nil, head{3, noLink}))
	f.Add([]byte("{}\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := parseLink(b); err == nil && strings.HasPrefix(l.Key, "key_") && !strings.ContainsAny(l.Key, `"\`) {
			if again, err := parseLink(appendLink(nil, &l)); err != nil || again != l {
				t.Errorf("%q reads as %+v and again as %+v (error %v)", b, l, again, err)
			}
		}
		parseRow(b)
		if h, err := parseHead(b); err == nil {
			if again, err := parseHead(appendHead(nil, h)); err != nil || again != h {
				t.Errorf("%q reads as %+v and again as %+v (error %v)", b, h, again, err)
			}
		}
	})
}

func FuzzVerify(f *testing.F) {
	r := Row{Seq: 1, Day: 20000, Key: "key_a", Searches: 1}
	r.Chain = link(noLink, &r)
	f.Add([]byte(fmt.Sprintf(`{"rows":[%s],"base":%q,"head":%q,"chain_length":1}`, r.appendText(nil), noLink, r.Chain)))
	f.Add([]byte(`{"rows":[],"base":null,"head":null,"chain_length":0}`))
	f.Add([]byte(`{"rows":[{"seq":0,"day":"2026-11-21","key":"k","chain":null},{"seq":-5,"day":"2026-11-21","key":"k"}],"chain_length":-1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ParseAnswer(b)
		if err != nil {
			return
		}
		if v := Verify(a); v.Links+v.Open != len(a.Rows) {
			t.Errorf("%q: %d links and %d open of %d rows", b, v.Links, v.Open, len(a.Rows))
		}
	})
}
