package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestPlanMerge(t *testing.T) {
	tests := []struct {
		sizes string
		fanIn int
		from  int // -1: nothing is due
	}{
		{"[]", 4, -1},
		{"[10]", 4, -1},
		{"[10 10 10]", 4, -1},
		{"[10 10 10 10]", 4, 0},
		{"[10 10 10 10 10]", 4, 0},
		{"[1000 10 10 10 10]", 4, 1},
		{"[1000 10 10 10]", 4, -1},
		{"[1000 40 10 10 10 10]", 4, 1},
		{"[61 10 10 10 10]", 4, 1},
		{"[60 10 10 10 10]", 4, 0},
		{"[10 10 10 1000]", 4, 0}, // small ones before a large one ride along
		{"[1 1 1 1 1 1 1]", 8, -1},
		{"[1 1 1 1 1 1 1 1]", 8, 0},
		{"[0 0 0 0]", 4, 0},
	}
	for _, c := range tests {
		sizes := parseSizes(c.sizes)
		want := c.from
		if want < 0 {
			want = len(sizes)
		}
		if got := planMerge(sizes, c.fanIn); got != want {
			t.Errorf("planMerge(%v, %d) = %d, want %d", sizes, c.fanIn, got, want)
		}
	}
}

func TestPlanMemory(t *testing.T) {
	tests := []struct {
		sizes string
		from  int // -1: nothing is due
	}{
		{"[]", -1},
		{"[10 10 10 10 10 10 10]", -1},
		{"[10 10 10 10 10 10 10 10]", 0},
		{"[90 10 10 10 10 10 10 10 10]", 0},
		{"[80 90 1 1 1 1 1 1 1 1]", 2},
		{"[90 90 90 90 90 90 90 90]", 0},
		{"[100 100 100 100 100 100 100 100 100]", -1},
		{"[100 10 10 10 10 10 10 10 10]", 1},
		{"[10 100 10 10 10 10 10 10 10]", -1},
	}
	for _, c := range tests {
		sizes, want := parseSizes(c.sizes), c.from
		if want < 0 {
			want = len(sizes)
		}
		if got := planMemory(sizes, 100); got != want {
			t.Errorf("planMemory(%v, 100) = %d, want %d", sizes, got, want)
		}
	}
}

func parseSizes(s string) []int64 {
	var out []int64
	for _, f := range strings.Fields(strings.Trim(s, "[]")) {
		n, _ := strconv.ParseInt(f, 10, 64)
		out = append(out, n)
	}
	return out
}

func TestPlanDisk(t *testing.T) {
	tests := []struct {
		sizes    []int64
		dead     []float64
		from, to int
	}{
		{nil, nil, 0, 0},
		{[]int64{100}, []float64{0}, 0, 0},
		{[]int64{100}, []float64{0.24}, 0, 0},
		{[]int64{100}, []float64{0.25}, 0, 1},
		{[]int64{100}, []float64{1}, 0, 1},
		{[]int64{1000, 100, 10}, []float64{0, 0.3, 0.9}, 1, 2},
		{[]int64{10, 10, 10, 10}, []float64{0, 0, 0, 0.9}, 0, 4}, // a merge purges, too
		{[]int64{1 << 30, 1 << 27, 1 << 24, 1 << 21, 1 << 18, 1 << 15, 1 << 12, 1 << 9, 1 << 6}, make([]float64, 9), 7, 9},
	}
	for _, c := range tests {
		if from, to := planDisk(c.sizes, c.dead, true); from != c.from || to != c.to {
			t.Errorf("planDisk(%v, %v) = %d, %d, want %d, %d", c.sizes, c.dead, from, to, c.from, c.to)
		}
	}
	// Twice as many while nobody searches, and not one more.
	most := make([]int64, unawaitedFactor*maxSegments)
	for i := range most {
		most[i] = 1 << (30 - i)
	}
	for _, c := range []struct {
		sizes    []int64
		from, to int
	}{
		{[]int64{10, 10, 10, 10}, 0, 0},
		{[]int64{10, 10, 10, 10, 10, 10, 10}, 0, 0},
		{[]int64{10, 10, 10, 10, 10, 10, 10, 10}, 0, 8},
		{most, 0, 0},
		{append(most, 1), len(most) - 1, len(most) + 1},
	} {
		if from, to := planDisk(c.sizes, make([]float64, len(c.sizes)), false); from != c.from || to != c.to {
			t.Errorf("planDisk(%v), not awaited = %d, %d, want %d, %d", c.sizes, from, to, c.from, c.to)
		}
	}
}

// TestMergesStayBounded plays flushes and merges of random sizes: there are
// never many segments, and each byte is written once and then about once more
// for each time that the index grows by the factor diskFanIn.
func TestMergesStayBounded(t *testing.T) {
	const flushes = 400
	limit := 1 + math.Log(flushes)/math.Log(diskFanIn)
	for _, c := range []struct {
		name string
		size func(r *rand.Rand, i int) int64
	}{
		{"equal", func(*rand.Rand, int) int64 { return 8 << 20 }},
		{"up to twice", func(r *rand.Rand, _ int) int64 { return 4<<20 + r.Int64N(4<<20) }},
		{"very different", func(r *rand.Rand, _ int) int64 { return 1 << (10 + r.IntN(14)) }},
		{"growing", func(_ *rand.Rand, i int) int64 { return int64(1+i) << 14 }},
		{"shrinking", func(_ *rand.Rand, i int) int64 { return int64(flushes-i) << 14 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(10) {
				awaited := seed%2 == 0
				r := rand.New(rand.NewPCG(seed/2, 1))
				var sizes []int64
				came, wrote, most := int64(0), int64(0), 0
				for i := range flushes {
					n := c.size(r, i)
					came, wrote = came+n, wrote+n
					sizes = append(sizes, n)
					for rounds := 0; ; rounds++ {
						from, to := planDisk(sizes, make([]float64, len(sizes)), awaited)
						if from == to {
							break
						}
						if from < 0 || to > len(sizes) || to < from+2 {
							t.Fatalf("seed %d: planDisk(%v) = %d, %d", seed, sizes, from, to)
						}
						if rounds > 100 {
							t.Fatalf("seed %d: planDisk does not come to an end: %v", seed, sizes)
						}
						sum := int64(0)
						for _, s := range sizes[from:to] {
							sum += s
						}
						wrote += sum
						sizes = slices.Replace(sizes, from, to, sum)
					}
					most = max(most, len(sizes))
				}
				if bound := map[bool]int{true: maxSegments, false: unawaitedFactor * maxSegments}[awaited]; most > bound {
					t.Errorf("seed %d: %d segments", seed, most)
				}
				if a := float64(wrote) / float64(came); a > limit {
					t.Errorf("seed %d: %.2f bytes written for each that came, at most %.2f", seed, a, limit)
				} else if seed == 0 {
					t.Logf("%d flushes: at most %d segments, %.2f bytes written for each that came", flushes, most, a)
				}
			}
		})
	}
}

// TestMergesAreForThoseWhoSearch: segments in memory stay as batches made them while nobody
// searches, up to a limit; a search, or a pause, makes merges due, and a flush ends that.
func TestMergesAreForThoseWhoSearch(t *testing.T) {
	e := newEngine(t, nil)
	e.maintain.stop() // the test does what the background would
	state := func() (memory, due int) {
		iv, err := e.newest("i")
		if err != nil {
			t.Fatal(err)
		}
		return len(iv.memory()), len(e.memoryMerge(iv))
	}
	n := 0
	fill := func(batches int) {
		for range batches {
			n++
			apply(t, e, puts("i", `{"id":"`+strconv.Itoa(n)+`","t":"red"}`))
		}
	}
	is := func(when string, memory, due int) {
		t.Helper()
		if m, d := state(); m != memory || d != due {
			t.Errorf("%s: %d segments in memory, %d due, want %d and %d", when, m, d, memory, due)
		}
	}
	fill(3 * memoryFanIn)
	is("after batches", 3*memoryFanIn, 0)
	find(t, e, &Request{Query: "red"})
	is("after a search", 3*memoryFanIn, 3*memoryFanIn)
	if err := e.flushRound(t.Context()); err != nil {
		t.Fatal(err)
	}
	is("after it was merged", 1, 0)
	fill(memoryFanIn)
	is("after more batches", 1+memoryFanIn, 1+memoryFanIn)
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(unawaitedSegments - 1)
	is("after a flush", unawaitedSegments-1, 0)
	fill(1)
	is("at the limit", unawaitedSegments, unawaitedSegments)
	if err := e.flushRound(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(memoryFanIn)
	is("after the limit", 1+memoryFanIn, 0)
	e.await()
	is("in a pause", 1+memoryFanIn, 1+memoryFanIn)
}

// TestNoMerge: segments stay as flushes made them until Merge is asked for.
func TestNoMerge(t *testing.T) {
	e := newEngine(t, &Options{NoMerge: true})
	const flushes = 2 * maxSegments
	for i := range flushes {
		apply(t, e, puts("i", `{"id":"`+strconv.Itoa(i)+`","t":"red"}`))
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.mergeRound(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	segments := func() int {
		iv, err := e.newest("i")
		if err != nil {
			t.Fatal(err)
		}
		return len(iv.disk())
	}
	if n := segments(); n != flushes {
		t.Errorf("%d segments after %d flushes", n, flushes)
	}
	if err := e.Merge(t.Context(), "i"); err != nil {
		t.Fatal(err)
	}
	if n := segments(); n != 1 {
		t.Errorf("%d segments after Merge", n)
	}
}
