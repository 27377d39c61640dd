package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/storage"
)

// The benchmarks of this file are of the write side and of what writing does to
// queries: each plays one scenario once and reports the figure that it is about.
//
//	go test -run '^$' -bench Indexing -benchtime 1x -timeout 60m ./bench

// corpusLines reads the records of a speed corpus, at most limit of them.
func corpusLines(tb testing.TB, name string, limit int) [][]byte {
	tb.Helper()
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		tb.Skip("QUARRY_COLLECTIONS is not set: no corpus to index")
	}
	f, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
	if err != nil {
		tb.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]byte
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	for len(out) < limit && lines.Scan() {
		out = append(out, bytes.Clone(lines.Bytes()))
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return out
}

// plainRecords is a speed corpus as bench/peers gives it to every engine: an id
// and one text of lower-case runs of letters and digits.
func plainRecords(tb testing.TB, name string) [][]byte {
	tb.Helper()
	lines := corpusLines(tb, name, 1<<30)
	out := lines[:0]
	for _, line := range lines {
		var r struct {
			ID          string `json:"_id"`
			Title, Text string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			tb.Fatal(err)
		}
		words := strings.FieldsFunc(strings.ToLower(r.Title+" "+r.Text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if len(words) == 0 {
			continue
		}
		record, err := json.Marshal(map[string]string{"id": r.ID, "text": strings.Join(words, " ")})
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, record)
	}
	return out
}

// plainSchema is that of quarry bench: one text, split at white space.
var plainSchema = engine.Schema{Language: "none", Fields: []engine.Field{
	{Name: "text", Type: engine.Text, Search: true, Analyzer: "whitespace"},
}}

// dynamicSchema takes the records of the collections as they are.
var dynamicSchema = engine.Schema{PrimaryKey: "_id", Dynamic: true}

// openNew opens an engine in a new directory with an index c.
func openNew(tb testing.TB, s engine.Schema) (*engine.Engine, string) {
	tb.Helper()
	dir := tb.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := e.CreateIndex(context.Background(), "c", s); err != nil {
		tb.Fatal(err)
	}
	return e, dir
}

// put writes records in batches of size, by so many writers at once, and
// returns how long each batch took.
func put(tb testing.TB, e *engine.Engine, records [][]byte, size, writers int) []time.Duration {
	tb.Helper()
	batches := make(chan [][]byte)
	took := make([][]time.Duration, writers)
	errs := make([]error, writers)
	var done sync.WaitGroup
	for w := range writers {
		done.Go(func() {
			for list := range batches {
				var b engine.Batch
				for _, r := range list {
					b.Put("c", r)
				}
				start := time.Now()
				if _, err := e.Apply(context.Background(), &b); err != nil && errs[w] == nil {
					errs[w] = err
				}
				took[w] = append(took[w], time.Since(start))
			}
		})
	}
	for list := range slices.Chunk(records, size) {
		batches <- list
	}
	close(batches)
	done.Wait()
	for _, err := range errs {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return slices.Concat(took...)
}

// stopwatch measures wall and processor time.
type stopwatch struct {
	wall time.Time
	cpu  time.Duration
}

func startWatch() stopwatch {
	runtime.GC()
	return stopwatch{time.Now(), cpuTime()}
}

// report gives the seconds since the start, those of the processors, and what
// n things make a second.
func (s stopwatch) report(b *testing.B, n int, what string) {
	wall, cpu := time.Since(s.wall), cpuTime()-s.cpu
	b.ReportMetric(wall.Seconds(), "s")
	b.ReportMetric(cpu.Seconds(), "cpu-s")
	b.ReportMetric(float64(n)/wall.Seconds(), what+"/s")
}

// quantile returns the q-th of the times, in ms.
func quantile(d []time.Duration, q float64) float64 {
	slices.Sort(d)
	return float64(d[int(q*float64(len(d)-1))].Nanoseconds()) / 1e6
}

// BenchmarkIndexingBuild makes one segment of all records of a corpus, and
// reports the bytes on disk by part, after compaction.
func BenchmarkIndexingBuild(b *testing.B) {
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			records := plainRecords(b, name)
			for b.Loop() {
				e, _ := openNew(b, plainSchema)
				w := startWatch()
				put(b, e, records, 20_000, runtime.GOMAXPROCS(0))
				if err := e.Merge(context.Background(), "c"); err != nil {
					b.Fatal(err)
				}
				w.report(b, len(records), "records")
				b.ReportMetric(0, "ns/op")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// kinds are the two ways in which records are written: as bench/peers gives them
// to every engine, and with all the fields of the collection, which are facets
// and numbers, with word forms.
var kinds = []struct {
	name    string
	schema  engine.Schema
	records func(testing.TB, string) [][]byte
}{
	{"plain", plainSchema, plainRecords},
	{"all-fields", dynamicSchema, func(tb testing.TB, name string) [][]byte { return corpusLines(tb, name, 1<<30) }},
}

// BenchmarkIndexingInsert writes 400,000 records in durable batches of 1,000:
// one batch after the other, and by two writers at once. Records are stored.
func BenchmarkIndexingInsert(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			records := k.records(b, "speed-packages")[:400_000]
			for _, writers := range []int{1, 2} {
				b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
					for b.Loop() {
						e, _ := openNew(b, k.schema)
						w := startWatch()
						took := put(b, e, records, 1000, writers)
						w.report(b, len(records), "records")
						b.ReportMetric(quantile(took, .5), "p50-ms")
						b.ReportMetric(quantile(took, 1), "max-ms")
						b.ReportMetric(0, "ns/op")
						if err := e.Close(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// BenchmarkIndexingVisible writes one record at a time into an index of 200,000
// and asks for it, until it is found, which is at the first attempt. After each
// it appends as many bytes to a file of the same directory and syncs them: what
// the file system alone takes.
func BenchmarkIndexingVisible(b *testing.B) {
	records := plainRecords(b, "speed-packages")[:200_000]
	for b.Loop() {
		e, dir := openNew(b, plainSchema)
		put(b, e, records, 10_000, 2)
		bare := newSyncer(b, dir)
		var took, synced []time.Duration
		for i := range 500 {
			word := fmt.Sprintf("visibleprobe%d", i)
			var batch engine.Batch
			batch.Put("c", fmt.Appendf(nil, `{"id":%q,"text":"a small new record %s"}`, word, word))
			start := time.Now()
			if _, err := e.Apply(context.Background(), &batch); err != nil {
				b.Fatal(err)
			}
			if n := count(b, e, word); n != 1 {
				b.Fatalf("%q is in %d records", word, n)
			}
			took = append(took, time.Since(start))
			synced = append(synced, bare.sync(b))
		}
		for _, q := range []float64{.5, .99} {
			b.ReportMetric(quantile(took, q), fmt.Sprintf("p%g-ms", 100*q))
			b.ReportMetric(quantile(synced, q), fmt.Sprintf("sync-p%g-ms", 100*q))
		}
		b.ReportMetric(0, "ns/op")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// syncer writes to a file as a log does that is used again: over blocks that it
// has already.
type syncer struct{ f *os.File }

// newSyncer makes the file in a directory beside dir, on the same file system.
func newSyncer(tb testing.TB, dir string) syncer {
	tb.Helper()
	f, err := os.OpenFile(filepath.Join(filepath.Dir(dir), "synced"), os.O_WRONLY|os.O_CREATE|syncedWrites, 0o600)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	if _, err := f.Write(make([]byte, 1<<20)); err != nil {
		tb.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		tb.Fatal(err)
	}
	return syncer{f}
}

// sync appends about as much as a commit of one record does, and returns how
// long it took until that was durable.
func (s syncer) sync(tb testing.TB) time.Duration {
	data := make([]byte, 500)
	start := time.Now()
	if _, err := s.f.Write(data); err != nil {
		tb.Fatal(err)
	}
	return time.Since(start)
}

// count returns how many records hold a word.
func count(tb testing.TB, e *engine.Engine, word string) int64 {
	tb.Helper()
	res, err := e.Search(context.Background(), &engine.Request{Query: word, Limit: -1, Ranking: engine.RankingBM25, Prefix: engine.PrefixOff})
	if err != nil {
		tb.Fatal(err)
	}
	return res.Total
}

// BenchmarkIndexingChange updates every fifth of 400,000 records in batches of
// 1,000, then deletes every tenth, as the scenario of bench/peers does.
func BenchmarkIndexingChange(b *testing.B) {
	records := plainRecords(b, "speed-packages")[:400_000]
	var updates [][]byte
	var deletes []string
	for i := 0; i < len(records); i += 5 {
		var r struct{ ID, Text string }
		if err := json.Unmarshal(records[i], &r); err != nil {
			b.Fatal(err)
		}
		updates = append(updates, fmt.Appendf(nil, `{"id":%q,"text":%q}`, r.ID, r.Text+" updatedmark"))
		if i%10 == 0 {
			deletes = append(deletes, r.ID)
		}
	}
	for b.Loop() {
		e, _ := openNew(b, plainSchema)
		put(b, e, records, 10_000, 2)
		w := startWatch()
		put(b, e, updates, 1000, 1)
		w.report(b, len(updates), "updates")
		start := time.Now()
		for ids := range slices.Chunk(deletes, 1000) {
			var batch engine.Batch
			for _, id := range ids {
				batch.Delete("c", id)
			}
			if _, err := e.Apply(context.Background(), &batch); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(deletes))/time.Since(start).Seconds(), "deletes/s")
		b.ReportMetric(0, "ns/op")
		if n := count(b, e, "updatedmark"); n != int64(len(updates)-len(deletes)) {
			b.Fatalf("%d records with the mark, want %d", n, len(updates)-len(deletes))
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// builtDir is a directory with all records of a corpus in one segment, as
// bench/peers has it, compacted and closed.
func builtDir(b *testing.B, name string) string {
	b.Helper()
	e, dir := openNew(b, plainSchema)
	put(b, e, plainRecords(b, name), 20_000, 2)
	if err := e.Merge(context.Background(), "c"); err != nil {
		b.Fatal(err)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	s, err := storage.Open(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(s.Compact(context.Background(), nil, nil), s.Close()); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkIndexingSize reports the MB (10^6 bytes) that a corpus takes in
// Quarry, by part. "index" is all that peers without stored records have.
func BenchmarkIndexingSize(b *testing.B) {
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e := openBuilt(b, builtDir(b, name), &engine.Options{ReadOnly: true})
				all := e.Stats().Indexes[0]
				var sum, records int64
				for _, p := range all.Parts {
					sum += p.Bytes
					switch p.Name {
					case "records":
						records = p.Bytes
						fallthrough
					case "record ids", "segments", "id filter":
						b.ReportMetric(float64(p.Bytes)/1e6, strings.ReplaceAll(p.Name, " ", "-")+"-MB")
					}
				}
				b.ReportMetric(float64(sum-records)/1e6, "index-MB")
				b.ReportMetric(float64(all.Segments[0].ListBytes)/1e6, "lists-MB")
				b.ReportMetric(float64(all.Segments[0].PositionBytes)/1e6, "positions-MB")
				b.ReportMetric(float64(all.Segments[0].BlockBytes)/1e6, "dictionary-MB")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// openBuilt opens a directory until the end of the benchmark.
func openBuilt(b *testing.B, dir string, o *engine.Options) *engine.Engine {
	b.Helper()
	e, err := engine.Open(dir, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	return e
}

// idleDir names the directory that TestIdle is to open, in a process of its own.
const idleDir = "QUARRY_BENCH_IDLE"

// TestIdle is the child process of BenchmarkIndexingOpen: it opens the
// directory, asks one query, and prints how long that took and what memory is
// resident after it.
func TestIdle(t *testing.T) {
	dir := os.Getenv(idleDir)
	if dir == "" {
		t.Skip("runs as a child of BenchmarkIndexingOpen")
	}
	start := time.Now()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	count(t, e, "library")
	took := time.Since(start)
	debug.FreeOSMemory() // what the runtime does by itself after some minutes
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	var rss, anon int
	for line := range strings.Lines(string(status)) {
		fmt.Sscanf(line, "VmRSS: %d kB", &rss)
		fmt.Sscanf(line, "RssAnon: %d kB", &anon)
	}
	fmt.Printf("idle %d %d %d\n", took.Microseconds(), rss, anon)
	if name := os.Getenv(idleDir + "_PROFILE"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := pprof.WriteHeapProfile(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkIndexingOpen opens all of speed-packages in new processes. It
// reports the time to the first answer and the memory that is then resident:
// all of it (the program and pages of files, too), and what is not a file's.
func BenchmarkIndexingOpen(b *testing.B) {
	dir := builtDir(b, "speed-packages")
	for b.Loop() {
		var took []time.Duration
		var rss, anon int
		for range 11 {
			c := exec.Command(os.Args[0], "-test.run", "^TestIdle$", "-test.v")
			c.Env = append(os.Environ(), idleDir+"="+dir)
			out, err := c.CombinedOutput()
			if err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			var us int
			_, text, _ := strings.Cut(string(out), "idle ")
			if _, err := fmt.Sscanf(text, "%d %d %d", &us, &rss, &anon); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			took = append(took, time.Duration(us)*time.Microsecond)
		}
		b.ReportMetric(quantile(took, .5), "open-and-query-ms")
		b.ReportMetric(float64(rss)/1024, "rss-MiB")
		b.ReportMetric(float64(anon)/1024, "anonymous-MiB")
		b.ReportMetric(0, "ns/op")
	}
}

// plainQueries are the queries of a speed corpus that the syntax of bench/peers
// has, in the form of that comparison: BM25, ten hits, no total.
func plainQueries(tb testing.TB, name string) []engine.Request {
	tb.Helper()
	types, queries := speedQueries(tb, name)
	var out []engine.Request
	for _, typ := range types {
		for _, q := range queries[typ] {
			if !strings.ContainsAny(q, "*~") {
				out = append(out, engine.Request{
					Query: strings.ToLower(q), Limit: 10, Ranking: engine.RankingBM25, Prefix: engine.PrefixOff,
					Match: engine.MatchAny, NoTotal: true, NoRecord: true,
				})
			}
		}
	}
	return out
}

// askAll runs every query once and returns how long each took.
func askAll(tb testing.TB, e *engine.Engine, queries []engine.Request) []time.Duration {
	took := make([]time.Duration, len(queries))
	for i := range queries {
		start := time.Now()
		if _, err := e.Search(context.Background(), &queries[i]); err != nil {
			tb.Error(err)
		}
		took[i] = time.Since(start)
	}
	return took
}

// best runs the queries several times and returns the mean, in us, of each
// one's best time.
func best(tb testing.TB, e *engine.Engine, queries []engine.Request, passes int) float64 {
	least := askAll(tb, e, queries)
	for range passes - 1 {
		for i, d := range askAll(tb, e, queries) {
			least[i] = min(least[i], d)
		}
	}
	return mean(least)
}

// mean returns the mean in us.
func mean(d []time.Duration) float64 {
	var sum time.Duration
	for _, t := range d {
		sum += t
	}
	return float64(sum.Nanoseconds()) / 1e3 / float64(len(d))
}

// BenchmarkIndexingCold asks the queries of an index with the default budget of memory, and
// with one of which the caches are about a tenth of the index. Of each query it takes
// the median of as many passes, of both alike: none comes soon enough after the last one to
// find what that had read.
func BenchmarkIndexingCold(b *testing.B) {
	for _, name := range []string{"speed-packages", "speed-mix-en"} {
		b.Run(name, func(b *testing.B) {
			dir := builtDir(b, name)
			queries := plainQueries(b, name)
			ask := func(memory int64) float64 {
				e := openBuilt(b, dir, &engine.Options{ReadOnly: true, Memory: memory})
				took := medians(b, e, queries, 11)
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				return mean(took)
			}
			for b.Loop() {
				// The smallest budget, 16 MiB: blocks get 4 of it, lists 8 at most.
				fast, slow := ask(0), ask(16<<20)
				b.ReportMetric(fast, "warm-us")
				b.ReportMetric(slow, "cold-us")
				b.ReportMetric(slow/fast, "cold/warm")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// medians runs the queries once to warm up and then several times, and returns the median of
// each.
func medians(tb testing.TB, e *engine.Engine, queries []engine.Request, passes int) []time.Duration {
	askAll(tb, e, queries)
	took := make([][]time.Duration, len(queries))
	for range passes {
		for i, d := range askAll(tb, e, queries) {
			took[i] = append(took[i], d)
		}
	}
	out := make([]time.Duration, len(queries))
	for i, row := range took {
		slices.Sort(row)
		out[i] = row[len(row)/2]
	}
	return out
}

// BenchmarkIndexingThreads compares how many queries a second one and two
// goroutines get answered.
func BenchmarkIndexingThreads(b *testing.B) {
	e := openBuilt(b, builtDir(b, "speed-mix-en"), nil)
	queries := plainQueries(b, "speed-mix-en")
	askAll(b, e, queries)
	for b.Loop() {
		rate := func(threads int) float64 {
			const passes = 10
			start := time.Now()
			var done sync.WaitGroup
			for range threads {
				done.Go(func() {
					for range passes {
						askAll(b, e, queries)
					}
				})
			}
			done.Wait()
			return float64(threads*passes*len(queries)) / time.Since(start).Seconds()
		}
		one := max(rate(1), rate(1))
		two := max(rate(2), rate(2))
		b.ReportMetric(one, "one/s")
		b.ReportMetric(two, "two/s")
		b.ReportMetric(two/one, "two/one")
		b.ReportMetric(0, "ns/op")
	}
}

// BenchmarkIndexingSegments compares the queries on ten segments of which a
// tenth of the records is deleted with those on one segment without deletions.
func BenchmarkIndexingSegments(b *testing.B) {
	const name = "speed-packages"
	records := plainRecords(b, name)
	queries := plainQueries(b, name)
	ctx := context.Background()
	for b.Loop() {
		e, _ := openNew(b, plainSchema)
		// Ten segments of falling size, each more than half as large again as
		// all after it, so that no merge is due.
		sizes, left := []int{}, len(records)
		for i := range 10 {
			n := left * 62 / 100
			if i == 9 {
				n = left
			}
			sizes = append(sizes, n)
			left -= n
		}
		at := 0
		for _, n := range sizes {
			put(b, e, records[at:at+n], 20_000, 2)
			at += n
		}
		var batch engine.Batch
		for i := 0; i < len(records); i += 10 {
			var r struct{ ID string }
			if err := json.Unmarshal(records[i], &r); err != nil {
				b.Fatal(err)
			}
			if batch.Delete("c", r.ID); len(batch.Ops) == 50_000 || i+10 >= len(records) {
				if _, err := e.Apply(ctx, &batch); err != nil {
					b.Fatal(err)
				}
				batch = engine.Batch{}
			}
		}
		if err := e.Flush(ctx); err != nil {
			b.Fatal(err)
		}
		segments := len(e.Stats().Indexes[0].Segments)
		many := best(b, e, queries, 5)
		if err := e.Merge(ctx, "c"); err != nil {
			b.Fatal(err)
		}
		one := best(b, e, queries, 5)
		b.ReportMetric(float64(segments), "segments")
		b.ReportMetric(many, "many-us")
		b.ReportMetric(one, "one-us")
		b.ReportMetric(many/one, "many/one")
		b.ReportMetric(0, "ns/op")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIndexingQueriesBesideWrites compares the times of queries on an idle
// index of 300,000 records with those while 20,000 records a second come.
func BenchmarkIndexingQueriesBesideWrites(b *testing.B) {
	const name, rate = "speed-packages", 20_000
	records := plainRecords(b, name)
	queries := plainQueries(b, name)
	ctx := context.Background()
	for b.Loop() {
		e, _ := openNew(b, plainSchema)
		put(b, e, records[:300_000], 20_000, 2)
		if err := e.Merge(ctx, "c"); err != nil {
			b.Fatal(err)
		}
		askAll(b, e, queries)
		var idle []time.Duration
		for range 5 {
			idle = append(idle, askAll(b, e, queries)...)
		}
		stop, wrote := make(chan struct{}), make(chan int)
		go func() {
			n, tick := 0, time.NewTicker(time.Second*1000/rate)
			defer tick.Stop()
			for list := range slices.Chunk(records[300_000:], 1000) {
				select {
				case <-stop:
					wrote <- n
					return
				case <-tick.C:
				}
				put(b, e, list, 1000, 1)
				n += len(list)
			}
			wrote <- n
		}()
		start := time.Now()
		var busy []time.Duration
		for time.Since(start) < 20*time.Second {
			busy = append(busy, askAll(b, e, queries)...)
		}
		close(stop)
		written := float64(<-wrote) / time.Since(start).Seconds()
		// The index has more than twice the records by now, in more segments.
		var after []time.Duration
		for range 5 {
			after = append(after, askAll(b, e, queries)...)
		}
		b.ReportMetric(written, "records/s")
		b.ReportMetric(quantile(after, .99), "after-p99-ms")
		for _, q := range []float64{.5, .99} {
			b.ReportMetric(quantile(idle, q), fmt.Sprintf("idle-p%g-ms", 100*q))
			b.ReportMetric(quantile(busy, q), fmt.Sprintf("busy-p%g-ms", 100*q))
		}
		b.ReportMetric(quantile(busy, .99)/quantile(idle, .99), "busy/idle-p99")
		b.ReportMetric(0, "ns/op")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
