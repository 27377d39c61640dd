package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine/query"
)

var columnSeeds = flag.Uint64("column-seeds", 12, "seeds of TestColumnsEqualOracle")

// TestColumnsEqualOracle plays random batches over random schemas on an engine
// and on an oracle, and compares the answers to random requests: totals, the
// order of hits, distances, groups, facet counts and statistics, with every
// page of the cursor. Flushes, merges and reopening must change nothing.
func TestColumnsEqualOracle(t *testing.T) {
	seeds := *columnSeeds
	if testing.Short() {
		seeds = min(seeds, 4)
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playColumns(t, seed)
		})
	}
}

func playColumns(t *testing.T, seed uint64) {
	ctx := context.Background()
	w := newColWorld(seed)
	d := newDisk(t, Options{FlushRecords: 20 + w.IntN(100), FlushBytes: 1 << 14, Memory: 16 << 20, fewDocs: w.IntN(40), cachedDocs: 1, caches: int64(w.IntN(2) * (1 + w.IntN(200_000)))})
	for _, ix := range w.indexes {
		create(t, d.e, ix, w.schema(ix))
	}
	ids := 20 + w.IntN(150)
	for step := range 30 {
		switch w.IntN(10) {
		case 0:
			if err := d.e.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := d.e.Merge(ctx, w.indexes[w.IntN(len(w.indexes))]); err != nil {
				t.Fatal(err)
			}
		case 2:
			if w.IntN(2) == 0 {
				d.reopen()
			} else {
				d.crash()
			}
		default:
			w.write(t, d.e, ids)
		}
		for range 8 {
			w.check(t, d.e, fmt.Sprintf("seed %d step %d", seed, step))
		}
		if step == 15 {
			if err := d.e.Check(ctx); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		}
	}
}

// write applies one random batch to both sides.
func (w *colWorld) write(t *testing.T, e *Engine, ids int) {
	t.Helper()
	var b Batch
	w.batch++
	for range 1 + w.IntN(25) {
		ix := w.indexes[w.IntN(len(w.indexes))]
		id := fmt.Sprintf("r%d", w.IntN(ids))
		if w.ascend { // as most imports do, so that ties are settled by place
			w.last++
			if id = fmt.Sprintf("r%05d", w.last); w.IntN(4) == 0 {
				id = fmt.Sprintf("r%05d", w.IntN(w.last))
			}
		}
		switch n := w.IntN(12); {
		case n == 0:
			b.Delete(ix, id)
			delete(w.records[ix], id)
		case n == 1:
			rank := w.IntN(8)
			if _, ok := w.field(ix, "rank"); !ok {
				continue
			}
			b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: ix, Filter: fmt.Sprintf("rank = %d AND NOT geo(place, 52.5, 13.4, 50km)", rank)})
			if _, ok := w.field(ix, "place"); !ok {
				b.Ops = b.Ops[:len(b.Ops)-1]
				continue
			}
			maps.DeleteFunc(w.records[ix], func(_ string, r *colRecord) bool {
				return slices.ContainsFunc(r.cells["rank"], func(c cell) bool { return c.num.Cmp(big.NewRat(int64(rank), 1)) == 0 }) &&
					!slices.ContainsFunc(r.cells["place"], func(c cell) bool { return metersBetween(Point{52.5, 13.4}, c.at) <= 50_000 })
			})
		default:
			r := w.record(ix, id)
			b.Put(ix, r.json())
			w.records[ix][id] = r
		}
	}
	if _, err := e.Apply(context.Background(), &b); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

// request is a random request without text and what restricts it.
func (w *colWorld) request() (*Request, []colFilter) {
	req := &Request{Limit: 1 + w.IntN(30)}
	req.Indexes = slices.Clone(w.indexes)
	if len(w.indexes) > 1 && w.IntN(2) == 0 {
		req.Indexes = req.Indexes[:1]
	}
	var filters []colFilter
	for range w.IntN(3) {
		filters = append(filters, w.filter(w.IntN(4)))
	}
	if len(filters) > 1 || len(filters) == 1 && w.IntN(2) == 0 {
		var texts []string
		for _, f := range filters {
			texts = append(texts, "("+f.text+")")
		}
		req.Filter = strings.Join(texts, " AND ")
	} else if len(filters) == 1 {
		req.Filter = filters[0].text
	}
	for range w.IntN(3) {
		f := w.anyField()
		if slices.ContainsFunc(req.Sort, func(k SortKey) bool { return k.Field == f.name }) {
			continue
		}
		k := SortKey{Field: f.name, Desc: w.IntN(2) == 0}
		if f.typ == Geo {
			p := w.point()
			k.From = &p
		}
		req.Sort = append(req.Sort, k)
	}
	if f := w.anyField(); f.typ != Geo {
		switch w.IntN(6) {
		case 0:
			req.Distinct = f.name
		case 1:
			req.Group = &GroupRequest{Field: f.name, Limit: w.IntN(5)}
		}
	}
	for range w.IntN(4) {
		f := w.anyField()
		if f.typ == Geo || slices.ContainsFunc(req.Facets, func(r FacetRequest) bool { return r.Field == f.name }) {
			continue
		}
		q := FacetRequest{Field: f.name, Limit: 1 + w.IntN(8), Sort: FacetSort(w.IntN(2)), Disjunctive: w.IntN(2) == 0}
		switch w.IntN(4) {
		case 0:
			q.Query = []string{"n", "a", "ne", "YORK", "e", "1", "zz", "new b"}[w.IntN(8)]
		case 1:
			if f.typ == Int || f.typ == Float || f.typ == Date {
				q.Ranges = w.ranges(f)
			}
		case 2:
			q.Stats = f.typ == Int || f.typ == Float || f.typ == Date
		}
		req.Facets = append(req.Facets, q)
	}
	return req, filters
}

// check compares the answers to one random request.
func (w *colWorld) check(t *testing.T, e *Engine, at string) {
	t.Helper()
	req, filters := w.request()
	at = fmt.Sprintf("%s: indexes %v filter %q sort %v distinct %q group %v", at, req.Indexes, req.Filter, req.Sort, req.Distinct, req.Group)
	res, err := e.Search(context.Background(), req)
	if err != nil {
		// A field that the searched indexes lack.
		var inv *InvalidError
		known := func(p Problem) bool { return strings.Contains(p.Detail, "there is no field") }
		if errors.As(err, &inv) && len(req.Indexes) < len(w.indexes) && slices.ContainsFunc(inv.Problems, known) {
			return
		}
		t.Fatalf("%s: %v", at, err)
	}
	matches := w.matches(req, filters, "")
	slices.SortFunc(matches, func(a, b *colRecord) int { return w.compare(a, b, req.Sort) })
	want := matches
	field := req.Distinct
	if req.Group != nil {
		field = req.Group.Field
	}
	if field != "" {
		seen := map[string]bool{}
		want = slices.DeleteFunc(slices.Clone(matches), func(r *colRecord) bool {
			k := w.distinctKey(r, field)
			defer func() { seen[k] = true }()
			return seen[k]
		})
	}
	if res.Total != int64(len(want)) {
		t.Fatalf("%s: total %d, want %d", at, res.Total, len(want))
	}
	if got, want := names(res.Hits), colNames(want); !slices.Equal(got, want[:min(req.Limit, len(want))]) {
		t.Fatalf("%s: hits\n%v, want\n%v", at, got, want)
	}
	w.checkHits(t, at, req, res, matches)
	w.checkFacets(t, at, req, res, filters)
	w.checkPages(t, at, e, req, want)
	w.checkRanked(t, at, e, req)
}

// checkRanked compares distinct and groups of a request with text, page by
// page, with what its plain list of hits says.
func (w *colWorld) checkRanked(t *testing.T, at string, e *Engine, first *Request) {
	t.Helper()
	if first.Distinct == "" && first.Group == nil {
		return
	}
	plain := *first
	plain.Query, plain.Match = strings.Join([]string{colBody[w.IntN(len(colBody))], colBody[w.IntN(len(colBody))]}, " "), MatchAny
	plain.Distinct, plain.Group, plain.Facets, plain.Limit = "", nil, nil, 1000
	field := first.Distinct
	if w.IntN(3) > 0 {
		plain.Sort = nil
	}
	if w.IntN(4) == 0 {
		plain.MinScore = 0.5
	}
	collapsed := plain
	collapsed.Limit = 1 + w.IntN(10)
	if collapsed.Distinct = field; field == "" {
		collapsed.Group = &GroupRequest{Field: first.Group.Field, Limit: 2}
		field = first.Group.Field
	}
	all := find(t, e, &plain)
	groups := map[string][]string{}
	var want []string
	for _, h := range all.Hits {
		key := w.distinctKey(w.records[h.Index][h.ID], field)
		name := h.Index + "/" + h.ID
		if groups[key] == nil {
			want = append(want, name)
		}
		groups[key] = append(groups[key], name)
	}
	var got []string
	for range 1000 {
		res := find(t, e, &collapsed)
		if res.Total != int64(len(want)) {
			t.Fatalf("%s: %q: total %d, want %d", at, plain.Query, res.Total, len(want))
		}
		got = append(got, names(res.Hits)...)
		for _, h := range res.Hits {
			if g := groups[w.distinctKey(w.records[h.Index][h.ID], field)]; collapsed.Group != nil &&
				(h.Group.Total != int64(len(g)) || !slices.Equal(names(h.Group.Hits), g[:min(2, len(g))])) {
				t.Fatalf("%s: %q: group of %s: %d: %v, want %v", at, plain.Query, h.ID, h.Group.Total, names(h.Group.Hits), g)
			}
		}
		if collapsed.After = res.Next; res.Next == nil {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %q: min_score %v by pages of %d:\n%v, want\n%v", at, plain.Query, plain.MinScore, collapsed.Limit, got, want)
	}
}

func (w *colWorld) matches(req *Request, filters []colFilter, without string) (out []*colRecord) {
	for _, r := range w.all(req.Indexes) {
		if !slices.ContainsFunc(filters, func(f colFilter) bool { return (without == "" || f.field != without) && !f.holds(r) }) {
			out = append(out, r)
		}
	}
	return out
}

func names(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Index+"/"+h.ID)
	}
	return out
}

func colNames(list []*colRecord) (out []string) {
	for _, r := range list {
		out = append(out, r.index+"/"+r.id)
	}
	return out
}

// checkHits compares what hits carry.
func (w *colWorld) checkHits(t *testing.T, at string, req *Request, res *Result, matches []*colRecord) {
	t.Helper()
	for _, h := range res.Hits {
		r := w.records[h.Index][h.ID]
		var want []Distance
		for _, k := range req.Sort {
			if k.From != nil {
				if m, ok := nearestOf(r.cells[k.Field], *k.From); ok {
					want = append(want, Distance{k.Field, m})
				}
			}
		}
		if diff := cmp.Diff(want, h.Geo); diff != "" {
			t.Fatalf("%s: distances of %s:\n%s", at, h.ID, diff)
		}
		if (h.Group != nil) != (req.Group != nil) {
			t.Fatalf("%s: group of %s: %v", at, h.ID, h.Group)
		}
		if req.Group == nil {
			continue
		}
		key := w.distinctKey(r, req.Group.Field)
		same := slices.DeleteFunc(slices.Clone(matches), func(r *colRecord) bool { return w.distinctKey(r, req.Group.Field) != key })
		limit := req.Group.Limit
		if limit == 0 {
			limit = 3
		}
		if got, want := names(h.Group.Hits), colNames(same); h.Group.Total != int64(len(want)) || !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Fatalf("%s: group of %s: %d: %v, want %v", at, h.ID, h.Group.Total, got, want)
		}
		var value any
		if c, ok := best(w.values(r, req.Group.Field, req.Indexes), false); ok {
			value = c.plain()
		}
		if diff := cmp.Diff(value, h.Group.Value); diff != "" {
			t.Fatalf("%s: value of the group of %s:\n%s", at, h.ID, diff)
		}
	}
}

// checkFacets compares all facets.
func (w *colWorld) checkFacets(t *testing.T, at string, req *Request, res *Result, filters []colFilter) {
	t.Helper()
	if len(res.Facets) != len(req.Facets) {
		t.Fatalf("%s: %d facets, want %d", at, len(res.Facets), len(req.Facets))
	}
	for _, f := range req.Facets {
		without := ""
		if f.Disjunctive {
			without = f.Field
		}
		want := w.facet(f, req.Indexes, w.matches(req, flatten(filters), without), w.inRange)
		if diff := cmp.Diff(want, res.Facets[f.Field], sameInts); diff != "" {
			t.Fatalf("%s: facet %+v (- want, + got):\n%s", at, f, diff)
		}
	}
}

func flatten(filters []colFilter) (out []colFilter) {
	for _, f := range filters {
		if f.and != nil {
			out = append(out, flatten(f.and)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// checkPages follows the cursor over all hits, and looks at one offset.
func (w *colWorld) checkPages(t *testing.T, at string, e *Engine, first *Request, want []*colRecord) {
	t.Helper()
	req := *first
	req.Facets = nil
	var got []string
	for range 1000 {
		res, err := e.Search(context.Background(), &req)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if res.Total != int64(len(want)) {
			t.Fatalf("%s: total %d behind a cursor, want %d", at, res.Total, len(want))
		}
		got = append(got, names(res.Hits)...)
		if req.After = res.Next; res.Next == nil {
			break
		}
	}
	if !slices.Equal(got, colNames(want)) {
		t.Fatalf("%s: by pages of %d:\n%v, want\n%v", at, req.Limit, got, colNames(want))
	}
	req.Offset, req.After = w.IntN(20), nil
	res, err := e.Search(context.Background(), &req)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	rest := want[min(req.Offset, len(want)):]
	if got, want := names(res.Hits), colNames(rest[:min(req.Limit, len(rest))]); !slices.Equal(got, want) {
		t.Fatalf("%s: from %d on: %v, want %v", at, req.Offset, got, want)
	}
}

// ranges makes random ranges of a facet.
func (w *colWorld) ranges(f colField) (out []FacetRange) {
	for range 1 + w.IntN(4) {
		var r FacetRange
		for _, end := range []struct {
			plain **float64
			exact *query.Value
		}{{&r.From, &r.FromValue}, {&r.To, &r.ToValue}} {
			switch w.IntN(3) {
			case 0: // open
			case 1:
				v := colFloats[w.IntN(len(colFloats))]
				if f.typ == Date {
					v = float64(time.Date(1960+w.IntN(80), 2, 2, 0, 0, 0, 0, time.UTC).Unix()) + 0.25
				}
				*end.plain = &v
			default:
				if f.typ == Date {
					*end.exact = query.Value{Kind: query.KindString, Str: time.Date(1960+w.IntN(80), 2, 2, 0, 0, 0, w.IntN(2)*1000, time.UTC).Format(time.RFC3339Nano)}
				} else {
					*end.exact = query.Value{Kind: query.KindInt, Int: colInts[w.IntN(len(colInts))]}
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// inRange tells whether a value lies in a range of a facet.
func (w *colWorld) inRange(c cell, r FacetRange) bool {
	end := func(plain *float64, exact query.Value) *big.Rat {
		switch {
		case exact.Kind == query.KindInt:
			return new(big.Rat).SetInt64(exact.Int)
		case exact.Kind == query.KindString:
			at, err := time.Parse(time.RFC3339Nano, exact.Str)
			if err != nil {
				panic(err)
			}
			return new(big.Rat).SetInt64(at.UnixMicro())
		case plain == nil:
			return nil
		case c.kind == 'd':
			return new(big.Rat).Mul(new(big.Rat).SetFloat64(*plain), big.NewRat(1e6, 1))
		}
		return new(big.Rat).SetFloat64(*plain)
	}
	from, to := end(r.From, r.FromValue), end(r.To, r.ToValue)
	return (from == nil || c.num.Cmp(from) >= 0) && (to == nil || c.num.Cmp(to) < 0)
}

var sameInts = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
