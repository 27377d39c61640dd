package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRepeatedSearchesStayExact asks for the same words many times while records
// come and go and segments are flushed and merged, in two indexes and both, and
// from several goroutines: what is kept from one search for the next never changes
// an answer.
func TestRepeatedSearchesStayExact(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	e := newEngine(t, &Options{FlushRecords: 300, MinFreeBytes: -1})
	ctx := context.Background()
	for _, name := range []string{"i", "j"} {
		create(t, e, name, Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true}}})
	}
	words := []string{"heron", "kiln", "moss", "rare"}
	text := func() (s string) {
		for range 1 + r.IntN(6) {
			if w := words[min(r.IntN(4), r.IntN(4))]; w != "rare" || r.IntN(8) == 0 {
				s += w + " "
			}
		}
		return s
	}
	for round := range 40 {
		index := []string{"i", "j"}[r.IntN(2)]
		switch r.IntN(6) {
		case 0:
			if err := e.Merge(ctx, index); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		case 2:
			b := &Batch{}
			for range 20 {
				b.Ops = append(b.Ops, Op{Kind: OpDelete, Index: index, ID: fmt.Sprint(r.IntN(1500))})
			}
			apply(t, e, b)
		default:
			var records []string
			for range 1 + r.IntN(200) {
				records = append(records, fmt.Sprintf(`{"id":"%d","title":%q,"body":%q}`, r.IntN(1500), text(), text()))
			}
			apply(t, e, puts(index, records...))
		}
		var clients sync.WaitGroup
		for _, word := range words {
			for _, limit := range []int{-1, 3, 40, 126, 127, 400} {
				req := Request{Query: word, Limit: limit, Prefix: PrefixOff, Ranking: []Ranking{RankingBM25, RankingDefault}[r.IntN(2)], Indexes: [][]string{{"i"}, {"j"}, {"i", "j"}}[r.IntN(3)], NoRecord: true}
				clients.Go(func() {
					oracle := req
					oracle.Exhaustive = true
					want, err := e.Search(ctx, &oracle)
					if err != nil {
						t.Error(err)
						return
					}
					for n := range 5 {
						got, err := e.Search(ctx, &req)
						if err != nil {
							t.Error(err)
							return
						}
						if got.Total != want.Total || !cmp.Equal(got.Hits, want.Hits) {
							t.Errorf("seed %d, round %d, search %d for %q of %v, limit %d: %d of them, want %d (-want +got):\n%s",
								seed, round, n, word, req.Indexes, limit, got.Total, want.Total, cmp.Diff(want.Hits, got.Hits))
							return
						}
					}
				})
			}
		}
		clients.Wait()
		if t.Failed() {
			return
		}
	}
}

// TestAside: what could not be read for what a search does not need is no error of
// the search, and one that it has already stays.
func TestAside(t *testing.T) {
	for _, before := range []error{nil, ErrCorrupt} {
		run := &searchRun{res: &resolver{err: before}}
		if run.aside(func() { run.res.err = errInjected }) || !errors.Is(run.res.err, before) {
			t.Errorf("%v before: what failed aside was told of as %v", before, run.res.err)
		}
		if !run.aside(func() {}) || !errors.Is(run.res.err, before) {
			t.Errorf("%v before: what did not fail was not told, or left %v", before, run.res.err)
		}
	}
}
