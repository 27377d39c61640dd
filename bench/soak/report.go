package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// report is what was done and found. Its counters are safe for concurrent use.
type report struct {
	seed                               uint64
	searches, batches, checks, deletes atomic.Int64
	refused                            atomic.Int64
	wrong                              atomic.Int64
	mixed, crowd                       times
	kinds                              [kinds]durations // of the searches of the mixed load
	before, after, end                 figures
	resident                           []float64 // bytes, each second of the mixed load

	mu    sync.Mutex
	first []string // of what is wrong
}

// fault notes something wrong.
func (r *report) fault(format string, args ...any) {
	r.wrong.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.first) < 10 {
		r.first = append(r.first, fmt.Sprintf(format, args...))
	}
}

// times of requests that were answered.
type times struct{ search, batch durations }

// durations is safe for concurrent use as far as add goes.
type durations struct {
	mu   sync.Mutex
	list []time.Duration
}

func (d *durations) add(took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = append(d.list, took)
}

func (d *durations) quantile(q float64) time.Duration {
	if len(d.list) == 0 {
		return 0
	}
	slices.Sort(d.list)
	return d.list[int(q*float64(len(d.list)-1))].Round(10 * time.Microsecond)
}

// growth is how much memory grew in ten minutes of the mixed load, in per cent,
// by the line that fits best (least squares). The first half, in which caches
// fill, does not count.
func (r *report) growth() float64 {
	late := r.resident[len(r.resident)/2:]
	n := float64(len(late))
	if n < 2 {
		return 0
	}
	var sum, moment float64
	for i, y := range late {
		sum += y
		moment += (float64(i) - (n-1)/2) * y
	}
	perSecond := moment / (n * (n*n - 1) / 12)
	return 100 * 600 * perSecond / (sum / n)
}

// print writes the table.
func (r *report) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, v any) { fmt.Fprintf(w, "%s\t%v\n", name, v) }
	row("seed", r.seed)
	row("searches", r.searches.Load())
	row("batches acknowledged", r.batches.Load())
	row("records deleted", r.deletes.Load())
	row("batches looked for again", r.checks.Load())
	row("wrong", r.wrong.Load())
	row("search p50, p99", fmt.Sprint(r.mixed.search.quantile(.5), ", ", r.mixed.search.quantile(.99)))
	for kind, name := range []string{"a word", "a word and a filter", "a beginning", "a misspelling", "sorted, with a facet"} {
		row("  "+name, fmt.Sprint(r.kinds[kind].quantile(.5), ", ", r.kinds[kind].quantile(.99)))
	}
	row("batch p50, p99", fmt.Sprint(r.mixed.batch.quantile(.5), ", ", r.mixed.batch.quantile(.99)))
	row("overload: answered, told to come again", fmt.Sprint(len(r.crowd.search.list), ", ", r.refused.Load()))
	row("overload: search p50, p99", fmt.Sprint(r.crowd.search.quantile(.5), ", ", r.crowd.search.quantile(.99)))
	if len(r.resident) > 0 {
		row("most memory", fmt.Sprintf("%.0f MiB resident", slices.Max(r.resident)/(1<<20)))
		row("growth in ten minutes", fmt.Sprintf("%.2f %% (of the second half)", r.growth()))
	}
	for _, f := range []struct {
		name string
		figures
	}{{"before", r.before}, {"after the load", r.after}, {"after the overload", r.end}} {
		row(f.name, fmt.Sprintf("%d MiB resident, %d descriptors, %d goroutines", f.resident>>20, f.descriptors, f.goroutines))
	}
	w.Flush()
	for _, line := range r.first {
		fmt.Fprintln(out, "wrong:", line)
	}
}
