package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// The id of records is named in filters as the primary key is.
func TestFiltersByID(t *testing.T) {
	d := newDisk(t, Options{FlushRecords: 4})
	for i := range 10 {
		apply(t, d.e, puts("k", fmt.Sprintf(`{"id":"r%d","n":%d,"t":"red shoe"}`, i, i)))
	}
	apply(t, d.e, puts("k", `{"id":42,"n":42}`, `{"id":"a \"quote\"","n":43}`, `{"id":"2026-01-01"}`, `{"id":"18446744073709551616"}`, `{"id":"r3","n":33,"t":"red shoe"}`))
	apply(t, d.e, &Batch{Ops: []Op{{Kind: OpDelete, Index: "k", ID: "r7"}}})
	all := "18446744073709551616 2026-01-01 42 a \"quote\" r0 r1 r2 r3 r4 r5 r6 r8 r9"
	without := func(ids ...string) string {
		rest := " " + all + " "
		for _, id := range ids {
			rest = strings.Replace(rest, " "+id+" ", " ", 1)
		}
		return sortWords(rest)
	}
	d.states("k", func(t *testing.T, e *Engine) {
		for filter, want := range map[string]string{
			`id = "r1"`:            "r1",
			`id = 'r3'`:            "r3",
			`id = "r3" AND n = 33`: "r3",
			`id = "r3" AND n = 3`:  "",
			`id = "R1"`:            "",
			`id = "r7"`:            "", // it was deleted
			`id = "none"`:          "",
			`id = ""`:              "", // what cannot be an id is none
			"id = \"\x01\"":        "",
			`id = "` + strings.Repeat("x", 600) + `"`: "",
			`id = 42`:                                       "42",
			`id = "42"`:                                     "42",
			`id = 18446744073709551616`:                     "18446744073709551616",
			`id = 2026-01-01`:                               "2026-01-01",
			`id IN ["r1", "r9", "r7", 42, "r1"]`:            "42 r1 r9",
			`id IN ["r1", "r9"] AND n > 5`:                  "r9",
			`NOT id IN ["r1", "r9"]`:                        without("r1", "r9"),
			`id != "r1"`:                                    without("r1"),
			`id != "none"`:                                  sortWords(all),
			`id != "r1" AND id != 42`:                       without("r1", "42"),
			`id = "r1" OR id = "r2"`:                        "r1 r2",
			`id = "r1" OR n > 8`:                            without("18446744073709551616", "2026-01-01", "r0", "r2", "r4", "r5", "r6", "r8"),
			`(id = "r1" OR id = "r3") AND NOT (id = "r1")`:  "r3",
			`id = "r1" AND id = "r2"`:                       "",
			`EXISTS id AND n < 2`:                           "r0 r1",
			`EMPTY id OR id = null`:                         "",
			`NOT EMPTY id AND id != null AND n < 2`:         "r0 r1",
			`id IN ["a \"quote\"", "r0"] AND EXISTS n`:      `"quote" a r0`,
			`n IN [1, 2] AND id IN ["r2", "r3"] OR id="r5"`: "r2 r5",
		} {
			if got := filtered(t, e, "k", filter); got != want {
				t.Errorf("%s: %q, want %q", filter, got, want)
			}
		}
		res := find(t, e, &Request{Query: "red shoe", Filter: `id IN ["r2", "r3"]`, Facets: []FacetRequest{{Field: "n"}}, Tuning: termsAlone})
		if idsOf(res) != "r3 r2" && idsOf(res) != "r2 r3" || res.Total != 2 || len(res.Facets["n"].Values) != 2 {
			t.Errorf("%s, total %d, %+v", idsOf(res), res.Total, res.Facets)
		}
		for query, want := range map[string]string{`id:r2`: "r2", `shoe -id:r2 n:<3`: "r0 r1", `id:"r2" OR id:42`: "42 r2", `id:(r1 OR r5) AND shoe`: "r1 r5"} {
			if got := sortWords(idsOf(find(t, e, &Request{Query: query, Syntax: SyntaxQuery, Match: MatchAll}))); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	})
}

// Filters by the id bound what is read, too.
func TestImposedFiltersByID(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	apply(t, e, puts("k", `{"id":"a"}`, `{"id":"b"}`, `{"id":"c"}`))
	if got := idsOf(find(t, e, &Request{Restrict: []string{`id != "b"`}, Filter: `id IN ["a","b"]`})); got != "a" {
		t.Errorf("searched: %q", got)
	}
	if _, err := e.Record(ctx, "k", "a", `id = "a"`); err != nil {
		t.Error(err)
	}
	if _, err := e.Record(ctx, "k", "b", `id = "a"`); err == nil {
		t.Error("b was read")
	}
	var got []string
	for rec, err := range e.Records(ctx, "k", RecordsOptions{Filter: `id IN ["c","b"]`, Restrict: []string{`id != "b"`}}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rec.ID)
	}
	if strings.Join(got, " ") != "c" {
		t.Errorf("listed: %q", got)
	}
	if holders, err := e.Holders(ctx, "b", nil, `id != "b"`); err != nil || len(holders) != 0 {
		t.Errorf("%v, %v", holders, err)
	}
}

// Operations by the id see what the batch has done before.
func TestDeleteAndPatchWhereByID(t *testing.T) {
	d := newDisk(t, Options{FlushRecords: 5})
	for i := range 8 {
		apply(t, d.e, puts("k", fmt.Sprintf(`{"id":"r%d","n":%d}`, i, i)))
	}
	res := apply(t, d.e, &Batch{Ops: []Op{
		{Kind: OpPut, Index: "k", Record: []byte(`{"id":"new","n":1}`)},
		{Kind: OpPut, Index: "k", Record: []byte(`{"id":"gone","n":1}`)},
		{Kind: OpDeleteWhere, Index: "k", Filter: `id IN ["r1", "gone", "none"] OR id = "r2"`},
		patchWhere("k", `id IN ["r3", "new", "r1"]`, `{"n":100}`),
		{Kind: OpDeleteWhere, Index: "k", Filter: `id != "r3" AND id != "new" AND n > 5`}, // r6, r7
		{Kind: OpPut, Index: "fresh", Record: []byte(`{"id":"x"}`)},
		{Kind: OpPut, Index: "fresh", Record: []byte(`{"id":"y"}`)},
		{Kind: OpDeleteWhere, Index: "fresh", Filter: `id = "x"`},
	}})
	if res.Deleted != 3+2+1 || res.Patched != 2 {
		t.Errorf("deleted %d, patched %d", res.Deleted, res.Patched)
	}
	d.states("k", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "k", ""); got != "new r0 r3 r4 r5" {
			t.Errorf("left: %q", got)
		}
		if got := filtered(t, e, "k", "n = 100"); got != "new r3" {
			t.Errorf("patched: %q", got)
		}
	})
}

func TestFiltersByPrimaryKeysOfOtherNames(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", Schema{PrimaryKey: "sku", Dynamic: true, Fields: []Field{{Name: "n", Type: Int, Filter: true}}})
	create(t, e, "b", Schema{PrimaryKey: "sku", Dynamic: true, Fields: []Field{{Name: "id", Type: Keyword, Filter: true}}})
	apply(t, e, puts("a", `{"sku":"1","n":1}`, `{"sku":"2"}`))
	apply(t, e, puts("b", `{"sku":"3","id":"x"}`))
	apply(t, e, puts("c", `{"id":"x"}`, `{"id":"1"}`))
	for _, c := range []struct{ indexes, filter, want string }{
		{"a", `sku = 1`, "1"},
		{"a b", `sku != 1`, "2 3"},
		{"b", `id = "x"`, "3"}, // a field of this name
		{"b c", `id = "x"`, "3 x"},
		{"a c", `id = "1"`, "1"},
		{"a c", `id != "1"`, "1 2 x"}, // records of a have none
		{"a c", `NOT sku = "1"`, "1 2 x"},
	} {
		res := find(t, e, &Request{Indexes: strings.Fields(c.indexes), Filter: c.filter})
		if got := sortWords(idsOf(res)); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.indexes, c.filter, got, c.want)
		}
	}
	_, err := e.Search(context.Background(), &Request{Indexes: []string{"a"}, Filter: `id = "1"`})
	if inv := wantProblem(t, err, CodeUnknownField, "/filter"); inv.Problems[0].Detail != `there is no field "id"; the id of records is called "sku" here` {
		t.Error(inv)
	}
}

func TestWhatIDsAreNotComparedWith(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("k", `{"id":"a","n":1}`))
	order := `"id" is the id of records, which is compared by =, != and IN, and not by order, beginning or place`
	for filter, want := range map[string]string{
		`id < "b"`:              order,
		`id >= 1`:               order,
		`id 1..2`:               order,
		`id:[* TO *]`:           order,
		`id STARTS WITH "a"`:    order,
		`geo(id, 1, 2, 3km)`:    order,
		`id = 1.5`:              `"id" is the id of records, a text or an integer, and cannot be compared with a float`,
		`id IN ["a", 1e3]`:      `"id" is the id of records, a text or an integer, and cannot be compared with a float`,
		`id != true`:            `"id" is the id of records, a text or an integer, and cannot be compared with a bool`,
		`n = 1 AND NOT id >= 1`: order,
	} {
		_, err := e.Search(context.Background(), &Request{Filter: filter})
		if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); inv != nil && inv.Problems[0].Detail != want {
			t.Errorf("%s: %v", filter, inv)
		}
	}
	_, err := e.Search(context.Background(), &Request{Filter: "n = 1 AND id > 1"})
	if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); inv.Problems[0].Column != 11 {
		t.Errorf("column %d", inv.Problems[0].Column)
	}
	// It remains no field to whatever needs one.
	for _, r := range []Request{{Sort: []SortKey{{Field: "id"}}}, {Facets: []FacetRequest{{Field: "id"}}}, {Query: "x", Fields: []FieldWeight{{Field: "id"}}}, {Distinct: "id"}} {
		if _, err := e.Search(context.Background(), &r); err == nil {
			t.Errorf("%+v", r)
		}
	}
}
