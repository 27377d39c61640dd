package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPinAndHide(t *testing.T) {
	e := newStore(t)
	create(t, e, "other", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("other", `{"id":"1","title":"hat"}`, `{"id":"x","title":"gloves"}`))
	for _, c := range []struct {
		req   Request
		want  string
		total int64
	}{
		{Request{Query: "red"}, "6 1 3", 3},
		{Request{Query: "red", Pin: []Pin{{ID: "3"}}}, "3 6 1", 3},
		{Request{Query: "red", Pin: []Pin{{ID: "4", Position: 2}}}, "6 4 1 3", 4},
		{Request{Query: "red", Pin: []Pin{{ID: "4", Position: 1}, {ID: "5"}}}, "4 5 6 1 3", 5},
		{Request{Query: "red", Pin: []Pin{{ID: "5"}, {ID: "4", Position: 1}}}, "4 5 6 1 3", 5},
		{Request{Query: "red", Pin: []Pin{{ID: "4", Position: 90}, {ID: "5", Position: 80}}}, "6 1 3 5 4", 5},
		{Request{Query: "red", Pin: []Pin{{ID: "nope"}, {ID: "3"}}}, "3 6 1", 3},
		{Request{Query: "red", Hide: []string{"6", "nope"}}, "1 3", 2},
		{Request{Query: "red", Hide: []string{"6"}, Pin: []Pin{{ID: "6"}}}, "1 3", 2},
		{Request{Query: "red", Pin: []Pin{{ID: "4"}}, Filter: "tenant = 1"}, "6 1 3", 3},
		{Request{Query: "red", Pin: []Pin{{ID: "4"}}, Filter: "tenant = 2"}, "4", 1},
		{Request{Query: "red", Pin: []Pin{{ID: "4"}}, Restrict: []string{"tenant = 1"}}, "6 1 3", 3},
		{Request{Query: "red", Pin: []Pin{{ID: "4"}}, MinScore: 1000}, "4", 1},
		{Request{Query: "red", Pin: []Pin{{ID: "5", Position: 3}}, Sort: []SortKey{{Field: "_score", Desc: true}}}, "5 6 1 3", 4},
		{Request{Query: "unicorns", Pin: []Pin{{ID: "5"}}}, "5", 1},
		{Request{Indexes: []string{"store", "other"}, Query: "hat", Pin: []Pin{{ID: "x"}, {ID: "1", Index: "store"}}}, "x 1 3 1", 4},
		{Request{Indexes: []string{"store", "other"}, Query: "hat", Pin: []Pin{{ID: "1"}}}, "1 3", 2}, // of other, which is the first
		{Request{Indexes: []string{"store", "other"}, Hide: []string{"1"}, Query: "hat"}, "3", 1},
		{Request{Query: "red", Pin: []Pin{{ID: "4"}}, Limit: -1}, "", 4},
	} {
		if c.req.Indexes == nil {
			c.req.Indexes = []string{"store"}
		}
		c.req.Facets = []FacetRequest{}
		res := find(t, e, &c.req)
		if got := idsOf(res); got != c.want || res.Total != c.total {
			t.Errorf("%q pin %+v hide %v filter %q: %q of %d, want %q of %d", c.req.Query, c.req.Pin, c.req.Hide, c.req.Filter, got, res.Total, c.want, c.total)
		}
	}
	res := find(t, e, &Request{Indexes: []string{"store"}, Query: "red", Pin: []Pin{{ID: "4", Position: 2}}, Explain: true})
	for i, h := range res.Hits {
		if h.Pinned != (i == 1) || h.Explain.Score != h.Score {
			t.Errorf("hit %d: %+v", i, h)
		}
	}
	for _, c := range []struct {
		req Request
		at  string
	}{
		{Request{Pin: []Pin{{ID: ""}}}, "/pin/0/id"},
		{Request{Pin: []Pin{{ID: "1"}, {ID: "1"}}}, "/pin/1"},
		{Request{Pin: []Pin{{ID: "1", Position: -1}}}, "/pin/0/position"},
		{Request{Hide: []string{"1", ".."}}, "/hide/1"},
	} {
		_, err := e.Search(context.Background(), &c.req)
		wantProblem(t, err, CodeInvalidRequest, c.at)
	}
	_, err := e.Search(context.Background(), &Request{Hide: make([]string, maxHidden+1)})
	wantProblem(t, err, CodeLimitExceeded, "/hide")
}

func TestFacetsCountPinnedRecords(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "c", Type: Keyword, Facet: true, Filter: true}}})
	apply(t, e, puts("i", `{"id":"1","t":"red","c":"a"}`, `{"id":"2","t":"blue","c":"b"}`, `{"id":"3","t":"red","c":"b"}`))
	for _, least := range []float64{0, 0.01} {
		res := find(t, e, &Request{Query: "red", Pin: []Pin{{ID: "2"}, {ID: "1"}}, Hide: []string{"3"}, MinScore: least, Facets: []FacetRequest{{Field: "c"}}})
		if got := fmt.Sprint(idsOf(res), res.Total, res.Facets["c"].Values); got != "2 12 [{a 1} {b 1}]" {
			t.Errorf("min score %v: %s", least, got)
		}
	}
}

func TestRules(t *testing.T) {
	d := newDisk(t, Options{})
	s := storeSchema()
	create(t, d.e, "store", s)
	apply(t, d.e, puts("store", store...))
	s.Rules = []Rule{
		{ID: "exact", Query: "red shoe", Pin: []Pin{{ID: "6"}}},
		{ID: "contains", Query: "running", Contains: true, Hide: []string{"2"}, Pin: []Pin{{ID: "5", Position: 2}}},
		{ID: "start", Pin: []Pin{{ID: "3"}}},
	}
	if _, err := d.e.UpdateIndex(context.Background(), "store", s); err != nil {
		t.Fatal(err)
	}
	d.states("store", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			req  Request
			want string
		}{
			{Request{Query: "red shoes"}, "6 1"},
			{Request{Query: "Red  SHOE"}, "6 1"},
			{Request{Query: "shoes red"}, "1"},
			{Request{Query: "red shoes -blue"}, "1"},
			{Request{Query: "run shoes"}, "1 5"},
			{Request{Query: "runing"}, "1 5"}, // repaired
			{Request{Query: "blue"}, "2"},
			{Request{Limit: 2}, "3 1"},
			{Request{Query: "running", Pin: []Pin{{ID: "4", Position: 2}}}, "5 4 1"}, // the request comes first
			{Request{Query: "running", Restrict: []string{"tenant = 1"}}, "1"},
		} {
			c.req.Match = MatchAll
			if got := idsOf(find(t, e, &c.req)); got != c.want {
				t.Errorf("%+v: %q, want %q", c.req, got, c.want)
			}
		}
	})
}

// TestPagesWithPins: whatever is pinned where, pages by offset and by cursor
// are the pieces of one list, in which the hits that are not pinned stand in
// their order.
func TestPagesWithPins(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		e := newEngine(t, nil)
		create(t, e, "a", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "n", Type: Int, Sort: true}}})
		create(t, e, "b", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "n", Type: Int, Sort: true}}})
		for _, index := range []string{"a", "b"} {
			var b Batch
			for i := range r.IntN(25) {
				b.Put(index, fmt.Appendf(nil, `{"id":"%s%d","t":%q,"n":%d}`, index, i, strings.Repeat("red ", r.IntN(3))+"x", r.IntN(4)))
			}
			if len(b.Ops) > 0 {
				apply(t, e, &b)
			}
		}
		req := Request{Query: "red"}
		switch r.IntN(3) {
		case 0:
			req.Query = ""
		case 1:
			req.Sort = []SortKey{{Field: "n"}}
		}
		req.Limit = 1000
		plain := strings.Fields(idsOf(find(t, e, &req)))
		places := r.Perm(30)
		seen := map[string]bool{}
		for i := range r.IntN(6) {
			id := fmt.Sprintf("%c%d", 'a'+rune(r.IntN(2)), r.IntN(25))
			if !seen[id] {
				seen[id] = true
				req.Pin = append(req.Pin, Pin{ID: id, Position: places[i]})
			}
		}
		res := find(t, e, &req)
		all := strings.Fields(idsOf(res))
		var rest, wantRest []string
		for i, h := range res.Hits {
			if !h.Pinned {
				rest = append(rest, h.ID)
			} else if p := slices.IndexFunc(req.Pin, func(p Pin) bool { return p.ID == h.ID }); req.Sort == nil && req.Pin[p].Position > 0 && len(rest) < len(plain)-len(req.Pin) && i+1 != req.Pin[p].Position {
				t.Errorf("seed %d: %s is at %d of %v, pinned by %+v", seed, h.ID, i+1, all, req.Pin)
			}
		}
		for _, id := range plain {
			if !slices.ContainsFunc(res.Hits, func(h Hit) bool { return h.Pinned && h.ID == id }) {
				wantRest = append(wantRest, id)
			}
		}
		if !slices.Equal(rest, wantRest) || int(res.Total) != len(all) {
			t.Fatalf("seed %d: %v of %d, without pins %v", seed, all, res.Total, plain)
		}
		for _, limit := range []int{1, 2, 3, 7} {
			req.Limit = limit
			var byOffset, byCursor []string
			for req.Offset = 0; req.Offset <= len(all); req.Offset += limit {
				byOffset = append(byOffset, strings.Fields(idsOf(find(t, e, &req)))...)
			}
			req.Offset = min(2, len(all))
			byCursor = append(byCursor, all[:req.Offset]...)
			for range 200 {
				res := find(t, e, &req)
				byCursor = append(byCursor, strings.Fields(idsOf(res))...)
				if req.After, req.Offset = res.Next, 0; res.Next == nil {
					break
				}
			}
			req.After = nil
			if !slices.Equal(byOffset, all) || !slices.Equal(byCursor, all) {
				t.Fatalf("seed %d: limit %d, pins %+v, sort %v:\noffsets %v\ncursors %v\nwant    %v", seed, limit, req.Pin, req.Sort, byOffset, byCursor, all)
			}
		}
	}
}
