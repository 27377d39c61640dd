package page

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/geo"
)

// order compares two values of one column.
func order(a, b Value) int {
	if a.Kind == KindKeyword {
		return bytes.Compare(a.Str, b.Str)
	}
	return number(a).Cmp(number(b))
}

// extremeOf is the value that a document sorts by.
func extremeOf(values []Value, greatest bool) Value {
	if greatest {
		return slices.MaxFunc(values, order)
	}
	return slices.MinFunc(values, order)
}

func TestWalkFindsTheBest(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		for field := range uint16(fieldGeo) {
			col := column(t, c, field)
			if col == nil {
				continue
			}
			words, greatest, k := randomWords(rng), rng.IntN(2) == 0, 1+rng.IntN(20)
			var all, best []Value // best: the k best found so far
			better := func(a, b Value) int {
				if greatest {
					a, b = b, a
				}
				return order(a, b)
			}
			start := randomValue(rng, field) // as behind a cursor
			for i := range docs {
				if values := valuesOf(&docs[i], field); len(values) > 0 && isSet(words, base+i) {
					if v := extremeOf(values, greatest); better(v, start) >= 0 {
						all = append(all, v)
					}
				}
			}
			limits := Limits{Low: At(start), Untied: AllTie}
			if greatest {
				limits = Limits{High: At(start), Untied: AllTie}
			}
			col.Walk(words, base, greatest, &limits, func(i int) bool {
				v, ok := col.Extreme(i, greatest)
				if want := extremeOf(valuesOf(&docs[i], field), greatest); !ok || order(v, want) != 0 || !isSet(words, base+i) {
					t.Fatalf("field %d: document %d sorts by %v, want %v", field, i, v, want)
				}
				best = append(best, v)
				slices.SortFunc(best, better)
				if len(best) < k {
					return false
				}
				best = best[:k]
				if greatest {
					limits.Low = At(best[k-1])
				} else {
					limits.High = At(best[k-1])
				}
				return true
			})
			slices.SortFunc(all, better)
			if !slices.EqualFunc(best, all[:min(k, len(all))], func(a, b Value) bool { return order(a, b) == 0 }) {
				t.Fatalf("field %d, greatest %v from %v: best %d are %v, want %v", field, greatest, start, k, best, all[:min(k, len(all))])
			}
		}
	})
}

func TestKeepIsRange(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		_, c, base := scanCase(t, rng)
		for field := range uint16(fieldGeo) {
			if col := column(t, c, field); col != nil {
				lo, hi := randomBound(rng, field), randomBound(rng, field)
				words := randomWords(rng)
				var in [Size / 64]uint64
				col.Range(lo, hi, &in, base)
				for i := range in {
					in[i] &= words[i]
				}
				if col.Keep(lo, hi, words, base); *words != in {
					t.Fatalf("field %d, %+v to %+v: Keep is not Range", field, lo, hi)
				}
			}
		}
	})
}

// A column that was sorted answers as one that is gone through.
func TestSortedRangesAreRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	docs := randomDocs(rng, sortedFrom*2, 0)
	c := buildChunk(t, Size+100, 3, docs)
	for field := range uint16(fieldGeo) {
		col := column(t, c, field)
		if col.docs < sortedFrom {
			continue
		}
		for range 40 {
			lo, hi := randomBound(rng, field), randomBound(rng, field)
			first, last, ok := col.entries(lo, hi)
			var got, want [Size / 64]uint64
			col.Range(lo, hi, &got, 100)
			if ok {
				buf := make([]uint64, (col.vals.n+63)/64)
				if col.vals.match(first, last, buf) {
					col.spread(buf, &want, 100)
				}
			}
			if got != want {
				t.Fatalf("field %d, %+v to %+v: sorted and not sorted differ", field, lo, hi)
			}
		}
		if col.sorted.Load() == nil {
			t.Errorf("field %d was not sorted", field)
		}
	}
}

func TestCountsByValue(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		for field := range uint16(fieldGeo) {
			col := column(t, c, field)
			if col == nil {
				continue
			}
			words := randomWords(rng)
			name := func(v Value) string {
				if v.Kind == KindKeyword {
					return string(v.Str)
				}
				return number(v).Text('p', 0)
			}
			count := func(f func(values []Value) []Value) map[string]int {
				out := map[string]int{}
				for i := range docs {
					if values := valuesOf(&docs[i], field); len(values) > 0 && isSet(words, base+i) {
						for _, v := range f(values) {
							out[name(v)]++
						}
					}
				}
				return out
			}
			check := func(what string, got, want map[string]int) {
				if len(got) != len(want) {
					t.Fatalf("field %d, %s: %d values, want %d", field, what, len(got), len(want))
				}
				for k, n := range want {
					if got[k] != n {
						t.Fatalf("field %d, %s: %d documents with %s, want %d", field, what, got[k], k, n)
					}
				}
			}
			got := map[string]int{}
			var counter Counter
			col.CountLeast(words, base, &counter, func(v Value, n int) { got[name(v)] += n })
			check("least", got, count(func(values []Value) []Value { return []Value{extremeOf(values, false)} }))
			if col.Kind() != KindKeyword {
				got = map[string]int{}
				var sum Stats
				col.CountNumbers(words, base, &counter, &sum, func(v Value, n int) { got[name(v)] += n })
				if want := col.Stats(words, base); sum.Count != want.Count || Sum(&sum).Cmp(Sum(&want)) != 0 ||
					sum.Count > 0 && (order(sum.Min, want.Min) != 0 || order(sum.Max, want.Max) != 0) {
					t.Fatalf("field %d: statistics %+v, want %+v", field, sum, want)
				}
				check("each", got, count(func(values []Value) []Value {
					values = slices.Clone(values)
					slices.SortFunc(values, order)
					return slices.CompactFunc(values, func(a, b Value) bool { return order(a, b) == 0 })
				}))
			}
			limit := randomValue(rng, field)
			var in [Size / 64]uint64
			col.LeastIn(func(v Value) bool { return order(v, limit) <= 0 }, &in, base)
			for i := range docs {
				values := valuesOf(&docs[i], field)
				if want := len(values) > 0 && order(extremeOf(values, false), limit) <= 0; isSet(&in, base+i) != want {
					t.Fatalf("field %d: document %d with %v in LeastIn: %v", field, i, values, !want)
				}
			}
		}
	})
}

func TestPlacesWithin(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		col := column(t, c, fieldGeo)
		if col == nil {
			return
		}
		from := geo.Point{Lat: rng.Float64()*180 - 90, Lon: rng.Float64()*360 - 180}
		meters := rng.Float64() * rng.Float64() * 2e7
		area := geo.Circle(from, meters)
		var in [Size / 64]uint64
		col.Within(&area, &in, base)
		words, near := randomWords(rng), map[int]bool{}
		at := &area
		col.WalkNear(words, base, &at, func(i int) { near[i] = true })
		for i := range docs {
			want, least := false, 1e9
			for _, v := range valuesOf(&docs[i], fieldGeo) {
				least = min(least, geo.Distance(from, v.Code().Point()))
				want = want || geo.Distance(from, v.Code().Point()) <= meters
			}
			if isSet(&in, base+i) != want || near[i] != (want && isSet(words, base+i)) {
				t.Fatalf("document %d at %v m of %v: Within %v, WalkNear %v", i, least, meters, isSet(&in, base+i), near[i])
			}
			if got, ok := col.Nearest(from, i); ok != (least < 1e9) || ok && cmp.Compare(got, least) != 0 {
				t.Fatalf("document %d: nearest %v, want %v", i, got, least)
			}
		}
		if info, _ := c.ColumnInfo(fieldGeo); len(near) > 0 && !info.MayHold(&area) {
			t.Fatal("MayHold is false, but there are points")
		}
	})
}

// TestWalkBreaksTies keeps the best documents, of equal ones the first, with
// limits that let no later document through that would only be equal.
func TestWalkBreaksTies(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		for field := range uint16(fieldGeo) {
			col := column(t, c, field)
			if col == nil {
				continue
			}
			words, greatest, k := randomWords(rng), rng.IntN(2) == 0, 1+rng.IntN(20)
			compare := func(a, b int) int {
				v, w := extremeOf(valuesOf(&docs[a], field), greatest), extremeOf(valuesOf(&docs[b], field), greatest)
				if greatest {
					v, w = w, v
				}
				return cmp.Or(order(v, w), cmp.Compare(a, b))
			}
			var all, best []int
			for i := range docs {
				if len(valuesOf(&docs[i], field)) > 0 && isSet(words, base+i) {
					all = append(all, i)
				}
			}
			slices.SortFunc(all, compare)
			limits := Limits{Untied: AllTie}
			col.Walk(words, base, greatest, &limits, func(i int) bool {
				best = append(best, i)
				slices.SortFunc(best, compare)
				if len(best) < k {
					return false
				}
				best = best[:k]
				worst := best[k-1]
				if limits.Untied = worst + 1; greatest {
					limits.Low = At(extremeOf(valuesOf(&docs[worst], field), true))
				} else {
					limits.High = At(extremeOf(valuesOf(&docs[worst], field), false))
				}
				return true
			})
			if want := all[:min(k, len(all))]; !slices.Equal(best, want) {
				t.Fatalf("field %d, greatest %v: best %d are %v, want %v", field, greatest, k, best, want)
			}
		}
	})
}

func TestIDsUpTo(t *testing.T) {
	doc := func(id string) Doc { return Doc{ID: []byte(id)} }
	built := buildChunk(t, 0, 0, []Doc{doc("a"), doc("c"), doc("cc"), doc("e")})
	for _, c := range []*Chunk{built, reopen(t, built)} {
		for bound, want := range map[string]int{"": 0, "a": 1, "b": 1, "c": 2, "cb": 2, "e": 4, "f": 4} {
			if n, ascend, err := c.IDsUpTo([]byte(bound)); n != want || !ascend || err != nil {
				t.Errorf("IDsUpTo(%q) = %d, %v, %v, want %d", bound, n, ascend, err, want)
			}
		}
	}
	for _, ids := range [][]string{{"b", "a"}, {"a", "", "b"}, {"a", "a"}} {
		var docs []Doc
		for _, id := range ids {
			docs = append(docs, doc(id))
		}
		if _, ascend, err := buildChunk(t, 0, 0, docs).IDsUpTo([]byte("a")); ascend || err != nil {
			t.Errorf("ids %q ascend: %v, %v", ids, ascend, err)
		}
	}
}
