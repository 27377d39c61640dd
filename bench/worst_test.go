//go:build unix

package bench

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

var worstRecords = flag.Int("worst", 0, "records of speed-packages that TestWorstQueries searches; 0: it is skipped")

const (
	// worstTimeout is the timeout of a search over HTTP that asks for none.
	worstTimeout = 2 * time.Second
	// worstMemory is what a search may add to the heap.
	worstMemory = 256 << 20
)

// TestWorstQueries asks a large index for the most that each kind of request
// may ask for. Each is answered, or cut off and says so, soon after its timeout,
// with memory that does not depend on what it found.
func TestWorstQueries(t *testing.T) {
	if *worstRecords == 0 {
		t.Skip("without -worst")
	}
	e, words := worstIndex(t, *worstRecords)
	many := func(n int, word func(i int) string, between string) string {
		var list []string
		for i := range n {
			list = append(list, word(i))
		}
		return strings.Join(list, between)
	}
	common := func(i int) string { return words[i%len(words)] }
	var facets []engine.FacetRequest
	for _, f := range []string{"version", "month", "year", "registry"} {
		facets = append(facets, engine.FacetRequest{Field: f, Limit: 1000})
	}
	limits := e.Limits()
	for _, c := range []struct {
		name string
		r    engine.Request
	}{
		{"every record", engine.Request{Limit: 1000}},
		{"every record, by version, deep", engine.Request{Limit: 1000, Offset: 9000, Sort: []engine.SortKey{{Field: "version"}, {Field: "month", Desc: true}}}},
		{"every record, all facets", engine.Request{Facets: facets}},
		{"the commonest words", engine.Request{Query: many(limits.QueryTerms, common, " "), Match: engine.MatchAny}},
		{"the commonest words, all", engine.Request{Query: many(limits.QueryTerms, common, " "), Match: engine.MatchAll}},
		{"the commonest words, most", engine.Request{Query: many(limits.QueryTerms, common, " "), Limit: 1000, Explain: true}},
		{"misspelt words", engine.Request{Query: many(limits.QueryTerms, func(i int) string { return common(i) + "xq" }, " "), Match: engine.MatchAny}},
		{"beginnings", engine.Request{Query: many(limits.QueryTerms, func(i int) string { return string(rune('a'+i%26)) + string(rune('a'+i/26)) }, " "), Prefix: engine.PrefixAll, Match: engine.MatchAny}},
		{"one letter", engine.Request{Query: "a", Prefix: engine.PrefixAll, Facets: facets}},
		{"a long phrase", engine.Request{Query: `"` + many(limits.QueryTerms, common, " ") + `"`}},
		{"phrases", engine.Request{Query: many(limits.QueryTerms/2, func(i int) string { return `"` + common(i) + " " + common(i+1) + `"` }, " "), Match: engine.MatchAny, Facets: facets}},
		{"a filter of many parts", engine.Request{Filter: many(limits.FilterOps/2, func(i int) string { return fmt.Sprintf("year > %d", 1900+i%150) }, " OR ")}},
		{"a filter of many exclusions", engine.Request{Query: common(0), Filter: many(limits.FilterOps/3, func(i int) string { return fmt.Sprintf("NOT version = '%d.0'", i) }, " AND ")}},
		{"a long list", engine.Request{Filter: "version IN [" + many(limits.FilterOps, func(i int) string { return fmt.Sprintf("'%d.%d'", i/10, i%10) }, ",") + "]"}},
		{"values by their beginning", engine.Request{Filter: "version STARTS WITH '0'", Facets: facets, Sort: []engine.SortKey{{Field: "month"}}}},
		{"syntax", engine.Request{Syntax: engine.SyntaxQuery, Query: many(limits.QueryTerms/2, func(i int) string { return string(rune('a'+i%26)) + string(rune('a'+i/26)) + "* OR " + common(i) }, " OR ")}},
		{"fragments of a thousand hits", engine.Request{Query: many(10, common, " "), Match: engine.MatchAny, Limit: 1000, Highlight: &engine.HighlightRequest{Words: 100}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.r.Timeout = worstTimeout
			var m0, m1 runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m0)
			peak := watchHeap()
			begin, worked := time.Now(), processorTime(t)
			res, err := e.Search(context.Background(), &c.r)
			took := time.Since(begin)
			worked = processorTime(t) - worked
			grown := int64(peak()) - int64(m0.HeapAlloc)
			runtime.ReadMemStats(&m1)
			var refused *engine.InvalidError
			switch {
			case errors.As(err, &refused):
				t.Logf("refused in %v: %.200v", took.Round(time.Millisecond), err)
			case err != nil:
				t.Fatal(err)
			default:
				t.Logf("%v, %v of processors, %d of %d hits, total exact: %t, heap + %d MiB at most, %d MiB allocated", took.Round(time.Millisecond), worked.Round(time.Millisecond), len(res.Hits), res.Total, res.TotalExact, grown>>20, (m1.TotalAlloc-m0.TotalAlloc)>>20)
			}
			// On a machine that does other things the clock says little.
			if min(took, worked) > worstTimeout+time.Second/2 {
				t.Errorf("took %v with a timeout of %v", min(took, worked), worstTimeout)
			}
			if grown > worstMemory {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
		})
	}
}

// worstIndex indexes speed-packages and returns its commonest words.
func worstIndex(t *testing.T, records int) (*engine.Engine, []string) {
	t.Helper()
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		t.Skip("QUARRY_COLLECTIONS is not set: no corpus to search")
	}
	f, err := os.Open(filepath.Join(root, "speed-packages", "corpus.jsonl.gz"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	e, err := engine.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	value := func(name string, typ engine.Type) engine.Field {
		return engine.Field{Name: name, Type: typ, Filter: true, Facet: true, Sort: true}
	}
	if _, err := e.CreateIndex(ctx, "c", engine.Schema{PrimaryKey: "_id", Fields: []engine.Field{
		{Name: "title", Type: engine.Text, Search: true, Weight: 3}, {Name: "text", Type: engine.Text, Search: true},
		value("registry", engine.Keyword), value("version", engine.Keyword), value("month", engine.Keyword), value("year", engine.Int),
	}}); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	var b engine.Batch
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	for n := 0; n < records && lines.Scan(); n++ {
		b.Put("c", slices.Clone(lines.Bytes()))
		if n%50 == 0 {
			for _, w := range strings.FieldsFunc(strings.ToLower(lines.Text()), func(r rune) bool { return r < 'a' || r > 'z' }) {
				count[w]++
			}
		}
		if len(b.Ops) == 10_000 || n == records-1 {
			if _, err := e.Apply(ctx, &b); err != nil {
				t.Fatal(err)
			}
			b.Ops = b.Ops[:0]
		}
	}
	if len(b.Ops) > 0 {
		if _, err := e.Apply(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	var words []string
	for w := range count {
		if len(w) > 2 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	t.Logf("%d records", e.Indexes()[0].Records)
	return e, words[:min(len(words), 500)]
}

// processorTime is what processors have spent on this process.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watchHeap looks at the size of the heap all the time, until the function that
// it returns is called, which returns the greatest.
func watchHeap() (stop func() uint64) {
	end := make(chan struct{})
	var greatest uint64
	var watching sync.WaitGroup
	watching.Go(func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(sample)
			greatest = max(greatest, sample[0].Value.Uint64())
			select {
			case <-end:
				return
			case <-tick.C:
			}
		}
	})
	return func() uint64 {
		close(end)
		watching.Wait()
		return min(greatest, math.MaxInt64)
	}
}
