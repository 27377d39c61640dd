package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// idList is idsOf as a list, with the names of indexes.
func idList(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Index+"/"+h.ID)
	}
	return out
}

// TestLimitsOnlyCut: the first hits are the same however many are asked for, from ten
// on; there are pages of them, in the order of their scores, of which explanations tell.
func TestLimitsOnlyCut(t *testing.T) {
	parted := 0
	for seed := range uint64(3) {
		e := rerankStore(t, seed)
		copyTo(t, e, "i", "j", seed)
		for _, q := range append(rerankQueries, "red hat", "blue lace ", "+red coat hat", "green silk") {
			for _, base := range []Request{{Indexes: []string{"i"}}, {}, {Distinct: "kind"}, {Filter: `kind != "k1"`}, {MinScore: .3}, {Hide: []string{"003"}, Pin: []Pin{{ID: "007", Position: 2}, {ID: "011", Position: 13}}},
				{Distinct: "kind", Pin: []Pin{{ID: "007", Position: 2}}}, {Group: &GroupRequest{Field: "kind", Limit: 3}}} {
				base.Query = q
				base.Explain = base.Group == nil
				what := fmt.Sprintf("seed %d: %q %+v", seed, q, base)
				of := func(change func(r *Request)) *Result {
					r := base
					change(&r)
					return find(t, e, &r)
				}
				all := of(func(r *Request) { r.Limit = 1000; r.Group = limited(r.Group, 1) })
				order := idList(all.Hits)
				if !slices.IsSortedFunc(all.Hits, func(a, b Hit) int {
					if a.Pinned || b.Pinned {
						return 0
					}
					return int(1e9 * (b.Score - a.Score))
				}) {
					t.Fatalf("%s: scores do not fall", what)
				}
				lifted := 0
				for _, h := range all.Hits {
					if h.Explain == nil {
						continue
					}
					sum := 0.0
					for _, p := range h.Explain.Parts {
						sum += p.Score
						if p.Stage == StageComplete {
							lifted++
						}
					}
					if sum != h.Score && !h.Pinned {
						t.Fatalf("%s: the parts of %s add up to %v, its score is %v", what, h.ID, sum, h.Score)
					}
				}
				if lifted > 0 {
					parted++
				}
				if lifted == len(all.Hits) && lifted > 0 || 0 < lifted && lifted < completePage && base.Distinct == "" && base.MinScore == 0 && len(base.Pin) == 0 {
					t.Fatalf("%s: %d of %d are lifted", what, lifted, len(all.Hits))
				}
				every := of(func(r *Request) { r.Limit = 1000; r.Match = MatchAny; r.Group = limited(r.Group, 1) })
				same := base.Distinct != "" || base.Group != nil || slices.Equal(sortedList(order), sortedList(idList(every.Hits)))
				if q[0] != '+' && (all.Total != every.Total || !same) { // beside a +, other words need not be there
					t.Fatalf("%s: %d matches, any word has %d", what, all.Total, every.Total)
				}
				plain := of(func(r *Request) { r.Limit = 1000; r.Exhaustive = true; r.Group = limited(r.Group, 1) })
				if !slices.Equal(listed(plain.Hits), listed(all.Hits)) {
					t.Fatalf("%s: exhaustive\n%q\npruned\n%q", what, listed(plain.Hits), listed(all.Hits))
				}
				for _, limit := range []int{10, 11, 20, 25, 40, 90} {
					one := of(func(r *Request) { r.Limit = limit })
					if base.Distinct == "" && base.Group == nil || one.Total == all.Total { // else there are fewer values than records
						n := min(limit, len(order), len(one.Hits))
						if got := idList(one.Hits); !slices.Equal(got, order[:n]) || n < min(limit, len(order)) {
							t.Fatalf("%s: the first %d\n%q\nof all\n%q", what, limit, got, order[:n])
						}
					}
					byCursor, byOffset := idList(one.Hits), idList(one.Hits)
					for at := one; at.Next != nil; {
						at = of(func(r *Request) { r.Limit = limit; r.After = at.Next })
						byCursor = append(byCursor, idList(at.Hits)...)
					}
					for len(byOffset) < len(byCursor) {
						got := of(func(r *Request) { r.Limit = limit; r.Offset = len(byOffset) })
						if byOffset = append(byOffset, idList(got.Hits)...); len(got.Hits) == 0 {
							break
						}
					}
					if !slices.Equal(byCursor, byOffset) || int64(len(byCursor)) != one.Total || one.Total == all.Total && !slices.Equal(byCursor, order) {
						t.Fatalf("%s: by pages of %d of %d\n%q by cursor\n%q by offset\n%q", what, limit, one.Total, byCursor, byOffset, order)
					}
				}
			}
		}
	}
	if parted < 20 {
		t.Errorf("records came first for holding all words in %d searches only", parted)
	}
}

func limited(g *GroupRequest, limit int) *GroupRequest {
	if g == nil {
		return nil
	}
	return &GroupRequest{Field: g.Field, Limit: limit}
}

func sortedList(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// copyTo makes an index of every third record of another.
func copyTo(t *testing.T, e *Engine, from, to string, seed uint64) {
	info, err := e.Index(from)
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, to, info.Schema)
	var records []string
	for i, h := range find(t, e, &Request{Indexes: []string{from}, Limit: 1000}).Hits {
		if uint64(i)%3 == seed%3 {
			records = append(records, strings.Replace(string(h.Record), `"id":"`, `"id":"c`, 1))
		}
	}
	apply(t, e, puts(to, records...))
}

// completeStore has 40 records with both words of "alpha beta", in an order of their own,
// and others with one of them.
func completeStore(t *testing.T) *Engine {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "text", Type: Text, Search: true}}})
	b := &Batch{}
	for i := range 40 {
		b.Put("i", fmt.Appendf(nil, `{"id":"c%02d","text":"alpha beta%s"}`, i, strings.Repeat(" filler words", i)))
	}
	for i := range 200 {
		b.Put("i", fmt.Appendf(nil, `{"id":"o%03d","text":"alpha x%d y z"}`, i, i))
	}
	for i := range 5 {
		b.Put("i", fmt.Appendf(nil, `{"id":"p%03d","text":"beta"}`, i))
	}
	apply(t, e, b)
	return e
}

// TestCursorsGoOnWithAnotherLimit: where only complete records matched before, or no longer do.
func TestCursorsGoOnWithAnotherLimit(t *testing.T) {
	e := completeStore(t)
	ask := func(limit int, after *Position) *Result {
		return find(t, e, &Request{Query: "alpha beta", Limit: limit, After: after})
	}
	order := idList(ask(1000, nil).Hits)
	for _, first := range []int{10, 20, 39, 40, 41, 60, 100} {
		one := ask(first, nil)
		for _, second := range []int{10, 40, 41, 100, 1000} {
			two := ask(second, one.Next)
			got := append(idList(one.Hits), idList(two.Hits)...)
			want := order[:min(first+second, len(order))]
			if second <= 40 {
				want = order[:max(first, min(first+second, 40))] // the others do not match
			}
			if one.Next == nil {
				continue
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d, then %d:\n%q\nwant\n%q", first, second, got, want)
			}
		}
	}
}

// TestCursorsGoOnAfterWrites: a record more moves the others by no more than a place or two,
// though what complete records get changes.
func TestCursorsGoOnAfterWrites(t *testing.T) {
	e := completeStore(t)
	one := find(t, e, &Request{Query: "alpha beta", Limit: 20})
	apply(t, e, puts("i", `{"id":"new","text":"beta beta beta"}`))
	order := idList(find(t, e, &Request{Query: "alpha beta", Limit: 100}).Hits)
	two := idList(find(t, e, &Request{Query: "alpha beta", Limit: 100, After: one.Next}).Hits)
	if at := slices.Index(order, two[0]); at < 18 || at > 22 {
		t.Errorf("the page behind twenty hits begins with that of place %d", at)
	}
}

// TestLatePagesRepeatNothing: a search whose time is over gives what it has found, none of it
// from before the cursor.
func TestLatePagesRepeatNothing(t *testing.T) {
	e := completeStore(t)
	request := Request{Query: "alpha beta", Limit: 60}
	one := find(t, e, &request)
	request.After = one.Next
	want := idList(find(t, e, &request).Hits)
	late := 0
	for n := range 300 {
		r := request
		r.Timeout = time.Duration(1+n) * time.Microsecond
		res := find(t, e, &r)
		if res.TimedOut {
			late++
		}
		for _, h := range res.Hits {
			if !slices.Contains(want, h.Index+"/"+h.ID) {
				t.Fatalf("in %v: %s is of the page before", r.Timeout, h.ID)
			}
		}
	}
	t.Logf("%d of 300 were late", late)
}
