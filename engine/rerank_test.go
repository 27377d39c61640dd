package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rerankStore has more matches than are given bonuses.
func rerankStore(t *testing.T, seed uint64) *Engine {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true},
		{Name: "kind", Type: Keyword, Filter: true, Facet: true},
	}})
	r := rand.New(rand.NewPCG(seed, 7))
	words := strings.Fields("red green blue shoe hat coat wool silk with without lace 東京 首都は 都市の 大学")
	some := func(n int) string {
		var out []string
		for range 1 + r.IntN(n) {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	for range 4 {
		var records []string
		for range 60 {
			records = append(records, fmt.Sprintf(`{"id":"%03d","title":%q,"text":%q,"kind":"k%d"}`, r.IntN(400), some(4), some(12), r.IntN(30)))
		}
		apply(t, e, puts("i", records...))
	}
	return e
}

var rerankQueries = []string{"red shoe", "wool coat without lace", "blue hat", "silk", "green wool coat hat", "東京都の大学", "首都は京都"}

func listed(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %v", h.ID, h.Score))
	}
	return out
}

// TestPagesOfRerankedHits: pages by offset and by cursor are one order, that of
// the scores, across the last record that bonuses are given to.
func TestPagesOfRerankedHits(t *testing.T) {
	for seed := range uint64(4) {
		e := rerankStore(t, seed)
		for _, q := range rerankQueries {
			for _, distinct := range []string{"", "kind"} {
				req := Request{Query: q, Match: MatchAny, Limit: 1000, Distinct: distinct, Explain: true}
				all := find(t, e, &req)
				want := listed(all.Hits)
				if int64(len(want)) != all.Total {
					t.Fatalf("seed %d: %q distinct %q: %d hits of %d", seed, q, distinct, len(want), all.Total)
				}
				if !slices.IsSortedFunc(all.Hits, func(a, b Hit) int { return int(1e9 * (b.Score - a.Score)) }) {
					t.Errorf("seed %d: %q: scores do not fall", seed, q)
				}
				for _, h := range all.Hits {
					sum := 0.0
					for _, p := range h.Explain.Parts {
						sum += p.Score
					}
					if sum != h.Score {
						t.Errorf("seed %d: %q: the parts of %s add up to %v, the score is %v", seed, q, h.ID, sum, h.Score)
					}
				}
				for _, size := range []int{7, 50, 51} {
					var byCursor, byOffset []string
					page := req
					for page.Limit = size; ; {
						res := find(t, e, &page)
						byCursor = append(byCursor, listed(res.Hits)...)
						if page.After = res.Next; page.After == nil {
							break
						}
					}
					page.After = nil
					for page.Offset = 0; page.Offset < len(want); page.Offset += size {
						byOffset = append(byOffset, listed(find(t, e, &page).Hits)...)
					}
					if !slices.Equal(byCursor, want) || !slices.Equal(byOffset, want) {
						t.Fatalf("seed %d: %q distinct %q by pages of %d:\n%q by cursor,\n%q by offset, want\n%q", seed, q, distinct, size, byCursor, byOffset, want)
					}
				}
			}
		}
	}
}

// TestBonusesDoNotDependOnSegments: merging changes nothing.
func TestBonusesDoNotDependOnSegments(t *testing.T) {
	e := rerankStore(t, 1)
	var before [][]string
	for _, q := range rerankQueries {
		before = append(before, listed(find(t, e, &Request{Query: q, Limit: 300}).Hits))
	}
	if err := e.Merge(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	for i, q := range rerankQueries {
		if got := listed(find(t, e, &Request{Query: q, Limit: 300}).Hits); !slices.Equal(got, before[i]) {
			t.Errorf("%q: %q after the merge, %q before", q, got, before[i])
		}
	}
}

// TestGroupsHoldBonuses: the first of a group is the hit that it belongs to, and
// the others follow by their scores.
func TestGroupsHoldBonuses(t *testing.T) {
	e := rerankStore(t, 2)
	res := find(t, e, &Request{Query: "red shoe", Match: MatchAny, Group: &GroupRequest{Field: "kind", Limit: 4}})
	for _, h := range res.Hits {
		if len(h.Group.Hits) == 0 || h.Group.Hits[0].ID != h.ID || h.Group.Hits[0].Score != h.Score {
			t.Errorf("the group of %s begins with %q", h.ID, listed(h.Group.Hits))
		}
		if !slices.IsSortedFunc(h.Group.Hits, func(a, b Hit) int { return int(1e9 * (b.Score - a.Score)) }) {
			t.Errorf("the group of %s is %q", h.ID, listed(h.Group.Hits))
		}
	}
}

// TestRearrange: any number of records, as long as no two are equal.
func TestRearrange(t *testing.T) {
	for _, n := range []int{0, 1, 2, rerankDepth, rerankDepth + 2, 200} {
		hits := make([]found, n)
		for i := range hits {
			hits[i].place = i * 7919 % (n + 1)
			hits[i].hit.Score = uint64(hits[i].place % 5)
		}
		rearrange(hits, func(a, b *found) int { return b.place - a.place })
		for i := 1; i < n; i++ {
			a, b := &hits[i-1], &hits[i]
			if a.hit.Score < b.hit.Score || a.hit.Score == b.hit.Score && a.place <= b.place {
				t.Fatalf("%d records: one of score %d and place %d stands before one of %d and %d", n, a.hit.Score, a.place, b.hit.Score, b.place)
			}
		}
	}
}
