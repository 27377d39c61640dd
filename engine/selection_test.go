package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRecordsWithFilters compares exports and reads with a naive filter, over
// segments in memory and on disk, with deleted records among them.
func TestRecordsWithFilters(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{FlushRecords: 300})
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}, {Name: "k", Type: Keyword, Filter: true}}})
	type rec struct {
		n int
		k string
	}
	want := map[string]rec{}
	for range 8 {
		var b Batch
		for range 150 {
			id := fmt.Sprintf("r%03d", r.IntN(700))
			if r.IntN(5) == 0 {
				b.Delete("i", id)
				delete(want, id)
				continue
			}
			v := rec{r.IntN(20), string(rune('a' + r.IntN(4)))}
			b.Put("i", fmt.Appendf(nil, `{"id":%q,"n":%d,"k":%q}`, id, v.n, v.k))
			want[id] = v
		}
		apply(t, d.e, &b)
	}
	ids := func(hold func(rec) bool, after string) (out []string) {
		for id, v := range want {
			if hold(v) && id > after {
				out = append(out, id)
			}
		}
		slices.Sort(out)
		return out
	}
	d.states("i", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			o    RecordsOptions
			hold func(rec) bool
		}{
			{RecordsOptions{}, func(rec) bool { return true }},
			{RecordsOptions{Filter: "n < 5"}, func(v rec) bool { return v.n < 5 }},
			{RecordsOptions{Filter: `NOT k = "a"`, After: "r300"}, func(v rec) bool { return v.k != "a" }},
			{RecordsOptions{Filter: `k = "b"`, Restrict: []string{"n >= 10", "n != 12"}}, func(v rec) bool { return v.k == "b" && v.n >= 10 && v.n != 12 }},
			{RecordsOptions{Restrict: []string{"n > 100"}}, func(v rec) bool { return false }},
		} {
			var got []string
			for rec, err := range e.Records(ctx, "i", c.o) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, rec.ID)
			}
			if want := ids(c.hold, c.o.After); !slices.Equal(got, want) {
				t.Errorf("seed %d: %+v: %d records, want %d", seed, c.o, len(got), len(want))
			}
		}
		for id, v := range want {
			_, err := e.Record(ctx, "i", id, "n < 10", `k IN ["a","b"]`)
			if fits := v.n < 10 && (v.k == "a" || v.k == "b"); fits != (err == nil) || err != nil && !errors.Is(err, ErrNotFound) {
				t.Errorf("seed %d: %s %+v: %v", seed, id, v, err)
			}
		}
	})
}

func TestHoldersWithinRights(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	for _, name := range []string{"a", "b"} {
		create(t, e, name, Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}})
	}
	create(t, e, "other", Schema{})
	apply(t, e, puts("a", `{"id":"x","n":1}`))
	apply(t, e, puts("b", `{"id":"x","n":2}`))
	apply(t, e, puts("other", `{"id":"x"}`))
	for _, c := range []struct {
		indexes  []string
		restrict string
		want     string
	}{
		{nil, "", "a b other"},
		{[]string{}, "", ""},
		{[]string{"a", "o*"}, "", "a other"},
		{nil, "n = 2", "b"}, // other has no field n
		{[]string{"a"}, "n = 2", ""},
	} {
		var restrict []string
		if c.restrict != "" {
			restrict = append(restrict, c.restrict)
		}
		got, err := e.Holders(ctx, "x", c.indexes, restrict...)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("Holders(%q, %q) = %v, %v; want %s", c.indexes, c.restrict, got, err, c.want)
		}
	}
}

func TestFiltersOfRecordsThatAreWrong(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}})
	apply(t, e, puts("i", `{"id":"x","n":1}`))
	first := func(o RecordsOptions) error {
		for _, err := range e.Records(context.Background(), "i", o) {
			return err
		}
		return nil
	}
	wantProblem(t, first(RecordsOptions{Filter: "n <"}), CodeInvalidFilter, "/filter")
	wantProblem(t, first(RecordsOptions{Filter: "m = 1"}), CodeUnknownField, "/filter")
	err := first(RecordsOptions{Restrict: []string{"secret = 1"}})
	wantProblem(t, err, CodeInvalidRequest, "")
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the imposed filter is shown: %v", err)
	}
}
