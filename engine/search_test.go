package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// shopSchema and shopRecords are a small shop.
func shopSchema() Schema {
	return Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "text", Type: Text, Search: true},
		{Name: "brand", Type: Keyword, Filter: true, Facet: true, Sort: true},
		{Name: "tags", Type: Keyword, Filter: true, Facet: true, Sort: true},
		{Name: "price", Type: Float, Filter: true, Facet: true, Sort: true},
		{Name: "stock", Type: Int, Filter: true, Facet: true, Sort: true},
		{Name: "new", Type: Bool, Filter: true, Facet: true, Sort: true},
		{Name: "since", Type: Date, Filter: true, Facet: true, Sort: true},
	}}
}

var shopRecords = []string{
	`{"id":"1","title":"Red running shoes","text":"Light shoes for the road","brand":"Nike","tags":["sport","red"],"price":39.5,"stock":3,"new":true,"since":"2024-01-01"}`,
	`{"id":"2","title":"Blue running shirt","text":"A shirt to run in","brand":"Asics","tags":["sport","blue","sport"],"price":19,"stock":0,"new":false,"since":"2023-06-01T12:00:00Z"}`,
	`{"id":"3","title":"Red hat","text":"Keeps the sun off; not for running","brand":"Nike","tags":"red","price":9.25,"stock":12}`,
	`{"id":"4","title":"Road map","text":"The road, the whole road and nothing but the road","price":5,"since":"2020-02-29"}`,
	`{"id":"5","title":"Shoe polish","text":"For red shoes and for blue shoes","brand":"Kiwi","tags":[],"price":null,"stock":-4,"new":true}`,
	`{"id":"6","title":"To be or not to be","text":"The play"}`,
}

// shop returns an engine with the shop, flushed in parts.
func shop(t *testing.T) *Engine {
	e := newEngine(t, nil)
	create(t, e, "shop", shopSchema())
	for i := 0; i < len(shopRecords); i += 2 {
		apply(t, e, puts("shop", shopRecords[i:i+2]...))
		if i == 2 {
			if err := e.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return e
}

func TestQueries(t *testing.T) {
	e := shop(t)
	tests := []struct {
		name string
		r    Request
		want string // ids, sorted
	}{
		{"one word", Request{Query: "hat"}, "3"},
		{"stem", Request{Query: "run"}, "1 2 3"},
		{"case and accents", Request{Query: "RÉD"}, "1 3 5"},
		{"nothing", Request{Query: "unicorn"}, ""},
		{"only punctuation", Request{Query: "?! ..."}, ""},
		{"blank", Request{Query: "  "}, "1 2 3 4 5 6"},
		{"star alone", Request{Query: "*", Syntax: SyntaxQuery}, "1 2 3 4 5 6"},

		{"auto: every word", Request{Query: "red running shoes", Limit: 1}, "1"},
		{"auto: relaxed", Request{Query: "red running shoes", Limit: 3}, "1 2 3 5"},
		{"auto: filler words do not count", Request{Query: "the road", Limit: 1}, "1 4"},
		{"auto: only filler words", Request{Query: "to be or not", Limit: 1}, "6"},
		{"auto: a word that is nowhere", Request{Query: "red unicorn", Limit: 1}, "1 3 5"},
		{"all", Request{Query: "red running shoes", Match: MatchAll}, "1"},
		{"all, with filler words", Request{Query: "the road", Match: MatchAll}, "1 4"},
		{"all, with a filler word that is not there", Request{Query: "the polish", Match: MatchAll}, ""},
		{"any", Request{Query: "hat polish", Match: MatchAny}, "3 5"},
		{"bm25 is any", Request{Query: "hat polish", Ranking: RankingBM25}, "3 5"},

		{"must", Request{Query: "+red +shoes"}, "1 5"},
		{"must not", Request{Query: "red -shoes"}, "3"},
		{"must and more", Request{Query: "+red hat", Limit: 2}, "1 3 5"},
		{"only must not", Request{Query: "-red -road"}, "2 6"},
		{"or", Request{Query: "hat OR map OR shirt"}, "2 3 4"},
		{"phrase", Request{Query: `"red running"`}, "1"},
		{"phrase in another order", Request{Query: `"running red"`}, ""},
		{"phrase over fields", Request{Query: `"shoes light"`}, ""},
		{"phrase with filler words", Request{Query: `"to be or not to be"`}, "6"},
		{"phrase by stems", Request{Query: `"red runs shoe"`}, "1"},
		{"phrase without a word between", Request{Query: `"red shoes"`}, "5"},
		{"phrase with slop", Request{Query: `"red shoes"~1`, Syntax: SyntaxQuery}, "1 5"},
		{"must phrase and not word", Request{Query: `+"red shoes" -blue`}, ""},

		{"prefix of the last word", Request{Query: "sho"}, "1 5"},
		{"prefix off", Request{Query: "sho", Prefix: PrefixOff}, ""},
		{"prefix of one letter is no prefix", Request{Query: "s"}, ""},
		{"prefix not of the first word", Request{Query: "sho red", Match: MatchAll}, ""},
		{"prefix of all words", Request{Query: "sho re", Prefix: PrefixAll, Match: MatchAll}, "1 5"},
		{"prefix after a space is no prefix", Request{Query: "sho "}, ""},
		{"prefix with star", Request{Query: "sho* red", Match: MatchAll}, "1 5"},
		{"prefix of one letter with star", Request{Query: "h*"}, "3"},

		{"fields", Request{Query: "road", Fields: []FieldWeight{{Field: "title"}}}, "4"},
		{"fields, several", Request{Query: "red", Fields: []FieldWeight{{Field: "text", Weight: 2}, {Field: "title"}}}, "1 3 5"},
		{"fields and phrase", Request{Query: `"for the road"`, Fields: []FieldWeight{{Field: "title"}}}, ""},
		{"fields and prefix", Request{Query: "roa", Fields: []FieldWeight{{Field: "text"}}}, "1 4"},

		{"syntax: field", Request{Query: "title:road", Syntax: SyntaxQuery}, "4"},
		{"syntax: and, or, not", Request{Query: "(red OR blue) AND shoes AND NOT title:polish", Syntax: SyntaxQuery}, "1"},
		{"syntax: keyword field", Request{Query: `brand:Nike AND red`, Syntax: SyntaxQuery}, "1 3"},
		{"syntax: keyword prefix", Request{Query: `brand:Ni*`, Syntax: SyntaxQuery}, "1 3"},
		{"syntax: number field", Request{Query: `stock:12`, Syntax: SyntaxQuery}, "3"},
		{"syntax: range", Request{Query: `price:[5 TO 19]`, Syntax: SyntaxQuery}, "2 3 4"},
		{"syntax: open range", Request{Query: `price:>19 OR stock:<0`, Syntax: SyntaxQuery}, "1 5"},
		{"syntax: range and words", Request{Query: `running price:[* TO 20]`, Syntax: SyntaxQuery, Match: MatchAll}, "2 3"},
		{"syntax: nested", Request{Query: `((title:(red OR blue) AND (shirt OR hat)) OR map) AND NOT (brand:Asics OR road)`, Syntax: SyntaxQuery}, "3"},
		{"syntax: bool field", Request{Query: `new:true`, Syntax: SyntaxQuery}, "1 5"},
		{"syntax: boost of nothing", Request{Query: `hat^0 map`, Syntax: SyntaxQuery, Match: MatchAny}, "3 4"},

		{"filter", Request{Filter: `brand = "Nike"`}, "1 3"},
		{"filter not", Request{Filter: `NOT brand = "Nike"`}, "2 4 5 6"},
		{"filter unequal", Request{Filter: `brand != "Nike" AND EXISTS brand`}, "2 5"},
		{"filter in", Request{Filter: `brand IN ["Nike", "Kiwi", "none"]`}, "1 3 5"},
		{"filter of several values", Request{Filter: `tags = "red" AND tags = "sport"`}, "1"},
		{"filter exists", Request{Filter: `EXISTS tags`}, "1 2 3"},
		{"filter empty", Request{Filter: `EMPTY tags`}, "4 5 6"},
		{"filter null", Request{Filter: `price = null`}, "5 6"},
		{"filter range", Request{Filter: `price 5..19`}, "2 3 4"},
		{"filter negative", Request{Filter: `stock < 0`}, "5"},
		{"filter bool", Request{Filter: `new = false`}, "2"},
		{"filter date", Request{Filter: `since >= "2023-06-01" AND since < "2024-01-01"`}, "2"},
		{"filter date by seconds", Request{Filter: `since = 1704067200`}, "1"},
		{"filter date equal", Request{Filter: `since = "2024-01-01T00:00:00Z"`}, "1"},
		{"filter prefix", Request{Filter: `tags STARTS WITH "s"`}, "1 2"},
		{"filter or", Request{Filter: `stock = 0 OR (price > 30 AND new = true)`}, "1 2"},
		{"filter with query", Request{Query: "red", Filter: "stock > 0"}, "1 3"},
		{"filter with only must not", Request{Query: "-red", Filter: "EXISTS price"}, "2 4"},
		{"restrict", Request{Query: "red", Restrict: []string{"stock > 0", `tags = "sport"`}}, "1"},
		{"restrict and filter", Request{Filter: `brand = "Nike"`, Restrict: []string{"stock > 5"}}, "3"},
		{"no hits wanted", Request{Query: "red", Limit: -1}, ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			c.r.Explain = true
			res := find(t, e, &c.r)
			if got := sortWords(idsOf(res)); got != c.want && c.r.Limit <= 0 || c.r.Limit == 0 && res.Total != int64(len(res.Hits)) {
				t.Errorf("hits %q of %d, want %q", got, res.Total, c.want)
			}
			if n := len(strings.Fields(c.want)); c.r.Limit > 0 && res.Total != int64(n) {
				t.Errorf("total %d, want %d: %q", res.Total, n, c.want)
			}
			for _, h := range res.Hits {
				sum := 0.0
				for _, p := range h.Explain.Parts {
					sum += p.Score
				}
				if sum != h.Score || h.Explain.Score != h.Score {
					t.Errorf("hit %s: score %v, parts %v", h.ID, h.Score, sum)
				}
			}
		})
	}
	if n := find(t, e, &Request{Query: "red", Limit: -1}).Total; n != 3 {
		t.Errorf("no hits wanted: total %d, want 3", n)
	}
}

func TestOrder(t *testing.T) {
	e := shop(t)
	sortBy := func(keys ...string) []SortKey {
		var out []SortKey
		for _, k := range keys {
			name, desc := strings.CutPrefix(k, "-")
			out = append(out, SortKey{Field: name, Desc: desc})
		}
		return out
	}
	tests := []struct {
		name string
		r    Request
		want string
	}{
		{"newest", Request{}, "5 6 3 4 1 2"},
		{"score", Request{Query: "red", Fields: []FieldWeight{{"title", 9}, {"text", 1}}}, "3 1 5"},
		{"float", Request{Sort: sortBy("price")}, "4 3 2 1 5 6"},
		{"float, desc", Request{Sort: sortBy("-price")}, "1 2 3 4 5 6"},
		{"int", Request{Sort: sortBy("stock")}, "5 2 1 3 4 6"},
		{"int, desc", Request{Sort: sortBy("-stock")}, "3 1 2 5 4 6"},
		{"bool, then float", Request{Sort: sortBy("-new", "price")}, "1 5 2 4 3 6"},
		{"date", Request{Sort: sortBy("since")}, "4 2 1 3 5 6"},
		{"keyword", Request{Sort: sortBy("brand")}, "2 5 1 3 4 6"},
		{"keyword, desc", Request{Sort: sortBy("-brand")}, "1 3 5 2 4 6"},
		{"keyword, then int", Request{Sort: sortBy("brand", "-stock")}, "2 5 3 1 4 6"},
		{"least of several values", Request{Sort: sortBy("tags")}, "2 1 3 4 5 6"},
		{"greatest of several values", Request{Sort: sortBy("-tags")}, "1 2 3 4 5 6"},
		{"score as a key", Request{Query: "red shoes", Match: MatchAny, Sort: sortBy("-_score")}, ""},
		{"brand, then score", Request{Query: "red", Sort: sortBy("brand", "-_score")}, "5 3 1"},
		{"matches sorted", Request{Query: "red", Sort: sortBy("price")}, "3 1 5"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			whole := find(t, e, &c.r)
			want := c.want
			if want == "" { // the order by score is that without a sort
				r := c.r
				r.Sort = nil
				want = idsOf(find(t, e, &r))
			}
			if got := idsOf(whole); got != want {
				t.Fatalf("order %s, want %s", got, want)
			}
			for limit := 1; limit <= len(whole.Hits)+1; limit++ {
				r := c.r
				r.Limit, r.Match = limit, MatchAny
				if got := allPages(t, e, r); got != want {
					t.Errorf("by pages of %d: %s, want %s", limit, got, want)
				}
				var got []string
				for r.Offset = 0; r.Offset < 10; r.Offset += limit {
					res := find(t, e, &r)
					got = append(got, strings.Fields(idsOf(res))...)
					if res.Total != whole.Total {
						t.Errorf("limit %d, offset %d: total %d, want %d", limit, r.Offset, res.Total, whole.Total)
					}
				}
				if s := strings.Join(got, " "); s != want {
					t.Errorf("by offsets of %d: %s, want %s", limit, s, want)
				}
			}
		})
	}
}

// TestTiesGoByIndexAndID for every kind of order.
func TestTiesGoByIndexAndID(t *testing.T) {
	e := newEngine(t, nil)
	var want []string
	for _, index := range []string{"b", "a"} {
		for _, i := range []int{7, 3, 10, 1} {
			apply(t, e, puts(index, fmt.Sprintf(`{"id":"%s%d","t":"same words","n":1}`, index, i)))
		}
	}
	for _, index := range []string{"a", "b"} {
		for _, id := range []string{"1", "10", "3", "7"} { // bytewise
			want = append(want, index+id)
		}
	}
	for _, r := range []Request{
		{Query: "same"}, {Query: `"same words"`}, {Query: "sam*"}, {Sort: []SortKey{{Field: "n"}}}, {Sort: []SortKey{{Field: "n", Desc: true}}},
		{Query: "words", Sort: []SortKey{{Field: "_score", Desc: true}, {Field: "n"}}},
	} {
		for _, r.Limit = range []int{1, 3, 20} {
			if got := allPages(t, e, r); got != strings.Join(want, " ") {
				t.Errorf("%q %v by pages of %d: %s, want %v", r.Query, r.Sort, r.Limit, got, want)
			}
		}
	}
}

func TestFacets(t *testing.T) {
	e := shop(t)
	ten, twenty := 10.0, 20.0
	y2023, y2024 := float64(time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Unix()), float64(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	show := func(f Facet) string {
		var b strings.Builder
		for _, v := range f.Values {
			fmt.Fprintf(&b, "%v:%d ", v.Value, v.Count)
		}
		for _, r := range f.Ranges {
			fmt.Fprintf(&b, "range:%d ", r.Count)
		}
		fmt.Fprintf(&b, "other:%d missing:%d", f.Other, f.Missing)
		if s := f.Stats; s != nil {
			fmt.Fprintf(&b, " stats:%v %v %v %v %d", s.Min, s.Max, s.Sum, s.Avg, s.Count)
		}
		return b.String()
	}
	tests := []struct {
		name string
		r    Request
		f    FacetRequest
		want string
	}{
		{"keyword", Request{}, FacetRequest{Field: "brand"}, "Nike:2 Asics:1 Kiwi:1 other:0 missing:2"},
		{"several values count once each", Request{}, FacetRequest{Field: "tags"}, "red:2 sport:2 blue:1 other:0 missing:3"},
		{"limited", Request{}, FacetRequest{Field: "tags", Limit: 1}, "red:2 other:3 missing:3"},
		{"of a query", Request{Query: "red"}, FacetRequest{Field: "brand"}, "Nike:2 Kiwi:1 other:0 missing:0"},
		{"of a query and filter", Request{Query: "red", Filter: "stock < 5"}, FacetRequest{Field: "tags"}, "red:1 sport:1 other:0 missing:1"},
		{"not only of the page", Request{Query: "red", Limit: 1}, FacetRequest{Field: "brand"}, "Nike:2 Kiwi:1 other:0 missing:0"},
		{"without hits", Request{Query: "red", Limit: -1}, FacetRequest{Field: "brand"}, "Nike:2 Kiwi:1 other:0 missing:0"},
		{"of a sorted request", Request{Query: "red", Sort: []SortKey{{Field: "price"}}}, FacetRequest{Field: "brand"}, "Nike:2 Kiwi:1 other:0 missing:0"},
		{"of nothing", Request{Query: "unicorn"}, FacetRequest{Field: "brand"}, "other:0 missing:0"},
		{"float", Request{}, FacetRequest{Field: "price"}, "5:1 9.25:1 19:1 39.5:1 other:0 missing:2 stats:5 39.5 72.75 18.1875 4"},
		{"int", Request{}, FacetRequest{Field: "stock", Limit: 2}, "-4:1 0:1 other:2 missing:2 stats:-4 12 11 2.75 4"},
		{"bool", Request{}, FacetRequest{Field: "new"}, "true:2 false:1 other:0 missing:3"},
		{"date", Request{Filter: "EXISTS since"}, FacetRequest{Field: "since", Limit: 1}, "2020-02-29T00:00:00Z:1 other:2 missing:0 stats:1.5829344e+09 1.7040672e+09 4.9726224e+09 1.6575408e+09 3"},
		{"ranges", Request{}, FacetRequest{Field: "price", Ranges: []FacetRange{{From: nil, To: &ten}, {From: &ten, To: &twenty}, {From: &twenty, To: nil}, {From: nil, To: nil}}}, "range:2 range:1 range:1 range:4 other:0 missing:2 stats:5 39.5 72.75 18.1875 4"},
		{"date ranges", Request{}, FacetRequest{Field: "since", Ranges: []FacetRange{{From: &y2023, To: &y2024}, {From: &y2024}}}, "range:1 range:1 other:0 missing:3 stats:1.5829344e+09 1.7040672e+09 4.9726224e+09 1.6575408e+09 3"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			c.r.Facets = []FacetRequest{c.f}
			res := find(t, e, &c.r)
			f, ok := res.Facets[c.f.Field]
			if got := show(f); got != c.want || !ok || !f.Exact {
				t.Errorf("facet %s\n  want %s", got, c.want)
			}
		})
	}
}

// TestFacetsOverIndexes: the counts of indexes add up, and a field that an
// index does not have is missing in its records.
func TestFacetsOverIndexes(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("a", `{"id":"1","n":1,"k":"x"}`, `{"id":"2","n":2,"k":"y"}`))
	apply(t, e, puts("b", `{"id":"1","n":1.5,"k":"x"}`, `{"id":"2","n":2.0}`))
	apply(t, e, puts("c", `{"id":"1"}`))
	res := find(t, e, &Request{Facets: []FacetRequest{{Field: "n"}, {Field: "k"}}})
	if f := res.Facets["n"]; fmt.Sprint(f.Values) != "[{2 2} {1 1} {1.5 1}]" || f.Missing != 1 || f.Stats.Count != 4 || f.Stats.Sum != 6.5 {
		t.Errorf("n: %+v %+v", f, f.Stats)
	}
	if f := res.Facets["k"]; fmt.Sprint(f.Values) != "[{x 2} {y 1}]" || f.Missing != 2 {
		t.Errorf("k: %+v", f)
	}
}

// TestStatisticsOfIntegers: they are exact beyond what a float can tell apart.
func TestStatisticsOfIntegers(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("a", `{"id":"1","n":9007199254740993,"f":1.5}`, `{"id":"2","n":[-9223372036854775807,9223372036854775807]}`))
	facets := find(t, e, &Request{Facets: []FacetRequest{{Field: "n"}, {Field: "f"}}}).Facets
	if s := facets["n"].Stats; s.Ints == nil || s.Ints.Min != -9223372036854775807 || s.Ints.Max != 9223372036854775807 {
		t.Errorf("integers: %+v", s)
	}
	if s := facets["f"].Stats; s.Ints != nil {
		t.Errorf("floats: %+v", s)
	}
	one := find(t, e, &Request{Filter: "EXISTS f", Facets: []FacetRequest{{Field: "n"}}}).Facets["n"].Stats
	if one.Ints.Min != 9007199254740993 || one.Ints.Max != 9007199254740993 || one.Ints.Sum.String() != "9007199254740993" || one.Sum != 9007199254740992 {
		t.Errorf("one integer: %+v", one)
	}
}

// TestLongListsAreCountedFast: a record with very many values costs about as
// much as as many records.
func TestLongListsAreCountedFast(t *testing.T) {
	e := newEngine(t, nil)
	var list strings.Builder
	const n = 130_000
	for i := range n {
		fmt.Fprintf(&list, ",%d", i)
	}
	apply(t, e, puts("i", `{"id":"1","n":[`+list.String()[1:]+`]}`))
	start := time.Now()
	f := find(t, e, &Request{Facets: []FacetRequest{{Field: "n", Limit: 3}}}).Facets["n"]
	if len(f.Values) != 3 || f.Other != n-3 {
		t.Errorf("%d values and %d others", len(f.Values), f.Other)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("counting %d values took %v", n, took)
	}
}

func TestMinScore(t *testing.T) {
	e := shop(t)
	all := find(t, e, &Request{Query: "red running", Match: MatchAny, Tuning: termsAlone})
	if len(all.Hits) < 4 {
		t.Fatalf("only %d hits", len(all.Hits))
	}
	least := all.Hits[2].Score
	want := int64(0)
	for _, h := range all.Hits {
		if h.Score >= least {
			want++
		}
	}
	for _, r := range []Request{
		{}, {Limit: 1}, {Sort: []SortKey{{Field: "price"}}}, {Sort: []SortKey{{Field: "_score"}}}, {Facets: []FacetRequest{{Field: "brand"}}},
	} {
		r.Query, r.Match, r.MinScore, r.Tuning = "red running", MatchAny, least, termsAlone
		res := find(t, e, &r)
		if res.Total != want {
			t.Errorf("sort %v: total %d, want %d", r.Sort, res.Total, want)
		}
		for _, h := range res.Hits {
			if h.Score < least {
				t.Errorf("sort %v: hit %s has %v, less than %v", r.Sort, h.ID, h.Score, least)
			}
		}
		if f, ok := res.Facets["brand"]; ok {
			n := f.Missing + f.Other
			for _, v := range f.Values {
				n += v.Count
			}
			if n != want {
				t.Errorf("the facet counts %d records, want %d", n, want)
			}
		}
	}
}

func TestTimeout(t *testing.T) {
	e := shop(t)
	for _, r := range []Request{{Query: "red"}, {}, {Sort: []SortKey{{Field: "price"}}}, {Query: `"red shoes"`}, {Facets: []FacetRequest{{Field: "brand"}}}} {
		r.Timeout = 1
		res, err := e.Search(context.Background(), &r)
		if err != nil || !res.TimedOut || res.TotalExact || res.Hits == nil {
			t.Errorf("%+v: %+v, %v", r, res, err)
		}
		r.Timeout = time.Minute
		if res := find(t, e, &r); res.TimedOut || !res.TotalExact {
			t.Errorf("a minute was not enough: %+v", res)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	if _, err := e.Search(ctx, &Request{Query: "red", Timeout: time.Minute}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's own deadline: %v", err)
	}
}

func TestWhatARequestLeavesOut(t *testing.T) {
	e := shop(t)
	res := find(t, e, &Request{Query: "red", NoTotal: true})
	if len(res.Hits) != 3 || res.TotalExact {
		t.Errorf("NoTotal: %d hits, exact %t", len(res.Hits), res.TotalExact)
	}
	res = find(t, e, &Request{Query: "red", NoRecord: true})
	if len(res.Hits) != 3 || res.Hits[0].Record != nil {
		t.Errorf("NoRecord: %+v", res.Hits)
	}
	res = find(t, e, &Request{Query: "red"})
	for _, h := range res.Hits {
		if rec, err := e.Record(context.Background(), h.Index, h.ID); err != nil || string(rec.JSON) != string(h.Record) {
			t.Errorf("hit %s has %s, the record is %s (%v)", h.ID, h.Record, rec.JSON, err)
		}
	}
	if res.Version != e.Version() || res.Took <= 0 || res.Query.Text != "red" {
		t.Errorf("result %+v", res)
	}
}

func TestHighlight(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true}, {Name: "list", Type: Text, Search: true}, {Name: "n", Type: Int},
	}})
	long := strings.Repeat("filler text goes on ", 20) + "until the running fox jumps over a red fence " + strings.Repeat("and more of it ", 20)
	apply(t, e, puts("i",
		`{"id":"1","title":"Red runners run <b>fast</b>","body":`+fmt.Sprintf("%q", long)+`}`,
		`{"id":"2","title":"東京都に行きました。京都も好きです"}`,
		`{"id":"3","list":["nothing here","a red one","red, red and red"]}`,
		`{"id":"4","title":"Crème brûlée für Ihre Straße 😀 creme"}`,
		`{"id":"5","title":"สวัสดีชาวโลก","body":"مرحبا بالعالم"}`,
	))
	tests := []struct {
		name, query string
		h           HighlightRequest
		id          string
		want        string // field=text, fields separated by |
	}{
		{"stems", "running", HighlightRequest{Fields: []string{"title"}}, "1", "title=Red <mark>runners</mark> <mark>run</mark> <b>fast</b>"},
		{"marks of the caller", "red", HighlightRequest{Fields: []string{"title"}, Pre: "[", Post: "]"}, "1", "title=[Red] runners run <b>fast</b>"},
		{"only one mark", "red", HighlightRequest{Fields: []string{"title"}, Post: "!"}, "1", "title=Red! runners run <b>fast</b>"},
		{"fragment", "fox", HighlightRequest{Fields: []string{"body"}, Words: 5, Pre: "[", Post: "]"}, "1", "body=the running [fox] jumps over"},
		{"fragment with most matches", "running fox red", HighlightRequest{Fields: []string{"body"}, Words: 8, Pre: "[", Post: "]"}, "1", "body=the [running] [fox] jumps over a [red] fence"},
		{"prefix", "fas", HighlightRequest{Pre: "[", Post: "]"}, "1", "title=Red runners run <b>[fast]</b>"},
		{"excluded words", "red -unicorn", HighlightRequest{Fields: []string{"title"}, Pre: "[", Post: "]"}, "1", "title=[Red] runners run <b>fast</b>"},
		{"phrase", `"red runner"`, HighlightRequest{Fields: []string{"title"}, Pre: "[", Post: "]"}, "1", "title=[Red] [runners] run <b>fast</b>"},
		{"Japanese", "京都", HighlightRequest{Pre: "[", Post: "]"}, "2", "title=東[京都]に行きました。[京都]も好きです"},
		{"Japanese, one character", "都", HighlightRequest{Pre: "[", Post: "]"}, "2", ""},
		{"best of a list", "red", HighlightRequest{Pre: "[", Post: "]"}, "3", "list=[red], [red] and [red]"},
		{"accents", "creme strasse", HighlightRequest{Pre: "[", Post: "]"}, "4", "title=[Crème] brûlée für Ihre [Straße] 😀 [creme]"},
		{"Thai", "โลก", HighlightRequest{Pre: "[", Post: "]"}, "5", ""},
		{"Arabic", "بالعالم", HighlightRequest{Pre: "[", Post: "]"}, "5", "body=مرحبا [بالعالم]"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			c.h.Escape = EscapeNone
			res := find(t, e, &Request{Query: c.query, Highlight: &c.h, Filter: "", Match: MatchAny})
			i := slices.IndexFunc(res.Hits, func(h Hit) bool { return h.ID == c.id })
			if i < 0 {
				t.Fatalf("hits %s, want %s among them", idsOf(res), c.id)
			}
			var got []string
			for _, l := range res.Hits[i].Highlight {
				got = append(got, l.Field+"="+l.Text)
				checkMatches(t, l, c.h)
			}
			if s := strings.Join(got, "|"); c.want != "" && s != c.want {
				t.Errorf("highlight %s\n     want %s", s, c.want)
			}
			if len(got) == 0 {
				t.Error("nothing is marked")
			}
		})
	}
}

// checkMatches compares the places of matches with the marks in the text.
func checkMatches(t *testing.T, l Highlight, h HighlightRequest) {
	t.Helper()
	pre, post := h.Pre, h.Post
	if pre == "" && post == "" {
		pre, post = "<mark>", "</mark>"
	}
	if pre == "" || post == "" || !utf8.ValidString(l.Text) {
		return
	}
	plain := []rune(strings.NewReplacer(pre, "", post, "").Replace(l.Text))
	parts := strings.Split(l.Text, pre)
	if len(parts) != len(l.Matches)+1 {
		t.Errorf("%d marks, %d matches", len(parts)-1, len(l.Matches))
		return
	}
	for i, m := range l.Matches {
		marked, _, _ := strings.Cut(parts[i+1], post)
		if m[0] < 0 || m[0]+m[1] > len(plain) || string(plain[m[0]:m[0]+m[1]]) != marked {
			t.Errorf("match %v is not %q in %q", m, marked, string(plain))
		}
	}
}

// TestScriptsWithoutSpaces: words, parts of words and single characters of
// Chinese, Japanese, Korean, Thai and Arabic texts are found.
func TestScriptsWithoutSpaces(t *testing.T) {
	texts := map[string]string{
		"zh": "我爱北京天安门", "ja": "東京タワーに行きました", "ko": "대한민국 만세", "th": "ภาษาไทยไม่มีช่องว่าง", "ar": "اللغة العربية جميلة", "mixed": "iPhone手机壳 red套",
	}
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	for id, text := range texts {
		apply(t, e, puts("i", fmt.Sprintf(`{"id":%q,"t":%q}`, id, text)))
	}
	for _, c := range []struct{ query, want string }{
		{"我", "zh"}, {"门", "zh"}, {"京", "ja zh"}, {"北京", "zh"}, {"天安门", "zh"}, {"北京天安门", "zh"}, {"京北", ""},
		{"東", "ja"}, {"京", "ja zh"}, {"タワー", "ja"}, {"た", "ja"}, {"東京タワー", "ja"},
		{"대한민국", "ko"}, {"만세", "ko"}, {"대", "ko"}, {"민", "ko"},
		{"ภาษาไทย", "th"}, {"ไทย", "th"}, {"ภ", "th"},
		{"العربية", "ar"}, {"جميلة", "ar"},
		{"iphone", "mixed"}, {"手机", "mixed"}, {"手", "mixed"}, {"套", "mixed"}, {"壳", "mixed"},
	} {
		for _, syntax := range []Syntax{SyntaxSimple, SyntaxQuery} {
			if got := sortWords(idsOf(find(t, e, &Request{Query: c.query, Syntax: syntax}))); got != c.want {
				t.Errorf("%s (syntax %d): %q, want %q", c.query, syntax, got, c.want)
			}
		}
	}
}

// TestExplain: the parts say which word in which field gave what.
func TestExplain(t *testing.T) {
	e := shop(t)
	parts := func(r Request) string {
		r.Explain, r.Tuning = true, termsAlone
		var out []string
		for _, p := range find(t, e, &r).Hits[0].Explain.Parts {
			s := fmt.Sprintf("%s:%s tf=%d df=%d weight=%v penalty=%v", p.Field, p.Term, p.TF, p.DF, p.Weight, math.Round(p.Penalty*1000)/1000)
			if p.From != "" {
				s += " from=" + p.From
			}
			if p.Score <= 0 || !(p.IDF > 0) || !(p.Norm > 0) {
				t.Errorf("%q: part %+v", r.Query, p)
			}
			out = append(out, s)
		}
		return strings.Join(out, "\n")
	}
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "hat", Prefix: PrefixOff}, "title:hat tf=1 df=1 weight=3 penalty=1"},
		{Request{Query: "runs", Filter: "stock = 0", Prefix: PrefixOff}, "title:run tf=1 df=3 weight=3 penalty=1 from=runs\ntext:run tf=1 df=3 weight=1 penalty=1 from=runs"},
		{Request{Query: "hat", Prefix: PrefixOff, Fields: []FieldWeight{{"title", 7}}}, "title:hat tf=1 df=1 weight=7 penalty=1"},
		{Request{Query: "hat", Ranking: RankingBM25}, "title:hat tf=1 df=1 weight=1 penalty=1"},
		{Request{Query: "hat^2.5", Syntax: SyntaxQuery}, "title:hat tf=1 df=1 weight=3 penalty=2.5"},
		{Request{Query: `"red hat"`}, "title:\"red hat\" tf=1 df=1 weight=3 penalty=1 from=red hat"},
	} {
		if got := parts(c.r); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.r.Query, got, c.want)
		}
	}
	if h := find(t, e, &Request{Explain: true}).Hits[0]; h.Explain == nil || h.Explain.Score != 0 || len(h.Explain.Parts) != 0 {
		t.Errorf("without a query: %+v", h.Explain)
	}
}

// TestScoresOfSeveralIndexes: records that are spread over indexes have the
// scores that they would have in one.
func TestScoresOfSeveralIndexes(t *testing.T) {
	r := random{rand.New(rand.NewPCG(8, 8))}
	e := newEngine(t, nil)
	schema := oracleSchema()
	other := oracleSchema() // the same fields in another order, and one more
	slices.Reverse(other.Fields)
	other.Fields = append([]Field{{Name: "more", Type: Text, Search: true}}, other.Fields...)
	create(t, e, "one", schema)
	create(t, e, "part0", schema)
	create(t, e, "part1", schema)
	create(t, e, "part2", other)
	for i := range 120 {
		rec := r.json(fmt.Sprintf("r%03d", i), r.record())
		var b Batch
		b.Put("one", rec)
		b.Put(fmt.Sprintf("part%d", r.IntN(3)), rec)
		apply(t, e, &b)
	}
	for range 300 {
		q, filter := r.query()
		if len(q.clauses) == 0 {
			continue
		}
		req := Request{Query: q.String(), Filter: filter, Match: q.match, Ranking: q.ranking, Prefix: PrefixOff, Limit: 200}
		if r.IntN(4) == 0 {
			req.Fields = []FieldWeight{{Field: "body", Weight: 2}}
		}
		scores := func(index string) map[string]float64 {
			req.Indexes = []string{index}
			out := map[string]float64{}
			for _, h := range find(t, e, &req).Hits {
				out[h.ID] = h.Score
			}
			return out
		}
		one, parts := scores("one"), scores("part*")
		if len(one) != len(parts) {
			t.Fatalf("%q %q: %d hits in one index, %d in three", req.Query, filter, len(one), len(parts))
		}
		for id, s := range one {
			if parts[id] != s {
				t.Fatalf("%q %q (fields %v, ranking %d): %s has score %v in one index and %v in three", req.Query, filter, req.Fields, req.Ranking, id, s, parts[id])
			}
		}
	}
}

// TestIndexesWithoutTheField: over several indexes a record of an index that
// lacks a field is a record without a value, as if all were one index.
func TestIndexesWithoutTheField(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("numbers", `{"id":"n1","n":5}`, `{"id":"n2","n":6}`))
	apply(t, e, puts("texts", `{"id":"t1","t":"hello world","p":3}`, `{"id":"t2","t":"hello","p":1}`))
	for _, test := range []struct {
		name string
		r    Request
		want string // ids, in order
	}{
		{"a word", Request{Query: "world"}, "t1"},
		{"a word that no record holds", Request{Query: "nowhere"}, ""},
		{"every word", Request{Query: "hello world", Match: MatchAll}, "t1"},
		{"any word", Request{Query: "nowhere world", Match: MatchAny}, "t1"},
		{"plain BM25", Request{Query: "world", Ranking: RankingBM25}, "t1"},
		{"a required word", Request{Query: "+world"}, "t1"},
		{"a choice", Request{Query: "(world OR nowhere)", Syntax: SyntaxQuery}, "t1"},
		{"a word and a filter, no text", Request{Indexes: []string{"numbers"}, Query: "world", Filter: "n = 5"}, ""},
		{"punctuation and a filter", Request{Query: "!!!", Filter: "n = 5"}, ""},
		{"a field to search", Request{Query: "world", Fields: []FieldWeight{{Field: "t"}}}, "t1"},
		{"a field named in the query", Request{Query: "t:world", Syntax: SyntaxQuery}, "t1"},
		{"=", Request{Filter: "p = 3"}, "t1"},
		{"IN", Request{Filter: "p IN [1, 3] AND t = 'hello'"}, "t2"},
		{"range", Request{Filter: "p 2..3"}, "t1"},
		{"EXISTS", Request{Filter: "EXISTS t AND p > 1"}, "t1"},
		{"STARTS WITH", Request{Filter: "t STARTS WITH 'hello w'"}, "t1"},
		{"!=", Request{Filter: "p != 3", Sort: []SortKey{{Field: "n", Desc: true}}}, "n2 n1 t2"},
		{"NOT", Request{Filter: "NOT p = 3", Sort: []SortKey{{Field: "n"}}}, "n1 n2 t2"},
		{"EMPTY", Request{Filter: "EMPTY p", Sort: []SortKey{{Field: "n"}}}, "n1 n2"},
		{"sort", Request{Sort: []SortKey{{Field: "p"}, {Field: "n", Desc: true}}}, "t2 t1 n2 n1"},
		{"cursor", Request{
			Sort:  []SortKey{{Field: "p"}, {Field: "n", Desc: true}},
			After: &Position{Sort: []SortValue{{Missing: true}, {Int: 6, Float: 6}}, Index: "numbers", ID: "n2"},
		}, "n1"},
	} {
		res, err := e.Search(t.Context(), &test.r)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var ids []string
		for _, h := range res.Hits {
			ids = append(ids, h.ID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s: hits %q, want %q", test.name, got, test.want)
		}
	}

	for _, test := range []struct {
		r             Request
		code, pointer string
	}{
		{Request{Filter: "q = 1"}, CodeUnknownField, "/filter"},
		{Request{Indexes: []string{"numbers"}, Filter: "p = 3"}, CodeUnknownField, "/filter"},
		{Request{Sort: []SortKey{{Field: "q"}}}, CodeInvalidSort, "/sort/0"},
		{Request{Query: "x", Fields: []FieldWeight{{Field: "q"}}}, CodeUnknownField, "/fields/0"},
		{Request{Query: "x", Fields: []FieldWeight{{Field: "n"}}}, CodeInvalidRequest, "/fields/0"},
	} {
		_, err := e.Search(t.Context(), &test.r)
		wantProblem(t, err, test.code, test.pointer)
	}
}

// TestAnalyzers: the setup of a text field decides what its words are.
func TestAnalyzers(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "en", Type: Text, Search: true},
		{Name: "de", Type: Text, Search: true, Language: "de"},
		{Name: "none", Type: Text, Search: true, Language: "none"},
		{Name: "white", Type: Text, Search: true, Analyzer: "whitespace"},
		{Name: "code", Type: Text, Search: true, Analyzer: "code", Language: "none"},
		{Name: "hidden", Type: Text, Filter: true},
	}})
	apply(t, e, puts("i",
		`{"id":"en","en":"running houses"}`, `{"id":"de","de":"laufende Häuser"}`, `{"id":"none","none":"running houses"}`,
		`{"id":"white","white":"foo-bar C++ x.y"}`, `{"id":"code","code":"parseHTTPRequest"}`, `{"id":"hidden","hidden":"running secret"}`))
	for _, c := range []struct{ query, want string }{
		{"runs", "en"}, {"running", "en none"}, {"Haus", "de"}, {"house", "en"}, {"foo-bar", "white"}, {"C++", "white"}, {"request", "code"},
		{"parsehttprequest", "code"}, {"secret", ""}, {"none:running", "none"}, {"de:hauses", "de"},
	} {
		r := Request{Query: c.query, Prefix: PrefixOff, Match: MatchAll, Syntax: SyntaxQuery}
		if !strings.Contains(c.query, ":") {
			r.Syntax = SyntaxSimple
		}
		if got := sortWords(idsOf(find(t, e, &r))); got != c.want {
			t.Errorf("%s: %q, want %q", c.query, got, c.want)
		}
	}
	if got := filtered(t, e, "i", `hidden = "running secret"`); got != "hidden" {
		t.Errorf("filter of a text: %q", got)
	}
}
